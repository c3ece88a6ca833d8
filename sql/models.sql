-- models as rows: who reads them, what they say, and what can be done with them
\pset null -
CREATE ROLE regress_gone IN ROLE regress_reader;
SET ROLE regress_analyst;
SELECT count(*) AS components FROM dp_gmm_fit('clusters', 3, 50, 1e-6, init_means => '{-4,-4,0,4,4,-3}', iterations => 20, model => 'three');
SELECT count(*) AS components FROM dp_gmm_fit('clusters', 2, 5, 1e-6, '{y}', 5, 'diagonal', 'mle', composition => 'zcdp', precondition => 'none', model => 'of y');
SELECT model FROM dp_gmm_fit('clusters', 1, 0.1) \gset
SELECT model = format('clusters_gmm_%s', charge) AS named_after_the_charge FROM dpem.models WHERE model = :'model';

-- what the views say
SELECT model, family, dataset, maker, components, dimensions, columns, covariance, estimator, mechanism, composition, precondition,
       iterations, epsilon, delta, created_at <= clock_timestamp() AS dated FROM dpem.models WHERE model IN ('three', 'of y') ORDER BY model;
SELECT m.model, count(*) AS charges, bool_and(l.role = m.maker AND l.dataset = m.dataset AND l.epsilon = m.epsilon AND l.delta = m.delta AND l.composition = m.composition) AS agree
  FROM dpem.models AS m JOIN dpem.ledger AS l USING (charge) WHERE m.model IN ('three', 'of y') GROUP BY 1 ORDER BY 1;
SELECT component, abs(c.weight - t.weight) < 0.05 AS weight, noise_stddev > 0 AS noise FROM dpem.gmm_components AS c JOIN truth AS t USING (component)
 WHERE model = 'three' ORDER BY component;
SELECT component, column_name, abs(m.mean - t.mean[CASE column_name WHEN 'x' THEN 1 ELSE 2 END]) < 2 AS mean, stddev > 0 AS stddev,
       noise_stddev > 0 AS noise FROM dpem.gmm_means AS m JOIN truth AS t USING (component) WHERE model = 'three' ORDER BY component, column_name;
SELECT c.component, c.column_name, c.other_column, c.covariance = o.covariance AS symmetric,
       CASE WHEN c.column_name = c.other_column THEN near(c.correlation, 1) AND near(c.covariance, m.stddev ^ 2) ELSE c.correlation BETWEEN -1 AND 1 END AS correlation,
       c.noise_stddev > 0 AS noise
  FROM dpem.gmm_covariances AS c JOIN dpem.gmm_covariances AS o ON (o.model, o.component, o.column_name, o.other_column) = (c.model, c.component, c.other_column, c.column_name)
       JOIN dpem.gmm_means AS m ON (m.model, m.component, m.column_name) = (c.model, c.component, c.column_name)
 WHERE c.model = 'three' ORDER BY 1, 2, 3;
-- the rows of the fit are the rows of the views
CREATE TEMP TABLE fit AS SELECT * FROM dp_gmm_fit('clusters', 2, 1, model => 'returned');
SELECT bool_and(f.weight = c.weight) AS weights, bool_and(f.mean = ARRAY[mx.mean, my.mean]) AS means,
       bool_and(f.covariance = ARRAY[ARRAY[mx.stddev ^ 2, cxy.covariance], ARRAY[cxy.covariance, my.stddev ^ 2]]
             OR distance(f.covariance, ARRAY[mx.stddev ^ 2, cxy.covariance, cxy.covariance, my.stddev ^ 2]) < 1e-9) AS covariances, count(*)
  FROM fit AS f JOIN dpem.gmm_components AS c USING (model, component) JOIN dpem.gmm_means AS mx USING (model, component)
       JOIN dpem.gmm_means AS my USING (model, component) JOIN dpem.gmm_covariances AS cxy USING (model, component)
 WHERE mx.column_name = 'x' AND my.column_name = 'y' AND cxy.column_name = 'x' AND cxy.other_column = 'y';
