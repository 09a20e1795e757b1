#!/bin/sh
# Tests Haibun: makes the environment, fetches a browser and fonts where there are none, then checks style, types and behaviour.
# With `quick`, only the core, the text, the scenario, the API and the house are tested, each property with fewer examples.
# Other arguments go to pytest; with some, only pytest runs.
set -eu
cd "$(dirname "$0")/.."
packages=test
. app/environment.sh

browser() { command -v "${CHROMIUM:-chromium}" || command -v chromium-browser || command -v google-chrome; }
fonts() { fc-list 2>/dev/null | grep -q "Noto Sans CJK" && fc-list | grep -q "Noto Color Emoji"; }
driver() { .venv/bin/playwright --version >/dev/null 2>&1; }
if ! browser >/dev/null || ! fonts || ! driver; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -q && apt-get install -y -q --no-install-recommends chromium fontconfig fonts-noto-cjk fonts-noto-color-emoji libatomic1
    fi
fi

# A process a core, four at most: each has a server and a browser of its own.
check() { .venv/bin/python -m pytest --numprocesses auto --maxprocesses 4 --dist worksteal "$@"; }

if [ "${1-}" = quick ]; then
    export HAIBUN_TESTS=quick
    check -m "not slow" tests/core tests/text tests/scenario tests/api tests/test_house.py
    exit
fi

# TypeScript's compiler is fetched once, into .venv; its version stands here, since no Python package has it.
typescript=7.0.2
scripts() {
    folder=".venv/typescript-$typescript"
    tsc="$folder/node_modules/typescript/bin/tsc"
    if [ ! -f "$tsc" ] && ! .venv/bin/npm install --prefix "$folder" --no-audit --no-fund --loglevel=error "typescript@$typescript"; then
        echo "TypeScript's compiler could not be fetched from npm's registry: the types of the scripts are NOT checked." >&2
        return 0
    fi
    .venv/bin/node "$tsc" --project tests
}

if [ $# -gt 0 ]; then
    exec .venv/bin/python -m pytest "$@"
fi

.venv/bin/ruff check .
.venv/bin/ruff format --check .
.venv/bin/mypy
scripts
.venv/bin/lint-imports --no-cache --no-logo
check
