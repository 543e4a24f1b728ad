#include "bench/bench.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/phase.h"

static const double REPEAT_FRAC = 0.15; /* of the time, for slices disturbed by others */

struct bench {
	struct bench_config c;
	struct bench_select select;
	struct arena *arena;
	struct disk *disks;
	size_t n_disks;
	int awake_fd;
	const char *phase; /* last told to progress() */
};

static int
check_config(const struct bench_config *c, struct err *err)
{
	if (!(c->time_s >= BENCH_TIME_MIN_S && c->time_s <= BENCH_TIME_MAX_S))
		return err_set(err, ERR_RANGE, "time %g s: %g to %g s accepted", c->time_s,
			BENCH_TIME_MIN_S, BENCH_TIME_MAX_S);
	if (c->size_b && c->size_b < BENCH_FILE_MIN_B)
		return err_set(err, ERR_RANGE,
			"size %llu bytes: at least 125 MiB (1000 blocks of 4 KiB for each of 32 "
			"requests in flight)",
			(unsigned long long)c->size_b);
	uint64_t file = c->size_b ? c->size_b : BENCH_FILE_MIN_B;
	if (c->max_write_b / 2 < file)
		return err_set(err, ERR_RANGE,
			"write budget %llu bytes: at least %llu, twice the file",
			(unsigned long long)c->max_write_b, (unsigned long long)file * 2);
	return 0;
}

/* How many disks: folders, or simulated ones without. */
static int
count_disks(const struct bench_config *c, size_t *n, struct err *err)
{
	*n = c->n_dirs ? c->n_dirs : c->n_engines;
	if (*n == 0 || *n > BENCH_DISKS_MAX)
		return err_set(err, ERR_USAGE, "%zu disks: 1 to %d", *n, BENCH_DISKS_MAX);
	if (c->n_engines != 1 && c->n_engines != *n)
		return err_set(err, ERR_USAGE,
			"%zu folders and %zu engines: one engine for all, or one for each", *n,
			c->n_engines);
	return 0;
}

static int
open_disks(struct bench *b, struct err *err)
{
	int rc = 0;
	size_t n;
	rc = count_disks(&b->c, &n, err);
	if (rc)
		return rc;
	b->disks = arena_array(b->arena, n, sizeof(*b->disks));
	if (!b->disks) {
		err_nomem(err);
		return ERR_NOMEM;
	}
	while (rc == 0 && b->n_disks < n) {
		size_t i = b->n_disks++;
		struct disk *d = &b->disks[i];
		d->c = &b->c;
		d->select = &b->select;
		d->arena = b->arena;
		d->index = i;
		rc = disk_open(d, b->c.n_dirs ? b->c.dirs[i] : NULL,
			b->c.engines[b->c.n_engines > 1 ? i : 0], err);
	}
	return rc;
}

int
bench_open(const struct bench_config *c, struct arena *a, struct bench **out, struct err *err)
{
	*out = NULL;
	int rc = check_config(c, err);
	if (rc)
		return rc;
	struct bench *b = arena_alloc(a, sizeof(*b));
	if (!b)
		return err_nomem(err);
	b->c = *c;
	b->arena = a;
	b->awake_fd = -1;
	rc = select_parse(c->tests, &b->select, err);
	if (rc == 0)
		rc = open_disks(b, err);
	if (rc) {
		bench_close(b);
		return rc;
	}
	*out = b;
	return 0;
}

size_t
bench_disks(const struct bench *b)
{
	return b->n_disks;
}

const struct bench_preview *
bench_preview(const struct bench *b, size_t disk)
{
	return &b->disks[disk].preview;
}

static void
tell_progress(struct bench *b, const struct phase *phase)
{
	if (!b->c.progress)
		return;
	double used = 0, all = b->c.time_s * (double)b->n_disks;
	for (size_t i = 0; i < b->n_disks; i++)
		used += b->disks[i].rc ? b->c.time_s : fmin(b->c.time_s, disk_used_s(&b->disks[i]));
	struct bench_progress p = {.phase = phase->title,
		.done_frac = used / all,
		.left_s = all - used,
		.first = b->phase != phase->title};
	b->phase = phase->title;
	b->c.progress(b->c.ctx, &p);
}

