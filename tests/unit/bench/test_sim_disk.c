/*
 * The law of the simulated disk, parameter by parameter, against what follows from sim.h by hand.
 * (iops, mbps, read_us, write_us and sigma alone: test_sim.c; commits: test_sim_commit.c.)
 */
#include "unit/bench/sim_drive.h"

static const int64_t AREA_B = (int64_t)1 << 30, MIB = 1 << 20;
static const int64_t LONG_B = (int64_t)1 << 40; /* not to be read round: that is a jump */

static const struct rate_row {
	const char *law;
	enum sim_op op;
	unsigned qd;
	size_t bs_b;
	bool sequential;
	double zero_frac;
	double rate, mean_us; /* by the law */
} rate_rows[] = {
	/* unit_kib: ceil(size / unit) tokens */
	{"read_us=100,iops=5000", SIM_READ, 8, 1 << 20, false, 0, 1250, 6400},
	{"read_us=100,iops=5000", SIM_READ, 8, 256 << 10, false, 0, 5000, 1600},
	{"read_us=100,iops=5000", SIM_READ, 8, (256 << 10) + 512, false, 0, 2500, 3200},
	{"read_us=100,iops=5000,unit_kib=16", SIM_READ, 8, 64 << 10, false, 0, 1250, 6400},
	{"read_us=100,iops=5000,unit_kib=16", SIM_READ, 8, 512, false, 0, 5000, 1600},
	/* one request at a time pays for the tokens of the one before: 4 / 500 s > 2 ms */
	{"read_us=2000,iops=500", SIM_READ, 1, 1 << 20, false, 0, 125, 8000},
	/* slots: rate slots / base, latency depth / rate */
	{"read_us=1000,slots=4", SIM_READ, 2, 4096, false, 0, 2000, 1000},
	{"read_us=1000,slots=4", SIM_READ, 16, 4096, false, 0, 4000, 4000},
	{"read_us=1000,slots=256", SIM_READ, 128, 4096, false, 0, 128000, 1000},
	{"write_us=5000,slots=1", SIM_WRITE, 8, 4096, false, 0, 200, 40000},
	{"fsync_us=400,slots=2", SIM_FLUSH, 8, 0, false, 0, 5000, 1600},
	/* flushes need no tokens and run side by side */
	{"fsync_us=400,iops=10", SIM_FLUSH, 16, 0, false, 0, 40000, 400},
	/* seq_us + size / mbps, 150 bytes a microsecond */
	{"read_us=5000,seq_us=60,mbps=150,slots=1", SIM_READ, 1, 8192, true, 0,
		1e6 / (60 + 8192 / 150.0), 60 + 8192 / 150.0},
	{"read_us=5000,seq_us=60,slots=1", SIM_READ, 4, 1 << 20, true, 0, 1e6 / 60, 240},
	{"read_us=5000,seq_us=-1,slots=1", SIM_READ, 1, 8192, true, 0, 200, 5000},
	/* kib_us: a + b x size */
	{"read_us=100,kib_us=2", SIM_READ, 1, 64 << 10, false, 0, 1e6 / 228, 228},
	{"write_us=100,kib_us=2", SIM_WRITE, 4, 512, false, 0, 4e6 / 101, 101},
	/* compress: share of the service time, and of the bytes at the cap */
	{"write_us=1000,compress=0.25", SIM_WRITE, 1, 4096, false, 1, 4000, 250},
	{"write_us=1000,compress=0.25", SIM_WRITE, 1, 4096, false, 0.5, 1600, 625},
	{"write_us=1000,compress=0.25", SIM_WRITE, 1, 4096, false, 0, 1000, 1000},
	{"write_us=1000", SIM_WRITE, 1, 4096, false, 1, 1000, 1000},
	{"read_us=100,mbps=100,compress=0.25", SIM_READ, 8, 1 << 20, false, 1, 4e8 / 1048576,
		8 * 1048576 / 400.0},
	/* a cap and slots together: the lower one */
	{"read_us=1000,slots=4,iops=3000", SIM_READ, 16, 4096, false, 0, 3000, 16 / 3e-3},
	{"read_us=1000,slots=4,iops=9000", SIM_READ, 16, 4096, false, 0, 4000, 4000},
};

