-- What people and BI tools read.  Each role sees what is its own: datasets
-- it owns or has a budget on, its own charges, models it may read.

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

-- internal: does the current role own this relation?
CREATE FUNCTION dpem_internal.owns(source oid) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
RETURN EXISTS (SELECT 1 FROM pg_catalog.pg_class c
    WHERE c.oid = source AND pg_catalog.pg_has_role(c.relowner, 'USAGE'));
COMMENT ON FUNCTION dpem_internal.owns(oid) IS 'internal: does the current role own this relation?';

-- internal: as ledgers have it, without quotes; of a role that was dropped, its OID
CREATE FUNCTION dpem_internal.role_name(role oid) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce((SELECT r.rolname::text FROM pg_catalog.pg_roles r WHERE r.oid = role), role::text);
COMMENT ON FUNCTION dpem_internal.role_name(oid) IS 'internal: name of a role, or the OID of one that is gone';

-- internal: a dataset is its source's owner's, and once the source is gone, its last owner's, or of NULL the superusers'
CREATE FUNCTION dpem_internal.administers(source oid, owner oid) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
RETURN dpem_internal.owns(source) OR (coalesce(pg_catalog.pg_has_role(owner, 'USAGE'), (SELECT r.rolsuper FROM pg_catalog.pg_roles r WHERE r.rolname = current_user))
    AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_class c WHERE c.oid = source));
COMMENT ON FUNCTION dpem_internal.administers(oid, oid) IS 'internal: may the current role administer this dataset?';

-- internal: places in arrays of parameters; generate_series would let the planner expect a thousand of each, and compile the query
CREATE FUNCTION dpem_internal.places(first int, last int) RETURNS SETOF int
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE ROWS 10 AS 'generate_series_int4';
COMMENT ON FUNCTION dpem_internal.places(int, int) IS 'internal: the numbers from first to last';

CREATE VIEW dpem.datasets WITH (security_barrier) AS
SELECT d.name AS dataset, d.source_name AS source, d.unit, d.max_rows_per_unit, d.adjacency,
    d.accountant, d.epsilon, d.delta, d.registered_at, d.keys_share, d.unit_path, d.minimum
FROM dpem_internal.dataset d
WHERE dpem_internal.administers(d.source, (SELECT r.role::oid FROM dpem_internal.role_number r WHERE r.id = d.owner)) OR EXISTS (SELECT 1 FROM dpem_internal.budget b
    WHERE b.dataset = d.id AND pg_catalog.pg_has_role(b.role, 'USAGE'));
COMMENT ON VIEW dpem.datasets IS 'private datasets that the current role owns or has a budget on';
COMMENT ON COLUMN dpem.datasets.unit IS 'column that identifies persons, or the key at the end of unit_path; NULL: one row is one person';
COMMENT ON COLUMN dpem.datasets.unit_path IS 'foreign keys from the source to the table of persons, checked before every charge; NULL: that the unit is a person is the owner''s word';
COMMENT ON COLUMN dpem.datasets.epsilon IS 'budget of the dataset, over all roles';
COMMENT ON COLUMN dpem.datasets.minimum IS 'persons that a released number of a group stands for at least, as far as noise shows; others are hidden; 0: none are';
COMMENT ON COLUMN dpem.datasets.keys_share IS 'part of delta that is for statistics by private keys; the rest is for noise';

CREATE VIEW dpem.columns WITH (security_barrier) AS
SELECT d.name AS dataset, c.position, c.column_name, c.kind, c.lower, c.upper, c.length,
    pg_catalog.cardinality(c.categories) AS categories,
    CASE WHEN c.kind IN ('number', 'array') THEN c.scale END AS scale, c.calendar, c.aggregate, c.detail_filter AS filter
FROM dpem_internal.dataset d JOIN dpem_internal.dataset_column c ON c.dataset = d.id
WHERE dpem_internal.administers(d.source, (SELECT r.role::oid FROM dpem_internal.role_number r WHERE r.id = d.owner)) OR EXISTS (SELECT 1 FROM dpem_internal.budget b
    WHERE b.dataset = d.id AND pg_catalog.pg_has_role(b.role, 'USAGE'));
