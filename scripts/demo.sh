#!/usr/bin/env bash
# The whole story, told on generated patients or on a CSV file, in a throw-away server.
#
#   CSV        a .csv or .csv.gz file whose header names the columns; an empty field is NULL.  A
#              relative name is relative to the caller's directory.
#   K          components to fit (default 3)
#   EPSILON    what the fit may spend (default 1); the analyst gets twice, the dataset has four times
#   COLUMNS    a,b,...: which columns (default: every numeric column that has bounds); as
#              DEMO_COLUMNS if this script is called without make
#   BOUNDS     a=lower:upper,b=lower:upper,...: what is publicly known of the columns' ranges.
#              Without it, scripts/domains/<name of the file>.bounds is read, if there is one.
# shellcheck source=cluster.sh
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"

DEMO=$TOP/scripts/demo
CALLER=$PWD

# From the directory where make was called, or else make's own (make -C).
absolute_path()
{
	local from

	case $1 in
		/*) printf '%s' "$1" ;;
		*)
			for from in "${CALLER_DIR:-$CALLER}" "$CALLER"; do
				[ ! -f "$from/$1" ] || break
			done
			printf '%s' "$from/$1"
			;;
	esac
}

check_arguments()
{
	local file

	K=${K:-3}
	EPSILON=${EPSILON:-1}
	[[ $K =~ ^[1-9][0-9]{0,3}$ ]] || die "K must be a whole number from 1, not '$K'"
	[[ $EPSILON =~ ^[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?$ && $EPSILON =~ [1-9] ]] ||
		die "EPSILON must be a number above 0, not '$EPSILON'"
	if [ -z "${CSV:-}" ] && [ -n "${DEMO_COLUMNS:-}${BOUNDS:-}" ]; then
		die "COLUMNS and BOUNDS are about a file: say CSV=FILE as well"
	fi
	if [ -n "${CSV:-}" ]; then
		file=$(absolute_path "$CSV")
		[[ -f $file && -r $file ]] || die "there is no file $CSV to read"
	fi
}

# plan NAME: a value that csv.pl wrote down.
plan() { sed -n "s/^$1=//p" "$STAGE/demo/vars"; }

plan_csv()
{
	local file

	file=$(absolute_path "$CSV")
	mkdir -p "$STAGE/demo"
	K=$K DEMO_COLUMNS=${DEMO_COLUMNS:-} BOUNDS=${BOUNDS:-} CSV=$CSV \
		perl "$DEMO/csv.pl" "$file" "$STAGE/demo" "$TOP/scripts/domains"
}

run_sql() { "$PG_BIN/psql" -X -q -v ON_ERROR_STOP=1 "$@"; }

load_csv()
{
	local file

	file=$(absolute_path "$CSV")
	run_sql -U hospital -f "$STAGE/demo/create.sql"
	gzip -dcf -- "$file" | PGCLIENTENCODING=$(plan encoding) run_sql -U hospital -c "$(cat "$STAGE/demo/copy.sql")"
	say "$(run_sql -At -c "SELECT count(*) FROM \"$(plan dataset)\"") rows of $CSV in table $(plan dataset)"
	[ -z "$(plan ignored)" ] || say "not used, as not numeric or without bounds: $(plan ignored)"
}

load_patients()
{
	run_sql -U hospital -f "$DEMO/patients.sql"
	say "20000 generated rows of three groups in table patients"
}

create_world()
{
	run_sql <<-SQL
		CREATE DATABASE demo;
		ALTER DATABASE demo SET extra_float_digits = -11;
		\\connect demo
		CREATE ROLE hospital LOGIN;
		CREATE ROLE analyst LOGIN;
		CREATE ROLE dashboard LOGIN;
		GRANT CREATE ON SCHEMA public TO hospital;
		CREATE EXTENSION dpem;
	SQL
	export PGDATABASE=demo
}

times() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.10g", a * b }'; }

tell_story()
{
	local encoding=UTF8 dataset=patients point='{50,145,33}' register=$DEMO/register_patients.sql has_truth=1

	if [ -n "${CSV:-}" ]; then
		encoding=$(plan encoding) dataset=$(plan dataset) point=$(plan point)
		register=$STAGE/demo/register.sql has_truth=0
	elif [ "$K" -ne 3 ]; then
		has_truth=0
	fi
	PGCLIENTENCODING=$encoding run_sql \
		-v dataset="$dataset" -v k="$K" -v point="$point" -v register="$register" -v has_truth="$has_truth" \
		-v epsilon="$EPSILON" -v some="$(times "$EPSILON" 0.25)" \
		-v share="$(times "$EPSILON" 2)" -v total="$(times "$EPSILON" 4)" \
		-v expect="$DEMO/expect.sql" -v truth="$DEMO/truth.sql" <"$DEMO/story.sql" 2>&1
}

main()
{
	check_arguments
	"$TOP/scripts/deps.sh"
	prepare_stage
	[ -z "${CSV:-}" ] || plan_csv
	logged build build
	logged install install_extension
	cluster_start demo
	create_world
	if [ -n "${CSV:-}" ]; then
		load_csv
	else
		load_patients
	fi
	tell_story || die "the demo stopped; the server's log: $(tail -n 5 "$STAGE/run/demo/log" 2>/dev/null || true)"
	say ""
	say "The server is gone, and everything in it."
}

main
