/*
 * prices_bill.c - `tierwise prices bill SKU`: what a configuration costs a month, a line a meter.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "cli/prices_bill_doc.h"

enum {
	KEY_SIZE = 0x3000,
	KEY_DISKS,
	KEY_IOPS,
	KEY_THROUGHPUT,
	KEY_REDUNDANCY,
	KEY_SHARED,
	KEY_RAISE,
	KEY_PLUS,
	KEY_OPERATIONS,
	KEY_ACTIVE,
	KEY_BURST,
	KEY_SNAPSHOTS,
	KEY_FULL,
	KEY_TERM,
	KEY_MACHINE,
	KEY_HOURS,
	KEY_READY,
};

static const struct argp_option options[] = {
	{"size", KEY_SIZE, "GIB", 0, "Size of each disk (default: all that a fixed size holds)", 1},
	{"disks", KEY_DISKS, "N", 0, "So many equal disks (default 1)", 1},
	{"iops", KEY_IOPS, "N", 0, "IOPS bought for each (default: what comes with it)", 1},
	{"throughput", KEY_THROUGHPUT, "MBPS", 0,
		"MB/s of 10^6 bought for each (default: what comes with it)", 1},
	{"redundancy", KEY_REDUNDANCY, "NAME", 0, "LRS, ZRS, ... (default: the first offered)", 1},
	{"shared-by", KEY_SHARED, "N", 0, "Machines that mount each disk", 1},
	{"raise-to", KEY_RAISE, "SKU", 0, "Performance tier above the size", 1},
	{"performance-plus", KEY_PLUS, NULL, 0, "With the free higher level", 1},
	{"operations", KEY_OPERATIONS, "N", 0,
		"Billed I/O transactions of each a month (default: unknown where they are billed)",
		1},
	{"active-hours", KEY_ACTIVE, "H", 0, "They fall in so many hours of the month", 1},
	{"burst", KEY_BURST, "N", 0, "On-demand bursting, with N burst transactions a month", 1},
	{"snapshots", KEY_SNAPSHOTS, "GIB", 0, "Snapshot data kept of each", 1},
	{"full-snapshots", KEY_FULL, NULL, 0, "They are full, not incremental", 1},
	{"term", KEY_TERM, "TEXT", 0,
		"Commitment, as the book names it, for the disk and the machines", 1},
	{"machine", KEY_MACHINE, "SKU[=N]", 0, "And N machines of this size (default 1)", 1},
	{"machine-hours", KEY_HOURS, "H", 0, "They run so many hours a month (default: all)", 1},
	{"ready-for", KEY_READY, "SKU", 0,
		"They are made ready for disks that reserve processors (UltraSSD_LRS)", 1},
	{0},
};

static error_t
number(double *value, const char *name, const char *text, struct argp_state *state)
{
	struct err err = {0};
	if (units_parse_count(text, value, &err))
		argp_error(state, "--%s %s: %s", name, text, err.text);
	return 0;
}

/* Disks and machines are counted whole. */
static error_t
whole(double *value, const char *name, const char *text, struct argp_state *state)
{
	error_t rc = number(value, name, text, state);
	if (!(*value >= 1) || !isfinite(*value) || *value > floor(*value))
		argp_error(state, "--%s %s: accepted whole numbers from 1", name, text);
	return rc;
}

/* "SKU" or "SKU=N" */
static error_t
machine(struct prices_bill_options *o, char *text, struct argp_state *state)
{
	char *equals = strchr(text, '=');
	o->machine = text;
	o->machines = 1;
	if (!equals)
		return 0;
	*equals = '\0';
	return whole(&o->machines, "machine", equals + 1, state);
}

static error_t
parse_disk(int key, char *arg, struct prices_bill_options *o, struct argp_state *state)
{
	switch (key) {
	case KEY_SIZE:
		return number(&o->size_gib, "size", arg, state);
	case KEY_DISKS:
		return whole(&o->disks, "disks", arg, state);
	case KEY_IOPS:
		return number(&o->iops, "iops", arg, state);
	case KEY_THROUGHPUT:
		return number(&o->mbps, "throughput", arg, state);
	case KEY_REDUNDANCY:
		o->redundancy = arg;
		return 0;
	case KEY_SHARED:
		return whole(&o->mounts, "shared-by", arg, state);
	case KEY_RAISE:
		o->raise_to = arg;
		return 0;
	case KEY_PLUS:
		o->performance_plus = 1;
		return 0;
	case KEY_TERM:
		o->term = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct prices_bill_options *o = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		*o = (struct prices_bill_options){.size_gib = (double)NAN,
			.disks = 1,
			.iops = (double)NAN,
			.mbps = (double)NAN,
			.mounts = 1,
			.operations = (double)NAN,
			.active_hours = (double)NAN,
			.burst_operations = (double)NAN,
			.snapshot_gib = (double)NAN,
			.machine_hours = (double)NAN,
			.max_age_days = -1};
		return 0;
	case KEY_OPERATIONS:
		return number(&o->operations, "operations", arg, state);
	case KEY_ACTIVE:
		return number(&o->active_hours, "active-hours", arg, state);
	case KEY_BURST:
		o->burst = 1;
		return number(&o->burst_operations, "burst", arg, state);
	case KEY_SNAPSHOTS:
		return number(&o->snapshot_gib, "snapshots", arg, state);
	case KEY_FULL:
		o->snapshot_full = 1;
		return 0;
	case KEY_MACHINE:
		return machine(o, arg, state);
	case KEY_HOURS:
		return number(&o->machine_hours, "machine-hours", arg, state);
	case KEY_READY:
		o->ready_for = arg;
		return 0;
	default:
		return parse_disk(key, arg, o, state);
	}
}

