-- dp_count, dp_sum, dp_avg, dp_variance, dp_stddev, dp_covariance, dp_histogram: what they say, filters, groups, charges, and what is refused
\pset null -
SET ROLE regress_owner;
CREATE TYPE ward AS ENUM ('north', 'south', 'east', 'west');
CREATE TABLE stays AS
SELECT i AS id, i / 2 AS person, 20 + 60 * u ^ 1.5 AS age, (1000 * v)::numeric AS income, (i % 50)::smallint AS stay,
       CASE WHEN w < 0.3 THEN 'yes' ELSE 'no' END AS smoker, w < 0.5 AS insured, (enum_range(NULL::ward))[1 + (3 * u)::int % 3] AS ward, 'x' || i AS name
  FROM (SELECT i, (i * 0.7548776662 % 1)::float8 AS u, (i * 0.5698402909 % 1)::float8 AS v, (i * 0.41421356237 % 1)::float8 AS w FROM generate_series(1, 6000) AS i) AS s;
CREATE TABLE stays_units AS TABLE stays;
CREATE TABLE stays_guests AS TABLE stays;
ANALYZE stays, stays_units, stays_guests;
SELECT dp_register_dataset('stays', 'stays', 1000, 1e-4),
       dp_register_dataset('stays_units', 'stays_units', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2),
       dp_register_dataset('stays_guests', 'stays_guests', 1000, 1e-4, adjacency => 'add_remove', accountant => 'linear');
CREATE VIEW stays_names AS SELECT unnest('{stays,stays_units,stays_guests}'::text[]) AS d;
SELECT count(dp_register_column(d, 'age', 0, 100)), count(dp_register_column(d, 'income', 0, 1000)), count(dp_register_column(d, 'stay', -10, 40)),
       count(dp_register_column(d, 'smoker', '{yes,no}'::text[])), count(dp_register_column(d, 'insured', '{true,false}'::text[])),
       count(dp_register_column(d, 'ward', '{south,north,east,west}'::text[])), count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM stays_names;
