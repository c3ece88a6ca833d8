-- budgets: shares, caps, the six accountants, and totals that agree with the ledger
SET ROLE regress_owner;
CREATE TABLE patients AS SELECT i AS id, (i % 10)::float8 AS a FROM generate_series(1, 1000) AS i;
ANALYZE patients;
SELECT dp_register_dataset('patients', 'patients', 2, 1e-5);
SELECT dp_register_column('patients', 'a', 0, 10);

-- a role without a share: no fit, no balance, whoever it is
SET ROLE regress_analyst;
SELECT count(*) FROM dp_gmm_fit('patients', 1, 0.1);
\echo :LAST_ERROR_SQLSTATE
SELECT dp_budget_remaining('patients');
\echo :LAST_ERROR_SQLSTATE
SET ROLE regress_owner;
SELECT attempt($$SELECT dp_gmm_fit('patients', 1, 0.1)$$);
SELECT dp_grant_budget('regress_analyst', 'patients', 1.5, 1e-5), dp_grant_budget('regress_reader', 'patients', 1.5, 1e-5);
-- a member has the share of its group to look at, none to spend
SET ROLE regress_member;
SELECT attempt($$SELECT dp_gmm_fit('patients', 1, 0.1)$$);
SELECT attempt($$SELECT dp_budget_remaining('patients')$$);
SET ROLE regress_analyst;
SELECT attempt($$SELECT dp_budget_remaining('patients', 0)$$);
SELECT attempt($$SELECT dp_budget_remaining('patients', 1)$$);
SELECT attempt($$SELECT dp_budget_remaining('patients', 'NaN')$$);
SELECT attempt($$SELECT dp_budget_remaining('no_such')$$);
SELECT attempt($$SELECT dp_budget_remaining(NULL)$$);

-- the share is enforced, and a refusal costs nothing
SELECT near(dp_budget_remaining('patients'), 1.5) AS all_is_left,
       near(dp_budget_remaining('patients', 1e-6), dp_gdp_epsilon(dp_gdp_mu(1.5, 1e-5), 1e-6)) AS at_another_delta,
       bool_and(dp_budget_remaining('patients', d) > dp_budget_remaining('patients', d * 10)) AS more_delta_less_epsilon
  FROM unnest(ARRAY[1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-3, 1e-2]) AS d;
SELECT count(*) FROM dp_gmm_fit('patients', 1, 1.75, 1e-5);
\echo :LAST_ERROR_SQLSTATE
SELECT near(dp_budget_remaining('patients'), 1.5) AS all_is_left;
SELECT count(*) AS components FROM dp_gmm_fit('patients', 2, 1.25, 1e-5);
SELECT near(dp_budget_remaining('patients'), dp_gdp_epsilon(sqrt(dp_gdp_mu(1.5, 1e-5) ^ 2 - dp_gdp_mu(1.25, 1e-5) ^ 2), 1e-5), 1e-5) AS rest;
SELECT attempt($$SELECT dp_gmm_fit('patients', 1, 1.25, 1e-5)$$)
       LIKE 'DP001: the budget of the role allows no charge of epsilon 1.25 at delta 1e-05: epsilon % is left at that delta' AS refused;
-- all that is left can be spent, and then nothing more
SELECT count(*) AS components FROM dp_gmm_fit('patients', 1, dp_budget_remaining('patients') * (1 - 1e-6), 1e-5);
SELECT dp_budget_remaining('patients') < 0.02 AS nothing_is_left;
SELECT attempt($$SELECT dp_gmm_fit('patients', 1, 0.05, 1e-5)$$) LIKE 'DP001: the budget of the role %' AS refused;

-- the other role spent nothing, and yet the dataset's cap leaves it less than its share
SET ROLE regress_reader;
SELECT near(dp_budget_remaining('patients'), dp_gdp_epsilon(sqrt(dp_gdp_mu(2, 1e-5) ^ 2 - dp_gdp_mu(1.5, 1e-5) ^ 2), 1e-5), 1e-3) AS rest_of_the_dataset,
       dp_budget_remaining('patients') < 1.5 AS below_the_share;
