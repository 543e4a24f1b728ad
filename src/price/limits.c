/*
 * limits.c - the document of tier and machine limits, look-ups, and the ceilings that depend on
 * size or on provisioned IOPS.
 */
#include "price/limits.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/trust.h"
#include "base/units.h"
#include "price/fetch.h"

static const char *const unit_table[] = {[LIMITS_MB] = "MB", [LIMITS_MIB] = "MiB"};
_Static_assert(sizeof(unit_table) / sizeof(unit_table[0]) == LIMITS_MBPS_UNIT_COUNT, "names");
const struct names limits_mbps_unit_names = {"throughput unit", unit_table, LIMITS_MBPS_UNIT_COUNT};

/* No limit of a disk or machine comes near: a larger number is a slip of the pen. */
#define MOST 1e12
#define D struct disk_limit
#define V struct vm_limit
#define NUMBER(type, member, unit, help) FIELD_NUMBER(type, member, false, 0, MOST, unit, help)
/* What is divided by: nought would make a disk that is never done. */
#define DIVISOR(t, m, u, h) FIELD_NUMBER(t, m, false, 0.001, MOST, u, h)

static const struct schema_field disk_fields[] = {
	FIELD_TEXT(D, family, true, "tier family, as in the price books"),
	FIELD_TEXT(D, sku, true, "size or product"),
	NUMBER(D, size_gib_min, "GiB", "smallest size"),
	NUMBER(D, size_gib_max, "GiB", "largest size"),
	DIVISOR(D, size_step_gib, "GiB", "sold in pieces of so many GiB (default: by the GiB)"),
	NUMBER(D, billed_gib, "GiB", "fixed steps: the size billed; absent: billed by the GiB"),
	NUMBER(D, iops_base, "IOPS", "sustained, comes with the size"),
	DIVISOR(D, iops_max, "IOPS", "highest that can be had"),
	NUMBER(D, iops_min, "IOPS", "lowest that can be set"),
	NUMBER(D, iops_per_gib, "IOPS/GiB", "ceiling per GiB; absent: none"),
	NUMBER(D, iops_min_per_gib, "IOPS", "lowest per GiB that can be set; absent: none"),
	NUMBER(D, iops_perf_plus, "IOPS", "with the free performance-plus option"),
	NUMBER(D, mbps_perf_plus, "MB/s", "with the free performance-plus option"),
	NUMBER(D, mbps_base, "MB/s", "sustained, comes with the size"),
	DIVISOR(D, mbps_max, "MB/s", "highest that can be had"),
	NUMBER(D, mbps_min, "MB/s", "lowest that can be set"),
	NUMBER(D, mbps_per_iops, "MB/s", "ceiling per provisioned IOPS; absent: none"),
	NUMBER(D, mbps_per_gib, "MB/s", "ceiling per GiB; absent: none"),
	FIELD_FLAG(D, size_adds,
		"what a GiB brings adds to the base; else the larger of the two counts"),
	FIELD_WORD(D, mbps_unit, &limits_mbps_unit_names, false,
		"MB (10^6) or MiB (2^20) for every throughput of the row (default MB)"),
	NUMBER(D, burst_iops, "IOPS", "while bursting; never counted as sustained"),
	NUMBER(D, burst_mbps, "MB/s", "while bursting; never counted as sustained"),
	NUMBER(D, burst_seconds, "s", "longest burst from a full bucket"),
	NUMBER(D, burst_credit_ios, "I/Os", "a full bucket holds, spent above the sustained level"),
	FIELD_TEXT(D, burst_model, false, "how bursting works"),
	DIVISOR(D, io_unit_kib, "KiB", "one I/O counts per started unit against the IOPS limit"),
	FIELD_TEXTS(D, host_cache, n_host_cache, false, "host cache modes accepted"),
	NUMBER(D, host_cache_max_gib, "GiB", "largest disk that may be cached"),
	FIELD_TEXTS(D, redundancy, n_redundancy, false, "redundancy offered"),
	FIELD_TEXT(D, copies, false,
		"copies kept where there is no choice, in the words of redundancy: zonal, "
		"regional"),
	NUMBER(D, max_shares, "machines", "most machines that may mount one disk"),
	FIELD_FLAG(D, ephemeral, "content is lost when the machine stops or moves"),
	FIELD_FLAG(D, os_disk, "may be an operating-system disk"),
	FIELD_FLAG(D, operations_billed, "I/O transactions are charged; absent: not known"),
	DIVISOR(D, billing_unit_kib, "KiB", "one billed transaction per started unit"),
	DIVISOR(D, billing_units_max, "transactions", "one I/O is billed as at most this many"),
	FIELD_FLAG(D, billing_capped, "billed transactions have an hourly cap"),
	NUMBER(D, billing_cap_hour, "transactions/h",
		"billed transactions an hour at most; absent with billing_capped: not known"),
	NUMBER(D, billing_cap_least, "transactions/h",
		"an unknown cap is at least this; absent: nothing is known"),
	FIELD_FLAG(D, iops_billed,
		"IOPS are bought; false: they follow the size (default: bought where more can be "
		"had than comes with the size)"),
	FIELD_FLAG(D, throughput_billed,
		"throughput is bought; false: it follows size or IOPS (default: bought where more "
		"can be had than comes with the size)"),
	FIELD_TEXTS(D, performance_tiers, n_performance_tiers, false,
		"larger sizes whose level, and price, this one can be raised to"),
	FIELD_FLAG(D, shared_on_machine,
		"iops_max and mbps_max are of all disks of the family on one machine together"),
	FIELD_FLAG(D, mounts_billed,
		"each machine of a shared disk after the first is charged; absent: not known"),
	FIELD_FLAG(D, burst_billed, "bursting is on demand and charged; false: credits, free"),
	NUMBER(D, machine_vcpus_min, "vCPUs", "machines with fewer do not take it; absent: any"),
	FIELD_FLAG(D, vcpus_reserved,
		"a machine made ready for it pays for its processors while none is attached"),
	FIELD_TEXT(D, snapshot_family, false,
		"family whose snapshot meter applies (default: its own)"),
	DIVISOR(D, restore_mbps_min, "MB/s",
		"lowest rate at which a new disk is loaded from a snapshot, 10^6 whatever "
		"mbps_unit says; absent: not known"),
	DIVISOR(D, restore_mbps_max, "MB/s", "highest such rate (default: the lowest)"),
	DIVISOR(D, restore_paid_mibps_min, "MiB/s", "lowest loading rate that can be bought"),
	DIVISOR(D, restore_paid_mibps_max, "MiB/s",
		"highest loading rate that can be bought, by the provider itself: neither the "
		"disk's nor the machine's MB/s bounds it; absent: none is sold"),
	NUMBER(D, restore_hours_max, "h", "longest a load from a snapshot may take"),
	NUMBER(D, restore_ready_gib_max, "GiB",
		"largest snapshot that can be kept ready, for a charge, so that a disk made from "
		"it "
		"is loaded from the start; absent: not sold"),
	NUMBER(D, restore_read_ms, "ms", "a read of a block that is not loaded yet"),
	FIELD_WORD(D, restore_trust, &trust_names, false,
		"class of the restore figures; absent: published"),
	FIELD_TEXT(D, restore_source, false, "where they are from (default: the row's source)"),
	FIELD_TEXT(D, restore_as_of, false, "their date, YYYY-MM-DD (default: the row's)"),
	FIELD_TEXT(D, restore_note, false, "what to know about a restore"),
	FIELD_TEXT(D, latency_claim, false, "what the provider says about latency"),
	FIELD_TEXT(D, consistency_claim, false, "how much of the time the limits are promised"),
	FIELD_TEXT(D, durability, false, "yearly durability as claimed"),
	FIELD_TEXT(D, sector, false, "sector sizes"),
	FIELD_TEXT(D, zone_rule, false, "where it can be used"),
	FIELD_FLAG(D, superseded, "an old rule, kept to explain stale claims; never a candidate"),
	FIELD_TEXT(D, superseded_by, false, "current SKU of the rule that replaced this one"),
	FIELD_TEXT(D, valid_until, false, "last day of an old rule, YYYY-MM-DD"),
	FIELD_FLAG(D, verified, "read in the provider's own document"),
	FIELD_TEXT(D, source, false, "where from (default: the document's)"),
	FIELD_TEXT(D, as_of, false, "date of the source, YYYY-MM-DD (default: the document's)"),
	FIELD_TEXT(D, note, false, "what a reader should know"),
};

