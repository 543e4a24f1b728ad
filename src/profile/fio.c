/*
 * fio.c - from an input to points: find the document, read its jobs one at a time, join those of one
 * group, judge them, emit.
 *
 * A job of writes alone with fsync=1, fdatasync=1 or sync=dsync|sync becomes an entry of
 * profile.syncs, every other job a cell a direction.  Memory is bounded by the largest job, the
 * profile, and a histogram for each group of jobs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/fio_emit.h"
#include "profile/fio_scan.h"
#include "profile/import_format.h"

/* One job object; what it needs of the document was copied. */
struct object {
	struct fio_job job;
	struct fio_setup setup;
	const char *rw, *bs; /* option texts */
	const char *why; /* no cell can stand for it: the reason; NULL: one can */
	struct object *next; /* in its group */
};

/* Objects of one name, group and host: numjobs without group_reporting. */
struct group {
	struct object *first, *last;
	size_t n_objects;
	struct fio_bins bins[FIO_SIDE_COUNT]; /* of those that are usable */
};

/* One input on its way. */
struct reading {
	struct import *im;
	const struct import_input *in;
	struct fio_sink sink;
	struct fio_scan scan;
	struct object *objects;
	size_t n_objects;
	struct group *groups;
	size_t n_groups;
	double util_frac;
	double device_ios; /* of the first device, merged ones too; NaN: not recorded */
	struct import_outcome *out;
	char why[512]; /* first reason a job gave nothing */
};

/* Busiest device of the file; the first one names the disk (fio lists the one under the file
 * first). */
static void
read_devices(struct reading *r, struct jval root)
{
	static const char *const counts[] = {
		"read_ios", "read_merges", "write_ios", "write_merges"};
	struct import *im = r->im;
	r->util_frac = NAN;
	struct jval list = json_get_last(root, "disk_util"), first = json_first(list);
	for (struct jval d = first; d.node; d = json_next(d)) {
		r->util_frac = fmax(r->util_frac, json_number(json_get_last(d, "util")) / 100);
		r->util_frac = fmax(r->util_frac, json_number(json_get_last(d, "aggr_util")) / 100);
	}
	r->device_ios = 0;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		r->device_ios += json_number(json_get_last(first, counts[i]));
	im->device = import_same(im->arena, im->device, json_text(json_get_last(first, "name")));
}

/* The device, or the folder of the file, that the job used. */
static void
note_target(struct import *im, const struct fio_options *o)
{
	const char *file = fio_option(o, "filename"), *slash = file ? strrchr(file, '/') : NULL;
	const char *folder = fio_option(o, "directory");
	if (file && strncmp(file, "/dev/", 5) == 0)
		im->target = import_same(im->arena, im->target, file);
	else if (slash)
		im->target = import_same(im->arena, im->target,
			arena_strndup(im->arena, file, (size_t)(slash - file) + (slash == file)));
	else if (folder)
		im->target = import_same(im->arena, im->target, folder);
}

static const char *
keep(struct arena *a, const char *text)
{
	return text ? arena_strdup(a, text) : NULL;
}

/* "file.json (job)", "file.json (job on host)"; names are others' and may be of any length. */
static const char *
job_place(const struct reading *r, const struct fio_job *job)
{
	const char *place = arena_printf(r->im->arena, "%s (%.60s%s%.60s)", r->sink.source,
		job->name, job->host ? " on " : "", job->host ? job->host : "");
	return place ? place : r->sink.source;
}

static const char *
place_of(const struct reading *r, const struct fio_job *job)
{
	return r->n_objects == 1 ? r->sink.source : job_place(r, job);
}

/* An error is forgotten where that was asked for, and said. */
static void
forgive(struct reading *r, struct fio_job *job)
{
	static const struct import_trouble trouble = {
		SEVERITY_WARNING, "job-failed", "find out why, and measure again"};
	if (!r->im->keep_failed || !(job->error > 0))
		return;
	import_warn(&r->im->warnings, &trouble, job_place(r, job),
		"the job ended with error %.0f, and is taken all the same", job->error);
	job->error = 0;
}

