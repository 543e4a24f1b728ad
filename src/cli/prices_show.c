/*
 * prices_show.c - the page of one SKU for `tierwise prices show`.
 */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/units.h"
#include "cli/prices.h"
#include "price/limits.h"

/* The limits that belong to a book: beside it, else in the data folder. */
static const char *
limits_path(struct cli_common *c, const struct shelf_book *s)
{
	const char *name = s->book.limits
				   ? s->book.limits
				   : arena_printf(&c->arena, "limits-%s.json", s->book.provider);
	const char *slash = strrchr(s->path, '/');
	int n = slash ? (int)(slash - s->path) + 1 : 0;
	const char *beside = arena_printf(&c->arena, "%.*s%s", n, s->path, name);
	if (beside && file_exists(beside))
		return beside;
	struct err ignored;
	const char *shipped = cli_data_path(
		c, arena_printf(&c->arena, "pricing/%s", name), &ignored);
	return shipped && file_exists(shipped) ? shipped : NULL;
}

int
prices_limits(
	struct cli_common *c, const struct shelf_book *s, struct limits *limits, struct err *err)
{
	const char *path = limits_path(c, s);
	return path ? limits_load(path, &c->arena, limits, NULL, err)
		    : err_set(err, ERR_NOT_FOUND,
			      "no limits for %s: limits-%s.json expected beside it", s->path,
			      s->book.provider);
}

