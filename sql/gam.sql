-- dp_gam_fit: shape functions of labels and numbers, values that are missing, what it charges, the models' use, and what is refused
\pset null -
SET ROLE regress_owner;
CREATE TABLE gam_rows AS
SELECT i AS id, i / 2 AS person, CASE WHEN i % 10 = 0 THEN NULL ELSE x END AS x, z, color, kind, CASE WHEN 2 * x + CASE color WHEN 'red' THEN 1 ELSE 0 END > e THEN 'yes' ELSE 'no' END AS word, 10 * x + e AS y
  FROM (SELECT i, (i * 0.7548776662 % 1)::float8 * 2 - 1 AS x, 10 ^ ((i * 0.5698402909 % 1)::float8 * 4) AS z, (i * 0.41421356237 % 1)::float8 * 2 - 1 AS e,
               (ARRAY['red', 'green', 'blue'])[1 + i % 3] AS color, (ARRAY['a', 'b', 'c'])[1 + i * 3 % 7 % 3] AS kind FROM generate_series(1, 6000) AS i) AS s;
CREATE TABLE gam_guests AS TABLE gam_rows;
ANALYZE gam_rows, gam_guests;
SELECT dp_register_dataset('gam_rows', 'gam_rows', 1000, 1e-4), dp_register_dataset('gam_guests', 'gam_guests', 1000, 1e-4, adjacency => 'add_remove', accountant => 'rdp', unit => 'person', max_rows_per_unit => 2);
SELECT count(dp_register_column(d, 'x', -1, 1)), count(dp_register_column(d, 'z', 1, 10000, scale => 'log')), count(dp_register_column(d, 'y', -20, 20)),
       count(dp_register_column(d, 'color', '{red,green,blue}'::text[])), count(dp_register_column(d, 'word', '{no,yes}'::text[])),
       count(dp_register_column(d, 'kind', '{a,b,c}'::text[])), count(dp_grant_budget('regress_analyst', d, 900, 1e-4))
  FROM unnest('{gam_rows,gam_guests}'::text[]) AS d;
RESET ROLE;

SET ROLE regress_analyst;
-- a shape for each column, ten bins of a number, one more for rows without a value
SELECT class, column_name, count(*) AS cells, count(category) AS categories, count(lower) AS bins, bool_and(noise_stddev > 0 AND stddev >= noise_stddev AND ci_lower < contribution AND contribution < ci_upper) AS sure
  FROM dp_gam_fit('gam_rows', 'word', 20, columns => '{x,z,color}', bins => 10, model => 'gam_word') GROUP BY 1, 2 ORDER BY 2;
SELECT column_name, bin, round(lower::numeric, 6) AS lower, round(upper::numeric, 6) AS upper, category FROM dpem.gam_shapes WHERE model = 'gam_word' AND bin IN (0, 1, 2) ORDER BY position, bin;
SELECT bool_and(contribution > before OR bin = 1) AS rises FROM (SELECT bin, contribution, lag(contribution) OVER (ORDER BY bin) AS before FROM dpem.gam_shapes WHERE model = 'gam_word' AND column_name = 'x' AND bin IN (1, 4, 7, 10)) AS s;
SELECT sum(contribution) FILTER (WHERE category = 'red') > 0.5 + max(contribution) FILTER (WHERE category <> 'red') AS red FROM dpem.gam_shapes WHERE model = 'gam_word' AND column_name = 'color';
-- by row and array, with and without values
SELECT dp_predict_label('gam_word', jsonb_build_object('x', 0.9, 'z', 5, 'color', 'red')), dp_predict('gam_word', '{-0.9,5,0,1,0}'::float8[]),
       near((SELECT sum(p) FROM unnest(dp_posterior('gam_word', jsonb_build_object('x', NULL, 'z', 5, 'color', NULL))) AS p), 1) AS sums,
       near((dp_posterior('gam_word', '{0.9,5,1,0,0}'::float8[]))[2], (dp_posterior('gam_word', '{"x": 0.9, "z": 5, "color": "red"}'::jsonb))[2]) AS same;
