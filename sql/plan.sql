-- dp_gmm_plan, the mechanisms of the papers, and the arguments that came with them
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS dpem;
DROP ROLE IF EXISTS regress_plan_owner, regress_plan_ana, regress_plan_nobody, regress_plan_reader;
RESET client_min_messages;
\pset null -
CREATE ROLE regress_plan_owner;
CREATE ROLE regress_plan_ana;
CREATE ROLE regress_plan_nobody;
CREATE ROLE regress_plan_reader;
GRANT CREATE ON SCHEMA public TO regress_plan_owner;

CREATE FUNCTION plan_attempt(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RETURN 'done';
EXCEPTION WHEN OTHERS THEN
    RETURN sqlstate || ': ' || sqlerrm;
END$$;
CREATE FUNCTION plan_near(actual float8, expected float8, tolerance float8 DEFAULT 1e-6) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN abs(actual - expected) <= tolerance * abs(expected);
-- how much was charged and stored, whoever asks
CREATE FUNCTION plan_traces() RETURNS text LANGUAGE sql SECURITY DEFINER
AS $$SELECT (SELECT count(*) FROM dpem_internal.charge) || ' ' || (SELECT count(*) FROM dpem_internal.model)$$;

SET ROLE regress_plan_owner;
CREATE TABLE plan_rows AS
SELECT i / 2 AS person, sin(i)::float8 AS x, 10 * cos(2 * i)::float8 AS y FROM generate_series(1, 6000) AS i;
CREATE TABLE plan_guests AS TABLE plan_rows;
CREATE TABLE plan_trips AS TABLE plan_rows;
ANALYZE plan_rows, plan_guests, plan_trips;
SELECT dp_register_dataset('plan_rows', 'plan_rows', 4, 1e-4),
       dp_register_dataset('plan_guests', 'plan_guests', 4, 1e-4, adjacency => 'add_remove'),
       dp_register_dataset('plan_trips', 'plan_trips', 4, 1e-4, unit => 'person', max_rows_per_unit => 2);
SELECT count(dp_register_column(d, 'x', -1, 1)), count(dp_register_column(d, 'y', -10, 10))
  FROM unnest('{plan_rows,plan_guests,plan_trips}'::text[]) AS d;
SELECT dp_grant_budget('regress_plan_ana', d, 2, 1e-4) FROM unnest('{plan_rows,plan_guests,plan_trips}'::text[]) AS d;
GRANT SELECT ON plan_rows TO regress_plan_reader;
RESET ROLE;
SELECT plan_traces() AS before \gset

-- who may ask: the owner, whose own budget is the dataset's, and roles with a share
SET ROLE regress_plan_owner;
SELECT bool_and(allowed) AS allowed, count(DISTINCT remaining_epsilon),
       plan_near(min(remaining_epsilon), dp_gdp_epsilon(sqrt(dp_gdp_mu(4, 1e-4) ^ 2 - max(mu_squared)), 1e-4)) AS remaining
  FROM dp_gmm_plan('plan_rows', 2, 1, 1e-4);
SET ROLE regress_plan_ana;
SELECT bool_and(allowed) AS allowed, count(DISTINCT remaining_epsilon),
       plan_near(min(remaining_epsilon), dp_gdp_epsilon(sqrt(dp_gdp_mu(2, 1e-4) ^ 2 - max(mu_squared)), 1e-4)) AS remaining
  FROM dp_gmm_plan('plan_rows', 2, 1, 1e-4);
SELECT DISTINCT allowed, remaining_epsilon FROM dp_gmm_plan('plan_rows', 2, 2.001, 1e-4);
SET ROLE regress_plan_nobody;
SELECT plan_attempt($$SELECT dp_gmm_plan('plan_rows', 2, 1, 1e-4)$$);
SET ROLE regress_plan_reader;
SELECT plan_attempt($$SELECT dp_gmm_plan('plan_rows', 2, 1, 1e-4)$$);

-- a row per statistic; a line of the ledger may hold several
SET ROLE regress_plan_ana;
SELECT line, statistic, mechanism, releases, sensitivity IS NULL AS no_sensitivity, column_noise_stddev IS NULL AS no_units
  FROM dp_gmm_plan('plan_rows', 2, 1, 1e-4, iterations => 8);
SELECT line, statistic, mechanism, releases, column_noise_stddev IS NULL AS no_units
  FROM dp_gmm_plan('plan_rows', 2, 1, 1e-4, iterations => 8, precondition => 'none');
SELECT m, line, statistic, mechanism, releases, round(sensitivity::numeric, 6) AS sensitivity
  FROM unnest('{ggg,llg}'::text[]) AS m, dp_gmm_plan('plan_rows', 2, 1, 1e-4, iterations => 8, mechanism => m) ORDER BY m, line;
-- sensitivities: both adjacencies, several rows, all shapes
SELECT d, m, c, string_agg(round(sensitivity::numeric, 6)::text, ' ' ORDER BY line) AS weights_means_covariances
  FROM unnest('{plan_rows,plan_guests,plan_trips}'::text[]) AS d, unnest('{ggg,llg}'::text[]) AS m, unnest('{full,spherical}'::text[]) AS c,
       dp_gmm_plan(d, 2, 1, 1e-4, mechanism => m, covariance => c) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;

-- one release of each statistic has the noise that its row says
SELECT m, statistic,
       plan_near(noise_stddev, noise_multiplier * sensitivity * CASE mechanism WHEN 'laplace' THEN sqrt(2::float8) ELSE 1 END, 1e-12) AS noise,
       plan_near(column_noise_stddev[2] / column_noise_stddev[1], CASE statistic WHEN 'means' THEN 10 ELSE 100 END, 1e-9) AS units,
       plan_near(mu_squared, CASE mechanism WHEN 'laplace' THEN mu_squared ELSE releases / noise_multiplier ^ 2 END, 1e-12) AS mu
  FROM unnest('{ggg,llg}'::text[]) AS m, dp_gmm_plan('plan_rows', 2, 1, 1e-4, mechanism => m) WHERE line IS NOT NULL ORDER BY m, line;
-- own units: noise / (6000 / 2) * half-width * clip_norm
SELECT plan_near(column_noise_stddev[2], noise_stddev / 3000 * 10 * 1.25, 1e-9) AS mean
  FROM dp_gmm_plan('plan_rows', 2, 1, 1e-4, mechanism => 'ggg', clip_norm => 1.25) WHERE statistic = 'means';
-- the number of rows is not public there
SELECT d, count(column_noise_stddev) FROM unnest('{plan_guests,plan_trips}'::text[]) AS d, dp_gmm_plan(d, 2, 1, 1e-4, mechanism => 'ggg') GROUP BY d ORDER BY d;

-- the papers' steps: 10 iterations, 3 components, delta_i 1e-8 (default at delta 1e-4)
SELECT m, c, plan_near(sqrt(2 * ln(1.25e8)) / noise_multiplier, dp_em_step_epsilon(m, c, 1, 1e-4, 1e-8, 10, 3)) AS step,
       noise_multiplier > sqrt(2 * ln(1.25e8)) / dp_em_step_epsilon(m, c, 1, 1e-4, 1e-8, 10, 3) AS margin
  FROM unnest('{ggg,llg}'::text[]) AS m, unnest('{linear,advanced,zcdp,ma,rdp,exact}'::text[]) WITH ORDINALITY AS u (c, n),
       dp_gmm_plan('plan_rows', 3, 1, 1e-4, mechanism => m, composition => c) WHERE statistic = 'covariances' ORDER BY m, n;
-- noise of one count, as tabulated for the paper's looser sensitivity of 2
SELECT c, round((noise_multiplier * 2)::numeric, CASE WHEN c IN ('linear', 'advanced') THEN 0 ELSE 1 END) AS noise
  FROM unnest('{linear,advanced,zcdp,ma}'::text[]) WITH ORDINALITY AS u (c, n),
       dp_gmm_plan('plan_rows', 3, 1, 1e-4, mechanism => 'ggg', composition => c) WHERE statistic = 'weights' ORDER BY n;
-- what was asked for is what it costs under its own composition, and the lines add up
SELECT m, c, plan_near(CASE c WHEN 'linear' THEN t.epsilon_linear WHEN 'advanced' THEN t.epsilon_advanced WHEN 'zcdp' THEN t.epsilon_zcdp
           WHEN 'ma' THEN t.epsilon_ma WHEN 'rdp' THEN t.epsilon_rdp ELSE t.epsilon_exact END, 1) AS epsilon,
       plan_near(t.mu_squared, l.mu_squared, 1e-12) AS mu, t.releases = l.releases AS releases
  FROM unnest('{ggg,llg}'::text[]) AS m, unnest('{linear,advanced,zcdp,ma,rdp,exact}'::text[]) WITH ORDINALITY AS u (c, n),
       LATERAL (SELECT * FROM dp_gmm_plan('plan_rows', 3, 1, 1e-4, mechanism => m, composition => c) WHERE line IS NULL) AS t,
       LATERAL (SELECT sum(mu_squared) AS mu_squared, sum(releases) AS releases
                  FROM dp_gmm_plan('plan_rows', 3, 1, 1e-4, mechanism => m, composition => c) WHERE line IS NOT NULL) AS l ORDER BY m, n;
-- mean-concentrated totals are reported: a Gaussian release is (1/(2 z^2), 1/z), a Laplace one (e (exp(e) - 1) / 2, e), e = 1/z
SELECT statistic, plan_near(cdp_mean, releases / noise_multiplier / 2 * CASE mechanism WHEN 'laplace'
           THEN exp(1 / noise_multiplier) - 1 ELSE 1 / noise_multiplier END, 1e-9) AS mean,
       plan_near(cdp_tau, sqrt(releases) / noise_multiplier, 1e-9) AS tau
  FROM dp_gmm_plan('plan_rows', 3, 1, 1e-4, mechanism => 'llg') WHERE line IS NOT NULL ORDER BY line;
-- a nominal epsilon is never charged; one-sided noise has no cost to report
SELECT statistic, mechanism, mu_squared IS NULL AS no_cost, remaining_epsilon, allowed
  FROM dp_gmm_plan('plan_rows', 2, 1, 1e-4, mechanism => 'lll', epsilon_is_nominal => true);

-- refusals
SELECT call, plan_attempt('SELECT ' || f || '(''plan_rows'', 2, ' || call || ')')
  FROM unnest(ARRAY['dp_gmm_plan', 'dp_gmm_fit']) WITH ORDINALITY AS u (f, m), unnest(ARRAY[
    $$1, mechanism => 'GGG'$$,
    $$1, mechanism => 'lgg'$$,
    $$1, mechanism => 'lll'$$,
    $$1, mechanism => 'ggg', composition => 'gdp'$$,
    $$1, mechanism => 'ggg', composition => 'cdp'$$,
    $$1, composition => 'cdp'$$,
    $$1, epsilon_is_nominal => true$$,
    $$1, mechanism => 'ggg', epsilon_is_nominal => NULL$$,
    $$'Infinity', mechanism => 'ggg', epsilon_is_nominal => true$$,
    $$1, mechanism => 'lll', epsilon_is_nominal => true, model => 'kept'$$,
    $$8, 1e-4, mechanism => 'ggg', composition => 'linear', iterations => 1$$,
    $$100, 1e-4, mechanism => 'llg', composition => 'advanced', iterations => 2$$,
    $$1, 1e-4, mechanism => 'ggg', composition => 'linear', step_delta => 1e-5$$,
    $$1, 1e-4, mechanism => 'llg', composition => 'advanced', step_delta => 5e-6$$,
    $$1, step_delta => 1e-9$$,
    $$1, mechanism => 'ggg', step_delta => 0$$,
    $$1, mechanism => 'ggg', step_delta => 'NaN'$$,
    $$1, dirichlet => 0.5$$,
    $$1, dirichlet => 'NaN'$$,
    $$1, dirichlet => 'Infinity'$$,
    $$1, kappa0 => -1$$,
    $$1, nu0 => 0$$,
    $$1, nu0 => 1$$,
    $$1, scale0 => 0$$,
    $$1, kappa0 => 1, estimator => 'mle'$$,
    $$1, eigenvalue_floor => 0$$,
    $$1, eigenvalue_floor => 1.5$$,
    $$1, eigenvalue_floor => 'NaN'$$,
    $$1e-9, mechanism => 'llg', composition => 'linear', iterations => 1000$$,
    $$1e-300, 1e-300$$,
    $$1, dirichlet => 1e31$$,
    $$1, scale0 => 1e31$$,
    $$1, eigenvalue_floor => 1e-13$$,
    $$1, clip_norm => 1e-31$$,
    $$1, init_variance => 1e31$$
]) WITH ORDINALITY AS c (call, n) ORDER BY m, n;
SELECT plan_attempt($$SELECT dp_gmm_plan('plan_rows', 2, 'Infinity')$$);
SELECT plan_attempt($$SELECT dp_gmm_plan('nowhere', 2, 1)$$);
-- an epsilon beyond every budget is planned, not an overflow, and the least a call may have leaves something
SELECT e, bool_and(allowed) AS allowed, bool_and(remaining_epsilon > 0) AS left FROM unnest('{1e300,1e-3}'::float8[]) AS e,
       dp_gmm_plan('plan_rows', 2, e, 1e-6, iterations => 1) GROUP BY e ORDER BY e;
SELECT plan_attempt($$SELECT dp_gmm_fit('plan_rows', 2, 1, mechanism => 'lll', epsilon_is_nominal => true)$$);
-- where the theorem ends, the exact calibration does not
SELECT c, round(noise_multiplier::numeric, 4) > 0 AS planned
  FROM unnest('{exact,zcdp,rdp,ma}'::text[]) AS c, dp_gmm_plan('plan_rows', 2, 8, 1e-4, mechanism => 'ggg', composition => c, iterations => 1) WHERE line = 1 ORDER BY c;

-- nothing was charged or stored so far
RESET ROLE;
SELECT plan_traces() = :'before' AS untouched;

-- priors and floor do what they say, without noise: one component of all rows
SET ROLE regress_plan_reader;
CREATE TEMP TABLE plan_fit AS
SELECT m, f.* FROM unnest('{joint,ggg}'::text[]) AS m, dp_gmm_fit('plan_rows', 1, 'Infinity', columns => '{x}', iterations => 1, precondition => 'none',
    mechanism => m, kappa0 => 3000, nu0 => 5000, scale0 => 100) AS f;
-- mean N m / (N + kappa0); covariance (S0 + N C + kappa0 N / (kappa0 + N) m m') / (nu0 + N + d + 2)
SELECT m, plan_near(f.mean[1], s.mean * 6000 / 9000, 1e-9) AS mean,
       plan_near(covariance[1][1], (100 + 6000 * s.variance + 2000 * s.mean ^ 2) / (5000 + 6000 + 3), 1e-9) AS covariance
  FROM plan_fit AS f, (SELECT avg(x) AS mean, var_pop(x) AS variance FROM plan_rows) AS s ORDER BY m;
SELECT m, bool_and(covariance[1][1] >= 0.6 - 1e-12 AND covariance[2][2] >= 60 - 1e-9) AS floored
  FROM unnest('{joint,ggg}'::text[]) AS m, dp_gmm_fit('plan_rows', 2, 'Infinity', iterations => 5, precondition => 'none', mechanism => m,
    init_variance => 0.1, eigenvalue_floor => 0.3) GROUP BY m ORDER BY m;
-- Dirichlet: (N_k + alpha - 1) / (N + K (alpha - 1))
SELECT m, plan_near(max(a.weight), (max(b.weight) * 6000 + 999) / (6000 + 2 * 999), 1e-9) AS weight
  FROM unnest('{joint,ggg}'::text[]) AS m,
       dp_gmm_fit('plan_rows', 2, 'Infinity', iterations => 1, precondition => 'none', mechanism => m, init_means => '{-1,0,0.5,0}', dirichlet => 1000) AS a
  JOIN dp_gmm_fit('plan_rows', 2, 'Infinity', iterations => 1, precondition => 'none', init_means => '{-1,0,0.5,0}', dirichlet => 1) AS b USING (component)
 GROUP BY m ORDER BY m;
-- what is nominal is said to be
SELECT model, count(*) FROM dp_gmm_fit('plan_rows', 2, 1, 1e-4, mechanism => 'lll', epsilon_is_nominal => true) GROUP BY model;
RESET ROLE;
SELECT plan_traces() = :'before' AS untouched;

-- a fit pays what the plan said
SET ROLE regress_plan_ana;
CREATE TEMP TABLE planned AS SELECT * FROM dp_gmm_plan('plan_rows', 2, 1, 1e-4, mechanism => 'llg');
SELECT count(*) FROM dp_gmm_fit('plan_rows', 2, 1, 1e-4, mechanism => 'llg', model => 'plan_model');
SELECT p.statistic, l.mechanism, l.noise_multiplier = p.noise_multiplier AS noise, l.releases = p.releases AS releases,
       plan_near(l.mu_squared, p.mu_squared, 1e-9) AS mu
  FROM dpem.models AS m JOIN dpem.ledger AS l USING (charge) JOIN planned AS p USING (line) WHERE model = 'plan_model' ORDER BY line;
SELECT DISTINCT plan_near(dp_budget_remaining('plan_rows', 1e-4), remaining_epsilon, 1e-9) AS remaining FROM planned;
SELECT mechanism, composition, precondition, iterations FROM dpem.models WHERE model = 'plan_model';
RESET ROLE;

-- The planner's number of rows is read of tables as a whole, and of these without a unit: all else has as many rows as values make it.
CREATE TABLE plan_whole (person int, x float8, y float8);
CREATE VIEW plan_seen AS SELECT x, y FROM plan_whole WHERE x > 0;
CREATE MATERIALIZED VIEW plan_kept AS SELECT x, y FROM plan_whole WHERE x > 0;
CREATE TABLE plan_tree (x float8, y float8) PARTITION BY RANGE (x);
CREATE TABLE plan_low PARTITION OF plan_tree FOR VALUES FROM (MINVALUE) TO (0);
CREATE TABLE plan_high PARTITION OF plan_tree DEFAULT;
CREATE TABLE plan_mother (x float8, y float8);
CREATE TABLE plan_heir () INHERITS (plan_mother);
CREATE TABLE plan_father (x float8, y float8);
CREATE TABLE plan_uncle (x float8, y float8);
CREATE TABLE plan_owned (x float8, y float8);
SET client_min_messages = warning;
CREATE TABLE plan_child () INHERITS (plan_father, plan_uncle);
RESET client_min_messages;
CREATE FOREIGN DATA WRAPPER plan_wrapper;
CREATE SERVER plan_server FOREIGN DATA WRAPPER plan_wrapper;
CREATE FOREIGN TABLE plan_far (x float8, y float8) SERVER plan_server;
CREATE TABLE plan_mixed (x float8, y float8) PARTITION BY RANGE (x);
CREATE FOREIGN TABLE plan_there PARTITION OF plan_mixed DEFAULT SERVER plan_server;
SELECT array_agg(d) AS sources FROM unnest('{plan_whole,plan_seen,plan_kept,plan_tree,plan_low,plan_high,plan_mother,plan_heir,plan_father,plan_child,plan_far,plan_mixed}'::text[]) AS d \gset
SELECT count(dp_register_dataset(d, d, 4, 1e-4)), count(dp_register_column(d, 'x', -1, 1)), count(dp_register_column(d, 'y', -10, 10)) FROM unnest(:'sources'::text[]) AS d;
SELECT dp_register_dataset('plan_owned', 'plan_owned', 4, 1e-4, unit => 'y'), dp_register_column('plan_owned', 'x', -1, 1);
CREATE TABLE plan_calls AS SELECT d, f FROM unnest(:'sources'::text[] || 'plan_owned'::text) AS d,
    unnest('{"dp_gmm_plan(%L, 3, 1, covariance => ''tied''","dp_kmeans_plan(%L, 3, 1","dp_kmeans_plan(%L, 3, 1, algorithm => ''sample_aggregate''","dp_fa_plan(%L, 1, 1","dp_pca_plan(%L, 1, 1"}'::text[]) AS f
 WHERE d <> 'plan_owned' OR f !~ 'fa';
CREATE FUNCTION plan_of(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE r text;
BEGIN
    EXECUTE format('SELECT string_agg(p::text, e''\n'') FROM %s) AS p', call) INTO r;
    RETURN r;
END$$;
UPDATE pg_class SET reltuples = 400 WHERE oid IN (SELECT ('plan_' || n)::regclass FROM unnest('{whole,kept,low,high,mother,heir,father,uncle,child,owned,far,there}'::text[]) AS n);
CREATE TABLE plan_before AS SELECT *, plan_of(format(f, d)) AS p FROM plan_calls;
UPDATE pg_class SET reltuples = 1e7 WHERE oid IN (SELECT ('plan_' || n)::regclass FROM unnest('{whole,kept,low,high,mother,heir,father,uncle,child,owned,far,there}'::text[]) AS n);
SELECT d, count(*) FILTER (WHERE plan_of(format(f, d)) <> p) AS by_rows, count(p) AS plans FROM plan_before GROUP BY d ORDER BY d;
SET client_min_messages = warning;
SELECT count(dp_drop_dataset(d)) FROM (SELECT DISTINCT d FROM plan_calls) AS c;
DROP TABLE plan_calls, plan_before, plan_whole, plan_tree, plan_mother, plan_father, plan_uncle, plan_owned, plan_mixed CASCADE;
DROP FOREIGN DATA WRAPPER plan_wrapper CASCADE;
RESET client_min_messages;
DROP FUNCTION plan_of;

-- the noise in a mean, in standard deviations, before the fit and after
SELECT stddev(x) AS sd FROM clusters \gset
SET ROLE regress_analyst;
SELECT noise_stddev AS planned FROM dp_gmm_plan('clusters', 3, 20, columns => '{x,y}', iterations => 5) WHERE statistic = 'mean of a third of the rows, in standard deviations' \gset
SELECT count(*) AS components, bool_and(mean_noise_stddev[1] / :sd BETWEEN :planned / 3 AND :planned * 3) AS as_planned FROM dp_gmm_fit('clusters', 3, 20, columns => '{x,y}', iterations => 5, model => 'plan_third');
SELECT dp_drop_model('plan_third');
-- the noise in a center, in its columns' units or in root mean square distances from it, and in a coefficient, in standard deviations
SELECT algorithm, k, statistic, noise_stddev IS NULL AS own_units, array_length(column_noise_stddev, 1) AS columns, releases
  FROM (VALUES ('joint', 3), ('joint', 5), ('dplloyd', 2), ('dpem', 2), ('sparse_grid', 3), ('subspace', 4), ('grid', 3), ('plane', 3), ('sample_aggregate', 3)) AS v (algorithm, k),
       dp_kmeans_plan('clusters', k, 1, columns => '{x,y}', algorithm => algorithm) WHERE line IS NOT NULL AND sensitivity IS NULL ORDER BY 1, 2;
SELECT column_noise_stddev[2] AS planned FROM dp_kmeans_plan('clusters', 3, 20, columns => '{x,y}', algorithm => 'joint', iterations => 1, init_means => '{-4,-3,1,4,4,-2}') WHERE statistic = 'center of a cluster of a third of the rows' \gset
SELECT bool_and(mean_noise_stddev[2] BETWEEN :planned / 3 AND :planned * 3) AS as_planned FROM dp_kmeans_fit('clusters', 3, 20, columns => '{x,y}', algorithm => 'joint', iterations => 1, init_means => '{-4,-3,1,4,4,-2}', model => 'plan_third');
SELECT dp_drop_model('plan_third');
RESET ROLE;
SELECT stddev(x) AS x_sd, stddev(y) AS y_sd FROM clusters \gset
SET ROLE regress_analyst;
-- rows about centers are seen to twice their root mean square distance
SELECT near(c.noise_stddev, 2 * s.noise_stddev / (reltuples / 3), 1e-6) AS as_planned FROM pg_class, dp_kmeans_plan('clusters', 3, 20, columns => '{x,y}', algorithm => 'sparse_grid') AS c, dp_kmeans_plan('clusters', 3, 20, columns => '{x,y}', algorithm => 'sparse_grid') AS s
 WHERE oid = 'clusters'::regclass AND c.statistic = 'center of a cluster of a third of the rows, in root mean square distances' AND s.statistic = 'rows about centers: sums';
SELECT noise_stddev AS planned FROM dp_linreg_plan('clusters', 'y', 20, columns => '{x}') WHERE statistic = 'coefficient, in standard deviations of target and column' \gset
SELECT noise_stddev * :x_sd / :y_sd BETWEEN :planned / 3 AND :planned * 3 AS as_planned FROM dp_linreg_fit('clusters', 'y', 20, columns => '{x}', model => 'plan_third') WHERE column_name = 'x';
SELECT dp_drop_model('plan_third');
RESET ROLE;

SELECT dp_drop_model('plan_model');
SELECT dp_drop_dataset(d) FROM unnest('{plan_rows,plan_guests,plan_trips}'::text[]) AS d;
DROP TABLE plan_rows, plan_guests, plan_trips;
DROP FUNCTION plan_attempt, plan_near, plan_traces;
DROP TABLE plan_fit, planned;
REVOKE CREATE ON SCHEMA public FROM regress_plan_owner;
DROP ROLE regress_plan_owner, regress_plan_ana, regress_plan_nobody, regress_plan_reader;
