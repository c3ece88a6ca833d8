-- dp_synth_fit where numbers have domains many times as wide as their rows: bins are where these are; public rows, and columns of one value
\pset null -
SET ROLE regress_owner;
-- far from 0, a time that follows from it, counts that are mostly 0, amounts on a scale; every fifth amount is unknown
CREATE TABLE synth_wide AS
SELECT 200000 + x AS far, 50 + x + (i * 0.5698402909 % 1) / 2 AS wait, CASE WHEN i % 3 > 0 THEN 0 ELSE 1 + i / 3 % 12 END AS visits, CASE WHEN i % 5 > 0 THEN exp(2 * x) END AS amount,
       'here' AS place, (ARRAY['old', 'new'])[1 + (x > 1)::int] AS kind
  FROM (SELECT i, 2 * (i * 0.7548776662 % 1) AS x FROM generate_series(1, 20000) AS i) AS r;
ALTER TABLE synth_wide ALTER far SET NOT NULL, ALTER wait SET NOT NULL, ALTER visits SET NOT NULL;
CREATE TABLE synth_few AS SELECT i % 40 AS n, i % 7 AS m, CASE i % 2 WHEN 0 THEN 'a' ELSE 'b' END AS kind FROM generate_series(1, 200) AS i;
ANALYZE synth_wide, synth_few;
SELECT count(dp_register_dataset(d, d, 1000, 1e-4)) FROM unnest('{synth_wide,synth_few}'::text[]) AS d;
SELECT dp_register_column('synth_wide', 'far', 0, 400000), dp_register_column('synth_wide', 'wait', 0, 20000), dp_register_column('synth_wide', 'visits', 0, 1000000), dp_register_column('synth_wide', 'amount', 0.001, 1e9, scale => 'log'),
       dp_register_column('synth_wide', 'place', '{here}'::text[]), dp_register_column('synth_wide', 'kind', '{old,new}'::text[]);
SELECT dp_register_column('synth_few', 'n', 0, 80), dp_register_column('synth_few', 'm', 0, 6), dp_register_column('synth_few', 'kind', '{a,b}'::text[]);
SELECT count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM unnest('{synth_wide,synth_few}'::text[]) AS d;

-- without noise, too
GRANT SELECT ON synth_wide TO regress_reader;
SET ROLE regress_reader;
SELECT count(*) AS tables FROM dp_synth_fit('synth_wide', 'Infinity', columns => '{far,visits,place}', rounds => 1);
SET ROLE regress_analyst;

-- what looks cost is in the plan; bins that are asked for are equal parts of the domain, and where each value has one nothing is looked for
SELECT statistic, releases FROM dp_synth_plan('synth_wide', 4) WHERE line IS NOT NULL ORDER BY line;
SELECT bins, count(*) FILTER (WHERE statistic = 'margins') AS looks FROM (SELECT 'asked' AS bins, * FROM dp_synth_plan('synth_wide', 4, bins => 32) UNION ALL SELECT 'values', * FROM dp_synth_plan('synth_few', 50, columns => '{m,kind}')
    UNION ALL SELECT 'few rows', * FROM dp_synth_plan('synth_few', 0.1) UNION ALL SELECT 'many values', * FROM dp_synth_plan('synth_few', 50)) AS p GROUP BY bins ORDER BY bins;

-- noise of less than 10 rows in a bin, of 20000
SELECT count(*) > 6 AS tables FROM dp_synth_fit('synth_wide', 8, model => 'wide');
CREATE TEMP TABLE drawn AS SELECT * FROM dp_sample_rows('wide', 20000) AS t (far float8, wait float8, visits int, amount float8, place text, kind text);
-- what noise leaves far away is rare, and would move means
SELECT avg((far NOT BETWEEN 199990 AND 200012 OR wait NOT BETWEEN 40 AND 62 OR visits > 100)::int) < 0.03 AS rare FROM drawn;
DELETE FROM drawn WHERE far NOT BETWEEN 199990 AND 200012 OR wait NOT BETWEEN 40 AND 62 OR visits > 100;
SELECT abs(avg(far) - 200001) < 0.1 AS far, abs(avg(wait) - 51.25) < 0.1 AS wait, abs(avg(visits) - 6.5 / 3) < 0.3 AS visits, abs(avg((visits = 0)::int) - 2.0 / 3) < 0.03 AS zeros,
       abs(percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) - exp(2)) < 1 AS amount, abs(avg((amount IS NULL)::int) - 0.2) < 0.02 AS unknown FROM drawn;
