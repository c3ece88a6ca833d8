-- dp_linreg_fit where the number of rows is not public, and only margins tell that they are few: the mean of the target
\pset null -
SET ROLE regress_owner;
CREATE TABLE few_rows AS
SELECT i, CASE WHEN i <= 40 THEN 'few' ELSE 'many' END AS part, x, z, 3 + 0.5 * x - 2 * z AS y
  FROM (SELECT i, (i * 0.7548776662 % 1)::float8 * 4 + 1 AS x, (i * 0.5698402909 % 1)::float8 * 2 - 1 AS z FROM generate_series(1, 6000) AS i) AS s;
ANALYZE few_rows;
SELECT count(dp_register_dataset('few_rows', 'few_rows', 1000, 1e-4, adjacency => 'add_remove'));
SELECT count(dp_register_column('few_rows', c, l, u)) FROM (VALUES ('x', -5, 10), ('z', -5, 5), ('y', -20, 20), ('i', 1, 6000)) AS t (c, l, u);
SELECT count(dp_register_column('few_rows', 'part', '{few,many}'::text[])), count(dp_grant_budget('regress_analyst', 'few_rows', 900, 1e-4));
RESET ROLE;

SET ROLE regress_analyst;
-- whether any row is to be seen is chance
SET dpem.noise_warnings = off;
-- 40 rows that match, in noise of a hundred: the plan is that of many, and what is released is the mean in all that margins leave of the budget
SELECT statistic, releases FROM dp_linreg_plan('few_rows', 'y', 0.1, columns => '{x,z}', filter => 'i <= 40') WHERE releases IS NOT NULL;
SELECT count(*), bool_and(coefficient = 0 AND noise_stddev = 0 AND ci_lower = '-Infinity' AND ci_upper = 'Infinity') FILTER (WHERE column_name <> '(intercept)') AS unknown,
       bool_and(coefficient BETWEEN -20 AND 20 AND noise_stddev > 0) FILTER (WHERE column_name = '(intercept)') AS mean
  FROM dp_linreg_fit('few_rows', 'y', 0.1, columns => '{x,z}', filter => 'i <= 40', model => 'few_rows');
-- what was asked for is made
SELECT bool_and(ci_upper < 'Infinity') AS known FROM dp_linreg_fit('few_rows', 'y', 0.1, columns => '{x,z}', filter => 'i <= 40', precondition => 'standardise');
-- of groups only those of few rows
SELECT key, count(*) AS coefficients, bool_and(coefficient = 0) FILTER (WHERE column_name <> '(intercept)') AS nothing,
       bool_and(abs(coefficient - CASE column_name WHEN 'x' THEN 0.5 WHEN 'z' THEN -2 ELSE 3 END) < 1) FILTER (WHERE key = 'many') AS near
  FROM dp_linreg_fit('few_rows', 'y', 0.2, columns => '{x,z}', by => 'part') GROUP BY key ORDER BY key;
RESET ROLE;