COMMENT ON VIEW dpem.columns IS 'public domains of the columns of a dataset';
COMMENT ON COLUMN dpem.columns.kind IS 'number, array (of floats), label, text (documents), or key: a label whose values are not public';
COMMENT ON COLUMN dpem.columns.aggregate IS 'what dp_register_person_column makes it of, for each person; NULL: it is a column of the source or of a table on the unit''s path';
COMMENT ON COLUMN dpem.columns.filter IS 'which of the person''s rows the aggregate is of; NULL: all';
COMMENT ON COLUMN dpem.columns.categories IS 'number of registered categories or vocabulary terms';
COMMENT ON COLUMN dpem.columns.scale IS 'coordinate that models see, and along which equal bins are: linear, log or signed_log; dpem.to_scale and dpem.from_scale convert';
COMMENT ON COLUMN dpem.columns.calendar IS 'date: bounds, and all numbers that are made of the column, are days since 2000-01-01; timestamp and timestamptz: seconds since 2000-01-01 00:00 (UTC); NULL: a plain number. dpem.date_at and dpem.timestamp_at convert';

CREATE VIEW dpem.column_categories WITH (security_barrier) AS
SELECT d.name AS dataset, c.column_name, v.ordinality AS position, v.category
FROM dpem_internal.dataset d JOIN dpem_internal.dataset_column c ON c.dataset = d.id,
    LATERAL pg_catalog.unnest(c.categories) WITH ORDINALITY AS v(category, ordinality)
WHERE dpem_internal.administers(d.source, (SELECT r.role::oid FROM dpem_internal.role_number r WHERE r.id = d.owner)) OR EXISTS (SELECT 1 FROM dpem_internal.budget b
    WHERE b.dataset = d.id AND pg_catalog.pg_has_role(b.role, 'USAGE'));
COMMENT ON VIEW dpem.column_categories IS 'registered categories and vocabulary terms, one per row';

-- What is asked of every dataset is asked once, and not once a share: MATERIALIZED and OFFSET 0 keep the planner from
-- joining standing with itself, which takes as long as datasets times shares.
CREATE VIEW dpem.budgets WITH (security_barrier) AS
WITH whole AS MATERIALIZED (
    SELECT s.dataset, s.total, s.epsilon, s.delta, s.keys_share FROM dpem_internal.standing s WHERE s.role_id = 0
), kept AS MATERIALIZED (
    SELECT r.account, r.accountant, r.total, r.epsilon, r.delta, r.keys_share, r.reserved_periods
    FROM (SELECT DISTINCT b.dataset FROM dpem_internal.budget b WHERE b.reserved) o, LATERAL (
        SELECT s.* FROM dpem_internal.standing s WHERE s.dataset = o.dataset AND s.reserved_periods > 0 OFFSET 0) r)
SELECT d.name AS dataset, dpem_internal.role_name(t.role) AS role, t.epsilon, t.delta,
    dpem_internal.totals_spent(t.accountant, t.total, t.delta, t.keys_share) AS spent_epsilon,
    CASE WHEN (t.total).charges = 0 THEN t.epsilon ELSE
        dpem_internal.totals_remaining(t.accountant, t.total, t.epsilon, t.delta, t.keys_share) END AS remaining_epsilon,
    (t.total).charges, x.comes_from AS restored_from,
    100 * dpem_internal.totals_part(t.accountant, t.total, t.epsilon, t.delta, t.keys_share) AS spent_percent,
    CASE WHEN (t.total).charges = 0 THEN NULL WHEN t.expires <= clock_timestamp() THEN 0 ELSE least(
        dpem_internal.totals_repeats(t.accountant, t.total, l.cost, t.epsilon, t.delta, t.keys_share),
        dpem_internal.totals_repeats(t.accountant, w.total, l.cost, w.epsilon, w.delta, w.keys_share)) END AS more_like_last,
    t.expires, t.refresh, nullif(t.since, '-infinity') AS refreshed_at,
    t.keys_share * t.delta AS keys_delta, (t.total).failure::float8 AS spent_keys_delta, t.agrees,
    greatest(100 - 100 * dpem_internal.totals_part(t.accountant, t.total, t.epsilon, t.delta, t.keys_share), 0) AS remaining_percent,
    t.reserved_periods,
    CASE WHEN t.role_id = 0 THEN coalesce((SELECT sum(100 * dpem_internal.totals_reserved_part(r.accountant, r.total, r.epsilon, r.delta, r.keys_share,
            r.reserved_periods, t.epsilon, t.delta)) FROM kept r WHERE r.account = t.account), 0)
        WHEN t.reserved_periods > 0 THEN 100 * dpem_internal.totals_reserved_part(t.accountant, t.total, t.epsilon, t.delta, t.keys_share, t.reserved_periods, w.epsilon, w.delta)
        ELSE 0 END AS reserved_percent
