-- Fitting, for roles with a budget; using models, for roles that may read them.

CREATE FUNCTION dp_gmm_fit(dataset text, k int, epsilon float8, delta float8 DEFAULT 1e-6,
    columns text[] DEFAULT NULL, iterations int DEFAULT NULL, covariance text DEFAULT 'full',
    estimator text DEFAULT 'map', mechanism text DEFAULT 'joint', composition text DEFAULT NULL,
    precondition text DEFAULT 'whiten', init_means float8[] DEFAULT NULL,
    init_variance float8 DEFAULT NULL, clip_norm float8 DEFAULT NULL, model text DEFAULT NULL,
    dirichlet float8 DEFAULT NULL, kappa0 float8 DEFAULT NULL, nu0 float8 DEFAULT NULL,
    scale0 float8 DEFAULT NULL, step_delta float8 DEFAULT NULL,
    eigenvalue_floor float8 DEFAULT NULL, epsilon_is_nominal boolean DEFAULT false,
    sampling_rate float8 DEFAULT NULL,
    filter text DEFAULT NULL, by text DEFAULT NULL)
RETURNS TABLE (model text, component int, weight float8, mean float8[], covariance float8[], key text)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 5
AS 'MODULE_PATHNAME', 'dp_gmm_fit';
COMMENT ON FUNCTION dp_gmm_fit(text, int, float8, float8, text[], int, text, text, text, text, text, float8[], float8, float8, text,
    float8, float8, float8, float8, float8, float8, boolean, float8, text, text) IS
'fits a Gaussian mixture under differential privacy, charges the caller''s budget, stores the model and returns its components in the columns'' units; with by, a model of the rows of each category (key) of that label, for one charge';

CREATE FUNCTION dp_gmm_plan(dataset text, k int, epsilon float8, delta float8 DEFAULT 1e-6,
    columns text[] DEFAULT NULL, iterations int DEFAULT NULL, covariance text DEFAULT 'full',
    estimator text DEFAULT 'map', mechanism text DEFAULT 'joint', composition text DEFAULT NULL,
    precondition text DEFAULT 'whiten', init_means float8[] DEFAULT NULL,
    init_variance float8 DEFAULT NULL, clip_norm float8 DEFAULT NULL, model text DEFAULT NULL,
    dirichlet float8 DEFAULT NULL, kappa0 float8 DEFAULT NULL, nu0 float8 DEFAULT NULL,
    scale0 float8 DEFAULT NULL, step_delta float8 DEFAULT NULL,
    eigenvalue_floor float8 DEFAULT NULL, epsilon_is_nominal boolean DEFAULT false,
    sampling_rate float8 DEFAULT NULL,
    filter text DEFAULT NULL, by text DEFAULT NULL)
RETURNS TABLE (line int, statistic text, mechanism text, sensitivity float8,
    noise_multiplier float8, noise_stddev float8, column_noise_stddev float8[], releases int,
    mu_squared float8, epsilon_exact float8, epsilon_rdp float8, epsilon_zcdp float8,
    epsilon_ma float8, epsilon_advanced float8, epsilon_linear float8, cdp_mean float8,
    cdp_tau float8, remaining_epsilon float8, allowed boolean)
LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 9
AS 'MODULE_PATHNAME', 'dp_gmm_plan';
COMMENT ON FUNCTION dp_gmm_plan(text, int, float8, float8, text[], int, text, text, text, text, text, float8[], float8, float8, text,
    float8, float8, float8, float8, float8, float8, boolean, float8, text, text) IS
'what dp_gmm_fit with the same arguments would add as noise and cost under every composition, a row per statistic and one in all; reads no data and spends nothing';

CREATE FUNCTION dp_predict(model text, x float8[])
RETURNS int LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 1000
AS 'MODULE_PATHNAME', 'dp_predict';
COMMENT ON FUNCTION dp_predict(text, float8[]) IS
'component that a point most probably belongs to; free of charge';

CREATE FUNCTION dp_posterior(model text, x float8[])
RETURNS float8[] LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 1000
AS 'MODULE_PATHNAME', 'dp_posterior';
COMMENT ON FUNCTION dp_posterior(text, float8[]) IS
'probability of each component, class or hidden unit given a point; free of charge';

CREATE FUNCTION dp_log_density(model text, x float8[])
RETURNS float8 LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 1000
AS 'MODULE_PATHNAME', 'dp_log_density';
COMMENT ON FUNCTION dp_log_density(text, float8[]) IS
'natural logarithm of the model''s density at a point, in the columns'' units; of a sigmoid belief network a lower bound of its log-probability; free of charge';

CREATE FUNCTION dp_sample(model text, n int)
RETURNS SETOF float8[] LANGUAGE c VOLATILE PARALLEL RESTRICTED
AS 'MODULE_PATHNAME', 'dp_sample';
COMMENT ON FUNCTION dp_sample(text, int) IS
'synthetic rows drawn from a model; free of charge';

CREATE FUNCTION dp_grant_model(model text, role regrole)
RETURNS void LANGUAGE c VOLATILE PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'dp_grant_model';
COMMENT ON FUNCTION dp_grant_model(text, regrole) IS
'lets a role (and its members) read a model; for the model''s maker and the dataset''s owner';

CREATE FUNCTION dp_revoke_model(model text, role regrole)
RETURNS void LANGUAGE c VOLATILE PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'dp_revoke_model';
COMMENT ON FUNCTION dp_revoke_model(text, regrole) IS
'takes dp_grant_model back';

CREATE FUNCTION dp_drop_model(model text)
RETURNS void LANGUAGE c VOLATILE PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'dp_drop_model';
COMMENT ON FUNCTION dp_drop_model(text) IS
'drops a model; for its maker and the dataset''s owner; what it cost stays spent';
