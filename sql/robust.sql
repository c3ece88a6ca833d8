-- dp_robust: what SQL says without noise, all mechanisms with noise, tests that pass and refuse, plans, refusals
\pset null -
SET ROLE regress_owner;
-- 8,000 values about 40 with quartiles near 30 and 53, in the domain from 0 to 400; NULL and others do not count
CREATE TABLE tolls AS SELECT i AS id, i / 2 AS driver, exp(3.7 + 0.42 * sqrt(-2 * ln((0.5 + i * 0.7548776662466927) % 1)) * cos(2 * pi() * ((0.5 + i * 0.5698402909980532) % 1))) AS paid,
    CASE WHEN i % 4 = 0 THEN 'north' ELSE 'south' END AS gate FROM generate_series(1, 8000) AS i;
INSERT INTO tolls VALUES (8001, 1, NULL, 'north'), (8002, 2, 'NaN', 'north'), (8003, 3, 'Infinity', 'south'), (8004, 4, 1e9, 'south'), (8005, 5, -7, 'south');
CREATE TABLE tolls_drivers AS TABLE tolls;
CREATE TABLE tolls_plain AS TABLE tolls;
ANALYZE tolls, tolls_drivers, tolls_plain;
SELECT dp_register_dataset('tolls', 'tolls', 1000, 1e-4, keys_share => 0.2),
       dp_register_dataset('tolls_drivers', 'tolls_drivers', 1000, 1e-3, adjacency => 'add_remove', accountant => 'linear', unit => 'driver', max_rows_per_unit => 2),
       dp_register_dataset('tolls_plain', 'tolls_plain', 1000, 1e-4);
CREATE TABLE tolls_none (LIKE tolls);
SELECT dp_register_dataset('tolls_none', 'tolls_none', 1000, 1e-4, adjacency => 'add_remove'), dp_register_column('tolls_none', 'paid', 0, 400), dp_grant_budget('regress_analyst', 'tolls_none', 900, 1e-4);
CREATE VIEW tolls_names AS SELECT unnest('{tolls,tolls_drivers,tolls_plain}'::text[]) AS d;
SELECT count(dp_register_column(d, 'paid', 0, 400)), count(dp_register_column(d, 'gate', '{north,south}'::text[])), count(dp_grant_budget('regress_analyst', d, 900, CASE d WHEN 'tolls_drivers' THEN 1e-3 ELSE 1e-4 END)) FROM tolls_names;
GRANT SELECT ON tolls, tolls_drivers, tolls_plain TO regress_reader;
GRANT SELECT ON tolls_names TO regress_reader, regress_analyst;
RESET ROLE;

-- without noise: SQL's own percentiles in equal bins
SET ROLE regress_reader;
CREATE TEMP TABLE exact AS SELECT f, bins, floor(p[1] * bins / 400) AS first, floor(p[2] * bins / 400) AS middle, floor(p[3] * bins / 400) AS third
  FROM unnest('{NULL,north}'::text[]) AS f, unnest('{16,4096,65536}'::int[]) AS bins,
       LATERAL (SELECT percentile_disc('{0.25,0.5,0.75}'::float8[]) WITHIN GROUP (ORDER BY least(greatest(paid, 0), 400)) AS p FROM tolls WHERE abs(paid) < 'Infinity' AND (f IS NULL OR gate = f)) AS s;
