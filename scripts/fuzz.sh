#!/usr/bin/env bash
# Runs fuzz targets that were built with libFuzzer: scripts/fuzz.sh DIRECTORY RUNS
#
# What they learn is kept in DIRECTORY/corpus; an input that fails is left in DIRECTORY/found.
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

export OPENBLAS_NUM_THREADS=1
directory=$1 runs=$2 failed=0

for program in "$directory"/fuzz_*; do
	if [ ! -x "$program" ] || [[ $program == *.* ]]; then
		continue
	fi
	name=${program##*/}
	mkdir -p "$directory/corpus/$name" "$directory/found"
	if "$program" -runs="$runs" -timeout=10 -max_len=2048 -artifact_prefix="$directory/found/$name-" \
		"$directory/corpus/$name" >"$program.log" 2>&1; then
		printf '  %-20s %s\n' "$name" "$(tail -n 1 "$program.log")"
	else
		printf '  %-20s FAILED\n' "$name"
		tail -n 40 "$program.log"
		failed=1
	fi
done
exit "$failed"
