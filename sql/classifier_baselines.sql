-- algorithm => 'output', 'objective' and 'functional' of dp_logit_fit and dp_svm_fit: fits, plans, noise, and what is refused
\pset null -
SET ROLE regress_owner;
-- points of a Weyl sequence in two classes, and in three
CREATE TABLE opponent_rows AS
SELECT x, y, CASE WHEN x - y > 0 THEN 'yes' ELSE 'no' END AS word, CASE WHEN x < -3 THEN 'a' WHEN y < 0 THEN 'b' ELSE 'c' END AS class
  FROM (SELECT (i * 0.7548776662 % 1)::float8 * 20 - 10 AS x, (i * 0.5698402909 % 1)::float8 * 20 - 10 AS y FROM generate_series(1, 6000) AS i) AS p;
CREATE TABLE opponent_guests AS TABLE opponent_rows;
ANALYZE opponent_rows, opponent_guests;
SELECT dp_register_dataset('opponent_rows', 'opponent_rows', 1000, 1e-4),
       dp_register_dataset('opponent_guests', 'opponent_guests', 1000, 1e-4, adjacency => 'add_remove', accountant => 'rdp');
SELECT count(dp_register_column(d, c, -10, 10)) FROM unnest('{opponent_rows,opponent_guests}'::text[]) AS d, unnest('{x,y}'::text[]) AS c;
SELECT count(dp_register_column(d, 'word', '{no,yes}'::text[])), count(dp_register_column(d, 'class', '{a,b,c}'::text[])), count(dp_grant_budget('regress_analyst', d, 900, 1e-4))
  FROM unnest('{opponent_rows,opponent_guests}'::text[]) AS d;
GRANT SELECT ON opponent_rows TO regress_reader;
RESET ROLE;
SET ROLE regress_analyst;
-- noise of epsilon 20 leaves directions as they are (false alarms below 1e-20)
SELECT column_name, mean > 0 AS positive, noise_stddev > 0 AS noise, stddev IS NULL AS no_posterior
  FROM dp_logit_fit('opponent_rows', 'word', 20, columns => '{x,y}', algorithm => 'output', model => 'opponent_logit') WHERE column_name <> '(intercept)' ORDER BY 1;
SELECT column_name, coefficient > 0 AS positive, noise_stddev > 0 AS noise
  FROM dp_svm_fit('opponent_rows', 'word', 20, columns => '{x,y}', algorithm => 'output', clip_norm => 1, iterations => 40, model => 'opponent_svm') WHERE column_name <> '(intercept)' ORDER BY 1;
SELECT column_name, mean > 0 AS positive, noise_stddev > 0 AS noise
  FROM dp_logit_fit('opponent_rows', 'word', 20, columns => '{x,y}', algorithm => 'functional', model => 'opponent_functional') WHERE column_name <> '(intercept)' ORDER BY 1;
SELECT column_name, mean > 0 AS positive
  FROM dp_logit_fit('opponent_guests', 'word', 20, columns => '{x,y}', algorithm => 'output', filter => 'x > -5', model => 'opponent_guests') WHERE column_name <> '(intercept)' ORDER BY 1;
SELECT column_name, mean > 0 AS positive, noise_stddev > 0 AS noise
  FROM dp_logit_fit('opponent_rows', 'word', 20, columns => '{x,y}', algorithm => 'objective', model => 'opponent_objective') WHERE column_name <> '(intercept)' ORDER BY 1;
SELECT column_name, coefficient > 0 AS positive, noise_stddev > 0 AS noise
  FROM dp_svm_fit('opponent_guests', 'word', 20, columns => '{x,y}', algorithm => 'objective', clip_norm => 1, iterations => 40, model => 'opponent_hinge') WHERE column_name <> '(intercept)' ORDER BY 1;
