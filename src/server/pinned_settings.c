/*
 * pinned_settings.c - see pinned_settings.h.
 *
 * A scan's settings are nobody's choice but the server's.  A setting that could
 * make an expression fail, change its value or bound what a scan may use is a
 * question about rows that the analyst puts and nobody charges for.  So a scan
 * starts from the values of the configuration file, the command line, ALTER
 * DATABASE and ALTER ROLE ALL.  What a session, a role's own settings or a
 * connection's options have put in their place goes back to that, and to the
 * built-in default where they came before the session began, which leaves no
 * trace of the server's value.  Those that change what an expression yields
 * are pinned to one value, so that not even this choice of two is left.
 *
 * Parallel workers start with the leader's values of the moment.
 */
#include "postgres.h"

#include "utils/guc.h"
#include "utils/guc_tables.h"

#include "server/extension_libraries.h"
#include "server/pinned_settings.h"
#include "server/spill.h"
#include "server/version_shims.h"

typedef struct PinnedSetting
{
	const char *name;
	const char *value;
} PinnedSetting;

/*
 * What a caller's session may not bring along: names, everything that
 * prints, everything that changes what an expression in a view yields, and
 * where temporary files go.
 */
static const PinnedSetting session_settings[] = {
	{"search_path", "pg_catalog, pg_temp"},
	{"client_min_messages", "error"},
	{"debug_print_parse", "off"},
	{"debug_print_rewritten", "off"},
	{"debug_print_plan", "off"},
	{"trace_sort", "off"},
	{"log_parser_stats", "off"},
	{"log_planner_stats", "off"},
	{"log_executor_stats", "off"},
	{"log_statement_stats", "off"},
	{"log_temp_files", "-1"},
	{"row_security", "off"},
	{"temp_tablespaces", ""},
	{"DateStyle", "ISO, MDY"},
	{"IntervalStyle", "postgres"},
	{"TimeZone", "UTC"},
	{"extra_float_digits", "1"},
	{"transform_null_equals", "off"},
	{"array_nulls", "on"},
	{"standard_conforming_strings", "on"},
	{"quote_all_identifiers", "off"},
	{"bytea_output", "hex"},
	{"lc_numeric", "C"},
	{"lc_monetary", "C"},
	{"lc_time", "C"},
	{"default_text_search_config", "pg_catalog.simple"},
	{"enable_indexscan", "off"},
	{"enable_indexonlyscan", "off"},
	{"enable_bitmapscan", "off"},
	{"enable_seqscan", "on"},
	{"jit", "off"},
};

static const PinnedSetting scan_settings[] = {
	/*
	 * What counts rows, pages and calls where every role may read it.  A scan
	 * leaves no trace there: under add_remove the number of rows is private,
	 * and what a long value costs to fetch is always.
	 */
	{"track_counts", "off"},
	{"track_functions", "none"},
	{"track_io_timing", "off"},
	{"pg_stat_statements.track", "none"},
	/* a limit that a scan may meet tells how much it needed */
	{"temp_file_limit", "-1"},
	{"gin_fuzzy_search_limit", "0"},
	/* what an expression of the owner's yields, or fails at */
	{"backslash_quote", "safe_encoding"},
	{"lc_messages", "C"},
	{"timezone_abbreviations", "Default"},
	{"xmlbinary", "base64"},
	{"xmloption", "content"},
	{"plpgsql.check_asserts", "on"},
	{"plpgsql.extra_errors", "none"},
	{"plpgsql.extra_warnings", "none"},
	{"plpgsql.variable_conflict", "error"},
	/*
	 * Where a view reads what Citus has distributed: a session may have it
	 * compute on every shard what is right only over all of them, or roughly,
	 * and may limit intermediate results, so that a failure would tell how
	 * many rows there are.
	 */
	{"citus.subquery_pushdown", "off"},
	{"citus.max_intermediate_result_size", "-1"},
	{"citus.limit_clause_row_fetch_count", "-1"},
	{"citus.count_distinct_error_rate", "0"},
};

/* catalog look-ups are by key and small */
static const PinnedSetting lookup_settings[] = {
	{"enable_indexscan", "on"},
	{"max_parallel_workers_per_gather", "0"},
};

/*
 * What a scan takes from the session all the same.  "dpem." stands for all
 * settings of ours: they are arguments of the call.
 */
