-- dp_synth_fit at its limits: what is refused beforehand, with the numbers and what to drop; odd tables that are answered
\pset null -
SET ROLE regress_owner;
-- sixty columns, of which each follows the one before it in nine rows of ten
SELECT format('CREATE TABLE synth_sixty AS SELECT %s FROM generate_series(1, 600) AS i', string_agg(format('((i + (i * %s %% 10 = 0)::int) %% 2)::int AS c%s', c, c), ', ')) FROM generate_series(1, 60) AS c \gexec
-- columns of one value, of none, of categories that are none, and a thousand categories
CREATE TABLE synth_odd AS SELECT i / 2 AS person, 7 AS same, NULL::int AS blank, NULL::text AS nothing, 'only' AS only, (ARRAY['a', 'b', 'other'])[1 + i % 3] AS kind,
       'k' || i % 1000 AS wide, i::float8 AS price, CASE WHEN i % 10 = 0 THEN i % 2 END AS seldom FROM generate_series(1, 50) AS i;
CREATE TABLE synth_odd_people AS TABLE synth_odd;
ALTER TABLE synth_odd ALTER same SET NOT NULL;
ANALYZE synth_sixty, synth_odd, synth_odd_people;
SELECT dp_register_dataset('synth_sixty', 'synth_sixty', 1000, 1e-4), dp_register_dataset('synth_odd', 'synth_odd', 1000, 1e-4, adjacency => 'replace_one'),
       dp_register_dataset('synth_odd_people', 'synth_odd_people', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2);
SELECT count(dp_register_column('synth_sixty', 'c' || c, 0, 1)) FROM generate_series(1, 60) AS c;
SELECT count(dp_register_column(d, 'same', 7, 7.5)), count(dp_register_column(d, 'blank', 0, 9)), count(dp_register_column(d, 'nothing', '{x,y}'::text[])), count(dp_register_column(d, 'only', '{only}'::text[])),
       count(dp_register_column(d, 'kind', '{a,b,c}'::text[])), count(dp_register_column(d, 'price', 0, 1e6)), count(dp_register_column(d, 'seldom', 0, 1)) FROM unnest('{synth_odd,synth_odd_people}'::text[]) AS d;
SELECT dp_register_column('synth_odd', 'wide', array_agg('k' || i)) FROM generate_series(0, 999) AS i;
SELECT count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM unnest('{synth_sixty,synth_odd,synth_odd_people}'::text[]) AS d;

-- refused before anything is paid
SET ROLE regress_analyst;
SELECT charges() AS before \gset
SELECT n, regexp_replace(attempt('SELECT * FROM ' || c), '[0-9]+ cells each take [0-9]+ MB', 'many cells take many MB') AS attempt FROM (VALUES
    (1, $$dp_synth_fit('synth_odd', 1)$$), (2, $$dp_synth_fit('synth_odd', 1, columns => '{price,kind}', by => 'wide')$$), (3, $$dp_synth_fit('synth_sixty', 1, label => 'c1', workload => '{"c1,c2,c3,c4,c5"}')$$),
    (4, $$dp_synth_fit('synth_sixty', 1, rounds => 1000)$$), (5, $$dp_synth_fit('synth_odd', 1, columns => '{only}')$$)) AS v (n, c) ORDER BY n;
SELECT charges() - :before AS charged;

-- sixty numbers in wide domains that may be unknown: as many bins as there is room for
SET ROLE regress_owner;
SELECT format('CREATE TABLE synth_numbers AS SELECT %s FROM generate_series(1, 100) AS i', string_agg(format('i AS c%s', c), ', ')) FROM generate_series(1, 60) AS c \gexec
SELECT count(dp_register_dataset('synth_numbers', 'synth_numbers', 10, 1e-4));
SELECT count(dp_register_column('synth_numbers', 'c' || c, 0, 1000)) FROM generate_series(1, 60) AS c;
SELECT statistic, noise_stddev BETWEEN 900000 AND 1048576 AS room FROM dp_synth_plan('synth_numbers', 1) WHERE statistic = 'cells of all tables';
SELECT attempt($$SELECT * FROM dp_synth_plan('synth_numbers', 1, bins => 32)$$);
SET ROLE regress_analyst;

-- sixty columns, few rounds; and what is said of columns far apart
SELECT count(*) AS tables FROM dp_synth_fit('synth_sixty', 1, rounds => 3, model => 'synth_sixty');
SELECT count(*) AS cells, bool_and(value >= 0) AS counts FROM dp_tabulate('synth_sixty', '{c1,c20,c40,c60}', consistent => true);
SELECT count(*) FROM dp_sample_rows('synth_sixty', 100) AS t (c1 int, c2 int);

-- fifty rows: constants, nothing but NULL, categories that are none, few known, replace_one; and persons of two rows
SELECT count(*) > 6 AS tables FROM dp_synth_fit('synth_odd', 1, columns => '{same,blank,nothing,kind,price,seldom}', model => 'synth_odd');
SELECT c, sum((keys[1] = 'unknown')::int) AS unknown, count(*) AS cells, bool_and(measured) AS measured, near(sum(value), (SELECT sum(value) FROM dp_tabulate('synth_odd', '{kind}', consistent => true)), 1e-6) AS same_total
  FROM unnest('{same,blank,nothing,kind}'::text[]) AS c, LATERAL dp_tabulate('synth_odd', ARRAY[c], consistent => true) GROUP BY c ORDER BY c;
SELECT count(*) AS rows, bool_and(same = 7) IS NOT FALSE AS same FROM dp_sample_rows('synth_odd', 50) AS t (same int, blank int, nothing text, kind text, price float8);
SELECT count(*) > 6 AS tables FROM dp_synth_fit('synth_odd_people', 1, columns => '{same,blank,nothing,kind,price,seldom}', filter => 'price > 10', model => 'synth_odd_people');
SELECT bool_and(value >= 0) AS counts FROM dp_tabulate('synth_odd_people', '{kind,same}', 'price < 500000', true);
-- groups of few rows, and of none; one column; columns of one cell alone
SELECT key, count(*) > 3 AS tables FROM dp_synth_fit('synth_odd', 1, columns => '{same,seldom,price}', by => 'kind', rounds => 2, model => 'synth_odd_by') GROUP BY key ORDER BY key;
SELECT sum(value) > 0 AS rows FROM dp_tabulate('synth_odd_by/c', '{same,seldom}', consistent => true);
SELECT columns, cells FROM dp_synth_fit('synth_odd', 1, columns => '{same}');
-- the least epsilon and a large one
SELECT count(*) > 2 AS tables FROM dp_synth_fit('synth_odd', 0.001, columns => '{kind,price}', bins => 400);
SELECT count(*) > 2 AS tables FROM dp_synth_fit('synth_odd', 100, columns => '{kind,price}', bins => 400);
SELECT count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE dataset LIKE 'synth\_%';
RESET ROLE;
