-- The catalog.  Every table is written by the extension's C functions as the
-- extension's owner and read by others only through the views of 60_views.sql.
-- There are no foreign keys: a parallel restore loads tables in any order.

-- An operator that somebody left in the target schema and that fits better than
-- pg_catalog's would be taken into what follows: only pg_catalog's are looked at.
SET LOCAL search_path = pg_catalog, pg_temp;

-- Roles as the ledger and the models know them.  pg_dump writes a role that is
-- gone as a number, which after a restore could be another role's: so numbers
-- of our own stand in the tables, and only roles that exist are dumped here.
CREATE SEQUENCE dpem_internal.role_number_id_seq;
CREATE TABLE dpem_internal.role_number (
    id bigint PRIMARY KEY DEFAULT nextval('dpem_internal.role_number_id_seq'),
    role regrole NOT NULL UNIQUE
);
COMMENT ON TABLE dpem_internal.role_number IS 'internal: roles by numbers that survive a dump';

CREATE SEQUENCE dpem_internal.account_id_seq;
CREATE TABLE dpem_internal.account (
    id bigint PRIMARY KEY DEFAULT nextval('dpem_internal.account_id_seq'),
    opened_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE dpem_internal.account IS 'internal: one ledger; datasets that read the same tables share it';

CREATE TABLE dpem_internal.account_source (
    account bigint NOT NULL,
    relation regclass NOT NULL,
    relation_name text NOT NULL,
    PRIMARY KEY (account, relation_name, relation)
);
COMMENT ON TABLE dpem_internal.account_source IS 'internal: the tables whose rows a ledger speaks of';

-- What dropped datasets were charged under still binds their ledger.
CREATE TABLE dpem_internal.account_budget (
    account bigint NOT NULL,
    accountant text NOT NULL,
    epsilon float8 NOT NULL,
    delta float8 NOT NULL,
    keys_share float8 NOT NULL,
    PRIMARY KEY (account, accountant, epsilon, delta, keys_share)
);
COMMENT ON TABLE dpem_internal.account_budget IS 'internal: budgets of dropped datasets that the ledger has charges of, append-only';

CREATE SEQUENCE dpem_internal.dataset_id_seq;
CREATE TABLE dpem_internal.dataset (
    id bigint PRIMARY KEY DEFAULT nextval('dpem_internal.dataset_id_seq'),
    name text NOT NULL UNIQUE,
    account bigint NOT NULL,
    source regclass NOT NULL,
    source_name text NOT NULL,
    owner bigint NOT NULL,
    unit text,
    unit_path text CHECK (unit_path IS NULL OR unit IS NOT NULL),
    unit_relations regclass[] CHECK ((unit_relations IS NULL) = (unit_path IS NULL)),
    max_rows_per_unit int NOT NULL CHECK (max_rows_per_unit >= 1),
    adjacency text NOT NULL CHECK (adjacency IN ('replace_one', 'add_remove')),
    accountant text NOT NULL
        CHECK (accountant IN ('gdp', 'rdp', 'zcdp', 'ma', 'advanced', 'linear')),
    epsilon float8 NOT NULL CHECK (epsilon > 0 AND epsilon < 'Infinity'),
    delta float8 NOT NULL CHECK (delta > 0 AND delta < 1),
    registered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    keys_share float8 NOT NULL CHECK (keys_share >= 0 AND keys_share <= 0.5),
    former_names text[] NOT NULL DEFAULT '{}',
    minimum int NOT NULL DEFAULT 0 CHECK (minimum >= 0),
    counts_rows boolean NOT NULL DEFAULT false CHECK (NOT counts_rows OR unit IS NOT NULL AND max_rows_per_unit = 1),
    holdout_key bigint NOT NULL DEFAULT hashtextextended(gen_random_uuid()::text, 0)
);
COMMENT ON TABLE dpem_internal.dataset IS 'internal: registered private sources; read dpem.datasets. A dataset that is altered gets a row with another id';
COMMENT ON COLUMN dpem_internal.dataset.holdout_key IS 'secret that says which units fits with a holdout leave out';
COMMENT ON COLUMN dpem_internal.dataset.counts_rows IS 'inside dp_choose_max_rows only: its rows are units, with how many rows each has';
COMMENT ON COLUMN dpem_internal.dataset.former_names IS 'under which it has charges, too';

CREATE TABLE dpem_internal.dataset_column (
    dataset bigint NOT NULL,
    position int NOT NULL,
    column_name text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('number', 'array', 'label', 'text', 'key')),
    lower float8,
    upper float8,
    length int,
    categories text[],
    scale text NOT NULL DEFAULT 'linear' CHECK (scale IN ('linear', 'log', 'signed_log')),
    calendar text CHECK (calendar IN ('date', 'timestamp', 'timestamptz')),
    aggregate text CHECK (aggregate IS NULL OR kind = 'number'),
    detail regclass,
    detail_path text,
    detail_relations regclass[],
    detail_filter text,
    CHECK ((aggregate IS NULL) = (detail IS NULL) AND (aggregate IS NULL) = (detail_path IS NULL)
        AND (aggregate IS NULL) = (detail_relations IS NULL) AND (aggregate IS NOT NULL OR detail_filter IS NULL)),
    PRIMARY KEY (dataset, column_name),
    CHECK ((kind IN ('number', 'array')) = (lower IS NOT NULL AND upper IS NOT NULL AND lower < upper)),
    CHECK ((kind = 'array') = (length IS NOT NULL)),
    CHECK ((kind IN ('label', 'text')) = (categories IS NOT NULL)),
    CHECK (kind IN ('number', 'array') OR scale = 'linear'),
    CHECK (calendar IS NULL OR kind = 'number' AND scale = 'linear'),
    CHECK (lower > 0 OR scale <> 'log')
);
COMMENT ON TABLE dpem_internal.dataset_column IS 'internal: public domains of columns; read dpem.columns';
COMMENT ON COLUMN dpem_internal.dataset_column.calendar IS 'type of a number that counts days or seconds since 2000-01-01; NULL: a plain number';
COMMENT ON COLUMN dpem_internal.dataset_column.aggregate IS 'of a person''s rows of the table detail; NULL: a column of the source or of a table on the unit''s path';

