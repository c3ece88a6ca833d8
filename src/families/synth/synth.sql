-- Marginals and synthetic rows.

-- shape: eight numbers of each column (families/synth/synth.h); groups: those of every category at all levels, then its share;
-- edges: of the bins of all numbers, or none where these are equal.
CREATE TABLE dpem_internal.synth_model (
    model bigint PRIMARY KEY,
    label float8 NOT NULL,
    total float8 NOT NULL,
    shape float8[] NOT NULL,
    groups float8[] NOT NULL,
    association float8[] NOT NULL,
    edges float8[] NOT NULL
);
COMMENT ON TABLE dpem_internal.synth_model IS 'internal: columns of sets of marginals; read dpem.synth_models, synth_associations';

-- Cells as they were released, and the potential that the model has for them.
CREATE TABLE dpem_internal.synth_marginal (
    model bigint NOT NULL,
    marginal int NOT NULL,
    members float8[] NOT NULL,
    level float8 NOT NULL,
    noise float8 NOT NULL,
    value float8[] NOT NULL,
    theta float8[] NOT NULL,
    PRIMARY KEY (model, marginal)
);
COMMENT ON TABLE dpem_internal.synth_marginal IS 'internal: released marginals; read dpem.synth_marginals';

REVOKE ALL ON dpem_internal.synth_model, dpem_internal.synth_marginal FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.synth_model', '');
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.synth_marginal', '');

CREATE FUNCTION dp_synth_fit(dataset text, epsilon float8, delta float8 DEFAULT NULL,
    columns text[] DEFAULT NULL, workload text[] DEFAULT NULL, label text DEFAULT NULL, bins int DEFAULT NULL,
    rounds int DEFAULT NULL, composition text DEFAULT NULL, model text DEFAULT NULL, filter text DEFAULT NULL,
    by text DEFAULT NULL)
RETURNS TABLE (model text, marginal int, columns text[], cells int, noise_stddev float8, key text)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 50 AS 'MODULE_PATHNAME', 'dp_synth_fit';
SELECT dpem_internal.complete_fit('synth',
    'releases small tables (marginals) of the columns under differential privacy, those that matter most, charges the caller''s budget, stores them as one model, from which tables, synthetic rows and predictions follow at no further cost, and returns a row for each released table; with by, a model of the rows of each category (key) of that label, for one charge', 6);

CREATE FUNCTION dp_tabulate(model text, columns text[], filter text DEFAULT NULL, consistent boolean DEFAULT false)
RETURNS TABLE (keys text[], value float8, noise_stddev float8, ci_lower float8, ci_upper float8, measured boolean)
LANGUAGE c STABLE PARALLEL RESTRICTED COST 100000 ROWS 1000 AS 'MODULE_PATHNAME', 'dp_tabulate';
COMMENT ON FUNCTION dp_tabulate(text, text[], text, boolean) IS
'number of rows in each cell of a table of these columns of a set of marginals, free of charge: as released, with an interval that covers the number in the private table in 95 %, where measured is true, else as the model estimates it; consistent: all as estimated, so that tables agree with each other; filter: conditions on the model''s columns joined by AND';

CREATE FUNCTION dp_importance(model text, public_table regclass)
RETURNS TABLE (place tid, weight float8)
LANGUAGE c STABLE PARALLEL RESTRICTED COST 100000 ROWS 1000 AS 'MODULE_PATHNAME', 'dp_importance';
COMMENT ON FUNCTION dp_importance(text, regclass) IS
'weights, of mean 1, of the rows (place: their ctid) of a public table with the columns of a set of marginals, under which it looks like the private one; free of charge';

