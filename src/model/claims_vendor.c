/*
 * claims_vendor.c - claims tested against the vendor's documents (price/limits.h).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "model/audit_internal.h"

static bool
have_limits(const struct claim_check *k)
{
	if (k->limits)
		return true;
	findings_add(k->out, SEVERITY_NOTE, "not-checked",
		"give the limits of the provider (pricing/limits-PROVIDER.json)",
		"%s: not checked, no vendor limits were loaded", claim_words(k->c));
	return false;
}

/* "1,024 GiB, 5,000 IOPS, 200 MB/s (8,000 IOPS / 300 MB/s with performance plus)" */
static void
describe(const struct disk_limit *d, struct buf *out)
{
	char size[32], iops[32], mbps[32];
	units_count_text(d->size_gib_max, size);
	units_count_text(d->iops_base, iops);
	units_count_text(d->mbps_base, mbps);
	buf_printf(out, "%s is %s GiB, %s IOPS, %s MB/s", d->sku, size, iops, mbps);
	if (isnan(d->iops_perf_plus))
		return;
	units_count_text(d->iops_perf_plus, iops);
	units_count_text(d->mbps_perf_plus, mbps);
	buf_printf(out, " (%s IOPS / %s MB/s with performance plus)", iops, mbps);
}

/* The current row of the profile's family whose IOPS and MB/s are bought; NULL: none. */
static const struct disk_limit *
provisioned_family(const struct claim_check *k)
{
	const char *family = k->p->family ? strrchr(k->p->family, '/') : NULL;
	for (size_t i = 0; family && i < k->limits->n_disks; i++) {
		const struct disk_limit *d = &k->limits->disks[i];
		if (d->family && strcmp(d->family, family + 1) == 0 && d->superseded != 1 &&
			disk_limit_is_provisioned(d))
			return d;
	}
	return NULL;
}

static void
no_such_sku(const struct claim_check *k, const struct err *why)
{
	const struct disk_limit *d = provisioned_family(k);
	if (!d) {
		findings_add(k->out, SEVERITY_WARNING, "no-such-sku", NULL, "%s: %s",
			claim_words(k->c), why->text);
		return;
	}
	char size_lo[32], size_hi[32], iops_lo[32], iops_hi[32], mbps_hi[32];
	units_count_text(d->size_gib_min, size_lo);
	units_count_text(d->size_gib_max, size_hi);
	units_count_text(isnan(d->iops_min) ? d->iops_base : d->iops_min, iops_lo);
	units_count_text(d->iops_max, iops_hi);
	units_count_text(d->mbps_max, mbps_hi);
	findings_add(k->out, SEVERITY_WARNING, "no-such-sku", "price it by capacity, IOPS and MB/s",
		"%s: there is no SKU \"%s\"; %s is provisioned by GiB (%s to %s), IOPS (%s to %s, "
		"at most %g a GiB) and MB/s (to %s)",
		claim_words(k->c), k->c->sku, d->sku, size_lo, size_hi, iops_lo, iops_hi,
		d->iops_per_gib, mbps_hi);
}

static const struct disk_limit *
sku_of(const struct claim_check *k)
{
	const struct disk_limit *d = NULL;
	struct err err;
	if (!k->c->sku || !have_limits(k))
		return NULL;
	if (limits_disk(k->limits, k->c->sku, &d, &err)) {
		no_such_sku(k, &err);
		return NULL;
	}
	return d;
}

/* What a label says against the vendor's documents. */
void
claim_label(const struct claim_check *k)
{
	const struct disk_limit *d = sku_of(k);
	if (!d)
		return;
	struct buf vendor;
	buf_init(&vendor, 512);
	describe(d, &vendor);
	bool over = k->c->iops > disk_limit_iops(d, d->size_gib_max) ||
		    k->c->mbps > disk_limit_base_mbps(d) ||
		    (k->c->size_gib > 0 && k->c->size_gib > d->size_gib_max);
	const double said[] = {k->c->size_gib, k->c->iops, k->c->mbps};
	static const char *const unit[] = {"GiB", "IOPS", "MB/s"};
	bool any = false;
	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
		char text[32];
		if (isnan(said[i]))
			continue;
		units_count_text(said[i], text);
		buf_printf(&vendor, "%s%s %s", any ? ", " : "; claimed ", text, unit[i]);
		any = true;
	}
	findings_add(k->out, over ? SEVERITY_WARNING : SEVERITY_NOTE,
		over ? "label-over-limit" : "label", over ? "plan with the vendor's limits" : NULL,
		"%s: by the vendor's documents %s", claim_words(k->c), buf_text(&vendor));
	buf_fini(&vendor);
}

/*
 * A price per GiB of a tier that is billed by the step: no such price exists.
 */
