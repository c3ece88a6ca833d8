-- Linear regression.

-- Coefficients in the columns' own units, the intercept last; the covariance row by row.
CREATE TABLE dpem_internal.linreg_parameter (
    model bigint PRIMARY KEY,
    target text NOT NULL,
    scale text NOT NULL,
    coefficient float8[] NOT NULL,
    noise float8[] NOT NULL,
    middle float8[] NOT NULL,
    error float8[] NOT NULL,
    covariance float8[] NOT NULL,
    target_lower float8 NOT NULL,
    target_upper float8 NOT NULL,
    CHECK (dpem_internal.is_domain(scale, target_lower, target_upper))
);
COMMENT ON TABLE dpem_internal.linreg_parameter IS 'internal: linear regressions; read dpem.linreg_coefficients, linreg_covariances';

-- Of what coefficients are: Fourier features of columns about centers, in units of scales; dimension 0: the columns.
CREATE TABLE dpem_internal.linreg_features (
    model bigint PRIMARY KEY,
    dimension float8 NOT NULL,
    width float8 NOT NULL,
    seed float8 NOT NULL,
    center float8[] NOT NULL,
    scale float8[] NOT NULL,
    order_column text NOT NULL,
    edge float8[] NOT NULL,
    met float8[] NOT NULL,
    met_noise float8[] NOT NULL
);
COMMENT ON TABLE dpem_internal.linreg_features IS 'internal: what linear regressions are linear in, and how they learnt online; read dpem.linreg_models, linreg_trajectories';

CREATE TABLE dpem_internal.linreg_quality (
    model bigint PRIMARY KEY,
    r2 float8,
    r2_noise float8,
    residual_variance float8 NOT NULL,
    residual_noise float8 NOT NULL
);
COMMENT ON TABLE dpem_internal.linreg_quality IS 'internal: what linear regressions explain; read dpem.linreg_models';

REVOKE ALL ON dpem_internal.linreg_parameter, dpem_internal.linreg_quality, dpem_internal.linreg_features FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.linreg_parameter', '');
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.linreg_quality', '');
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.linreg_features', '');

CREATE FUNCTION dp_linreg_fit(dataset text, target text, epsilon float8, delta float8 DEFAULT NULL,
    columns text[] DEFAULT NULL, composition text DEFAULT NULL, clip_norm float8 DEFAULT NULL,
    model text DEFAULT NULL, sampling_rate float8 DEFAULT NULL, filter text DEFAULT NULL,
    by text DEFAULT NULL, precondition text DEFAULT NULL, algorithm text DEFAULT 'ridge',
    features text DEFAULT 'linear', dimension int DEFAULT 128, width float8 DEFAULT NULL, seed int DEFAULT 1,
    order_column text DEFAULT NULL, batches int DEFAULT NULL, missing text DEFAULT NULL)
RETURNS TABLE (model text, column_name text, category text, coefficient float8, stddev float8, noise_stddev float8,
    ci_lower float8, ci_upper float8, key text)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10 AS 'MODULE_PATHNAME', 'dp_linreg_fit';
SELECT dpem_internal.complete_fit('linreg',
    'fits a linear regression of a numeric column under differential privacy, charges the caller''s budget, stores the model and returns each coefficient in its column''s own units, with an interval that covers the coefficient without noise in 95 %; with by, a model of the rows of each category (key) of that label, for one charge', 3);

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

CREATE VIEW dpem.linreg_coefficients WITH (security_barrier) AS
SELECT m.name AS model, CASE WHEN f.dimension = 0
        THEN coalesce(CASE WHEN m.category_of[u.j] IS NULL THEN m.columns[u.j] ELSE m.column_of[u.j] END, '(intercept)')
        WHEN u.j > f.dimension THEN '(intercept)'
        WHEN u.j <= f.dimension / 2 THEN 'cos ' || u.j ELSE 'sin ' || u.j - (f.dimension / 2)::int END AS column_name,
    CASE WHEN f.dimension = 0 THEN m.category_of[u.j] END AS category, u.coefficient,
    pg_catalog.sqrt(p.covariance[(u.j - 1) * pg_catalog.cardinality(p.coefficient) + u.j]) AS stddev, u.noise_stddev,
    u.middle - 1.959963984540054 * u.error AS ci_lower, u.middle + 1.959963984540054 * u.error AS ci_upper
FROM dpem_internal.readable_model m JOIN dpem_internal.linreg_parameter p ON p.model = m.id JOIN dpem_internal.linreg_features f ON f.model = m.id,
    LATERAL ROWS FROM (pg_catalog.unnest(p.coefficient), pg_catalog.unnest(p.noise), pg_catalog.unnest(p.middle),
        pg_catalog.unnest(p.error)) WITH ORDINALITY AS u(coefficient, noise_stddev, middle, error, j);
