-- shares that are reserved: what they may still cost is kept of the dataset's budget
\pset null -
CREATE FUNCTION reserved_left(d text) RETURNS text LANGUAGE sql SECURITY DEFINER
AS $$SELECT string_agg(format('%s: %s periods, %s %% kept, %s %% left', coalesce(role, 'all'), reserved_periods, round(reserved_percent::numeric, 2), round(remaining_percent::numeric, 2)), '; ' ORDER BY role)
    FROM dpem.budgets WHERE dataset = d$$;
-- the clock stands so many days after the reserved share was granted, in periods that begin now
CREATE PROCEDURE clock(days int) LANGUAGE sql
AS $$UPDATE dpem_internal.budget SET refreshed_from = clock_timestamp() - days * interval '24 hours', expires = clock_timestamp() + (100 - days) * interval '24 hours'
    WHERE role = 'regress_analyst'::regrole AND reserved$$;
SET ROLE regress_owner;
CREATE TABLE kept_rows AS SELECT i % 100 AS x FROM generate_series(1, 5000) i;
CREATE TABLE kept_gdp AS TABLE kept_rows;
CREATE TABLE kept_gone AS TABLE kept_rows;
SELECT dp_register_dataset('reserve', 'kept_rows', 10, 1e-4, accountant => 'linear'), dp_register_column('reserve', 'x', 0, 100);
SELECT dp_grant_budget('regress_other', 'reserve', 10, 1e-5);
-- four periods of epsilon 2: 2 is left for others
SELECT dp_grant_budget('regress_analyst', 'reserve', 2, 1e-5, expires => clock_timestamp() + '100 days', refresh => '30 days', reserved => true);
SELECT reserved_left('reserve');
SELECT change, role, refresh, reserved FROM dpem.budget_changes WHERE dataset = 'reserve' ORDER BY changed_at;
SET ROLE regress_other;
SELECT round(dp_budget_remaining('reserve')::numeric, 9) AS remaining;
SELECT allowed FROM dp_statistic_plan('count', 'reserve', 2.01, 1e-7) LIMIT 1;
SELECT allowed FROM dp_statistic_plan('count', 'reserve', 2, 1e-7) LIMIT 1;
SELECT attempt($$SELECT * FROM dp_count('reserve', 2.01, 1e-7)$$);
SELECT count(*) FROM dp_count('reserve', 2, 1e-7);
SELECT attempt($$SELECT * FROM dp_count('reserve', 0.5, 1e-7)$$);
SELECT round(dp_budget_remaining('reserve')::numeric, 9) AS remaining;
-- who has it can spend it, in parts, and no more than it in a period
SET ROLE regress_analyst;
SELECT round(dp_budget_remaining('reserve')::numeric, 9) AS remaining;
SELECT count(*) FROM dp_avg('reserve', 'x', 1.5, 1e-7);
SELECT attempt($$SELECT * FROM dp_count('reserve', 0.6, 1e-7)$$);
SELECT count(*) FROM dp_count('reserve', 0.5, 1e-7);
SELECT reserved_left('reserve');
-- a period later the next part is free, and as much is kept for the others as before; what was not spent is anybody's
RESET ROLE;
CALL clock(30);
SET ROLE regress_other;
SELECT attempt($$SELECT * FROM dp_count('reserve', 0.5, 1e-7)$$);
SET ROLE regress_analyst;
SELECT round(dp_budget_remaining('reserve')::numeric, 9) AS remaining, reserved_left('reserve');
RESET ROLE;
CALL clock(60);
SELECT reserved_left('reserve');
SET ROLE regress_other;
SELECT round(dp_budget_remaining('reserve')::numeric, 9) AS unspent;
SELECT count(*) FROM dp_count('reserve', 2, 1e-7);
SELECT attempt($$SELECT * FROM dp_count('reserve', 0.5, 1e-7)$$);
-- a clock that was set back by a period, or before the first one, frees nothing: later charges count, too
SET ROLE regress_analyst;
SELECT count(*) FROM dp_count('reserve', 1.5, 1e-7);
RESET ROLE;
CREATE TEMP TABLE as_it_was AS SELECT refreshed_from, expires FROM dpem_internal.budget WHERE role = 'regress_analyst'::regrole AND reserved;
UPDATE dpem_internal.budget SET refreshed_from = refreshed_from + interval '1416 hours', expires = expires + interval '1416 hours' WHERE role = 'regress_analyst'::regrole AND reserved;
SELECT reserved_left('reserve');
SET ROLE regress_analyst;
SELECT attempt($$SELECT * FROM dp_count('reserve', 0.6, 1e-7)$$);
RESET ROLE;
UPDATE dpem_internal.budget SET refreshed_from = refreshed_from + interval '1416 hours', expires = expires + interval '1416 hours' WHERE role = 'regress_analyst'::regrole AND reserved;
SELECT reserved_left('reserve');
SET ROLE regress_analyst;
SELECT attempt($$SELECT * FROM dp_count('reserve', 0.6, 1e-7)$$);
RESET ROLE;
-- it is right again
UPDATE dpem_internal.budget b SET refreshed_from = a.refreshed_from, expires = a.expires FROM as_it_was a WHERE b.role = 'regress_analyst'::regrole AND b.reserved;
SET ROLE regress_analyst;
SELECT attempt($$SELECT * FROM dp_count('reserve', 0.6, 1e-7)$$);
SELECT count(*) FROM dp_count('reserve', 0.5, 1e-7);
-- when it has expired nothing is kept
RESET ROLE;
UPDATE dpem_internal.budget SET expires = clock_timestamp() WHERE role = 'regress_analyst'::regrole AND reserved;
SET ROLE regress_owner;
SELECT reserved_left('reserve');
SELECT charges, agrees FROM dp_check_ledger('reserve');

