/*
 * fio.c - from the text of a file to points: find the document, read its jobs, join those of one
 * group, judge them, emit.
 */
#include "profile/fio.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "profile/fio_emit.h"
#include "profile/fio_text.h"

enum { TOOLS_NAMED = 4 };

struct fio_import {
	struct profile *profile;
	struct arena *arena;
	struct fio_warnings warnings;
	const char *tools[TOOLS_NAMED]; /* versions seen */
	size_t n_tools;
	bool more_tools;
	const char *engine, *device; /* "" once two files differ */
	double started_s; /* earliest timestamp */
	double duration_s;
	bool interrupted;
};

/* One file on its way. */
struct reading {
	struct fio_import *im;
	struct fio_sink sink;
	struct fio_job *jobs;
	size_t n_jobs;
	double util_frac;
	struct fio_file *file;
	char why[512]; /* first reason a job gave nothing */
};

struct fio_import *
fio_import_new(struct profile *p, struct arena *a)
{
	struct fio_import *im = arena_alloc(a, sizeof(*im));
	if (!im)
		return NULL;
	profile_clear(p);
	*im = (struct fio_import){.profile = p, .arena = a, .started_s = NAN};
	im->warnings.arena = a;
	return im;
}

static const char *
same_or_none(struct arena *a, const char *old, const char *text)
{
	if (!text || (old && strcmp(old, text) == 0))
		return old;
	return old ? "" : arena_strdup(a, text);
}

static void
note_tool(struct fio_import *im, const char *version)
{
	for (size_t i = 0; i < im->n_tools; i++) {
		if (strcmp(im->tools[i], version) == 0)
			return;
	}
	if (im->n_tools < TOOLS_NAMED)
		im->tools[im->n_tools++] = arena_strndup(im->arena, version, 40);
	else
		im->more_tools = true;
}

/* Busiest device of the file; the first one names the disk (fio lists the one under the file
 * first). */
static double
read_devices(struct fio_import *im, struct jval root)
{
	double util = NAN;
	struct jval list = json_get_last(root, "disk_util"), first = json_first(list);
	for (struct jval d = first; d.node; d = json_next(d)) {
		util = fmax(util, json_number(json_get_last(d, "util")) / 100);
		util = fmax(util, json_number(json_get_last(d, "aggr_util")) / 100);
	}
	im->device = same_or_none(im->arena, im->device, json_text(json_get_last(first, "name")));
	return util;
}

static int
read_jobs(struct reading *r, struct jval root, struct err *err)
{
	struct jval list = json_get_last(root, "jobs");
	if (!list.node)
		list = json_get_last(root, "client_stats");
	size_t n = json_type(list) == JSON_ARRAY ? json_count(list) : 0;
	if (n == 0)
		return json_fail(root, err, ERR_UNSUPPORTED, "the fio result holds no jobs");
	if (n > FIO_JOBS_MAX)
		return json_fail(list, err, ERR_UNSUPPORTED, "%zu jobs, at most %d are read", n,
			FIO_JOBS_MAX);
	r->jobs = arena_array(r->im->arena, n, sizeof(*r->jobs));
	if (!r->jobs)
		return err_nomem(err);
	for (struct jval j = json_first(list); j.node; j = json_next(j)) {
		struct fio_job *job = &r->jobs[r->n_jobs];
		if (!fio_job_read(j, root, r->im->arena, job))
			return err_nomem(err);
		/* the sum over clients, which adds nothing */
		if (strcmp(job->name, "All clients") != 0)
			r->n_jobs++;
	}
	return 0;
}

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* numjobs without group_reporting gives objects of one name, group and host. */
static bool
same_group(const struct fio_job *a, const struct fio_job *b)
{
	return a->group == b->group && strcmp(a->name, b->name) == 0 &&
	       same_text(a->host, b->host) &&
	       same_text(fio_option(&a->options, "rw"), fio_option(&b->options, "rw")) &&
	       same_text(fio_option(&a->options, "bs"), fio_option(&b->options, "bs"));
}

static void
refuse_job(struct reading *r, const struct fio_job *job, const char *why)
{
	static const struct fio_trouble trouble = {SEVERITY_ERROR, "job-refused", NULL};
	r->file->n_refused++;
	if (!r->why[0])
		snprintf(r->why, sizeof(r->why), "job \"%.60s\": %.400s", job->name, why);
	fio_warn(&r->im->warnings, &trouble, r->sink.source, "job \"%.60s\" is left out: %s",
		job->name, why);
}

