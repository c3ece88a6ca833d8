/*
 * argument_list.h - reading SQL arguments by position.
 *
 * NULL where a value is required raises 22023 naming the argument.
 */
#ifndef DPEM_SERVER_ARGUMENT_LIST_H
#define DPEM_SERVER_ARGUMENT_LIST_H

#include "postgres.h"

#include "fmgr.h"
#include "nodes/pg_list.h"

extern void dpem_require_argument(FunctionCallInfo fcinfo, int i, const char *name);
extern char *dpem_text_argument(FunctionCallInfo fcinfo, int i, const char *name);
extern char *dpem_optional_text(FunctionCallInfo fcinfo, int i);
extern float8 dpem_float8_argument(FunctionCallInfo fcinfo, int i, const char *name);
extern int32 dpem_int_argument(FunctionCallInfo fcinfo, int i, const char *name);

/* one-dimensional text[] without NULLs or empty strings as a list of char *; NIL for NULL */
extern List *dpem_text_list_argument(FunctionCallInfo fcinfo, int i, const char *name);

/* float8[] of any shape without NULLs, NaN or infinities; *n its length */
extern double *dpem_float8_array_argument(FunctionCallInfo fcinfo, int i, const char *name, int *n);
extern double *dpem_float8_array_values(Datum array, const char *name, int *n);

/* int, int[] without NULLs or text in the form of either, "3" or "{2,3,4}", as its declared type says; *n their number */
extern int32 *dpem_int_values(Datum value, Oid type, const char *name, int *n);

#endif							/* DPEM_SERVER_ARGUMENT_LIST_H */
