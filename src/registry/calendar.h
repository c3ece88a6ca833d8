/*
 * calendar.h - dates and times as numbers.
 *
 * A column of dates is read as days since 2000-01-01, one of timestamps as seconds since
 * 2000-01-01 00:00 (UTC, of those with a time zone).  Its registered bounds are such numbers, and so are
 * all that a fit sees and releases.
 */
#ifndef DPEM_REGISTRY_CALENDAR_H
#define DPEM_REGISTRY_CALENDAR_H

#include "postgres.h"

#define DPEM_FIRST_DAY	(-730119)	/* 0001-01-01 */
#define DPEM_LAST_DAY	2921939		/* 9999-12-31 */

/* DATEOID, TIMESTAMPOID or TIMESTAMPTZOID from the catalog's word for it, and back; InvalidOid and NULL: a plain number */
extern Oid	dpem_calendar_from_name(const char *name);
extern const char *dpem_calendar_name(Oid calendar);

extern bool dpem_is_calendar(Oid type);

/* is it in the years 1 to 9999, which have literals of one form? */
extern bool dpem_calendar_is_common(Oid calendar, double number);

/* the number of a value of that type; infinite for infinite ones */
extern double dpem_calendar_number(Oid calendar, Datum value);

/* the value of a number, rounded down to a whole day, or to the nearest microsecond; infinite beyond the type's range */
extern Datum dpem_calendar_value(Oid calendar, double number);

/*
 * The number of a literal as ISO 8601 writes it, whatever the session's DateStyle and
 * TimeZone are; one without an offset is UTC.  False: it is none, or none that is finite.
 */
extern bool dpem_calendar_read(Oid calendar, const char *literal, double *number);

/*
 * The number of a date or time as to_jsonb writes it, of that type or cast to it, as the server casts but for dates and times without an
 * offset, which are UTC where the calendar has time zones; NaN of infinite ones.  False: it is none.
 */
extern bool dpem_calendar_read_any(Oid calendar, const char *text, double *number);

/* a number as such a literal */
extern char *dpem_calendar_write(Oid calendar, double number);

/* SQL that reads a column of that type as a number; never raises */
extern char *dpem_calendar_source(Oid calendar, const char *reference);

/* the same for servers without dpem; of the session's time zone if `own` is of a type that does not say its own */
extern char *dpem_calendar_expression(Oid calendar, const char *own);

#endif							/* DPEM_REGISTRY_CALENDAR_H */
