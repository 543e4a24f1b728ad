/*
 * claims_vendor.c - claims tested against the vendor's documents (price/limits.h), the rows that no
 * longer hold included: a stale claim is then told from a wrong one.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "model/audit_internal.h"

static const char *
n(const struct claim_check *k, double value)
{
	return audit_number(k->a, value);
}

/* A row's own source, or the document's. */
static const char *
source_of(const struct claim_check *k, const char *source)
{
	return source ? source : k->limits->source;
}

static bool
have_limits(const struct claim_check *k)
{
	if (k->limits)
		return true;
	struct audit_finding *f = claim_finding(k, AUDIT_UNTESTED, "not-checked");
	f->text = "not checked, no vendor limits were loaded";
	f->todo = "name the provider or the family, as in azure/ultra_disk, whose limits are in "
		  "pricing/limits-PROVIDER.json";
	return false;
}

/* The lower end of a range: "100 to ", or "up to " where the documents have none. */
static const char *
from(const struct claim_check *k, double least)
{
	return isnan(least) ? "up to " : audit_text(k->a, "%s to ", n(k, least));
}

/* The most MB/s (10^6) of a row: what can be bought, what comes with it, or what its largest size brings. */
static double
most_mbps(const struct disk_limit *d)
{
	double base = disk_limit_base_mbps(d);
	if (disk_limit_is_provisioned(d) || isnan(base))
		base = disk_limit_mbps(d, d->iops_max);
	return fmax(base, disk_limit_sustained_mbps(d, d->size_gib_max)); /* fmax skips NaN */
}

/* "5,000 IOPS", "100 to 16,000 IOPS (3 a GiB)"; NULL: nothing is known. */
static const char *
rates(const struct claim_check *k, double least, double most, double per_gib, const char *unit)
{
	const char *by = isnan(per_gib) ? "" : audit_text(k->a, " (%.4g a GiB)", per_gib);
	if (isnan(most) && !isnan(per_gib))
		return audit_text(k->a, "%.4g %s a GiB", per_gib, unit);
	if (isnan(most) || least == most)
		return isnan(least) ? NULL : audit_text(k->a, "%s %s%s", n(k, least), unit, by);
	return audit_text(k->a, "%s%s %s%s", from(k, least), n(k, most), unit, by);
}

static const char *
rate_of(const struct claim_check *k, const struct disk_limit *d)
{
	bool bought = disk_limit_is_provisioned(d), follows = !isnan(d->iops_per_gib);
	if (bought)
		return rates(k, isnan(d->iops_base) ? d->iops_min : d->iops_base, d->iops_max,
			(double)NAN, "IOPS");
	bool fixed = !follows && !isnan(d->iops_base);
	return rates(k, d->iops_base, fixed ? d->iops_base : d->iops_max, d->iops_per_gib, "IOPS");
}

static const char *
bandwidth_of(const struct claim_check *k, const struct disk_limit *d)
{
	bool follows = !disk_limit_is_provisioned(d) && !isnan(d->mbps_per_gib);
	double of = d->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	return rates(k, disk_limit_base_mbps(d), most_mbps(d),
		follows ? d->mbps_per_gib * of : (double)NAN, "MB/s");
}

/* "1,024 GiB, 5,000 IOPS, 200 MB/s": what is known of a row. */
static const char *
known_of(const struct claim_check *k, const struct disk_limit *d)
{
	const char *size = NULL, *text = "", *comma = "";
	if (!isnan(d->size_gib_max))
		size = audit_text(k->a, "%s%s GiB", isnan(d->billed_gib) ? "up to " : "",
			n(k, d->size_gib_max));
	const char *const parts[] = {size, rate_of(k, d), bandwidth_of(k, d)};
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!parts[i])
			continue;
		text = audit_text(k->a, "%s%s%s", text, comma, parts[i]);
		comma = ", ";
	}
	return *comma ? text : "of no stated size, IOPS or MB/s";
}

/* "P30 is 1,024 GiB, 5,000 IOPS, 200 MB/s (8,000 IOPS / 300 MB/s with performance plus)" */
static const char *
describe(const struct claim_check *k, const struct disk_limit *d)
{
	const char *plus = "", *burst = "";
	if (!isnan(d->iops_perf_plus))
		plus = audit_text(k->a, " (%s IOPS / %s MB/s with performance plus)",
			n(k, d->iops_perf_plus), n(k, disk_limit_plus_mbps(d)));
	if (!isnan(d->burst_iops))
		burst = audit_text(k->a, "; bursts to %s IOPS%s%s", n(k, d->burst_iops),
			d->burst_model ? ": " : "", d->burst_model ? d->burst_model : "");
	return audit_text(k->a, "%s is %s%s%s", d->sku, known_of(k, d), plus, burst);
}