CREATE FUNCTION dpem_internal.synth_released_cells(model text)
RETURNS TABLE (marginal int, columns text[], keys text[], value float8, noise_stddev float8, ci_lower float8, ci_upper float8)
LANGUAGE c STABLE PARALLEL RESTRICTED COST 100000 ROWS 1000 AS 'MODULE_PATHNAME', 'dpem_synth_released_cells';
COMMENT ON FUNCTION dpem_internal.synth_released_cells(text) IS 'cells of all released tables of a set of marginals, as dpem.synth_marginals shows them';

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

CREATE VIEW dpem.synth_models WITH (security_barrier) AS
SELECT m.name AS model, m.k AS marginals, s.total AS rows,
    CASE WHEN s.label > 0 THEN coalesce(m.column_of[s.shape[8 * s.label::int - 7]::int + 1], m.columns[s.shape[8 * s.label::int - 7]::int + 1])
    END AS label
FROM dpem_internal.readable_model m JOIN dpem_internal.synth_model s ON s.model = m.id;
COMMENT ON VIEW dpem.synth_models IS 'sets of marginals: number of released tables, estimated number of rows, and the label that they predict';

CREATE VIEW dpem.synth_marginals WITH (security_barrier) AS
SELECT m.name AS model, c.marginal, array_to_string(c.columns, ', ') AS columns, array_to_string(c.keys, ', ') AS keys, c.value, c.noise_stddev, c.ci_lower, c.ci_upper
FROM dpem_internal.readable_model m JOIN dpem_internal.synth_model s ON s.model = m.id, LATERAL dpem_internal.synth_released_cells(m.name) c;
COMMENT ON VIEW dpem.synth_marginals IS
'released marginals, one cell per row, as they were released: number of rows with that key in each of the columns, standard deviation of the privacy noise, and an interval that covers the number in the private table in 95 %; a key may be several categories or an interval';

CREATE VIEW dpem.synth_associations WITH (security_barrier) AS
SELECT m.name AS model, n.name[a.i] AS column_a, n.name[b.j] AS column_b, a.i AS position_a, b.j AS position_b,
    x.information, CASE WHEN x.entropy > 1e-9 THEN least(greatest(x.information, 0) / x.entropy, 1) ELSE 0 END AS association,
    EXISTS (SELECT FROM dpem_internal.synth_marginal t WHERE t.model = m.id AND t.members @> ARRAY[a.i, b.j]::float8[]) AS measured
FROM dpem_internal.readable_model m JOIN dpem_internal.synth_model s ON s.model = m.id,
    LATERAL (SELECT cardinality(s.shape) / 8 AS columns,
        ARRAY(SELECT coalesce(m.column_of[s.shape[8 * c - 7]::int + 1], m.columns[s.shape[8 * c - 7]::int + 1])
              FROM dpem_internal.places(1, cardinality(s.shape) / 8) c ORDER BY c) AS name OFFSET 0) n,
    LATERAL dpem_internal.places(1, n.columns) AS a(i), LATERAL dpem_internal.places(1, n.columns) AS b(j),
    LATERAL (SELECT s.association[(a.i - 1) * n.columns + b.j] AS information,
        least(s.association[(a.i - 1) * n.columns + a.i], s.association[(b.j - 1) * n.columns + b.j]) AS entropy) x;
COMMENT ON VIEW dpem.synth_associations IS
'how much each column of a set of marginals says of each other one: mutual information in nats (of a column with itself its entropy), the same over the lesser of both entropies, and whether a table of both was released';

GRANT SELECT ON dpem.synth_models, dpem.synth_marginals, dpem.synth_associations TO PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;

CREATE FUNCTION dp_association(model text)
RETURNS TABLE (column_a text, column_b text, information float8, association float8, measured boolean)
LANGUAGE c STABLE PARALLEL RESTRICTED COST 100000 ROWS 100 AS 'MODULE_PATHNAME', 'dp_association';
COMMENT ON FUNCTION dp_association(text) IS
'pairs of columns of a set of marginals by how much they say of each other, free of charge: mutual information in nats, the same over the lesser of both entropies, and whether a table of both was released';
