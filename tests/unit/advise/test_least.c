/*
 * The least configuration of a tier and where the cheapest tier changes: by hand on two small tiers, and
 * against asking at every single rate on random ones.
 */
#include "case.h"

#include "advise/least.h"
#include "base/rng.h"

#define L(disks)                                                                                   \
	"{\"schema\": \"tierwise/limits/1\", \"provider\": \"fc\", \"as_of\": \"2026-01-01\", "    \
	"\"source\": \"test\", \"disks\": [" disks "], \"vms\": []}"
#define P(rows)                                                                                    \
	"{\"schema\": \"tierwise/prices/1\", \"name\": \"fc\", \"provider\": \"fc\", "             \
	"\"region\": \"r\", \"currency\": \"USD\", \"as_of\": \"2026-01-01\", "                    \
	"\"source\": \"test\", \"trust\": \"published\", \"rows\": [" rows "]}"
#define STEP(sku, lo, hi, iops)                                                                    \
	"{\"family\": \"fixed\", \"sku\": \"" sku "\", \"size_gib_min\": " lo                      \
	", \"size_gib_max\": " hi ", \"billed_gib\": " hi ", \"iops_base\": " iops                 \
	", \"iops_max\": " iops ", \"mbps_base\": 100, \"mbps_max\": 100, \"mbps_unit\": \"MB\", " \
	"\"io_unit_kib\": 256, \"operations_billed\": false, \"ephemeral\": false}"
#define BOUGHT(family, base, most)                                                                 \
	"{\"family\": \"" family "\", \"sku\": \"" family "\", \"size_gib_min\": 1, "              \
	"\"size_gib_max\": 4096, \"iops_min\": " base ", \"iops_base\": " base                     \
	", \"iops_max\": " most ", \"iops_per_gib\": 100, \"mbps_min\": 10, \"mbps_base\": 10, "   \
	"\"mbps_max\": 500, \"mbps_per_iops\": 0.25, \"mbps_unit\": \"MB\", "                      \
	"\"io_unit_kib\": 256, \"operations_billed\": false, \"ephemeral\": false}"
#define DISK(sku, price)                                                                           \
	"{\"family\": \"fixed\", \"sku\": \"" sku                                                  \
	"\", \"item\": \"disk\", \"unit\": \"month\", \"price\": " price "}"
#define GIB(family, price)                                                                         \
	"{\"family\": \"" family "\", \"sku\": \"" family                                          \
	"\", \"item\": \"capacity\", \"unit\": \"gib_month\", \"price\": " price "}"
#define RATE(family, item, price, from)                                                            \
	"{\"family\": \"" family "\", \"sku\": \"" family "\", \"item\": \"" item                  \
	"\", \"unit\": \"month\", \"price\": " price ", \"tier_min\": " from "}"

static const char workload[] =
	"{\"schema\": \"tierwise/workload/1\", \"name\": \"t\", \"provider\": \"fc\", "
	"\"region\": \"r\", \"engine\": \"generic\", \"currency\": \"USD\", \"volumes\": "
	"[{\"role\": \"data\", \"capacity_gib\": 50, \"read_iops\": 1, \"write_iops\": 1}]}";

/* 64 GiB do 240 IOPS for 10, 128 GiB 500 for 20; bought: 0.1 a GiB, 0.03 an IOPS beyond 300. */
static const char limits[] = L(STEP("F64", "1", "64", "240") ", " STEP(
	"F128", "65", "128", "500") ", " BOUGHT("bought", "300", "2000"));
static const char prices[] = P(
	DISK("F64", "10") ", " DISK("F128", "20") ", " GIB("bought", "0.25") ", " RATE(
		"bought", "iops", "0.03", "300") ", " RATE("bought", "throughput", "1", "10"));

static void
tier_of(struct scene *s, const char *family, struct least_need need, struct least_tier *t)
{
	need.disks_most = 4;
	assert_int_equal(least_tier_init(&s->in, &need, family, &s->arena, t, &s->err), 0);
}

