/*
 * test_surface.c - what must hold of latency over depth and block size at once, whatever was measured:
 * a ladder of depths at one size, sizes at depth 1, cells at other sizes and depths, a second ladder;
 * with noise, under caps from outside, over a stripe.
 *
 * Seeded random disks.  Every property keeps the worst violation seen, relative, and where it was.
 */
#include "build.h"

#include "base/rng.h"

enum { DISKS = 50 };

enum property {
	LATENCY_OVER_DEPTH, /* R does not fall with q */
	THROUGHPUT_OVER_DEPTH, /* X does not fall with q */
	IOPS_OVER_SIZE, /* X does not grow with the block size */
	ORDER, /* p50 <= p99 <= p999, p99 >= the mean where it was not measured, lo <= value <= hi */
	WALL_OVER_SIZE, /* nor does the wall */
	OPEN_IS_CLOSED, /* R at the rate q / R(q) is R(q), below the corner */
	LATENCY_OVER_RATE,
	LATENCY_OVER_SIZE_AT_RATE,
	WIDTH_BEYOND_DEPTHS, /* the interval gets no narrower away from the data */
	WIDTH_BEYOND_SIZES,
	PROPERTIES
};

static const char *const names[] = {"R over q", "X over q", "IOPS over size", "order",
	"wall over size", "open = closed", "R over rate", "R over size at a rate",
	"width beyond depths", "width beyond sizes"};
_Static_assert(sizeof(names) / sizeof(names[0]) == PROPERTIES, "every property");

struct worst {
	double by;
	char where[160];
	long asked;
};

/* A disk: ln-ln corner of 8 between L1 + c (q - 1) + bytes / stream and q over the rate of its wall,
 * (I0^-2 + (B/bs)^-2)^-1/2. */
struct disk {
	double l1_us, c_us, stream_bps, i0_iops, b_bps, noise;
	int op, device;
};

struct question {
	const struct build *b;
	enum profile_op op;
	struct disk_caps caps;
	bool capped;
	int number;
	struct worst *worst;
};

static double
between(struct rng *r, double lo, double hi)
{
	return lo * pow(hi / lo, rng_uniform(r));
}

static double
disk_us(const struct disk *d, double bs_b, double q)
{
	double light = d->l1_us + d->c_us * (q - 1) + 1e6 * bs_b / d->stream_bps;
	double wall = 1e6 * q * hypot(1 / d->i0_iops, bs_b / d->b_bps);
	double top = fmax(light, wall);
	return top * pow(pow(light / top, 8) + pow(wall / top, 8), 0.125);
}

static struct disk
draw(struct rng *r)
{
	static const int devices[] = {PROFILE_DEVICE_SSD, PROFILE_DEVICE_NVME, PROFILE_DEVICE_HDD,
		PROFILE_DEVICE_CLOUD, PROFILE_DEVICE_RAID_SSD, -1};
	struct disk d = {.l1_us = between(r, 30, 5000)};
	d.c_us = rng_below(r, 3) == 0 ? 0 : d.l1_us * between(r, 1e-3, 0.5);
	d.stream_bps = between(r, 50e6, 3e9);
	d.i0_iops = 1e6 / d.l1_us * between(r, 1, 60);
	d.b_bps = d.stream_bps * between(r, 1, 8);
	d.noise = (double)rng_below(r, 4) * 0.02;
	d.op = rng_below(r, 3) ? PROFILE_OP_RANDREAD : PROFILE_OP_RANDWRITE;
	d.device = devices[rng_below(r, sizeof(devices) / sizeof(devices[0]))];
	return d;
}

static void
add(struct build *b, const struct disk *d, struct rng *r, double bs_b, double q)
{
	double us = disk_us(d, bs_b, q) * exp(d->noise * rng_normal(r));
	struct profile_cell c = build_cell(d->op, bs_b, q, us);
	if (rng_below(r, 4)) {
		c.p50_us = us * between(r, 0.7, 1);
		c.p99_us = us * between(r, 1.01, 5);
		c.p999_us = c.p99_us * between(r, 1.01, 5);
	}
	build_add(b, c);
}

