#!/usr/bin/env bash
# Numbers of topics and of components of mixed mixtures that fits choose, and what the choice costs: a line for each fit, with
# the mean log-likelihood of a word (of mixtures: log-density of a row) by the model chosen, and by one fit of that number with
# the whole epsilon.  Documents: kos, and 20,000 made of three topics of a hundred terms; rows: lifesci, and 20,000 made of four
# groups of two numbers and two labels, which is what they are by their making.
#
#   scripts/cluster.sh run bash test/bench/choosing_topics.sh
#
# RUNS fits of each (default 10), at EPSILON (default 1); ONLY a name of these data.
set -euo pipefail

RUNS=${RUNS:-10} EPSILON=${EPSILON:-1} ONLY=${ONLY:-} DATA=${DPEM_DATA:-../shared/data}

sql()
{
	psql -qAt -v ON_ERROR_STOP=1 "$@"
}

register()
{
	sql -c "ANALYZE $1" -c "SELECT dp_register_dataset('$1', '$1', 1000, 1e-3), dp_grant_budget(current_user::regrole, '$1', 1000, 1e-3)" >/dev/null 2>&1
}

compare()
{
	local fit=$1 name=$2 candidates=$3 metric=$4 arguments=$5

	for run in $(seq "$RUNS"); do
		sql <<SQL
SET client_min_messages = warning;
SELECT count(*) AS rows FROM dp_${fit}_fit('$name', '$candidates', $EPSILON, model => 'choice', replace => true) \gset
SELECT k FROM dpem.model_choices WHERE model = 'choice' AND chosen \gset
SELECT count(*) AS rows FROM dp_${fit}_fit('$name', :k, $EPSILON, model => 'whole', replace => true) \gset
SELECT '$fit', '$name', $EPSILON, $run, :k, (SELECT value::numeric(9, 5) FROM dp_evaluate('choice', '$name', 'Infinity'$arguments) WHERE metric = '$metric'),
    (SELECT value::numeric(9, 5) FROM dp_evaluate('whole', '$name', 'Infinity'$arguments) WHERE metric = '$metric');
SQL
	done
}

wanted()
{
	[ -z "$ONLY" ] || [ "$ONLY" = "$1" ]
}

sql -c "CREATE EXTENSION IF NOT EXISTS dpem" 2>/dev/null
if wanted kos; then
	sql -c "CREATE TABLE kos (terms int[]); CREATE TABLE kos_vocabulary (n serial, term text)"
	zcat "$DATA/kos.docs.gz" | awk 'NF { a = ""; b = ""; for (i = 1; i <= NF; i++) { split($i, t, ":"); a = a (i > 1 ? "," : "") t[1] + 1; b = b (i > 1 ? "," : "") t[2] } print "{{" a "},{" b "}}" }' |
		sql -c "COPY kos FROM STDIN (DELIMITER '|')"
	zcat "$DATA/kos.vocab.gz" | sql -c "COPY kos_vocabulary (term) FROM STDIN (DELIMITER '|')"
	register kos
	sql -c "SELECT dp_register_text('kos', 'terms', (SELECT array_agg(term ORDER BY n) FROM kos_vocabulary))" >/dev/null
	compare lda kos '{1,2,5,10,20}' mean_log_likelihood ", document_length => 100000, range => '{-40,0}'"
fi
if wanted made_documents; then
	sql <<'SQL'
SELECT setseed(0.5);
CREATE TABLE made_documents AS SELECT array_agg(1 + 100 * CASE WHEN random() < 0.8 THEN i % 3 ELSE floor(3 * random())::int END + floor(100 * random() ^ 2)::int) AS terms
  FROM generate_series(1, 20000) AS i, generate_series(1, 60) AS w GROUP BY i;
SQL
	register made_documents
	sql -c "SELECT dp_register_text('made_documents', 'terms', (SELECT array_agg('t' || i ORDER BY i) FROM generate_series(1, 300) AS i))" >/dev/null
	compare lda made_documents '{1,2,3,4,6,10}' mean_log_likelihood ", document_length => 100000, range => '{-40,0}'"
fi
if wanted lifesci; then
	sql -c "CREATE TABLE lifesci ($(seq -s ' float8, ' -f 'x%g' 10) float8)"
	zcat "$DATA/lifesci.csv.gz" | tail -n +2 | cut -d , -f 1-10 | sql -c "COPY lifesci FROM STDIN (FORMAT csv)"
	register lifesci
	sql -c "SELECT dp_register_column('lifesci', 'x' || i, -16, 16) FROM generate_series(1, 10) AS i" >/dev/null
	compare mixture lifesci '{1,2,3,4,5,6,8}' mean_log_density ", range => '{-100,50}'"
fi
if wanted made_rows; then
	sql <<'SQL'
SELECT setseed(0.5);
CREATE TABLE made_rows AS SELECT 20 + 15 * (i % 4) + 3 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()) AS x, 50 + 20 * (i % 2) + 4 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()) AS y,
    CASE WHEN random() < 0.8 THEN (ARRAY['a', 'b', 'c', 'a'])[1 + i % 4] ELSE (ARRAY['a', 'b', 'c'])[1 + floor(3 * random())::int] END AS u,
    CASE WHEN random() < 0.9 THEN (ARRAY['yes', 'no'])[1 + i % 4 / 2] ELSE 'no' END AS v FROM generate_series(1, 20000) AS i;
SQL
	register made_rows
	sql >/dev/null <<'SQL'
SELECT dp_register_column('made_rows', c, 0, 120) FROM unnest('{x,y}'::text[]) AS c;
SELECT dp_register_column('made_rows', 'u', '{a,b,c}'::text[]), dp_register_column('made_rows', 'v', '{yes,no}'::text[]);
SQL
	compare mixture made_rows '{1,2,3,4,5,6}' mean_log_density ", range => '{-60,10}'"
fi