static const struct schema disk_schema = SCHEMA_PART("disk limit", D, disk_fields);

static const struct schema_field vm_fields[] = {
	FIELD_TEXT(V, sku, true, "machine size in the provider's spelling"),
	FIELD_TEXT(V, family, false, "series"),
	FIELD_TEXT(V, interface, false, "controller of remote disks: SCSI, NVMe"),
	NUMBER(V, vcpus, "", "virtual processors"),
	NUMBER(V, vcpus_billed, "",
		"what a reservation of processors counts, where some are switched off (default: "
		"vcpus)"),
	NUMBER(V, ram_gib, "GiB", "memory"),
	NUMBER(V, max_data_disks, "disks", "most remote data disks"),
	NUMBER(V, temp_disk_count, "disks", "local temporary disks"),
	NUMBER(V, temp_disk_gib, "GiB", "size of each"),
	NUMBER(V, temp_read_iops, "IOPS", "of the temporary disks together"),
	NUMBER(V, temp_read_mbps, "MB/s", "of the temporary disks together"),
	NUMBER(V, temp_write_iops, "IOPS", "of the temporary disks together"),
	NUMBER(V, temp_write_mbps, "MB/s", "of the temporary disks together"),
	NUMBER(V, nvme_count, "disks", "local NVMe disks, ephemeral"),
	NUMBER(V, nvme_tb_each, "TB", "size of each"),
	NUMBER(V, nvme_iops, "IOPS", "of all together"),
	NUMBER(V, nvme_mbps, "MB/s", "of all together"),
	NUMBER(V, cached_iops, "IOPS", "ceiling of cached disks and the temporary disk"),
	NUMBER(V, cached_mbps, "MB/s", "ceiling of cached disks and the temporary disk"),
	NUMBER(V, uncached_iops, "IOPS", "ceiling of all uncached remote disks together"),
	NUMBER(V, uncached_mbps, "MB/s", "ceiling of all uncached remote disks together"),
	NUMBER(V, uncached_burst_iops, "IOPS", "while the machine bursts"),
	NUMBER(V, uncached_burst_mbps, "MB/s", "while the machine bursts"),
	NUMBER(V, burst_seconds, "s", "longest burst from a full bucket"),
	NUMBER(V, ultra_iops, "IOPS", "for Ultra and Premium SSD v2; absent: uncached_iops"),
	NUMBER(V, ultra_mbps, "MB/s", "for Ultra and Premium SSD v2; absent: uncached_mbps"),
	FIELD_FLAG(V, premium_storage, "accepts premium disks"),
	FIELD_FLAG(V, premium_caching, "offers host caching"),
	FIELD_TEXT(V, ultra_support, false, "whether and where Ultra disks attach"),
	FIELD_TEXT(V, premium_v2_support, false, "whether and where Premium SSD v2 attaches"),
	FIELD_WORD(V, mbps_unit, &limits_mbps_unit_names, false,
		"MB (10^6) or MiB (2^20) for every throughput of the row (default MB)"),
	FIELD_FLAG(V, verified, "read in the provider's own document"),
	FIELD_TEXT(V, source, false, "where from (default: the document's)"),
	FIELD_TEXT(V, as_of, false, "date of the source, YYYY-MM-DD (default: the document's)"),
	FIELD_TEXT(V, note, false, "what a reader should know"),
};