/* Cells of one depth at some of the sizes. */
static void
add_sweep(struct build *b, const struct disk *d, struct rng *r, double qd, unsigned one_in)
{
	for (double bs = 8192; bs < 5e6; bs *= 2)
		if (rng_below(r, one_in) == 0)
			add(b, d, r, bs, qd);
}

static void
add_ladder(struct build *b, const struct disk *d, struct rng *r, double bs_b, size_t n)
{
	double step = rng_below(r, 4) ? 2 : 4;
	for (size_t i = 0; i < n; i++)
		add(b, d, r, bs_b, pow(step, (double)i));
}

static void
measure(struct build *b, const struct disk *d, struct rng *r)
{
	build_begin(b, d->device, TRUST_MEASURED);
	add_ladder(b, d, r, 4096, 2 + rng_below(r, 7));
	if (rng_below(r, 4))
		add_sweep(b, d, r, 1, 1 + (unsigned)rng_below(r, 3));
	if (rng_below(r, 2))
		add_sweep(b, d, r, 8, 1 + (unsigned)rng_below(r, 4));
	if (rng_below(r, 2))
		add_sweep(b, d, r, 16, 1 + (unsigned)rng_below(r, 4));
	if (rng_below(r, 3) == 0)
		add_ladder(b, d, r, rng_below(r, 2) ? 65536 : 131072, 2 + rng_below(r, 5));
	build_fit(b);
	if (rng_below(r, 4) == 0)
		b->m.quota_iops = d->i0_iops * between(r, 0.9, 2);
}

static struct disk_caps
draw_caps(struct rng *r, const struct disk *d, bool *capped)
{
	const double no = (double)NAN;
	struct disk_caps caps = {no, no, no, no, no};
	if (rng_below(r, 2))
		caps.iops = d->i0_iops * between(r, 0.05, 3);
	if (rng_below(r, 2))
		caps.mbps = d->b_bps * 1e-6 * between(r, 0.05, 3);
	*capped = !isnan(caps.iops) || !isnan(caps.mbps);
	if (!isnan(caps.iops) && rng_below(r, 4) == 0)
		caps.io_unit_kib = rng_below(r, 2) ? 16 : 256;
	if (rng_below(r, 3) == 0)
		caps.stripe = 2 + (double)rng_below(r, 4);
	if (caps.stripe > 1 && rng_below(r, 2))
		caps.strip_b = rng_below(r, 2) ? 65536 : 16384;
	return caps;
}

/* By how much `now` falls short of `least`. */
static void
hold(const struct question *q, enum property p, double now, double least, double bs_b, double load)
{
	struct worst *w = &q->worst[p];
	double by = 1 - now / least;
	w->asked++;
	if (!(by > w->by))
		return;
	w->by = by;
	snprintf(w->where, sizeof(w->where),
		"disk %d, %.0f B at %.6g: %.6g after %.6g; caps %g %g %g %g %g", q->number, bs_b,
		load, now, least, q->caps.iops, q->caps.mbps, q->caps.io_unit_kib, q->caps.stripe,
		q->caps.strip_b);
}

static bool
at_depth(const struct question *q, double bs_b, double qd, enum model_statistic stat,
	struct estimate *e)
{
	return disk_latency_at_qd(&q->b->m, q->op, bs_b, qd, &q->caps, stat, e, NULL) == 0;
}

static bool
at_rate(const struct question *q, double bs_b, double rate, struct estimate *e)
{
	return disk_latency_at_rate(&q->b->m, q->op, bs_b, rate, &q->caps, MODEL_MEAN, e, NULL) ==
	       0;
}