SELECT bool_and(f.noise_stddev = c.noise_stddev) AS weights, bool_and(f.mean_noise_stddev = ARRAY[mx.noise_stddev, my.noise_stddev]) AS means,
       bool_and(f.covariance_noise_stddev[1][2] = cxy.noise_stddev OR f.covariance_noise_stddev[2] = cxy.noise_stddev) AS covariances
  FROM fit AS f JOIN dpem.gmm_components AS c USING (model, component) JOIN dpem.gmm_means AS mx USING (model, component)
       JOIN dpem.gmm_means AS my USING (model, component) JOIN dpem.gmm_covariances AS cxy USING (model, component)
 WHERE mx.column_name = 'x' AND my.column_name = 'y' AND cxy.column_name = 'x' AND cxy.other_column = 'y';
-- every family returns the noise of what it returns
CREATE TEMP TABLE noisy_kmeans AS SELECT * FROM dp_kmeans_fit('clusters', 2, 1, model => 'noisy');
CREATE TEMP TABLE noisy_pca AS SELECT * FROM dp_pca_fit('clusters', 1, 1, model => 'noisy pca');
CREATE TEMP TABLE noisy_fa AS SELECT * FROM dp_fa_fit('clusters', 1, 1, model => 'noisy fa');
SELECT bool_and(f.noise_stddev = c.noise_stddev) AS kmeans FROM noisy_kmeans AS f JOIN dpem.kmeans_clusters AS c USING (model, component);
SELECT bool_and(f.noise_stddev > 0 AND f.noise_stddev = c.noise_stddev) AS pca FROM noisy_pca AS f JOIN dpem.pca_components AS c USING (model, component);
SELECT bool_and(f.loading_noise_stddev[1] = l.noise_stddev AND f.mean_noise_stddev = n.mean_noise_stddev AND f.variance_noise_stddev = n.noise_stddev) AS fa
  FROM noisy_fa AS f JOIN dpem.fa_loadings AS l USING (model, column_name) JOIN dpem.fa_noise AS n USING (model, column_name);
SELECT count(dp_drop_model(model)) FROM dpem.models WHERE model ~ '^noisy';

-- density, posterior and prediction, by the formula from the views
CREATE TEMP VIEW gaussian AS
SELECT component, c.weight, mx.mean AS mx, my.mean AS my, sxx.covariance AS sxx, sxy.covariance AS sxy, syy.covariance AS syy,
       sxx.covariance * syy.covariance - sxy.covariance ^ 2 AS det
  FROM dpem.gmm_components AS c JOIN dpem.gmm_means AS mx USING (model, component) JOIN dpem.gmm_means AS my USING (model, component)
       JOIN dpem.gmm_covariances AS sxx USING (model, component) JOIN dpem.gmm_covariances AS sxy USING (model, component)
       JOIN dpem.gmm_covariances AS syy USING (model, component)
 WHERE model = 'three' AND (mx.column_name, my.column_name) = ('x', 'y') AND (sxx.column_name, sxx.other_column) = ('x', 'x')
   AND (sxy.column_name, sxy.other_column) = ('x', 'y') AND (syy.column_name, syy.other_column) = ('y', 'y');
CREATE TEMP TABLE spots AS SELECT x::float8, y::float8 FROM generate_series(-10, 10, 2.5) AS x, generate_series(-9, 9, 1.5) AS y;
CREATE TEMP TABLE terms AS
SELECT x, y, array_agg(ln(weight) - ln(2 * pi()) - ln(det) / 2 - (syy * (x - mx) ^ 2 - 2 * sxy * (x - mx) * (y - my) + sxx * (y - my) ^ 2) / det / 2 ORDER BY component) AS term
  FROM spots, gaussian GROUP BY x, y;
