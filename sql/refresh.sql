-- dp_refresh_model: the fit once more, with its arguments, on the rows as they are now
\pset null -
SET ROLE regress_owner;
CREATE TABLE growing AS SELECT sin(i) * 2 AS x, cos(i) AS y, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END AS kind FROM generate_series(1, 2000) i;
ANALYZE growing;
SELECT dp_register_dataset('growing', 'growing', 1000, 1e-4), dp_register_column('growing', 'x', -2, 2), dp_register_column('growing', 'y', -1, 1),
    dp_register_column('growing', 'kind', ARRAY['a', 'b']), dp_grant_budget('regress_analyst', 'growing', 1000, 1e-4);
SET ROLE regress_analyst;
SELECT count(*) FROM dp_gmm_fit('growing', 2, 10, columns => '{y,x}', covariance => 'diagonal', iterations => 3, filter => 'kind = ''a''', model => 'refresh it''s');
SELECT count(*) FROM dp_linreg_fit('growing', 'x', 10, columns => '{y}', by => 'kind', model => 'refresh by');
SELECT count(*) FROM dp_kmeans_fit('growing', 2, 10, model => 'refresh means');
SELECT dp_grant_model('refresh it''s', 'regress_other'), dp_grant_model('refresh means', 'regress_other');
SELECT model, age < '1 hour' AS fresh, public_rows, rows_added FROM dpem.models WHERE dataset = 'growing' ORDER BY 1;
-- what was granted may be read, and not refreshed
SET ROLE regress_other;
SELECT attempt($$SELECT dp_refresh_model('refresh means')$$);
SELECT attempt($$SELECT dp_refresh_model('refresh nothing')$$);
SET ROLE regress_owner;
SELECT attempt($$SELECT dp_refresh_model('refresh means')$$);
INSERT INTO growing SELECT 2, 1, 'a' FROM generate_series(1, 1000);
ANALYZE growing;
SELECT dp_alter_dataset('growing', name => 'grown');
SET ROLE regress_analyst;
SELECT rows_added FROM dpem.models WHERE model = 'refresh means';
SELECT charges() AS charges, max(charge) AS charge FROM dpem.models WHERE dataset = 'grown' \gset
SELECT dp_refresh_model('refresh it''s'), dp_refresh_model('refresh by/a', epsilon => 20), dp_refresh_model('refresh means', warm => true);
SELECT charges() - :charges AS charges;
SELECT model, dataset, components, columns, covariance, CASE WHEN family = 'gmm' THEN iterations END AS iterations, epsilon, delta, by, key, public_rows, rows_added, charge > :charge AS refreshed
    FROM dpem.models WHERE dataset = 'grown' ORDER BY 1;
SELECT m.mean > 0 AS moved FROM (SELECT avg(center) AS mean FROM dpem.kmeans_centers WHERE model = 'refresh means' AND column_name = 'x') m;
-- a start from the released means, of a mixture and of what was started so before
SELECT dp_refresh_model('refresh it''s', warm => true), dp_refresh_model('refresh it''s', warm => true), dp_refresh_model('refresh means', epsilon => 5);
SELECT attempt(s) FROM (VALUES
    (1, $$SELECT dp_refresh_model(NULL)$$),
    (2, $$SELECT dp_refresh_model('refresh means', epsilon => 0)$$),
    (3, $$SELECT dp_refresh_model('refresh means', epsilon => 'Infinity')$$),
    (4, $$SELECT dp_refresh_model('refresh means', warm => NULL)$$),
    (5, $$SELECT dp_refresh_model('refresh means', epsilon => 5000)$$)) v(i, s) ORDER BY i;
SET ROLE regress_other;
SELECT count(*) AS granted FROM dpem.models WHERE model IN ('refresh it''s', 'refresh means');
RESET ROLE;
-- everybody may ask when a period began, of steps that no share has, too: some of these never come to an end
SET statement_timeout = '1min';
SELECT bool_and(dpem_internal.period_start('2024-01-31Z', refresh) = '-infinity') AS none FROM unnest('{1 month -29 days,1 year -364 days,-1 month 40 days,1 month -696:00,2 days -00:30,2 days -0.5 seconds,1 hour,101 years}'::interval[]) AS refresh;
SELECT dpem_internal.period_start(clock_timestamp() - interval '100 hours', '2 days') BETWEEN clock_timestamp() - interval '5 hours' AND clock_timestamp() - interval '3 hours' AS days;
RESET statement_timeout;

-- a model that came as a document has no fit to repeat, whatever the document says
SELECT dp_model_from_json(jsonb_set(dp_model_json('refresh means'), '{model}', dp_model_json('refresh means') -> 'model'
    || '{"function": "dp_count", "arguments": ") FROM pg_sleep(1000) --", "public_rows": 7}'), 'refresh evil') IS NOT NULL AS made;
SELECT attempt($$SELECT dp_refresh_model('refresh evil')$$), (SELECT public_rows FROM dpem.models WHERE model = 'refresh evil');
SELECT dp_model_from_json(dp_model_json('refresh means'), 'refresh document') IS NOT NULL AS made;
SELECT attempt($$SELECT dp_refresh_model('refresh document')$$);
SELECT dp_drop_model(model) FROM dpem.models WHERE model LIKE 'refresh%' ORDER BY model;
SET ROLE regress_owner;
SELECT dp_drop_dataset('grown');
DROP TABLE growing;
RESET ROLE;