COMMENT ON VIEW dpem.linreg_coefficients IS
'coefficients of linear regressions, one per row, per unit of the column; stddev is about the coefficient of the population, which includes the privacy noise; noise_stddev is that of the privacy noise, to first order; 95 % of intervals from ci_lower to ci_upper cover the coefficient of the same rows without noise';

CREATE VIEW dpem.linreg_covariances WITH (security_barrier) AS
SELECT m.name AS model, CASE WHEN f.dimension = 0 THEN coalesce(a.columns[i], '(intercept)') WHEN i > f.dimension THEN '(intercept)'
        WHEN i <= f.dimension / 2 THEN 'cos ' || i ELSE 'sin ' || i - (f.dimension / 2)::int END
    AS column_name, CASE WHEN f.dimension = 0 THEN coalesce(a.columns[j], '(intercept)') WHEN j > f.dimension THEN '(intercept)'
        WHEN j <= f.dimension / 2 THEN 'cos ' || j ELSE 'sin ' || j - (f.dimension / 2)::int END
    AS other_column, a.covariance[(i - 1) * a.n + j] AS covariance
FROM dpem_internal.readable_model m JOIN dpem_internal.linreg_parameter p ON p.model = m.id JOIN dpem_internal.linreg_features f ON f.model = m.id,
    -- || once: an array in a table that is long would be read from there as a whole for each of its elements
    LATERAL (SELECT p.covariance || '{}'::float8[] AS covariance, m.columns || '{}'::text[] AS columns, pg_catalog.cardinality(p.coefficient) AS n OFFSET 0) AS a,
    LATERAL dpem_internal.places(1, a.n) AS i,
    LATERAL dpem_internal.places(1, a.n) AS j;
COMMENT ON VIEW dpem.linreg_covariances IS 'covariances of the coefficients of linear regressions about those of the population, one entry per row';

CREATE VIEW dpem.linreg_models WITH (security_barrier) AS
SELECT m.name AS model, p.target, p.scale, m.d AS dimensions, q.r2, q.r2_noise AS r2_noise_stddev, q.residual_variance,
    q.residual_noise AS residual_noise_stddev, CASE WHEN f.dimension > 0 THEN 'fourier' ELSE 'linear' END AS features,
    f.dimension::int AS dimension, nullif(f.width, 0) AS width, CASE WHEN f.dimension > 0 THEN f.seed::int END AS seed
FROM dpem_internal.readable_model m JOIN dpem_internal.linreg_parameter p ON p.model = m.id JOIN dpem_internal.linreg_quality q ON q.model = m.id
    JOIN dpem_internal.linreg_features f ON f.model = m.id;
COMMENT ON VIEW dpem.linreg_models IS
'linear regressions: the share of the target''s variance that the model explains, the variance it leaves, and the standard deviations of the privacy noise in both, to first order; and of random Fourier features their number, the width of the kernel that they stand for (in standard deviations of the columns, or half domains with precondition none) and the public seed of their frequencies';

CREATE VIEW dpem.linreg_trajectories WITH (security_barrier) AS
SELECT m.name AS model, f.order_column, b.batch, CASE WHEN b.batch < pg_catalog.cardinality(f.edge) THEN f.edge[b.batch] END AS lower, f.edge[b.batch + 1] AS upper,
    coalesce(CASE WHEN m.category_of[u.j] IS NULL THEN m.columns[u.j] ELSE m.column_of[u.j] END, '(intercept)') AS column_name,
    m.category_of[u.j] AS category, f.met[(b.batch - 1) * (m.d + 1) + u.j] AS coefficient,
    f.met_noise[(b.batch - 1) * (m.d + 1) + u.j] AS noise_stddev
FROM dpem_internal.readable_model m JOIN dpem_internal.linreg_features f ON f.model = m.id,
    LATERAL dpem_internal.places(1, CASE WHEN f.order_column <> '' THEN pg_catalog.cardinality(f.edge) END) AS b(batch),
    LATERAL dpem_internal.places(1, m.d + 1) AS u(j);
COMMENT ON VIEW dpem.linreg_trajectories IS
'linear regressions that learnt online: the coefficients with which each batch of rows was met, one per row, per unit of the column; a batch has the rows whose order_column is from lower to below upper, the last one with its end; one more has no rows and no bounds: the coefficients after the last; dpem.linreg_coefficients has the average of those after the first eighth of the batches; noise_stddev is that of the privacy noise, given the steps'' lengths';

GRANT SELECT ON dpem.linreg_coefficients, dpem.linreg_covariances, dpem.linreg_models, dpem.linreg_trajectories TO PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;
