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
-- epsilon 4: four rows far away are not seen (of noise of 1.9 a bin of 4 would have to be 14 of them), thousands are, a few at the ends may be; the interval contains the true share with room for 8 deviations of 700 bins
SET ROLE regress_analyst;
SELECT charges() AS before \gset
SELECT lower IN (16, 32) AS lower, upper IN (512, 1024) AS upper, ci_lower <= outside AND outside <= ci_upper AND ci_lower < 0.06 AND ci_upper > 0 AS share FROM dp_bounds('meters', 'reading', 4);
SELECT lower IN (-0.5, -1) AS lower, upper BETWEEN -0.04 AND -0.005 AS upper, outside < 0.1 AS share FROM dp_bounds('meters', 'loss', 4);
SELECT lower < 16 AS lower, upper IN (512, 1024) AS upper, outside < 0.1 AS share FROM dp_bounds('meters', 'cost', 4, filter => 'part = ''a''', mechanism => 'laplace');
SELECT charges() - :before AS charges;
-- so little that noise hides all rows: a warning, and the domain (false alarms: one in twenty calls by design, so only that it is one of the two)
SELECT lower < upper AND ci_lower <= outside AND outside <= ci_upper AS answered FROM dp_bounds('meters', 'reading', 1, filter => 'part = ''a'' and part = ''b''');
-- the plan is that of the histogram
SELECT p.statistic, near(p.noise_stddev, h.noise_stddev) AS same, p.noise_stddev > 4 * h.noise_stddev AS more FROM dp_bounds_plan('meters', 'cost', 0.5) AS p, dp_statistic_plan('histogram', 'meters', 0.5, column_name => 'cost', bins => 20) AS h
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
SELECT lower IN (16, 32) AS lower, upper IN (512, 1024) AS upper FROM dpem.columns WHERE dataset = 'meters' AND column_name = 'reading';
SELECT dp_drop_dataset('meters');
DROP TABLE meters;
RESET ROLE;
