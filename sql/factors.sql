-- factor analysis and principal components
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS dpem;
DROP ROLE IF EXISTS regress_factors_owner, regress_factors_ana, regress_factors_nobody, regress_factors_reader;
RESET client_min_messages;
\pset null -
CREATE ROLE regress_factors_owner;
CREATE ROLE regress_factors_ana;
CREATE ROLE regress_factors_nobody;
CREATE ROLE regress_factors_reader;
GRANT CREATE ON SCHEMA public TO regress_factors_owner;

CREATE FUNCTION factors_attempt(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RETURN 'done';
EXCEPTION WHEN OTHERS THEN
    RETURN sqlstate || ': ' || sqlerrm;
END$$;
CREATE FUNCTION factors_near(actual float8, expected float8, tolerance float8 DEFAULT 1e-6) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN abs(actual - expected) <= tolerance * abs(expected);
-- x . y
CREATE FUNCTION factors_dot(x float8[], y float8[]) RETURNS float8 LANGUAGE sql IMMUTABLE
RETURN (SELECT sum(a * b) FROM unnest(x, y) AS u (a, b));
CREATE FUNCTION factors_traces() RETURNS text LANGUAGE sql SECURITY DEFINER
AS $$SELECT (SELECT count(*) FROM dpem_internal.charge) || ' ' || (SELECT count(*) FROM dpem_internal.model)$$;

SET ROLE regress_factors_owner;
-- one factor behind a, b and c, in different units; e is alone
CREATE TABLE factors_rows AS
SELECT f + 0.3 * sin(5 * i) AS a, 10 * (f + 0.4 * sin(7 * i)) AS b, 5 - f + 0.5 * sin(11 * i) AS c, sin(13 * i)::float8 AS e
  FROM (SELECT i::float8, sin(i::float8 * 3) AS f FROM generate_series(1, 20000) AS i) AS s;
CREATE TABLE factors_wide AS
SELECT (SELECT array_agg(sin(i * (1 + j % 3)) + 0.1 * sin(i * j) ORDER BY j) FROM generate_series(1, 200) AS j)::float8[] AS w
  FROM generate_series(1, 1500) AS i;
-- the same in a small part of a wide domain
CREATE TABLE factors_loose AS TABLE factors_rows;
CREATE TABLE factors_far AS TABLE factors_rows;
ANALYZE factors_rows, factors_wide, factors_loose, factors_far;
SELECT dp_register_dataset('factors_far', 'factors_far', 900, 1e-4);
SELECT dp_register_column('factors_far', 'a', -500, 300), dp_register_column('factors_far', 'b', -3000, 5000),
       dp_register_column('factors_far', 'c', -395, 405), dp_register_column('factors_far', 'e', -400, 400);
SELECT dp_register_dataset('factors_loose', 'factors_loose', 900, 1e-4);
SELECT dp_register_column('factors_loose', 'a', -60, 20), dp_register_column('factors_loose', 'b', -200, 600),
       dp_register_column('factors_loose', 'c', -35, 45), dp_register_column('factors_loose', 'e', -40, 40);
SELECT dp_register_dataset('factors_rows', 'factors_rows', 900, 1e-4);
SELECT dp_register_column('factors_rows', 'a', -2, 2), dp_register_column('factors_rows', 'b', -20, 20),
       dp_register_column('factors_rows', 'c', 3, 7), dp_register_column('factors_rows', 'e', -2, 2);
SELECT dp_register_dataset('factors_wide', 'factors_wide', 900, 1e-4);
SELECT dp_register_column('factors_wide', 'w', -2, 2, 200);
SELECT dp_grant_budget('regress_factors_ana', 'factors_rows', 800, 1e-4), dp_grant_budget('regress_factors_ana', 'factors_wide', 800, 1e-4), dp_grant_budget('regress_factors_ana', 'factors_loose', 800, 1e-4),
       dp_grant_budget('regress_factors_ana', 'factors_far', 800, 1e-4);
GRANT SELECT ON factors_rows, factors_wide, factors_loose TO regress_factors_reader;
RESET ROLE;
SELECT factors_traces() AS before \gset

-- without noise, for a reader: mean, and a covariance of the form that was fitted
SET ROLE regress_factors_reader;
CREATE TEMP TABLE factors_exact AS SELECT * FROM dp_fa_fit('factors_rows', 1, 'Infinity');
SELECT column_name, model, cardinality(loadings) AS factors, factors_near(mean, CASE column_name WHEN 'a' THEN s.a WHEN 'b' THEN s.b WHEN 'c' THEN s.c ELSE s.e END) AS mean,
       factors_near(loadings[1] ^ 2 + noise_variance, CASE column_name WHEN 'a' THEN s.va WHEN 'b' THEN s.vb WHEN 'c' THEN s.vc ELSE s.ve END, 1e-3) AS variance,
       noise_variance > 0 AS noise, sign(loadings[1]) = f.sign * CASE column_name WHEN 'c' THEN -1 WHEN 'e' THEN f.sign * sign(loadings[1]) ELSE 1 END AS sign
  FROM factors_exact, (SELECT sign(loadings[1]) AS sign FROM factors_exact WHERE column_name = 'a') AS f, (SELECT avg(a) AS a, avg(b) AS b, avg(c) AS c, avg(e) AS e, var_pop(a) AS va, var_pop(b) AS vb, var_pop(c) AS vc, var_pop(e) AS ve FROM factors_rows) AS s;
SELECT factors_near((SELECT loadings[1] FROM factors_exact WHERE column_name = 'a') * (SELECT loadings[1] FROM factors_exact WHERE column_name = 'b'), covar_pop(a, b), 0.01) AS ab
  FROM factors_rows;
-- components: variances along the directions, which are orthonormal; about the middle of the domain if so asked
WITH fit AS (SELECT * FROM dp_pca_fit('factors_rows', 4, 'Infinity')), scaled AS (SELECT ARRAY[a / 2, b / 20, (c - 5) / 2, e / 2] AS x FROM factors_rows)
SELECT component, model, factors_near(variance, (SELECT var_pop(factors_dot(x, direction)) FROM scaled)) AS variance,
       factors_near(explained_ratio, variance / sum(variance) OVER ()) AS ratio,
       (SELECT bool_and(abs(factors_dot(f.direction, fit.direction) - (f.component = fit.component)::int) < 1e-12) FROM fit AS f) AS orthonormal FROM fit ORDER BY 1;
SELECT factors_near(variance, (SELECT avg(factors_dot(ARRAY[a / 2, b / 20, (c - 3.5) / 4, e / 2], direction) ^ 2) FROM factors_rows), 0.5) AS variance
  FROM dp_pca_fit('factors_rows', 1, 'Infinity', center => 'public');
SELECT algorithm, bool_and(abs(factors_dot(p.direction, d.direction)) > 0.999) AS directions, bool_and(factors_near(p.variance, d.variance, 0.01)) AS variances
  FROM unnest('{analyze_gauss,power,exponential}'::text[]) AS algorithm, dp_pca_fit('factors_rows', 1, 'Infinity', algorithm => algorithm) AS p,
       dp_pca_fit('factors_rows', 1, 'Infinity') AS d GROUP BY 1 ORDER BY 1;
SELECT algorithm, factors_near(sum(p.variance), (SELECT sum(variance) FROM dp_pca_fit('factors_wide', 3, 'Infinity')), 1e-3) AS wide
  FROM unnest('{analyze_gauss,power}'::text[]) AS algorithm, dp_pca_fit('factors_wide', 3, 'Infinity', algorithm => algorithm) AS p GROUP BY 1 ORDER BY 1;
RESET ROLE;
-- no row, or always the same
SET ROLE regress_factors_owner;
CREATE TABLE factors_none (a float8, b float8, c float8);
SELECT dp_register_dataset('factors_none', 'factors_none', 10, 1e-4);
SELECT dp_register_column('factors_none', c, -1, 1) FROM unnest('{a,b,c}'::text[]) AS c;
SELECT bool_and(mean = 0 AND loadings = '{0,0}' AND noise_variance > 0 AND log_likelihood BETWEEN -1e300 AND 1e300) AS none FROM dp_fa_fit('factors_none', 2, 'Infinity');
SELECT component, variance, explained_ratio, abs(factors_dot(direction, direction) - 1) < 1e-12 AS unit
  FROM unnest('{analyze_gauss,power,exponential}'::text[]) AS a, dp_pca_fit('factors_none', 2, 'Infinity', algorithm => a) ORDER BY 1;
INSERT INTO factors_none SELECT 0.5, -0.25, NULL FROM generate_series(1, 10);
INSERT INTO factors_none SELECT 0.5, -0.25, 7 FROM generate_series(1, 10);
SELECT column_name, round(mean::numeric, 6) AS mean, noise_variance > 0 AS noise FROM dp_fa_fit('factors_none', 1, 'Infinity');
SELECT dp_drop_dataset('factors_none');
DROP TABLE factors_none;
RESET ROLE;
SELECT factors_traces() = :'before' AS untouched;

-- refusals, before anything is spent
SET ROLE regress_factors_ana;
SELECT call, factors_attempt('SELECT ' || call) FROM unnest(ARRAY[
    $$dp_fa_fit('factors_rows', 0, 1)$$,
    $$dp_fa_fit('factors_rows', 4, 1)$$,
    $$dp_fa_fit('factors_rows', NULL, 1)$$,
    $$dp_fa_fit('factors_rows', 1, 1, columns => '{a}')$$,
    $$dp_fa_fit('factors_rows', 1, 'NaN')$$,
    $$dp_fa_fit('factors_rows', 1, 1, 0)$$,
    $$dp_fa_fit('factors_rows', 1, 1, iterations => 0)$$,
    $$dp_fa_fit('factors_rows', 1, 1, center => 'origin')$$,
    $$dp_fa_fit('factors_rows', 1, 1, clip_norm => 0)$$,
    $$dp_fa_fit('factors_rows', 1, 1, composition => 'cdp')$$,
    $$dp_fa_fit('factors_rows', 1, 20, composition => 'linear')$$,
    $$dp_fa_fit('factors_rows', 1, 'Infinity', model => 'kept')$$,
    $$dp_fa_fit('factors_rows', 1, 'Infinity')$$,
    $$dp_pca_fit('factors_rows', 0, 1)$$,
    $$dp_pca_fit('factors_rows', 5, 1)$$,
    $$dp_pca_fit('factors_rows', 1, 1, algorithm => 'lanczos')$$,
    $$dp_pca_fit('factors_rows', 1, 1, algorithm => NULL)$$,
    $$dp_pca_fit('factors_rows', 1, 1, iterations => 3)$$,
    $$dp_pca_fit('factors_rows', 1, 1, iterations => 3, algorithm => 'exponential')$$,
    $$dp_pca_fit('factors_rows', 1, 1, precondition => 'whiten')$$,
    $$dp_pca_fit('factors_rows', 1, 1, precondition => 'standardise')$$,
    $$dp_fa_fit('factors_rows', 1, 1, precondition => 'rotate')$$,
    $$dp_fa_fit('factors_rows', 1, 1, precondition => 'whiten', clip_norm => 1)$$,
    $$dp_fa_fit('factors_rows', 1, 1, precondition => 'whiten', center => 'public')$$,
    $$dp_fa_fit('factors_rows', 1, 1, precondition => 'standardise', clip_norm => 1)$$,
    $$dp_pca_fit('factors_rows', 1, 1, precondition => 'radius', algorithm => 'power')$$,
    $$dp_pca_fit('factors_rows', 1, 1, iterations => 1001, algorithm => 'power')$$,
    $$dp_pca_fit('factors_wide', 1, 1, algorithm => 'exponential')$$,
    $$dp_pca_fit('factors_wide', 129, 1, algorithm => 'power')$$,
    $$dp_pca_fit('nowhere', 1, 1)$$,
    $$dp_fa_plan('factors_rows', 4, 1)$$,
    $$dp_pca_plan('factors_rows', 1, 'Infinity')$$]) WITH ORDINALITY AS c (call, n) ORDER BY n;
RESET ROLE;
SET ROLE regress_factors_nobody;
SELECT factors_attempt($$SELECT dp_fa_fit('factors_rows', 1, 1)$$), factors_attempt($$SELECT dp_pca_plan('factors_rows', 1, 1)$$);
RESET ROLE;
SELECT factors_traces() = :'before' AS untouched;

-- more coordinates than memory holds second moments of
SET ROLE regress_factors_owner;
CREATE TABLE factors_huge (w float8[]);
SELECT dp_register_dataset('factors_huge', 'factors_huge', 900, 1e-4);
SELECT dp_register_column('factors_huge', 'w', 0, 1, 20000);
SELECT call, factors_attempt('SELECT ' || call) FROM unnest(ARRAY[$$dp_fa_plan('factors_huge', 1, 1)$$, $$dp_pca_plan('factors_huge', 1, 1)$$,
    $$dp_pca_plan('factors_huge', 1, 1, algorithm => 'power')$$]) WITH ORDINALITY AS c (call, n) ORDER BY n;
SELECT dp_drop_dataset('factors_huge');
DROP TABLE factors_huge;
RESET ROLE;

-- plans: lines, sensitivities, and the whole budget is used under every composition
SET ROLE regress_factors_ana;
SELECT statistic, mechanism, round(sensitivity::numeric, 6) AS sensitivity, releases FROM dp_fa_plan('factors_rows', 2, 1, precondition => 'none');
SELECT statistic, mechanism, round(sensitivity::numeric, 6) AS sensitivity, releases FROM dp_fa_plan('factors_rows', 2, 1, center => 'public', precondition => 'none');
SELECT a, line, statistic, mechanism, round(sensitivity::numeric, 6) AS sensitivity, releases
  FROM unnest('{analyze_gauss,power,exponential}'::text[]) WITH ORDINALITY AS u (a, n), dp_pca_plan('factors_rows', 2, 1, iterations => CASE a WHEN 'power' THEN 6 END, algorithm => a, precondition => 'none') ORDER BY n, line;
SELECT line, statistic, mechanism, round(sensitivity::numeric, 6) AS sensitivity, releases, column_noise_stddev IS NULL AS units_unknown FROM dp_fa_plan('factors_rows', 2, 1, precondition => 'radius');
-- whitened rows are the default of factors unless the caller knows the ball; they are located by margins at any epsilon that noise of twice the rows in a bin allows
SELECT line, statistic, mechanism, round(sensitivity::numeric, 6) AS sensitivity, releases, column_noise_stddev IS NULL AS units_unknown FROM dp_fa_plan('factors_rows', 2, 1);
SELECT e, clip, bool_or(statistic LIKE 'margins%') AS margins, bool_or(statistic LIKE 'radius%') AS radius FROM unnest('{0.001,1}'::float8[]) AS e, unnest('{NULL,1}'::float8[]) AS clip, dp_fa_plan('factors_rows', 2, e, clip_norm => clip) GROUP BY 1, 2 ORDER BY 1, 2;
-- ... the ball of components is looked for unless the caller knows it: by margins, to which more goes the more noise they have, or by a radius alone where they are lost in it
SELECT e, clip, string_agg(stage || ' ' || round(share::numeric, 3), ', ' ORDER BY line) AS shares
  FROM unnest('{0.001,0.02,1,50}'::float8[]) AS e, unnest('{NULL,1}'::float8[]) AS clip,
       LATERAL (SELECT line, split_part(statistic, ':', 1) AS stage, max(mu_squared) / sum(max(mu_squared)) OVER () AS share
                  FROM dp_pca_plan('factors_rows', 1, e, clip_norm => clip) WHERE line IS NOT NULL GROUP BY 1, 2) AS p GROUP BY 1, 2 ORDER BY 1, 2;
SELECT a, c, factors_near(CASE c WHEN 'zcdp' THEN epsilon_zcdp WHEN 'rdp' THEN epsilon_rdp WHEN 'ma' THEN epsilon_ma ELSE epsilon_exact END, 0.5, 1e-5) AS spent, allowed
  FROM unnest('{analyze_gauss,power,exponential}'::text[]) WITH ORDINALITY AS u (a, n), unnest('{exact,zcdp,rdp,ma}'::text[]) WITH ORDINALITY AS v (c, m),
       dp_pca_plan('factors_rows', 2, 0.5, algorithm => a, composition => c) WHERE line IS NULL ORDER BY n, m;
SELECT a, c, count(*) FILTER (WHERE line IS NULL AND mu_squared > 0) AS planned
  FROM unnest('{analyze_gauss,power,exponential}'::text[]) WITH ORDINALITY AS u (a, n), unnest('{linear,advanced}'::text[]) WITH ORDINALITY AS v (c, m),
       dp_pca_plan('factors_rows', 2, 0.5, algorithm => a, composition => c) GROUP BY n, m, a, c ORDER BY n, m;
RESET ROLE;
SELECT factors_traces() = :'before' AS untouched;

-- private fits
SET ROLE regress_factors_ana;
SELECT count(*) FROM dp_fa_fit('factors_rows', 1, 50, model => 'factors');
SELECT count(*) FROM dp_pca_fit('factors_rows', 2, 50, model => 'components');
SELECT count(*) FROM dp_pca_fit('factors_rows', 2, 50, algorithm => 'power', model => 'powered');
SELECT count(*) FROM dp_pca_fit('factors_rows', 2, 50, algorithm => 'exponential', model => 'chosen');
SELECT count(*), count(DISTINCT column_name), min(noise_variance) > 0 AS noise FROM dp_fa_fit('factors_wide', 4, 0.5, model => 'wide factors');
SELECT count(*), min(cardinality(direction)), bool_and(variance >= 0 AND explained_ratio BETWEEN 0 AND 1) AND sum(explained_ratio) <= 1 + 1e-12 AS variances FROM dp_pca_fit('factors_wide', 4, 0.5, model => 'wide components');
SELECT factors_attempt($$SELECT dp_fa_fit('factors_rows', 1, 1, model => 'factors')$$);
-- a part of the price may look for the ball that the rows are in first, about the mean or the middle of the domain
SELECT count(*) FROM dp_pca_fit('factors_loose', 1, 20, precondition => 'none', model => 'loose');
SELECT count(*) FROM dp_pca_fit('factors_loose', 1, 20, precondition => 'radius', model => 'narrow');
SELECT count(*) FROM dp_pca_fit('factors_loose', 1, 20, precondition => 'radius', center => 'public', model => 'narrow public');
SELECT count(*) FROM dp_fa_fit('factors_loose', 1, 20, precondition => 'radius', model => 'narrow factors');
SELECT count(*) FROM dp_fa_fit('factors_loose', 1, 20, model => 'own units');
SELECT column_name, abs(f.mean - p.mean) < 0.2 AS means_agree, factors_near(f.noise_variance + l.loading ^ 2, CASE column_name WHEN 'b' THEN 100 ELSE 1 END * 0.55, 0.25) AS variance, f.noise_stddev < f.noise_variance / 10 AS little_noise
  FROM dpem.fa_noise AS f JOIN dpem.fa_loadings AS l USING (model, column_name) JOIN dpem.fa_noise AS p USING (column_name) WHERE f.model = 'own units' AND p.model = 'narrow factors' ORDER BY 1;
SELECT n.noise_stddev < l.noise_stddev / 20 AS less_noise, p.noise_stddev < l.noise_stddev AS less_noise_about_the_middle, n.alignment > 0.99 AS alignment
  FROM dpem.pca_components AS n, dpem.pca_components AS l, dpem.pca_components AS p WHERE (n.model, l.model, p.model) = ('narrow', 'loose', 'narrow public');
SELECT column_name, abs(p.mean - f.mean) < 0.2 AS means_agree, abs(f.mean - CASE column_name WHEN 'c' THEN 5 ELSE 0 END) < 0.2 AS mean, factors_near(noise_variance + loading ^ 2, CASE column_name WHEN 'b' THEN 100 ELSE 1 END * 0.55, 0.25) AS variance
  FROM dpem.fa_noise AS f JOIN dpem.fa_loadings AS l USING (model, column_name) JOIN dpem.pca_means AS p USING (column_name) WHERE f.model = 'narrow factors' AND p.model = 'narrow' ORDER BY 1;
-- directions of rows that fill little of the domain are found however little noise there is, about a public center that of the mean
SELECT e, abs(factors_dot(direction, '{0.577,0.577,-0.577,0}')) > 0.97 AS found
  FROM unnest('{5,20,50}'::float8[]) AS e, dp_pca_fit('factors_far', 1, e, model => 'far ' || e) ORDER BY 1;
SELECT abs(factors_dot(direction, '{0.707,-0.707,0,0}')) > 0.97 AS found FROM dp_pca_fit('factors_far', 1, 5, center => 'public', precondition => 'margins', model => 'far');
SELECT model, precondition FROM dpem.models WHERE dataset = 'factors_far' ORDER BY 1;
SELECT dp_drop_model(m) FROM unnest('{far 5,far 20,far 50,far}'::text[]) AS m;
SELECT model, precondition, (SELECT string_agg(statistic, ', ' ORDER BY line) FROM dpem.ledger AS l WHERE l.charge = m.charge) AS lines FROM dpem.models AS m WHERE dataset = 'factors_loose' ORDER BY 1;
SELECT dp_drop_model(m) FROM unnest('{loose,narrow,narrow public,narrow factors,own units}'::text[]) AS m;
SELECT model, family, components, dimensions, mechanism, composition, iterations > 0 AS iterations FROM dpem.models WHERE dataset LIKE 'factors%' ORDER BY 1;
SELECT p.statistic, l.mechanism, l.noise_multiplier = p.noise_multiplier AS noise, l.releases = p.releases AS releases, factors_near(l.mu_squared, p.mu_squared, 1e-9) AS mu
  FROM dpem.models AS m JOIN dpem.ledger AS l USING (charge) JOIN dp_pca_plan('factors_rows', 2, 50, algorithm => 'exponential') AS p USING (line) WHERE model = 'chosen' ORDER BY line, statistic;
-- views: what the fit said, with noise
SELECT column_name, factors_near(abs(l.loading), CASE column_name WHEN 'b' THEN 7 WHEN 'e' THEN abs(l.loading) ELSE 0.7 END, 0.2) AS loading,
       l.noise_stddev > 0 AS noise, abs(n.mean - CASE column_name WHEN 'c' THEN 5 ELSE 0 END) < 0.1 AS mean, mean_noise_stddev > 0 AS mean_noise, noise_variance > 0 AND n.noise_stddev > 0 AS variance
  FROM dpem.fa_loadings AS l JOIN dpem.fa_noise AS n USING (model, column_name) WHERE model = 'factors' ORDER BY 1;
SELECT factors, dimensions, iterations > 0 AS iterations, log_likelihood < 0 AS likelihood FROM dpem.fa_models WHERE model = 'factors';
SELECT model, component, variance > 0 AND noise_stddev > 0 AS variance, explained_ratio BETWEEN 0 AND 1 AS ratio, total_variance > variance AND total_noise_stddev > 0 AS total, alignment BETWEEN 0 AND 1 AS alignment
  FROM dpem.pca_components WHERE model IN ('components', 'powered', 'chosen') ORDER BY 1, 2;
SELECT model, component, factors_near(sum(direction ^ 2), 1, 1e-9) AS unit, count(noise_stddev) AS with_noise,
       bool_and(abs(loading - direction * sqrt((SELECT variance FROM dpem.pca_components AS c WHERE (c.model, c.component) = (d.model, d.component))) * CASE column_name WHEN 'b' THEN 20 ELSE 2 END) < 1e-12) AS loading
  FROM dpem.pca_directions AS d WHERE model IN ('components', 'powered', 'chosen') GROUP BY 1, 2 ORDER BY 1, 2;
SELECT column_name, unit, abs(mean - CASE column_name WHEN 'c' THEN 5 ELSE 0 END) < 0.1 AS mean, noise_stddev > 0 AS noise FROM dpem.pca_means WHERE model = 'components' ORDER BY 1;
SELECT (SELECT count(*) FROM dpem.fa_loadings WHERE model = 'wide factors') AS loadings, (SELECT count(*) FROM dpem.pca_directions WHERE model = 'wide components') AS directions;

-- scores: W' (W W' + Psi)^-1 (x - mean) for one factor, coordinates along the directions
CREATE TEMP TABLE factors_spots AS SELECT ARRAY[a, 10 * a, 5 + b, b] AS x FROM generate_series(-2, 2, 0.5) AS a, generate_series(-4, 4, 1) AS b;
-- the density of the columns named by `known`: differences from the mean, loadings of one factor, variances of noise
CREATE FUNCTION pg_temp.law(u float8[], w float8[], psi float8[], known boolean[]) RETURNS float8 LANGUAGE sql IMMUTABLE
RETURN (SELECT coalesce(exp(-(count(*) * ln(2 * pi()) + sum(ln(p)) + ln(1 + sum(l ^ 2 / p)) + sum(v ^ 2 / p) - sum(l * v / p) ^ 2 / (1 + sum(l ^ 2 / p))) / 2), 1)
          FROM unnest(u, w, psi, known) AS t (v, l, p, k) WHERE k);
