-- the arithmetic of privacy: booleans within a tolerance, never digits
CREATE FUNCTION pg_temp.near(actual float8, expected float8, tolerance float8 DEFAULT 1e-10)
RETURNS boolean LANGUAGE sql IMMUTABLE
RETURN abs(actual - expected) <= tolerance * abs(expected);

-- zero-concentrated differential privacy
SELECT pg_temp.near(dp_zcdp_epsilon(0.1, 1e-6), 2.450788000476799618) AS basic,
       pg_temp.near(dp_zcdp_epsilon(0.1, 1e-6, tight => true), 2.141938928385473661) AS tight,
       pg_temp.near(dp_zcdp_rho(1, 1e-6), 0.01746890476912337782) AS rho_basic,
       pg_temp.near(dp_zcdp_rho(1, 1e-6, true), 0.02435597035953837289) AS rho_tight,
       pg_temp.near(dp_zcdp_delta(0.5, 4), 0.002187491118182885123) AS delta_basic,
       pg_temp.near(dp_zcdp_delta(0.5, 4, true), 0.0001957954169577215973) AS delta_tight;

-- Gaussian differential privacy, far into the tail
SELECT pg_temp.near(dp_gdp_mu(1, 1e-6), 0.2367043806634357096) AS mu,
       pg_temp.near(dp_gdp_epsilon(1, 1e-9), 6.173935046670907951) AS epsilon,
       pg_temp.near(dp_gdp_delta(0.3, 1), 0.00005488749644512939350, 1e-9) AS delta,
       pg_temp.near(dp_gdp_delta(0.01, 0), 0.003989406181481644599, 1e-9) AS delta_at_0,
       dp_gdp_delta(0.01, 1) = 0 AS underflow;

-- what is allowed is never more than what it costs
SELECT bool_and(dp_gdp_epsilon(dp_gdp_mu(e, d), d) <= e) AS gdp,
       bool_and(dp_gdp_delta(dp_gdp_mu(e, d), e) <= d * (1 + 1e-15)) AS gdp_delta,
       bool_and(dp_zcdp_epsilon(dp_zcdp_rho(e, d), d) <= e) AS zcdp,
       bool_and(dp_zcdp_epsilon(dp_zcdp_rho(e, d, true), d, true) <= e) AS zcdp_tight,
       bool_and(dp_zcdp_rho(e, d) <= dp_zcdp_rho(e, d, true)) AS tight_is_more,
       bool_and(sqrt(2 * dp_zcdp_rho(e, d, true)) <= dp_gdp_mu(e, d)) AS exact_is_most
  FROM unnest(ARRAY[0.01, 0.1, 1, 4, 15]::float8[]) AS e,
       unnest(ARRAY[1e-12, 1e-6, 1e-4, 0.1]::float8[]) AS d;

-- the steps of DP-EM
SELECT pg_temp.near(dp_em_step_epsilon('llg', 'linear', 0.5, 1e-4, 1e-6, 1, 1), 1.0 / 6) AS linear,
       pg_temp.near(dp_em_step_epsilon('llg', 'advanced', 0.1, 1e-4, 1e-6, 1, 1), 0.01337205032126514395) AS advanced,
       pg_temp.near(dp_em_step_epsilon('llg', 'zcdp', 0.1, 1e-4, 1e-6, 1, 1), 0.01628640338770114960) AS zcdp,
       pg_temp.near(dp_em_step_epsilon('ggg', 'ma', 4, 1e-6, 1e-9, 20, 10), 0.2247879283321670735) AS ma,
       pg_temp.near(dp_em_step_epsilon('llg', 'ma', 0.1, 1e-4, 1e-6, 1, 1, 100), 0.009341588486068899300) AS ma_to_100,
       pg_temp.near(dp_em_step_epsilon('ggg', 'rdp', 0.1, 1e-4, 1e-6, 1, 1), 0.1101514856062465146) AS rdp,
       pg_temp.near(dp_em_step_epsilon('ggg', 'exact', 0.1, 1e-4, 1e-6, 1, 1), 0.1248266640962443109) AS exact;

