/*
 * selftest_rows.c - see selftest_rows.h.
 *
 * Rows of three columns (five in some cases) with the domain [-1, 1] about three centers, and a
 * label of two categories and a word, a private key that only the special unit has (one of its rows, if rows are units).
 * A few special rows stand at a corner of the domain, which every feature map sends to
 * norm 1; a neighbour has one of them (one unit's, if units have several
 * rows) elsewhere: at the places that move moments most, where a row counts as
 * the null row, or nowhere.  The special rows are the first, the last of the
 * first block, the first of the second block and the last.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/guc.h"

#include "api/selftest/selftest_rows.h"
#include "core/pass/block.h"

#define COLUMNS 3
#define ROWS	(2 * DPEM_BLOCK_ROWS + 6)
#define UNIT_ROWS 5				/* of the special unit, of which three count */

const DpemSelftestUnits dpem_selftest_units[] = {
	{"replace_one", "replace_one", "", false, false, false, false},
	{"add_remove", "add_remove", "", false, false, false, false},
	{"replace_one, 3 rows", "replace_one", ", unit => 'unit', max_rows_per_unit => 3", true, false, false, false},
	{"add_remove, 3 rows", "add_remove", ", unit => 'unit', max_rows_per_unit => 3", true, false, false, false}
};
const int	dpem_selftest_nunits = lengthof(dpem_selftest_units);

typedef struct Values
{
	const char *name;
	bool		absent;			/* the row is not there */
	bool		null;			/* the row counts as none, or is the same to fits without a label: a neighbour under add_remove, too */
	const char *value[COLUMNS]; /* NULL: SQL's NULL */
	const char *label;			/* for fits that have one */
} Values;

/* where the special rows are */
static const Values home = {"home", false, false, {"1", "1", "1"}, "yes"};

/*
 * x.y = -0.18 |x||y| is the worst angle of one component at the weights
 * (., 0.6, 1): -b^2 / (2 c^2), docs/proofs.md, 4.
 */
static const Values places[] = {
	{"the opposite corner", false, false, {"-1", "-1", "-1"}, "yes"},
	{"another corner", false, false, {"1", "-1", "-1"}, "yes"},
	{"the worst angle", false, false, {"0.5917", "-0.7995", "-0.1039"}, "no"},
	{"a right angle", false, false, {"0.7072", "-0.7072", "0"}, "yes"},
	{"the origin", false, false, {"0", "0", "0"}, "no"},
	{"far outside the domain", false, false, {"-1e308", "-1e300", "-1e308"}, "yes"},
	{"another label", false, false, {"1", "1", "1"}, "no"},
	{"not a row", true, true, {NULL, NULL, NULL}, NULL},
	{"NULL", false, true, {"1", NULL, "1"}, "yes"},
	{"NaN", false, true, {"NaN", "1", "1"}, "yes"},
	{"Infinity", false, true, {"1", "1", "Infinity"}, "no"},
	{"beyond double precision", false, true, {"-1", "1e400", "-1"}, "yes"},
	{"a label that is none", false, true, {"1", "1", "1"}, "perhaps"},
	{"no label", false, true, {"1", "1", "1"}, NULL}
};

static const int positions[] = {0, DPEM_BLOCK_ROWS - 1, DPEM_BLOCK_ROWS, ROWS - 1};

typedef struct Neighbour
{
	const Values *place;
	int			position;		/* which of `positions`; -1: all rows of the special unit */
} Neighbour;

static bool
replaces(const DpemSelftestUnits *units)
{
	return strcmp(units->adjacency, "replace_one") == 0;
}

/* adding or removing a row is no replacement where rows are all units; a place moves nothing but by a row that counts */
static bool
is_neighbour(const DpemSelftestUnits *units, const Values *place)
{
	return replaces(units) ? !place->absent || units->several : place->absent || (place->null && !units->counts_nulls);
}

