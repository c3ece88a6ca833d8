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
