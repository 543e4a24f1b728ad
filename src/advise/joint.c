/*
 * joint.c - constraints of a whole choice: the caps its volumes share on the machine, and the
 * transaction promises (constraint.h).
 *
 * Azure's accounting of a disk with the host cache ReadOnly: a read that hits counts against the cached
 * caps alone, one that misses and every write against both.  Where no share of hits is given none is
 * counted on.  Burst figures of the machine never count.
 */
#include <math.h>
#include <string.h>

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

/* Which of the families that share caps on a machine this is; -1: none of those kept account of. */
static int
family_index(const struct limits *l, const char *family)
{
	int index = -1;
	for (size_t i = 0; i < l->n_disks; i++) {
		const struct disk_limit *d = &l->disks[i];
		if (d->shared_on_machine != 1 || d->superseded == 1)
			continue;
		index++;
		if (strcmp(d->family, family) == 0)
			return index < CAP_FAMILIES ? index : -1;
	}
	return -1;
}

static void
family_caps(const struct limits *l, double usable, double cap[CAP_COUNT])
{
	for (size_t i = 0; l && i < l->n_disks; i++) {
		const struct disk_limit *d = &l->disks[i];
		int k = d->superseded == 1 ? -1 : family_index(l, d->family);
		if (k < 0)
			continue;
		double unit = d->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
		cap[CAP_FAMILY_IOPS + k] = known_or(d->iops_max * usable, cap[CAP_FAMILY_IOPS + k]);
		cap[CAP_FAMILY_MBPS + k] = known_or(
			d->mbps_max * unit * usable, cap[CAP_FAMILY_MBPS + k]);
	}
}

static void
local_caps(const struct vm_limit *vm, double usable, double cap[CAP_COUNT])
{
	double unit = vm->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	double temp = vm->temp_disk_gib * known_or(vm->temp_disk_count, 1);
	cap[CAP_TEMP_GIB] = known_or(temp, cap[CAP_TEMP_GIB]);
	cap[CAP_NVME_GIB] = known_or(candidate_nvme_gib(vm), cap[CAP_NVME_GIB]);
	cap[CAP_NVME_IOPS] = known_or(vm->nvme_iops * usable, cap[CAP_NVME_IOPS]);
	cap[CAP_NVME_MBPS] = known_or(vm->nvme_mbps * unit * usable, cap[CAP_NVME_MBPS]);
}

void
constraint_machine_caps(const struct limits *limits, const struct vm_limit *vm, double headroom,
	double cap[CAP_COUNT])
{
	double usable = 1 - headroom;
	for (size_t i = 0; i < CAP_COUNT; i++)
		cap[i] = (double)INFINITY;
	family_caps(limits, usable, cap);
	if (!vm)
		return;
	double unit = vm->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	cap[CAP_UNCACHED_IOPS] = known_or(vm->uncached_iops * usable, cap[CAP_UNCACHED_IOPS]);
	cap[CAP_UNCACHED_MBPS] = known_or(
		vm->uncached_mbps * unit * usable, cap[CAP_UNCACHED_MBPS]);
	cap[CAP_REMOTE_IOPS] = known_or(vm->ultra_iops * usable, cap[CAP_UNCACHED_IOPS]);
	cap[CAP_REMOTE_MBPS] = known_or(vm->ultra_mbps * unit * usable, cap[CAP_UNCACHED_MBPS]);
	/* host cache and temporary disk share a cap; where only the latter is documented, it is that */
	double cached_iops = known_or(vm->cached_iops, vm->temp_read_iops);
	double cached_mbps = known_or(vm->cached_mbps, vm->temp_read_mbps);
	cap[CAP_CACHED_IOPS] = known_or(cached_iops * usable, cap[CAP_CACHED_IOPS]);
	cap[CAP_CACHED_MBPS] = known_or(cached_mbps * unit * usable, cap[CAP_CACHED_MBPS]);
	cap[CAP_DISKS] = known_or(vm->max_data_disks, cap[CAP_DISKS]);
	local_caps(vm, usable, cap);
}

bool
constraint_cap_is_space(size_t cap)
{
	return cap == CAP_TEMP_GIB || cap == CAP_NVME_GIB;
}

/* A disk inside the machine takes its space, and the caps of its kind. */
static void
local_use(const struct candidate_site *s, const struct candidate *c, double iops, double mbps,
	double use[CAP_COUNT])
{
	use[c->nvme ? CAP_NVME_GIB : CAP_TEMP_GIB] = s->demand->horizon_gib;
	use[c->nvme ? CAP_NVME_IOPS : CAP_CACHED_IOPS] = iops;
	use[c->nvme ? CAP_NVME_MBPS : CAP_CACHED_MBPS] = mbps;
}

void
constraint_machine_use(
	const struct candidate_site *s, const struct candidate *c, double use[CAP_COUNT])
{
	/* what reaches the disks, and what the host's cache sees */
	double iops = known_or(c->units, 0);
	double mbps = known_or(candidate_demand(s, c)->mbps, 0);
	for (size_t i = 0; i < CAP_COUNT; i++)
		use[i] = 0;
	if (c->place == PLACE_LOCAL) {
		local_use(s, c, iops, mbps, use);
		return;
	}
	if (c->place == PLACE_REMOTE) {
		use[CAP_UNCACHED_IOPS] = iops;
		use[CAP_UNCACHED_MBPS] = mbps;
	}
	if (candidate_is_cached(c)) {
		use[CAP_CACHED_IOPS] = fmax(iops, c->host_units);
		use[CAP_CACHED_MBPS] = known_or(s->demand->mbps, 0);
	}
	use[CAP_REMOTE_IOPS] = iops;
	use[CAP_REMOTE_MBPS] = mbps;
	use[CAP_DISKS] = c->disks;
	int family = s->in && c->disk ? family_index(s->in->limits, c->disk->family) : -1;
	if (family >= 0) {
		use[CAP_FAMILY_IOPS + family] = iops;
		use[CAP_FAMILY_MBPS + family] = mbps;
	}
}

