-- dp_bounds: a domain of any width, powers of two where rows are, the share outside; plans, refusals
\pset null -
SET ROLE regress_owner;
CREATE TABLE meters AS SELECT i AS id, 20 + 900 * (i * 0.7548776662 % 1)::float8 AS reading, (-0.01 * (1 + i % 50))::numeric AS loss, CASE WHEN i <= 4 THEN 1e15 WHEN i % 2 = 0 THEN 1000 * (i * 0.5698402909 % 1)::float8 END AS cost,
       CASE WHEN i % 4 = 0 THEN 'a' ELSE 'b' END AS part FROM generate_series(1, 20000) AS i;
INSERT INTO meters (reading, loss) VALUES ('NaN', 'NaN'), ('Infinity', -1e50), (NULL, NULL);
ANALYZE meters;
SELECT dp_register_dataset('meters', 'meters', 1000, 1e-4), dp_register_column('meters', 'reading', -1e100, 1e100), dp_register_column('meters', 'loss', -1e12, 1e12), dp_register_column('meters', 'cost', 0, 1e20),
       dp_register_column('meters', 'part', '{a,b}'::text[]), dp_grant_budget('regress_analyst', 'meters', 900, 1e-4), dp_grant_budget('regress_owner', 'meters', 10, 1e-5);
GRANT SELECT ON meters TO regress_reader;
-- without noise: the bins of all rows
SET ROLE regress_reader;
SELECT c, b.lower, b.upper, b.outside, b.ci_lower, b.ci_upper < 1e-9 AS sharp FROM unnest('{reading,loss,cost}'::text[]) AS c, dp_bounds('meters', c, 'Infinity') AS b ORDER BY 1;
-- epsilon 4: thousands of rows are seen, four rows far away are not, nor are empty bins but in 5 of 100 calls: what most of 21 calls say (11 of them: false alarms below 1e-8)
SET ROLE regress_analyst;
SELECT charges() AS before \gset
CREATE TEMP TABLE said AS SELECT 'reading' AS c, b.* FROM generate_series(1, 21) AS i, LATERAL dp_bounds('meters', 'reading', 4 + 0 * i) AS b
    UNION ALL SELECT 'loss', b.* FROM generate_series(1, 21) AS i, LATERAL dp_bounds('meters', 'loss', 4 + 0 * i) AS b
    UNION ALL SELECT 'cost', b.* FROM generate_series(1, 21) AS i, LATERAL dp_bounds('meters', 'cost', 4 + 0 * i, filter => 'part = ''a''', mechanism => 'laplace') AS b;
SELECT c, percentile_disc(0.5) WITHIN GROUP (ORDER BY lower) BETWEEN CASE c WHEN 'loss' THEN -1 WHEN 'cost' THEN 0 ELSE 16 END AND CASE c WHEN 'loss' THEN -0.5 ELSE 32 END AS lower,
       percentile_disc(0.5) WITHIN GROUP (ORDER BY upper) BETWEEN CASE c WHEN 'loss' THEN -0.04 ELSE 512 END AND CASE c WHEN 'loss' THEN -0.005 ELSE 1024 END AS upper,
       bool_and(ci_lower <= outside AND outside <= ci_upper AND outside < 0.1) AS share, bool_and(lower <= CASE c WHEN 'loss' THEN -0.25 ELSE 64 END AND upper >= CASE c WHEN 'loss' THEN -0.0625 ELSE 512 END) AS seen FROM said GROUP BY c ORDER BY c;
SELECT charges() - :before AS charges;
-- no rows: what is warned of is left to chance
SET client_min_messages = error;
SELECT lower < upper AND ci_lower <= outside AND outside <= ci_upper AS answered FROM dp_bounds('meters', 'reading', 1, filter => 'part = ''a'' and part = ''b''');
RESET client_min_messages;
-- the plan is that of the histogram
SELECT p.statistic, near(p.noise_stddev, h.noise_stddev) AS same, p.noise_stddev > 3 * h.noise_stddev AS more FROM dp_bounds_plan('meters', 'cost', 0.5) AS p, dp_statistic_plan('histogram', 'meters', 0.5, column_name => 'cost', bins => 20) AS h
 WHERE p.statistic IN ('count', 'rows that are seen') AND h.statistic = 'count';
\pset format unaligned
\pset tuples_only on
SELECT attempt('SELECT * FROM ' || c) FROM (VALUES (1, $$dp_bounds('meters', 'part', 1)$$), (2, $$dp_bounds('meters', 'id', 1)$$), (3, $$dp_bounds('meters', NULL, 1)$$), (4, $$dp_bounds('meters', 'cost')$$),
    (5, $$dp_bounds('meters', 'cost', 'Infinity')$$), (6, $$dp_bounds('meters', 'cost', 1, mechanism => 'none')$$)) AS v (n, c) ORDER BY n;
SET ROLE regress_other;
SELECT attempt($$SELECT * FROM dp_bounds('meters', 'cost', 1)$$);
\pset tuples_only off
\pset format aligned
-- an owner who knows no domain: a wide one, the suggestion, and the domain that it gives
SET ROLE regress_owner;
SELECT dp_register_column('meters', 'reading', b.lower, b.upper) IS NOT NULL AS narrowed FROM dp_bounds('meters', 'reading', 4) AS b;
SELECT lower BETWEEN -1e99 AND 32 AS lower, upper BETWEEN 512 AND 1e99 AS upper FROM dpem.columns WHERE dataset = 'meters' AND column_name = 'reading';
SELECT dp_drop_dataset('meters');
DROP TABLE meters;
RESET ROLE;
