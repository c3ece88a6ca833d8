-- dp_sbn_fit: what it finds, what it charges and releases, the models' use, and what is refused
\pset null -
SET ROLE regress_owner;
CREATE FUNCTION sbn_uniform(seed text) RETURNS float8 LANGUAGE sql IMMUTABLE RETURN ('x' || substr(md5(seed), 1, 8))::bit(32)::bigint / 4294967296.0;
-- Two causes: the first of a, b and not c, the second of d, e and not f; log-odds are -2 and 2.
CREATE TABLE sbn_rows AS
SELECT i AS id, i / 2 AS person, (sbn_uniform(i || 'a') < p)::int AS a, (sbn_uniform(i || 'b') < p)::int AS b, (sbn_uniform(i || 'c') > p)::int AS c,
       (sbn_uniform(i || 'd') < q)::int AS d, (sbn_uniform(i || 'e') < q)::int AS e, (sbn_uniform(i || 'f') > q)::int AS f
  FROM (SELECT i, CASE WHEN sbn_uniform(i || 'g') < 0.5 THEN 0.8808 ELSE 0.1192 END AS p,
               CASE WHEN sbn_uniform(i || 'h') < 0.3 THEN 0.8808 ELSE 0.1192 END AS q FROM generate_series(1, 5000) AS i) AS s;
-- the same in other words: values on either side of the middle, in domains of other units, and beyond them
CREATE TABLE sbn_words AS SELECT id, CASE a WHEN 1 THEN 0.5 ELSE 0.49 END AS a, CASE b WHEN 1 THEN 1e300 ELSE -1e300 END AS b, 10 + 10 * c AS c,
       ARRAY[d, e, f]::float8[] AS def FROM sbn_rows;
INSERT INTO sbn_words (a, b, c, def) VALUES (NULL, 0, 1, '{1,0,0}'), (1, 'NaN', 1, '{1,0,0}'), (1, 0, 1, '{1,0}'), (1, 0, 1, '{1,0,NULL}'), (1, 0, 1, '{1,0,Infinity}'), (1, 1, 1, NULL);
CREATE TABLE sbn_units AS TABLE sbn_rows;
CREATE TABLE sbn_guests AS TABLE sbn_rows;
ANALYZE sbn_rows, sbn_words, sbn_units, sbn_guests;
SELECT dp_register_dataset('sbn_rows', 'sbn_rows', 1000, 1e-4), dp_register_dataset('sbn_words', 'sbn_words', 1000, 1e-4),
       dp_register_dataset('sbn_units', 'sbn_units', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2),
       dp_register_dataset('sbn_guests', 'sbn_guests', 1000, 1e-4, adjacency => 'add_remove', accountant => 'rdp');
SELECT count(dp_register_column(d, c, 0, 1)) FROM unnest('{sbn_rows,sbn_units,sbn_guests}'::text[]) AS d, unnest('{a,b,c,d,e,f}'::text[]) AS c;
SELECT dp_register_column('sbn_words', 'a', 0, 1), dp_register_column('sbn_words', 'b', 0, 1), dp_register_column('sbn_words', 'c', 10, 20), dp_register_column('sbn_words', 'def', 0, 1, length => 3);
SELECT count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM unnest('{sbn_rows,sbn_words,sbn_units,sbn_guests}'::text[]) AS d;
GRANT SELECT ON sbn_rows, sbn_words TO regress_reader;
RESET ROLE;

-- Without noise: the causes, one unit each, whichever is which and whichever state is 1.  Log-odds of columns differ by 4.
SET ROLE regress_reader;
CREATE TEMP TABLE sbn_exact AS SELECT * FROM dp_sbn_fit('sbn_rows', 2, 'Infinity', columns => '{a,b,c,d,e,f}');
CREATE FUNCTION pg_temp.truth(w float8[], tolerance float8) RETURNS boolean LANGUAGE sql
RETURN CASE WHEN abs(w[1]) > abs(w[4]) THEN least(distance(w, ARRAY[4, 4, -4, 0, 0, 0]::float8[]), distance(w, ARRAY[-4, -4, 4, 0, 0, 0]::float8[]))
    ELSE least(distance(w, ARRAY[0, 0, 0, 4, 4, -4]::float8[]), distance(w, ARRAY[0, 0, 0, -4, -4, 4]::float8[])) END < tolerance;
