/*
 * pgtestfsync.c - the text of PostgreSQL's pg_test_fsync: how many times a second one 8 kB block can be
 * written and made durable, by method.
 *
 * Taken are the rows of "Compare file sync methods using one 8kB write": the block at the start of a
 * file is written over by one writer, through the page cache (fsync, fdatasync) or around it
 * (open_datasync, where the platform has O_DIRECT).  What a profile has no words for is left out and
 * counted: O_SYNC, two writes a sync, fsync through another descriptor, writes without a sync.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/import_format.h"

enum section { SECTION_HEAD, SECTION_ONE, SECTION_OTHER, SECTION_UNSYNCED };

static const struct {
	const char *head;
	enum section section;
} sections[] = {
	{"Compare file sync methods using one ", SECTION_ONE},
	{"Compare file sync methods using two ", SECTION_OTHER},
	{"Compare open_sync with different write sizes", SECTION_OTHER},
	{"Test if fsync on non-write file descriptor is honored", SECTION_OTHER},
	{"Non-sync'ed ", SECTION_UNSYNCED},
};

struct reading {
	struct import *im;
	const struct import_input *in;
	enum section section;
	bool direct; /* O_DIRECT in open_datasync */
	double bs_b; /* of the section */
	double seconds; /* of a test; NaN: not said */
	size_t line, left_out, not_available;
	bool whole; /* the last row is there */
};

/* A number with a point or, in some locales, a comma; *end behind it.  NaN when there is none. */
static double
read_number(const char *text, const char **end)
{
	char copy[40];
	size_t n = strspn(text, "0123456789.,");
	*end = text + n;
	if (n == 0 || n >= sizeof(copy))
		return NAN;
	memcpy(copy, text, n);
	copy[n] = '\0';
	char *comma = strchr(copy, ','), *rest;
	if (comma)
		*comma = '.';
	double d = strtod(copy, &rest);
	return *rest ? (double)NAN : d;
}

static const char *
skip_spaces(const char *p)
{
	return p + strspn(p, " \t");
}

/* "  fdatasync     1234.567 ops/sec     810 usecs/op"; false when it is no such row. */
static bool
split_row(char *line, const char **label, const char **figures)
{
	char *ops = strstr(line, "ops/sec"), *number = ops;
	while (number && number > line && number[-1] == ' ')
		number--;
	/* whatever stands there: add_row() says when it is no rate */
	while (number && number > line && number[-1] != ' ')
		number--;
	if (!number || number == line || *number == ' ' || number == ops)
		return false;
	*figures = number;
	for (char *p = number - 1; p > line && *p == ' '; p--)
		*p = '\0';
	*label = skip_spaces(line);
	return **label != '\0';
}

static int
mode_of(const struct reading *r, const char *label)
{
	if (strcmp(label, "fsync") == 0)
		return PROFILE_SYNC_FSYNC;
	if (strcmp(label, "fdatasync") == 0)
		return PROFILE_SYNC_FDATASYNC;
	if (strcmp(label, "open_datasync") == 0)
		return r->direct ? PROFILE_SYNC_ODSYNC_DIRECT : PROFILE_SYNC_ODSYNC;
	return -1;
}

/* The time of an operation, rounded, is printed beside the rate (PostgreSQL 9.3 and later): both
 * must be of one row. */
static int
check_time(const struct reading *r, const char *figures, double per_s, struct err *err)
{
	const char *end, *p = strstr(figures, "ops/sec") + strlen("ops/sec");
	double us = read_number(skip_spaces(p), &end);
	bool there = strncmp(skip_spaces(end), "usecs/op", 8) == 0;
	if (!there || isnan(us) || fabs(us - 1e6 / per_s) <= 0.51 + 1e-3 * us)
		return 0;
	return err_set(err, ERR_PARSE, "line %zu: %.3f ops/sec are %.0f us each, not %.0f usecs/op",
		r->line, per_s, 1e6 / per_s, us);
}