-- another dataset of the ledger, with a larger budget, cannot spend it either
SELECT dp_register_dataset('reserve also', 'kept_rows', 20, 1e-4, accountant => 'linear'), dp_register_column('reserve also', 'x', 0, 100);
SELECT dp_grant_budget('regress_other', 'reserve also', 20, 1e-5);
SELECT dp_grant_budget('regress_analyst', 'reserve', 5.5, 1e-5, expires => clock_timestamp() + '1 day', reserved => true);
SELECT attempt($$SELECT dp_grant_budget('regress_analyst', 'reserve', 9, 1e-5, reserved => true)$$);
SELECT attempt($$SELECT dp_alter_dataset('reserve', epsilon => 9)$$);
SET ROLE regress_other;
SELECT round(dp_budget_remaining('reserve also')::numeric, 9) AS remaining;
SELECT attempt($$SELECT * FROM dp_count('reserve also', 3, 1e-7)$$);
SET ROLE regress_owner;
SELECT dp_revoke_budget('regress_analyst', 'reserve');
SET ROLE regress_other;
SELECT count(*) FROM dp_count('reserve also', 3, 1e-7);

-- of a role that was dropped nobody can spend the share: it is for the others
SET ROLE regress_owner;
SELECT dp_register_dataset('reserve gone', 'kept_gone', 10, 1e-4, accountant => 'linear'), dp_grant_budget('regress_other', 'reserve gone', 10, 1e-5);
RESET ROLE;
CREATE ROLE regress_kept_gone;
SET ROLE regress_owner;
SELECT dp_grant_budget('regress_kept_gone', 'reserve gone', 6, 1e-5, reserved => true);
SELECT sum(round(reserved_percent::numeric)) FILTER (WHERE role IS NULL) AS kept FROM dpem.budgets WHERE dataset = 'reserve gone';
SET ROLE regress_other;
SELECT attempt($$SELECT * FROM dp_count('reserve gone', 5, 1e-7)$$);
RESET ROLE;
DROP ROLE regress_kept_gone;
SET ROLE regress_owner;
SELECT sum(round(reserved_percent::numeric)) FILTER (WHERE role IS NULL) AS kept, sum(reserved_periods) AS periods, bool_or(role ~ '^[0-9]+$') AS a_number FROM dpem.budgets WHERE dataset = 'reserve gone';
SET ROLE regress_other;
SELECT count(*) FROM dp_count('reserve gone', 5, 1e-7);
SET ROLE regress_owner;
SELECT dp_drop_dataset('reserve gone');
DROP TABLE kept_gone;