FROM dpem_internal.dataset d JOIN whole w ON w.dataset = d.id
    CROSS JOIN LATERAL (SELECT s.* FROM dpem_internal.standing s WHERE s.dataset = d.id OFFSET 0) t
    LEFT JOIN dpem_internal.suspension x ON x.account = d.account, LATERAL (
    SELECT dpem_internal.sum_lines(c.line, c.mu2_units, c.rho_units, c.rdp_units, c.epsilon, c.delta, c.failure) AS cost
    FROM dpem_internal.charge c WHERE c.charge = t.last_charge) l
WHERE dpem_internal.administers(d.source, (SELECT r.role::oid FROM dpem_internal.role_number r WHERE r.id = d.owner))
    OR (t.role IS NOT NULL AND pg_catalog.pg_has_role(t.role, 'USAGE'));
COMMENT ON VIEW dpem.budgets IS
'budgets per role and (role NULL) of the whole dataset: granted, spent and remaining epsilon, all three at the budget''s delta less keys_delta, which is also the delta of a call that names none. What adds up is spent_percent and remaining_percent, to 100: they are of what the accountant adds (gdp: mu^2; zcdp: rho; linear: epsilon). Epsilons add up under linear only; under gdp their dp_gdp_mu do, squared';
COMMENT ON COLUMN dpem.budgets.role IS 'role that has the share, or the OID of one that was dropped; NULL: the dataset''s budget over all roles';
COMMENT ON COLUMN dpem.budgets.spent_epsilon IS 'what was spent; for a share that is renewed, all figures are for its current period';
COMMENT ON COLUMN dpem.budgets.restored_from IS
'not NULL: this ledger may lack charges, and nothing can be spent before dp_acknowledge_restore; not known on a standby';
COMMENT ON COLUMN dpem.budgets.spent_percent IS
'used part of the budget; equal calls add equal parts, while epsilons add up only under the accountant linear';
COMMENT ON COLUMN dpem.budgets.remaining_epsilon IS
'epsilon of the largest call at that delta which this budget still affords; a role may have less where the dataset''s budget affords less: dp_budget_remaining';
COMMENT ON COLUMN dpem.budgets.remaining_percent IS 'what spent_percent leaves of 100; 0 where more was spent than is granted now';
COMMENT ON COLUMN dpem.budgets.more_like_last IS
'how many more calls like the last one this budget and the dataset''s budget afford, at most 1000000; NULL: there was no call';
COMMENT ON COLUMN dpem.budgets.reserved_periods IS 'in how many periods, the present one included, a reserved share can still be spent; 0: it is not reserved';
COMMENT ON COLUMN dpem.budgets.reserved_percent IS
'per cent of the dataset''s budget that are kept for this share, or (role NULL) for all shares, and that no other can spend; contained in remaining_percent of the dataset';
COMMENT ON COLUMN dpem.budgets.agrees IS
'false: the running totals contradict the ledger, and nothing can be spent until somebody has looked; dp_check_ledger says where';
COMMENT ON COLUMN dpem.budgets.expires IS 'time from which the share cannot be spent; NULL: it does not expire';
COMMENT ON COLUMN dpem.budgets.refresh IS
'the share can be spent once in each such period; the dataset''s budget, which bounds all periods together, is never renewed';
COMMENT ON COLUMN dpem.budgets.refreshed_at IS 'start of the current period';
COMMENT ON COLUMN dpem.budgets.keys_delta IS 'part of delta that statistics by private keys can spend: keys_share times delta';
COMMENT ON COLUMN dpem.budgets.spent_keys_delta IS 'what statistics by private keys have spent of keys_delta; with accountants advanced and linear, which have no such part, of delta itself';