static const struct schema vm_schema = SCHEMA_PART("machine limit", V, vm_fields);

static const struct schema_field family_fields[] = {
	FIELD_TEXT(struct limits_family, family, true, "word used in rows and price books"),
	FIELD_TEXT(struct limits_family, title, true, "what people call it"),
};

static const struct schema family_schema = SCHEMA_PART(
	"family of disks", struct limits_family, family_fields);

static const struct schema_field fields[] = {
	FIELD_TEXT(struct limits, provider, true, "azure, aws, gcp, alibaba, ..."),
	FIELD_TEXT(struct limits, as_of, true, "date of the newest source, YYYY-MM-DD"),
	FIELD_TEXT(struct limits, source, true, "where the limits were read"),
	FIELD_LIST(struct limits, families, n_families, &family_schema, false,
		"names for people (default: the family's word)"),
	FIELD_LIST(struct limits, disks, n_disks, &disk_schema, true, "one row a disk size"),
	FIELD_LIST(struct limits, vms, n_vms, &vm_schema, false,
		"one row a machine size and disk controller"),
};

const struct schema limits_schema = SCHEMA_DOCUMENT("tierwise/limits/1",
	"What the tiers and machines of a provider can do, by its own documents", struct limits,
	fields);

static int
check_date(struct jval v, const char *key, const char *date, struct err *err)
{
	int64_t days;
	if (!date || clock_parse_date(date, &days, NULL) == 0)
		return 0;
	return json_fail(json_get(v, key), err, ERR_RANGE,
		"%s: \"%.40s\", accepted: a calendar date YYYY-MM-DD", key, date);
}

