-- DROP EXTENSION says what it forgets, and drops a ledger only with CASCADE.
CREATE FUNCTION dpem.warn_drop() RETURNS event_trigger
    LANGUAGE c AS 'MODULE_PATHNAME', 'dpem_warn_drop';
REVOKE ALL ON FUNCTION dpem.warn_drop() FROM PUBLIC;
COMMENT ON FUNCTION dpem.warn_drop() IS 'internal: warns of what DROP EXTENSION dpem forgets, and refuses without CASCADE where there are charges';
CREATE EVENT TRIGGER dpem_warn_drop ON ddl_command_start
    WHEN TAG IN ('DROP EXTENSION') EXECUTE FUNCTION dpem.warn_drop();
COMMENT ON EVENT TRIGGER dpem_warn_drop IS 'warns of what DROP EXTENSION dpem forgets, and refuses without CASCADE where there are charges';

DROP FUNCTION dpem.complete_fit(text, text, int, text);
DROP FUNCTION dpem.complete_choice(text, text);
DROP FUNCTION dpem.complete_use(text);
