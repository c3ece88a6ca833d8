#!/usr/bin/env bash
# Throw-away servers with this tree's dpem installed, nothing of which stays behind.
#
#   scripts/cluster.sh psql [ARGS]     psql in a fresh server
#   scripts/cluster.sh run COMMAND     any command, with PATH and PGHOST set; kept answers are not given
#   scripts/cluster.sh start           leave one running; prints what to eval and how to stop it
#   scripts/cluster.sh stop DIR        stop it and remove everything
#
# Sourced, it gives the functions that check.sh and demo.sh are made of.
#
# PostgreSQL finds its own files relative to its executable.  So a private tree with a copy of the
# executables and links to everything else is a server of its own, into which `make install
# DESTDIR=` puts the extension: the system's installation is never written to.  Servers run as an
# unprivileged user, listen on a private socket only, and see nothing of this checkout: what tests
# read is copied beside the servers.
#
#   STAGE/root/...   the private PostgreSQL     STAGE/tree   a copy of this checkout
#   STAGE/run        clusters, sockets, logs    STAGE/data   ../shared/data, if there is one
#
# DPEM_TEST_USER   who runs the servers when root calls (default: postgres, else nobody)
# DPEM_SANITIZE    build the extension with gcc's sanitizers that need no preloaded library: undefined
# DPEM_COPY=1      build the extension in a copy of this checkout, as for a server that its objects are not made for
# DPEM_OVERLAY     where `make install DESTDIR=` put other extensions that the servers shall have, too
# DPEM_KEEP=1      leave STAGE for inspection; the servers are stopped all the same
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

STAGE=
CHILD=
SOURCE=

# The executables that tests use; a bin directory may hold thousands of others.
PG_PROGRAMS='postgres initdb pg_ctl psql pg_config pg_dump pg_dumpall pg_restore pg_isready
	pg_basebackup pg_controldata pg_resetwal pg_rewind pg_waldump pg_receivewal pg_recvlogical
	pg_checksums pg_verifybackup pg_combinebackup pg_createsubscriber pg_walsummary pg_amcheck
	pg_upgrade pg_archivecleanup pgbench createdb dropdb createuser dropuser vacuumdb reindexdb
	clusterdb'

# ---- the unprivileged user ---------------------------------------------------

test_user()
{
	if [ -n "${DPEM_TEST_USER:-}" ]; then
		printf '%s' "$DPEM_TEST_USER"
	elif id postgres >/dev/null 2>&1; then
		printf 'postgres'
	else
		printf 'nobody'
	fi
}

# Fills AS_USER, the prefix that runs a command as the unprivileged user.
choose_user()
{
	local user

	AS_USER=()
	am_root || return 0
	user=$(test_user)
	id "$user" >/dev/null 2>&1 || die "there is no user '$user' to run a server as (DPEM_TEST_USER)"
	if command -v setpriv >/dev/null; then
		AS_USER=(setpriv "--reuid=$(id -u "$user")" "--regid=$(id -g "$user")" --init-groups)
	else
		AS_USER=(runuser -u "$user")
	fi
	AS_USER+=(env "USER=$user" "LOGNAME=$user")
}

# Runs a command as the unprivileged user, in RUN_DIR (default STAGE/run), in a session of its own;
# waits for it in a way that lets a signal through to this script.
as_user()
{
	local status=0

	(cd "${RUN_DIR:-$STAGE/run}" && exec setsid "${AS_USER[@]}" env HOME="$STAGE/run" TMPDIR="$STAGE/tmp" \
		PATH="$PG_BIN:$PATH" "$@" 3>&-) <&0 &
	CHILD=$!
	wait "$CHILD" || status=$?
	CHILD=
	return "$status"
}

# ---- the private tree --------------------------------------------------------

# Megabytes that are left for the unprivileged user, from whom a file system may keep what it gives to root.
room_in() { df -Pm "$1" 2>/dev/null | awk 'NR == 2 { print $4; seen = 1 } END { if (!seen) print 0 }'; }

# What the clusters of a run of all tests fill at most, with as much again to spare.
STAGE_ROOM=4096