/* the n-th neighbour, counted from 1; place NULL: the same rows once more */
static Neighbour
nth_neighbour(const DpemSelftestUnits *units, int n)
{
	for (int p = 0; p < lengthof(places); p++)
	{
		/* the place that is worst of all, at every position */
		int			most = p == 0 || places[p].absent ? lengthof(positions) : 1;

		if (!is_neighbour(units, &places[p]))
			continue;
		if (units->several)
			most = 1;
		if (n <= most)
			return (Neighbour) {&places[p], units->several ? -1 : n - 1};
		n -= most;
	}
	return (Neighbour) {NULL, 0};
}

int
dpem_selftest_neighbours(const DpemSelftestUnits *units)
{
	int			n = 1;

	while (nth_neighbour(units, n).place != NULL)
		n++;
	return n;
}

static void
execute(const char *sql)
{
	if (SPI_execute(sql, false, 0) < 0)
		elog(ERROR, "dpem: dp_selftest could not run: %s", sql);
}

/* ---- rows ---- */

typedef struct Rows
{
	int			n;
	Datum		unit[ROWS];
	Datum		value[COLUMNS][ROWS];
	bool		isnull[COLUMNS][ROWS];
	Datum		label[ROWS];
	Datum		word[ROWS];
} Rows;

static void
add_row(Rows *rows, int unit, const Values *values, const char *word)
{
	rows->unit[rows->n] = Int32GetDatum(unit);
	for (int j = 0; j < COLUMNS; j++)
	{
		rows->isnull[j][rows->n] = values->value[j] == NULL;
		rows->value[j][rows->n] = values->value[j] ? CStringGetTextDatum(values->value[j]) : (Datum) 0;
	}
	rows->label[rows->n] = CStringGetTextDatum(values->label);
	rows->word[rows->n] = CStringGetTextDatum(word);
	rows->n++;
}

static void
add_common_row(Rows *rows, int i)
{
	static const double center[COLUMNS][COLUMNS] = {{0.6, 0.5, 0.6}, {-0.5, -0.6, 0.4}, {0.1, -0.4, -0.6}};
	Values		values = home;

	for (int j = 0; j < COLUMNS; j++)
		values.value[j] = psprintf("%.6f", center[i % COLUMNS][j] + 0.3 * sin(7.0 * i + 11.0 * j * i));
	values.label = i % COLUMNS == 0 || i % 7 == 0 ? "yes" : "no";
	add_row(rows, 100 + i / 2, &values, values.label);
}

static bool
is_special(const DpemSelftestUnits *units, int i)
{
	if (units->several)
		return i % (ROWS / UNIT_ROWS) == 0 && i / (ROWS / UNIT_ROWS) < UNIT_ROWS;
	for (int p = 0; p < lengthof(positions); p++)
		if (positions[p] == i)
			return true;
	return false;
}

static void
make_rows(const DpemSelftestUnits *units, Rows *rows)
{
	rows->n = 0;
	for (int i = 0; i < ROWS; i++)
	{
		if (is_special(units, i))
			add_row(rows, 1, &home, units->several || i == 0 ? "alone" : "yes");
		else
			add_common_row(rows, i);
	}
}

static Datum
array_of(Datum *values, bool *isnull, int n, Oid type)
{
	int			dims[] = {n};
	int			bounds[] = {1};
	bool		by_value = type == INT4OID;

	return PointerGetDatum(construct_md_array(values, isnull, 1, dims, bounds, type,
											  by_value ? sizeof(int32) : -1, by_value, TYPALIGN_INT));
}

