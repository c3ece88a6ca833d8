-- Columns of zeros and a tail: densities have a share at the value that many rows have, with less noise no less of it, and
-- samples have it, too (docs/families/gmm.md).
SET client_min_messages = warning;
CREATE TABLE tailed AS
SELECT CASE WHEN i % 5 > 0 THEN 0 ELSE 10 * exp(sin(i) + cos(7 * i)) END AS paid,
       CASE WHEN i % 10 < 7 THEN 0 ELSE 1 + 20 * abs(sin(3 * i)) END AS visits,
       (50 + 10 * sin(i) + 10 * cos(1.7 * i))::float8 AS age, (20 * cos(i) + 5 * sin(0.3 * i))::float8 AS balance
  FROM generate_series(1, 20000) AS i;
ANALYZE tailed;
SELECT dp_register_dataset('tailed', 'tailed', 1000, 1e-3);
SELECT count(dp_register_column('tailed', name, least, most)) FROM (VALUES ('paid', 0, 500), ('visits', 0, 100), ('age', 0, 120), ('balance', -200, 200)) AS c(name, least, most);
SELECT dp_grant_budget(current_user::regrole, 'tailed', 1000, 1e-3);
-- independent normal laws, at best, and those of these fits: more by several nats, of which noise at epsilon = 8 is 0.05 (false
-- alarms below 1e-20)
SELECT count(*) FROM dp_gmm_fit('tailed', 1, 8, 1e-6, model => 'tailed_normal');
SELECT count(*) FROM dp_mixture_fit('tailed', 1, 8, 1e-6, model => 'tailed_independent');
SELECT count(*) FROM dp_fa_fit('tailed', 1, 8, 1e-6, model => 'tailed_factor');
SELECT avg(dp_log_density('tailed_normal', ARRAY[paid, visits, age, balance])) > best + 4 AS normal, avg(dp_log_density('tailed_independent', to_jsonb(t))) > best + 4 AS independent, avg(dp_log_density('tailed_factor', ARRAY[paid, visits, age, balance])) > best + 4 AS factor
  FROM tailed AS t, (SELECT -sum(ln(2 * pi() * exp(1) * v)) / 2 AS best FROM (SELECT unnest(ARRAY[var_pop(paid), var_pop(visits), var_pop(age), var_pop(balance)]) AS v FROM tailed) AS s) AS b GROUP BY best;
-- shares of rows, not of zeros: those of both columns
SELECT abs(avg((s[1] < 0.2)::int) - 0.8) < 0.1 AS paid, abs(avg((s[2] < 0.1)::int) - 0.7) < 0.1 AS visits FROM dp_sample('tailed_normal', 4000) AS s;
SELECT abs(avg((s[1] < 0.2)::int) - 0.8) < 0.1 AS paid, abs(avg((s[2] < 0.1)::int) - 0.7) < 0.1 AS visits FROM dp_sample('tailed_independent', 4000) AS s;
SELECT abs(avg((s[1] < 0.2)::int) - 0.8) < 0.1 AS paid, abs(avg((s[2] < 0.1)::int) - 0.7) < 0.1 AS visits FROM dp_sample('tailed_factor', 4000) AS s;
-- one number far out does not take the others with it
SELECT dp_log_density('tailed_normal', '{0,0,50,0}') - dp_log_density('tailed_normal', '{480,0,50,0}') < 40 AS far_out,
       dp_log_density('tailed_factor', '{0,0,50,0}') - dp_log_density('tailed_factor', '{480,0,50,0}') < 40 AS far_out_of_factors;
-- by groups, of rows of which some columns are unknown, and in columns' own units
CREATE TABLE tailed_kinds AS SELECT paid, visits, age, CASE WHEN row_number() OVER () % 11 > 0 THEN balance END AS balance, CASE WHEN age < 50 THEN 'a' ELSE 'b' END AS kind FROM tailed;
ANALYZE tailed_kinds;
SELECT dp_register_dataset('tailed_kinds', 'tailed_kinds', 1000, 1e-3);
SELECT count(dp_register_column('tailed_kinds', name, least, most)) FROM (VALUES ('paid', 0, 500), ('visits', 0, 100), ('age', 0, 120), ('balance', -200, 200)) AS c(name, least, most);
SELECT dp_register_column('tailed_kinds', 'kind', '{a,b}'::text[]);
SELECT dp_grant_budget(current_user::regrole, 'tailed_kinds', 1000, 1e-3);
SELECT count(*) FROM dp_fa_fit('tailed_kinds', 1, 16, 1e-6, by => 'kind', missing => 'marginal', model => 'tailed_kind');
SELECT count(*) FROM dp_fa_fit('tailed', 1, 8, 1e-6, precondition => 'standardise', model => 'tailed_standardised');
SELECT model, (SELECT avg(dp_log_density(model, ARRAY[paid, visits, age, balance])) FROM tailed_kinds WHERE balance IS NOT NULL AND (of IS NULL OR of = kind)) > best + 4 AS more
  FROM (SELECT -sum(ln(2 * pi() * exp(1) * v)) / 2 AS best FROM (SELECT unnest(ARRAY[var_pop(paid), var_pop(visits), var_pop(age), var_pop(balance)]) AS v FROM tailed) AS s) AS b,
       (VALUES ('tailed_kind/a', 'a'), ('tailed_kind/b', 'b'), ('tailed_standardised', NULL)) AS m(model, of) ORDER BY model;
