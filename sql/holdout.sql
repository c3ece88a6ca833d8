-- arguments that all fits have: holdout and part, replace, and an epsilon that is left out
\pset null -
SET ROLE regress_owner;
CREATE TABLE holdout_rows AS SELECT i % 50 AS x, i % 7 AS y, CASE WHEN i % 3 = 0 THEN 'a' ELSE 'b' END AS label, 'p' || i % 900 AS person FROM generate_series(1, 3000) AS i;
ALTER TABLE holdout_rows ADD COLUMN id serial;
CREATE TABLE holdout_persons AS SELECT * FROM holdout_rows;
ANALYZE holdout_rows, holdout_persons;
SELECT dp_register_dataset('holdout_rows', 'holdout_rows', 500, 1e-5), dp_register_dataset('holdout_persons', 'holdout_persons', 500, 1e-5, unit => 'person', max_rows_per_unit => 5);
SELECT count(dp_register_column(d, c, 0, 49)), count(dp_register_column(d, 'label', '{a,b}')), count(dp_grant_budget('regress_analyst', d, 400, 1e-5))
  FROM unnest('{holdout_rows,holdout_persons}'::text[]) AS d, unnest('{x,y}'::text[]) AS c;
GRANT SELECT ON holdout_rows, holdout_persons TO regress_reader;
RESET ROLE;

-- what the secret says: a fifth of the units, the same in every fit; others of another dataset
CREATE TEMP TABLE kept AS
SELECT 'holdout_rows' AS d, t.*, hashtextextended(t::text COLLATE "C", k.holdout_key) < ((0.2 - 0.5) * 2 ^ 64)::numeric::bigint AS held FROM holdout_rows AS t, dpem_internal.dataset AS k WHERE k.name = 'holdout_rows'
UNION ALL SELECT 'holdout_persons', t.*, hashtextextended(t.person COLLATE "C", k.holdout_key) < ((0.2 - 0.5) * 2 ^ 64)::numeric::bigint FROM holdout_persons AS t, dpem_internal.dataset AS k WHERE k.name = 'holdout_persons';
GRANT SELECT ON kept TO PUBLIC;
-- of 3000 rows 600 +- 22, of 900 persons 180 +- 12, who have 600 +- 40 rows together: seven deviations, false alarms below 1e-11
SELECT d, abs(count(*) FILTER (WHERE held) - 600) < CASE d WHEN 'holdout_rows' THEN 160 ELSE 280 END AS a_fifth, count(DISTINCT person) FILTER (WHERE held) > 95 AS persons FROM kept GROUP BY d ORDER BY d;
SELECT count(*) FROM (SELECT person FROM kept WHERE d = 'holdout_persons' GROUP BY person HAVING count(DISTINCT held) > 1) AS split;
SET ROLE regress_reader;
CREATE FUNCTION pg_temp.mean(dataset text, part text, by_label text) RETURNS float8[] LANGUAGE plpgsql AS $$
DECLARE m float8[];
BEGIN
    EXECUTE format('SELECT array_agg(mean[1] ORDER BY key) FROM dp_gmm_fit(%L, 1, ''Infinity'', columns => ''{x}'', estimator => ''mle'', iterations => 2, holdout => 0.2, part => %L, by => %L)', dataset, part, by_label) INTO m;
    RETURN m;
END$$;
SELECT d, near((pg_temp.mean(d, NULL, NULL))[1], avg(x) FILTER (WHERE NOT held), 1e-6) AS rest, near((pg_temp.mean(d, 'rest', NULL))[1], avg(x) FILTER (WHERE NOT held), 1e-6) AS named,
       near((pg_temp.mean(d, 'holdout', NULL))[1], avg(x) FILTER (WHERE held), 1e-6) AS holdout FROM kept GROUP BY d ORDER BY d;
SELECT d, near((pg_temp.mean(d, 'holdout', 'label'))[1], avg(x) FILTER (WHERE held AND label = 'a'), 1e-6) AS a, near((pg_temp.mean(d, 'rest', 'label'))[2], avg(x) FILTER (WHERE NOT held AND label = 'b'), 1e-6) AS b
  FROM kept GROUP BY d ORDER BY d;