SELECT count(*), bool_and(pg_temp.truth(weights, 1.2)) AS truth, count(DISTINCT abs(weights[1]) > abs(weights[4])) AS causes, bool_and(CASE WHEN abs(weights[1]) > 2 THEN abs(prior - 0.5) < 0.05
       WHEN weights[4] > 0 THEN abs(prior - 0.3) < 0.05 ELSE abs(prior - 0.7) < 0.05 END) AS priors, bool_and(near(prior, 1 / (1 + exp(-bias)))) AS odds FROM sbn_exact WHERE hidden > 0;
SELECT hidden, bias, prior, model FROM sbn_exact WHERE hidden = 0;
SELECT bool_and(distance(x.weights, y.weights) < 1e-6) AS same FROM sbn_exact AS x JOIN dp_sbn_fit('sbn_words', 2, 'Infinity', columns => '{a,b,c,def}') AS y USING (hidden);
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SELECT bool_and(distance(x.weights, y.weights) < 1e-6) AS parallel FROM sbn_exact AS x JOIN dp_sbn_fit('sbn_rows', 2, 'Infinity', columns => '{a,b,c,d,e,f}') AS y USING (hidden);
RESET min_parallel_table_scan_size;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
-- a narrow prior holds everything down
SELECT bool_and(distance(weights, '{0,0,0,0,0,0}') < 0.1) AS held FROM dp_sbn_fit('sbn_rows', 2, 'Infinity', columns => '{a,b,c,d,e,f}', prior_variance => 1e-6, iterations => 20);
RESET ROLE;

-- Epsilon 50 on 5000 rows: the causes again, noise in a weight being below 0.1 (false alarms below 1e-9).
SET ROLE regress_analyst;
CREATE TEMP TABLE sbn_calls AS
SELECT d || '_model' AS name, d AS dataset, format('%L, 2, 50, columns => ''{a,b,c,d,e,f}'', iterations => 30', d) AS arguments FROM unnest('{sbn_rows,sbn_units,sbn_guests}'::text[]) AS d
UNION ALL SELECT 'sbn_sampled', 'sbn_guests', $$'sbn_guests', 2, 50, columns => '{a,b,c,d,e,f}', iterations => 30, sampling_rate => 0.5$$;
CREATE FUNCTION pg_temp.check_fit(arguments text, name text, OUT units bigint, OUT truth boolean, OUT named boolean)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(*), bool_and(hidden = 0 OR pg_temp.truth(weights, 2)), bool_and(model = %L) FROM dp_sbn_fit(%s, model => %L)', name, arguments, name) INTO STRICT units, truth, named;
END$$;
SELECT name, f.* FROM sbn_calls, LATERAL pg_temp.check_fit(arguments, name) AS f ORDER BY name;
SELECT model, family, components, dimensions, columns, mechanism, composition, iterations FROM dpem.models WHERE family = 'sbn' ORDER BY 1;
SELECT count(*), count(DISTINCT column_name) AS columns, count(DISTINCT hidden) AS hidden FROM dpem.sbn_weights WHERE model = 'sbn_rows_model';
SELECT count(*), bool_and(abs(bias) < 4) AS biases FROM dpem.sbn_visible WHERE model = 'sbn_rows_model';
SELECT hidden, near(prior, 1 / (1 + exp(-bias))) AS odds FROM dpem.sbn_hidden WHERE model = 'sbn_rows_model' ORDER BY 1;

-- the plan says what the ledger says
CREATE FUNCTION pg_temp.compare_plan(arguments text, name text, OUT lines bigint, OUT same boolean, OUT whole boolean)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(DISTINCT p.line), bool_and(p.mechanism = l.mechanism AND p.releases = l.releases AND near(p.noise_multiplier, l.noise_multiplier)
                        AND near(p.mu_squared, l.mu_squared, 1e-6)),
                    bool_and(near((SELECT mu_squared FROM dp_sbn_plan(%s) WHERE line IS NULL), (SELECT sum(mu_squared) FROM dpem.ledger WHERE charge = m.charge), 1e-6))
                    FROM dpem.models AS m JOIN dpem.ledger AS l USING (charge) LEFT JOIN dp_sbn_plan(%s) AS p USING (line) WHERE m.model = %L',
                   arguments, arguments, name) INTO STRICT lines, same, whole;
