/*
 * fdw.h - private foreign tables: plain SQL over datasets.
 *
 * A foreign table of the wrapper dpem_fdw has the registered columns of a dataset
 * and no rows.  The planner is given a path for a grouped query of one
 * such table and nothing else (upper_path.c).  What goes into it is a *question*:
 * groups, aggregates and a filter in the language of core/statistics/filter.h, made from
 * the query's expressions (question.c).  Expressions themselves never go near a private
 * row: what cannot be said in a question is refused.
 *
 * A question is made twice: when the query is planned, so that what is not possible
 * is refused then, and when it is run, when parameters have values.  At the first row
 * that is wanted it is answered (answer.c), by a kept answer or by one
 * charge, and the answer stays with the scan: rescans, cursors and joins read it again.
 */
#ifndef DPEM_FDW_FDW_H
#define DPEM_FDW_FDW_H

#include "nodes/execnodes.h"
#include "nodes/pathnodes.h"
#include "nodes/primnodes.h"
#include "utils/timestamp.h"

#include "core/accounting/budget_rule.h"
#include "core/statistics/statistic.h"
#include "registry/binding.h"
#include "server/version_shims.h"

struct ExplainState;

/* a foreign table and the dataset behind it */
typedef struct DpemPrivateTable
{
	Oid			relation;
	int			number;			/* of the table in the expressions of a query */
	DpemDataset *dataset;
	double		epsilon;		/* of a query that says none: the table's option; 0: none */
	int			columns;
	DpemColumn **column;		/* by attribute number less 1; NULL: dropped */
} DpemPrivateTable;

/* raises 42501 for a dataset that the caller has no share of, 42704, 42703 or DP004 where the table is not what its dataset has registered */
extern DpemPrivateTable *dpem_private_table(Oid relation, int number);

/* the registered column that an expression is, through casts that do not change a value; NULL: it is none */
extern const DpemColumn *dpem_private_column(const DpemPrivateTable *table, Node *expression);

/* casts of numbers that leave the value as it is: of integers to larger types, to numeric and back */
extern bool dpem_cast_keeps_value(RegProcedure function);

/* the one registered column that an expression names, however often; NULL: it names none, others too, or an aggregate */
extern const DpemColumn *dpem_only_column(const DpemPrivateTable *table, Node *expression);

/* a copy of it with something else in place of its columns */
extern Node *dpem_replace_column(Node *expression, Node *by);

/* an expression as the user would write it */
extern char *dpem_deparse(const DpemPrivateTable *table, Node *expression);

/* raises 0A000: the expression cannot be asked for, and what can */
pg_noreturn extern void dpem_refuse_expression(const DpemPrivateTable *table, Node *expression, const char *hint);

/* raises DP004: the dataset is not what it was when the question was made */
pg_noreturn extern void dpem_refuse_altered(const DpemPrivateTable *table);

/* type of the published column, whose type in the source is known; InvalidOid: columns of this kind are not published */
extern Oid	dpem_published_type(const DpemColumn *column);

/* a label's category (NULL: none) in its published type; raises DP004 for one that is no value of it */
extern Const *dpem_category_constant(const DpemPrivateTable *table, const DpemColumn *column, const char *category);

/* a literal that a filter may compare a number with */
extern char *dpem_column_literal(const DpemColumn *column);

/* a constant number; NaN: it is none; a constant text; NULL: it is none */
extern double dpem_constant_number(Node *node);
extern char *dpem_constant_text(Node *node);

/* the elements of an array that is not NULL, each a Const of their type */
extern List *dpem_array_constants(const Const *array);

/* ---- conditions ---- */

/* an expression without columns: a value that a scan computes before it asks */
extern bool dpem_is_value(Node *expression);

/*
 * Conditions, all of which must hold, as a filter's text; NULL for none.  Values that
 * are not constants yet are written as placeholders.  Raises 0A000 for what a filter cannot say, 22023 for NULL or infinite values.
 */
extern char *dpem_filter_of(const DpemPrivateTable *table, List *conditions);

/* a column as a filter has it */
extern char *dpem_column_name(const DpemColumn *column);

/* has an expression a value that is not known yet? and a condition on a column in place of one with such a value */
extern bool dpem_is_open(Node *expression);
extern char *dpem_open_condition(const DpemPrivateTable *table, const DpemColumn *column);

/* true, or false, in every row with a value; NULL in others */
extern char *dpem_constant_condition(const DpemPrivateTable *table, const DpemColumn *column, bool is_true);

/* two filters, either of which may be NULL */
extern char *dpem_filter_and(const char *one, const char *other);

/* the value of an expression whose only column is replaced by a constant; NULL: it has none that is known in advance */
extern Const *dpem_value_at(Node *expression, Node *constant);

/* ---- columns that take whole steps: integers, dates and times ---- */

extern bool dpem_has_lattice(const DpemColumn *column);

/* an expression of one such column that is known never to fall while the column rises */
extern bool dpem_is_ascending(const DpemPrivateTable *table, Node *expression);

