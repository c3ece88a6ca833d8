#!/usr/bin/env bash
# Linear regression of columns and of their Fourier features where the target is not linear in them: R squared on rows held out,
# median and worst of RUNS fits.
#
#   scripts/cluster.sh run bash test/bench/kernel_linreg.sh
#
# friedman: Friedman #1 (1991, Annals of Statistics 19:1), ten uniform columns of which five count, noise of deviation 1: 40,000
# rows, and 10,000 held out.  diamonds (r-cran-ggplot2), where R has it: logarithm of the price, six numbers, each fifth row held out.
# COLUMNS of friedman that are asked for (default 10; 5: those that count), RUNS (default 5), EPSILONS (default "0.5 1 4"), FITS (default "linear fourier"), with more ARGUMENTS, such as ", dimension => 256".
set -euo pipefail

COLUMNS=${COLUMNS:-10} RUNS=${RUNS:-5} EPSILONS=${EPSILONS:-0.5 1 4} FITS=${FITS:-linear fourier} ARGUMENTS=${ARGUMENTS:-} DATA=${DATA:-friedman diamonds}

query() { psql -qAt -v ON_ERROR_STOP=1 "$@"; }

make_friedman()
{
	query <<-'SQL'
		SELECT setseed(0.5);
		CREATE TABLE friedman AS
		SELECT i > 40000 AS held, x[1] AS x1, x[2] AS x2, x[3] AS x3, x[4] AS x4, x[5] AS x5, x[6] AS x6, x[7] AS x7, x[8] AS x8, x[9] AS x9, x[10] AS x10,
		       10 * sin(pi() * x[1] * x[2]) + 20 * (x[3] - 0.5) ^ 2 + 10 * x[4] + 5 * x[5] + sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()) AS y
		  FROM (SELECT i, ARRAY(SELECT random() + 0 * i FROM generate_series(1, 10)) AS x FROM generate_series(1, 50000) AS i) AS s;
	SQL
	columns=$(seq -s , -f 'x%g' "$COLUMNS")
	register friedman "$(for j in $(seq 10); do echo "dp_register_column('friedman_fit', 'x$j', 0, 1),"; done) dp_register_column('friedman_fit', 'y', -10, 40)"
}

make_diamonds()
{
	columns=carat,depth,tbl,x,y,z
	query -c "CREATE TABLE diamonds (carat float8, depth float8, tbl float8, price float8, x float8, y float8, z float8, i int GENERATED ALWAYS AS IDENTITY, held bool, logp float8)"
	Rscript -e 'write.table(ggplot2::diamonds[, c("carat", "depth", "table", "price", "x", "y", "z")], stdout(), sep = ",", row.names = FALSE, col.names = FALSE)' |
		query -c "COPY diamonds (carat, depth, tbl, price, x, y, z) FROM STDIN (FORMAT csv)"
	query -c "UPDATE diamonds SET held = i % 5 = 0, logp = ln(price); ALTER TABLE diamonds DROP COLUMN price"
	query -c "ALTER TABLE diamonds RENAME y TO wide" -c "ALTER TABLE diamonds RENAME logp TO y"
	columns=carat,depth,tbl,x,wide,z
	register diamonds "dp_register_column('diamonds_fit', 'carat', 0, 6), dp_register_column('diamonds_fit', 'depth', 40, 80), dp_register_column('diamonds_fit', 'tbl', 40, 100),
		dp_register_column('diamonds_fit', 'x', 0, 20), dp_register_column('diamonds_fit', 'wide', 0, 20), dp_register_column('diamonds_fit', 'z', 0, 20), dp_register_column('diamonds_fit', 'y', 4, 12)"
}

# register TABLE CALLS
register()
{
	query >/dev/null <<-SQL
		CREATE TABLE $1_fit AS SELECT * FROM $1 WHERE NOT held;
		ANALYZE $1_fit;
		SELECT dp_register_dataset('$1_fit', '$1_fit', 1000, 1e-3), dp_grant_budget(current_user::regrole, '$1_fit', 1000, 1e-3);
		SELECT $2;
	SQL
}

# r_squared TABLE EPSILON FEATURES
r_squared()
{
	query -c "SET dpem.noise_warnings = off" -c "SET client_min_messages = error" -c "SET dpem.fresh = on" \
		-c "CREATE TEMP TABLE fit AS SELECT DISTINCT model FROM dp_linreg_fit('$1_fit', 'y', '$2', 1e-6, columns => '{$columns}', features => '$3'$([ "$3" = linear ] || echo "$ARGUMENTS"))" \
		-c "SELECT 1 - avg((y - dp_predict_value(model, ARRAY[$columns]::float8[])) ^ 2) / var_pop(y) FROM fit, $1 WHERE held"
}

export PGOPTIONS="-c client_min_messages=error"
query -c "CREATE EXTENSION IF NOT EXISTS dpem"
for data in $DATA; do
	make_$data
	for epsilon in $EPSILONS; do
		for fit in $FITS; do
			for _ in $(seq "$RUNS"); do r_squared "$data" "$epsilon" "$fit"; done | sort -g |
				awk -v name="$data, $fit$ARGUMENTS, epsilon $epsilon" '{ v[NR] = $1 } END { printf "%s: %.3f (%.3f)\n", name, v[int((NR + 1) / 2)], v[1] }'
		done
	done
done