static bool
same_family(const struct disk_limit *d, const char *family)
{
	return d->family && family && strcmp(d->family, family) == 0;
}

/* "premium_ssd" of "azure/premium_ssd"; NULL: the profile stands for no tier. */
static const char *
family_of(const struct claim_check *k)
{
	const char *slash = k->p->family ? strrchr(k->p->family, '/') : NULL;
	return slash ? slash + 1 : NULL;
}

/* The current row of the profile's family whose IOPS and MB/s are bought; NULL: none. */
static const struct disk_limit *
provisioned_family(const struct claim_check *k)
{
	for (size_t i = 0; i < k->limits->n_disks; i++) {
		const struct disk_limit *d = &k->limits->disks[i];
		if (same_family(d, family_of(k)) && d->superseded != 1 &&
			disk_limit_is_provisioned(d))
			return d;
	}
	return NULL;
}

static bool
same_mbps(const struct disk_limit *d, double mbps)
{
	return fabs(disk_limit_mbps(d, d->iops_max) - mbps) < 0.5;
}

/* The rules of another day, now not the same, that the claimed IOPS or MB/s were the most of; *iops:
 * which of them.  NULL: none. */
static const struct disk_limit *
stale_row(const struct claim_check *k, const char *family, const struct disk_limit *now, bool *iops)
{
	for (size_t i = 0; i < k->limits->n_disks; i++) {
		const struct disk_limit *d = &k->limits->disks[i];
		if (!same_family(d, family) || d->superseded != 1)
			continue;
		*iops = d->iops_max == k->c->iops && !(now && now->iops_max == k->c->iops);
		if (*iops || (same_mbps(d, k->c->mbps) && !(now && same_mbps(now, k->c->mbps))))
			return d;
	}
	return NULL;
}

/* "; 160,000 IOPS was the limit until the rules of 2022-06-17 changed: now 400,000" */
static const char *
put_stale(const struct claim_check *k, struct audit_finding *f, const char *family,
	const struct disk_limit *now)
{
	bool iops = false;
	const struct disk_limit *old = stale_row(k, family, now, &iops);
	if (!old)
		return "";
	const char *unit = iops ? "IOPS" : "MB/s";
	const char *was = n(k, iops ? old->iops_max : k->c->mbps);
	audit_input(k->a, f, "superseded limit", audit_text(k->a, "%s %s", was, unit),
		TRUST_PUBLISHED, source_of(k, old->source));
	return audit_text(k->a, "; %s %s was the limit by the rules of %s (%s)%s%s", was, unit,
		old->as_of ? old->as_of : k->limits->as_of, old->sku, now ? ", now " : "",
		now ? n(k, iops ? now->iops_max : disk_limit_mbps(now, now->iops_max)) : "");
}