CREATE VIEW dpem.budget_changes WITH (security_barrier) AS
SELECT b.dataset, b.role_name AS role, b.change, b.epsilon, b.delta, b.expires, b.refresh, b.changed_by, b.changed_at, b.reserved
FROM dpem_internal.budget_change b
WHERE EXISTS (SELECT 1 FROM dpem_internal.account_source a WHERE a.account = b.account AND dpem_internal.owns(a.relation));
COMMENT ON VIEW dpem.budget_changes IS
'who granted, changed or revoked which share and when, for the owner of the source; append-only';
COMMENT ON COLUMN dpem.budget_changes.change IS 'grant (also if only the size changed), revoke, drop (with the dataset), or alter: of the budget of the dataset itself, role NULL';
COMMENT ON COLUMN dpem.budget_changes.reserved IS 'what the share may still cost is kept of the dataset''s budget';
COMMENT ON COLUMN dpem.budget_changes.epsilon IS 'size of the share: after a grant or alter, before a revoke or drop';

CREATE VIEW dpem.ledger WITH (security_barrier) AS
SELECT c.charge, c.line, c.dataset, c.role_name AS role, c.function, c.statistic, c.mechanism,
    c.noise_multiplier, c.releases, c.sampling, c.sampling_rate, c.adjacency, c.unit, c.rows_per_unit,
    c.composition, c.epsilon, c.delta,
    c.mu2_units / 1125899906842624.0::float8 AS mu_squared,
    c.rho_units / 1125899906842624.0::float8 AS rho,
    c.charged_at, c.failure AS keys_delta, c.reads
FROM dpem_internal.charge c
WHERE c.role IN (SELECT r.id FROM dpem_internal.role_number r WHERE pg_catalog.pg_has_role(r.role, 'USAGE'))
    OR c.account IN (SELECT a.account FROM dpem_internal.account_source a WHERE dpem_internal.owns(a.relation));
COMMENT ON VIEW dpem.ledger IS
'charges, one row per mechanism; append-only. The owner of a source sees all charges, a role its own';
COMMENT ON COLUMN dpem.ledger.line IS 'mechanisms of one call share its charge number';
COMMENT ON COLUMN dpem.ledger.epsilon IS 'epsilon of the whole call at delta';
COMMENT ON COLUMN dpem.ledger.noise_multiplier IS 'standard deviation of the noise divided by the L2 sensitivity; laplace: scale divided by the L1 sensitivity; exponential: 1 / epsilon of the choice';
COMMENT ON COLUMN dpem.ledger.keys_delta IS 'for a selection of private keys: the probability, within delta, that a key which only one person has is released';
COMMENT ON COLUMN dpem.ledger.reads IS 'charge of another role whose answer this role was given: counted in its own share alone; NULL: a release';
COMMENT ON COLUMN dpem.ledger.sampling IS 'units that each release read: none (all) or poisson (each with probability sampling_rate)';
COMMENT ON COLUMN dpem.ledger.mu_squared IS 'Gaussian-DP cost of this line: releases / noise_multiplier^2; laplace, exponential: the smallest cost that covers releases with pure epsilon, or bounded range, 1 / noise_multiplier';