SELECT f AS filter, bins, near(m.value, (middle + 0.5) * 400 / bins) AS median, near(q.value, (third - first) * 400 / bins) AS iqr, m.noise_stddev, m.refused FROM exact,
    LATERAL dp_robust('tolls', 'paid', 'Infinity', bins => bins, filter => 'gate = ''' || f || '''') AS m,
    LATERAL dp_robust('tolls', 'paid', 'Infinity', statistic => 'iqr', mechanism => 'propose_test_release', proposal => 100, bins => bins, filter => 'gate = ''' || f || '''') AS q ORDER BY 1 NULLS FIRST, 2;

-- with noise: of 9 answers by smooth sensitivity, each of which misses by a tenth with a probability below 0.5 %, the middle one; 9 at a small epsilon are not all the same: false alarms below 1e-7
SET ROLE regress_analyst;
SELECT charges() AS before \gset
CREATE TEMP TABLE smooth AS SELECT d, s, e, r.* FROM tolls_names, unnest('{median,iqr}'::text[]) AS s, unnest('{8,0.5}'::float8[]) AS e, generate_series(1, 9) AS i, LATERAL dp_robust(d, 'paid', e + 0 * i, statistic => s, bins => 4096) AS r;
SELECT d, s, near(percentile_disc(0.5) WITHIN GROUP (ORDER BY value) FILTER (WHERE e = 8), CASE s WHEN 'median' THEN 40.4 ELSE 23.1 END, 0.1) AS near, count(DISTINCT value) FILTER (WHERE e = 0.5) > 1 AS noisy, bool_or(refused) AS refused,
    count(noise_stddev) + count(ci_lower) AS told FROM smooth GROUP BY 1, 2 ORDER BY 1, 2;
-- a test passes whose distance, of hundreds of persons, is many deviations beyond the threshold, and refuses one of a few persons, of 130; values within 30 deviations: false alarms below 1e-6
CREATE TEMP TABLE tested AS SELECT d, s, r.* FROM tolls_names, unnest('{median,iqr}'::text[]) AS s, LATERAL dp_robust(d, 'paid', 8, 1e-7, statistic => s, mechanism => 'propose_test_release', proposal => 8) AS r WHERE d <> 'tolls_plain';
SELECT d, s, refused, noise_stddev > 0 AND ci_lower < value AND value < ci_upper AS noisy, abs(value - CASE s WHEN 'median' THEN 40.4 ELSE 23.1 END) < 30 * noise_stddev AS near FROM tested ORDER BY 1, 2;
SELECT d, r.* FROM tolls_names, LATERAL dp_robust(d, 'paid', 0.25, 1e-7, mechanism => 'propose_test_release', proposal => 0.01) AS r WHERE d <> 'tolls_plain' ORDER BY 1;
-- blocks: 9 answers each, of which noise is a hundredth of the tolerance at most; a range of few rows is a little too small; a quartile is chosen a quarter of the blocks away with a probability below 1e-12
CREATE TEMP TABLE blocks AS SELECT d, s, r.* FROM tolls_names, unnest('{median,iqr}'::text[]) AS s, generate_series(1, 9) AS i, LATERAL dp_robust(d, 'paid', 8 + 0 * i, statistic => s, mechanism => 'blocks', bins => 4096) AS r;
SELECT d, s, near(percentile_disc(0.5) WITHIN GROUP (ORDER BY value), CASE s WHEN 'median' THEN 40.4 ELSE 23.1 END, 0.2) AS near, count(DISTINCT value) > 1 AS noisy, bool_or(refused) AS refused,
    bool_and(noise_stddev > 0 AND near(ci_upper - ci_lower, CASE d WHEN 'tolls_drivers' THEN sqrt(2) * ln(20) ELSE 2 * 1.959964 END * noise_stddev, 1e-3)) AS interval FROM blocks GROUP BY 1, 2 ORDER BY 1, 2;
-- of a table without a row blocks are blocks without rows
SELECT refused, noise_stddev > 0 AS noisy FROM dp_robust('tolls_none', 'paid', 100, mechanism => 'blocks', bins => 16);
-- a refusal is charged like an answer
SELECT charges() - :before AS charges, 12 * 9 + 4 + 2 + 6 * 9 + 1 AS calls;
SELECT dataset, function, statistic, mechanism, count(*) FROM dpem.ledger WHERE dataset ~ '^tolls' GROUP BY 1, 2, 3, 4 ORDER BY 1, 3, 4;
-- kept, refusals too: all of these were answered for a larger epsilon
SET dpem.fresh = off;
SET client_min_messages = warning;
SELECT charges() AS before \gset
SELECT a.value = b.value AS same, c.refused AS first, d.refused AS again FROM dp_robust('tolls', 'paid', 3, bins => 4096) AS a, LATERAL dp_robust('tolls', 'paid', 3 + 0 * a.value, bins => 4096) AS b,
    LATERAL dp_robust('tolls', 'paid', 0.2 + 0 * b.value, 1e-7, mechanism => 'propose_test_release', proposal => 0.01) AS c,
    LATERAL dp_robust('tolls', 'paid', 0.2 + 0 * c.refused::int, 1e-7, mechanism => 'propose_test_release', proposal => 0.01) AS d;
SELECT charges() - :before AS charges;
SET client_min_messages = notice;
SET dpem.fresh = on;

-- plans: what is public of the noise; that of a value grows with what is proposed
SELECT charges() AS before \gset
SELECT statistic, mechanism, sensitivity, near(noise_stddev, CASE WHEN statistic ~ 'beta' THEN 0.25 / 8 ELSE 16 / 0.25 * (2 ^ (1 / 3.0) - 1) END, 1e-6) AS expected, near(epsilon_linear, 0.25, 1e-6) AS epsilon, allowed FROM dp_robust_plan('tolls_drivers', 'paid', 0.25) ORDER BY 1;
SELECT d, statistic, mechanism, near(sensitivity, CASE statistic WHEN 'iqr' THEN 400 * 1309 / 65536.0 ELSE 1 END) AS sensitivity, noise_stddev > 0 AS noisy, releases
  FROM tolls_names, dp_robust_plan(d, 'paid', 0.5, 1e-6, statistic => 'iqr', mechanism => 'propose_test_release', proposal => 7.99) WHERE d <> 'tolls_plain' ORDER BY d, 3 NULLS LAST, 2;
SELECT near(b.noise_stddev, 2 * a.noise_stddev, 1e-4) AS twice, near(c.noise_stddev, 1.5 * a.noise_stddev, 1e-4) AS as_many_bins FROM dp_robust_plan('tolls', 'paid', 1, mechanism => 'propose_test_release') AS a,
    dp_robust_plan('tolls', 'paid', 1, mechanism => 'propose_test_release', proposal => 3.125) AS b, dp_robust_plan('tolls', 'paid', 1, mechanism => 'propose_test_release', bins => 1024, proposal => 2.4) AS c
 WHERE a.statistic = 'median' AND b.statistic = 'median' AND c.statistic = 'median';
SELECT d, statistic, mechanism, releases, noise_stddev > 0 AS noisy FROM tolls_names, dp_robust_plan(d, 'paid', 0.5, mechanism => 'blocks') WHERE d <> 'tolls_plain' ORDER BY d, line NULLS LAST, 2;

-- refused before anything is spent
\pset format unaligned
\pset tuples_only on
SELECT attempt('SELECT * FROM ' || c) FROM (VALUES
    (1, $$dp_robust('tolls', 'gate', 1)$$), (2, $$dp_robust('tolls', 'nothing', 1)$$), (3, $$dp_robust('tolls', NULL, 1)$$), (4, $$dp_robust('tolls', 'paid', NULL)$$), (5, $$dp_robust('tolls', 'paid', 1, statistic => 'mean')$$),
    (6, $$dp_robust('tolls', 'paid', 1, mechanism => 'cauchy')$$), (7, $$dp_robust('tolls', 'paid', 1, bins => 15)$$), (8, $$dp_robust('tolls', 'paid', 1, bins => 65537)$$), (9, $$dp_robust('tolls', 'paid', 1, proposal => 1)$$),
    (10, $$dp_robust('tolls', 'paid', 1, mechanism => 'propose_test_release', bins => 4096, proposal => 0.09)$$), (11, $$dp_robust('tolls', 'paid', 1, mechanism => 'propose_test_release', bins => 4096, proposal => 400)$$),
    (12, $$dp_robust('tolls', 'paid', 1, mechanism => 'propose_test_release', proposal => 'NaN')$$), (13, $$dp_robust('tolls_plain', 'paid', 1, mechanism => 'propose_test_release')$$), (14, $$dp_robust('tolls', 'paid', 'Infinity')$$),
    (15, $$dp_robust_plan('tolls', 'paid', 'Infinity')$$), (16, $$dp_robust('tolls', 'paid', 1e-7)$$), (17, $$dp_robust('tolls', 'paid', 1, 0.5, mechanism => 'propose_test_release')$$), (18, $$dp_robust('nowhere', 'paid', 1)$$),
    (19, $$dp_robust('tolls', 'paid', 1, mechanism => 'blocks', proposal => 1)$$), (20, $$dp_robust('tolls', 'paid', 1e-7, mechanism => 'blocks')$$)) AS v (n, c) ORDER BY n;
SET ROLE regress_other;
SELECT attempt($$SELECT * FROM dp_robust('tolls', 'paid', 1)$$);
SET ROLE regress_owner;
SELECT dp_alter_dataset('tolls_plain', minimum => 10) IS NOT NULL;
SET ROLE regress_analyst;
SELECT attempt($$SELECT * FROM dp_robust('tolls_plain', 'paid', 1, filter => 'gate = ''north''')$$);
RESET ROLE;
SELECT charges() - :before AS charges;
\pset tuples_only off
\pset format aligned
SET ROLE regress_owner;
DROP VIEW tolls_names;
SELECT count(dp_drop_dataset(d)) FROM unnest('{tolls,tolls_drivers,tolls_plain,tolls_none}'::text[]) AS d;
DROP TABLE tolls, tolls_drivers, tolls_plain, tolls_none;
RESET ROLE;
