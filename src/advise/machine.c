/*
 * machine.c - the machine of the plan: its caps, what its disks need and could do, and why the rest is in vain.
 */
#include <math.h>
#include <string.h>

#include "advise/build.h"
#include "base/units.h"

/* ": usable are 6,400 of 15,000 IOPS and 96 of 600 MB/s (16 %), and 504 MB/s of the disks are not reachable" */
static const char *
stranded_text(struct build *b, const struct plan_machine *m)
{
	double iops = fmin(m->bought_iops, m->remote_iops);
	double mbps = fmin(m->bought_mbps, m->remote_mbps);
	char use_iops[32], all_iops[32], use_mbps[32], all_mbps[32], lost[32];
	if (isnan(m->bought_mbps) || isnan(m->bought_iops))
		return "";
	units_count_text(iops, use_iops);
	units_count_text(m->bought_iops, all_iops);
	units_count_text(mbps, use_mbps);
	units_count_text(m->bought_mbps, all_mbps);
	units_count_text(m->bought_mbps - mbps, lost);
	const char *text = arena_printf(b->arena,
		": usable are %s of %s IOPS and %s of %s MB/s (%.0f %%), and %s MB/s of the disks "
		"are "
		"not reachable",
		use_iops, all_iops, use_mbps, all_mbps, 100 * mbps / m->bought_mbps, lost);
	return text ? text : "";
}

static const char *
machine_note(struct build *b, const struct plan_machine *m)
{
	if (m->bought_iops > m->remote_iops || m->bought_mbps > m->remote_mbps)
		return arena_printf(b->arena,
			"the disks could do more together than the machine lets through%s; "
			"sustained "
			"caps, %g %% kept free, burst not counted",
			stranded_text(b, m), b->c->set.headroom * 100);
	return arena_printf(b->arena, "sustained caps, %g %% kept free, burst not counted",
		b->c->set.headroom * 100);
}

/* What the remote disks could do together, and which of the machine's caps is theirs. */
static void
sum_disks(const struct build *b, const struct vm_limit *vm, struct plan_machine *m)
{
	double cap[CAP_COUNT];
	constraint_machine_caps(b->c->in->limits, vm, 0, cap);
	m->bought_iops = m->bought_mbps = 0;
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct candidate *c = b->choice.at[v];
		if (c->place == PLACE_LOCAL)
			continue;
		m->bought_iops += c->iops;
		m->bought_mbps += c->mbps;
		if (c->place != PLACE_REMOTE_ULTRA)
			continue;
		m->remote_iops = isfinite(cap[CAP_REMOTE_IOPS]) ? cap[CAP_REMOTE_IOPS]
								: (double)NAN;
		m->remote_mbps = isfinite(cap[CAP_REMOTE_MBPS]) ? cap[CAP_REMOTE_MBPS]
								: (double)NAN;
	}
}

int
build_machine_part(struct build *b, struct err *err)
{
	const struct machine_option *o = &b->c->options[b->choice.option];
	const struct vm_limit *vm = o->vm;
	if (!vm)
		return 0;
	struct plan_machine *m = arena_alloc(b->arena, sizeof(*m));
	if (!m)
		return err_nomem(err);
	double unit = vm->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	*m = (struct plan_machine){.sku = vm->sku,
		.interface = vm->interface,
		.count = b->c->machines,
		.vcpus = vm->vcpus,
		.ram_gib = vm->ram_gib,
		.uncached_iops = vm->uncached_iops,
		.uncached_mbps = vm->uncached_mbps * unit,
		.remote_iops = vm->uncached_iops,
		.remote_mbps = vm->uncached_mbps * unit,
		.ultra_iops = vm->ultra_iops,
		.cached_iops = vm->cached_iops,
		.cached_mbps = vm->cached_mbps * unit,
		.need_iops = (double)NAN,
		.need_mbps = (double)NAN,
		.bought_iops = (double)NAN,
		.bought_mbps = (double)NAN,
		.monthly = o->monthly * b->c->machines};
	if (b->choice.found || b->near) {
		double used[CAP_COUNT], usable = 1 - b->c->set.headroom;
		chooser_use(b->c, b->choice.option, b->choice.at, used);
		m->need_iops = used[CAP_REMOTE_IOPS] / usable;
		m->need_mbps = used[CAP_REMOTE_MBPS] / usable;
	}
	if (b->choice.found)
		sum_disks(b, vm, m);
	m->note = machine_note(b, m);
	if (vm->interface && strcmp(vm->interface, "NVMe") == 0 && build_machine(b, vm) != vm->sku)
		m->note = arena_printf(b->arena,
			"%s; on the NVMe controller, which needs a Generation 2 machine and an "
			"image with NVMe drivers",
			m->note);
	b->plan->machine = m;
	return 0;
}
