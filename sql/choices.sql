-- numbers of components, clusters, factors: one of several is chosen, for one charge
SET ROLE regress_owner;
CREATE TABLE flowers AS
SELECT i AS id, (ARRAY['north', 'south'])[1 + i % 2] AS region, 2 * (i % 3) + a AS x, 2 * (i % 3 % 2) + b AS y, a + 3 * c AS z, b - 2 * c AS u, c + 0.5 * a AS w
  FROM (SELECT i, sqrt(-0.02 * ln(1 - (i * 0.7548776662 % 1)::float8)) * cos(2 * pi() * (i * 0.5698402909 % 1)::float8) AS a,
               sqrt(-0.02 * ln(1 - (i * 0.7548776662 % 1)::float8)) * sin(2 * pi() * (i * 0.5698402909 % 1)::float8) AS b,
               0.2 * (i % 5 - 2) AS c FROM generate_series(1, 30000) AS i) AS s;
ANALYZE flowers;
SELECT dp_register_dataset('flowers', 'flowers', 1000, 1e-3);
SELECT count(dp_register_column('flowers', c, -8, 8)) FROM unnest('{x,y,z,u,w}'::text[]) AS c;
SELECT dp_register_column('flowers', 'region', '{north,south}'::text[]), dp_grant_budget('regress_analyst', 'flowers', 900, 1e-3);
SET ROLE regress_analyst;

-- a literal, an array, a variable and an untyped parameter are all understood, and one number is what it always was
PREPARE untyped AS SELECT count(*) FROM dp_gmm_plan('flowers', $1, 1);
SELECT (SELECT count(*) FROM dp_gmm_plan('flowers', 3, 1)) AS int, (SELECT count(*) FROM dp_gmm_plan('flowers', '3', 1)) AS text, (SELECT count(*) FROM dp_gmm_plan('flowers', k => ARRAY[3], epsilon => 1)) AS one,
       (SELECT count(*) FROM dp_gmm_plan('flowers', k => '{2, 3,4}', epsilon => 1)) AS literal, (SELECT count(*) FROM dp_gmm_plan('flowers', ARRAY[2,3,4], 1)) AS array, (SELECT count(*) FROM dp_gmm_plan('flowers', k => ' {4,3,3,2} ', epsilon => 1)) AS untidy;
EXECUTE untyped('{2,3,4}');
DEALLOCATE untyped;

-- the plan is that of the largest, and says that the choice is free
SELECT line, statistic, noise_stddev FROM dp_gmm_plan('flowers', '{2,3,7}', 1) WHERE statistic ~ 'candidates';
SELECT bool_and(a.mu_squared IS NOT DISTINCT FROM b.mu_squared AND a.noise_stddev IS NOT DISTINCT FROM b.noise_stddev) AS same, count(*) > 2 AS several
  FROM dp_gmm_plan('flowers', '{2,3,7}', 1) AS a JOIN dp_gmm_plan('flowers', 7, 1) AS b USING (line, statistic);

-- three clusters are found among several numbers; one charge each
SELECT charges() AS charges \gset
SET client_min_messages = warning;
CREATE TEMP TABLE found AS
SELECT 'gmm cells' AS fit, (SELECT count(*) FROM dp_gmm_fit('flowers', '{2,3,4,6}', 20, columns => '{x,y}', model => 'flowers_cells')) AS rows
UNION ALL SELECT 'gmm passes', (SELECT count(*) FROM dp_gmm_fit('flowers', '{1,2,3,4}', 20, columns => '{x,y}', iterations => 8, model => 'flowers_passes'))
UNION ALL SELECT 'gmm in a part', (SELECT count(*) FROM dp_gmm_fit('flowers', '{1,3,5}', 20, columns => '{x,y}', filter => 'region = ''north''', holdout => 0.2, model => 'flowers_part'))
UNION ALL SELECT 'kmeans cells', (SELECT count(*) FROM dp_kmeans_fit('flowers', ARRAY[2,3,4,5], 20, columns => '{x,y}', model => 'flowers_kmeans'))
UNION ALL SELECT 'kmeans subspace', (SELECT count(*) FROM dp_kmeans_fit('flowers', '{2,3,4}', 20, algorithm => 'subspace', model => 'flowers_subspace'))
UNION ALL SELECT 'mixture', (SELECT max(component) FROM dp_mixture_fit('flowers', '{1,2,3,4}', 20, columns => '{x,y,region}', model => 'flowers_mixture'))
UNION ALL SELECT 'fa', (SELECT max(cardinality(loadings)) FROM dp_fa_fit('flowers', '{1,2,3}', 20, columns => '{z,u,w,x}', model => 'flowers_fa'))
UNION ALL SELECT 'pca', (SELECT count(*) FROM dp_pca_fit('flowers', '{1,2,3,4}', 20, by => 'region', model => 'flowers_pca'));
RESET client_min_messages;
-- noise may make one more of them
SELECT fit, rows BETWEEN 3 AND 5 AS nearly FROM found WHERE fit ~ '^(gmm|kmeans|mixture)' ORDER BY fit COLLATE "C";
SELECT charges() - :charges AS charges;

