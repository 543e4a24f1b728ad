#include "workload/evidence_clock.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

struct date {
	int first, second, year; /* in the order of the text, unless `iso` */
	bool iso; /* first: month, second: day */
	char sign;
};

struct span {
	const char *text, *end;
};

/* Up to `most` digits; -1 when there is none. */
static int
digits(struct span *s, int most)
{
	int v = 0, n = 0;
	while (n < most && s->text < s->end && isdigit((unsigned char)*s->text)) {
		v = v * 10 + (*s->text++ - '0');
		n++;
	}
	return n ? v : -1;
}

static bool
skip(struct span *s, char c)
{
	if (s->text == s->end || *s->text != c)
		return false;
	s->text++;
	return true;
}

static bool
at_digit(const struct span *s)
{
	return s->text < s->end && isdigit((unsigned char)*s->text);
}

static bool
take_date(struct span *s, struct date *d)
{
	struct span at = *s;
	int a = digits(&at, 4);
	if (a < 0 || at.text == at.end || !strchr("/.-", *at.text))
		return false;
	char sign = *at.text++;
	int b = digits(&at, 2);
	if (b < 0 || !skip(&at, sign))
		return false;
	int c = digits(&at, 4);
	if (c < 0 || at_digit(&at))
		return false;
	*d = a > 31 ? (struct date){b, c, a, true, sign} : (struct date){a, b, c, false, sign};
	if (d->year < 100)
		d->year += 2000;
	*s = at;
	return d->year >= 1970 && d->year < 2200;
}

/* Days since 1970 of a date of the Gregorian calendar; NaN when there is no such day. */
static double
days_of(int year, int month, int day)
{
	static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	if (month < 1 || month > 12 || day < 1 ||
		day > lengths[month - 1] + (month == 2 && leap ? 1 : 0))
		return NAN;
	int days = 0;
	for (int m = 1; m < month; m++)
		days += lengths[m - 1] + (m == 2 && leap ? 1 : 0);
	int y = year - 1, leaps = y / 4 - y / 100 + y / 400;
	return y * 365.0 + leaps - 719162 + days + day - 1;
}

static double
day_of(const struct date *d, bool day_first)
{
	bool swap = day_first && !d->iso;
	return 86400 * days_of(d->year, swap ? d->second : d->first, swap ? d->first : d->second);
}

/* A word as AM or PM after the time; 12 AM is 0. */
static double
half_day(struct span *s, double seconds)
{
	struct span at = *s;
	while (at.text < at.end && *at.text == ' ')
		at.text++;
	if (at.end - at.text < 2 || !strchr("AaPp", at.text[0]) || !strchr("Mm", at.text[1]) ||
		(at.end - at.text > 2 && isalnum((unsigned char)at.text[2])))
		return seconds;
	bool evening = at.text[0] == 'P' || at.text[0] == 'p';
	s->text = at.text + 2;
	double hour = floor(seconds / 3600);
	if (hour >= 12)
		seconds -= 12 * 3600;
	return seconds + (evening ? 12 * 3600 : 0);
}

static double
take_time(struct span *s)
{
	struct span at = *s;
	int h = digits(&at, 2);
	if (h < 0 || h > 23 || !skip(&at, ':'))
		return NAN;
	int m = digits(&at, 2);
	if (m < 0 || m > 59)
		return NAN;
	double v = h * 3600.0 + m * 60.0;
	if (skip(&at, ':')) {
		int sec = digits(&at, 2);
		if (sec < 0 || sec > 60)
			return NAN;
		v += sec;
	}
	double part = 0.1;
	if (at.end - at.text > 1 && strchr(".,", *at.text) && isdigit((unsigned char)at.text[1])) {
		for (at.text++; at_digit(&at); part /= 10)
			v += (*at.text++ - '0') * part;
	}
	*s = at;
	return half_day(s, v);
}

/* Offset of a zone in seconds: Z, UTC, +0100, -07:00; NaN when there is none. */
static double
take_zone(struct span *s)
{
	struct span at = *s;
	while (at.text < at.end && *at.text == ' ')
		at.text++;
	if (at.end - at.text >= 3 && memcmp(at.text, "UTC", 3) == 0) {
		s->text = at.text + 3;
		return 0;
	}
	if (skip(&at, 'Z')) {
		*s = at;
		return 0;
	}
	double sign = 1;
	if (skip(&at, '-'))
		sign = -1;
	else if (!skip(&at, '+'))
		return NAN;
	int h = digits(&at, 2);
	skip(&at, ':');
	int m = digits(&at, 2);
	if (h < 0 || h > 14)
		return NAN;
	*s = at;
	return sign * (h * 3600.0 + (m > 0 ? m * 60.0 : 0));
}

double
evidence_clock_time(const char *text, size_t n, size_t *used)
{
	struct span s = {text, text + n};
	double v = take_time(&s);
	*used = (size_t)(s.text - text);
	return v;
}

