/*
 * arguments.c - checks of SQL arguments, and what a core status says in SQL.
 */
#include "server/arguments.h"

#include <float.h>

#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/formatting.h"
#include "utils/varlena.h"

#include "core/accounting/budget_rule.h"
#include "server/version_shims.h"

/* of a name that another is compared with, in bytes: below PostgreSQL's own limit for distances */
#define LONGEST_NAME 200

/* bytes of a value that is no name in a message */
#define MOST_SHOWN 40

pg_noreturn static void refuse_number(const char *name, float8 value, const char *range, const char *hint);

static void
refuse_number(const char *name, float8 value, const char *range, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s must be %s, not %s", name, range, float8out_internal(value)),
			 errhint("%s", hint)));
	pg_unreachable();
}

float8
dpem_check_positive(const char *name, float8 value)
{
	if (!(value > 0 && value <= DBL_MAX))
		refuse_number(name, value, "greater than 0 and finite", "Give a positive number.");
	return value;
}

float8
dpem_check_nonnegative(const char *name, float8 value)
{
	if (!(value >= 0 && value <= DBL_MAX))
		refuse_number(name, value, "at least 0 and finite", "Give zero or a positive number.");
	return value;
}

float8
dpem_check_epsilon(const char *name, float8 value)
{
	if (!(value > 0 && value <= DBL_MAX))
		refuse_number(name, value, "greater than 0 and finite",
					  "Smaller is more private; values from 0.1 to 10 are usual.");
	return value;
}

float8
dpem_check_delta(const char *name, float8 value)
{
	if (!(value > 0 && value < 1))
		refuse_number(name, value, "greater than 0 and less than 1",
					  "A delta well below one over the number of units is usual, such as 1e-6.");
	return value;
}

float8
dpem_check_rate(const char *name, float8 value)
{
	if (!(value > 0 && value <= 1))
		refuse_number(name, value, "greater than 0 and at most 1",
					  "Give the share of the units that one sample takes.");
	return value;
}

float8
dpem_check_keys_share(float8 value)
{
	if (!(value >= 0 && value <= DPEM_KEYS_SHARE_MAX))
		refuse_number("keys_share", value, psprintf("between 0 and %g", DPEM_KEYS_SHARE_MAX),
					  "Give the part of delta that is for private keys and tests, such as 0.1.");
	return value;
}

float8
dpem_check_order(const char *name, float8 value, float8 most)
{
	if (!(value > 1 && value <= most))
		refuse_number(name, value,
					  most < DBL_MAX ?
					  psprintf("greater than 1 and at most %s", float8out_internal(most)) :
					  "greater than 1 and finite",
					  "Give the order of a Renyi divergence; values from 1.05 to 1000 are usual.");
	return value;
}

int32
dpem_check_count(const char *name, int32 value)
{
	if (value < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be at least 1, not %d", name, value),
				 errhint("Give a positive whole number.")));
	return value;
}

static int
compare_letters(const void *a, const void *b)
{
	return *(const unsigned char *) a - *(const unsigned char *) b;
}

/* the same letters in another order, as "gpd" of "gdp" */
static bool
has_same_letters(const char *a, const char *b)
{
	char	   *x = pstrdup(a);
	char	   *y = pstrdup(b);

	qsort(x, strlen(x), 1, compare_letters);
	qsort(y, strlen(y), 1, compare_letters);
	return strcmp(x, y) == 0;
}

#define SHORTEST_BEGINNING 3

/* one name begins with the other, as "diagonal" with "diag" */
static bool
is_beginning(const char *a, const char *b)
{
	size_t		shorter = Min(strlen(a), strlen(b));

	return shorter >= SHORTEST_BEGINNING && strncmp(a, b, shorter) == 0;
}

