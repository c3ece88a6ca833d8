-- mixtures whose components are worth no more on the rows than one are that one (false alarms below 1e-20: what is compared is
-- many times its noise)
SET ROLE regress_owner;
-- spikes: independent columns of zeros and tails, in which EM finds groups; grouped: three clouds; both of 20,000 rows
CREATE TABLE spikes AS
SELECT CASE WHEN i * 0.7548776662 % 1 < 0.7 THEN 0 ELSE -20 * ln((1 - i * 0.1296524847 % 1)::float8) END AS a,
       CASE WHEN i * 0.5698402909 % 1 < 0.7 THEN 0 ELSE -20 * ln((1 - i * 0.3819660113 % 1)::float8) END AS b,
       CASE WHEN i * 0.8191725134 % 1 < 0.7 THEN 0 ELSE -20 * ln((1 - i * 0.2360679775 % 1)::float8) END AS c,
       CASE WHEN i * 0.6710436067 % 1 < 0.7 THEN 0 ELSE -20 * ln((1 - i * 0.4142135624 % 1)::float8) END AS d
  FROM generate_series(1, 20000) AS i;
CREATE TABLE grouped AS
SELECT 20 + 30 * (i % 3) + 10 * (i * 0.7548776662 % 1) AS x, 30 + 40 * (i % 3 % 2) + 10 * (i * 0.5698402909 % 1) AS y,
       50 + 10 * (i * 0.8191725134 % 1) AS z, 50 + 10 * (i * 0.6710436067 % 1) AS w
  FROM generate_series(1, 20000) AS i;
ANALYZE spikes;
ANALYZE grouped;
SELECT dp_register_dataset('spikes', 'spikes', 1000, 1e-4), dp_register_dataset('grouped', 'grouped', 1000, 1e-4);
SELECT count(dp_register_column('spikes', c, 0, 200)) FROM unnest('{a,b,c,d}'::text[]) AS c;
SELECT count(dp_register_column('grouped', c, 0, 100)) FROM unnest('{x,y,z,w}'::text[]) AS c;
SELECT dp_grant_budget('regress_analyst', 'spikes', 900, 1e-4), dp_grant_budget('regress_analyst', 'grouped', 900, 1e-4);

SET ROLE regress_analyst;
-- EM, and cells
SELECT count(DISTINCT mean) AS means, count(DISTINCT covariance) AS covariances, near(sum(weight), 1) AS weights FROM dp_gmm_fit('spikes', 4, 8);
SELECT count(DISTINCT mean) AS means FROM dp_gmm_fit('grouped', 3, 8);
SELECT count(DISTINCT mean) AS means FROM dp_gmm_fit('grouped', 3, 8, columns => '{x,y}');
SELECT count(DISTINCT mean) AS means FROM dp_gmm_fit('grouped', 3, 8, covariance => 'diagonal');
-- who says how EM is to go has what it finds
SELECT count(DISTINCT mean) AS means FROM dp_gmm_fit('spikes', 4, 8, iterations => 8);
-- what is planned is charged, and is not where nothing would be seen, or there is nothing to compare
SELECT statistic, releases FROM dp_gmm_plan('spikes', 4, 8) WHERE statistic LIKE 'comparison%';
SELECT count(*) AS compared FROM dp_gmm_plan('spikes', 4, 0.01) WHERE statistic LIKE 'comparison%';
SELECT count(*) AS compared FROM dp_gmm_plan('spikes', 1, 8) WHERE statistic LIKE 'comparison%';
SELECT count(*) AS compared FROM dp_gmm_plan('spikes', 4, 8, covariance => 'spherical') WHERE statistic LIKE 'comparison%';
SELECT count(DISTINCT mean) AS means FROM dp_gmm_fit('grouped', '{2,3}'::int[], 8);
SELECT count(*) AS compared FROM dp_gmm_plan('spikes', 4, 8, clip_norm => 1) WHERE statistic LIKE 'comparison%';
-- few rows whose number is not public: cells turn out to be noise, and the last release is that of one component
RESET ROLE;
SET ROLE regress_owner;
CREATE TABLE grouped_few AS SELECT * FROM grouped LIMIT 300;
SELECT dp_register_dataset('grouped_few', 'grouped_few', 1000, 1e-4), dp_register_column('grouped_few', 'x', 0, 100), dp_register_column('grouped_few', 'y', 0, 100);
SELECT dp_grant_budget('regress_analyst', 'grouped_few', 900, 1e-4);
SET ROLE regress_analyst;
SELECT statistic FROM dp_gmm_plan('grouped_few', 3, 0.3) WHERE line = 3;
SELECT count(DISTINCT mean) AS means FROM dp_gmm_fit('grouped_few', 3, 0.3);
SELECT count(DISTINCT mean) AS means FROM dp_gmm_fit('grouped_few', 3, 20);
-- ... and of four columns, that components are noise: rows are read as often as where they are not
SET dpem.progress = on;
SELECT count(DISTINCT mean) AS means FROM dp_gmm_fit('grouped', 3, 0.5, filter => 'x < 20.5');
RESET dpem.progress;
-- where there is hardly anything but noise, means are in their domains, and no variance is more than half of a domain's width squared
SELECT count(*) FROM dp_gmm_fit('grouped_few', 1, 0.01, 1e-6, model => 'noise_alone');
SELECT count(*) FROM dp_gmm_fit('grouped_few', 1, 0.01, 1e-6, covariance => 'spherical', model => 'noise_spherical');
SELECT model, bool_and(mean BETWEEN 0 AND 100) AS means, bool_and(stddev <= 50.001) AS deviations
  FROM dpem.gmm_means WHERE model LIKE 'noise%' GROUP BY model ORDER BY model;
SELECT count(*) FROM dp_fa_fit('grouped_few', 1, 0.01, 1e-6, model => 'noise_factor');
SELECT bool_and(l.loading ^ 2 + n.noise_variance <= 2500.001) AS variances
  FROM dpem.fa_loadings l JOIN dpem.fa_noise n USING (model, column_name) WHERE model = 'noise_factor';
-- a single component is one release, and its noise that of all looks at the rows together: means of thirty fits scatter as stated
-- (a chi square of 116 degrees of freedom, between 0.4 and 2: false alarms below 1e-9; what 40 passes would state is four times as much)
SELECT DISTINCT releases FROM dp_gmm_plan('grouped', 1, 2) WHERE statistic LIKE 'mixture%';
CREATE FUNCTION pg_temp.fit_one(n int) RETURNS SETOF dpem.gmm_means LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM dp_gmm_fit('grouped', 1, 2, 1e-6, model => 'one', replace => true);
    RETURN QUERY SELECT * FROM dpem.gmm_means WHERE model = 'one';
END$$;
SELECT avg(square) BETWEEN 0.4 AND 2 AS as_stated
  FROM (SELECT var_samp(mean) / avg(noise_stddev ^ 2) AS square FROM generate_series(1, 30) AS n, pg_temp.fit_one(n) GROUP BY column_name) AS columns;
DROP FUNCTION pg_temp.fit_one;
SELECT count(dp_drop_model(model)) > 5 AS dropped FROM dpem.models WHERE dataset IN ('spikes', 'grouped', 'grouped_few');
RESET ROLE;
