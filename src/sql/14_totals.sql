-- What a ledger comes to: one type, one sum of lines, and running totals that
-- a charge continues, so that no call reads all calls before it.

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

-- The terms of every accountant (src/core/accounting/budget_rule.h).  Units are
-- integers up to 2^61, which means "does not fit"; the others are decimals and
-- exact.  So sums do not depend on the order in which they are made.
CREATE TYPE dpem_internal.total AS (
    charges bigint,
    mu2_units bigint,
    rho_units bigint,
    plain_rho_units bigint,
    curve bigint[],
    epsilon numeric,
    delta numeric,
    epsilon2 numeric,
    failure numeric
);
COMMENT ON TYPE dpem_internal.total IS 'internal: what charges come to, in the terms of every accountant; curve NULL: no Renyi curve among them';

CREATE FUNCTION dpem_internal.sum_lines_add(internal, line int, mu2_units bigint, rho_units bigint, rdp_units bigint[],
    epsilon float8, delta float8, failure float8)
RETURNS internal LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_sum_lines_add';
COMMENT ON FUNCTION dpem_internal.sum_lines_add(internal, int, bigint, bigint, bigint[], float8, float8, float8) IS
'internal: the transition of dpem_internal.sum_lines';
CREATE FUNCTION dpem_internal.sum_lines_total(internal)
RETURNS dpem_internal.total LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_sum_lines_total';
COMMENT ON FUNCTION dpem_internal.sum_lines_total(internal) IS 'internal: the result of dpem_internal.sum_lines';
REVOKE ALL ON FUNCTION dpem_internal.sum_lines_add(internal, int, bigint, bigint, bigint[], float8, float8, float8) FROM PUBLIC;
REVOKE ALL ON FUNCTION dpem_internal.sum_lines_total(internal) FROM PUBLIC;
CREATE AGGREGATE dpem_internal.sum_lines(line int, mu2_units bigint, rho_units bigint, rdp_units bigint[],
    epsilon float8, delta float8, failure float8) (
    SFUNC = dpem_internal.sum_lines_add, STYPE = internal, SSPACE = 1500,
    FINALFUNC = dpem_internal.sum_lines_total, FINALFUNC_MODIFY = READ_ONLY, PARALLEL = SAFE);
COMMENT ON AGGREGATE dpem_internal.sum_lines(int, bigint, bigint, bigint[], float8, float8, float8) IS
'internal: what lines of the ledger come to; a call''s epsilon and delta count with its first line';

CREATE FUNCTION dpem_internal.add_totals(dpem_internal.total, dpem_internal.total)
RETURNS dpem_internal.total LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_add_totals';
COMMENT ON FUNCTION dpem_internal.add_totals(dpem_internal.total, dpem_internal.total) IS 'internal: the sum of two totals';

-- A series is one sum: of an account's charges but those for reading an answer again
-- (role 0), or of one role's, these included, since
-- some time.  A charge adds a row to each series that a budget is compared with
-- (src/ledger/standing.c), in its own transaction: the row before and its cost.
CREATE TABLE dpem_internal.running_total (
    account bigint NOT NULL,
    role bigint NOT NULL,
    since timestamptz NOT NULL,
    charge bigint NOT NULL,
    total dpem_internal.total NOT NULL,
    PRIMARY KEY (account, role, since, charge)
);
COMMENT ON TABLE dpem_internal.running_total IS
'internal: what an account''s charges, and those of each role since its period began, came to after each charge, append-only; checked by dp_check_ledger';
REVOKE ALL ON dpem_internal.running_total FROM PUBLIC;
CREATE TRIGGER running_total_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dpem_internal.running_total
    FOR EACH STATEMENT EXECUTE FUNCTION dpem_internal.charge_refuse_change();
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.running_total', '');

-- internal: every share, and (role_id 0) the whole budget of every dataset.  Of a role that was dropped nobody can
-- spend the share, and nothing is kept for it.
CREATE VIEW dpem_internal.shares AS
SELECT b.dataset, b.role, r.id AS role_id, b.epsilon, b.delta, b.expires, b.refresh,
    p.since, CASE WHEN b.reserved AND EXISTS (SELECT FROM pg_catalog.pg_roles o WHERE o.oid = b.role)
        THEN dpem_internal.periods_left(b.refreshed_from, b.refresh, b.expires, p.since) ELSE 0 END AS reserved_periods
FROM dpem_internal.budget b LEFT JOIN dpem_internal.role_number r ON r.role = b.role,
    -- once: the clock must not go on between what was spent of a period and how many there are
    LATERAL (SELECT dpem_internal.period_start(b.refreshed_from, b.refresh) AS since OFFSET 0) p
UNION ALL
SELECT d.id, NULL, 0, d.epsilon, d.delta, NULL, NULL, '-infinity', 0 FROM dpem_internal.dataset d;
COMMENT ON VIEW dpem_internal.shares IS 'internal: budgets of roles and of datasets';
REVOKE ALL ON dpem_internal.shares FROM PUBLIC;