/* How a shared cap is named in a sentence. */
struct cap_row {
	enum constraint_id constraint;
	const char *unit, *what;
	bool has_headroom;
};

#define FAMILY_IOPS                                                                                \
	{                                                                                          \
		CONSTRAINT_VM_IOPS, "IOPS", "the disks of one family on a machine", true           \
	}
#define FAMILY_MBPS                                                                                \
	{                                                                                          \
		CONSTRAINT_VM_MBPS, "MB/s", "the disks of one family on a machine", true           \
	}

static const struct cap_row cap_rows[] = {
	[CAP_UNCACHED_IOPS] = {CONSTRAINT_VM_IOPS, "IOPS", "uncached disk I/O", true},
	[CAP_UNCACHED_MBPS] = {CONSTRAINT_VM_MBPS, "MB/s", "uncached disk throughput", true},
	[CAP_REMOTE_IOPS] = {CONSTRAINT_VM_IOPS, "IOPS", "uncached disk I/O", true},
	[CAP_REMOTE_MBPS] = {CONSTRAINT_VM_MBPS, "MB/s", "uncached disk throughput", true},
	[CAP_CACHED_IOPS] = {CONSTRAINT_VM_CACHED_IOPS, "IOPS", "host-cached and temp I/O", true},
	[CAP_CACHED_MBPS] = {CONSTRAINT_VM_CACHED_MBPS, "MB/s",
		"host-cached throughput (a write counts here too)", true},
	[CAP_DISKS] = {CONSTRAINT_VM_DISKS, "disks", "data disks", false},
	[CAP_TEMP_GIB] = {CONSTRAINT_VM_DISKS, "GiB", "the temporary disk", false},
	[CAP_NVME_GIB] = {CONSTRAINT_VM_DISKS, "GiB", "its NVMe disks", false},
	[CAP_NVME_IOPS] = {CONSTRAINT_VM_IOPS, "IOPS", "its NVMe disks", true},
	[CAP_NVME_MBPS] = {CONSTRAINT_VM_MBPS, "MB/s", "its NVMe disks", true},
	[CAP_FAMILY_IOPS] = FAMILY_IOPS,
	[CAP_FAMILY_IOPS + 1] = FAMILY_IOPS,
	[CAP_FAMILY_IOPS + 2] = FAMILY_IOPS,
	[CAP_FAMILY_MBPS] = FAMILY_MBPS,
	[CAP_FAMILY_MBPS + 1] = FAMILY_MBPS,
	[CAP_FAMILY_MBPS + 2] = FAMILY_MBPS,
};
_Static_assert(sizeof(cap_rows) / sizeof(cap_rows[0]) == CAP_COUNT, "a row a cap");

enum constraint_id
constraint_of_cap(size_t cap)
{
	return cap_rows[cap].constraint;
}

unsigned
constraint_cap_bits(void)
{
	unsigned bits = 0;
	for (size_t i = 0; i < CAP_COUNT; i++)
		bits |= CONSTRAINT_BIT(cap_rows[i].constraint);
	return bits;
}

/* "Standard_E8ds_v5", or the provider where the cap is the same on every machine. */
static const char *
who_caps(const struct limits *l, const struct vm_limit *vm)
{
	return vm ? vm->sku : l && l->provider ? l->provider : "the provider";
}

static struct breach
machine_breach(
	const char *who, double headroom, size_t i, double need, double have, struct arena *a)
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
			who, row->what, cap, row->unit, usable, headroom * 100, wanted);
	else
		b.text = arena_printf(a, "%s caps %s at %s %s: the volumes together need %s", who,
			row->what, cap, row->unit, wanted);
	return b;
}

struct breach
constraint_machine_check(const struct limits *limits, const struct vm_limit *vm, double headroom,
	const double used[CAP_COUNT], unsigned relaxed, struct arena *a)
{
	double cap[CAP_COUNT];
	constraint_machine_caps(limits, vm, headroom, cap);
	size_t worst = CAP_COUNT;
	double worst_ratio = 1 + 1e-9;
	for (size_t i = 0; i < CAP_COUNT; i++) {
		double ratio = isfinite(cap[i]) ? used[i] / cap[i] : 0;
		bool open = relaxed & CONSTRAINT_BIT(cap_rows[i].constraint);
		if (ratio > worst_ratio && !open) {
			worst = i;
			worst_ratio = ratio;
		}
	}
	return worst == CAP_COUNT ? no_breach
				  : machine_breach(who_caps(limits, vm), headroom, worst,
					    used[worst], cap[worst], a);
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

/* Standbys that fall behind, or whose lag is more than may be lost; what a commit waited for is safe on
 * them, applied or not. */
static struct breach
lag_breach(double limit, const struct db_replication *r, struct arena *a)
{
	if (isnan(limit))
		return no_breach;
	if (r->lag_growth_ms_per_s > 0 && isnan(r->rpo_ms)) {
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
			arena_printf(a, "at most %s transactions/s (%s binds) %s %s asked", max,
				r->limit, strcmp(max, target) ? "<" : "with no moment free, and",
				target));
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