static void
test_rates(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rate_rows) / sizeof(rate_rows[0]); i++) {
		const struct rate_row *r = &rate_rows[i];
		struct sim_disk *d = sim_drive_disk(r->law, AREA_B);
		struct driven o = sim_drive(d, &(struct drive){.op = r->op,
						       .qd = r->qd,
						       .bs_b = r->bs_b ? r->bs_b : 4096,
						       .sequential = r->sequential,
						       .zero_frac = r->zero_frac,
						       .area_b = r->sequential ? LONG_B : AREA_B,
						       .window_s = 10});
		print_message(
			"%s, depth %u: %.1f/s, mean %.2f us\n", r->law, r->qd, o.rate, o.mean_us);
		sim_drive_near("rate", o.rate, r->rate, 0.005);
		sim_drive_near("mean", o.mean_us, r->mean_us, 0.005);
		sim_disk_free(d);
	}
}

/* Poisson arrivals at one server of constant time: the mean wait is rho S / 2 (1 - rho). */
static void
test_md1(void **state)
{
	(void)state;
	static const double rho[] = {0.3, 0.7, 0.9};
	enum { N = 200000, MANY = 200 };
	static struct sim_request requests[MANY];
	for (size_t k = 0; k < sizeof(rho) / sizeof(rho[0]); k++) {
		struct sim_disk *d = sim_drive_disk("read_us=1000,slots=1", AREA_B);
		struct rng rng;
		rng_seed(&rng, 11);
		double sum_us = 0, at_ns = 0;
		static int64_t start_ns[MANY];
		int free[MANY], n_free = MANY, asked = 0, back = 0;
		for (int i = 0; i < MANY; i++)
			free[i] = i;
		while (back < N) {
			struct sim_request *r = sim_disk_next(
				d, asked < N ? llround(at_ns) : INT64_MAX);
			int i = r ? (int)(r - requests) : 0;
			if (r) {
				sum_us += (double)(sim_disk_now_ns(d) - start_ns[i]) / 1e3;
				free[n_free++] = i;
				back++;
				continue;
			}
			assert_true(n_free > 0);
			i = free[--n_free];
			start_ns[i] = sim_disk_now_ns(d);
			requests[i] = (struct sim_request){.op = SIM_READ, .size_b = 4096};
			sim_disk_submit(d, &requests[i]);
			asked++;
			at_ns += rng_exponential(&rng) * 1e6 / rho[k];
		}
		sim_disk_free(d);
		double want = 1000 + rho[k] * 1000 / (2 * (1 - rho[k]));
		print_message("load %.1f: mean %.1f us, by the formula %.1f us\n", rho[k],
			sum_us / N, want);
		sim_drive_near("M/D/1", sum_us / N, want, rho[k] < 0.8 ? 0.01 : 0.03);
	}
}

/* Sequential is what starts within 1 MiB of the end of the request before, on either side. */
static void
test_sequential(void **state)
{
	(void)state;
	struct sim_disk *d = sim_drive_disk("read_us=5000,write_us=4000,seq_us=60", AREA_B);
	int64_t end = 0;
	static const struct {
		int64_t gap_b;
		double us;
	} rows[] = {{0, 60}, {1 << 20, 60}, {(1 << 20) + 512, 5000}, {-(1 << 20), 60},
		{-(1 << 20) - 512, 5000}};
	assert_true(sim_drive_one_us(d, SIM_READ, 0, 4096) == 5000); /* the first follows none */
	end = 4096;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int64_t offset_b = (end < 4 * MIB ? 8 * MIB : 0) + 512;
		sim_drive_one_us(d, SIM_WRITE, offset_b, 4096); /* far away */
		end = offset_b + 4096;
		assert_true(sim_drive_one_us(d, SIM_READ, end + rows[i].gap_b, 8192) == rows[i].us);
		end += rows[i].gap_b + 8192;
	}
	sim_disk_free(d);
}

static struct drive
reads(unsigned qd, size_t bs_b, double window_s)
{
	return (struct drive){
		.op = SIM_READ, .qd = qd, .bs_b = bs_b, .area_b = AREA_B, .window_s = window_s};
}