/* Whether the job can be used at all. */
static bool
usable(struct reading *r, const struct fio_job *job)
{
	char why[256], reason[128];
	bool moved = job->side[FIO_READ].bytes > 0 || job->side[FIO_WRITE].bytes > 0;
	if (job->error > 0)
		snprintf(why, sizeof(why), "it ended with error %.0f (%s)", job->error,
			job->error < 4096 ? strerror_r((int)job->error, reason, sizeof(reason))
					  : "unknown");
	else if (!moved && job->mixed_ios > 0)
		snprintf(why, sizeof(why), "unified_rw_reporting=mixed hides which I/O were reads");
	else if (!moved)
		snprintf(why, sizeof(why), "it read and wrote nothing");
	else
		return true;
	refuse_job(r, job, why);
	return false;
}

static int
merge(struct reading *r, const struct fio_job *const *jobs, size_t n, struct fio_point *p,
	struct err *err)
{
	const struct fio_side **sides = arena_array(
		r->im->arena, n, sizeof(const struct fio_side *));
	if (!sides)
		return err_nomem(err);
	for (int k = 0; k < FIO_SIDE_COUNT; k++) {
		for (size_t i = 0; i < n; i++)
			sides[i] = &jobs[i]->side[k];
		if (!fio_side_merge(sides, n, r->im->arena, &p->side[k]))
			return err_nomem(err);
	}
	p->runtime_min_s = p->runtime_max_s = p->cpu_frac = NAN;
	p->steady = -1;
	for (size_t i = 0; i < n; i++) {
		const struct fio_side *side = jobs[i]->side;
		double run = fmax(side[FIO_READ].runtime_s, side[FIO_WRITE].runtime_s);
		p->runtime_min_s = fmin(p->runtime_min_s, run);
		p->runtime_max_s = fmax(p->runtime_max_s, run);
		p->cpu_frac = fmax(p->cpu_frac, jobs[i]->cpu_frac);
		p->trim_ios += jobs[i]->trim_ios;
		if (jobs[i]->steady >= 0 && p->steady != 0)
			p->steady = jobs[i]->steady;
	}
	return 0;
}

/* I/O in flight by Little's law: reads, writes and syncs of the point together. */
static double
in_flight(const struct fio_point *p)
{
	double sum = 0;
	for (int k = 0; k < FIO_SIDE_COUNT; k++) {
		const struct fio_side *s = &p->side[k];
		if (k == FIO_SYNC && !(s->n > 0))
			continue;
		if (k != FIO_SYNC && !(s->bytes > 0))
			continue;
		sum += s->iops * s->mean_us / 1e6;
	}
	return sum;
}

/* n of the group's objects were usable; one alone is a job, or numjobs that fio grouped. */
static void
set_load(struct fio_point *p, size_t n, size_t n_objects)
{
	const struct fio_side *read = &p->side[FIO_READ], *write = &p->side[FIO_WRITE];
	p->jobs = n_objects > 1 ? (double)n : p->setup.jobs;
	p->qd = p->setup.depth * p->jobs;
	double flight = in_flight(p);
	if (isnan(p->qd)) {
		p->qd = flight >= 1e-6 ? flight : (double)NAN;
		p->qd_inferred = true;
	}
	p->little_ratio = flight / p->qd;
	bool mix = read->bytes > 0 && write->bytes > 0;
	p->mix_read_frac = mix ? read->ios / (read->ios + write->ios) : (double)NAN;
}

/* fio before 3.4 and clients do not record syncs: Little's law has nothing to say then. */
static void
forget_unfair_ratio(struct fio_point *p)
{
	bool apart = p->setup.sync_mode == PROFILE_SYNC_FSYNC ||
		     p->setup.sync_mode == PROFILE_SYNC_FDATASYNC;
	if (apart && !(p->side[FIO_SYNC].n > 0))
		p->little_ratio = NAN;
}

static const char *
place_of(struct reading *r, const struct fio_job *job)
{
	if (r->n_jobs == 1)
		return r->sink.source;
	return arena_printf(r->im->arena, "%s (%s%s%s)", r->sink.source, job->name,
		job->host ? " on " : "", job->host ? job->host : "");
}

static int
add_point(struct reading *r, const struct fio_job *const *jobs, size_t n, size_t n_objects,
	struct err *err)
{
	struct fio_point p = {.util_frac = r->util_frac};
	struct err why = {0};
	if (fio_setup_read(jobs[0], &p.setup, &why)) {
		refuse_job(r, jobs[0], why.text);
		return 0;
	}
	p.place = place_of(r, jobs[0]);
	if (!p.place)
		return err_nomem(err);
	int rc = merge(r, jobs, n, &p, err);
	if (rc)
		return rc;
	set_load(&p, n, n_objects);
	forget_unfair_ratio(&p);
	fio_check(&p, &r->im->warnings);
	r->im->engine = same_or_none(r->im->arena, r->im->engine, p.setup.engine);
	r->im->duration_s += isnan(p.runtime_max_s) ? 0 : p.runtime_max_s;
	return fio_emit(&r->sink, &p, err);
}

