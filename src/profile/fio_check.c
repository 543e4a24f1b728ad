/*
 * fio_check.c - one function a doubt; each says what it saw and what that means for the figures.
 */
#include <math.h>

#include "base/units.h"
#include "profile/fio_check.h"

/* Where a doubt begins.  Kernels since 5.0 undercount short I/O in util, hence the low bound. */
static const double run_min_s = 1, samples_min = 1000, spread_max_frac = 0.05, little_off = 0.10,
		    busy_frac = 0.9, idle_util_frac = 0.1, accounted_min_frac = 0.95;

static const char *const side_names[FIO_SIDE_COUNT] = {"read", "write", "sync"};

static void
check_size(const struct fio_point *p, int kind, struct import_warnings *w)
{
	static const struct import_trouble trouble = {SEVERITY_WARNING, "block-size",
		"check bs and the size of the file: its end is read in smaller blocks"};
	const struct fio_side *s = &p->side[kind];
	double moved = s->bytes / s->ios, asked = p->setup.bs_b[kind];
	if (fabs(moved / asked - 1) > 0.005)
		import_warn(w, &trouble, p->place,
			"the options say %.0f B a block, %.0f B were moved by each I/O; the second "
			"is taken",
			asked, moved);
}

static void
check_io(const struct fio_point *p, const struct fio_side *s, struct import_warnings *w)
{
	static const struct import_trouble short_io = {SEVERITY_WARNING, "short-io",
		"look for errors in the kernel log and measure again"};
	static const struct import_trouble no_latency = {
		SEVERITY_WARNING, "no-latency", "run without gtod_reduce and disable_lat"};
	static const struct import_trouble few = {
		SEVERITY_WARNING, "few-samples", "run longer before trusting p99"};
	static const struct import_trouble brief = {
		SEVERITY_WARNING, "short-run", "run at least 30 s"};
	static const struct import_trouble timeless = {
		SEVERITY_WARNING, "no-runtime", "run at least 30 s: a rate over no time is none"};
	static const struct import_trouble counted = {
		SEVERITY_WARNING, "inferred", "check the block size, or run the job again"};
	static const struct import_trouble completion = {
		SEVERITY_NOTE, "completion-only", "run without disable_lat"};
	if (s->short_ios > 0 || s->dropped_ios > 0)
		import_warn(w, &short_io, p->place, "%.0f I/O were short and %.0f dropped",
			s->short_ios, s->dropped_ios);
	if (isnan(s->mean_us))
		import_warn(w, &no_latency, p->place, "no latency was recorded");
	else if (s->n < samples_min)
		import_warn(w, &few, p->place, "%.0f samples: fewer than 10 lie above p99", s->n);
	if (s->completion_only)
		import_warn(w, &completion, p->place,
			"no total latency was recorded: that of the completion stands for it, "
			"which "
			"lacks the time in submission");
	if (s->ios_inferred && isnan(s->ios))
		import_warn(w, &counted, p->place,
			"fio counted no I/O in %.0f B, and no rate tells how many they were",
			s->bytes);
	else if (s->ios_inferred)
		import_warn(w, &counted, p->place,
			"fio counted no I/O in %.0f B: %.0f are inferred from rate and time",
			s->bytes, s->ios);
	if (isnan(s->runtime_s))
		import_warn(w, &timeless, p->place, "fio recorded no time for %.0f B", s->bytes);
	if (s->runtime_s < run_min_s)
		import_warn(w, &brief, p->place, "it ran %.3f s", s->runtime_s);
}

static void
check_quantiles(const struct fio_point *p, const struct fio_side *s, struct import_warnings *w)
{
	static const struct import_trouble approximate = {SEVERITY_WARNING,
		"percentiles-approximate", "run with group_reporting or --output-format=json+"};
	static const struct import_trouble ceiling = {SEVERITY_WARNING, "percentile-ceiling",
		"judge by the longest, or measure with tierwise bench, which counts to 36 min"};
	if (s->q_approximate)
		import_warn(w, &approximate, p->place,
			"fio reported %.0f jobs apart and no bins: joint percentiles are weighted "
			"means, and lie in the interval given",
			p->jobs);
	if (s->q_ceiling)
		import_warn(w, &ceiling, p->place,
			"percentiles at 17.1 s are above 17.1 s: fio's histogram ends there (the "
			"longest took %.1f s)",
			s->max_us / 1e6);
}

