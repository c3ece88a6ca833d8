-- fits by the categories of a label: a model for each, one charge for all
\pset null -
SET ROLE regress_owner;
CREATE TABLE shops AS
SELECT i AS id, i / 4 AS owner, (ARRAY['north', 'south', 'east'])[1 + i % 3] AS region, u * 2 + (i % 3) * 8 + 4 * (i / 3 % 2) AS x, v * 2 - (i % 3) + (i / 3 % 2) AS y,
       CASE WHEN u + v * (1 + i % 3) + (i * 0.41421356237 % 1)::float8 > 1.5 THEN 'yes' ELSE 'no' END AS late
  FROM (SELECT i, (i * 0.7548776662 % 1)::float8 AS u, (i * 0.5698402909 % 1)::float8 AS v FROM generate_series(0, 8999) AS i) AS s;
INSERT INTO shops (owner, region, x, y) VALUES (9001, 'abroad', 1, 1), (9002, NULL, 1, 1), (9003, 'north', NULL, 1), (9004, 'south', 'NaN', 1);
CREATE TABLE shops_guests AS TABLE shops;
CREATE TABLE shops_owners AS TABLE shops;
ANALYZE shops, shops_guests, shops_owners;
SELECT dp_register_dataset('shops', 'shops', 1000, 1e-4), dp_register_dataset('shops_guests', 'shops_guests', 1000, 1e-4, adjacency => 'add_remove', accountant => 'rdp'),
       dp_register_dataset('shops_owners', 'shops_owners', 1000, 1e-4, unit => 'owner', max_rows_per_unit => 4);
SELECT count(dp_register_column(d, 'x', 0, 30)), count(dp_register_column(d, 'y', -5, 5)), count(dp_register_column(d, 'region', '{south,north,west,east}'::text[])), count(dp_register_column(d, 'late', '{no,yes}'::text[])),
       count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM unnest('{shops,shops_guests,shops_owners}'::text[]) AS d;
GRANT SELECT ON shops, shops_owners TO regress_reader;

-- without noise: each model is that of the rows of its category alone
SET ROLE regress_reader;
CREATE FUNCTION pg_temp.alone(call text) RETURNS TABLE (key text, same boolean, components bigint) LANGUAGE plpgsql AS $$
BEGIN
    FOREACH key IN ARRAY '{north,south,east}'::text[] LOOP
        EXECUTE format('SELECT bool_and(near(g.weight, f.weight, 1e-6) AND distance(g.mean, f.mean) < 1e-5 AND distance(ARRAY(SELECT unnest(g.covariance)), ARRAY(SELECT unnest(f.covariance))) < 1e-5), count(*)
            FROM %s AS g JOIN %s AS f USING (component) WHERE g.key = $1 AND f.key IS NULL', replace(call, '%', 'by => ''region'''), replace(call, '%', format('filter => %L', format('region = %L', key))))
            INTO same, components USING key;
        RETURN NEXT;
    END LOOP;
END$$;
SELECT a.* FROM (VALUES (1, $$dp_gmm_fit('shops', 2, 'Infinity', %, iterations => 6)$$), (2, $$dp_gmm_fit('shops', 2, 'Infinity', %, iterations => 6, precondition => 'none')$$),
    (3, $$dp_gmm_fit('shops', 3, 'Infinity', %, iterations => 5, covariance => 'diagonal')$$), (4, $$dp_gmm_fit('shops_owners', 1, 'Infinity', %, iterations => 2, covariance => 'spherical', init_means => '{1,1}')$$)) AS v (n, call),
    pg_temp.alone(call) AS a ORDER BY n, key;
-- and so of the other families: every number of their answers
CREATE FUNCTION pg_temp.numbers(call text, wanted text) RETURNS float8[] LANGUAGE plpgsql AS $$
DECLARE
    numbers float8[];
BEGIN
    EXECUTE format('SELECT array_agg(v::float8 ORDER BY t.n, p.key, o) FROM (SELECT row_number() OVER () AS n, to_jsonb(f) - ''key'' AS j FROM %s AS f WHERE f.key IS NOT DISTINCT FROM $1) AS t,
        LATERAL jsonb_each(j) AS p, LATERAL jsonb_path_query(p.value, ''$.** ? (@.type() == "number")'') WITH ORDINALITY AS x (v, o)', call) INTO numbers USING wanted;
    RETURN numbers;
END$$;
SELECT n, bool_and(distance(pg_temp.numbers(replace(call, '%', 'by => ''region'''), key), pg_temp.numbers(replace(call, '%', format('filter => %L', format('region = %L', key))), NULL)) < 1e-4) AS same
  FROM (VALUES (1, $$dp_kmeans_fit('shops', 2, 'Infinity', %, iterations => 5)$$), (2, $$dp_fa_fit('shops', 1, 'Infinity', %)$$), (3, $$dp_fa_fit('shops', 1, 'Infinity', %, precondition => 'radius', iterations => 20)$$),
    (4, $$dp_pca_fit('shops', 2, 'Infinity', %)$$), (5, $$dp_pca_fit('shops', 1, 'Infinity', %, precondition => 'radius')$$), (6, $$dp_logit_fit('shops', 'late', 'Infinity', %, iterations => 7, columns => '{x,y}')$$)) AS v (n, call),
    unnest('{north,south,east}'::text[]) AS key GROUP BY n ORDER BY n;