const struct argp prices_bill_argp = {.options = options, .parser = parse_option};

/* A size, or a family and how much it is to hold. */
static int
find_disk(const struct limits *l, const char *name, double size_gib, const struct disk_limit **disk,
	struct err *err)
{
	for (size_t i = 0; i < l->n_disks; i++) {
		bool family = strcmp(l->disks[i].family, name) == 0;
		if (family && isnan(size_gib))
			return err_set(err, ERR_USAGE, "%s of what size? --size GIB", name);
		if (family && strcmp(l->disks[i].sku, name) != 0)
			return limits_disk_for_size(l, name, size_gib, disk, err);
	}
	return limits_disk(l, name, disk, err);
}

/* What comes with the disk, in MB/s of 10^6. */
static double
least(double min, double base)
{
	return isnan(min) ? base : min;
}

/* What is bought and not said: what comes with the disk, where the limits tell. */
static int
fill_rates(const struct prices_bill_options *o, struct disk_config *c, struct err *err)
{
	const struct disk_limit *d = c->disk;
	double unit = d->mbps_unit == LIMITS_MIB ? units_mibps_to_mbps(1) : 1;
	bool buys_iops = disk_limit_buys_iops(d), buys_mbps = disk_limit_buys_throughput(d);
	c->iops = o->iops;
	c->mbps = o->mbps;
	if (isnan(o->iops) && buys_iops)
		c->iops = disk_limit_least_iops(d, bill_size_gib(d, c->size_gib));
	if (isnan(o->mbps) && buys_mbps)
		c->mbps = unit * least(d->mbps_min, d->mbps_base);
	if (buys_iops && isnan(c->iops))
		return err_set(err, ERR_USAGE, "%s with how many IOPS? --iops N", d->sku);
	if (buys_mbps && isnan(c->mbps))
		return err_set(err, ERR_USAGE, "%s with how many MB/s? --throughput MBPS", d->sku);
	return 0;
}

static int
fill_config(const struct prices_bill_options *o, const struct limits *l, const char *sku,
	struct disk_config *c, struct err *err)
{
	const struct disk_limit *d = NULL;
	int rc = find_disk(l, sku, o->size_gib, &d, err);
	if (rc || !d)
		return rc ? rc : err_set(err, ERR_NOT_FOUND, "no disk \"%.60s\"", sku);
	if (isnan(o->size_gib) && isnan(d->billed_gib))
		return err_set(err, ERR_USAGE, "%s of what size? --size GIB", sku);
	if (o->redundancy && !d->n_redundancy)
		return err_set(err, ERR_USAGE,
			"--redundancy %.60s: %s is offered with none to choose; leave it out",
			o->redundancy, d->sku);
	bool first = !o->redundancy && d->n_redundancy;
	disk_config_init(c, d, isnan(o->size_gib) ? d->size_gib_max : o->size_gib,
		first ? d->redundancy[0] : o->redundancy);
	c->disks = o->disks;
	rc = fill_rates(o, c, err);
	if (rc)
		return rc;
	c->mounts = o->mounts;
	c->operations_month = o->operations;
	c->operations_hours = o->active_hours;
	c->burst = o->burst;
	c->burst_operations_month = o->burst_operations;
	c->snapshot_gib = o->snapshot_gib;
	c->snapshot_full = o->snapshot_full;
	c->performance_plus = o->performance_plus;
	return o->raise_to ? limits_disk(l, o->raise_to, &c->raised, err) : 0;
}

static bool
has_term(const struct price_book *b, const char *family, const char *sku, const char *term)
{
	for (size_t i = 0; i < b->n_rows; i++) {
		const struct price_row *r = &b->rows[i];
		if (r->term && r->sku && strcmp(r->term, term) == 0 && strcmp(r->sku, sku) == 0 &&
			strcmp(r->family, family) == 0)
			return true;
	}
	return false;
}