SELECT attempt($$SELECT dp_gmm_fit('patients', 1, 1.4, 1e-5)$$)
       LIKE 'DP001: the budget of the dataset allows no charge of epsilon 1.4 at delta 1e-05: epsilon % is left at that delta' AS refused;
SELECT count(*) AS components FROM dp_gmm_fit('patients', 1, dp_budget_remaining('patients') * (1 - 1e-6), 1e-5);
SELECT dp_budget_remaining('patients') < 0.02 AS nothing_is_left;

-- what is spent is what the ledger says, by role and in all
SET ROLE regress_owner;
SELECT b.role, b.charges, near(b.spent_epsilon, dp_gdp_epsilon(sqrt(sum(l.mu_squared)), b.delta)) AS agrees,
       b.spent_epsilon <= b.epsilon AND b.epsilon - b.spent_epsilon < 1e-3 AS used_up,
       b.remaining_epsilon < 0.02 AS nothing_left
  FROM dpem.budgets AS b, dpem.ledger AS l
 WHERE b.dataset = 'patients' AND l.dataset = 'patients' AND (b.role IS NULL OR b.role = l.role)
 GROUP BY b.role, b.charges, b.spent_epsilon, b.epsilon, b.delta, b.remaining_epsilon ORDER BY b.role;

-- granting again sets a new size; what was spent stays spent
SELECT dp_grant_budget('regress_analyst', 'patients', 1, 1e-5);
SELECT near(spent_epsilon, 1.5, 1e-3) AS spent, remaining_epsilon FROM dpem.budgets WHERE dataset = 'patients' AND role = 'regress_analyst';
SET ROLE regress_analyst;
SELECT dp_budget_remaining('patients');
SET ROLE regress_owner;
SELECT dp_revoke_budget('regress_analyst', 'patients');
SET ROLE regress_analyst;
SELECT attempt($$SELECT dp_budget_remaining('patients')$$);
SELECT attempt($$SELECT dp_gmm_fit('patients', 1, 0.1)$$);
SET ROLE regress_owner;
SELECT dp_revoke_budget('regress_analyst', 'patients');
SELECT dp_grant_budget('regress_analyst', 'patients', 100, 1e-5);
SET ROLE regress_analyst;
SELECT attempt($$SELECT dp_gmm_fit('patients', 1, 0.1, 1e-5)$$) LIKE 'DP001: the budget of the dataset %' AS cap_holds;
RESET ROLE;

-- ten charges of a tenth of the budget's mu^2 fit, the eleventh does not
SET ROLE regress_owner;
CREATE TABLE tenths AS SELECT * FROM patients;
SELECT dp_register_dataset('tenths', 'tenths', 1, 1e-5), dp_register_column('tenths', 'a', 0, 10),
       dp_grant_budget('regress_analyst', 'tenths', 1, 1e-5);
SET ROLE regress_analyst;
SELECT dp_gdp_epsilon(dp_gdp_mu(1, 1e-5) / sqrt(10), 1e-5) AS tenth \gset
SELECT attempt(format($$SELECT dp_gmm_fit('tenths', 1, %s, 1e-5, iterations => 2)$$, :tenth)) = 'done' AS done, count(*)
  FROM generate_series(1, 10) GROUP BY 1;
SELECT attempt(format($$SELECT dp_gmm_fit('tenths', 1, %s, 1e-5, iterations => 2)$$, :tenth)) LIKE 'DP001: %' AS eleventh_refused;

-- every accountant: 0.2 and 0.3 of 0.6 at its own arithmetic, then one too large
SET ROLE regress_owner;
CREATE TABLE accountants (accountant text, composition text);
INSERT INTO accountants VALUES ('gdp', 'exact'), ('rdp', 'rdp'), ('zcdp', 'zcdp'), ('ma', 'ma'), ('advanced', 'advanced'),
    ('linear', 'linear'), ('advanced_often', NULL), ('linear_often', NULL);
