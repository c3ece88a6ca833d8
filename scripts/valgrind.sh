#!/usr/bin/env bash
# SQL tests in a server under valgrind: scripts/valgrind.sh [TEST...]
#
# A report with a frame of the extension, or a server that does not live to the end, fails.  Reports of
# the server alone are counted and left at that; what stock PostgreSQL always does is in
# test/valgrind.supp.
# What the tests answer is not compared here.
# shellcheck source=cluster.sh
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"

[ $# -gt 0 ] || set -- moments rows models kmeans factors logit

start_under_valgrind()
{
	local data=$STAGE/run/main/data

	as_user mkdir "$STAGE/run/valgrind"
	as_user valgrind --quiet --trace-children=yes --leak-check=no --num-callers=30 \
		--suppressions="$STAGE/tree/test/valgrind.supp" \
		--log-file="$STAGE/run/valgrind/%p.log" "$PG_BIN/postgres" -D "$data" \
		-c dpem.charge_timeout=10min >"$STAGE/run/server.log" 2>&1 </dev/null &
	SERVER=$!
	for _ in $(seq 1 180); do
		! "$PG_BIN/pg_isready" -q || return 0
		sleep 1
	done
	die "the server under valgrind did not start"
}

run_tests()
{
	local test

	for test in setup "$@"; do
		say "  $test"
		as_user "$PG_BIN/psql" -Xq -f "$STAGE/tree/sql/$test.sql" >"$STAGE/$test.out" 2>&1 </dev/null || true
	done
	"$PG_BIN/pg_isready" -q || die "the server under valgrind did not live to the end"
	cluster_stop main
	wait "$SERVER" || true
}

reports()
{
	local all ours

	all=$(cat "$STAGE"/run/valgrind/*.log | grep -cE '^==[0-9]+== [A-Z][a-z]+ ' || true)
	ours=$(grep -lE '\(in .*/dpem\.so\)|: dpem_|: dp_' "$STAGE"/run/valgrind/*.log || true)
	say "$all lines of reports, of the server alone unless named here"
	[ -z "$ours" ] || { cat $ours; die "valgrind reports the extension"; }
}

prepare_stage
command -v valgrind >/dev/null || die "valgrind is not installed"
logged build build
logged install install_extension
stage_tree
cluster_start main
cluster_stop main
start_under_valgrind
run_tests "$@"
reports
