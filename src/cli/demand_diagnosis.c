/*
 * demand_diagnosis.c - facts "observed.*" from evidence, and what rules/diagnosis.json makes of them.
 *
 * Of a device the facts are means over the twentieth of its intervals with the longest queue (where the
 * source does not tell queues: with most I/Os), for a mean over a quiet night hides the hour that hurts.
 */
#include "cli/demand_diagnosis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/units.h"
#include "rule/rule.h"
#include "workload/workload.h"

#define PREFIX "observed."
enum { PREFIX_B = sizeof(PREFIX) - 1 };

/* ---- a device in its worst intervals ---- */

struct worst {
	double queue, iops, bytes_s, await_us, reads_s, active_frac;
};

static double
key_of(const struct evidence_sample *s, bool by_queue)
{
	return by_queue ? s->queue : series_iops(s);
}

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The key that one interval in twenty reaches; NaN when none is known. */
static double
threshold(const struct evidence_series *s, bool by_queue, struct arena *a)
{
	double *keys = arena_array(a, s->n_samples, sizeof(*keys));
	size_t n = 0;
	for (size_t i = 0; keys && i < s->n_samples; i++) {
		double key = key_of(&s->samples[i], by_queue);
		if (!isnan(key))
			keys[n++] = key;
	}
	if (n == 0)
		return (double)NAN;
	qsort(keys, n, sizeof(*keys), ascending);
	return series_rank(keys, n, 0.95);
}

/* Microseconds of all operations of a second together; NaN: not said. */
static double
waited_us(const struct evidence_sample *s)
{
	double reads = s->read_iops > 0 ? s->read_iops * s->read_us : 0;
	double writes = s->write_iops > 0 ? s->write_iops * s->write_us : 0;
	return isnan(s->read_iops) || isnan(s->write_iops) ? s->any_iops * s->any_us
							   : reads + writes;
}

static void
add_known(double *sum, double *n, double v)
{
	if (!isnan(v)) {
		*sum += v;
		*n += 1;
	}
}

static double
mean(double sum, double n)
{
	return n > 0 ? sum / n : (double)NAN;
}

static struct worst
worst_of(const struct evidence_series *s, struct arena *a)
{
	double least = threshold(s, true, a);
	bool by_queue = !isnan(least);
	if (!by_queue)
		least = threshold(s, false, a);
	struct worst sum = {0}, n = {0};
	double ops = 0, waited = 0;
	for (size_t i = 0; i < s->n_samples; i++) {
		const struct evidence_sample *p = &s->samples[i];
		double iops = series_iops(p), us = waited_us(p);
		if (!(key_of(p, by_queue) >= least))
			continue;
		add_known(&sum.queue, &n.queue, p->queue);
		add_known(&sum.iops, &n.iops, iops);
		add_known(&sum.bytes_s, &n.bytes_s, series_bytes_s(p));
		add_known(&sum.reads_s, &n.reads_s, p->read_iops);
		add_known(&sum.active_frac, &n.active_frac, p->active_frac);
		if (iops > 0 && !isnan(us)) {
			ops += iops;
			waited += us;
		}
	}
	return (struct worst){.queue = mean(sum.queue, n.queue),
		.iops = mean(sum.iops, n.iops),
		.bytes_s = mean(sum.bytes_s, n.bytes_s),
		.await_us = mean(waited, ops),
		.reads_s = mean(sum.reads_s, n.reads_s),
		.active_frac = mean(sum.active_frac, n.active_frac)};
}

static const char *
device_name(const struct evidence_series *s, struct arena *a)
{
	return s->host ? arena_printf(a, "%s:%s", s->host, s->device) : s->device;
}

static void
device_facts(const struct need_volume *v, struct rule_context *c, struct arena *a)
{
	struct worst w = worst_of(v->series, a);
	rule_set_text(c, "observed.device", device_name(v->series, a));
	rule_set_text(
		c, "observed.role", v->role < 0 ? NULL : names_text(&workload_role_names, v->role));
	rule_set_number(c, "observed.queue", w.queue);
	rule_set_number(c, "observed.iops", w.iops);
	rule_set_number(c, "observed.await_ms", w.await_us / 1000);
	rule_set_number(c, "observed.active_frac", w.active_frac);
	if (w.iops > 0) {
		rule_set_number(c, "observed.io_kib", w.bytes_s / w.iops / UNITS_KIB);
		rule_set_number(c, "observed.read_frac", w.reads_s / w.iops);
	}
	rule_set_number(c, "observed.cap_iops", v->cap.iops);
	rule_set_number(c, "observed.iops_used_frac", w.iops / v->cap.iops);
	rule_set_number(c, "observed.mbps_used_frac", w.bytes_s / v->cap.bytes_s);
	rule_set_number(c, "observed.depth_for_cap", v->cap.iops * w.await_us / 1e6);
}

/* ---- machine and server ---- */

/* p95 of the intervals, of the processors that waited most. */
static double
iowait_frac(const struct evidence *e, struct arena *a)
{
	double most = (double)NAN;
	for (size_t i = 0; i < e->n_cpus; i++) {
		const struct evidence_cpu *cpu = &e->cpus[i];
		double *known = arena_array(a, cpu->n, sizeof(*known));
		size_t n = 0;
		for (size_t k = 0; known && cpu->iowait_frac && k < cpu->n; k++) {
			if (!isnan(cpu->iowait_frac[k]))
				known[n++] = cpu->iowait_frac[k];
		}
		if (n == 0)
			continue;
		qsort(known, n, sizeof(*known), ascending);
		most = fmax(most, series_rank(known, n, 0.95));
	}
	return most;
}