/* A commitment sold for one of them is taken for that one; for none, its price is unknown. */
static struct bill_terms
terms_of(const struct prices_bill_options *o, const struct price_book *b,
	const struct disk_config *c)
{
	struct bill_terms t = {o->term, o->term};
	if (!o->term || !o->machine)
		return t;
	bool disk = has_term(
		b, c->disk->family, c->raised ? c->raised->sku : c->disk->sku, o->term);
	bool machine = has_term(b, "vm", o->machine, o->term);
	t.disk = machine && !disk ? NULL : o->term;
	t.machine = disk && !machine ? NULL : o->term;
	return t;
}

/* The disk that --ready-for names must reserve processors. */
static int
find_reserves(const struct prices_bill_options *o, const struct limits *l,
	const struct disk_limit **reserves, struct err *err)
{
	const char *which = NULL;
	if (!o->ready_for)
		return 0;
	if (!o->machine)
		return err_set(err, ERR_USAGE,
			"--ready-for %.60s: which machines? --machine SKU[=N]", o->ready_for);
	int rc = limits_disk(l, o->ready_for, reserves, err);
	if (rc || (*reserves)->vcpus_reserved == 1)
		return rc;
	for (size_t i = 0; i < l->n_disks; i++) {
		if (l->disks[i].vcpus_reserved == 1)
			which = l->disks[i].sku;
	}
	return err_set(err, ERR_USAGE, "--ready-for %.60s: reserves no processors, accepted: %s",
		o->ready_for, which ? which : "none of this provider's disks");
}

static int
check_hours(const char *option, double hours, const struct price_book *b, struct err *err)
{
	if (isnan(hours) || (hours > 0 && hours <= b->hours_per_month))
		return 0;
	return err_set(err, ERR_RANGE,
		"--%s %g: accepted above 0, up to the %g of the book's month", option, hours,
		b->hours_per_month);
}

static int
check_options(const struct prices_bill_options *o, const struct price_book *b, struct err *err)
{
	int rc = check_hours("active-hours", o->active_hours, b, err);
	return rc ? rc : check_hours("machine-hours", o->machine_hours, b, err);
}

/* An option that says more about another, without which it would say nothing. */
static int
check_alone(const struct prices_bill_options *o, struct err *err)
{
	const struct {
		bool alone;
		const char *name, *needs;
	} rows[] = {
		{o->snapshot_full == 1 && isnan(o->snapshot_gib), "full-snapshots",
			"snapshots GIB"},
		{!isnan(o->active_hours) && isnan(o->operations), "active-hours", "operations N"},
		{!isnan(o->machine_hours) && !o->machine, "machine-hours", "machine SKU[=N]"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].alone)
			return err_set(
				err, ERR_USAGE, "--%s needs --%s", rows[i].name, rows[i].needs);
	}
	return 0;
}

static int
add_machines(const struct bill_asked *a, struct bill *bill, struct err *err)
{
	const struct prices_bill_options *o = a->options;
	struct machine_config c = {.sku = o->machine,
		.count = o->machines,
		.term = a->machine_term,
		.hours = o->machine_hours,
		.vcpus = (double)NAN};
	const struct vm_limit *vm = NULL;
	int rc = find_reserves(o, a->limits, &c.reserves, err);
	if (rc || !o->machine)
		return rc;
	if (limits_vm(a->limits, o->machine, &vm, NULL) == 0)
		c.vcpus = isnan(vm->vcpus_billed) ? vm->vcpus : vm->vcpus_billed;
	c.attached = a->disk && c.reserves == a->disk->disk ? a->disk->disks : 0;
	return bill_add_machine(bill, a->arena, a->book, &c, err);
}

/* The lines, and in *gap the first reason of an unknown amount. */
static int
add_all(const struct bill_asked *a, struct bill *bill, struct err *gap)
{
	struct err machine_gap = {0};
	bill_init(bill, a->book);
	int rc = a->disk ? bill_add_disk(bill, a->arena, a->book, a->disk, NULL, gap) : 0;
	rc = rc ? rc : add_machines(a, bill, gap->text[0] ? &machine_gap : gap);
	if (rc && machine_gap.text[0])
		*gap = machine_gap;
	return rc;
}

/* By the prices that are billed: what else the book has may be as old as it likes. */
static int
check_age(
	struct cli_common *c, const struct bill_asked *a, const struct bill *bill, struct err *err)
{
	const char *oldest = bill_oldest(bill);
	struct findings findings;
	if (!oldest)
		return 0;
	findings_init(&findings, &c->arena);
	int rc = price_book_check_age(
		a->book, oldest, a->options->max_age_days, NULL, &findings, err);
	cli_print_findings(c, findings.items, findings.n);
	return rc;
}