double
evidence_clock_day(const struct evidence_clock *c, const char *text, size_t n)
{
	struct span s = {text, text + n};
	struct date d;
	return take_date(&s, &d) ? day_of(&d, c->day_first) : (double)NAN;
}

/* Date and time; the time in *seconds. */
static bool
take_stamp(struct span *s, struct date *d, double *seconds)
{
	struct span at = *s;
	if (!take_date(&at, d) || at.text == at.end || !strchr(" T", *at.text))
		return false;
	while (at.text < at.end && (*at.text == ' ' || *at.text == 'T'))
		at.text++;
	*seconds = take_time(&at);
	if (isnan(*seconds))
		return false;
	*s = at;
	return true;
}

double
evidence_clock_read(const struct evidence_clock *c, const char *text, size_t n, size_t *used)
{
	struct span s = {text, text + n};
	struct date d;
	double seconds;
	*used = 0;
	if (!take_stamp(&s, &d, &seconds))
		return NAN;
	double zone = take_zone(&s);
	*used = (size_t)(s.text - text);
	return day_of(&d, c->day_first) + seconds - (isnan(zone) ? c->utc_offset_s : zone);
}

/* How one of the two orders reads the dates of a text. */
struct order {
	size_t impossible, backward;
	double first, last;
};

static void
try_date(struct order *o, const struct date *d, double seconds, bool day_first)
{
	double at = day_of(d, day_first) + seconds;
	if (isnan(at)) {
		o->impossible++;
		return;
	}
	if (at < o->last)
		o->backward++;
	if (isnan(o->first))
		o->first = at;
	o->last = at;
}

/* < 0: a reads the text better. */
static double
compare(const struct order *a, const struct order *b)
{
	if (a->impossible != b->impossible)
		return a->impossible < b->impossible ? -1 : 1;
	if (a->backward != b->backward)
		return a->backward < b->backward ? -1 : 1;
	double spans = (a->last - a->first) - (b->last - b->first);
	return isnan(spans) ? 0 : spans;
}

void
evidence_clock_decide(struct evidence_clock *c, const struct evidence_input *in)
{
	const struct evidence_options *o = in->options;
	struct order month = {0, 0, NAN, NAN}, day = {0, 0, NAN, NAN};
	const char *end = in->text + in->n;
	char sign = 0;
	*c = (struct evidence_clock){0};
	if (o && !isnan(o->utc_offset_s))
		c->utc_offset_s = o->utc_offset_s;
	for (const char *p = in->text; p < end; p++) {
		struct span s = {p, end};
		struct date d;
		double seconds;
		if (!isdigit((unsigned char)*p))
			continue;
		bool found = take_stamp(&s, &d, &seconds);
		if (found && !d.iso) {
			try_date(&month, &d, seconds, false);
			try_date(&day, &d, seconds, true);
			sign = d.sign;
		}
		while (!found && p + 1 < end && isdigit((unsigned char)p[1]))
			p++;
		if (found)
			p = s.text - 1;
	}
	double better = compare(&day, &month);
	if (o && o->day_first >= 0) {
		c->day_first = o->day_first > 0;
		return;
	}
	c->day_first = better < 0 || (better == 0 && sign == '.');
	c->guessed = sign != 0 && better == 0 && !isnan(day.first) && day.first != month.first;
}

void
evidence_clock_say(
	const struct evidence_clock *c, const struct evidence_input *in, struct evidence *e)
{
	if (c->guessed)
		findings_add(&e->findings, SEVERITY_NOTE, "date-order",
			c->day_first ? "give --month-first if not" : "give --day-first if not",
			"%s: its dates can be read in two ways; the %s is taken to come first",
			in->name, c->day_first ? "day" : "month");
}

double
evidence_flow_next(struct evidence_flow *f, double at_s)
{
	const double hour_s = 3600;
	double step = at_s + f->shift_s - f->last_s;
	if (step < 0 && step + hour_s > 0 && step + hour_s <= hour_s / 2) {
		f->shift_s += hour_s;
		f->hour_back++;
	} else if (step < 0) {
		f->backwards++;
	}
	f->last_s = at_s + f->shift_s;
	return f->last_s;
}

void
evidence_flow_say(const struct evidence_flow *f, const char *file, struct findings *out)
{
	if (f->hour_back)
		findings_add(out, SEVERITY_NOTE, "clock-change",
			"log in UTC, or with the zone in each time (S_TIME_FORMAT=ISO)",
			"%s: times step back by an hour %zu time%s: taken as the end of summer "
			"time, what follows is an hour later than it says",
			file, f->hour_back, f->hour_back == 1 ? "" : "s");
	if (f->backwards)
		findings_add(out, SEVERITY_WARNING, "time-backwards",
			"use a clock that is not set back; one file for each run",
			"%s: %zu report%s of a time before the last one: put in order of time",
			file, f->backwards, f->backwards == 1 ? " is" : "s are");
}