-- columns that say the same say it of rows that are not at the atom as well: no less than the normal law of all rows, at best
CREATE TABLE told AS
SELECT a, a + 0.5 * sin(7 * i) AS b, a + 0.5 * cos(11 * i) AS c FROM (SELECT i, CASE WHEN i % 2 = 0 THEN 0 ELSE 10 + 3 * sin(i) END AS a FROM generate_series(1, 20000) AS i) AS s;
ANALYZE told;
SELECT dp_register_dataset('told', 'told', 1000, 1e-3);
SELECT count(dp_register_column('told', name, least, 2000)) FROM (VALUES ('a', 0), ('b', -2000), ('c', -2000)) AS c(name, least);
SELECT dp_grant_budget(current_user::regrole, 'told', 1000, 1e-3);
SELECT count(*) FROM dp_gmm_fit('told', 1, 8, 1e-6, model => 'told_normal');
SELECT count(*) FROM dp_fa_fit('told', 1, 8, 1e-6, model => 'told_factor');
SELECT avg(dp_log_density('told_normal', ARRAY[a, b, c])) > best - 0.2 AS normal, avg(dp_log_density('told_factor', ARRAY[a, b, c])) > best - 0.2 AS factor
  FROM told, (SELECT -(3 * ln(2 * pi() * exp(1)) + ln(aa * bb * cc + 2 * ab * ac * bc - aa * bc * bc - bb * ac * ac - cc * ab * ab)) / 2 AS best
                FROM (SELECT var_pop(a) AS aa, var_pop(b) AS bb, var_pop(c) AS cc, covar_pop(a, b) AS ab, covar_pop(a, c) AS ac, covar_pop(b, c) AS bc FROM told) AS s) AS b GROUP BY best;
-- rows beside the atom are as narrow as margins show them, here at 3, of which moments of all rows say little: samples too.  Noise moves the
-- density by less than 0.01, and of some 1,200 samples 98.5 % are near 3 (false alarms below 1e-20)
CREATE TABLE two_values AS SELECT (i % 10 / 7 * 3)::float8 AS children, 50 + 10 * sin(i) AS age FROM generate_series(1, 20000) AS i;
ANALYZE two_values;
SELECT dp_register_dataset('two_values', 'two_values', 1000, 1e-3);
SELECT dp_register_column('two_values', 'children', 0, 20), dp_register_column('two_values', 'age', 0, 100);
SELECT dp_grant_budget(current_user::regrole, 'two_values', 1000, 1e-3);
SELECT count(*) FROM dp_mixture_fit('two_values', 1, 8, 1e-6, columns => '{children}', model => 'two_values');
SELECT dp_log_density('two_values', '{"children": 3}') > -0.4 AS narrow;
SELECT avg((children BETWEEN 2.7 AND 3.3)::int) > 0.9 AS near FROM dp_sample_rows('two_values', 4000) AS t (children float8) WHERE children > 1;
SELECT count(*) FROM dp_gmm_fit('two_values', 1, 8, 1e-6, model => 'two_normal');
SELECT count(*) FROM dp_fa_fit('two_values', 1, 8, 1e-6, model => 'two_factor');
SELECT model, dp_log_density(model, '{3,50}') + ln(sqrt(2 * pi()) * stddev(age)) > -0.4 AS narrow FROM two_values, unnest('{two_normal,two_factor}'::text[]) AS model GROUP BY model ORDER BY model DESC;
SELECT dp_drop_dataset('tailed'), dp_drop_dataset('tailed_kinds'), dp_drop_dataset('told'), dp_drop_dataset('two_values');
DROP TABLE tailed, tailed_kinds, told, two_values;
