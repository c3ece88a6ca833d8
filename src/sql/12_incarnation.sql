-- Which server a ledger is in.  A restored dump, a copied database, a promoted
-- standby and a base backup put back all hold an older ledger than the one that
-- was charged; each differs from where the ledger was last used in something here.

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

CREATE FUNCTION dpem_internal.incarnation_now(OUT system_identifier bigint, OUT timeline int,
    OUT database oid, OUT data_directory text, OUT wal_position pg_lsn)
RETURNS record LANGUAGE c VOLATILE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dpem_incarnation_now';
COMMENT ON FUNCTION dpem_internal.incarnation_now() IS
'internal: what tells this server, timeline, database and data directory from copies; NULLs in a standby';

-- One row when an account is opened and one for each acknowledged restore; the
-- latest is where the account may be charged.  written_by equals the row's own
-- xmin for as long as the row is the one that was written here: a row that came
-- with a dump has another.  Whatever rewrites rows of this table, an upgrade
-- script too, makes every ledger wait for its owner's word.
CREATE SEQUENCE dpem_internal.incarnation_id_seq;
CREATE TABLE dpem_internal.incarnation (
    id bigint PRIMARY KEY DEFAULT nextval('dpem_internal.incarnation_id_seq'),
    account bigint NOT NULL,
    dataset text NOT NULL,
    system_identifier bigint NOT NULL,
    timeline int NOT NULL,
    database oid NOT NULL,
    data_directory text NOT NULL,
    written_by xid8 NOT NULL,
    wal_position pg_lsn NOT NULL,
    charges bigint NOT NULL,
    acknowledged_by text,
    reason text,
    since timestamptz NOT NULL DEFAULT clock_timestamp(),
    CHECK ((acknowledged_by IS NULL) = (reason IS NULL))
);
CREATE INDEX incarnation_account_idx ON dpem_internal.incarnation (account, id);
COMMENT ON TABLE dpem_internal.incarnation IS
'internal: the servers that a ledger was in, append-only; read dpem.restores';
REVOKE ALL ON dpem_internal.incarnation, dpem_internal.incarnation_id_seq FROM PUBLIC;
CREATE TRIGGER incarnation_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON dpem_internal.incarnation
    FOR EACH STATEMENT EXECUTE FUNCTION dpem_internal.charge_refuse_change();
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.incarnation_id_seq', '');
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.incarnation', '');

-- internal: why an account may not be charged here, or NULL
CREATE VIEW dpem_internal.suspension AS
SELECT a.id AS account, CASE
    WHEN here.system_identifier IS NULL THEN NULL
    WHEN i.id IS NULL THEN 'an unknown server'
    WHEN i.system_identifier <> here.system_identifier THEN 'another server'
    WHEN i.database <> here.database THEN 'another database'
    WHEN i.written_by::xid <> i.row_written_by THEN 'a dump'
    WHEN i.timeline <> here.timeline THEN 'another timeline of this server'
    WHEN i.data_directory IS DISTINCT FROM here.data_directory THEN 'another copy of the data directory'
    WHEN greatest(i.wal_position, last.wal_position) > here.wal_position THEN 'a later state of this server'
    END AS comes_from
FROM dpem_internal.account a
    CROSS JOIN dpem_internal.incarnation_now() here
    LEFT JOIN LATERAL (SELECT l.*, l.xmin AS row_written_by FROM dpem_internal.incarnation l
        WHERE l.account = a.id ORDER BY l.id DESC LIMIT 1) i ON true
    -- a server's log only grows: its last charge stands last in it
    -- (asked for as dpem_internal.standing does)
    LEFT JOIN LATERAL (SELECT c.account, c.wal_position, c.incarnation FROM dpem_internal.charge c
        WHERE c.account <= a.id ORDER BY c.account DESC, c.charge DESC LIMIT 1) last ON last.account = a.id AND last.incarnation = i.id;
COMMENT ON VIEW dpem_internal.suspension IS
'internal: where the ledgers come from that may not be charged before dp_acknowledge_restore';
REVOKE ALL ON dpem_internal.suspension FROM PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;
