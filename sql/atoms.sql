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
SELECT avg(dp_log_density('tailed_normal', ARRAY[paid, visits, age, balance])) > best + 4 AS normal, avg(dp_log_density('tailed_independent', to_jsonb(t))) > best + 4 AS independent
  FROM tailed AS t, (SELECT -sum(ln(2 * pi() * exp(1) * v)) / 2 AS best FROM (SELECT unnest(ARRAY[var_pop(paid), var_pop(visits), var_pop(age), var_pop(balance)]) AS v FROM tailed) AS s) AS b GROUP BY best;
-- shares of rows, not of zeros: those of both columns
SELECT abs(avg((s[1] < 0.2)::int) - 0.8) < 0.1 AS paid, abs(avg((s[2] < 0.1)::int) - 0.7) < 0.1 AS visits FROM dp_sample('tailed_normal', 4000) AS s;
SELECT abs(avg((s[1] < 0.2)::int) - 0.8) < 0.1 AS paid, abs(avg((s[2] < 0.1)::int) - 0.7) < 0.1 AS visits FROM dp_sample('tailed_independent', 4000) AS s;
-- one number far out does not take the others with it
SELECT dp_log_density('tailed_normal', '{0,0,50,0}') - dp_log_density('tailed_normal', '{480,0,50,0}') < 40 AS far_out;
SELECT dp_drop_dataset('tailed');
DROP TABLE tailed;