END$$;
SELECT charges() AS before \gset
SELECT name, p.* FROM sbn_calls, LATERAL pg_temp.compare_plan(arguments, name) AS p ORDER BY name;
SELECT charges() = :before AS nothing_spent;
SELECT model, l.statistic, l.mechanism, releases, rows_per_unit, adjacency, sampling, round(sampling_rate::numeric, 6) AS rate FROM dpem.ledger AS l JOIN dpem.models USING (charge) WHERE family = 'sbn' ORDER BY model, line;
-- noise by the proofs: gradients of norm 1 beside products of norm 1/2
SELECT dataset, statistic, near(sensitivity, s, 1e-6) AS sensitivity, near(noise_stddev, noise_multiplier * s, 1e-6) AS noise
  FROM (SELECT d AS dataset, p.*, CASE d WHEN 'sbn_guests' THEN sqrt(1.25) ELSE sqrt(4.25) END * CASE WHEN statistic ~ 'second' THEN 2 ELSE 1 END * CASE d WHEN 'sbn_units' THEN 2 ELSE 1 END AS s
          FROM unnest('{sbn_rows,sbn_units,sbn_guests}'::text[]) AS d, LATERAL dp_sbn_plan(d, 3, 1, 1e-5, columns => '{a,b,c}', iterations => 3) AS p) AS p
 WHERE line IS NOT NULL ORDER BY dataset, statistic;
SELECT composition, near(CASE composition WHEN 'exact' THEN epsilon_exact WHEN 'zcdp' THEN epsilon_zcdp WHEN 'rdp' THEN epsilon_rdp ELSE epsilon_ma END, 0.5, 1e-5) AS as_asked
  FROM unnest('{exact,zcdp,rdp,ma}'::text[]) AS composition, LATERAL dp_sbn_plan('sbn_rows', 3, 0.5, 1e-5, columns => '{a,b,c}', composition => composition) WHERE line IS NULL ORDER BY 1;
-- more noise, fewer steps
SELECT bool_and(few.releases < many.releases) AS fewer FROM dp_sbn_plan('sbn_rows', 3, 0.01, columns => '{a,b,c}') AS few JOIN dp_sbn_plan('sbn_rows', 3, 100, columns => '{a,b,c}') AS many USING (statistic) WHERE few.line = 2;

-- use, free of charge: hidden units' probabilities, a lower bound of the log-probability, synthetic rows of 0 and 1
SELECT dp_transform('sbn_rows_model', '{1,1,0,0,0,1}') = dp_posterior('sbn_rows_model', '{1,1,0,0,0,1}') AS same, bool_and(p BETWEEN 0 AND 1) AS probabilities, count(*)
  FROM unnest(dp_posterior('sbn_rows_model', '{1,1,0,0,0,1}')) AS p;
SELECT bool_and(abs(x[u] - y[u]) > 0.9) AS told_apart FROM (SELECT dp_posterior('sbn_rows_model', '{1,1,0,1,1,0}') AS x, dp_posterior('sbn_rows_model', '{0,0,1,0,0,1}') AS y) AS s, generate_series(1, 2) AS u;
SELECT dp_posterior('sbn_rows_model', '{0.5,99,0.49,-99,0.1,0.9}') = dp_posterior('sbn_rows_model', '{1,1,0,0,0,1}') AS as_read;
CREATE TEMP TABLE sbn_states AS SELECT ARRAY[a, b, c, d, e, f]::float8[] AS x FROM generate_series(0, 1) AS a, generate_series(0, 1) AS b, generate_series(0, 1) AS c, generate_series(0, 1) AS d, generate_series(0, 1) AS e, generate_series(0, 1) AS f;
SELECT sum(exp(dp_log_density('sbn_rows_model', x))) BETWEEN 0.7 AND 1 AS nearly_all FROM sbn_states;
RESET ROLE;
-- better than columns by themselves, whose entropy is the best they can do
SELECT avg(dp_log_density('sbn_rows_model', ARRAY[a, b, c, d, e, f])) > (SELECT sum(p * ln(p) + (1 - p) * ln(1 - p)) FROM (SELECT unnest(ARRAY[avg(a), avg(b), avg(c), avg(d), avg(e), avg(f)]) AS p FROM sbn_rows) AS s) + 0.4 AS better FROM sbn_rows;
SET ROLE regress_analyst;
SELECT count(*), bool_and(v IN (0, 1)) AS binary FROM dp_sample('sbn_rows_model', 1000) AS x, unnest(x) AS v;
-- pairs of one cause agree four times in five, pairs of two half the time (seven standard deviations)
SELECT avg((x[1] = x[2])::int) > 0.7 AS together, abs(avg((x[1] = x[4])::int) - 0.5) < 0.06 AS apart FROM dp_sample('sbn_rows_model', 5000) AS x;
SELECT attempt(format('SELECT %s', call)) FROM (VALUES (1, $$dp_predict('sbn_rows_model', '{0,0,0,0,0,0}')$$), (2, $$dp_squared_distance('sbn_rows_model', '{0,0,0,0,0,0}')$$),
    (3, $$dp_transform('sbn_rows_model', '{0,0}')$$)) AS v (n, call) ORDER BY n;