CREATE TABLE dpem_internal.budget (
    dataset bigint NOT NULL,
    role regrole NOT NULL,
    epsilon float8 NOT NULL CHECK (epsilon > 0 AND epsilon < 'Infinity'),
    delta float8 NOT NULL CHECK (delta > 0 AND delta < 1),
    granted_by text NOT NULL,
    granted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires timestamptz,
    refresh interval CHECK (refresh >= '1 day'),
    refreshed_from timestamptz NOT NULL DEFAULT clock_timestamp(),
    reserved boolean NOT NULL DEFAULT false CHECK (NOT reserved OR refresh IS NULL OR expires IS NOT NULL),
    PRIMARY KEY (dataset, role)
);
COMMENT ON TABLE dpem_internal.budget IS 'internal: shares of a dataset''s budget; read dpem.budgets';
COMMENT ON COLUMN dpem_internal.budget.refreshed_from IS 'where periods of refresh are counted from';

-- periods are counted in UTC, as a session's time zone must not decide what is left
CREATE FUNCTION dpem_internal.period_start(since timestamptz, refresh interval) RETURNS timestamptz
    LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE WHEN refresh IS NULL OR refresh NOT BETWEEN '1 day' AND '100 years' OR NOT isfinite(since)
    -- as for shares: a month less 29 days is less than nothing in February, and a series of such steps never ends
    OR least(extract(year FROM refresh), extract(month FROM refresh), extract(day FROM refresh), extract(hour FROM refresh), extract(minute FROM refresh), extract(second FROM refresh)) < 0
    THEN '-infinity' ELSE coalesce((SELECT max(p.start) AT TIME ZONE 'UTC'
    FROM generate_series(since AT TIME ZONE 'UTC', clock_timestamp() AT TIME ZONE 'UTC', refresh) AS p(start)), '-infinity') END;
COMMENT ON FUNCTION dpem_internal.period_start(timestamptz, interval) IS
'internal: when the present period of a share began; -infinity for a share that is not renewed, or whose first period the clock says has not begun';

CREATE FUNCTION dpem_internal.periods_left(since timestamptz, refresh interval, expires timestamptz, present timestamptz) RETURNS int
    LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE WHEN expires <= clock_timestamp() THEN 0 WHEN refresh IS NULL THEN 1
    WHEN refresh NOT BETWEEN '1 day' AND '100 years' OR coalesce(nullif(present, '-infinity'), since) NOT BETWEEN '1900-01-01Z' AND '9999-01-01Z' THEN 0
    -- in the select list, where it stops with LIMIT
    ELSE (SELECT count(*)::int FROM (SELECT generate_series(coalesce(nullif(present, '-infinity'), since) AT TIME ZONE 'UTC',
        least(expires, '9999-01-01Z') AT TIME ZONE 'UTC', refresh) AS start LIMIT 10001) p WHERE p.start AT TIME ZONE 'UTC' < expires) END;
COMMENT ON FUNCTION dpem_internal.periods_left(timestamptz, interval, timestamptz, timestamptz) IS
'internal: in how many periods a share can still be spent, the present one, which dpem_internal.period_start says, included; all of them where none has begun';