SELECT corr(far, wait) > 0.8 AS together, abs(corr(far, visits)) < 0.1 AS apart, stddev(far) BETWEEN 0.5 AND 0.7 AS spread, avg((kind = 'new')::int) FILTER (WHERE wait > 51.5) > 0.9 AS kinds FROM drawn;
-- a label of one category is in the rows, and nowhere else
SELECT place, count(*) > 19000 AS most FROM drawn GROUP BY place;
SELECT count(*) AS tables FROM dpem.synth_marginals WHERE model = 'wide' AND columns ~ 'place';
-- a row with one number far from all others has a probability, a small one
SELECT dp_log_density('wide', '{"far": 200001, "wait": 51, "visits": 0, "amount": 7, "kind": "old"}') > -10 AS common, dp_log_density('wide', '{"far": 3, "wait": 50.1, "visits": 0, "amount": 1.1, "kind": "old"}') BETWEEN -700 AND -10 AS far;
-- the number of rows is public, and what the model is of, but where what was released is three deviations off: of most of five models, false alarms below 1e-6; that of groups and of rows that match is not
SELECT count(*) > 0 AS tables FROM unnest('{far,wait,visits,amount}'::text[]) AS c, dp_synth_fit('synth_wide', 8, columns => ARRAY[c, 'kind'], rounds => 1, model => 'rows_' || c);
SELECT count(*) AS models, count(*) FILTER (WHERE rows = 20000) > 2 AS public FROM dpem.synth_models WHERE model = 'wide' OR model ~ '^rows_';
SELECT count(dp_drop_model('rows_' || c)) FROM unnest('{far,wait,visits,amount}'::text[]) AS c;

-- keys tell narrow bins far from 0 apart, and a filter takes an edge as it is written
CREATE TEMP TABLE bins AS SELECT keys[1] AS key, value, row_number() OVER (ORDER BY split_part(trim('[' FROM keys[1]), ',', 1)::float8) AS n FROM dp_tabulate('wide', '{far}', consistent => true) WHERE keys[1] <> 'unknown';
SELECT count(DISTINCT key) = count(*) AS apart, count(*) AS bins, count(*) FILTER (WHERE value > 100) > 15 AS with_rows FROM bins;
SELECT bool_and(abs(b.value - (SELECT sum(value) FROM dp_tabulate('wide', '{kind}', format('far >= %s AND far < %s', split_part(trim('[' FROM key), ',', 1), trim(')' FROM split_part(key, ',', 2))), true))) < 200) AS bins
  FROM bins AS b WHERE value > 100;
SELECT attempt($$SELECT * FROM dp_tabulate('wide', '{kind}', 'visits < 2.5')$$) ~ '^(22023|done)' AS whole;

-- by groups, of which each has bins of its own (a mean would follow what noise leaves far away); what the model is worth; another server's copy
SELECT key, count(*) > 2 AS tables FROM dp_synth_fit('synth_wide', 8, columns => '{far,wait}', by => 'kind', model => 'wide_by') GROUP BY key ORDER BY key;
SELECT m AS model, abs(percentile_cont(0.5) WITHIN GROUP (ORDER BY far) - CASE m WHEN 'wide_by/old' THEN 200000.5 ELSE 200001.5 END) < 0.2 AS median FROM unnest('{wide_by/old,wide_by/new}'::text[]) AS m, LATERAL dp_sample_rows(m, 5000) AS t (far float8, wait float8) GROUP BY m ORDER BY m;
SELECT metric, value < 0.1 AS near FROM dp_evaluate('wide', 'synth_wide', 8) WHERE metric = 'mean_total_variation';
RESET ROLE;
SELECT dp_model_from_json(dp_model_json('wide'), 'wide_copy');
SELECT sum(abs(a.value - b.value)) = 0 AS same FROM dp_tabulate('wide', '{far,visits}') AS a JOIN dp_tabulate('wide_copy', '{far,visits}') AS b USING (keys);
SELECT attempt($$SELECT dp_model_from_json(jsonb_set(dp_model_json('wide'), '{tables,synth_model,0,edges,3}', '1e12'), 'wide_wrong')$$) AS edges, attempt($$SELECT * FROM dp_sample_rows('wide_wrong', 1) AS t (far float8)$$) AS rows;
SELECT dp_drop_model('wide_copy');
SET ROLE regress_analyst;