static bool
equal(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

/* A row on the SKU itself, or on a family-wide meter that also applies to it. */
static bool
applies(const struct price_row *row, const char *sku, const struct disk_limit *disk)
{
	if (equal(row->sku, sku))
		return true;
	if (row->sku || !disk)
		return false;
	bool burst = row->item == PRICE_ITEM_BURST || row->item == PRICE_ITEM_BURST_OPERATIONS;
	if (row->item == PRICE_ITEM_SNAPSHOT)
		return equal(
			row->family, disk->snapshot_family ? disk->snapshot_family : disk->family);
	return equal(row->family, disk->family) && (!burst || disk->burst_billed == 1);
}

static bool
has_price(const struct price_book *b, const char *sku)
{
	for (size_t i = 0; i < b->n_rows; i++) {
		if (equal(b->rows[i].sku, sku))
			return true;
	}
	return false;
}

/* `effective`: the table has a column for the day from which the provider asks the price. */
static void
put_price(struct doc *d, struct doc_table *t, const struct price_book *b,
	const struct price_row *row, bool effective)
{
	const char *per = row->unit_published ? row->unit_published
					      : names_text(&price_unit_names, row->unit);
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", row->redundancy ? row->redundancy : "");
	doc_cell(d, t, 1, "%s", prices_item_text(d->arena, row));
	doc_cell(d, t, 2, "%s", prices_decimal(d->arena, price_row_published(row)));
	if (row->tier_min > 0 && !price_row_is_scaled(row))
		doc_cell(d, t, 3, "%s above %s%s", per, prices_decimal(d->arena, row->tier_min),
			prices_term_text(d->arena, row));
	else
		doc_cell(d, t, 3, "%s%s", per, prices_term_text(d->arena, row));
	doc_cell(d, t, 4, "%s", prices_decimal(d->arena, price_row_normal(b, row)));
	const char *normal = prices_unit_text(price_unit_normal((enum price_unit)row->unit));
	if (row->tier_min > 0 && price_row_is_scaled(row))
		doc_cell(d, t, 5, "%s above %s", normal, prices_decimal(d->arena, row->tier_min));
	else
		doc_cell(d, t, 5, "%s", normal);
	doc_cell(d, t, 6, "%s", row->meter ? row->meter : "");
	doc_cell(d, t, 7, "%s, %s", price_row_as_of(b, row),
		names_text(&trust_names, price_row_trust(b, row)));
	if (effective)
		doc_cell(d, t, 8, "%s", row->effective ? row->effective : "not published here");
}

/* Each source once. */
static void
put_sources(
	struct doc *d, const struct price_book *b, const char *sku, const struct disk_limit *disk)
{
	const char *seen[8];
	size_t n = 0;
	for (size_t i = 0; i < b->n_rows; i++) {
		const char *source = price_row_source(b, &b->rows[i]);
		bool known = !applies(&b->rows[i], sku, disk);
		for (size_t k = 0; k < n && !known; k++)
			known = strcmp(seen[k], source) == 0;
		if (known || n == sizeof(seen) / sizeof(seen[0]))
			continue;
		seen[n++] = source;
		doc_paragraph(d, "Source of the prices: %s.", source);
	}
}

static void
put_notes(struct doc *d, const struct price_book *b, const char *sku)
{
	for (size_t i = 0; i < b->n_rows; i++) {
		const struct price_row *row = &b->rows[i];
		bool said = false;
		for (size_t k = 0; k < i && row->note && !said; k++)
			said = equal(b->rows[k].sku, sku) && b->rows[k].item == row->item &&
			       equal(b->rows[k].note, row->note);
		if (equal(row->sku, sku) && row->note && !said)
			doc_callout(d, DOC_NOTE, "%s %s: %s", sku,
				names_text(&price_item_names, row->item), row->note);
	}
}

static void
put_prices(
	struct doc *d, const struct shelf_book *s, const char *sku, const struct disk_limit *disk)
{
	const struct price_book *b = &s->book;
	const char *price = arena_printf(d->arena, "Price (%s)", b->currency);
	const char *monthly = arena_printf(d->arena, "Normal (%s)", b->currency);
	const struct doc_column columns[] = {{"Kept as", DOC_LEFT}, {"Item", DOC_LEFT},
		{price, DOC_RIGHT}, {"Per", DOC_LEFT}, {monthly, DOC_RIGHT},
		{"Normal unit", DOC_LEFT}, {"Meter", DOC_LEFT}, {"As of, trust", DOC_LEFT},
		{"Effective", DOC_LEFT}};
	const char *caption = arena_printf(d->arena, "%s in %s, read %s (%.0f days ago)", sku,
		b->name, price_book_oldest(b), s->age_days);
	if (!has_price(b, sku)) {
		doc_callout(d, DOC_UNKNOWN, "%s has no price for %s (%s).", b->name, sku,
			price_book_oldest(b));
		return;
	}
	bool effective = false;
	for (size_t i = 0; i < b->n_rows; i++)
		effective |= applies(&b->rows[i], sku, disk) && b->rows[i].effective;
	size_t n_columns = sizeof(columns) / sizeof(columns[0]) - (effective ? 0 : 1);
	struct doc_table *t = doc_table(d, caption, columns, n_columns);
	for (int family_wide = 0; family_wide < 2; family_wide++) {
		for (size_t i = 0; i < b->n_rows; i++) {
			const struct price_row *row = &b->rows[i];
			if (applies(row, sku, disk) && equal(row->sku, sku) == !family_wide)
				put_price(d, t, b, row, effective);
		}
	}
	if (!effective)
		doc_paragraph(d, "Effective date not published here: since when the provider asks "
				 "these prices is not known.");
	put_sources(d, b, sku, disk);
	put_notes(d, b, sku);
}

/* A limit is shown when the documents state it. */
static void
put_number(struct doc *d, struct doc_table *t, const char *name, double value, const char *unit)
{
	char text[32];
	if (isnan(value))
		return;
	units_count_text(value, text);
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", name);
	doc_cell(d, t, 1, "%s%s%s", text, *unit ? " " : "", unit);
}

static void
put_text(struct doc *d, struct doc_table *t, const char *name, const char *text)
{
	if (!text)
		return;
	doc_row(d, t);
	doc_cell(d, t, 0, "%s", name);
	doc_cell(d, t, 1, "%s", text);
}

static void
put_list(struct doc *d, struct doc_table *t, const char *name, const char *const *items, size_t n)
{
	struct buf text;
	buf_init(&text, 4096);
	for (size_t i = 0; i < n; i++)
		buf_printf(&text, "%s%s", i ? ", " : "", items[i]);
	if (n)
		put_text(d, t, name, buf_text(&text));
	buf_fini(&text);
}

static void
put_flag(struct doc *d, struct doc_table *t, const char *name, int flag)
{
	if (flag >= 0)
		put_text(d, t, name, flag ? "yes" : "no");
}

static struct doc_table *
limit_table(struct doc *d, const char *caption)
{
	static const struct doc_column columns[] = {{"Limit", DOC_LEFT}, {"Value", DOC_LEFT}};
	return doc_table(d, caption, columns, 2);
}

static void
put_evidence(struct doc *d, const struct limits *l, const char *source, const char *as_of,
	int verified, const char *note)
{
	doc_paragraph(d, "Source of the limits: %s, as of %s, published, %s.",
		source ? source : l->source, as_of ? as_of : l->as_of,
		verified == 1 ? "read in the provider's own documents"
			      : "not confirmed by a document of the provider");
	if (note)
		doc_callout(d, DOC_NOTE, "%s", note);
}

static void
put_disk_rates(struct doc *d, struct doc_table *t, const struct disk_limit *disk)
{
	const char *mb = disk->mbps_unit == LIMITS_MIB ? "MiB/s" : "MB/s";
	bool buy = disk_limit_is_provisioned(disk);
	put_number(d, t, buy ? "IOPS that come with it" : "IOPS, sustained", disk->iops_base, "");
	put_number(d, t, buy ? "throughput that comes with it" : "throughput, sustained",
		disk->mbps_base, mb);
	if (buy) {
		put_number(d, t, "IOPS at most", disk->iops_max, "");
		put_number(d, t, "IOPS at most per GiB", disk->iops_per_gib, "");
		put_number(d, t, "IOPS at least", disk->iops_min, "");
		put_number(d, t, "IOPS at least per GiB", disk->iops_min_per_gib, "");
		put_number(d, t, "throughput at most", disk->mbps_max, mb);
		put_text(d, t, "throughput at most per IOPS",
			isnan(disk->mbps_per_iops)
				? NULL
				: arena_printf(d->arena, "%g %s", disk->mbps_per_iops, mb));
		put_number(d, t, "throughput at least", disk->mbps_min, mb);
	}
	put_number(d, t, "IOPS with performance plus (free)", disk->iops_perf_plus, "");
	put_number(d, t, "throughput with performance plus (free)", disk->mbps_perf_plus, mb);
	put_number(d, t, "IOPS while bursting (not sustained)", disk->burst_iops, "");
	put_number(d, t, "throughput while bursting (not sustained)", disk->burst_mbps, mb);
	put_number(d, t, "longest burst", disk->burst_seconds, "s");
	put_text(d, t, "bursting", disk->burst_model);
	put_number(d, t, "one I/O counts per started", disk->io_unit_kib, "KiB");
}

static void
put_disk(struct doc *d, const struct limits *l, const struct disk_limit *disk)
{
	struct doc_table *t = limit_table(d, arena_printf(d->arena, "What %s can do", disk->sku));
	put_text(d, t, "family", disk->family);
	put_number(d, t, "size from", disk->size_gib_min, "GiB");
	put_number(d, t, "size to", disk->size_gib_max, "GiB");
	if (isnan(disk->billed_gib))
		put_text(d, t, "billed", "per GiB");
	else
		put_number(d, t, "billed as", disk->billed_gib, "GiB");
	put_disk_rates(d, t, disk);
	put_flag(d, t, "I/O transactions are charged", disk->operations_billed);
	put_number(d, t, "one transaction per started", disk->billing_unit_kib, "KiB");
	put_number(d, t, "one I/O is billed as at most", disk->billing_units_max, "transactions");
	put_number(d, t, "transactions billed an hour at most", disk->billing_cap_hour, "");
	if (disk->billing_capped == 1 && isnan(disk->billing_cap_hour))
		put_text(d, t, "transactions billed an hour at most",
			"capped, at an unknown number");
	put_list(d, t, "performance tier may be raised to", disk->performance_tiers,
		disk->n_performance_tiers);
	put_list(d, t, "host cache", disk->host_cache, disk->n_host_cache);
	put_number(d, t, "cached up to", disk->host_cache_max_gib, "GiB");
	put_list(d, t, "redundancy", disk->redundancy, disk->n_redundancy);
	put_number(d, t, "machines that may share it", disk->max_shares, "");
	put_flag(d, t, "content lost when the machine stops", disk->ephemeral);
	put_flag(d, t, "may be an OS disk", disk->os_disk);
	put_text(d, t, "latency as claimed", disk->latency_claim);
	put_text(d, t, "promised", disk->consistency_claim);
	put_text(d, t, "durability as claimed", disk->durability);
	put_text(d, t, "sectors", disk->sector);
	put_text(d, t, "zones", disk->zone_rule);
	put_evidence(d, l, disk->source, disk->as_of, disk->verified, disk->note);
}

/* What the ceilings come to at a few sizes. */
static void
put_ceilings(struct doc *d, const struct disk_limit *disk)
{
	static const double sizes_gib[] = {4, 16, 64, 256, 1024, 4096, 16384};
	static const struct doc_column columns[] = {{"Size (GiB)", DOC_RIGHT},
		{"IOPS at most", DOC_RIGHT}, {"MB/s at most (10^6)", DOC_RIGHT}};
	struct doc_table *t = doc_table(d, "Ceilings by size", columns, 3);
	for (size_t i = 0; i < sizeof(sizes_gib) / sizeof(sizes_gib[0]); i++) {
		char size[32], iops[32], mbps[32];
		if (sizes_gib[i] < disk->size_gib_min || sizes_gib[i] > disk->size_gib_max)
			continue;
		double most = disk_limit_iops(disk, sizes_gib[i]);
		units_count_text(sizes_gib[i], size);
		units_count_text(most, iops);
		units_count_text(disk_limit_mbps(disk, most), mbps);
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", size);
		doc_cell(d, t, 1, "%s", iops);
		doc_cell(d, t, 2, "%s", mbps);
	}
}

/* "400,000 IOPS (1,000 per GiB) and 10,000 MB/s" */
static const char *
most_text(struct doc *d, const struct disk_limit *disk)
{
	char iops[32], mbps[32], per_gib[32];
	units_count_text(disk->iops_max, iops);
	units_count_text(disk->mbps_max, mbps);
	units_count_text(disk->iops_per_gib, per_gib);
	const char *text = arena_printf(d->arena, "at most %s IOPS (%s per GiB) and %s %s/s", iops,
		per_gib, mbps, names_text(&limits_mbps_unit_names, disk->mbps_unit));
	return text ? text : "";
}

/* Rules that no longer hold, so that a reader can place an old claim. */
static void
put_superseded(struct doc *d, const struct limits *l, const char *family)
{
	for (size_t i = 0; i < l->n_disks; i++) {
		const struct disk_limit *old = &l->disks[i], *now = NULL;
		if (old->superseded != 1 || strcmp(old->family, family) != 0)
			continue;
		if (!old->superseded_by || limits_disk(l, old->superseded_by, &now, NULL))
			now = NULL;
		doc_callout(d, DOC_NOTE,
			"Superseded: %s (read %s) allowed %s%s%s%s%s%s. Texts that quote the old "
			"figures are out of date.",
			old->sku, old->as_of ? old->as_of : l->as_of, most_text(d, old),
			old->valid_until ? ", until " : "",
			old->valid_until ? old->valid_until : "", now ? "; " : "",
			now ? now->sku : "",
			now ? arena_printf(d->arena, " (read %s) allows %s",
				      now->as_of ? now->as_of : l->as_of, most_text(d, now))
			    : "");
	}
}

static void
put_vm(struct doc *d, const struct limits *l, const struct vm_limit *vm)
{
	const char *mb = vm->mbps_unit == LIMITS_MIB ? "MiB/s" : "MB/s";
	const char *on = vm->interface ? vm->interface : "interface not stated";
	struct doc_table *t = limit_table(
		d, arena_printf(d->arena, "What %s can do (%s)", vm->sku, on));
	put_number(d, t, "vCPU", vm->vcpus, "");
	put_number(d, t, "memory", vm->ram_gib, "GiB");
	put_number(d, t, "data disks at most", vm->max_data_disks, "");
	put_number(d, t, "IOPS of remote disks, uncached", vm->uncached_iops, "");
	put_number(d, t, "throughput of remote disks, uncached", vm->uncached_mbps, mb);
	put_number(d, t, "IOPS while bursting (not sustained)", vm->uncached_burst_iops, "");
	put_number(d, t, "throughput while bursting (not sustained)", vm->uncached_burst_mbps, mb);
	put_number(d, t, "longest burst", vm->burst_seconds, "s");
	put_number(d, t, "IOPS of Ultra and Premium SSD v2", vm->ultra_iops, "");
	put_number(d, t, "throughput of Ultra and Premium SSD v2", vm->ultra_mbps, mb);
	put_number(d, t, "IOPS, cached and temporary", vm->cached_iops, "");
	put_number(d, t, "throughput, cached and temporary", vm->cached_mbps, mb);
	put_number(d, t, "temporary disks", vm->temp_disk_count, "");
	put_number(d, t, "size of each", vm->temp_disk_gib, "GiB");
	put_number(d, t, "IOPS of temporary disks, read", vm->temp_read_iops, "");
	put_number(d, t, "throughput of temporary disks, read", vm->temp_read_mbps, mb);
	put_number(d, t, "IOPS of temporary disks, write", vm->temp_write_iops, "");
	put_number(d, t, "throughput of temporary disks, write", vm->temp_write_mbps, mb);
	put_number(d, t, "local NVMe disks", vm->nvme_count, "");
	put_number(d, t, "size of each NVMe disk", vm->nvme_tb_each, "TB");
	put_number(d, t, "IOPS of local NVMe", vm->nvme_iops, "");
	put_number(d, t, "throughput of local NVMe", vm->nvme_mbps, mb);
	put_flag(d, t, "premium disks", vm->premium_storage);
	put_flag(d, t, "host caching", vm->premium_caching);
	put_text(d, t, "Ultra", vm->ultra_support);
	put_text(d, t, "Premium SSD v2", vm->premium_v2_support);
	put_evidence(d, l, vm->source, vm->as_of, vm->verified, vm->note);
}

/* All rows of limits for the SKU; how many. */
static size_t
put_limits(struct doc *d, const struct limits *l, const char *sku)
{
	size_t n = 0;
	for (size_t i = 0; i < l->n_disks; i++) {
		const struct disk_limit *disk = &l->disks[i];
		if (disk->superseded == 1 || strcmp(disk->sku, sku) != 0)
			continue;
		put_disk(d, l, disk);
		if (disk_limit_is_provisioned(disk))
			put_ceilings(d, disk);
		put_superseded(d, l, disk->family);
		n++;
	}
	for (size_t i = 0; i < l->n_vms; i++) {
		if (strcmp(l->vms[i].sku, sku) != 0)
			continue;
		put_vm(d, l, &l->vms[i]);
		n++;
	}
	return n;
}

/* The nearest name among the limits of every provider, then among the prices. */
static int
not_found(struct cli_common *c, const struct shelf *shelf, const char *sku, struct err *err)
{
	const struct disk_limit *disk;
	const struct vm_limit *vm;
	struct limits l;
	for (size_t i = 0; i < shelf->n; i++) {
		struct err text = {0};
		if (prices_limits(c, &shelf->books[i], &l, NULL))
			continue;
		if (limits_disk(&l, sku, &disk, &text) && strstr(text.text, "did you mean"))
			return err_set(err, ERR_NOT_FOUND, "%s", text.text);
		if (limits_vm(&l, sku, &vm, &text) && strstr(text.text, "did you mean"))
			return err_set(err, ERR_NOT_FOUND, "%s", text.text);
	}
	for (size_t i = 0; i < shelf->n; i++) {
		const struct price_book *b = &shelf->books[i].book;
		const char *near = b->n_rows ? names_nearest(sku, &b->rows[0].sku, b->n_rows,
						       sizeof(b->rows[0]))
					     : NULL;
		if (near)
			return err_set(err, ERR_NOT_FOUND,
				"no SKU \"%.60s\" in %s, did you mean \"%s\"?", sku, b->name, near);
	}
	return err_set(err, ERR_NOT_FOUND,
		"no SKU \"%.60s\" in the price books; prices list --region NAME shows all", sku);
}

struct page {
	struct doc doc;
	struct limits limits; /* of the book at hand */
	const char *limits_path; /* of the limits already on the page */
	size_t unpriced, found;
};

/* A size, or for a bill the family of sizes. */
static bool
has_limits(const struct limits *l, const char *sku)
{
	const struct disk_limit *disk;
	const struct vm_limit *vm;
	for (size_t i = 0; i < l->n_disks; i++) {
		if (strcmp(l->disks[i].family, sku) == 0)
			return true;
	}
	return limits_disk(l, sku, &disk, NULL) == 0 || limits_vm(l, sku, &vm, NULL) == 0;
}

int
prices_not_one(struct cli_common *c, const struct shelf *shelf, const char *sku, struct err *err)
{
	struct limits l = {0};
	struct buf names;
	/* the shelf holds the sellers, or everybody when nobody sells it */
	bool sold = shelf->n && (has_price(&shelf->books[0].book, sku) ||
					(prices_limits(c, &shelf->books[0], &l, NULL) == 0 &&
						has_limits(&l, sku)));
	if (!sold)
		return not_found(c, shelf, sku, err);
	buf_init(&names, 4096);
	for (size_t i = 0; i < shelf->n; i++)
		buf_printf(&names, "%s%s", i ? ", " : "", shelf->books[i].book.name);
	int rc = err_set(err, ERR_PRICE,
		"%s is in %zu price books (%s); choose one with --region or --prices", sku,
		shelf->n, buf_text(&names));
	buf_fini(&names);
	return rc;
}

int
prices_keep_sellers(struct cli_common *c, struct shelf *shelf, const char *sku, struct err *err)
{
	const char *loaded = NULL;
	struct limits l = {0};
	size_t kept = 0;
	struct shelf_book *books = arena_array(&c->arena, shelf->n, sizeof(*books));
	if (!books)
		return err_nomem(err);
	for (size_t i = 0; i < shelf->n; i++) {
		const struct shelf_book *s = &shelf->books[i];
		const char *path = limits_path(c, s);
		int rc = path && !equal(path, loaded) ? limits_load(path, &c->arena, &l, NULL, err)
						      : 0;
		if (rc)
			return rc;
		loaded = path ? path : loaded;
		if (has_price(&s->book, sku) || (path && has_limits(&l, sku)))
			books[kept++] = *s;
	}
	if (kept) /* else nobody sells it, which is for the page to say */
		*shelf = (struct shelf){books, kept};
	return 0;
}

/* Prices of one book, then its limits unless the page has them. */
static int
put_book(struct cli_common *c, struct page *p, const struct shelf_book *s, const char *sku,
	struct err *err)
{
	const struct disk_limit *disk = NULL;
	const char *path = limits_path(c, s);
	bool new_limits = path && !equal(path, p->limits_path);
	if (new_limits) {
		int rc = limits_load(path, &c->arena, &p->limits, NULL, err);
		if (rc)
			return rc;
	}
	if (path && limits_disk(&p->limits, sku, &disk, NULL))
		disk = NULL;
	put_prices(&p->doc, s, sku, disk);
	p->unpriced += !has_price(&s->book, sku);
	p->found += has_price(&s->book, sku);
	p->limits_path = path ? path : p->limits_path;
	return 0;
}

int
prices_show(struct cli_common *c, const struct shelf *shelf, const char *sku, struct err *err)
{
	struct page p = {.found = 0};
	int rc = 0;
	doc_init(&p.doc, &c->arena, sku);
	for (size_t i = 0; i < shelf->n && rc == 0; i++) {
		rc = put_book(c, &p, &shelf->books[i], sku, err);
		bool last = i + 1 == shelf->n ||
			    !equal(limits_path(c, &shelf->books[i + 1]), p.limits_path);
		if (rc == 0 && last && p.limits_path)
			p.found += put_limits(&p.doc, &p.limits, sku);
	}
	if (rc == 0 && p.found == 0)
		rc = not_found(c, shelf, sku, err);
	if (rc == 0)
		rc = cli_output(c, &p.doc, NULL, NULL, err);
	if (rc == 0 && p.unpriced)
		rc = err_set(err, ERR_PRICE, "%zu of %zu price books have no price for %s",
			p.unpriced, shelf->n, sku);
	return rc;
}
