#!/usr/bin/env bash
# The audit from inside and from outside (docs/audit.md) in a throw-away server, the latter of this tree and of its saboteurs.
#
# QUICK=1   about a minute instead of several
# shellcheck source=cluster.sh
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"

"$TOP/scripts/deps.sh"
prepare_stage
logged build build
logged install install_extension
logged saboteurs stage_saboteurs
cluster_start main
# a crash would only end the audit
"$PG_BIN/psql" -Xq -c 'ALTER SYSTEM SET fsync = off' -c 'SELECT pg_reload_conf()' >/dev/null
"$PG_BIN/psql" -Xqf "$TOP/test/audit/selftest.sql"
PATH="$PG_BIN:$PATH" perl "$TOP/test/audit/audit.pl"
