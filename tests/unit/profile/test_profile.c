/* The profile document: what loads, what is refused and where, and the way back. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "profile/profile.h"

#define HEAD "{\"schema\": \"tierwise/profile/1\", \"name\": \"n\""

struct row {
	const char *text;
	int code;
	const char *says; /* after the path */
};

static const struct row rows[] = {
	{HEAD "}", 0, NULL},
	{HEAD ", \"cells\": [{\"op\": \"randread\"}], \"syncs\": [{\"mode\": \"fsync\"}]}", 0,
		NULL},
	{HEAD ", \"cells\": []}", 0, NULL},
	{HEAD ", \"as_of\": \"2024-02-29\"}", 0, NULL},
	{HEAD ", \"as_of\": \"2023-02-29\"}", ERR_RANGE, ":1:56: as_of: \"2023-02-29\" is not a"},
	{"{\"schema\": \"tierwise/profile/1\"}", ERR_PARSE, ":1:1: \"name\" is missing"},
	{"{\"schema\": \"tierwise/profile/2\", \"name\": \"n\"}", ERR_PARSE, ":1:12: schema"},
	{HEAD ",\n \"cells\": [{\"op\": \"randreed\"}]}", ERR_RANGE,
		":2:19: op: \"randreed\" is not a operation (did you mean \"randread\"?)"},
	{HEAD ",\n \"cels\": []}", ERR_PARSE,
		":2:2: unknown key \"cels\", did you mean \"cells\"?"},
	/* equal is in order; absent neighbours are skipped */
	{HEAD ", \"cells\": [{\"op\": \"read\", \"p50_us\": 5, \"p99_us\": 5, \"max_us\": 5}]}", 0,
		NULL},
	{HEAD ",\n\"cells\": [{\"op\": \"read\"},\n{\"op\": \"read\", \"p50_us\": 9, \"p99_us\": "
	      "8}]}",
		ERR_RANGE, ":3:39: p99_us: 8 is below p50_us 9"},
	{HEAD ", \"cells\": [{\"op\": \"read\", \"p90_us\": 9, \"p95_us\": 8}]}", ERR_RANGE,
		"p95_us: 8 is below p90_us 9"},
	{HEAD ", \"cells\": [{\"op\": \"read\", \"p999_us\": 9, \"max_us\": 8}]}", ERR_RANGE,
		"max_us: 8 is below p999_us 9"},
	{HEAD ", \"cells\": [{\"op\": \"read\", \"p999_us\": 7, \"p99_us\": 8}]}", ERR_RANGE,
		"p999_us: 7 is below p99_us 8"},
	{HEAD ", \"cells\": [{\"op\": \"read\", \"mean_us\": 7, \"min_us\": 8}]}", ERR_RANGE,
		"mean_us: 7 is below min_us 8"},
	{HEAD ", \"cells\": [{\"op\": \"read\", \"iops_lo\": 3, \"iops_hi\": 2}]}", ERR_RANGE,
		"iops_hi: 2 is below iops_lo 3"},
	{HEAD ", \"cells\": [{\"op\": \"read\", \"p99_us\": 7, \"p99_hi_us\": 6}]}", ERR_RANGE,
		"p99_hi_us: 6 is below p99_us 7"},
	/* a range over runs without a single value */
	{HEAD ", \"cells\": [{\"op\": \"read\", \"p99_lo_us\": 3800, \"p99_hi_us\": 6500}]}", 0,
		NULL},
	{HEAD ", \"syncs\": [{\"mode\": \"fsync\", \"syncs_lo\": 2, \"syncs_per_s\": 1}]}",
		ERR_RANGE, "syncs_per_s: 1 is below syncs_lo 2"},
	{HEAD ", \"syncs\": [{\"mode\": \"fsync\", \"p50_us\": 2, \"p999_us\": 1}]}", ERR_RANGE,
		"p999_us: 1 is below p50_us 2"},
	{HEAD ", \"cells\": [{\"op\": \"read\", \"mean_us\": -1}]}", ERR_RANGE,
		"mean_us: -1, accepted: 0 or more us"},
	{HEAD ", \"cells\": [{\"op\": \"read\", \"qd\": 1e308}]}", ERR_RANGE,
		"qd: 1e+308, accepted: 1e-06 to 1000000000"},
	{HEAD ", \"cells\": [{\"op\": \"read\", \"mix_read_frac\": 1.5}]}", ERR_RANGE,
		"accepted: 0 to 1"},
	{HEAD ", \"cells\": [{\"op\": \"read\", \"p95_us\": 7, \"p95_lo_us\": 8}]}", ERR_RANGE,
		"p95_us: 7 is below p95_lo_us 8"},
	/* a count for each bin, and a bin for each count */
	{HEAD ",\n\"cells\": [{\"op\": \"read\", \"bins_us\": [1, 2], \"bins_n\": [5]}]}",
		ERR_RANGE,
		":2:55: bins_n: bins_us has 2 values and bins_n 1; a count for each bin"},
	{HEAD ", \"cells\": [{\"op\": \"read\", \"bins_us\": [1, 2]}]}", ERR_RANGE,
		"bins_us: bins_us has 2 values and bins_n 0"},
	{HEAD ", \"syncs\": [{\"mode\": \"fsync\", \"bins_us\": [], \"bins_n\": [5]}]}", ERR_RANGE,
		"bins_n: bins_us has 0 values and bins_n 1"},
	{HEAD ", \"knees\": [{\"op\": \"randread\", \"limit\": \"cap-iops\"}]}", 0, NULL},
	{HEAD ", \"knees\": [{\"op\": \"randread\", \"limit\": \"moon\"}]}", ERR_RANGE,
		"limit: \"moon\", accepted: device, cap-iops, cap-mbps, throttle, client or "
		"unknown"},
	{HEAD ", \"hold\": {\"op\": \"randwrite\", \"verdict\": \"fine\"}}", ERR_RANGE,
		"verdict: \"fine\", accepted: stable, dropped, rose, drifting, noisy or too-short"},
	{HEAD ", \"claims\": [{\"kind\": \"decay\", \"values\": [1, null, 2]}]}", 0, NULL},
};

