/* Corners of iostat, sar, /proc/diskstats and Performance Monitor that no fixture has. */
#include "evidence_test.h"
#include "workload/evidence_bytes.h"

#define BANNER "Linux 6.1.0 (h) \t2026-02-03 \t_x86_64_\t(2 CPU)\n\n"
#define HEAD "Device            r/s     w/s     rkB/s     wkB/s  aqu-sz  %util\n"

static const struct evidence_series *
series(const struct fixture *f, const char *device)
{
	for (size_t i = 0; i < f->e.n_series; i++) {
		if (strcmp(f->e.series[i].device, device) == 0)
			return &f->e.series[i];
	}
	fail_msg("no series of %s", device);
	return NULL;
}

static bool
found(const struct fixture *f, const char *code)
{
	return findings_find(&f->e.findings, code) != NULL;
}

/* Two runs in one file: each begins with a report since the machine started. */
static void
test_two_banners(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole(&f, "t",
		BANNER HEAD "sda 900 0 1 0 0 0\n\n" HEAD "sda 1 0 1 0 0 0\n\n" BANNER HEAD
			    "sda 800 0 1 0 0 0\n\n" HEAD "sda 2 0 1 0 0 0\n\n");
	const struct evidence_series *s = series(&f, "sda");
	assert_int_equal(s->n_samples, 2);
	assert_true(s->samples[0].read_iops == 1 && s->samples[1].read_iops == 2);
	assert_true(found(&f, "since-boot"));
	fixture_close(&f);
}

/* -y leaves one blank line more. */
static void
test_no_boot(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole(&f, "t", BANNER "\n" HEAD "sda 900 0 1 0 0 0\n\n" HEAD "sda 1 0 1 0 0 0\n\n");
	assert_int_equal(series(&f, "sda")->n_samples, 2);
	fixture_close(&f);
}

/* A device left out is idle only when the user says that -z did it. */
static void
test_missing(void **state)
{
	(void)state;
	static const char text[] = BANNER "\n" HEAD "sda 9 0 1 0 0 0\nsdb 5 0 1 0 0 0\n\n" HEAD
					  "sda 1 0 1 0 0 0\n\n" HEAD
					  "sda 1 0 1 0 0 0\nsdb 3 0 1 0 0 0\n\n";
	for (int idle = 0; idle < 2; idle++) {
		struct fixture f;
		fixture_open(&f);
		f.options.idle_missing = idle;
		fixture_whole(&f, "t", text);
		const struct evidence_series *s = series(&f, "sdb");
		assert_int_equal(s->n_samples, idle ? 3 : 2);
		assert_true(s->samples[1].read_iops == (idle ? 0 : 3));
		assert_true(found(&f, "missing-row") == !idle);
		fixture_close(&f);
	}
}