/* `left operator right` of an ascending expression and a value, as a filter's text; NULL: it is no comparison of an order.  Raises 0A000 */
extern char *dpem_lattice_comparison(const DpemPrivateTable *table, Oid operator, Oid collation, Node *left, Node *right);

/* an operator with an ascending expression at one side and a value at the other; NULL: it is none */
extern char *dpem_ascending_comparison(const DpemPrivateTable *table, Oid operator, Oid collation, List *arguments);

/* expression = ANY (array), expression <> ALL (array): one comparison for each value; NULL: it is none */
extern char *dpem_ascending_list(const DpemPrivateTable *table, ScalarArrayOpExpr *node);

/*
 * A condition on one such column that may begin again, such as extract(dow FROM ...) IN (0, 6), as a filter's text;
 * NULL: none that is known for the whole domain.  Raises 0A000.
 */
extern char *dpem_cycle_condition(const DpemPrivateTable *table, Node *condition);

/* ---- numbers that are made of a column ---- */

/* factor times the column, as a pass reads it, plus offset */
typedef struct DpemAffine
{
	const DpemColumn *column;	/* NULL: the expression is no such number */
	double		factor;
	double		offset;
} DpemAffine;

/* values that are not known yet count as 1 where they multiply, else as 0 */
extern DpemAffine dpem_affine(const DpemPrivateTable *table, Node *expression);

/* ---- questions ---- */

/* a grouped expression, and what it says of each of its groups */
typedef struct DpemGroupKey
{
	Node	   *expression;
	DpemGroupsRequest request;
	bool		is_private;		/* the values are not public: known when they are released */
	int			n;				/* groups; 0: private */
	char	  **category;		/* n of a label, as they are registered now; NULL: of others */
	Const	  **value;			/* n of the expression's type */
	bool	   *excluded;		/* n: of which WHERE leaves no row; NULL: none */
} DpemGroupKey;

/* the groups of an ascending expression: raises 0A000 for more than 4096, or where it falls */
extern void dpem_lattice_groups(const DpemPrivateTable *table, DpemGroupKey *key);

/* the groups of an expression that may begin again; false: it is none that is known for the whole domain.  Raises 0A000 */
extern bool dpem_cycle_groups(const DpemPrivateTable *table, DpemGroupKey *key);

/* raises 0A000 for an expression that has no public groups */
extern DpemGroupKey *dpem_group_key(const DpemPrivateTable *table, Node *expression);

/* an aggregate */
typedef struct DpemAsk
{
	Aggref	   *aggregate;
	const DpemStatistic *statistic; /* NULL: a quantile */
	bool		population;		/* over n in place of n - 1 */
	double		level;			/* of a quantile */
	double		factor;			/* of what is released: sum(CASE WHEN ... THEN 2 ELSE 0 END) is 2 counts */
	double		offset;			/* what is added to that */
	List	   *columns;		/* names */
	char	   *filter;			/* of its rows; NULL: all */
	char	   *name;			/* for people */
} DpemAsk;

/* where: the query's own filter.  Raises 0A000 for an aggregate that has no private counterpart */
extern DpemAsk *dpem_ask(const DpemPrivateTable *table, Aggref *aggregate, const char *where);

typedef struct DpemQuestion
{
	const DpemPrivateTable *table;
	List	   *keys;			/* of DpemGroupKey */
	List	   *asks;			/* of DpemAsk */
	int		   *place;			/* of the scan's columns: i is key i; -1 - i is ask i */
	Const	  **constant;		/* of the scan's columns: one that is the same in all groups; NULL: it has a place */
	int			columns;
	int			groups;			/* 0: of a private key */
	char	   *text;			/* of it all, the same for the same question */
} DpemQuestion;

/* marks the groups of its keys of which a filter (NULL: none) leaves no row, whatever rows there are */
extern void dpem_exclude_groups(DpemQuestion *question, const char *where);

#define DPEM_GROUPING_SETS_MAX 16

/*
 * columns: of the scan (of TargetEntry), grouped expressions and aggregates; conditions: of WHERE; set: sortgrouprefs
 * of those expressions that are grouped by, where GROUPING SETS leave some out, else NULL
 */
extern DpemQuestion *dpem_question(const DpemPrivateTable *table, List *columns, List *conditions, const List *const *set);

/* ---- answers ---- */

typedef struct DpemAnswer
{
	int			groups;
	int			asks;
	double	   *value;			/* groups times asks, of a group together; the same for the others */
	double	   *noise;			/* standard deviation; NaN: of a quantile */
	double	   *lower;			/* 95 % interval; of a quantile: the part of the domain that was chosen */
	double	   *upper;
	double	   *rank_error;		/* of a quantile, in rows; NaN: of others */
	bool	   *adds;			/* asks: dpem_statistic_adds */
	char	  **key;			/* groups, of a private key; else NULL */
	double		epsilon;
	double		delta;
	int64		charge;			/* 0: none */
	TimestampTz answered_at;
	bool		reused;
} DpemAnswer;

