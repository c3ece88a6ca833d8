-- The statement before must have failed with the SQLSTATE in :want.
\set got :SQLSTATE
\set ON_ERROR_STOP on
\set echo :ECHO
\set ECHO none
SELECT :'got' = :'want' AS as_expected \gset
\if :as_expected
    \echo (refused with SQLSTATE :want, as it should be)
\else
    \echo expected SQLSTATE :want but got :got
    DO $$BEGIN RAISE EXCEPTION 'the demo did not go as it should'; END$$;
\endif
\set ECHO :echo
