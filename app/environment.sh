# Makes the environment in .venv, once, and again when pyproject.toml has changed. To be sourced in the project's folder.
# $extras: the optional dependencies to install with the project, such as [test].

extras="${extras-}"
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
        apt-get update -q && apt-get install -y -q python3-venv
    else
        echo "Python's venv module is missing. On Debian: sudo apt-get install python3-venv" >&2
        exit 1
    fi
fi
stamp=".venv/installed"
wanted="$extras $(cksum < pyproject.toml)"
if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    "$python" -m venv .venv
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable ".$extras"
    echo "$wanted" > "$stamp"
fi