static void
insert_rows(const DpemSelftestUnits *units, bool reversed)
{
	Rows	   *rows = palloc(sizeof(Rows));
	Oid			types[] = {INT4ARRAYOID, TEXTARRAYOID, TEXTARRAYOID, TEXTARRAYOID, TEXTARRAYOID, TEXTARRAYOID};
	Datum		values[3 + COLUMNS];

	make_rows(units, rows);
	values[0] = array_of(rows->unit, NULL, rows->n, INT4OID);
	for (int j = 0; j < COLUMNS; j++)
		values[1 + j] = array_of(rows->value[j], rows->isnull[j], rows->n, TEXTOID);
	values[1 + COLUMNS] = array_of(rows->label, NULL, rows->n, TEXTOID);
	values[2 + COLUMNS] = array_of(rows->word, NULL, rows->n, TEXTOID);
	if (SPI_execute_with_args(psprintf("INSERT INTO " DPEM_SELFTEST_SCHEMA ".made_up"
									   " SELECT r.i - 1, r.u, r.a::double precision, r.b::numeric, r.c::double precision, r.label, r.word"
									   " FROM unnest($1, $2, $3, $4, $5, $6) WITH ORDINALITY AS r(u, a, b, c, label, word, i)"
									   " ORDER BY r.i%s", reversed ? " DESC" : ""),
							  lengthof(values), types, values, NULL, false, 0) != SPI_OK_INSERT)
		elog(ERROR, "dpem: dp_selftest could not fill its table");
	execute("ANALYZE " DPEM_SELFTEST_SCHEMA ".made_up");
	pfree(rows);
}

/* a plan with workers however small the table */
static void
ask_for_workers(void)
{
	static const char *const settings[][2] = {
		{"parallel_setup_cost", "0"}, {"parallel_tuple_cost", "0"}, {"min_parallel_table_scan_size", "0"},
		{"max_parallel_workers_per_gather", "2"}
	};

	for (int i = 0; i < lengthof(settings); i++)
		(void) set_config_option(settings[i][0], settings[i][1], PGC_USERSET, PGC_S_SESSION,
								 GUC_ACTION_LOCAL, true, 0, false);
}

