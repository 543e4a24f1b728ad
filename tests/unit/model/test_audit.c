/*
 * test_audit.c - each kind of claim: figures that agree, figures that do not, figures missing.
 * Expectations are worked by hand or stand in the published cases.
 */
#include "check.h"

#include <string.h>

#include "model/audit.h"

#define none ((double)NAN)

static struct profile_claim
claim(const char *kind)
{
	return (struct profile_claim){.kind = kind,
		.text = "claim",
		.size_gib = none,
		.iops = none,
		.mbps = none,
		.qd = none,
		.bs_b = none,
		.latency_us = none,
		.before = none,
		.after = none,
		.claimed = none,
		.count = none};
}

struct row {
	const char *kind;
	double iops, latency_us, qd, count, before, after, claimed;
	const char *code; /* of the first finding; NULL: there is none */
	const char *text; /* must be in it */
	const char *needs; /* and in what would have to be true */
};

static struct profile_claim
of_row(const struct row *r)
{
	struct profile_claim c = claim(r->kind);
	/* a zero in the table is "absent" */
	c.iops = r->iops != 0 ? r->iops : none;
	c.latency_us = r->latency_us != 0 ? r->latency_us : none;
	c.qd = r->qd != 0 ? r->qd : none;
	c.count = r->count != 0 ? r->count : none;
	c.before = r->before != 0 ? r->before : none;
	c.after = r->after != 0 ? r->after : none;
	c.claimed = r->claimed != 0 ? r->claimed : none;
	return c;
}

static void
audit_one(const struct profile_claim *c, const struct limits *limits, const char *family,
	struct arena *a, struct audit *out)
{
	struct profile p;
	struct profile_claim copy = *c;
	profile_clear(&p);
	p.claims = &copy;
	p.n_claims = 1;
	p.family = family;
	audit_init(out, a);
	audit_profile(&p, limits, out);
	assert_int_equal(audit_finish(out, NULL), 0);
}

/* Everything a finding says, in one text. */
static const char *
said(struct arena *a, const struct audit_finding *f)
{
	const char *text = arena_printf(a, "%s; %s; %s", f->text,
		f->arithmetic ? f->arithmetic : "", f->needs ? f->needs : "");
	assert_non_null(text);
	return text;
}

/* Each finding that judges figures names them and their trust; a contradiction says what it would take. */
static void
check_shape(const struct audit *a)
{
	for (size_t i = 0; i < a->n_findings; i++) {
		const struct audit_finding *f = &a->findings[i];
		assert_true(f->text && *f->text && f->code && *f->code && f->subject);
		if (f->verdict == AUDIT_CONTRADICTION)
			assert_non_null(f->needs);
		if (f->verdict >= AUDIT_DOUBT)
			assert_true(f->n_inputs > 0);
		if (i > 0)
			assert_true(f->verdict <= a->findings[i - 1].verdict);
	}
}