/* What can be told while the document is there. */
static void
settle_object(struct reading *r, struct object *o)
{
	struct arena *a = r->im->arena;
	struct err why = {0};
	forgive(r, &o->job);
	fio_check_job(&o->job, job_place(r, &o->job), &r->im->warnings);
	if (fio_setup_read(&o->job, r->in->name, a, &o->setup, &why))
		o->why = arena_strdup(a, why.text);
	o->rw = keep(a, fio_option(&o->job.options, "rw"));
	o->bs = keep(a, fio_option(&o->job.options, "bs"));
	note_target(r->im, &o->job.options);
	o->job.options = (struct fio_options){0};
}

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool
same_group(const struct object *a, const struct object *b)
{
	return a->job.group == b->job.group && strcmp(a->job.name, b->job.name) == 0 &&
	       same_text(a->job.host, b->job.host) && same_text(a->rw, b->rw) &&
	       same_text(a->bs, b->bs);
}

/* The group of the object, a new one when it is the first; the last group is the likely one. */
static struct group *
find_group(struct reading *r, struct object *o)
{
	size_t i = r->n_groups;
	while (i > 0 && !same_group(r->groups[i - 1].first, o))
		i--;
	struct group *g = i ? &r->groups[i - 1] : &r->groups[r->n_groups++];
	if (g->last)
		g->last->next = o;
	else
		g->first = o;
	g->last = o;
	g->n_objects++;
	return g;
}

static void
refuse_object(struct reading *r, const struct object *o, const char *why)
{
	static const struct import_trouble trouble = {SEVERITY_ERROR, "job-refused",
		"run it again, or import with --keep-failed what a failed job did move"};
	r->out->n_refused++;
	if (!r->why[0])
		snprintf(r->why, sizeof(r->why), "job \"%.60s\": %.400s", o->job.name, why);
	import_warn(
		&r->im->warnings, &trouble, job_place(r, &o->job), "the job is left out: %s", why);
}

static bool
failed(const struct object *o)
{
	const struct fio_side *side = o->job.side;
	return o->job.error > 0 || !(side[FIO_READ].bytes > 0 || side[FIO_WRITE].bytes > 0);
}

/* Whether the job ran and moved data; says so when not. */
static bool
usable(struct reading *r, const struct object *o)
{
	char why[256], reason[128];
	const struct fio_job *job = &o->job;
	if (!failed(o))
		return true;
	if (job->error > 0)
		snprintf(why, sizeof(why), "it ended with error %.0f (%s)", job->error,
			job->error < 4096 ? strerror_r((int)job->error, reason, sizeof(reason))
					  : "unknown");
	else if (job->mixed_ios > 0)
		snprintf(why, sizeof(why), "unified_rw_reporting=mixed hides which I/O were reads");
	else
		snprintf(why, sizeof(why), "it read and wrote nothing");
	refuse_object(r, o, why);
	return false;
}

static int
group_object(struct reading *r, struct object *o, struct err *err)
{
	struct group *g = find_group(r, o);
	for (int k = 0; k < FIO_SIDE_COUNT; k++) {
		struct fio_side *s = &o->job.side[k];
		if (!failed(o) && !fio_bins_add(&g->bins[k], s->bins, s->n_bins))
			return err_nomem(err);
		s->bins = NULL;
	}
	return 0;
}

/* The sum over clients adds nothing. */
static int
take_object(
	struct reading *r, struct jval v, struct jval root, struct arena *scratch, struct err *err)
{
	struct object *o = &r->objects[r->n_objects];
	if (!fio_job_read(v, root, r->im->arena, scratch, &o->job))
		return err_nomem(err);
	if (strcmp(o->job.name, "All clients") == 0)
		return 0;
	r->n_objects++;
	settle_object(r, o);
	return group_object(r, o, err);
}

static int
read_object(struct reading *r, size_t i, struct jval root, struct err *err)
{
	struct arena scratch;
	struct json_doc *doc = NULL;
	arena_init(&scratch, 0);
	int rc = fio_scan_job(r->in->bytes, &r->scan, i, &doc, err);
	if (rc == 0)
		rc = take_object(r, json_root(doc), root, &scratch, err);
	json_free(doc);
	arena_fini(&scratch);
	return rc;
}

static int
read_objects(struct reading *r, struct jval root, struct err *err)
{
	size_t n = r->scan.document.n_jobs;
	if (n == 0)
		return err_set(err, ERR_UNSUPPORTED, "the fio result holds no jobs");
	r->objects = arena_array(r->im->arena, n, sizeof(*r->objects));
	r->groups = calloc(n, sizeof(*r->groups));
	if (!r->objects || !r->groups)
		return err_nomem(err);
	int rc = 0;
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = read_object(r, i, root, err);
	return rc;
}