/* A burst is over when the credits are: credits / (burst - base) after it began. */
static const struct burst_row {
	const char *law;
	size_t bs_b;
	double burst, base, length_s; /* per second */
} burst_rows[] = {
	/* 25000 / (3000 - 500) */
	{"read_us=100,iops=500,burst_iops=3000,burst_ios=25000", 4096, 3000, 500, 10},
	/* as fast as 16 at a time of 1 ms are: 31000 / (16000 - 500) */
	{"read_us=1000,iops=500,burst_ios=31000", 4096, 16000, 500, 2},
	/* 4 tokens each: 24000 / (6000 - 400) tokens */
	{"read_us=100,iops=400,burst_iops=6000,burst_ios=22400", 1 << 20, 1500, 100, 4},
	/* 4194.304 MB / (629.1456 - 104.8576) MB/s; 1 MiB each */
	{"read_us=100,mbps=104.8576,burst_mbps=629.1456,burst_mb=4194.304", 1 << 20, 600, 100, 8},
};

static void
test_bursts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(burst_rows) / sizeof(burst_rows[0]); i++) {
		const struct burst_row *r = &burst_rows[i];
		unsigned seen[20] = {0};
		struct sim_disk *d = sim_drive_disk(r->law, AREA_B);
		struct drive c = reads(16, r->bs_b, 20);
		c.per_bucket = seen;
		c.n_buckets = 20;
		c.bucket_s = 1;
		struct driven o = sim_drive(d, &c);
		sim_drive_near("all", (double)o.n,
			r->length_s * r->burst + (20 - r->length_s) * r->base, 0.005);
		for (int s = 0; s < 20; s++) {
			double want = s < r->length_s ? r->burst : r->base;
			/* just after it those in flight come back: 16 */
			sim_drive_near(r->law, seen[s], want,
				s == r->length_s ? 16 / r->base + 0.01 : 0.01);
		}
		/* idle for length x (burst - base) / 2 base: half the credits are back */
		sim_drive_idle(d, r->length_s * (r->burst - r->base) / r->base / 2);
		memset(seen, 0, sizeof(seen));
		sim_drive(d, &c);
		for (int s = 0; s < 20; s++) {
			double want = s < r->length_s / 2 ? r->burst : r->base;
			sim_drive_near("again", seen[s], want,
				s == r->length_s / 2 ? 16 / r->base + 0.01 : 0.01);
		}
		/* idle for longer than it takes: no more than full */
		sim_drive_idle(d, 10 * r->length_s * r->burst / r->base);
		memset(seen, 0, sizeof(seen));
		o = sim_drive(d, &c);
		sim_drive_near("full", (double)o.n,
			r->length_s * r->burst + (20 - r->length_s) * r->base, 0.005);
		sim_disk_free(d);
	}
}

/* After a pause the tokens of burst_ms are there beside the one that always is. */
static void
test_saved_tokens(void **state)
{
	(void)state;
	struct sim_disk *d = sim_drive_disk("read_us=100,iops=1000,burst_ms=10", AREA_B);
	struct sim_request r[20];
	for (int round = 0; round < 2; round++) {
		sim_drive_idle(d, 1);
		int64_t begin_ns = sim_disk_now_ns(d);
		for (int i = 0; i < 20; i++) {
			r[i] = (struct sim_request){.op = SIM_READ, .size_b = 4096};
			sim_disk_submit(d, &r[i]);
		}
		for (int i = 0; i < 20; i++) {
			assert_ptr_equal(sim_disk_next(d, INT64_MAX), &r[i]);
			double us = (double)(sim_disk_now_ns(d) - begin_ns) / 1e3;
			sim_drive_near("token", us, 100 + (i > 10 ? i - 10 : 0) * 1000.0, 1e-6);
		}
	}
	sim_disk_free(d);
}

