/*
 * audit_syncs.c - commits: their rate against their latency and their writers, the sync against a
 * plain write of the same size.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "model/audit_internal.h"
#include "model/points.h"

struct sync_check {
	struct audit *a;
	const struct profile *p;
	const struct profile_sync *s;
	const char *name;
	int trust;
	const char *source;
};

static const char *
sync_name(struct audit *a, const struct profile_sync *s)
{
	const char *size = isnan(s->bs_b) ? "" : audit_text(a, "%s ", audit_size(a, s->bs_b));
	const char *writers = isnan(s->writers) || s->writers == 1
				      ? ""
				      : audit_text(a, ", %g writers", s->writers);
	const char *mode = s->mode < 0 ? "sync" : names_text(&profile_sync_mode_names, s->mode);
	return audit_text(a, "%scommit by %s%s", size, mode, writers);
}

/* A measured rate is a median of slices and its mean is not; an imported mean may lack the write, or hold
 * syncs that overlapped. */
static enum audit_verdict
rate_verdict(int trust, double ratio)
{
	if (trust == TRUST_MEASURED || trust == TRUST_IMPORTED)
		return AUDIT_DOUBT;
	return ratio >= 0.5 && ratio < 0.90 ? AUDIT_DOUBT : AUDIT_CONTRADICTION;
}

/* The two of a tool that printed one of them are no test: published ones alone are listed. */
static void
rate_holds(const struct sync_check *k, double writers, double busy)
{
	struct audit *a = k->a;
	if (k->trust != TRUST_PUBLISHED)
		return;
	const char *rate = audit_number(a, k->s->syncs_per_s), *us = audit_us(a, k->s->mean_us);
	struct audit_finding *f = audit_add(a, AUDIT_AGREES, "commit-rate-holds", k->name);
	audit_input(a, f, "commits a second", rate, k->trust, k->source);
	audit_input(a, f, "mean latency", us, k->trust, k->source);
	audit_input(a, f, "writers", audit_text(a, "%g", writers), k->trust, k->source);
	f->text = audit_text(a, "%s commits a second of %s each keep %g writer%s waiting", rate, us,
		writers, writers == 1 ? "" : "s");
	f->arithmetic = audit_text(a, "%s/s x %s = %s; over %g: %.2f", rate, us,
		audit_number(a, busy), writers, busy / writers);
}

/* Each writer waits for one commit at a time: rate x mean = writers. */
static void
rate_and_latency(const struct sync_check *k)
{
	const struct profile_sync *s = k->s;
	struct audit *a = k->a;
	double writers = isnan(s->writers) ? 1 : s->writers;
	double busy = s->syncs_per_s * s->mean_us * 1e-6, ratio = busy / writers;
	if (ratio >= 0.90 && ratio <= 1.10)
		rate_holds(k, writers, busy);
	if (!(ratio < 0.90 || ratio > 1.10))
		return;
	struct audit_finding *f = audit_add(
		a, rate_verdict(k->trust, ratio), "commit-rate", k->name);
	audit_input(a, f, "commits a second", audit_number(a, s->syncs_per_s), k->trust, k->source);
	audit_input(a, f, "mean latency", audit_us(a, s->mean_us), k->trust, k->source);
	audit_input(a, f, "writers", audit_text(a, "%g", writers), k->trust, k->source);
	f->text = audit_text(a, "%s commits a second of %s each keep %s writers waiting, not %g",
		audit_number(a, s->syncs_per_s), audit_us(a, s->mean_us), audit_number(a, busy),
		writers);
	f->arithmetic = audit_text(a, "%s/s x %s = %s; over %g writers: %.2f",
		audit_number(a, s->syncs_per_s), audit_us(a, s->mean_us), audit_number(a, busy),
		writers, ratio);
	f->needs = audit_text(a, "%s writers, or a mean of %s, or %s commits a second",
		audit_number(a, busy), audit_us(a, 1e6 * writers / s->syncs_per_s),
		audit_number(a, 1e6 * writers / s->mean_us));
	f->todo = "look for a rate of one writer, or the latency of the sync without its write";
}

