#include "workload/need.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/need_parts.h"

const char *const need_verdict_text[NEED_VERDICT_COUNT] = {
	[NEED_NO_CAP] = "no cap given",
	[NEED_FITS] = "fits",
	[NEED_LIKELY_FITS] = "likely fits",
	[NEED_NOT_SHOWN] = "not shown",
	[NEED_LOWER_BOUND] = "lower bound",
	[NEED_EXCEEDS] = "exceeds the cap",
	[NEED_OVER_CAP] = "above what was bought",
};

bool
need_same_host(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

bool
need_is_device(const struct evidence_series *s, const char *name)
{
	if (!s->device)
		return false;
	if (strcmp(s->device, name) == 0)
		return true;
	size_t n = s->host ? strlen(s->host) : 0;
	return n && strncmp(name, s->host, n) == 0 && name[n] == ':' &&
	       strcmp(name + n + 1, s->device) == 0;
}

const char *
need_name(struct arena *a, const struct evidence_series *s)
{
	const char *name = arena_printf(a, "%s%s%s", s->host ? s->host : "", s->host ? ":" : "",
		s->device ? s->device : "");
	return name ? name : "";
}

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool
same_subject(const struct evidence_series *a, const struct evidence_series *b)
{
	return a->scope == b->scope && same_text(a->host, b->host) &&
	       same_text(a->device, b->device) && same_text(a->source, b->source) &&
	       same_text(a->metric, b->metric);
}

/* a ends before b begins, by times that both know. */
static bool
precedes(const struct evidence_series *a, const struct evidence_series *b)
{
	if (a->n_samples == 0 || b->n_samples == 0 || a->levels || b->levels)
		return false;
	const struct evidence_sample *last = &a->samples[a->n_samples - 1];
	return last->end_s < b->samples[0].end_s;
}

/* The samples of b behind those of a, into *to. */
static int
append(struct evidence *e, struct evidence_series *to, const struct evidence_series *a,
	const struct evidence_series *b, struct err *err)
{
	size_t n = a->n_samples + b->n_samples;
	struct evidence_sample *all = arena_array(e->arena, n, sizeof(*all));
	if (!all)
		return err_nomem(err);
	memcpy(all, a->samples, a->n_samples * sizeof(*all));
	memcpy(all + a->n_samples, b->samples, b->n_samples * sizeof(*all));
	to->samples = all;
	to->n_samples = n;
	return 0;
}

/* Two of one device and time: a copy, or two tools of one name; nothing is added up. */
static void
say_again(struct evidence *e, const struct evidence_series *a, const struct evidence_series *b)
{
	if (a->n_samples == 0 || b->n_samples == 0 || isnan(a->samples[0].end_s) ||
		isnan(b->samples[0].end_s) || a->levels || b->levels)
		return;
	bool copy = !(fabs(a->resolution_s - b->resolution_s) > 0.1 * a->resolution_s);
	findings_add(&e->findings, copy ? SEVERITY_WARNING : SEVERITY_NOTE, "seen-twice",
		"give each file once",
		"%s: of a time that %s covers too (in %s): not added, the need is of the one that "
		"tells more",
		need_name(e->arena, b), a->file ? a->file : "another input",
		b->file ? b->file : "this input");
}

int
need_join_series(struct evidence *e, struct err *err)
{
	size_t n = 0;
	for (size_t i = 0; i < e->n_series; i++) {
		const struct evidence_series now = e->series[i];
		int rc = 0;
		size_t k = 0;
		for (; k < n; k++) {
			struct evidence_series *s = &e->series[k];
			if (!same_subject(s, &now))
				continue;
			const struct evidence_series was = *s;
			if (precedes(&was, &now))
				rc = append(e, s, &was, &now, err);
			else if (precedes(&now, &was))
				rc = append(e, s, &now, &was, err);
			else
				say_again(e, &was, &now);
			if (rc || e->series[k].n_samples != was.n_samples)
				break;
		}
		if (rc)
			return rc;
		if (k == n)
			e->series[n++] = now;
	}
	e->n_series = n;
	return 0;
}

/* How many intervals at the top decide the mix at the peak: a twentieth, at least one. */
static size_t
top_of(size_t n)
{
	return n < 20 ? 1 : n / 20;
}

struct top {
	double key;
	const struct evidence_sample *sample;
};

static int
by_key_down(const void *a, const void *b)
{
	const struct top *x = a, *y = b;
	return (y->key > x->key) - (y->key < x->key);
}

static double
share(double part, double rest)
{
	return part + rest > 0 ? part / (part + rest) : (double)NAN;
}

/* Mix and size where it matters: at the top by IOPS, the split of bytes at the top by bytes. */
static int
look_at_peak(struct need_volume *v, struct arena *a, struct err *err)
{
	const struct evidence_series *s = v->series;
	struct top *top = arena_array(a, s->n_samples, sizeof(*top));
	double reads = 0, writes = 0, bytes = 0, ops = 0;
	size_t n = 0;
	if (!top)
		return err_nomem(err);
	for (size_t i = 0; i < s->n_samples; i++) {
		double iops = series_iops(&s->samples[i]);
		if (!isnan(iops))
			top[n++] = (struct top){iops, &s->samples[i]};
	}
	qsort(top, n, sizeof(*top), by_key_down);
	for (size_t i = 0; i < top_of(n) && i < n; i++) {
		reads += top[i].sample->read_iops;
		writes += top[i].sample->write_iops;
		bytes += series_bytes_s(top[i].sample);
		ops += series_iops(top[i].sample);
	}
	v->read_frac = share(reads, writes);
	v->io_b = ops > 0 ? bytes / ops : (double)NAN;
	n = 0;
	reads = writes = 0;
	for (size_t i = 0; i < s->n_samples; i++) {
		double b = series_bytes_s(&s->samples[i]);
		if (!isnan(b))
			top[n++] = (struct top){b, &s->samples[i]};
	}
	qsort(top, n, sizeof(*top), by_key_down);
	for (size_t i = 0; i < top_of(n) && i < n; i++) {
		reads += top[i].sample->read_bytes_s;
		writes += top[i].sample->write_bytes_s;
	}
	v->read_bytes_frac = share(reads, writes);
	return 0;
}

static void
grade(struct need_volume *v)
{
	const struct series_stats *st = &v->stats;
	const double day = 86400;
	bool peak = st->iops.max >= 2 * st->iops.mean;
	bool window = st->window_bytes_s[SERIES_WINDOWS - 1] >= 1.5 * st->bytes_s.mean;
	v->grade = NEED_GRADE_C;
	if (st->n < 2)
		v->grade = NEED_GRADE_D;
	else if (st->resolution_s <= 1.5 && st->span_s >= 0.99 * day && peak && window)
		v->grade = NEED_GRADE_A;
	else if (st->resolution_s <= 60.5 && st->span_s >= 6.9 * day)
		v->grade = NEED_GRADE_B;
}

/* What sizing takes: the p99 of the intervals, or more where the rate while active is higher. */
static void
size(struct need_volume *v, struct arena *a)
{
	const struct series_stats *st = &v->stats;
	char step[40];
	series_resolution_text(st->resolution_s, step);
	const struct evidence_levels *levels = v->series->levels;
	v->iops = levels ? levels[EVIDENCE_LEVEL_IOPS].p99 : st->iops.p99;
	v->bytes_s = levels ? levels[EVIDENCE_LEVEL_BYTES_S].p99 : st->bytes_s.p99;
	if (levels)
		series_resolution_text(levels[EVIDENCE_LEVEL_IOPS].resolution_s, step);
	v->iops_from = st->n < 2                 ? "one mean"
		       : isnan(st->resolution_s) ? "p99 of means over an unknown time"
						 : arena_printf(a, "p99 of %s means", step);
	if (!(st->active_iops <= v->iops) && !isnan(st->active_iops)) {
		v->iops = st->active_iops;
		v->iops_from = "highest rate while active";
	}
	double finest = levels ? levels[EVIDENCE_LEVEL_IOPS].resolution_s : st->resolution_s;
	v->peak_unknown = (isnan(finest) || finest >= 60) && isnan(st->active_iops);
	if (!v->iops_from)
		v->iops_from = "";
}

static const struct need_cap *
cap_of(const struct need_options *o, const struct evidence_series *s)
{
	static const struct need_cap none = {NULL, NAN, NAN, NAN, NAN};
	const struct need_cap *found = &none;
	for (size_t i = 0; i < o->n_caps; i++) {
		/* the one that names the host, else the first */
		bool whole = s->device && strcmp(o->caps[i].device, s->device) != 0;
		if (need_is_device(s, o->caps[i].device) && (whole || !found->device))
			found = &o->caps[i];
	}
	return found;
}

/* The disk alone is more than its machine lets through. */
static bool
over_machine(const struct need_options *o, const struct need_volume *v)
{
	return v->iops > o->vm_iops || v->bytes_s > o->vm_bytes_s;
}

static void
judge(const struct need_options *o, struct need_volume *v)
{
	double used = fmax(v->iops_used_frac, v->bytes_used_frac); /* of those that are known */
	if (v->verdict == NEED_OVER_CAP)
		return;
	if (isnan(used))
		v->verdict = v->censored ? NEED_LOWER_BOUND : NEED_NO_CAP;
	else if (v->censored)
		v->verdict = NEED_LOWER_BOUND;
	else if (used > 1)
		v->verdict = NEED_EXCEEDS;
	else if (v->peak_unknown || v->grade == NEED_GRADE_D)
		v->verdict = NEED_NOT_SHOWN;
	else
		v->verdict = v->grade == NEED_GRADE_C ? NEED_LIKELY_FITS : NEED_FITS;
	bool fits = v->verdict == NEED_FITS || v->verdict == NEED_LIKELY_FITS;
	if (fits && over_machine(o, v))
		v->verdict = NEED_EXCEEDS;
}

static void
say_peak(struct evidence *e, const struct need_volume *v)
{
	char step[40];
	if (!v->peak_unknown || v->stats.n < 2)
		return;
	series_resolution_text(v->stats.resolution_s, step);
	findings_add(&e->findings, SEVERITY_WARNING, "peak-unknown",
		"measure each second, or size with headroom that you choose and write down",
		"%s: means of %s do not show the peak inside (on one run 60 s means hid a peak 4.6 "
		"times as high as a 5 s mean); no factor is made up for it",
		need_name(e->arena, v->series), step);
}

static int
look_at(struct evidence *e, const struct need_options *o, struct need_volume *v, struct err *err)
{
	int rc = series_stats(v->series, e->arena, &v->stats, err);
	if (rc == 0)
		rc = look_at_peak(v, e->arena, err);
	if (rc)
		return rc;
	v->cap = *cap_of(o, v->series);
	v->iops_used_frac = v->bytes_used_frac = v->credit_s = v->cache_hit_frac = NAN;
	size(v, e->arena);
	grade(v);
	need_look_at_caps(e, v);
	judge(o, v);
	say_peak(e, v);
	need_check_series(e, v);
	return need_look_at_time(e, v, err);
}

/* How much a series tells of a device: both directions, then bytes, then finer, then more. */
static double
worth(const struct evidence_series *s)
{
	double w = 0;
	if (s->n_samples == 0)
		return -1;
	const struct evidence_sample *x = &s->samples[s->n_samples / 2];
	w += !isnan(series_iops(x)) ? 8 : 0;
	w += !isnan(x->read_iops) && !isnan(x->write_iops) ? 4 : 0;
	w += !isnan(series_bytes_s(x)) ? 2 : 0;
	w += s->n_samples > 1 ? 1 : 0;
	w += s->resolution_s > 0 ? 0.5 / (1 + s->resolution_s) : 0;
	return w + 1e-9 * (double)s->n_samples;
}

/* Whether another series tells more of the same device. */
static bool
outdone(const struct evidence *e, size_t i)
{
	const struct evidence_series *s = &e->series[i];
	for (size_t k = 0; k < e->n_series; k++) {
		const struct evidence_series *t = &e->series[k];
		if (k == i || t->metric || !same_text(s->device, t->device) ||
			(s->host && t->host && strcmp(s->host, t->host) != 0))
			continue;
		double a = worth(s), b = worth(t);
		if (b > a || (b == a && k < i))
			return true;
	}
	return false;
}

static int
add_volume(struct evidence *e, struct needs *n, size_t i, const struct need_role *role,
	struct err *err)
{
	struct need_volume *all = arena_grow(e->arena, n->volumes, n->n_volumes, sizeof(*all));
	if (!all)
		return err_nomem(err);
	n->volumes = all;
	struct need_volume *v = &all[n->n_volumes++];
	*v = (struct need_volume){.series = &e->series[i],
		.role = role ? role->role : -1,
		.capacity_gib = role ? role->capacity_gib : (double)NAN};
	return look_at(e, n->options, v, err);
}

/* A plain name is of the device as it is now. */
static bool
is_of_role(const struct evidence_series *s, const char *name)
{
	bool past = s->host && strcmp(s->host, NEED_BEFORE) == 0;
	return need_is_device(s, name) && !(past && strcmp(s->device, name) == 0);
}

static const struct need_role *
role_of(const struct need_options *o, const struct evidence_series *s)
{
	for (size_t i = 0; i < o->n_roles; i++) {
		if (is_of_role(s, o->roles[i].device))
			return &o->roles[i];
	}
	return NULL;
}

static bool
names_a_device(const struct evidence *e, const char *name)
{
	for (size_t i = 0; i < e->n_series; i++) {
		if (need_is_device(&e->series[i], name))
			return true;
	}
	return false;
}

/* A name that was not read is a slip of the pen: the nearest one is told. */
static int
check_names(const struct evidence *e, const char *option, const char *name, struct err *err)
{
	const char **names = arena_array(e->arena, e->n_series, sizeof(*names));
	if (names_a_device(e, name) || !names)
		return names ? 0 : err_nomem(err);
	size_t n = 0;
	for (size_t i = 0; i < e->n_series; i++) {
		if (e->series[i].device)
			names[n++] = e->series[i].device;
	}
	const char *near = names_nearest(name, names, n, sizeof(*names));
	return err_set(err, ERR_NOT_FOUND, "%s %s: no such device was read%s%s%s", option, name,
		near ? ", did you mean "
		: n  ? "; one is "
		     : ": the inputs name none",
		near ? near
		: n  ? names[0]
		     : "",
		near ? "?" : "");
}

static int
check_options(const struct evidence *e, const struct need_options *o, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; i < o->n_roles && rc == 0; i++)
		rc = check_names(e, "--role", o->roles[i].device, err);
	for (size_t i = 0; i < o->n_caps && rc == 0; i++)
		rc = check_names(e, "--cap", o->caps[i].device, err);
	for (size_t i = 0; i < o->n_host_caches && rc == 0; i++) {
		const struct need_host_cache *h = &o->host_caches[i];
		rc = check_names(e, "--host-cache", h->disk, err);
		if (rc == 0 && h->seen)
			rc = check_names(e, "--host-cache", h->seen, err);
	}
	return rc;
}