static void
check_order(const struct question *q, double bs_b, double qd)
{
	double below = 0;
	for (int stat = 0; stat < MODEL_STATISTIC_COUNT; stat++) {
		struct estimate e;
		if (!at_depth(q, bs_b, qd, (enum model_statistic)stat, &e))
			return;
		if (stat > MODEL_P50)
			hold(q, ORDER, e.value, below, bs_b, qd);
		below = e.value;
		if (!isnan(e.lo))
			hold(q, ORDER, e.value, e.lo, bs_b, qd);
		if (!isnan(e.hi))
			hold(q, ORDER, e.hi, e.value, bs_b, qd);
	}
}

/* The most a size does below its corner: half its wall, and half of what the deepest queue gets. */
static double
below_corner(const struct question *q, double bs_b)
{
	struct estimate wall, deep;
	if (disk_wall(&q->b->m, q->op, bs_b, &q->caps, &wall, NULL) ||
		!at_depth(q, bs_b, 1000, MODEL_MEAN, &deep))
		return 0;
	return 0.5 * fmin(wall.value, 1e9 / deep.value);
}

/* The rate that a depth gives, asked as a rate: what it takes is what rate x latency outstanding take.
 * (Not the depth itself: where throughput stands still a rate has many.) */
static void
check_open(const struct question *q, double bs_b, double rate, double most)
{
	struct estimate open, closed;
	if (rate > most || !at_rate(q, bs_b, rate, &open))
		return;
	double qd = rate * 1e-6 * open.value;
	if (qd < fmax(1, q->caps.stripe) || !at_depth(q, bs_b, qd, MODEL_MEAN, &closed))
		return;
	hold(q, OPEN_IS_CLOSED, open.value, closed.value, bs_b, qd);
	hold(q, OPEN_IS_CLOSED, closed.value, open.value, bs_b, qd);
}

/* R and X over depth at one size. */
static void
check_depths(const struct question *q, double bs_b)
{
	struct estimate e;
	double us = 0, x = 0, most = below_corner(q, bs_b);
	for (double qd = 1; qd < 1000; qd = qd < 20 ? qd + 0.5 : qd * 1.1) {
		if (!at_depth(q, bs_b, qd, MODEL_MEAN, &e))
			return;
		if (us > 0) {
			hold(q, LATENCY_OVER_DEPTH, e.value, us, bs_b, qd);
			hold(q, THROUGHPUT_OVER_DEPTH, qd / e.value, x, bs_b, qd);
		}
		us = fmax(us, e.value);
		x = fmax(x, qd / e.value);
		check_open(q, bs_b, 1e6 * qd / e.value, most);
	}
}

/* The next size to ask for: the measured ones and what lies between them. */
static double
next_size(double bs_b)
{
	double doubled = 4096;
	while (doubled <= bs_b)
		doubled *= 2;
	double next = ceil(bs_b * 1.19 / 4096) * 4096;
	return next < doubled ? next : doubled;
}

static void
check_sizes(const struct question *q, double qd)
{
	struct estimate e;
	double us = 0, last_wall = INFINITY;
	for (double bs = 4096; bs < 1e8; bs = next_size(bs)) {
		if (at_depth(q, bs, qd, MODEL_MEAN, &e)) {
			if (us > 0)
				hold(q, IOPS_OVER_SIZE, e.value, us, bs, qd);
			us = fmax(us, e.value);
		}
		if (disk_wall(&q->b->m, q->op, bs, &q->caps, &e, NULL) == 0) {
			if (isfinite(last_wall))
				hold(q, WALL_OVER_SIZE, last_wall, e.value, bs, 0);
			last_wall = fmin(last_wall, e.value);
		}
	}
}

static void
check_rates(const struct question *q, double bs_b)
{
	struct estimate wall, e;
	double us = 0;
	if (disk_wall(&q->b->m, q->op, bs_b, &q->caps, &wall, NULL))
		return;
	for (double share = 0.02; share < 1; share += 0.02) {
		if (!at_rate(q, bs_b, share * wall.value, &e))
			continue;
		if (us > 0)
			hold(q, LATENCY_OVER_RATE, e.value, us, bs_b, share);
		us = fmax(us, e.value);
	}
}

