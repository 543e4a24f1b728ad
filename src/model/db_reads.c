/*
 * db_reads.c - dependent page reads on the data volume, beside background writes.
 *
 * Pages are not written back evenly but in bursts, many at once: while a burst lasts a read waits
 * behind burst_depth writes at the volume's cap.  With u_b and u_f the shares of the cap that
 * background and foreground take, bursts last u_b / (1 - u_f) of the time.  Eight writes: what
 * reads of PostgreSQL took on an emulated disk with writers beside them, and rather more than less
 * for a kernel that writes back with a depth of 32 under a rate limit.
 * Merges are throttled by the engine: up to merge_share of the bandwidth they only add load.
 */
#include "model/db_internal.h"

#include <math.h>

static const double burst_depth = 8;

struct db_load
db_foreground(const struct db_case *c, double rate)
{
	double backup = c->in->tx.backup_mibps;
	return (struct db_load){.read_iops = 1e3 * rate * c->reads * (1 - c->host_hit),
		.io_kib = c->in->engine->page_kib,
		.read_mibps = isnan(backup) || c->fast ? 0 : backup};
}

double
db_used(const struct db_volume *v, const struct db_load *load, const char **what)
{
	return v->used_frac ? v->used_frac(v->ctx, load, what) : (double)NAN;
}

static double
background_iops(const struct db_background *bg)
{
	return bg->data.read_iops + bg->data.write_iops +
	       1024 * (bg->data.read_mibps + bg->data.write_mibps) / bg->io_kib;
}

void
db_burst(const struct db_case *c, const struct db_background *bg, struct db_state *s)
{
	double iops = background_iops(bg);
	s->burst_frac = s->burst = 0;
	if (c->fast || !(iops > 0))
		return;
	const char *what = NULL;
	struct db_load front = db_foreground(c, s->rate);
	double back = db_used(c->in->data, &bg->data, &what);
	double fore = db_used(c->in->data, &front, &what);
	if (isnan(back) || isnan(fore))
		return;
	double share = c->in->engine->merge_share;
	double over = isnan(c->in->engine->write_amplification) || isnan(share) ? 1
		      : back > share ? (back - share) / (1 - share)
				     : 0;
	s->burst_frac = fmin(1, over) * (fore < 1 ? fmin(1, back / (1 - fore)) : 1);
	s->burst = 1e3 * burst_depth * back / iops;
}

struct db_load
db_beside(const struct db_case *c, const struct db_background *bg, const struct db_state *s)
{
	struct db_load load = db_foreground(c, s->rate);
	if (!isnan(c->in->engine->write_amplification) || s->burst <= 0)
		load = db_load_sum(&load, &bg->data);
	return load;
}

static int
one_read(const struct db_case *c, const struct db_background *bg, struct db_state *s,
	struct err *err)
{
	s->read_at = db_beside(c, bg, s);
	if (c->in->shared)
		s->read_at = db_load_sum(&s->read_at, &s->log);
	int rc = c->in->data->read(c->in->data->ctx, &s->read_at, MODEL_MEAN, &s->read_us, err);
	if (rc)
		return rc;
	double light = db_pick(c, &s->read_us, s);
	if (!(light >= 0) || isinf(light))
		return err_set(err, ERR_UNSUPPORTED,
			"the read latency of the data volume is not known: measure it");
	s->read = (1 - s->burst_frac) * light + s->burst_frac * fmax(light, s->burst);
	return 0;
}

int
db_carry(const struct db_case *c, const struct db_background *bg, struct db_state *s,
	struct err *err)
{
	struct db_load load = db_foreground(c, s->rate);
	load = db_load_sum(&load, &bg->data);
	s->data = c->in->shared ? db_load_sum(&load, &s->log) : load;
	if (c->fast)
		return 0;
	s->data_used = db_used(c->in->data, &s->data, &s->data_what);
	if (s->data_used > 1)
		return err_set(err, ERR_RANGE, "the data volume is used to %.0f %% (%s)",
			100 * s->data_used, s->data_what ? s->data_what : "its cap");
	return 0;
}

int
db_reads(const struct db_case *c, const struct db_background *bg, struct db_state *s,
	struct err *err)
{
	int rc = 0;
	if (c->reads > 0 && !c->fast) {
		rc = one_read(c, bg, s, err);
		s->reads = c->awaited * (c->host_hit * c->host_ms + (1 - c->host_hit) * s->read);
	}
	if (c->in->shared) {
		s->log = s->data;
		s->log_used = s->data_used;
		s->log_what = s->data_what;
	}
	return rc;
}