/* A disk that failed is measured no further; what it did so far is kept. */
static void
fail(struct disk *d, int rc, const struct err *why)
{
	d->rc = rc;
	d->err = *why;
	findings_add(&d->findings, SEVERITY_WARNING,
		rc == ERR_INTERRUPTED ? "interrupted" : "failed", "measure again",
		"the measurement ended early: %s", why->text);
}

static void
turn_begins(struct disk *d)
{
	d->step_ns = load_now_ns(&d->load);
}

static void
turn_ends(struct disk *d)
{
	d->used_ns += load_now_ns(&d->load) - d->step_ns;
	d->step_ns = -1;
}

/* Time and bytes of a phase: its share of what is left among those still to come. */
static void
allot(struct disk *d, size_t phase)
{
	double time_s = 0, share = 0;
	for (size_t i = phase; i < n_phases; i++) {
		if (phases[i]->wanted && !phases[i]->wanted(d))
			continue;
		time_s += phases[i]->time_s;
		share += phases[i]->write_share;
	}
	d->phase_used_ns = d->used_ns;
	d->phase_written_b = d->written_b;
	d->phase_s = disk_left_s(d) * phases[phase]->time_s / time_s;
	d->phase_write_b = share > 0 ? (uint64_t)((double)disk_write_left_b(d) *
						  phases[phase]->write_share / share)
				     : 0;
}

/* A moment of rest after a step, so that others get most of the disk. */
static void
be_polite(const struct bench *b, const struct disk *d, int64_t step_ns)
{
	if (!b->c.polite || d->engine->simulated)
		return;
	double rest_s = (double)step_ns / 1e9 * (1 / BENCH_POLITE_FRAC - 1);
	struct timespec rest = {(time_t)rest_s, (long)((rest_s - floor(rest_s)) * 1e9)};
	nanosleep(&rest, NULL); /* a signal ends it; the next step looks at the flag */
}

/* One step of one disk; false: it is through with the phase. */
static bool
take_turn(struct bench *b, struct disk *d, const struct phase *phase)
{
	struct err why = {0};
	bool more = false;
	int64_t before = d->used_ns;
	turn_begins(d);
	int rc = phase->step(d, &more, &why);
	turn_ends(d);
	if (rc)
		fail(d, rc, &why);
	else
		be_polite(b, d, d->used_ns - before);
	return rc == 0 && more;
}

static int
save(struct bench *b, struct disk *d, struct err *err)
{
	struct profile p;
	int rc = b->c.save ? result_build(d, &p, err) : 0;
	return rc == 0 && b->c.save ? b->c.save(b->c.ctx, d->index, &p, err) : rc;
}

/* Begin a phase on a disk; false: it has nothing to do in it. */
static bool
enter(struct disk *d, size_t phase)
{
	struct err why = {0};
	if (d->rc || (phases[phase]->wanted && !phases[phase]->wanted(d)))
		return false;
	turn_begins(d);
	allot(d, phase);
	int rc = phases[phase]->begin ? phases[phase]->begin(d, &why) : 0;
	turn_ends(d);
	if (rc)
		fail(d, rc, &why);
	return rc == 0;
}

static int
leave(struct bench *b, struct disk *d, size_t phase, struct err *err)
{
	struct err why = {0};
	if (d->rc)
		return 0;
	turn_begins(d);
	int rc = phases[phase]->end ? phases[phase]->end(d, &why) : 0;
	turn_ends(d);
	if (rc)
		fail(d, rc, &why);
	return save(b, d, err);
}

/* All disks through one phase, in turns. */
static int
run_phase(struct bench *b, size_t phase, struct err *err)
{
	bool in[BENCH_DISKS_MAX], more[BENCH_DISKS_MAX], any = false;
	for (size_t i = 0; i < b->n_disks; i++)
		any |= in[i] = more[i] = enter(&b->disks[i], phase);
	while (any) {
		any = false;
		for (size_t i = 0; i < b->n_disks; i++) {
			do {
				if (!more[i])
					break;
				tell_progress(b, phases[phase]);
				more[i] = take_turn(b, &b->disks[i], phases[phase]);
				any |= more[i];
			} while (phases[phase]->alone);
		}
	}
	int rc = 0;
	for (size_t i = 0; i < b->n_disks && rc == 0; i++)
		rc = in[i] ? leave(b, &b->disks[i], phase, err) : 0;
	return rc;
}