static void
no_such_sku(const struct claim_check *k, const struct err *why)
{
	const struct disk_limit *d = provisioned_family(k);
	struct audit_finding *f = claim_finding(k, AUDIT_CONTRADICTION, "no-such-sku");
	claim_input(k, f, "SKU", k->c->sku);
	if (!isnan(k->c->iops))
		claim_input(k, f, "IOPS", n(k, k->c->iops));
	if (!d) {
		f->text = audit_text(k->a, "%s", why->text);
		f->needs = "a name the vendor's documents do not have";
		f->todo = "ask for the SKU as it is billed";
		return;
	}
	const char *stale = put_stale(k, f, d->family, d);
	const char *near = strstr(why->text, ", did you mean");
	f->text = audit_text(k->a,
		"there is no SKU \"%s\"%s; %s is provisioned by GiB (%s to %s), IOPS (%s to %s%s) "
		"and MB/s (to %s)%s",
		k->c->sku, near ? near : "", d->sku, n(k, d->size_gib_min), n(k, d->size_gib_max),
		n(k, isnan(d->iops_min) ? d->iops_base : d->iops_min), n(k, d->iops_max),
		isnan(d->iops_per_gib) ? ""
				       : audit_text(k->a, ", at most %g a GiB", d->iops_per_gib),
		n(k, disk_limit_mbps(d, d->iops_max)), stale);
	if (k->c->size_gib > 0 && !isnan(d->iops_per_gib))
		f->arithmetic = audit_text(k->a,
			"at %s GiB: min(%s, %g x %s) = %s IOPS can be provisioned",
			n(k, k->c->size_gib), n(k, d->iops_max), d->iops_per_gib,
			n(k, k->c->size_gib), n(k, disk_limit_iops(d, k->c->size_gib)));
	f->needs = audit_text(
		k->a, "a disk of %s set to these IOPS and MB/s, and billed for them", d->sku);
	f->todo = "price it by capacity, IOPS and MB/s";
	audit_input(k->a, f, "vendor's limits", d->sku, TRUST_PUBLISHED, source_of(k, d->source));
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

static bool
holds(const struct disk_limit *d, double iops, double mbps)
{
	double most = isnan(d->mbps_max) ? disk_limit_base_mbps(d)
					 : disk_limit_mbps(d, d->iops_max);
	return !(iops > disk_limit_iops(d, d->size_gib_max)) && !(mbps > most);
}

/* The smallest current size of a family that reaches the figures; NULL: none does. */
static const struct disk_limit *
smallest_that_holds(const struct claim_check *k, const char *family, double iops, double mbps)
{
	for (size_t i = 0; i < k->limits->n_disks; i++) {
		const struct disk_limit *d = &k->limits->disks[i];
		if (same_family(d, family) && d->superseded != 1 && d->ephemeral != 1 &&
			!(k->c->size_gib > d->size_gib_max) && holds(d, iops, mbps))
			return d;
	}
	return NULL;
}

/* The whole GiB from which a disk whose IOPS grow with its size has them; NaN: none has. */
static double
size_for(const struct disk_limit *d, double iops)
{
	if (!(d->iops_per_gib > 0) || !(iops <= d->iops_max))
		return (double)NAN;
	double gib = ceil((iops - d->iops_base) / d->iops_per_gib - 1e-9); /* when it adds up */
	if (!(gib >= d->size_gib_min) || disk_limit_iops(d, gib) < iops)
		gib = fmin(ceil(iops / d->iops_per_gib - 1e-9), d->size_gib_max);
	gib = fmax(gib, d->size_gib_min); /* fmax skips NaN */
	return disk_limit_iops(d, gib) >= iops ? gib : (double)NAN;
}

static const char *
what_holds(const struct claim_check *k, const struct disk_limit *d, double iops, double mbps)
{
	const struct disk_limit *other = smallest_that_holds(k, d->family, iops, mbps);
	const char *title = limits_title(k->limits, d->family ? d->family : "");
	if (other && other != d)
		return audit_text(k->a, "the disk is a %s (%s GiB, %s IOPS, %s MB/s)", other->sku,
			n(k, other->size_gib_max), n(k, other->iops_base),
			n(k, disk_limit_base_mbps(other)));
	if (iops <= d->iops_perf_plus && !(mbps > d->mbps_perf_plus))
		return "performance plus was on";
	if (iops <= d->burst_iops && !(mbps > d->burst_mbps))
		return "a burst was measured, which does not last";
	double gib = size_for(d, iops);
	if (!isnan(gib) && gib > k->c->size_gib && !(mbps > disk_limit_mbps(d, d->iops_max)))
		return audit_text(k->a, "the disk has at least %s GiB: %s IOPS at %s a GiB",
			n(k, gib), n(k, iops), n(k, d->iops_per_gib));
	return audit_text(k->a, "a size that %s does not have", title);
}

/* "claimed 1,024 GiB, 20,000 IOPS" and its inputs. */
static const char *
put_claimed(const struct claim_check *k, struct audit_finding *f)
{
	const double said[] = {k->c->size_gib, k->c->iops, k->c->mbps};
	static const char *const unit[] = {"GiB", "IOPS", "MB/s"};
	const char *text = "claimed ", *comma = "";
	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
		if (isnan(said[i]))
			continue;
		text = audit_text(k->a, "%s%s%s %s", text, comma, n(k, said[i]), unit[i]);
		comma = ", ";
		claim_input(k, f, unit[i], n(k, said[i]));
	}
	return *comma ? text : "no size, IOPS or MB/s is stated to compare with it";
}

