#!/bin/sh
# Tests Haibun: makes the environment, fetches a browser and fonts where there are none, then checks style, types and behaviour.
# Arguments go to pytest; with some, only pytest runs.
set -eu
cd "$(dirname "$0")/.."
extras="[test]"
. app/environment.sh

browser() { command -v "${CHROMIUM:-chromium}" || command -v chromium-browser || command -v google-chrome; }
fonts() { fc-list 2>/dev/null | grep -q "Noto Sans CJK" && fc-list | grep -q "Noto Color Emoji"; }
driver() { .venv/bin/playwright --version >/dev/null 2>&1; }
if ! browser >/dev/null || ! fonts || ! driver; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -q && apt-get install -y -q chromium fontconfig fonts-noto-cjk fonts-noto-color-emoji libatomic1
    fi
fi

if [ $# -gt 0 ]; then
    exec .venv/bin/python -m pytest "$@"
fi

.venv/bin/ruff check .
.venv/bin/ruff format --check .
.venv/bin/mypy
.venv/bin/lint-imports --no-cache --no-logo

# Two streams side by side: most of the browser's tests in the one, all others and the rest of the browser's in the other.
check() { .venv/bin/python -m pytest "$@"; }
others() {
    wrong=0
    check --ignore=tests/browser || wrong=1
    check tests/browser/test_[p-z]*.py || wrong=1
    return "$wrong"
}
log="$(mktemp)"
others >"$log" 2>&1 &
others=$!
failed=0
check tests/browser/test_[a-o]*.py || failed=1
wait "$others" || failed=1
cat "$log"
rm -f "$log"
exit "$failed"