SELECT dp_predict_value('gam_word', '{0.9,5,1,0,0}'::float8[]);
-- a number
SELECT count(*) FROM dp_gam_fit('gam_rows', 'y', 20, columns => '{x,color}', bins => 16, model => 'gam_y');
SELECT near(dp_predict_value('gam_y', '{"x": 0.5, "color": "red"}'), 5, 1.5) AS value, (dp_predict_interval('gam_y', '{"x": 0.5, "color": "red"}', 0.95)).upper > dp_predict_value('gam_y', '{"x": 0.5, "color": "red"}') AS upper;
SELECT dp_predict('gam_y', '{"x": 0.5, "color": "red"}');
-- the mean alone where noise would hide a number in the cells, as the public number of rows says, and no bins were asked for
SELECT statistic, releases, near(sensitivity, CASE WHEN statistic ~ 'gradients' THEN 2 WHEN statistic ~ 'target' THEN sqrt(2 / 0.7) ELSE sqrt(2) END) AS one_cell FROM dp_gam_plan('gam_rows', 'y', 0.005, columns => '{x,z,color}');
SELECT count(*), count(*) FILTER (WHERE contribution = 0 AND noise_stddev = 0 AND stddev > 0) AS unknown, bool_and(contribution BETWEEN -20 AND 20 AND noise_stddev > 0) FILTER (WHERE column_name = '(intercept)') AS mean
  FROM dp_gam_fit('gam_rows', 'y', 0.005, columns => '{x,z,color}', model => 'gam_mean');
SELECT dp_predict_value('gam_mean', '{"x": 0.5, "z": 5, "color": "red"}') = dp_predict_value('gam_mean', '{"x": null, "z": 500, "color": "blue"}') AS same;
SELECT dp_plot('gam_mean', 'x') ~ '^<svg' AS drawn;
CREATE FUNCTION pg_temp.statistics_of(call text) RETURNS SETOF text LANGUAGE plpgsql AS $$BEGIN
    RETURN QUERY EXECUTE format('SELECT statistic FROM dp_gam_plan(%s, columns => ''{x,z,color}'')', call);
END$$;
SELECT call, count(*) FILTER (WHERE s ~ 'pairs') AS cells, count(*) FILTER (WHERE s = 'the model is the mean of the target') AS said
  FROM unnest(ARRAY[$$'gam_rows', 'y', 0.005$$, $$'gam_rows', 'y', 1$$, $$'gam_rows', 'y', 0.005, bins => 8$$, $$'gam_rows', 'y', 0.005, prior_variance => 1$$, $$'gam_rows', 'word', 0.005$$, $$'gam_guests', 'y', 0.005$$]) WITH ORDINALITY AS c (call, n),
       LATERAL pg_temp.statistics_of(call) AS s GROUP BY call, n ORDER BY n;
-- several classes; groups, filters and samples
SELECT class, count(*) FROM dp_gam_fit('gam_rows', 'kind', 20, columns => '{x,color}', bins => 4, model => 'gam_kind') GROUP BY 1 ORDER BY 1;
SELECT cardinality(dp_posterior('gam_kind', '{0.1,1,0,0}'::float8[])), dp_predict_label('gam_kind', '{0.1,1,0,0}'::float8[]) IN ('a', 'b', 'c') AS label;
SELECT key, count(*) FROM dp_gam_fit('gam_guests', 'word', 20, columns => '{x}', bins => 4, by => 'color', filter => 'z > 2') GROUP BY 1 ORDER BY 1;
SELECT count(*) FROM dp_gam_fit('gam_guests', 'y', 20, columns => '{x}', bins => 4, sampling_rate => 0.5);
SELECT statistic, mechanism, releases, near(sensitivity, 2 * sqrt(3)) AS residuals FROM dp_gam_plan('gam_rows', 'word', 1, columns => '{x,z,color}');
SELECT dp_plot_coefficients('gam_word') ~ '^<svg' AS drawn;
-- pairs: chosen ones, which no column explains by itself; one number and one label with few and with many categories
SET ROLE regress_owner;
CREATE TABLE gam_crossed AS
SELECT i AS id, CASE WHEN i % 10 = 0 THEN NULL ELSE x END AS x, z, word AS shape, chr(97 + i % 9) AS letter, CASE WHEN (x > 0) <> (z > 0) THEN 'yes' ELSE 'no' END AS word,
       CASE WHEN (z > 0) = (word = 'round') THEN 5 ELSE -5 END + x AS y
  FROM (SELECT i, (i * 0.7548776662 % 1)::float8 * 2 - 1 AS x, (i * 0.5698402909 % 1)::float8 * 2 - 1 AS z, (ARRAY['round', 'square'])[1 + i * 5 % 7 % 2] AS word FROM generate_series(1, 6000) AS i) AS s;