/* Slices: so many at once at their start and none for the rest; the mean is what it was. */
static void
test_throttle(void **state)
{
	(void)state;
	struct sim_disk *d = sim_drive_disk("read_us=170,iops=5000,throttle_ms=100", AREA_B);
	unsigned seen[100] = {0};
	struct drive c = reads(8, 4096, 60);
	c.per_bucket = seen;
	c.n_buckets = 100;
	c.bucket_s = 0.1;
	struct driven o = sim_drive(d, &c);
	sim_drive_near("rate", o.rate, 5000, 0.002);
	sim_drive_near("mean", o.mean_us, 8 / 5000e-6, 0.005);
	sim_drive_near("p50", o.p50_us, 170, 0.005);
	/* 500 of 170 us by 8 take 10.6 ms; 8 of 500 wait for the rest of the 100 ms */
	sim_drive_near("p99", o.p99_us, 89500, 0.02);
	for (int i = 0; i < 100; i++)
		assert_in_range(seen[i], 492, 508);
	sim_disk_free(d);

	/* below the cap nothing waits */
	d = sim_drive_disk("read_us=1000,iops=5000,throttle_ms=100", AREA_B);
	c = reads(4, 4096, 10);
	o = sim_drive(d, &c);
	sim_drive_near("rate", o.rate, 4000, 0.001);
	assert_true(o.max_us == 1000);
	sim_disk_free(d);

	/* bytes likewise: 100 MB/s are 95.367 of 1 MiB a second */
	d = sim_drive_disk("read_us=100,mbps=100,throttle_ms=500", AREA_B);
	c = reads(4, 1 << 20, 20);
	o = sim_drive(d, &c);
	sim_drive_near("rate", o.rate, 1e8 / 1048576, 0.01);
	sim_drive_near("p50", o.p50_us, 100, 0.005);
	sim_disk_free(d);
}

static void
test_read_cache(void **state)
{
	(void)state;
	struct sim_disk *d = sim_drive_disk("read_us=1000,cache_mib=16,cache_us=50", 64 * MIB);
	/* cold, warm; a read of two blocks needs both; what was written is there */
	assert_true(sim_drive_one_us(d, SIM_READ, 0, 4096) == 1000);
	assert_true(sim_drive_one_us(d, SIM_READ, 0, 4096) == 50);
	assert_true(sim_drive_one_us(d, SIM_READ, 0, 512) == 50);
	assert_true(sim_drive_one_us(d, SIM_READ, 0, 8192) == 1000);
	assert_true(sim_drive_one_us(d, SIM_READ, 4096, 4096) == 50);
	assert_true(sim_drive_one_us(d, SIM_WRITE, 8192, 8192) == 150);
	assert_true(sim_drive_one_us(d, SIM_READ, 8192, 8192) == 50);
	assert_true(sim_drive_one_us(d, SIM_READ, 64 * MIB, 4096) == 1000); /* beyond the file */
	assert_true(sim_drive_one_us(d, SIM_READ, 64 * MIB, 4096) == 1000);

	/* steady state of random reads: 16 of 64 MiB are there */
	struct drive c = reads(1, 4096, 60);
	c.area_b = 64 * MIB;
	sim_drive(d, &c);
	struct driven o = sim_drive(d, &c);
	sim_drive_near("mean", o.mean_us, 0.25 * 50 + 0.75 * 1000, 0.01);

	/* in order, round and round: each is gone when its turn comes again */
	c.sequential = true;
	sim_drive(d, &c);
	o = sim_drive(d, &c);
	assert_true(o.mean_us == 1000);

	/* the least recently used goes first: one that is read in between stays */
	for (int64_t i = 0; i < 32 * MIB / 4096; i++) {
		sim_drive_one_us(d, SIM_READ, 32 * MIB + 4096 * i, 4096);
		if (i > 0)
			assert_true(sim_drive_one_us(d, SIM_READ, 32 * MIB, 4096) == 50);
	}
	sim_disk_free(d);

	/* all in cache: no token and no slot is needed */
	d = sim_drive_disk("iops=100,slots=1,cache_mib=64,cache_us=50", 4 * MIB);
	for (int64_t i = 0; i < 4; i++)
		sim_drive_one_us(d, SIM_WRITE, i * MIB, (size_t)MIB);
	c = reads(4, 4096, 1);
	c.area_b = 4 * MIB;
	o = sim_drive(d, &c);
	sim_drive_near("rate", o.rate, 80000, 0.001);
	sim_disk_free(d);
}

