-- dp_gam_fit where the number of rows is not public, and only releases tell that they are few: the mean of the target, the shares of the classes
\pset null -
SET ROLE regress_owner;
CREATE TABLE gam_few_rows AS
SELECT i, CASE WHEN i <= 20 THEN 'few' ELSE 'many' END AS part, x, z, 3 + 2 * x - z AS y, CASE WHEN x > 0.2 THEN 'yes' ELSE 'no' END AS word, CASE WHEN x > 0.2 THEN 'c' WHEN z > 0 THEN 'b' ELSE 'a' END AS letter
  FROM (SELECT i, (i * 0.7548776662 % 1)::float8 * 2 - 1 AS x, (i * 0.5698402909 % 1)::float8 * 2 - 1 AS z FROM generate_series(1, 6000) AS i) AS s;
ANALYZE gam_few_rows;
SELECT count(dp_register_dataset('gam_few_rows', 'gam_few_rows', 1000, 1e-4, adjacency => 'add_remove'));
SELECT count(dp_register_column('gam_few_rows', c, l, u)) FROM (VALUES ('x', -1, 1), ('z', -1, 1), ('y', -20, 20), ('i', 1, 6000)) AS t (c, l, u);
SELECT count(dp_register_column('gam_few_rows', 'part', '{few,many}'::text[])), count(dp_register_column('gam_few_rows', 'word', '{no,yes}'::text[])),
       count(dp_register_column('gam_few_rows', 'letter', '{a,b,c}'::text[])),
       count(dp_grant_budget('regress_analyst', 'gam_few_rows', 900, 1e-4));
RESET ROLE;

SET ROLE regress_analyst;
-- whether any row is to be seen is chance, and so is, once in many times, what margins tell of the number of rows: of 14 fits that does not happen to all
SET dpem.noise_warnings = off;
CREATE FUNCTION pg_temp.fitted(target text, epsilon float8, more text) RETURNS TABLE (alone int, within bool) LANGUAGE plpgsql AS $$BEGIN
    PERFORM set_config('client_min_messages', 'warning', true);
    RETURN QUERY EXECUTE format('SELECT (bool_and(contribution = 0 AND noise_stddev = 0 AND stddev > 0) FILTER (WHERE column_name <> ''(intercept)''))::int,
        bool_and(abs(contribution) < 21 AND noise_stddev > 0) FILTER (WHERE column_name = ''(intercept)'') FROM dp_gam_fit(''gam_few_rows'', %L, %s%s)', target, epsilon, more);
END$$;
SELECT statistic, releases FROM dp_gam_plan('gam_few_rows', 'y', 0.02, columns => '{x,z}', filter => 'i <= 20') WHERE releases IS NOT NULL;
SELECT target, sum(alone) > 0 AS alone, bool_and(within) AS within
  FROM unnest('{y,word,letter}'::text[]) AS target, generate_series(1, 14) AS n, LATERAL pg_temp.fitted(target, 0.02 + n * 1e-6, ', columns => ''{x,z}'', filter => ''i <= 20''') GROUP BY target ORDER BY target;
-- what was asked for is made, and so is what can be seen
SELECT target, sum(alone) AS alone FROM unnest('{y,word,letter}'::text[]) AS target, LATERAL pg_temp.fitted(target, 0.02, ', columns => ''{x,z}'', bins => 4, filter => ''i <= 20''') GROUP BY target ORDER BY target;
SELECT target, sum(alone) AS alone FROM unnest('{y,word,letter}'::text[]) AS target, LATERAL pg_temp.fitted(target, 20, ', columns => ''{x,z}'', filter => ''i > 20''') GROUP BY target ORDER BY target;
-- groups have a model of the same kind: one is to be seen
SELECT sum(alone) AS alone FROM pg_temp.fitted('y', 20, ', columns => ''{x,z}'', by => ''part''');
-- shares can be used like any model
SET client_min_messages = warning;
SELECT count(*) FROM dp_gam_fit('gam_few_rows', 'word', 0.001, columns => '{x,z}', filter => 'i <= 20', model => 'gam_shares');
SELECT count(*) FROM dp_gam_fit('gam_few_rows', 'letter', 0.001, columns => '{x,z}', filter => 'i <= 20', model => 'gam_letters');
-- a mean says how many rows counted, of samples, too
SELECT count(rows_counted) = count(*) AS said FROM dp_gam_fit('gam_few_rows', 'y', 0.02, columns => '{x,z}', filter => 'i <= 20', composition => 'rdp', sampling_rate => 0.5);
RESET client_min_messages;
SELECT abs((SELECT sum(p) FROM unnest(dp_posterior('gam_shares', '{"x": 0.5, "z": 0}')) AS p) - 1) < 1e-9 AS sums, dp_predict_label('gam_shares', '{"x": 0.5, "z": 0}') IN ('no', 'yes') AS label;
SELECT abs((SELECT sum(p) FROM unnest(dp_posterior('gam_letters', '{"x": 0.5, "z": 0}')) AS p) - 1) < 1e-9 AS sums, dp_predict_label('gam_letters', '{"x": 0.5, "z": 0}') IN ('a', 'b', 'c') AS label;
RESET ROLE;