SELECT key, count(*), bool_and(model IS NULL) AS no_model FROM dp_gmm_fit('shops', 2, 'Infinity', by => 'region', filter => 'x < 14') GROUP BY 1 ORDER BY 1;

-- with noise: a model for every registered category, with rows or without, and one charge with the lines of a fit without groups
SET ROLE regress_analyst;
SELECT charges() AS charges, models() AS models \gset
CREATE TEMP TABLE grouped AS SELECT * FROM dp_gmm_fit('shops', 2, 20, by => 'region', model => 'shop');
SELECT model, key, count(*), bool_and(CASE key WHEN 'west' THEN true ELSE abs(mean[1] - CASE key WHEN 'north' THEN 3 WHEN 'south' THEN 11 ELSE 19 END) < 3 END) AS where_it_is FROM grouped GROUP BY 1, 2 ORDER BY 1;
SELECT count(*) FROM dp_gmm_fit('shops', 2, 20, model => 'all_shops');
SELECT charges() - :charges AS charges, models() - :models AS models;
SELECT model, by, key, components, columns FROM dpem.models WHERE dataset = 'shops' ORDER BY 1;
SELECT count(DISTINCT charge) FROM dpem.models WHERE by = 'region';
SELECT array_agg(DISTINCT l.charge) = array_agg(DISTINCT m.charge) AS same_charge, count(DISTINCT l.statistic) AS lines FROM dpem.ledger l JOIN dpem.models m USING (charge) WHERE m.key IS NOT NULL AND l.dataset = 'shops';
SELECT bool_and(g.epsilon_exact <= 20 AND near(g.epsilon_exact, f.epsilon_exact, 1e-6)) AS same_price FROM dp_gmm_plan('shops', 2, 20, by => 'region') AS g JOIN dp_gmm_plan('shops', 2, 20) AS f USING (statistic) WHERE statistic = 'total';
-- the models are ordinary ones
SELECT dp_predict('shop/south', mean) = component AS nearest FROM grouped WHERE model = 'shop/south' ORDER BY component;
SELECT count(*) FROM dp_sample('shop/west', 3);
SELECT dp_grant_model(model, 'regress_other') FROM dpem.models WHERE by = 'region' AND key = 'east';
SET ROLE regress_other;
SELECT model, by, key FROM dpem.models;
SET ROLE regress_analyst;
SELECT count(dp_drop_model(model)) FROM dpem.models WHERE key IN ('north', 'west');
SELECT model FROM dpem.models WHERE dataset = 'shops' ORDER BY 1;

-- the other families: one charge and a model for each category, too
SELECT charges() AS charges, models() AS models \gset
SELECT count(*), count(DISTINCT key) AS keys FROM dp_kmeans_fit('shops', 2, 1, by => 'region');
SELECT count(*), count(DISTINCT key) AS keys FROM dp_kmeans_fit('shops', 2, 5, by => 'region', algorithm => 'dplloyd', postprocess => 'mcmc', postprocess_steps => 100);
SELECT count(*), count(DISTINCT key) AS keys FROM dp_fa_fit('shops', 1, 1, by => 'region', model => 'factors');
SELECT count(*), count(DISTINCT key) AS keys FROM dp_pca_fit('shops', 2, 1, by => 'region');
SELECT count(*), count(DISTINCT key) AS keys FROM dp_logit_fit('shops', 'late', 1, by => 'region', model => 'late');
SELECT charges() - :charges AS charges, models() - :models AS models;
SELECT count(DISTINCT model) AS models FROM dpem.fa_loadings WHERE model ~ '^factors/';
SELECT dp_predict('late/north', '{0,0}') IN (1, 2) AS class;
SELECT f, bool_and(g.sensitivity / s.sensitivity BETWEEN 1 - 1e-9 AND sqrt(2) + 1e-9 AND (f <> 'kmeans' OR statistic ~ 'center' OR near(g.sensitivity, s.sensitivity))) FILTER (WHERE g.sensitivity IS NOT NULL) AS as_proved,
       bool_and(near(g.epsilon_exact, s.epsilon_exact, 1e-4)) FILTER (WHERE g.statistic = 'total') AS same_price, count(*)
  FROM (SELECT 'kmeans' AS f, p.* FROM dp_kmeans_plan('shops', 2, 1, by => 'region', iterations => 3) AS p UNION ALL SELECT 'fa', p.* FROM dp_fa_plan('shops', 1, 1, by => 'region', precondition => 'radius') AS p
        UNION ALL SELECT 'pca', p.* FROM dp_pca_plan('shops', 1, 1, by => 'region', precondition => 'none') AS p UNION ALL SELECT 'logit', p.* FROM dp_logit_plan('shops', 'late', 1, by => 'region', iterations => 3) AS p) AS g
  JOIN (SELECT 'kmeans' AS f, p.* FROM dp_kmeans_plan('shops', 2, 1, iterations => 3, algorithm => 'joint') AS p UNION ALL SELECT 'fa', p.* FROM dp_fa_plan('shops', 1, 1, precondition => 'radius') AS p
        UNION ALL SELECT 'pca', p.* FROM dp_pca_plan('shops', 1, 1, precondition => 'none') AS p UNION ALL SELECT 'logit', p.* FROM dp_logit_plan('shops', 'late', 1, iterations => 3) AS p) AS s USING (f, statistic) GROUP BY f ORDER BY f;

