-- shares for people: per cent, calls like the last one, an end, renewal, and who changed what
SET ROLE regress_owner;
CREATE TABLE shared AS SELECT (i % 10)::float8 AS a FROM generate_series(1, 1000) AS i;
ANALYZE shared;
SELECT dp_gdp_epsilon(dp_gdp_mu(1, 1e-5) / sqrt(10), 1e-5) AS tenth \gset
SELECT dp_register_dataset('shared', 'shared', 2, 1e-5), dp_register_column('shared', 'a', 0, 10),
       dp_grant_budget('regress_analyst', 'shared', 1, 1e-5), dp_grant_budget('regress_reader', 'shared', 2, 1e-5);
SELECT role, spent_percent, more_like_last, expires, refresh, refreshed_at FROM dpem.budgets WHERE dataset = 'shared' ORDER BY role;

-- three tenths of a share: seven more, and a part of the whole that adds up with others' parts
SET ROLE regress_analyst;
SELECT attempt(format($$SELECT dp_gmm_fit('shared', 1, %s, 1e-5, iterations => 2)$$, :tenth)), count(*) FROM generate_series(1, 3) GROUP BY 1;
SELECT near(spent_percent, 30, 1e-4) AS percent, more_like_last FROM dpem.budgets WHERE dataset = 'shared';
SET ROLE regress_reader;
SELECT attempt(format($$SELECT dp_gmm_fit('shared', 1, %s, 1e-5, iterations => 2)$$, :tenth));
SET ROLE regress_owner;
SELECT dp_gdp_mu(2, 1e-5) ^ 2 / dp_gdp_mu(1, 1e-5) ^ 2 AS whole \gset
SELECT role, near(spent_percent, CASE role WHEN 'regress_analyst' THEN 30 WHEN 'regress_reader' THEN 10 / :whole ELSE 40 / :whole END, 1e-4) AS percent,
       more_like_last = CASE role WHEN 'regress_analyst' THEN 7 WHEN 'regress_reader' THEN trunc(10 * :whole - 4) ELSE trunc(10 * :whole - 4) END AS more
  FROM dpem.budgets WHERE dataset = 'shared' ORDER BY role;
SELECT role, function, day <= now() AND day > now() - interval '2 days' AS day, charges, near(spent_percent, charges * 10 / :whole, 1e-4) AS percent,
       near(spent_epsilon, dp_gdp_epsilon(dp_gdp_mu(:tenth, 1e-5) * sqrt(charges), 1e-5), 1e-6) AS epsilon
  FROM dpem.spending WHERE dataset = 'shared' ORDER BY role;
SET ROLE regress_analyst;
SELECT role, function, charges FROM dpem.spending WHERE dataset = 'shared';
SET ROLE regress_other;
SELECT count(*) FROM dpem.spending WHERE dataset = 'shared';
SELECT count(*) FROM dpem.budget_changes WHERE dataset = 'shared';

-- as many more as it says, under every accountant
SET ROLE regress_owner;
CREATE TABLE counted_by (accountant text);
INSERT INTO counted_by VALUES ('gdp'), ('rdp'), ('zcdp'), ('ma'), ('advanced'), ('linear');
GRANT SELECT ON counted_by TO PUBLIC;
DO $$DECLARE a text; BEGIN
    FOR a IN SELECT accountant FROM counted_by LOOP
        EXECUTE format('CREATE TABLE counted_%s AS SELECT * FROM shared', a);
        PERFORM dp_register_dataset('counted_' || a, ('counted_' || a)::regclass, 1, 1e-4, accountant => a),
                dp_register_column('counted_' || a, 'a', 0, 10), dp_grant_budget('regress_analyst', 'counted_' || a, 1, 1e-4);
    END LOOP;
