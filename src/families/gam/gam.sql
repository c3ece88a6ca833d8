-- Additive models.

CREATE TABLE dpem_internal.gam_parameter (
    model bigint PRIMARY KEY,
    target text NOT NULL,
    scale text NOT NULL,
    negative text NOT NULL,
    residual_variance float8,
    target_lower float8,
    target_upper float8,
    CHECK (CASE WHEN residual_variance IS NULL THEN num_nonnulls(target_lower, target_upper) = 0
                ELSE dpem_internal.is_domain(scale, target_lower, target_upper) END)
);
COMMENT ON TABLE dpem_internal.gam_parameter IS 'internal: targets of additive models; read dpem.gam_shapes';

-- A row per cell and score; place: the column's first coordinate, 0 of the intercept; bin: 0 of rows without a value; other_...: the second column of a pair, place 0 of all other cells.
CREATE TABLE dpem_internal.gam_cell (
    model bigint NOT NULL,
    cell int NOT NULL,
    class text NOT NULL,
    place float8 NOT NULL,
    bin float8 NOT NULL,
    lower float8,
    upper float8,
    contribution float8 NOT NULL,
    error float8 NOT NULL,
    noise float8 NOT NULL,
    other_place float8 NOT NULL,
    other_bin float8 NOT NULL,
    other_lower float8,
    other_upper float8,
    PRIMARY KEY (model, cell)
);
COMMENT ON TABLE dpem_internal.gam_cell IS 'internal: shape functions of additive models; read dpem.gam_shapes';

REVOKE ALL ON dpem_internal.gam_parameter, dpem_internal.gam_cell FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.gam_parameter', '');
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.gam_cell', '');

CREATE FUNCTION dp_gam_fit(dataset text, target text, epsilon float8, delta float8 DEFAULT NULL,
    columns text[] DEFAULT NULL, iterations int DEFAULT NULL, composition text DEFAULT NULL,
    model text DEFAULT NULL, sampling_rate float8 DEFAULT NULL, prior_variance float8 DEFAULT NULL,
    filter text DEFAULT NULL, by text DEFAULT NULL, bins int DEFAULT NULL,
    pairs anycompatible DEFAULT NULL::text)
RETURNS TABLE (model text, class text, column_name text, bin int, lower float8, upper float8, category text,
    contribution float8, stddev float8, noise_stddev float8, ci_lower float8, ci_upper float8, key text,
    second_bin int, second_lower float8, second_upper float8, second_category text)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 300 AS 'MODULE_PATHNAME', 'dp_gam_fit';
SELECT dpem_internal.complete_fit('gam',
    'fits an additive model of a label or a number under differential privacy, charges the caller''s budget, stores the model and returns its shape functions: what each bin of a number and each category contributes to the log-odds of a class, or to the number; values may be missing; with pairs, what the strongest pairs of columns or those named contribute together; with by, a model of the rows of each category (key) of that label, for one charge', 5);

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

CREATE VIEW dpem.gam_shapes WITH (security_barrier) AS
SELECT m.name AS model, p.target, CASE WHEN p.negative <> '' OR c.class <> '' THEN c.class END AS class,
    CASE WHEN c.place = 0 THEN '(intercept)' ELSE coalesce(m.column_of[c.place::int], m.columns[c.place::int]) END
        || CASE WHEN c.other_place > 0 THEN ':' || coalesce(m.column_of[c.other_place::int], m.columns[c.other_place::int]) ELSE '' END AS column_name,
    c.place::int AS position, CASE WHEN c.place > 0 THEN c.bin::int END AS bin, c.lower, c.upper,
    CASE WHEN c.place > 0 AND c.bin > 0 AND c.lower IS NULL THEN m.category_of[c.place::int + c.bin::int - 1] END AS category,
    c.contribution, c.error AS stddev, c.noise AS noise_stddev,
    c.contribution - 1.959963984540054 * c.error AS ci_lower, c.contribution + 1.959963984540054 * c.error AS ci_upper,
    nullif(c.other_place, 0)::int AS second_position, CASE WHEN c.other_place > 0 THEN c.other_bin::int END AS second_bin,
    c.other_lower AS second_lower, c.other_upper AS second_upper,
    CASE WHEN c.other_place > 0 AND c.other_bin > 0 AND c.other_lower IS NULL
        THEN m.category_of[c.other_place::int + c.other_bin::int - 1] END AS second_category
FROM dpem_internal.readable_model m JOIN dpem_internal.gam_parameter p ON p.model = m.id JOIN dpem_internal.gam_cell c ON c.model = m.id;
COMMENT ON VIEW dpem.gam_shapes IS
'shape functions of additive models, one cell per row: what a bin of a number (its bounds) or a category contributes to the log-odds of a class, or to the number that is the target, about the mean over all rows; bin 0 is for rows without a value; of a pair of columns, column_name is both with a colon between them, bin the first of a part of the first column and second_bin of the second, -1 all categories without a part of their own; stddev is the posterior''s, which includes the privacy noise, noise_stddev that of the privacy noise, to first order';

GRANT SELECT ON dpem.gam_shapes TO PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;
