#!/usr/bin/env bash
# Prints the project's type names, one per line: scripts/typedefs.sh FILE...
set -euo pipefail

cat -- "$@" |
	sed -n \
		-e 's/^} *\(Dpem[A-Za-z0-9]*\).*;.*/\1/p' \
		-e 's/^typedef .*(\*\(Dpem[A-Za-z0-9]*\)) *(.*/\1/p' \
		-e 's/^typedef [^(]*[ *]\(Dpem[A-Za-z0-9]*\) *;.*/\1/p' \
		-e 's/^typedef [^(]*[ *]\(Dpem[A-Za-z0-9]*\) *__attribute__.*/\1/p' |
	LC_ALL=C sort -u
