-- dp_synth_fit where every pair is released: with few columns or much to see nothing is chosen, and pairs are known beside the model
\pset null -
SET ROLE regress_owner;
-- tea costs up to 3, salt from 4 on; a fifth of the tea's prices are unknown
CREATE TABLE synth_once AS SELECT (ARRAY['tea', 'salt'])[1 + i % 2] AS kind, CASE WHEN i % 10 > 0 THEN i % 2 * 4 + i / 7 % 4 END AS price, CASE WHEN i % 2 = 0 THEN i / 3 % 3 ELSE i / 3 % 9 / 3 END AS hour FROM generate_series(1, 20000) AS i;
ANALYZE synth_once;
SELECT dp_register_dataset('synth_once', 'synth_once', 1000, 1e-4), dp_register_column('synth_once', 'kind', '{salt,tea}'::text[]), dp_register_column('synth_once', 'price', 0, 7), dp_register_column('synth_once', 'hour', 0, 2);
SELECT dp_grant_budget('regress_analyst', 'synth_once', 900, 1e-4);
SET ROLE regress_analyst;

-- what a plan says: one release of all pairs, and no choice; with rounds tables are chosen
SELECT statistic, releases, noise_stddev > 0 AS noise FROM dp_synth_plan('synth_once', 5) ORDER BY line, statistic;
SELECT statistic, releases, noise_stddev > 0 AS noise FROM dp_synth_plan('synth_once', 5, rounds => 2) ORDER BY line, statistic;

SELECT columns, cells, noise_stddev > 0 AS noise FROM dp_synth_fit('synth_once', 5, model => 'synth_once') ORDER BY cardinality(columns), columns;
-- all cells were released; their numbers are those of the table
RESET ROLE;
SELECT count(*) AS cells, bool_and(measured) AS measured, bool_and(near(noise_stddev, (SELECT max(noise_stddev) FROM dpem.synth_marginals WHERE model = 'synth_once' AND columns = 'price, hour'), 1e-9)) AS noise,
       bool_and(abs(t.value - (SELECT count(*) FROM synth_once s WHERE s.kind = keys[1] AND coalesce(s.price::text, 'unknown') = keys[2])) < 8 * noise_stddev) AS near
  FROM dp_tabulate('synth_once', '{kind,price}') AS t WHERE keys[1] <> 'unknown';
SET ROLE regress_analyst;
-- consistent tables: not negative, and with the same sums
SELECT count(*) AS cells, bool_and(value >= 0) AS counts, bool_or(measured) AS measured FROM dp_tabulate('synth_once', '{hour,price}', consistent => true);
SELECT bool_and(near(a.value, c.value, 1e-6 * (1 + c.value))) AS price_hour, bool_and(near(b.value, c.value, 1e-6 * (1 + c.value))) AS price_kind
  FROM (SELECT keys[1] AS key, sum(value) AS value FROM dp_tabulate('synth_once', '{price,hour}', consistent => true) GROUP BY 1) AS a
  JOIN (SELECT keys[1] AS key, sum(value) AS value FROM dp_tabulate('synth_once', '{price,kind}', consistent => true) GROUP BY 1) AS b USING (key)
  JOIN (SELECT keys[1] AS key, value FROM dp_tabulate('synth_once', '{price}', consistent => true)) AS c USING (key);
-- all else works as with chosen tables
SELECT least(column_a, column_b) AS a, greatest(column_a, column_b) AS b, information > 0.5 AS much, measured FROM dp_association('synth_once') WHERE column_a <> column_b ORDER BY 1, 2;
SELECT count(*) AS rows, avg((kind = 'salt' AND price < 4 OR kind = 'tea' AND price > 3)::int) < 0.1 AS together FROM dp_sample_rows('synth_once', 500) AS t (kind text, price int, hour int);
SELECT sum(value) > 5000 AS rows FROM dp_tabulate('synth_once', '{hour}', 'kind = ''tea''');
SELECT count(*) AS lines FROM dp_evaluate('synth_once', 'synth_once', 1);
-- and comes back from a document
RESET ROLE;
SELECT dp_model_from_json(dp_model_json('synth_once'), 'synth_once_copy') IS NOT NULL AS read;
SELECT bool_and(near(a.value, b.value, 1e-9)) AS same FROM dp_tabulate('synth_once', '{hour,price}', consistent => true) AS a JOIN dp_tabulate('synth_once_copy', '{hour,price}', consistent => true) AS b USING (keys);
SET ROLE regress_analyst;
-- by groups; a single pair, which leaves nothing to choose however small epsilon is
SELECT key, count(*) AS tables FROM dp_synth_fit('synth_once', 5, columns => '{price,hour}', by => 'kind', model => 'synth_once_by') GROUP BY key ORDER BY key;
SELECT count(*) AS tables FROM dp_synth_fit('synth_once', 0.01, columns => '{kind,hour}', model => 'synth_once_pair');
SELECT bool_and(value >= 0) AS counts FROM dp_tabulate('synth_once_pair', '{kind,hour}', consistent => true);
SELECT count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE dataset = 'synth_once' AND model NOT LIKE '%copy';
RESET ROLE;
SELECT dp_drop_model('synth_once_copy');