static void
test_arithmetic(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{"outstanding", 1010000, 500, 0, 0, 0, 0, 505, "claim-agrees", "= 505", NULL},
		{"outstanding", 18200, 4200, 32, 0, 0, 0, 0, "little-law",
			"76.44 outstanding, not 32", "a mean of 1.76 ms, or 7,619 IOPS"},
		{"outstanding", 200, 5000, 1, 0, 0, 0, 0, "claim-agrees", "= 1", NULL},
		{"outstanding", 200, 5000, 0, 0, 0, 0, 0, "claim-computed", "= 1", NULL},
		{"times", 0, 0, 0, 0, 33400, 1010000, 30.2, "claim-agrees", "30.24 times", NULL},
		{"times", 0, 0, 0, 0, 2, 5, 3, "claim-contradicts", "2.5 times",
			"6 instead of 5, or 1.667 instead of 2"},
		{"change", 0, 0, 0, 0, 9.5, 5.2, -45, "claim-agrees", "-45.26 %", NULL},
		{"change", 0, 0, 0, 0, 200000, 5230000, 2660, "claim-contradicts", "2,515 %",
			"5,520,000 instead of 5,230,000"}, /* 200,000 x 27.6 */
		{"closed-loop", 0, 0, 0, 0, 384, -74, 0, "claim-contradicts", "-79 % latency",
			"1.258 times as many clients"}, /* 4.84 x 0.26 */
		/* twice the rate, half the latency */
		{"closed-loop", 0, 0, 0, 0, 100, -50, 0, "claim-agrees", NULL, NULL},
		{"chain", 0, 142, 0, 200, 0, 0, 28.4, "claim-agrees", "28.4 ms", NULL},
		{"commit-budget", 0, 620, 0, 2000, 0, 0, 1.24, "claim-agrees", "1.24 s", NULL},
		{"commit-budget", 0, 28, 0, 2000, 0, 0, 0.056, "claim-agrees", "0.056 s", NULL},
		{"quota", 40000, 95, 32, 0, 0, 0, 0, "quota-limited", "32/40,000 = 0.80 ms", NULL},
		{"stated-twice", 0, 0, 0, 0, 3.1, 3.8, 0, "stated-twice", "23 % apart", NULL},
		{"stated-twice", 0, 0, 0, 0, 3.1, 3.15, 0, NULL, NULL, NULL},
		{"strip", 0, 0, 0, 0, 131072, 262144, 131072, "strip", "likely 128 KiB", NULL},
		{"strip", 0, 0, 0, 0, 65536, 131072, 131072, "strip", "but stated 128 KiB",
			"above 128 KiB"},
		{"rotation", 0, 0, 0, 7200, 0, 0, 4.17, "claim-agrees", "4.167 ms", NULL},
		{"chain", 0, 0, 0, 200, 0, 0, 0, "claim-incomplete", "lacks latency_us", NULL},
		{"chian", 0, 0, 0, 0, 0, 0, 0, "claim-kind", "is not known", NULL},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a;
		struct audit out;
		struct profile_claim c = of_row(&rows[i]);
		arena_init(&a, 0);
		audit_one(&c, NULL, NULL, &a, &out);
		check_shape(&out);
		if ((rows[i].code == NULL) != (out.n_findings == 0))
			print_error("row %zu: %zu findings\n", i, out.n_findings);
		assert_true((rows[i].code == NULL) == (out.n_findings == 0));
		const struct audit_finding *f = rows[i].code ? audit_find(&out, rows[i].code)
							     : NULL;
		if (rows[i].code && !f)
			print_error("row %zu: %s\n", i, out.findings[0].code);
		assert_true(!rows[i].code || f);
		if (f && rows[i].text && !strstr(said(&a, f), rows[i].text))
			print_error("row %zu: %s\n", i, said(&a, f));
		assert_true(!f || !rows[i].text || strstr(said(&a, f), rows[i].text));
		if (f && rows[i].needs && !(f->needs && strstr(f->needs, rows[i].needs)))
			print_error("row %zu needs: %s\n", i, f->needs ? f->needs : "-");
		assert_true(!f || !rows[i].needs || (f->needs && strstr(f->needs, rows[i].needs)));
		arena_fini(&a);
	}
}

/* Above one second of sync a second, commits must share flushes; a percentile is no mean. */
static void
test_commit_budget(void **state)
{
	(void)state;
	struct arena a;
	struct audit out;
	struct profile_claim c = claim("commit-budget");
	arena_init(&a, 0);
	c.count = 2000;
	c.latency_us = 620;
	c.statistic = "p99";
	audit_one(&c, NULL, NULL, &a, &out);
	const struct audit_finding *f = audit_find(&out, "commit-budget");
	assert_non_null(f);
	assert_int_equal(f->verdict, AUDIT_DOUBT);
	assert_non_null(strstr(f->text, "at least 1.24 commits a flush"));
	assert_non_null(strstr(f->needs, "a sync takes at most 0.50 ms")); /* 1 s / 2,000 */
	assert_non_null(audit_find(&out, "percentile-as-mean"));
	c.latency_us = 28;
	c.statistic = "mean";
	audit_one(&c, NULL, NULL, &a, &out);
	assert_int_equal(audit_find(&out, "commit-budget")->verdict, AUDIT_AGREES);
	assert_null(audit_find(&out, "percentile-as-mean"));
	arena_fini(&a);
}

static void
test_select_only(void **state)
{
	(void)state;
	static const struct {
		const char *command;
		int flagged;
	} rows[] = {{"pgbench -S", 1}, {"pgbench -S -c 200", 1}, {"pgbench --select-only", 1},
		{"pgbench -c 200 -Sx", 0}, {"pgbench -N", 0}, {NULL, 0}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a;
		struct audit out;
		struct profile_claim c = claim("select-only");
		arena_init(&a, 0);
		c.command = rows[i].command;
		audit_one(&c, NULL, NULL, &a, &out);
		assert_int_equal(out.n_findings, rows[i].flagged);
		assert_int_equal(out.contradictions, rows[i].flagged);
		arena_fini(&a);
	}
}

/* A vendor's documents with one fixed size, one tier bought by IOPS, and one machine. */
struct vendor {
	struct disk_limit disks[4];
	struct vm_limit vm;
	struct limits limits;
};