static void
check_contradictions(
	const struct fio_side side[FIO_SIDE_COUNT], const char *place, struct import_warnings *w)
{
	static const struct import_trouble trouble = {SEVERITY_WARNING, "percentiles-contradictory",
		"run the job again, or look at what edited the file: the rest of the row is used"};
	for (int k = 0; k < FIO_SIDE_COUNT; k++) {
		struct buf text;
		if (!fio_left_out_any(&side[k].left_out))
			continue;
		buf_init(&text, 1024);
		fio_left_out_text(&side[k].left_out, &text);
		import_warn(w, &trouble, place,
			"%s: left out is what the row itself contradicts: %s", side_names[k],
			buf_text(&text));
		buf_fini(&text);
	}
}

void
fio_check_job(const struct fio_job *job, const char *place, struct import_warnings *w)
{
	static const struct import_trouble odd = {SEVERITY_WARNING, "impossible-figures",
		"run the job again, or look at what edited the file: the rest of the row is used"};
	for (int k = 0; k < FIO_SIDE_COUNT; k++) {
		if (job->odd[k])
			import_warn(w, &odd, place, "%s: left out is what no job can have: %s",
				side_names[k], job->odd[k]);
	}
	check_contradictions(job->side, place, w);
}

/* A submitter that does nothing but submit measures the submission path. */
static void
check_submitter(const struct fio_point *p, struct import_warnings *w)
{
	static const struct import_trouble submit = {SEVERITY_WARNING, "submit-bound",
		"spread the load over more jobs, or use direct I/O"};
	static const struct import_trouble cpu = {
		SEVERITY_WARNING, "cpu-bound", "spread the load over more jobs"};
	double busy = 0;
	for (int k = FIO_READ; k <= FIO_WRITE; k++) {
		const struct fio_side *s = &p->side[k];
		if (s->submit_us > 0)
			busy += s->submit_us * s->iops / 1e6 / p->jobs;
	}
	if (busy >= busy_frac)
		import_warn(w, &submit, p->place,
			"%.0f %% of the time was spent inside submission: the I/O was done there, "
			"one after another",
			busy * 100);
	if (p->cpu_frac >= busy_frac)
		import_warn(w, &cpu, p->place,
			"%.0f %% of a processor was used: the submitter may be the limit, not the "
			"disk",
			p->cpu_frac * 100);
}

static void
check_little(const struct fio_point *p, struct import_warnings *w)
{
	static const struct import_trouble rate = {SEVERITY_WARNING, "rate-limited",
		"do not fit through it: it is an open-loop point"};
	static const struct import_trouble little = {
		SEVERITY_WARNING, "little-law", "check which depth was in flight before using it"};
	if (p->setup.rate)
		import_warn(w, &rate, p->place,
			"%s held the rate down: %.3g I/O were in flight, not %.0f", p->setup.rate,
			p->little_ratio * p->qd, p->qd);
	else if (!p->qd_inferred && fabs(p->little_ratio - 1) > little_off)
		import_warn(w, &little, p->place,
			"IOPS x mean latency is %.3g I/O in flight, the options say %.0f",
			p->little_ratio * p->qd, p->qd);
}

static void
check_device(const struct fio_point *p, struct import_warnings *w)
{
	static const struct import_trouble idle = {SEVERITY_WARNING, "device-idle",
		"make the file larger than every cache and use direct I/O"};
	static const struct import_trouble buffered = {
		SEVERITY_WARNING, "buffered", "run with direct=1"};
	double ios = 0;
	for (int k = FIO_READ; k <= FIO_WRITE; k++)
		ios += p->side[k].ios > 0 ? p->side[k].ios : 0;
	if (p->util_frac < idle_util_frac && ios >= samples_min &&
		fabs(p->little_ratio - 1) <= little_off && !p->setup.commit)
		import_warn(w, &idle, p->place,
			"I/O was always in flight, yet the device was busy only %.0f %% of the "
			"time: "
			"a cache above it may have answered",
			p->util_frac * 100);
	if (p->setup.direct == 0 && !p->setup.commit)
		import_warn(w, &buffered, p->place,
			"not direct I/O: the page cache may have answered instead of the disk");
}

