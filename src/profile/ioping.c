/*
 * ioping.c - the statistics that ioping prints at its end, or its raw lines (-B, -p): one request at a
 * time, so a closed loop of depth 1 whose rate is what its latency allows.
 *
 * Neither says whether offsets were random or the page cache was used; ioping's defaults (random, the
 * cache emptied before) are assumed, and reads where a raw line tells no direction.  The statistics
 * have three digits, raw lines nanoseconds.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/import_format.h"

enum { RAW_MIN = 8, RAW_MAX = 10 }; /* columns of a raw line */

struct unit {
	const char *name;
	double factor;
};

static const struct unit time_us[] = {
	{"ns", 1e-3}, {"us", 1}, {"ms", 1e3}, {"s", 1e6}, {"min", 60e6}, {NULL, 0}};
static const struct unit size_b[] = {{"B", 1}, {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824},
	{"TiB", 1099511627776}, {NULL, 0}};

static const struct import_trouble assumed = {SEVERITY_WARNING, "inferred", NULL};

/* "12.3 us": the value, and *p behind it; NaN, *p where it was, when it is no such text. */
static double
read_quantity(const char **p, const struct unit *units)
{
	char *end;
	const char *start = *p + strspn(*p, " ");
	if (!strspn(start, "0123456789"))
		return NAN;
	double d = strtod(start, &end);
	end += strspn(end, " ");
	size_t n = strcspn(end, " ,/\r\n");
	for (; units->name; units++) {
		if (strlen(units->name) != n || strncmp(end, units->name, n) != 0)
			continue;
		*p = end + n;
		return d >= 0 && d <= 1e15 ? d * units->factor : (double)NAN;
	}
	return NAN;
}

static bool
skip_word(const char **p, const char *word)
{
	*p += strspn(*p, " ");
	size_t n = strlen(word);
	if (strncmp(*p, word, n) != 0)
		return false;
	*p += n;
	return true;
}

struct statistics {
	double n, busy_us, total_b, span_us; /* span: with the pauses; NaN: not said */
	bool writes;
	double min_us, mean_us, max_us, sd_us;
};

/* "9 requests completed in 1.40 ms, 36 KiB read, 6.45 k iops, 25.2 MiB/s" */
static bool
read_completed(const char *line, struct statistics *s)
{
	char *end;
	s->n = strtod(line, &end);
	const char *p = end;
	if (end == line)
		return false;
	/* 12.3 k requests: the count has three digits then */
	double thousand = skip_word(&p, "k requests") ? 1e3 : skip_word(&p, "M requests") ? 1e6 : 1;
	s->n *= thousand;
	if (thousand <= 1 && !skip_word(&p, "requests") && !skip_word(&p, "request"))
		return false;
	if (!skip_word(&p, "completed in"))
		return false;
	s->busy_us = read_quantity(&p, time_us);
	if (!skip_word(&p, ","))
		return false;
	s->total_b = read_quantity(&p, size_b);
	s->writes = skip_word(&p, "written,");
	return s->writes || skip_word(&p, "read,");
}

/* "min/avg/max/mdev = 115.2 us / 155.1 us / 189.9 us / 25.0 us" */
static bool
read_spread(const char *line, struct statistics *s)
{
	double *const values[] = {&s->min_us, &s->mean_us, &s->max_us, &s->sd_us};
	const char *p = line;
	if (!skip_word(&p, "min/avg/max/mdev ="))
		return false;
	for (size_t i = 0; i < 4; i++) {
		if (i && !skip_word(&p, "/"))
			return false;
		*values[i] = read_quantity(&p, time_us);
		if (isnan(*values[i]))
			return false;
	}
	return s->min_us <= s->mean_us && s->mean_us <= s->max_us && s->mean_us > 0;
}

static int
add_cell(struct import *im, const struct import_input *in, const struct statistics *s,
	const char *note, struct err *err)
{
	struct profile_cell c;
	profile_cell_clear(&c);
	c.op = s->writes ? PROFILE_OP_RANDWRITE : PROFILE_OP_RANDREAD;
	c.bs_b = s->total_b;
	c.qd = c.jobs = 1;
	c.iops = 1e6 / s->mean_us;
	c.mibps = c.iops * c.bs_b / 1048576;
	c.min_us = s->min_us;
	c.mean_us = s->mean_us;
	c.max_us = s->max_us;
	c.sd_us = s->sd_us;
	c.n = s->n;
	c.runtime_s = s->busy_us / 1e6;
	c.trust = TRUST_IMPORTED;
	c.source = in->name;
	c.note = note;
	im->duration_s += (isnan(s->span_us) ? s->busy_us : s->span_us) / 1e6;
	return profile_add_cell(im->profile, im->arena, &c, err);
}

static void
check(struct import *im, const struct import_input *in, const struct statistics *s)
{
	static const struct import_trouble few = {
		SEVERITY_WARNING, "few-samples", "give more requests (-c)"};
	static const struct import_trouble paced = {
		SEVERITY_WARNING, "rate-limited", "give -i 0 for the latency of a busy disk"};
	if (s->n < 100)
		import_warn(&im->warnings, &few, in->name, "%.0f requests", s->n);
	if (s->span_us > 2 * s->busy_us)
		import_warn(&im->warnings, &paced, in->name,
			"requests came one in %.3g ms: the latency of a disk that was idle before",
			s->span_us / s->n / 1e3);
}

/* The requests all had one size: a round one within what three digits leave of the sum. */
static double
request_size(const struct statistics *s)
{
	double mean_b = s->total_b / s->n;
	return import_roundest(fmax(mean_b * 0.994, 1), mean_b * 1.006);
}

