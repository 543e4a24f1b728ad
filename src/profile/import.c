/*
 * import.c - the table of importers, and what they have in common: one input after the other into
 * one profile.
 */
#include "profile/import.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "profile/import_format.h"

/* fio prints its result anywhere in a text, so it comes last and takes what no other knows. */
static const struct import_format *const formats[] = {
	&import_pgtestfsync,
	&import_ioping,
	&import_fio,
};

struct import *
import_new(struct profile *p, struct arena *a)
{
	struct import *im = arena_alloc(a, sizeof(*im));
	if (!im)
		return NULL;
	profile_clear(p);
	*im = (struct import){.profile = p, .arena = a, .started_s = NAN};
	im->warnings.arena = a;
	return im;
}

void
import_keep_failed(struct import *im)
{
	im->keep_failed = true;
}

bool
import_has(const char *text, size_t n, const char *word)
{
	return memmem(text, n, word, strlen(word)) != NULL;
}

double
import_roundest(double lo, double hi)
{
	for (int power = 30; power >= 0; power--) {
		double step = ldexp(1, power);
		double at = ceil(lo / step) * step;
		if (at <= hi)
			return at;
	}
	return NAN;
}

const char *
import_same(struct arena *a, const char *noted, const char *text)
{
	if (!text || (noted && strcmp(noted, text) == 0))
		return noted;
	return noted ? "" : arena_strdup(a, text);
}

void
import_note_tool(struct import *im, const char *version)
{
	for (size_t i = 0; i < im->n_tools; i++) {
		if (im->tools[i] && strcmp(im->tools[i], version) == 0)
			return;
	}
	if (im->n_tools < IMPORT_TOOLS)
		im->tools[im->n_tools++] = arena_strndup(im->arena, version, 40);
	else
		im->more_tools = true;
}

int
import_whole(const struct import *im, const struct import_input *in, char **text, size_t *n,
	struct err *err)
{
	if (in->bytes->size > (uint64_t)IMPORT_TEXT_MAX_MIB << 20)
		return err_set(err, ERR_RANGE, "larger than %d MiB, the most read of this format",
			IMPORT_TEXT_MAX_MIB);
	*n = (size_t)in->bytes->size;
	*text = arena_alloc(im->arena, *n + 1);
	return *text ? import_bytes_read(in->bytes, 0, *text, *n, err) : err_nomem(err);
}

static int
read_input(struct import *im, struct import_input *in, struct import_outcome *out, struct err *err)
{
	struct profile *p = im->profile;
	size_t cells = p->n_cells, syncs = p->n_syncs;
	if (import_is_archive(in))
		return import_unknown(in, err);
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (!formats[i]->probe(in))
			continue;
		out->format = formats[i]->name;
		int rc = formats[i]->read(im, in, out, err);
		if (rc) { /* a refused input leaves nothing */
			p->n_cells = cells;
			p->n_syncs = syncs;
		}
		out->n_cells = p->n_cells - cells;
		out->n_syncs = p->n_syncs - syncs;
		return rc;
	}
	return import_unknown(in, err);
}

static int
import_from(struct import *im, const char *name, const struct import_bytes *s,
	struct import_outcome *out, struct err *err)
{
	char head[IMPORT_HEAD_B];
	struct import_input in = {.bytes = s, .head = head};
	in.n_head = s->size < sizeof(head) ? (size_t)s->size : sizeof(head);
	in.name = arena_strdup(im->arena, name);
	if (!in.name)
		return err_nomem(err);
	import_warnings_file(&im->warnings);
	int rc = import_bytes_read(s, 0, head, in.n_head, err);
	if (rc == 0)
		rc = read_input(im, &in, out, err);
	out->n_warnings = im->warnings.n_file;
	const char *codes = arena_strdup(im->arena, im->warnings.codes);
	out->codes = codes ? codes : "";
	return rc;
}

int
import_text(struct import *im, const char *name, const char *text, size_t n,
	struct import_outcome *out, struct err *err)
{
	struct import_bytes s;
	*out = (struct import_outcome){.codes = ""};
	import_bytes_text(&s, text, n);
	return import_from(im, name, &s, out, err);
}

int
import_file(struct import *im, const char *path, const char *name, struct import_outcome *out,
	struct err *err)
{
	struct import_bytes s;
	*out = (struct import_outcome){.codes = ""};
	int rc = import_bytes_open(&s, path, err);
	if (rc == 0)
		rc = import_from(im, name, &s, out, err);
	import_bytes_close(&s);
	return rc;
}