ANALYZE gam_crossed;
SELECT count(dp_register_dataset('gam_crossed', 'gam_crossed', 1000, 1e-4)), count(dp_register_column('gam_crossed', 'x', -1, 1)), count(dp_register_column('gam_crossed', 'z', -1, 1)), count(dp_register_column('gam_crossed', 'y', -10, 10)),
       count(dp_register_column('gam_crossed', 'shape', '{round,square}'::text[])), count(dp_register_column('gam_crossed', 'word', '{no,yes}'::text[])), count(dp_register_column('gam_crossed', 'letter', '{a,b,c,d,e,f,g,h,i}'::text[])),
       count(dp_grant_budget('regress_analyst', 'gam_crossed', 900, 1e-4));
SET ROLE regress_analyst;
SELECT column_name, count(*) AS cells, count(second_lower) AS bins, bool_and(noise_stddev > 0 AND stddev >= noise_stddev) AS sure
  FROM dp_gam_fit('gam_crossed', 'word', 20, columns => '{x,z,shape}', bins => 12, pairs => '1', model => 'gam_pair') GROUP BY 1 ORDER BY 1;
SELECT column_name, bool_and((second_bin IS NULL) = (column_name <> 'x:z')) AS seconds, min(second_bin) AS least, max(second_bin) < 13 AS most FROM dpem.gam_shapes WHERE model = 'gam_pair' GROUP BY 1 ORDER BY 1;
SELECT x, z, dp_predict_label('gam_pair', jsonb_build_object('x', x, 'z', z, 'shape', 'round')) FROM (VALUES (-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)) AS t (x, z);
-- columns by themselves say nothing, and a pair's shape has nothing of theirs (440 fits: at most 0.18, and 6 above 0.1; at least 2.13)
SELECT avg(abs(contribution)) FILTER (WHERE column_name IN ('z', 'shape')) < 0.5 AS little, avg(abs(contribution)) FILTER (WHERE column_name = 'x:z') > 1 AS much FROM dpem.gam_shapes WHERE model = 'gam_pair';
-- pairs by name, in either order; categories together, of a number, of several classes and of groups
SELECT column_name, count(*) AS cells, count(*) FILTER (WHERE second_bin = -1) AS together FROM dp_gam_fit('gam_crossed', 'y', 20, columns => '{x,z,shape,letter}', bins => 8, pairs => '{shape:z, letter : x}', model => 'gam_named') WHERE column_name ~ ':' GROUP BY 1 ORDER BY 1;
SELECT near(dp_predict_value('gam_named', '{"x": 0, "z": 0.5, "shape": "round", "letter": "a"}'), 5, 1.5) AS round, near(dp_predict_value('gam_named', '{"x": 0, "z": -0.5, "shape": "round"}'), -5, 1.5) AS low, near(dp_predict_value('gam_named', '{"x": null, "z": -0.5, "shape": "square", "letter": "i"}'), 5, 1.5) AS square;
SELECT class, count(*) FILTER (WHERE column_name ~ ':') AS paired FROM dp_gam_fit('gam_crossed', 'letter', 20, columns => '{x,z}', bins => 4, pairs => 'z:x', iterations => 2) GROUP BY 1 ORDER BY 1;
SELECT key, count(*) > 0 AS paired FROM dp_gam_fit('gam_crossed', 'word', 20, columns => '{x,z}', bins => 4, pairs => '1', iterations => 4, by => 'shape') WHERE column_name = 'x:z' GROUP BY 1 ORDER BY 1;
-- pictures of all shapes, of numbers, labels and pairs
SELECT m AS model, x, y, p LIKE '<svg %</svg>_' AS complete, p !~* 'nan' AS numbers, cardinality(regexp_split_to_array(p, 'class="panel"')) - 1 AS panels, cardinality(regexp_split_to_array(p, 'class="step"')) - 1 AS steps, cardinality(regexp_split_to_array(p, 'class="interval"')) - 1 AS intervals, cardinality(regexp_split_to_array(p, 'class="cell"')) > 30 AS cells
  FROM (VALUES (1, 'gam_pair', NULL, NULL), (2, 'gam_pair', 'x', NULL), (3, 'gam_pair', 'shape', NULL), (4, 'gam_pair', 'z', 'x'), (5, 'gam_pair', 'x:z', NULL), (6, 'gam_kind', 'x', NULL)) AS v (n, m, x, y), LATERAL dp_plot(m, x, y) AS p ORDER BY n;