-- a mixture is seen before a background of 1 %, half of it of rows, half of single columns: five widths for every column, from its deviation to the end of its domain
CREATE TEMP TABLE behind AS SELECT a, sum(weight * m) AS mean, sqrt(sum(weight * (v + m ^ 2)) - sum(weight * m) ^ 2) AS narrow FROM gaussian, LATERAL (VALUES ('x', mx, sxx), ('y', my, syy)) AS l (a, m, v) GROUP BY a;
CREATE FUNCTION pg_temp.behind(axis text, x float8) RETURNS float8 LANGUAGE sql AS $$
    SELECT ln(sum(CASE i WHEN 0 THEN 0.5 ELSE 0.125 END / w * exp(-0.5 * ((x - mean) / w) ^ 2) / sqrt(2 * pi())))
      FROM behind, generate_series(0, 4) AS i, LATERAL (SELECT narrow * ((10 + abs(mean)) / narrow) ^ (i / 4.0) AS w) AS l WHERE a = axis$$;
CREATE FUNCTION pg_temp.together(terms float8[]) RETURNS float8 LANGUAGE sql AS $$
    SELECT m + ln(sum(exp(greatest(t - m, -700)))) FROM unnest(terms) AS t, (SELECT max(t) AS m FROM unnest(terms) AS t) AS s GROUP BY m$$;
-- the columns in whose tails there is more, each with probability 0.005 / 2, times the mixture's law of the others
CREATE FUNCTION pg_temp.apart(x float8, y float8) RETURNS float8 LANGUAGE sql AS $$
    SELECT CASE WHEN tx > px OR ty > py THEN CASE WHEN tx > px THEN tx ELSE px END * CASE WHEN ty > py THEN ty ELSE py END ELSE 0 END
      FROM (SELECT 0.0025 * exp(pg_temp.behind('x', x)) AS tx, 0.0025 * exp(pg_temp.behind('y', y)) AS ty,
                   sum(weight * exp((x - mx) ^ 2 / sxx / -2) / sqrt(2 * pi() * sxx)) AS px, sum(weight * exp((y - my) ^ 2 / syy / -2) / sqrt(2 * pi() * syy)) AS py FROM gaussian) AS s$$;
-- half of the background's rows have the mixture's own law of each column
CREATE FUNCTION pg_temp.alone(x float8, y float8) RETURNS float8 LANGUAGE sql AS $$
    SELECT 0.0025 * sum(weight * exp((x - mx) ^ 2 / sxx / -2) / sqrt(2 * pi() * sxx)) * sum(weight * exp((y - my) ^ 2 / syy / -2) / sqrt(2 * pi() * syy)) FROM gaussian$$;
SELECT count(*) AS spots,
       bool_and(near(dp_log_density('three', ARRAY[x, y]), ln(0.99 * (exp(pg_temp.together(term)) + pg_temp.apart(x, y)) + 0.0025 * exp(pg_temp.behind('x', x) + pg_temp.behind('y', y)) + pg_temp.alone(x, y)), 1e-9)) AS density,
       bool_and(distance(dp_posterior('three', ARRAY[x, y]), (SELECT array_agg(exp(t - pg_temp.together(term)) ORDER BY o) FROM unnest(term) WITH ORDINALITY AS u (t, o))) < 1e-9) AS posterior,
       bool_and(near((SELECT sum(p) FROM unnest(dp_posterior('three', ARRAY[x, y])) AS p), 1, 1e-12)) AS sums_to_1,
       bool_and(dp_predict('three', ARRAY[x, y]) = (SELECT o FROM unnest(dp_posterior('three', ARRAY[x, y])) WITH ORDINALITY AS u (p, o) ORDER BY p DESC, o LIMIT 1)) AS prediction
  FROM terms;
-- as far away as a double goes
SELECT x, near((SELECT sum(p) FROM unnest(dp_posterior('three', ARRAY[x, x])) AS p), 1, 1e-12) AS sums_to_1, dp_predict('three', ARRAY[x, x]) BETWEEN 1 AND 3 AS predicted,
       dp_log_density('three', ARRAY[x, x]) < -9e5 AS unlikely FROM unnest('{1e4,-1e10,1e100,1e200,-1.7976931348623157e308}'::float8[]) AS x;
