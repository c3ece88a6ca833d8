-- dp_bayes_fit: naive Bayes without noise, what it charges, several classes, missing values, the models' use, and what is refused
\pset null -
SET ROLE regress_owner;
-- kind is told by x, by color, and by a number on a scale; a fifth of the values is missing; a few rows have no kind
CREATE TABLE bayes_rows AS
SELECT i / 2 AS person, CASE WHEN i % 100 = 0 THEN NULL ELSE (ARRAY['low', 'middle', 'high'])[1 + i % 3] END AS kind,
       CASE WHEN i % 5 = 0 THEN NULL ELSE (i * 0.7548776662 % 1)::float8 * 4 + 2 * (i % 3) END AS x,
       (10 ^ ((i * 0.5698402909 % 1)::float8 + i % 3))::float8 AS pay, CASE WHEN i % 7 = 0 THEN NULL WHEN (i * 0.41421356237 % 1) < 0.7 THEN (ARRAY['red', 'green', 'blue'])[1 + i % 3] ELSE 'red' END AS color,
       (i / 3) % 2 AS half
  FROM generate_series(1, 9000) AS i;
CREATE TABLE bayes_people AS TABLE bayes_rows;
ANALYZE bayes_rows, bayes_people;
SELECT dp_register_dataset('bayes_rows', 'bayes_rows', 1000, 1e-4), dp_register_dataset('bayes_people', 'bayes_people', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2, adjacency => 'add_remove', accountant => 'rdp');
SELECT count(dp_register_column(d, 'x', 0, 8)), count(dp_register_column(d, 'pay', 1, 1000, scale => 'log')), count(dp_register_column(d, 'color', '{red,green,blue}'::text[])), count(dp_register_column(d, 'kind', '{low,middle,high}'::text[])),
       count(dp_register_column(d, 'half', '{0,1}'::text[])), count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM unnest('{bayes_rows,bayes_people}'::text[]) AS d;
GRANT SELECT ON bayes_rows, bayes_people TO regress_reader;
RESET ROLE;

-- without noise: shares of the rows, counted by PostgreSQL, with one more row in each cell; a number has 32 parts
SET ROLE regress_reader;
CREATE TEMPORARY TABLE plain AS SELECT * FROM dp_bayes_fit('bayes_rows', 'kind', 'Infinity');
GRANT SELECT ON plain TO regress_analyst;
SELECT class, column_name, count(*) AS cells, near(sum(probability), 1) AS one, near(min(weight), (SELECT avg((r.kind = p.class)::int) FROM bayes_rows AS r WHERE kind IS NOT NULL)) AS weight, min(noise_stddev) AS noise, min(model) AS model
  FROM plain AS p GROUP BY 1, 2 ORDER BY 1, 2;
SELECT p.class, p.category, near(probability, (SELECT (count(*) FILTER (WHERE r.color = p.category) + 1.0) / (count(r.color) + 3) FROM bayes_rows AS r WHERE r.kind = p.class)) AS same FROM plain AS p WHERE column_name = 'color' ORDER BY 1, 2;
SELECT column_name, bool_and(near(probability, (SELECT (count(*) FILTER (WHERE v >= lower AND v < upper) + 1.0) / (count(v) + 32)
    FROM (SELECT CASE column_name WHEN 'x' THEN x ELSE pay END AS v FROM bayes_rows AS r WHERE r.kind = p.class) AS s))) AS same,
       near(min(lower), CASE column_name WHEN 'x' THEN 0 ELSE 1 END) AS lower, near(max(upper), CASE column_name WHEN 'x' THEN 8 ELSE 1000 END) AS upper
  FROM plain AS p WHERE category IS NULL GROUP BY 1 ORDER BY 1;
SELECT count(*) AS rows FROM dp_bayes_fit('bayes_people', 'kind', 'Infinity', columns => '{color}', filter => 'x > 1');
RESET ROLE;

-- epsilon 20: shares within eight standard deviations of their noise and what smoothing does, whatever the units
SET ROLE regress_analyst;
SELECT d, count(*) AS cells, bool_and(abs(f.probability - p.probability) < 0.03 + 8 * f.noise_stddev AND f.noise_stddev > 0 AND f.noise_stddev < 0.02 AND f.probability > 0) AS near, bool_and(near(f.weight, 1 / 3.0, 0.05)) AS weight, min(f.model) AS model
  FROM (SELECT 'bayes_rows' AS d, * FROM dp_bayes_fit('bayes_rows', 'kind', 20, model => 'bayes') UNION ALL SELECT 'bayes_people', * FROM dp_bayes_fit('bayes_people', 'kind', 20, model => 'bayes_people')) AS f
  JOIN plain AS p ON p.class = f.class AND p.column_name = f.column_name AND p.category IS NOT DISTINCT FROM f.category AND p.lower IS NOT DISTINCT FROM f.lower GROUP BY 1 ORDER BY 1;