-- OFFSET 0: that days are as many as charges, as the planner would have it, is no reason to sort these.
CREATE VIEW dpem.spending WITH (security_barrier) AS
WITH seen AS (
    SELECT c.*, pg_catalog.date_trunc('day', c.charged_at) AS day
    FROM dpem_internal.charge c
    WHERE c.reads IS NULL AND (c.role IN (SELECT r.id FROM dpem_internal.role_number r WHERE pg_catalog.pg_has_role(r.role, 'USAGE'))
        OR c.account IN (SELECT a.account FROM dpem_internal.account_source a WHERE dpem_internal.owns(a.relation)))
    OFFSET 0
), spent AS (
    SELECT s.account, s.dataset, s.role_name, s.function, s.day,
        dpem_internal.sum_lines(s.line, s.mu2_units, s.rho_units, s.rdp_units, s.epsilon, s.delta, s.failure) AS total
    FROM seen s GROUP BY s.account, s.dataset, s.role_name, s.function, s.day
)
SELECT p.dataset, p.role_name AS role, p.function, p.day, (p.total).charges,
    CASE WHEN d.id IS NOT NULL THEN dpem_internal.totals_spent(d.accountant, p.total, d.delta, d.keys_share) END AS spent_epsilon,
    CASE WHEN d.id IS NOT NULL THEN 100 * dpem_internal.totals_part(d.accountant, p.total, d.epsilon, d.delta, d.keys_share) END AS spent_percent
FROM spent p LEFT JOIN dpem_internal.dataset d ON p.dataset = ANY (d.name || d.former_names) AND d.account = p.account;
COMMENT ON VIEW dpem.spending IS
'what each role spent with each function on each day; the owner of a source sees all rows, a role its own';
COMMENT ON COLUMN dpem.spending.day IS 'midnight, in the session''s time zone';
COMMENT ON COLUMN dpem.spending.spent_epsilon IS 'epsilon at the dataset''s delta; NULL once the dataset is dropped. Epsilons of several rows do not add up';
COMMENT ON COLUMN dpem.spending.spent_percent IS 'per cent of the dataset''s budget; percentages add up, except where Renyi curves are mixed, when their sum is an upper bound';

-- A call is its first line.  The part of the budget that it takes is found once, when it is charged, as this
-- may take as long as the charge; again for a dataset that was registered anew.  These calls are a branch of
-- their own, as the planner would take the sum of their lines for a cost of every call, and one that is not
-- entered, nor the ledger read again for it, unless there are any: `part` walks the index from one row of
-- dpem_internal.dataset that calls were charged under to the next.
CREATE VIEW dpem.calls WITH (security_barrier) AS
WITH RECURSIVE part AS (
    SELECT pg_catalog.min(c.part_dataset) AS id FROM dpem_internal.charge c WHERE c.line = 1
    UNION ALL
    SELECT (SELECT pg_catalog.min(c.part_dataset) FROM dpem_internal.charge c WHERE c.line = 1 AND c.part_dataset > p.id)
    FROM part p WHERE p.id IS NOT NULL
), seen AS NOT MATERIALIZED (
    SELECT c.* FROM dpem_internal.charge c
    WHERE c.line = 1 AND (c.role IN (SELECT r.id FROM dpem_internal.role_number r WHERE pg_catalog.pg_has_role(r.role, 'USAGE'))
        OR c.account IN (SELECT a.account FROM dpem_internal.account_source a WHERE dpem_internal.owns(a.relation)))
)
SELECT c.dataset, c.role_name AS role, c.charge, c.function, c.epsilon, c.delta, 100 * c.part AS spent_percent, c.charged_at
FROM seen c JOIN dpem_internal.dataset d ON d.id = c.part_dataset
UNION ALL
SELECT c.dataset, c.role_name, c.charge, c.function, c.epsilon, c.delta,
    CASE WHEN d.id IS NOT NULL THEN 100 * dpem_internal.totals_part(d.accountant,
        (SELECT dpem_internal.sum_lines(l.line, l.mu2_units, l.rho_units, l.rdp_units, l.epsilon, l.delta, l.failure)
            FROM dpem_internal.charge l WHERE l.charge = c.charge), d.epsilon, d.delta, d.keys_share) END, c.charged_at
FROM seen c LEFT JOIN dpem_internal.dataset d ON c.dataset = ANY (d.name || d.former_names) AND d.account = c.account
WHERE NOT EXISTS (SELECT 1 FROM dpem_internal.dataset e WHERE e.id = c.part_dataset)
    AND (EXISTS (SELECT 1 FROM part p WHERE p.id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM dpem_internal.dataset e WHERE e.id = p.id))
        OR EXISTS (SELECT 1 FROM dpem_internal.charge n WHERE n.line = 1 AND n.part_dataset IS NULL));
