#!/usr/bin/env bash
# What is given away, made of the last commit into build/package.
#
#   scripts/package.sh zip     dpem-VERSION.zip, as PGXN takes it
#   scripts/package.sh deb     Debian packages, for every server version with development files here
#                              that the machine's postgresql-common supports
#   scripts/package.sh try     installs the Debian packages in a fresh system (mmdebstrap, a chroot) and fits a model
#
# DEB_BUILD_OPTIONS=nocheck   leave the package's tests out
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

OUT=$TOP/build/package
VERSION=$(sed -n "s/^default_version *= *'\([^']*\)'.*/\1/p" "$TOP/dpem.control")

# archive FORMAT FILE
archive()
{
	git -C "$TOP" rev-parse --verify -q HEAD >/dev/null || die "packages are made of a git checkout"
	git -C "$TOP" diff --quiet HEAD || say "changes that are not committed stay out"
	mkdir -p "$OUT"
	git -C "$TOP" archive --format="$1" --prefix="dpem-$VERSION/" -o "$2" HEAD
}

make_zip()
{
	archive zip "$OUT/dpem-$VERSION.zip"
	say "$OUT/dpem-$VERSION.zip"
}

make_deb()
{
	local missing

	rm -rf "${OUT:?}/deb"
	mkdir -p "$OUT/deb"
	archive tar.gz "$OUT/deb/dpem_$VERSION.orig.tar.gz"
	tar -C "$OUT/deb" -xf "$OUT/deb/dpem_$VERSION.orig.tar.gz"
	cd "$OUT/deb/dpem-$VERSION"
	command -v dpkg-buildpackage >/dev/null || die "what it takes, as root: apt-get build-dep $TOP"
	missing=$(dpkg-checkbuilddeps 2>&1) || die "$missing; as root: apt-get build-dep $TOP"
	dpkg-buildpackage -us -uc
	! command -v lintian >/dev/null || lintian --fail-on error ../*.changes
	ls ../*.deb
}

# A new user's first minute, inside the fresh system.
first_model()
{
	cat <<-'SH'
		set -e
		apt-get install -y -qq --no-install-recommends /tmp/*.deb >/tmp/install.log 2>&1 || { cat /tmp/install.log; exit 1; }
		cluster=$(pg_lsclusters -h | awk '{ print $1, $2; exit }')
		trap 'pg_ctlcluster $cluster stop' EXIT
		pg_ctlcluster $cluster start
		su -s /bin/sh postgres -c 'psql -v ON_ERROR_STOP=1 -qX' <<-'SQL'
			CREATE EXTENSION dpem;
			CREATE TABLE people AS SELECT 20 + 60 * random() AS age, 1.5 + random() / 2 AS height FROM generate_series(1, 10000);
			SELECT dp_register_dataset('people', 'people', 4, 1e-5) AS registered;
			SELECT dp_register_column('people', 'age', 0, 120), dp_register_column('people', 'height', 0, 2.5);
			CREATE ROLE ana;
			SELECT dp_grant_budget('ana', 'people', 2, 1e-5);
			SET ROLE ana;
			SELECT component, weight, mean FROM dp_gmm_fit('people', 2, 1);
			SELECT extversion FROM pg_extension WHERE extname = 'dpem';
		SQL
	SH
}

# Installs each package in a system made of the distribution's packages alone, and fits a model there.
try_deb()
{
	local package script suite

	am_root || die "a chroot is for root"
	command -v mmdebstrap >/dev/null || die "as root: apt-get install mmdebstrap"
	# shellcheck source=/dev/null
	suite=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
	script=$(mktemp)
	# shellcheck disable=SC2064
	trap "rm -f '$script'" EXIT
	first_model >"$script"
	for package in "$OUT"/deb/postgresql-[0-9]*-dpem_*.deb; do
		[ -f "$package" ] || die "no package in $OUT/deb: scripts/package.sh deb"
		mmdebstrap --quiet --variant=apt --format=null --customize-hook="upload '$package' '/tmp/$(basename "$package")'" \
			--customize-hook="upload '$script' /tmp/first_model.sh" \
			--customize-hook='chroot "$1" sh /tmp/first_model.sh' "$suite" /dev/null
		say "$(basename "$package") installed, and a model fitted, in a fresh $suite"
	done
}

case ${1:-} in
	zip) make_zip ;;
	deb) make_deb ;;
	try) try_deb ;;
	*) sed -n 's/^# \{0,1\}//; 2,9p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