SELECT model, family, components, dimensions, columns, mechanism, precondition, iterations FROM dpem.models WHERE family = 'bayes' ORDER BY 1;
SELECT statistic, mechanism, releases, near(sensitivity, CASE dataset WHEN 'bayes_rows' THEN sqrt(2) ELSE 2 END) AS sensitivity FROM unnest('{bayes_rows,bayes_people}'::text[]) AS dataset, LATERAL dp_bayes_plan(dataset, 'kind', 1) WHERE statistic IS NOT NULL ORDER BY dataset, line;

-- views
SELECT label, class, category, near(weight, 1 / 3.0, 0.05) AS weight, noise_stddev BETWEEN 1e-6 AND 0.01 AS noise FROM dpem.bayes_classes WHERE model = 'bayes' ORDER BY class;
SELECT class, column_name, count(*) AS cells, near(sum(probability), 1) AS one, count(lower) AS bounds, count(category) AS categories, bool_and(noise_stddev BETWEEN 1e-6 AND 0.02) AS noise FROM dpem.bayes_parameters WHERE model = 'bayes' GROUP BY 1, 2 ORDER BY 1, 2;

-- use: by column name, by position, and what is not known says nothing
SELECT dp_predict('bayes', r) AS class, dp_predict_label('bayes', r) AS label, near((SELECT sum(p) FROM unnest(dp_posterior('bayes', r)) AS p), 1) AS one, (dp_posterior('bayes', r))[dp_predict('bayes', r)] > 0.5 AS likely
  FROM unnest('{"{\"x\": 0.5, \"pay\": 3, \"color\": \"red\", \"half\": \"0\"}", "{\"x\": 7.9, \"pay\": 500}", "{\"color\": \"green\", \"x\": null}", "{\"pay\": 30}", "{\"pay\": 1e9}", "{\"pay\": -5}"}'::jsonb[]) AS r;
SELECT columns, dp_predict_label('bayes', ARRAY[7.5, 300, 0, 0, 1, 1, 0]) AS by_position, dp_predict_label('bayes', '{7.5,300,0,0,1,1,0}') AS as_text FROM dpem.models WHERE model = 'bayes';
SELECT near((SELECT max(p) FROM unnest(dp_posterior('bayes', jsonb '{}')) AS p), (SELECT max(weight) FROM dpem.bayes_classes WHERE model = 'bayes')) AS prior, dp_posterior('bayes', jsonb '{"color": "pink"}') = dp_posterior('bayes', jsonb '{}') AS none_of_them,
       dp_predict('bayes', NULL::jsonb) AS nothing;
RESET ROLE;
SELECT avg((dp_predict_label('bayes', to_jsonb(r)) = kind)::int) > 0.9 AS accurate FROM bayes_rows AS r WHERE kind IS NOT NULL;

-- rows without a class say nothing of where parts are joined: x tells the class of the others
SET ROLE regress_owner;
CREATE TABLE bayes_partly AS
SELECT CASE WHEN i <= 200 THEN 1 WHEN i <= 400 THEN 3 ELSE 7 END AS x, CASE WHEN i <= 200 THEN 'no' WHEN i <= 400 THEN 'yes' END AS kind FROM generate_series(1, 40000) AS i;
ANALYZE bayes_partly;
SELECT dp_register_dataset('bayes_partly', 'bayes_partly', 1000, 1e-5);
SELECT count(dp_register_column('bayes_partly', 'x', 0, 10)), count(dp_register_column('bayes_partly', 'kind', '{no,yes}'::text[])), count(dp_grant_budget('regress_analyst', 'bayes_partly', 900, 1e-5));
SET ROLE regress_analyst;
SELECT count(*) AS cells FROM dp_bayes_fit('bayes_partly', 'kind', 2, model => 'bayes_partly');
SELECT x, (dp_posterior('bayes_partly', ARRAY[x]))[2] > 0.5 AS yes FROM unnest('{1,3}'::float8[]) AS x;
RESET ROLE;

