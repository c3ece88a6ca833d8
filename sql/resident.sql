-- dpem.resident_memory: rows that a fit keeps between its passes change nothing but the time
SET ROLE regress_owner;
-- 7000 rows in 14 blocks; a seventh of them null rows of every kind
CREATE TABLE kept AS
SELECT i, i / 350.0::float8 - 10 AS t, ((i % 3) * 4 - 4 + sin(i))::float8 AS x, CASE WHEN i % 31 = 0 THEN NULL ELSE (((i * 7) % 3) * 3 - 3 + cos(i * i))::float8 END AS y,
       CASE WHEN i % 37 = 0 THEN 'NaN' WHEN i % 41 = 0 THEN 'Infinity' ELSE (i * 0.7548776662 % 10)::float8 - 5 END AS z,
       (i % 17)::int2 AS s, (i % 1000 / 100.0)::numeric AS n,
       CASE WHEN i % 43 = 0 THEN ARRAY[1.5]::float4[] ELSE ARRAY[i % 5, i % 7]::float4[] END AS a,
       CASE WHEN i % 29 = 0 THEN NULL WHEN sin(i * 3) + sin(i) > 0 THEN 'yes' ELSE 'no' END AS word,
       CASE WHEN i % 7 = 0 THEN NULL WHEN i % 3 = 0 THEN 'left' ELSE 'right' END AS side
  FROM generate_series(1, 7000) AS i;
CREATE TABLE kept_units AS TABLE kept;
ALTER TABLE kept_units ADD person int;
UPDATE kept_units SET person = i / 2;
CREATE TABLE kept_none AS SELECT * FROM kept WHERE false;
CREATE SEQUENCE kept_reads;
CREATE VIEW kept_counted AS SELECT x, y, z FROM kept WHERE nextval('public.kept_reads') > 0;
ANALYZE kept, kept_units;
SELECT dp_register_dataset('kept', 'kept', 1000, 1e-4), dp_register_dataset('kept_units', 'kept_units', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2),
       dp_register_dataset('kept_none', 'kept_none', 1000, 1e-4);
SET client_min_messages = warning;
SELECT dp_register_dataset('kept_counted', 'kept_counted', 1000, 1e-4);
RESET client_min_messages;
SELECT count(dp_register_column(d, c, -10, 10)) FROM unnest('{kept,kept_units,kept_none,kept_counted}'::text[]) AS d, unnest('{x,y,z}'::text[]) AS c;
SELECT count(dp_register_column(d, 't', -10, 10)) FROM unnest('{kept,kept_units}'::text[]) AS d;
SELECT dp_register_column('kept', 's', 0, 16), dp_register_column('kept', 'n', 0, 10), dp_register_column('kept', 'a', 0, 7, 2), dp_register_column('kept', 'side', '{left,right,top}'::text[]);
SELECT count(dp_register_column(d, 'word', '{no,yes}'::text[])) FROM unnest('{kept,kept_units}'::text[]) AS d;
SELECT count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM unnest('{kept,kept_units,kept_counted}'::text[]) AS d;

