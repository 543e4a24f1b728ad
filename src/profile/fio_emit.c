#include "profile/fio_emit.h"

#include <math.h>
#include <string.h>

static int
op_of(const struct fio_point *p, int kind)
{
	if (kind == FIO_READ)
		return p->setup.random ? PROFILE_OP_RANDREAD : PROFILE_OP_READ;
	return p->setup.random ? PROFILE_OP_RANDWRITE : PROFILE_OP_WRITE;
}

/* What was moved by each I/O is certain; the options are what was asked for. */
static double
block_size(const struct fio_point *p, int kind)
{
	const struct fio_side *s = &p->side[kind];
	double asked = p->setup.bs_b[kind], moved = s->bytes / s->ios;
	if (isnan(moved) || fabs(moved / asked - 1) <= 0.005)
		return asked;
	return moved >= 1 ? round(moved) : (double)NAN;
}

/* Interval of a merged quantile, or of one at the end of fio's histogram. */
static void
set_interval(const struct fio_side *s, int q, double *lo_us, double *hi_us)
{
	static const double ceiling_us = 17112760.320;
	*lo_us = s->q_lo_us[q];
	*hi_us = s->q_hi_us[q];
	if (s->q_us[q] >= ceiling_us) {
		*lo_us = isnan(*lo_us) ? s->q_us[q] : *lo_us;
		*hi_us = s->max_us;
	}
}

static const char *
cell_note(const struct fio_sink *sink, const struct fio_point *p, const struct fio_side *s)
{
	struct buf note;
	buf_init(&note, 1024);
	if (s->q_approximate)
		buf_put(&note, "percentiles approximate: jobs reported apart; ");
	if (s->q_ceiling)
		buf_put(&note, "percentiles at 17.1 s mean above 17.1 s; ");
	if (p->setup.rate)
		buf_printf(&note, "rate-limited by %s, not a closed loop; ", p->setup.rate);
	if (p->setup.direct == 0)
		buf_put(&note, "not direct I/O; ");
	if (p->setup.inferred || p->qd_inferred)
		buf_put(&note,
			p->setup.inferred ? "kind, size and depth inferred; " : "depth inferred; ");
	if (!p->setup.inferred && (p->setup.bs_unread || p->setup.bs_varies))
		buf_put(&note, p->setup.bs_varies ? "sizes differ, the mean is taken; "
						  : "size inferred; ");
	if (p->setup.sync_mode >= 0)
		buf_printf(&note, "each write made durable (%s); ",
			names_text(&profile_sync_mode_names, p->setup.sync_mode));
	if (!isnan(p->setup.sync_every))
		buf_printf(&note, "a sync every %.0f writes; ", p->setup.sync_every);
	const char *copy = note.len > 2 ? arena_strndup(sink->arena, note.text, note.len - 2)
					: NULL;
	buf_fini(&note);
	return copy;
}

/* json+ histogram of a side: two lists in the arena; nothing without one. */
static int
copy_bins(const struct fio_sink *sink, const struct fio_point *p, int kind, double **us,
	double **count, size_t *n, struct err *err)
{
	const struct fio_bins *b = &p->bins[kind];
	*n = 0;
	if (p->side[kind].n_bins == 0 || b->n == 0)
		return 0;
	*us = arena_array(sink->arena, b->n, sizeof(**us));
	*count = arena_array(sink->arena, b->n, sizeof(**count));
	if (!*us || !*count)
		return err_nomem(err);
	for (; *n < b->n; (*n)++) {
		(*us)[*n] = b->items[*n].us;
		(*count)[*n] = b->items[*n].count;
	}
	return 0;
}

static int
emit_cell(const struct fio_sink *sink, const struct fio_point *p, int kind, struct err *err)
{
	const struct fio_side *s = &p->side[kind];
	struct profile_cell c;
	profile_cell_clear(&c);
	c.op = op_of(p, kind);
	c.bs_b = block_size(p, kind);
	c.qd = p->qd;
	c.jobs = p->jobs;
	c.mix_read_frac = p->mix_read_frac;
	c.iops = s->iops;
	c.mibps = s->mibps;
	c.mean_us = s->mean_us;
	c.sd_us = s->sd_us;
	c.min_us = s->min_us;
	c.max_us = s->max_us;
	c.p50_us = s->q_us[FIO_P50];
	c.p90_us = s->q_us[FIO_P90];
	c.p95_us = s->q_us[FIO_P95];
	c.p99_us = s->q_us[FIO_P99];
	c.p999_us = s->q_us[FIO_P999];
	set_interval(s, FIO_P50, &c.p50_lo_us, &c.p50_hi_us);
	set_interval(s, FIO_P99, &c.p99_lo_us, &c.p99_hi_us);
	set_interval(s, FIO_P999, &c.p999_lo_us, &c.p999_hi_us);
	c.percentile_of = s->q_of;
	c.n = s->n;
	c.runtime_s = s->runtime_s;
	c.little_ratio = p->qd_inferred ? (double)NAN : p->little_ratio;
	c.submit_frac = fmin(s->submit_us, s->mean_us) / s->mean_us;
	c.trust = TRUST_IMPORTED;
	c.source = sink->source;
	c.note = cell_note(sink, p, s);
	int rc = copy_bins(sink, p, kind, &c.bins_us, &c.bins_n, &c.n_bins_us, err);
	if (rc)
		return rc;
	c.n_bins_n = c.n_bins_us;
	return profile_add_cell(sink->profile, sink->arena, &c, err);
}

/*
 * fio records write and sync apart.  The sum's quantile at p is at least the sync's; and the sum
 * exceeds a + b only when the write exceeds a or the sync exceeds b, so the quantiles at 1 - (1 -
 * p)/2 of both add up to an upper bound.  The value shown is the sync's quantile plus the typical
 * write, kept inside.
 */
