-- Plans of fits, and using models, for roles that may read them; fits are the families'.

-- What every dp_*_plan returns.
-- what people ask for first, then what accountants do
CREATE TYPE dpem.fit_plan AS (statistic text, noise_stddev float8, column_noise_stddev float8[], releases int,
    required_columns text[], allowed boolean, remaining_epsilon float8, line int, mechanism text, sensitivity float8,
    noise_multiplier float8, mu_squared float8, epsilon_exact float8, epsilon_rdp float8, epsilon_zcdp float8,
    epsilon_ma float8, epsilon_advanced float8, epsilon_linear float8, cdp_mean float8, cdp_tau float8);
COMMENT ON TYPE dpem.fit_plan IS
'a row of what dp_..._plan returns: a statistic that a fit would release, and in the last row the whole fit';

-- What a number that a model predicts may be, as models from elsewhere have it too.
CREATE FUNCTION dpem_internal.is_domain(scale text, lower float8, upper float8) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$SELECT coalesce(scale IN ('linear', 'log', 'signed_log') AND lower < upper AND lower > '-Infinity' AND upper < 'Infinity'
    AND (scale <> 'log' OR lower > 0), false)$$;
REVOKE ALL ON FUNCTION dpem_internal.is_domain(text, float8, float8) FROM PUBLIC;
COMMENT ON FUNCTION dpem_internal.is_domain(text, float8, float8) IS 'internal: whether these are a scale and bounds of a registered number';

-- What all fits have in common is said here once: an epsilon that is left out is asked for by dpem itself, and arguments
-- of fit_arguments.c follow a family's own.  And a fit's plan, which takes the same arguments: dp_X_plan, made of dp_X_fit.
-- Dropped at the end of this script.
CREATE FUNCTION dpem_internal.complete_fit(family text, fit_comment text, rows int, about text DEFAULT
    ' and cost under every composition, a row per statistic and one in all') RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $make$
DECLARE
    fit oid := (SELECT p.oid FROM pg_catalog.pg_proc p WHERE p.pronamespace = '@extschema@'::pg_catalog.regnamespace
                AND p.proname = pg_catalog.format('dp_%s_fit', family)
                -- not one that somebody left in the schema
                AND p.prolang = (SELECT l.oid FROM pg_catalog.pg_language l WHERE l.lanname = 'c'));
    plan text := pg_catalog.format('%s.dp_%s_plan', '@extschema@', family);
    own pg_catalog.pg_proc := (SELECT p FROM pg_catalog.pg_proc p WHERE p.oid = fit);
    arguments text := pg_catalog.replace(pg_catalog.pg_get_function_arguments(fit), ' epsilon double precision,',
        ' epsilon double precision DEFAULT NULL,') || ', holdout float8 DEFAULT NULL, part text DEFAULT NULL, replace boolean DEFAULT false';
    -- TABLE(...), and how many rows counted
    returned text := pg_catalog.rtrim(pg_catalog.pg_get_function_result(fit), ')') || ', rows_counted float8, rows_counted_noise float8)';
    made text := pg_catalog.format('CREATE FUNCTION %s.%I(%s) RETURNS %s LANGUAGE c VOLATILE PARALLEL UNSAFE COST %s ROWS %s AS %L, %L',
        '@extschema@', own.proname, arguments, returned, own.procost, own.prorows,
        'MODULE_PATHNAME', own.prosrc);
BEGIN
    EXECUTE pg_catalog.format('DROP FUNCTION %s', fit::pg_catalog.regprocedure);
    EXECUTE made;
    fit := (SELECT p.oid FROM pg_catalog.pg_proc p WHERE p.pronamespace = own.pronamespace AND p.proname = own.proname
            AND p.prolang = own.prolang AND p.prosrc = own.prosrc);
    EXECUTE pg_catalog.format('CREATE FUNCTION %s(%s) RETURNS SETOF dpem.fit_plan'
        ' LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS %s AS %L, %L',
        plan, pg_catalog.pg_get_function_arguments(fit), rows, 'MODULE_PATHNAME', pg_catalog.format('dp_%s_plan', family));
    EXECUTE pg_catalog.format('COMMENT ON FUNCTION %s IS %L', fit::pg_catalog.regprocedure, fit_comment);
    EXECUTE pg_catalog.format('COMMENT ON FUNCTION %s IS %L', plan, pg_catalog.format(
        'what dp_%s_fit with the same arguments would add as noise%s; reads no data and spends nothing', family, about));
END
$make$;

