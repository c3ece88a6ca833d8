-- Fits under way.

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

-- internal: it shows each caller what is the caller's to see, and so may be called by all
CREATE FUNCTION dpem_internal.fits_under_way()
RETURNS TABLE (pid int, role oid, dataset text, function text, phase text, iteration int,
    iterations int, started_at timestamptz)
LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 5 AS 'MODULE_PATHNAME', 'dpem_fits_under_way';
COMMENT ON FUNCTION dpem_internal.fits_under_way() IS
'internal: fits under way in this database that the current role runs or that read a source it owns; read dpem.stat_progress';

CREATE VIEW dpem.stat_progress WITH (security_barrier) AS
SELECT f.pid, f.dataset, f.function, dpem_internal.role_name(f.role) AS role, f.phase, f.iteration, f.iterations, f.started_at,
    100 * (f.iteration - 1) / nullif(f.iterations, 0)::float8 AS percent
FROM dpem_internal.fits_under_way() f;
COMMENT ON VIEW dpem.stat_progress IS
'fits under way in this database, one row each, for the owner of the source and for the role that runs them: at most 64 are shown. Nothing in it comes from a row';
COMMENT ON COLUMN dpem.stat_progress.pid IS 'process of the session, as in pg_stat_activity; pg_cancel_backend(pid) stops the fit, and its charge stands';
COMMENT ON COLUMN dpem.stat_progress.phase IS 'charge, then what the pass under way is for';
COMMENT ON COLUMN dpem.stat_progress.iteration IS 'pass of the phase; NULL: the phase is not counted';
COMMENT ON COLUMN dpem.stat_progress.iterations IS 'passes that the plan has in all, besides phases that are not counted';
COMMENT ON COLUMN dpem.stat_progress.percent IS 'passes of the phase that are done, in per cent of those that the plan has; NULL: the phase is not counted. Passes take about equally long';
GRANT SELECT ON dpem.stat_progress TO PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;
