#!/usr/bin/env bash
# Writes docs/reference.md from the comments of the built extension, in a throw-away server.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

written=$(mktemp)
trap 'rm -f "$written"' EXIT
# loading the library makes its settings known
"$TOP/scripts/cluster.sh" psql -XqAt -v ON_ERROR_STOP=1 -c 'CREATE EXTENSION dpem' -c "LOAD 'dpem'" -f "$TOP/scripts/reference.sql" >"$written"
cat "$written" >"$TOP/docs/reference.md"