-- eight copies of a number say what one of them says, and a column by itself needs no third release: probabilities no worse than shares alone, 0.69
SET ROLE regress_owner;
CREATE TABLE bayes_copies AS
SELECT x, x AS b, x AS c, x AS d, x AS e, x AS f, x AS g, x AS h, CASE WHEN (i * 0.5698402909 % 1) < 1 / (1 + exp(-2 * x)) THEN 'yes' ELSE 'no' END AS kind
  FROM (SELECT i, ((i * 0.7548776662 % 1) * 4 - 2)::float8 AS x FROM generate_series(1, 9000) AS i) AS s;
ANALYZE bayes_copies;
SELECT dp_register_dataset('bayes_copies', 'bayes_copies', 1000, 1e-5);
SELECT count(dp_register_column('bayes_copies', c, -2, 2)), count(dp_grant_budget('regress_analyst', 'bayes_copies', 100, 1e-5)) FROM unnest('{x,b,c,d,e,f,g,h}'::text[]) AS c;
SELECT count(dp_register_column('bayes_copies', 'kind', '{no,yes}'::text[]));
GRANT SELECT ON bayes_copies TO regress_analyst;
SET ROLE regress_analyst;
SELECT count(*) AS cells FROM dp_bayes_fit('bayes_copies', 'kind', 4, model => 'bayes_copies');
SELECT DISTINCT power BETWEEN 1 / 12.0 AND 1 / 6.0 AS repeated FROM dpem.bayes_classes WHERE model = 'bayes_copies';
SELECT avg(-ln((dp_posterior('bayes_copies', to_jsonb(r)))[1 + (kind = 'yes')::int])) < 0.5 AS better FROM bayes_copies AS r;
SELECT value < 0.52 AS evaluated FROM dp_evaluate('bayes_copies', 'bayes_copies', 20) WHERE metric = 'log_loss';
SELECT count(*) AS lines, count(*) FILTER (WHERE statistic LIKE 'evidence%') AS evidence FROM dp_bayes_plan('bayes_copies', 'kind', 1, columns => '{x}');
SELECT count(*) > 0 AS alone FROM dp_bayes_fit('bayes_copies', 'kind', 4, columns => '{x}', model => 'bayes_alone');
SELECT DISTINCT power FROM dpem.bayes_classes WHERE model = 'bayes_alone';
RESET ROLE;

-- one model per category, for one charge; a sample of the columns; what noise hides says nothing
SET ROLE regress_analyst;
SELECT charges() AS before \gset
SELECT key, count(*) AS cells, count(DISTINCT class) AS classes, count(DISTINCT column_name) AS columns FROM dp_bayes_fit('bayes_rows', 'kind', 5, by => 'half', model => 'bayes_by') GROUP BY 1 ORDER BY 1;
SELECT charges() - :before AS charges;
SELECT class, near(sum(probability), 1) AS one, bool_and(probability > 0) AS positive FROM dp_bayes_fit('bayes_people', 'kind', 0.005, columns => '{half}') GROUP BY 1 ORDER BY 1;

-- refused, before anything is spent
SELECT charges() AS before \gset
SELECT n, attempt('SELECT * FROM ' || c) FROM (VALUES (1, $$dp_bayes_fit('bayes_rows', 'x', 1)$$), (2, $$dp_bayes_fit('bayes_rows', 'nothing', 1)$$), (3, $$dp_bayes_fit('bayes_rows', NULL, 1)$$), (4, $$dp_bayes_fit('bayes_rows', 'kind', 1, columns => '{kind,x}')$$),
    (5, $$dp_bayes_fit('bayes_rows', 'kind', 1, columns => '{kind}')$$), (6, $$dp_bayes_fit('bayes_rows', 'kind', 1, columns => '{x,x}')$$), (7, $$dp_bayes_fit('bayes_rows', 'kind', NULL)$$)) AS v (n, c) ORDER BY n;
SELECT charges() - :before AS charges;
SELECT attempt($$SELECT dp_log_density('bayes', jsonb '{}')$$);
SELECT attempt($$SELECT dp_predict('bayes', '{1,2}')$$);
SELECT count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE dataset LIKE 'bayes%';
RESET ROLE;
SELECT count(*) FROM dpem_internal.bayes_class AS c FULL JOIN dpem_internal.bayes_cell AS s USING (model);
