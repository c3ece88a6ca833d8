-- dp_logit_fit: labels of every kind, what it charges and releases, the models' use, and what is refused
\pset null -
SET ROLE regress_owner;
CREATE TYPE logit_mood AS ENUM ('sad', 'glad');
-- points of a Weyl sequence, and labels with log-odds 1 + 0.4 x - 0.2 y
CREATE TABLE logit_rows AS
SELECT i AS id, i / 2 AS person, x, y, w, CASE WHEN w THEN 'yes' ELSE 'no' END AS word, w::int AS number,
       (CASE WHEN w THEN 'glad' ELSE 'sad' END)::logit_mood AS mood, CASE WHEN w THEN 7.5 ELSE -2 END AS score
  FROM (SELECT i, x, y, (i * 0.41421356237 % 1) < 1 / (1 + exp(-(1 + 0.4 * x - 0.2 * y))) AS w
          FROM (SELECT i, (i * 0.7548776662 % 1)::float8 * 20 - 10 AS x, (i * 0.5698402909 % 1)::float8 * 20 - 10 AS y FROM generate_series(1, 8000) AS i) AS p) AS q;
CREATE TABLE logit_units AS TABLE logit_rows;
CREATE TABLE logit_guests AS TABLE logit_rows;
ANALYZE logit_rows, logit_units, logit_guests;
SELECT dp_register_dataset('logit_rows', 'logit_rows', 1000, 1e-4),
       dp_register_dataset('logit_units', 'logit_units', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2),
       dp_register_dataset('logit_guests', 'logit_guests', 1000, 1e-4, adjacency => 'add_remove', accountant => 'rdp');
SELECT count(dp_register_column(d, c, -10, 10)) FROM unnest('{logit_rows,logit_units,logit_guests}'::text[]) AS d, unnest('{x,y}'::text[]) AS c;
SELECT count(dp_register_column(d, 'word', '{no,yes}'::text[])) FROM unnest('{logit_rows,logit_units,logit_guests}'::text[]) AS d;
SELECT dp_register_column('logit_rows', 'w', '{false,true}'::text[]), dp_register_column('logit_rows', 'mood', '{sad,glad}'::text[]),
       dp_register_column('logit_rows', 'number', 0, 1), dp_register_column('logit_rows', 'score', -2, 7.5), dp_register_column('logit_rows', 'id', '{1,2,3}'::text[]);
SELECT count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM unnest('{logit_rows,logit_units,logit_guests}'::text[]) AS d;
GRANT SELECT ON logit_rows TO regress_reader;
RESET ROLE;

-- without noise: every kind of label says the same, and other values are null rows that raise nothing
SET ROLE regress_reader;
CREATE FUNCTION pg_temp.coefficients(label text, more text DEFAULT '') RETURNS float8[] LANGUAGE plpgsql AS $$
DECLARE
    c float8[];
BEGIN
    EXECUTE format('SELECT array_agg(mean ORDER BY column_name <> ''x'', column_name <> ''y'') FROM dp_logit_fit(''logit_rows'', %L, ''Infinity'', columns => ''{x,y}'', missing => ''complete''%s)', label, more) INTO c;
    RETURN c;
END$$;
SELECT pg_temp.coefficients('word') AS word \gset
SELECT distance(:'word', '{0.4,-0.2,1}') < 0.2 AS truth;
SELECT l, distance(pg_temp.coefficients(l), :'word') < 1e-9 AS same FROM unnest('{w,number,mood,score}'::text[]) AS l ORDER BY 1;
SELECT l, p, distance(pg_temp.coefficients(l, format(', positive => %L', p)), (SELECT array_agg(-v ORDER BY o) FROM unnest(:'word'::float8[]) WITH ORDINALITY AS u (v, o))) < 1e-9 AS other_way
  FROM (VALUES ('word', 'no'), ('number', '0'), ('score', '-2')) AS v (l, p) ORDER BY 1;
