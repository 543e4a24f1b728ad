#include "workload/evidence_lines.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "workload/series.h"

bool
evidence_next_line(const char *text, size_t n, struct evidence_line *line)
{
	const char *end = text + n, *from = text;
	if (line->text) {
		from = line->text + line->n;
		from += from < end && *from == '\r';
		from += from < end && *from == '\n';
	}
	if (from >= end)
		return false;
	const char *stop = memchr(from, '\n', (size_t)(end - from));
	line->whole = stop != NULL;
	line->text = from;
	line->n = (size_t)((stop ? stop : end) - from);
	if (stop && line->n && from[line->n - 1] == '\r')
		line->n--;
	line->number++;
	return true;
}

static bool
blank(char c)
{
	return c == ' ' || c == '\t';
}

size_t
evidence_words(const struct evidence_line *line, struct evidence_word *words, size_t max)
{
	const char *p = line->text, *end = p + line->n;
	size_t n = 0;
	for (;;) {
		while (p < end && blank(*p))
			p++;
		if (p == end)
			return n;
		const char *from = p;
		while (p < end && !blank(*p))
			p++;
		if (n < max)
			words[n] = (struct evidence_word){from, (size_t)(p - from)};
		n++;
	}
}

bool
evidence_word_is(const struct evidence_word *w, const char *text)
{
	return w->n == strlen(text) && memcmp(w->text, text, w->n) == 0;
}

bool
evidence_starts(const struct evidence_line *line, const char *text)
{
	size_t n = strlen(text);
	return line->n >= n && memcmp(line->text, text, n) == 0;
}

/* What a letter behind a number multiplies it by; NaN: it is no such letter. */
static double
unit_of(char c)
{
	switch (c) {
	case '%':
		return 1;
	case 'k':
	case 'K':
		return 1024.0;
	case 'M':
		return 1048576.0;
	case 'G':
		return 1073741824.0;
	case 'T':
		return 1099511627776.0;
	default:
		return NAN;
	}
}

double
evidence_number(const char *text, size_t n)
{
	char copy[64], *end = NULL;
	double unit = 1;
	if (n && !isdigit((unsigned char)text[n - 1]) && text[n - 1] != '.')
		unit = unit_of(text[--n]);
	if (n == 0 || n >= sizeof(copy) || isnan(unit))
		return NAN;
	for (size_t i = 0; i < n; i++) {
		copy[i] = text[i] == ',' ? '.' : text[i];
		if (!isdigit((unsigned char)copy[i]) && !strchr(".+-eE", copy[i]))
			return NAN;
	}
	copy[n] = '\0';
	double v = strtod(copy, &end);
	return end != copy + n || !isfinite(v) ? (double)NAN : v * unit;
}

bool
evidence_is_numeric(const struct evidence_word *w)
{
	static const char *const none[] = {"nan", "inf", "infinity"};
	size_t sign = w->n && (w->text[0] == '-' || w->text[0] == '+');
	if (!isnan(evidence_number(w->text, w->n)))
		return true;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		if (w->n - sign == strlen(none[i]) &&
			strncasecmp(w->text + sign, none[i], w->n - sign) == 0)
			return true;
	}
	return false;
}

static bool
numbered(const char *name, const char *stem)
{
	size_t n = strlen(stem);
	return strncmp(name, stem, n) == 0 && isdigit((unsigned char)name[n]);
}

static bool
is_stacked(const char *name)
{
	static const char *const stems[] = {
		"dm-", "md", "loop", "zram", "ram", "drbd", "bcache", "dev253-", "dev9-", "dev7-"};
	for (size_t i = 0; i < sizeof(stems) / sizeof(stems[0]); i++) {
		if (numbered(name, stems[i]))
			return true;
	}
	return strncmp(name, "md_", 3) == 0 || strncmp(name, "md/", 3) == 0 ||
	       strncmp(name, "mapper/", 7) == 0;
}