static void
test_by_hand(void **state)
{
	(void)state;
	struct scene s;
	struct least_tier tiers[2];
	struct candidate c;
	scene_init(&s, workload, limits, prices);
	tier_of(&s, "fixed", (struct least_need){.gib = 50}, &tiers[0]);
	tier_of(&s, "bought", (struct least_need){.gib = 50}, &tiers[1]);
	/* F64 to 240; two of them to 480; F128: 500 for 20, as two F64; three F64 720 for 30 */
	assert_true(near_to(least_price(&tiers[0], 240), 10, 1e-9));
	assert_true(near_to(least_price(&tiers[0], 241), 20, 1e-9));
	assert_true(near_to(least_price(&tiers[0], 500), 20, 1e-9));
	assert_true(near_to(least_price(&tiers[0], 501), 30, 1e-9));
	assert_true(near_to(least_price(&tiers[0], 721), 40, 1e-9));
	/* 4 x 500 */
	assert_true(near_to(tiers[0].most_iops, 2000, 1e-9));
	assert_true(isinf(least_price(&tiers[0], 2001)));
	/* 50 GiB: 12.5 to 300 IOPS; two of 25 to 600; at 601 one more each, 12.5 + 2 x 0.03 */
	assert_true(near_to(least_price(&tiers[1], 300), 12.5, 1e-9));
	assert_true(near_to(least_price(&tiers[1], 310), 12.5, 1e-9));
	assert_true(near_to(least_price(&tiers[1], 601), 12.56, 1e-9));
	/* at 612 six more each, 12.5 + 12 x 0.03 = 12.86; three of 17 GiB do 900 for 12.75 */
	assert_true(near_to(least_price(&tiers[1], 612), 12.75, 1e-9));
	/* 1,400: four of 350 IOPS, 50 each beyond what comes: 13 + 4 x 50 x 0.03 = 19 */
	assert_true(near_to(least_price(&tiers[1], 1400), 19, 1e-9));
	/* each of four takes 2,000, which needs 20 GiB: 20 + 4 x 1,700 x 0.03 = 224 */
	assert_true(near_to(tiers[1].most_iops, 8000, 1e-9));
	assert_true(near_to(least_price(&tiers[1], 8000), 224, 1e-9));
	assert_true(least_config(&tiers[1], 8000, &c));
	assert_true(near_to(c.size_gib, 20, 1e-9) && near_to(c.disks, 4, 1e-9));
	struct least_span spans[LEAST_MOST_SPANS];
	size_t n = 0;
	assert_int_equal(least_spans(tiers, 2, spans, &n, &s.err), 0);
	/* 10 < 12.5 up to 240, where 20 or more is asked; nothing turns it again */
	assert_int_equal(n, 2);
	assert_true(spans[0].tier == 0 && near_to(spans[0].to, 240, 0));
	assert_true(spans[1].tier == 1 && near_to(spans[1].from, 241, 0) &&
		    near_to(spans[1].to, 8000, 0));
	scene_fini(&s);
}

/* 512 KiB: two I/Os of 256 KiB for the disk, 0.524288 MB. */
static void
test_each_io_brings_its_bytes(void **state)
{
	(void)state;
	struct scene s;
	struct least_tier t;
	scene_init(&s, workload, limits, prices);
	tier_of(&s, "fixed", (struct least_need){.gib = 50, .io_kib = 512}, &t);
	/* F64: min(240 / 2, 100 / 0.524288) = 120; two 240, as dear as one F128 of min(250, 190); three 360 */
	assert_true(near_to(least_price(&t, 120), 10, 1e-9));
	assert_true(near_to(least_price(&t, 121), 20, 1e-9));
	assert_true(near_to(least_price(&t, 240), 20, 1e-9));
	assert_true(near_to(least_price(&t, 241), 30, 1e-9));
	assert_true(near_to(least_price(&t, 361), 40, 1e-9));
	/* four F128: min(1,000, 400 / 0.524288 = 762.9) */
	assert_true(near_to(t.most_iops, 762, 0));
	assert_true(isinf(least_price(&t, 763)));
	/* 40: 80 IOPS and 20.97 MB/s; one 12.5 + 11 x 1, two of 11 MB/s 14.5, three of 17 GiB and the 10 that come 12.75 */
	tier_of(&s, "bought", (struct least_need){.gib = 50, .io_kib = 512}, &t);
	assert_true(near_to(least_price(&t, 40), 12.75, 1e-9));
	/* 400: 209.72 MB/s; four of 13 GiB, 53 MB/s each: 13 + 4 x 43 = 185; three of 70: 12.75 + 180; two of 105: 202.5 */
	assert_true(near_to(least_price(&t, 400), 185, 1e-9));
	/* streams of 40 MB/s: 38.15 MiB, four I/Os each, are 152.6 IOPS; F64: min(87.4 / 2, 60 / 0.524288); two 163.7 */
	tier_of(&s, "fixed", (struct least_need){.gib = 50, .io_kib = 512, .mbps = 40}, &t);
	assert_true(near_to(least_price(&t, 43), 10, 1e-9));
	assert_true(near_to(least_price(&t, 44), 20, 1e-9));
	assert_true(near_to(least_price(&t, 163), 20, 1e-9));
	assert_true(near_to(least_price(&t, 164), 30, 1e-9));
	scene_fini(&s);
}

