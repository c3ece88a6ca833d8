-- Sigmoid belief networks.

-- Unit 0 is constant: its weights are the columns' biases, and it has none itself.
CREATE TABLE dpem_internal.sbn_parameter (
    model bigint NOT NULL,
    unit int NOT NULL,
    bias float8,
    weight float8[] NOT NULL,
    PRIMARY KEY (model, unit)
);
COMMENT ON TABLE dpem_internal.sbn_parameter IS 'internal: sigmoid belief networks; read dpem.sbn_hidden, sbn_visible, sbn_weights';
REVOKE ALL ON dpem_internal.sbn_parameter FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.sbn_parameter', '');

CREATE FUNCTION dp_sbn_fit(dataset text, hidden int, epsilon float8, delta float8 DEFAULT NULL,
    columns text[] DEFAULT NULL, iterations int DEFAULT NULL, composition text DEFAULT NULL,
    model text DEFAULT NULL, sampling_rate float8 DEFAULT NULL, prior_variance float8 DEFAULT 10,
    filter text DEFAULT NULL)
RETURNS TABLE (model text, hidden int, bias float8, prior float8, weights float8[])
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10 AS 'MODULE_PATHNAME', 'dp_sbn_fit';
SELECT dpem_internal.complete_fit('sbn',
    'fits a sigmoid belief network with one hidden layer to binary columns (1 from the middle of a column''s domain upwards) under differential privacy, charges the caller''s budget, stores the model and returns a row for each hidden unit; unit 0 is constant, its weights are the columns'' biases', 5,
    ', and its cost under every composition: a row per statistic (gradients in units of their clip norm) and one in total');

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

CREATE VIEW dpem.sbn_hidden WITH (security_barrier) AS
SELECT m.name AS model, p.unit AS hidden, p.bias, 1 / (1 + pg_catalog.exp(-p.bias)) AS prior
FROM dpem_internal.readable_model m JOIN dpem_internal.sbn_parameter p ON p.model = m.id AND p.unit > 0;
COMMENT ON VIEW dpem.sbn_hidden IS
'hidden units of sigmoid belief networks: the probability that the unit is 1, and its log-odds';

CREATE VIEW dpem.sbn_visible WITH (security_barrier) AS
SELECT m.name AS model, u.column_name, u.bias
FROM dpem_internal.readable_model m JOIN dpem_internal.sbn_parameter p ON p.model = m.id AND p.unit = 0,
    LATERAL ROWS FROM (pg_catalog.unnest(m.columns), pg_catalog.unnest(p.weight)) AS u(column_name, bias);
COMMENT ON VIEW dpem.sbn_visible IS
'biases of sigmoid belief networks: log-odds that a column is 1 where all hidden units are 0, one column per row';

CREATE VIEW dpem.sbn_weights WITH (security_barrier) AS
SELECT m.name AS model, u.column_name, p.unit AS hidden, u.weight
FROM dpem_internal.readable_model m JOIN dpem_internal.sbn_parameter p ON p.model = m.id AND p.unit > 0,
    LATERAL ROWS FROM (pg_catalog.unnest(m.columns), pg_catalog.unnest(p.weight)) AS u(column_name, weight);
COMMENT ON VIEW dpem.sbn_weights IS
'weights of sigmoid belief networks: what a hidden unit that is 1 adds to the log-odds of a column, one pair per row';

GRANT SELECT ON dpem.sbn_hidden, dpem.sbn_visible, dpem.sbn_weights TO PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;