static const struct schema *
part(const char *name)
{
	for (size_t i = 0; i < limits_schema.n_fields; i++)
		if (strcmp(limits_schema.fields[i].name, name) == 0)
			return limits_schema.fields[i].sub;
	fail_msg("limits have no %s", name);
	return NULL;
}

static void
vendor_init(struct vendor *v)
{
	struct disk_limit *fixed = &v->disks[0], *bought = &v->disks[1], *old = &v->disks[2],
			  *large = &v->disks[3];
	for (size_t i = 0; i < sizeof(v->disks) / sizeof(v->disks[0]); i++)
		schema_clear(part("disks"), &v->disks[i]);
	old->family = "free";
	old->sku = "FREE (old rules)";
	old->iops_max = 160000;
	old->mbps_max = 4000;
	old->mbps_unit = LIMITS_MB;
	old->superseded = 1;
	old->as_of = "2022-06-17";
	large->family = "fixed";
	large->sku = "F80";
	large->size_gib_max = large->billed_gib = 32767;
	large->iops_base = large->iops_max = 20000;
	large->mbps_base = large->mbps_max = 900;
	large->mbps_unit = LIMITS_MB;
	schema_clear(part("vms"), &v->vm);
	fixed->family = "fixed";
	fixed->sku = "F30";
	fixed->size_gib_max = fixed->billed_gib = 1024;
	fixed->iops_base = fixed->iops_max = 5000;
	fixed->mbps_base = fixed->mbps_max = 200;
	fixed->mbps_unit = LIMITS_MB;
	bought->family = "free";
	bought->sku = "FREE";
	bought->size_gib_min = 4;
	bought->size_gib_max = 65536;
	bought->iops_base = bought->iops_min = 100;
	bought->iops_max = 400000;
	bought->iops_per_gib = 1000;
	bought->mbps_base = 1;
	bought->mbps_max = 10000;
	bought->mbps_unit = LIMITS_MB;
	v->vm.sku = "M8";
	v->vm.uncached_iops = 12800;
	v->vm.uncached_mbps = 290;
	v->vm.temp_disk_count = 1;
	v->vm.temp_disk_gib = 300;
	v->limits = (struct limits){
		.provider = "x", .disks = v->disks, .n_disks = 4, .vms = &v->vm, .n_vms = 1};
}