static void
check_sizes_at_rate(const struct question *q, double share)
{
	struct estimate wall, e;
	double us = 0;
	if (disk_wall(&q->b->m, q->op, 4096, &q->caps, &wall, NULL))
		return;
	double rate = share * wall.value;
	for (double bs = 4096; bs < 1e7; bs = next_size(bs)) {
		if (rate > below_corner(q, bs) || !at_rate(q, bs, rate, &e))
			continue;
		if (us > 0)
			hold(q, LATENCY_OVER_SIZE_AT_RATE, e.value, us, bs, rate);
		us = fmax(us, e.value);
	}
}

static double
width(const struct estimate *e)
{
	return log(e->hi / e->lo);
}

/* Away from what is known, in depth and in size, without caps: those are known everywhere. */
static void
check_widths(const struct question *q)
{
	const struct model_curve *c = &q->b->m.curves[0];
	struct estimate e;
	double last = 0;
	if (q->capped || !isnan(q->b->m.quota_iops) || c->bs_b != 4096)
		return;
	for (double qd = 2 * c->qd_max; qd < 2000; qd *= 1.5) {
		if (!at_depth(q, 4096, qd * fmax(1, q->caps.stripe), MODEL_MEAN, &e))
			break;
		if (last > 0)
			hold(q, WIDTH_BEYOND_DEPTHS, width(&e), last, 4096, qd);
		last = width(&e);
	}
	last = 0;
	if (q->caps.stripe > 1)
		return;
	for (double bs = 8388608; bs < 1e8; bs *= 1.5) {
		if (!at_depth(q, bs, 1, MODEL_MEAN, &e))
			break;
		if (last > 0)
			hold(q, WIDTH_BEYOND_SIZES, width(&e), last, bs, 1);
		last = width(&e);
	}
}

static double
some_size(struct rng *r)
{
	return 4096 * round(between(r, 1, 512));
}

static void
ask(struct question *q, struct rng *r)
{
	static const double depths[] = {1, 8, 16, 32};
	check_depths(q, 4096);
	check_depths(q, some_size(r));
	check_depths(q, 4096 * pow(2, (double)rng_below(r, 9)));
	check_sizes(q, depths[rng_below(r, 4)]);
	check_sizes(q, between(r, 1, 200));
	for (int i = 0; i < 10; i++)
		check_order(q, i % 2 ? some_size(r) : 4096, i % 3 ? between(r, 1, 200) : 8);
	check_rates(q, some_size(r));
	check_sizes_at_rate(q, between(r, 0.01, 0.9));
	check_widths(q);
}

static void
test_surface(void **state)
{
	(void)state;
	static struct worst worst[PROPERTIES];
	static const double allowed[PROPERTIES] = {[OPEN_IS_CLOSED] = 0.02};
	struct rng r;
	for (int i = 0; i < DISKS; i++) {
		struct build b;
		rng_seed(&r, 100 + (uint64_t)i);
		struct disk d = draw(&r);
		measure(&b, &d, &r);
		for (int k = 0; k < 3; k++) {
			struct question q = {.b = &b,
				.op = (enum profile_op)d.op,
				.number = i,
				.worst = worst,
				.caps = {(double)NAN, (double)NAN, (double)NAN, (double)NAN,
					(double)NAN}};
			if (k > 0)
				q.caps = draw_caps(&r, &d, &q.capped);
			ask(&q, &r);
		}
		build_end(&b);
	}
	int bad = 0;
	for (int p = 0; p < PROPERTIES; p++) {
		bool violated = worst[p].by > allowed[p] + 1e-9;
		bad += violated;
		if (violated)
			print_error("%s: violated by %.3g %% (%s), %ld asked\n", names[p],
				100 * worst[p].by, worst[p].where, worst[p].asked);
		assert_true(worst[p].asked > DISKS);
	}
	assert_int_equal(bad, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_surface),
	};
	return cmocka_run_group_tests_name("model/surface", tests, NULL, NULL);
}
