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
	command -v dpkg-buildpackage >/dev/null || die "as root: apt-get install dpkg-dev"
	missing=$(dpkg-checkbuilddeps 2>&1) || die "$missing; as root: apt-get build-dep $TOP"
	dpkg-buildpackage -us -uc
	! command -v lintian >/dev/null || lintian --fail-on error ../*.changes
	ls ../*.deb
}

# In a system made of nothing but the packages' dependencies.
try_deb()
{
	local package root=$OUT/root suite

	am_root || die "a chroot is for root"
	command -v mmdebstrap >/dev/null || die "as root: apt-get install mmdebstrap"
	suite=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
	rm -rf "$root"
	for package in "$OUT"/deb/postgresql-[0-9]*-dpem_*.deb; do
		[ -f "$package" ] || die "no package in $OUT/deb: scripts/package.sh deb"
		mmdebstrap --quiet --mode=chrootless --variant=apt "$suite" "$root"
		printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
		chmod 755 "$root/usr/sbin/policy-rc.d"
		cp "$package" "$root/tmp/"
	done
}

case ${1:-} in
	zip) make_zip ;;
	deb) make_deb ;;
	try) try_deb ;;
	*) sed -n 's/^# \{0,1\}//; 2,9p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
