/*
 * snapshot.c - looks at counters kept until another one gives a difference.
 */
#include "workload/snapshot.h"

#include <math.h>
#include <string.h>
#include <time.h>

int
snapshot_put(struct evidence *e, struct evidence_snapshot *s, const char *name, struct span value,
	struct err *err)
{
	const char **names = arena_grow(e->arena, s->names, s->n, sizeof(*names));
	const char **values = arena_grow(e->arena, s->values, s->n, sizeof(*values));
	const char *copy = span_copy(e->arena, value);
	if (!names || !values || !copy || !name)
		return err_nomem(err);
	s->names = names;
	s->values = values;
	names[s->n] = name;
	values[s->n++] = copy;
	return 0;
}

const char *
snapshot_text(const struct evidence_snapshot *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->names[i], name) == 0)
			return s->values[i];
	return NULL;
}

double
snapshot_number(const struct evidence_snapshot *s, const char *name)
{
	const char *text = snapshot_text(s, name);
	return text ? span_number(span_of(text)) : (double)NAN;
}

/* `n` digits as a whole number, stepped over; -1 when there are not as many. */
static int
digits(struct span *s, size_t n)
{
	int value = 0;
	if (s->n < n)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (s->text[i] < '0' || s->text[i] > '9')
			return -1;
		value = value * 10 + (s->text[i] - '0');
	}
	s->text += n;
	s->n -= n;
	return value;
}

/* "+00", "-0530", "+01:00", "Z"; NaN when it is none. */
static double
zone(struct span s, double offset_s)
{
	s = span_trim(s);
	if (s.n == 0)
		return isnan(offset_s) ? 0 : offset_s;
	if (span_is(s, "Z") || span_is(s, "UTC"))
		return 0;
	double sign = *s.text == '-' ? -1 : *s.text == '+' ? 1 : (double)NAN;
	s.text++;
	s.n--;
	int hours = digits(&s, 2), minutes = 0;
	if (s.n) {
		span_eat(&s, ":");
		minutes = digits(&s, 2);
	}
	return hours < 0 || minutes < 0 ? (double)NAN : sign * (hours * 3600.0 + minutes * 60.0);
}

double
snapshot_time(struct span s, double offset_s)
{
	struct tm tm = {0};
	double fraction = 0;
	s = span_trim(s);
	tm.tm_year = digits(&s, 4) - 1900;
	bool ok = span_eat(&s, "-") && (tm.tm_mon = digits(&s, 2) - 1) >= 0 && tm.tm_mon < 12 &&
		  span_eat(&s, "-") && (tm.tm_mday = digits(&s, 2)) >= 1 && tm.tm_mday <= 31 &&
		  (span_eat(&s, "T") || span_eat(&s, "")) && s.n;
	if (!ok || tm.tm_year < 0)
		return NAN;
	s = span_trim(s);
	ok = (tm.tm_hour = digits(&s, 2)) >= 0 && tm.tm_hour < 24 && span_eat(&s, ":") &&
	     (tm.tm_min = digits(&s, 2)) >= 0 && tm.tm_min < 60 && span_eat(&s, ":") &&
	     (tm.tm_sec = digits(&s, 2)) >= 0 && tm.tm_sec <= 60;
	if (!ok)
		return NAN;
	if (s.n && *s.text == '.') {
		double scale = 1;
		s.text++;
		s.n--;
		for (int d; (d = digits(&s, 1)) >= 0;) {
			scale /= 10;
			fraction += d * scale;
		}
	}
	return (double)timegm(&tm) + fraction - zone(s, offset_s);
}