-- subsampling
SELECT pg_temp.near(dp_subsampled_gaussian_rdp('poisson', 0.001, 0.8, 2), 0.000003770726072771109218) AS poisson,
       pg_temp.near(dp_subsampled_gaussian_rdp('without_replacement', 0.001, 0.8, 2), 0.000009541420844434566767) AS without_replacement,
       pg_temp.near(dp_subsampled_gaussian_rdp('poisson', 1, 2, 3.5), 3.5 / 8) AS everybody,
       dp_subsampled_gaussian_rdp('poisson', 0.1, 2, 3.5)
           BETWEEN dp_subsampled_gaussian_rdp('poisson', 0.1, 2, 3)
               AND dp_subsampled_gaussian_rdp('poisson', 0.1, 2, 4) AS between_orders;

-- 1000 steps on one unit in a hundred, orders 2 to 64
SELECT pg_temp.near(dp_rdp_epsilon(array_agg(a ORDER BY a), array_agg(1000 * dp_subsampled_gaussian_rdp('poisson', 0.01, 1.1, a) ORDER BY a), 1e-6),
                    1.981435597916477951) AS poisson,
       pg_temp.near(dp_rdp_epsilon(array_agg(a ORDER BY a), array_agg(1000 * dp_subsampled_gaussian_rdp('without_replacement', 0.01, 1.1, a) ORDER BY a), 1e-6),
                    3.573762960526322024) AS without_replacement
  FROM (SELECT n::float8 AS a FROM generate_series(2, 64) AS n) AS orders;
SELECT dp_rdp_epsilon(ARRAY[2, 4], ARRAY['Infinity', 0.1], 1e-6) = dp_rdp_epsilon(ARRAY[4], ARRAY[0.1], 1e-6) AS infinite_point_is_no_point;

-- the noise a budget buys
SELECT pg_temp.near(dp_gaussian_noise_multiplier(1, 1e-6), 4.224678889326835283) AS one_release,
       pg_temp.near(dp_gaussian_noise_multiplier(1, 1e-6, 10), sqrt(10::float8) * 4.224678889326835283) AS ten_releases,
       pg_temp.near(dp_gaussian_noise_multiplier(0.5, 1e-6, 2, 'linear'), 4 * sqrt(2 * ln(5e6::float8))) AS linear;
SELECT c AS composition,
       dp_gaussian_noise_multiplier(0.5, 1e-6, 10, c) >= dp_gaussian_noise_multiplier(0.5, 1e-6, 10) AS at_least_exact,
       dp_gdp_delta(sqrt(10::float8) / dp_gaussian_noise_multiplier(0.5, 1e-6, 10, c), 0.5) <= 1e-6 * (1 + 1e-11) AS holds
  FROM unnest(ARRAY['exact', 'zcdp', 'rdp', 'ma', 'advanced', 'linear']) AS c ORDER BY c COLLATE "C";

-- sensitivity of the stacked moments
SELECT pg_temp.near(dp_joint_sensitivity(3, 0.35, 0.6, 1, 'replace_one') ^ 2, 2.965) AS two_clusters,
       pg_temp.near(dp_joint_sensitivity(3, 0.1, 1, 1, 'replace_one') ^ 2, 4.5) AS one_cluster,
       pg_temp.near(dp_joint_sensitivity(1, 1, 1, 1, 'replace_one') ^ 2, 4.5) AS no_clusters,
       pg_temp.near(dp_joint_sensitivity(3, 0.35, 0.6, 1, 'add_remove') ^ 2, 1.4825) AS add_remove;

-- nulls
SELECT dp_zcdp_epsilon(NULL, 1e-6) IS NULL AS zcdp, dp_gdp_mu(1, NULL) IS NULL AS gdp,
       dp_em_step_epsilon('ggg', NULL, 1, 1e-6, 1e-9, 10, 3) IS NULL AS em_step,
       dp_rdp_epsilon(NULL, ARRAY[1.0], 1e-6) IS NULL AS rdp;

