/*
 * caps.c - the caps of a machine in words, and which sizes let more through (build.h).
 */
#include <math.h>
#include <string.h>

#include "advise/build.h"
#include "base/units.h"

const char *
build_machine(const struct build *b, const struct vm_limit *vm)
{
	const struct limits *limits = b->c->in->limits;
	for (size_t i = 0; i < limits->n_vms && vm->interface; i++) {
		const struct vm_limit *other = &limits->vms[i];
		if (other != vm && strcmp(other->sku, vm->sku) == 0) {
			const char *text = arena_printf(
				b->arena, "%s on %s", vm->sku, vm->interface);
			return text ? text : vm->sku;
		}
	}
	return vm->sku;
}

static bool
uses_host_cache(const struct build *b)
{
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct candidate *c = b->choice.at[v];
		if (c && c->host_cache && strncmp(c->host_cache, "Read", 4) == 0)
			return true;
	}
	return false;
}

void
build_note_cached_cap(struct build *b)
{
	const struct vm_limit *vm = b->c->options[b->choice.option].vm;
	if (!vm || !uses_host_cache(b) || !(isnan(vm->cached_iops) || isnan(vm->cached_mbps)))
		return;
	char iops[32], mbps[32];
	double unit = vm->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	units_count_text(vm->temp_read_iops, iops);
	units_count_text(vm->temp_read_mbps * unit, mbps);
	const char *todo =
		"look the cached caps up (az vm list-skus: CombinedTempDiskAndCachedIOPS) and "
		"give them with --machines";
	if (isnan(vm->temp_read_iops) || isnan(vm->temp_read_mbps))
		findings_add(b->findings, SEVERITY_WARNING, "machine-cap-unknown", todo,
			"%s: the documents give no cap of host-cached disks, so it is not checked",
			vm->sku);
	else
		findings_add(b->findings, SEVERITY_NOTE, "machine-cap-assumed", todo,
			"%s: the documents give no cap of host-cached disks; that of its temporary "
			"disk, "
			"which shares it, is taken: %s IOPS, %s MB/s",
			vm->sku, iops, mbps);
}

/* What remote disks get at most; the Ultra column where there is one. */
static double
remote_iops(const struct vm_limit *vm)
{
	return isnan(vm->ultra_iops) ? vm->uncached_iops : vm->ultra_iops;
}

static double
remote_mbps(const struct vm_limit *vm)
{
	double unit = vm->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	return unit * (isnan(vm->ultra_mbps) ? vm->uncached_mbps : vm->ultra_mbps);
}

static bool
same_text(const char *a, const char *b)
{
	return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

/* Sums may differ from the exact value in the last bits. */
static bool
lets_through(const struct vm_limit *vm, int constraint, double need)
{
	double cap = constraint == CONSTRAINT_VM_IOPS ? remote_iops(vm) : remote_mbps(vm);
	return cap >= need * (1 - 1e-9);
}

/* No smaller size of its series, on the same controller, does. */
static bool
smallest_of_series(
	const struct limits *limits, const struct vm_limit *vm, int constraint, double need)
{
	for (size_t i = 0; i < limits->n_vms; i++) {
		const struct vm_limit *o = &limits->vms[i];
		bool series = same_text(o->family, vm->family) &&
			      same_text(o->interface, vm->interface);
		bool smaller = o->vcpus < vm->vcpus || (!(o->vcpus > vm->vcpus) && o < vm);
		if (series && smaller && lets_through(o, constraint, need))
			return false;
	}
	return true;
}

/* "Standard_E32bds_v5 on NVMe (174,200), ..." */
static const char *
sizes_text(const struct build *b, int constraint, double need)
{
	const struct limits *limits = b->c->in->limits;
	struct buf text;
	buf_init(&text, 4096);
	for (size_t i = 0; i < limits->n_vms; i++) {
		const struct vm_limit *vm = &limits->vms[i];
		if (!lets_through(vm, constraint, need) ||
			!smallest_of_series(limits, vm, constraint, need))
			continue;
		char cap[32];
		units_count_text(
			constraint == CONSTRAINT_VM_IOPS ? remote_iops(vm) : remote_mbps(vm), cap);
		buf_printf(&text, "%s%s (%s)", text.len ? ", " : "", build_machine(b, vm), cap);
	}
	const char *copy = text.len ? arena_strdup(b->arena, buf_text(&text)) : NULL;
	buf_fini(&text);
	return copy;
}

static const char *
burst_text(const struct build *b, const struct vm_limit *vm)
{
	char iops[32], mbps[32];
	double unit = vm->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	if (isnan(vm->uncached_burst_iops) || isnan(vm->uncached_burst_mbps))
		return "";
	units_count_text(vm->uncached_burst_iops, iops);
	units_count_text(vm->uncached_burst_mbps * unit, mbps);
	const char *lasts = isnan(vm->burst_seconds)
				    ? "does not last"
				    : arena_printf(b->arena, "lasts %g minutes at most",
					      vm->burst_seconds / 60);
	const char *text = arena_printf(b->arena,
		"; its burst of %s IOPS and %s MB/s %s and is not counted", iops, mbps, lasts);
	return text ? text : "";
}

static int
say_caps(struct build *b, const struct vm_limit *vm, struct err *err)
{
	char iops[32], mbps[32];
	double unit = vm->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	units_count_text(vm->uncached_iops, iops);
	units_count_text(vm->uncached_mbps * unit, mbps);
	return build_change(b,
		arena_printf(b->arena,
			"%s lets %s IOPS and %s MB/s through to remote disks without host cache%s: "
			"larger or more disks gain nothing",
			build_machine(b, vm), iops, mbps, burst_text(b, vm)),
		err);
}

int
build_caps(struct build *b, const struct vm_limit *vm, const struct breach *breach, struct err *err)
{
	bool rate = breach->constraint == CONSTRAINT_VM_IOPS ||
		    breach->constraint == CONSTRAINT_VM_MBPS;
	if (!vm || !rate)
		return 0;
	int rc = say_caps(b, vm, err);
	const char *sizes = rc ? NULL : sizes_text(b, breach->constraint, breach->need);
	if (!sizes)
		return rc;
	double headroom = b->c->set.headroom, whole = breach->need / (1 - headroom);
	const char *free = sizes_text(b, breach->constraint, whole);
	char need[32], more[32];
	units_count_text(breach->need, need);
	units_count_text(whole, more);
	const char *then = headroom > 0 ? arena_printf(b->arena,
						  "; %s are needed with %g %% kept free: %s", more,
						  100 * headroom, free ? free : "none of them")
					: "";
	return build_change(b,
		arena_printf(b->arena,
			"sizes whose cap is %s %s or more, the smallest of each series: %s%s", need,
			breach->unit, sizes, then ? then : ""),
		err);
}
