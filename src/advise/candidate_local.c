/*
 * candidate_local.c - the disks inside the machine, lost with it: the temporary disk, and NVMe disks.
 */
#include <math.h>
#include <string.h>

#include "advise/candidate_make.h"
#include "base/units.h"

/* The row of the provider's local disks; NULL: the limits have none. */
static const struct disk_limit *
ephemeral_row(const struct limits *l)
{
	for (size_t i = 0; i < l->n_disks; i++) {
		if (l->disks[i].ephemeral == 1 && l->disks[i].superseded != 1)
			return &l->disks[i];
	}
	return NULL;
}

/* Reads and writes; the smaller where both are stated. */
static double
smaller(double reads, double writes)
{
	return isnan(writes) ? reads : fmin(reads, writes);
}

/* The limits of the machine's temporary disks as a tier of their own. */
static const struct disk_limit *
temporary_limit(const struct candidate_site *s)
{
	const struct vm_limit *vm = s->vm;
	const struct disk_limit *row = ephemeral_row(s->in->limits);
	struct disk_limit *d = arena_alloc(s->arena, sizeof(*d));
	if (!d || !row)
		return NULL;
	*d = *row;
	double count = isnan(vm->temp_disk_count) ? 1 : vm->temp_disk_count;
	double unit = vm->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	d->sku = arena_printf(s->arena, "temporary disk of %s", vm->sku);
	d->size_gib_min = 0;
	d->size_gib_max = d->billed_gib = vm->temp_disk_gib * count;
	d->iops_base = d->iops_max = smaller(vm->temp_read_iops, vm->temp_write_iops);
	d->mbps_base = d->mbps_max = unit * smaller(vm->temp_read_mbps, vm->temp_write_mbps);
	d->mbps_unit = LIMITS_MB;
	d->as_of = vm->as_of;
	d->source = vm->source;
	return d;
}

static int
add_local(struct candidate_work *w, const struct disk_limit *d, bool nvme, struct err *err)
{
	double size = ceil(w->site->demand->horizon_gib);
	if (!d || size > d->size_gib_max)
		return 0;
	struct candidate c;
	candidate_clear(&c, d, d->sku);
	c.place = PLACE_LOCAL;
	c.nvme = nvme;
	c.size_gib = c.billed_gib = size;
	c.iops = d->iops_base;
	c.mbps = d->mbps_base;
	return candidate_add(w, &c, err);
}

double
candidate_nvme_gib(const struct vm_limit *vm)
{
	double gib = vm->nvme_count * vm->nvme_tb_each * 1000 * UNITS_GB / UNITS_GIB;
	return gib > 0 ? gib : (double)NAN;
}

/*
 * The limits of its NVMe disks, all of them together.  Where the machine has a temporary disk too that is
 * another device, and no profile of the one speaks for the other.
 */
static const struct disk_limit *
nvme_limit(const struct candidate_site *s)
{
	const struct vm_limit *vm = s->vm;
	const struct disk_limit *row = ephemeral_row(s->in->limits);
	struct disk_limit *d = arena_alloc(s->arena, sizeof(*d));
	if (!d || !row)
		return NULL;
	*d = *row;
	if (vm->temp_disk_gib > 0)
		d->family = "local_nvme";
	d->sku = arena_printf(s->arena, "NVMe disks of %s", vm->sku);
	d->size_gib_min = 0;
	d->size_gib_max = d->billed_gib = candidate_nvme_gib(vm);
	d->iops_base = d->iops_max = vm->nvme_iops;
	d->mbps_base = d->mbps_max = vm->mbps_unit == LIMITS_MIB
					     ? units_mibps_to_mbps(vm->nvme_mbps)
					     : vm->nvme_mbps;
	d->mbps_unit = LIMITS_MB;
	d->as_of = vm->as_of;
	d->source = vm->source;
	return d;
}

static int
make_local(struct candidate_work *w, const struct disk_limit *d, struct err *err)
{
	(void)d;
	const struct vm_limit *vm = w->site->vm;
	int rc = 0;
	if (vm && vm->temp_disk_gib > 0)
		rc = add_local(w, temporary_limit(w->site), false, err);
	if (rc == 0 && vm && !isnan(candidate_nvme_gib(vm)))
		rc = add_local(w, nvme_limit(w->site), true, err);
	return rc;
}

const struct candidate_maker candidate_local = {NULL, make_local};
