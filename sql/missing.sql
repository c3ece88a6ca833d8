-- missing => 'marginal': rows of which only some columns are known
\pset null -
SET ROLE regress_owner;
-- two groups of rows in which y and z follow x; a third of every column is unknown, not the same thirds, and a few rows are unknown altogether
CREATE TABLE gaps AS
SELECT i / 2 AS person, CASE WHEN i % 4 < 2 THEN 'left' ELSE 'right' END AS side,
       CASE WHEN i % 50 = 0 OR i * 0.5545497 % 1 < 0.33 THEN NULL ELSE x END AS x,
       CASE WHEN i % 50 = 0 OR i * 0.7071068 % 1 < 0.33 THEN 'NaN' ELSE 2 * x + noise END AS y,
       CASE WHEN i % 50 = 0 OR i * 0.3166248 % 1 < 0.33 THEN NULL ELSE (1 - x + noise / 2)::numeric END AS z
  FROM (SELECT i, CASE WHEN i % 2 = 0 THEN -2 ELSE 2 END + (i * 0.6180340 % 1) + (i * 0.7548777 % 1) + (i * 0.5698403 % 1) - 1.5 AS x,
               (i * 0.3027756 % 1) + (i * 0.5825757 % 1) - 1 AS noise FROM generate_series(1, 6000) AS i) AS s;
CREATE TABLE gaps_people AS TABLE gaps;
CREATE VIEW gaps_view AS TABLE gaps;
CREATE TABLE gaps_none AS SELECT person, side, -(person % 7) / 3.0::float8 + (person * 0.6180340 % 1) AS x, (person * 0.7548777 % 1) AS y, (person * 0.5698403 % 1)::numeric AS z FROM gaps;
ANALYZE gaps, gaps_people, gaps_none;
SELECT dp_register_dataset('gaps', 'gaps', 1000, 1e-4), dp_register_dataset('gaps_people', 'gaps_people', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2, adjacency => 'add_remove', accountant => 'rdp'),
       dp_register_dataset('gaps_view', 'gaps_view', 1000, 1e-4), dp_register_dataset('gaps_none', 'gaps_none', 1000, 1e-4);
SELECT count(dp_register_column(d, c, -20, 20)) FROM unnest('{gaps,gaps_people,gaps_view,gaps_none}'::text[]) AS d, unnest('{x,y,z}'::text[]) AS c;
SELECT count(dp_register_column(d, 'side', '{left,right}'::text[])) FROM unnest('{gaps,gaps_people,gaps_view,gaps_none}'::text[]) AS d;
SELECT count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM unnest('{gaps,gaps_people,gaps_view,gaps_none}'::text[]) AS d;
GRANT SELECT ON gaps, gaps_people, gaps_view, gaps_none TO regress_reader;

-- without noise: the groups' means and covariances, though hardly a row in three is complete
SET ROLE regress_reader;
SELECT component, near(weight, 0.5, 0.05) AS half, distance(mean, CASE WHEN mean[1] < 0 THEN '{-2,-4,3}' ELSE '{2,4,-1}' END::float8[]) < 0.05 AS mean,
       distance(covariance, '{{0.25,0.5,-0.25},{0.5,1.1667,-0.4167},{-0.25,-0.4167,0.2917}}'::float8[]) < 0.05 AS covariance
  FROM dp_gmm_fit('gaps', 2, 'Infinity', iterations => 40, estimator => 'mle', missing => 'marginal') ORDER BY 1;
-- what the source is, what keeps the rows, and who reads them make no difference
SELECT distance(fit_numbers($$dp_gmm_fit('gaps', 2, 'Infinity', iterations => 5, missing => 'marginal')$$), fit_numbers($$dp_gmm_fit('gaps_view', 2, 'Infinity', iterations => 5, missing => 'marginal')$$)) < 1e-9 AS view,
       distance(fit_numbers($$dp_gmm_fit('gaps', 2, 'Infinity', iterations => 5, missing => 'marginal')$$), fit_numbers($$dp_gmm_fit('gaps_people', 2, 'Infinity', iterations => 5, missing => 'marginal')$$)) < 1e-9 AS people;
SET dpem.resident_memory = 0;
CREATE TEMP TABLE read_again AS SELECT fit_numbers($$dp_gmm_fit('gaps', 2, 'Infinity', iterations => 5, missing => 'marginal')$$) AS n;
RESET dpem.resident_memory;
SELECT distance(n, fit_numbers($$dp_gmm_fit('gaps', 2, 'Infinity', iterations => 5, missing => 'marginal')$$)) < 1e-9 AS kept FROM read_again;
-- of other shapes and without preconditioning; means are what they are
SELECT shape, whiten, (SELECT bool_and(distance(mean, CASE WHEN mean[1] < 0 THEN '{-2,-4,3}' ELSE '{2,4,-1}' END::float8[]) < 0.2)
    FROM dp_gmm_fit('gaps', 2, 'Infinity', iterations => 40, covariance => shape, precondition => whiten, missing => 'marginal')) AS means
  FROM unnest('{diagonal,spherical,tied}'::text[]) AS shape, unnest('{whiten,none}'::text[]) AS whiten ORDER BY 1, 2;
-- where nothing is missing it is the same fit
SELECT distance(fit_numbers($$dp_gmm_fit('gaps_none', 2, 'Infinity', iterations => 3)$$), fit_numbers($$dp_gmm_fit('gaps_none', 2, 'Infinity', iterations => 3, missing => 'marginal')$$)) < 1e-12 AS same,
       distance(fit_numbers($$dp_gmm_fit('gaps', 2, 'Infinity', iterations => 3)$$), fit_numbers($$dp_gmm_fit('gaps', 2, 'Infinity', iterations => 3, missing => 'complete')$$)) = 0 AS default;

