/*
 * How long a volume takes to come back: the volume's own rate, the machine, what is bought, the log after
 * it.  Figures by hand beside each row; a volume of 1,000,000 MB is 931.3225746154785 GiB.
 */
#include "case.h"

#include "advise/recovery.h"

#define GIB "931.3225746154785"
#define DATA "{\"role\": \"data\", \"capacity_gib\": " GIB ", \"read_iops\": 0, \"write_iops\": 0}"
#define W(rest)                                                                                    \
	"{\"schema\": \"tierwise/workload/1\", \"name\": \"t\", \"provider\": \"p\", "             \
	"\"region\": \"r\", \"engine\": \"generic\", " rest "}"
#define FROM(recovery, volumes) W("\"recovery\": {" recovery "}, \"volumes\": [" volumes "]")
#define SNAPSHOT FROM("\"source\": \"snapshot\"", DATA)

#define L(rest)                                                                                    \
	"{\"schema\": \"tierwise/limits/1\", \"provider\": \"p\", \"as_of\": \"2026-01-01\", "     \
	"\"source\": \"s\", \"disks\": [{\"family\": \"f\", \"sku\": \"A\", "                      \
	"\"size_gib_min\": 1, \"size_gib_max\": 65536" rest "}], \"vms\": [{\"sku\": \"m\", "      \
	"\"uncached_iops\": 1000, \"uncached_mbps\": 250}]}"
#define RATED ", \"restore_mbps_min\": 100, \"restore_mbps_max\": 200"
#define SOLD ", \"restore_paid_mibps_min\": 100, \"restore_paid_mibps_max\": 300"

#define P(rows)                                                                                    \
	"{\"schema\": \"tierwise/prices/1\", \"name\": \"b\", \"provider\": \"p\", "               \
	"\"region\": \"r\", \"currency\": \"USD\", \"as_of\": \"2026-01-01\", "                    \
	"\"source\": \"s\", \"trust\": \"published\", \"rows\": [" rows "]}"
#define RESTORE(unit, price)                                                                       \
	"{\"family\": \"f\", \"sku\": \"A\", \"item\": \"restore\", \"unit\": \"" unit             \
	"\", \"price\": " price "}"

/* A scene with its demand, and the first volume on `disks` disks that do `mbps` together. */
struct loading {
	struct scene s;
	struct findings findings;
	struct demand_set set;
	struct candidate_site site;
	struct candidate c;
};

static void
loading_init(struct loading *l, const char *workload, const char *limits, double disks, double mbps)
{
	memset(l, 0, sizeof(*l));
	scene_init(&l->s, workload, limits, P(RESTORE("gb", "0.01")));
	findings_init(&l->findings, &l->s.arena);
	assert_int_equal(demand_derive(&l->s.workload, &l->s.engine, &l->s.arena, &l->findings,
				 &l->set, NULL),
		0);
	l->site = (struct candidate_site){
		.in = &l->s.in, .set = &l->set, .demand = &l->set.volumes[0], .arena = &l->s.arena};
	l->c = (struct candidate){.disk = &l->s.limits.disks[0], .disks = disks, .mbps = mbps};
}

#define BOTH DATA ", {\"role\": \"backup\", \"capacity_gib\": " GIB "}"
#define AWAY DATA ", {\"role\": \"backup\", \"capacity_gib\": 1, \"target\": \"network\"}"