/* The most IOPS of a row, at the size claimed where that decides. */
static double
most_iops(const struct claim_check *k, const struct disk_limit *d)
{
	bool sized = disk_limit_is_provisioned(d) && k->c->size_gib > 0;
	return disk_limit_iops(d, sized ? k->c->size_gib : d->size_gib_max);
}

/* "20,000 / 5,000 IOPS = 4.00" */
static const char *
excess(const struct claim_check *k, const struct disk_limit *d)
{
	const double said[] = {k->c->size_gib, k->c->iops, k->c->mbps};
	const double limit[] = {d->size_gib_max, most_iops(k, d), most_mbps(d)};
	static const char *const unit[] = {"GiB", "IOPS", "MB/s"};
	const char *text = "", *comma = "";
	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
		bool room = i == 0 && disk_limit_is_provisioned(d) && said[i] <= limit[i];
		if (isnan(said[i]) || isnan(limit[i]) || room)
			continue;
		text = audit_text(k->a, "%s%s%s / %s %s = %.2f", text, comma, n(k, said[i]),
			n(k, limit[i]), unit[i], said[i] / limit[i]);
		comma = "; ";
	}
	return *text ? text : NULL;
}

/* A family that was named beside the SKU and is not the SKU's. */
static void
other_family(const struct claim_check *k, const struct disk_limit *d)
{
	const char *family = family_of(k);
	if (!family || !*family || !d->family || strcmp(family, d->family) == 0)
		return;
	struct audit_finding *f = claim_finding(k, AUDIT_CONTRADICTION, "sku-of-another-family");
	f->text = audit_text(k->a, "%s is a size of %s, not of %s", d->sku,
		limits_title(k->limits, d->family), limits_title(k->limits, family));
	f->needs = "two disks, or another name for one of them";
	f->todo = "name the family of the SKU, or the SKU of the family";
	claim_input(k, f, "SKU", k->c->sku);
	claim_input(k, f, "family", k->p->family);
	audit_input(k->a, f, "vendor's limits", d->sku, TRUST_PUBLISHED, source_of(k, d->source));
}

enum label { LABEL_HOLDS, LABEL_ALLOWANCE, LABEL_OVER, LABEL_UNKNOWN };

/* A figure that was stated and has no limit to compare it with. */
static bool
untold(double stated, double limit)
{
	return !isnan(stated) && isnan(limit);
}

/* What was claimed against the row: within it, above by what vendors let through, or more. */
static enum label
judge_label(const struct claim_check *k, const struct disk_limit *d)
{
	double iops = most_iops(k, d), mbps = most_mbps(d);
	double over = fmax(k->c->iops / iops, k->c->mbps / mbps);
	if (over > audit_band_high || (k->c->size_gib > 0 && k->c->size_gib > d->size_gib_max))
		return LABEL_OVER;
	bool sized = isnan(k->c->iops) && isnan(k->c->mbps);
	if (untold(k->c->iops, iops) || untold(k->c->mbps, mbps) ||
		(sized && untold(k->c->size_gib, d->size_gib_max)))
		return LABEL_UNKNOWN;
	return over > 1 ? LABEL_ALLOWANCE : LABEL_HOLDS;
}

/* What a label says against the vendor's documents. */
void
claim_label(const struct claim_check *k)
{
	static const struct {
		enum audit_verdict verdict;
		const char *code;
	} as[] = {{AUDIT_AGREES, "label"}, {AUDIT_NOTE, "label-allowance"},
		{AUDIT_CONTRADICTION, "label-over-limit"}, {AUDIT_UNTESTED, "not-checked"}};
	const struct disk_limit *d = sku_of(k);
	if (!d)
		return;
	other_family(k, d);
	enum label label = judge_label(k, d);
	bool over = label == LABEL_OVER;
	bool none = isnan(k->c->iops) && isnan(k->c->mbps) && isnan(k->c->size_gib);
	struct audit_finding *f = claim_finding(
		k, none ? AUDIT_NOTE : as[label].verdict, as[label].code);
	const char *claimed = put_claimed(k, f), *stale = put_stale(k, f, d->family, d);
	f->text = audit_text(k->a, "by the vendor's documents %s; %s%s%s", describe(k, d), claimed,
		label == LABEL_ALLOWANCE ? ": within the 7 % that vendors let through above a label"
		: label == LABEL_UNKNOWN
			? "; a figure stated has no limit there, so it was not checked"
			: "",
		stale);
	f->arithmetic = disk_limit_is_provisioned(d) && label == LABEL_HOLDS ? NULL : excess(k, d);
	if (label == LABEL_UNKNOWN)
		f->todo = "measure it, or add the limit to pricing/limits-PROVIDER.json";
	if (label == LABEL_ALLOWANCE)
		f->todo = "plan with the vendor's limits";
	if (over) {
		f->needs = what_holds(k, d, k->c->iops, k->c->mbps);
		f->todo = "plan with the vendor's limits";
	}
	audit_input(k->a, f, "vendor's limits", d->sku, TRUST_PUBLISHED, source_of(k, d->source));
}