static int
print_bill(struct cli_common *c, const struct bill_asked *a, const struct bill_terms *terms,
	const char *name, struct err *err)
{
	struct bill bill;
	struct doc d;
	struct err gap = {0};
	int rc = add_all(a, &bill, &gap);
	if (rc)
		return err_set(err, (enum err_code)rc, "%s", gap.text);
	rc = check_age(c, a, &bill, err);
	if (rc)
		return rc;
	doc_init(&d, &c->arena, arena_printf(&c->arena, "Bill of %s in %s", name, a->book->name));
	prices_bill_page(a, terms, &bill, &d);
	rc = cli_output(c, &d, NULL, NULL, err);
	if (rc == 0 && bill.complete != 1)
		rc = err_set(err, ERR_PRICE, "%s", gap.text);
	return rc;
}

/* A machine by its name, that no disk bears. */
static bool
is_machine(const struct limits *l, const struct price_book *b, const char *sku)
{
	const struct disk_limit *disk;
	const struct vm_limit *vm;
	for (size_t i = 0; i < l->n_disks; i++) {
		if (strcmp(l->disks[i].family, sku) == 0)
			return false;
	}
	if (limits_disk(l, sku, &disk, NULL) == 0)
		return false;
	for (size_t i = 0; i < b->n_rows; i++) {
		const struct price_row *r = &b->rows[i];
		if (r->item == PRICE_ITEM_VM && r->sku && strcmp(r->sku, sku) == 0)
			return true;
	}
	return limits_vm(l, sku, &vm, NULL) == 0;
}

/* The option of disks that was given, or NULL. */
static const char *
disk_option(const struct prices_bill_options *o)
{
	const struct {
		bool given;
		const char *name;
	} rows[] = {{!isnan(o->size_gib), "size"}, {o->disks > 1, "disks"},
		{!isnan(o->iops), "iops"}, {!isnan(o->mbps), "throughput"},
		{o->redundancy != NULL, "redundancy"}, {o->mounts > 1, "shared-by"},
		{o->raise_to != NULL, "raise-to"}, {o->performance_plus == 1, "performance-plus"},
		{!isnan(o->operations), "operations"}, {!isnan(o->active_hours), "active-hours"},
		{o->burst == 1, "burst"}, {!isnan(o->snapshot_gib), "snapshots"},
		{o->snapshot_full == 1, "full-snapshots"}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].given)
			return rows[i].name;
	}
	return NULL;
}

/* `prices bill MACHINE`: one machine and no disk. */
static int
bill_machine(struct cli_common *c, const struct bill_asked *asked, const char *sku, struct err *err)
{
	struct bill_asked a = *asked;
	struct prices_bill_options o = *a.options;
	const char *given = disk_option(&o);
	const struct bill_terms terms = {o.term, o.term};
	if (given)
		return err_set(err, ERR_USAGE,
			"%s is a machine and --%s is for disks: bill the disk, with --machine %s "
			"beside it",
			sku, given, sku);
	if (o.machine)
		return err_set(err, ERR_USAGE,
			"%s is a machine, and --machine %s another: one of them, or a disk and "
			"--machine",
			sku, o.machine);
	o.machine = arena_strdup(&c->arena, sku);
	o.machines = 1;
	if (!o.machine)
		return err_nomem(err);
	a.options = &o;
	a.machine_term = o.term;
	return print_bill(c, &a, &terms, sku, err);
}

int
prices_bill(struct cli_common *c, const struct shelf *shelf, const char *sku,
	const struct prices_bill_options *o, struct err *err)
{
	struct limits limits;
	struct disk_config config = {.disk = NULL};
	if (shelf->n != 1)
		return prices_not_one(c, shelf, sku, err);
	const struct shelf_book *s = &shelf->books[0];
	struct bill_asked asked = {
		.arena = &c->arena, .book = &s->book, .limits = &limits, .options = o};
	int rc = prices_limits(c, s, &limits, err);
	rc = rc ? rc : check_options(o, &s->book, err);
	if (rc == 0 && is_machine(&limits, &s->book, sku))
		return bill_machine(c, &asked, sku, err);
	rc = rc ? rc : check_alone(o, err);
	rc = rc ? rc : fill_config(o, &limits, sku, &config, err);
	if (rc || !config.disk)
		return rc;
	const struct bill_terms terms = terms_of(o, &s->book, &config);
	config.term = terms.disk;
	asked.disk = &config;
	asked.machine_term = terms.machine;
	return print_bill(c, &asked, &terms, config.disk->sku, err);
}