/* Labels, MB/s and machines against documents; without documents nothing is claimed. */
static void
test_vendor(void **state)
{
	(void)state;
	static const struct {
		const char *kind, *sku, *vm;
		double iops, bs_b;
		int documents;
		const char *code, *text;
	} rows[] = {
		{"label", "F30", NULL, 20000, none, 0, "not-checked", "no vendor limits"},
		{"label", "F30", NULL, 20000, none, 1, "label-over-limit",
			"1,024 GiB, 5,000 IOPS, 200 MB/s"},
		/* what has 20,000 IOPS is the largest size */
		{"label", "F30", NULL, 20000, none, 1, "label-over-limit",
			"the disk is a F80 (32,767 GiB, 20,000 IOPS, 900 MB/s)"},
		{"label", "F30", NULL, 20000, none, 1, "label-over-limit",
			"20,000 / 5,000 IOPS = 4.00"},
		{"label", "F30", NULL, 5000, none, 1, "label", "5,000 IOPS"},
		/* plateaus stand up to 7 % above a label: 5,350 / 5,000 */
		{"label", "F30", NULL, 5350, none, 1, "label-allowance", "within the 7 %"},
		{"label", "F30", NULL, 5351, none, 1, "label-over-limit", "1.07"},
		{"label", "F30", NULL, none, none, 1, "label", "no size, IOPS or MB/s is stated"},
		/* a figure of another day is told from a wrong one */
		{"label", "U30", NULL, 160000, none, 1, "no-such-sku",
			"160,000 IOPS was the limit by the rules of 2022-06-17 (FREE (old rules)), "
			"now 400,000"},
		{"label", "U30", NULL, 5000, none, 1, "no-such-sku", "IOPS (100 to 400,000"},
		{"bandwidth", "F30", NULL, 15600, 16384, 1, "bandwidth-over-limit",
			"256 MB/s > 200 MB/s"},
		{"bandwidth", "F30", NULL, 15600, 16384, 1, "bandwidth-over-limit",
			"12,207 IOPS at this size"}, /* 200e6 / 16,384 */
		{"bandwidth", "F30", NULL, 5000, 4096, 1, "bandwidth", "within 200 MB/s"},
		/* 12,800 x 16,384 B = 209.7 MB/s, 4.9 % above */
		{"bandwidth", "F30", NULL, 12800, 16384, 1, "bandwidth-allowance", "> 200 MB/s"},
		{"vm-cap", NULL, "M8", 160000, none, 1, "vm-cap", "cannot drive 160,000 IOPS"},
		{"vm-cap", NULL, "M8", 12000, none, 1, "vm", "12,800 IOPS and 290 MB/s"},
		{"vm-cap", NULL, "M9", 12000, none, 1, "no-such-vm", "M9"},
		{"vm-temp", NULL, "M9", none, none, 1, "no-such-vm", "M9"},
		{"vm-temp", NULL, "M8", none, none, 0, "not-checked", "no vendor limits"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a;
		struct audit out;
		struct vendor v;
		struct profile_claim c = claim(rows[i].kind);
		arena_init(&a, 0);
		vendor_init(&v);
		c.sku = rows[i].sku;
		c.vm = rows[i].vm;
		c.iops = rows[i].iops;
		c.bs_b = rows[i].bs_b;
		/* the sizes of F are another family's */
		const char *family = rows[i].sku && rows[i].sku[0] == 'U' ? "x/free" : "x/";
		audit_one(&c, rows[i].documents ? &v.limits : NULL, family, &a, &out);
		check_shape(&out);
		assert_int_equal(out.n_findings, 1);
		assert_string_equal(out.findings[0].code, rows[i].code);
		if (!strstr(said(&a, &out.findings[0]), rows[i].text))
			print_error("row %zu: %s\n", i, said(&a, &out.findings[0]));
		assert_non_null(strstr(said(&a, &out.findings[0]), rows[i].text));
		arena_fini(&a);
	}
}

/* What a source says of a size, of local disks, and of a price the tier does not have. */
static void
test_vendor_shapes(void **state)
{
	(void)state;
	static const struct {
		const char *kind, *sku, *vm, *family;
		double size_gib, iops, count;
		const char *code, *text;
	} rows[] = {
		{"label", "F30", NULL, "x/fixed", 16384, 40000, none, "label-over-limit",
			"F30 is 1,024 GiB, 5,000 IOPS, 200 MB/s; claimed 16,384 GiB, 40,000 IOPS"},
		{"label", "F30", NULL, "x/fixed", 1024, none, none, "label", "claimed 1,024 GiB"},
		{"vm-temp", NULL, "M8", NULL, 16, none, 2, "vm-temp-differs",
			"M8 has 1 temporary disk of 300 GiB"},
		{"vm-temp", NULL, "M8", NULL, 300, none, 1, "vm-temp", "lost with the machine"},
		{"price-per-gib", NULL, NULL, "x/fixed", none, none, none, "price-by-step",
			"from F30 (1,024 GiB) to F80 (32,767 GiB): no price per GiB"},
		/* this one is billed by the GiB */
		{"price-per-gib", NULL, NULL, "x/free", none, none, none, NULL, NULL},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a;
		struct audit out;
		struct vendor v;
		struct profile_claim c = claim(rows[i].kind);
		arena_init(&a, 0);
		vendor_init(&v);
		c.sku = rows[i].sku;
		c.vm = rows[i].vm;
		c.size_gib = rows[i].size_gib;
		c.iops = rows[i].iops;
		c.count = rows[i].count;
		audit_one(&c, &v.limits, rows[i].family, &a, &out);
		assert_int_equal(out.n_findings, rows[i].code ? 1 : 0);
		if (rows[i].code) {
			assert_string_equal(out.findings[0].code, rows[i].code);
			if (!strstr(said(&a, &out.findings[0]), rows[i].text))
				print_error("row %zu: %s\n", i, said(&a, &out.findings[0]));
			assert_non_null(strstr(said(&a, &out.findings[0]), rows[i].text));
		}
		arena_fini(&a);
	}
}

/* A measured rate is the median of slices and its mean is over all I/O: 16,720 x 170 us / 2 is 1.42, yet
 * inside every slice the law held.  Without that witness the cell is contradictory. */
static void
test_slices_are_the_witness(void **state)
{
	(void)state;
	struct arena a;
	struct audit out;
	struct profile p;
	struct profile_cell c;
	arena_init(&a, 0);
	profile_clear(&p);
	profile_cell_clear(&c);
	p.name = "noisy";
	p.trust = TRUST_MEASURED;
	c.op = PROFILE_OP_RANDWRITE;
	c.bs_b = 4096;
	c.qd = 2;
	c.iops = 16720;
	c.mean_us = 170;
	p.cells = &c;
	p.n_cells = 1;
	audit_init(&out, &a);
	audit_profile(&p, NULL, &out);
	assert_non_null(audit_find(&out, "little-law"));
	c.little_ratio = 1.0;
	audit_init(&out, &a);
	audit_profile(&p, NULL, &out);
	assert_null(audit_find(&out, "little-law"));
	arena_fini(&a);
}

/* ---- cells ---- */

struct cell_row {
	int op, trust, device;
	double bs_b, qd, iops, mibps, mean_us;
	double p50_us, p99_us, max_us;
	const char *code; /* NULL: no contradiction and no doubt */
	int verdict;
	const char *text;
};

static void
audit_cell_of(const struct cell_row *r, struct arena *arena, struct audit *out)
{
	struct profile p;
	struct profile_cell c[2];
	profile_clear(&p);
	profile_cell_clear(&c[0]);
	profile_cell_clear(&c[1]);
	p.name = "disk";
	p.device = r->device;
	p.trust = r->trust;
	/* zero is "absent"; the first cell is a light one of 100 us */
	c[0].op = c[1].op = r->op;
	c[0].bs_b = c[1].bs_b = r->bs_b;
	c[0].qd = 1;
	c[0].mean_us = 100;
	c[1].qd = r->qd != 0 ? r->qd : none;
	c[1].iops = r->iops != 0 ? r->iops : none;
	c[1].mibps = r->mibps != 0 ? r->mibps : none;
	c[1].mean_us = r->mean_us != 0 ? r->mean_us : none;
	c[1].p50_us = r->p50_us != 0 ? r->p50_us : none;
	c[1].p99_us = r->p99_us != 0 ? r->p99_us : none;
	c[1].max_us = r->max_us != 0 ? r->max_us : none;
	p.cells = c;
	p.n_cells = 2;
	audit_init(out, arena);
	audit_profile(&p, NULL, out);
	assert_int_equal(audit_finish(out, NULL), 0);
	check_shape(out);
}

static void
test_cells(void **state)
{
	(void)state;
	enum {
		R = PROFILE_OP_RANDREAD,
		PUB = TRUST_PUBLISHED,
		MEAS = TRUST_MEASURED,
		SSD = PROFILE_DEVICE_SSD,
		BAD = AUDIT_CONTRADICTION,
		ODD = AUDIT_DOUBT
	};
	static const struct cell_row rows[] = {
		/* 32 / 20,000 = 1.6 ms as stated */
		{R, PUB, SSD, 4096, 32, 20000, 0, 1600, 0, 0, 0, NULL, 0, NULL},
		{R, PUB, SSD, 4096, 32, 20000, 0, 3200, 0, 0, 0, "little-law", BAD,
			"64 outstanding instead of 32, or a mean of 1.60 ms, or 10,000 IOPS"},
		/* a queue that is not kept full: 20,000 x 1.2 ms = 24 of 32 */
		{R, MEAS, SSD, 4096, 32, 20000, 0, 1200, 0, 0, 0, "little-law", ODD,
			"= 24, not 32"},
		/* a job that was paced, and a text that says so little */
		{R, TRUST_IMPORTED, SSD, 4096, 32, 2000, 0, 1600, 0, 0, 0, "little-law", ODD,
			"= 3.2, not 32"},
		{R, PUB, SSD, 4096, 32, 2000, 0, 1600, 0, 0, 0, "little-law", BAD, "= 3.2, not 32"},
		/* 8 / 160,000 = 50 us, below 100 us: 16 outstanding */
		{R, PUB, SSD, 4096, 8, 160000, 0, 0, 0, 0, 0, "below-light-latency", BAD,
			"at least 16 outstanding instead of 8"},
		{R, MEAS, SSD, 4096, 8, 160000, 0, 0, 0, 0, 0, "faster-when-deep", ODD,
			"50 us with 8 outstanding"},
		/* 10,000 x 4 KiB = 39.06 MiB/s; 40.96 MB/s called MiB/s; and 2,048 times too much */
		{R, PUB, SSD, 4096, 1, 10000, 39.0625, 0, 0, 0, 0, NULL, 0, NULL},
		/* 2.657 x 4 KiB are 10.6 KiB/s, which fio of old writes as 10 */
		{R, TRUST_IMPORTED, SSD, 4096, 1, 2.657, 0.009765625, 0, 0, 0, 0, NULL, 0, NULL},
		{R, PUB, SSD, 4096, 1, 10000, 40.96, 0, 0, 0, 0, "throughput", ODD, "were mixed"},
		{R, PUB, SSD, 4096, 1, 31, 248, 0, 0, 0, 0, "throughput", BAD,
			"= 0.1211 MiB/s; 248 / 0.1211 = 2048"},
		/* 1 % at 20 ms alone make a mean of 200 us */
		{R, PUB, SSD, 4096, 0, 0, 0, 150, 0, 20000, 0, "mean-below-bound", BAD,
			"a mean of at least 0.20 ms, or a p99 of at most 15.00 ms"},
		{R, PUB, SSD, 4096, 0, 0, 0, 210, 0, 20000, 0, NULL, 0, NULL},
		/* (1,100 - 0.99 x 1,000) / 0.01 = 11 ms: possible below a maximum of 12, not of 10 */
		{R, PUB, SSD, 4096, 0, 0, 0, 1100, 0, 1000, 12000, "mean-above-p99", ODD,
			"= 11.00 ms in the mean; the maximum is 12.00 ms"},
		{R, PUB, SSD, 4096, 0, 0, 0, 1100, 0, 1000, 10000, "mean-above-p99", BAD,
			"the maximum is too low"},
		/* the faster half at 20 us: 2 x 100 - 180 */
		{R, PUB, SSD, 4096, 0, 0, 0, 100, 180, 0, 0, "median-above-mean", ODD,
			"= 20 us in the mean"},
		{R, PUB, SSD, 4096, 0, 0, 0, 100, 220, 0, 0, "mean-below-bound", BAD,
			"50 % of the I/O take at least 0.22 ms"},
		{R, PUB, SSD, 4096, 0, 0, 0, 0, 300, 200, 0, "percentile-order", BAD,
			"p99 of 0.20 ms lies below p50 of 0.30 ms"},
		{R, PUB, SSD, 4096, 0, 0, 0, 300, 0, 0, 200, "mean-outside-range", BAD,
			"above the maximum"},
		{R, TRUST_IMPORTED, SSD, 4096, 0, 0, 0, 0, 0, 17112760.32, 0, "percentile-ceiling",
			ODD, "the true value is above 17.1 s"},
		/* 0.1 ms is no platter */
		{R, PUB, PROFILE_DEVICE_HDD, 4096, 0, 0, 0, 0, 0, 0, 0, "controller-cache", ODD,
			"0.10 ms is not the platter"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a;
		struct audit out;
		const struct cell_row *r = &rows[i];
		arena_init(&a, 0);
		audit_cell_of(r, &a, &out);
		const struct audit_finding *f = r->code ? audit_find(&out, r->code) : NULL;
		if ((r->code && !f) || (!r->code && out.contradictions + out.doubts > 0))
			fail_msg("row %zu: %s", i,
				out.n_findings ? said(&a, &out.findings[0]) : "no finding");
		if (f && f->verdict != r->verdict)
			fail_msg("row %zu: %s", i, names_text(&audit_verdict_names, f->verdict));
		if (f && !strstr(said(&a, f), r->text))
			fail_msg("row %zu: %s", i, said(&a, f));
		arena_fini(&a);
	}
}

/* A quota: IOPS hold, then bandwidth does.  200 MB/s over 5,000 IOPS is a corner at 40 kB. */
static void
test_decay(void **state)
{
	(void)state;
	static const struct {
		double bs_b[3], iops[3];
		bool smooth;
		const char *text;
	} rows[] = {
		{{4096, 8192, 16384}, {5000, 5000, 5000}, false, NULL},
		/* over the corner: 5,000, 200e6 / 65,536 = 3,052, 200e6 / 131,072 = 1,526 */
		{{32768, 65536, 131072}, {5000, 3052, 1526}, false, NULL},
		/* the published table: a = 45.4 us, b = 1.174 us/KiB, largest error 0.29 % */
		{{4096, 8192, 16384}, {20000, 18200, 15600}, true, "us/KiB within 0.29 %"},
		/* 15,600 x 16,384 = 255.6 MB/s: at 8 KiB 31,200 could pass, so 20,000 do */
		{{4096, 8192, 16384}, {20000, 18200, 15600}, true,
			"min(20,000 IOPS, 255.6 MB/s / size) gives 20,000 IOPS at 8 KiB, not "
			"18,200"},
		{{4096, 8192, 16384}, {160000, 142000, 118000}, true, "us/KiB within 0.4"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a;
		struct audit out;
		struct profile p;
		struct profile_cell c[3];
		arena_init(&a, 0);
		profile_clear(&p);
		p.name = "disk";
		p.device = PROFILE_DEVICE_CLOUD;
		p.trust = TRUST_PUBLISHED;
		for (size_t k = 0; k < 3; k++) {
			profile_cell_clear(&c[k]);
			c[k].op = PROFILE_OP_RANDWRITE;
			c[k].qd = 16;
			c[k].bs_b = rows[i].bs_b[k];
			c[k].iops = rows[i].iops[k];
		}
		p.cells = c;
		p.n_cells = 3;
		audit_init(&out, &a);
		audit_profile(&p, NULL, &out);
		assert_int_equal(audit_finish(&out, NULL), 0);
		check_shape(&out);
		const struct audit_finding *f = audit_find(&out, "smooth-decay");
		assert_true(rows[i].smooth == (f != NULL));
		const struct audit_finding *shape = audit_find(&out, "quota-shape");
		assert_true((shape != NULL) == (i == 1)); /* the only one that shows both quotas */
		if (shape &&
			!strstr(said(&a, shape), "min(5,000 IOPS, 200 MB/s / size), which meet"))
			fail_msg("%s", said(&a, shape));
		if (f && !(rows[i].text && strstr(said(&a, f), rows[i].text)))
			fail_msg("row %zu: %s", i, said(&a, f));
		arena_fini(&a);
	}
}

/* Over the quota it is a burst or a cache; a level that can be had is a doubt. */
static void
test_over_cap(void **state)
{
	(void)state;
	static const struct {
		double quota, plus, burst; /* 0: none */
		double iops;
		int verdict; /* AUDIT_AGREES: no finding */
		const char *text;
	} rows[] = {
		{16000, 0, 0, 16300, AUDIT_AGREES, NULL},
		{16000, 0, 0, 32004, AUDIT_CONTRADICTION, "32,004 / 16,000 = 2.00, above 1.07"},
		{0, 8000, 30000, 5200, AUDIT_AGREES, NULL},
		{0, 8000, 30000, 8000, AUDIT_DOUBT, "performance-plus level of 8,000"},
		{0, 8000, 30000, 20000, AUDIT_DOUBT, "a burst (up to 30,000 IOPS"},
		{0, 8000, 30000, 40000, AUDIT_CONTRADICTION, "a cap of at least 37,383 IOPS"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a;
		struct audit out;
		struct vendor v;
		struct profile p;
		struct profile_cell c;
		struct profile_quota q = {rows[i].quota, none, none, none, "plan"};
		arena_init(&a, 0);
		vendor_init(&v);
		profile_clear(&p);
		profile_cell_clear(&c);
		if (rows[i].plus > 0) {
			v.disks[0].iops_perf_plus = rows[i].plus;
			v.disks[0].burst_iops = rows[i].burst;
			p.sku = "F30";
		} else {
			p.quota = &q;
		}
		p.name = "disk";
		p.trust = TRUST_MEASURED;
		c.op = PROFILE_OP_RANDREAD;
		c.bs_b = 4096;
		c.qd = 32;
		c.iops = rows[i].iops;
		p.cells = &c;
		p.n_cells = 1;
		audit_init(&out, &a);
		audit_profile(&p, &v.limits, &out);
		assert_int_equal(audit_finish(&out, NULL), 0);
		check_shape(&out);
		const struct audit_finding *f = audit_find(&out, "over-cap");
		assert_true((f == NULL) == (rows[i].verdict == AUDIT_AGREES));
		if (f && (f->verdict != rows[i].verdict || !rows[i].text ||
				 !strstr(said(&a, f), rows[i].text)))
			fail_msg("row %zu: %s: %s", i, names_text(&audit_verdict_names, f->verdict),
				said(&a, f));
		arena_fini(&a);
	}
}

/* Commits: rate x latency = writers; a sync is not faster than the write in it. */
static void
test_commits(void **state)
{
	(void)state;
	static const struct {
		double rate, mean_us, writers, write_us, sync_us;
		const char *code, *text;
	} rows[] = {
		{1000, 1000, 1, none, none, NULL, NULL},
		{4000, 1000, 4, none, none, NULL, NULL},
		{4000, 1000, 1, none, none, "commit-rate",
			"4 writers, or a mean of 0.25 ms, or 1,000 commits a second"},
		/* the plain write of the profile takes 300 us */
		{none, 250, 1, none, none, "sync-faster-than-write", "0.25 ms / 0.30 ms = 0.83"},
		{none, 1000, 1, 300, 200, "sync-parts", "0.30 ms + 0.20 ms = 0.50 ms, not 1.00 ms"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a;
		struct audit out;
		struct profile p;
		struct profile_cell c;
		struct profile_sync s;
		arena_init(&a, 0);
		profile_clear(&p);
		profile_cell_clear(&c);
		profile_sync_clear(&s);
		p.name = "disk";
		p.trust = TRUST_PUBLISHED;
		c.op = PROFILE_OP_RANDWRITE;
		c.bs_b = s.bs_b = 4096;
		c.qd = 1;
		c.mean_us = 300;
		s.mode = PROFILE_SYNC_FSYNC;
		s.syncs_per_s = rows[i].rate;
		s.mean_us = rows[i].mean_us;
		s.writers = rows[i].writers;
		s.write_mean_us = rows[i].write_us;
		s.sync_mean_us = rows[i].sync_us;
		p.cells = &c;
		p.n_cells = 1;
		p.syncs = &s;
		p.n_syncs = 1;
		audit_init(&out, &a);
		audit_profile(&p, NULL, &out);
		assert_int_equal(audit_finish(&out, NULL), 0);
		check_shape(&out);
		const struct audit_finding *f = rows[i].code ? audit_find(&out, rows[i].code)
							     : NULL;
		if ((rows[i].code && !f) || (!rows[i].code && out.contradictions + out.doubts > 0))
			fail_msg("row %zu: %s", i,
				out.n_findings ? said(&a, &out.findings[0]) : "no finding");
		if (f && !(rows[i].text && strstr(said(&a, f), rows[i].text)))
			fail_msg("row %zu: %s", i, said(&a, f));
		arena_fini(&a);
	}
}

/* What a measurement says of itself: its words, or its figures where it has none. */
static void
test_quality(void **state)
{
	(void)state;
	struct arena a;
	struct audit out;
	struct profile p;
	struct profile_quality q;
	struct finding said_so = {SEVERITY_WARNING, "foreign-io", "others used the disk", "wait"};
	arena_init(&a, 0);
	profile_clear(&p);
	profile_quality_clear(&q);
	p.name = "disk";
	p.trust = TRUST_MEASURED;
	p.quality = &q;
	q.verdict = "clean";
	audit_init(&out, &a);
	audit_profile(&p, NULL, &out);
	assert_int_equal(audit_find(&out, "measured-quality")->verdict, AUDIT_AGREES);
	q.verdict = "not-the-disk";
	q.page_cached_frac = 0.5;
	q.stamps_wrong = 1;
	audit_init(&out, &a);
	audit_profile(&p, NULL, &out);
	assert_int_equal(audit_finish(&out, NULL), 0);
	check_shape(&out);
	assert_int_equal(audit_find(&out, "measured-quality")->verdict, AUDIT_CONTRADICTION);
	assert_int_equal(audit_find(&out, "lost-writes")->verdict, AUDIT_CONTRADICTION);
	assert_int_equal(audit_find(&out, "page-cache")->verdict, AUDIT_DOUBT);
	p.findings = &said_so;
	p.n_findings = 1;
	p.complete = 0;
	audit_init(&out, &a);
	audit_profile(&p, NULL, &out);
	assert_non_null(audit_find(&out, "foreign-io"));
	assert_non_null(audit_find(&out, "cut-short"));
	assert_null(audit_find(&out, "page-cache")); /* said once, in words */
	arena_fini(&a);
}

/* Out of memory anywhere is an error of the audit, never a finding lost in silence. */
static void
test_memory(void **state)
{
	(void)state;
	struct profile_claim c = claim("chain");
	c.count = 200;
	c.latency_us = 68;
	c.claimed = 13.6;
	struct profile p;
	profile_clear(&p);
	p.name = "disk";
	p.claims = &c;
	p.n_claims = 1;
	for (size_t max = 1; max < 4096; max += 64) {
		struct arena a;
		struct audit out;
		struct err err;
		arena_init(&a, max);
		audit_init(&out, &a);
		audit_profile(&p, NULL, &out);
		int rc = audit_finish(&out, &err);
		assert_true(rc == ERR_NOMEM || (rc == 0 && out.n_findings == 1));
		arena_fini(&a);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_commit_budget),
		cmocka_unit_test(test_select_only),
		cmocka_unit_test(test_slices_are_the_witness),
		cmocka_unit_test(test_vendor),
		cmocka_unit_test(test_vendor_shapes),
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_decay),
		cmocka_unit_test(test_over_cap),
		cmocka_unit_test(test_commits),
		cmocka_unit_test(test_quality),
		cmocka_unit_test(test_memory),
	};
	return cmocka_run_group_tests_name("model/audit", tests, NULL, NULL);
}