RESET ROLE;
SET ROLE regress_owner;
INSERT INTO logit_rows (x, y, w, word, number, mood, score)
VALUES (1, 1, NULL, NULL, NULL, NULL, NULL), (NULL, 2, true, 'yes', 1, 'glad', 7.5), ('NaN', 2, true, 'yes', 1, 'glad', 7.5), (3, 'Infinity', false, 'no', 0, 'sad', -2);
INSERT INTO logit_rows (x, y, word, number, score) VALUES (1, 1, 'YES', 2, 1e300), (1, 1, '', -7, 'NaN'), (9, 9, 'yes ', 2147483647, '-1e400'), (9, 9, $$'; DROP TABLE truth; --$$, NULL, 0);
SET ROLE regress_reader;
SELECT l, distance(pg_temp.coefficients(l), :'word') < 1e-9 AS same FROM unnest('{word,w,number,mood,score}'::text[]) AS l ORDER BY 1;
-- a label is no coordinate of its own, every other number and label is; no intercept of its own: what the middles of the domains imply
SELECT array_agg(column_name ORDER BY column_name) FROM dp_logit_fit('logit_rows', 'number', 'Infinity', iterations => 1);
SELECT column_name, near(mean, 0) AS zero, model FROM dp_logit_fit('logit_rows', 'word', 'Infinity', columns => '{x,y}', intercept => false) ORDER BY 1;
-- a narrow prior holds the coefficients down; clip_norm is of the row without the constant
SELECT distance(pg_temp.coefficients('word', ', prior_variance => 1e-8'), '{0,0,0}') < 1e-4 AS held, distance(pg_temp.coefficients('word', format(', clip_norm => %s', sqrt(2))), :'word') < 0.01 AS clipped_nothing;
RESET ROLE;

-- Epsilon 50 on 8000 rows and twelve passes: posteriors within ten standard deviations of the fit without noise (false alarms below 1e-20).
SET ROLE regress_analyst;
CREATE TEMP TABLE logit_calls AS
SELECT d || '_' || j AS name, d AS dataset, format('%L, %L, 50, columns => ''{x,y}'', iterations => %s', d, 'word', j) AS arguments
  FROM unnest('{logit_rows,logit_units,logit_guests}'::text[]) AS d, unnest('{1,12}'::int[]) AS j
UNION ALL SELECT 'logit_sampled', 'logit_guests', $$'logit_guests', 'word', 50, columns => '{x,y}', iterations => 12, sampling_rate => 0.5$$;
CREATE FUNCTION pg_temp.check_fit(arguments text, name text, OUT coefficients bigint, OUT shape boolean, OUT named boolean)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(*), bool_and(array_dims(covariance) = ''[1:3]'' AND stddev > 0 AND noise_stddev > 0), bool_and(model = %L)
                    FROM dp_logit_fit(%s, model => %L)', name, arguments, name) INTO STRICT coefficients, shape, named;
END$$;
SELECT name, f.* FROM logit_calls, LATERAL pg_temp.check_fit(arguments, name) AS f ORDER BY name;
SELECT model, bool_and(abs(mean - t.v) < 10 * c.stddev) AS close, bool_and(c.stddev >= c.noise_stddev AND noise_stddev > 0) AS noise
  FROM dpem.logit_coefficients AS c JOIN (SELECT * FROM ROWS FROM (unnest('{x,y,(intercept)}'::text[]), unnest(:'word'::float8[])) AS u (column_name, v)) AS t USING (column_name)
 WHERE model ~ '_12$|sampled' GROUP BY 1 ORDER BY 1;
SELECT model, count(*), bool_and(near(covariance, stddev ^ 2)) AS diagonal FROM dpem.logit_covariances AS v JOIN dpem.logit_coefficients AS c USING (model, column_name)
 WHERE other_column = column_name AND model ~ 'rows' GROUP BY 1 ORDER BY 1;
SELECT model, family, components, dimensions, columns, mechanism, composition, iterations FROM dpem.models WHERE family = 'logit' ORDER BY 1;
SELECT * FROM dpem.logit_classes WHERE model = 'logit_rows_12' ORDER BY class;

-- A domain a thousand times as wide as the column, NULLs of every kind among the rows, units, a filter and groups: at epsilon 20 the coefficients that the rows have,
-- within a fifth, twenty standard deviations of their noise.  Noise in margins makes one such fit of some ten thousand see a column far too wide: medians of five, false alarms below 1e-10.
RESET ROLE;
SET ROLE regress_owner;
CREATE TABLE logit_wide AS SELECT id, person, x, y, word FROM logit_rows WHERE x BETWEEN -10 AND 10 AND word IN ('no', 'yes');
INSERT INTO logit_wide (x, y, word) VALUES (NULL, 1, 'yes'), (1e300, 1, NULL), ('NaN', 3, 'no'), (1, 'Infinity', 'yes');
ANALYZE logit_wide;
SELECT dp_register_dataset('logit_wide', 'logit_wide', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2), dp_register_column('logit_wide', 'x', -10000, 10000), dp_register_column('logit_wide', 'y', -10, 30000),
       dp_register_column('logit_wide', 'word', '{no,yes}'::text[]), dp_grant_budget('regress_analyst', 'logit_wide', 900, 1e-4);
RESET ROLE;
SET ROLE regress_analyst;
CREATE TEMP TABLE logit_fits AS SELECT f.* FROM generate_series(1, 5) AS i, dp_logit_fit('logit_wide', 'word', 20, columns => '{x,y}', filter => format('y >= %s', -10 - i)) AS f;
SELECT f.column_name, abs(percentile_cont(0.5) WITHIN GROUP (ORDER BY f.mean) - t.v) < 0.2 * abs(t.v) + 0.02 AS close, percentile_cont(0.5) WITHIN GROUP (ORDER BY f.noise_stddev) < 0.05 * abs(t.v) + 0.02 AS little_noise
  FROM logit_fits AS f JOIN (SELECT * FROM ROWS FROM (unnest('{x,y}'::text[]), unnest(:'word'::float8[])) AS u (column_name, v)) AS t USING (column_name) GROUP BY f.column_name, t.v ORDER BY 1;
DROP TABLE logit_fits;
SELECT key, count(*) AS coefficients, bool_and(noise_stddev > 0) AS noise FROM dp_logit_fit('logit_wide', 'word', 20, columns => '{x}', by => 'word') GROUP BY 1 ORDER BY 1;
SELECT family, precondition, count(*) FROM dpem.models WHERE dataset = 'logit_wide' GROUP BY 1, 2 ORDER BY 2;
SELECT count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE dataset = 'logit_wide';
RESET ROLE;
SET ROLE regress_owner;
SELECT dp_drop_dataset('logit_wide');
DROP TABLE logit_wide;
RESET ROLE;
SET ROLE regress_analyst;

-- the plan says what the ledger says
CREATE FUNCTION pg_temp.compare_plan(arguments text, name text, OUT lines bigint, OUT same boolean, OUT whole boolean)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(DISTINCT p.line), bool_and(p.mechanism = l.mechanism AND p.releases = l.releases AND near(p.noise_multiplier, l.noise_multiplier)
                        AND near(p.mu_squared, l.mu_squared, 1e-6)),
                    bool_and(near((SELECT mu_squared FROM dp_logit_plan(%s) WHERE line IS NULL), (SELECT sum(mu_squared) FROM dpem.ledger WHERE charge = m.charge), 1e-6))
                    FROM dpem.models AS m JOIN dpem.ledger AS l USING (charge) LEFT JOIN dp_logit_plan(%s) AS p USING (line) WHERE m.model = %L',
                   arguments, arguments, name) INTO STRICT lines, same, whole;