/* What the options do not say, or not so that it can be read, is taken from the figures. */
static void
check_inferred(const struct fio_point *p, struct import_warnings *w)
{
	static const struct import_trouble nothing = {SEVERITY_WARNING, "inferred",
		"check them, or run fio 2.3 or later, which records its options"};
	static const struct import_trouble depth = {
		SEVERITY_WARNING, "inferred", "check it against what was run"};
	static const struct import_trouble load = {SEVERITY_WARNING, "inferred",
		"mend the option, a whole number from 1 on, and import again"};
	static const struct import_trouble size = {SEVERITY_WARNING, "inferred",
		"mend the option, as in bs=4k, and import again, or check the size"};
	static const struct import_trouble sizes = {SEVERITY_WARNING, "sizes-vary",
		"measure one block size a job: a fit takes this for a size of its own"};
	const struct fio_setup *s = &p->setup;
	if (s->inferred)
		import_warn(w, &nothing, p->place,
			"no options recorded: kind, block size and depth (%.3g) are inferred from "
			"the figures and the names of job and file",
			p->qd);
	else if (s->load_unread)
		import_warn(w, &load, p->place,
			"%s is no count from 1 to %.0f: a depth of %.3g is inferred from IOPS x "
			"mean "
			"latency",
			s->load_unread, FIO_LOAD_MAX, p->qd);
	else if (p->qd_inferred)
		import_warn(w, &depth, p->place,
			"no depth recorded: %.3g is inferred from IOPS x mean latency", p->qd);
	for (int k = FIO_READ; k <= FIO_WRITE; k++) {
		double moved = round(p->side[k].bytes / p->side[k].ios);
		if (!(p->side[k].bytes > 0) || s->inferred || !isnan(s->bs_b[k]))
			continue;
		if (s->bs_unread)
			import_warn(w, &size, p->place,
				"bs=%s is no size: the %.0f B that each I/O moved are taken",
				s->bs_unread, moved);
		else if (s->bs_varies)
			import_warn(w, &sizes, p->place,
				"block sizes differ (%s): the mean, %.0f B, is taken", s->bs_varies,
				moved);
	}
}

static void
check_setup(const struct fio_point *p, struct import_warnings *w)
{
	static const struct import_trouble depth = {
		SEVERITY_WARNING, "depth-ignored", "use libaio or io_uring for depths above 1"};
	static const struct import_trouble random = {SEVERITY_WARNING, "partly-random",
		"for a curve of random I/O run with percentage_random=100"};
	static const struct import_trouble every = {SEVERITY_NOTE, "sync-between", NULL};
	static const struct import_trouble trim = {SEVERITY_NOTE, "trim-ignored", NULL};
	const struct fio_setup *s = &p->setup;
	if (!isnan(s->ignored_depth))
		import_warn(w, &depth, p->place,
			"engine %s does one I/O at a time: iodepth=%.0f had no effect, depth 1 is "
			"taken",
			s->engine ? s->engine : "psync (the default)", s->ignored_depth);
	if (!isnan(s->random_percent))
		import_warn(w, &random, p->place, "only %.0f %% of the I/O was random",
			s->random_percent);
	if (!isnan(s->sync_every))
		import_warn(w, &every, p->place,
			"a sync after every %.0f writes is part of the run and not of the latency",
			s->sync_every);
	if (p->trim_ios > 0)
		import_warn(w, &trim, p->place, "%.0f trims are left out", p->trim_ios);
}

static void
check_run(const struct fio_point *p, struct import_warnings *w)
{
	static const struct import_trouble spread = {
		SEVERITY_WARNING, "runtime-spread", "run with time_based"};
	static const struct import_trouble wrapped = {
		SEVERITY_WARNING, "counters-wrapped", "run fio 3.6 or later"};
	static const struct import_trouble unsteady = {
		SEVERITY_WARNING, "not-steady", "run longer"};
	if (p->runtime_max_s > p->runtime_min_s * (1 + spread_max_frac))
		import_warn(w, &spread, p->place,
			"jobs ran between %.1f s and %.1f s: the sum of their rates was never "
			"reached",
			p->runtime_min_s, p->runtime_max_s);
	if (p->accounted_frac < accounted_min_frac)
		import_warn(w, &wrapped, p->place,
			"fio's latency distribution accounts for %.0f %% of the I/O: its counters "
			"ran "
			"over",
			p->accounted_frac * 100);
	if (p->steady == 0)
		import_warn(w, &unsteady, p->place, "fio did not see the steady state asked for");
}

void
fio_check(const struct fio_point *p, struct import_warnings *w)
{
	check_inferred(p, w);
	check_setup(p, w);
	check_run(p, w);
	check_contradictions(p->side, p->place, w);
	check_submitter(p, w);
	check_little(p, w);
	check_device(p, w);
	for (int k = FIO_READ; k <= FIO_WRITE; k++) {
		if (!(p->side[k].bytes > 0))
			continue;
		check_size(p, k, w);
		check_io(p, &p->side[k], w);
		check_quantiles(p, &p->side[k], w);
	}
}