-- the session's own settings move nobody, and with a filter both count
SET TimeZone = 'Asia/Tokyo';
SET DateStyle = 'German';
SET extra_float_digits = -5;
SELECT near((SELECT mean[1] FROM dp_kmeans_fit('holdout_rows', 1, 'Infinity', columns => '{x}', iterations => 1, holdout => 0.2, part => 'holdout', filter => 'y < 3')), avg(x) FILTER (WHERE held AND y < 3), 1e-6) AS filtered FROM kept WHERE d = 'holdout_rows';
RESET TimeZone;
RESET DateStyle;
RESET extra_float_digits;
-- blanks at the end of char make no other unit
RESET ROLE;
CREATE TABLE holdout_blanks AS SELECT i % 2 AS x, (CASE WHEN i % 2 = 0 THEN 'p' || i / 2 ELSE 'p' || i / 2 || '  ' END)::bpchar AS person FROM generate_series(0, 999) AS i;
SELECT dp_register_dataset('holdout_blanks', 'holdout_blanks', 500, 1e-5, unit => 'person', max_rows_per_unit => 2), dp_register_column('holdout_blanks', 'x', 0, 1);
GRANT SELECT ON holdout_blanks TO regress_reader;
SET ROLE regress_reader;
SELECT near((pg_temp.mean('holdout_blanks', part, NULL))[1], 0.5, 1e-6) AS both_rows FROM unnest('{rest,holdout}'::text[]) AS part;

-- with noise it is stored what was left out; the number of rows is public no more
SET ROLE regress_analyst;
SELECT count(*) FROM dp_gmm_fit('holdout_rows', 1, 2, holdout => 0.25, model => 'held');
SELECT count(*) FROM dp_logit_fit('holdout_persons', 'label', 2, holdout => 0.25, part => 'holdout', model => 'held_logit');
SELECT model, holdout, part FROM dpem.models WHERE model ~ '^held' ORDER BY model;
SELECT (SELECT noise_stddev FROM dp_gmm_plan('holdout_rows', 1, 1) WHERE line = 1) > 0 AS plans, (SELECT count(*) FROM dp_linreg_plan('holdout_rows', 'x', 1, holdout => 0.5)) > 0 AS with_holdout;
SELECT attempt(s) FROM unnest(ARRAY[$$SELECT dp_gmm_plan('holdout_rows', 1, 1, holdout => 0)$$, $$SELECT dp_gmm_plan('holdout_rows', 1, 1, holdout => 1)$$, $$SELECT dp_gmm_plan('holdout_rows', 1, 1, holdout => 'NaN')$$,
    $$SELECT dp_gmm_plan('holdout_rows', 1, 1, part => 'holdout')$$, $$SELECT dp_gmm_plan('holdout_rows', 1, 1, holdout => 0.2, part => 'test')$$]) AS s;