/* A role is of one device, and a device has one role. */
static int
check_roles(const struct need_options *o, const struct needs *n, struct err *err)
{
	for (size_t i = 0; i < o->n_roles; i++) {
		const struct need_role *role = &o->roles[i];
		const struct need_volume *first = NULL;
		for (size_t k = 0; k < n->n_volumes; k++) {
			const struct need_volume *v = &n->volumes[k];
			if (!is_of_role(v->series, role->device))
				continue;
			if (role_of(o, v->series) != role)
				return err_set(err, ERR_USAGE,
					"--role: %s is given two roles: a disk that is shared is "
					"one volume: give it one role, data",
					role->device);
			if (first)
				return err_set(err, ERR_USAGE,
					"--role %s: several machines have it: give HOST:DEVICE, "
					"%s or %s",
					role->device, need_name(n->arena, first->series),
					need_name(n->arena, v->series));
			first = v;
		}
	}
	return 0;
}

int
needs_of(struct evidence *e, const struct need_options *o, struct needs *out, struct err *err)
{
	*out = (struct needs){.arena = e->arena, .options = o};
	int rc = check_options(e, o, err);
	for (size_t i = 0; i < e->n_series && rc == 0; i++) {
		const struct evidence_series *s = &e->series[i];
		const struct need_role *role = role_of(o, s);
		bool wanted = role || s->scope == EVIDENCE_DISK || cap_of(o, s)->device;
		if (wanted && !s->metric && s->n_samples && !outdone(e, i))
			rc = add_volume(e, out, i, role, err);
	}
	if (rc == 0)
		rc = check_roles(o, out, err);
	if (rc)
		return rc;
	need_check_runs(e);
	need_check_servers(e, o->target_tps);
	rc = need_look_at_machines(e, out, err);
	if (rc == 0)
		rc = need_look_at_caches(e, out, err);
	if (rc == 0)
		need_look_at_change(e, out);
	return rc;
}