CREATE SEQUENCE dpem_internal.budget_change_id_seq;
CREATE TABLE dpem_internal.budget_change (
    id bigint PRIMARY KEY DEFAULT nextval('dpem_internal.budget_change_id_seq'),
    account bigint NOT NULL,
    dataset text NOT NULL,
    role_name text,
    change text NOT NULL CHECK (change IN ('grant', 'revoke', 'drop', 'alter')),
    CHECK ((role_name IS NULL) = (change = 'alter')),
    epsilon float8 NOT NULL,
    delta float8 NOT NULL,
    expires timestamptz,
    refresh interval,
    changed_by text NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    reserved boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE dpem_internal.budget_change IS 'internal: who changed which share, append-only; read dpem.budget_changes';

-- One row per mechanism of a charge; a call's rows share the charge number.
-- mu2_units is squared Gaussian-DP mu in units of 2^-50 and rho_units is
-- zCDP's rho in the same units, both rounded up, so that totals are sums of
-- integers and never drift.  rdp_units, for the releases whose Renyi curve is
-- not rho times the order, has it in the same units, order by order.  failure is
-- the probability that a line's releases are not what they cost; these add up as
-- decimals.  part, in a call's first line, is what the call takes of the budget
-- of dpem_internal.dataset's row part_dataset, which never changes; for views.  reads is
-- the charge whose answer the role was given: such a row counts in the role's
-- share and in nothing else.
CREATE SEQUENCE dpem_internal.charge_id_seq;
CREATE TABLE dpem_internal.charge (
    charge bigint NOT NULL,
    line int NOT NULL,
    account bigint NOT NULL,
    dataset text NOT NULL,
    role bigint NOT NULL,
    role_name text NOT NULL,
    function text NOT NULL,
    statistic text NOT NULL,
    mechanism text NOT NULL,
    noise_multiplier float8 NOT NULL,
    releases int NOT NULL CHECK (releases >= 1),
    sampling text NOT NULL DEFAULT 'none' CHECK (sampling IN ('none', 'poisson')),
    sampling_rate float8 NOT NULL DEFAULT 1 CHECK (sampling_rate > 0 AND sampling_rate <= 1),
    adjacency text NOT NULL,
    unit text,
    rows_per_unit int NOT NULL,
    composition text NOT NULL,
    epsilon float8 NOT NULL,
    delta float8 NOT NULL,
    mu2_units bigint NOT NULL CHECK (mu2_units > 0),
    rho_units bigint NOT NULL CHECK (rho_units > 0),
    rdp_units bigint[],
    incarnation bigint NOT NULL,
    wal_position pg_lsn NOT NULL DEFAULT pg_current_wal_insert_lsn(),
    charged_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    failure float8 NOT NULL CHECK (failure >= 0 AND failure < 1),
    part float8,
    part_dataset bigint CHECK ((part_dataset IS NULL) = (part IS NULL)),
    reads bigint,
    PRIMARY KEY (charge, line)
);
CREATE INDEX charge_account_idx ON dpem_internal.charge (account, charge);
CREATE INDEX charge_role_idx ON dpem_internal.charge (account, role, charge);
CREATE INDEX charge_period_idx ON dpem_internal.charge (account, role, charged_at);
CREATE INDEX charge_spent_idx ON dpem_internal.charge (account, charge) WHERE reads IS NULL;
CREATE INDEX charge_reads_idx ON dpem_internal.charge (reads, role) WHERE reads IS NOT NULL;
CREATE INDEX charge_part_idx ON dpem_internal.charge (part_dataset) WHERE line = 1;
COMMENT ON TABLE dpem_internal.charge IS 'internal: the ledger, append-only; read dpem.ledger';

CREATE FUNCTION dpem_internal.charge_refuse_change() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$BEGIN
    RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = '42501',
        HINT = 'Charges are never changed or refunded.';
END$$;
REVOKE ALL ON FUNCTION dpem_internal.charge_refuse_change() FROM PUBLIC;
CREATE TRIGGER account_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dpem_internal.account
    FOR EACH STATEMENT EXECUTE FUNCTION dpem_internal.charge_refuse_change();
CREATE TRIGGER account_budget_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dpem_internal.account_budget
    FOR EACH STATEMENT EXECUTE FUNCTION dpem_internal.charge_refuse_change();
CREATE TRIGGER charge_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dpem_internal.charge
    FOR EACH STATEMENT EXECUTE FUNCTION dpem_internal.charge_refuse_change();
CREATE TRIGGER budget_change_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dpem_internal.budget_change
    FOR EACH STATEMENT EXECUTE FUNCTION dpem_internal.charge_refuse_change();
COMMENT ON FUNCTION dpem_internal.charge_refuse_change() IS 'internal: keeps the ledger append-only';

CREATE SEQUENCE dpem_internal.model_id_seq;
CREATE TABLE dpem_internal.model (
    id bigint PRIMARY KEY DEFAULT nextval('dpem_internal.model_id_seq'),
    name text NOT NULL UNIQUE,
    family text NOT NULL,
    dataset text NOT NULL,
    source regclass NOT NULL,
    maker bigint NOT NULL,
    charge bigint NOT NULL,
    k int NOT NULL,
    d int NOT NULL,
    covariance text,
    estimator text,
    mechanism text NOT NULL,
    composition text NOT NULL,
    precondition text,
    iterations int NOT NULL,
    epsilon float8 NOT NULL,
    delta float8 NOT NULL,
    columns text[] NOT NULL,
    lower float8[] NOT NULL,
    upper float8[] NOT NULL,
    column_of text[],
    category_of text[],
    by text,
    category text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    scale text[],
    holdout float8,
    part text,
    function text,
    arguments text CHECK ((function IS NULL) = (arguments IS NULL)),
    public_rows float8,
    version int NOT NULL DEFAULT 1 CHECK (version >= 1),
    imputed float8[],
    clamp_lower float8[],
    clamp_upper float8[],
    rows_counted float8,
    rows_noise float8,
    calendar text[]
);
COMMENT ON TABLE dpem_internal.model IS 'internal: released models; read dpem.models';
COMMENT ON COLUMN dpem_internal.model.arguments IS 'of the call of function that made it, but for dataset, epsilon, delta, model and replace: as dp_refresh_model repeats them';
COMMENT ON COLUMN dpem_internal.model.calendar IS 'one per coordinate: type of dates or times that it counts since 2000-01-01, NULL of a plain number; NULL: not known, of a model from a document that does not say';
COMMENT ON COLUMN dpem_internal.model.category IS 'of the rows of one category of the label "by" alone; NULL: of all rows';
COMMENT ON COLUMN dpem_internal.model.column_of IS 'the registered column of a coordinate that is one of several, of an array or a label; NULL: the coordinate is the column';
COMMENT ON COLUMN dpem_internal.model.category_of IS 'the category of column_of that a coordinate stands for; NULL for numbers';
COMMENT ON COLUMN dpem_internal.model.columns IS 'one name per coordinate, and in lower and upper its domain, in its own unit, when the model was made';
COMMENT ON COLUMN dpem_internal.model.imputed IS 'one per coordinate: what stands for an unknown number, in its own unit; NULL: nothing does';
COMMENT ON COLUMN dpem_internal.model.clamp_lower IS 'one per coordinate: what lesser numbers are taken for, in its own unit, and in clamp_upper greater ones; NULL: all numbers are taken as they are';
COMMENT ON COLUMN dpem_internal.model.version IS 'how many models have had the name, one in place of the other';
COMMENT ON COLUMN dpem_internal.model.scale IS 'one per coordinate; NULL: all are linear';
COMMENT ON COLUMN dpem_internal.model.holdout IS 'part of the units that was left out of its rows, or of which alone they are (part holdout); NULL: all units counted';

CREATE TABLE dpem_internal.model_grant (
    model bigint NOT NULL,
    role regrole NOT NULL,
    granted_by text NOT NULL,
    granted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (model, role)
);
COMMENT ON TABLE dpem_internal.model_grant IS 'internal: who may read a model besides its maker and the dataset''s owner; role 0 is everybody';

REVOKE ALL ON ALL TABLES IN SCHEMA dpem_internal FROM PUBLIC;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA dpem_internal FROM PUBLIC;

-- A role that is gone would be dumped as a number, and the number could be
-- another role's after a restore: such shares and grants stay behind.
DO $$
DECLARE
    relation text;
BEGIN
    FOREACH relation IN ARRAY ARRAY['role_number', 'budget', 'model_grant'] LOOP
        PERFORM pg_catalog.pg_extension_config_dump(('dpem_internal.' || relation)::pg_catalog.regclass,
            'WHERE role::pg_catalog.oid IN (SELECT oid FROM pg_catalog.pg_roles)'
            || CASE WHEN relation = 'model_grant' THEN ' OR role::pg_catalog.oid = 0' ELSE '' END);
    END LOOP;
    FOREACH relation IN ARRAY ARRAY['role_number_id_seq', 'account_id_seq', 'account', 'account_source',
            'account_budget', 'dataset_id_seq', 'dataset', 'dataset_column', 'budget_change_id_seq',
            'budget_change', 'charge_id_seq', 'charge', 'model_id_seq', 'model'] LOOP
        PERFORM pg_catalog.pg_extension_config_dump(('dpem_internal.' || relation)::pg_catalog.regclass, '');
    END LOOP;
END $$;