# stage_in DIRECTORY: sets STAGE, if the user can run a program there
stage_in()
{
	STAGE=$(mktemp -d "$1/dpem.XXXXXX" 2>/dev/null) || return 1
	chmod 755 "$STAGE"
	mkdir -m 755 "$STAGE/run" "$STAGE/tmp"
	printf '#!/bin/sh\n' >"$STAGE/run/probe"
	chmod 755 "$STAGE/run/probe"
	! am_root || chown "$(test_user)" "$STAGE/run" "$STAGE/tmp"
	! PG_BIN=/bin as_user "$STAGE/run/probe" 2>/dev/null || return 0
	rm -rf "$STAGE"
	STAGE=
	return 1
}

# A directory with a short name (socket paths are limited to 107 bytes) that allows execution: the first with room for all
# tests, or that with most.
make_stage()
{
	local bases=(/tmp "${TMPDIR:-/var/tmp}" /var/tmp /dev/shm) base place

	for base in "${bases[@]}"; do
		[ "$(room_in "$base")" -lt "$STAGE_ROOM" ] || ! stage_in "$base" || return 0
	done
	for base in $(for place in "${bases[@]}"; do printf "%s %s\n" "$(room_in "$place")" "$place"; done | sort -rn | cut -d ' ' -f 2); do
		! stage_in "$base" || return 0
	done
	die "neither /tmp, TMPDIR, /var/tmp nor /dev/shm lets $(test_user) run a program"
}

# Every server begins with initdb: what hinders it is said before tests fail without a reason.
try_initdb()
{
	local tried=$STAGE/run/tried

	if as_user initdb -D "$tried" -U postgres -A trust -N >"$STAGE/initdb.log" 2>&1 </dev/null; then
		rm -rf "$tried"
		return 0
	fi
	tail -n 20 "$STAGE/initdb.log"
	say "initdb does not work for $(test_user) in $STAGE, where $(room_in "$STAGE") MB are left"
	return 1
}

# Links to (or, if the user cannot read through a link, copies of) the files in a directory.
mirror()
{
	local from=$1 to=$2

	mkdir -p "$to"
	if as_user test -r "$from/." -a -x "$from/."; then
		find "$from" -mindepth 1 -maxdepth 1 ! -name extension -exec ln -s -t "$to" {} +
	else
		cp -RL "$from/." "$to"
	fi
}

stage_postgres()
{
	local root=$STAGE/root bindir sharedir pkglibdir headers program

	bindir=$("$PG_CONFIG" --bindir)
	sharedir=$("$PG_CONFIG" --sharedir)
	pkglibdir=$("$PG_CONFIG" --pkglibdir)
	PG_BIN=$root$bindir
	PG_LIB=$root$pkglibdir
	PGXS_SRC=$(dirname "$("$PG_CONFIG" --pgxs)")/..
	headers=$("$PG_CONFIG" --pkgincludedir)
	mkdir -p "$PG_BIN" "$(dirname "$root$headers")"
	ln -s "$headers" "$root$headers"
	for program in $PG_PROGRAMS; do
		[ ! -x "$bindir/$program" ] || cp -L "$bindir/$program" "$PG_BIN/"
	done
	mirror "$pkglibdir" "$PG_LIB"
	mirror "$sharedir" "$root$sharedir"
	mirror "$sharedir/extension" "$root$sharedir/extension"
	# another version of this extension, installed on the machine, must not be found
	rm -f "$PG_LIB"/dpem.so "$PG_LIB"/dpem_blas.so "$root$sharedir"/extension/dpem.control "$root$sharedir"/extension/dpem--*.sql
	stage_overlay "$root"
	export DPEM_ROOT=$root
}

# Files in place of links, which would lead into the system's directories.
stage_overlay()
{
	local root=$1 directory

	[ -n "${DPEM_OVERLAY:-}" ] || return 0
	for directory in "$("$PG_CONFIG" --pkglibdir)" "$("$PG_CONFIG" --sharedir)/extension"; do
		[ -d "$DPEM_OVERLAY$directory" ] || die "DPEM_OVERLAY has no $directory"
		find "$DPEM_OVERLAY$directory" -maxdepth 1 -type f -exec cp --remove-destination -t "$root$directory" {} +
	done
}

