-- dp_mixture_fit: numbers, counts and categories, some of them missing
\pset null -
SET ROLE regress_owner;
-- two kinds of rows, told apart by everything; a third of the values of x and of the labels is missing
CREATE TABLE blended AS
SELECT i / 2 AS person, i % 2 + 1 AS kind,
       CASE WHEN (i * 0.7548776662 % 1) < 0.3 THEN NULL ELSE CASE WHEN i % 2 = 0 THEN 100 ELSE 300 END + 60 * ((i * 0.5698402909 % 1) - 0.5) END AS x,
       (CASE WHEN i % 2 = 0 THEN 1 ELSE 6 END + (i * 0.2236067977 % 1 * 3)::int - 1)::numeric AS visits,
       CASE WHEN (i * 0.1411111111 % 1) < 0.3 THEN NULL WHEN (i * 0.41421356237 % 1) < 0.8 THEN CASE WHEN i % 2 = 0 THEN 'red' ELSE 'blue' END ELSE 'green' END AS color,
       (i * 0.3027756377 % 1) < CASE WHEN i % 2 = 0 THEN 0.1 ELSE 0.7 END AS paid
  FROM generate_series(1, 8000) AS i;
CREATE TABLE blended_people AS TABLE blended;
CREATE TABLE blended_full (x float8 NOT NULL, color text NOT NULL);
INSERT INTO blended_full SELECT x, color FROM blended WHERE x IS NOT NULL AND color IS NOT NULL;
CREATE VIEW blended_view AS TABLE blended;
ANALYZE blended, blended_people, blended_full;
SELECT dp_register_dataset('blended', 'blended', 1000, 1e-4), dp_register_dataset('blended_people', 'blended_people', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2, adjacency => 'add_remove', accountant => 'rdp'),
       dp_register_dataset('blended_full', 'blended_full', 1000, 1e-4), dp_register_dataset('blended_view', 'blended_view', 1000, 1e-4);
SELECT count(dp_register_column(d, 'x', -10000, 10000)), count(dp_register_column(d, 'color', '{red,green,blue}'::text[])) FROM unnest('{blended,blended_people,blended_full,blended_view}'::text[]) AS d;
SELECT count(dp_register_column(d, 'visits', 0, 50)), count(dp_register_column(d, 'paid', '{false,true}'::text[])) FROM unnest('{blended,blended_people,blended_view}'::text[]) AS d;
SELECT count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM unnest('{blended,blended_people,blended_full,blended_view}'::text[]) AS d;
GRANT SELECT ON blended, blended_people, blended_view TO regress_reader;

-- without noise: what the rows have, whatever is missing; all sources say the same
SET ROLE regress_reader;
SELECT round(weight::numeric, 1) AS weight, f.column_name, f.category, near(mean, truth, 0.03) AS mean, near(coalesce(stddev, 0), truth_stddev, 0.15) AS stddev
  FROM (SELECT *, first_value(mean) OVER (PARTITION BY component ORDER BY column_name <> 'x') < 200 AS first FROM dp_mixture_fit('blended', 2, 'Infinity', poisson => '{visits}')) AS f
  JOIN (VALUES (true, 'x', NULL, 100, 17.3), (false, 'x', NULL, 300, 17.3), (true, 'visits', NULL, 1.5, 1.22), (false, 'visits', NULL, 6.5, 2.55), (true, 'color', 'red', 0.8, 0), (false, 'color', 'blue', 0.8, 0),
        (true, 'paid', 'true', 0.1, 0), (false, 'paid', 'true', 0.7, 0)) AS t (first, column_name, category, truth, truth_stddev)
    ON t.first = f.first AND t.column_name = f.column_name AND t.category IS NOT DISTINCT FROM f.category ORDER BY f.first DESC, 2, 3;
CREATE FUNCTION pg_temp.means(dataset text, more text DEFAULT '') RETURNS float8[] LANGUAGE plpgsql AS $$
DECLARE
    m float8[];
BEGIN
    EXECUTE format('SELECT array_agg(mean ORDER BY component, column_name, category) FROM dp_mixture_fit(%L, 2, ''Infinity'', iterations => 4%s)', dataset, more) INTO m;
    RETURN m;
END$$;
SELECT d, distance(pg_temp.means(d), pg_temp.means('blended')) < 1e-6 AS same FROM unnest('{blended_people,blended_view}'::text[]) AS d;
SELECT distance(pg_temp.means('blended', ', filter => ''visits < 4'''), pg_temp.means('blended_view', ', filter => ''visits < 4''')) < 1e-6 AS same_filter;

