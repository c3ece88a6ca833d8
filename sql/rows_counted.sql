-- how many rows counted, as fits' own releases say, in dpem.models
SET ROLE regress_owner;
-- y is unknown in a quarter of the rows, thin in nine of ten, words of documents in none
CREATE TABLE tallied AS
SELECT i AS id, (i * 0.6180340 % 1) * 2 - 1 AS x, CASE WHEN i % 4 > 0 THEN (i * 0.7548777 % 1) * 2 - 1 END AS y, CASE WHEN i % 10 = 0 THEN (i * 0.5698403 % 1) END AS thin,
       CASE WHEN i % 3 = 0 THEN 'yes' ELSE 'no' END AS word, (ARRAY['red', 'green', 'blue'])[1 + i % 3] AS color, (i % 2)::float8 AS b, (i % 3 / 2)::float8 AS c, (i % 5 / 4)::float8 AS d, ARRAY['up', 'down'] AS said
  FROM generate_series(1, 6000) AS i;
ANALYZE tallied;
CREATE VIEW tallied_view AS TABLE tallied;
SELECT count(dp_register_dataset(d, d, 1000, 1e-3)) FROM unnest('{tallied,tallied_view}'::text[]) AS d;
SELECT count(dp_register_column(d, c, -1, 1)) + count(dp_register_column(d, 'thin', 0, 1)) FROM unnest('{tallied,tallied_view}'::text[]) AS d, unnest('{x,y}'::text[]) AS c;
SELECT count(dp_register_column(d, 'word', '{yes,no}'::text[])) + count(dp_register_column(d, 'color', '{red,green,blue}'::text[])) + count(dp_register_text(d, 'said', '{up,down}'::text[])) FROM unnest('{tallied,tallied_view}'::text[]) AS d;
SELECT count(dp_register_column(d, c, 0, 1)) FROM unnest('{tallied,tallied_view}'::text[]) AS d, unnest('{b,c,d}'::text[]) AS c;
SELECT count(dp_grant_budget('regress_analyst', d, 990, 1e-3)) FROM unnest('{tallied,tallied_view}'::text[]) AS d;
RESET ROLE;

