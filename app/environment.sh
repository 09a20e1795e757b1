# Makes the environment in .venv, once, and again when the list of packages has changed or its Python is gone.
# To be sourced in the project's folder. $packages: a list in app/locked, `run` or `test`; that for tests serves for both.

packages="${packages-run}"
stamp=".venv/installed"
wanted() { echo "$1 $(cksum < "app/locked/$1.txt")"; }
installed="$(cat "$stamp" 2>/dev/null || true)"
if ! .venv/bin/python -c "" 2>/dev/null; then
    installed=""
fi

if [ "$installed" != "$(wanted "$packages")" ] && [ "$installed" != "$(wanted test)" ]; then
    python=""
    for name in python3 python3.14 python3.13 python3.12 python3.11; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            python="$name"
            break
        fi
    done
    if [ -z "$python" ]; then
        echo "Haibun needs Python 3.11 or newer." >&2
        exit 1
    fi
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
            apt-get update -q && apt-get install -y -q --no-install-recommends python3-venv
        else
            echo "Python's venv module is missing. On Debian: sudo apt-get install python3-venv" >&2
            exit 1
        fi
    fi
    "$python" -m venv --clear .venv
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement "app/locked/$packages.txt"
    wanted "$packages" > "$stamp"
fi