/* A plain write of the same size at depth 1; the mean, or the median of both. */
static const struct profile_cell *
plain_write(const struct sync_check *k, bool *median)
{
	for (size_t i = 0; i < k->p->n_cells; i++) {
		const struct profile_cell *c = &k->p->cells[i];
		bool write = c->op == PROFILE_OP_RANDWRITE || c->op == PROFILE_OP_WRITE;
		if (!write || c->qd != 1 || c->bs_b != k->s->bs_b || points_off_curve(c))
			continue;
		bool means = !isnan(c->mean_us) && !isnan(k->s->mean_us);
		bool medians = !isnan(c->p50_us) && !isnan(k->s->p50_us);
		if (!means && !medians)
			continue;
		*median = !means;
		return c;
	}
	return NULL;
}

/* A commit is a write and a wait for the medium: it cannot be faster than the write. */
static void
faster_than_write(const struct sync_check *k)
{
	bool median = false;
	double writers = isnan(k->s->writers) ? 1 : k->s->writers;
	const struct profile_cell *c = writers == 1 ? plain_write(k, &median) : NULL;
	if (!c)
		return;
	double commit = median ? k->s->p50_us : k->s->mean_us;
	double write = median ? c->p50_us : c->mean_us;
	if (!(commit < 0.95 * write))
		return;
	struct audit *a = k->a;
	struct audit_finding *f = audit_add(a, AUDIT_DOUBT, "sync-faster-than-write", k->name);
	const char *what = median ? "median" : "mean";
	audit_input(a, f, audit_text(a, "%s of the commit", what), audit_us(a, commit), k->trust,
		k->source);
	audit_input(a, f, audit_text(a, "%s of a plain write", what), audit_us(a, write),
		profile_cell_trust(k->p, c), c->source ? c->source : k->p->source);
	f->text = audit_text(a,
		"the commit takes %s, a plain write of the same size %s: a sync that waits for the "
		"medium holds such a write",
		audit_us(a, commit), audit_us(a, write));
	f->arithmetic = audit_text(a, "%s / %s = %.2f, below 1", audit_us(a, commit),
		audit_us(a, write), commit / write);
	f->needs = "the log's sequential write is that much faster than the random one, or the "
		   "sync did not wait for the medium (a cache answered, barriers were off)";
	f->todo = "measure both in one run: tierwise bench writes, syncs and counts the flushes";
}

/* Write and sync together are the sum of the two. */
static void
parts(const struct sync_check *k)
{
	const struct profile_sync *s = k->s;
	double sum = s->write_mean_us + s->sync_mean_us;
	if (!(fabs(sum / s->mean_us - 1) > 0.1))
		return;
	struct audit *a = k->a;
	struct audit_finding *f = audit_add(a, AUDIT_CONTRADICTION, "sync-parts", k->name);
	audit_input(a, f, "mean of write and sync", audit_us(a, s->mean_us), k->trust, k->source);
	audit_input(a, f, "mean of the write", audit_us(a, s->write_mean_us), k->trust, k->source);
	audit_input(a, f, "mean of the sync", audit_us(a, s->sync_mean_us), k->trust, k->source);
	f->text = audit_text(a, "write and sync together take %s, their parts %s",
		audit_us(a, s->mean_us), audit_us(a, sum));
	f->arithmetic = audit_text(a, "%s + %s = %s, not %s", audit_us(a, s->write_mean_us),
		audit_us(a, s->sync_mean_us), audit_us(a, sum), audit_us(a, s->mean_us));
	f->needs = audit_text(a, "a mean of %s for both", audit_us(a, sum));
	f->todo = "look for parts of another run";
}

void
audit_syncs(const struct profile *p, struct audit *a)
{
	for (size_t i = 0; i < p->n_syncs; i++) {
		const struct profile_sync *s = &p->syncs[i];
		const double no = (double)NAN;
		const struct sync_check k = {a, p, s, sync_name(a, s),
			s->trust >= 0 ? s->trust : p->trust, s->source ? s->source : p->source};
		const struct spread spread = {no, s->mean_us, s->p50_us, no, no, s->p99_us,
			s->p999_us, s->max_us, NULL, false};
		rate_and_latency(&k);
		faster_than_write(&k);
		parts(&k);
		audit_spread(a, k.name, &spread, k.trust, k.source);
	}
}
