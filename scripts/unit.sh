#!/usr/bin/env bash
# Runs unit test programs and adds up what they report: scripts/unit.sh PROGRAM...
#
# A program prints TAP (`ok 1 - name`, `not ok 2 - name`, `ok 3 # skip why`) or ends with a line
# `N passed, N failed[, N skipped]`, and exits non-zero if a test failed.  It runs in the top
# directory of the checkout.
#
# DPEM_TESTS   only the programs whose name matches this regular expression
# DPEM_JOBS    how many run side by side (default: one a processor)
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

export OPENBLAS_NUM_THREADS=1

MOST=${DPEM_JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}
passed=0 failed=0 skipped=0
ran=()

# Prints what a program reports; its counts go to PROGRAM.counts.
run_program()
{
	local program=$1 log=$1.log status=0 p f s

	(cd "$TOP" && exec "$program") >"$log" 2>&1 </dev/null || status=$?
	read -r p f s < <(count_results "$log")
	if [ "$f" -eq 0 ] && { [ "$status" -ne 0 ] || [ $((p + s)) -eq 0 ]; }; then
		f=1
		printf 'exit status %d after %d tests\n' "$status" "$p" >>"$log"
	fi
	printf '  %-36s %d ok' "${program##*/}" "$p"
	[ "$f" -eq 0 ] || printf ', %d not ok' "$f"
	[ "$s" -eq 0 ] || printf ', %d skipped' "$s"
	printf '\n'
	if [ "$f" -ne 0 ]; then
		grep -Ev '^ok |^[0-9]+ passed, ' "$log" | tail -n 60
	else
		grep -iE '^skip|^ok.*# *skip' "$log" | sed 's/^/    /' || true
	fi
	printf '%d %d %d\n' "$p" "$f" "$s" >"$program.counts"
}

# Reports of programs that run side by side do not mix.
report_program()
{
	local report

	report=$(run_program "$1")
	printf '%s\n' "$report"
}

for program in "$@"; do
	if [[ ${program##*/} =~ ${DPEM_TESTS:-} ]]; then
		program=$(cd "$(dirname "$program")" && pwd)/${program##*/}
		rm -f "$program.counts"
		ran+=("$program")
	fi
done
export TOP
export -f count_results run_program report_program
[ "${#ran[@]}" -eq 0 ] ||
	printf '%s\0' "${ran[@]}" | xargs -0 -n 1 -P "$MOST" bash -c 'set -euo pipefail; report_program "$1"' report || true
for program in ${ran[@]+"${ran[@]}"}; do
	read -r p f s <"$program.counts" || { p=0 f=1 s=0; }
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
summary "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ]
