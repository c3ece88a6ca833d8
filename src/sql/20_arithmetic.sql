-- The arithmetic of privacy: pure functions, for everyone.

-- Functions from here on go to the target schema.
SET LOCAL search_path = @extschema@, pg_temp;

CREATE FUNCTION dp_zcdp_epsilon(rho float8, delta float8, tight boolean DEFAULT false)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_zcdp_epsilon';
COMMENT ON FUNCTION dp_zcdp_epsilon(float8, float8, boolean) IS
'epsilon of rho-zCDP at delta: Bun and Steinke''s conversion, or Canonne, Kamath and Steinke''s if tight';

CREATE FUNCTION dp_zcdp_delta(rho float8, epsilon float8, tight boolean DEFAULT false)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_zcdp_delta';
COMMENT ON FUNCTION dp_zcdp_delta(float8, float8, boolean) IS
'delta of rho-zCDP at epsilon: Bun and Steinke''s conversion, or Canonne, Kamath and Steinke''s if tight';

CREATE FUNCTION dp_zcdp_rho(epsilon float8, delta float8, tight boolean DEFAULT false)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_zcdp_rho';
COMMENT ON FUNCTION dp_zcdp_rho(float8, float8, boolean) IS
'largest rho whose rho-zCDP is (epsilon, delta)-differentially private, by the basic or the tight conversion';

CREATE FUNCTION dp_gdp_epsilon(mu float8, delta float8)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_gdp_epsilon';
COMMENT ON FUNCTION dp_gdp_epsilon(float8, float8) IS
'smallest epsilon of mu-Gaussian differential privacy at delta, exact';

CREATE FUNCTION dp_gdp_delta(mu float8, epsilon float8)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_gdp_delta';
COMMENT ON FUNCTION dp_gdp_delta(float8, float8) IS
'delta of mu-Gaussian differential privacy at epsilon, exact';

CREATE FUNCTION dp_gdp_mu(epsilon float8, delta float8)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_gdp_mu';
COMMENT ON FUNCTION dp_gdp_mu(float8, float8) IS
'largest mu whose Gaussian differential privacy is (epsilon, delta), exact';

CREATE FUNCTION dp_em_step_epsilon(scenario text, composition text, epsilon float8, delta float8,
    step_delta float8, iterations int, k int, max_order int DEFAULT NULL)
RETURNS float8 LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_em_step_epsilon';
COMMENT ON FUNCTION dp_em_step_epsilon(text, text, float8, float8, float8, int, int, int) IS
'epsilon of each release when a DP-EM fit of k components (scenario llg or ggg) spends (epsilon, delta) over its iterations; max_order caps the orders of composition ma';

CREATE FUNCTION dp_subsampled_gaussian_rdp(sampling text, q float8, noise_multiplier float8, alpha float8)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_subsampled_gaussian_rdp';
COMMENT ON FUNCTION dp_subsampled_gaussian_rdp(text, float8, float8, float8) IS
'Renyi divergence of order alpha of a Gaussian release on a fraction q of the units: sampling is poisson (add_remove) or without_replacement (replace_one, where the bound also holds for poisson samples); the noise multiplier is relative to the sensitivity under that adjacency';

CREATE FUNCTION dp_rdp_epsilon(alphas float8[], rdp float8[], delta float8)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_rdp_epsilon';
COMMENT ON FUNCTION dp_rdp_epsilon(float8[], float8[], float8) IS
'smallest epsilon at delta that follows from Renyi divergences at the given orders, by Canonne, Kamath and Steinke''s conversion';

CREATE FUNCTION dp_gaussian_noise_multiplier(epsilon float8, delta float8, releases int DEFAULT 1,
    composition text DEFAULT 'exact')
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_gaussian_noise_multiplier';
COMMENT ON FUNCTION dp_gaussian_noise_multiplier(float8, float8, int, text) IS
'standard deviation of the noise, in multiples of the sensitivity, of each of several Gaussian releases that together spend (epsilon, delta)';

CREATE FUNCTION dp_joint_sensitivity(k int, count_weight float8, sum_weight float8,
    second_weight float8, adjacency text)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_joint_sensitivity';
COMMENT ON FUNCTION dp_joint_sensitivity(int, float8, float8, float8, text) IS
'L2 sensitivity of the weighted counts, sums and second moments of k clusters, stacked, for rows in the unit ball; adjacency replace_one or add_remove';
