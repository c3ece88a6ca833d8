-- Linear classifiers: support vector machines, and logistic regressions of several classes.

-- Coefficients of each class's score, the intercept last.
CREATE TABLE dpem_internal.class_parameter (
    model bigint,
    class int,
    category text NOT NULL,
    coefficient float8[] NOT NULL,
    noise float8[] NOT NULL,
    PRIMARY KEY (model, class)
);
COMMENT ON TABLE dpem_internal.class_parameter IS 'internal: scores of classes; read dpem.class_coefficients';

CREATE TABLE dpem_internal.class_model (
    model bigint PRIMARY KEY,
    label text NOT NULL,
    loss text NOT NULL,
    smoothing float8 NOT NULL,
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
COMMENT ON TABLE dpem_internal.class_model IS 'internal: linear classifiers; read dpem.class_models, class_trajectories';

REVOKE ALL ON dpem_internal.class_parameter, dpem_internal.class_model FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.class_parameter', '');
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.class_model', '');

CREATE FUNCTION dp_svm_fit(dataset text, label text, epsilon float8, delta float8 DEFAULT NULL,
    columns text[] DEFAULT NULL, iterations int DEFAULT NULL, composition text DEFAULT NULL,
    clip_norm float8 DEFAULT NULL, model text DEFAULT NULL, sampling_rate float8 DEFAULT NULL,
    prior_variance float8 DEFAULT NULL, intercept boolean DEFAULT true, positive text DEFAULT NULL,
    filter text DEFAULT NULL, by text DEFAULT NULL, precondition text DEFAULT NULL, smoothing float8 DEFAULT 0.5,
    features text DEFAULT 'linear', dimension int DEFAULT 512, width float8 DEFAULT NULL, seed int DEFAULT 1,
    algorithm text DEFAULT 'newton', order_column text DEFAULT NULL, batches int DEFAULT NULL,
    missing text DEFAULT NULL)
RETURNS TABLE (model text, class text, column_name text, coefficient float8, noise_stddev float8, key text)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10 AS 'MODULE_PATHNAME', 'dp_svm_fit';
SELECT dpem_internal.complete_fit('svm',
    'fits a linear support vector machine with Huberised hinge loss under differential privacy, of more than two classes by default linear discriminant analysis, charges the caller''s budget, stores the model and returns the coefficients of each class''s score in the columns'' own units; with by, a model of the rows of each category (key) of that label, for one charge', 4);

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

CREATE VIEW dpem.class_coefficients WITH (security_barrier) AS
SELECT m.name AS model, p.class, p.category, CASE WHEN c.dimension = 0 THEN coalesce(m.columns[u.j], '(intercept)')
    WHEN u.j <= c.dimension / 2 THEN 'cos ' || u.j ELSE 'sin ' || u.j - c.dimension / 2 END AS column_name, u.coefficient, u.noise_stddev,
    u.coefficient - 1.959963984540054 * u.noise_stddev AS ci_lower, u.coefficient + 1.959963984540054 * u.noise_stddev AS ci_upper
FROM dpem_internal.readable_model m JOIN dpem_internal.class_parameter p ON p.model = m.id JOIN dpem_internal.class_model c ON c.model = m.id,
    LATERAL ROWS FROM (pg_catalog.unnest(p.coefficient), pg_catalog.unnest(p.noise)) WITH ORDINALITY AS u(coefficient, noise_stddev, j);
COMMENT ON VIEW dpem.class_coefficients IS
'coefficients of the scores of linear classifiers'' classes, one per row, per unit of the column, of a Fourier feature (cos, sin of a random wave) per unit of that, of a scaled column of its coordinate (dpem.model_columns.scale); classes are numbered as by dp_predict, and the class of the greatest score is predicted; noise_stddev is that of the privacy noise, to first order';

CREATE VIEW dpem.class_models WITH (security_barrier) AS
SELECT m.name AS model, p.label, m.k AS classes, p.loss, p.smoothing,
    CASE WHEN p.dimension > 0 THEN 'fourier' ELSE 'linear' END AS features, p.dimension::int AS dimension, nullif(p.width, 0) AS width,
    CASE WHEN p.dimension > 0 THEN p.seed::int END AS seed
FROM dpem_internal.readable_model m JOIN dpem_internal.class_model p ON p.model = m.id;
COMMENT ON VIEW dpem.class_models IS 'linear classifiers: what they predict, the loss that was minimised, and of random Fourier features their number, the width of the kernel that they stand for (in standard deviations of the columns, or half domains without precondition) and the public seed of their frequencies';

CREATE VIEW dpem.class_trajectories WITH (security_barrier) AS
SELECT m.name AS model, c.order_column, b.batch, CASE WHEN b.batch <= e.batches THEN c.edge[b.batch] END AS lower, c.edge[b.batch + 1] AS upper,
    coalesce(m.columns[u.j], '(intercept)') AS column_name, c.met[(b.batch - 1) * n.coefficients + u.j] AS coefficient,
    c.met_noise[(b.batch - 1) * n.coefficients + u.j] AS noise_stddev
FROM dpem_internal.readable_model m JOIN dpem_internal.class_model c ON c.model = m.id,
    LATERAL (SELECT pg_catalog.cardinality(c.edge) - 1 AS batches) AS e,
    LATERAL (SELECT pg_catalog.cardinality(c.met) / (e.batches + 1) AS coefficients WHERE e.batches > 0) AS n,
    LATERAL dpem_internal.places(1, e.batches + 1) AS b(batch),
    LATERAL dpem_internal.places(1, n.coefficients) AS u(j);
COMMENT ON VIEW dpem.class_trajectories IS
'classifiers that learnt online: the coefficients of the second class''s score with which each batch of rows was met, one per row, per unit of the column; a batch has the rows whose order_column is from lower to below upper, the last one with its end; one more has no rows and no bounds: the coefficients after the last; dpem.class_coefficients has the average of those after the first eighth of the batches; noise_stddev is that of the privacy noise, given the steps'' lengths';

GRANT SELECT ON dpem.class_coefficients, dpem.class_models, dpem.class_trajectories TO PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;
