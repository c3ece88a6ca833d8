-- What people and BI tools read.  Each role sees what is its own: datasets
-- it owns or has a budget on, its own charges, models it may read.

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

-- internal: does the current role own this relation?
CREATE FUNCTION dpem.owns(source oid) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
RETURN EXISTS (SELECT 1 FROM pg_catalog.pg_class c
    WHERE c.oid = source AND pg_catalog.pg_has_role(c.relowner, 'USAGE'));
COMMENT ON FUNCTION dpem.owns(oid) IS 'internal: does the current role own this relation?';

-- internal: a dataset is its source's owner's, and once the source is gone, its last owner's
CREATE FUNCTION dpem.administers(source oid, owner oid) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
RETURN dpem.owns(source) OR (pg_catalog.pg_has_role(owner, 'USAGE')
    AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_class c WHERE c.oid = source));
COMMENT ON FUNCTION dpem.administers(oid, oid) IS 'internal: may the current role administer this dataset?';

CREATE VIEW dpem.datasets WITH (security_barrier) AS
SELECT d.name AS dataset, d.source_name AS source, d.unit, d.max_rows_per_unit, d.adjacency,
    d.accountant, d.epsilon, d.delta, d.registered_at
FROM dpem.dataset d
WHERE dpem.administers(d.source, (SELECT r.role::oid FROM dpem.role_number r WHERE r.id = d.owner)) OR EXISTS (SELECT 1 FROM dpem.budget b
    WHERE b.dataset = d.id AND pg_catalog.pg_has_role(b.role, 'USAGE'));
COMMENT ON VIEW dpem.datasets IS 'private datasets that the current role owns or has a budget on';
COMMENT ON COLUMN dpem.datasets.unit IS 'column that tells persons apart; NULL: one row is one person';
COMMENT ON COLUMN dpem.datasets.epsilon IS 'budget of the dataset, over all roles';

CREATE VIEW dpem.columns WITH (security_barrier) AS
SELECT d.name AS dataset, c.position, c.column_name, c.kind, c.lower, c.upper, c.length,
    pg_catalog.cardinality(c.categories) AS categories
FROM dpem.dataset d JOIN dpem.dataset_column c ON c.dataset = d.id
WHERE dpem.administers(d.source, (SELECT r.role::oid FROM dpem.role_number r WHERE r.id = d.owner)) OR EXISTS (SELECT 1 FROM dpem.budget b
    WHERE b.dataset = d.id AND pg_catalog.pg_has_role(b.role, 'USAGE'));
COMMENT ON VIEW dpem.columns IS 'public domains of the columns of a dataset';
COMMENT ON COLUMN dpem.columns.categories IS 'number of registered categories or vocabulary terms';

CREATE VIEW dpem.column_categories WITH (security_barrier) AS
SELECT d.name AS dataset, c.column_name, v.ordinality AS position, v.category
FROM dpem.dataset d JOIN dpem.dataset_column c ON c.dataset = d.id,
    LATERAL pg_catalog.unnest(c.categories) WITH ORDINALITY AS v(category, ordinality)
WHERE dpem.administers(d.source, (SELECT r.role::oid FROM dpem.role_number r WHERE r.id = d.owner)) OR EXISTS (SELECT 1 FROM dpem.budget b
    WHERE b.dataset = d.id AND pg_catalog.pg_has_role(b.role, 'USAGE'));
COMMENT ON VIEW dpem.column_categories IS 'registered categories and vocabulary terms, one per row';

-- internal: a ledger's totals, by role and (whole) in all; a role that is gone has no name here
CREATE VIEW dpem.totals AS
SELECT c.account, c.role, GROUPING(c.role) = 1 AS whole,
    least(sum(c.mu2_units), 2305843009213693952)::bigint AS mu2_units,
    least(sum(c.rho_units), 2305843009213693952)::bigint AS rho_units,
    (sum(c.epsilon::text::numeric) FILTER (WHERE c.line = 1))::float8 AS epsilon_sum,
    (sum(c.delta::text::numeric) FILTER (WHERE c.line = 1))::float8 AS delta_sum,
    sum(greatest(c.epsilon, 1e-150) ^ 2) FILTER (WHERE c.line = 1) AS epsilon2_sum,
    least(coalesce(sum(c.rho_units) FILTER (WHERE c.rdp_units IS NULL), 0), 2305843009213693952)::bigint
        AS plain_rho_units,
    dpem.sum_curves(c.rdp_units) AS curve,
    count(DISTINCT c.charge) AS charges
