-- Naive Bayes classifiers.

-- Of each class its share of the rows, and of its rows the probability of each cell.
CREATE TABLE dpem_internal.bayes_class (
    model bigint NOT NULL,
    class int NOT NULL,
    category text NOT NULL,
    weight float8 NOT NULL,
    weight_noise float8 NOT NULL,
    probability float8[] NOT NULL,
    noise float8 NOT NULL,
    PRIMARY KEY (model, class)
);
COMMENT ON TABLE dpem_internal.bayes_class IS 'internal: classes of naive Bayes classifiers; read dpem.bayes_classes, bayes_parameters';

-- The power of what columns say; of each cell the coordinate, and of a number's the bounds in its own unit.
CREATE TABLE dpem_internal.bayes_cell (
    model bigint PRIMARY KEY,
    label text NOT NULL,
    power float8 NOT NULL,
    coordinate float8[] NOT NULL,
    lower float8[] NOT NULL,
    upper float8[] NOT NULL
);
COMMENT ON TABLE dpem_internal.bayes_cell IS 'internal: cells of naive Bayes classifiers; read dpem.bayes_parameters';

REVOKE ALL ON dpem_internal.bayes_class, dpem_internal.bayes_cell FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.bayes_class', '');
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.bayes_cell', '');

CREATE FUNCTION dp_bayes_fit(dataset text, label text, epsilon float8, delta float8 DEFAULT NULL,
    columns text[] DEFAULT NULL, composition text DEFAULT NULL, model text DEFAULT NULL,
    filter text DEFAULT NULL, by text DEFAULT NULL)
RETURNS TABLE (model text, class text, weight float8, column_name text, category text, lower float8, upper float8,
    probability float8, noise_stddev float8, key text)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 200 AS 'MODULE_PATHNAME', 'dp_bayes_fit';
SELECT dpem_internal.complete_fit('bayes',
    'fits a naive Bayes classifier of the categories of a label by numbers and labels under differential privacy, charges the caller''s budget, stores the model and returns for each class the probability of every category and part of a number; values may be missing; with by, a model of the rows of each category (key) of that label, for one charge', 1);

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

CREATE VIEW dpem.bayes_classes WITH (security_barrier) AS
SELECT m.name AS model, s.label, c.class, c.category, c.weight, c.weight_noise AS noise_stddev,
    c.weight - 1.959963984540054 * c.weight_noise AS ci_lower, c.weight + 1.959963984540054 * c.weight_noise AS ci_upper,
    s.power
FROM dpem_internal.readable_model m JOIN dpem_internal.bayes_class c ON c.model = m.id JOIN dpem_internal.bayes_cell s ON s.model = m.id;
COMMENT ON VIEW dpem.bayes_classes IS
'classes of naive Bayes classifiers, numbered as by dp_predict and dp_posterior, with their categories of the label: share of the rows, and the standard deviation of the privacy noise in it; a row''s probabilities are proportional to its columns'' product to the power, times the share';

CREATE VIEW dpem.bayes_parameters WITH (security_barrier) AS
SELECT m.name AS model, c.class, coalesce(m.column_of[u.j::int], m.columns[u.j::int]) AS column_name,
    m.category_of[u.j::int] AS category, CASE WHEN m.category_of[u.j::int] IS NULL THEN u.lower END AS lower,
    CASE WHEN m.category_of[u.j::int] IS NULL THEN u.upper END AS upper, u.probability, c.noise AS noise_stddev
FROM dpem_internal.readable_model m JOIN dpem_internal.bayes_class c ON c.model = m.id JOIN dpem_internal.bayes_cell s ON s.model = m.id,
    LATERAL ROWS FROM (pg_catalog.unnest(s.coordinate), pg_catalog.unnest(s.lower), pg_catalog.unnest(s.upper),
        pg_catalog.unnest(c.probability)) AS u(j, lower, upper, probability);
COMMENT ON VIEW dpem.bayes_parameters IS
'naive Bayes classifiers: in rows of each class the probability of a category, or of a number from lower to below upper, one per row; noise_stddev is that of the privacy noise in the share of the class''s rows, before what noise hides is made like the other classes, or that of shares within parts that are joined, if it is larger';

GRANT SELECT ON dpem.bayes_classes, dpem.bayes_parameters TO PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;
