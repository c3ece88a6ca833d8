-- Factor analysis and principal components.

-- Parameters in the columns' own units.
CREATE TABLE dpem_internal.fa_parameter (
    model bigint PRIMARY KEY,
    mean float8[] NOT NULL,
    mean_noise float8[] NOT NULL,
    noise_variance float8[] NOT NULL,
    noise_variance_noise float8[] NOT NULL,
    log_likelihood float8 NOT NULL,
    atom_share float8[] NOT NULL,
    atom_lower float8[] NOT NULL,
    atom_upper float8[] NOT NULL,
    rest_scale float8[] NOT NULL
);
COMMENT ON TABLE dpem_internal.fa_parameter IS 'internal: factor models; read dpem.fa_models, fa_noise';

CREATE TABLE dpem_internal.fa_factor (
    model bigint NOT NULL,
    factor int NOT NULL,
    loading float8[] NOT NULL,
    loading_noise float8[] NOT NULL,
    PRIMARY KEY (model, factor)
);
COMMENT ON TABLE dpem_internal.fa_factor IS 'internal: loadings of factor models; read dpem.fa_loadings';

-- The mean is in the columns' own units; variances and directions are those of
-- rows scaled to [-1, 1] by the domain, of which `unit` is half the width.
CREATE TABLE dpem_internal.pca_parameter (
    model bigint PRIMARY KEY,
    mean float8[] NOT NULL,
    mean_noise float8[] NOT NULL,
    unit float8[] NOT NULL,
    total_variance float8 NOT NULL,
    total_variance_noise float8 NOT NULL
);
COMMENT ON TABLE dpem_internal.pca_parameter IS 'internal: centers of principal components; read dpem.pca_means';

CREATE TABLE dpem_internal.pca_component (
    model bigint NOT NULL,
    component int NOT NULL,
    variance float8 NOT NULL,
    variance_noise float8 NOT NULL,
    explained_ratio float8 NOT NULL,
    alignment float8,
    direction float8[] NOT NULL,
    PRIMARY KEY (model, component)
);
COMMENT ON TABLE dpem_internal.pca_component IS 'internal: principal components; read dpem.pca_components, pca_directions';

REVOKE ALL ON dpem_internal.fa_parameter, dpem_internal.fa_factor, dpem_internal.pca_parameter, dpem_internal.pca_component FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.fa_parameter', '');
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.fa_factor', '');
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.pca_parameter', '');
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.pca_component', '');

CREATE FUNCTION dp_fa_fit(dataset text, factors int, epsilon float8, delta float8 DEFAULT NULL,
    columns text[] DEFAULT NULL, iterations int DEFAULT NULL, center text DEFAULT 'private',
    composition text DEFAULT NULL, clip_norm float8 DEFAULT NULL, model text DEFAULT NULL,
    precondition text DEFAULT NULL, sampling_rate float8 DEFAULT NULL,
    filter text DEFAULT NULL, by text DEFAULT NULL, missing text DEFAULT 'complete')
RETURNS TABLE (model text, column_name text, mean float8, loadings float8[], noise_variance float8,
    log_likelihood float8, key text, mean_noise_stddev float8, loading_noise_stddev float8[], variance_noise_stddev float8)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10 AS 'MODULE_PATHNAME', 'dp_fa_fit';
SELECT dpem_internal.complete_fit('fa',
    'fits a factor model under differential privacy, charges the caller''s budget, stores the model and returns mean, loadings and noise variance of each column in its own units; with by, a model of the rows of each category (key) of that label, for one charge', 4);
SELECT dpem_internal.complete_choice('fa', 'factors');

CREATE FUNCTION dp_pca_fit(dataset text, components int, epsilon float8, delta float8 DEFAULT NULL,
    columns text[] DEFAULT NULL, iterations int DEFAULT NULL, algorithm text DEFAULT 'analyze_gauss',
    center text DEFAULT 'private', composition text DEFAULT NULL, clip_norm float8 DEFAULT NULL,
    model text DEFAULT NULL,
    precondition text DEFAULT NULL, sampling_rate float8 DEFAULT NULL,
    filter text DEFAULT NULL, by text DEFAULT NULL, missing text DEFAULT 'complete')
RETURNS TABLE (model text, component int, variance float8, explained_ratio float8, direction float8[], key text,
    noise_stddev float8)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 5 AS 'MODULE_PATHNAME', 'dp_pca_fit';
SELECT dpem_internal.complete_fit('pca',
    'finds principal components under differential privacy, charges the caller''s budget, stores them and returns variance and direction of each, for columns scaled to [-1, 1] by their domains; with by, a model of the rows of each category (key) of that label, for one charge', 6);
SELECT dpem_internal.complete_choice('pca', 'components');

CREATE FUNCTION dp_transform(model text, x float8[])
RETURNS float8[] LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 1000 AS 'MODULE_PATHNAME', 'dp_transform';
COMMENT ON FUNCTION dp_transform(text, float8[]) IS
'factor scores of a point, its coordinates along principal directions, its distances to the centers of k-means, or the probabilities of hidden units; free of charge';
SELECT dpem_internal.complete_use('dp_transform');

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

CREATE VIEW dpem.fa_models WITH (security_barrier) AS
SELECT m.name AS model, m.k AS factors, m.d AS dimensions, m.iterations, p.log_likelihood
FROM dpem_internal.readable_model m JOIN dpem_internal.fa_parameter p ON p.model = m.id;
COMMENT ON VIEW dpem.fa_models IS
'factor models: EM steps, and the log-likelihood per row of the released moments in the columns'' own units, of a scaled column in its coordinate (dpem.model_columns.scale)';