-- domains of other units: 1 from the middle on, synthetic rows at the bounds
SELECT count(*) FROM dp_sbn_fit('sbn_words', 1, 5, columns => '{c,a}', iterations => 2, model => 'sbn_words_model');
SELECT dp_posterior('sbn_words_model', '{15,0.5}') = dp_posterior('sbn_words_model', '{20,1}') AS middle, dp_posterior('sbn_words_model', '{14.9,0}') = dp_posterior('sbn_words_model', '{10,0.4}') AS below;
SELECT count(DISTINCT x[1]), min(x[1]), max(x[1]) FROM dp_sample('sbn_words_model', 200) AS x;
-- two runs differ: nothing of a run is the data alone
SELECT count(*) FROM dp_sbn_fit('sbn_rows', 2, 0.5, columns => '{a,b,c}', model => 'sbn_one');
SELECT count(*) FROM dp_sbn_fit('sbn_rows', 2, 0.5, columns => '{a,b,c}', model => 'sbn_two');
SELECT count(DISTINCT bias) = count(*) AS varies, (SELECT count(DISTINCT iterations) FROM dpem.models WHERE model IN ('sbn_one', 'sbn_two')) AS iterations FROM dpem.sbn_visible WHERE model IN ('sbn_one', 'sbn_two');
SET ROLE regress_other;
SELECT (SELECT count(*) FROM dpem.sbn_weights) + (SELECT count(*) FROM dpem.sbn_visible) + (SELECT count(*) FROM dpem.sbn_hidden) AS readable;
SELECT attempt($$SELECT dp_posterior('sbn_one', '{0,0,0}')$$), attempt($$SELECT * FROM dpem_internal.sbn_parameter$$);
SET ROLE regress_analyst;
SELECT dp_grant_model('sbn_one', 'regress_other');
SET ROLE regress_other;
SELECT count(*) FROM dpem.sbn_weights;
SET ROLE regress_analyst;

-- refused before anything is spent
SELECT charges() AS before \gset
SELECT n, attempt(format('SELECT count(*) FROM dp_sbn_fit(%s)', arguments)) FROM (VALUES
    (1, $$'sbn_rows', NULL, 1$$), (2, $$'sbn_rows', 0, 1$$), (3, $$'sbn_rows', 201, 1$$), (4, $$'sbn_rows', 2, 0$$), (5, $$'sbn_rows', 2, 1, columns => '{nothing}'$$),
    (6, $$'sbn_rows', 2, 1, prior_variance => 0$$), (7, $$'sbn_rows', 2, 1, prior_variance => NULL$$), (8, $$'sbn_rows', 2, 1, prior_variance => 1e-9$$), (9, $$'sbn_rows', 2, 1, iterations => 0$$),
    (10, $$'sbn_rows', 2, 1, sampling_rate => 0.5$$), (11, $$'sbn_rows', 2, 1, model => 'sbn_one'$$), (12, $$'sbn_rows', 2, 'Infinity'$$), (13, $$'sbn_rows', 2, 1, delta => 0$$)) AS v (n, arguments) ORDER BY n;
SELECT attempt($$SELECT dp_sbn_plan('sbn_rows', 2, 'Infinity')$$);
SELECT charges() = :before AS nothing_spent;
SET ROLE regress_other;
SELECT attempt($$SELECT dp_sbn_fit('sbn_rows', 2, 1)$$), attempt($$SELECT dp_sbn_plan('sbn_rows', 2, 1)$$);

-- leave nothing behind for the tests that follow
SET ROLE regress_analyst;
SELECT count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE family = 'sbn';
RESET ROLE;
SELECT count(*) AS left_over FROM dpem_internal.sbn_parameter;
SET ROLE regress_owner;
SELECT count(dp_drop_dataset(d)) FROM unnest('{sbn_rows,sbn_words,sbn_units,sbn_guests}'::text[]) AS d;
DROP TABLE sbn_rows, sbn_words, sbn_units, sbn_guests;
DROP FUNCTION sbn_uniform;
RESET ROLE;