END$$;
SELECT charges() AS before \gset
SELECT name, p.* FROM logit_calls, LATERAL pg_temp.compare_plan(arguments, name) AS p ORDER BY name;
SELECT charges() = :before AS nothing_spent;
SELECT model, l.statistic, l.mechanism, releases, rows_per_unit, adjacency, sampling, round(sampling_rate::numeric, 6) AS rate FROM dpem.ledger AS l JOIN dpem.models USING (charge) WHERE family = 'logit' ORDER BY model, line;

-- Noise by the proofs: all that the first pass releases moves by 2.5 under replace_one and sqrt 3.36 under add_remove, gradients by 2 and 1, margins by sqrt 2 and 1.
SELECT dataset, statistic, near(sensitivity, s, 1e-6) AS sensitivity, near(noise_stddev, noise_multiplier * s, 1e-6) AS noise
  FROM (SELECT d AS dataset, p.*, CASE WHEN statistic ~ '^margins' THEN CASE d WHEN 'logit_guests' THEN 1 ELSE sqrt(2) END
          WHEN statistic ~ '^gradients' THEN CASE d WHEN 'logit_guests' THEN 1 ELSE 2 END
          ELSE CASE d WHEN 'logit_guests' THEN sqrt(3.36) ELSE 2.5 END / CASE statistic WHEN 'first pass: sums' THEN 1 WHEN 'first pass: second moments' THEN sqrt(2)
            ELSE CASE d WHEN 'logit_guests' THEN 0.6 ELSE 1.5 END END END * CASE d WHEN 'logit_units' THEN 2 ELSE 1 END AS s
          FROM unnest('{logit_rows,logit_units,logit_guests}'::text[]) AS d, LATERAL dp_logit_plan(d, 'word', 1, 1e-5, columns => '{x,y}', iterations => 3) AS p) AS p
 WHERE line IS NOT NULL ORDER BY dataset, statistic;