static void
merge(const struct object *const *objects, size_t n, const struct fio_side **sides,
	struct fio_point *p)
{
	for (int k = 0; k < FIO_SIDE_COUNT; k++) {
		for (size_t i = 0; i < n; i++)
			sides[i] = &objects[i]->job.side[k];
		fio_side_merge(sides, n, &p->bins[k], &p->side[k]);
	}
	p->runtime_min_s = p->runtime_max_s = p->cpu_frac = p->accounted_frac = NAN;
	p->steady = -1;
	for (size_t i = 0; i < n; i++) {
		const struct fio_job *job = &objects[i]->job;
		double run = fmax(job->side[FIO_READ].runtime_s, job->side[FIO_WRITE].runtime_s);
		p->runtime_min_s = fmin(p->runtime_min_s, run);
		p->runtime_max_s = fmax(p->runtime_max_s, run);
		p->cpu_frac = fmax(p->cpu_frac, job->cpu_frac);
		p->accounted_frac = fmin(p->accounted_frac, job->accounted_frac);
		p->trim_ios += job->trim_ios;
		if (job->steady >= 0 && p->steady != 0)
			p->steady = job->steady;
	}
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

/* A closed loop keeps a whole number in flight, at least one; what is far from one was no closed
 * loop of constant depth. */
static double
infer_depth(double flight)
{
	static const double near_frac = 0.05;
	double whole = fmax(round(flight), 1);
	if (!(flight >= 1e-6 && flight <= FIO_LOAD_MAX))
		return NAN;
	return flight < 1 || fabs(flight / whole - 1) <= near_frac ? whole : flight;
}

/* n of the group's objects were usable; one alone is a job, or numjobs that fio grouped. */
static void
set_load(struct fio_point *p, size_t n, size_t n_objects)
{
	const struct fio_side *read = &p->side[FIO_READ], *write = &p->side[FIO_WRITE];
	p->jobs = n_objects > 1 ? (double)n : p->setup.jobs;
	p->qd = p->setup.depth * p->jobs;
	double flight = in_flight(p);
	if (p->qd > FIO_LOAD_MAX) {
		p->setup.load_unread = "iodepth times numjobs";
		p->qd = NAN;
	}
	if (isnan(p->qd)) {
		p->qd = infer_depth(flight);
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

static int
add_point(struct reading *r, const struct group *g, const struct object *const *objects, size_t n,
	struct err *err)
{
	const struct object *first = objects[0];
	struct fio_point p = {.setup = first->setup, .bins = g->bins, .util_frac = r->util_frac};
	if (first->why) {
		refuse_object(r, first, first->why);
		return 0;
	}
	const struct fio_side **sides = calloc(n, sizeof(const struct fio_side *));
	p.place = place_of(r, &first->job);
	if (!sides) {
		free(sides);
		return err_nomem(err);
	}
	merge(objects, n, sides, &p);
	free(sides);
	set_load(&p, n, g->n_objects);
	forget_unfair_ratio(&p);
	fio_check(&p, &r->im->warnings);
	r->im->engine = import_same(r->im->arena, r->im->engine, p.setup.engine);
	r->im->duration_s += isnan(p.runtime_max_s) ? 0 : p.runtime_max_s;
	return fio_emit(&r->sink, &p, err);
}

static int
add_points(struct reading *r, struct err *err)
{
	const struct object **usables = calloc(
		r->n_objects ? r->n_objects : 1, sizeof(const struct object *));
	if (!usables)
		return err_nomem(err);
	int rc = 0;
	for (size_t i = 0; i < r->n_groups && rc == 0; i++) {
		const struct group *g = &r->groups[i];
		size_t n = 0;
		for (const struct object *o = g->first; o; o = o->next) {
			if (usable(r, o))
				usables[n++] = o;
		}
		if (n)
			rc = add_point(r, g, usables, n, err);
	}
	free(usables);
	return rc;
}

/*
 * Direct I/O reaches the device one for one, large ones split into more.  What the device did not do
 * was answered above it.  Counts of nothing are those of a device that keeps none; of clients each has
 * its own, and one is named.
 */
static void
check_device_ios(struct reading *r)
{
	static const double least_frac = 0.8; /* the kernel counts late: 0.9 in sound runs of 1 s */
	static const struct import_trouble trouble = {SEVERITY_WARNING, "device-io",
		"make sure that no cache lies between, and measure again"};
	double ios = 0;
	for (size_t i = 0; i < r->n_objects; i++) {
		const struct object *o = &r->objects[i];
		const struct fio_side *side = o->job.side;
		if (o->why || failed(o) || o->setup.direct != 1 || o->job.host)
			return;
		ios += side[FIO_READ].bytes > 0 ? side[FIO_READ].ios : 0;
		ios += side[FIO_WRITE].bytes > 0 ? side[FIO_WRITE].ios : 0;
	}
	if (r->device_ios > 0 && r->device_ios < least_frac * ios)
		import_warn(&r->im->warnings, &trouble, r->sink.source,
			"the device did %.0f I/O, the jobs %.0f: the rest was answered above it",
			r->device_ios, ios);
}

static void
note_text(struct reading *r)
{
	static const struct import_trouble several = {SEVERITY_WARNING, "several-documents",
		"right for the snapshots of --status-interval; results of several runs need a file "
		"each"};
	static const struct import_trouble cut = {SEVERITY_WARNING, "document-cut",
		"if it was a run of its own, run it to its end, into a file of its own"};
	static const struct import_trouble around = {SEVERITY_NOTE, "text-around", NULL};
	static const struct import_trouble ended = {
		SEVERITY_WARNING, "interrupted", "run it to its end"};
	struct import_warnings *w = &r->im->warnings;
	const struct fio_scan *scan = &r->scan;
	const char *source = r->sink.source;
	if (scan->n_documents > 1)
		import_warn(w, &several, source,
			"%zu fio results, the last one (byte %llu) is taken", scan->n_documents,
			(unsigned long long)scan->document.at);
	if (scan->cut)
		import_warn(w, &cut, source, "another fio result in it is cut off");
	if (scan->interrupted) {
		import_warn(w, &ended, source, "a signal ended the run");
		r->im->interrupted = true;
	} else if (scan->around[0]) {
		import_warn(w, &around, source, "other text in it: %s", scan->around);
	}
}

static int
read_document(struct reading *r, struct jval root, struct err *err)
{
	const char *version = json_text(json_get_last(root, "fio version"));
	const struct profile *p = r->im->profile;
	size_t before = p->n_cells + p->n_syncs;
	read_devices(r, root);
	int rc = read_objects(r, root, err);
	if (rc == 0)
		rc = add_points(r, err);
	if (rc)
		return rc;
	check_device_ios(r);
	if (p->n_cells + p->n_syncs == before)
		return err_set(err, ERR_UNSUPPORTED, "no usable job (%.40s): %s",
			version ? version : "no version", r->why[0] ? r->why : "only a sum");
	if (version)
		import_note_tool(r->im, version);
	double at = json_number(json_get_last(root, "timestamp"));
	if (at > 0 && at < 253402300800.0) /* year 10000 */
		r->im->started_s = fmin(r->im->started_s, at);
	return 0;
}

static int
read_found(struct reading *r, struct err *err)
{
	struct json_doc *frame = NULL;
	if (r->scan.n_documents == 0)
		return import_unknown(r->in, err);
	int rc = fio_scan_frame(&r->scan, &frame, err);
	if (rc == 0) {
		note_text(r);
		rc = read_document(r, json_root(frame), err);
	}
	json_free(frame);
	return rc;
}

static int
read_fio(struct import *im, const struct import_input *in, struct import_outcome *out,
	struct err *err)
{
	struct reading r = {.im = im, .in = in, .out = out};
	r.sink = (struct fio_sink){im->profile, im->arena, &im->warnings, in->name};
	int rc = fio_scan(in->bytes, &r.scan, err);
	if (rc == 0)
		rc = read_found(&r, err);
	for (size_t i = 0; i < r.n_groups; i++) {
		for (int k = 0; k < FIO_SIDE_COUNT; k++)
			fio_bins_fini(&r.groups[i].bins[k]);
	}
	free(r.groups);
	fio_scan_fini(&r.scan);
	return rc;
}

static bool
any(const struct import_input *in)
{
	(void)in;
	return true;
}

const struct import_format import_fio = {"fio", any, read_fio};