SELECT dp_plot('gam_pair', 'x', 'shape');
SELECT statistic, mechanism, releases, near(sensitivity, c) AS sensitivity FROM (SELECT p.*, row_number() OVER () AS n FROM dp_gam_plan('gam_crossed', 'word', 1, columns => '{x,z,shape}', pairs => '2') AS p) AS p
  LEFT JOIN (VALUES (3, 2 * sqrt(6)), (4, 2 * sqrt(5))) AS v (n, c) USING (n) ORDER BY n;
SELECT v.pairs, attempt(format('SELECT count(*) FROM dp_gam_fit(''gam_crossed'', ''word'', 1, columns => ''{x,z,letter}'', pairs => %L, iterations => %L)', v.pairs, v.iterations)) AS attempt
  FROM (VALUES (1, 'x:y', NULL), (2, 'x', NULL), (3, 'x:x', NULL), (4, '{x:z,z:x}', NULL), (5, '{x:z', NULL), (6, '{NULL}', NULL), (7, '-1', NULL), (8, '4', NULL), (9, '1', 2), (10, 'x:z', 1), (11, '2000', NULL), (12, '', NULL), (13, 'x:z,', NULL), (14, '"x:z', NULL), (15, '1.5', NULL)) AS v (n, pairs, iterations) ORDER BY n;
