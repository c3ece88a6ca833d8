# What the scripts share; sourced, never run.
# shellcheck shell=bash

set -euo pipefail
umask 022

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

say() { printf '%s\n' "$*"; }

die()
{
	printf 'dpem: %s\n' "$*" >&2
	exit 1
}

OLDEST_MAJOR=15

am_root() { [ "$(id -u)" -eq 0 ]; }

# Does this pg_config belong to a server with everything needed to build against it and run it?
pg_config_complete()
{
	local major pgxs bindir include

	major=$("$1" --version 2>/dev/null | sed 's/^PostgreSQL \([0-9]*\).*/\1/') || return 1
	[ "$major" -ge "$OLDEST_MAJOR" ] 2>/dev/null || return 1
	pgxs=$("$1" --pgxs 2>/dev/null) || return 1
	bindir=$("$1" --bindir) || return 1
	include=$("$1" --includedir-server) || return 1
	[ -f "$pgxs" ] && [ -x "$bindir/postgres" ] && [ -x "$bindir/initdb" ] && [ -f "$include/postgres.h" ]
}

# Prints the pg_config to use: $PG_CONFIG if set, else the first complete one.
find_pg_config()
{
	local candidate

	if [ -n "${PG_CONFIG:-}" ]; then
		pg_config_complete "$PG_CONFIG" || return 1
		command -v "$PG_CONFIG"
		return
	fi
	for candidate in "$(command -v pg_config || true)" \
		$(printf '%s\n' /usr/lib/postgresql/*/bin/pg_config /usr/pgsql-*/bin/pg_config | sort -Vr); do
		if [ -n "$candidate" ] && pg_config_complete "$candidate"; then
			printf '%s\n' "$candidate"
			return
		fi
	done
	return 1
}

# make in SOURCE (default: this checkout), as if typed by hand: a calling make's job server and flags
# are not inherited.
plain_make()
{
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make --no-print-directory -C "${SOURCE:-$TOP}" \
		-j "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)" "$@"
}

# Reads the output of a test program, TAP or lines `N passed, N failed[, N skipped]`, and prints
# three numbers: passed, failed, skipped.
count_results()
{
	awk '
		/^[0-9]+ passed, [0-9]+ failed/ { passed += $1; failed += $3; if ($6 == "skipped") skipped += $5 }
		/^1\.\.0 *# *[Ss][Kk][Ii][Pp]|^t\/.* \.\. skipped: / { tap = 1; tap_skipped++ }
		/^(not )?ok (-|[0-9])/ {
			tap = 1
			if (/# *[Ss][Kk][Ii][Pp]/) tap_skipped++
			else if (/^ok/ || /# *[Tt][Oo][Dd][Oo]/) tap_passed++
			else tap_failed++
		}
		END {
			if (tap) print tap_passed + 0, tap_failed + 0, tap_skipped + 0
			else print passed + 0, failed + 0, skipped + 0
		}' "$1"
}

# summary PASSED FAILED SKIPPED
summary()
{
	local line="$1 passed, $2 failed"

	[ "$3" -eq 0 ] || line+=", $3 skipped"
	say "$line"
}
