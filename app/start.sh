#!/bin/sh
# Starts Haibun: makes the environment where there is none, then runs the server. Options go to the server.
set -eu
cd "$(dirname "$0")/.."
. app/environment.sh
exec .venv/bin/python -m app "$@"
