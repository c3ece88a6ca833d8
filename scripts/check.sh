#!/usr/bin/env bash
# Everything that can be tested, in throw-away servers: dependencies, build, unit tests, fuzz
# targets, SQL tests, isolation tests, TAP tests.  Goes on after a failure; the last line is the sum of all suites,
# `N passed, N failed[, N skipped]`.  What failed is left in build/check/.
#
# DPEM_SUITES   which of "unit fuzz regress isolation tap" to run (default: all)
# DPEM_TESTS    only the tests whose name matches this regular expression (regress: and setup)
# DPEM_NOTES=1  show what TAP tests note
# DPEM_SEED     of the order of the SQL tests, which is another every time
# DPEM_JOBS     how many of the suites and TAP files that need a server run side by side (default: one a processor)
# DPEM_SUITE_TIMEOUT   seconds after which a suite, or one TAP file, is stopped (default 1800)
# and those of cluster.sh.
# shellcheck source=cluster.sh
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"

SUITES=${DPEM_SUITES:-unit fuzz regress isolation tap}
KEPT=$TOP/build/check
passed=0 failed=0 skipped=0 done=

heading() { printf '\n== %s\n' "$*"; }

add()
{
	passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

fail()
{
	say "FAILED: $*"
	add 0 1 0
}

at_exit()
{
	[ -n "$done" ] || fail "stopped before the end"
	[ $((passed + failed)) -gt 0 ] || fail "no test was run"
	say ""
	summary "$passed" "$failed" "$skipped"
	[ "$failed" -eq 0 ]
}

wanted() { [[ " $SUITES " == *" $1 "* ]]; }

# Names of the tests of a directory that were asked for: test_names DIRECTORY SUFFIX [FIRST]
test_names()
{
	local file name

	for file in "$TOP/$1/"*"$2"; do
		name=$(basename "$file" "$2")
		[ -e "$file" ] || continue
		if [ "$name" = "${3:-}" ]; then
			printf '0 %s\n' "$name"
		elif [[ $name =~ ${DPEM_TESTS:-} ]]; then
			printf '1 %s\n' "$name"
		fi
	done | LC_ALL=C sort | cut -d ' ' -f 2
}

limited() { as_user timeout "${DPEM_SUITE_TIMEOUT:-1800}" "$@"; }

# Costs of the extension's functions are high, and for tables of tests compiling an expression takes longer than all the rest.
without_jit() { sed -i 's/^#*jit = on/jit = off/' "$STAGE/root$("$PG_CONFIG" --sharedir)/postgresql.conf.sample"; }

# ---- build and unit tests ----------------------------------------------------

run_build()
{
	heading build
	if build >"$STAGE/build.log" 2>&1 && install_extension >>"$STAGE/build.log" 2>&1 &&
		stage_saboteurs >>"$STAGE/build.log" 2>&1; then
		grep -E 'warning:' "$STAGE/build.log" || true
		return 0
	fi
	tail -n 60 "$STAGE/build.log"
	return 1
}

# run_programs DIRECTORY PREFIX BUILD MAKE-ARGUMENT...
run_programs()
{
	local directory=$1 prefix=$2 built=$TOP/build/$3/$1 log=$STAGE/programs.log programs counts name
	shift 3

	mapfile -t programs < <(test_names "$directory" .c | grep "^$prefix" || true)
	if [ "${#programs[@]}" -eq 0 ]; then
		say "  none"
		return
	fi
	locked_make -k -s "PG_CONFIG=$PG_CONFIG" "$@" >"$log" 2>&1 || fail "not every program could be built"
	cat "$log"
	for name in "${programs[@]}"; do
		[ ! -x "$built/$name" ] || printf '%s\n' "$built/$name"
	done | xargs -d '\n' "$TOP/scripts/unit.sh" >"$log" 2>&1 || true
	grep -vE '^[0-9]+ passed, [0-9]+ failed' "$log" || true
	read -r -a counts < <(count_results "$log")
	[ $((counts[0] + counts[1] + counts[2])) -gt 0 ] || fail "no program ran"
	add "${counts[@]}"
}

run_unit()
{
	heading "unit tests"
	run_programs test/unit test_ plain unit-programs
}

# a fixed number of inputs for each target; `make fuzz` for more
run_fuzz()
{
	heading "fuzz targets"
	run_programs test/fuzz fuzz_ sanitize SANITIZE=address,undefined fuzz-programs
}

# ---- side by side ------------------------------------------------------------

# What needs a server is a job: a function and its arguments, which prints and adds up.  Jobs run in
# subshells, as many as DPEM_JOBS; each prints when it is done.
JOBS=()

add_job() { JOBS+=("$*"); }

run_job()
{
	local out=$1
	shift

	passed=0 failed=0 skipped=0
	trap '[ -z "$CHILD" ] || kill -TERM -- "-$CHILD"; exit 143' TERM
	"$@" >"$out" 2>&1 || fail "$1 stopped" >>"$out"
	printf '%d %d %d\n' "$passed" "$failed" "$skipped" >"$out.counts"
	cat "$out"
}

run_jobs()
{
	local most=${DPEM_JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)} number=0 job words

	[ "${#JOBS[@]}" -eq 0 ] || heading "tests with servers, $most side by side"
	for job in ${JOBS[@]+"${JOBS[@]}"}; do
		while [ "$(jobs -rp | wc -l)" -ge "$most" ]; do
			wait -n || true
		done
		read -r -a words <<<"$job"
		run_job "$STAGE/job_$number" "${words[@]}" &
		number=$((number + 1))
	done
	wait
	while [ "$number" -gt 0 ]; do
		number=$((number - 1))
		read -r -a words <"$STAGE/job_$number.counts" || words=(0 1 0)
		add "${words[@]}"
	done
	stop_stage_processes
}