/* What comes with a size cannot be more than the most that can be had. */
static int
check_pair(struct jval v, const char *low_key, double low, const char *high_key, double high,
	struct err *err)
{
	if (!(low > high)) /* NaN: not stated */
		return 0;
	return json_fail(json_get(v, low_key), err, ERR_RANGE, "%s: %.10g is above %s %.10g",
		low_key, low, high_key, high);
}

static const D *
current(const struct limits *limits, const char *sku)
{
	for (size_t i = 0; i < limits->n_disks; i++) {
		if (limits->disks[i].superseded != 1 && strcmp(limits->disks[i].sku, sku) == 0)
			return &limits->disks[i];
	}
	return NULL;
}

/* The rows a row points to must be there. */
static int
check_references(struct jval v, const struct limits *limits, const D *d, struct err *err)
{
	if (d->superseded_by && !current(limits, d->superseded_by))
		return json_fail(json_get(v, "superseded_by"), err, ERR_RANGE,
			"superseded_by: no current disk \"%.60s\" in this document",
			d->superseded_by);
	if (d->superseded_by && d->superseded != 1)
		return json_fail(json_get(v, "superseded_by"), err, ERR_RANGE,
			"superseded_by: only for a row with \"superseded\": true");
	struct jval name = json_first(json_get(v, "performance_tiers"));
	for (size_t i = 0; i < d->n_performance_tiers; i++, name = json_next(name)) {
		if (!current(limits, d->performance_tiers[i]))
			return json_fail(name, err, ERR_RANGE,
				"performance_tiers: no current disk \"%.60s\" in this document",
				d->performance_tiers[i]);
	}
	return 0;
}

static int
check_rates(struct jval v, const D *d, struct err *err)
{
	int rc = check_pair(v, "iops_base", d->iops_base, "iops_max", d->iops_max, err);
	rc = rc ? rc : check_pair(v, "iops_min", d->iops_min, "iops_max", d->iops_max, err);
	rc = rc ? rc
		: check_pair(v, "iops_min_per_gib", d->iops_min_per_gib, "iops_per_gib",
			  d->iops_per_gib, err);
	rc = rc ? rc : check_pair(v, "mbps_base", d->mbps_base, "mbps_max", d->mbps_max, err);
	rc = rc ? rc : check_pair(v, "mbps_min", d->mbps_min, "mbps_max", d->mbps_max, err);
	rc = rc ? rc
		: check_pair(v, "restore_mbps_min", d->restore_mbps_min, "restore_mbps_max",
			  d->restore_mbps_max, err);
	rc = rc ? rc
		: check_pair(v, "restore_paid_mibps_min", d->restore_paid_mibps_min,
			  "restore_paid_mibps_max", d->restore_paid_mibps_max, err);
	return rc ? rc
		  : check_pair(v, "billing_cap_least", d->billing_cap_least, "billing_cap_hour",
			    d->billing_cap_hour, err);
}