/* "generated 10 requests in 9.00 s, 40 KiB, 1 iops, 4.44 KiB/s" */
static double
read_span(const char *line)
{
	const char *p = strstr(line, "requests in ");
	if (strncmp(line, "generated ", 10) != 0 || !p)
		return NAN;
	p += strlen("requests in ");
	return read_quantity(&p, time_us);
}

/* "--- /tmp (ext4 /dev/vda1 80 GiB) ioping statistics ---" */
static void
note_device(struct import *im, const char *line)
{
	const char *device = strstr(line, " /dev/");
	if (device)
		im->target = import_same(im->arena, im->target,
			arena_strndup(im->arena, device + 1, strcspn(device + 1, " )")));
}

static int
read_statistics(struct import *im, const struct import_input *in, char *text, struct err *err)
{
	struct statistics s = {.span_us = NAN};
	bool completed = false;
	char *line = strstr(text, "--- ");
	for (char *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (strstr(line, "ioping statistics ---"))
			note_device(im, line);
		completed = completed || read_completed(line, &s);
		if (isnan(s.span_us))
			s.span_us = read_span(line);
		if (!completed || !read_spread(line, &s))
			continue;
		s.total_b = request_size(&s);
		if (!(s.n >= 1) || isnan(s.total_b))
			break;
		import_warn(&im->warnings, &assumed, in->name,
			"ioping does not say it: random offsets and no page cache are assumed");
		check(im, in, &s);
		return add_cell(im, in, &s, "kind inferred; three digits", err);
	}
	return err_set(err, ERR_PARSE,
		"ioping: its statistics (requests completed ... read or written, min/avg/max/mdev "
		"with a unit each) are not all there; cut off, or older than 0.9");
}

/* Columns of a raw line; 0 when it holds anything but whole numbers. */
static size_t
read_columns(const char *line, double column[RAW_MAX])
{
	size_t n = 0;
	for (const char *p = line + strspn(line, " "); *p && *p != '\r'; p += strspn(p, " ")) {
		size_t digits = strspn(p, "0123456789");
		if (digits == 0 || digits > 18 || n == RAW_MAX)
			return 0;
		column[n++] = strtod(p, NULL);
		p += digits;
	}
	return n >= RAW_MIN ? n : 0;
}

/*
 * Count, their time (ns), rate, bytes/s, min, mean, max, deviation (ns), and of all requests count and
 * time.  The rate must be what count and time give, and the mean lie inside: other tables of numbers
 * are none of ours.
 */
static bool
read_raw(const char *line, struct statistics *s)
{
	double c[RAW_MAX] = {0};
	size_t n = read_columns(line, c);
	if (n == 0 || c[0] < 1 || c[1] < 1 || c[2] < 1)
		return false;
	double rate = c[0] * 1e9 / c[1];
	if (fabs(c[2] - rate) > 1 + 0.01 * rate || c[4] > c[5] || c[5] > c[6] || c[5] < 1)
		return false;
	*s = (struct statistics){.n = c[0], .busy_us = c[1] / 1e3, .total_b = c[3] * c[1] / 1e9};
	s->min_us = c[4] / 1e3;
	s->mean_us = c[5] / 1e3;
	s->max_us = c[6] / 1e3;
	s->sd_us = c[7] / 1e3;
	s->span_us = n == RAW_MAX ? c[9] / 1e3 : (double)NAN;
	return true;
}

static int
read_raws(struct import *im, const struct import_input *in, char *text, struct err *err)
{
	int rc = 0;
	size_t number = 1;
	for (char *line = text, *next; *line && rc == 0; line = next, number++) {
		struct statistics s;
		next = strchr(line, '\n');
		if (!next)
			return err_set(err, ERR_PARSE, "ioping: line %zu is cut off at byte %zu",
				number, (size_t)(line - text) + strlen(line));
		*next++ = '\0';
		if (!read_raw(line, &s))
			return err_set(err, ERR_PARSE,
				"ioping: line %zu is no raw line: 8 to 10 whole numbers, the rate "
				"that of count and time",
				number);
		s.total_b = request_size(&s);
		if (isnan(s.total_b))
			return err_set(
				err, ERR_PARSE, "ioping: line %zu: no bytes a request", number);
		check(im, in, &s);
		import_warn(&im->warnings, &assumed, in->name,
			"raw lines of ioping do not say it: random reads without the page cache "
			"are "
			"assumed");
		rc = add_cell(im, in, &s, "kind inferred", err);
	}
	return rc;
}

static bool
first_line_is_raw(const char *text, size_t n)
{
	char line[256];
	struct statistics s;
	size_t end = 0;
	while (end < n && end + 1 < sizeof(line) && text[end] != '\n')
		end++;
	memcpy(line, text, end);
	line[end] = '\0';
	return read_raw(line, &s);
}

static bool
probe(const struct import_input *in)
{
	return import_has(in->head, in->n_head, "ioping statistics ---") ||
	       import_has(in->head, in->n_head, ": request=1 time=") ||
	       first_line_is_raw(in->head, in->n_head);
}

static int
read_text(struct import *im, const struct import_input *in, struct import_outcome *out,
	struct err *err)
{
	char *text;
	size_t n;
	(void)out;
	int rc = import_whole(im, in, &text, &n, err);
	if (rc == 0)
		rc = first_line_is_raw(text, n) ? read_raws(im, in, text, err)
						: read_statistics(im, in, text, err);
	if (rc)
		return rc;
	import_note_tool(im, "ioping");
	im->engine = import_same(im->arena, im->engine, "ioping");
	return 0;
}

const struct import_format import_ioping = {"ioping", probe, read_text};
