-- Mixtures of Gaussians.

-- Parameters in the columns' own units; covariance matrices in row order, d * d.
CREATE TABLE dpem_internal.gmm_parameter (
    model bigint NOT NULL,
    component int NOT NULL,
    weight float8 NOT NULL,
    weight_noise float8 NOT NULL,
    mean float8[] NOT NULL,
    mean_noise float8[] NOT NULL,
    covariance float8[] NOT NULL,
    covariance_noise float8[] NOT NULL,
    atom_share float8[] NOT NULL,
    atom_lower float8[] NOT NULL,
    atom_upper float8[] NOT NULL,
    rest_scale float8[] NOT NULL,
    PRIMARY KEY (model, component)
);
COMMENT ON TABLE dpem_internal.gmm_parameter IS 'internal: mixture parameters; read dpem.gmm_components, gmm_means, gmm_covariances';
REVOKE ALL ON dpem_internal.gmm_parameter FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.gmm_parameter', '');

CREATE FUNCTION dp_gmm_fit(dataset text, k int, epsilon float8, delta float8 DEFAULT NULL,
    columns text[] DEFAULT NULL, iterations int DEFAULT NULL, covariance text DEFAULT 'full',
    estimator text DEFAULT 'map', mechanism text DEFAULT 'joint', composition text DEFAULT NULL,
    precondition text DEFAULT 'whiten', init_means float8[] DEFAULT NULL,
    init_variance float8 DEFAULT NULL, clip_norm float8 DEFAULT NULL, model text DEFAULT NULL,
    dirichlet float8 DEFAULT NULL, kappa0 float8 DEFAULT NULL, nu0 float8 DEFAULT NULL,
    scale0 float8 DEFAULT NULL, step_delta float8 DEFAULT NULL,
    eigenvalue_floor float8 DEFAULT NULL, epsilon_is_nominal boolean DEFAULT false,
    sampling_rate float8 DEFAULT NULL,
    filter text DEFAULT NULL, by text DEFAULT NULL, missing text DEFAULT 'complete')
RETURNS TABLE (model text, component int, weight float8, mean float8[], covariance float8[], key text,
    noise_stddev float8, mean_noise_stddev float8[], covariance_noise_stddev float8[])
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 5 AS 'MODULE_PATHNAME', 'dp_gmm_fit';
SELECT dpem_internal.complete_fit('gmm',
    'fits a Gaussian mixture under differential privacy, charges the caller''s budget, stores the model and returns its components in the columns'' units; with by, a model of the rows of each category (key) of that label, for one charge', 9);
SELECT dpem_internal.complete_choice('gmm', 'k');

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

CREATE VIEW dpem.gmm_components WITH (security_barrier) AS
SELECT m.name AS model, p.component, p.weight, p.weight_noise AS noise_stddev,
    p.weight - 1.959963984540054 * p.weight_noise AS ci_lower, p.weight + 1.959963984540054 * p.weight_noise AS ci_upper
FROM dpem_internal.readable_model m JOIN dpem_internal.gmm_parameter p ON p.model = m.id;
COMMENT ON VIEW dpem.gmm_components IS 'components of mixtures: weight and the standard deviation of the noise in it';

CREATE VIEW dpem.gmm_means WITH (security_barrier) AS
SELECT m.name AS model, p.component, m.columns[j] AS column_name, p.mean[j] AS mean,
    pg_catalog.sqrt(p.covariance[(j - 1) * m.d + j]) AS stddev, p.mean_noise[j] AS noise_stddev,
    p.mean[j] - 1.959963984540054 * p.mean_noise[j] AS ci_lower, p.mean[j] + 1.959963984540054 * p.mean_noise[j] AS ci_upper
FROM dpem_internal.readable_model m JOIN dpem_internal.gmm_parameter p ON p.model = m.id,
    LATERAL dpem_internal.places(1, m.d) AS j;
COMMENT ON VIEW dpem.gmm_means IS
'means of mixture components, one column per row, in the column''s own units, of a scaled column in its coordinate (dpem.model_columns.scale); stddev is the component''s, noise_stddev that of the privacy noise in the mean';

CREATE VIEW dpem.gmm_covariances WITH (security_barrier) AS
SELECT m.name AS model, p.component, a.columns[i] AS column_name, a.columns[j] AS other_column,
    a.covariance[(i - 1) * m.d + j] AS covariance,
    a.covariance[(i - 1) * m.d + j] / nullif(pg_catalog.sqrt(
        a.covariance[(i - 1) * m.d + i] * a.covariance[(j - 1) * m.d + j]), 0) AS correlation,
    a.covariance_noise[(i - 1) * m.d + j] AS noise_stddev
FROM dpem_internal.readable_model m JOIN dpem_internal.gmm_parameter p ON p.model = m.id,
    -- || once, as in linreg.sql
    LATERAL (SELECT p.covariance || '{}'::float8[] AS covariance, p.covariance_noise || '{}'::float8[] AS covariance_noise,
        m.columns || '{}'::text[] AS columns OFFSET 0) AS a,
    LATERAL dpem_internal.places(1, m.d) AS i,
    LATERAL dpem_internal.places(1, m.d) AS j;
COMMENT ON VIEW dpem.gmm_covariances IS
'covariances of mixture components, one entry per row, in products of the columns'' units, of a scaled column in its coordinate (dpem.model_columns.scale); noise_stddev is that of the privacy noise';

GRANT SELECT ON dpem.gmm_components, dpem.gmm_means, dpem.gmm_covariances TO PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;