-- several models in one query, and one of another dimension
SELECT model, near(d, CASE model WHEN 'three' THEN dp_log_density('three', '{1,2}') ELSE dp_log_density('returned', '{1,2}') END, 1e-14) AS own_density
  FROM (SELECT model, n, dp_log_density(model, '{1,2}') AS d FROM unnest('{three,returned}'::text[]) AS model, generate_series(1, 2) AS n ORDER BY n, model) AS s;
SELECT cardinality(dp_posterior('of y', '{3}')) AS components;
RESET ROLE;
-- models that take turns are loaded once each, as many as work_mem has room for
CREATE VIEW pg_temp.in_turns AS
SELECT densities, kept, bytes < 1e6 AS small
  FROM (SELECT count(dp_log_density(model, '{1,2}')) AS densities FROM (SELECT model FROM generate_series(1, 500), unnest('{three,returned}'::text[]) AS model OFFSET 0) AS s OFFSET 0) AS d,
       LATERAL (SELECT count(*) AS kept, sum(total_bytes) AS bytes FROM pg_backend_memory_contexts WHERE name = 'dpem model' AND densities > 0) AS m;
SELECT * FROM pg_temp.in_turns;
SET work_mem = '64kB';
SELECT densities, kept < 3 AS few, small FROM pg_temp.in_turns;
RESET work_mem;
SELECT count(*) FILTER (WHERE dp_predict('three', ARRAY[x, y]) = component) AS right, count(*) AS rows FROM clusters;
SET ROLE regress_analyst;
-- intervals of the noise, for charts
SELECT bool_and(near(mean - ci_lower, 1.959963984540054 * noise_stddev) AND near(ci_upper - mean, 1.959963984540054 * noise_stddev)) AS means FROM dpem.gmm_means WHERE model = 'three';
SELECT bool_and(near((ci_lower + ci_upper) / 2, weight) AND ci_lower < ci_upper) AS weights FROM dpem.gmm_components WHERE model = 'three';
-- NULL in, NULL out, in every form of a point
SELECT dp_predict('three', NULL::float8[]) IS NULL AND dp_predict('three', '{1,NULL}') IS NULL AND dp_predict('three', '{"x": 1, "y": null}') IS NULL AS predict,
       dp_posterior('three', '{NULL,1}') IS NULL AND dp_posterior('three', '{"x": null, "y": 2}') IS NULL AS posterior,
       dp_log_density('three', '{NULL,NULL}'::float8[]) IS NULL AND dp_log_density('three', '{"x": null, "y": null}'::jsonb) IS NULL AS log_density;
\pset format unaligned
\pset tuples_only on
SELECT attempt(s) FROM (VALUES
    (1, $$SELECT dp_predict('three', '{1}')$$), (2, $$SELECT dp_posterior('three', '{1,2,3}')$$), (3, $$SELECT dp_log_density('three', '{}')$$),
    (4, $$SELECT dp_predict('of y', '{1,2}')$$), (5, $$SELECT dp_predict('three', '{1,NULL}')$$), (6, $$SELECT dp_posterior('three', '{NaN,1}')$$),
    (7, $$SELECT dp_log_density('three', '{1,Infinity}')$$), (8, $$SELECT dp_predict('no such', '{1,2}')$$), (9, $$SELECT dp_posterior('no such', '{1,2}')$$),
    (10, $$SELECT dp_log_density('no such', '{1,2}')$$), (11, $$SELECT dp_sample('no such', 1)$$), (12, $$SELECT dp_predict('', '{1,2}')$$),
    (13, $$SELECT dp_sample('three', -1)$$), (14, $$SELECT dp_sample('three', NULL)$$), (15, $$SELECT dp_sample(NULL, 1)$$),
    (16, $$SELECT dp_grant_model('no such', 'regress_reader')$$), (17, $$SELECT dp_grant_model('three', 'regress_no_such')$$),
    (18, $$SELECT dp_grant_model('three', NULL)$$), (19, $$SELECT dp_grant_model(NULL, 'regress_reader')$$), (20, $$SELECT dp_grant_model('three', 0::regrole)$$),
    (21, $$SELECT dp_revoke_model('three', 'regress_reader')$$), (22, $$SELECT dp_revoke_model('no such', 'regress_reader')$$),
    (23, $$SELECT dp_drop_model('no such')$$), (24, $$SELECT dp_drop_model(NULL)$$)
  ) AS v (n, s) ORDER BY n;
