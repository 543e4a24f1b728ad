/*
 * joint.c - constraints of a whole choice: the caps its volumes share on the machine, and the
 * transaction promises (constraint.h).
 *
 * Thin here: an I/O of a host-cached volume counts against the cached and the uncached caps alike,
 * because no hit ratio is known; that is exact for writes and too careful for reads that hit.  Burst
 * figures of the machine never count.
 */
#include <math.h>

#include "advise/constraint.h"
#include "base/units.h"

static const struct breach no_breach = {.constraint = -1,
	.need = (double)NAN,
	.have = (double)NAN,
	.best = (double)NAN,
	.margin_frac = (double)NAN};

static double
known_or(double v, double otherwise)
{
	return isnan(v) ? otherwise : v;
}

void
constraint_machine_caps(const struct vm_limit *vm, double headroom, double cap[CAP_COUNT])
{
	for (size_t i = 0; i < CAP_COUNT; i++)
		cap[i] = (double)INFINITY;
	if (!vm)
		return;
	double usable = 1 - headroom;
	double unit = vm->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	cap[CAP_UNCACHED_IOPS] = known_or(vm->uncached_iops * usable, cap[CAP_UNCACHED_IOPS]);
	cap[CAP_UNCACHED_MBPS] = known_or(
		vm->uncached_mbps * unit * usable, cap[CAP_UNCACHED_MBPS]);
	cap[CAP_REMOTE_IOPS] = known_or(vm->ultra_iops * usable, cap[CAP_UNCACHED_IOPS]);
	cap[CAP_REMOTE_MBPS] = known_or(vm->ultra_mbps * unit * usable, cap[CAP_UNCACHED_MBPS]);
	cap[CAP_CACHED_IOPS] = known_or(vm->cached_iops * usable, cap[CAP_CACHED_IOPS]);
	cap[CAP_CACHED_MBPS] = known_or(vm->cached_mbps * unit * usable, cap[CAP_CACHED_MBPS]);
	cap[CAP_DISKS] = known_or(vm->max_data_disks, cap[CAP_DISKS]);
}

void
constraint_machine_use(
	const struct candidate_site *s, const struct candidate *c, double use[CAP_COUNT])
{
	double iops = known_or(c->units, 0), mbps = known_or(s->demand->mbps, 0);
	bool local = c->place == PLACE_LOCAL;
	bool plain = c->place == PLACE_REMOTE;
	bool cached = local || (c->host_cache && c->host_cache[0] == 'R'); /* ReadOnly, ReadWrite */
	use[CAP_UNCACHED_IOPS] = plain ? iops : 0;
	use[CAP_UNCACHED_MBPS] = plain ? mbps : 0;
	use[CAP_REMOTE_IOPS] = local ? 0 : iops;
	use[CAP_REMOTE_MBPS] = local ? 0 : mbps;
	use[CAP_CACHED_IOPS] = cached ? iops : 0;
	use[CAP_CACHED_MBPS] = cached ? mbps : 0;
	use[CAP_DISKS] = local ? 0 : c->disks;
}

/* How a shared cap is named in a sentence. */
struct cap_row {
	enum constraint_id constraint;
	const char *unit, *what;
	bool has_headroom;
};

static const struct cap_row cap_rows[] = {
	[CAP_UNCACHED_IOPS] = {CONSTRAINT_VM_IOPS, "IOPS", "uncached disk I/O", true},
	[CAP_UNCACHED_MBPS] = {CONSTRAINT_VM_MBPS, "MB/s", "uncached disk throughput", true},
	[CAP_REMOTE_IOPS] = {CONSTRAINT_VM_IOPS, "IOPS", "uncached disk I/O", true},
	[CAP_REMOTE_MBPS] = {CONSTRAINT_VM_MBPS, "MB/s", "uncached disk throughput", true},
	[CAP_CACHED_IOPS] = {CONSTRAINT_VM_CACHED_IOPS, "IOPS", "host-cached and temp I/O", true},
	[CAP_CACHED_MBPS] = {CONSTRAINT_VM_CACHED_MBPS, "MB/s",
		"host-cached throughput (a write counts here too)", true},
	[CAP_DISKS] = {CONSTRAINT_VM_DISKS, "disks", "data disks", false},
};
_Static_assert(sizeof(cap_rows) / sizeof(cap_rows[0]) == CAP_COUNT, "a row a cap");

static struct breach
machine_breach(const struct vm_limit *vm, double headroom, size_t i, double need, double have,
	struct arena *a)
{
	const struct cap_row *row = &cap_rows[i];
	struct breach b = {.constraint = (int)row->constraint,
		.applies = true,
		.broken = true,
		.need = need,
		.have = have,
		.margin_frac = (have - need) / have,
		.unit = row->unit};
	char cap[32], usable[32], wanted[32];
	double whole = row->has_headroom ? have / (1 - headroom) : have;
	units_count_text(whole, cap);
	units_count_text(have, usable);
	units_count_text(need, wanted);
	if (row->has_headroom && headroom > 0)
		b.text = arena_printf(a,
			"%s caps %s at %s %s, %s with %g %% kept free: the volumes together need "
			"%s",
			vm->sku, row->what, cap, row->unit, usable, headroom * 100, wanted);
	else
		b.text = arena_printf(a, "%s caps %s at %s %s: the volumes together need %s",
			vm->sku, row->what, cap, row->unit, wanted);
	return b;
}