/* Steps must hold what they bill; two current rows of one SKU would make the bill a matter of
 * luck. */
static int
check_disk(struct jval v, const struct limits *limits, size_t i, struct err *err)
{
	D *d = &limits->disks[i];
	if (d->mbps_unit < 0)
		d->mbps_unit = LIMITS_MB;
	if (d->size_gib_min > d->size_gib_max)
		return json_fail(json_get(v, "size_gib_max"), err, ERR_RANGE,
			"size_gib_max: %.10g is below size_gib_min %.10g", d->size_gib_max,
			d->size_gib_min);
	if (d->billed_gib < d->size_gib_max)
		return json_fail(json_get(v, "billed_gib"), err, ERR_RANGE,
			"billed_gib: %.10g is below size_gib_max %.10g", d->billed_gib,
			d->size_gib_max);
	for (size_t k = 0; k < i; k++) {
		if (strcmp(limits->disks[k].sku, d->sku) == 0)
			return json_fail(json_get(v, "sku"), err, ERR_RANGE,
				"two rows for disk \"%.60s\" (numbers %zu and %zu of the list)",
				d->sku, k + 1, i + 1);
	}
	int rc = check_rates(v, d, err);
	rc = rc ? rc : check_references(v, limits, d, err);
	rc = rc ? rc : check_date(v, "valid_until", d->valid_until, err);
	rc = rc ? rc : check_date(v, "restore_as_of", d->restore_as_of, err);
	return rc ? rc : check_date(v, "as_of", d->as_of, err);
}