/* From 400 or so on the second is cheaper, by at most 0.0077 - 0.002 a month: no reason to change. */
static void
test_less_than_a_cent_is_no_switch(void **state)
{
	(void)state;
	static const char close_limits[] = L(
		BOUGHT("a", "300", "2000") ", " BOUGHT("b", "300", "2000"));
	static const char close_prices[] = P(
		GIB("a", "0.25") ", " RATE("a", "iops", "0.03", "300") ", " RATE(
			"a", "throughput", "1", "10") ", " GIB("b", "0.25004") ", " RATE("b",
			"iops", "0.029999", "300") ", " RATE("b", "throughput", "1", "10"));
	struct scene s;
	struct least_tier tiers[2];
	struct least_span spans[LEAST_MOST_SPANS];
	size_t n = 0;
	scene_init(&s, workload, close_limits, close_prices);
	tier_of(&s, "a", (struct least_need){.gib = 50}, &tiers[0]);
	tier_of(&s, "b", (struct least_need){.gib = 50}, &tiers[1]);
	assert_true(least_price(&tiers[1], 8000) < least_price(&tiers[0], 8000) - 1e-3);
	assert_int_equal(least_spans(tiers, 2, spans, &n, &s.err), 0);
	assert_int_equal(n, 1);
	assert_true(spans[0].tier == 0 && near_to(spans[0].to, 8000, 0));
	scene_fini(&s);
}

/* Two tiers bought: what comes free, what more costs and the most of each drawn at random. */
static void
random_books(struct rng *r, char *l, char *p, size_t room)
{
	double base[2], most[2], gib[2], iops[2];
	double small = 60 + (double)rng_below(r, 100), large = 160 + (double)rng_below(r, 200);
	for (int i = 0; i < 2; i++) {
		base[i] = 50 + (double)rng_below(r, 200);
		most[i] = base[i] + (double)rng_below(r, 300);
		gib[i] = 0.05 + 0.01 * (double)rng_below(r, 20);
		iops[i] = 0.005 + 0.001 * (double)rng_below(r, 40);
	}
	snprintf(l, room,
		L(STEP("F64", "1", "64", "%g") ", " STEP("F128", "65", "128", "%g") ", " BOUGHT(
			"a", "%g", "%g") ", " BOUGHT("b", "%g", "%g")),
		small, small, large, large, base[0], base[0], most[0], base[1], base[1], most[1]);
	snprintf(p, room,
		P(DISK("F64", "%g") ", " DISK("F128", "%g") ", " GIB("a", "%g") ", " RATE(
			"a", "iops", "%g", "%g") ", " RATE("a", "throughput", "1",
			"10") ", " GIB("b", "%g") ", " RATE("b", "iops", "%g", "%g") ", " RATE("b",
			"throughput", "1", "10")),
		4 + 0.5 * (double)rng_below(r, 16), 8 + 0.5 * (double)rng_below(r, 32), gib[0],
		iops[0], base[0], gib[1], iops[1], base[1]);
}

static size_t
cheapest(const struct least_tier *tiers, size_t n, double iops)
{
	size_t best = 0;
	for (size_t i = 1; i < n; i++) {
		if (least_price(&tiers[i], iops) < least_price(&tiers[best], iops))
			best = i;
	}
	return best;
}

static void
test_equals_asking_at_every_rate(void **state)
{
	(void)state;
	static char l[8192], p[8192];
	static const char *const families[] = {"fixed", "a", "b"};
	static const double sizes_kib[] = {0, 8, 64, 512};
	struct rng r;
	rng_seed(&r, 3);
	size_t switches = 0;
	for (int k = 0; k < 12; k++) {
		struct scene s;
		struct least_tier tiers[3];
		struct least_span spans[LEAST_MOST_SPANS];
		size_t n = 0;
		random_books(&r, l, p, sizeof(l));
		scene_init(&s, workload, l, p);
		const struct least_need need = {.gib = 10 + (double)rng_below(&r, 200),
			.io_kib = sizes_kib[k % 4],
			.mbps = (double)rng_below(&r, 50)};
		for (size_t i = 0; i < 3; i++)
			tier_of(&s, families[i], need, &tiers[i]);
		assert_int_equal(least_spans(tiers, 3, spans, &n, &s.err), 0);
		double at = 1;
		size_t now = cheapest(tiers, 3, at);
		for (size_t i = 0; i < n; i++) {
			assert_true(near_to(spans[i].from, at, 0));
			for (; at <= spans[i].to; at++) {
				size_t least = cheapest(tiers, 3, at);
				if (least_price(&tiers[now], at) >=
					least_price(&tiers[least], at) + 0.01 - 1e-9)
					now = least;
				if (now != spans[i].tier)
					fail_msg("case %d at %g IOPS: %zu, not %zu", k, at, now,
						spans[i].tier);
			}
		}
		for (size_t i = 0; i < 3; i++)
			assert_true(isinf(least_price(&tiers[i], at)));
		switches += n - 1;
		scene_fini(&s);
	}
	print_message("%zu switches in 12 cases\n", switches);
	assert_true(switches > 12);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_each_io_brings_its_bytes),
		cmocka_unit_test(test_less_than_a_cent_is_no_switch),
		cmocka_unit_test(test_equals_asking_at_every_rate),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