const char *
import_disk(const struct import *im)
{
	return im->device ? im->device : im->target;
}

static int
join_profile(struct import *into, const struct profile *from, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; i < from->n_cells && rc == 0; i++)
		rc = profile_add_cell(into->profile, into->arena, &from->cells[i], err);
	for (size_t i = 0; i < from->n_syncs && rc == 0; i++)
		rc = profile_add_sync(into->profile, into->arena, &from->syncs[i], err);
	return rc;
}

int
import_join(struct import *into, const struct import *from, struct err *err)
{
	int rc = join_profile(into, from->profile, err);
	if (rc)
		return rc;
	import_warnings_join(&into->warnings, &from->warnings);
	for (size_t i = 0; i < from->n_tools; i++) {
		if (from->tools[i])
			import_note_tool(into, from->tools[i]);
	}
	into->more_tools |= from->more_tools;
	into->engine = import_same(into->arena, into->engine, from->engine);
	into->device = import_same(into->arena, into->device, from->device);
	into->target = import_same(into->arena, into->target, from->target);
	into->started_s = fmin(into->started_s, from->started_s);
	into->duration_s += from->duration_s;
	into->interrupted |= from->interrupted;
	return 0;
}

struct sortable {
	struct profile_cell cell;
	size_t at;
};

static int
compare(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(b) - isnan(a); /* absent first */
	return (a > b) - (a < b);
}

static int
by_load(const void *x, const void *y)
{
	const struct sortable *a = x, *b = y;
	int order = a->cell.op - b->cell.op;
	if (!order)
		order = compare(a->cell.mix_read_frac, b->cell.mix_read_frac);
	if (!order)
		order = compare(a->cell.bs_b, b->cell.bs_b);
	if (!order)
		order = compare(a->cell.qd, b->cell.qd);
	return order ? order : (a->at > b->at) - (a->at < b->at);
}

static int
sort_cells(struct profile *p, struct err *err)
{
	if (p->n_cells == 0)
		return 0;
	struct sortable *all = calloc(p->n_cells, sizeof(*all));
	if (!all)
		return err_nomem(err);
	for (size_t i = 0; i < p->n_cells; i++)
		all[i] = (struct sortable){p->cells[i], i};
	qsort(all, p->n_cells, sizeof(*all), by_load);
	for (size_t i = 0; i < p->n_cells; i++)
		p->cells[i] = all[i].cell;
	free(all);
	return 0;
}

static void
set_origin(struct import *im)
{
	struct profile *p = im->profile;
	char text[21];
	for (size_t i = 0; i < im->n_tools; i++)
		p->tool = arena_printf(im->arena, "%s%s%s", p->tool ? p->tool : "",
			p->tool ? ", " : "", im->tools[i] ? im->tools[i] : "");
	if (im->more_tools)
		p->tool = arena_printf(im->arena, "%s, ...", p->tool ? p->tool : "");
	p->trust = TRUST_IMPORTED;
	if (im->interrupted)
		p->complete = 0;
	if (isnan(im->started_s))
		return;
	clock_iso_text((int64_t)im->started_s, text);
	p->started = arena_strdup(im->arena, text);
	p->as_of = arena_strndup(im->arena, text, 10);
}

static int
set_surroundings(struct import *im, struct err *err)
{
	struct profile *p = im->profile;
	p->method = arena_alloc(im->arena, sizeof(*p->method));
	if (!p->method)
		return err_nomem(err);
	profile_method_clear(p->method);
	p->method->engine = im->engine && im->engine[0] ? im->engine : NULL;
	p->method->duration_s = im->duration_s;
	if (!im->device || !im->device[0])
		return 0;
	p->environment = arena_alloc(im->arena, sizeof(*p->environment));
	if (!p->environment)
		return err_nomem(err);
	profile_environment_clear(p->environment);
	p->environment->device = im->device;
	return 0;
}

int
import_finish(struct import *im, struct err *err)
{
	struct profile *p = im->profile;
	struct findings findings;
	set_origin(im);
	int rc = set_surroundings(im, err);
	if (rc)
		return rc;
	findings_init(&findings, im->arena);
	import_warnings_put(&im->warnings, &findings);
	p->findings = findings.items;
	p->n_findings = findings.n;
	return sort_cells(p, err);
}