/* without notices, which are for who registers people */
static void
quietly(const char *sql)
{
	int			nest = NewGUCNestLevel();

	(void) set_config_option("client_min_messages", "warning", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	execute(sql);
	AtEOXact_GUC(true, nest);
}

void
dpem_selftest_make_dataset(const DpemSelftestUnits *units, const char *functions)
{
	execute("CREATE SCHEMA " DPEM_SELFTEST_SCHEMA);
	execute("CREATE TABLE " DPEM_SELFTEST_SCHEMA ".made_up"
			" (position int, unit int, a double precision, b numeric, c double precision, label text, word text,"
			/* of one word several times, as no other has a greater norm; another word with another label, none where other fits see no row */
			" document text[] GENERATED ALWAYS AS (CASE WHEN c < 'Infinity' THEN"
			" CASE label WHEN 'yes' THEN '{u,u,u,u}'::text[] WHEN 'no' THEN '{v,v,v,v}' WHEN 'perhaps' THEN '{u,NULL}' END END) STORED)");
	quietly(psprintf("SELECT %s.dp_register_dataset('" DPEM_SELFTEST_DATASET "', '"
					 DPEM_SELFTEST_SCHEMA ".made_up', 100, 1e-4, adjacency => '%s', keys_share => 0.1%s)",
					 functions, units->adjacency, units->registration));
	for (char column = 'a'; column < 'a' + COLUMNS; column++)
		execute(psprintf("SELECT %s.dp_register_column('" DPEM_SELFTEST_DATASET "', '%c', -1, 1)",
						 functions, column));
	execute(psprintf("SELECT %s.dp_register_column('" DPEM_SELFTEST_DATASET "', 'label', '{no,yes}'::text[])", functions));
	/* as many terms as a choice between two numbers of topics asks for; most are in no document */
	execute(psprintf("SELECT %s.dp_register_text('" DPEM_SELFTEST_DATASET "', 'document', '{a,b,c,d,e,f,g,h,i,j,k,l,m,u,v,w}'::text[])", functions));
	execute(psprintf("SELECT %s.dp_register_key('" DPEM_SELFTEST_DATASET "', 'word')", functions));
	insert_rows(units, false);
}

/* the special rows of a neighbour, all or one, take other values or leave */
static void
change_rows(const DpemSelftestUnits *units, const Neighbour *neighbour)
{
	const Values *place = neighbour->place;
	char	   *which = neighbour->position < 0 ? "" : psprintf(" AND position = %d", positions[neighbour->position]);
	Oid			types[] = {TEXTOID, TEXTOID, TEXTOID, TEXTOID};
	char		nulls[] = "    ";
	Datum		values[COLUMNS + 1];

	if (place->absent)
	{
		execute(psprintf("DELETE FROM " DPEM_SELFTEST_SCHEMA ".made_up WHERE unit = 1%s", which));
		return;
	}
	for (int j = 0; j < COLUMNS; j++)
	{
		nulls[j] = place->value[j] ? ' ' : 'n';
		values[j] = place->value[j] ? CStringGetTextDatum(place->value[j]) : (Datum) 0;
	}
	nulls[COLUMNS] = place->label ? ' ' : 'n';
	values[COLUMNS] = place->label ? CStringGetTextDatum(place->label) : (Datum) 0;
	if (SPI_execute_with_args(psprintf("UPDATE " DPEM_SELFTEST_SCHEMA ".made_up SET a = $1::double precision,"
									   " b = $2::numeric, c = $3::double precision, label = $4%s WHERE unit = 1%s",
									   /* another key is another row, and no row that came or went */
									   replaces(units) ? ", word = $4" : "", which),
							  lengthof(types), types, values, nulls, false, 0) != SPI_OK_UPDATE || SPI_processed == 0)
		elog(ERROR, "dpem: dp_selftest could not change its table");
}

/* the one unit that changes keeps its rows; of special rows that are units of their own, the first */
static void
change_others(const DpemSelftestUnits *units, DpemSelftestOthers others)
{
	execute(psprintf("UPDATE " DPEM_SELFTEST_SCHEMA ".made_up SET %s WHERE %s",
					 others == DPEM_OTHERS_NULL ? "a = NULL, b = NULL, c = NULL, label = NULL" : "a = 0, b = 0, c = 0, label = 'no'",
					 units->several ? "unit <> 1" : "position <> 0"));
}

/* "perhaps", which is none of two classes, is one of three, with rows of its own */
static void
add_class(void)
{
	execute("UPDATE dpem_internal.dataset_column SET categories = '{no,yes,perhaps}' WHERE column_name = 'label'"
			" AND dataset = (SELECT d.id FROM dpem_internal.dataset d WHERE d.name = '" DPEM_SELFTEST_DATASET "')");
	execute("UPDATE " DPEM_SELFTEST_SCHEMA ".made_up SET label = 'perhaps' WHERE position % 5 = 2 AND unit <> 1");
}

/* functions of the others, at a corner where these are, and no reason that a row does not count */
static void
add_columns(void)
{
	execute("ALTER TABLE " DPEM_SELFTEST_SCHEMA ".made_up"
			" ADD COLUMN d double precision GENERATED ALWAYS AS (power(greatest(-1, least(1, a)), 3)) STORED,"
			" ADD COLUMN e double precision GENERATED ALWAYS AS (-greatest(-1, least(1, c)) * abs(greatest(-1, least(1, a)))) STORED");
	execute("INSERT INTO dpem_internal.dataset_column (dataset, position, column_name, kind, lower, upper)"
			" SELECT d.id, 100 + n.i, n.name, 'number', -1, 1 FROM dpem_internal.dataset d, unnest('{d,e}'::text[]) WITH ORDINALITY AS n(name, i)"
			" WHERE d.name = '" DPEM_SELFTEST_DATASET "'");
}

void
dpem_selftest_become(const DpemSelftestUnits *units, int n, DpemSelftestOthers others)
{
	Neighbour	neighbour = {NULL, 0};

	if (n > 0)
		neighbour = nth_neighbour(units, n);
	if (n > 0 && neighbour.place == NULL)
	{
		execute("TRUNCATE " DPEM_SELFTEST_SCHEMA ".made_up");
		insert_rows(units, true);
		ask_for_workers();
	}
	if (units->classes)
		add_class();
	if (units->wide)
		add_columns();
	if (others != DPEM_OTHERS_VARIED)
		change_others(units, others);
	if (others != DPEM_OTHERS_VARIED && neighbour.position > 0)
		neighbour.position = 0;
	if (neighbour.place != NULL)
		change_rows(units, &neighbour);
}
