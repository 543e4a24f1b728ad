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
	struct arena *a, struct findings *out)
{
	struct profile p;
	struct profile_claim copy = *c;
	profile_clear(&p);
	p.claims = &copy;
	p.n_claims = 1;
	p.family = family;
	findings_init(out, a);
	audit_profile(&p, limits, out);
}

static void
test_arithmetic(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{"outstanding", 1010000, 500, 0, 0, 0, 0, 505, "claim-agrees", "= 505"},
		{"outstanding", 18200, 4200, 32, 0, 0, 0, 0, "little-law",
			"76.44 outstanding, not 32"},
		{"outstanding", 200, 5000, 1, 0, 0, 0, 0, "claim-computed", "= 1"},
		{"times", 0, 0, 0, 0, 33400, 1010000, 30.2, "claim-agrees", "30.24 times"},
		{"times", 0, 0, 0, 0, 2, 5, 3, "claim-contradicts", "2.5 times"},
		{"change", 0, 0, 0, 0, 9.5, 5.2, -45, "claim-agrees", "-45.26 %"},
		{"change", 0, 0, 0, 0, 200000, 5230000, 2660, "claim-contradicts", "2,515 %"},
		{"closed-loop", 0, 0, 0, 0, 384, -74, 0, "claim-contradicts", "-79 % latency"},
		/* twice the rate, half the latency */
		{"closed-loop", 0, 0, 0, 0, 100, -50, 0, "claim-agrees", NULL},
		{"chain", 0, 142, 0, 200, 0, 0, 28.4, "claim-agrees", "28.4 ms"},
		{"commit-budget", 0, 620, 0, 2000, 0, 0, 1.24, "claim-agrees", "1.24 s"},
		{"commit-budget", 0, 28, 0, 2000, 0, 0, 0.056, "claim-agrees", "0.056 s"},
		{"quota", 40000, 95, 32, 0, 0, 0, 0, "quota-limited", "32/40,000 = 0.80 ms"},
		{"stated-twice", 0, 0, 0, 0, 3.1, 3.8, 0, "stated-twice", "23 % apart"},
		{"stated-twice", 0, 0, 0, 0, 3.1, 3.15, 0, NULL, NULL},
		{"strip", 0, 0, 0, 0, 131072, 262144, 131072, "strip", "likely 128 KiB"},
		{"strip", 0, 0, 0, 0, 65536, 131072, 131072, "strip", "but stated 128 KiB"},
		{"rotation", 0, 0, 0, 7200, 0, 0, 4.17, "claim-agrees", "4.167 ms"},
		{"chain", 0, 0, 0, 200, 0, 0, 0, "claim-incomplete", "lacks latency_us"},
		{"chian", 0, 0, 0, 0, 0, 0, 0, "claim-kind", "is not known"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a;
		struct findings out;
		struct profile_claim c = of_row(&rows[i]);
		arena_init(&a, 0);
		audit_one(&c, NULL, NULL, &a, &out);
		if ((rows[i].code == NULL) != (out.n == 0))
			print_error("row %zu: %zu findings\n", i, out.n);
		assert_true((rows[i].code == NULL) == (out.n == 0));
		if (rows[i].code) {
			assert_string_equal(out.items[0].code, rows[i].code);
			if (rows[i].text && !strstr(out.items[0].text, rows[i].text))
				print_error("row %zu: %s\n", i, out.items[0].text);
			assert_true(!rows[i].text || strstr(out.items[0].text, rows[i].text));
		}
		arena_fini(&a);
	}
}