-- factor models and components: variances are those of all rows, within and between the groups
SELECT model_of, bool_and(near(mean, CASE column_name WHEN 'z' THEN 1 ELSE 0 END, 0.1)) AS means,
       bool_and(near(v, CASE column_name WHEN 'x' THEN 4.25 WHEN 'y' THEN 17.17 ELSE 4.29 END, 0.15)) AS variances
  FROM (SELECT precondition AS model_of, f.column_name, f.mean, f.noise_variance + (SELECT sum(l * l) FROM unnest(f.loadings) AS l) AS v
          FROM unnest('{none,radius}'::text[]) AS precondition, dp_fa_fit('gaps', 1, 'Infinity', precondition => precondition, missing => 'marginal') AS f) AS v
 GROUP BY 1 ORDER BY 1;
SELECT distance(a, b) < 1e-9 AS same FROM (SELECT (SELECT array_agg(variance ORDER BY component) FROM dp_pca_fit('gaps', 2, 'Infinity', missing => 'marginal')) AS a,
       (SELECT array_agg(variance ORDER BY component) FROM dp_pca_fit('gaps_view', 2, 'Infinity', missing => 'marginal')) AS b) AS s;
SELECT near(sum(variance), (4.25 + 17.17 + 4.29) / 400, 0.001) AS total FROM dp_pca_fit('gaps', 3, 'Infinity', missing => 'marginal');

-- private: at a large epsilon the same means (noise below 0.01: false alarms below 1e-20)
SET ROLE regress_analyst;
SELECT bool_and(near(weight, 0.5, 0.1)) AS halves, bool_and(distance(mean, CASE WHEN mean[1] < 0 THEN '{-2,-4,3}' ELSE '{2,4,-1}' END::float8[]) < 0.3) AS means,
       bool_and(noise_stddev > 0) AS noise FROM dp_gmm_fit('gaps', 2, 50, missing => 'marginal', model => 'gaps');
SELECT count(*) AS by_side, bool_and(noise_stddev > 0) AS noise FROM dp_gmm_fit('gaps', 2, 20, by => 'side', missing => 'marginal', model => 'gaps_side');
SELECT count(*) AS samples FROM dp_gmm_fit('gaps_people', 2, 20, sampling_rate => 0.5, filter => 'side = ''left''', missing => 'marginal');
SELECT count(*) AS chosen FROM dp_gmm_fit('gaps', '{1,2}', 20, missing => 'marginal');
SELECT count(*) AS one FROM dp_gmm_fit('gaps', 1, 5, missing => 'marginal');
SELECT count(*) AS factors, bool_and(near(mean, CASE column_name WHEN 'z' THEN 1 ELSE 0 END, 0.3)) AS means FROM dp_fa_fit('gaps', 1, 50, missing => 'marginal');
SELECT count(*) AS preconditions FROM unnest('{none,radius,standardise,whiten}'::text[]) AS p, dp_fa_fit('gaps', 1, 5, precondition => p, missing => 'marginal', by => 'side');
SELECT count(*) AS components FROM dp_pca_fit('gaps', 2, 5, missing => 'marginal');
-- little epsilon: looks in place of margins, equal components
SELECT count(*) AS little FROM dp_gmm_fit('gaps', 2, 0.01, missing => 'marginal');
SELECT count(*) AS again FROM (SELECT dp_refresh_model('gaps')) AS r;

-- the plan, which costs the same
SELECT statistic, releases, noise_stddev > 0 AS noise FROM dp_gmm_plan('gaps', 2, 1, missing => 'marginal') ORDER BY line, statistic;
SELECT statistic, releases FROM dp_fa_plan('gaps', 1, 1, missing => 'marginal') ORDER BY line, statistic;

-- and says which rows count: of complete rows only there is no such row
SELECT f, m, count(*) FILTER (WHERE statistic = 'rows with unknown values count by their known columns' AND mu_squared IS NULL) AS says_so, count(*) FILTER (WHERE statistic = 'total') AS total
  FROM unnest('{marginal,complete}'::text[]) AS m, LATERAL (SELECT 'gmm' AS f, statistic, mu_squared FROM dp_gmm_plan('gaps', '{1,2}', 1, missing => m) UNION ALL SELECT 'fa', statistic, mu_squared FROM dp_fa_plan('gaps', 1, 1, missing => m)
       UNION ALL SELECT 'pca', statistic, mu_squared FROM dp_pca_plan('gaps', 1, 1, missing => m)) AS p GROUP BY 1, 2 ORDER BY 1, 2 DESC;

-- what is refused
SELECT n, attempt('SELECT * FROM ' || c) AS attempt FROM (VALUES
    (1, $$dp_gmm_fit('gaps', 2, 1, missing => 'some')$$), (2, $$dp_gmm_fit('gaps', 2, 1, missing => 'marginal', mechanism => 'ggg')$$),
    (3, $$dp_gmm_fit('gaps', 2, NULL, missing => 'marginal')$$), (4, $$dp_pca_fit('gaps', 1, 1, algorithm => 'power', missing => 'marginal')$$),
    (5, $$dp_fa_fit('gaps', 1, 1, missing => 'nothing')$$)) AS v (n, c) ORDER BY n;
SELECT count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE dataset LIKE 'gaps%';
RESET ROLE;