GRANT SELECT ON accountants TO PUBLIC;
DO $$DECLARE a text; BEGIN
    FOR a IN SELECT accountant FROM accountants LOOP
        EXECUTE format('CREATE TABLE with_%s AS SELECT * FROM patients', a);
        PERFORM dp_register_dataset(a, ('with_' || a)::regclass, 0.6, 1e-4, accountant => split_part(a, '_', 1)),
                dp_register_column(a, 'a', 0, 10), dp_grant_budget('regress_analyst', a, 0.6, 1e-4);
    END LOOP;
END$$;
SET ROLE regress_analyst;
SELECT accountant, near(dp_budget_remaining(accountant), 0.6, 1e-6) AS all_left,
       attempt(format('SELECT dp_gmm_fit(%L, 1, 0.2, 1e-5, iterations => 4)', accountant)) AS first,
       attempt(format('SELECT dp_gmm_fit(%L, 1, 0.3, 1e-5, iterations => 4, composition => ''exact'')', accountant)) AS second,
       attempt(format('SELECT dp_gmm_fit(%L, 1, 0.6, 1e-4, iterations => 4)', accountant)) LIKE 'DP001: the budget of the dataset%' AS refused
  FROM accountants WHERE composition IS NOT NULL ORDER BY accountant;
-- the composition is the accountant's unless the caller names one; totals follow the accountant (rdp and ma read the rho of several at half of delta)
SELECT a.accountant, b.charges, compositions,
       near(b.spent_epsilon, CASE accountant
           WHEN 'gdp' THEN dp_gdp_epsilon(sqrt(mu2), b.delta)
           WHEN 'zcdp' THEN dp_zcdp_epsilon(rho, b.delta)
           WHEN 'rdp' THEN dp_zcdp_epsilon(rho, b.delta / 2, tight => true)
           WHEN 'ma' THEN (SELECT min((n + 1) * rho + ln(2 / b.delta) / n) FROM generate_series(1, 1000) AS n)
           ELSE 0.2 + 0.3 END) AS spent,
       near(dp_budget_remaining(accountant, 1e-5), CASE accountant
           WHEN 'gdp' THEN dp_gdp_epsilon(sqrt(dp_gdp_mu(0.6, 1e-4) ^ 2 - mu2), 1e-5)
           WHEN 'zcdp' THEN dp_zcdp_epsilon(dp_zcdp_rho(0.6, 1e-4) - rho, 1e-5)
           WHEN 'rdp' THEN dp_zcdp_epsilon(dp_zcdp_rho(0.6, 0.5e-4, tight => true) - rho, 1e-5, tight => true)
           WHEN 'ma' THEN (SELECT min((n + 1) * (0.5 / dp_gaussian_noise_multiplier(0.6, 0.5e-4, 1, 'ma') ^ 2 - rho) + ln(1e5) / n)
                             FROM generate_series(1, 10000) AS n)
           ELSE 0.6 - 0.5 END, 1e-6) AS remaining
  FROM accountants AS a JOIN dpem.budgets AS b ON b.dataset = a.accountant AND b.role = 'regress_analyst',
       LATERAL (SELECT sum(mu_squared) AS mu2, sum(rho) AS rho, array_agg(DISTINCT l.composition ORDER BY l.composition) AS compositions
                  FROM dpem.ledger AS l WHERE l.dataset = a.accountant) AS l
 WHERE a.composition IS NOT NULL ORDER BY a.accountant;

-- linear composition adds decimals: thirty times 0.02 are 0.6; advanced affords more than thirty
SELECT accountant, attempt(format('SELECT dp_gmm_fit(%L, 1, 0.02, 1e-7, iterations => 1, precondition => ''none'')', accountant)) AS outcome,
       count(*) FROM accountants, generate_series(1, 30) WHERE composition IS NULL GROUP BY 1, 2 ORDER BY 1;