/* a price for a query: the settings, or the table's option */
typedef struct DpemPrice
{
	double		epsilon;
	double		delta;
} DpemPrice;

/* raises 22023 with a hint where nobody said any epsilon */
extern DpemPrice dpem_query_price(const DpemPrivateTable *table);

/*
 * Questions of one query, which are one charge: n of them, each with at least one ask and all with
 * public groups, or a single one.  What the noise in each ask will be, those of the first
 * question first (NaN: that depends on rows), and what the charge adds to totals, unless cost is NULL; spends and reads nothing.
 */
extern double *dpem_forecast_answers(const DpemQuestion *const *question, int n, DpemPrice price, DpemTotals *cost);

/* raises what dpem_answers would between planning and the charge; reads no row */
extern void dpem_answers_require_open(const DpemQuestion *const *question, int n, DpemPrice price);

/* n answers: charges once, reads, releases; in the current memory context */
extern DpemAnswer **dpem_answers(const DpemQuestion *const *question, int n, DpemPrice price);

/* groups and nothing else: public, at no price */
extern DpemAnswer *dpem_answer_of_groups(const DpemQuestion *question);

/* an answer of so many groups, all 0 */
extern DpemAnswer *dpem_create_answer(const DpemQuestion *question, int groups);

/* the values of a group's keys, after one another; NULL: there is one group */
extern char *dpem_key_of(const DpemQuestion *question, const DpemAnswer *answer, int group);

/* kept answers to the same questions, which may charge the role's share (answers/kept.h); NULL: there are none */
extern DpemAnswer **dpem_kept_answers(const DpemQuestion *const *question, int n, DpemPrice price);

/* the same of what the role has paid for, for EXPLAIN: charges nothing */
extern DpemAnswer **dpem_forecast_kept(const DpemQuestion *const *question, int n, DpemPrice price);

extern void dpem_keep_answers(const DpemQuestion *const *question, DpemAnswer *const *answer, int n);

/*
 * All n questions of a query, kept answers or new ones, with as few charges as have lines for
 * them; price: of the query, NULL of one that asks for public groups alone
 */
extern void dpem_answer_questions(const DpemQuestion *const *question, int n, const DpemPrice *price, DpemAnswer **answer);

/* what they cost and how noisy they will be; answer: NULL before they are asked */
extern void dpem_explain_questions(const DpemQuestion *const *question, int n, const DpemPrice *price, DpemAnswer *const *answer, struct ExplainState *es);

/* for dpem.last_answer: what follows is another query's; and an answer of this one */
extern void dpem_last_answer_begin(void);
extern void dpem_last_answer_add(const DpemQuestion *question, const DpemAnswer *answer);

/* what a scan's column says of a group, in its own type */
extern Datum dpem_answer_column(const DpemQuestion *question, const DpemAnswer *answer, int group, int column, bool *isnull);

/* is it a group of which WHERE leaves no row? */
extern bool dpem_answer_is_excluded(const DpemQuestion *question, int group);

/* that, or one of several of which no number is shown, as its persons are too few (families/statistics/minimum.h)? */
extern bool dpem_answer_is_hidden(const DpemQuestion *question, const DpemAnswer *answer, int group);

/* ---- the table by itself: synthetic rows, where its option names a model ---- */

/* NULL: it names none */
extern const char *dpem_synthetic_model(Oid relation);

/*
 * The next row, the first one with a NOTICE that says what they are; raises 0A000 where no model is named, 42704
 * for one that the caller may not read
 */
extern TupleTableSlot *dpem_rows_next(ForeignScanState *node);
extern void dpem_rows_rescan(ForeignScanState *node);
extern void dpem_rows_explain(ForeignScanState *node, struct ExplainState *es);

/* ---- the wrapper's callbacks ---- */

extern void dpem_get_upper_paths(PlannerInfo *root, UpperRelationKind stage, RelOptInfo *input_rel, RelOptInfo *output_rel, void *extra);

/* columns of the scan, conditions of WHERE, the table: what a plan keeps of a question */
typedef struct DpemPlannedQuestion
{
	const DpemPrivateTable *table;
	List	   *columns;		/* of TargetEntry */
	List	   *conditions;
	List	   *sets;			/* of IntList, of GROUPING SETS, each a question of its own (bundle.c); NIL: there is one question */
} DpemPlannedQuestion;

extern void dpem_begin_scan(ForeignScanState *node, int eflags);
extern TupleTableSlot *dpem_iterate_scan(ForeignScanState *node);
extern void dpem_rescan(ForeignScanState *node);
extern void dpem_end_scan(ForeignScanState *node);
extern void dpem_explain_scan(ForeignScanState *node, struct ExplainState *es);

extern List *dpem_import_schema(ImportForeignSchemaStmt *statement, Oid server);

extern void dpem_fdw_init(void);

#endif							/* DPEM_FDW_FDW_H */
