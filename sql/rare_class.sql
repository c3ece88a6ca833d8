-- logistic regression of a rare class, whose score few gradients reach but by a model of the rows
SET ROLE regress_owner;
CREATE TABLE faults AS
SELECT u AS x, v AS z, CASE WHEN (i * 0.4142136) % 1 < 1 / (1 + exp(8 - 2 * u - v)) THEN 'yes' ELSE 'no' END AS fault
  FROM (SELECT i, sqrt(-2 * ln((i * 0.7548777 + 0.5) % 1)) * cos(2 * pi() * (i * 0.5698403 % 1)) AS u,
               sqrt(-2 * ln((i * 0.6180340 + 0.3) % 1)) * cos(2 * pi() * (i * 0.7320508 % 1)) AS v FROM generate_series(1, 20000) AS i) AS t;
ANALYZE faults;
SELECT dp_register_dataset('faults', 'faults', 1000, 1e-4);
SELECT dp_register_column('faults', 'x', -10, 10), dp_register_column('faults', 'z', -10, 10), dp_register_column('faults', 'fault', '{no,yes}'::text[]);
SELECT dp_grant_budget('regress_analyst', 'faults', 900, 1e-4);
SET ROLE regress_analyst;
SELECT count(*) AS coefficients, bool_and(noise_stddev > 0) AS noise FROM dp_logit_fit('faults', 'fault', 20, 1e-6, model => 'faults_1');
SELECT count(*) AS coefficients FROM dp_logit_fit('faults', 'fault', 20, 1e-6, model => 'faults_2');
SELECT count(*) AS coefficients FROM dp_logit_fit('faults', 'fault', 20, 1e-6, model => 'faults_3');
SELECT count(*) AS coefficients FROM dp_logit_fit('faults', 'fault', 20, 1e-6, model => 'faults_4');
-- without noise the intercept is -8.05; a fit has -7.76 with a standard deviation of 0.12, so that -7.15 is ten of those of a mean of four; by steps that the curvature of normal scores makes it was -6.65 with one of 0.06
SELECT avg(mean) < -7.15 AS far_enough, avg(mean) > -8.8 AS not_too_far FROM dpem.logit_coefficients WHERE starts_with(model, 'faults_') AND column_name = '(intercept)';
SELECT count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE starts_with(model, 'faults_');
RESET ROLE;
SELECT dp_drop_dataset('faults');
DROP TABLE faults;