/* Partitions, device-mapper and a group are told apart from whole disks. */
static void
test_scopes(void **state)
{
	(void)state;
	static const struct {
		const char *device;
		int scope;
	} rows[] = {{"sda", EVIDENCE_DISK}, {"sda1", EVIDENCE_PART}, {"nvme0n1", EVIDENCE_DISK},
		{"nvme0n1p2", EVIDENCE_PART}, {"dm-0", EVIDENCE_STACKED},
		{"md127", EVIDENCE_STACKED}, {"xvdb1", EVIDENCE_DISK}, {"all", EVIDENCE_STACKED}};
	struct fixture f;
	fixture_open(&f);
	fixture_whole(&f, "t",
		BANNER "\n" HEAD "sda 1 1 1 1 0 0\nsda1 1 1 1 1 0 0\nnvme0n1 1 1 1 1 0 0\n"
		       "nvme0n1p2 1 1 1 1 0 0\ndm-0 1 1 1 1 0 0\nmd127 1 1 1 1 0 0\n"
		       "xvdb1 1 1 1 1 0 0\n all 1 1 1 1 0 0\n\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(series(&f, rows[i].device)->scope, rows[i].scope);
	fixture_close(&f);
}

/* -m has fewer digits than operations x size: 3 x 4 KiB is printed 0.01 MB/s. */
static void
test_few_digits(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole(&f, "t",
		BANNER "\nDevice r/s rMB/s rareq-sz w/s wMB/s wareq-sz\nsda 3.00 0.01 4.00 0.00 "
		       "0.00 0.00\n\n");
	assert_true(fabs(series(&f, "sda")->samples[0].read_bytes_s - 3 * 4096) < 1e-6);
	fixture_close(&f);
}

/* A row with a missing field, a line without an end: neither is taken. */
static void
test_cut(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole(&f, "t",
		BANNER "\n" HEAD "sda 9 0 1 0 0 0\nsdb 5 0 1\n\n" HEAD "sda 1 0 1 0 0 123");
	assert_int_equal(f.e.n_series, 1);
	assert_int_equal(series(&f, "sda")->n_samples, 1);
	assert_true(found(&f, "odd-row") && found(&f, "cut-end"));
	fixture_close(&f);
}

/* Nothing whole in it: refused with the place. */
static void
test_nothing(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	assert_int_equal(fixture_text(&f, "t", BANNER HEAD), ERR_PARSE);
	assert_non_null(strstr(f.err.text, "t:1:1"));
	assert_int_equal(f.e.n_series, 0);
	fixture_close(&f);
}

/* Milliseconds pass 2^32; several counters that fall are a reset. */
static void
test_counters(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole(&f, "t",
		"# 1700000000\n8 0 sda 100 0 800 4294967290 0 0 0 0 0 0 0\n"
		"# 1700000002\n8 0 sda 120 0 960 14 0 0 0 0 0 0 0\n"
		"# 1700000004\n8 0 sda 5 0 40 3 0 0 0 0 0 0 0\n"
		"# 1700000006\n8 0 sda 7 0 56 5 0 0 0 0 0 0 0\n");
	const struct evidence_series *s = series(&f, "sda");
	assert_int_equal(s->n_samples, 2);
	assert_true(s->samples[0].read_iops == 10);
	assert_true(s->samples[0].read_us == 1000); /* 20 ms over 20 reads */
	assert_true(s->samples[0].read_bytes_s == 10 * 4096);
	assert_true(isnan(s->samples[0].flush_iops)); /* 11 counters: flushes are not known */
	assert_true(s->samples[1].read_iops == 1);
	assert_true(found(&f, "counter-wrap") && found(&f, "counter-reset"));
	fixture_close(&f);
}

/* Old rows of partitions have four fields: reads, sectors, writes, sectors. */
static void
test_old_partition(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole(&f, "t",
		"# 1700000000\n8 0 sda 1 0 8 1 0 0 0 0 0 0 0\n8 1 sda1 10 80 20 160\n"
		"# 1700000001\n8 0 sda 1 0 8 1 0 0 0 0 0 0 0\n8 1 sda1 11 88 22 176\n");
	const struct evidence_series *s = series(&f, "sda1");
	assert_int_equal(s->scope, EVIDENCE_PART);
	assert_true(s->samples[0].read_iops == 1 && s->samples[0].write_iops == 2);
	assert_true(s->samples[0].write_bytes_s == 16 * 512);
	assert_true(isnan(s->samples[0].read_us));
	fixture_close(&f);
}

/* sar over midnight, in a locale with AM and PM, with a restart and its average. */
static void
test_sar_midnight(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	fixture_whole(&f, "t",
		"Linux 6.1.0 (h) \t02/13/2026 \t_x86_64_\t(2 CPU)\n\n"
		"11:59:58 PM          DEV       tps     rkB/s     wkB/s   areq-sz     await\n"
		"11:59:59 PM          sda     10.00     20.00     20.00      4.00      1.00\n"
		"12:00:00 AM          sda     12.00     24.00     24.00      4.00      2.00\n"
		"Average:             sda     11.00     22.00     22.00      4.00      1.50\n");
	const struct evidence_series *s = series(&f, "sda");
	assert_int_equal(s->n_samples, 2);
	assert_true(s->samples[0].end_s == 1771027199); /* date -u -d 2026-02-13T23:59:59Z +%s */
	assert_true(s->samples[1].end_s == 1771027200);
	assert_true(s->samples[0].dt_s == 1 && s->samples[1].any_us == 2000);
	assert_true(isnan(s->samples[0].read_iops)); /* sar does not tell */
	fixture_close(&f);
}

/* An instance with a comma, UTF-16, idle time, the zone. */
static void
test_perfmon(void **state)
{
	(void)state;
	static const char text[] =
		"\"(PDH-CSV 4.0) (X)(300)\",\"\\\\H\\PhysicalDisk(0 C:, D:)\\Disk "
		"Transfers/sec\",\"\\\\H\\PhysicalDisk(0 C:, D:)\\% Idle Time\"\r\n"
		"\"02/03/2026 10:00:15.000\",\"120\",\"75\"\r\n"
		"\"02/03/2026 10:00:30.000\",\"240\",\"50\"\r\n";
	char wide[2 * sizeof(text) + 2] = "\xff\xfe";
	for (size_t i = 0; i + 1 < sizeof(text); i++)
		wide[2 + 2 * i] = text[i];
	struct fixture f;
	const char *plain;
	size_t n;
	fixture_open(&f);
	assert_int_equal(
		evidence_plain_text("t", wide, 2 * sizeof(text), &f.arena, &plain, &n, &f.err), 0);
	assert_int_equal(n, sizeof(text) - 1);
	fixture_whole(&f, "t", plain);
	const struct evidence_series *s = series(&f, "0 C:, D:");
	assert_int_equal(s->n_samples, 2);
	assert_true(s->samples[0].end_s == 1770130815); /* 15:00:15 UTC: five hours west */
	assert_true(s->samples[1].any_iops == 240 && s->samples[1].active_frac == 0.5);
	fixture_close(&f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_banners),
		cmocka_unit_test(test_no_boot),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_scopes),
		cmocka_unit_test(test_few_digits),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_old_partition),
		cmocka_unit_test(test_sar_midnight),
		cmocka_unit_test(test_perfmon),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