# pg_regress, its isolation twin and the Perl modules, where the user can read them.
stage_harness()
{
	mkdir -p "$STAGE/pgxs"
	cp -RL "$PGXS_SRC/test" "$STAGE/pgxs/"
}

stage_tree()
{
	local shared

	mkdir -p "$STAGE/tree" "$STAGE/data" "$STAGE/golden"
	# 1: a file changed while it was read
	{ tar -C "$TOP" --exclude=./.git --exclude=./build --exclude='*.o' -cf - . 2>/dev/null || [ $? -eq 1 ]; } |
		tar -C "$STAGE/tree" -xf -
	for shared in data golden; do
		[ ! -d "$TOP/../shared/$shared" ] || cp -R "$TOP/../shared/$shared/." "$STAGE/$shared/"
	done
	! am_root || chown -R "$(test_user)" "$STAGE/tree"
	chmod -R u+w,a+rX "$STAGE/tree" "$STAGE/data" "$STAGE/golden"
	export DPEM_DATA=${DPEM_DATA:-$STAGE/data}
}

# One build at a time in one checkout.
locked_make()
{
	mkdir -p "$TOP/build"
	(
		! command -v flock >/dev/null || flock 9
		plain_make "$@"
	) 9>"$TOP/build/.lock"
}

# A build that is not for the checkout's objects is one of a copy.  What needs its library before everything else (address) does
# not go with a server that is not sanitized itself.
prepare_copy()
{
	[ -n "${DPEM_SANITIZE:-}${DPEM_COPY:-}" ] || return 0
	SOURCE=$STAGE/source
	mkdir "$SOURCE"
	{ tar -C "$TOP" --exclude=./.git --exclude=./build --exclude='*.o' --exclude='*.so' -cf - . || [ $? -eq 1 ]; } |
		tar -C "$SOURCE" -xf -
	[ -n "${DPEM_SANITIZE:-}" ] || return 0
	export COPT="-fsanitize=$DPEM_SANITIZE -fno-sanitize-recover=all -fno-omit-frame-pointer"
	export UBSAN_OPTIONS=print_stacktrace=1:abort_on_error=1
}

build() { locked_make "PG_CONFIG=$PG_CONFIG" all; }

install_extension() { locked_make "PG_CONFIG=$PG_CONFIG" "DESTDIR=$STAGE/root" install; }

# Libraries that are wrong on purpose (test/audit) where tests find them; never installed.
stage_saboteurs()
{
	locked_make "PG_CONFIG=$PG_CONFIG" saboteurs
	cp -R "$TOP/build/audit" "$STAGE/saboteurs"
	chmod -R a+rX "$STAGE/saboteurs"
	export DPEM_SABOTEURS=$STAGE/saboteurs
}

# logged NAME COMMAND...: silent unless it fails.
logged()
{
	local log=$STAGE/$1.log

	shift
	"$@" >"$log" 2>&1 || {
		tail -n 60 "$log" >&2
		die "failed: $*"
	}
}

# Sets PG_CONFIG and makes a stage with a private PostgreSQL, still without the extension.
prepare_stage()
{
	PG_CONFIG=$(find_pg_config) || die "no PostgreSQL $OLDEST_MAJOR or later with its development files: scripts/deps.sh"
	choose_user
	clean_up_at_exit
	make_stage
	stage_postgres
	prepare_copy
}

# ---- clusters ----------------------------------------------------------------

