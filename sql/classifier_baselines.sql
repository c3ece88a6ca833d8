-- algorithm => 'output' and 'functional' of dp_logit_fit and dp_svm_fit: fits, plans, noise, and what is refused
\pset null -
SET ROLE regress_owner;
-- points of a Weyl sequence in two classes, and in three
CREATE TABLE baseline_rows AS
SELECT x, y, CASE WHEN x - y > 0 THEN 'yes' ELSE 'no' END AS word, CASE WHEN x < -3 THEN 'a' WHEN y < 0 THEN 'b' ELSE 'c' END AS class
  FROM (SELECT (i * 0.7548776662 % 1)::float8 * 20 - 10 AS x, (i * 0.5698402909 % 1)::float8 * 20 - 10 AS y FROM generate_series(1, 6000) AS i) AS p;
CREATE TABLE baseline_guests AS TABLE baseline_rows;
ANALYZE baseline_rows, baseline_guests;
SELECT dp_register_dataset('baseline_rows', 'baseline_rows', 1000, 1e-4),
       dp_register_dataset('baseline_guests', 'baseline_guests', 1000, 1e-4, adjacency => 'add_remove', accountant => 'rdp');
SELECT count(dp_register_column(d, c, -10, 10)) FROM unnest('{baseline_rows,baseline_guests}'::text[]) AS d, unnest('{x,y}'::text[]) AS c;
SELECT count(dp_register_column(d, 'word', '{no,yes}'::text[])), count(dp_register_column(d, 'class', '{a,b,c}'::text[])), count(dp_grant_budget('regress_analyst', d, 900, 1e-4))
  FROM unnest('{baseline_rows,baseline_guests}'::text[]) AS d;
GRANT SELECT ON baseline_rows TO regress_reader;
RESET ROLE;
SET ROLE regress_analyst;
-- noise of epsilon 20 leaves directions as they are (false alarms below 1e-20)
SELECT column_name, mean > 0 AS positive, noise_stddev > 0 AS noise, stddev IS NULL AS no_posterior
  FROM dp_logit_fit('baseline_rows', 'word', 20, columns => '{x,y}', algorithm => 'output', model => 'baseline_logit') WHERE column_name <> '(intercept)' ORDER BY 1;
SELECT column_name, coefficient > 0 AS positive, noise_stddev > 0 AS noise
  FROM dp_svm_fit('baseline_rows', 'word', 20, columns => '{x,y}', algorithm => 'output', clip_norm => 1, iterations => 40, model => 'baseline_svm') WHERE column_name <> '(intercept)' ORDER BY 1;
SELECT column_name, mean > 0 AS positive, noise_stddev > 0 AS noise
  FROM dp_logit_fit('baseline_rows', 'word', 20, columns => '{x,y}', algorithm => 'functional', model => 'baseline_functional') WHERE column_name <> '(intercept)' ORDER BY 1;
SELECT column_name, mean > 0 AS positive
  FROM dp_logit_fit('baseline_guests', 'word', 20, columns => '{x,y}', algorithm => 'output', filter => 'x > -5', model => 'baseline_guests') WHERE column_name <> '(intercept)' ORDER BY 1;
SELECT m, dp_predict_label(m, '{5,-5}') AS yes, dp_predict_label(m, '{-5,5}') AS no FROM unnest('{baseline_logit,baseline_svm,baseline_functional}'::text[]) AS m ORDER BY 1;
SELECT model, family, mechanism, precondition, iterations FROM dpem.models WHERE model ~ '^baseline_' ORDER BY 1;
-- what is charged: margins and where the steps end, whatever their number
SELECT DISTINCT function, statistic, mechanism, releases FROM dpem.ledger WHERE dataset = 'baseline_rows' ORDER BY 1, 2, 3;
-- sensitivities of the proof, in units of a coefficient in the ball: 2 / ridge, and (1 + L exp(-1 - 1 / L)) / ridge with L the loss's slope at zero
SELECT statistic, near(sensitivity, 2 * 0.25, 1e-6) AS replaced FROM dp_logit_plan('baseline_rows', 'word', 1, prior_variance => 0.25, algorithm => 'output') WHERE statistic ~ 'coefficients';
SELECT statistic, near(sensitivity, 0.25 * (1 + exp(-3) / 2), 1e-6) AS added FROM dp_logit_plan('baseline_guests', 'word', 1, prior_variance => 0.25, algorithm => 'output') WHERE statistic ~ 'coefficients';
SELECT statistic, near(sensitivity, 0.25 * (1 + exp(-2)), 1e-6) AS added FROM dp_svm_plan('baseline_guests', 'word', 1, prior_variance => 0.25, algorithm => 'output') WHERE statistic ~ 'coefficients';
-- no row matches: coefficients are noise of the planned size; squares of 120 deviates add up to 30 to 250 but for a chance below 1e-9
SET client_min_messages = error;
CREATE TEMP TABLE baseline_noise AS
SELECT f.mean / f.noise_stddev AS deviate, f.noise_stddev FROM generate_series(1, 60) AS i,
       LATERAL dp_logit_fit('baseline_guests', 'word', 1 + i * 0, columns => '{x,y}', algorithm => 'output', filter => 'x > 9.9999', prior_variance => 0.25, intercept => false, iterations => 2) AS f
 WHERE f.column_name <> '(intercept)';