/* Full after size / (rate in - rate out), then at the disk's rate; empty again after size / out. */
static void
test_write_cache(void **state)
{
	(void)state;
	struct sim_disk *d = sim_drive_disk(
		"write_us=500,iops=2000,wcache_mib=64,wcache_us=100", AREA_B);
	struct drive c = {.op = SIM_WRITE,
		.qd = 4,
		.bs_b = 4096,
		.area_b = AREA_B,
		.window_s = 10,
		.slow_us = 100};
	struct driven o = sim_drive(d, &c);
	double full_s = 64 * 256 / (40000.0 - 2000);
	sim_drive_near("full after", o.slow_s, full_s, 0.01);
	sim_drive_near("all", (double)o.n, 40000 * full_s + 2000 * (10 - full_s), 0.01);
	o = sim_drive(d, &c);
	sim_drive_near("rate when full", o.rate, 2000, 0.005);
	sim_drive_near("latency when full", o.mean_us, 4 / 2000e-6, 0.02);
	assert_in_range(sim_disk_dirty_b(d), 63 * MIB, 64 * MIB);
	sim_drive_idle(d, 64 * 256 / 2000.0 / 2);
	sim_drive_near("half empty", (double)sim_disk_dirty_b(d), 32.0 * 1048576, 0.01);
	sim_drive_idle(d, 64 * 256 / 2000.0 / 2 + 0.01);
	assert_int_equal(sim_disk_dirty_b(d), 0);
	/* larger than the cache: past it.  500 us + nothing, its tokens were free */
	assert_true(sim_drive_one_us(d, SIM_WRITE, 0, 128 << 20) == 500);
	sim_disk_free(d);

	/* a disk that keeps up never fills it */
	d = sim_drive_disk("write_us=500,iops=50000,wcache_mib=1,wcache_us=100", AREA_B);
	o = sim_drive(d, &c);
	sim_drive_near("rate", o.rate, 40000, 0.001);
	assert_true(o.max_us == 100);
	sim_disk_free(d);
}

/* A write that reached the disk at all, and a flush that has to see it there. */
static void
test_flush_drains(void **state)
{
	(void)state;
	static const char *const laws[] = {
		"write_us=500,fsync_us=400,iops=2000,wcache_mib=4",
		"write_us=500,fsync_us=400,iops=2000,wcache_mib=4,flush_drains=1",
	};
	for (int drains = 0; drains < 2; drains++) {
		struct sim_disk *d = sim_drive_disk(laws[drains], AREA_B);
		for (int64_t i = 0; i < 100; i++)
			assert_true(sim_drive_one_us(d, SIM_WRITE, 4096 * i, 4096) == 50);
		/* now 5 ms; the 100th token comes at 49.5 ms, that write takes 0.5 ms */
		sim_drive_one_us(d, SIM_FLUSH, 0, 0);
		assert_int_equal(sim_disk_now_ns(d), drains ? 50400000 : 5400000);
		/* nothing is dirty: nothing to wait for */
		sim_drive_idle(d, 1);
		assert_true(sim_drive_one_us(d, SIM_FLUSH, 0, 0) == 400);
		sim_disk_free(d);
	}
}

static void
test_flush_holds(void **state)
{
	(void)state;
	static const char *const laws[] = {
		"read_us=800,fsync_us=1200", "read_us=800,fsync_us=1200,flush_holds=1"};
	for (int holds = 0; holds < 2; holds++) {
		struct sim_disk *d = sim_drive_disk(laws[holds], AREA_B);
		struct sim_request flush = {.op = SIM_FLUSH};
		sim_disk_submit(d, &flush);
		sim_drive_idle(d, 100e-6);
		struct sim_request read = {.op = SIM_READ, .size_b = 4096};
		sim_disk_submit(d, &read);
		struct sim_request *first = sim_disk_next(d, INT64_MAX);
		assert_ptr_equal(first, holds ? &flush : &read);
		sim_disk_next(d, INT64_MAX);
		assert_int_equal(sim_disk_now_ns(d), holds ? 2000000 : 1200000);
		sim_disk_free(d);
	}
}

static double
foreign_frac(const struct diskstats *before, const struct sim_disk *d, const struct driven *o)
{
	struct diskstats after;
	sim_disk_counters(d, &after);
	return diskstats_compare(before, &after, o->n, o->n * 4096).foreign_frac;
}

static const struct foreign_row {
	const char *law;
	unsigned qd;
	double own, share; /* ours a second; theirs of all */
} foreign_rows[] = {
	/* a cap is shared: they come first come first served, and we take what is left */
	{"read_us=100,iops=5000,foreign_iops=1000", 32, 4000, 0.2},
	{"read_us=100,iops=5000,foreign_iops=3000", 32, 2000, 0.6},
	/* no cap: they cost nothing, and are seen */
	{"read_us=1000,foreign_iops=1000", 4, 4000, 0.2},
	{"read_us=1000,foreign_iops=200", 4, 4000, 200.0 / 4200},
	{"read_us=1000,foreign_iops=40", 4, 4000, 0}, /* below 2 % diskstats_compare() sees none */
	/* one server, always busy with ours or theirs */
	{"read_us=1000,slots=1,foreign_iops=200", 1, 800, 0.2},
	/* more than the disk has: their queue of 128 is always full */
	{"read_us=1000,iops=1000,foreign_iops=20000", 32, 1000 * 32 / 160.0, 0.8},
	{"read_us=1000", 4, 4000, 0},
};