SELECT charges, spent_epsilon, dp_budget_remaining(dataset, 1e-7) < 1e-9 AS nothing_left FROM dpem.budgets
 WHERE dataset = 'linear_often' AND role = 'regress_analyst';
-- where deltas add up, and advanced keeps half of them for its slack, the hint is about delta
SELECT count(*) FROM dp_gmm_fit('linear_often', 1, 0.001, 0.99e-4);
SELECT count(*) FROM dp_gmm_fit('advanced_often', 1, 0.001, 0.49e-4);
SELECT attempt($$SELECT dp_gmm_fit('linear_often', 1, 0.001, 1e-7)$$) LIKE 'DP001: the budget of the dataset %' AS refused;
SELECT attempt($$SELECT dp_gmm_fit('advanced_often', 1, 0.02, 1e-7, iterations => 1, precondition => 'none')$$) AS outcome,
       count(*) FROM generate_series(1, 10) GROUP BY 1;
SELECT charges, near(spent_epsilon, 40 * 0.02 ^ 2 / 2 + sqrt(2 * ln(1 / 5e-5) * 40 * 0.02 ^ 2)) AS spent
  FROM dpem.budgets WHERE dataset = 'advanced_often' AND role = 'regress_analyst';
-- what is left after them, e: (40 * 0.02^2 + e^2) / 2 + sqrt(2 ln(2 / delta) (40 * 0.02^2 + e^2)) = 0.6
SELECT near((0.016 + e ^ 2) / 2 + sqrt(2 * ln(1 / 5e-5) * (0.016 + e ^ 2)), 0.6, 1e-6) AS remaining
  FROM dp_budget_remaining('advanced_often', 1e-7) AS e;
SELECT attempt($$SELECT dp_gmm_fit('advanced_often', 1, 0.3, 1e-7)$$) LIKE 'DP001: the budget of the dataset %' AS refused;

-- a call has a least cost: refused by every function and plan alike, before anything is spent, with a hint that works
SET ROLE regress_owner;
CREATE TABLE least AS SELECT (i % 10)::float8 AS a, (i % 7)::float8 AS b, (i % 2)::text AS l, '{one,two}'::text[] AS words FROM generate_series(1, 200) AS i;
ANALYZE least;
SELECT dp_register_dataset('least', 'least', 10, 1e-4, keys_share => 0.1), dp_register_column('least', 'a', 0, 10), dp_register_column('least', 'b', 0, 10),
       dp_register_column('least', 'l', '{0,1}'), dp_register_text('least', 'words', '{one,two}'), dp_grant_budget('regress_analyst', 'least', 10, 1e-4);
SET ROLE regress_analyst;
SELECT charges() AS before \gset
SELECT message, count(*), array_agg(split_part(c, '(', 1) ORDER BY n) AS calls FROM (SELECT c, n, attempt('SELECT ' || c) AS message FROM unnest(ARRAY[
    $$dp_gmm_fit('least', 1, 0.0009, columns => '{a}')$$, $$dp_gmm_plan('least', 1, 0.0009, columns => '{a}')$$, $$dp_gmm_fit('least', 1, 0.0009, columns => '{a}', composition => 'rdp')$$,
    $$dp_kmeans_fit('least', 2, 0.0009)$$, $$dp_kmeans_plan('least', 2, 0.0009)$$, $$dp_fa_fit('least', 1, 0.0009)$$, $$dp_fa_plan('least', 1, 0.0009)$$,
    $$dp_pca_fit('least', 1, 0.0009)$$, $$dp_pca_plan('least', 1, 0.0009)$$, $$dp_logit_fit('least', 'l', 0.0009)$$, $$dp_logit_plan('least', 'l', 0.0009)$$,
    $$dp_lda_fit('least', 2, 0.0009)$$, $$dp_lda_plan('least', 2, 0.0009)$$, $$dp_sbn_fit('least', 1, 0.0009)$$, $$dp_sbn_plan('least', 1, 0.0009)$$,
    $$dp_count('least', 0.0009)$$, $$dp_count('least', 0.0009, by => 'l')$$, $$dp_sum('least', 'a', 0.0009)$$, $$dp_avg('least', 'a', 0.0009)$$, $$dp_statistic_plan('count', 'least', 0.0009)$$,
    $$dp_quantile('least', 'a', 0.5, 0.0009)$$, $$dp_quantile_plan('least', 'a', 0.5, 0.0009)$$]) WITH ORDINALITY AS v (c, n)) AS a GROUP BY message ORDER BY 1;
