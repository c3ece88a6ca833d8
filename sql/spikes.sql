-- densities of numbers that hardly ever have another value than one: others are left to the background, and do not take the
-- other columns of their rows with them (false alarms below 1e-20: what is compared is many times its noise)
\pset null -
SET ROLE regress_owner;
-- rare: 1 in one row of fifty; level: 70 but in one row of fifty, and NULL in one of five; y: uniform, of deviation 10, and apart where rare is 1
CREATE TABLE spiked AS
SELECT (i % 50 = 0)::int AS rare, CASE WHEN i % 5 = 1 THEN NULL WHEN i % 50 = 13 THEN -90 ELSE 70 END::float8 AS level,
       CASE WHEN i % 50 = 0 THEN 60 ELSE 40 END + 34.6 * ((i * 0.5698402909 % 1) - 0.5) AS y, CASE i % 2 WHEN 0 THEN 'a' ELSE 'b' END AS kind
  FROM generate_series(1, 10000) AS i;
ALTER TABLE spiked ALTER rare SET NOT NULL, ALTER y SET NOT NULL;
ANALYZE spiked;
SELECT dp_register_dataset('spiked', 'spiked', 1000, 1e-4), dp_register_column('spiked', 'rare', 0, 1), dp_register_column('spiked', 'level', -100, 100),
       dp_register_column('spiked', 'y', 0, 100), dp_register_column('spiked', 'kind', '{a,b}'::text[]);
SELECT dp_grant_budget('regress_analyst', 'spiked', 900, 1e-4);

SET ROLE regress_analyst;
SELECT n, near(mean[1], 0, 0.01) AS rare, near(mean[2], 40.2, 0.05) AS y, sqrt(covariance[1][1]) < 0.01 AS narrow, sqrt(covariance[2][2]) BETWEEN 9 AND 11 AS spread
  FROM (SELECT 1 AS n, * FROM dp_gmm_fit('spiked', 1, 20, columns => '{rare,y}', model => 'spiked_gmm')
        UNION ALL SELECT 2, * FROM dp_gmm_fit('spiked', 1, 20, columns => '{rare,y}', covariance => 'diagonal')) AS f;
SELECT key, sqrt(covariance[1][1]) < 0.01 AS narrow FROM dp_gmm_fit('spiked', 1, 20, columns => '{rare,y}', by => 'kind') ORDER BY key;
-- rows of which some columns are unknown
SELECT near(mean[1], 70, 0.01) AS level, sqrt(covariance[1][1]) < 0.5 AS narrow, near(mean[3], 40.2, 0.05) AS y
  FROM dp_gmm_fit('spiked', 1, 20, columns => '{level,rare,y}', missing => 'marginal');
SELECT column_name, category, round(mean::numeric) AS mean, stddev < 0.5 AS narrow, stddev BETWEEN 9 AND 11 AS spread FROM dp_mixture_fit('spiked', 1, 20, model => 'spiked_mixture') WHERE category IS NULL ORDER BY 1;
-- factors, which one value has no part in
SELECT column_name, sqrt(noise_variance + loadings[1] ^ 2) < 0.5 AS narrow, sqrt(noise_variance + loadings[1] ^ 2) BETWEEN 9 AND 11 AS spread
  FROM dp_fa_fit('spiked', 1, 20, columns => '{level,rare,y}', missing => 'marginal') ORDER BY 1;
SELECT key, bool_and(sqrt(noise_variance + loadings[1] ^ 2) < 0.01) AS narrow FROM dp_fa_fit('spiked', 1, 20, columns => '{rare,y}', by => 'kind') WHERE column_name = 'rare' GROUP BY 1 ORDER BY 1;
SELECT count(*) AS columns FROM dp_fa_fit('spiked', 1, 20, columns => '{rare,y}', model => 'spiked_fa');
SELECT dp_log_density('spiked_fa', ARRAY[0, 40]) > 0 AS usual, dp_log_density('spiked_fa', ARRAY[1, 40]) > -20 AS rare;
-- rare ones are not impossible
SELECT dp_log_density('spiked_gmm', ARRAY[0, 40]) > 0 AS usual, dp_log_density('spiked_gmm', ARRAY[1, 40]) > -20 AS rare,
       dp_log_density('spiked_mixture', '{"rare": 0, "level": 70}') > 0 AS usual, dp_log_density('spiked_mixture', '{"rare": 1, "level": -90}') > -30 AS rare;
-- and the rarer the farther they are: what is beyond the one value's bin has a density of its own
SELECT dp_log_density('spiked_gmm', ARRAY[0.5, 40]) > dp_log_density('spiked_gmm', ARRAY[1, 40]) AS gmm,
       dp_log_density('spiked_fa', ARRAY[0.5, 40]) > dp_log_density('spiked_fa', ARRAY[1, 40]) AS fa,
       dp_log_density('spiked_mixture', '{"level": 0}') > dp_log_density('spiked_mixture', '{"level": -90}') AS mixture;
-- an evaluation sees rows by integers, of which none is 0 or an end of the domain: noise of 0.01, and 5 nats where rows are not at their value
RESET ROLE;
ALTER TABLE spiked ADD zeros float8 NOT NULL DEFAULT 0;
UPDATE spiked SET zeros = CASE WHEN y > 42 THEN exp(y / 15) ELSE 0 END;
SELECT dp_register_column('spiked', 'zeros', 0, 2000);
SET ROLE regress_analyst;
SELECT count(*) AS fits FROM dp_gmm_fit('spiked', 1, 20, columns => '{zeros,y}', model => 'spiked_zeros');
RESET ROLE;
CREATE TABLE exact AS
SELECT 'spiked_gmm' AS model, avg(dp_log_density('spiked_gmm', ARRAY[rare, y])) AS density FROM spiked
UNION ALL SELECT 'spiked_fa', avg(dp_log_density('spiked_fa', ARRAY[rare, y])) FROM spiked
UNION ALL SELECT 'spiked_zeros', avg(dp_log_density('spiked_zeros', ARRAY[zeros, y])) FROM spiked;
GRANT SELECT ON exact TO regress_analyst;
SET ROLE regress_analyst;
SELECT model, near(value, density, 0.1) AS evaluated FROM exact, dp_evaluate(model, 'spiked', 20, range => '{-60,60}') WHERE metric = 'mean_log_density' ORDER BY 1;
-- counts are all counted
SELECT mean > 0.003 AS rate FROM dp_mixture_fit('spiked', 1, 20, columns => '{rare,y}', poisson => '{rare}') WHERE column_name = 'rare';
SELECT count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE dataset = 'spiked';
RESET ROLE;
DROP TABLE exact;