void
claim_price_per_gib(const struct claim_check *k)
{
	const struct disk_limit *first = NULL, *last = NULL;
	const char *family = k->p->family ? strrchr(k->p->family, '/') : NULL;
	if (!have_limits(k))
		return;
	for (size_t i = 0; family && i < k->limits->n_disks; i++) {
		const struct disk_limit *d = &k->limits->disks[i];
		if (!d->family || strcmp(d->family, family + 1) != 0 || d->superseded == 1 ||
			isnan(d->billed_gib))
			continue;
		first = first && first->billed_gib <= d->billed_gib ? first : d;
		last = last && last->billed_gib >= d->billed_gib ? last : d;
	}
	if (!first)
		return;
	char low[32], high[32];
	units_count_text(first->billed_gib, low);
	units_count_text(last->billed_gib, high);
	findings_add(k->out, SEVERITY_WARNING, "price-by-step",
		"price the step that holds the volume, and its transactions",
		"%s: by the vendor's documents the tier is billed by the step, from %s (%s GiB) to "
		"%s "
		"(%s GiB)%s: no price per GiB exists",
		claim_words(k->c), first->sku, low, last->sku, high,
		first->operations_billed == 1 ? ", plus its transactions" : "");
}

/* IOPS x block size against the MB/s of the SKU. */
void
claim_bandwidth(const struct claim_check *k)
{
	const struct disk_limit *d = sku_of(k);
	double mbps = k->c->iops * k->c->bs_b / UNITS_MB;
	if (!d || isnan(mbps))
		return;
	double limit = disk_limit_base_mbps(d);
	char iops[32], size[32], is[32];
	units_count_text(k->c->iops, iops);
	units_size_text(k->c->bs_b, size);
	units_count_text(round(mbps), is);
	bool over = mbps > limit;
	findings_add(k->out, over ? SEVERITY_WARNING : SEVERITY_NOTE,
		over ? "bandwidth-over-limit" : "bandwidth",
		over ? "plan with the vendor's limits" : NULL,
		"%s: %s x %s = %s MB/s %s %g MB/s of a %s", claim_words(k->c), iops, size, is,
		over ? ">" : "within", limit, d->sku);
}

static void
temp_disk(const struct vm_limit *vm, struct buf *text)
{
	if (isnan(vm->temp_disk_count) || isnan(vm->temp_disk_gib))
		return;
	buf_printf(text, "; its temp disk is %s %g GiB SSD%s",
		vm->temp_disk_count == 1 ? "one" : "several, together", vm->temp_disk_gib,
		vm->temp_disk_count == 1 ? "" : "s");
}

/* A machine that caps what its disks are said to do. */
void
claim_vm_cap(const struct claim_check *k)
{
	const struct vm_limit *vm = NULL;
	struct err err;
	if (!k->c->vm || !have_limits(k))
		return;
	if (limits_vm(k->limits, k->c->vm, &vm, &err)) {
		findings_add(k->out, SEVERITY_WARNING, "no-such-vm", NULL, "%s: %s",
			claim_words(k->c), err.text);
		return;
	}
	char iops[32], mbps[32], burst[32], burst_mbps[32], said[32];
	units_count_text(vm->uncached_iops, iops);
	units_count_text(vm->uncached_mbps, mbps);
	units_count_text(vm->uncached_burst_iops, burst);
	units_count_text(vm->uncached_burst_mbps, burst_mbps);
	units_count_text(k->c->iops, said);
	struct buf text;
	buf_init(&text, 1024);
	bool over = k->c->iops > vm->uncached_iops || k->c->mbps > vm->uncached_mbps;
	buf_printf(&text, "%s: %s caps uncached disk I/O at %s IOPS and %s MB/s", claim_words(k->c),
		vm->sku, iops, mbps);
	if (!isnan(vm->uncached_burst_iops))
		buf_printf(&text, " (burst %s / %s)", burst, burst_mbps);
	if (!isnan(k->c->iops))
		buf_printf(&text, over ? ", so it cannot drive %s IOPS" : ", enough for %s IOPS",
			said);
	temp_disk(vm, &text);
	findings_add(k->out, over ? SEVERITY_WARNING : SEVERITY_NOTE, over ? "vm-cap" : "vm",
		over ? "choose the machine with the disks" : NULL, "%s", buf_text(&text));
	buf_fini(&text);
}

/* The local disks a machine is said to have: count of them, size_gib each. */
void
claim_vm_temp(const struct claim_check *k)
{
	const struct vm_limit *vm = NULL;
	struct err err;
	if (!k->c->vm || !have_limits(k))
		return;
	if (limits_vm(k->limits, k->c->vm, &vm, &err)) {
		findings_add(k->out, SEVERITY_WARNING, "no-such-vm", NULL, "%s: %s",
			claim_words(k->c), err.text);
		return;
	}
	if (isnan(vm->temp_disk_count) || isnan(vm->temp_disk_gib)) {
		findings_add(k->out, SEVERITY_NOTE, "not-checked", NULL,
			"%s: the documents do not state the temp disk of %s", claim_words(k->c),
			vm->sku);
		return;
	}
	bool count = isnan(k->c->count) || k->c->count == vm->temp_disk_count;
	bool size = isnan(k->c->size_gib) || k->c->size_gib == vm->temp_disk_gib;
	bool agrees = count && size;
	findings_add(k->out, agrees ? SEVERITY_NOTE : SEVERITY_WARNING,
		agrees ? "vm-temp" : "vm-temp-differs",
		agrees ? NULL : "plan with the vendor's documents",
		"%s: by the vendor's documents %s has %g temporary disk%s of %g GiB%s, lost with "
		"the machine",
		claim_words(k->c), vm->sku, vm->temp_disk_count,
		vm->temp_disk_count == 1 ? "" : "s", vm->temp_disk_gib,
		vm->temp_disk_count == 1 ? "" : " each");
}