RESET ROLE;
-- a model of the rest is evaluated on the rows that were held out, and on no others: part alone means the holdout of its fit
SET ROLE regress_analyst;
SELECT count(*) FROM dp_linreg_fit('holdout_rows', 'x', 2, columns => '{y,label}', holdout => 0.2, model => 'held_line');
SELECT count(*) FROM dp_logit_fit('holdout_persons', 'label', 2, columns => '{x,y}', holdout => 0.2, model => 'held_class');
SELECT count(dp_grant_model(m, 'regress_reader')) FROM unnest('{held_line,held_class,held}'::text[]) AS m;
SET ROLE regress_reader;
CREATE FUNCTION pg_temp.metric(model text, metric text, dataset text, more text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE v float8;
BEGIN
    EXECUTE format('SELECT value FROM dp_evaluate(%L, %L, ''Infinity''%s) WHERE metric = %L', model, dataset, more, metric) INTO STRICT v;
    RETURN v;
END$$;
CREATE TEMP TABLE held_said AS SELECT d, held, x, label, CASE d WHEN 'holdout_rows' THEN x - dp_predict_value('held_line', jsonb_build_object('y', y, 'label', label)) END AS r,
       CASE d WHEN 'holdout_persons' THEN dp_predict_label('held_class', jsonb_build_object('x', x, 'y', y)) END AS said FROM kept;
SELECT more, near(pg_temp.metric('held_line', 'rows', 'holdout_rows', more), count(*) FILTER (WHERE d = 'holdout_rows' AND held = h)) AS rows,
       near(pg_temp.metric('held_line', 'rmse', 'holdout_rows', more), sqrt(avg(r * r) FILTER (WHERE held = h)), 1e-6) AS rmse,
       near(pg_temp.metric('held_class', 'rows', 'holdout_persons', more), count(*) FILTER (WHERE d = 'holdout_persons' AND held = h)) AS persons,
       near(pg_temp.metric('held_class', 'positives', 'holdout_persons', more), count(*) FILTER (WHERE d = 'holdout_persons' AND held = h AND label = 'b')) AS positives,
       near(pg_temp.metric('held_class', 'accuracy', 'holdout_persons', more), avg((label = said)::int) FILTER (WHERE held = h)) AS accuracy
  FROM (VALUES (true, $$, holdout => 0.2, part => 'holdout'$$), (true, $$, part => 'holdout'$$), (false, $$, holdout => 0.2$$), (false, $$, part => 'rest'$$)) AS v (h, more), held_said
 GROUP BY h, more ORDER BY more COLLATE "C";
SELECT near(pg_temp.metric('held_line', 'rows', 'holdout_rows', ''), 3000) AS all_rows;
-- nobody is held out of another dataset in the same way, nor is anything known of a model without a holdout
SET ROLE regress_analyst;
SELECT count(*) FROM dp_kmeans_fit('holdout_rows', 2, 1, model => 'held_none');
SELECT attempt($$SELECT * FROM dp_evaluate('held_line', 'holdout_persons', 1, part => 'holdout')$$), attempt($$SELECT * FROM dp_evaluate('held_none', 'holdout_rows', 1, part => 'holdout')$$);
-- with noise, and what the plan says
SELECT near(value, 600, 0.27) AS rows FROM dp_evaluate('held_line', 'holdout_rows', 20, part => 'holdout') WHERE metric = 'rows';
SELECT count(*) FROM dp_evaluate_plan('held_line', 'holdout_rows', 1, part => 'holdout');
RESET ROLE;
SELECT has_column_privilege('regress_owner', 'dpem_internal.dataset', 'holdout_key', 'SELECT') AS secret_is_seen;

-- replace: the new model has the name and the grants
SET ROLE regress_analyst;
SELECT dp_grant_model('held', 'regress_other');
SELECT count(*) FROM dp_gmm_fit('holdout_rows', 2, 1, model => 'held');
SELECT count(*) FROM dp_gmm_fit('holdout_rows', 2, 1, model => 'held', replace => true);
SELECT components, holdout FROM dpem.models WHERE model = 'held';
BEGIN;
SELECT count(*) FROM dp_kmeans_fit('holdout_rows', 3, 1, model => 'held', replace => true);
SELECT family, components FROM dpem.models WHERE model = 'held';
ROLLBACK;
SELECT family, components FROM dpem.models WHERE model = 'held';
SELECT count(*) FROM dp_gmm_fit('holdout_rows', 1, 1, by => 'label', model => 'groups of holdout', replace => true);
SELECT count(*) FROM dp_gmm_fit('holdout_rows', 1, 1, by => 'label', model => 'groups of holdout', replace => true);
SELECT attempt($$SELECT dp_gmm_fit('holdout_rows', 1, 1, replace => true)$$);
SET ROLE regress_other;
SELECT model, components FROM dpem.models WHERE model = 'held';
RESET ROLE;
-- not somebody else's
SET ROLE regress_owner;
SELECT dp_grant_budget('regress_other', 'holdout_rows', 100, 1e-5);
SET ROLE regress_other;
SELECT attempt($$SELECT dp_gmm_fit('holdout_rows', 1, 1, model => 'held', replace => true)$$), attempt($$SELECT dp_gmm_fit('holdout_rows', 1, 1, model => 'groups of holdout/a', replace => true)$$);
RESET ROLE;
SELECT count(*) FROM dpem_internal.gmm_parameter AS p WHERE NOT EXISTS (SELECT FROM dpem_internal.model AS m WHERE m.id = p.model);
SELECT count(*) FROM dpem_internal.model_grant AS p WHERE NOT EXISTS (SELECT FROM dpem_internal.model AS m WHERE m.id = p.model);

-- epsilon left out
SET ROLE regress_analyst;
SELECT * FROM dp_gmm_fit('holdout_rows', 2);
SELECT * FROM dp_count('holdout_rows');
SELECT * FROM dp_kmeans_plan('holdout_rows', 2);
SET ROLE regress_owner;
SELECT dp_register_dataset('holdout_again', 'holdout_rows', 1);
SELECT dp_register_dataset('holdout_again', 'holdout_rows');
SELECT dp_grant_budget('regress_other', 'holdout_rows');
SELECT count(dp_drop_model(model)) FROM dpem.models WHERE dataset ~ '^holdout_';
SELECT dp_drop_dataset('holdout_rows'), dp_drop_dataset('holdout_persons');
