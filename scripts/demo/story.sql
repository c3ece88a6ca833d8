-- The whole story.  Variables: dataset, k, epsilon, total (4 epsilon), share (2 epsilon), some
-- (epsilon / 4), point (an array inside the columns' bounds),
-- register, expect and truth (files), has_truth.
\set QUIET on
\set ON_ERROR_STOP on
\pset footer off
\pset linestyle unicode
\set ECHO queries

\echo
\echo '== 1. The owner names a private table, its public bounds and its privacy budget'
\echo
\connect - hospital
\echo '[hospital]'
\o /dev/null
SELECT dp_register_dataset(:'dataset', :'dataset', epsilon => :total, delta => 1e-5);
\i :register
SELECT dp_grant_budget('analyst', :'dataset', :share, 1e-6);
\o

\echo
\echo '== 2. The analyst cannot read one row'
\echo
\connect - analyst
\echo '[analyst]'
\set ON_ERROR_STOP off
SELECT * FROM :"dataset" LIMIT 1;
\set want 42501
\i :expect

\echo
\echo '== 3. ... but has a budget, and so can fit a model'
\echo
SELECT dp_budget_remaining(:'dataset');
SELECT component, weight, mean
FROM dp_gmm_fit(:'dataset', :k, epsilon => :epsilon, model => 'groups');

\echo
\echo '== 4. The model is ordinary rows: reading them is free, for ever'
\echo
SELECT * FROM dpem.gmm_components WHERE model = 'groups';
SELECT * FROM dpem.gmm_means WHERE model = 'groups';
\if :has_truth
    \i :truth
\endif

\echo
\echo '== 5. So is whatever is computed from them'
\echo
SELECT dp_predict('groups', :'point') AS component, dp_posterior('groups', :'point') AS posterior;
SELECT synthetic_row FROM dp_sample('groups', 5) AS synthetic_row;

\echo
\echo '== 6. The owner shows the model to a dashboard'
\echo
\connect - dashboard
\echo '[dashboard]'
\set ON_ERROR_STOP off
SELECT dp_predict('groups', :'point');
\set want 42704
\i :expect
\connect - hospital
\echo '[hospital]'
\o /dev/null
SELECT dp_grant_model('groups', 'dashboard');
\o
\connect - dashboard
\echo '[dashboard]'
SELECT component, weight FROM dpem.gmm_components WHERE model = 'groups';

\echo
\echo '== 7. The budget is what it is: what would cross it is refused before it starts'
\echo
\connect - analyst
\echo '[analyst]'
SELECT dp_budget_remaining(:'dataset');
\set ON_ERROR_STOP off
SELECT * FROM dp_gmm_fit(:'dataset', :k, epsilon => :share, model => 'too_much');
\set want DP001
\i :expect

\echo
\echo '== 8. ROLLBACK takes the answer back, not the charge: the answer was seen'
\echo
BEGIN;
SELECT component, weight FROM dp_gmm_fit(:'dataset', :k, epsilon => :some, model => 'taken_back');
\set ECHO none
-- as it is, not as it is shown: the end of the transaction takes the setting back
SET LOCAL extra_float_digits = 1;
SELECT dp_budget_remaining(:'dataset') AS before \gset
\set ECHO queries
ROLLBACK;
SELECT dp_budget_remaining(:'dataset');
SELECT count(*) AS models_kept FROM dpem.models WHERE model = 'taken_back';
\set ECHO none
SELECT dp_budget_remaining(:'dataset') <= :before AS still_charged \gset
\if :still_charged
\else
    DO $$BEGIN RAISE EXCEPTION 'ROLLBACK gave budget back'; END$$;
\endif
\set ECHO queries

\echo
\echo '== 9. What the owner sees in the end'
\echo
\connect - hospital
\echo '[hospital]'
SELECT model, family, maker, components, dimensions, iterations, epsilon, delta, charge
FROM dpem.models;
SELECT * FROM dpem.budgets;
SELECT charge, role, statistic, mechanism, noise_multiplier, releases, epsilon, delta, mu_squared
FROM dpem.ledger;
