/*
 * The simulated disk beside another program of the same kind: `tier-emu expect` of the shared tools
 * computes what a closed loop must show on its tiers.  Where both have a parameter they must agree.
 *
 * Skipped where those tools, make or a compiler are absent.
 */
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "unit/bench/sim_drive.h"

enum { SKIPPED = 77, AREA_MIB = 1024, WINDOW_S = 20 };

static const double AGREE = 0.02; /* what is asked of the two */

static const int64_t AREA_B = (int64_t)AREA_MIB << 20;
static char tool[4096], dir[] = "/tmp/tierwise-oracle-XXXXXX";

struct seen {
	double iops, mean_us, p50_us, p99_us;
};

/* Tiers as tier-emu presets has them, in the words of both. */
static const struct tier {
	const char *name, *more, *law;
	double sigma;
} tiers[] = {
	{"premium", "", "read_us=800,write_us=800,fsync_us=400,iops=5000,mbps=200,burst_ms=1", 0},
	{"ultra", "", "read_us=250,write_us=150,fsync_us=100,iops=20000,mbps=500,burst_ms=1", 0},
	{"standard", "", "read_us=2500,write_us=2500,fsync_us=1500,iops=500,mbps=60,burst_ms=1", 0},
	{"hdd", "",
		"read_us=5000,write_us=5000,fsync_us=4000,mbps=150,slots=1,seq_us=60,burst_ms=1",
		0},
	{"ultra", "--sigma 0.3",
		"read_us=250,write_us=150,fsync_us=100,iops=20000,mbps=500,sigma=0.3,burst_ms=1",
		0.3},
	{"premium", "--slots 3 --iops 0 --sigma 0.5",
		"read_us=800,write_us=800,fsync_us=400,mbps=200,slots=3,sigma=0.5,burst_ms=1", 0.5},
	{"premium", "--unit-kb 16 --mbps 0",
		"read_us=800,write_us=800,fsync_us=400,iops=5000,unit_kib=16,burst_ms=1", 0},
};

static const struct job {
	const char *op;
	unsigned qd;
	size_t bs_b;
	bool sequential;
	bool always; /* also on what is not a preset */
} jobs[] = {
	{"read", 1, 4096, false, false},
	{"read", 4, 8192, false, true},
	{"read", 32, 4096, false, true},
	{"read", 128, 4096, false, false},
	{"read", 8, 131072, false, false},
	{"read", 1, 1 << 20, false, false},
	{"read", 8, 1 << 20, false, true},
	{"read", 1, 8192, true, false},
	{"read", 8, 262144, true, false},
	{"write", 1, 4096, false, false},
	{"write", 2, 16384, false, true},
	{"write", 32, 8192, false, false},
	{"write", 1, 131072, true, true},
	{"fsync", 1, 4096, false, false},
	{"fsync", 8, 4096, false, false},
};

static bool
ask(const struct tier *t, const struct job *j, struct seen *seen)
{
	struct buf command;
	char line[1024];
	buf_init(&command, 8192);
	buf_printf(&command,
		"TIER_EMU_DIR=%s '%s' expect %s --op %s --qd %u --bs %zu --ms %d --size-mb %d "
		"%s %s 2>&1",
		dir, tool, t->name, j->op, j->qd, j->bs_b, WINDOW_S * 1000, AREA_MIB,
		j->sequential ? "--seq" : "", t->more);
	FILE *f = popen(buf_text(&command), "r");
	buf_fini(&command);
	bool got = f && fgets(line, sizeof(line), f);
	if (f)
		pclose(f);
	const char *at = got ? strstr(line, "iops=") : NULL;
	if (!at) {
		print_message("%s\n", got ? line : "no answer");
		return false;
	}
	double min_us, p90_us, mbps;
	return sscanf(at, "iops=%lf mbps=%lf mean=%lf min=%lf p50=%lf p90=%lf p99=%lf", &seen->iops,
		       &mbps, &seen->mean_us, &min_us, &seen->p50_us, &p90_us, &seen->p99_us) == 7;
}

static struct driven
measure(const char *law, const struct job *j)
{
	struct sim_disk *d = sim_drive_disk(law, AREA_B);
	struct drive c = {.op = strcmp(j->op, "fsync") == 0  ? SIM_FLUSH
				: strcmp(j->op, "read") == 0 ? SIM_READ
							     : SIM_WRITE,
		.qd = j->qd,
		.bs_b = j->bs_b,
		.sequential = j->sequential,
		.area_b = AREA_B,
		.window_s = WINDOW_S};
	struct driven o = sim_drive(d, &c);
	sim_disk_free(d);
	return o;
}

/* How far two estimates of the same p99 of a lognormal may be apart, twice their standard error. */
static double
p99_error(double sigma, double n)
{
	return 2 * sqrt(2) * sigma * sqrt(0.01 * 0.99 / n) / 0.02665; /* density at 2.3263 */
}

static void
test_agree(void **state)
{
	(void)state;
	double worst = 0;
	int n = 0, apart = 0;
	for (size_t i = 0; i < sizeof(tiers) / sizeof(tiers[0]); i++) {
		for (size_t k = 0; k < sizeof(jobs) / sizeof(jobs[0]); k++) {
			const struct job *j = &jobs[k];
			struct seen want = {0};
			if (*tiers[i].more && !j->always)
				continue;
			struct driven got = measure(tiers[i].law, j);
			assert_true(ask(&tiers[i], j, &want));
			/* whole microseconds there, bins of 0.39 % here */
			double off = fmax(fabs(got.rate / want.iops - 1),
				fabs(got.mean_us / want.mean_us - 1));
			off = fmax(off, fabs(got.p50_us / want.p50_us - 1));
			off = fmax(off, fabs(got.p99_us / want.p99_us - 1) -
						p99_error(tiers[i].sigma, (double)got.n));
			worst = fmax(worst, off);
			n++;
			if (off <= AGREE)
				continue;
			apart++;
			print_message("%s %s, %s depth %u of %zu%s: %.1f/s mean %.1f p50 %.1f p99 "
				      "%.1f us; the other: %.0f/s %.0f %.0f %.0f\n",
				tiers[i].name, tiers[i].more, j->op, j->qd, j->bs_b,
				j->sequential ? " in order" : "", got.rate, got.mean_us, got.p50_us,
				got.p99_us, want.iops, want.mean_us, want.p50_us, want.p99_us);
		}
	}
	print_message("%d comparisons of rate, mean, p50 and p99: at most %.2f %% apart\n", n,
		100 * worst);
	assert_int_equal(apart, 0);
}

int
main(void)
{
	const char *shared = getenv("TIERWISE_SHARED");
	struct seen seen;
	snprintf(tool, sizeof(tool), "%s/tools/tier-emulator/tier-emu", shared ? shared : "");
	if (access(tool, X_OK) != 0) {
		printf("skipped: %s is not there\n", tool);
		return SKIPPED;
	}
	if (!mkdtemp(dir)) {
		printf("skipped: no folder under /tmp\n");
		return SKIPPED;
	}
	int rc = SKIPPED;
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_agree)};
	if (ask(&tiers[0], &jobs[0], &seen))
		rc = cmocka_run_group_tests_name("sim_oracle", tests, NULL, NULL);
	else
		printf("skipped: tier-emu expect does not work here\n");
	char clean[64];
	snprintf(clean, sizeof(clean), "rm -rf %s", dir);
	return system(clean) == 0 ? rc : 1;
}
