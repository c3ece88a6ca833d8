-- Administration: for the owner of the source, or a superuser.

CREATE FUNCTION dp_register_dataset(dataset text, source regclass, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    unit text DEFAULT NULL, max_rows_per_unit int DEFAULT 1,
    adjacency text DEFAULT 'replace_one', accountant text DEFAULT 'gdp', keys_share float8 DEFAULT 0)
RETURNS text LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_register_dataset';
COMMENT ON FUNCTION dp_register_dataset(text, regclass, float8, float8, text, int, text, text, float8) IS
'registers a private source with its budget; unit is the column that identifies persons (NULL: one row is one person), or a path of foreign keys to their table, as in ''order_id -> shop.orders.id, customer_id -> shop.customers.id'', or of that table itself its key, ''shop.customers.id'': it is checked before every charge, and all tables of these persons share one ledger; keys_share is the part of delta, at most 0.5, for statistics by private keys (0: no such statistics; with accountants advanced and linear, which add up deltas, it must be 0 and such statistics are possible)';

CREATE FUNCTION dp_register_column(dataset text, column_name text, lower float8, upper float8,
    length int DEFAULT NULL, scale text DEFAULT 'linear')
RETURNS text LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_register_numeric_column';
COMMENT ON FUNCTION dp_register_column(text, text, float8, float8, int, text) IS
'gives a numeric column (or a float array of the given length) its public bounds, and for values that span decades a scale for models, equal bins and quantiles: linear, log (ln x, of bounds above 0) or signed_log (sign(x) ln(1 + |x|))';

CREATE FUNCTION dp_register_column(dataset text, column_name text, lower timestamptz, upper timestamptz)
RETURNS text LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_register_time_column';
COMMENT ON FUNCTION dp_register_column(text, text, timestamptz, timestamptz) IS
'gives a column of dates or timestamps its public first and last value; it is then a number of days (of dates) or seconds since 2000-01-01 00:00 (UTC)';

CREATE FUNCTION dp_register_column(dataset text, column_name text, lower text, upper text)
RETURNS text LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_register_written_column';
COMMENT ON FUNCTION dp_register_column(text, text, text, text) IS
'the same with bounds in ISO 8601, of which those without an offset are UTC';

CREATE FUNCTION dp_register_column(dataset text, column_name text)
RETURNS text LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_register_known_column';
COMMENT ON FUNCTION dp_register_column(text, text) IS
'gives a column of booleans or of an enum its categories, which its type says';

CREATE FUNCTION dp_register_column(dataset text, column_name text, categories text[])
RETURNS text LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_register_label_column';
COMMENT ON FUNCTION dp_register_column(text, text, text[]) IS
'gives a label column its public categories';

CREATE FUNCTION dp_register_key(dataset text, column_name text)
RETURNS text LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_register_key';
COMMENT ON FUNCTION dp_register_key(text, text) IS
'allows statistics by a column whose values are not public: values that many persons have are released; delta bounds the probability that a value which only one person has is released';

CREATE FUNCTION dp_register_text(dataset text, column_name text, vocabulary text[])
RETURNS text LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_register_text';
COMMENT ON FUNCTION dp_register_text(text, text, text[]) IS
'gives a document column its public vocabulary';

CREATE FUNCTION dp_register_person_column(dataset text, column_name text, aggregate text, lower float8, upper float8,
    filter text DEFAULT NULL, path text DEFAULT NULL, scale text DEFAULT 'linear')
RETURNS text LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_register_person_column';
COMMENT ON FUNCTION dp_register_person_column(text, text, text, float8, float8, text, text, text) IS
'gives a dataset whose unit is a path a column of one number a person, made of the person''s rows of another table: count(schema.table), exists(schema.table), count(distinct schema.table.column), or sum, avg, min or max of schema.table.column, of the rows that match a filter on that table''s columns; it counts within its bounds, in every model and statistic, as a column of the source does. path: the foreign keys from that table to the persons; NULL: the only ones there are';

CREATE FUNCTION dp_register_person_column(dataset text, column_name text, aggregate text, lower float8, upper text,
    epsilon float8 DEFAULT NULL, delta float8 DEFAULT 1e-6, filter text DEFAULT NULL, path text DEFAULT NULL)
RETURNS float8 LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 AS 'MODULE_PATHNAME', 'dp_register_person_column_auto';
COMMENT ON FUNCTION dp_register_person_column(text, text, text, float8, text, float8, float8, text, text) IS
'the same with upper ''auto'': the upper bound is chosen under differential privacy, in steps of powers of two above lower, from a histogram of the persons'' values, and returned; charges the caller''s budget once';

CREATE FUNCTION dp_unregister_column(dataset text, column_name text)
RETURNS text LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_unregister_column';
COMMENT ON FUNCTION dp_unregister_column(text, text) IS
'takes a column out of a dataset; models and answers that were made of it stay';

CREATE FUNCTION dp_alter_dataset(dataset text, name text DEFAULT NULL, source regclass DEFAULT NULL,
    epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL, keys_share float8 DEFAULT NULL,
    unit text DEFAULT NULL, max_rows_per_unit int DEFAULT NULL, earlier_rows int DEFAULT NULL, minimum int DEFAULT NULL)
