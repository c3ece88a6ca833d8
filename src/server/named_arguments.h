/*
 * named_arguments.h - reading the arguments of a SQL function by their names.
 *
 * An argument that a function does not have reads as NULL, so functions with
 * different arguments can share a reader.  NULL where a value is required
 * raises 22023 naming the argument.
 */
#ifndef DPEM_SERVER_NAMED_ARGUMENTS_H
#define DPEM_SERVER_NAMED_ARGUMENTS_H

#include "postgres.h"

#include "fmgr.h"
#include "nodes/pg_list.h"

typedef struct DpemArguments
{
	FunctionCallInfo call;
	int			n;
	char	  **name;			/* n, of the input arguments in their order */
	Oid		   *type;			/* n, as declared, of a polymorphic one the type of the call; InvalidOid: not known */
} DpemArguments;

/* the arguments of this call, in the current memory context */
extern DpemArguments dpem_arguments(FunctionCallInfo fcinfo);

/* is there such an argument, and not NULL? */
extern bool dpem_is_given(const DpemArguments *arguments, const char *name);

extern char *dpem_named_text(const DpemArguments *arguments, const char *name);
extern float8 dpem_named_float8(const DpemArguments *arguments, const char *name);
extern int32 dpem_named_int(const DpemArguments *arguments, const char *name);
/* of an argument that is declared with several types, in functions of one name, or with a polymorphic one */
extern Datum dpem_named_datum(const DpemArguments *arguments, const char *name, Oid *type);
extern bool dpem_named_bool(const DpemArguments *arguments, const char *name);

/* NULL for NULL; if `filled`, an empty string raises 22023 */
extern char *dpem_optional_named_text(const DpemArguments *arguments, const char *name, bool filled);

/* NaN for NULL */
extern float8 dpem_optional_named_float8(const DpemArguments *arguments, const char *name);

/* text[] as a list of char *, float8[] as *n finite numbers; NIL and NULL for NULL (argument_list.h) */
extern List *dpem_named_text_list(const DpemArguments *arguments, const char *name);
extern double *dpem_named_float8_array(const DpemArguments *arguments, const char *name, int *n);

/*
 * A number between two others, or NaN for NULL; an argument that is NaN raises,
 * as do others out of range: 22023.
 */
extern float8 dpem_named_between(const DpemArguments *arguments, const char *name, float8 least, float8 most);

/* the same for an integer that is required */
extern int32 dpem_named_int_between(const DpemArguments *arguments, const char *name, int32 least, int32 most);

/* true for the first, false for the second of two names */
extern bool dpem_named_choice(const DpemArguments *arguments, const char *name, const char *yes, const char *no);

#endif							/* DPEM_SERVER_NAMED_ARGUMENTS_H */