-- a number or names in whatever type they come, also in a call that is made again
CREATE FUNCTION pg_temp.planned(pairs text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    plan text;
BEGIN
    EXECUTE format('SELECT string_agg(p::text, chr(10)) FROM dp_gam_plan(''gam_crossed'', ''word'', 1, columns => ''{x,z,shape}'', pairs => %s) AS p', pairs) INTO plan;
    RETURN plan;
END$$;
SELECT v.pairs, pg_temp.planned(v.pairs) = pg_temp.planned(v.same) AS same, pg_temp.planned(v.pairs) = pg_temp.planned('NULL') AS none
  FROM (VALUES (1, '2', $v$'2'$v$), (2, '2::smallint', $v$'2'$v$), (3, '2::bigint', $v$'2'::text$v$), (4, $v$'2'::varchar$v$, $v$'2'$v$), (5, $v$ARRAY['x:z', 'z:shape']$v$, $v$'{x:z,z:shape}'$v$), (6, '0', 'NULL::int'), (7, 'NULL', $v$'0'$v$)) AS v (n, pairs, same) ORDER BY n;
PREPARE gam_pairs AS SELECT count(*) FROM dp_gam_plan('gam_crossed', 'word', 1, columns => '{x,z,shape}', pairs => $1);
EXECUTE gam_pairs('2');
EXECUTE gam_pairs(NULL);
DEALLOCATE gam_pairs;
SELECT v.pairs, attempt(format('SELECT count(*) FROM dp_gam_fit(''gam_crossed'', ''word'', 1, columns => ''{x,z,letter}'', pairs => %s)', v.pairs)) AS attempt
  FROM (VALUES (1, '4'), (2, '-1'), (3, '9223372036854775807'), (4, '1.5'), (5, 'true'), (6, $v$'{1}'::int[]$v$), (7, $v$ARRAY['x']$v$), (8, $v$'{}'::text[]$v$), (9, $v$ARRAY['x:z', NULL]$v$)) AS v (n, pairs) ORDER BY n;
SELECT count(*) > 0 AS paired FROM dp_gam_fit('gam_crossed', 'word', 20, columns => '{x,z}', bins => 4, pairs => 1, iterations => 4, model => 'gam_counted') WHERE column_name = 'x:z';
SELECT dp_refresh_model('gam_counted') AS again;
SELECT count(*) > 0 AS paired FROM dpem.gam_shapes WHERE model = 'gam_counted' AND column_name = 'x:z';
-- nothing is spent on what is refused
SELECT * FROM dp_gam_fit('gam_rows', 'nothing', 1);
SELECT * FROM dp_gam_fit('gam_rows', 'word', 1, bins => 1);
SELECT * FROM dp_gam_fit('gam_rows', 'word', 1, columns => '{word,x}');
SELECT * FROM dp_gam_fit('gam_rows', 'word', 1, prior_variance => -1);
SELECT * FROM dp_gam_fit('gam_guests', 'word', 1, sampling_rate => 0.5, iterations => 1);
SELECT * FROM dp_gam_fit('gam_rows', 'word', 'Infinity');
RESET ROLE;

-- by default bins are narrow about zero, with bounds of three digits; whole numbers have a bin for each value, many columns as many bins as there is room for
SET ROLE regress_owner;
CREATE TABLE gam_whole AS SELECT i % 2 AS flag, (i % 7)::smallint AS day, i % 100 AS age, (i % 7)::float8 AS free, CASE WHEN i % 2 = 0 THEN 'yes' ELSE 'no' END AS word FROM generate_series(1, 500) AS i;
DO $$ BEGIN EXECUTE (SELECT format('CREATE TABLE gam_wide AS SELECT %s, ''no''::text AS word FROM generate_series(1, 100)', string_agg('0::float8 AS x' || i, ', ')) FROM generate_series(1, 60) AS i); END $$;
SELECT dp_register_dataset('gam_whole', 'gam_whole', 1000, 1e-4), dp_register_dataset('gam_wide', 'gam_wide', 100, 1e-4);
SELECT count(dp_register_column('gam_whole', c, 0, u)) FROM (VALUES ('flag', 1), ('day', 6), ('age', 99), ('free', 6)) AS v (c, u);
SELECT count(dp_register_column('gam_wide', 'x' || i, 0, 1)) FROM generate_series(1, 60) AS i;
CREATE TABLE gam_amounts AS SELECT CASE WHEN i % 3 > 0 THEN i % 50 * 10 END AS amount, (i % 9 - 4) ^ 3 AS change, i % 200 AS visits, date '2000-01-01' + i % 8000 AS day, CASE WHEN i % 50 > 25 THEN 'yes' ELSE 'no' END AS word FROM generate_series(1, 3000) AS i;
SELECT dp_register_dataset('gam_amounts', 'gam_amounts', 1000, 1e-4);
SELECT count(dp_register_column('gam_amounts', c, l, u)) FROM (VALUES ('amount', 0, 1e5), ('change', -1000, 1000), ('visits', 0, 500)) AS v (c, l, u);
SELECT dp_register_column('gam_amounts', 'day', '1990-01-01', '2024-12-31');
SELECT count(dp_register_column(d, 'word', '{no,yes}'::text[])), count(dp_grant_budget('regress_analyst', d, 50, 1e-4)) FROM unnest('{gam_whole,gam_wide,gam_amounts}'::text[]) AS d;
SET ROLE regress_analyst;
SELECT column_name, max(bin) AS bins, bool_and(lower IS NULL OR upper - lower > 0) AS apart FROM dp_gam_fit('gam_whole', 'word', 2) WHERE column_name <> '(intercept)' GROUP BY 1 ORDER BY 1;
SELECT column_name, max(bin) AS bins FROM dp_gam_fit('gam_whole', 'word', 2, bins => 5) WHERE column_name <> '(intercept)' GROUP BY 1 ORDER BY 1;
-- what a fit says of a bin holds from its lower bound on
SELECT column_name, bin, lower, upper FROM dp_gam_fit('gam_amounts', 'word', 5, model => 'gam_amounts') WHERE column_name <> 'day' AND (bin IN (1, 2, 3, 16, 17, 31, 32) OR bin > 0 AND lower = 0) ORDER BY column_name, bin;
SELECT s.column_name, count(*) AS points, max(abs(ln(p.posterior[2] / p.posterior[1]) - s.contribution - rest.contribution)) < 1e-9 AS same
  FROM dpem.gam_shapes s, LATERAL (SELECT sum(o.contribution) AS contribution FROM dpem.gam_shapes o WHERE o.model = s.model AND o.column_name <> s.column_name AND coalesce(o.bin, 0) = 0) AS rest,
       LATERAL (VALUES (s.lower), ((s.lower + s.upper) / 2), (s.upper - (s.upper - s.lower) * 1e-6)) AS x (x),
       LATERAL (SELECT dp_posterior('gam_amounts', jsonb_build_object(s.column_name, x.x)) AS posterior) AS p WHERE s.model = 'gam_amounts' AND s.bin > 0 GROUP BY 1 ORDER BY 1;
SELECT column_name, count(DISTINCT round((upper - lower)::numeric, 6)) AS widths FROM dp_gam_fit('gam_amounts', 'word', 5, bins => 8) WHERE bin > 0 GROUP BY 1 ORDER BY 1;
-- no day is zero
SELECT count(DISTINCT round((upper - lower)::numeric, 6)) AS widths FROM dpem.gam_shapes WHERE model = 'gam_amounts' AND column_name = 'day' AND bin > 0;
-- a point is in the bin that its rows were counted in: eight more columns make these coarse, a tenth of the rows is at each of ten whole numbers
SET ROLE regress_owner;
CREATE TABLE gam_visits AS SELECT i % 10 AS visits, CASE WHEN i % 10 IN (0, 1, 4, 5, 6) THEN 10 ELSE 0 END AS y, 0.5::float8 AS x1, 0.5::float8 AS x2, 0.5::float8 AS x3, 0.5::float8 AS x4, 0.5::float8 AS x5, 0.5::float8 AS x6, 0.5::float8 AS x7, 0.5::float8 AS x8 FROM generate_series(1, 10000) AS i;
SELECT dp_register_dataset('gam_visits', 'gam_visits', 1000, 1e-4);
SELECT count(dp_register_column('gam_visits', c, 0, u)) FROM (VALUES ('visits', 500), ('y', 10), ('x1', 1), ('x2', 1), ('x3', 1), ('x4', 1), ('x5', 1), ('x6', 1), ('x7', 1), ('x8', 1)) AS v (c, u);
SELECT dp_grant_budget('regress_analyst', 'gam_visits', 900, 1e-4);
SET ROLE regress_analyst;
SELECT count(*) FROM dp_gam_fit('gam_visits', 'y', 300, columns => '{visits,x1,x2,x3,x4,x5,x6,x7,x8}', model => 'gam_visits');
SELECT lower, upper FROM dpem.gam_shapes WHERE model = 'gam_visits' AND column_name = 'visits' AND lower < 10 ORDER BY 1;
SELECT bool_and(near(dp_predict_value('gam_visits', jsonb_build_object('visits', v, 'x1', 0.5, 'x2', 0.5, 'x3', 0.5, 'x4', 0.5, 'x5', 0.5, 'x6', 0.5, 'x7', 0.5, 'x8', 0.5)), CASE WHEN v IN (0, 1, 4, 5, 6) THEN 10 ELSE 0 END, 2)) AS right
  FROM generate_series(0, 9) AS v;
-- a target is found in a thousandth of its domain, as its margins tell; one is too narrow to be seen
SET ROLE regress_owner;
SELECT dp_register_dataset('gam_far', 'gam_visits', 1000, 1e-4);
SELECT count(dp_register_column('gam_far', c, 0, u)) FROM (VALUES ('visits', 10), ('y', 1e4), ('x1', 1e9)) AS v (c, u);
SELECT dp_grant_budget('regress_analyst', 'gam_far', 900, 1e-4);
SET ROLE regress_analyst;
SELECT count(*) FROM dp_gam_fit('gam_far', 'y', 2, columns => '{visits}', model => 'gam_far');
SELECT bool_and(near(dp_predict_value('gam_far', jsonb_build_object('visits', v)), CASE WHEN v IN (0, 1, 4, 5, 6) THEN 10 ELSE 0 END, 1.5)) AS right
  FROM generate_series(0, 9) AS v;
SELECT count(*) FROM dp_gam_fit('gam_far', 'x1', 300, columns => '{visits}');
SELECT bool_and(noise_stddev > 0) AS planned FROM dp_gam_plan('gam_wide', 'word', 1);
SELECT * FROM dp_gam_plan('gam_wide', 'word', 1, bins => 32);
RESET ROLE;