-- what cannot be kept
SET ROLE regress_owner;
SELECT attempt(s) FROM (VALUES
    (1, $$SELECT dp_grant_budget('regress_other', 'reserve', 1, 1e-5, refresh => '1 month', reserved => true)$$),
    (2, $$SELECT dp_grant_budget('regress_other', 'reserve', 1, 1e-5, refresh => '1 day', expires => clock_timestamp() + '30 years', reserved => true)$$),
    (3, $$SELECT dp_grant_budget('regress_other', 'reserve', 1, 1e-5, reserved => NULL)$$),
    (5, $$SELECT dp_grant_budget('regress_other', 'reserve', 1, 1e-5, refresh => '1 month -29 days')$$),
    (4, $$SELECT dp_grant_budget('regress_other', 'reserve', 1, 1e-5, refresh => '10 days', expires => clock_timestamp() + '1 year', reserved => true)$$)) v(i, s) ORDER BY i;
SELECT dp_drop_dataset('reserve'), dp_drop_dataset('reserve also');
CREATE TABLE kept_rdp AS TABLE kept_rows;
SELECT dp_register_dataset('reserve rdp', 'kept_rdp', 10, 1e-4, accountant => 'rdp');
SELECT attempt($$SELECT dp_grant_budget('regress_other', 'reserve rdp', 1, 1e-5, reserved => true)$$);
SELECT dp_drop_dataset('reserve rdp');
DROP TABLE kept_rdp;

-- a model that is fitted again in every period, whatever others ask for in between
SELECT dp_register_dataset('reserve gdp', 'kept_gdp', 4, 1e-5), dp_register_column('reserve gdp', 'x', 0, 100), dp_grant_budget('regress_other', 'reserve gdp', 4, 1e-5);
SELECT dp_grant_budget('regress_analyst', 'reserve gdp', 1, 1e-6, expires => clock_timestamp() + '100 days', refresh => '30 days', reserved => true);
SELECT reserved_periods, reserved_percent > 20 AND reserved_percent < 60 AS part FROM dpem.budgets WHERE dataset = 'reserve gdp' AND role = 'regress_analyst';
SET ROLE regress_analyst;
SELECT count(*) FROM dp_kmeans_fit('reserve gdp', 2, epsilon => 1, model => 'reserve model');
RESET ROLE;
DO $$
DECLARE
    left_over float8;
BEGIN
    FOR period IN 1 .. 3 LOOP
        -- others take all that they can, in calls of any size
        SET ROLE regress_other;
        FOR i IN 1 .. 12 LOOP
            left_over := dp_budget_remaining('reserve gdp', 1e-6);
            EXIT WHEN left_over < 0.01;
            PERFORM dp_count('reserve gdp', left_over * (0.3 + 0.1 * (i % 7)), 1e-6);
        END LOOP;
        RESET ROLE;
        CALL clock(30 * period);
        COMMIT;
        SET ROLE regress_analyst;
        PERFORM dp_refresh_model('reserve model');
    END LOOP;
END$$;
SET ROLE regress_analyst;
SELECT version FROM dpem.models WHERE model = 'reserve model';
SELECT left(attempt($$SELECT dp_refresh_model('reserve model')$$), 5) AS refused;
RESET ROLE;
SELECT spent_percent <= 100 AS within, reserved_periods, agrees FROM dpem.budgets WHERE dataset = 'reserve gdp' AND role IS NULL;
SET ROLE regress_owner;
SELECT dp_drop_model('reserve model'), dp_drop_dataset('reserve gdp');
DROP TABLE kept_rows, kept_gdp;
RESET ROLE;
DROP FUNCTION reserved_left(text);
DROP PROCEDURE clock(int);
DROP TABLE as_it_was;