\pset tuples_only off
\pset format aligned
SELECT dp_predict(NULL, '{1,2}') AS predict, dp_posterior('three', NULL) AS posterior, dp_log_density(NULL, NULL) AS density;

-- Samples: a mean of 20000 is within 0.3 of the model's (ten standard
-- deviations of at most 0.03), a share within 0.04 of the weight (ten of 0.004).
SELECT count(*) AS samples, bool_and(array_dims(s) = '[1:2]') AS shape FROM dp_sample('three', 7) AS s;
SELECT count(*) AS samples FROM dp_sample('three', 0) AS s;
SELECT count(*) AS samples FROM (SELECT dp_sample('three', 3)) AS s;
CREATE TEMP TABLE samples AS SELECT s FROM dp_sample('three', 20000) AS s;
SELECT count(DISTINCT s) > 19900 AS different, abs(avg(s[1]) - (SELECT sum(weight * mx) FROM gaussian)) < 0.3 AS x,
       abs(avg(s[2]) - (SELECT sum(weight * my) FROM gaussian)) < 0.3 AS y FROM samples;
SELECT component, abs(count(*) / 20000.0 - max(weight)) < 0.04 AS share, abs(var_samp(s[1]) / max(sxx) - 1) < 0.25 AS x, abs(var_samp(s[2]) / max(syy) - 1) < 0.25 AS y
  FROM samples JOIN gaussian ON component = dp_predict('three', s) WHERE (s[1] - mx) ^ 2 / sxx + (s[2] - my) ^ 2 / syy < 25 GROUP BY component ORDER BY component;
SELECT charges() AS charges \gset

-- who reads what: the maker, its members, the dataset's owner, and who is granted it
RESET ROLE;
CREATE FUNCTION readers(OUT models bigint, OUT components bigint, OUT means bigint, OUT covariances bigint, OUT predict text, OUT the_other text) LANGUAGE sql AS $$
    SELECT (SELECT count(*) FROM dpem.models WHERE model IN ('three', 'of y')), (SELECT count(*) FROM dpem.gmm_components WHERE model IN ('three', 'of y')),
           (SELECT count(*) FROM dpem.gmm_means WHERE model IN ('three', 'of y')), (SELECT count(*) FROM dpem.gmm_covariances WHERE model IN ('three', 'of y')),
           left(attempt('SELECT dp_predict(''three'', ''{1,2}'')'), 5), left(attempt('SELECT dp_sample(''of y'', 1)'), 5)$$;
SET ROLE regress_analyst;
SELECT * FROM readers();
SET ROLE regress_member;
SELECT * FROM readers();
SET ROLE regress_owner;
SELECT * FROM readers();
SET ROLE regress_reader;
SELECT * FROM readers();
SET ROLE regress_analyst;
SELECT dp_grant_model('three', 'regress_reader');
SELECT dp_grant_model('three', 'regress_reader');
SET ROLE regress_reader;
SELECT * FROM readers();
SET ROLE regress_gone;
SELECT * FROM readers();
SET ROLE regress_other;
SELECT * FROM readers();
-- a model that was not granted and one that does not exist look alike
SELECT f, replace(attempt(format(f, 'three')), 'three', '') = replace(attempt(format(f, 'no such')), 'no such', '') AS alike
  FROM (VALUES ($$SELECT dp_predict('%s', '{1,2}')$$), ($$SELECT dp_posterior('%s', '{1}')$$), ($$SELECT dp_log_density('%s', '{1,2}')$$), ($$SELECT dp_sample('%s', -1)$$),
               ($$SELECT dp_grant_model('%s', 'regress_other')$$), ($$SELECT dp_revoke_model('%s', 'regress_reader')$$), ($$SELECT dp_drop_model('%s')$$)) AS v (f);