-- refusals: SQLSTATE 22023, the argument, the range, the value
CREATE FUNCTION pg_temp.refusal(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer float8;
    hint text;
BEGIN
    EXECUTE 'SELECT ' || call INTO answer;
    RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    RETURN SQLSTATE || ': ' || SQLERRM || CASE WHEN hint = '' THEN ' (no hint)' ELSE '' END;
END $$;
SELECT call, pg_temp.refusal(call) FROM unnest(ARRAY[
    'dp_zcdp_epsilon(0, 1e-6)',
    'dp_zcdp_epsilon(''NaN'', 1e-6)',
    'dp_zcdp_epsilon(1, 1)',
    'dp_zcdp_epsilon(1, 0)',
    'dp_zcdp_delta(1, -0.5)',
    'dp_zcdp_rho(-1, 1e-6)',
    'dp_zcdp_rho(''Infinity'', 1e-6)',
    'dp_gdp_epsilon(-1, 1e-6)',
    'dp_gdp_delta(1, ''NaN'')',
    'dp_gdp_mu(1, 1.5)',
    'dp_gdp_mu(1, ''NaN'')',
    'dp_em_step_epsilon(''lgl'', ''ma'', 1, 1e-4, 1e-6, 1, 1)',
    'dp_em_step_epsilon(''llg'', ''MA'', 1, 1e-4, 1e-6, 1, 1)',
    'dp_em_step_epsilon(''llg'', ''ma'', 1, 1e-4, 0, 1, 1)',
    'dp_em_step_epsilon(''llg'', ''ma'', 1, 1e-4, 1e-6, 0, 1)',
    'dp_em_step_epsilon(''llg'', ''ma'', 1, 1e-4, 1e-6, 1, -3)',
    'dp_em_step_epsilon(''llg'', ''ma'', 1, 1e-4, 1e-6, 1, 1, 0)',
    'dp_em_step_epsilon(''llg'', ''zcdp'', 1, 1e-4, 1e-6, 1, 1, 32)',
    'dp_em_step_epsilon(''ggg'', ''ma'', 0.1, 1e-4, 1e-6, 1, 1, 32)',
    'dp_em_step_epsilon(''ggg'', ''linear'', 1, 1e-4, 1e-5, 10, 3)',
    'dp_em_step_epsilon(''llg'', ''advanced'', 1, 1e-4, 1e-5, 10, 1)',
    'dp_subsampled_gaussian_rdp(''uniform'', 0.1, 1, 2)',
    'dp_subsampled_gaussian_rdp(''poisson'', 1.5, 1, 2)',
    'dp_subsampled_gaussian_rdp(''poisson'', 0.1, 0, 2)',
    'dp_subsampled_gaussian_rdp(''poisson'', 0.1, 1, 1)',
    'dp_subsampled_gaussian_rdp(''poisson'', 0.1, 1, 1e7)',
    'dp_rdp_epsilon(ARRAY[2, 4], ARRAY[0.1], 1e-6)',
    'dp_rdp_epsilon(''{}'', ''{}'', 1e-6)',
    'dp_rdp_epsilon(ARRAY[2, NULL], ARRAY[0.1, 0.2], 1e-6)',
    'dp_rdp_epsilon(ARRAY[1], ARRAY[0.1], 1e-6)',
    'dp_rdp_epsilon(ARRAY[2], ARRAY[-0.1], 1e-6)',
    'dp_rdp_epsilon(ARRAY[2], ARRAY[''NaN'']::float8[], 1e-6)',
    'dp_gaussian_noise_multiplier(1, 1e-6, 0)',
    'dp_gaussian_noise_multiplier(1, 1e-6, 1, ''gdp'')',
    'dp_gaussian_noise_multiplier(4, 1e-6, 2, ''linear'')',
    'dp_joint_sensitivity(0, 1, 1, 1, ''replace_one'')',
    'dp_joint_sensitivity(3, -1, 1, 1, ''replace_one'')',
    'dp_joint_sensitivity(3, 1, 1, 1, ''swap'')',
    'dp_joint_sensitivity(3, 1e200, 1, 1, ''replace_one'')'
]) WITH ORDINALITY AS calls(call, position) ORDER BY position;

-- the hint
SELECT dp_gdp_mu(1, 2);

-- every function has a comment, and plans may run it anywhere
SELECT proname, obj_description(oid, 'pg_proc') IS NOT NULL AS commented, provolatile, proparallel
  FROM pg_proc
 WHERE proname ~ '^dp_(zcdp|gdp|rdp|em_step|subsampled|gaussian|joint)_'
 ORDER BY proname COLLATE "C";
