-- labels among the columns of a model: a coordinate per category; points by column name
\pset null -
SET ROLE regress_owner;
CREATE TYPE categories_size AS ENUM ('small', 'large');
-- log-odds -1 + 0.3 x + 1.5 (red) - (blue) + 0.5 (large)
CREATE TABLE categories AS
SELECT i / 2 AS person, x, color, size, open, ARRAY[x, x * x]::float8[] AS v,
       (CASE WHEN (i * 0.41421356237 % 1) < 1 / (1 + exp(-(-1 + 0.3 * x + CASE color WHEN 'red' THEN 1.5 WHEN 'blue' THEN -1 ELSE 0 END + CASE WHEN size = 'large' THEN 0.5 ELSE 0 END)))
             THEN 'yes' ELSE 'no' END) AS bought,
       (color = 'red')::int AS red, (color = 'green')::int AS green, (color = 'blue')::int AS blue, (size = 'small')::int AS small, (size = 'large')::int AS large
  FROM (SELECT i, (i * 0.7548776662 % 1)::float8 * 10 - 5 AS x, (ARRAY['red', 'green', 'blue'])[1 + (i * 0.5698402909 % 1 * 3)::int % 3] AS color,
               (ARRAY['small', 'large']::categories_size[])[1 + (i * 0.2236067977 % 1 * 2)::int % 2] AS size, i % 5 = 0 AS open FROM generate_series(1, 6000) AS i) AS s;
-- a color that is no category, and none at all: rows that count, in none of the categories
INSERT INTO categories (person, x, color, size, bought, red, green, blue, small, large)
SELECT 4000 + i, i % 7 - 3, CASE WHEN i % 2 = 0 THEN 'mauve' END, 'small', CASE WHEN i % 3 = 0 THEN 'yes' ELSE 'no' END, 0, 0, 0, 1, 0 FROM generate_series(1, 300) AS i;
CREATE TABLE categories_people AS TABLE categories;
CREATE TABLE categories_parts (LIKE categories) PARTITION BY LIST (color);
CREATE TABLE categories_parts_red PARTITION OF categories_parts FOR VALUES IN ('red');
CREATE TABLE categories_parts_other PARTITION OF categories_parts DEFAULT;
INSERT INTO categories_parts TABLE categories;
CREATE VIEW categories_view AS TABLE categories;
ANALYZE categories, categories_people, categories_parts;
SELECT dp_register_dataset('categories', 'categories', 1000, 1e-4), dp_register_dataset('categories_people', 'categories_people', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2),
       dp_register_dataset('categories_parts', 'categories_parts', 1000, 1e-4, adjacency => 'add_remove'), dp_register_dataset('categories_view', 'categories_view', 1000, 1e-4);
SELECT count(dp_register_column(d, 'x', -5, 5)), count(dp_register_column(d, 'color', '{red,green,blue}'::text[])), count(dp_register_column(d, 'size', '{small,large}'::text[])),
       count(dp_register_column(d, 'bought', '{no,yes}'::text[])), count(dp_register_column(d, 'open', '{true}'::text[])), count(dp_grant_budget('regress_analyst', d, 900, 1e-4))
  FROM unnest('{categories,categories_people,categories_parts,categories_view}'::text[]) AS d;
SELECT count(dp_register_column('categories', c, -1, 1)) FROM unnest('{red,green,blue,small,large}'::text[]) AS c;
SELECT dp_register_column('categories', 'v', -5, 25, length => 2);
GRANT SELECT ON categories, categories_people, categories_parts, categories_view TO regress_reader;
RESET ROLE;

-- without noise: the same as with columns of 0 and 1 that somebody made of them, whatever the source is
SET ROLE regress_reader;
CREATE FUNCTION pg_temp.coefficients(dataset text, columns text[]) RETURNS float8[] LANGUAGE sql AS $$
    SELECT array_agg(mean) FROM dp_logit_fit(dataset, 'bought', 'Infinity', columns => columns, clip_norm => 2)
$$;
SELECT pg_temp.coefficients('categories', '{x,red,green,blue,small,large}') AS made \gset
SELECT d, distance(pg_temp.coefficients(d, '{x,color,size}'), :'made') < 1e-6 AS same FROM unnest('{categories,categories_people,categories_parts,categories_view}'::text[]) AS d;
SELECT column_name, abs(mean - truth) < 0.4 AS near FROM dp_logit_fit('categories', 'bought', 'Infinity', columns => '{x,color,size}') LEFT JOIN
    (VALUES ('x', 0.3), ('color=red', 1.5 - 0.17), ('color=green', -0.17), ('color=blue', -1 - 0.17)) AS t (column_name, truth) USING (column_name);