static const char *const kept_settings[] = {
	/* who it is, and its transaction's state: the server lets nobody change them here, and the scan has its own role */
	"role", "session_authorization",
	"transaction_isolation", "transaction_read_only", "transaction_deferrable",
	/* setting it, to whatever value, would start random() anew */
	"seed",
	/* of what goes to the client, which gets nothing meanwhile; fixed while there are workers */
	"client_encoding",
	/* of temporary tables, which no scan has; fixed once the session has used one */
	"temp_buffers",
	/* an end that the caller sets in time, which is not protected; none reads rows */
	"statement_timeout", "lock_timeout", "transaction_timeout", "idle_in_transaction_session_timeout",
	"idle_session_timeout", "client_connection_check_interval",
	/* a superuser's; a caller can use the stack up without it */
	"max_stack_depth",
	/* how many processes the caller wants to work: the sums of a pass are the same for each number of them */
	"max_parallel_workers_per_gather", "max_parallel_workers", "parallel_leader_participation",
	"parallel_setup_cost", "parallel_tuple_cost", "min_parallel_table_scan_size",
	"min_parallel_index_scan_size", "force_parallel_mode", "debug_parallel_query",
};

#define OUR_PREFIX "dpem."

static void
pin(const char *name, const char *value)
{
	(void) set_config_option(name, value, PGC_SUSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

static void
pin_all(const PinnedSetting *settings, int n)
{
	for (int i = 0; i < n; i++)
	{
		const char *now = GetConfigOption(settings[i].name, true, false);

		/* trace_sort and its like exist only in some builds; timezone_abbreviations and its like read files */
		if (now != NULL && strcmp(now, settings[i].value) != 0)
			pin(settings[i].name, settings[i].value);
	}
}

/* ---- back to the server's values ---- */

static bool
is_among(const char *name, const PinnedSetting *settings, int n)
{
	for (int i = 0; i < n; i++)
		if (pg_strcasecmp(name, settings[i].name) == 0)
			return true;
	return false;
}

static bool
is_kept(const char *name)
{
	for (int i = 0; i < lengthof(kept_settings); i++)
		if (strcmp(name, kept_settings[i]) == 0)
			return true;
	return pg_strncasecmp(name, OUR_PREFIX, strlen(OUR_PREFIX)) == 0;
}

/* of a role, a connection or a session, and one that can change while it lasts */
static bool
is_the_callers(const struct config_generic *setting)
{
	return setting->source > PGC_S_DATABASE &&
		(setting->context == PGC_USERSET || setting->context == PGC_SUSET) &&
		!is_kept(setting->name) &&
		!is_among(setting->name, session_settings, lengthof(session_settings)) &&
		!is_among(setting->name, scan_settings, lengthof(scan_settings));
}

/* the server's value where RESET would give it, else the built-in one */
static char *
servers_value(struct config_generic *setting)
{
	bool		reset = setting->reset_source <= PGC_S_DATABASE;

#define VALUE(type) (reset ? ((type *) setting)->reset_val : ((type *) setting)->boot_val)
	switch (setting->vartype)
	{
		case PGC_BOOL:
			return pstrdup(VALUE(struct config_bool) ? "on" : "off");
		case PGC_INT:
			return psprintf("%d", VALUE(struct config_int));
		case PGC_REAL:
			return psprintf("%.17g", VALUE(struct config_real));
		case PGC_ENUM:
			return pstrdup(config_enum_lookup_by_value((struct config_enum *) setting, VALUE(struct config_enum)));
		case PGC_STRING:
			{
				const char *value = VALUE(struct config_string);

				return pstrdup(value != NULL ? value : "");
			}
	}
#undef VALUE
	elog(ERROR, "dpem: setting \"%s\" is of no known type", setting->name);
	return NULL;
}

/*
 * A setting that no library has defined is text.  Were its library loaded in
 * the scan, by a function of the owner's, it would take the session's text
 * wherever it cannot take ours.
 */
static void
define_callers_settings(void)
{
	int			n;
	struct config_generic **settings = dpem_guc_variables(&n);

	for (int i = 0; i < n; i++)
	{
		if ((settings[i]->flags & GUC_CUSTOM_PLACEHOLDER) != 0 && settings[i]->source > PGC_S_DATABASE)
		{
			dpem_load_extension_libraries();
			return;
		}
	}
}

static void
reset_callers_settings(void)
{
	int			n;
	struct config_generic **settings;

	define_callers_settings();
	settings = dpem_guc_variables(&n);
	for (int i = 0; i < n; i++)
	{
		if (is_the_callers(settings[i]))
		{
			char	   *value = servers_value(settings[i]);

			pin(settings[i]->name, value);
			pfree(value);
		}
	}
}

/* ---- the three of them ---- */

void
dpem_pin_session_settings(void)
{
	pin_all(session_settings, lengthof(session_settings));
}

void
dpem_pin_scan_settings(void)
{
	char		memory[16];
	const PinnedSetting ours[] = {
		{"work_mem", memory},
		{"hash_mem_multiplier", "1"},
		{DPEM_SCANNING, "on"},
	};

	reset_callers_settings();
	snprintf(memory, sizeof(memory), "%d", dpem_scan_memory());
	pin_all(scan_settings, lengthof(scan_settings));
	pin_all(ours, lengthof(ours));
}

void
dpem_pin_lookup_settings(void)
{
	pin_all(lookup_settings, lengthof(lookup_settings));
}