static const struct row {
	const char *workload, *limits;
	double disks, mbps;
	bool machine;
	double limit_h, lo_h, hi_h; /* NaN: not known */
	bool paid, open;
} rows[] = {
	/* 1e6 / 200 and / 100 MB/s; the MB/s of the disk do not matter above that */
	{SNAPSHOT, L(RATED), 1, 1000, false, 4, 1.3888889, 2.7777778, false, false},
	/* reading a disk of 150 is no faster than 150 */
	{SNAPSHOT, L(RATED), 1, 150, false, 4, 1.8518519, 2.7777778, false, false},
	/* two disks load at the same time */
	{SNAPSHOT, L(RATED), 2, 1000, false, 4, 0.6944444, 1.3888889, false, false},
	/* through 250 MB/s of the machine: 1.1111 h at best */
	{SNAPSHOT, L(RATED), 4, 1000, true, 4, 1.1111111, 1.1111111, false, false},
	/* 300 MiB/s are 314.5728 MB/s: 0.8831 h, bought because 2.78 are too long, by any machine */
	{SNAPSHOT, L(RATED SOLD), 1, 1000, true, 2, 0.8830318, 0.8830318, true, false},
	/* not bought where it is not needed, or does not help */
	{SNAPSHOT, L(RATED SOLD), 1, 1000, false, 3, 1.3888889, 2.7777778, false, false},
	{SNAPSHOT, L(RATED SOLD), 1, 1000, false, 0.5, 1.3888889, 2.7777778, false, false},
	/* nobody states a rate; a longest time is enough where more is allowed */
	{SNAPSHOT, L(""), 1, 1000, false, 4, 0, (double)NAN, false, true},
	{SNAPSHOT, L(", \"restore_hours_max\": 24"), 1, 1000, false, 30, 0, 24, false, false},
	{SNAPSHOT, L(", \"restore_hours_max\": 24"), 1, 1000, false, 4, 0, 24, false, true},
	/* measured: takes the place of what is stated; and 0.25 h to start */
	{FROM("\"source\": \"snapshot\", \"loading_mbps\": 50, \"other_hours\": 0.25", DATA),
		L(RATED), 1, 1000, false, 4, 5.8055556, 5.8055556, false, false},
	/* 93.13 GiB = 100,000 MB of log at 50 MB/s: 0.5556 h more */
	{FROM("\"source\": \"snapshot\", \"replay_gib\": 93.13225746154785, \"replay_mbps\": 50",
		 DATA),
		L(RATED), 1, 1000, false, 4, 1.9444444, 3.3333333, false, false},
	{FROM("\"source\": \"snapshot\", \"replay_gib\": 93.13225746154785", DATA), L(RATED), 1,
		1000, false, 4, 1.3888889, (double)NAN, false, true},
	/* from the copy on this machine: every byte twice through 250: 2.2222 h; else the disk's 400 */
	{FROM("\"source\": \"backup\"", BOTH), L(""), 1, 400, true, 4, 2.2222222, 2.2222222, false,
		false},
	{FROM("\"source\": \"backup\"", BOTH), L(""), 1, 400, false, 4, 0.6944444, 0.6944444, false,
		false},
	/* over the network once; how fast it comes is not known */
	{FROM("\"source\": \"backup\"", AWAY), L(""), 1, 400, true, 4, 1.1111111, (double)NAN,
		false, true},
	/* already too long, whatever the network does */
	{FROM("\"source\": \"backup\"", AWAY), L(""), 1, 400, true, 1, 1.1111111, (double)NAN,
		false, false},
	{FROM("\"source\": \"backup\", \"loading_mbps\": 200", AWAY), L(""), 1, 400, true, 4,
		1.3888889, 1.3888889, false, false},
	/* a standby loads nothing */
	{W("\"replicated\": true, \"recovery\": {\"source\": \"standby\", \"other_hours\": 0.05}, "
	   "\"volumes\": [" DATA "]"),
		L(""), 1, 400, true, 4, 0.05, 0.05, false, false},
	{W("\"replicated\": true, \"recovery\": {\"source\": \"standby\"}, \"volumes\": [" DATA
	   "]"),
		L(""), 1, 400, true, 4, 0, (double)NAN, false, true},
};

static void
test_times(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *row = &rows[i];
		struct loading l;
		struct recovery r;
		loading_init(&l, row->workload, row->limits, row->disks, row->mbps);
		l.site.vm = row->machine ? &l.s.limits.vms[0] : NULL;
		recovery_of(&l.site, &l.c, row->limit_h, &r);
		bool hi = isnan(row->hi_h) ? isnan(r.hi_h) : near_to(r.hi_h, row->hi_h, 1e-6);
		bool lo = fabs(r.lo_h - row->lo_h) < 1e-6;
		if (!r.applies || !hi || !lo || r.paid != row->paid || r.open != row->open)
			fail_msg("row %zu: %g to %g h, paid %d, open %d", i, r.lo_h, r.hi_h, r.paid,
				r.open);
		/* what is not known is named */
		assert_int_equal(r.open, r.open && r.gap != NULL);
		scene_fini(&l.s);
	}
}