static void
put_file(char *path, const char *text)
{
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void
test_load(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char path[] = "/tmp/tw-profile-XXXXXX";
		put_file(path, rows[i].text);
		struct arena a;
		arena_init(&a, 0);
		struct profile p;
		struct err err = {0};
		int rc = profile_load(path, &a, &p, NULL, &err);
		unlink(path);
		if (rc != rows[i].code || (rows[i].says && !strstr(err.text, rows[i].says)) ||
			(rc && strncmp(err.text, path, strlen(path)) != 0))
			fail_msg("row %zu: code %d, \"%s\"", i, rc, err.text);
		arena_fini(&a);
	}
}

static void
test_absent_is_not_zero(void **state)
{
	(void)state;
	struct profile p;
	struct profile_cell c;
	struct profile_sync s;
	profile_clear(&p);
	profile_cell_clear(&c);
	profile_sync_clear(&s);
	assert_int_equal(p.device, -1);
	assert_int_equal(p.trust, -1);
	assert_int_equal(p.complete, -1);
	assert_null(p.cells);
	assert_null(p.environment);
	assert_true(isnan(c.iops) && isnan(c.mean_us) && isnan(c.mix_read_frac));
	assert_int_equal(c.op, -1);
	assert_true(isnan(s.syncs_per_s) && isnan(s.p99_us));
	assert_int_equal(s.pattern, -1);
	c.trust = -1;
	p.trust = TRUST_PUBLISHED;
	assert_int_equal(profile_cell_trust(&p, &c), TRUST_PUBLISHED);
	c.trust = TRUST_DERIVED;
	assert_int_equal(profile_cell_trust(&p, &c), TRUST_DERIVED);
}

static void
test_little(void **state)
{
	(void)state;
	/* 18,200 IOPS at 4.2 ms is 76.44 outstanding: 2.38875 times the 32 stated */
	assert_true(fabs(profile_little_ratio(18200, 4200, 32) - 2.38875) < 1e-12);
	assert_true(isnan(profile_little_ratio((double)NAN, 4200, 32)));
	assert_true(isnan(profile_little_ratio(18200, (double)NAN, 32)));
	assert_true(isnan(profile_little_ratio(18200, 4200, (double)NAN)));
	assert_true(isnan(profile_little_ratio(18200, 4200, 0)));
}

static void
fill(struct profile *p, struct arena *a)
{
	struct profile_cell c;
	struct profile_sync s;
	struct err err;
	profile_clear(p);
	p->name = "disk \"one\"";
	p->device = PROFILE_DEVICE_RAID_HDD;
	p->trust = TRUST_MEASURED;
	p->complete = 0;
	for (int i = 0; i < 9; i++) {
		profile_cell_clear(&c);
		c.op = i % PROFILE_OP_COUNT;
		c.bs_b = 4096;
		c.qd = 1 << i;
		c.mean_us = 100.0 / 3 * i;
		assert_int_equal(profile_add_cell(p, a, &c, &err), 0);
	}
	for (int i = 0; i < PROFILE_SYNC_COUNT; i++) {
		profile_sync_clear(&s);
		s.mode = i;
		s.pattern = PROFILE_APPEND;
		s.syncs_per_s = 1.0 / 3;
		assert_int_equal(profile_add_sync(p, a, &s, &err), 0);
	}
}

static void
test_save_and_load(void **state)
{
	(void)state;
	char path[] = "/tmp/tw-profile-XXXXXX";
	put_file(path, "old");
	struct arena a;
	arena_init(&a, 0);
	struct profile p, back;
	struct err err = {0};
	fill(&p, &a);
	assert_int_equal(profile_save(&p, path, &err), 0);
	char sha[65], expect[65];
	assert_int_equal(profile_load(path, &a, &back, sha, &err), 0);
	struct buf text;
	buf_init(&text, 0);
	assert_int_equal(file_read(path, &text, &err), 0);
	file_sha256(text.text, text.len, expect);
	assert_string_equal(sha, expect);
	buf_fini(&text);
	unlink(path);
	assert_string_equal(back.name, p.name);
	assert_int_equal(back.complete, 0);
	assert_int_equal(back.device, PROFILE_DEVICE_RAID_HDD);
	assert_int_equal(back.n_cells, 9);
	assert_int_equal(back.n_syncs, PROFILE_SYNC_COUNT);
	for (size_t i = 0; i < back.n_cells; i++) {
		assert_int_equal(back.cells[i].op, p.cells[i].op);
		assert_true(back.cells[i].mean_us == p.cells[i].mean_us);
		assert_true(isnan(back.cells[i].iops));
	}
	assert_int_equal(back.syncs[3].mode, PROFILE_SYNC_ODSYNC_DIRECT);
	arena_fini(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_absent_is_not_zero),
		cmocka_unit_test(test_little),
		cmocka_unit_test(test_save_and_load),
	};
	return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