-- internal: what was spent of each share in its present period, and of each
-- dataset.  What refuses a charge, a plan and what the views show read this and
-- nothing else.
--
-- last_charge is the last one in the ledger, of the account or of the role.
-- Where a series has a row for it, that is the total; else (a period that has
-- just begun, a share of another term, a ledger without totals) the lines are
-- added up, which of an account with at most one charge are that charge's: the planner
-- would read the whole ledger for them.  agrees is false where a series has totals beyond the ledger's last
-- charge, or the last of them is not that of the charge before and what this
-- one cost, or, without one before, the sum of the lines (docs/proofs.md,
-- "Running totals").  OFFSET 0: nothing is computed twice.
--
-- A last charge is asked for as the last entry of an index up to an account (and role), and then whether it is of
-- them: for max() the planner may walk the primary key, which takes the whole ledger where there is no charge.
--
-- Adding up is rare, but the planner counts it for every share, and above jit_above_cost PostgreSQL compiles the query,
-- which takes a hundred times as long as the query itself.  Of a range whose ends it does not know (account, charge)
-- the planner expects few rows, however long the ledger is.
CREATE VIEW dpem_internal.standing AS
SELECT s.dataset, s.role, s.role_id, s.epsilon, s.delta, s.expires, s.refresh, s.since,
    d.account, d.accountant, d.keys_share, l.last_charge, coalesce(r.total, a.total) AS total,
    coalesce(r.last_total <= l.last_charge, r.last_total IS NULL)
        AND (r.total IS NULL OR r.total = coalesce(dpem_internal.add_totals(r.total_before, a.cost), a.total)) AS agrees,
    s.reserved_periods
FROM dpem_internal.shares s JOIN dpem_internal.dataset d ON d.id = s.dataset, LATERAL (
    SELECT CASE WHEN s.role_id = 0 THEN (SELECT x.charge FROM (SELECT c.account, c.charge FROM dpem_internal.charge c
            WHERE c.account <= d.account AND c.reads IS NULL ORDER BY c.account DESC, c.charge DESC LIMIT 1) x
            WHERE x.account = d.account)
        ELSE (SELECT x.charge FROM (SELECT c.account, c.role, c.charge FROM dpem_internal.charge c
            WHERE (c.account, c.role) <= (d.account, s.role_id) ORDER BY c.account DESC, c.role DESC, c.charge DESC LIMIT 1) x
            WHERE x.account = d.account AND x.role = s.role_id) END AS last_charge
    OFFSET 0) l, LATERAL (
    SELECT CASE WHEN s.role_id = 0 THEN (SELECT x.charge FROM (SELECT c.account, c.charge FROM dpem_internal.charge c
            WHERE (c.account, c.charge) < (d.account, l.last_charge) AND c.reads IS NULL
            ORDER BY c.account DESC, c.charge DESC LIMIT 1) x WHERE x.account = d.account)
        ELSE (SELECT x.charge FROM (SELECT c.account, c.role, c.charge FROM dpem_internal.charge c
            WHERE (c.account, c.role, c.charge) < (d.account, s.role_id, l.last_charge)
            ORDER BY c.account DESC, c.role DESC, c.charge DESC LIMIT 1) x
            WHERE x.account = d.account AND x.role = s.role_id) END AS charge_before
    OFFSET 0) b, LATERAL (
    SELECT (SELECT max(t.charge) FROM dpem_internal.running_total t
            WHERE t.account = d.account AND t.role = s.role_id AND t.since = s.since) AS last_total,
        (SELECT t.total FROM dpem_internal.running_total t
            WHERE t.account = d.account AND t.role = s.role_id AND t.since = s.since AND t.charge = l.last_charge) AS total,
        (SELECT t.total FROM dpem_internal.running_total t
            WHERE t.account = d.account AND t.role = s.role_id AND t.since = s.since AND t.charge = b.charge_before) AS total_before
    OFFSET 0) r, LATERAL (
    SELECT (SELECT dpem_internal.sum_lines(c.line, c.mu2_units, c.rho_units, c.rdp_units, c.epsilon, c.delta, c.failure)
            FROM dpem_internal.charge c WHERE c.charge = l.last_charge) AS cost,
        CASE WHEN r.total IS NULL OR r.total_before IS NULL THEN CASE WHEN s.role_id = 0 AND b.charge_before IS NULL
            THEN (SELECT dpem_internal.sum_lines(c.line, c.mu2_units, c.rho_units, c.rdp_units, c.epsilon, c.delta, c.failure)
                FROM dpem_internal.charge c WHERE c.charge = l.last_charge) WHEN s.role_id = 0
            THEN (SELECT dpem_internal.sum_lines(c.line, c.mu2_units, c.rho_units, c.rdp_units, c.epsilon, c.delta, c.failure)
                FROM dpem_internal.charge c WHERE c.account BETWEEN d.account AND d.account AND c.charge BETWEEN 0 AND l.last_charge AND c.reads IS NULL)
            ELSE (SELECT dpem_internal.sum_lines(c.line, c.mu2_units, c.rho_units, c.rdp_units, c.epsilon, c.delta, c.failure)
                FROM dpem_internal.charge c WHERE c.account BETWEEN d.account AND d.account AND c.charge BETWEEN 0 AND l.last_charge
                    AND c.role = s.role_id AND c.charged_at >= s.since) END END AS total
    OFFSET 0) a;
COMMENT ON VIEW dpem_internal.standing IS 'internal: budgets, what was spent of them, and whether totals and ledger agree';
REVOKE ALL ON dpem_internal.standing FROM PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;