SELECT dp_register_text('stays', 'name', '{x}');
GRANT SELECT ON stays, stays_units, stays_guests TO regress_reader;
-- null rows of every kind, and values beyond the domain
INSERT INTO stays (age, income, stay, smoker, insured, ward) VALUES (NULL, 1, 1, 'yes', true, 'north'), ('NaN', 1, 1, 'no', NULL, 'south'), ('Infinity', 'NaN', 1, NULL, false, NULL),
    (1e300, 1e5, -32768, 'perhaps', true, 'east'), (-1e300, '-1e400', 32767, 'YES', false, 'east'), (50, '1e-400', NULL, $$'; DROP TABLE stays; --$$, NULL, 'north');
RESET ROLE;

-- without noise: what SQL says of the clamped values
SET ROLE regress_reader;
CREATE TEMP VIEW clamped AS SELECT *, CASE WHEN age > '-Infinity' AND age < 'Infinity' THEN least(greatest(age, 0), 100) END AS a, CASE WHEN stay IS NOT NULL THEN least(greatest(stay, -10), 40)::float8 END AS s,
    CASE WHEN income > 1e308 OR income < -1e308 THEN NULL WHEN income < 1e-300 THEN 0 ELSE least(income, 1000)::float8 END AS m FROM stays;
SELECT value, noise_stddev, ci_lower = value AND ci_upper = value AS sharp, key FROM dp_count('stays', 'Infinity');
SELECT value = (SELECT count(*) FROM stays WHERE age < 'Infinity') AS not_null FROM dp_count('stays', 'Infinity', column_name => 'age');
SELECT near(s.value, sum(a)) AS sum, near(v.value, avg(a)) AS avg, near(w.value, variance(a)) AS variance, near(t.value, stddev(a)) AS stddev
  FROM clamped, dp_sum('stays', 'age', 'Infinity') AS s, dp_avg('stays', 'age', 'Infinity') AS v, dp_variance('stays', 'age', 'Infinity') AS w, dp_stddev('stays', 'age', 'Infinity') AS t
 GROUP BY s.value, v.value, w.value, t.value;
SELECT near(value, (SELECT covar_samp(s, m) FROM clamped WHERE s IS NOT NULL)) AS covariance FROM dp_covariance('stays', 'stay', 'income', 'Infinity');
SELECT bool_and(near(f.value, c.avg)) AS groups, count(*) FROM dp_avg('stays', 'stay', 'Infinity', by => 'ward') AS f
  JOIN (SELECT ward::text, avg(s) FROM clamped WHERE s IS NOT NULL GROUP BY 1) AS c ON c.ward = f.key;
SELECT key, value > 1000 AS many, value = 0 AS none FROM dp_count('stays', 'Infinity', by => 'ward');
SELECT key, value FROM dp_count('stays', 'Infinity', by => 'insured') ORDER BY key;

-- filters are what WHERE is, with NULLs and all
SELECT f AS filter, value = matching AS same, matching > 0 AS any
  FROM (VALUES (1, 'age >= 40 and smoker = ''yes''', (SELECT count(*) FROM stays WHERE age >= 40 AND smoker = 'yes')),
               (2, 'not (age < 40 or ward = ''north'')', (SELECT count(*) FROM stays WHERE NOT (age < 40 OR ward = 'north'))),
               (3, 'stay between 10 and 20 and insured = ''true''', (SELECT count(*) FROM stays WHERE stay BETWEEN 10 AND 20 AND insured)),
               (4, 'stay not between 10 and 20 or income <= 1e2', (SELECT count(*) FROM stays WHERE stay NOT BETWEEN 10 AND 20 OR income <= 1e2)),
               (5, 'ward in (''east'', ''west'') and smoker not in (''no'')', (SELECT count(*) FROM stays WHERE ward = 'east' AND smoker NOT IN ('no'))),
               (6, 'stay in (1, 2, 3.5)', (SELECT count(*) FROM stays WHERE stay IN (1, 2))),
               (7, 'smoker is null or income is null', (SELECT count(*) FROM stays WHERE smoker IS NULL OR income IS NULL)),
               (8, 'name is not null and stay <> 7', (SELECT count(*) FROM stays WHERE name IS NOT NULL AND stay <> 7)),
               (9, 'smoker < ''o''', (SELECT count(*) FROM stays WHERE smoker COLLATE "C" < 'o')),
               (10, 'smoker between ''''''; DROP TABLE stays; --'' and ''''''; DROP TABLE stays; --''', 1),
               (11, 'income > 1e300 or age > 1e299', (SELECT count(*) FROM stays WHERE income > 1e300 OR age > 1e299)),
               (12, 'INCOME < -1e300 AND "stay" = -10', 0),
               (13, 'insured', (SELECT count(*) FROM stays WHERE insured)),
               (14, 'not insured and (insured or stay > 20)', (SELECT count(*) FROM stays WHERE NOT insured AND (insured OR stay > 20))),
               (15, 'insured is not true and stay < 30', (SELECT count(*) FROM stays WHERE insured IS NOT TRUE AND stay < 30)),
               (16, 'not (insured is false)', (SELECT count(*) FROM stays WHERE NOT (insured IS FALSE)))) AS v (n, f, matching), dp_count('stays', 'Infinity', filter => f) ORDER BY n;
SELECT value = (SELECT count(*) FROM stays_units WHERE age >= 40) AS units, key FROM dp_count('stays_units', 'Infinity', filter => 'age >= 40');
SELECT bool_and(f.value = c.n) AS units FROM dp_count('stays_units', 'Infinity', filter => 'age >= 40', by => 'ward') AS f
  JOIN (SELECT ward::text, count(*) AS n FROM stays_units WHERE age >= 40 GROUP BY 1) AS c ON c.ward = f.key;
-- a word that is no category, which no row would match, is refused with the nearest
SELECT attempt(format('SELECT value FROM dp_count(''stays'', 1, filter => %L)', f)) FROM unnest(ARRAY[$$smoker = 'Yes'$$, $$ward IN ('east', 'norht')$$, $$NOT smoker <> 'often'$$, $$ages > 3$$, $$age and insured$$, $$smoker is true$$]) AS f;
SELECT value FROM dp_count('stays', 1, filter => $$ward = 'Norht' OR ward = 'east'$$);
SELECT value FROM dp_avg('stays', 'agee', 1);
SELECT * FROM dp_gmm_plan('stays', 2, 1, covariance => 'diagnal');
-- and so for fits
SELECT bool_and(f.same) AS fits FROM (
    SELECT near(m.mean[1], avg(c.a), 1e-6) AS same FROM dp_gmm_fit('stays', 1, 'Infinity', columns => '{age}', estimator => 'mle', iterations => 2, filter => 'smoker = ''no'' and age between 30 and 70') AS m, clamped AS c
     WHERE c.smoker = 'no' AND c.age BETWEEN 30 AND 70 GROUP BY m.mean
    UNION ALL SELECT near(m.mean[1], avg(c.a), 1e-6) FROM dp_kmeans_fit('stays', 1, 'Infinity', columns => '{age}', iterations => 2, filter => 'ward = ''east'' and age < 90') AS m, clamped AS c
     WHERE c.ward = 'east' AND c.age < 90 GROUP BY m.mean
    UNION ALL SELECT near(m.mean, avg(c.a), 1e-6) FROM dp_fa_fit('stays', 1, 'Infinity', columns => '{age,stay}', filter => 'stay <= 40 and age <= 100 and stay >= -10 and age >= 0') AS m, clamped AS c
     WHERE m.column_name = 'age' AND c.stay BETWEEN -10 AND 40 AND c.age BETWEEN 0 AND 100 GROUP BY m.mean) AS f;

-- histograms: equal parts of the domain, edges, categories
SELECT array_agg(value = (SELECT count(*) FROM clamped WHERE age < 'Infinity' AND a >= lower AND (a < upper OR a = 100 AND upper = 100)) ORDER BY bin) AS same,
       array_agg(lower ORDER BY bin) AS lower, max(upper) AS upper, max(category) AS category FROM dp_histogram('stays', 'age', 'Infinity', bins => 4);
SELECT bin, lower, upper, value = (SELECT count(*) FROM stays WHERE stay >= lower AND stay < upper OR stay = upper AND upper = 30) AS same FROM dp_histogram('stays', 'stay', 'Infinity', edges => '{0,10,15,30}') ORDER BY bin;
-- edges beyond the domain, at its ends and next to them: the value is clamped first
SELECT edges, array_agg(value = (SELECT count(*) FROM clamped WHERE abs(age) < 'Infinity' AND a >= lower AND (a < upper OR a = upper AND bin = cardinality(edges) - 1)) ORDER BY bin) AS same, sum(value) > 0 AS some
  FROM unnest('{-20 -10,-10 0 20,0 100,20 100 120,99 101,100 101,101 102,0 1e-300 50 99.99999999999999}'::text[]) AS e, LATERAL CAST(string_to_array(e, ' ') AS float8[]) AS edges,
  LATERAL dp_histogram('stays', 'age', 'Infinity', edges => edges) GROUP BY 1 ORDER BY 1;
SELECT bin, category, value = (SELECT count(*) FROM stays WHERE ward::text = category AND smoker = 'yes') AS same FROM dp_histogram('stays', 'ward', 'Infinity', filter => 'smoker = ''yes''') ORDER BY bin;
RESET ROLE;

-- Epsilon 20 with noise: within eight standard deviations of the value without, sixteen for Laplace noise, which is beyond eight once in 80,000 numbers
-- (false alarms below 1e-8), and the intervals' lengths are what they say.
SET ROLE regress_analyst;
CREATE TEMP TABLE calls AS SELECT d, f || '(' || quote_literal(d) || a || ', %s' || more || ')' AS call
  FROM unnest('{stays,stays_units,stays_guests}'::text[]) AS d,
       (VALUES ('dp_count', ''), ('dp_sum', ', ''stay'''), ('dp_avg', ', ''age'''), ('dp_variance', ', ''stay'''), ('dp_stddev', ', ''age'''), ('dp_covariance', ', ''age'', ''stay''')) AS v (f, a),
       unnest(ARRAY['', ', by => ''insured''', ', filter => ''age > 30 and ward <> ''''north''''''']) AS more;
CREATE TABLE pg_temp.answers (call text, value float8, noise_stddev float8, ci_lower float8, ci_upper float8, key text);
GRANT ALL ON pg_temp.answers, calls TO PUBLIC;
CREATE FUNCTION pg_temp.ask(call text, epsilon text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
BEGIN
    -- where epsilons add up, a Gaussian release must be below one
    EXECUTE 'INSERT INTO answers SELECT $1, * FROM ' || format(call, epsilon) USING call || epsilon;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END$$;
SELECT charges() AS before \gset
SELECT sum(pg_temp.ask(call, CASE WHEN d = 'stays_guests' THEN '0.9' ELSE '20' END)) AS answers, charges() - :before AS charges FROM calls;
SET ROLE regress_reader;
SELECT sum(pg_temp.ask(call, '''Infinity''')) AS answers FROM calls;
SET ROLE regress_analyst;
SELECT count(*), bool_and(abs(n.value - e.value) <= CASE WHEN n.call ~ 'guests' THEN 16 ELSE 8 END * n.noise_stddev) AS near, bool_and(n.noise_stddev > 0) AS noisy,
       bool_and(n.ci_lower <= n.value AND n.value <= n.ci_upper) AS inside,
       bool_and(n.call ~ 'guests' AND n.call !~ 'vari|std' OR abs((n.ci_upper - n.ci_lower) / (2 * 1.96 * n.noise_stddev) - 1) < 0.2) AS length
  FROM answers AS n JOIN answers AS e ON e.call = regexp_replace(n.call, '[0-9.]+$', '''Infinity''') AND e.key IS NOT DISTINCT FROM n.key WHERE n.call !~ 'Infinity';
SELECT sum(value) BETWEEN 5990 AND 6020 AS total FROM dp_histogram('stays', 'age', 20, bins => 5);
-- one charge, one line, whatever the number of groups
SELECT function, statistic, mechanism, releases, count(*) FROM dpem.ledger WHERE dataset = 'stays' GROUP BY 1, 2, 3, 4 ORDER BY 1;
SELECT DISTINCT statistic, mechanism FROM dpem.ledger WHERE dataset = 'stays_guests' ORDER BY 1;

-- the plan says the noise that there will be, and spends nothing
SELECT charges() AS before \gset
SELECT near(p.noise_stddev, a.noise_stddev, 1e-6) AS count, p.allowed FROM dp_statistic_plan('count', 'stays', 20) AS p, answers AS a WHERE p.statistic = 'count' AND a.call = 'dp_count(''stays'', %s)20';
SELECT near(p.noise_stddev, a.noise_stddev, 1e-6) AS sum, p.allowed FROM dp_statistic_plan('sum', 'stays', 20, column_name => 'stay', by => 'insured') AS p, answers AS a WHERE p.statistic = 'sum' AND a.call = 'dp_sum(''stays'', ''stay'', %s, by => ''insured'')20';
SELECT s, line, statistic, mechanism, near(epsilon_exact, 1, 1e-5) AS epsilon, noise_stddev IS NULL AS unknown
  FROM unnest('{count,sum,avg,variance,stddev,covariance,histogram}'::text[]) AS s,
       dp_statistic_plan(s, 'stays', 1, column_name => 'age', other_column => CASE WHEN s = 'covariance' THEN 'stay' END, filter => CASE WHEN s = 'avg' THEN 'age > 1' END) WHERE statistic <> 'total' ORDER BY 1, 2, 3;
SELECT mechanism, near(noise_stddev, sqrt(2) / 0.5, 1e-6) AS known FROM dp_statistic_plan('histogram', 'stays_guests', 0.5, column_name => 'ward') WHERE statistic = 'count';
SELECT attempt($$SELECT noise_stddev, ci_upper - value FROM dp_count('stays', 1, mechanism => 'laplace')$$), charges() - :before AS charges;
-- the other way round: the least epsilon for an interval.  At it the interval is that wide, at one per cent less it is wider; what is not known must be given
SELECT charges() AS before \gset
CREATE TABLE pg_temp.wanted (s text, d text, c text, other text, by text, filter text, within float8, rows float8);
INSERT INTO wanted VALUES ('count', 'stays', NULL, NULL, NULL, NULL, 5, NULL), ('count', 'stays_units', NULL, NULL, 'ward', NULL, 0.01, NULL), ('sum', 'stays', 'stay', NULL, NULL, 'age > 30', 1000, NULL), ('histogram', 'stays', 'age', NULL, NULL, NULL, 100, NULL),
    ('top_k', 'stays', 'ward', NULL, NULL, NULL, 3, NULL), ('avg', 'stays', 'stay', NULL, NULL, NULL, 0.5, NULL), ('avg', 'stays', 'stay', NULL, 'ward', NULL, 0.5, 2000), ('variance', 'stays', 'stay', NULL, NULL, NULL, 8, NULL),
    ('stddev', 'stays_guests', 'age', NULL, NULL, NULL, 8, 6000), ('covariance', 'stays', 'age', 'stay', NULL, 'age > 10', 20, 5000);
SELECT s, d, by, near(found.width, within, 0.01) AND found.width <= within AS as_wide, bool_and(near(1.96 * same.noise_stddev, found.width, 1e-3)) AS same, bool_and(1.96 * less.noise_stddev > within) AS least, found.epsilon > 0.001 AS above_the_least
  FROM wanted, LATERAL (SELECT max(noise_stddev) FILTER (WHERE statistic = 'epsilon') AS epsilon, max(noise_stddev) FILTER (WHERE statistic ~ 'within') AS width
                          FROM dp_statistic_plan(s, d, column_name => c, other_column => other, by => by, filter => filter, within => within, rows => rows, mechanism => 'gaussian')) AS found,
       LATERAL dp_statistic_plan(s, d, found.epsilon, column_name => c, other_column => other, by => by, filter => filter, rows => rows, mechanism => 'gaussian') AS same,
       LATERAL dp_statistic_plan(s, d, found.epsilon * 0.99, column_name => c, other_column => other, by => by, filter => filter, rows => rows, mechanism => 'gaussian') AS less
 WHERE same.statistic IN (s, 'count') AND less.statistic = same.statistic GROUP BY s, d, by, within, found.width, found.epsilon ORDER BY 1, 2, 3;
SELECT noise_stddev AS epsilon FROM dp_statistic_plan('count', 'stays_guests', within => 10) WHERE statistic = 'epsilon' \gset
SELECT noise_stddev AS avg_epsilon FROM dp_statistic_plan('avg', 'stays', column_name => 'age', within => 0.4) WHERE statistic = 'epsilon' \gset
SELECT noise_stddev AS rank_epsilon FROM dp_quantile_plan('stays', 'age', 0.5, within => 25) WHERE statistic = 'epsilon' \gset
SELECT noise_stddev BETWEEN 0.9 AND 1 AS nearly_one FROM dp_statistic_plan('count', 'stays_guests', mechanism => 'gaussian', within => (SELECT 1.9599 * noise_stddev FROM dp_statistic_plan('count', 'stays_guests', 0.95, mechanism => 'gaussian') WHERE statistic = 'count')) WHERE statistic = 'epsilon';
SELECT noise_stddev < 0.01 AS least_call FROM dp_statistic_plan('count', 'stays', within => 1e9) WHERE statistic = 'epsilon';
SELECT charges() - :before AS charges;
SELECT near(ci_upper - ci_lower, 20, 0.01) AS laplace FROM dp_count('stays_guests', :epsilon);
SELECT ci_upper - ci_lower <= 0.8 AND ci_upper - ci_lower > 0.4 AS avg FROM dp_avg('stays', 'age', :avg_epsilon);
SELECT near(rank_error, 25, 0.01) AND rank_error <= 25 AS quantile FROM dp_quantile('stays', 'age', 0.5, :rank_epsilon);
SELECT attempt('SELECT * FROM ' || c) FROM (VALUES (1, $$dp_statistic_plan('count', 'stays', within => 0)$$), (2, $$dp_statistic_plan('count', 'stays', 1, within => 2)$$), (3, $$dp_statistic_plan('count', 'stays', within => 'NaN')$$),
    (4, $$dp_statistic_plan('avg', 'stays', column_name => 'age', filter => 'stay > 1', within => 2)$$), (5, $$dp_statistic_plan('avg', 'stays', column_name => 'age', clamp => 'auto', within => 2, rows => 10)$$),
    (6, $$dp_statistic_plan('count', 'stays_guests', mechanism => 'gaussian', within => 1)$$), (7, $$dp_statistic_plan('count', 'stays')$$), (8, $$dp_statistic_plan('avg', 'stays', 1, column_name => 'age', rows => 0)$$),
    (9, $$dp_quantile_plan('stays', 'age', 0.5, within => -1)$$), (10, $$dp_quantile_plan('stays', 'age', 0.5, 1, within => 1)$$)) AS v (n, c) ORDER BY n;

-- the most frequent categories: all counts are one release, the largest come first, and k costs nothing
SELECT charges() AS before \gset
SET ROLE regress_reader;
SELECT rank, category, value = (SELECT count(*) FROM stays WHERE ward::text = category AND smoker = 'yes') AS same, noise_stddev FROM dp_top_k('stays', 'ward', 2, 'Infinity', filter => 'smoker = ''yes''') ORDER BY rank;
SELECT array_agg(category ORDER BY rank) = (SELECT array_agg(key ORDER BY value DESC) FROM dp_count('stays', 'Infinity', by => 'ward')) AS "order", count(*) FROM dp_top_k('stays', 'ward', 4096, 'Infinity');
SET ROLE regress_analyst;
SELECT array_agg(rank ORDER BY value DESC) AS ranks, array_agg(category ORDER BY rank) AS categories, bool_and(ci_lower < value AND value < ci_upper) AS inside FROM dp_top_k('stays', 'smoker', 2, 20);
SELECT charges() - :before AS charges;
SELECT function, statistic, mechanism, releases FROM dpem.ledger WHERE dataset = 'stays' AND function = 'dp_top_k';
SELECT near(k.noise_stddev, c.noise_stddev) AS noise FROM dp_statistic_plan('top_k', 'stays', 20, column_name => 'ward') AS k, dp_statistic_plan('count', 'stays', 20, by => 'ward') AS c WHERE k.statistic = 'count' AND c.statistic = 'count';
SELECT charges() AS before \gset
SELECT attempt('SELECT * FROM ' || c) FROM (VALUES (1, $$dp_top_k('stays', 'ward', 0, 1)$$), (2, $$dp_top_k('stays', 'ward', NULL, 1)$$), (3, $$dp_top_k('stays', NULL, 1, 1)$$), (4, $$dp_top_k('stays', 'age', 1, 1)$$),
    (5, $$dp_top_k('stays', 'ward', 5000, 1)$$), (6, $$dp_top_k('stays', 'wart', 1, 1)$$), (7, $$dp_top_k('stays', 'ward', 1, 'Infinity')$$)) AS v (n, c) ORDER BY n;
SELECT charges() - :before AS charges;
-- Values clamped to released quantiles: a domain five hundred times as wide, NULL rows, a filter, groups of unlike places, units.
-- At epsilon 20 at least three of five calls are near what SQL says: a call is not with a probability of one in a thousand, so that false alarms are below 1e-7.
RESET ROLE;
SET ROLE regress_owner;
CREATE TABLE stays_wide AS SELECT id, person, ward, smoker, age + CASE ward WHEN 'north' THEN 500 ELSE 0 END AS cost, age AS debt FROM stays WHERE ward IN ('north', 'south') AND age > 0 AND age < 100;
INSERT INTO stays_wide (ward, cost) VALUES ('north', NULL), ('south', 'NaN'), (NULL, 50), ('south', 'Infinity');
ANALYZE stays_wide;
SELECT dp_register_dataset('stays_wide', 'stays_wide', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2), dp_register_column('stays_wide', 'cost', 0, 50000), dp_register_column('stays_wide', 'debt', -50000, 50000), dp_register_column('stays_wide', 'ward', '{south,north,east,west}'::text[]),
       dp_register_column('stays_wide', 'smoker', '{yes,no}'::text[]), dp_grant_budget('regress_analyst', 'stays_wide', 900, 1e-4);
CREATE TABLE stays_truth AS SELECT ward::text AS key, avg(cost) AS a, sum(cost) AS s, stddev(cost) AS d FROM stays_wide WHERE cost < 'Infinity' AND smoker = 'yes' GROUP BY ward
    UNION ALL SELECT NULL, NULL, sum(debt), stddev(cost) FROM stays_wide WHERE cost < 'Infinity';
GRANT SELECT ON stays_truth TO regress_analyst;
RESET ROLE;
SET ROLE regress_analyst;
SET client_min_messages = warning;
SELECT key, count(*) FILTER (WHERE abs(value - a) < 0.05 * a AND noise_stddev < 0.01 * a AND ci_lower <= value AND value <= ci_upper) >= 3 AS avg
  FROM generate_series(1, 5) AS i, LATERAL dp_avg('stays_wide', 'cost', 20 + 0 * i, filter => 'smoker = ''yes''', by => 'ward', clamp => 'auto') JOIN stays_truth USING (key) GROUP BY key ORDER BY 1;
SELECT key, count(*) FILTER (WHERE abs(value - s) < 0.05 * s AND noise_stddev < 0.02 * s) >= 3 AS sum
  FROM generate_series(1, 5) AS i, LATERAL dp_sum('stays_wide', 'cost', 20 + 0 * i, filter => 'smoker = ''yes''', by => 'ward', clamp => 'auto') JOIN stays_truth USING (key) GROUP BY key ORDER BY 1;
-- of a domain about 0 at ends that are not: the number of rows counts, too
SELECT count(*) FILTER (WHERE abs(value - s) < 0.05 * s AND noise_stddev < 0.02 * s) >= 3 AS sum FROM generate_series(1, 5) AS i, LATERAL dp_sum('stays_wide', 'debt', 20 + 0 * i, clamp => 'auto'), stays_truth AS t WHERE t.key IS NULL;
SELECT count(*) AS keys, bool_and(value >= 0) AS stddev FROM dp_stddev('stays_wide', 'cost', 20, by => 'ward', clamp => 'auto');
SELECT count(*) FILTER (WHERE abs(value - d ^ 2) < 0.1 * d ^ 2 AND noise_stddev < 0.1 * d ^ 2) >= 3 AS variance
  FROM generate_series(1, 5) AS i, LATERAL dp_variance('stays_wide', 'cost', 20 + 0 * i, clamp => 'auto'), stays_truth AS t WHERE t.key IS NULL;
RESET client_min_messages;
-- the plan: two lines of one charge, which costs what was asked for
SELECT line, statistic, mechanism, round(sensitivity::numeric, 6) AS sensitivity, releases, noise_stddev IS NULL AS units_unknown, near(mu_squared / sum(mu_squared) FILTER (WHERE line IS NULL) OVER (), CASE WHEN line = 1 THEN 0.3 WHEN line IS NULL THEN 1 ELSE 0.7 END, 1e-3) AS share
  FROM dp_statistic_plan('avg', 'stays_wide', 0.5, column_name => 'cost', clamp => 'auto') ORDER BY line, statistic;
SELECT statistic, releases, count(*) FROM dpem.ledger WHERE dataset = 'stays_wide' AND function = 'dp_variance' GROUP BY line, statistic, releases ORDER BY line;
SELECT attempt('SELECT * FROM ' || c) FROM (VALUES (1, $$dp_avg('stays_wide', 'cost', 1, clamp => 'yes')$$), (2, $$dp_avg('stays_wide', 'cost', 1, clamp => 'auto', mechanism => 'laplace')$$),
    (3, $$dp_statistic_plan('covariance', 'stays_wide', 1, column_name => 'cost', other_column => 'cost', clamp => 'auto')$$), (4, $$dp_statistic_plan('count', 'stays_wide', 1, clamp => 'auto')$$)) AS v (n, c) ORDER BY n;
RESET ROLE;
SET ROLE regress_owner;
SELECT dp_drop_dataset('stays_wide');
DROP TABLE stays_wide, stays_truth;
RESET ROLE;
SET ROLE regress_analyst;
SELECT charges() AS before \gset

-- refused before anything is spent
\pset format unaligned
\pset tuples_only on
SELECT attempt('SELECT * FROM ' || c) FROM (VALUES
    (1, $$dp_count('stays', 1, filter => 'age >= 40 and id = 3')$$), (2, $$dp_count('stays', 1, filter => 'age >= ''40''')$$), (3, $$dp_count('stays', 1, filter => 'smoker = 1')$$),
    (4, $$dp_count('stays', 1, filter => 'lower(smoker) = ''yes''')$$), (5, $$dp_count('stays', 1, filter => 'age > 1; drop table stays')$$), (6, $$dp_count('stays', 1, filter => '')$$),
    (7, $$dp_count('stays', 1, filter => 'name = ''x1''')$$), (8, $$dp_count('stays', 1, filter => 'age > 1 or 1/0 = 1')$$), (9, $$dp_count('stays', 1, by => 'age')$$),
    (10, $$dp_count('stays', 1, by => 'id')$$), (11, $$dp_count('stays', 0)$$), (12, $$dp_count('stays', NULL)$$), (13, $$dp_avg('stays', NULL, 1)$$), (14, $$dp_avg('stays', 'ward', 1)$$),
    (15, $$dp_avg('stays', 'id', 1)$$), (16, $$dp_covariance('stays', 'age', 'age', 1)$$), (17, $$dp_covariance('stays', 'age', NULL, 1)$$), (18, $$dp_variance('stays', 'age', 1, mechanism => 'laplace')$$),
    (19, $$dp_avg('stays', 'age', 1, mechanism => 'magic')$$), (20, $$dp_histogram('stays', 'age', 1, bins => 0)$$), (21, $$dp_histogram('stays', 'age', 1, bins => 5000)$$),
    (22, $$dp_histogram('stays', 'age', 1, edges => '{1}')$$), (23, $$dp_histogram('stays', 'age', 1, edges => '{1,3,2}')$$), (24, $$dp_histogram('stays', 'ward', 1, edges => '{1,3}')$$),
    (25, $$dp_histogram('stays', 'name', 1)$$), (26, $$dp_count('stays', 1, composition => 'hope')$$), (27, $$dp_statistic_plan('median', 'stays', 1)$$), (28, $$dp_statistic_plan('avg', 'stays', 1)$$),
    (29, $$dp_statistic_plan('avg', 'stays', 'Infinity', column_name => 'age')$$), (31, $$dp_gmm_fit('stays', 2, 1, filter => 'id = 1')$$),
    (32, $$dp_count('stays', 'Infinity')$$), (33, $$dp_count('nowhere', 1)$$), (34, $$dp_statistic_plan('sum', 'stays', 1, column_name => 'age', other_column => 'stay')$$)) AS v (n, c) ORDER BY n;
SELECT left(attempt('SELECT * FROM dp_count(''stays'', 5000)'), 5);
SET ROLE regress_other;
SELECT attempt('SELECT * FROM dp_count(''stays'', 1)');
SELECT attempt('SELECT * FROM dp_statistic_plan(''count'', ''stays'', 1)');
SET ROLE regress_owner;
GRANT SELECT (age, smoker) ON stays, stays_units TO regress_other;
SET ROLE regress_other;
SELECT attempt(c) FROM (VALUES (1, 'SELECT * FROM dp_avg(''stays'', ''age'', ''Infinity'', filter => ''smoker = ''''yes'''''')'), (2, 'SELECT * FROM dp_avg(''stays'', ''age'', ''Infinity'', filter => ''stay = 1'')'),
    (3, 'SELECT * FROM dp_avg(''stays'', ''age'', ''Infinity'', by => ''ward'')'), (4, 'SELECT * FROM dp_count(''stays_units'', ''Infinity'')')) AS v (n, c) ORDER BY n;
RESET ROLE;
SELECT charges() - :before AS charges;
\pset tuples_only off
\pset format aligned