RESET client_min_messages;
SELECT count(*), sum(deviate ^ 2) BETWEEN 30 AND 250 AS chi_square, count(DISTINCT deviate) AS distinct_deviates FROM baseline_noise;
SELECT near(n.noise_stddev * 10 * sqrt(2.0), p.noise_stddev, 1e-6) AS planned FROM (SELECT DISTINCT noise_stddev FROM baseline_noise) AS n,
       dp_logit_plan('baseline_guests', 'word', 1, columns => '{x,y}', algorithm => 'output', prior_variance => 0.25, intercept => false, iterations => 2) AS p WHERE p.statistic ~ 'coefficients';
-- what is refused, before anything is spent
CREATE TEMP TABLE baseline_spent AS SELECT count(*) AS charges FROM dpem.ledger;
SELECT dp_logit_plan('baseline_rows', 'word', 1, algorithm => 'gradient');
SELECT dp_svm_plan('baseline_rows', 'word', 1, algorithm => 'functional');
SELECT dp_logit_plan('baseline_rows', 'class', 1, algorithm => 'output');
SELECT dp_logit_plan('baseline_rows', 'word', 1, algorithm => 'output', by => 'class');
SELECT dp_logit_plan('baseline_guests', 'word', 1, algorithm => 'output', sampling_rate => 0.5);
SELECT dp_svm_plan('baseline_rows', 'word', 1, algorithm => 'output', features => 'fourier');
SELECT dp_svm_plan('baseline_rows', 'word', 1, algorithm => 'output', smoothing => 2000);
SELECT dp_logit_plan('baseline_rows', 'word', 1, algorithm => 'functional', iterations => 3);
SELECT dp_logit_plan('baseline_rows', 'word', 1, algorithm => 'functional', prior_variance => 3);
SELECT dp_logit_plan('baseline_rows', 'word', 1, algorithm => 'functional', precondition => 'standardise');
-- between passes are numbers without noise, which stay with rows that are kept
SET dpem.resident_memory = 0;
SELECT dp_logit_fit('baseline_rows', 'word', 1, algorithm => 'output');
RESET dpem.resident_memory;
SELECT (SELECT count(*) FROM dpem.ledger) - charges AS charged FROM baseline_spent;
RESET ROLE;
-- without noise every algorithm is the exact fit
SET ROLE regress_reader;
SELECT count(*) AS rows, sum(abs(a.mean - b.mean)) < 1e-9 AS same FROM dp_logit_fit('baseline_rows', 'word', 'Infinity', columns => '{x,y}', prior_variance => 10) AS a
  JOIN dp_logit_fit('baseline_rows', 'word', 'Infinity', columns => '{x,y}', prior_variance => 10, algorithm => 'output') AS b USING (column_name);
RESET ROLE;
SET ROLE regress_analyst;
SELECT count(dp_drop_model(model)) > 3 AS dropped FROM dpem.models WHERE dataset ~ '^baseline_';
RESET ROLE;
SET ROLE regress_owner;
SELECT dp_drop_dataset(d) FROM unnest('{baseline_rows,baseline_guests}'::text[]) AS d;
DROP TABLE baseline_rows, baseline_guests;
RESET ROLE;