static bool
same_text(const char *a, const char *b)
{
	return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

static int
check_vm(struct jval v, const struct limits *limits, size_t i, struct err *err)
{
	V *m = &limits->vms[i];
	if (m->mbps_unit < 0)
		m->mbps_unit = LIMITS_MB;
	for (size_t k = 0; k < i; k++) {
		const V *other = &limits->vms[k];
		if (strcmp(other->sku, m->sku) == 0 && same_text(other->interface, m->interface))
			return json_fail(json_get(v, "sku"), err, ERR_RANGE,
				"two rows for machine \"%.60s\" with the same interface (numbers "
				"%zu and %zu of the list)",
				m->sku, k + 1, i + 1);
	}
	return check_date(v, "as_of", m->as_of, err);
}

int
limits_load(
	const char *path, struct arena *a, struct limits *limits, char sha256[65], struct err *err)
{
	struct json_doc *doc = NULL;
	struct limits l;
	int rc = fetch_json(path, &doc, err);
	if (rc)
		return rc;
	struct jval root = json_root(doc);
	rc = schema_read(&limits_schema, root, a, &l, err);
	rc = rc ? rc : check_date(root, "as_of", l.as_of, err);
	struct jval v = json_first(json_get(root, "disks"));
	for (size_t i = 0; rc == 0 && i < l.n_disks; i++, v = json_next(v))
		rc = check_disk(v, &l, i, err);
	v = json_first(json_get(root, "vms"));
	for (size_t i = 0; rc == 0 && i < l.n_vms; i++, v = json_next(v))
		rc = check_vm(v, &l, i, err);
	if (rc == 0) {
		*limits = l;
		if (sha256)
			memcpy(sha256, json_sha256(doc), 65);
	}
	json_free(doc);
	return rc;
}

const char *
limits_title(const struct limits *limits, const char *family)
{
	for (size_t i = 0; i < limits->n_families; i++) {
		if (strcmp(limits->families[i].family, family) == 0)
			return limits->families[i].title;
	}
	return family;
}

int
limits_disk(const struct limits *limits, const char *sku, const struct disk_limit **disk,
	struct err *err)
{
	for (size_t i = 0; i < limits->n_disks; i++) {
		const D *d = &limits->disks[i];
		if (d->superseded != 1 && strcmp(d->sku, sku) == 0) {
			*disk = d;
			return 0;
		}
	}
	for (size_t i = 0; i < limits->n_disks; i++) {
		const D *d = &limits->disks[i];
		if (strcmp(d->sku, sku) == 0)
			return err_set(err, ERR_NOT_FOUND,
				"disk \"%.60s\" in the limits of %s (%s) is an old rule%s%s", sku,
				limits->provider, limits->as_of,
				d->superseded_by ? ", replaced by " : "",
				d->superseded_by ? d->superseded_by : "");
	}
	const char *near = limits->n_disks ? names_nearest(sku, &limits->disks[0].sku,
						     limits->n_disks, sizeof(limits->disks[0]))
					   : NULL;
	return err_set(err, ERR_NOT_FOUND, "no disk \"%.60s\" in the limits of %s (%s)%s%s%s", sku,
		limits->provider, limits->as_of, near ? ", did you mean \"" : "", near ? near : "",
		near ? "\"?" : "");
}

static int
too_large(const struct limits *limits, const char *family, double size_gib, const D *largest,
	struct err *err)
{
	char wanted[32], top[32];
	if (!largest)
		return err_set(err, ERR_NOT_FOUND,
			"no disk family \"%.60s\" with sizes in the limits of %s (%s)", family,
			limits->provider, limits->as_of);
	units_count_text(size_gib, wanted);
	units_count_text(largest->size_gib_max, top);
	return err_set(err, ERR_RANGE, "%s of %s GiB: the largest disk is %s with %s GiB", family,
		wanted, largest->sku, top);
}

int
limits_disk_for_size(const struct limits *limits, const char *family, double size_gib,
	const struct disk_limit **disk, struct err *err)
{
	const D *best = NULL, *largest = NULL;
	if (!(size_gib > 0) || !isfinite(size_gib))
		return err_set(
			err, ERR_RANGE, "%s of %g GiB: more than 0 GiB expected", family, size_gib);
	for (size_t i = 0; i < limits->n_disks; i++) {
		const D *d = &limits->disks[i];
		if (d->superseded == 1 || strcmp(d->family, family) != 0 || isnan(d->size_gib_max))
			continue;
		if (!largest || d->size_gib_max > largest->size_gib_max)
			largest = d;
		if (d->size_gib_max >= size_gib && (!best || d->size_gib_max < best->size_gib_max))
			best = d;
	}
	if (!best)
		return too_large(limits, family, size_gib, largest, err);
	*disk = best;
	return 0;
}

int
limits_vm(const struct limits *limits, const char *sku, const struct vm_limit **vm, struct err *err)
{
	const V *found = NULL;
	for (size_t i = 0; i < limits->n_vms; i++) {
		const V *m = &limits->vms[i];
		if (strcmp(m->sku, sku) != 0)
			continue;
		if (!found ||
			(same_text(found->interface, "NVMe") && !same_text(m->interface, "NVMe")))
			found = m;
	}
	if (found) {
		*vm = found;
		return 0;
	}
	const char *near = limits->n_vms ? names_nearest(sku, &limits->vms[0].sku, limits->n_vms,
						   sizeof(limits->vms[0]))
					 : NULL;
	for (size_t i = 0; i < limits->n_vms && !near; i++) {
		const char *tail = strchr(limits->vms[i].sku, '_'); /* Standard_E8ds_v5 */
		if (tail && strcmp(tail + 1, sku) == 0)
			near = limits->vms[i].sku;
	}
	return err_set(err, ERR_NOT_FOUND, "no machine \"%.60s\" in the limits of %s (%s)%s%s%s",
		sku, limits->provider, limits->as_of, near ? ", did you mean \"" : "",
		near ? near : "", near ? "\"?" : "");
}

/* The smaller of two ceilings; one that is NaN does not bind. */
static double
ceiling(double max, double scaled)
{
	return isnan(scaled) ? max : isnan(max) || scaled < max ? scaled : max;
}

/* What a size has: the base and what its GiB (or IOPS) bring, added or the larger; NaN counts for
 * nothing, and two of them are NaN. */
static double
with_base(const struct disk_limit *disk, double base, double scaled)
{
	return disk->size_adds == 1 && !isnan(base) ? base + scaled : fmax(base, scaled);
}

double
disk_limit_iops(const struct disk_limit *disk, double size_gib)
{
	double scaled = disk->iops_per_gib * size_gib;
	if (isnan(scaled))
		return disk->iops_max;
	return ceiling(disk->iops_max, with_base(disk, disk->iops_base, scaled));
}

double
disk_limit_least_iops(const struct disk_limit *disk, double size_gib)
{
	double least = isnan(disk->iops_min) ? disk->iops_base : disk->iops_min;
	return fmax(least, disk->iops_min_per_gib * size_gib); /* fmax skips NaN */
}

static double
to_mb(const struct disk_limit *disk, double mbps)
{
	return disk->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(mbps) : mbps;
}

double
disk_limit_mbps(const struct disk_limit *disk, double iops)
{
	double scaled = disk->mbps_per_iops * iops;
	if (disk->mbps_base > scaled)
		scaled = disk->mbps_base;
	return to_mb(disk, ceiling(disk->mbps_max, scaled));
}

double
disk_limit_base_mbps(const struct disk_limit *disk)
{
	return to_mb(disk, disk->mbps_base);
}

double
disk_limit_plus_mbps(const struct disk_limit *disk)
{
	return to_mb(disk, disk->mbps_perf_plus);
}

bool
disk_limit_buys_iops(const struct disk_limit *disk)
{
	return disk->iops_billed >= 0 ? disk->iops_billed == 1 : disk->iops_max > disk->iops_base;
}

bool
disk_limit_buys_throughput(const struct disk_limit *disk)
{
	return disk->throughput_billed >= 0 ? disk->throughput_billed == 1
					    : disk->mbps_max > disk->mbps_base;
}

bool
disk_limit_is_provisioned(const struct disk_limit *disk)
{
	return disk_limit_buys_iops(disk) || disk_limit_buys_throughput(disk);
}

double
disk_limit_sustained_iops(const struct disk_limit *disk, double size_gib)
{
	bool follows = disk->iops_billed == 0 && !isnan(disk->iops_per_gib);
	return follows ? disk_limit_iops(disk, size_gib) : disk->iops_base;
}

double
disk_limit_sustained_mbps(const struct disk_limit *disk, double size_gib)
{
	double by_iops = disk->mbps_per_iops * disk_limit_sustained_iops(disk, size_gib);
	double scaled = fmax(disk->mbps_per_gib * size_gib, by_iops); /* fmax skips NaN */
	if (disk->throughput_billed != 0 || isnan(scaled))
		return disk_limit_base_mbps(disk);
	return to_mb(disk, ceiling(disk->mbps_max, with_base(disk, disk->mbps_base, scaled)));
}

double
disk_limit_billed_operations(const struct disk_limit *disk, double io_kib)
{
	double unit = isnan(disk->billing_unit_kib) ? disk->io_unit_kib : disk->billing_unit_kib;
	double units = isnan(unit) ? 1 : ceil(io_kib / unit - 1e-9);
	units = fmax(units, 1);
	return disk->billing_units_max < units ? disk->billing_units_max : units;
}

double
disk_limit_burst_operations(const struct disk_limit *disk, double iops, double mbps)
{
	double mib = disk->mbps_unit == LIMITS_MIB ? UNITS_MB / UNITS_MIB : 1;
	double over_iops = fmax(iops - disk->iops_base, 0);
	double over_mbps = fmax(mbps * mib - disk->mbps_base, 0);
	return fmax(over_iops, over_mbps * 1024 / 256);
}
