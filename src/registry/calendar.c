/*
 * calendar.c - see calendar.h.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "pgtime.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/timestamp.h"

#include "registry/calendar.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dpem_days);
PG_FUNCTION_INFO_V1(dpem_seconds);
PG_FUNCTION_INFO_V1(dpem_date_at);
PG_FUNCTION_INFO_V1(dpem_timestamp_at);

static const struct
{
	Oid			type;
	const char *name;
}			calendars[] = {{DATEOID, "date"}, {TIMESTAMPOID, "timestamp"}, {TIMESTAMPTZOID, "timestamptz"}};

Oid
dpem_calendar_from_name(const char *name)
{
	for (int i = 0; name != NULL && i < lengthof(calendars); i++)
	{
		if (strcmp(calendars[i].name, name) == 0)
			return calendars[i].type;
	}
	return InvalidOid;
}

const char *
dpem_calendar_name(Oid calendar)
{
	for (int i = 0; i < lengthof(calendars); i++)
	{
		if (calendars[i].type == calendar)
			return calendars[i].name;
	}
	return NULL;
}

bool
dpem_is_calendar(Oid type)
{
	return dpem_calendar_name(type) != NULL;
}

/* ---- numbers ---- */

static double
days_of(DateADT date)
{
	if (DATE_NOT_FINITE(date))
		return DATE_IS_NOBEGIN(date) ? -INFINITY : INFINITY;
	return date;
}

static double
seconds_of(Timestamp time)
{
	if (TIMESTAMP_NOT_FINITE(time))
		return TIMESTAMP_IS_NOBEGIN(time) ? -INFINITY : INFINITY;
	return (double) time / USECS_PER_SEC;
}

double
dpem_calendar_number(Oid calendar, Datum value)
{
	return calendar == DATEOID ? days_of(DatumGetDateADT(value)) : seconds_of(DatumGetTimestamp(value));
}

bool
dpem_calendar_is_common(Oid calendar, double number)
{
	double		day = calendar == DATEOID ? number : floor(number / SECS_PER_DAY);

	return day >= DPEM_FIRST_DAY && day <= DPEM_LAST_DAY;
}

static DateADT
date_at(double days)
{
	const double least = DATETIME_MIN_JULIAN - POSTGRES_EPOCH_JDATE;
	const double most = DATE_END_JULIAN - POSTGRES_EPOCH_JDATE;

	if (!(days >= least))
		return DATEVAL_NOBEGIN;
	return days < most ? (DateADT) floor(days) : DATEVAL_NOEND;
}

static Timestamp
timestamp_at(double seconds)
{
	double		micros = rint(seconds * USECS_PER_SEC);

	if (!(micros >= (double) MIN_TIMESTAMP))
		return DT_NOBEGIN;
	return micros < (double) END_TIMESTAMP ? (Timestamp) micros : DT_NOEND;
}

Datum
dpem_calendar_value(Oid calendar, double number)
{
	return calendar == DATEOID ? DateADTGetDatum(date_at(number)) : TimestampGetDatum(timestamp_at(number));
}

/* ---- literals ---- */

/* a date of the ISO form and, for times, what follows it: no words, whose meaning depends on when they are read */
static bool
looks_iso(Oid calendar, const char *s)
{
	size_t		year = strspn(s, "0123456789");
	size_t		end;

	if (year < 4 || year > 7 || s[year] != '-' || strlen(s) >= MAXDATELEN)
		return false;
	end = strspn(s, calendar == DATEOID ? "0123456789-" : "0123456789-:.+TZ ");
	return s[end] == '\0' || strcmp(s + end - (s[end - 1] == ' '), " BC") == 0;
}

/* the fields of a literal: 0 without errors */
static int
decode(const char *literal, struct pg_tm *tm, fsec_t *fraction, int *zone, int *kind)
{
	char		work[MAXDATELEN + MAXDATEFIELDS];
	char	   *field[MAXDATEFIELDS];
	int			type[MAXDATEFIELDS];
	int			fields;

	if (ParseDateTime(literal, work, sizeof(work), field, type, MAXDATEFIELDS, &fields) != 0)
		return -1;
#if PG_VERSION_NUM >= 160000
	{
		DateTimeErrorExtra extra;

		return DecodeDateTime(field, type, fields, kind, tm, fraction, zone, &extra);
	}
#else
	return DecodeDateTime(field, type, fields, kind, tm, fraction, zone);
#endif
}