-- neither a small delta nor a wasteful composition makes a call cheaper
SELECT dp_count('least', 0.0009);
SELECT dp_count('least', 0.001, 1e-12);
SELECT attempt($$SELECT dp_count('least', 0.00228, 1e-12)$$), attempt($$SELECT dp_gmm_fit('least', 1, 0.001, columns => '{a}', iterations => 50, composition => 'linear')$$);
SELECT charges() - :before AS spent;
SELECT attempt($$SELECT dp_count('least', 0.001)$$), attempt($$SELECT dp_gmm_fit('least', 1, 0.001, columns => '{a}')$$), attempt($$SELECT dp_count('least', 0.001, mechanism => 'laplace')$$);
SELECT accountant, attempt(format('SELECT dp_count(%L, 0.0005, 1e-6)', accountant)) AS below FROM accountants WHERE composition IS NOT NULL ORDER BY 1;

-- rdp and ma: a single call has the whole of a budget; several, whose order may have been chosen by answers, have less together than the best order would say
SET ROLE regress_owner;
DO $$DECLARE a text; BEGIN
    FOREACH a IN ARRAY '{rdp,ma}'::text[] LOOP
        EXECUTE format('CREATE TABLE whole_%s AS SELECT * FROM patients', a);
        EXECUTE format('CREATE TABLE halves_%s AS SELECT * FROM patients', a);
        PERFORM dp_register_dataset(d || a, (d || a)::regclass, 1, 1e-5, accountant => a), dp_grant_budget('regress_analyst', d || a, 1, 1e-5) FROM unnest('{whole_,halves_}'::text[]) AS d;
    END LOOP;
END$$;
SET ROLE regress_analyst;
CREATE TEMP TABLE halves AS SELECT a, CASE a WHEN 'rdp' THEN dp_zcdp_epsilon(dp_zcdp_rho(1, 1e-5, tight => true) / 2, 1e-5, tight => true)
                                             ELSE (SELECT min((n + 1) * r + ln(1e5) / n) FROM generate_series(1, 1000) AS n, (SELECT 0.25 / dp_gaussian_noise_multiplier(1, 1e-5, 1, 'ma') ^ 2) AS m (r)) END AS half
                                      FROM unnest('{rdp,ma}'::text[]) AS a;
SELECT a, near(dp_budget_remaining('whole_' || a), 1, 1e-6) AS all_left, attempt(format('SELECT dp_count(%L, 1, 1e-5)', 'whole_' || a)) AS whole, dp_budget_remaining('whole_' || a) AS left,
       attempt(format('SELECT dp_count(%L, %s, 1e-5)', 'halves_' || a, half)) AS half, dp_budget_remaining('halves_' || a) < half * 0.99 AS "less than half left",
       attempt(format('SELECT dp_count(%L, %s, 1e-5)', 'halves_' || a, half)) LIKE 'DP001: %' AS "second refused",
       attempt(format('SELECT dp_count(%L, %s, 1e-5)', 'halves_' || a, dp_budget_remaining('halves_' || a) * 0.999999)) AS rest FROM halves ORDER BY a DESC;

-- nor is a call of next to no rows of a sample a way round it
SET ROLE regress_owner;
CREATE TABLE least_sampled AS TABLE least;
ANALYZE least_sampled;
SELECT dp_register_dataset('least_sampled', 'least_sampled', 1, 1e-5, accountant => 'rdp'), dp_register_column('least_sampled', 'a', 0, 10), dp_register_text('least_sampled', 'words', '{one,two}'),
       dp_grant_budget('regress_analyst', 'least_sampled', 1, 1e-5);
