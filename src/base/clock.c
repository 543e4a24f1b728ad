#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int64_t
clock_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t
clock_epoch_s(void)
{
	const char *fixed = getenv("SOURCE_DATE_EPOCH");
	if (fixed && *fixed) {
		char *end;
		long long s = strtoll(fixed, &end, 10);
		if (*end == '\0' && s >= 0 && s < 253402300800LL) /* year 10000 */
			return s;
	}
	return (int64_t)time(NULL);
}

void
clock_date_text(int64_t epoch_s, char text[11])
{
	time_t t = (time_t)epoch_s;
	struct tm tm = {0};
	gmtime_r(&t, &tm);
	strftime(text, 11, "%Y-%m-%d", &tm);
}

void
clock_iso_text(int64_t epoch_s, char text[21])
{
	time_t t = (time_t)epoch_s;
	struct tm tm = {0};
	gmtime_r(&t, &tm);
	strftime(text, 21, "%Y-%m-%dT%H:%M:%SZ", &tm);
}

static int64_t
days_of(const struct tm *tm)
{
	struct tm copy = *tm;
	return (int64_t)timegm(&copy) / 86400;
}

int
clock_parse_date(const char *text, int64_t *days, struct err *err)
{
	struct tm tm = {0};
	char back[11];
	const char *end = strptime(text, "%Y-%m-%d", &tm);
	if (end && end - text == 10 && (*end == '\0' || *end == 'T')) {
		int64_t d = days_of(&tm);
		clock_date_text(d * 86400, back);
		if (strncmp(back, text, 10) == 0) {
			*days = d;
			return 0;
		}
	}
	return err_set(err, ERR_PARSE, "\"%.40s\" is not a date: YYYY-MM-DD", text);
}

int
clock_age_days(const char *date, int64_t *days, struct err *err)
{
	int64_t then = 0;
	int rc = clock_parse_date(date, &then, err);
	if (rc == 0)
		*days = clock_epoch_s() / 86400 - then;
	return rc;
}