# ---- SQL and isolation tests -------------------------------------------------

write_temp_config()
{
	printf 'max_worker_processes = 16\nmax_prepared_transactions = 4\n' >"$STAGE/temp.conf"
	[ ! -f "$TOP/test/temp.conf" ] || cat "$TOP/test/temp.conf" >>"$STAGE/temp.conf"
}

# Counts the results of pg_regress, as version 15 or as later versions print them.
count_regress()
{
	awk '
		/^(test|     ) .* \.\.\. / { if (/ \.\.\. ok/) passed++; else failed++ }
		/^ok [0-9]/ { passed++ }
		/^not ok [0-9]/ { failed++ }
		END { print passed + 0, failed + 0 }' "$1"
}

show_failure()
{
	local out=$1

	head -n 400 "$out/regression.diffs" 2>/dev/null || true
	grep -hE 'PANIC|was terminated by signal|TRAP|runtime error:' "$out"/log/postmaster.log 2>/dev/null || true
	mkdir -p "$KEPT"
	cp -R "$out" "$KEPT/"
	rm -rf "${KEPT:?}/$(basename "$out")/instance"
}

# run_pg_regress NAME PROGRAM INPUTDIR DATABASE TEST...
run_pg_regress()
{
	local name=$1 program=$2 input=$3 database=$4 out=$STAGE/run/$1 log=$STAGE/$1.log p f
	shift 4

	as_user mkdir -p "$out"
	limited "$program" --temp-instance="$out/instance" --bindir="$PG_BIN" --inputdir="$input" \
		--outputdir="$out" --temp-config="$STAGE/temp.conf" --dbname="$database" \
		--no-locale --encoding=UTF8 "${REGRESS_EXTRA[@]}" "$@" >"$log" 2>&1 </dev/null || true
	read -r p f < <(count_regress "$log")
	if [ $((p + f)) -lt $# ]; then
		tail -n 20 "$log"
		tail -n 20 "$out/log/initdb.log" 2>/dev/null || true
		say "FAILED: $(($# - p - f)) of $# tests did not run"
		f=$(($# - p))
	else
		grep -E ' \.\.\. |^(not )?ok ' "$log" || true
	fi
	[ "$f" -eq 0 ] || show_failure "$out"
	add "$p" "$f" 0
}

# Lines in an order that a seed gives, but one of them first: no test may need another, but setup.
shuffled_after()
{
	awk -v first="$1" -v seed="$2" 'BEGIN { srand(seed) } { print ($0 == first ? -1 : rand()), $0 }' | LC_ALL=C sort -g | cut -d ' ' -f 2
}

regress_job()
{
	local tests seed=${DPEM_SEED:-$RANDOM}

	heading "SQL tests, DPEM_SEED=$seed"
	mapfile -t tests < <(test_names sql .sql setup | shuffled_after setup "$seed")
	REGRESS_EXTRA=()
	run_pg_regress regress "$STAGE/pgxs/test/regress/pg_regress" "$STAGE/tree" contrib_regression "${tests[@]}"
}

isolation_job()
{
	local tests

	heading "isolation tests"
	mapfile -t tests < <(test_names test/isolation/specs .spec)
	REGRESS_EXTRA=(--load-extension=dpem)
	run_pg_regress isolation "$STAGE/pgxs/test/isolation/pg_isolation_regress" \
		"$STAGE/tree/test/isolation" isolation_regression "${tests[@]}"
}

run_regress() { [ -z "$(test_names sql .sql setup)" ] || add_job regress_job; }
run_isolation() { [ -z "$(test_names test/isolation/specs .spec)" ] || add_job isolation_job; }

# ---- TAP tests ---------------------------------------------------------------

tap_job()
{
	local name=$1 log=$STAGE/tap_$1.log status=0 start=$SECONDS p f s

	RUN_DIR=$STAGE/tree/test limited env "TESTDIR=$STAGE/run/tap" "TESTDATADIR=$STAGE/run/tap/data_$name" \
		"TESTLOGDIR=$STAGE/run/tap/tmp_check/log" "PG_REGRESS=$STAGE/pgxs/test/regress/pg_regress" \
		prove -v -I "$STAGE/pgxs/test/perl" -I "$STAGE/tree/test/perl" "t/$name.pl" \
		>"$log" 2>&1 </dev/null || status=$?
	read -r p f s < <(count_results "$log")
	if [ "$f" -eq 0 ] && { [ "$status" -ne 0 ] || [ $((p + s)) -eq 0 ]; }; then
		f=1
	fi
	printf '  %-36s %d ok, %d not ok, %d skipped, %d s\n' "$name" "$p" "$f" "$s" $((SECONDS - start))
	grep -iE '^ok.*# *skip|^t/.* \.\. skipped: ' "$log" | sed 's/^/    /' || true
	[ -z "${DPEM_NOTES:-}" ] || sed -n 's/^# /    /p' "$log"
	if [ "$status" -eq 124 ]; then
		say "    stopped after ${DPEM_SUITE_TIMEOUT:-1800} s; the last it wrote:"
		tail -n 20 "$STAGE/run/tap/tmp_check/log/regress_log_$name" | sed 's/^/    /'
	fi
	if [ "$f" -ne 0 ]; then
		grep -vE '^ok ' "$log" | tail -n 80
		mkdir -p "$KEPT/tap"
		cp "$log" "$KEPT/tap/"
		cp "$STAGE"/run/tap/tmp_check/log/* "$KEPT/tap/" 2>/dev/null || true
	fi
	# clusters of all files at once would fill gigabytes
	rm -rf "$STAGE/run/tap/data_$name"
	add "$p" "$f" "$s"
}

# What takes longest, by the seconds that a run prints, begins first, so that no processor waits for it at the end.
LONGEST='046_ 018_ 032_ 061_ 050_ 052_ 044_ 026_ 023_ 029_ 020_ 057_ 053_ 016_'

longest_first()
{
	awk -v longest="$LONGEST" 'BEGIN { n = split(longest, name, " ") }
		{ rank = n + 1; for (i = n; i > 0; i--) if (index($0, name[i]) == 1) rank = i; print rank, $0 }' | sort -s -n | cut -d ' ' -f 2
}

run_tap()
{
	local name

	as_user mkdir -p "$STAGE/run/tap/tmp_check/log"
	for name in $(test_names test/t .pl | longest_first); do
		add_job tap_job "$name"
	done
}

# ------------------------------------------------------------------------------

main()
{
	local suite built=yes

	clean_up_at_exit
	"$TOP/scripts/deps.sh" 3>&- || exit 1
	rm -rf "$KEPT"
	prepare_stage
	without_jit
	run_build || {
		built=
		fail "the build"
	}
	try_initdb || fail "initdb"
	stage_harness
	stage_tree
	write_temp_config
	for suite in unit fuzz regress isolation tap; do
		if ! wanted "$suite"; then
			continue
		elif [ -n "$built" ] || [ "$suite" = unit ] || [ "$suite" = fuzz ]; then
			"run_$suite"
		else
			fail "the $suite tests could not run"
		fi
	done
	run_jobs
	done=yes
}

main