/* Of several servers the worst figure of each kind. */
static void
server_facts(const struct evidence *e, struct rule_context *c)
{
	double hits = (double)NAN, files = (double)NAN, now = (double)NAN, limit = (double)NAN;
	for (size_t i = 0; i < e->n_servers; i++) {
		const struct evidence_server *s = &e->servers[i];
		double asked = s->page_hits + s->page_reads;
		if (asked > 0)
			hits = fmin(hits, s->page_hits / asked);
		files = fmax(files, s->temp_files);
		now = fmax(now, s->connections);
		limit = fmin(limit, s->connections_max);
	}
	rule_set_number(c, "observed.buffer_hit_frac", hits);
	rule_set_number(c, "observed.temp_files", files);
	rule_set_number(c, "observed.connections", now);
	rule_set_number(c, "observed.connections_max", limit);
}

/* ---- what the user saw elsewhere ---- */

static int
observed_facts(const struct demand_options *o, struct rule_context *c, struct err *err)
{
	for (size_t i = 0; i < o->n_observed; i++) {
		const struct demand_observed *v = &o->observed[i];
		char name[64];
		snprintf(name, sizeof(name), PREFIX "%.40s", v->name);
		const struct rule_fact *f = rule_fact_find(name);
		if (!f || f->type != RULE_NUMBER || f->per_volume)
			return err_set(err, ERR_USAGE,
				"--observed %s: none of iowait_frac, connections, connections_max, "
				"buffer_hit_frac, temp_files, start_transfer_ms, sql_frac, "
				"app_gap_ms, pool, callers",
				v->name);
		rule_set_number(c, name, v->value);
	}
	return 0;
}

static int
shared_facts(const struct evidence *e, const struct demand_options *o, struct rule_context *c,
	struct arena *a, struct err *err)
{
	rule_context_clear(c);
	rule_set_number(c, "observed.iowait_frac", iowait_frac(e, a));
	server_facts(e, c);
	int rc = observed_facts(o, c, err);
	const struct rule_value *now, *limit;
	now = &c->values[rule_fact_find("observed.connections") - rule_facts];
	limit = &c->values[rule_fact_find("observed.connections_max") - rule_facts];
	if (now->known && limit->known && limit->number > 0)
		rule_set_number(c, "observed.connections_frac", now->number / limit->number);
	return rc;
}

/* ---- the section ---- */

struct section {
	struct doc *d;
	struct doc_table *t; /* NULL before the first row */
	const struct rule_pack *pack;
	bool devices; /* there are any */
};

static void
begin(struct section *s)
{
	static const struct doc_column columns[] = {{"Of", DOC_LEFT}, {"What it says", DOC_LEFT},
		{"Why", DOC_LEFT}, {"Source", DOC_LEFT}, {"As of", DOC_LEFT}, {"Rule", DOC_LEFT}};
	doc_heading(s->d, 2, "Diagnosis");
	if (s->devices)
		doc_paragraph(s->d, "Of a device: means over the twentieth of its intervals with "
				    "the longest queue.");
	s->t = doc_table(
		s->d, "What the figures point to", columns, sizeof(columns) / sizeof(columns[0]));
	s->t->detail = 7U << 3; /* source, date, rule */
}

static void
say(struct section *s, const struct rule_context *c, const char *device)
{
	for (size_t i = 0; i < s->pack->n; i++) {
		const struct rule *r = &s->pack->rules[i];
		struct buf text;
		if (r->per_volume != (device != NULL) || rule_applies(r, c) != RULE_YES)
			continue;
		if (!s->t)
			begin(s);
		buf_init(&text, 8192);
		rule_text(r, c, &text);
		doc_row(s->d, s->t);
		doc_cell(s->d, s->t, 0, "%s", device ? device : "all");
		doc_cell(s->d, s->t, 1, "%s", buf_text(&text));
		doc_cell(s->d, s->t, 2, "%s", r->why);
		doc_cell(s->d, s->t, 3, "%s", r->source);
		doc_cell(s->d, s->t, 4, "%s", r->as_of);
		doc_cell(s->d, s->t, 5, "%s", r->id);
		buf_fini(&text);
	}
}

int
demand_diagnosis(struct cli_common *c, struct doc *d, const struct evidence *e,
	const struct needs *n, const struct demand_options *o, struct err *err)
{
	struct arena *a = &c->arena;
	struct rule_pack pack;
	struct rule_context shared, ctx;
	const char *path = cli_data_path(c, "rules/diagnosis.json", err);
	if (!path && (c->data_dir || getenv("TIERWISE_DATA_DIR")))
		return (int)err->code;
	if (!path || !file_exists(path)) { /* the program alone, without its data */
		cli_note(c, "no diagnosis: %s", path ? path : err->text);
		return 0;
	}
	rule_pack_init(&pack, a);
	int rc = rule_pack_load(&pack, path, err);
	rc = rc ? rc : rule_context_init(&shared, a, err);
	rc = rc ? rc : rule_context_init(&ctx, a, err);
	rc = rc ? rc : shared_facts(e, o, &shared, a, err);
	if (rc)
		return rc;
	struct section s = {.d = d, .pack = &pack, .devices = n->n_volumes > 0};
	say(&s, &shared, NULL);
	for (size_t i = 0; i < n->n_volumes; i++) {
		const struct need_volume *v = &n->volumes[i];
		memcpy(ctx.values, shared.values, rule_n_facts * sizeof(*ctx.values));
		device_facts(v, &ctx, a);
		say(&s, &ctx, device_name(v->series, a));
	}
	return 0;
}