/*
 * A price per GiB of a tier that is billed by the step: no such price exists.
 */
void
claim_price_per_gib(const struct claim_check *k)
{
	const struct disk_limit *first = NULL, *last = NULL;
	if (!have_limits(k))
		return;
	for (size_t i = 0; i < k->limits->n_disks; i++) {
		const struct disk_limit *d = &k->limits->disks[i];
		if (!same_family(d, family_of(k)) || d->superseded == 1 || isnan(d->billed_gib))
			continue;
		first = first && first->billed_gib <= d->billed_gib ? first : d;
		last = last && last->billed_gib >= d->billed_gib ? last : d;
	}
	if (!first)
		return;
	struct audit_finding *f = claim_finding(k, AUDIT_CONTRADICTION, "price-by-step");
	f->text = audit_text(k->a,
		"by the vendor's documents the tier is billed by the step, from %s (%s GiB) to %s "
		"(%s GiB)%s: no price per GiB exists",
		first->sku, n(k, first->billed_gib), last->sku, n(k, last->billed_gib),
		first->operations_billed == 1 ? ", plus its transactions" : "");
	f->arithmetic = audit_text(k->a, "%s GiB + 1 GiB is billed as the next step after %s",
		n(k, first->billed_gib), first->sku);
	f->needs = "a volume that fills its step to the last GiB, and no transactions";
	f->todo = "price the step that holds the volume, and its transactions";
	audit_input(k->a, f, "vendor's limits", audit_text(k->a, "%s to %s", first->sku, last->sku),
		TRUST_PUBLISHED, source_of(k, first->source));
}

static void
no_bandwidth(const struct claim_check *k, const struct disk_limit *d)
{
	struct audit_finding *f = claim_finding(k, AUDIT_UNTESTED, "not-checked");
	f->text = audit_text(k->a, "the documents state no MB/s of %s", d->sku);
	f->todo = "measure it, or add the limit to pricing/limits-PROVIDER.json";
	claim_input(k, f, "IOPS", n(k, k->c->iops));
	claim_input(k, f, "block size", audit_size(k->a, k->c->bs_b));
	audit_input(k->a, f, "vendor's limits", d->sku, TRUST_PUBLISHED, source_of(k, d->source));
}

/* IOPS x block size against the MB/s of the SKU. */
void
claim_bandwidth(const struct claim_check *k)
{
	const struct disk_limit *d = sku_of(k);
	double mbps = k->c->iops * k->c->bs_b / UNITS_MB;
	if (!d || isnan(mbps))
		return;
	double limit = disk_limit_is_provisioned(d) ? disk_limit_mbps(d, k->c->iops) : most_mbps(d);
	if (isnan(limit)) {
		no_bandwidth(k, d);
		return;
	}
	bool over = mbps > audit_band_high * limit, above = !over && mbps > limit;
	const char *iops = n(k, k->c->iops), *size = audit_size(k->a, k->c->bs_b);
	struct audit_finding *f = claim_finding(k,
		over    ? AUDIT_CONTRADICTION
		: above ? AUDIT_NOTE
			: AUDIT_AGREES,
		over    ? "bandwidth-over-limit"
		: above ? "bandwidth-allowance"
			: "bandwidth");
	f->text = audit_text(k->a, "%s x %s = %s MB/s %s %g MB/s of a %s%s", iops, size,
		n(k, round(mbps)), over || above ? ">" : "within", limit, d->sku,
		above ? ", within the 7 % that vendors let through above a label" : "");
	f->arithmetic = audit_text(k->a, "%s x %g B / 10^6 = %s MB/s; / %g = %.2f", iops,
		k->c->bs_b, n(k, round(mbps)), limit, mbps / limit);
	if (over) {
		f->needs = audit_text(k->a, "blocks of at most %s, or %s IOPS at this size",
			audit_size(k->a, floor(limit * UNITS_MB / k->c->iops)),
			n(k, floor(limit * UNITS_MB / k->c->bs_b)));
		f->todo = "plan with the vendor's limits";
	}
	claim_input(k, f, "IOPS", iops);
	claim_input(k, f, "block size", size);
	audit_input(k->a, f, "vendor's MB/s", audit_text(k->a, "%g", limit), TRUST_PUBLISHED,
		source_of(k, d->source));
}