-- by default every number and label is a column, but for the label itself, that of the groups, and those of one category
SELECT array_agg(column_name ORDER BY column_name) FROM dp_logit_fit('categories_parts', 'bought', 'Infinity');
SELECT key, array_agg(column_name ORDER BY column_name) FROM dp_logit_fit('categories_parts', 'bought', 'Infinity', by => 'size') GROUP BY key;

-- private: stored with its categories, and used by column name
SET ROLE regress_analyst;
SELECT count(*) FROM dp_logit_fit('categories', 'bought', 50, columns => '{x,color,v,size}', model => 'bought');
SELECT count(*) FROM unnest('{categories_people,categories_parts,categories_view}'::text[]) AS d, dp_logit_fit(d, 'bought', 20, columns => '{x,color}') AS f;
SELECT position, column_name, source_column, category, lower, upper FROM dpem.model_columns WHERE model = 'bought' ORDER BY 1;
SELECT dp_predict('bought', '{5,1,0,0,5,25,0,1}') AS array, dp_predict('bought', '{"x": 5, "color": "red", "v": [5, 25], "size": "large", "other": null}') AS json,
       dp_predict('bought', to_jsonb(r)) AS row, dp_predict('bought', r) AS itself, dp_posterior('bought', r) = dp_posterior('bought', to_jsonb(r)) AS same FROM (VALUES (5.0::numeric, 'red', ARRAY[5, 25], 'large'::categories_size)) AS r (x, color, v, size);
SELECT bool_and(dp_posterior('bought', ARRAY[x, (c = 'red')::int, (c = 'green')::int, (c = 'blue')::int, x, x * x, (s = 'small')::int, (s = 'large')::int]) = dp_posterior('bought', jsonb_build_object('x', x, 'color', c, 'v', ARRAY[x, x * x], 'size', s))) AS same
  FROM generate_series(-5, 5) AS x, unnest('{red,green,blue,mauve}'::text[]) AS c, unnest('{small,large}'::text[]) AS s;
SELECT dp_predict_label('bought', '{"x": 5, "color": "red", "v": [5, 25], "size": "large"}') AS rich, dp_predict_label('bought', '{"x": -5, "color": "blue", "v": [-5, 25], "size": "small"}') AS poor;
-- a category that is none of the column's counts as none of them, and is reported once a query
SELECT count(dp_predict('bought', jsonb_build_object('x', x, 'color', c, 'v', ARRAY[5, 25], 'size', 'large'))) AS predicted FROM generate_series(1, 3) AS x, unnest('{rde,mauve}'::text[]) AS c;
-- what is repeated of it is short and without control characters
SELECT dp_predict('bought', jsonb_build_object('x', 1, 'color', E'\n\x1b[2Jmauve' || repeat('e', 5000), 'v', ARRAY[5, 25], 'size', 'large')) IS NOT NULL AS predicted;
-- what is not known is about the mean, and a label has no category
SELECT count(dp_predict('bought', jsonb '{"x": 1, "color": "red", "v": [5, 25], "size": "large"}' || more)) AS predicted
  FROM unnest(ARRAY['{"x": null}', '{"color": null}', '{"x": "NaN"}', '{"v": null}', '{"v": [5, null]}']::jsonb[]) AS more;
SELECT dp_predict('bought', NULL::jsonb) AS row, dp_predict('bought', NULL::text) AS word;
PREPARE unknown_type AS SELECT dp_predict($1, $2);
EXECUTE unknown_type('bought', '{5,1,0,0,5,25,0,1}');
EXECUTE unknown_type('bought', '[0:7]={5,1,0,0,5,25,0,1}');

-- what is refused
SELECT n, attempt('SELECT * FROM ' || c) FROM (VALUES
    (1, $$dp_logit_fit('categories', 'bought', 1, columns => '{open}')$$), (2, $$dp_logit_fit('categories', 'bought', 1, columns => '{x,person}')$$),
    (3, $$dp_gmm_fit('categories', 2, 1, columns => '{x,color}')$$), (4, $$dp_predict('bought', '{"x": 1}')$$),
    (5, $$dp_predict('bought', jsonb '{"x": "five", "color": "red", "v": [1, 1], "size": "large"}')$$), (6, $$dp_predict('bought', jsonb '{"x": 1, "color": "red", "v": [1], "size": "large"}')$$),
    (7, $$dp_predict('bought', jsonb '{"x": 1, "color": [1], "v": [1, 1], "size": "large"}')$$), (8, $$dp_predict('bought', jsonb '[1, 2]')$$), (9, $$dp_predict('bought', 'x: 1')$$),
    (10, $$dp_predict('bought', 'none')$$), (11, $$dp_predict_value('bought', '{5,1,0,0,5,25,0,1}')$$), (12, $$dp_predict('bought', jsonb '{"x": true, "color": "red", "v": [1, 1], "size": "large"}')$$)) AS v (n, c) ORDER BY n;
SELECT count(dp_drop_model(model)) FROM dpem.models WHERE dataset LIKE 'categories%';
RESET ROLE;
