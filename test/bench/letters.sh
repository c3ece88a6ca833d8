#!/usr/bin/env bash
# Linear and kernel classifiers on LetterRecognition (r-cran-mlbench): accuracy on the last 4,000 rows, a line for each fit;
# delta 1e-6.
#
#   scripts/cluster.sh run bash test/bench/letters.sh
#
# RUNS fits of each (default 2), at EPSILONS (default "2 4 8"), with more ARGUMENTS, such as ", iterations => 3".
set -euo pipefail

RUNS=${RUNS:-2} EPSILONS=${EPSILONS:-2 4 8} ARGUMENTS=${ARGUMENTS:-}
columns=$(seq -s , -f 'x%g' 16)

Rscript -e 'library(mlbench); data(LetterRecognition); write.table(LetterRecognition, stdout(), sep = ",", row.names = FALSE, col.names = FALSE, quote = FALSE)' |
	psql -qAt -v ON_ERROR_STOP=1 -c "CREATE EXTENSION IF NOT EXISTS dpem" \
		-c "CREATE TABLE letters (lettr text, $(seq -s ', ' -f 'x%g int' 16), i int GENERATED ALWAYS AS IDENTITY)" \
		-c "COPY letters (lettr, $columns) FROM STDIN (FORMAT csv)"
psql -qAt -v ON_ERROR_STOP=1 >/dev/null <<SQL
CREATE TABLE fitted AS SELECT * FROM letters WHERE i <= 16000;
ANALYZE fitted;
SELECT dp_register_dataset('fitted', 'fitted', 1000, 1e-3, adjacency => 'add_remove'), dp_grant_budget(current_user::regrole, 'fitted', 1000, 1e-3);
SELECT dp_register_column('fitted', 'x' || j, 0, 15) FROM generate_series(1, 16) AS j;
SELECT dp_register_column('fitted', 'lettr', array_agg(chr(64 + j) ORDER BY j)) FROM generate_series(1, 26) AS j;
SQL
for epsilon in $EPSILONS; do
	for fit in svm logit; do
		for features in linear fourier; do
			for run in $(seq "$RUNS"); do
				psql -qAt -v ON_ERROR_STOP=1 -c "SET dpem.noise_warnings = off" \
					-c "CREATE TEMP TABLE fit AS SELECT DISTINCT model FROM dp_${fit}_fit('fitted', 'lettr', $epsilon, 1e-6, features => '$features'$ARGUMENTS)" \
					-c "SELECT '$fit', '$features', $epsilon, $run, round(avg((dp_predict_label(model, ARRAY[$columns]) = lettr)::int), 4) FROM fit, letters WHERE i > 16000"
			done
		done
	done
done
