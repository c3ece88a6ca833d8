/*
 * source_query.h - the inside of a source: its query; included by source.c and
 * source_*.c only.
 */
#ifndef DPEM_SCAN_SOURCE_QUERY_H
#define DPEM_SCAN_SOURCE_QUERY_H

#include "lib/stringinfo.h"
#include "nodes/params.h"
#include "tcop/dest.h"

#include "scan/query/raw_keys.h"
#include "scan/query/source.h"
#include "scan/resident_fit.h"
#include "server/version_shims.h"

struct DpemReader
{
	Oid			role;
	Oid			source;
};

struct DpemSource
{
	Oid			run_as;			/* InvalidOid: as the caller */
	const DpemDataset *dataset;
	bool		uncharged;		/* it has come to read a table that the charge does not cover */
	DpemRowsRead rows;			/* how they are read */
	DpemResidentFit *resident;	/* rows kept between passes, or NULL */
	char	   *query;			/* what follows the aggregate's name; for a source that seeks keys, the whole query */
	bool		seeks_keys;
	DpemDistinct distinct;		/* what is counted instead of the units of keys */
	bool		is_table;		/* the aggregate runs on this server */
	char	   *shards;			/* for dpem_internal.moments, where its states come from other servers; else NULL */
	List	   *trust;			/* queries that fail where other servers would not take a model */
	bool		asks;			/* these are sent now */
	int			d;
	int			groups;			/* 0: none */
	int			classes;		/* of the label; 0: none */
	int			unknown;		/* as bound */
	int			known;			/* numbers that may be unknown, the first coordinates, and the first of those that tell */
	int			told;
	int			nargs;
	double	   *arg_lengths;
	double	   *lower;
	double	   *upper;
	double	   *scale;			/* NULL: all linear */
	Datum		vocabulary;		/* $2 of the query, text[]: of documents; else 0 */
};

/* a row's filter, group, and value of a key; its columns have their own names, or aliases (renamed) */
extern char *dpem_source_filter(const DpemRowFilter *filter, bool renamed);
extern void dpem_source_append_group(StringInfo sql, const DpemGrouping *grouping, bool renamed);
extern char *dpem_source_key(const DpemGrouping *grouping, bool renamed);

/* a column of the source under its own name, or under an alias of ours */
extern char *dpem_source_reference(const DpemColumn *column, const char *alias);

/* a number's value, NaN where it is not known and its row counts all the same */
extern char *dpem_source_number(const DpemColumn *column, const char *reference);

/* the place of a text among n categories, from 1; NULL if it is none of them */
extern char *dpem_source_place(char *const *category, int n, const char *value);

/* condition: is a value that dpem_source_value gives for a number one that counts? */
extern char *dpem_source_is_number(const char *value);

/* ... and the columns of both under their aliases */
extern void dpem_source_append_row_columns(StringInfo sql, const DpemBinding *binding);

/* a value of that type, read in full if it may be long; use it only where it is always evaluated */
extern char *dpem_source_fetched(Oid type, const char *reference);

/* a column as float8, infinite beyond its range, or (labels) as text compared byte by byte; never raises */
extern char *dpem_source_value(const DpemColumn *column, const char *reference);

/*
 * Runs body(source, argument) as rows are read: as the source's owner, with
 * pinned settings.  Errors are reported as by dpem_source_scan.
 */
extern void dpem_source_guard(DpemSource *source, void (*body) (DpemSource *source, void *argument), void *argument);

/* the pass, and a vocabulary */
#define DPEM_QUERY_PARAMETERS	2

/* what a query's rows go to: receiver.receiveSlot is the caller's, dpem_source_execute sets the rest; first in a struct of the caller's */
typedef struct DpemRowReceiver
{
	DestReceiver receiver;		/* must be first */
	DpemSource *source;
	struct _SPI_plan *plan;		/* of the query */
} DpemRowReceiver;

/* until the scan's settings end: queries of tables that have another ledger than the source's are refused, and strangers' functions */
extern void dpem_source_watch(const DpemSource *source);

/*
 * Runs a query of the source, with its own SPI connection; inside dpem_source_guard only.  Raises if it reads a table that
 * was not charged for: when it is planned, all its tables are locked, and before a row is read.
 */
extern void dpem_source_execute(DpemSource *source, const char *query, int options, ParamListInfo params,
								DpemRowReceiver *rows);

/* the query of a pass of dpem_internal.moments */
extern char *dpem_source_moments_query(const DpemSource *source);

/* the state that a pass's query gives; NULL where it gives none */
extern bytea *dpem_source_query_pass(DpemSource *source, const DpemPass *pass);

/* replaces the name of a source that Citus has distributed in a query; role: who will run it */
extern char *dpem_source_gathered(const DpemBinding *binding, Oid role);

/* a subquery that has the rows of a source whose unit is a path, each once, and the bound columns with what is joined to them */
extern char *dpem_source_joined(const DpemBinding *binding);

/* a subquery of one row for each unit, with how many rows it has, for a dataset that counts them (dataset.h) */
extern char *dpem_source_units(const DpemBinding *binding);

/* run_as must be known; sets query, shards, nargs and arg_lengths; sample NULL: all units */
extern void dpem_source_build_query(DpemSource *source, const DpemBinding *binding,
									const DpemSample *sample);

/*
 * The same for a dataset that seeks keys: rows (key text, units bigint), a key
 * NULL for the rows that do not count.  relation: the source's qualified name, or what dpem_source_gathered says.
 */
extern char *dpem_source_keys_query(const DpemBinding *binding, const char *relation);

/* rows (group text, different persons or values bigint) for a dataset that counts these; see source_distinct.c */
extern char *dpem_source_distinct_query(const DpemBinding *binding, const char *relation);

/* does the row count for a statistic of the bound columns?  quota: a unit's other rows do not */
extern char *dpem_source_counts(const DpemBinding *binding, bool renamed, bool quota);

/* the quota of a dataset with a unit, and what rows are read from, as s */
extern char *dpem_source_quota(const DpemBinding *binding);
extern void dpem_source_append_from(StringInfo sql, const DpemBinding *binding, const char *relation,
									const DpemSample *sample);

/* members of a source that is a partitioned table, a table with children or a UNION ALL view, for `role`, who reads them; NIL for others */
extern List *dpem_source_parts(Oid source, Oid role);

/*
 * The query for members some of which are foreign tables on servers with dpem:
 * each of these computes its own state.  arguments: of dpem_internal.moments,
 * columns s.c0, ..., s.label, which `columns` gives these names to.  NULL where none is.
 */
extern char *dpem_source_shards_query(const List *parts, const char *arguments, const char *columns);

/* of such a source, or of one foreign table: the queries of source_trust.c, one a foreign table; column: one of `columns` */
extern List *dpem_source_trust_queries(Oid source, const List *parts, const char *arguments, const char *columns, const char *column);

/* raises 42501: see dpem_source_require_trust */
pg_noreturn extern void dpem_source_refuse_distrust(void);

#endif							/* DPEM_SCAN_SOURCE_QUERY_H */