FROM dpem.charge c GROUP BY GROUPING SETS ((c.account, c.role), (c.account));
COMMENT ON VIEW dpem.totals IS 'internal: sums of the ledger';
REVOKE ALL ON dpem.totals FROM PUBLIC;

CREATE VIEW dpem.budgets WITH (security_barrier) AS
WITH share AS (
    SELECT b.dataset, b.role, b.epsilon, b.delta FROM dpem.budget b
    UNION ALL
    SELECT d.id, NULL, d.epsilon, d.delta FROM dpem.dataset d
)
SELECT d.name AS dataset, s.role::text AS role, s.epsilon, s.delta,
    CASE WHEN t.account IS NULL THEN 0 ELSE
        dpem.totals_spent(d.accountant, t.mu2_units, t.rho_units, t.epsilon_sum, t.delta_sum,
            t.epsilon2_sum, t.plain_rho_units, t.curve, s.delta) END AS spent_epsilon,
    CASE WHEN t.account IS NULL THEN s.epsilon ELSE
        dpem.totals_remaining(d.accountant, t.mu2_units, t.rho_units, t.epsilon_sum, t.delta_sum,
            t.epsilon2_sum, t.plain_rho_units, t.curve, s.epsilon, s.delta) END AS remaining_epsilon,
    coalesce(t.charges, 0) AS charges, x.comes_from AS restored_from
FROM share s JOIN dpem.dataset d ON d.id = s.dataset
    LEFT JOIN dpem.suspension x ON x.account = d.account
    LEFT JOIN dpem.role_number r ON r.role = s.role
    LEFT JOIN dpem.totals t ON t.account = d.account
        AND CASE WHEN s.role IS NULL THEN t.whole ELSE NOT t.whole AND t.role = r.id END
WHERE dpem.administers(d.source, (SELECT r.role::oid FROM dpem.role_number r WHERE r.id = d.owner))
    OR (s.role IS NOT NULL AND pg_catalog.pg_has_role(s.role, 'USAGE'));
COMMENT ON VIEW dpem.budgets IS
'budgets per role and (role NULL) of the whole dataset: granted, spent and remaining epsilon, at the budget''s delta';
COMMENT ON COLUMN dpem.budgets.role IS 'NULL: the dataset''s budget over all roles';
COMMENT ON COLUMN dpem.budgets.restored_from IS
'not NULL: charges may be missing from this ledger, and nothing can be spent before dp_acknowledge_restore; a standby cannot tell';

CREATE VIEW dpem.ledger WITH (security_barrier) AS
SELECT c.charge, c.line, c.dataset, c.role_name AS role, c.function, c.statistic, c.mechanism,
    c.noise_multiplier, c.releases, c.sampling, c.sampling_rate, c.adjacency, c.unit, c.rows_per_unit,
    c.composition, c.epsilon, c.delta,
    c.mu2_units / 1125899906842624.0::float8 AS mu_squared,
    c.rho_units / 1125899906842624.0::float8 AS rho,
    c.charged_at
FROM dpem.charge c
WHERE pg_catalog.pg_has_role((SELECT r.role::oid FROM dpem.role_number r WHERE r.id = c.role), 'USAGE') OR EXISTS (SELECT 1 FROM dpem.account_source a
    WHERE a.account = c.account AND dpem.owns(a.relation));
COMMENT ON VIEW dpem.ledger IS
'charges, one row per mechanism; append-only. The owner of a source sees all of it, a role its own charges';
COMMENT ON COLUMN dpem.ledger.line IS 'mechanisms of one call share its charge number';
COMMENT ON COLUMN dpem.ledger.epsilon IS 'epsilon of the whole call at delta';
COMMENT ON COLUMN dpem.ledger.noise_multiplier IS 'noise standard deviation over L2 sensitivity; laplace: scale over L1 sensitivity; exponential: 1 / epsilon of the choice';
COMMENT ON COLUMN dpem.ledger.sampling IS 'units that each release read: none (all), poisson (each with probability sampling_rate) or without_replacement (that part of them)';
COMMENT ON COLUMN dpem.ledger.mu_squared IS 'Gaussian-DP cost of this line: releases / noise_multiplier^2; laplace, exponential: the least that covers releases of pure epsilon, or range, 1 / noise_multiplier';

