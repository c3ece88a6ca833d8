#!/usr/bin/env bash
# Makes sure that what building and testing need is installed.
#
# All present: says nothing, asks no network.  Something missing: installs it (root, apt) or names
# the packages in one line and fails.  No database cluster is created or started.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

DEFAULT_MAJOR=15

has() { command -v "$1" >/dev/null 2>&1; }

has_blas()
{
	printf '#include <cblas.h>\n#include <lapacke.h>\nint main(void) { return 0; }\n' |
		cc -x c - -o /dev/null -llapacke -lopenblas 2>/dev/null
}

# The newest installed server's major version, of those that are new enough.
installed_major()
{
	local bin major best=

	for bin in /usr/lib/postgresql/*/bin/postgres; do
		major=${bin#/usr/lib/postgresql/}
		major=${major%%/*}
		if [ -x "$bin" ] && [ "$major" -ge "$OLDEST_MAJOR" ] 2>/dev/null; then
			best=$(printf '%s\n' "$best" "$major" | sort -n | tail -n 1)
		fi
	done
	printf '%s' "$best"
}

# The major version to install: the installed server's, else 15 if it is on offer, else the default.
wanted_major()
{
	local major

	major=$(installed_major)
	if [ -z "$major" ] && has apt-cache && ! apt-cache show "postgresql-$DEFAULT_MAJOR" >/dev/null 2>&1; then
		major=$(apt-cache depends postgresql 2>/dev/null | sed -n 's/.*Depends: postgresql-\([0-9]*\)$/\1/p' | head -n 1)
	fi
	printf '%s' "${major:-$DEFAULT_MAJOR}"
}

missing_packages()
{
	local major

	has make || echo make
	has cc || echo gcc libc6-dev
	has gzip || echo gzip
	has setpriv || has runuser || echo util-linux
	has prove && perl -MTest::More -MTime::HiRes -e 1 2>/dev/null || echo perl
	perl -MIPC::Run -e 1 2>/dev/null || echo libipc-run-perl
	has_blas || echo libopenblas-dev liblapacke-dev
	if ! find_pg_config >/dev/null; then
		major=$(wanted_major)
		echo "postgresql-$major" "postgresql-server-dev-$major"
	fi
}

# Installing a server package would create and start a cluster: switched off while we install.
CLUSTER_CONF=/etc/postgresql-common/createcluster.conf

without_main_cluster()
{
	local saved status=0

	saved=$(mktemp)
	cp -p "$CLUSTER_CONF" "$saved"
	sed -i '/^[[:space:]]*create_main_cluster[[:space:]]*=/d' "$CLUSTER_CONF"
	printf 'create_main_cluster = false\n' >>"$CLUSTER_CONF"
	"$@" || status=$?
	cat "$saved" >"$CLUSTER_CONF"
	rm -f "$saved"
	return "$status"
}

apt_get()
{
	DEBIAN_FRONTEND=noninteractive apt-get -y -q --no-install-recommends \
		-o Dpkg::Options::=--force-confold -o DPkg::Lock::Timeout=300 "$@" </dev/null
}

install_packages()
{
	case " $*" in
		*' postgresql-'*)
			apt_get install postgresql-common || return
			without_main_cluster apt_get install "$@"
			;;
		*)
			apt_get install "$@"
			;;
	esac
}

quietly()
{
	local log

	log=$(mktemp)
	if ! "$@" >"$log" 2>&1; then
		tail -n 40 "$log" >&2
		rm -f "$log"
		return 1
	fi
	rm -f "$log"
}

main()
{
	local packages

	packages=$(missing_packages | xargs)
	[ -n "$packages" ] || return 0
	if [ -n "${PG_CONFIG:-}" ] && ! find_pg_config >/dev/null; then
		die "PG_CONFIG=$PG_CONFIG is not the pg_config of a server with its development files"
	fi
	has apt-get || die "missing, under whatever name this system gives them: $packages"
	am_root || die "missing packages; as root: apt-get install $packages"
	say "installing $packages"
	quietly apt_get update || die "apt-get update failed; needed: $packages"
	# the index may have brought another default version
	packages=$(missing_packages | xargs)
	# shellcheck disable=SC2086
	quietly install_packages $packages || die "could not install $packages"
	packages=$(missing_packages | xargs)
	[ -z "$packages" ] || die "still missing after installation: $packages"
}

main