static int
add_points(struct reading *r, struct err *err)
{
	const struct fio_job **group = arena_array(
		r->im->arena, r->n_jobs, sizeof(const struct fio_job *));
	if (!group)
		return err_nomem(err);
	int rc = 0;
	for (size_t i = 0; i < r->n_jobs && rc == 0; i++) {
		size_t n = 0, n_objects = 0;
		for (size_t k = i; k < r->n_jobs && !r->jobs[i].done; k++) {
			struct fio_job *job = &r->jobs[k];
			if (job->done || !same_group(&r->jobs[i], job))
				continue;
			if (k > i)
				job->done = true;
			n_objects++;
			if (usable(r, job))
				group[n++] = job;
		}
		if (n)
			rc = add_point(r, group, n, n_objects, err);
	}
	return rc;
}

static void
note_text(struct reading *r, const struct fio_text *text)
{
	static const struct fio_trouble several = {SEVERITY_NOTE, "several-documents", NULL};
	static const struct fio_trouble cut = {SEVERITY_WARNING, "document-cut", NULL};
	static const struct fio_trouble around = {SEVERITY_NOTE, "text-around", NULL};
	static const struct fio_trouble ended = {
		SEVERITY_WARNING, "interrupted", "run it to its end"};
	struct fio_warnings *w = &r->im->warnings;
	const char *source = r->sink.source;
	if (text->n_documents > 1)
		fio_warn(w, &several, source, "%zu fio results, the last one (byte %zu) is taken",
			text->n_documents, text->offset);
	if (text->cut)
		fio_warn(w, &cut, source, "another fio result in it is cut off");
	if (text->interrupted) {
		fio_warn(w, &ended, source, "a signal ended the run");
		r->im->interrupted = true;
	} else if (text->around[0]) {
		fio_warn(w, &around, source, "other text in it: %s", text->around);
	}
}

static int
read_document(struct reading *r, struct jval root, struct err *err)
{
	const char *version = json_text(json_get_last(root, "fio version"));
	struct profile *p = r->im->profile;
	size_t cells = p->n_cells, syncs = p->n_syncs;
	r->util_frac = read_devices(r->im, root);
	int rc = read_jobs(r, root, err);
	if (rc == 0)
		rc = add_points(r, err);
	if (rc)
		return rc;
	r->file->n_cells = p->n_cells - cells;
	r->file->n_syncs = p->n_syncs - syncs;
	if (r->file->n_cells + r->file->n_syncs == 0)
		return err_set(err, ERR_UNSUPPORTED, "no usable job (%.40s): %s",
			version ? version : "no version", r->why[0] ? r->why : "only a sum");
	if (version)
		note_tool(r->im, version);
	double at = json_number(json_get_last(root, "timestamp"));
	if (at > 0 && at < 253402300800.0) /* year 10000 */
		r->im->started_s = fmin(r->im->started_s, at);
	return 0;
}

int
fio_import_text(struct fio_import *im, const char *name, const char *text, size_t n,
	struct fio_file *file, struct err *err)
{
	struct fio_text found;
	struct json_doc *doc = NULL;
	*file = (struct fio_file){.codes = ""};
	fio_warnings_file(&im->warnings);
	int rc = fio_text_find(text, n, &found, err);
	if (rc)
		return rc;
	struct reading r = {.im = im, .file = file};
	r.sink = (struct fio_sink){
		im->profile, im->arena, &im->warnings, arena_strdup(im->arena, name)};
	if (!r.sink.source)
		rc = err_nomem(err);
	if (rc == 0)
		rc = json_parse("fio result", found.json, found.len, &doc, err);
	if (rc == 0) {
		note_text(&r, &found);
		rc = read_document(&r, json_root(doc), err);
	}
	file->n_warnings = im->warnings.n_file;
	const char *codes = arena_strdup(im->arena, im->warnings.codes);
	file->codes = codes ? codes : "";
	json_free(doc);
	fio_text_fini(&found);
	return rc;
}

int
fio_import_file(struct fio_import *im, const char *path, const char *name, struct fio_file *file,
	struct err *err)
{
	struct buf text;
	*file = (struct fio_file){.codes = ""};
	buf_init(&text, (size_t)FIO_FILE_MAX_MIB << 20);
	int rc = file_read(path, &text, err);
	if (rc == 0)
		rc = fio_import_text(im, name, buf_text(&text), text.len, file, err);
	buf_fini(&text);
	return rc;
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
set_origin(struct fio_import *im)
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
set_surroundings(struct fio_import *im, struct err *err)
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
fio_import_finish(struct fio_import *im, struct err *err)
{
	struct profile *p = im->profile;
	struct findings findings;
	set_origin(im);
	int rc = set_surroundings(im, err);
	if (rc)
		return rc;
	findings_init(&findings, im->arena);
	fio_warnings_put(&im->warnings, &findings);
	p->findings = findings.items;
	p->n_findings = findings.n;
	return sort_cells(p, err);
}