SELECT m, dp_predict_label(m, '{5,-5}') AS yes, dp_predict_label(m, '{-5,5}') AS no FROM unnest('{opponent_logit,opponent_svm,opponent_functional,opponent_objective,opponent_hinge}'::text[]) AS m ORDER BY 1;
SELECT model, family, mechanism, precondition, iterations FROM dpem.models WHERE model ~ '^opponent_' ORDER BY 1;
-- what is charged: margins and where the steps end, whatever their number
SELECT DISTINCT function, statistic, mechanism, releases FROM dpem.ledger WHERE dataset = 'opponent_rows' ORDER BY 1, 2, 3;
-- sensitivities of the proof, in units of a coefficient in the ball: 2 / ridge, and (1 + L exp(-1 - 1 / L)) / ridge with L the loss's slope at zero
SELECT statistic, near(sensitivity, 2 * 0.25, 1e-6) AS replaced FROM dp_logit_plan('opponent_rows', 'word', 1, prior_variance => 0.25, algorithm => 'output') WHERE statistic ~ 'coefficients';
SELECT statistic, near(sensitivity, 0.25 * (1 + exp(-3) / 2), 1e-6) AS added FROM dp_logit_plan('opponent_guests', 'word', 1, prior_variance => 0.25, algorithm => 'output') WHERE statistic ~ 'coefficients';
SELECT statistic, near(sensitivity, 0.25 * (1 + exp(-2)), 1e-6) AS added FROM dp_svm_plan('opponent_guests', 'word', 1, prior_variance => 0.25, algorithm => 'output') WHERE statistic ~ 'coefficients';
-- of the objective: one row moves its gradient by one or two, over the part of mu that a ridge of 50 leaves; the ball of 300 passes is near enough
SELECT statistic, CASE WHEN statistic ~ 'objective' THEN sensitivity BETWEEN 2 AND 2.5 ELSE sensitivity < 1e-4 END AS small FROM dp_logit_plan('opponent_rows', 'word', 1, prior_variance => 0.02, algorithm => 'objective') WHERE statistic ~ 'sums' ORDER BY statistic COLLATE "C";
SELECT statistic, near(sensitivity * (1 - sqrt(pi() / 2) * ln(1 + 0.25 / 50) * noise_multiplier), 1, 1e-6) AS added
  FROM dp_logit_plan('opponent_guests', 'word', 1, prior_variance => 0.02, algorithm => 'objective') WHERE statistic ~ 'objective';
SELECT p.sensitivity > q.sensitivity AS tilted FROM dp_svm_plan('opponent_guests', 'word', 1, iterations => 30, algorithm => 'objective') AS p,
       dp_svm_plan('opponent_guests', 'word', 1, iterations => 300, algorithm => 'objective') AS q WHERE p.statistic ~ 'objective' AND q.statistic ~ 'objective';
-- no row matches: coefficients are noise of the planned size; squares of 120 deviates add up to 30 to 250 but for a chance below 1e-9
SET client_min_messages = error;
CREATE TEMP TABLE opponent_noise AS
SELECT f.mean / f.noise_stddev AS deviate, f.noise_stddev FROM generate_series(1, 60) AS i,
       LATERAL dp_logit_fit('opponent_guests', 'word', 1 + i * 0, columns => '{x,y}', algorithm => 'output', filter => 'x > 9.9999', prior_variance => 0.25, intercept => false, iterations => 2) AS f
 WHERE f.column_name <> '(intercept)';
RESET client_min_messages;
SELECT count(*), sum(deviate ^ 2) BETWEEN 30 AND 250 AS chi_square, count(DISTINCT deviate) AS distinct_deviates FROM opponent_noise;
SELECT near(n.noise_stddev * 10 * sqrt(2.0), p.noise_stddev, 1e-6) AS planned FROM (SELECT DISTINCT noise_stddev FROM opponent_noise) AS n,
       dp_logit_plan('opponent_guests', 'word', 1, columns => '{x,y}', algorithm => 'output', prior_variance => 0.25, intercept => false, iterations => 2) AS p WHERE p.statistic ~ 'coefficients';
