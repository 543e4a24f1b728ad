/* Dates and times as tools print them; expected seconds from `date -u -d ... +%s`. */
#include "evidence_test.h"
#include "workload/evidence_clock.h"

static struct evidence_clock
decide(const char *text, int day_first, double offset)
{
	struct evidence_options o = {
		.day_first = day_first, .utc_offset_s = offset, .interval_s = NAN};
	struct evidence_input in = {"t", text, strlen(text), &o};
	struct evidence_clock c;
	evidence_clock_decide(&c, &in);
	return c;
}

static double
read_one(const char *all, const char *text)
{
	struct evidence_clock c = decide(all, -1, NAN);
	size_t used;
	return evidence_clock_read(&c, text, strlen(text), &used);
}

static void
test_forms(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		double want;
	} rows[] = {
		{"2026-11-30T19:57:21+0000", 1796068641},
		{"2024-03-14T17:53:14-0700", 1710463994},
		{"2024-03-14T17:53:14-07:00", 1710463994},
		{"2026-11-30 19:57:21 UTC", 1796068641},
		{"2026-11-30T19:57:21Z", 1796068641},
		{"11/30/26 19:57:21", 1796068641},
		{"30.11.2026 19:57:21", 1796068641},
		{"11/30/2026 07:57:21 PM", 1796068641},
		{"11/30/2026 07:57:21.500 PM", 1796068641.5},
		{"11/30/2026 12:00:00 AM", 1795996800},
		{"11/30/2026 12:00:00 PM", 1796040000},
		{"02/29/2024 00:00:00", 1709164800},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double got = read_one(rows[i].text, rows[i].text);
		if (!(fabs(got - rows[i].want) < 1e-6))
			fail_msg("%s: %.3f", rows[i].text, got);
	}
}

static void
test_no_time(void **state)
{
	(void)state;
	static const char *const rows[] = {"", "hello", "11/30/26", "31/31/2026 10:00:00",
		"02/30/2026 10:00:00", "2026-11-30 25:00:00", "vda 1.00 2.00", "1.2.3"};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_true(isnan(read_one(rows[i], rows[i])));
}

/* 03/02 is in March or in February: a number over 12, the order, the shorter span, the user, the sign decide. */
static void
test_order(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int said;
		bool day_first, guessed;
	} rows[] = {
		{"03/13/2026 10:00:00\n", -1, false, false},
		{"13/03/2026 10:00:00\n", -1, true, false},
		/* the first of February, then the second of January, would step back */
		{"01/02/2026 10:00:00\n02/01/2026 10:00:00\n", -1, false, false},
		{"01/02/2026 23:59:59\n02/02/2026 00:00:01\n", -1, true,
			false}, /* two seconds, not a month */
		{"12/01/2026 10:00:00\n01/02/2026 10:00:00\n", -1, true,
			false}, /* month first steps back */
		{"03/02/2026 10:00:00\n03/02/2026 10:00:01\n", -1, false, true},
		{"03.02.2026 10:00:00\n03.02.2026 10:00:01\n", -1, true, true},
		{"03/02/2026 10:00:00\n", 1, true, false},
		{"03.02.2026 10:00:00\n", 0, false, false},
		{"03/03/2026 10:00:00\n", -1, false, false}, /* the same day either way */
		{"2026-03-02 10:00:00\n", -1, false, false},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct evidence_clock c = decide(rows[i].text, rows[i].said, NAN);
		if (c.day_first != rows[i].day_first || c.guessed != rows[i].guessed)
			fail_msg("row %zu: day first %d, guessed %d", i, c.day_first, c.guessed);
	}
}

static void
test_offset(void **state)
{
	(void)state;
	struct evidence_clock c = decide("11/30/26 19:57:21", -1, 3600);
	size_t used;
	const char *local = "11/30/26 20:57:21", *zone = "2026-11-30T19:57:21Z";
	assert_true(evidence_clock_read(&c, local, strlen(local), &used) == 1796068641);
	assert_int_equal(used, strlen(local));
	assert_true(evidence_clock_read(&c, zone, strlen(zone), &used) == 1796068641);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_no_time),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_offset),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
