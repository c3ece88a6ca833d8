#!/usr/bin/env bash
# Tests in a server that was built with assertions: its checks of memory contexts, locks, snapshots and lists are then on.
# No distribution has such a package, so one is built from the distribution's source, once, in build/assert.
#
# PG_CONFIG_ASSERT   pg_config of such a server, if there is one
# DPEM_ASSERT_CI=1   without source, or the means to get and build it, say so and go on
# DPEM_SUITES, DPEM_TESTS   as for check.sh
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

MAJOR=15
AREA=$TOP/build/assert
BUILT=$AREA/server/bin/pg_config

# apt with package lists, cache and sources of its own: nothing of the system's is changed
private_apt()
{
	apt-get -q -y -o "Dir::Etc::sourcelist=$AREA/source.sources" -o Dir::Etc::sourceparts=/dev/null \
		-o "Dir::State::lists=$AREA/lists" -o "Dir::Cache=$AREA/cache" -o APT::Sandbox::User=root "$@" </dev/null
}

# The distribution's newest source, or where its mirror has none the one before.
get_source()
{
	local codename suite

	# shellcheck disable=SC1091
	codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
	[ -n "$codename" ] && command -v apt-get >/dev/null && am_root || return 1
	mkdir -p "$AREA/lists/partial" "$AREA/cache/archives/partial"
	for suite in "debian-security $codename-security" "debian $codename"; do
		printf 'Types: deb-src\nURIs: http://deb.debian.org/%s\nSuites: %s\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n' \
			"${suite% *}" "${suite#* }" >"$AREA/source.sources"
		if private_apt update && (cd "$AREA" && private_apt --download-only source "postgresql-$MAJOR"); then
			tar -C "$AREA" -xf "$AREA"/postgresql-"$MAJOR"_*.orig.tar.*
			return
		fi
	done
	return 1
}

build_server()
{
	local source

	source=$(printf '%s\n' "$AREA"/postgresql-"$MAJOR".*/configure | head -n 1)
	mkdir -p "$AREA/objects" && cd "$AREA/objects" &&
		"$source" "--prefix=$AREA/server" --enable-cassert --without-readline --without-zlib --enable-tap-tests CFLAGS='-O1 -g' &&
		plain_make_here -s && plain_make_here -s install && plain_make_here -s -C contrib/postgres_fdw install
}

plain_make_here() { SOURCE=$AREA/objects plain_make "$@"; }

make_server()
{
	local log=$AREA/log

	mkdir -p "$AREA"
	say "building PostgreSQL $MAJOR with assertions in build/assert"
	if ! get_source >"$log" 2>&1; then
		[ -n "${DPEM_ASSERT_CI:-}" ] || die "no source of PostgreSQL $MAJOR by apt (see $log): give PG_CONFIG_ASSERT"
		say "not run: no source of PostgreSQL $MAJOR by apt, and no PG_CONFIG_ASSERT"
		exit 0
	fi
	if ! (build_server) >>"$log" 2>&1; then
		[ -n "${DPEM_ASSERT_CI:-}" ] || die "PostgreSQL could not be built: $log"
		tail -n 20 "$log"
		say "not run: PostgreSQL $MAJOR could not be built with assertions here"
		exit 0
	fi
}

main()
{
	local config=${PG_CONFIG_ASSERT:-$BUILT}

	[ -n "${PG_CONFIG_ASSERT:-}" ] || [ -x "$BUILT" ] || make_server
	"$config" --configure | grep -q -e --enable-cassert || die "$config is no server with assertions"
	DPEM_COPY=1 PG_CONFIG=$config DPEM_SUITES="${DPEM_SUITES:-regress isolation}" "$TOP/scripts/check.sh"
}

main