WITH model AS (SELECT array_agg(loading ORDER BY column_name) AS w, array_agg(noise_variance ORDER BY column_name) AS psi, array_agg(mean ORDER BY column_name) AS mean
  FROM dpem.fa_loadings JOIN dpem.fa_noise USING (model, column_name) WHERE model = 'factors'),
-- the background: five normals a column, from its own width to the far end of its domain; half of its weight is of rows (half of these of the columns' own laws), half of
-- columns, each of which is apart where it has more there than the column's normal law
far AS (SELECT x, j, sum(CASE i WHEN 0 THEN 0.5 ELSE 0.125 END * exp(-0.5 * ((x[j] - mean[j]) / width) ^ 2) / (width * sqrt(2 * pi()))) AS far,
    exp(-0.5 * ((x[j] - mean[j]) / narrow) ^ 2) / (narrow * sqrt(2 * pi())) AS near
  FROM factors_spots, model, LATERAL (SELECT j, i, narrow, narrow * (wide / narrow) ^ (i / 4.0) AS width FROM generate_series(1, 4) AS j, generate_series(0, 4) AS i,
    LATERAL (SELECT sqrt(psi[j] + w[j] ^ 2) AS narrow, greatest(('{2,20,7,2}'::float8[])[j] - mean[j], mean[j] - ('{-2,-20,3,-2}'::float8[])[j]) AS wide) AS n) AS widths GROUP BY x, j, mean, narrow),
apart AS (SELECT x, (exp(sum(ln(far))) + exp(sum(ln(near)))) / 2 AS far, array_agg(0.00125 * far <= near ORDER BY j) AS known, exp(coalesce(sum(ln(0.00125 * far)) FILTER (WHERE 0.00125 * far > near), 0)) AS tails FROM far GROUP BY x),
law AS (SELECT x, far, false = ANY (known) AS any_apart, (SELECT array_agg(v - m ORDER BY n) FROM unnest(x, mean) WITH ORDINALITY AS c (v, m, n)) AS u, w, psi, known, tails FROM apart, model)
SELECT count(*), count(*) FILTER (WHERE any_apart) > 0 AS any_apart, bool_and(abs((dp_transform('factors', x))[1] - (SELECT sum(l * v / p) / (1 + sum(l ^ 2 / p)) FROM unnest(u, w, psi) AS t (v, l, p))) < 1e-9) AS scores,
       bool_and(factors_near(exp(dp_log_density('factors', x)), 0.99 * (pg_temp.law(u, w, psi, '{t,t,t,t}') + CASE WHEN any_apart THEN tails * pg_temp.law(u, w, psi, known) ELSE 0 END) + 0.005 * far, 1e-9)) AS density FROM law;
DROP FUNCTION pg_temp.law;
WITH model AS (SELECT component, array_agg(direction ORDER BY column_name) AS v, array_agg(mean ORDER BY column_name) AS mean, array_agg(unit ORDER BY column_name) AS unit
  FROM dpem.pca_directions JOIN dpem.pca_means USING (model, column_name) WHERE model = 'powered' GROUP BY component)
SELECT count(*), bool_and(abs((dp_transform('powered', x))[component] - (SELECT sum(v[j] * (x[j] - mean[j]) / unit[j]) FROM generate_series(1, 4) AS j)) < 1e-9) AS projections FROM factors_spots, model;
-- samples have the model's mean and variance: ten standard errors
SELECT count(*), bool_and(cardinality(s) = 4) AS dimensions FROM dp_sample('factors', 5000) AS s;
SELECT column_name, abs(avg(v) - min(mean)) < 10 * sqrt(min(total) / 5000) AS mean, abs(var_pop(v) / min(total) - 1) < 10 * sqrt(2.0 / 5000) AS variance
  FROM (SELECT ROW_NUMBER() OVER (ORDER BY column_name) AS j, column_name, mean, noise_variance + loading ^ 2 AS total FROM dpem.fa_noise JOIN dpem.fa_loadings USING (model, column_name) WHERE model = 'factors') AS m,
       (SELECT s FROM dp_sample('factors', 5000) AS s) AS t, LATERAL (SELECT s[j] AS v) AS u GROUP BY 1 ORDER BY 1;
-- what a model has no meaning for
SELECT call, factors_attempt('SELECT ' || call) FROM unnest(ARRAY[$$dp_predict('factors', '{1,2,3,4}')$$, $$dp_posterior('components', '{1,2,3,4}')$$, $$dp_log_density('components', '{1,2,3,4}')$$,
    $$dp_sample('components', 1)$$, $$dp_transform('factors', '{1,2,3}')$$, $$dp_transform('factors', '{1,2,3,NaN}')$$, $$dp_transform('unknown', '{1}')$$]) WITH ORDINALITY AS c (call, n) ORDER BY n;
RESET ROLE;
-- who may read them
SET ROLE regress_factors_nobody;
SELECT (SELECT count(*) FROM dpem.fa_models WHERE model = 'factors') + (SELECT count(*) FROM dpem.fa_loadings WHERE model = 'factors') + (SELECT count(*) FROM dpem.fa_noise WHERE model = 'factors')
     + (SELECT count(*) FROM dpem.pca_components WHERE model = 'components') + (SELECT count(*) FROM dpem.pca_directions WHERE model = 'components') + (SELECT count(*) FROM dpem.pca_means WHERE model = 'components') AS rows;
SELECT factors_attempt($$SELECT dp_transform('factors', '{1,2,3,4}')$$), factors_attempt($$SELECT * FROM dpem_internal.fa_factor$$), factors_attempt($$SELECT * FROM dpem_internal.pca_component$$);
RESET ROLE;
SET ROLE regress_factors_ana;
SELECT dp_grant_model('factors', 'regress_factors_nobody');
RESET ROLE;
SET ROLE regress_factors_nobody;
SELECT cardinality(dp_transform('factors', '{1,2,3,4}')), (SELECT count(*) FROM dpem.fa_loadings WHERE model = 'factors');
RESET ROLE;

-- the noise of the means is that of all looks at the rows together, by the last alone 0.000494 deviations.  What looks differ
-- by leaves more of it now and then; of 20 fits none had more than 0.000487
CREATE TABLE factors_even AS SELECT random() AS x1, random() AS x2, random() AS x3, random() AS x4, random() AS x5, random() AS x6, random() AS x7, random() AS x8, random() AS x9, random() AS x10 FROM generate_series(1, 20000);
SELECT dp_register_dataset('factors_even', 'factors_even', 100, 1e-4) IS NOT NULL AS registered;
SELECT count(dp_register_column('factors_even', 'x' || j, -1, 2)) AS columns FROM generate_series(1, 10) AS j;
SELECT dp_grant_budget(current_user::regrole, 'factors_even', 100, 1e-4) IS NOT NULL AS granted;
CREATE FUNCTION pg_temp.noise_of_means() RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    noise float8;
BEGIN
    PERFORM FROM dp_fa_fit('factors_even', 1, 8, 1e-6, model => 'even', replace => true);
    SELECT avg(mean_noise_stddev) * sqrt(12) INTO noise FROM dpem.fa_noise WHERE model = 'even';
    RETURN noise;
END$$;
SELECT min(pg_temp.noise_of_means()) BETWEEN 0.0004 AND 0.00049 AS of_all_looks FROM generate_series(1, 10);
SELECT dp_drop_model('even'), dp_drop_dataset('factors_even');
DROP FUNCTION pg_temp.noise_of_means;
DROP TABLE factors_even;

SELECT dp_drop_model(m) FROM unnest('{factors,components,powered,chosen,wide factors,wide components}'::text[]) AS m;
-- other tests may have models of their own
SELECT count(*) AS left_over FROM (SELECT model FROM dpem_internal.fa_parameter UNION ALL SELECT model FROM dpem_internal.fa_factor
  UNION ALL SELECT model FROM dpem_internal.pca_parameter UNION ALL SELECT model FROM dpem_internal.pca_component) AS p WHERE model NOT IN (SELECT id FROM dpem_internal.model);
SELECT dp_drop_dataset('factors_rows'), dp_drop_dataset('factors_wide'), dp_drop_dataset('factors_loose'), dp_drop_dataset('factors_far');
DROP TABLE factors_rows, factors_wide, factors_loose, factors_far, factors_exact, factors_spots;
DROP FUNCTION factors_attempt, factors_near, factors_dot, factors_traces;
REVOKE CREATE ON SCHEMA public FROM regress_factors_owner;
DROP ROLE regress_factors_owner, regress_factors_ana, regress_factors_nobody, regress_factors_reader;