/* letters that differ, capitals apart; more than `most` if they are more than that */
static int
letters_apart(const char *a, const char *b, int most)
{
	char	   *x = asc_tolower(a, strlen(a));
	char	   *y = asc_tolower(b, strlen(b));

	if (strlen(x) > LONGEST_NAME || strlen(y) > LONGEST_NAME)
		return most + 1;
	if (strcmp(x, y) != 0 && (has_same_letters(x, y) || is_beginning(x, y)))
		return 1;
	return varstr_levenshtein_less_equal(x, strlen(x), y, strlen(y), 1, 1, 1, most, true);
}

const char *
dpem_did_you_mean(const char *given, List *known)
{
	int			length = pg_mbstrlen(given);
	/* a name of one letter is like every other one */
	int			nearest = Min((length + 2) / 3 + 1, Max(length, 1));
	const char *best = NULL;
	ListCell   *cell;

	foreach(cell, known)
	{
		int			apart = letters_apart(given, lfirst(cell), nearest - 1);

		if (apart < nearest)
		{
			nearest = apart;
			best = lfirst(cell);
		}
	}
	return best == NULL ? "" : psprintf("Did you mean \"%s\"?  ", best);
}

static List *
comma_separated(const char *names)
{
	List	   *list = NIL;
	char	   *rest = pstrdup(names);

	for (char *name = strtok_r(rest, ", ", &rest); name != NULL; name = strtok_r(NULL, ", ", &rest))
		list = lappend(list, name);
	return list;
}

char *
dpem_shown_text(const char *text)
{
	int			length = pg_mbcliplen(text, strlen(text), MOST_SHOWN);
	StringInfoData shown;

	initStringInfo(&shown);
	for (int i = 0; i < length; i++)
	{
		unsigned char c = (unsigned char) text[i];

		if (c < 32 || c == 127)
			appendStringInfo(&shown, "\\x%02X", c);
		else
			appendStringInfoChar(&shown, (char) c);
	}
	if (text[length] != '\0')
		appendStringInfoString(&shown, "...");
	return shown.data;
}

void
dpem_refuse_name(const char *name, const char *value, const char *allowed)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s must be one of %s, not \"%s\"", name, allowed, value),
			 errhint("%sNames are written in lower case.", dpem_did_you_mean(value, comma_separated(allowed)))));
	pg_unreachable();
}

DpemComposition
dpem_check_composition(const char *name, const text *value)
{
	char	   *given = text_to_cstring(value);
	DpemComposition composition;

	if (strcmp(given, "cdp") == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s cdp is no budget in epsilon and delta", name),
				 errhint("dp_gmm_plan reports a fit's mean-concentrated totals; use exact, zcdp, rdp, ma, advanced or linear.")));
	if (!dpem_composition_from_name(given, &composition))
		dpem_refuse_name(name, given, "exact, zcdp, rdp, ma, advanced, linear");
	return composition;
}

DpemScenario
dpem_check_scenario(const char *name, const text *value)
{
	char	   *given = text_to_cstring(value);
	DpemScenario scenario;

	if (!dpem_scenario_from_name(given, &scenario))
		dpem_refuse_name(name, given, "llg, ggg");
	return scenario;
}

bool
dpem_check_replace_one(const char *name, const text *value)
{
	char	   *given = text_to_cstring(value);

	if (strcmp(given, "replace_one") != 0 && strcmp(given, "add_remove") != 0)
		dpem_refuse_name(name, given, "replace_one, add_remove");
	return strcmp(given, "replace_one") == 0;
}

void
dpem_refuse_infeasible(const char *what, const char *reason, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s does not exist: %s", what, reason),
			 errhint("%s", hint)));
	pg_unreachable();
}

void
dpem_check_status(DpemStatus status, const char *what)
{
	switch (status)
	{
		case DPEM_OK:
			return;
		case DPEM_BAD_ARGUMENT:
		case DPEM_NO_SOLUTION:
			dpem_refuse_infeasible(what, "the arguments are beyond what double precision can answer",
								   "Use less extreme arguments.");
			break;
		default:
			elog(ERROR, "unexpected status %d for %s", (int) status, what);
	}
}