/* Above one second of sync a second, commits must share flushes; a percentile is no mean. */
static void
test_commit_budget(void **state)
{
	(void)state;
	struct arena a;
	struct findings out;
	struct profile_claim c = claim("commit-budget");
	arena_init(&a, 0);
	c.count = 2000;
	c.latency_us = 620;
	c.statistic = "p99";
	audit_one(&c, NULL, NULL, &a, &out);
	const struct finding *f = findings_find(&out, "commit-budget");
	assert_non_null(f);
	assert_int_equal(f->severity, SEVERITY_WARNING);
	assert_non_null(strstr(f->text, "at least 1.24 commits a flush"));
	assert_non_null(findings_find(&out, "percentile-as-mean"));
	c.latency_us = 28;
	c.statistic = "mean";
	audit_one(&c, NULL, NULL, &a, &out);
	assert_int_equal(findings_find(&out, "commit-budget")->severity, SEVERITY_NOTE);
	assert_null(findings_find(&out, "percentile-as-mean"));
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
		struct findings out;
		struct profile_claim c = claim("select-only");
		arena_init(&a, 0);
		c.command = rows[i].command;
		audit_one(&c, NULL, NULL, &a, &out);
		assert_int_equal(out.n, rows[i].flagged);
		arena_fini(&a);
	}
}

/* A vendor's documents with one fixed size, one tier bought by IOPS, and one machine. */
struct vendor {
	struct disk_limit disks[2];
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
	struct disk_limit *fixed = &v->disks[0], *bought = &v->disks[1];
	schema_clear(part("disks"), fixed);
	schema_clear(part("disks"), bought);
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
		.provider = "x", .disks = v->disks, .n_disks = 2, .vms = &v->vm, .n_vms = 1};
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
		{"label", "F30", NULL, 5000, none, 1, "label", "5,000 IOPS"},
		{"label", "U30", NULL, 5000, none, 1, "no-such-sku", "IOPS (100 to 400,000"},
		{"bandwidth", "F30", NULL, 15600, 16384, 1, "bandwidth-over-limit",
			"256 MB/s > 200 MB/s"},
		{"bandwidth", "F30", NULL, 5000, 4096, 1, "bandwidth", "within 200 MB/s"},
		{"vm-cap", NULL, "M8", 160000, none, 1, "vm-cap", "cannot drive 160,000 IOPS"},
		{"vm-cap", NULL, "M8", 12000, none, 1, "vm", "12,800 IOPS and 290 MB/s"},
		{"vm-cap", NULL, "M9", 12000, none, 1, "no-such-vm", "M9"},
		{"vm-temp", NULL, "M9", none, none, 1, "no-such-vm", "M9"},
		{"vm-temp", NULL, "M8", none, none, 0, "not-checked", "no vendor limits"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a;
		struct findings out;
		struct vendor v;
		struct profile_claim c = claim(rows[i].kind);
		arena_init(&a, 0);
		vendor_init(&v);
		c.sku = rows[i].sku;
		c.vm = rows[i].vm;
		c.iops = rows[i].iops;
		c.bs_b = rows[i].bs_b;
		audit_one(&c, rows[i].documents ? &v.limits : NULL, "x/free", &a, &out);
		assert_int_equal(out.n, 1);
		assert_string_equal(out.items[0].code, rows[i].code);
		if (!strstr(out.items[0].text, rows[i].text))
			print_error("row %zu: %s\n", i, out.items[0].text);
		assert_non_null(strstr(out.items[0].text, rows[i].text));
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
			"from F30 (1,024 GiB) to F30 (1,024 GiB): no price per GiB"},
		/* this one is billed by the GiB */
		{"price-per-gib", NULL, NULL, "x/free", none, none, none, NULL, NULL},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a;
		struct findings out;
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
		assert_int_equal(out.n, rows[i].code ? 1 : 0);
		if (rows[i].code) {
			assert_string_equal(out.items[0].code, rows[i].code);
			if (!strstr(out.items[0].text, rows[i].text))
				print_error("row %zu: %s\n", i, out.items[0].text);
			assert_non_null(strstr(out.items[0].text, rows[i].text));
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
	struct findings out;
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
	findings_init(&out, &a);
	audit_profile(&p, NULL, &out);
	assert_non_null(findings_find(&out, "little-law"));
	c.little_ratio = 1.0;
	findings_init(&out, &a);
	audit_profile(&p, NULL, &out);
	assert_null(findings_find(&out, "little-law"));
	arena_fini(&a);
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
	};
	return cmocka_run_group_tests_name("model/audit", tests, NULL, NULL);
}
