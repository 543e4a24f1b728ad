/*
 * clock.h - monotonic time for measuring, calendar dates for prices and reports.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

#include "base/err.h"

/* CLOCK_MONOTONIC in nanoseconds. */
int64_t clock_ns(void);

/* Seconds since 1970: SOURCE_DATE_EPOCH when set and valid, else the system clock. */
int64_t clock_epoch_s(void);

/* "YYYY-MM-DD" of an epoch (UTC) into text[11]. */
void clock_date_text(int64_t epoch_s, char text[11]);
/* "YYYY-MM-DDTHH:MM:SSZ" of an epoch into text[21]. */
void clock_iso_text(int64_t epoch_s, char text[21]);

/* Days since 1970-01-01 of "YYYY-MM-DD" (anything after the tenth character ignored when it starts
 * with T).  ERR_PARSE when it is not a calendar date. */
int clock_parse_date(const char *text, int64_t *days, struct err *err);

/* Days from the date to today (negative: in the future). */
int clock_age_days(const char *date, int64_t *days, struct err *err);

#endif /* BASE_CLOCK_H */
