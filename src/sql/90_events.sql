-- DROP EXTENSION says what it forgets, and drops a ledger only with CASCADE.
CREATE FUNCTION dpem_internal.warn_drop() RETURNS event_trigger
    LANGUAGE c AS 'MODULE_PATHNAME', 'dpem_warn_drop';
REVOKE ALL ON FUNCTION dpem_internal.warn_drop() FROM PUBLIC;
COMMENT ON FUNCTION dpem_internal.warn_drop() IS 'internal: warns of what DROP EXTENSION dpem forgets, and refuses without CASCADE where there are charges';
CREATE EVENT TRIGGER dpem_warn_drop ON ddl_command_start
    WHEN TAG IN ('DROP EXTENSION') EXECUTE FUNCTION dpem_internal.warn_drop();
COMMENT ON EVENT TRIGGER dpem_warn_drop IS 'warns of what DROP EXTENSION dpem forgets, and refuses without CASCADE where there are charges';

-- Drops of what datasets read, and of what roles own, say what stays.  A view or a table may go with anything that it depends on,
-- and is gone whatever session_replication_role is.
CREATE FUNCTION dpem_internal.tell_drop() RETURNS event_trigger
    LANGUAGE c AS 'MODULE_PATHNAME', 'dpem_tell_drop';
REVOKE ALL ON FUNCTION dpem_internal.tell_drop() FROM PUBLIC;
COMMENT ON FUNCTION dpem_internal.tell_drop() IS 'internal: says which datasets lose their source, which is no longer known by a number, and what stays of a role whose objects are dropped';
CREATE EVENT TRIGGER dpem_tell_drop ON sql_drop
    EXECUTE FUNCTION dpem_internal.tell_drop();
ALTER EVENT TRIGGER dpem_tell_drop ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER dpem_tell_drop IS 'says which datasets lose their source, whose number may be another table''s in a restored database';
CREATE EVENT TRIGGER dpem_tell_owned ON ddl_command_start
    WHEN TAG IN ('DROP OWNED') EXECUTE FUNCTION dpem_internal.tell_drop();
COMMENT ON EVENT TRIGGER dpem_tell_owned IS 'says what stays in dpem of a role whose objects are dropped';

DROP FUNCTION dpem_internal.complete_fit(text, text, int, text);
DROP FUNCTION dpem_internal.complete_choice(text, text);
DROP FUNCTION dpem_internal.complete_use(text);