COMMENT ON VIEW dpem.calls IS
'calls that were charged, one row each, visible to those who see them in dpem.ledger';
COMMENT ON COLUMN dpem.calls.epsilon IS 'epsilon of the call at delta; epsilons of several calls do not add up, except under the accountant linear';
COMMENT ON COLUMN dpem.calls.spent_percent IS
'per cent of the dataset''s budget; percentages add up, except where Renyi curves are mixed, when their sum is an upper bound; NULL once the dataset is dropped';

CREATE VIEW dpem.restores WITH (security_barrier) AS
WITH step AS (
    SELECT i.*, lag(i.system_identifier) OVER w AS from_system_identifier,
        lag(i.timeline) OVER w AS from_timeline, lag(i.database) OVER w AS from_database,
        lag(i.data_directory) OVER w AS from_data_directory
    FROM dpem_internal.incarnation i WINDOW w AS (PARTITION BY i.account ORDER BY i.id)
)
SELECT s.dataset, s.since AS acknowledged_at, s.acknowledged_by, s.reason, s.charges,
    s.from_system_identifier, s.from_timeline, s.from_database, s.from_data_directory,
    s.system_identifier AS to_system_identifier, s.timeline AS to_timeline,
    s.database AS to_database, s.data_directory AS to_data_directory
FROM step s
WHERE s.reason IS NOT NULL AND EXISTS (SELECT 1 FROM dpem_internal.account_source a
    WHERE a.account = s.account AND dpem_internal.owns(a.relation));
COMMENT ON VIEW dpem.restores IS
'acknowledged restores, for the owner of the source: who, when, why, from which server to which; append-only';
COMMENT ON COLUMN dpem.restores.charges IS 'number of charges in the ledger at the time of the acknowledgement';

-- internal: models the current role may read
CREATE VIEW dpem_internal.readable_model WITH (security_barrier) AS
SELECT m.* FROM dpem_internal.model m
WHERE pg_catalog.pg_has_role((SELECT r.role::oid FROM dpem_internal.role_number r WHERE r.id = m.maker), 'USAGE') OR dpem_internal.owns(m.source)
    OR EXISTS (SELECT 1 FROM dpem_internal.model_grant g
        WHERE g.model = m.id AND (g.role::oid = 0 OR pg_catalog.pg_has_role(g.role, 'USAGE')));
COMMENT ON VIEW dpem_internal.readable_model IS 'internal: models the current role may read';
REVOKE ALL ON dpem_internal.readable_model FROM PUBLIC;

CREATE VIEW dpem.models WITH (security_barrier) AS
SELECT m.name AS model, m.family, m.dataset, dpem_internal.role_name((SELECT r.role::oid FROM dpem_internal.role_number r WHERE r.id = m.maker)) AS maker, m.k AS components,
    m.d AS dimensions, pg_catalog.array_to_string(m.columns, ', ') AS columns, m.covariance,
    m.estimator, m.mechanism, m.composition, m.precondition, m.iterations, m.epsilon, m.delta,
    m.charge, m.created_at, m.by, m.category AS key, m.holdout, m.part,
    clock_timestamp() - m.created_at AS age, m.public_rows,
    CASE WHEN m.public_rows > 0 THEN (SELECT c.reltuples - m.public_rows FROM pg_catalog.pg_class c
        WHERE c.oid = m.source AND c.relkind IN ('r', 'p') AND c.reltuples >= 0) END AS rows_added,
    m.version, m.rows_counted, m.rows_noise AS rows_counted_noise
FROM dpem_internal.readable_model m;
COMMENT ON VIEW dpem.models IS 'released models that the current role may read; a model with a key is of the rows of that category of the label "by" only; models with the same charge were paid for together';
COMMENT ON COLUMN dpem.models.age IS 'time since the fit';
COMMENT ON COLUMN dpem.models.public_rows IS 'number of rows when it was made, as the planner estimated it; NULL where it is not public';
COMMENT ON COLUMN dpem.models.rows_counted IS 'how many rows counted, as the fit''s own releases say: those in which all is known that it needs (of up to max_rows_per_unit rows of a person), at least so many with missing => ''impute'' and algorithm => ''output'' or ''objective''; NULL: no release says so';
COMMENT ON COLUMN dpem.models.rows_counted_noise IS 'standard deviation of the privacy noise in rows_counted';
COMMENT ON COLUMN dpem.models.rows_added IS 'rows that the planner has counted since, after ANALYZE; NULL where the number is not public';