-- where noise leaves nothing to look for bins are equal parts, of as many values each
SELECT count(*) > 2 AS tables FROM dp_synth_fit('synth_few', 0.1, model => 'few');
SELECT count(*) AS rows, bool_and(n BETWEEN 0 AND 80) AS range FROM dp_sample_rows('few', 100) AS t (n int, m int, kind text);

-- edges are no closer than numbers of the domain are, where all rows are at one of these; where a wider domain does not tell them apart nothing is spent
SET ROLE regress_owner;
CREATE TABLE synth_narrow AS SELECT 1e9::float8 + 0.5 AS late, 10000000000000000 + 6 AS id, 1 + 1e-9::float8 AS near FROM generate_series(1, 20000) AS i;
ANALYZE synth_narrow;
SELECT count(dp_register_dataset(d, 'synth_narrow', 1000, 1e-4)) FROM unnest('{synth_narrow,synth_broad}'::text[]) AS d;
SELECT dp_register_column('synth_narrow', 'late', 1e9, 1e9 + 1), dp_register_column('synth_narrow', 'id', 1e16, 1e16 + 1000), dp_register_column('synth_narrow', 'near', 1, 1 + 2e-9);
SELECT dp_register_column('synth_broad', 'late', -1e15, 1e16), dp_register_column('synth_broad', 'id', 0, 1e17), dp_register_column('synth_broad', 'near', 0, 1e9);
SELECT count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM unnest('{synth_narrow,synth_broad}'::text[]) AS d;
SET ROLE regress_analyst;
SELECT c, count(*) > 0 AS tables FROM unnest('{late,id,near}'::text[]) AS c, LATERAL dp_synth_fit('synth_narrow', 20, columns => ARRAY[c], model => 'wide_' || c) GROUP BY c ORDER BY c;
SELECT c, abs(percentile_cont(0.5) WITHIN GROUP (ORDER BY x - CASE c WHEN 'late' THEN 1e9 + 0.5 WHEN 'id' THEN 1e16 + 6 ELSE 1 + 1e-9 END)) < CASE c WHEN 'late' THEN 1e-3 WHEN 'id' THEN 30 ELSE 1e-11 END AS near
  FROM unnest('{late,id,near}'::text[]) AS c, LATERAL (SELECT late AS x FROM dp_sample_rows('wide_late', 1000) AS t (late float8) WHERE c = 'late' UNION ALL SELECT id FROM dp_sample_rows('wide_id', 1000) AS t (id float8) WHERE c = 'id'
    UNION ALL SELECT near FROM dp_sample_rows('wide_near', 1000) AS t (near float8) WHERE c = 'near') AS r GROUP BY c ORDER BY c;
SELECT c, count(DISTINCT keys) = count(*) AS apart FROM unnest('{late,id,near}'::text[]) AS c, LATERAL dp_tabulate('wide_' || c, ARRAY[c]) GROUP BY c ORDER BY c;
SELECT charges() AS before \gset
SELECT c, attempt(format('SELECT * FROM dp_evaluate(%L, ''synth_broad'', 1)', 'wide_' || c)) AS evaluated FROM unnest('{late,id,near}'::text[]) AS c;
SELECT charges() - :before AS charged;

-- refused before anything is spent
SELECT charges() AS before \gset
SELECT attempt($$SELECT * FROM dp_synth_fit('synth_wide', 1, columns => '{place}')$$) AS constant, attempt($$SELECT * FROM dp_synth_fit('synth_wide', 1, label => 'place')$$) AS label;
SELECT charges() - :before AS charged;
SELECT count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE dataset IN ('synth_wide', 'synth_few', 'synth_narrow');
RESET ROLE;