END$$;
RESET ROLE;
CREATE FUNCTION fits_until_refused(dataset text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    fits int := 0;
BEGIN
    WHILE attempt(format('SELECT dp_gmm_fit(%L, 1, 0.3, 1e-5, iterations => 1, precondition => ''none'')', dataset)) = 'done' LOOP
        fits := fits + 1;
    END LOOP;
    RETURN fits;
END$$;
SET ROLE regress_analyst;
SELECT accountant, attempt(format('SELECT dp_gmm_fit(%L, 1, 0.3, 1e-5, iterations => 1, precondition => ''none'')', 'counted_' || accountant)) FROM counted_by ORDER BY 1;
SELECT accountant, more_like_last >= 2 AS some, more_like_last = fits_until_refused(dataset) AS as_many, round(100 / spent_percent) >= more_like_last + 1 AS percent
  FROM dpem.budgets AS b JOIN counted_by ON dataset = 'counted_' || accountant ORDER BY accountant;
SELECT accountant, spent_percent <= 100 AND spent_percent > 60 AS nearly_all, more_like_last = 0 AS none
  FROM dpem.budgets AS b JOIN counted_by ON dataset = 'counted_' || accountant ORDER BY accountant;

-- an end: refused before anything is charged
SET ROLE regress_owner;
SELECT attempt($$SELECT dp_grant_budget('regress_analyst', 'shared', 1, 1e-5, expires => '2001-01-01')$$) LIKE '22023: expires must be a time to come, not %' AS refused;
SELECT attempt($$SELECT dp_grant_budget('regress_analyst', 'shared', 1, 1e-5, expires => 'infinity')$$) LIKE '22023: expires must be a time to come, not %' AS refused;
SELECT attempt($$SELECT dp_grant_budget('regress_analyst', 'shared', 1, 1e-5, refresh => '1 hour')$$);
SELECT attempt($$SELECT dp_grant_budget('regress_analyst', 'shared', 1, 1e-5, refresh => '-1 month')$$);
SELECT attempt($$SELECT dp_grant_budget('regress_analyst', 'shared', 1, 1e-5, refresh => '1 millennium')$$);
SELECT dp_grant_budget('regress_analyst', 'shared', 1, 1e-5, expires => now() + interval '1 hour');
SET ROLE regress_analyst;
SELECT attempt(format($$SELECT dp_gmm_fit('shared', 1, %s, 1e-5, iterations => 2)$$, :tenth));
SELECT more_like_last FROM dpem.budgets WHERE dataset = 'shared';
RESET ROLE;
UPDATE dpem_internal.budget SET expires = now() - interval '1 second' WHERE expires IS NOT NULL;
SET ROLE regress_analyst;
SELECT charges() AS charges \gset
SELECT attempt(format($$SELECT dp_gmm_fit('shared', 1, %s, 1e-5, iterations => 2)$$, :tenth));
SELECT attempt($$SELECT dp_budget_remaining('shared')$$);
SELECT charges() - :charges AS charged, more_like_last, expires < now() AS expired FROM dpem.budgets WHERE dataset = 'shared';
SELECT bool_or(allowed) AS allowed FROM dp_gmm_plan('shared', 1, 0.1);
SET ROLE regress_owner;
SELECT bool_or(allowed) AS allowed FROM dp_gmm_plan('shared', 1, 0.1);

-- a renewed share: spent, renewed when the period is over, and never more than the dataset's budget
SELECT dp_grant_budget('regress_analyst', 'shared', 1, 1e-5, refresh => '10 days');
SET ROLE regress_analyst;
SELECT near(spent_percent, 40, 1e-4) AS it_begins_no_period, refresh FROM dpem.budgets WHERE dataset = 'shared';
RESET ROLE;
UPDATE dpem_internal.budget SET refreshed_from = clock_timestamp() - interval '480 hours' WHERE refresh IS NOT NULL;
SET ROLE regress_analyst;
SELECT near(spent_percent, 0, 1e-4) AS renewed, charges, refreshed_at <= now() AND refreshed_at > now() - interval '1 hour' AS just_now
  FROM dpem.budgets WHERE dataset = 'shared';
SELECT near(dp_budget_remaining('shared'), 1) AS all_of_it;
SELECT left(attempt(format($$SELECT dp_gmm_fit('shared', 1, %s, 1e-5, iterations => 2)$$, :tenth)), 5) AS outcome, count(*) FROM generate_series(1, 11) GROUP BY 1 ORDER BY count(*);
SET ROLE regress_owner;
SELECT dp_grant_budget('regress_analyst', 'shared', 1.5, 1e-5, refresh => '10 days');
SET ROLE regress_analyst;
SELECT near(spent_epsilon, 1, 1e-4) AS a_larger_share_is_no_new_period, charges FROM dpem.budgets WHERE dataset = 'shared';
RESET ROLE;
UPDATE dpem_internal.budget SET refreshed_from = clock_timestamp() WHERE refresh IS NOT NULL;
SET ROLE regress_analyst;
SELECT attempt(format($$SELECT dp_gmm_fit('shared', 1, %s, 1e-5, iterations => 2)$$, 1.5)) LIKE 'DP001: the budget of the dataset allows no charge of epsilon 1.5 %' AS refused;
SELECT near(dp_budget_remaining('shared'), dp_gdp_epsilon(sqrt(dp_gdp_mu(2, 1e-5) ^ 2 - 15 * dp_gdp_mu(:tenth, 1e-5) ^ 2), 1e-5), 1e-4) AS rest_of_the_dataset;

-- the trail, which nobody changes
SET ROLE regress_owner;
SELECT dp_revoke_budget('regress_reader', 'shared');
SELECT dp_drop_dataset('shared');
SELECT role, change, epsilon, expires IS NOT NULL AS ends, refresh, changed_by FROM dpem.budget_changes WHERE dataset = 'shared' ORDER BY changed_at;
SELECT count(*) AS spending_of_a_dropped_dataset FROM dpem.spending WHERE dataset = 'shared' AND spent_epsilon IS NULL;
RESET ROLE;
SELECT attempt('DELETE FROM dpem_internal.budget_change');
SELECT attempt('UPDATE dpem_internal.budget_change SET epsilon = 1');
SET ROLE regress_owner;
SET client_min_messages = warning;
SELECT dp_drop_dataset('counted_' || accountant) FROM counted_by;
RESET ROLE;