-- private: close to the truth at a large epsilon (a share's noise is below 0.005: false alarms below 1e-20)
SET ROLE regress_analyst;
SELECT count(*) AS rows, count(DISTINCT component) AS components, bool_and(noise_stddev > 0) AS noise, bool_and(mean BETWEEN 0 AND 1) FILTER (WHERE category IS NOT NULL) AS shares
  FROM dp_mixture_fit('blended', 2, 20, poisson => '{visits}', model => 'blended');
SELECT near(sum(weight), 1) AS whole, bool_and(weight BETWEEN 0.4 AND 0.6) AS halves FROM dpem.mixture_components WHERE model = 'blended';
SELECT column_name, category, law, abs(max(mean) - min(mean)) > 0.3 AS apart, max(stddev) BETWEEN 0.5 AND 60 AS stddev FROM dpem.mixture_parameters WHERE model = 'blended' AND category IS DISTINCT FROM 'green' GROUP BY 1, 2, 3 ORDER BY 1, 2;
-- whatever is known of a row tells its component
SELECT count(DISTINCT dp_predict('blended', r)) AS same FROM unnest('{"{\"x\": 100}", "{\"x\": 100, \"visits\": 1, \"color\": \"red\", \"paid\": false}", "{\"color\": \"red\", \"x\": null}", "{\"visits\": 1}"}'::text[]) AS r;
SELECT dp_predict('blended', jsonb '{"x": 100}') <> dp_predict('blended', jsonb '{"x": 300}') AS differ, near((SELECT max(p) FROM unnest(dp_posterior('blended', jsonb '{}')) AS p), (SELECT max(weight) FROM dpem.mixture_components WHERE model = 'blended')) AS prior,
       dp_log_density('blended', jsonb '{}') BETWEEN -1e-9 AND 1e-9 AS nothing, dp_log_density('blended', jsonb '{"x": 9999}') > -20 AS far_out,
       dp_log_density('blended', '{"x": 100, "color": "red"}') > dp_log_density('blended', '{"x": 100, "color": "blue"}') AS likely, dp_log_density('blended', '{"visits": -1}') AS never;
-- samples, as arrays and by name
SELECT bool_and(array_length(s, 1) = 7 AND s[3] + s[4] + s[5] = 1 AND s[6] + s[7] = 1 AND s[2] = floor(s[2])) AS shape FROM dp_sample('blended', 200) AS s;
SELECT count(*) AS rows, count(DISTINCT color) AS colors, bool_and(visits >= 0) AS visits, abs(avg(x) FILTER (WHERE color = 'red') - 100) < 100 AS red, pg_typeof(min(visits)) AS type
  FROM dp_sample_rows('blended', 2000) AS t (visits int, color text, x float8, paid boolean);
SELECT count(*) FROM dp_sample_rows('blended', 0) AS t (x numeric(10, 2));
SELECT dp_plot_loadings('blended') ~ 'color=red' AS picture;
-- no number, no missing ones, one component, groups, samples of the rows, several rows a person
SELECT count(*) FROM dp_mixture_fit('blended', 2, 5, columns => '{color,paid}');
SELECT count(*) FROM dp_mixture_fit('blended_full', 2, 5);
SELECT count(*) FROM dp_mixture_fit('blended_view', 1, 5);
-- whether a category's rows are told apart is by chance
SET client_min_messages = warning;
SELECT key, count(*) FROM dp_mixture_fit('blended', 2, 5, by => 'paid', model => 'blended_by') GROUP BY key ORDER BY key;
RESET client_min_messages;
SELECT count(*) FROM dp_mixture_fit('blended_people', 2, 5, sampling_rate => 0.3, filter => 'visits < 20');
-- a sample speaks for all rows: kinds in halves, and their means (within a tenth; the noise is a hundredth of that)
SELECT count(*) AS close FROM dp_mixture_fit('blended_people', 2, 20, sampling_rate => 0.5, columns => '{x,visits}') WHERE column_name = 'x' AND weight BETWEEN 0.4 AND 0.6 AND (near(mean, 100, 0.1) OR near(mean, 300, 0.1));
-- little epsilon: equal components, and it says so
SELECT count(DISTINCT round(mean::numeric, 6)) AS means, count(*) AS rows FROM dp_mixture_fit('blended', 3, 0.005, columns => '{x}');
-- the plan
SELECT statistic, releases, noise_stddev > 0 AS noise FROM dp_mixture_plan('blended', 2, 1) ORDER BY line, statistic;
SELECT statistic, releases FROM dp_mixture_plan('blended', 1, 1, columns => '{color}') ORDER BY line, statistic;

-- what is refused
SELECT n, regexp_replace(attempt('SELECT * FROM ' || c), '"(red|green|blue)"', 'a color') AS attempt FROM (VALUES
    (1, $$dp_mixture_fit('blended', 0, 1)$$), (2, $$dp_mixture_fit('blended', 101, 1)$$), (3, $$dp_mixture_fit('blended', 2, 1, poisson => '{x}')$$), (4, $$dp_mixture_fit('blended', 2, 1, poisson => '{color}')$$),
    (5, $$dp_mixture_fit('blended', 2, 1, poisson => '{nothing}')$$), (6, $$dp_mixture_fit('blended', 2, 1, columns => '{x,x}')$$), (7, $$dp_mixture_fit('blended', 2, NULL)$$),
    (8, $$dp_sample_rows('blended', 1) AS t (nothing int)$$), (9, $$dp_sample_rows('blended', 1) AS t (color int)$$), (10, $$dp_transform('blended', '{"x": 1}')$$), (11, $$dp_predict('blended', '{"x": "much"}')$$)) AS v (n, c) ORDER BY n;
SELECT count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE dataset LIKE 'blended%';
RESET ROLE;