SET ROLE regress_analyst;
SELECT attempt(c) FROM unnest(ARRAY[$$SELECT dp_lda_fit('least_sampled', 1, 0.1, 1e-6, iterations => 1, sampling_rate => 1e-9, document_length => 1, clip_fraction => 1, estimator => 'truncation', tau0 => 0, kappa => 1, resample => false)$$,
    $$SELECT dp_gmm_plan('least_sampled', 1, 0.1, 1e-6, columns => '{a}', iterations => 1, sampling_rate => 1e-6, precondition => 'none')$$]) AS c;
SELECT near(dp_budget_remaining('least_sampled'), 1) AS nothing_is_spent;
RESET ROLE;

-- one number at one delta: a call without delta is at the share's, where dp_budget_remaining says what is left
SET client_min_messages = warning;
SET ROLE regress_owner;
CREATE TABLE whole AS SELECT i % 90 AS age, 'k' || i % 3 AS key FROM generate_series(1, 500) AS i;
SELECT count(dp_register_dataset('whole_' || a, 'whole', 2, 1e-4)), count(dp_register_column('whole_' || a, 'age', 0, 90)), count(dp_grant_budget('regress_analyst', 'whole_' || a, 1, 1e-5)) FROM unnest('{gdp}'::text[]) AS a;
CREATE TABLE whole_sums AS SELECT * FROM whole;
SELECT count(dp_register_dataset('whole_linear', 'whole_sums', 2, 1e-4, accountant => 'linear')), count(dp_register_column('whole_linear', 'age', 0, 90)), count(dp_grant_budget('regress_analyst', 'whole_linear', 1, 1e-5));
SET ROLE regress_analyst;
SELECT near(remaining_epsilon, 1, 1e-6) AS untouched, remaining_percent FROM dpem.budgets WHERE dataset = 'whole_gdp' AND role = 'regress_analyst';
SELECT near(dp_budget_remaining('whole_gdp'), 1, 1e-6) AS one_number;
SELECT count(*) AS half FROM dp_avg('whole_gdp', 'age', 0.5);
SELECT DISTINCT delta FROM dpem.ledger WHERE dataset = 'whole_gdp';
SELECT near(spent_percent + remaining_percent, 100) AS adds_up, near(spent_epsilon, 0.5, 1e-6) AS spent,
       near(dp_gdp_mu(spent_epsilon, delta) ^ 2 + dp_gdp_mu(remaining_epsilon, delta) ^ 2, dp_gdp_mu(epsilon, delta) ^ 2, 1e-5) AS squares_add_up,
       near(remaining_epsilon, dp_budget_remaining('whole_gdp'), 1e-6) AS one_number
  FROM dpem.budgets WHERE dataset = 'whole_gdp' AND role = 'regress_analyst';
-- what is said to be left can be spent at once, and then nothing is left
SELECT attempt(format('SELECT count(*) FROM dp_avg(%L, %L, %s)', 'whole_gdp', 'age', dp_budget_remaining('whole_gdp') * (1 - 1e-9)));
SELECT near(remaining_percent, 0, 1e-3) AS nothing_left FROM dpem.budgets WHERE dataset = 'whole_gdp' AND role = 'regress_analyst';
-- where deltas add up a call takes a part of the share's
SELECT count(*) FROM dp_avg('whole_linear', 'age', 0.5);
SELECT epsilon, near(delta, 1e-7, 1e-15) AS a_hundredth FROM dpem.ledger WHERE dataset = 'whole_linear';
SET ROLE regress_owner;
SELECT count(dp_drop_dataset(d)) FROM unnest('{whole_gdp,whole_linear}'::text[]) AS d;
RESET ROLE;
RESET client_min_messages;