-- each family's number is the right one, but for its noise: off by more than 12 standard deviations with a probability below 1e-9, also the sum of two
-- numbers with Laplace noise, which is off by 7 in one run of 150,000
SET ROLE regress_analyst;
SET client_min_messages = error;
CREATE FUNCTION pg_temp.fits(family text, own text, dataset text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
BEGIN
    EXECUTE format('SELECT count(*) FROM dp_%s_fit(%L, %s)', split_part(family, ' ', 1), dataset, format(own, 'tallied ' || family));
    RETURN n;
END$$;
CREATE TEMP TABLE expected (family text, own text, counted int);
INSERT INTO expected VALUES
    ('gmm', $$2, 20, columns => '{x,y}', model => %L$$, 4500), ('gmm marginal', $$2, 20, columns => '{x,y}', missing => 'marginal', model => %L$$, 6000),
    ('gmm paper', $$2, 20, columns => '{x,y}', mechanism => 'llg', precondition => 'none', iterations => 2, model => %L$$, 4500),
    ('kmeans', $$2, 20, columns => '{x,y}', model => %L$$, 4500), ('kmeans grid', $$2, 20, columns => '{x,y}', algorithm => 'grid', model => %L$$, 4500),
    ('kmeans joint', $$2, 20, columns => '{x,y}', algorithm => 'joint', model => %L$$, 4500), ('mixture', $$2, 20, columns => '{x,y,word}', model => %L$$, 6000),
    ('fa', $$1, 20, columns => '{x,y}', model => %L$$, 4500), ('pca', $$1, 20, columns => '{x,y}', model => %L$$, 4500), ('pca marginal', $$1, 20, columns => '{x,y}', missing => 'marginal', model => %L$$, 6000),
    ('linreg', $$'y', 20, columns => '{x}', model => %L$$, 4500), ('linreg filter', $$'y', 20, columns => '{x}', filter => 'word = ''yes''', model => %L$$, 1500),
    ('logit', $$'word', 20, columns => '{x,y}', model => %L$$, 6000), ('logit complete', $$'word', 20, columns => '{x,y}', missing => 'complete', model => %L$$, 4500), ('logit classes', $$'color', 20, columns => '{x,y}', model => %L$$, 6000), ('svm', $$'word', 20, columns => '{x,y}', model => %L$$, 6000),
    ('bayes', $$'word', 20, columns => '{x,y}', model => %L$$, 6000), ('gam', $$'word', 20, columns => '{x,y}', bins => 4, model => %L$$, 6000), ('gam number', $$'y', 20, columns => '{x}', bins => 4, model => %L$$, 4500),
    ('synth', $$20, columns => '{x,y,word}', bins => 4, rounds => 1, model => %L$$, 6000), ('sbn', $$1, 20, columns => '{b,c,d}', iterations => 2, model => %L$$, 6000),
    ('lda', $$1, 20, model => %L$$, NULL), ('logit output', $$'word', 20, columns => '{x,y}', algorithm => 'output', model => %L$$, 6000),
    ('logit objective', $$'word', 20, columns => '{x,y}', algorithm => 'objective', model => %L$$, 6000);
SELECT count(*) FROM expected, pg_temp.fits(family, own, 'tallied');
SELECT e.family, m.rows_counted IS NOT NULL AS said, abs(m.rows_counted - e.counted) < 12 * m.rows_counted_noise AS right, m.rows_counted_noise < 100 AS noise
  FROM expected AS e JOIN dpem.models AS m ON m.model = 'tallied ' || e.family ORDER BY e.family COLLATE "C";
-- of groups each has its own; a copy of the model has what was released
CREATE TEMP TABLE returned AS SELECT * FROM dp_gmm_fit('tallied', 1, 20, columns => '{x,y}', by => 'color', model => 'tallied groups');
SELECT count(*) AS models, bool_and(r.rows_counted = m.rows_counted AND r.rows_counted_noise = m.rows_counted_noise) AS same FROM returned AS r JOIN dpem.models AS m USING (model, key);
SELECT key, abs(rows_counted - 1500) < 7 * rows_counted_noise AS right FROM dpem.models WHERE model ~ '^tallied groups' ORDER BY key COLLATE "C";
SELECT j->'model'->'rows_counted' IS NOT NULL AS carried FROM dp_model_json('tallied gmm') AS j;

-- every fit returns it; topics have no release that says it
SELECT count(*) FILTER (WHERE 'rows_counted' = ANY (proargnames) AND 'rows_counted_noise' = ANY (proargnames)) = count(*) AS all_say FROM pg_proc WHERE proname ~ '^dp_[a-z]+_fit$';
SELECT count(*) AS rows, count(rows_counted) AS said FROM dp_lda_fit('tallied', 1, 20, model => 'tallied returned');
-- a plan says of which rows the number will be
CREATE FUNCTION pg_temp.required(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    said text;
BEGIN
    EXECUTE format('SELECT string_agg(DISTINCT required_columns::text, %L) FROM dp_%s', '; ', call) INTO said;
    RETURN said;
END$$;
SELECT call, pg_temp.required(call) AS required FROM (VALUES ($$gmm_plan('tallied', 2, 1)$$), ($$gmm_plan('tallied', 2, 1, columns => '{x,y}', missing => 'marginal')$$), ($$gmm_plan('tallied', 2, 1, columns => '{x,y}', by => 'color')$$),
    ($$linreg_plan('tallied', 'y', 1, columns => '{x,word}')$$), ($$logit_plan('tallied', 'word', 1, columns => '{x,y}')$$), ($$bayes_plan('tallied', 'word', 1, columns => '{x,y}')$$),
    ($$gam_plan('tallied', 'y', 1, columns => '{x}')$$), ($$mixture_plan('tallied', 2, 1)$$), ($$lda_plan('tallied', 2, 1)$$), ($$statistic_plan('avg', 'tallied', 1, column_name => 'thin')$$),
    ($$statistic_plan('count', 'tallied', 1)$$), ($$statistic_plan('sum', 'tallied', 1, column_name => 'x', by => 'color')$$), ($$describe_plan('tallied', 1)$$)) AS c(call);

-- said where it is less than half of what the table publicly has, by numbers that were released: not of a view, or a filter, whose rows are private
RESET client_min_messages;
\set VERBOSITY terse
SET dpem.noise_warnings = on;
SELECT count(*) FROM dp_linreg_fit('tallied', 'thin', 100, columns => '{x}');
SELECT count(*) FROM dp_linreg_fit('tallied', 'y', 100, columns => '{x}');
SELECT count(*) FROM dp_linreg_fit('tallied_view', 'thin', 100, columns => '{x}');
SELECT count(*) FROM dp_linreg_fit('tallied', 'thin', 100, columns => '{x}', filter => 'x > 0');
-- nor where numbers that are unknown are imputed: every row counted, however rarely they are known
SELECT count(*) FROM dp_logit_fit('tallied', 'word', 20, columns => '{thin}', algorithm => 'output', positive => 'yes');
SELECT count(*) FROM dp_svm_fit('tallied', 'word', 20, columns => '{thin}', algorithm => 'objective', positive => 'yes');
SET dpem.noise_warnings = off;
SELECT count(*) FROM dp_linreg_fit('tallied', 'thin', 100, columns => '{x}');

SELECT count(dp_drop_model(model)) FROM dpem.models WHERE dataset ~ '^tallied';
RESET ROLE;