/* ---- machines ---- */

static const struct vm_limit *
vm_of(const struct claim_check *k)
{
	const struct vm_limit *vm = NULL;
	struct err err;
	if (!k->c->vm || !have_limits(k))
		return NULL;
	if (limits_vm(k->limits, k->c->vm, &vm, &err) == 0)
		return vm;
	struct audit_finding *f = claim_finding(k, AUDIT_CONTRADICTION, "no-such-vm");
	f->text = audit_text(k->a, "%s", err.text);
	f->needs = "a machine the limits do not hold";
	f->todo = "ask for the size as it is billed";
	claim_input(k, f, "machine", k->c->vm);
	return NULL;
}

static const char *
temp_disk(const struct claim_check *k, const struct vm_limit *vm)
{
	if (isnan(vm->temp_disk_count) || isnan(vm->temp_disk_gib))
		return "";
	return audit_text(k->a, "; its temp disk is %s %g GiB SSD%s",
		vm->temp_disk_count == 1 ? "one" : "several, together", vm->temp_disk_gib,
		vm->temp_disk_count == 1 ? "" : "s");
}

/* Remote disk I/O: Ultra and Premium SSD v2 have columns of their own on some machines. */
static void
vm_caps(const struct claim_check *k, const struct vm_limit *vm, double *iops, double *mbps)
{
	const char *family = family_of(k);
	bool fast = family &&
		    (strcmp(family, "ultra_disk") == 0 || strcmp(family, "premium_ssd_v2") == 0);
	*iops = fast && !isnan(vm->ultra_iops) ? vm->ultra_iops : vm->uncached_iops;
	*mbps = fast && !isnan(vm->ultra_mbps) ? vm->ultra_mbps : vm->uncached_mbps;
}

/* The machine with the fewest processors that lets these figures through. */
static const char *
machine_that_drives(const struct claim_check *k)
{
	const struct vm_limit *best = NULL;
	for (size_t i = 0; i < k->limits->n_vms; i++) {
		const struct vm_limit *vm = &k->limits->vms[i];
		double iops, mbps;
		vm_caps(k, vm, &iops, &mbps);
		bool drives = iops > 0 && !(k->c->iops > iops) && !(k->c->mbps > mbps);
		if (drives && (!best || vm->vcpus < best->vcpus))
			best = vm;
	}
	if (!best)
		return "a machine larger than any in the limits";
	double iops, mbps;
	vm_caps(k, best, &iops, &mbps);
	return audit_text(k->a,
		"a machine such as %s%s%s (%s IOPS, %s MB/s), or a local or cached "
		"disk that answered",
		best->sku, best->interface ? " with " : "", best->interface ? best->interface : "",
		n(k, iops), n(k, mbps));
}

/* "12,800 / 12,800 IOPS = 1.00; ..." of the figures that have a cap; NULL: none has. */
static const char *
vm_excess(const struct claim_check *k, double iops, double mbps)
{
	const char *first = NULL, *second = NULL;
	if (!isnan(k->c->iops / iops))
		first = audit_text(k->a, "%s / %s IOPS = %.2f", n(k, k->c->iops), n(k, iops),
			k->c->iops / iops);
	if (!isnan(k->c->mbps / mbps))
		second = audit_text(k->a, "%s / %s MB/s = %.2f", n(k, k->c->mbps), n(k, mbps),
			k->c->mbps / mbps);
	return first && second ? audit_text(k->a, "%s; %s", first, second) : first ? first : second;
}

static const char *
vm_cap_text(const struct claim_check *k, const struct vm_limit *vm, double iops, double mbps)
{
	if (isnan(iops) && isnan(mbps))
		return audit_text(
			k->a, "the documents do not state what %s lets through uncached", vm->sku);
	return audit_text(k->a, "%s caps uncached disk I/O at %s%s%s", vm->sku,
		isnan(iops) ? "" : audit_text(k->a, "%s IOPS", n(k, iops)),
		isnan(iops) || isnan(mbps) ? "" : " and ",
		isnan(mbps) ? "" : audit_text(k->a, "%s MB/s", n(k, mbps)));
}