static void
test_foreign(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(foreign_rows) / sizeof(foreign_rows[0]); i++) {
		const struct foreign_row *r = &foreign_rows[i];
		struct sim_disk *d = sim_drive_disk(r->law, AREA_B);
		struct drive c = reads(r->qd, 4096, 60);
		sim_drive_idle(d, 1);
		struct diskstats before;
		sim_disk_counters(d, &before);
		struct driven o = sim_drive(d, &c);
		double share = foreign_frac(&before, d, &o);
		print_message("%s: %.1f/s, theirs %.4f\n", r->law, o.rate, share);
		sim_drive_near("own", o.rate, r->own, 0.02);
		if (fabs(share - r->share) > 0.01 * fmax(r->share, 0.1))
			fail_msg("%s: their share %.4f, expected %.4f", r->law, share, r->share);
		sim_disk_free(d);
	}
}

/* Two seconds of every ten, and for the rest it is as if there were no others. */
static void
test_foreign_now_and_then(void **state)
{
	(void)state;
	struct sim_disk *d = sim_drive_disk(
		"read_us=1000,foreign_iops=1000,foreign_on_s=2,foreign_every_s=10,foreign_kib=64",
		AREA_B);
	struct diskstats before, after;
	for (int s = 0; s < 30; s++) {
		sim_disk_counters(d, &before);
		sim_drive_idle(d, 1);
		sim_disk_counters(d, &after);
		double n = (double)(after.reads - before.reads);
		if (s % 10 < 2)
			sim_drive_near("while they are there", n, 1000, 0.15);
		else
			assert_true(n <= 5); /* begun before, 1 ms each */
		assert_int_equal(
			after.sectors - before.sectors, (after.reads - before.reads) * 128);
	}
	sim_disk_free(d);
}

/* Counters of a real disk: completed requests, sectors, flushes apart, time with some outstanding. */
static void
test_counters(void **state)
{
	(void)state;
	struct sim_disk *d = sim_drive_disk("read_us=1000,write_us=3000,fsync_us=500", AREA_B);
	struct diskstats n;
	for (int i = 0; i < 100; i++) {
		sim_drive_one_us(d, SIM_READ, 0, 8192);
		sim_drive_idle(d, 1e-3);
	}
	sim_disk_counters(d, &n);
	assert_true(n.reads == 100 && n.writes == 0 && n.flushes == 0 && n.has_flushes);
	assert_int_equal(n.sectors, 100 * 16);
	assert_int_equal(n.busy_ms, 100); /* of 200 ms */
	sim_drive_one_us(d, SIM_WRITE, 0, 512);
	sim_drive_one_us(d, SIM_FLUSH, 0, 0);
	sim_disk_counters(d, &n);
	assert_true(n.reads == 100 && n.writes == 1 && n.flushes == 1);
	assert_int_equal(n.sectors, 100 * 16 + 1);
	/* two that overlap count once; one in flight counts up to now and is not completed */
	struct sim_request read = {.op = SIM_READ, .size_b = 4096},
			   write = {.op = SIM_WRITE, .size_b = 4096};
	sim_disk_submit(d, &write);
	sim_drive_idle(d, 0.5e-3);
	sim_disk_submit(d, &read);
	assert_ptr_equal(sim_disk_next(d, INT64_MAX), &read);
	sim_disk_counters(d, &n);
	assert_true(n.reads == 101 && n.writes == 1);
	assert_int_equal(n.busy_ms, 105); /* 100 + 3 + 0.5, and 1.5 of the two */
	assert_ptr_equal(sim_disk_next(d, INT64_MAX), &write);
	sim_disk_free(d);

	/* without a volatile cache the kernel sends no flush */
	d = sim_drive_disk("fsync_us=0", AREA_B);
	assert_true(sim_drive_one_us(d, SIM_FLUSH, 0, 0) == 0);
	sim_disk_counters(d, &n);
	assert_true(n.flushes == 0 && n.writes == 0);
	sim_disk_free(d);
}