static int
add_row(struct reading *r, const char *label, const char *figures, struct err *err)
{
	const char *end;
	struct import *im = r->im;
	double per_s = read_number(figures, &end);
	int mode = r->section == SECTION_ONE ? mode_of(r, label) : -1;
	r->whole |= r->section == SECTION_UNSYNCED;
	if (mode >= 0 && (*end != ' ' || !(per_s <= 1e12)))
		return err_set(err, ERR_PARSE,
			"line %zu: %s of \"%.*s\" ops/sec: a number from 0 to 1e12", r->line, label,
			(int)strcspn(figures, " "), figures);
	if (mode < 0 || per_s == 0) { /* none: nothing was done within the time */
		r->left_out++;
		return 0;
	}
	int rc = check_time(r, figures, per_s, err);
	if (rc)
		return rc;
	struct profile_sync s;
	profile_sync_clear(&s);
	s.mode = mode;
	s.pattern = PROFILE_OVERWRITE;
	s.bs_b = r->bs_b;
	s.writers = 1;
	s.syncs_per_s = per_s;
	s.mean_us = 1e6 / per_s;
	s.trust = TRUST_IMPORTED;
	s.source = r->in->name;
	s.note = "the same block over and over; means only";
	im->duration_s += isnan(r->seconds) ? 0 : r->seconds;
	return profile_add_sync(im->profile, im->arena, &s, err);
}

/* A head: which rows follow, and of what size.  false when the line is none. */
static bool
read_head(struct reading *r, const char *line)
{
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		size_t n = strlen(sections[i].head);
		const char *end;
		if (strncmp(line, sections[i].head, n) != 0)
			continue;
		r->section = sections[i].section;
		r->bs_b = read_number(line + n, &end) * 1024;
		if (strncmp(end, "kB", 2) != 0 || !(r->bs_b >= 512 && r->bs_b <= 1 << 20))
			r->bs_b = NAN;
		return true;
	}
	return false;
}

static int
read_line(struct reading *r, char *line, struct err *err)
{
	const char *label, *figures, *end;
	if (strstr(line, " per test") && r->section == SECTION_HEAD)
		r->seconds = read_number(skip_spaces(line), &end);
	if (read_head(r, skip_spaces(line)))
		return 0;
	if (split_row(line, &label, &figures))
		return add_row(r, label, figures, err);
	if (strstr(line, " n/a"))
		r->not_available++;
	return 0;
}

static void
say(struct reading *r)
{
	static const struct import_trouble rows = {SEVERITY_NOTE, "rows-left-out", NULL};
	static const struct import_trouble cut = {
		SEVERITY_WARNING, "document-cut", "run it to its end"};
	struct import_warnings *w = &r->im->warnings;
	if (r->left_out + r->not_available)
		import_warn(w, &rows, r->in->name,
			"%zu rows are left out (O_SYNC, two writes a sync, sync through another "
			"descriptor, no sync), %zu say n/a",
			r->left_out, r->not_available);
	if (!r->whole)
		import_warn(w, &cut, r->in->name, "it ends after line %zu, before its last row",
			r->line);
}

static int
read_text(struct import *im, const struct import_input *in, struct import_outcome *out,
	struct err *err)
{
	struct reading r = {.im = im, .in = in, .bs_b = NAN, .seconds = NAN};
	char *text;
	size_t n, syncs = im->profile->n_syncs;
	(void)out;
	int rc = import_whole(im, in, &text, &n, err);
	if (rc)
		return rc;
	r.direct = !import_has(text, n, "Direct I/O is not supported");
	for (char *line = text, *next; line && rc == 0; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (*line || next)
			r.line++;
		rc = read_line(&r, line, err);
	}
	if (rc == 0 && im->profile->n_syncs == syncs)
		rc = err_set(err, ERR_PARSE,
			"pg_test_fsync: no row of fsync, fdatasync or open_datasync in its %zu "
			"lines; it was cut off at byte %zu, or says n/a",
			r.line, n);
	if (rc)
		return rc;
	say(&r);
	import_note_tool(im, "pg_test_fsync");
	im->engine = import_same(im->arena, im->engine, "pg_test_fsync");
	return 0;
}

static bool
probe(const struct import_input *in)
{
	return import_has(in->head, in->n_head, "Compare file sync methods using one ");
}

const struct import_format import_pgtestfsync = {"pg_test_fsync", probe, read_text};
