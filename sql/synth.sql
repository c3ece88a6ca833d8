-- dp_synth_fit: marginals, and what follows from them: tables, rows, predictions, associations, weights
\pset null -
SET ROLE regress_owner;
-- a chain: size follows from kind, paid mostly from size; a tenth of the sizes and kinds is unknown
CREATE TABLE shop AS
SELECT i / 2 AS person, (ARRAY['tea', 'salt', 'soap', 'nails'])[1 + i % 4] AS kind, (1 + i % 4) * 10 + (i * 0.7548776662 % 1 * 4)::int AS size,
       0.1 + 99.9 * (i * 0.5698402909 % 1) AS price, ((i * 0.2236067977 % 1) < CASE WHEN i % 4 < 2 THEN 0.2 ELSE 0.8 END)::int AS paid
  FROM generate_series(1, 4000) AS i;
UPDATE shop SET size = NULL WHERE person % 10 = 3;
UPDATE shop SET kind = CASE WHEN person % 2 = 0 THEN 'rope' END WHERE person % 10 IN (4, 5) AND price < 50;
CREATE TABLE shop_people AS TABLE shop;
CREATE TABLE shop_full (kind text NOT NULL, size smallint NOT NULL, paid int NOT NULL);
INSERT INTO shop_full SELECT kind, size, paid FROM shop WHERE kind IN ('tea', 'salt', 'soap', 'nails') AND size IS NOT NULL;
ANALYZE shop, shop_people, shop_full;
SELECT dp_register_dataset('shop', 'shop', 1000, 1e-4), dp_register_dataset('shop_people', 'shop_people', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2, adjacency => 'add_remove'),
       dp_register_dataset('shop_full', 'shop_full', 1000, 1e-4, accountant => 'rdp'), dp_register_dataset('shop_wide', 'shop', 1000, 1e-4);
SELECT count(dp_register_column(d, 'kind', '{tea,salt,soap,nails}'::text[])), count(dp_register_column(d, 'size', 0, 59)), count(dp_register_column(d, 'paid', 0, 1)) FROM unnest('{shop,shop_people,shop_full}'::text[]) AS d;
SELECT count(dp_register_column(d, 'price', 0.1, 100, scale => 'log')) FROM unnest('{shop,shop_people}'::text[]) AS d;
SELECT dp_register_column('shop_wide', 'person', 0, 2000), dp_register_column('shop_wide', 'price', 0, 100), dp_register_column('shop_wide', 'size', 0, 59);
SELECT count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM unnest('{shop,shop_people,shop_full,shop_wide}'::text[]) AS d;
GRANT SELECT ON shop, shop_people, shop_full TO regress_reader;

-- without noise: the tables of the rows, whatever is unknown; serial, as a filter says, and of several rows a person
SET ROLE regress_reader;
SELECT columns, cells, noise_stddev FROM dp_synth_fit('shop', 'Infinity', bins => 12, columns => '{kind,size,paid}', rounds => 2) WHERE marginal <= 3;
SELECT count(*) AS tables FROM dp_synth_fit('shop_people', 'Infinity', bins => 4, filter => 'price > 50', rounds => 1);

-- private: close to the truth at a large epsilon (noise below 2 rows, tolerances above 12: false alarms below 1e-8)
SET ROLE regress_analyst;
SELECT count(*) AS tables, min(marginal) AS first, bool_and(noise_stddev BETWEEN 0.01 AND 2) AS noise FROM dp_synth_fit('shop', 100, bins => 12, label => 'paid', rounds => 4, model => 'shop');
SELECT model, marginals, round(rows / 100) * 100 AS rows, label FROM dpem.synth_models WHERE model = 'shop';
RESET ROLE;
CREATE FUNCTION pg_temp.truth(a text, b text DEFAULT NULL) RETURNS TABLE (keys text[], n bigint) LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE format('SELECT ARRAY[%s%s], count(*) FROM (SELECT CASE WHEN kind = ANY (''{tea,salt,soap,nails}'') THEN kind ELSE ''unknown'' END AS kind,
        coalesce(size / 5 * 5 || ''..'' || size / 5 * 5 + 4, ''unknown'') AS size, paid::text AS paid FROM shop) AS s GROUP BY 1', a, ', ' || b);
END$$;
SELECT t.table, bool_and(abs(r.value - coalesce(n, 0)) < 12) AS close, bool_and(measured) AS measured, count(*) AS cells, count(n) AS truths FROM (VALUES ('{kind}'::text[]), ('{size}'), ('{paid}')) AS t ("table"),
    LATERAL dp_tabulate('shop', t.table) AS r LEFT JOIN LATERAL pg_temp.truth(t.table[1]) AS x ON x.keys = r.keys GROUP BY 1 ORDER BY 1;