CREATE VIEW dpem.restores WITH (security_barrier) AS
WITH step AS (
    SELECT i.*, lag(i.system_identifier) OVER w AS from_system_identifier,
        lag(i.timeline) OVER w AS from_timeline, lag(i.database) OVER w AS from_database,
        lag(i.data_directory) OVER w AS from_data_directory
    FROM dpem.incarnation i WINDOW w AS (PARTITION BY i.account ORDER BY i.id)
)
SELECT s.dataset, s.since AS acknowledged_at, s.acknowledged_by, s.reason, s.charges,
    s.from_system_identifier, s.from_timeline, s.from_database, s.from_data_directory,
    s.system_identifier AS to_system_identifier, s.timeline AS to_timeline,
    s.database AS to_database, s.data_directory AS to_data_directory
FROM step s
WHERE s.reason IS NOT NULL AND EXISTS (SELECT 1 FROM dpem.account_source a
    WHERE a.account = s.account AND dpem.owns(a.relation));
COMMENT ON VIEW dpem.restores IS
'restores that were acknowledged, for the owner of the source: who, when, why, from which server to which; append-only';
COMMENT ON COLUMN dpem.restores.charges IS 'charges that the ledger held when it was acknowledged';

-- internal: models the current role may read
CREATE VIEW dpem.readable_model WITH (security_barrier) AS
SELECT m.* FROM dpem.model m
WHERE pg_catalog.pg_has_role((SELECT r.role::oid FROM dpem.role_number r WHERE r.id = m.owner), 'USAGE') OR dpem.owns(m.source)
    OR EXISTS (SELECT 1 FROM dpem.model_grant g
        WHERE g.model = m.id AND pg_catalog.pg_has_role(g.role, 'USAGE'));
COMMENT ON VIEW dpem.readable_model IS 'internal: models the current role may read';
REVOKE ALL ON dpem.readable_model FROM PUBLIC;

CREATE VIEW dpem.models WITH (security_barrier) AS
SELECT m.name AS model, m.family, m.dataset, (SELECT r.role::oid FROM dpem.role_number r WHERE r.id = m.owner)::regrole::text AS owner, m.k AS components,
    m.d AS dimensions, pg_catalog.array_to_string(m.columns, ', ') AS columns, m.covariance,
    m.estimator, m.mechanism, m.composition, m.precondition, m.iterations, m.epsilon, m.delta,
    m.charge, m.created_at
FROM dpem.readable_model m;
COMMENT ON VIEW dpem.models IS 'released models that the current role may read';

CREATE VIEW dpem.gmm_components WITH (security_barrier) AS
SELECT m.name AS model, p.component, p.weight, p.weight_noise AS noise_stddev
FROM dpem.readable_model m JOIN dpem.gmm_parameter p ON p.model = m.id;
COMMENT ON VIEW dpem.gmm_components IS 'components of mixtures: weight and the standard deviation of the noise in it';

CREATE VIEW dpem.gmm_means WITH (security_barrier) AS
SELECT m.name AS model, p.component, m.columns[j] AS column_name, p.mean[j] AS mean,
    pg_catalog.sqrt(p.covariance[(j - 1) * m.d + j]) AS stddev, p.mean_noise[j] AS noise_stddev
FROM dpem.readable_model m JOIN dpem.gmm_parameter p ON p.model = m.id,
    LATERAL pg_catalog.generate_series(1, m.d) AS j;
COMMENT ON VIEW dpem.gmm_means IS
'means of mixture components, one column per row, in the column''s own units; stddev is the component''s, noise_stddev that of the privacy noise in the mean';

CREATE VIEW dpem.gmm_covariances WITH (security_barrier) AS
SELECT m.name AS model, p.component, m.columns[i] AS column_name, m.columns[j] AS other_column,
    p.covariance[(i - 1) * m.d + j] AS covariance,
    p.covariance[(i - 1) * m.d + j] / nullif(pg_catalog.sqrt(
        p.covariance[(i - 1) * m.d + i] * p.covariance[(j - 1) * m.d + j]), 0) AS correlation,
    p.covariance_noise[(i - 1) * m.d + j] AS noise_stddev
FROM dpem.readable_model m JOIN dpem.gmm_parameter p ON p.model = m.id,
    LATERAL pg_catalog.generate_series(1, m.d) AS i,
    LATERAL pg_catalog.generate_series(1, m.d) AS j;
COMMENT ON VIEW dpem.gmm_covariances IS
'covariances of mixture components, one entry per row, in products of the columns'' units; noise_stddev is that of the privacy noise';

GRANT SELECT ON dpem.datasets, dpem.columns, dpem.column_categories, dpem.budgets, dpem.ledger,
    dpem.restores, dpem.models, dpem.gmm_components, dpem.gmm_means, dpem.gmm_covariances TO PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;