-- parallel composition: under add_remove a release is as that of one model, under replace_one a row can leave one group for another
SELECT g.statistic, near(g.sensitivity, f.sensitivity) AS as_one FROM dp_gmm_plan('shops_guests', 1, 0.5, by => 'region') AS g JOIN dp_gmm_plan('shops_guests', 1, 0.5) AS f USING (statistic) WHERE g.sensitivity IS NOT NULL ORDER BY 1;
SELECT g.statistic, g.sensitivity / f.sensitivity BETWEEN 1 AND sqrt(2) + 1e-9 AS at_most_root_2 FROM dp_gmm_plan('shops', 1, 0.5, by => 'region') AS g JOIN dp_gmm_plan('shops', 1, 0.5) AS f USING (statistic) WHERE g.sensitivity IS NOT NULL ORDER BY 1;
SELECT bool_and(near(g.sensitivity, f.sensitivity)) AS none_for_several FROM dp_gmm_plan('shops', 4, 0.5, iterations => 3, by => 'region') AS g JOIN dp_gmm_plan('shops', 4, 0.5, iterations => 3) AS f USING (statistic) WHERE g.statistic ~ 'mixture';
SELECT near(sensitivity, 4 * dp_joint_sensitivity(4, 1, 1, 1, 'replace_one')) AS units FROM dp_gmm_plan('shops_owners', 1, 0.5, covariance => 'spherical', by => 'region') WHERE statistic = 'center: counts';
-- how many rows a group has is private: nothing is said in the columns' units
SELECT bool_and(column_noise_stddev IS NULL) AS unknown FROM dp_gmm_plan('shops', 2, 0.5, by => 'region', precondition => 'none');
SELECT count(*) FROM dp_gmm_fit('shops_guests', 2, 1, by => 'region', precondition => 'none', sampling_rate => 0.3, iterations => 4, covariance => 'diagonal');
SELECT count(DISTINCT key) FROM dp_gmm_fit('shops_owners', 2, 1, by => 'region', covariance => 'spherical', filter => 'x > 1');

-- refused before anything is spent
SELECT charges() AS charges \gset
SELECT attempt('SELECT * FROM ' || c) FROM (VALUES (1, $$dp_kmeans_fit('shops', 2, 1, by => 'region', algorithm => 'grid')$$), (2, $$dp_kmeans_fit('shops', 2, 1, by => 'region', algorithm => 'dpem')$$), (3, $$dp_pca_fit('shops', 1, 1, by => 'region', algorithm => 'power')$$),
    (4, $$dp_logit_fit('shops', 'late', 1, by => 'region', model => 'late')$$), (5, $$dp_fa_fit('shops', 1, 1, by => 'y')$$)) AS v (n, c) ORDER BY n;
SELECT attempt('SELECT * FROM dp_gmm_fit(' || c) FROM (VALUES (1, $$'shops', 2, 1, by => 'x')$$), (2, $$'shops', 2, 1, by => 'owner')$$), (3, $$'shops', 2, 1, by => 'region', mechanism => 'ggg')$$),
    (4, $$'shops', 2, 1, by => 'region', model => 'shop')$$), (5, $$'shops', 501, 1, by => 'region')$$), (6, $$'shops', 2, 'Infinity', by => 'region')$$)) AS v (n, c) ORDER BY n;
SET ROLE regress_other;
SELECT attempt($$SELECT dp_gmm_fit('shops', 2, 1, by => 'region')$$);
SET ROLE regress_owner;
GRANT SELECT (x, y) ON shops TO regress_other;
SET ROLE regress_other;
SELECT attempt($$SELECT dp_gmm_fit('shops', 2, 'Infinity', by => 'region')$$);
RESET ROLE;
SELECT charges() - :charges AS charges;

-- leave nothing behind for the tests that follow
SET ROLE regress_analyst;
SELECT count(dp_drop_model(model)) > 10 AS dropped FROM dpem.models WHERE dataset ~ '^shops';
SET ROLE regress_owner;
SELECT count(dp_drop_dataset(d)) FROM unnest('{shops,shops_guests,shops_owners}'::text[]) AS d;
DROP TABLE shops, shops_guests, shops_owners;
RESET ROLE;