-- a pair, released or not: what is estimated is close, too, as the model knows both from what was released
SELECT sum(abs(value - coalesce(n, 0))) < 400 AS close, count(*) AS cells FROM dp_tabulate('shop', '{size,kind}', consistent => true) AS r LEFT JOIN LATERAL pg_temp.truth('size', 'kind') AS x USING (keys);
SELECT bool_and(value >= 0) AS counts, bool_or(measured) AS measured, near(sum(value), (SELECT rows FROM dpem.synth_models WHERE model = 'shop'), 0.001) AS whole FROM dp_tabulate('shop', '{kind,paid,price}', consistent => true);
SET ROLE regress_analyst;
-- filters, of whole bins
SELECT keys, value > 0 AS rows FROM dp_tabulate('shop', '{paid}', 'size BETWEEN 10 AND 19 AND kind IN (''salt'', ''tea'')') WHERE keys <> '{unknown}' ORDER BY keys;
SELECT near(sum(value), (SELECT sum(value) FROM dp_tabulate('shop', '{paid}', consistent => true)), 1e-6) AS all FROM (
    SELECT * FROM dp_tabulate('shop', '{paid}', 'size IS NULL', true) UNION ALL SELECT * FROM dp_tabulate('shop', '{paid}', 'NOT size IS NULL', true)) AS f;
-- numbers on their scales: bins are equally wide in the logarithm
SELECT keys[1] FROM dp_tabulate('shop', '{price}') LIMIT 2;
-- cells as released
SELECT columns, count(*) AS cells, bool_and(ci_lower < value AND value < ci_upper) AS intervals FROM dpem.synth_marginals WHERE model = 'shop' AND marginal <= 4 GROUP BY marginal, columns ORDER BY marginal;
-- associations: size says all of kind, price nothing
SELECT column_a, column_b, association > 0.5 AS strong, information >= 0 AS positive FROM dp_association('shop') WHERE column_a IN ('kind', 'size') AND column_b IN ('kind', 'size', 'price') ORDER BY 1, 2;
SELECT count(*) AS pairs, bool_and(association BETWEEN -1e-9 AND 1 + 1e-9) AS range FROM dpem.synth_associations WHERE model = 'shop';
SELECT dp_plot_loadings('shop') ~ 'kind' AS picture;
-- the label: who is tall pays
SELECT dp_predict_label('shop', '{"kind": "nails"}') AS nails, dp_predict_label('shop', '{"kind": "tea", "size": 11}') AS tea, dp_predict('shop', '{"kind": "tea", "size": 11}') AS class,
       near((SELECT sum(p) FROM unnest(dp_posterior('shop', '{"kind": "soap"}')) AS p), 1) AS whole, dp_log_density('shop', '{"kind": "tea", "size": 11, "paid": 0, "price": 3}') < 0 AS density;
-- rows, in the source's own types
SELECT dp_sample_sql('shop');
SELECT count(*) AS rows, count(size) < 3000 AS unknown_sizes, count(kind) < 3000 AS unknown_kinds, bool_and(price BETWEEN 0.1 AND 100) AS prices, bool_and(size BETWEEN 0 AND 59) AS sizes, pg_typeof(min(size)) AS type,
       avg(paid) FILTER (WHERE kind = 'nails') > avg(paid) FILTER (WHERE kind = 'tea') AS nails_are_paid FROM dp_sample_rows('shop', 3000) AS t (kind text, size int, paid int, price float8);
-- weights: of a public half of the kinds in other shares
CREATE TEMP TABLE public_shop AS SELECT kind, size::int, paid, price FROM dp_sample_rows('shop', 2000) AS t (kind text, size int, paid int, price float8);
INSERT INTO public_shop SELECT * FROM public_shop WHERE kind = 'tea';
SELECT count(*) = (SELECT count(*) FROM public_shop) AS rows, near(avg(weight), 1) AS mean, percentile_cont(0.5) WITHIN GROUP (ORDER BY weight) FILTER (WHERE kind = 'tea') < percentile_cont(0.5) WITHIN GROUP (ORDER BY weight) FILTER (WHERE kind = 'nails') AS tea_weighs_less
  FROM dp_importance('shop', 'public_shop') AS w JOIN public_shop AS p ON p.ctid = w.place;