static double
joint_quantile(
	const struct fio_side *w, const struct fio_side *y, int q, int upper_q, double interval[2])
{
	interval[0] = y->q_us[q];
	interval[1] = w->q_us[upper_q] + y->q_us[upper_q];
	double value = y->q_us[q] + w->q_us[FIO_P50];
	return value > interval[1] ? interval[1] : value;
}

static void
raise_to(double *value, double least)
{
	if (*value < least)
		*value = least;
}

static void
set_apart(const struct fio_sink *sink, const struct fio_point *p, struct profile_sync *s)
{
	static const struct import_trouble estimate = {SEVERITY_NOTE, "commit-percentiles", NULL};
	const struct fio_side *w = &p->side[FIO_WRITE], *y = &p->side[FIO_SYNC];
	double interval[2];
	s->syncs_per_s = y->iops;
	s->n = y->n;
	s->sync_mean_us = y->mean_us;
	s->sync_p50_us = y->q_us[FIO_P50];
	s->sync_p99_us = y->q_us[FIO_P99];
	s->mean_us = w->mean_us + y->mean_us;
	s->p50_us = y->q_us[FIO_P50] + w->q_us[FIO_P50];
	s->p99_us = joint_quantile(w, y, FIO_P99, FIO_P995, interval);
	s->p99_lo_us = interval[0];
	s->p99_hi_us = interval[1];
	s->p999_us = joint_quantile(w, y, FIO_P999, FIO_P9995, interval);
	s->p999_lo_us = interval[0];
	s->p999_hi_us = interval[1];
	/* the estimates stay in order, and inside their intervals; comparisons skip NaN */
	raise_to(&s->p99_us, s->p50_us);
	raise_to(&s->p99_hi_us, s->p99_us);
	raise_to(&s->p999_us, s->p99_us);
	raise_to(&s->p999_hi_us, s->p999_us);
	import_warn(sink->warnings, &estimate, p->place,
		"fio records write and sync apart: percentiles of both together are estimated, "
		"their intervals are certain");
}

/* Before fio 3.4, and in some client/server output, only the rate tells how long a sync took. */
static void
set_from_rate(const struct fio_sink *sink, const struct fio_point *p, struct profile_sync *s)
{
	static const struct import_trouble trouble = {
		SEVERITY_WARNING, "sync-not-recorded", "run fio 3.17 or later, not as a client"};
	const struct fio_side *w = &p->side[FIO_WRITE];
	s->syncs_per_s = w->iops;
	s->n = w->n;
	import_warn(sink->warnings, &trouble, p->place, "fio did not record sync latency%s",
		p->setup.rate ? "" : ": its mean is what the rate leaves beside the write");
	if (p->setup.rate)
		return;
	s->mean_us = p->qd * 1e6 / w->iops;
	s->trust = TRUST_DERIVED;
	if (s->mean_us > w->mean_us)
		s->sync_mean_us = s->mean_us - w->mean_us;
}

/* O_DSYNC: the write is durable when it returns, its latency is the whole of it. */
static void
set_durable_write(const struct fio_side *w, struct profile_sync *s)
{
	s->syncs_per_s = w->iops;
	s->n = w->n;
	s->mean_us = w->mean_us;
	s->p50_us = w->q_us[FIO_P50];
	s->p99_us = w->q_us[FIO_P99];
	s->p999_us = w->q_us[FIO_P999];
	set_interval(w, FIO_P99, &s->p99_lo_us, &s->p99_hi_us);
	set_interval(w, FIO_P999, &s->p999_lo_us, &s->p999_hi_us);
	s->max_us = w->max_us;
}

static int
emit_sync(const struct fio_sink *sink, const struct fio_point *p, struct err *err)
{
	static const struct import_trouble overlap = {SEVERITY_WARNING, "sync-overlap",
		"measure commits with a synchronous engine and one job a writer"};
	struct profile_sync s;
	profile_sync_clear(&s);
	s.mode = p->setup.sync_mode;
	s.pattern = p->setup.pattern;
	s.bs_b = block_size(p, FIO_WRITE);
	s.writers = p->qd;
	s.trust = TRUST_IMPORTED;
	s.source = sink->source;
	s.note = p->setup.random ? "random writes" : NULL;
	bool apart = s.mode == PROFILE_SYNC_FSYNC || s.mode == PROFILE_SYNC_FDATASYNC;
	if (apart)
		s.write_mean_us = p->side[FIO_WRITE].mean_us;
	if (!apart)
		set_durable_write(&p->side[FIO_WRITE], &s);
	else if (p->side[FIO_SYNC].n > 0)
		set_apart(sink, p, &s);
	else
		set_from_rate(sink, p, &s);
	if (p->qd > p->jobs)
		import_warn(sink->warnings, &overlap, p->place,
			"depth %.0f: writes and syncs of one job overlap, so this is not a "
			"committer waiting for each",
			p->qd / p->jobs);
	int rc = apart ? 0
		       : copy_bins(sink, p, FIO_WRITE, &s.bins_us, &s.bins_n, &s.n_bins_us, err);
	if (rc)
		return rc;
	s.n_bins_n = s.n_bins_us;
	return profile_add_sync(sink->profile, sink->arena, &s, err);
}

int
fio_emit(const struct fio_sink *sink, const struct fio_point *p, struct err *err)
{
	if (p->setup.commit)
		return emit_sync(sink, p, err);
	int rc = 0;
	for (int k = FIO_READ; k <= FIO_WRITE && rc == 0; k++) {
		if (p->side[k].bytes > 0)
			rc = emit_cell(sink, p, k, err);
	}
	return rc;
}