-- scores are rows beside the model: the chosen one is the model's, has the largest score, and is one of them
SELECT model, count(*) AS candidates, count(*) FILTER (WHERE chosen) AS chosen, bool_and(log_likelihood IS NOT NULL AND score <= log_likelihood) AS penalised,
       bool_and(NOT chosen OR k = m.components) AS the_models, bool_and(NOT chosen OR score = best) AS best
  FROM (SELECT *, max(score) OVER (PARTITION BY model) AS best FROM dpem.model_choices WHERE model LIKE 'flowers%') AS c JOIN dpem.models AS m USING (model) GROUP BY model ORDER BY model COLLATE "C";
SET ROLE regress_other;
SELECT count(*) AS hidden FROM dpem.model_choices WHERE model LIKE 'flowers%';
SET ROLE regress_analyst;
SELECT dp_grant_model('flowers_cells', 'regress_other'::regrole);
SET ROLE regress_other;
SELECT array_agg(k ORDER BY k) AS candidates, count(*) FILTER (WHERE chosen) AS chosen FROM dpem.model_choices WHERE model = 'flowers_cells';
SET ROLE regress_analyst;

-- a model that one number was given for has no choice; one that is replaced or dropped takes its scores along
SELECT count(*) FROM dp_kmeans_fit('flowers', 3, 5, columns => '{x,y}', model => 'flowers_kmeans', replace => true);
SELECT count(*) FROM dpem.model_choices WHERE model = 'flowers_kmeans';
SELECT dp_drop_model('flowers_cells');
RESET ROLE;
SELECT count(*) AS orphans FROM dpem_internal.model_candidate AS c WHERE NOT EXISTS (SELECT FROM dpem_internal.model AS m WHERE m.id = c.model);
SET ROLE regress_analyst;

-- what cannot be chosen, or is no number, is refused before anything is spent
SELECT charges() AS charges \gset
SELECT attempt(call) FROM (VALUES (1, $$SELECT dp_gmm_fit('flowers', '{2,x}', 1)$$), (2, $$SELECT dp_gmm_fit('flowers', '{}', 1)$$), (3, $$SELECT dp_gmm_fit('flowers', '{2,', 1)$$), (4, $$SELECT dp_gmm_fit('flowers', '2,3', 1)$$),
    (5, $$SELECT dp_gmm_fit('flowers', ARRAY[2,NULL], 1)$$), (6, $$SELECT dp_gmm_fit('flowers', ARRAY[]::int[], 1)$$), (7, $$SELECT dp_gmm_fit('flowers', '{0,2}', 1)$$), (8, $$SELECT dp_gmm_fit('flowers', '{2,99999}', 1)$$),
    (9, $$SELECT dp_gmm_fit('flowers', '{99999999999}', 1)$$), (10, $$SELECT dp_gmm_fit('flowers', '0', 1)$$), (11, $$SELECT dp_gmm_fit('flowers', NULL::int[], 1)$$), (12, $$SELECT dp_gmm_fit('flowers', ARRAY(SELECT generate_series(1, 65)), 1)$$),
    (13, $$SELECT dp_gmm_fit('flowers', '{2,3}', 1, by => 'region')$$), (14, $$SELECT dp_gmm_fit('flowers', '{2,3}', 1, mechanism => 'ggg')$$), (15, $$SELECT dp_gmm_fit('flowers', '{1,2}', 1, columns => '{x}', init_means => '{1,2}')$$),
    (16, $$SELECT dp_gmm_fit('flowers', '{2,3}', 1, iterations => 1)$$), (17, $$SELECT dp_kmeans_fit('flowers', '{2,3}', 1, algorithm => 'joint')$$), (18, $$SELECT dp_kmeans_fit('flowers', '{2,3}', 1, by => 'region')$$),
    (19, $$SELECT dp_pca_fit('flowers', '{2,3}', 1, algorithm => 'power')$$), (20, $$SELECT dp_fa_fit('flowers', '{2,5}', 1)$$),
    (21, $$SELECT dp_mixture_fit('flowers', '{2,3}', 1, by => 'region')$$), (22, $$SELECT dp_mixture_fit('flowers', '{2,3}', 1, iterations => 1)$$), (23, $$SELECT dp_mixture_fit('flowers', '{2,101}', 1)$$), (24, $$SELECT dp_mixture_fit('flowers', '{0,1}', 1)$$)) AS v (n, call) ORDER BY n;
SELECT charges() - :charges AS charges;

SELECT count(dp_drop_model(model)) > 0 AS dropped FROM dpem.models WHERE dataset = 'flowers';
SET ROLE regress_owner;
SELECT dp_drop_dataset('flowers');
DROP TABLE flowers;
RESET ROLE;