CREATE VIEW dpem.model_choices WITH (security_barrier) AS
SELECT m.name AS model, c.k, c.log_likelihood, c.score, c.chosen
FROM dpem_internal.readable_model m JOIN dpem_internal.model_candidate c ON c.model = m.id;
COMMENT ON VIEW dpem.model_choices IS
'the numbers of components, clusters or factors that models were chosen among: the mean log-likelihood of a row in the fit''s own coordinates, up to a constant that a model''s candidates share, as released numbers give it, and the score, that less Schwarz''s penalty, of which the largest was chosen';

CREATE VIEW dpem.model_columns WITH (security_barrier) AS
SELECT m.name AS model, u.position::int AS position, u.column_name, u.lower, u.upper, coalesce(u.label, u.column_name) AS source_column, u.category, coalesce(u.scale, 'linear') AS scale,
    u.imputed, u.clamp_lower, u.clamp_upper,
    (SELECT pg_catalog.format_type(a.atttypid, a.atttypmod) FROM pg_catalog.pg_attribute a
     WHERE a.attrelid = m.source AND a.attname = coalesce(u.label, u.column_name) AND a.attnum > 0 AND NOT a.attisdropped) AS type
FROM dpem_internal.readable_model m, LATERAL ROWS FROM (pg_catalog.unnest(m.columns), pg_catalog.unnest(m.lower),
    pg_catalog.unnest(m.upper), pg_catalog.unnest(m.column_of), pg_catalog.unnest(m.category_of), pg_catalog.unnest(m.scale),
    pg_catalog.unnest(m.imputed), pg_catalog.unnest(m.clamp_lower), pg_catalog.unnest(m.clamp_upper))
    WITH ORDINALITY AS u(column_name, lower, upper, label, category, scale, imputed, clamp_lower, clamp_upper, position);
COMMENT ON VIEW dpem.model_columns IS
'coordinates of released models, one per row, in the order in which dp_predict and similar functions take them, with the public domains and scales they had when the model was made; a label has one for each category, which is 1 in its rows and 0 in others';
COMMENT ON COLUMN dpem.model_columns.type IS
'type of the source''s column as it is now; NULL where there is none';
COMMENT ON COLUMN dpem.model_columns.imputed IS
'what stands for a number that is NULL, NaN or infinite, in rows that were fitted and in those that are predicted: about the mean of the others; NULL: nothing does';
COMMENT ON COLUMN dpem.model_columns.clamp_lower IS
'what lesser numbers are taken for, in rows that were fitted and in those that are predicted: how far the fit''s releases have seen the column; NULL: numbers are taken as they are';
COMMENT ON COLUMN dpem.model_columns.clamp_upper IS
'the same for greater numbers';
COMMENT ON COLUMN dpem.model_columns.scale IS
'coordinate that the model sees and its parameters are of: linear, log (ln x) or signed_log (sign(x) ln(1 + |x|)); dpem.to_scale and dpem.from_scale convert';

GRANT SELECT ON dpem.model_choices, dpem.datasets, dpem.columns, dpem.column_categories, dpem.budgets, dpem.budget_changes, dpem.ledger, dpem.calls, dpem.spending,
    dpem.restores, dpem.models, dpem.model_columns TO PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;

CREATE FUNCTION dp_sample_sql(model text)
RETURNS text LANGUAGE c VOLATILE PARALLEL RESTRICTED COST 1000 AS 'MODULE_PATHNAME', 'dp_sample_sql';
COMMENT ON FUNCTION dp_sample_sql(text) IS
'the query that draws 1000 rows from a model with dp_sample_rows, all its columns with the types of the source''s, or wider ones that hold whatever is drawn and that the caller may name: to be run as it is, or after CREATE TABLE ... AS; NULL for a model that does not exist or was not granted';