static bool
is_among(const struct evidence *e, size_t first, const char *name, size_t n)
{
	for (size_t i = first; i < e->n_series; i++) {
		if (strlen(e->series[i].device) == n && memcmp(e->series[i].device, name, n) == 0)
			return true;
	}
	return false;
}

int
evidence_scope_of(const char *name, const struct evidence *among, size_t first)
{
	if (is_stacked(name))
		return EVIDENCE_STACKED;
	size_t n = strlen(name);
	while (n && isdigit((unsigned char)name[n - 1]))
		n--;
	if (n == 0 || name[n] == '\0')
		return EVIDENCE_DISK;
	/* nvme0n1p2 and mmcblk0p1: a p between two numbers */
	if (n > 1 && name[n - 1] == 'p' && isdigit((unsigned char)name[n - 2]) &&
		is_among(among, first, name, n - 1))
		return EVIDENCE_PART;
	return is_among(among, first, name, n) ? EVIDENCE_PART : EVIDENCE_DISK;
}

struct evidence_series *
evidence_series_of(
	struct evidence *e, size_t first, const char *host, const char *device, size_t n_device)
{
	for (size_t i = first; i < e->n_series; i++) {
		const char *name = e->series[i].device, *of = e->series[i].host;
		if (strlen(name) == n_device && memcmp(name, device, n_device) == 0 &&
			(of && host ? strcmp(of, host) == 0 : of == host))
			return &e->series[i];
	}
	struct evidence_series *s = evidence_add_series(e);
	const char *name = s ? arena_strndup(e->arena, device, n_device) : NULL;
	if (!name) {
		if (s)
			e->n_series--;
		return NULL;
	}
	s->device = name;
	s->host = host;
	return s;
}

static int
by_time(const void *a, const void *b)
{
	const struct evidence_sample *x = a, *y = b;
	return (x->end_s > y->end_s) - (x->end_s < y->end_s);
}

static bool
all_timed(const struct evidence_series *s)
{
	for (size_t i = 0; i < s->n_samples; i++) {
		if (isnan(s->samples[i].end_s))
			return false;
	}
	return s->n_samples > 0;
}

static bool
is_idle(const struct evidence_series *s)
{
	for (size_t i = 0; i < s->n_samples; i++) {
		double iops = series_iops(&s->samples[i]), bytes = series_bytes_s(&s->samples[i]);
		if (iops > 0 || bytes > 0 || (isnan(iops) && isnan(bytes)))
			return false;
	}
	return true;
}

/* Machines have dozens of loop and ram devices that never did anything: one line for all. */
static int
drop_idle(struct evidence *e, size_t first, const struct evidence_input *in)
{
	size_t n = first, idle = 0;
	const char *example = "";
	for (size_t i = first; i < e->n_series; i++) {
		if (e->series[i].scope == EVIDENCE_STACKED && is_idle(&e->series[i])) {
			example = idle++ ? example : e->series[i].device;
			continue;
		}
		e->series[n++] = e->series[i];
	}
	e->n_series = n;
	if (idle)
		findings_add(&e->findings, SEVERITY_NOTE, "idle-device", NULL,
			"%s: %zu device%s (%s%s) did nothing at all and %s left out", in->name,
			idle, idle == 1 ? "" : "s", example, idle == 1 ? "" : ", ...",
			idle == 1 ? "is" : "are");
	return 0;
}

int
evidence_series_done(
	struct evidence *e, size_t first, const struct evidence_input *in, struct err *err)
{
	for (size_t i = first; i < e->n_series; i++) {
		struct evidence_series *s = &e->series[i];
		if (all_timed(s))
			qsort(s->samples, s->n_samples, sizeof(*s->samples), by_time);
		if (s->scope == EVIDENCE_DISK)
			s->scope = evidence_scope_of(s->device, e, first);
		if (!s->file && !(s->file = arena_strdup(e->arena, in->name)))
			return err_nomem(err);
		if (isnan(s->resolution_s))
			s->resolution_s = series_step_s(s, e->arena);
	}
	return drop_idle(e, first, in);
}