/* The log comes from its snapshot; from a backup it is what is applied. */
static void
test_which_volumes(void **state)
{
	(void)state;
	static const struct {
		const char *source, *role;
		bool applies;
	} cases[] = {{"snapshot", "wal", true}, {"backup", "wal", false}, {"backup", "data", true},
		/* a copy with nothing here that it is of is read back elsewhere */
		{"backup", "backup", false}, {"snapshot", "backup", false},
		{"snapshot", "temp", false}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[1024];
		struct loading l;
		struct recovery r;
		snprintf(text, sizeof(text),
			FROM("\"source\": \"%s\"",
				"{\"role\": \"%s\", \"name\": \"it\", \"capacity_gib\": 1, "
				"\"read_iops\": 0, \"write_iops\": 0}, {\"role\": \"backup\", "
				"\"capacity_gib\": 1}"),
			cases[i].source, cases[i].role);
		loading_init(&l, text, L(RATED), 1, 100);
		recovery_of(&l.site, &l.c, 4, &r);
		assert_int_equal(r.applies, cases[i].applies);
		scene_fini(&l.s);
	}
}

/* What the loading comes to: 1e6 MB pass 250 MB/s of the machine twice, so 125; a snapshot 100 to 200, of
 * which the machine lets through 150. */
static void
test_rates(void **state)
{
	(void)state;
	struct loading l;
	struct recovery r;
	double lo, hi;
	loading_init(&l, FROM("\"source\": \"backup\"", BOTH), L(""), 1, 400);
	l.site.vm = &l.s.limits.vms[0];
	recovery_of(&l.site, &l.c, 4, &r);
	recovery_rates(&r, &lo, &hi);
	assert_true(near_to(lo, 125, 1e-6) && near_to(hi, 125, 1e-6));
	/* the copy itself has to be read for it */
	l.site.demand = &l.set.volumes[1];
	recovery_of(&l.site, &l.c, 4, &r);
	assert_true(r.applies && near_to(r.size_mb, 1e6, 1e-3));
	scene_fini(&l.s);
	loading_init(&l, SNAPSHOT, L(RATED), 1, 1000);
	l.s.limits.vms[0].uncached_mbps = 150;
	l.site.vm = &l.s.limits.vms[0];
	recovery_of(&l.site, &l.c, 4, &r);
	recovery_rates(&r, &lo, &hi);
	assert_true(near_to(lo, 100, 1e-6) && near_to(hi, 150, 1e-6));
	scene_fini(&l.s);
	loading_init(&l, SNAPSHOT, L(""), 1, 1000);
	recovery_of(&l.site, &l.c, 4, &r);
	recovery_rates(&r, &lo, &hi);
	assert_true(isnan(lo) && isnan(hi));
	scene_fini(&l.s);
}

/* What has to be bought of MB/s for it: 1e6 MB in what is left of the limit. */
static void
test_rate_to_buy(void **state)
{
	(void)state;
	static const struct {
		const char *workload, *limits;
		double need;
	} cases[] = {
		/* 2 h: 138.89 MB/s */
		{FROM("\"source\": \"backup\"", BOTH), L(""), 138.8888889},
		/* an hour of it is for other things */
		{FROM("\"source\": \"backup\", \"other_hours\": 1", BOTH), L(""), 277.7777778},
		/* no MB/s would do */
		{FROM("\"source\": \"backup\", \"other_hours\": 2", BOTH), L(""), 0},
		/* a snapshot gives 100: more buys nothing; 200 would be enough to ask for 138.89 */
		{SNAPSHOT, L(RATED), 0},
		{SNAPSHOT, L(", \"restore_mbps_min\": 200"), 138.8888889},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct loading l;
		struct workload_sla sla = {.rto_hours = 2};
		loading_init(&l, cases[i].workload, cases[i].limits, 1, 100);
		l.s.workload.sla = &sla;
		double need = recovery_need_mbps(&l.site, l.c.disk, 1);
		assert_true(fabs(need - cases[i].need) < 1e-6);
		scene_fini(&l.s);
	}
}

static void
test_fee(void **state)
{
	(void)state;
	struct loading l;
	loading_init(&l, SNAPSHOT, L(SOLD), 2, 100);
	/* 1,000 GB x 0.01, of each of two disks that hold half of it */
	assert_true(near_to(recovery_fee(&l.s.book, &l.c, 1e6), 10, 1e-9));
	l.s.book.rows[0].unit = PRICE_UNIT_TB;
	assert_true(near_to(recovery_fee(&l.s.book, &l.c, 1e6), 0.01, 1e-9));
	l.s.book.n_rows = 0;
	assert_true(isnan(recovery_fee(&l.s.book, &l.c, 1e6)));
	scene_fini(&l.s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_which_volumes),
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_rate_to_buy),
		cmocka_unit_test(test_fee),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