-- margins are released unless the caller knows the rows' norm or the coefficients' size, or wants none
SELECT more, string_agg(statistic, ', ' ORDER BY line, statistic) FILTER (WHERE line = 1) AS first_line, max(releases) FILTER (WHERE line IS NULL) AS releases
  FROM (VALUES ('nothing', NULL, NULL, NULL), ('none', 'none', NULL, NULL), ('standardise', 'standardise', NULL, NULL), ('clip_norm', NULL, 1, NULL), ('prior_variance', NULL, NULL, 10)) AS v (more, precondition, clip, prior),
       dp_logit_plan('logit_rows', 'word', 1, columns => '{x,y}', precondition => v.precondition, clip_norm => clip, prior_variance => prior) GROUP BY more ORDER BY more;
-- eight passes where noise is little, which is twice as much where persons have two rows
SELECT d AS dataset, max(releases) FILTER (WHERE statistic ~ '^gradients') AS gradients FROM unnest('{logit_rows,logit_units}'::text[]) AS d, dp_logit_plan(d, 'word', 2.5, 1e-5, columns => '{x,y}') GROUP BY d ORDER BY d;
-- every composition costs what was asked for by its own count
SELECT composition, near(CASE composition WHEN 'exact' THEN epsilon_exact WHEN 'zcdp' THEN epsilon_zcdp WHEN 'rdp' THEN epsilon_rdp ELSE epsilon_ma END, 0.5, 1e-5) AS as_asked
  FROM unnest('{exact,zcdp,rdp,ma}'::text[]) AS composition,
       LATERAL dp_logit_plan('logit_rows', 'word', 0.5, 1e-5, columns => '{x,y}', iterations => 3, composition => composition) WHERE line IS NULL ORDER BY 1;

-- use: class 2 is the positive one; free of charge
SELECT dp_predict('logit_rows_12', '{10,-10}') AS likely, dp_predict('logit_rows_12', '{-10,10}') AS unlikely,
       near((SELECT sum(p) FROM unnest(dp_posterior('logit_rows_12', '{3,2}')) AS p), 1) AS whole, (dp_posterior('logit_rows_12', '{10,-10}'))[2] > 0.95 AS sure;
SELECT bool_and(((dp_posterior('logit_rows_12', ARRAY[x, y]))[2] > 0.5) = (dp_predict('logit_rows_12', ARRAY[x, y]) = 2)) AS agree FROM (VALUES (0, 0), (-5, 5), (9, -8), (-9, 2)) AS v (x, y);
SELECT attempt(format('SELECT %s', call)) FROM (VALUES (1, $$dp_log_density('logit_rows_12', '{0,0}')$$), (2, $$dp_sample('logit_rows_12', 1)$$),
    (3, $$dp_transform('logit_rows_12', '{0,0}')$$), (4, $$dp_predict('logit_rows_12', '{0,0,1}')$$)) AS v (n, call) ORDER BY n;