struct breach
constraint_machine_check(
	const struct vm_limit *vm, double headroom, const double used[CAP_COUNT], struct arena *a)
{
	double cap[CAP_COUNT];
	constraint_machine_caps(vm, headroom, cap);
	size_t worst = CAP_COUNT;
	double worst_ratio = 1 + 1e-9;
	for (size_t i = 0; i < CAP_COUNT; i++) {
		double ratio = isfinite(cap[i]) ? used[i] / cap[i] : 0;
		if (ratio > worst_ratio) {
			worst = i;
			worst_ratio = ratio;
		}
	}
	return worst == CAP_COUNT ? no_breach
				  : machine_breach(vm, headroom, worst, used[worst], cap[worst], a);
}

static struct breach
promise(enum constraint_id id, double limit, const struct estimate *e, const char *unit,
	const char *text)
{
	double predicted = e->value;
	return (struct breach){.constraint = (int)id,
		.applies = true,
		.broken = true,
		.need = limit,
		.have = predicted,
		.best = id == CONSTRAINT_TPS ? e->hi : e->lo,
		.margin_frac = id == CONSTRAINT_TPS ? (predicted - limit) / limit
						    : (limit - predicted) / limit,
		.unit = unit,
		.text = text};
}

/* Unknown (NaN) never keeps a promise. */
static bool
keeps(double predicted, double limit)
{
	return isnan(limit) || predicted <= limit * (1 + 1e-9);
}

/* Standbys that fall behind, or whose lag is more than may be lost. */
static struct breach
lag_breach(double limit, const struct db_replication *r, struct arena *a)
{
	if (isnan(limit))
		return no_breach;
	if (r->lag_growth_ms_per_s > 0) {
		const struct estimate e = {
			.value = (double)INFINITY, .lo = (double)INFINITY, .hi = (double)INFINITY};
		struct breach b = promise(CONSTRAINT_RPO, limit, &e, "ms",
			arena_printf(a,
				"standbys apply %.3g of each transaction that comes and fall "
				"behind",
				r->ratio));
		b.margin_frac = (double)NAN;
		return b;
	}
	if (!(r->rpo_ms > limit * (1 + 1e-9)))
		return no_breach;
	const struct estimate e = {.value = r->rpo_ms, .lo = r->rpo_ms, .hi = r->rpo_ms};
	return promise(CONSTRAINT_RPO, limit, &e, "ms",
		arena_printf(a, "standbys lag %.3g ms > %g ms that may be lost", r->rpo_ms, limit));
}

struct breach
constraint_tx_check(const struct workload_sla *sla, double target_tps, const struct tx_answer *r,
	unsigned relaxed, struct arena *a)
{
	double commit = sla ? sla->commit_p99_ms : (double)NAN;
	double tx = sla ? sla->tx_p99_ms : (double)NAN;
	struct estimate rate = {.value = r->max_tps, .lo = r->max_tps_lo, .hi = r->max_tps_hi};
	char max[32], target[32];
	units_count_text(r->max_tps, max);
	units_count_text(target_tps, target);
	if (!(relaxed & CONSTRAINT_BIT(CONSTRAINT_TPS)) && !isnan(target_tps) &&
		!(r->max_tps >= target_tps))
		return promise(CONSTRAINT_TPS, target_tps, &rate, "transactions/s",
			arena_printf(a, "at most %s transactions/s (%s binds) < %s asked", max,
				r->limit, target));
	if (!(relaxed & CONSTRAINT_BIT(CONSTRAINT_COMMIT_P99)) &&
		!keeps(r->commit_p99_ms.value, commit))
		return promise(CONSTRAINT_COMMIT_P99, commit, &r->commit_p99_ms, "ms",
			arena_printf(a,
				"commit p99 %.3g ms with the wait for the flush before it > %g ms "
				"allowed",
				r->commit_p99_ms.value, commit));
	if (!(relaxed & CONSTRAINT_BIT(CONSTRAINT_TX_P99)) && !keeps(r->tx_p99_ms.value, tx))
		return promise(CONSTRAINT_TX_P99, tx, &r->tx_p99_ms, "ms",
			arena_printf(a, "transaction p99 %.3g ms > %g ms allowed",
				r->tx_p99_ms.value, tx));
	if (!(relaxed & CONSTRAINT_BIT(CONSTRAINT_RPO)) && sla)
		return lag_breach(sla->rpo_ms, &r->replication, a);
	return no_breach;
}