CREATE VIEW dpem.fa_loadings WITH (security_barrier) AS
SELECT m.name AS model, f.factor, u.column_name, u.loading, u.noise_stddev,
    u.loading - 1.959963984540054 * u.noise_stddev AS ci_lower, u.loading + 1.959963984540054 * u.noise_stddev AS ci_upper
FROM dpem_internal.readable_model m JOIN dpem_internal.fa_factor f ON f.model = m.id,
    LATERAL ROWS FROM (pg_catalog.unnest(m.columns), pg_catalog.unnest(f.loading),
        pg_catalog.unnest(f.loading_noise)) AS u(column_name, loading, noise_stddev);
COMMENT ON VIEW dpem.fa_loadings IS
'loadings of factor models, one column per row, in the column''s own units, of a scaled column in its coordinate (dpem.model_columns.scale); noise_stddev is that of the privacy noise, to first order';

CREATE VIEW dpem.fa_noise WITH (security_barrier) AS
SELECT m.name AS model, u.column_name, u.mean, u.mean_noise AS mean_noise_stddev, u.noise_variance,
    u.noise_variance_noise AS noise_stddev,
    u.noise_variance - 1.959963984540054 * u.noise_variance_noise AS ci_lower, u.noise_variance + 1.959963984540054 * u.noise_variance_noise AS ci_upper
FROM dpem_internal.readable_model m JOIN dpem_internal.fa_parameter p ON p.model = m.id,
    LATERAL ROWS FROM (pg_catalog.unnest(m.columns), pg_catalog.unnest(p.mean),
        pg_catalog.unnest(p.mean_noise), pg_catalog.unnest(p.noise_variance),
        pg_catalog.unnest(p.noise_variance_noise))
        AS u(column_name, mean, mean_noise, noise_variance, noise_variance_noise);
COMMENT ON VIEW dpem.fa_noise IS
'means of factor models and the variance that no factor explains, one column per row, in the column''s own units, of a scaled column in its coordinate (dpem.model_columns.scale); noise_stddev is that of the privacy noise in that variance, to first order';

CREATE VIEW dpem.pca_components WITH (security_barrier) AS
SELECT m.name AS model, c.component, c.variance, c.variance_noise AS noise_stddev,
    c.explained_ratio, p.total_variance, p.total_variance_noise AS total_noise_stddev, c.alignment,
    c.variance - 1.959963984540054 * c.variance_noise AS ci_lower, c.variance + 1.959963984540054 * c.variance_noise AS ci_upper
FROM dpem_internal.readable_model m JOIN dpem_internal.pca_parameter p ON p.model = m.id
    JOIN dpem_internal.pca_component c ON c.model = m.id;
COMMENT ON VIEW dpem.pca_components IS
'principal components: variance along each, for columns scaled to [-1, 1] by their domains, and its share of the total variance';
COMMENT ON COLUMN dpem.pca_components.explained_ratio IS
'share of the total variance, taken as the released total plus one standard deviation of its noise; the shares of a model add up to at most 1';
COMMENT ON COLUMN dpem.pca_components.alignment IS
'expected squared cosine of the angle by which privacy noise rotated the direction: 1 no rotation, near 0 only noise; NULL: not known';

CREATE VIEW dpem.pca_directions WITH (security_barrier) AS
SELECT m.name AS model, c.component, u.column_name, u.direction,
    pg_catalog.sqrt((1 - c.alignment) / m.d) AS noise_stddev,
    u.direction * pg_catalog.sqrt(c.variance) * u.unit AS loading,
    u.direction - 1.959963984540054 * pg_catalog.sqrt((1 - c.alignment) / m.d) AS ci_lower, u.direction + 1.959963984540054 * pg_catalog.sqrt((1 - c.alignment) / m.d) AS ci_upper
FROM dpem_internal.readable_model m JOIN dpem_internal.pca_parameter p ON p.model = m.id
    JOIN dpem_internal.pca_component c ON c.model = m.id,
    LATERAL ROWS FROM (pg_catalog.unnest(m.columns), pg_catalog.unnest(c.direction),
        pg_catalog.unnest(p.unit)) AS u(column_name, direction, unit);
COMMENT ON VIEW dpem.pca_directions IS
'principal directions, one column per row, for columns scaled to [-1, 1] by their domains; loading is what one standard deviation along the component adds to the column, in its own units';
COMMENT ON COLUMN dpem.pca_directions.noise_stddev IS
'standard deviation of the privacy noise in an entry, if the noise rotates the direction equally in all directions; NULL: the angle is not known';

CREATE VIEW dpem.pca_means WITH (security_barrier) AS
SELECT m.name AS model, u.column_name, u.mean, u.noise_stddev, u.unit,
    u.mean - 1.959963984540054 * u.noise_stddev AS ci_lower, u.mean + 1.959963984540054 * u.noise_stddev AS ci_upper
FROM dpem_internal.readable_model m JOIN dpem_internal.pca_parameter p ON p.model = m.id,
    LATERAL ROWS FROM (pg_catalog.unnest(m.columns), pg_catalog.unnest(p.mean),
        pg_catalog.unnest(p.mean_noise), pg_catalog.unnest(p.unit))
        AS u(column_name, mean, noise_stddev, unit);
COMMENT ON VIEW dpem.pca_means IS
'the point that principal components pass through, one column per row, in the column''s own units, of a scaled column in its coordinate (dpem.model_columns.scale), and the size of one coordinate unit of the components';

GRANT SELECT ON dpem.fa_models, dpem.fa_loadings, dpem.fa_noise, dpem.pca_components,
    dpem.pca_directions, dpem.pca_means TO PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;