-- the same of the objective: b / ridge, and noise of what is left; noise_stddev is a bound, which is reached where no rows are; squares of 60 deviates are 12 to 150 but for a chance below 1e-7
SET client_min_messages = error;
CREATE TEMP TABLE opponent_objective_noise AS
SELECT f.mean / f.noise_stddev AS deviate FROM generate_series(1, 30) AS i,
       LATERAL dp_logit_fit('opponent_guests', 'word', 8 + i * 0, columns => '{x,y}', algorithm => 'objective', filter => 'x > 9.9999', prior_variance => 0.01, intercept => false, iterations => 20) AS f
 WHERE f.column_name <> '(intercept)';
RESET client_min_messages;
SELECT count(*), sum(deviate ^ 2) BETWEEN 12 AND 150 AS chi_square, count(DISTINCT deviate) AS distinct_deviates FROM opponent_objective_noise;
-- what is refused, before anything is spent
CREATE TEMP TABLE opponent_spent AS SELECT count(*) AS charges FROM dpem.ledger;
SELECT dp_logit_plan('opponent_rows', 'word', 1, algorithm => 'gradient');
SELECT dp_svm_plan('opponent_rows', 'word', 1, algorithm => 'functional');
SELECT dp_logit_plan('opponent_rows', 'class', 1, algorithm => 'output');
SELECT dp_logit_plan('opponent_rows', 'word', 1, algorithm => 'output', by => 'class');
SELECT dp_logit_plan('opponent_guests', 'word', 1, algorithm => 'output', sampling_rate => 0.5);
SELECT dp_svm_plan('opponent_rows', 'word', 1, algorithm => 'output', features => 'fourier');
SELECT dp_svm_plan('opponent_rows', 'word', 1, algorithm => 'output', smoothing => 2000);
SELECT dp_logit_plan('opponent_rows', 'class', 1, algorithm => 'objective');
SELECT dp_logit_plan('opponent_rows', 'word', 1, algorithm => 'objective', iterations => 19);
SELECT dp_svm_plan('opponent_rows', 'word', 1, algorithm => 'objective', smoothing => 2000);
SELECT 1 FROM dp_logit_plan('opponent_rows', 'word', 1, algorithm => 'objective', prior_variance => 1e6);
SELECT dp_logit_plan('opponent_rows', 'word', 1, algorithm => 'functional', iterations => 3);
SELECT dp_logit_plan('opponent_rows', 'word', 1, algorithm => 'functional', prior_variance => 3);
SELECT dp_logit_plan('opponent_rows', 'word', 1, algorithm => 'functional', precondition => 'standardise');
-- between passes are numbers without noise, which stay with rows that are kept
SET dpem.resident_memory = 0;
SELECT dp_logit_fit('opponent_rows', 'word', 1, algorithm => 'output');
SELECT dp_logit_fit('opponent_rows', 'word', 1, algorithm => 'objective');
RESET dpem.resident_memory;
SELECT (SELECT count(*) FROM dpem.ledger) - charges AS charged FROM opponent_spent;
RESET ROLE;
-- without noise every algorithm is the exact fit
SET ROLE regress_reader;
SELECT count(*) AS rows, sum(abs(a.mean - b.mean)) < 1e-9 AS same FROM dp_logit_fit('opponent_rows', 'word', 'Infinity', columns => '{x,y}', prior_variance => 10) AS a
  JOIN dp_logit_fit('opponent_rows', 'word', 'Infinity', columns => '{x,y}', prior_variance => 10, algorithm => 'output') AS b USING (column_name);
SELECT count(*) AS rows, sum(abs(a.mean - b.mean)) < 1e-9 AS same FROM dp_logit_fit('opponent_rows', 'word', 'Infinity', columns => '{x,y}', prior_variance => 10) AS a
  JOIN dp_logit_fit('opponent_rows', 'word', 'Infinity', columns => '{x,y}', prior_variance => 10, algorithm => 'objective') AS b USING (column_name);
RESET ROLE;
SET ROLE regress_analyst;
SELECT count(dp_drop_model(model)) > 3 AS dropped FROM dpem.models WHERE dataset ~ '^opponent_';
RESET ROLE;
SET ROLE regress_owner;
SELECT dp_drop_dataset(d) FROM unnest('{opponent_rows,opponent_guests}'::text[]) AS d;
DROP TABLE opponent_rows, opponent_guests;
RESET ROLE;