RETURNS text LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_alter_dataset';
COMMENT ON FUNCTION dp_alter_dataset(text, text, regclass, float8, float8, float8, text, int, int, int) IS
'changes a dataset''s name, its source (to a renamed table, or another view of the same tables), its budget, which is never less than what was spent, the rows of a unit that count, or gives it a unit where one row was one person; columns, role budgets, charges and models stay. With a new unit earlier charges count for as many rows as earlier_rows (NULL: max_rows_per_unit), of which no person may have had more. minimum hides released numbers of groups that stand for fewer persons, as their own noisy numbers say (0: none). NULL: as it is. Also what to call after ALTER TABLE ... RENAME or SET SCHEMA';

CREATE FUNCTION dp_choose_max_rows(dataset text, epsilon float8 DEFAULT NULL, delta float8 DEFAULT 1e-6, calls_epsilon float8 DEFAULT NULL)
RETURNS int LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 AS 'MODULE_PATHNAME', 'dp_choose_max_rows';
COMMENT ON FUNCTION dp_choose_max_rows(text, float8, float8, float8) IS
'gives a dataset with a unit the max_rows_per_unit, in steps of powers of two and at most the present one, with which later calls of calls_epsilon (NULL: epsilon) lose about as many rows as they have noise, and returns it: chosen under differential privacy from a histogram of how many rows each person has; charges the caller''s budget once';

CREATE FUNCTION dp_drop_dataset(dataset text)
RETURNS void LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_drop_dataset';
COMMENT ON FUNCTION dp_drop_dataset(text) IS
'removes a dataset, its column domains and role budgets; its ledger is kept';

CREATE FUNCTION dp_acknowledge_restore(dataset text, reason text)
RETURNS void LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_acknowledge_restore';
COMMENT ON FUNCTION dp_acknowledge_restore(text, text) IS
'allows charges to a ledger that was restored, copied or failed over to this server; records the reason and keeps everything that was spent';

CREATE FUNCTION dp_grant_budget(role regrole, dataset text, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    expires timestamptz DEFAULT NULL, refresh interval DEFAULT NULL, reserved boolean DEFAULT false)
RETURNS text LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_grant_budget';
COMMENT ON FUNCTION dp_grant_budget(regrole, text, float8, float8, timestamptz, interval, boolean) IS
'sets a role''s share of a dataset''s budget; what the role has spent stays spent. A share with expires cannot be spent from that time on. A share with refresh can be spent once in each such period, so it bounds what the role learns in one period only; the dataset''s budget, which is never renewed, bounds all periods and roles together. A reserved share can always be spent: what it may still cost, in all periods until it expires, is kept of the dataset''s budget, and no other share can spend it';

CREATE FUNCTION dp_revoke_budget(role regrole, dataset text)
RETURNS void LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_revoke_budget';
COMMENT ON FUNCTION dp_revoke_budget(regrole, text) IS
'removes a role''s share of a dataset''s budget';

CREATE FUNCTION dp_budget_remaining(dataset text, delta float8 DEFAULT NULL)
RETURNS float8 LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_budget_remaining';
COMMENT ON FUNCTION dp_budget_remaining(text, float8) IS
'epsilon the caller can still spend at delta (NULL: the delta of the caller''s share)';

CREATE FUNCTION dp_check_ledger(dataset text DEFAULT NULL)
RETURNS TABLE (dataset_name text, charges bigint, agrees boolean, wrong_from bigint)
LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_check_ledger';
COMMENT ON FUNCTION dp_check_ledger(text) IS
'adds the ledger of a dataset (NULL: of each one that the caller administers) up from its first charge and compares every running total with that: how many charges there are, whether all agree, and the first charge whose total does not';

CREATE FUNCTION dpem_internal.totals_spent(accountant text, total dpem_internal.total, delta float8, keys_share float8)
RETURNS float8 LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_totals_spent';
COMMENT ON FUNCTION dpem_internal.totals_spent(text, dpem_internal.total, float8, float8) IS
'internal: epsilon of the noise of a ledger''s total, at what failures leave of delta; arithmetic only';

CREATE FUNCTION dpem_internal.totals_remaining(accountant text, total dpem_internal.total, epsilon float8, delta float8, keys_share float8)
RETURNS float8 LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_totals_remaining';
COMMENT ON FUNCTION dpem_internal.totals_remaining(text, dpem_internal.total, float8, float8, float8) IS
'internal: epsilon that a budget still affords after a ledger''s total; arithmetic only';

CREATE FUNCTION dpem_internal.totals_part(accountant text, total dpem_internal.total, epsilon float8, delta float8, keys_share float8)
RETURNS float8 LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_totals_part';
COMMENT ON FUNCTION dpem_internal.totals_part(text, dpem_internal.total, float8, float8, float8) IS
'internal: part of a budget that a ledger''s total uses up, to which equal calls add equal parts; arithmetic only';

CREATE FUNCTION dpem_internal.totals_reserved_part(accountant text, total dpem_internal.total, epsilon float8, delta float8, keys_share float8, periods int,
    dataset_epsilon float8, dataset_delta float8)
RETURNS float8 LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_totals_reserved_part';
COMMENT ON FUNCTION dpem_internal.totals_reserved_part(text, dpem_internal.total, float8, float8, float8, int, float8, float8) IS
'internal: part of a dataset''s budget that is kept for a reserved share, of which a total was spent in its present period; arithmetic only';

CREATE FUNCTION dpem_internal.totals_repeats(accountant text, total dpem_internal.total, cost dpem_internal.total, epsilon float8, delta float8, keys_share float8)
RETURNS int LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_totals_repeats';
COMMENT ON FUNCTION dpem_internal.totals_repeats(text, dpem_internal.total, dpem_internal.total, float8, float8, float8) IS
'internal: how often a cost may still be charged to a budget after a ledger''s total, at most 1000000 times; arithmetic only';