-- A fit and its plan whose number of components may be several, one of which is chosen: int[], or text that is either, as
-- an untyped literal or parameter is text then.  Dropped at the end of this script.
CREATE FUNCTION dpem_internal.complete_choice(family text, number text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $make$
DECLARE
    own pg_catalog.pg_proc;
    form text;
BEGIN
    FOR own IN SELECT p.* FROM pg_catalog.pg_proc p WHERE p.pronamespace = '@extschema@'::pg_catalog.regnamespace
        AND p.proname IN (pg_catalog.format('dp_%s_fit', family), pg_catalog.format('dp_%s_plan', family))
        AND p.proargtypes[1] = 'pg_catalog.int4'::pg_catalog.regtype
        AND p.prolang = (SELECT l.oid FROM pg_catalog.pg_language l WHERE l.lanname = 'c')
    LOOP
        FOREACH form IN ARRAY '{integer[],text}'::text[] LOOP
            EXECUTE pg_catalog.format('CREATE FUNCTION @extschema@.%I(%s) RETURNS %s LANGUAGE c VOLATILE PARALLEL UNSAFE COST %s ROWS %s AS %L, %L',
                own.proname, pg_catalog.replace(pg_catalog.pg_get_function_arguments(own.oid), pg_catalog.format(', %s integer,', number),
                    pg_catalog.format(', %s %s,', number, form)),
                pg_catalog.pg_get_function_result(own.oid), own.procost, own.prorows, 'MODULE_PATHNAME', own.prosrc);
            EXECUTE pg_catalog.format('COMMENT ON FUNCTION %s IS %L', (SELECT p.oid::pg_catalog.regprocedure FROM pg_catalog.pg_proc p
                    WHERE p.pronamespace = own.pronamespace AND p.proname = own.proname AND p.prosrc = own.prosrc
                    AND p.proargtypes[1] = form::pg_catalog.regtype),
                CASE form WHEN 'text' THEN pg_catalog.format('the same for text: one number, or several as ''{2,3,4}'', of which one is chosen')
                ELSE pg_catalog.format('the same for several numbers: one is chosen, by what the fit releases anyway, at no further cost; dpem.model_choices has their scores') END);
        END LOOP;
    END LOOP;
END
$make$;

-- What the number of a model's components was chosen among.
CREATE TABLE dpem_internal.model_candidate (
    model bigint NOT NULL,
    k int NOT NULL,
    log_likelihood float8 NOT NULL,
    score float8 NOT NULL,
    chosen boolean NOT NULL,
    PRIMARY KEY (model, k)
);
COMMENT ON TABLE dpem_internal.model_candidate IS 'internal: numbers of components that fits chose among; read dpem.model_choices';
REVOKE ALL ON dpem_internal.model_candidate FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.model_candidate', '');

-- A function of a model and a point, float8[], for a row by column name, too, as jsonb or as it is, and for text that is either: an untyped
-- literal or parameter is text then.  Dropped at the end of this script.
CREATE FUNCTION dpem_internal.complete_use(use text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $make$
DECLARE
    own pg_catalog.pg_proc := (SELECT p FROM pg_catalog.pg_proc p WHERE p.pronamespace = '@extschema@'::pg_catalog.regnamespace
                AND p.proname = use AND p.proargtypes[1] = 'pg_catalog.float8[]'::pg_catalog.regtype
                AND p.prolang = (SELECT l.oid FROM pg_catalog.pg_language l WHERE l.lanname = 'c'));
    form text;
BEGIN
    FOREACH form IN ARRAY '{jsonb,record,text}'::text[] LOOP
        EXECUTE pg_catalog.format('CREATE FUNCTION @extschema@.%I(model text, x %s) RETURNS %s'
            ' LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 1000 AS %L, %L',
            use, form, pg_catalog.format_type(own.prorettype, NULL), 'MODULE_PATHNAME', use);
    END LOOP;
    EXECUTE pg_catalog.format('COMMENT ON FUNCTION @extschema@.%I(text, jsonb) IS %L', use,
        'the same for a row by column name, as to_jsonb(t) gives it; NULL where a value that the model needs is NULL');
    EXECUTE pg_catalog.format('COMMENT ON FUNCTION @extschema@.%I(text, record) IS %L', use,
        'the same for a row of a table, t in SELECT ... FROM my_table AS t, by column name');
    EXECUTE pg_catalog.format('COMMENT ON FUNCTION @extschema@.%I(text, text) IS %L', use,
        'the same for an array or a JSON object as text');
END
$make$;

CREATE FUNCTION dpem.to_scale(scale text, x float8)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_to_scale';
COMMENT ON FUNCTION dpem.to_scale(text, float8) IS
'coordinate of a value on a scale: x (linear), ln x (log, of x above 0) or sign(x) ln(1 + |x|) (signed_log)';

CREATE FUNCTION dpem.from_scale(scale text, y float8)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_from_scale';
COMMENT ON FUNCTION dpem.from_scale(text, float8) IS
'value of a coordinate on a scale, the inverse of dpem.to_scale: e.g. of the mean of a mixture''s component, which for scaled columns is a median in the column''s own unit';

CREATE FUNCTION dp_predict(model text, x float8[])
RETURNS int LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 1000 AS 'MODULE_PATHNAME', 'dp_predict';
COMMENT ON FUNCTION dp_predict(text, float8[]) IS
'most probable component, cluster or class of a point; free of charge';
SELECT dpem_internal.complete_use('dp_predict');

CREATE FUNCTION dp_predict_value(model text, x float8[])
RETURNS float8 LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 1000 AS 'MODULE_PATHNAME', 'dp_predict_value';
COMMENT ON FUNCTION dp_predict_value(text, float8[]) IS
'the target that a regression predicts for a point, in its own units and within its registered domain; free of charge';
SELECT dpem_internal.complete_use('dp_predict_value');

CREATE FUNCTION dp_predict_interval(model text, x float8[], coverage float8 DEFAULT 0.95, OUT lower float8, OUT upper float8)
LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 1000 AS 'MODULE_PATHNAME', 'dp_predict_interval';
COMMENT ON FUNCTION dp_predict_interval(text, float8[], float8) IS
'bounds around the value that a regression predicts for a point, between which the target of a new row is with that probability, privacy noise included; free of charge';

CREATE FUNCTION dp_predict_interval(model text, x jsonb, coverage float8 DEFAULT 0.95, OUT lower float8, OUT upper float8)
LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 1000 AS 'MODULE_PATHNAME', 'dp_predict_interval';
COMMENT ON FUNCTION dp_predict_interval(text, jsonb, float8) IS
'the same for a row by column name, as to_jsonb(t) gives it; NULL where a value that the model needs is NULL';

CREATE FUNCTION dp_predict_interval(model text, x record, coverage float8 DEFAULT 0.95, OUT lower float8, OUT upper float8)
LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 1000 AS 'MODULE_PATHNAME', 'dp_predict_interval';
COMMENT ON FUNCTION dp_predict_interval(text, record, float8) IS
'the same for a row of a table, t in SELECT ... FROM my_table AS t, by column name';

CREATE FUNCTION dp_predict_interval(model text, x text, coverage float8 DEFAULT 0.95, OUT lower float8, OUT upper float8)
LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 1000 AS 'MODULE_PATHNAME', 'dp_predict_interval';
COMMENT ON FUNCTION dp_predict_interval(text, text, float8) IS
'the same for an array or a JSON object as text';

CREATE FUNCTION dp_predict_label(model text, x float8[])
RETURNS text LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 1000 AS 'MODULE_PATHNAME', 'dp_predict_label';
COMMENT ON FUNCTION dp_predict_label(text, float8[]) IS
'most probable class of a point, as the category of the label; free of charge';
SELECT dpem_internal.complete_use('dp_predict_label');

CREATE FUNCTION dp_posterior(model text, x float8[])
RETURNS float8[] LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 1000 AS 'MODULE_PATHNAME', 'dp_posterior';
COMMENT ON FUNCTION dp_posterior(text, float8[]) IS
'probability of each component, class or hidden unit given a point; free of charge';
SELECT dpem_internal.complete_use('dp_posterior');

CREATE FUNCTION dp_log_density(model text, x float8[])
RETURNS float8 LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 1000 AS 'MODULE_PATHNAME', 'dp_log_density';
COMMENT ON FUNCTION dp_log_density(text, float8[]) IS
'natural logarithm of the model''s density at a point, in the columns'' units; for a sigmoid belief network, a lower bound of the log-probability; free of charge';
SELECT dpem_internal.complete_use('dp_log_density');

CREATE FUNCTION dp_sample(model text, n int)
RETURNS SETOF float8[] LANGUAGE c VOLATILE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_sample';
COMMENT ON FUNCTION dp_sample(text, int) IS
'synthetic rows drawn from a model; free of charge';

CREATE FUNCTION dp_sample_rows(model text, n int)
RETURNS SETOF record LANGUAGE c VOLATILE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_sample_rows';
COMMENT ON FUNCTION dp_sample_rows(text, int) IS
'the same as columns, of the names and types that the caller''s column definition list has, labels by their categories: dp_sample_rows(model, 1000) AS t(age int, sex text); free of charge';

CREATE FUNCTION dp_grant_model(model text, role regrole)
RETURNS void LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_grant_model';
COMMENT ON FUNCTION dp_grant_model(text, regrole) IS
'allows a role (and its members) to read a model; for the role that made the model and the dataset''s owner';

CREATE FUNCTION dp_grant_model(model text, role text)
RETURNS void LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_grant_model';
COMMENT ON FUNCTION dp_grant_model(text, text) IS
'the same for the name of a role; public is everybody';

CREATE FUNCTION dp_revoke_model(model text, role regrole)
RETURNS void LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_revoke_model';
COMMENT ON FUNCTION dp_revoke_model(text, regrole) IS
'revokes what dp_grant_model has granted';

CREATE FUNCTION dp_revoke_model(model text, role text)
RETURNS void LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_revoke_model';
COMMENT ON FUNCTION dp_revoke_model(text, text) IS
'the same for the name of a role; public revokes what was granted to everybody';

CREATE FUNCTION dp_refresh_model(model text, epsilon float8 DEFAULT NULL, warm boolean DEFAULT false)
RETURNS text LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 AS 'MODULE_PATHNAME', 'dp_refresh_model';
COMMENT ON FUNCTION dp_refresh_model(text, float8, boolean) IS
'fits a model again, with the arguments that it was made with (epsilon: another one), on the rows as they are now, and puts the new one in its place; who was granted the old one may read the new one. warm: mixtures and k-means start from the released means. For whoever may drop the model; charges the caller''s budget. Returns the name that the new one is stored under; NULL where it could not be stored, and then its rows are in a warning';

CREATE FUNCTION dp_grant_models(dataset text, role regrole)
RETURNS bigint LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_grant_models';
COMMENT ON FUNCTION dp_grant_models(text, regrole) IS
'allows a role (and its members) to read all models of a dataset that the caller may grant, as they are now: a later one takes a grant of its own, but one that replaces another keeps its grants; returns how many it may read now and was not granted before';

CREATE FUNCTION dp_grant_models(dataset text, role text)
RETURNS bigint LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_grant_models';
COMMENT ON FUNCTION dp_grant_models(text, text) IS
'the same for the name of a role; public is everybody';

CREATE FUNCTION dp_revoke_models(dataset text, role regrole)
RETURNS bigint LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_revoke_models';
COMMENT ON FUNCTION dp_revoke_models(text, regrole) IS
'revokes what was granted of the models of a dataset that the caller may grant; returns how many grants there were';

CREATE FUNCTION dp_revoke_models(dataset text, role text)
RETURNS bigint LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_revoke_models';
COMMENT ON FUNCTION dp_revoke_models(text, text) IS
'the same for the name of a role; public is everybody';

CREATE FUNCTION dp_drop_model(model text)
RETURNS void LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_drop_model';
COMMENT ON FUNCTION dp_drop_model(text) IS
'drops a model; for the role that made it and the dataset''s owner; its cost stays spent';

CREATE FUNCTION dp_model_json(model text)
RETURNS jsonb LANGUAGE c STABLE STRICT PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_model_json';
COMMENT ON FUNCTION dp_model_json(text) IS
'a model as a document that dp_model_from_json reads in another database; numbers that JSON does not have are the strings Infinity (of a deviation: not bounded) and NaN (not released); free of charge';

CREATE FUNCTION dp_model_sql(model text, output text DEFAULT NULL)
RETURNS text LANGUAGE c STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_model_sql';
COMMENT ON FUNCTION dp_model_sql(text, text) IS
'what a model predicts as one SQL expression over the columns'' own names, for servers without dpem: output value (what dp_predict_value gives), label, class (dp_predict) or posterior, by default the first that the model has; of linear, logistic and additive regressions, linear support vector machines, naive Bayes classifiers, k-means and Gaussian mixtures; free of charge';

CREATE FUNCTION dp_model_pmml(model text)
RETURNS text LANGUAGE c STABLE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'dp_model_pmml';
COMMENT ON FUNCTION dp_model_pmml(text) IS
'a linear or logistic regression, a linear support vector machine, a naive Bayes classifier or k-means as a PMML 4.4 document; probabilities of a logistic regression of two classes are those at the mean of its coefficients; free of charge';

CREATE FUNCTION dp_model_from_json(document jsonb, model text)
RETURNS text LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_model_from_json';
COMMENT ON FUNCTION dp_model_from_json(jsonb, text) IS
'stores a model that dp_model_json has written, under that name, and returns it. The ledger knows nothing of it: what it cost was charged where it was made. For superusers, and for roles that they GRANT EXECUTE on it';
REVOKE ALL ON FUNCTION dp_model_from_json(jsonb, text) FROM PUBLIC;