SELECT dp_predict('three', '{1,2}');
-- who may read may not pass on, take back or drop
SET ROLE regress_reader;
SELECT attempt($$SELECT dp_grant_model('three', 'regress_other')$$), attempt($$SELECT dp_revoke_model('three', 'regress_reader')$$), attempt($$SELECT dp_drop_model('three')$$);
-- the dataset's owner may, for a model somebody else made
SET ROLE regress_owner;
SELECT dp_revoke_model('three', 'regress_reader');
SELECT dp_grant_model('of y', 'regress_other');
SET ROLE regress_reader;
SELECT * FROM readers();
SET ROLE regress_other;
SELECT * FROM readers();
-- to all
SET ROLE regress_owner;
SELECT attempt($$SELECT dp_grant_model('of y', 'public')$$), attempt($$SELECT dp_revoke_model('of y', 'public')$$);
RESET ROLE;
DROP ROLE regress_gone;

-- a name in use is refused before anything is spent, even if one may not know by whom it is used
SET ROLE regress_owner;
SELECT dp_grant_budget('regress_other', 'clusters', 10, 1e-4);
SET ROLE regress_other;
SELECT count(*) FROM dp_gmm_fit('clusters', 1, 0.1, model => 'three');
\echo :LAST_ERROR_SQLSTATE
SELECT charges() = :charges AS nothing_spent;
-- also if it was given away a moment ago, in the same statement: one fit is charged, none stored
SELECT count(*) FROM generate_series(1, 2) AS n, LATERAL dp_gmm_fit('clusters', 1, 0.1, iterations => n, model => 'twice');
SELECT charges() - :charges AS charged, count(*) AS stored FROM dpem.models WHERE model = 'twice';

-- dropping: by the maker, or the dataset's owner; the charge stays
SELECT count(*) AS components FROM dp_gmm_fit('clusters', 1, 0.1, model => 'mine');
SELECT charges() AS charges \gset
SELECT dp_drop_model('mine');
SELECT attempt($$SELECT dp_predict('mine', '{1,2}')$$);
SELECT charges() = :charges AS charges_stay;
SELECT count(*) AS components FROM dp_gmm_fit('clusters', 1, 0.1, model => 'mine');
SET ROLE regress_owner;
SELECT dp_drop_model('mine');
SELECT dp_drop_model('of y');
SELECT count(*) AS parameters FROM dpem.gmm_means WHERE model IN ('mine', 'of y');

-- a model outlives its dataset
CREATE TABLE leaving AS SELECT x FROM clusters;
SELECT dp_register_dataset('leaving', 'leaving', 1, 1e-4), dp_register_column('leaving', 'x', -10, 10), dp_grant_budget('regress_analyst', 'leaving', 1, 1e-4);
SET ROLE regress_analyst;
SELECT count(*) AS components FROM dp_gmm_fit('leaving', 2, 0.5, model => 'left');
SET ROLE regress_owner;
SELECT dp_drop_dataset('leaving');
SELECT dp_predict('left', '{1}') BETWEEN 1 AND 2 AS usable;
DROP TABLE leaving;
SET ROLE regress_analyst;
SELECT dp_predict('left', '{1}') BETWEEN 1 AND 2 AS usable, count(*) AS listed FROM dpem.models WHERE model = 'left';
SELECT dp_drop_model('left');
SET ROLE regress_owner;
SELECT dp_revoke_budget('regress_other', 'clusters');
