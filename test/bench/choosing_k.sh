#!/usr/bin/env bash
# Numbers of components that fits choose on lifesci and S1, and what the choice costs: a line for each fit, with the
# mean log-density (of k-means: NICV) of the model chosen, and of one fit of that number with the whole epsilon.
#
#   scripts/cluster.sh run bash test/bench/choosing_k.sh
#
# RUNS fits of each (default 10), at EPSILON (default 1), with more ARGUMENTS, such as ", iterations => 12".
set -euo pipefail

RUNS=${RUNS:-10} EPSILON=${EPSILON:-1} ARGUMENTS=${ARGUMENTS:-} DATA=${DPEM_DATA:-../shared/data}

load()
{
	local name=$1 bound=$2 columns=$3

	zcat "$DATA/$4" | tail -n +2 | cut -d , -f "1-$5" |
		psql -qAt -v ON_ERROR_STOP=1 -c "CREATE EXTENSION IF NOT EXISTS dpem" \
			-c "CREATE TABLE $name (${columns//,/ float8,} float8)" -c "COPY $name FROM STDIN (FORMAT csv)" -c "ANALYZE $name"
	psql -qAt -v ON_ERROR_STOP=1 >/dev/null <<SQL
SELECT dp_register_dataset('$name', '$name', 1000, 1e-3), dp_grant_budget(current_user::regrole, '$name', 1000, 1e-3);
SELECT dp_register_column('$name', c, -$bound, $bound) FROM unnest('{$columns}'::text[]) AS c;
SQL
}

compare()
{
	local fit=$1 name=$2 columns=$3 candidates=$4 measure=$5

	for run in $(seq "$RUNS"); do
		psql -qAt -v ON_ERROR_STOP=1 <<SQL
SET client_min_messages = warning;
SELECT count(*) AS rows FROM dp_${fit}_fit('$name', '$candidates', $EPSILON, model => 'choice', replace => true$ARGUMENTS) \gset
SELECT k FROM dpem.model_choices WHERE model = 'choice' AND chosen \gset
SELECT count(*) AS rows FROM dp_${fit}_fit('$name', :k, $EPSILON, model => 'whole', replace => true$ARGUMENTS) \gset
SELECT '$fit', '$name', $run, :k, avg($measure('choice', ARRAY[$columns]))::numeric(9, 5), avg($measure('whole', ARRAY[$columns]))::numeric(9, 5) FROM $name;
SQL
	done
}

ten=$(seq -s , -f 'x%g' 10)
load lifesci 16 "$ten" lifesci.csv.gz 10
load s1 1 x,y s1_su_processed.csv.gz 2
compare gmm lifesci "$ten" '{2,3,4,5}' dp_log_density
compare gmm s1 x,y '{12,13,14,15,16,17,18}' dp_log_density
compare kmeans lifesci "$ten" '{2,3,4,5,6}' dp_squared_distance
compare kmeans s1 x,y '{12,13,14,15,16,17,18}' dp_squared_distance
compare mixture lifesci "$ten" '{2,3,4,5}' dp_log_density
compare mixture s1 x,y '{12,13,14,15,16,17,18}' dp_log_density