-- groups, filters, persons, another accountant, tables that are wanted, no more than one column
SELECT key, count(*) FROM dp_synth_fit('shop', 5, by => 'kind', bins => 6, rounds => 2, model => 'shop_by') GROUP BY key ORDER BY key;
SELECT count(*) FROM dp_synth_fit('shop_people', 5, filter => 'price > 50', bins => 6, rounds => 2);
SELECT count(*) FROM dp_synth_fit('shop_full', 5, bins => 6, rounds => 2, workload => '{"kind,paid","size,paid"}', composition => 'zcdp');
SELECT columns, noise_stddev > 0 AS noise FROM dp_synth_fit('shop_full', 5, columns => '{kind}');
-- the plan
SELECT statistic, releases, noise_stddev > 0 AS noise FROM dp_synth_plan('shop', 1, rounds => 3) ORDER BY line, statistic;

-- early rounds have no room for the pair and measure the first column again, which is larger than the pair: what is paid for is a model all the same
RESET ROLE;
SET ROLE regress_owner;
CREATE TABLE shop_blank AS SELECT (i * 0.5698402909 % 1)::float8 AS price, (ARRAY['tea', 'salt', NULL])[1 + i % 3] AS kind, (ARRAY['yes', 'no', NULL])[1 + i / 3 % 3] AS paid FROM generate_series(1, 9000) AS i;
SELECT dp_register_dataset('shop_blank', 'shop_blank', 1000, 1e-4), dp_register_column('shop_blank', 'price', 0, 1), dp_register_column('shop_blank', 'kind', '{tea,salt}'::text[]),
       dp_register_column('shop_blank', 'paid', '{yes,no}'::text[]), dp_grant_budget('regress_analyst', 'shop_blank', 900, 1e-4);
SELECT format('CREATE TABLE shop_many AS SELECT %s FROM generate_series(1, 100) AS i', string_agg('i % 2 AS c' || c, ', ' ORDER BY c)) FROM generate_series(1, 25) AS c \gexec
SELECT dp_register_dataset('shop_many', 'shop_many', 1000, 1e-4), dp_grant_budget('regress_analyst', 'shop_many', 900, 1e-4);
SELECT count(dp_register_column('shop_many', 'c' || c, 0, 1)) FROM generate_series(1, 25) AS c;
SET ROLE regress_analyst;
SELECT count(*) = 33 AS tables, count(*) FILTER (WHERE columns = '{price}') > 1 AS again FROM dp_synth_fit('shop_blank', 100, workload => '{"kind,paid"}', rounds => 30);

SELECT bool_and(association BETWEEN 0 AND 1) AS parts FROM dpem.synth_associations;

-- what is refused, before it is paid for
SELECT charges() AS before \gset
SELECT n, attempt('SELECT * FROM ' || c) AS attempt FROM (VALUES
    (1, $$dp_synth_fit('shop', 1, bins => 1)$$), (2, $$dp_synth_fit('shop', 1, bins => 1000)$$), (3, $$dp_synth_fit('shop', 1, label => 'nothing')$$), (4, $$dp_synth_fit('shop', 1, workload => '{"kind,nothing"}')$$),
    (5, $$dp_synth_fit('shop', 1, workload => '{","}')$$), (6, $$dp_synth_fit('shop', 1, rounds => 0)$$), (7, $$dp_synth_fit('shop_wide', 1, bins => 499, workload => '{"person,price,size"}')$$),
    (8, $$dp_tabulate('shop', '{nothing}')$$), (9, $$dp_tabulate('shop', '{kind,kind}')$$), (10, $$dp_tabulate('shop', NULL)$$), (11, $$dp_tabulate('shop', '{kind}', 'size < 12')$$), (12, $$dp_tabulate('shop', '{kind}', 'size < 10 OR paid = 1')$$),
    (13, $$dp_tabulate('shop', '{kind}', 'kind < ''tea''')$$), (14, $$dp_tabulate('shop', '{kind}', 'kind = 3')$$), (15, $$dp_tabulate('shop', '{kind}', 'nothing = 3')$$), (16, $$dp_tabulate('shop', '{kind}', 'kind =')$$),
    (17, $$dp_tabulate('nothing', '{kind}')$$), (18, $$dp_importance('shop', 'pg_class')$$), (19, $$dp_importance('shop', 'shop')$$), (20, $$dp_predict_label('shop_by/tea', '{"size": 11}')$$),
    (21, $$dp_synth_fit('shop_many', 1, rounds => 1000)$$)) AS v (n, c) ORDER BY n;
SELECT charges() - :before AS charged;
SET ROLE regress_other;
SELECT attempt($$SELECT * FROM dp_tabulate('shop', '{kind}')$$) AS attempt, (SELECT count(*) FROM dpem.synth_marginals) AS cells, attempt($$SELECT * FROM dp_association('shop')$$) AS pairs, dp_sample_sql('shop');
SET ROLE regress_analyst;
SELECT count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE dataset LIKE 'shop%';
RESET ROLE;