# cluster_start NAME: sets PGHOST, PGPORT, PGUSER and PGDATABASE for it.
cluster_start()
{
	local dir=$STAGE/run/$1

	as_user mkdir -p -m 700 "$dir"
	as_user initdb -D "$dir/data" -U postgres -A trust -E UTF8 --locale=C -N >/dev/null
	as_user tee -a "$dir/data/postgresql.conf" >/dev/null <<-CONF
		listen_addresses = ''
		unix_socket_directories = '$STAGE/tmp'
		unix_socket_permissions = 0777
		fsync = on
		max_worker_processes = 16
		log_min_messages = warning
	CONF
	if ! as_user pg_ctl -D "$dir/data" -l "$dir/log" -w -t 60 start >"$STAGE/start.log" 2>&1 </dev/null; then
		cat "$STAGE/start.log" "$dir/log" >&2 || true
		die "the server did not start"
	fi
	export PGHOST=$STAGE/tmp PGPORT=5432 PGUSER=postgres PGDATABASE=postgres
	unset PGSERVICE PGHOSTADDR PGOPTIONS PGPASSFILE PGDATESTYLE PGTZ PGCLIENTENCODING
}

cluster_stop() { as_user pg_ctl -D "$STAGE/run/$1/data" -m fast -w stop >/dev/null; }

# ---- leaving nothing behind --------------------------------------------------

# Ids of the processes whose executable lies in the stage: servers that a test left, and only those.
stage_processes()
{
	local exe pid

	for exe in /proc/[0-9]*/exe; do
		pid=${exe#/proc/}
		case $(readlink "$exe" 2>/dev/null || true) in
			"$STAGE"/*) printf '%s\n' "${pid%/exe}" ;;
		esac
	done
	sed -n 1p "$STAGE"/run/*/data/postmaster.pid 2>/dev/null || true
}

stop_stage_processes()
{
	local signal pids attempt

	for signal in QUIT KILL; do
		for attempt in 1 2 3 4 5 6 7 8 9 10; do
			pids=$(stage_processes)
			[ -n "$pids" ] || return 0
			# shellcheck disable=SC2086
			[ "$attempt" -gt 1 ] || kill -s "$signal" $pids 2>/dev/null || true
			sleep 0.2
		done
	done
}

clean_up()
{
	local status=$?

	trap - EXIT
	trap '' HUP INT TERM
	exec >&3
	[ -z "$CHILD" ] || kill -TERM -- "-$CHILD" 2>/dev/null || true
	jobs -rp | xargs -r kill -TERM 2>/dev/null || true
	if [ -n "$STAGE" ] && [ -d "$STAGE" ]; then
		stop_stage_processes
		if [ -n "${DPEM_KEEP:-}" ]; then
			say "kept $STAGE" >&2
		else
			rm -rf "$STAGE"
		fi
	fi
	if declare -F at_exit >/dev/null; then
		at_exit "$status" || status=1
	fi
	exit "$status"
}

clean_up_at_exit()
{
	# a signal may find the output redirected to a command's log
	exec 3>&1
	trap clean_up EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
}

# ---- as a command ------------------------------------------------------------

fresh_cluster()
{
	"$TOP/scripts/deps.sh"
	prepare_stage
	logged build build
	logged install install_extension
	export DPEM_DATA=${DPEM_DATA:-$TOP/../shared/data}
	cluster_start main
}

command_start()
{
	fresh_cluster
	trap - EXIT
	say "export PATH=$PG_BIN:\$PATH PGHOST=$PGHOST PGPORT=$PGPORT PGUSER=$PGUSER PGDATABASE=$PGDATABASE"
	say "# to stop it: scripts/cluster.sh stop $STAGE"
}

command_stop()
{
	STAGE=$1
	case $STAGE in
		*/dpem.??????) [ -d "$STAGE/run" ] || die "no cluster in $STAGE" ;;
		*) die "not a directory made by 'start': $STAGE" ;;
	esac
	exec 3>&1
	clean_up
}

main()
{
	local command=${1:-}

	[ $# -eq 0 ] || shift
	case $command in
		psql)
			fresh_cluster
			"$PG_BIN/psql" "$@"
			;;
		run)
			fresh_cluster
			# what a benchmark asks for twice is released twice
			PGOPTIONS='-c dpem.fresh=on' PATH="$PG_BIN:$PATH" "$@"
			;;
		start) command_start ;;
		stop) command_stop "${1:?which directory?}" ;;
		*) sed -n 's/^# \{0,1\}//; 2,7p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
	esac
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
	main "$@"
fi
