#!/bin/sh
# Starts Haibun: makes the environment where there is none, then runs the server. Options go to the server.
set -eu
cd "$(dirname "$0")/.."
# Where the tests' environment is there already, it serves as well.
case "$(cat .venv/installed 2>/dev/null || true)" in
    "[test] $(cksum < pyproject.toml)") ;;
    *) . app/environment.sh ;;
esac
exec .venv/bin/python -m app "$@"
