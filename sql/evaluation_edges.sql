-- dp_evaluate sees values where they are: on the edges of bins, and in bins that are narrow in a wide domain
SET ROLE regress_owner;
-- whole numbers that are edges of 32 bins of [0, 128], and amounts of which a domain has hardly any; the class follows from either
CREATE TABLE edges AS
SELECT 4 * (i % 32) AS at, (ARRAY[2500, 7500, 15000, 35000, 75000, 125000, 200000])[1 + i % 7] AS amount, CASE WHEN i % 32 % 2 = 0 THEN 'even' ELSE 'odd' END AS word,
       CASE WHEN i % 7 < 3 THEN 'little' ELSE 'much' END AS size, 10.0 * (i % 32 % 2) AS z
  FROM generate_series(1, 4480) AS i;
ANALYZE edges;
SELECT dp_register_dataset('edges', 'edges', 1000, 1e-4), dp_register_column('edges', 'at', 0, 128), dp_register_column('edges', 'amount', 0, 300000), dp_register_column('edges', 'z', -10, 20),
       dp_register_column('edges', 'word', '{even,odd}'::text[]), dp_register_column('edges', 'size', '{little,much}'::text[]), dp_grant_budget('regress_analyst', 'edges', 900, 1e-4);
GRANT SELECT ON edges TO regress_reader;
RESET ROLE;
SET ROLE regress_analyst;
SELECT count(*) > 0 FROM dp_bayes_fit('edges', 'word', 50, columns => '{at,amount}', model => 'naive edges');
SELECT count(*) > 0 FROM dp_gam_fit('edges', 'word', 50, columns => '{at,amount}', bins => 32, model => 'shapes of edges');
SELECT count(*) > 0 FROM dp_gam_fit('edges', 'z', 50, columns => '{at,amount}', bins => 32, model => 'steps of edges');
SELECT count(*) > 0 FROM dp_synth_fit('edges', 50, columns => '{amount,size}', model => 'tables of edges');
SELECT count(dp_grant_model(m, 'regress_reader')) FROM unnest('{naive edges,shapes of edges,steps of edges,tables of edges}'::text[]) AS m;
CREATE TEMP TABLE seen AS SELECT m AS model, e.* FROM unnest('{naive edges,shapes of edges,steps of edges,tables of edges}'::text[]) AS m, dp_evaluate(m, 'edges', 50) AS e;
GRANT SELECT ON seen TO regress_reader;
RESET ROLE;
-- of 4,480 rows noise moves a mean by 0.001 of its range at most: twenty times less than one row of a hundred in the next bin would
SET ROLE regress_reader;
SELECT m, abs((SELECT value FROM seen WHERE model = m AND metric = 'accuracy') - avg((dp_predict_label(m, e) = word)::int)) < 0.01 AS accuracy
  FROM unnest('{naive edges,shapes of edges}'::text[]) AS m, edges AS e GROUP BY m ORDER BY m COLLATE "C";
SELECT abs((SELECT value FROM seen WHERE model = 'steps of edges' AND metric = 'rmse') - sqrt(avg((z - dp_predict_value('steps of edges', e)) ^ 2))) < 0.2 AS rmse FROM edges AS e;
SELECT abs((SELECT value FROM seen WHERE model = 'tables of edges' AND metric = 'mean_log_density') - avg(dp_log_density('tables of edges', e))) < 0.2 AS density FROM edges AS e;
-- amounts that no row has are rare, not impossible
SELECT bool_and(dp_log_density('tables of edges', jsonb_build_object('amount', a, 'size', s)) > -40) AS possible FROM generate_series(0, 300000, 5000) AS a, unnest('{little,much}'::text[]) AS s;
RESET ROLE;
SET ROLE regress_analyst;
SELECT count(dp_drop_model(m)) AS dropped FROM unnest('{naive edges,shapes of edges,steps of edges,tables of edges}'::text[]) AS m;
RESET ROLE;
