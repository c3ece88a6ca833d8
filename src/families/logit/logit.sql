-- Logistic regression.

-- Coefficients in the columns' own units, the intercept last; the covariance row by row.
CREATE TABLE dpem_internal.logit_parameter (
    model bigint PRIMARY KEY,
    label text NOT NULL,
    negative text NOT NULL,
    positive text NOT NULL,
    mean float8[] NOT NULL,
    covariance float8[] NOT NULL,
    mean_noise float8[] NOT NULL
);
COMMENT ON TABLE dpem_internal.logit_parameter IS 'internal: logistic regressions; read dpem.logit_coefficients, logit_covariances, logit_classes';
REVOKE ALL ON dpem_internal.logit_parameter FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.logit_parameter', '');

CREATE FUNCTION dp_logit_fit(dataset text, label text, epsilon float8, delta float8 DEFAULT NULL,
    columns text[] DEFAULT NULL, iterations int DEFAULT NULL, composition text DEFAULT NULL,
    clip_norm float8 DEFAULT NULL, model text DEFAULT NULL, sampling_rate float8 DEFAULT NULL,
    prior_variance float8 DEFAULT NULL, intercept boolean DEFAULT true, positive text DEFAULT NULL,
    filter text DEFAULT NULL, by text DEFAULT NULL, precondition text DEFAULT NULL,
    features text DEFAULT 'linear', dimension int DEFAULT 512, width float8 DEFAULT NULL, seed int DEFAULT 1,
    algorithm text DEFAULT 'newton', order_column text DEFAULT NULL, batches int DEFAULT NULL,
    missing text DEFAULT NULL)
RETURNS TABLE (model text, column_name text, mean float8, stddev float8, noise_stddev float8, covariance float8[], key text, class text)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10 AS 'MODULE_PATHNAME', 'dp_logit_fit';
SELECT dpem_internal.complete_fit('logit',
    'fits a Bayesian logistic regression under differential privacy, of more than two classes a multinomial one without posterior, charges the caller''s budget, stores the model and returns the posterior of each coefficient in its column''s own units; with by, a model of the rows of each category (key) of that label, for one charge', 4);

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

CREATE VIEW dpem.logit_coefficients WITH (security_barrier) AS
SELECT m.name AS model, coalesce(m.columns[u.j], '(intercept)') AS column_name, u.mean,
    pg_catalog.sqrt(p.covariance[(u.j - 1) * (m.d + 1) + u.j]) AS stddev, u.noise_stddev,
    u.mean - 1.959963984540054 * pg_catalog.sqrt(p.covariance[(u.j - 1) * (m.d + 1) + u.j]) AS ci_lower, u.mean + 1.959963984540054 * pg_catalog.sqrt(p.covariance[(u.j - 1) * (m.d + 1) + u.j]) AS ci_upper
FROM dpem_internal.readable_model m JOIN dpem_internal.logit_parameter p ON p.model = m.id,
    LATERAL ROWS FROM (pg_catalog.unnest(p.mean), pg_catalog.unnest(p.mean_noise))
        WITH ORDINALITY AS u(mean, noise_stddev, j);
COMMENT ON VIEW dpem.logit_coefficients IS
'coefficients of logistic regressions, one column per row, per unit of the column, of a scaled column of its coordinate (dpem.model_columns.scale); stddev is the posterior''s, which includes the privacy noise; noise_stddev is that of the privacy noise in the mean, to first order';

CREATE VIEW dpem.logit_covariances WITH (security_barrier) AS
SELECT m.name AS model, coalesce(a.columns[i], '(intercept)') AS column_name,
    coalesce(a.columns[j], '(intercept)') AS other_column, a.covariance[(i - 1) * (m.d + 1) + j] AS covariance
FROM dpem_internal.readable_model m JOIN dpem_internal.logit_parameter p ON p.model = m.id,
    -- || once, as in linreg.sql
    LATERAL (SELECT p.covariance || '{}'::float8[] AS covariance, m.columns || '{}'::text[] AS columns OFFSET 0) AS a,
    LATERAL dpem_internal.places(1, m.d + 1) AS i,
    LATERAL dpem_internal.places(1, m.d + 1) AS j;
COMMENT ON VIEW dpem.logit_covariances IS 'posterior covariances of the coefficients of logistic regressions, one entry per row';

CREATE VIEW dpem.logit_classes WITH (security_barrier) AS
SELECT m.name AS model, p.label, c.class, c.category
FROM dpem_internal.readable_model m JOIN dpem_internal.logit_parameter p ON p.model = m.id,
    LATERAL (VALUES (1, p.negative), (2, p.positive)) AS c(class, category);
COMMENT ON VIEW dpem.logit_classes IS
'classes of logistic regressions, numbered as by dp_predict and dp_posterior, with their categories of the label; the score is that of class 2';

GRANT SELECT ON dpem.logit_coefficients, dpem.logit_covariances, dpem.logit_classes TO PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;