-- two runs differ: nothing of a run is the data alone
SELECT count(*) FROM dp_logit_fit('logit_rows', 'word', 0.5, columns => '{x,y}', model => 'logit_one');
SELECT count(*) FROM dp_logit_fit('logit_rows', 'word', 0.5, columns => '{x,y}', model => 'logit_two');
SELECT count(DISTINCT mean) = count(*) AS varies, (SELECT count(DISTINCT iterations) FROM dpem.models WHERE model IN ('logit_one', 'logit_two')) AS iterations FROM dpem.logit_coefficients WHERE model IN ('logit_one', 'logit_two');
SET ROLE regress_other;
SELECT count(*) FROM dpem.logit_coefficients;
SELECT attempt($$SELECT dp_predict('logit_one', '{0,0}')$$), attempt($$SELECT * FROM dpem_internal.logit_parameter$$);
SET ROLE regress_analyst;
SELECT dp_grant_model('logit_one', 'regress_other');
SET ROLE regress_other;
SELECT count(*) FROM dpem.logit_coefficients;
SELECT label, class, category FROM dpem.logit_classes ORDER BY class;
SET ROLE regress_analyst;

-- refused before anything is spent
SELECT charges() AS before \gset
SELECT n, attempt(format('SELECT count(*) FROM dp_logit_fit(%s)', arguments)) FROM (VALUES
    (1, $$'logit_rows', NULL, 1$$), (2, $$'logit_rows', 'nothing', 1$$), (3, $$'logit_rows', 'id', 1, positive => '1'$$), (4, $$'logit_rows', 'word', 1, positive => 'maybe'$$),
    (5, $$'logit_rows', 'number', 1, columns => '{x,number}'$$), (6, $$'logit_rows', 'word', 1, columns => '{word}'$$), (7, $$'logit_rows', 'word', 0$$),
    (8, $$'logit_rows', 'word', 1, prior_variance => 0$$), (9, $$'logit_rows', 'word', 1, prior_variance => 'NaN'$$), (10, $$'logit_rows', 'word', 1, prior_variance => 1e300$$),
    (11, $$'logit_rows', 'word', 1, iterations => 0$$), (12, $$'logit_rows', 'word', 1, intercept => NULL$$), (13, $$'logit_rows', 'word', 1, clip_norm => -1$$),
    (14, $$'logit_rows', 'word', 1, sampling_rate => 0.5$$), (15, $$'logit_guests', 'word', 1, iterations => 1, sampling_rate => 0.5$$),
    (18, $$'logit_rows', 'word', 1, precondition => 'whiten'$$), (19, $$'logit_rows', 'word', 1, precondition => 'standardise', clip_norm => 1$$), (20, $$'logit_rows', 'word', 1, precondition => 'standardise', prior_variance => 1$$),
    (16, $$'logit_rows', 'word', 1, model => 'logit_one'$$), (17, $$'logit_rows', 'word', 'Infinity'$$)) AS v (n, arguments) ORDER BY n;
SELECT attempt($$SELECT dp_logit_plan('logit_rows', 'word', 'Infinity')$$);
SELECT charges() = :before AS nothing_spent;
SET ROLE regress_other;
SELECT attempt($$SELECT dp_logit_fit('logit_rows', 'word', 1)$$), attempt($$SELECT dp_logit_plan('logit_rows', 'word', 1)$$);

-- leave nothing behind for the tests that follow
SET ROLE regress_analyst;
SELECT count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE family = 'logit';
RESET ROLE;
SELECT count(*) AS left_over FROM dpem_internal.logit_parameter;
SET ROLE regress_owner;
SELECT count(dp_drop_dataset(d)) FROM unnest('{logit_rows,logit_units,logit_guests}'::text[]) AS d;
DROP TABLE logit_rows, logit_units, logit_guests;
DROP TYPE logit_mood;
RESET ROLE;