-- Without noise, in one process: sums of real numbers, block after block, whose
-- every bit would tell of another row, or another order.
CREATE FUNCTION pg_temp.answer(call text, memory text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    PERFORM set_config('dpem.resident_memory', memory, true);
    EXECUTE format('SELECT md5(jsonb_agg(to_jsonb(f) - ''model'' ORDER BY (to_jsonb(f) - ''model'')::text)::text) FROM %s AS f', call) INTO answer;
    RETURN answer;
END$$;
SET max_parallel_workers_per_gather = 0;
CREATE TEMP TABLE calls (n serial, call text);
INSERT INTO calls (call) VALUES
    ($$dp_gmm_fit('kept', 3, 'Infinity', iterations => 4)$$),
    ($$dp_gmm_fit('kept', 2, 'Infinity', iterations => 3, columns => '{x,y}', covariance => 'diagonal', precondition => 'none')$$),
    ($$dp_gmm_fit('kept', 3, 'Infinity', iterations => 3, mechanism => 'ggg')$$),
    ($$dp_gmm_fit('kept_none', 2, 'Infinity', iterations => 3)$$),
    ($$dp_kmeans_fit('kept', 3, 'Infinity', iterations => 4, columns => '{a,n,s}', algorithm => 'joint')$$),
    ($$dp_kmeans_fit('kept', 3, 'Infinity', columns => '{x,y}', algorithm => 'joint', iterations => 3, init_means => '{-4,-3,0,0,4,3}')$$),
    ($$dp_pca_fit('kept', 2, 'Infinity', iterations => 3, algorithm => 'power')$$),
    ($$dp_fa_fit('kept', 1, 'Infinity')$$),
    ($$dp_logit_fit('kept', 'word', 'Infinity', iterations => 4, columns => '{x,y,z}')$$),
    ($$dp_sbn_fit('kept', 2, 'Infinity', columns => '{x,y,z}', iterations => 5)$$),
    ($$dp_gmm_fit('kept', 2, 'Infinity', columns => '{x,y,z}', iterations => 4, by => 'word')$$),
    ($$dp_gmm_fit('kept', 2, 'Infinity', columns => '{x,t}', iterations => 3, by => 'word', filter => 't < 3', precondition => 'none')$$),
    ($$dp_kmeans_fit('kept', 2, 'Infinity', columns => '{x,z}', algorithm => 'joint', iterations => 3, by => 'word', init_means => '{-4,0,4,0}')$$),
    ($$dp_logit_fit('kept', 'word', 'Infinity', iterations => 4, columns => '{x,y,z}', by => 'side', filter => 'x > -4.5')$$),
    ($$dp_gam_fit('kept', 'word', 'Infinity', columns => '{x,z,side}', iterations => 4, prior_variance => 1)$$),
    ($$dp_gam_fit('kept', 't', 'Infinity', columns => '{x,y,word}', iterations => 4, pairs => 'x:y', prior_variance => 1)$$),
    ($$dp_gam_fit('kept', 'word', 'Infinity', columns => '{x,t}', iterations => 3, by => 'side', prior_variance => 1)$$);
SELECT call, pg_temp.answer(call, '1GB') = pg_temp.answer(call, '0') AS memory, pg_temp.answer(call, '64kB') = pg_temp.answer(call, '0') AS some_in_a_file,
       pg_temp.answer(call, '1kB') = pg_temp.answer(call, '0') AS all_in_a_file FROM calls ORDER BY n;
RESET max_parallel_workers_per_gather;

-- in several processes the sums' order is another; so is that of rows which are chosen by lot
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET max_parallel_workers_per_gather = 2;
CREATE FUNCTION pg_temp.numbers(dataset text, memory text) RETURNS float8[] LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('dpem.resident_memory', memory, true);
    RETURN fit_numbers(format('dp_gmm_fit(%L, 3, ''Infinity'', iterations => 4, columns => ''{x,y,z}'')', dataset));
END$$;
SELECT dataset, memory, distance(pg_temp.numbers(dataset, memory), pg_temp.numbers(dataset, '0')) < 1e-9 AS same
  FROM unnest('{kept,kept_units}'::text[]) AS dataset, unnest('{1GB,64kB,1kB}'::text[]) AS memory ORDER BY 1, 2;

-- With noise: a block of the last 512 rows that is lost, or counted twice, moves
-- the mean of t by 0.7; the limit is ten standard deviations of the noise.
SET ROLE regress_analyst;
CREATE FUNCTION pg_temp.private(dataset text, memory text) RETURNS float8 LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('dpem.resident_memory', memory, true);
    RETURN (SELECT mean[1] FROM dp_gmm_fit(dataset, 1, 100, iterations => 4, columns => '{t,x}'));
END$$;
SELECT d, near(pg_temp.private(d, '1GB'), pg_temp.private(d, '0'), 0.1) AS memory, near(pg_temp.private(d, '64kB'), pg_temp.private(d, '0'), 0.1) AS some_in_a_file
  FROM unnest('{kept,kept_units}'::text[]) AS d ORDER BY 1;
-- ... by the categories of a label, each with a feature map of its own
CREATE FUNCTION pg_temp.private_groups(dataset text, memory text) RETURNS float8[] LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('dpem.resident_memory', memory, true);
    RETURN (SELECT array_agg(m ORDER BY key, j) FROM dp_gmm_fit(dataset, 1, 100, iterations => 4, columns => '{t,x}', by => 'word'), unnest(mean) WITH ORDINALITY AS u (m, j));
END$$;
SELECT d, distance(pg_temp.private_groups(d, '1GB'), pg_temp.private_groups(d, '0')) < 0.25 AS memory, distance(pg_temp.private_groups(d, '64kB'), pg_temp.private_groups(d, '0')) < 0.25 AS some_in_a_file
  FROM unnest('{kept,kept_units}'::text[]) AS d ORDER BY 1;
SELECT key IS NULL AS whole, max(noise_stddev) < CASE WHEN key IS NULL THEN 0.1 ELSE 0.25 END / 10 / sqrt(2) AS little_noise
  FROM dpem.gmm_means JOIN dpem.models USING (model) WHERE dataset IN ('kept', 'kept_units') GROUP BY key IS NULL ORDER BY 1;
RESET ROLE;

-- a fit reads the source once, whatever the number of its passes; without memory each pass does
CREATE FUNCTION pg_temp.reads(memory text, iterations int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    before bigint := (SELECT last_value FROM kept_reads);
BEGIN
    PERFORM set_config('dpem.resident_memory', memory, true);
    PERFORM * FROM dp_gmm_fit('kept_counted', 2, 'Infinity', iterations => iterations);
    RETURN round(((SELECT last_value FROM kept_reads) - before) / 7000.0);
END$$;
SELECT iterations, pg_temp.reads('0', iterations) AS without, pg_temp.reads('1kB', iterations) AS file, pg_temp.reads('-1', iterations) AS usual FROM unnest('{2,6}'::int[]) AS iterations;

-- what a fit takes it gives back, many times in a statement
SELECT count(*) FROM generate_series(1, 20) AS i, dp_gmm_fit('kept', 1, 'Infinity', iterations => 2 + i % 2) AS f;
SELECT count(*) AS files FROM pg_ls_tmpdir();
-- the setting
SELECT attempt('SET dpem.resident_memory = -2') <> 'done' AS refused, attempt($$SET dpem.resident_memory = '64MB'$$) AS taken;
SHOW dpem.resident_memory;
RESET dpem.resident_memory;
SHOW dpem.resident_memory;
