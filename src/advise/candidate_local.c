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
add_local(struct candidate_work *w, const struct disk_limit *d, struct err *err)
{
	double size = ceil(w->site->demand->horizon_gib);
	if (!d || size > d->size_gib_max)
		return 0;
	struct candidate c;
	candidate_clear(&c, d, d->sku);
	c.place = PLACE_LOCAL;
	c.size_gib = c.billed_gib = size;
	c.iops = d->iops_base;
	c.mbps = d->mbps_base;
	return candidate_add(w, &c, err);
}

static int
make_local(struct candidate_work *w, const struct disk_limit *d, struct err *err)
{
	(void)d;
	const struct vm_limit *vm = w->site->vm;
	return vm && vm->temp_disk_gib > 0 ? add_local(w, temporary_limit(w->site), err) : 0;
}

const struct candidate_maker candidate_local = {NULL, make_local};
