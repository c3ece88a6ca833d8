-- How good a released model is on private rows.

CREATE TABLE dpem_internal.evaluation (
    charge bigint PRIMARY KEY,
    model bigint NOT NULL,
    dataset text NOT NULL,
    maker bigint NOT NULL,
    kind text NOT NULL,
    filter text,
    epsilon float8 NOT NULL,
    delta float8 NOT NULL,
    lower float8 NOT NULL,
    upper float8 NOT NULL,
    cells float8[],
    cell_noise float8 NOT NULL,
    categories text[],
    evaluated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE dpem_internal.evaluation IS 'internal: evaluations of models; read dpem.evaluations';
COMMENT ON COLUMN dpem_internal.evaluation.cells IS 'released counts of bins from lower to upper: of scores (logarithms of odds, or margins), class by class, or of residuals';
COMMENT ON COLUMN dpem_internal.evaluation.categories IS 'the classes, where cells are counts by class and predicted class, class by class';
CREATE INDEX evaluation_model ON dpem_internal.evaluation (model);

CREATE TABLE dpem_internal.evaluation_metric (
    charge bigint NOT NULL,
    position int NOT NULL,
    metric text NOT NULL,
    value float8 NOT NULL,
    noise float8 NOT NULL,
    lower float8 NOT NULL,
    upper float8 NOT NULL,
    PRIMARY KEY (charge, metric)
);
COMMENT ON TABLE dpem_internal.evaluation_metric IS 'internal: what evaluations say; read dpem.evaluations';

REVOKE ALL ON dpem_internal.evaluation, dpem_internal.evaluation_metric FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.evaluation', '');
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.evaluation_metric', '');

CREATE FUNCTION dp_evaluate(model text, dataset text, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    target text DEFAULT NULL, filter text DEFAULT NULL, bins int DEFAULT NULL, threshold float8 DEFAULT NULL,
    range float8[] DEFAULT NULL, composition text DEFAULT NULL, holdout float8 DEFAULT NULL, part text DEFAULT NULL,
    document_column text DEFAULT NULL, document_length int DEFAULT NULL)
RETURNS TABLE (metric text, value float8, noise_stddev float8, ci_lower float8, ci_upper float8)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10 AS 'MODULE_PATHNAME', 'dp_evaluate';
COMMENT ON FUNCTION dp_evaluate(text, text, float8, float8, text, text, int, float8, float8[], text, float8, text, text, int) IS
'how good a released model is on a dataset''s rows, under differential privacy: of a classifier AUC, accuracy, precision, recall, Brier score, log loss (of more than two classes without AUC, with means over the classes); of a regression R2, errors and their quantiles; of a density its mean logarithm; of cluster centers the mean squared distance; of topics the perplexity of documents; each with a 95 % interval for the noise; stored beside the model; charges the caller''s budget once';

CREATE FUNCTION dp_evaluate_plan(model text, dataset text, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    target text DEFAULT NULL, filter text DEFAULT NULL, bins int DEFAULT NULL, threshold float8 DEFAULT NULL,
    range float8[] DEFAULT NULL, composition text DEFAULT NULL, holdout float8 DEFAULT NULL, part text DEFAULT NULL,
    document_column text DEFAULT NULL, document_length int DEFAULT NULL)
RETURNS SETOF dpem.fit_plan
LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 4 AS 'MODULE_PATHNAME', 'dp_evaluate_plan';
COMMENT ON FUNCTION dp_evaluate_plan(text, text, float8, float8, text, text, int, float8, float8[], text, float8, text, text, int) IS
'noise of dp_evaluate with the same arguments, its cost under every composition, and what values are clipped to; reads no data and spends nothing';

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

CREATE VIEW dpem.evaluations WITH (security_barrier) AS
SELECT m.name AS model, e.dataset, e.filter, e.charge, e.evaluated_at, e.epsilon, e.delta, v.metric, v.value,
    v.noise AS noise_stddev, v.lower AS ci_lower, v.upper AS ci_upper
FROM dpem_internal.readable_model m JOIN dpem_internal.evaluation e ON e.model = m.id JOIN dpem_internal.evaluation_metric v ON v.charge = e.charge;
COMMENT ON VIEW dpem.evaluations IS
'what dp_evaluate has said of models that the current role may read, a metric a row; calls have different charges';

CREATE VIEW dpem.evaluation_cells WITH (security_barrier) AS
SELECT m.name AS model, e.charge, e.kind, (c.position - 1) / n.bins AS class, (c.position - 1) % n.bins + 1 AS bin,
    e.lower + (e.upper - e.lower) * ((c.position - 1) % n.bins) / n.bins AS lower,
    e.lower + (e.upper - e.lower) * ((c.position - 1) % n.bins + 1) / n.bins AS upper,
    c.value, e.cell_noise AS noise_stddev
FROM dpem_internal.readable_model m JOIN dpem_internal.evaluation e ON e.model = m.id,
    LATERAL pg_catalog.unnest(e.cells) WITH ORDINALITY AS c(value, position),
    LATERAL (SELECT pg_catalog.cardinality(e.cells) / CASE WHEN e.kind IN ('classes', 'margins') THEN 2 ELSE 1 END AS bins) AS n
WHERE e.kind <> 'pairs';
COMMENT ON VIEW dpem.evaluation_cells IS
'released counts behind dpem.evaluations: rows by class and bin of the score, the logarithm of the odds of class 1 or its margin, or by bin of the residual';

CREATE VIEW dpem.confusion_matrices WITH (security_barrier) AS
SELECT m.name AS model, e.charge, e.categories[(c.position - 1) / n.classes + 1] AS class,
    e.categories[(c.position - 1) % n.classes + 1] AS predicted, c.value, e.cell_noise AS noise_stddev
FROM dpem_internal.readable_model m JOIN dpem_internal.evaluation e ON e.model = m.id,
    LATERAL pg_catalog.unnest(e.cells) WITH ORDINALITY AS c(value, position),
    LATERAL (SELECT pg_catalog.cardinality(e.categories) AS classes) AS n
WHERE e.kind = 'pairs';
COMMENT ON VIEW dpem.confusion_matrices IS
'confusion matrices of classifiers of more than two classes: released counts of rows by class and predicted class';

GRANT SELECT ON dpem.evaluations, dpem.evaluation_cells, dpem.confusion_matrices TO PUBLIC;

CREATE FUNCTION dpem_internal.require_curve(model text)
RETURNS boolean LANGUAGE c STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dpem_require_curve';
REVOKE ALL ON FUNCTION dpem_internal.require_curve(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dpem_internal.require_curve(text) TO PUBLIC;
COMMENT ON FUNCTION dpem_internal.require_curve(text) IS 'internal: raises an error for a model whose evaluations have no curve that the current role may read';

CREATE FUNCTION @extschema@.dp_evaluate_curve(model text)
RETURNS TABLE (threshold float8, true_positive_rate float8, false_positive_rate float8, "precision" float8,
    predicted float8, observed float8, rows float8, noise_stddev float8)
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 32
BEGIN ATOMIC
WITH cell AS (
    SELECT c.bin, max(c.kind) AS kind, min(c.lower) AS lower, min(c.upper) AS upper, sum(c.value) FILTER (WHERE c.class = 1) AS n1,
        sum(c.value) FILTER (WHERE c.class = 0) AS n0, max(c.noise_stddev) AS noise
    FROM dpem.evaluation_cells c
    WHERE c.model = dp_evaluate_curve.model AND c.kind IN ('classes', 'margins')
        AND c.charge = (SELECT max(l.charge) FROM dpem.evaluation_cells l WHERE l.model = dp_evaluate_curve.model AND l.kind IN ('classes', 'margins'))
    GROUP BY c.bin
), above AS (
    SELECT cell.*, sum(n1) OVER (ORDER BY bin DESC) AS s1, sum(n0) OVER (ORDER BY bin DESC) AS s0,
        sum(n1) OVER () AS t1, sum(n0) OVER () AS t0
    FROM cell
)
SELECT CASE kind WHEN 'margins' THEN a.lower ELSE 1 / (1 + exp(-a.lower)) END, max(least(greatest(s1 / nullif(greatest(t1, 0), 0), 0), 1)) OVER (ORDER BY bin DESC),
    max(least(greatest(s0 / nullif(greatest(t0, 0), 0), 0), 1)) OVER (ORDER BY bin DESC),
    least(greatest(s1 / nullif(greatest(s1 + s0, 0), 0), 0), 1), CASE kind WHEN 'margins' THEN NULL ELSE 1 / (1 + exp(-(a.lower + a.upper) / 2)) END,
    least(greatest(n1 / nullif(greatest(n1 + n0, 0), 0), 0), 1), n1 + n0, noise * sqrt(2::float8)
FROM above a WHERE dpem_internal.require_curve(dp_evaluate_curve.model) ORDER BY a.bin;
END;
COMMENT ON FUNCTION @extschema@.dp_evaluate_curve(text) IS
'the last evaluation of a classifier, threshold by threshold: rates of rows of each class that reach it (the ROC curve), precision there, and of the rows in the bin above it, whose predicted probability is about `predicted`, the share that is of class 1, their number and its noise; where a model has margins instead of probabilities, thresholds are margins and predicted is null; free of charge';

SET LOCAL search_path = @extschema@, pg_temp;

CREATE FUNCTION dp_plot_evaluation(model text)
RETURNS text LANGUAGE c STABLE PARALLEL RESTRICTED COST 10000 AS 'MODULE_PATHNAME', 'dp_plot_evaluation';
COMMENT ON FUNCTION dp_plot_evaluation(text) IS
'picture of a model''s last evaluation as SVG: ROC curve and calibration of a classifier, or a histogram of a regression''s residuals, with the range of the noise; free of charge';