static bool
stopped(const struct bench *b)
{
	return b->c.stop && *b->c.stop;
}

/* What a disk that is far too slow for the time leaves out is said; nothing at all is an error. */
static int
check_measured(struct disk *d, struct err *err)
{
	size_t missing = 0, cut = 0, wanted = 0;
	bool important = false;
	for (size_t i = 0; i < d->n_cells; i++) {
		const struct cell *c = &d->cells[i];
		if (c->group == CELL_LAYOUT)
			continue;
		wanted += !c->refused;
		missing += c->n == 0 && !c->refused && c->cut == 0;
		cut += c->n == 0 && c->cut > 0;
		important |= c->n == 0 && !c->refused && c->rank <= 1;
	}
	if (d->suspended)
		findings_add(&d->findings, SEVERITY_NOTE, "suspended", NULL,
			"this process was stopped meanwhile: %llu slices were left out",
			(unsigned long long)d->suspended);
	if (cut)
		findings_add(&d->findings, SEVERITY_WARNING, "write-budget",
			"a larger --max-write or a smaller --size leaves more",
			"%zu kinds of write were left out: %.1f GiB may be written in all", cut,
			(double)d->c->max_write_b / 1073741824);
	if (missing + cut > 0 && missing + cut == wanted)
		return err_set(err, ERR_INCONCLUSIVE,
			"nothing could be measured: the disk is too slow for %g s", d->c->time_s);
	if (missing)
		findings_add(&d->findings, important ? SEVERITY_WARNING : SEVERITY_NOTE,
			"time-over", "give more --time",
			"%zu of %zu cells were left out: %g s were too short for them", missing,
			wanted, d->c->time_s);
	return 0;
}

static void
start(struct bench *b)
{
	char text[21];
	for (size_t i = 0; i < b->n_disks; i++) {
		struct disk *d = &b->disks[i];
		if (!d->engine->simulated) {
			clock_iso_text(clock_epoch_s(), text);
			d->started = arena_strdup(b->arena, text);
			if (b->awake_fd < 0)
				b->awake_fd = watch_stay_awake();
		}
		d->awake = b->awake_fd >= 0;
		disk_note_surroundings(d);
		d->step_ns = -1;
		d->repeat_left_s = b->c.time_s * REPEAT_FRAC;
	}
}

static int
finish(struct disk *d, struct profile *p, struct err *err)
{
	struct err why = {0};
	int rc = d->rc ? 0 : check_measured(d, &why);
	if (rc)
		fail(d, rc, &why);
	rc = result_build(d, p, err);
	p->complete = d->rc == 0 && rc == 0;
	if (d->rc && err && rc == 0)
		*err = d->err;
	return d->rc ? d->rc : rc;
}

int
bench_run(struct bench *b, struct profile *profiles, struct err *err)
{
	struct err first = {0};
	int rc = 0;
	for (size_t i = 0; i < b->n_disks; i++)
		profile_clear(&profiles[i]);
	start(b);
	for (size_t phase = 0; phase < n_phases && rc == 0 && !stopped(b); phase++)
		rc = run_phase(b, phase, &first);
	for (size_t i = 0; i < b->n_disks; i++) {
		struct disk *d = &b->disks[i];
		struct err why = {0};
		if (stopped(b) && !d->rc) {
			err_set(&why, ERR_INTERRUPTED, "interrupted");
			fail(d, ERR_INTERRUPTED, &why);
		}
		int one = finish(d, &profiles[i], &why);
		if (one && rc == 0) {
			rc = one;
			first = why;
		}
	}
	if (rc && err)
		*err = first;
	return rc;
}

void
bench_close(struct bench *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->n_disks; i++)
		disk_close(&b->disks[i]);
	b->n_disks = 0;
	if (b->awake_fd >= 0)
		close(b->awake_fd);
	b->awake_fd = -1;
}
