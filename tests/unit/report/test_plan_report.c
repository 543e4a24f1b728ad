/* The report of two plans made by hand (tests/data/report): a sound one, and one in which nothing
 * fits, a price is missing and every name is hostile. */
#include "report_test.h"

#include "report/plan_report.h"

struct loaded {
	struct arena arena;
	struct plan plan;
	struct doc doc;
};

static void
load(struct loaded *l, const char *name)
{
	char path[4096];
	struct err err = {0};
	snprintf(path, sizeof(path), "%s/tests/data/report/%s", getenv("TIERWISE_SOURCE"), name);
	arena_init(&l->arena, 0);
	if (plan_load(path, &l->arena, &l->plan, NULL, &err) != 0)
		fail_msg("%s", err.text);
	doc_init(&l->doc, &l->arena, "report");
	plan_report(&l->plan, &l->doc);
	assert_false(l->doc.failed);
}

static void
check(const char *plan, const char *const *has, size_t n)
{
	struct loaded l;
	load(&l, plan);
	struct buf md = rendered(&l.doc, RENDER_MD);
	for (size_t i = 0; i < n; i++)
		assert_has(buf_text(&md), has[i]);
	buf_fini(&md);
	arena_fini(&l.arena);
}

static void
test_sound(void **state)
{
	(void)state;
	static const char *const has[] = {
		"postgresql on azure westeurope, 3 \u00d7 Standard\\_E8ds\\_v5 \u00b7 made",
		"made 2026-11-30 \u00b7 prices of 2026-08-22 (100 days old) \u00b7 USD, 730 hours",
		"> **PASS**: Put the WAL and the data",
		"| USD 4,080.49 | storage USD 2,565.01; machines USD 1,515.48 |",
		"PASS: 3 of 3 hold | tightest: transaction p99 8.40 ms of 10 ms",
		"of 10 ms (95 % interval: 7.70 to 9.30)",
		/* bought -> used, usable / needed, what a commit waits for, its promise */
		"PremiumV2\\_LRS, 64 \u2192 64 GiB | 3,000 / 2,125 | 125 / 35 | commit 0.920 /",
		"| commit 0.920 / 1.58 | PASS 2 ms | None | LRS | 6.07 | measured |",
		"| machine cap | 3 \u00d7 Standard\\_E8ds\\_v5, uncached | 12,800 / 12,760 |",
		"- Runner-up: USD 4,294.69 a month.",
		/* chosen 234.530 less 284.94 is dearer: no saving to name */
		"- data (orders): not P40, 2,048 GiB: 7,500 IOPS sustained, 10,625 needed",
		"| P6, 64 GiB | 10.21 | iops | 2,125 IOPS | 240 IOPS |",
		/* cost by volume: three machines' data volume, meter by meter */
		"| data | 563.71 | 134.90 | 4.98 | - | 703.59 |",
		"backup costs most: USD 1,843.20 of USD 4,080.49 a month (45 %)",
		"| Total |  |  |  |  | 4,080.49 |",
		"WAL write, 16 KiB: p99 passes 2 ms between 4 and 8 outstanding I/O",
		"| 1 | 0.780 | 0.749 to 0.811 | 1.72 | 0.788 |",
		"2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
		/* settings and steps have sections of their own; the table of rules holds the others */
		"| postgresql | commit\\_delay | 460 us | Half of one flush of 0.92 ms. |",
		"| wal | host cache | None | Set the host cache of the WAL volume to None. |",
		"| all | Keep a snapshot for 72 hours. | A way back. | Published checklist | 2024 "
		"| rollback |",
		"## Rules\n\n**Rules that fired**\n\n| Rule | Kind | Volume | What it says here | "
		"Why | "
		"Source | Date |\n| --- | --- | --- | --- | --- | --- | --- |\n| temp-on-local | "
		"prefer |",
	};
	check("plan-payments.json", has, sizeof(has) / sizeof(has[0]));
}

static void
test_unknown_is_said(void **state)
{
	(void)state;
	static const char *const has[] = {
		"at least USD 43.36, incomplete",
		"machines not in the total",
		"| [Cost per thousand transactions](#bill) | unknown | no rate of transactions",
		"FAIL: 0 of 2 hold | not known: commit p99; tightest: read p99 \uFFFD",
		"3.10 ms of 2 ms (95 % interval: unknown) |",
		"FAIL: nothing fits; nearest miss: 400,000 IOPS",
		"read unknown / 3.10 | FAIL 2 ms",
		"\u2265 43.36",
		"UNKNOWN: no machine size was given, so no cap was checked",
		"UNKNOWN prices: the total is a lower bound",
		"No rate of transactions is predicted",
		"| Total |  |  |  |  | at least 43.36, incomplete |",
		"2 \u00d7 P10, 256 \u2192 100 GiB",
		"No curve of a chosen disk is known",
		"today USD 50.00 (FAIL), the plan is USD 6.64 less (13 %); storage",
		"| unknown | unknown | UNKNOWN | - |",
		"What is not met on",
		"Break-even by IOPS",
		"Is storage the matter?",
	};
	check("plan-hostile.json", has, sizeof(has) / sizeof(has[0]));
}

/* What every format says of the sound plan. */
static void
test_same_content(void **state)
{
	(void)state;
	static const char *const has[] = {"4,080.49", "2,565.01", "0.002218", "11.51", "12,800",
		"Standard_E16ds_v5", "vm-cap-below-disk", "1,843.20", "fcde2b2edba56bf4"};
	struct loaded l;
	load(&l, "plan-payments.json");
	for (int format = 0; format < RENDER_COUNT; format++) {
		struct buf out = rendered(&l.doc, (enum render_format)format);
		for (size_t i = 0; i < sizeof(has) / sizeof(has[0]); i++) {
			if (format == RENDER_MD && strchr(has[i], '_'))
				continue; /* escaped there */
			if (format == RENDER_CSV && i == 5)
				continue; /* tables only: reasons are text */
			assert_has(buf_text(&out), has[i]);
		}
		buf_fini(&out);
	}
	arena_fini(&l.arena);
}

/* Markdown must fit a GitHub comment, the page a mail. */
static void
test_sizes(void **state)
{
	(void)state;
	struct loaded l;
	load(&l, "plan-payments.json");
	struct buf md = rendered(&l.doc, RENDER_MD), html = rendered(&l.doc, RENDER_HTML);
	assert_true(md.len < 65536);
	assert_true(html.len < 1000000);
	assert_int_equal(occurs(buf_text(&html), "<script"), 0);
	buf_fini(&md);
	buf_fini(&html);
	arena_fini(&l.arena);
}

/* A plan with only what its schema requires. */
static void
test_bare(void **state)
{
	(void)state;
	struct arena a;
	struct doc d;
	struct plan p;
	arena_init(&a, 0);
	schema_clear(&plan_schema, &p);
	p.name = "bare";
	p.verdict = PLAN_UNKNOWN;
	doc_init(&d, &a, "bare");
	plan_report(&p, &d);
	assert_false(d.failed);
	for (int format = 0; format < RENDER_COUNT; format++) {
		struct buf out = rendered(&d, (enum render_format)format);
		assert_lacks(buf_text(&out), "(null)");
		assert_lacks(buf_text(&out), "nan");
		assert_lacks(buf_text(&out), "0.00");
		buf_fini(&out);
	}
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sound),
		cmocka_unit_test(test_unknown_is_said),
		cmocka_unit_test(test_same_content),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_bare),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
