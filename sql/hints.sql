-- wrong calls as people make them: each error says what to do instead
\pset null -
SET ROLE regress_owner;
CREATE TABLE hinted AS SELECT 20 + i % 60 AS age, (ARRAY['yes', 'no'])[1 + i % 2] AS smokes, '2020-01-01'::date + i % 1000 AS since FROM generate_series(1, 3000) AS i;
ANALYZE hinted;
SELECT count(*) FROM (SELECT dp_register_dataset('hinted', 'hinted', 900, 1e-5), dp_register_column('hinted', 'age', 0, 120), dp_register_column('hinted', 'smokes', '{yes,no}'),
    dp_register_column('hinted', 'since', '2020-01-01'::date, '2023-01-01'::date), dp_grant_budget('regress_analyst', 'hinted', 900, 1e-5)) AS r;
RESET ROLE;
GRANT CREATE ON SCHEMA public TO regress_analyst;
SET ROLE regress_analyst;
SELECT count(*) FROM dp_gmm_fit('hinted', 1, 20, columns => '{age,since}', model => 'hinted numbers');
SELECT count(*) > 0 AS cells FROM dp_synth_fit('hinted', 20, model => 'hinted rows');
CREATE TABLE hinted_public AS SELECT age, smokes, since FROM dp_sample_rows('hinted rows', 500) AS t (age int, smokes text, since date);
CREATE TABLE hinted_few AS SELECT age, smokes AS "Since" FROM hinted_public;
CREATE TABLE hinted_types AS SELECT ARRAY[1] AS age, smokes, since FROM hinted_public;

CREATE FUNCTION pg_temp.told(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    hint text;
BEGIN
    EXECUTE 'SELECT count(*) FROM ' || statement;
    RETURN 'done';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    RETURN sqlstate || ': ' || sqlerrm || E'\n' || coalesce(hint, '');
END$$;
SELECT charges() AS before \gset

SELECT call, pg_temp.told(call) FROM (VALUES
    -- a filter that ends too early, or is empty
    ($$dp_count('hinted', 1, filter => 'age >')$$), ($$dp_count('hinted', 1, filter => 'age > 3 and ')$$), ($$dp_count('hinted', 1, filter => '(age > 3')$$), ($$dp_count('hinted', 1, filter => '')$$),
    ($$dp_tabulate('hinted rows', '{smokes}', filter => 'age >')$$),
    -- arrays
    ($$dp_gmm_fit('hinted', 1, 1, columns => '{}')$$), ($$dp_gmm_fit('hinted', 1, 1, columns => ARRAY['age', NULL])$$), ($$dp_gmm_fit('hinted', 1, 1, init_means => '{1,NULL}')$$), ($$dp_gmm_fit('hinted', 1, 1, init_means => '{1,NaN}')$$),
    ($$dp_gmm_fit('hinted', 1, 1, columns => '{age,age}')$$), ($$dp_gmm_fit('hinted', 1, 1, model => '')$$),
    -- columns in place of features, the label among the columns, a category in capitals
    ($$dp_linreg_fit('hinted', 'age', 1, features => '{smokes,since}')$$), ($$dp_linreg_fit('hinted', 'age', 1, features => 'Linear')$$), ($$dp_linreg_fit('hinted', 'age', 1, columns => '{age,since}')$$),
    ($$dp_logit_fit('hinted', 'smokes', 1, positive => 'Yes')$$),
    -- rows and points of models
    ($$dp_sample('hinted numbers', -1)$$), ($$dp_sample_rows('hinted rows', -1) AS t (age int)$$), ($$dp_predict('hinted numbers', 'nothing')$$), ($$dp_predict('hinted numbers', '[54,3]')$$), ($$dp_predict('hinted numbers', ' {54,3}')$$),
    ($$dp_predict('hinted numbers', '[0:1]={54,3}')$$),
    -- public rows
    ($$dp_importance('hinted rows', 'hinted_public')$$), ($$dp_importance('hinted rows', 'hinted_few')$$), ($$dp_importance('hinted rows', 'hinted_types')$$), ($$dp_importance('hinted numbers', 'hinted_public')$$)) AS v(call);
SELECT charges() - :before AS charges;

-- dates are read as the model has them
SELECT count(*) = 500 AND near(avg(weight), 1) AS weighed FROM dp_importance('hinted rows', 'hinted_public');
SELECT dp_drop_model('hinted rows'), dp_drop_model('hinted numbers');
DROP TABLE hinted_public, hinted_few, hinted_types;
RESET ROLE;
REVOKE CREATE ON SCHEMA public FROM regress_analyst;
SET ROLE regress_owner;
SELECT dp_drop_dataset('hinted');
DROP TABLE hinted;
RESET ROLE;