/* A machine that caps what its disks are said to do. */
void
claim_vm_cap(const struct claim_check *k)
{
	const struct vm_limit *vm = vm_of(k);
	if (!vm)
		return;
	double iops, mbps;
	vm_caps(k, vm, &iops, &mbps);
	bool over = k->c->iops > iops || k->c->mbps > mbps;
	bool unknown = !over && (untold(k->c->iops, iops) || untold(k->c->mbps, mbps) ||
					(isnan(iops) && isnan(mbps)));
	const char *burst = "", *drives = "";
	if (!isnan(vm->uncached_burst_iops))
		burst = audit_text(k->a, " (burst %s / %s)", n(k, vm->uncached_burst_iops),
			n(k, vm->uncached_burst_mbps));
	if (unknown && !(isnan(iops) && isnan(mbps)))
		drives = "; a figure stated has no cap there, so it was not checked";
	else if (!unknown && !isnan(k->c->iops))
		drives = audit_text(k->a,
			over ? ", so it cannot drive %s IOPS" : ", enough for %s IOPS",
			n(k, k->c->iops));
	struct audit_finding *f = claim_finding(k,
		over      ? AUDIT_CONTRADICTION
		: unknown ? AUDIT_UNTESTED
			  : AUDIT_AGREES,
		over      ? "vm-cap"
		: unknown ? "not-checked"
			  : "vm");
	f->text = audit_text(
		k->a, "%s%s%s%s", vm_cap_text(k, vm, iops, mbps), burst, drives, temp_disk(k, vm));
	f->arithmetic = vm_excess(k, iops, mbps);
	if (unknown)
		f->todo = "ask the vendor, or add its limits to "
			  "pricing/limits-PROVIDER.json";
	if (over) {
		f->needs = machine_that_drives(k);
		f->todo = "choose the machine with the disks";
	}
	if (!isnan(k->c->iops))
		claim_input(k, f, "IOPS", n(k, k->c->iops));
	if (!isnan(k->c->mbps))
		claim_input(k, f, "MB/s", n(k, k->c->mbps));
	audit_input(
		k->a, f, "machine's limits", vm->sku, TRUST_PUBLISHED, source_of(k, vm->source));
}

/* The local disks a machine is said to have: count of them, size_gib each. */
void
claim_vm_temp(const struct claim_check *k)
{
	const struct vm_limit *vm = vm_of(k);
	if (!vm)
		return;
	if (isnan(vm->temp_disk_count) || isnan(vm->temp_disk_gib)) {
		struct audit_finding *f = claim_finding(k, AUDIT_UNTESTED, "not-checked");
		f->text = audit_text(
			k->a, "the documents do not state the temp disk of %s", vm->sku);
		return;
	}
	bool count = isnan(k->c->count) || k->c->count == vm->temp_disk_count;
	bool size = isnan(k->c->size_gib) || k->c->size_gib == vm->temp_disk_gib;
	bool agrees = count && size, single = vm->temp_disk_count == 1;
	struct audit_finding *f = claim_finding(k, agrees ? AUDIT_AGREES : AUDIT_CONTRADICTION,
		agrees ? "vm-temp" : "vm-temp-differs");
	f->text = audit_text(k->a,
		"by the vendor's documents %s has %g temporary disk%s of %g GiB%s, lost with the "
		"machine",
		vm->sku, vm->temp_disk_count, single ? "" : "s", vm->temp_disk_gib,
		single ? "" : " each");
	if (!isnan(k->c->count) && !isnan(k->c->size_gib))
		f->arithmetic = audit_text(k->a, "%g x %g = %g GiB against %g x %g = %g GiB",
			k->c->count, k->c->size_gib, k->c->count * k->c->size_gib,
			vm->temp_disk_count, vm->temp_disk_gib,
			vm->temp_disk_count * vm->temp_disk_gib);
	if (!agrees) {
		f->needs = "another size or generation of machine";
		f->todo = "plan with the vendor's documents";
	}
	if (!isnan(k->c->count))
		claim_input(k, f, "disks", n(k, k->c->count));
	if (!isnan(k->c->size_gib))
		claim_input(k, f, "GiB each", n(k, k->c->size_gib));
	audit_input(
		k->a, f, "machine's limits", vm->sku, TRUST_PUBLISHED, source_of(k, vm->source));
}
