/*
 * candidate_gap.c - tiers that could not become candidates, and why: what is missing is said, so that a
 * plan is not taken for the cheapest of all when it is the cheapest of those known.
 */
#include <math.h>
#include <string.h>

#include "advise/candidate_make.h"
#include "base/buf.h"

static bool
is_local(const struct disk_limit *d)
{
	return d->ephemeral == 1;
}

static bool
is_open_ended(const struct disk_limit *d)
{
	return d->ephemeral != 1 && !candidate_takes(d);
}

/* "Extreme Persistent Disk, Hyperdisk ML"; empty: none. */
static size_t
name_all(const struct limits *l, bool (*missing)(const struct disk_limit *d), struct buf *names)
{
	size_t n = 0;
	for (size_t i = 0; i < l->n_disks; i++) {
		const struct disk_limit *d = &l->disks[i];
		if (d->superseded == 1 || !missing(d))
			continue;
		const char *title = limits_title(l, d->family);
		bool own = strcmp(title, d->family) ==
			   0; /* no name for people: the SKU says more */
		buf_printf(names, "%s%s", n++ ? ", " : "", own ? d->sku : title);
	}
	return n;
}

static void
note_open_ended(const struct advise_input *in, struct findings *findings)
{
	struct buf names;
	buf_init(&names, 4096);
	if (name_all(in->limits, is_open_ended, &names))
		findings_add(findings, SEVERITY_WARNING, "tier-not-offered",
			"add their limits to the limits file, with source and date, to have them "
			"compared",
			"not compared, because the limits say neither their largest size nor how "
			"much of "
			"their IOPS and MB/s can be bought: %s",
			buf_text(&names));
	buf_fini(&names);
}

/* Bought up to a ceiling that no size is said to lower: true of large disks. */
static bool
is_unbound(const struct disk_limit *d)
{
	return candidate_takes(d) && disk_limit_buys_iops(d) && isnan(d->iops_per_gib) &&
	       d->iops_max > d->iops_base;
}

static void
note_unbound(const struct advise_input *in, struct findings *findings)
{
	struct buf names;
	buf_init(&names, 4096);
	if (name_all(in->limits, is_unbound, &names))
		findings_add(findings, SEVERITY_NOTE, "tier-ceiling-unknown",
			"check the size against the provider's page, or add iops_per_gib to the "
			"limits "
			"file",
			"the limits do not say how many IOPS a GiB allows, so a small disk is "
			"offered "
			"more than it may get: %s",
			buf_text(&names));
	buf_fini(&names);
}

static bool
has_local_disk(const struct vm_limit *vm)
{
	return vm->temp_disk_gib > 0 || !isnan(candidate_nvme_gib(vm));
}

/* A machine without any is a fact where the limits say so (0), a gap where they say nothing. */
static void
note_local(const struct advise_input *in, const struct vm_limit *vm, struct findings *findings)
{
	struct buf names;
	buf_init(&names, 4096);
	bool silent = isnan(vm->temp_disk_gib) && isnan(vm->nvme_count);
	if (silent && name_all(in->limits, is_local, &names))
		findings_add(findings, SEVERITY_NOTE, "tier-not-offered",
			"add the machine's local disks to the limits file if it has any",
			"not compared on %s: %s; the limits do not say that this machine has one",
			vm->sku, buf_text(&names));
	else if (has_local_disk(vm) && !isnan(candidate_nvme_gib(vm)) && isnan(vm->nvme_iops))
		findings_add(findings, SEVERITY_NOTE, "local-disk-unknown",
			"measure one with tierwise bench, or add nvme_iops and nvme_mbps to the "
			"limits "
			"file",
			"%s: the limits do not say how many IOPS and MB/s its NVMe disks do, so no "
			"demand "
			"is placed on them",
			vm->sku);
	buf_fini(&names);
}

void
candidate_gaps(const struct advise_input *in, struct findings *findings)
{
	const struct workload_vm *vm = in->workload->vm;
	note_open_ended(in, findings);
	note_unbound(in, findings);
	for (size_t i = 0; vm && i < vm->n_sizes; i++) {
		const struct vm_limit *row = NULL;
		if (limits_vm(in->limits, vm->sizes[i], &row, NULL) == 0)
			note_local(in, row, findings);
	}
}