/* Half as long again each minute: 1000 us, 1500, 2000 ... */
static void
test_drift(void **state)
{
	(void)state;
	struct sim_disk *d = sim_drive_disk("read_us=1000,fsync_us=200,drift_frac=0.5", AREA_B);
	for (int minute = 0; minute < 5; minute++) {
		sim_drive_idle(d, 60.0 * minute - (double)sim_disk_now_ns(d) / 1e9);
		sim_drive_near("read", sim_drive_one_us(d, SIM_READ, 0, 4096),
			1000 * (1 + 0.5 * minute), 1e-4);
		sim_drive_near("flush", sim_drive_one_us(d, SIM_FLUSH, 0, 0),
			200 * (1 + 0.5 * minute), 1e-4);
	}
	sim_disk_free(d);
	/* the rate falls as 1 / (1 + t / 2): its mean over the minute is ln(1.5) / 0.5 of the first */
	d = sim_drive_disk("read_us=1000,drift_frac=0.5", AREA_B);
	struct drive c = reads(1, 4096, 60);
	struct driven o = sim_drive(d, &c);
	sim_drive_near("rate", o.rate, 1000 * log(1.5) / 0.5, 0.001);
	sim_disk_free(d);
}

static void
test_fails(void **state)
{
	(void)state;
	struct sim_disk *d = sim_drive_disk("fail_after=3", AREA_B);
	for (int i = 1; i <= 4; i++) {
		struct sim_request r = {.op = i % 2 ? SIM_READ : SIM_WRITE, .size_b = 4096};
		sim_disk_submit(d, &r);
		assert_ptr_equal(sim_disk_next(d, INT64_MAX), &r);
		assert_int_equal(r.failed, i >= 3);
		r = (struct sim_request){.op = SIM_FLUSH}; /* does not count */
		sim_disk_submit(d, &r);
		assert_ptr_equal(sim_disk_next(d, INT64_MAX), &r);
		assert_false(r.failed);
	}
	sim_disk_free(d);
}

#define SERVICE "read_us=200,write_us=100,sigma=0.8,slots=64,seq_us=20,kib_us=1,drift_frac=0.1"
#define CAPS "iops=80000,mbps=900,throttle_ms=10"
#define CREDITS "burst_iops=90000,burst_ios=200000,burst_mbps=1000,burst_mb=500"
#define OTHERS                                                                                     \
	"cache_mib=64,wcache_mib=32,flush_drains=1,flush_holds=1,foreign_iops=5000,compress=0.5"

/* Deep queues with spread, everything switched on: it stays a disk, and the same one. */
static void
test_all_at_once(void **state)
{
	(void)state;
	static const char law[] = SERVICE "," CAPS "," CREDITS "," OTHERS;
	struct driven o[2];
	for (int again = 0; again < 2; again++) {
		struct sim_disk *d = sim_drive_disk(law, AREA_B);
		struct drive c = reads(128, 8192, 2);
		uint64_t own = 0;
		for (int op = SIM_READ; op <= SIM_FLUSH; op++) {
			c.op = (enum sim_op)op;
			o[again] = sim_drive(d, &c);
			own += o[again].n;
		}
		struct diskstats n;
		sim_disk_counters(d, &n);
		/* what the last of each kind left in flight came back after its window */
		assert_in_range(n.reads + n.writes + n.flushes, own,
			own + 384 + (uint64_t)sim_disk_now_ns(d) / 100000);
		assert_true(n.busy_ms <= (uint64_t)(sim_disk_now_ns(d) / 1000000));
		sim_disk_free(d);
	}
	assert_true(o[0].n == o[1].n && o[0].mean_us == o[1].mean_us && o[0].n > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_md1),
		cmocka_unit_test(test_sequential),
		cmocka_unit_test(test_bursts),
		cmocka_unit_test(test_saved_tokens),
		cmocka_unit_test(test_throttle),
		cmocka_unit_test(test_read_cache),
		cmocka_unit_test(test_write_cache),
		cmocka_unit_test(test_flush_drains),
		cmocka_unit_test(test_flush_holds),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_foreign_now_and_then),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_drift),
		cmocka_unit_test(test_fails),
		cmocka_unit_test(test_all_at_once),
	};
	return cmocka_run_group_tests_name("sim_disk", tests, NULL, NULL);
}