/* a date may have one, too, but not one that begins as its own parts do */
static bool
has_offset(const char *literal)
{
	const char *time = strpbrk(literal, "T ");

	return strpbrk(literal, "Z+") != NULL || (time != NULL && strchr(time, '-') != NULL);
}

/* of a literal of the type `form` */
static bool
read_form(Oid form, Oid calendar, const char *literal, double *number)
{
	struct pg_tm tm;
	fsec_t		fraction = 0;
	int			zone = 0;
	int			kind = 0;
	Timestamp	time;

	if (!looks_iso(form, literal) || decode(literal, &tm, &fraction, &zone, &kind) != 0 || kind != DTK_DATE)
		return false;
	/* as the server does, the offset of a time without a time zone means nothing */
	if (!has_offset(literal) || calendar != TIMESTAMPTZOID)
		zone = 0;
	if (!IS_VALID_JULIAN(tm.tm_year, tm.tm_mon, tm.tm_mday))
		return false;
	if (calendar == DATEOID)
	{
		*number = date2j(tm.tm_year, tm.tm_mon, tm.tm_mday) - POSTGRES_EPOCH_JDATE;
		return IS_VALID_DATE((DateADT) *number);
	}
	if (tm2timestamp(&tm, fraction, &zone, &time) != 0)
		return false;
	*number = seconds_of(time);
	return true;
}

bool
dpem_calendar_read(Oid calendar, const char *literal, double *number)
{
	return read_form(calendar, calendar, literal, number);
}

bool
dpem_calendar_read_any(Oid calendar, const char *text, double *number)
{
	bool		time = strchr(text, 'T') != NULL;

	if (strcmp(text, "infinity") == 0 || strcmp(text, "-infinity") == 0)
	{
		*number = NAN;
		return true;
	}
	return read_form(time ? TIMESTAMPOID : calendar, calendar, text, number);
}

char *
dpem_calendar_write(Oid calendar, double number)
{
	Datum		value = dpem_calendar_value(calendar, number);
	char		text[MAXDATELEN + 1];
	struct pg_tm tm;
	fsec_t		fraction = 0;

	if (calendar == DATEOID)
	{
		j2date(DatumGetDateADT(value) + POSTGRES_EPOCH_JDATE, &tm.tm_year, &tm.tm_mon, &tm.tm_mday);
		EncodeDateOnly(&tm, USE_ISO_DATES, text);
	}
	else
	{
		(void) timestamp2tm(DatumGetTimestamp(value), NULL, &tm, &fraction, NULL, NULL);
		EncodeDateTime(&tm, fraction, calendar == TIMESTAMPTZOID, 0, NULL, USE_ISO_DATES, text);
	}
	return pstrdup(text);
}

/* ---- SQL ---- */

char *
dpem_calendar_source(Oid calendar, const char *reference)
{
	return psprintf("dpem_internal.%s(%s)", calendar == DATEOID ? "days" : "seconds", reference);
}

/* extract(epoch ...) is infinite where its argument is, and otherwise a number of seconds since 1970 that a server has without rounding */
char *
dpem_calendar_expression(Oid calendar, const char *own)
{
	const int	days = POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE;

	if (calendar == DATEOID)
		return psprintf("CAST(extract(epoch FROM CAST(%s AS date)) / %d - %d AS double precision)", own, SECS_PER_DAY, days);
	return psprintf("CAST(extract(epoch FROM CAST(%s AS %s)) - %d AS double precision)", own, dpem_calendar_name(calendar), days * SECS_PER_DAY);
}

/* dpem_internal.days(date): since 2000-01-01; never raises */
Datum
dpem_days(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(days_of(PG_GETARG_DATEADT(0)));
}

/* dpem_internal.seconds(timestamp), dpem_internal.seconds(timestamptz): since 2000-01-01, of the latter in UTC; never raises */
Datum
dpem_seconds(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(seconds_of(PG_GETARG_TIMESTAMP(0)));
}

/* dpem.date_at(float8): the day of so many days since 2000-01-01; NULL for NaN */
Datum
dpem_date_at(PG_FUNCTION_ARGS)
{
	if (isnan(PG_GETARG_FLOAT8(0)))
		PG_RETURN_NULL();
	PG_RETURN_DATEADT(date_at(PG_GETARG_FLOAT8(0)));
}

/* dpem.timestamp_at(float8): the time of so many seconds since 2000-01-01 00:00; NULL for NaN */
Datum
dpem_timestamp_at(PG_FUNCTION_ARGS)
{
	if (isnan(PG_GETARG_FLOAT8(0)))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMP(timestamp_at(PG_GETARG_FLOAT8(0)));
}
