#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/environment.h"
#include "bench/state.h"

static const double BUSY_LOOK_S = 1.0, BUSY_LOOK_SHORT_S = 0.25, SHORT_RUN_S = 60;
static const double BUSY_MAX = 0.05;

void
state_progress(struct bench *b, const char *phase)
{
	if (!b->c.progress)
		return;
	int64_t now = load_now_ns(&b->load);
	double done = (double)(now - b->begin_ns) / (double)(b->end_ns - b->begin_ns);
	struct bench_progress p = {.phase = phase,
		.done_frac = fmin(1, done),
		.left_s = fmax(0, (double)(b->end_ns - now) / 1e9),
		.first = !b->phase || strcmp(b->phase, phase) != 0};
	b->phase = phase;
	b->c.progress(b->c.ctx, &p);
}

uint64_t
state_write_left_b(const struct bench *b)
{
	return b->c.max_write_b > b->written_b ? b->c.max_write_b - b->written_b : 0;
}

int
state_resumed(const struct bench *b)
{
	return b->c.resumed ? (int)*b->c.resumed : 0;
}

struct slice *
state_add_slice(struct bench *b, struct cell *c, const struct slice *s)
{
	struct slice *grown = arena_grow(b->arena, c->slices, c->n, sizeof(*grown));
	if (!grown)
		return NULL;
	c->slices = grown;
	c->slices[c->n] = *s;
	return &c->slices[c->n++];
}

struct hist *
state_hist(struct bench *b)
{
	struct hist *h = arena_alloc(b->arena, sizeof(*h));
	if (h)
		hist_init(h);
	return h;
}

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

/* Choose the file's size by the space there is. */
static int
choose_size(struct bench *b, uint64_t spare_b, struct err *err)
{
	const struct target *t = &b->target;
	uint64_t file = plan_file_b(b->c.size_b, spare_b, b->c.max_write_b);
	if (file == 0)
		return err_set(err, ERR_REFUSED,
			"%s: %.1f of %.1f GiB are free, of which max(10 %%, 2 GiB) stay free; a "
			"test file of 125 MiB and its log do not fit",
			t->path, (double)t->free_b / 1073741824, (double)t->total_b / 1073741824);
	if (b->c.size_b && file < b->c.size_b - b->c.size_b % (1 << 20))
		return err_set(err, ERR_REFUSED,
			"%s: a file of %.0f MiB does not fit; %.0f MiB does, with max(10 %%, 2 "
			"GiB) left free",
			t->path, (double)b->c.size_b / 1048576, (double)file / 1048576);
	b->preview.file_b = file;
	b->wal_room_b = spare_b - file;
	return 0;
}

static int
open_target(struct bench *b, struct err *err)
{
	struct safety_allow allow = {.ram = b->c.allow_ram, .network = b->c.allow_network};
	if (!b->c.dir)
		return err_set(err, ERR_USAGE, "no folder to measure");
	int rc = target_open(b->c.dir, &allow, &b->target, err);
	if (rc == 0)
		rc = choose_size(b, safety_spare_b(b->target.total_b, b->target.free_b), err);
	if (rc == 0)
		rc = target_create(&b->target, false, err);
	if (rc == 0 && b->target.dio_offset_b > PLAN_BLOCK_B)
		rc = err_set(err, ERR_UNSUPPORTED,
			"%s: direct I/O needs blocks of %u bytes here; %d are measured",
			b->target.path, b->target.dio_offset_b, PLAN_BLOCK_B);
	return rc;
}

/* The engine asked for; libaio that the machine does not grant becomes psync at depth 1. */
static int
open_engine(struct bench *b, struct err *err)
{
	unsigned depth = plan_depths[PLAN_DEPTHS - 1]; /* more would use up fs.aio-max-nr */
	struct engine_config c = {.fd = b->target.fd,
		.depth = b->engine->depth_max < depth ? b->engine->depth_max : depth,
		.args = b->engine_args,
		.size_b = (int64_t)b->preview.file_b};
	int rc = b->engine->open(&c, &b->run.state, err);
	if (rc == ERR_UNSUPPORTED && !b->engine->simulated) {
		struct err why = err ? *err : (struct err){0};
		rc = engine_find("psync", &b->engine, &c.args, err);
		if (rc == 0)
			rc = b->engine->open(&c, &b->run.state, err);
		if (rc == 0)
			findings_add(&b->findings, SEVERITY_WARNING, "engine-fallback",
				"raise fs.aio-max-nr or stop what uses it up",
				"%s: depth 1 only, by pread and pwrite", why.text);
	}
	b->run.engine = b->engine;
	return rc;
}

static int
open_load(struct bench *b, struct err *err)
{
	struct load_seeds seeds = {.order = b->c.seed, .data = b->c.seed};
	bool sim = b->engine->simulated;
	if (!sim && getrandom(&seeds.data, sizeof(seeds.data), 0) != (ssize_t)sizeof(seeds.data))
		return err_set(err, ERR_IO, "no random numbers from the kernel");
	int rc = load_init(&b->load, b->run, seeds, b->c.stop, err);
	b->has_load = rc == 0;
	return rc;
}

static void
fill_preview(struct bench *b)
{
	struct bench_preview *v = &b->preview;
	const struct target *t = &b->target;
	v->engine = b->engine->name;
	v->simulated = b->engine->simulated;
	v->time_s = b->c.time_s;
	v->write_b = b->c.max_write_b;
	v->busy_frac = NAN;
	if (v->simulated)
		return;
	v->path = t->path;
	v->filesystem = t->fs;
	v->root_disk = t->root_disk;
	if (!t->has_device)
		return;
	v->device_chain = t->chain.text;
	v->busy_frac = watch_busy_frac(
		t->chain.disk, b->c.time_s >= SHORT_RUN_S ? BUSY_LOOK_S : BUSY_LOOK_SHORT_S);
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
	b->target.fd = b->target.dir_fd = b->awake_fd = -1;
	findings_init(&b->findings, a);
	rng_seed(&b->rng, c->seed + 1); /* not the sequence of the offsets */
	rc = select_parse(c->cells, &b->select, err);
	if (rc == 0)
		rc = engine_find(c->engine, &b->engine, &b->engine_args, err);
	if (rc == 0 && b->engine->simulated)
		rc = choose_size(b, (uint64_t)4 << 30, err);
	else if (rc == 0)
		rc = open_target(b, err);
	if (rc == 0)
		rc = open_engine(b, err);
	if (rc == 0)
		rc = open_load(b, err);
	if (rc) {
		bench_close(b);
		return rc;
	}
	fill_preview(b);
	*out = b;
	return 0;
}

const struct bench_preview *
bench_preview(const struct bench *b)
{
	return &b->preview;
}

static void
note_loop(struct bench *b)
{
	const char *file = environment_loop_file(&b->target, b->arena, &b->loop_cached);
	if (b->loop_cached)
		findings_add(&b->findings, SEVERITY_ERROR, "loop-cache",
			"set the loop device up with direct I/O on a disk, or measure that disk",
			"%s is the file %s behind the page cache or in memory: these figures are "
			"of no disk",
			b->target.chain.disk, file);
	else if (file)
		findings_add(&b->findings, SEVERITY_NOTE, "loop-device", NULL,
			"%s is the file %s: the filesystem below it is measured with the disk",
			b->target.chain.disk, file);
}

/* What is worth knowing before the first request. */
static void
note_surroundings(struct bench *b)
{
	struct findings *f = &b->findings;
	if (b->engine->simulated)
		return;
	b->awake_fd = watch_stay_awake();
	if (b->awake_fd < 0)
		findings_add(f, SEVERITY_WARNING, "cpu-sleep",
			"run as a user who may write /dev/cpu_dma_latency",
			"idle processors could not be kept awake: about 0.1 ms of a depth-1 read "
			"and 0.2 ms of a sync may be theirs, not the disk's");
	if (!b->target.has_device)
		findings_add(f, SEVERITY_WARNING, "no-device", NULL,
			"no block device is visible under %s: whether the I/O reaches a disk, and "
			"what others do on it, could not be checked",
			b->target.path);
	note_loop(b);
	const char *limit = environment_io_limit(&b->target, b->arena);
	if (limit)
		findings_add(f, SEVERITY_WARNING, "cgroup-limit",
			"measure outside the control group to see the disk",
			"a control group limits I/O on this device (%s): that is measured, not the "
			"disk",
			limit);
	if (b->preview.busy_frac > BUSY_MAX)
		findings_add(f, SEVERITY_WARNING, "disk-busy",
			"measure again while the disk is idle",
			"others kept the disk busy %.0f %% of the time just before the start",
			100 * b->preview.busy_frac);
	if (b->target.root_disk)
		findings_add(f, SEVERITY_NOTE, "root-disk", NULL,
			"the root filesystem is on the same disk: the system itself shares it");
}

/* A moment `frac` of the way from now to the end. */
static int64_t
ahead(const struct bench *b, double frac)
{
	int64_t now = load_now_ns(&b->load);
	return now + (int64_t)((double)(b->end_ns - now) * frac);
}

static int
save(struct bench *b, struct profile *p, struct err *err)
{
	int rc = b->c.save ? result_build(b, p, err) : 0;
	return rc == 0 && b->c.save ? b->c.save(b->c.ctx, p, err) : rc;
}

/* Each kind of commit that was asked for, the time shared evenly. */
static int
logs(struct bench *b, int64_t end_ns, struct err *err)
{
	int64_t left = (int64_t)select_logs(&b->select);
	int rc = 0;
	for (int kind = 0; kind < PROFILE_PATTERN_COUNT && rc == 0; kind++) {
		if (!b->select.log[kind])
			continue;
		int64_t now = load_now_ns(&b->load);
		rc = wal_run(b, (enum profile_pattern)kind, now + (end_ns - now) / left--, err);
	}
	return rc;
}

/* What a disk that is far too slow for the time leaves out is said; nothing at all is an error. */
static int
check_measured(struct bench *b, struct err *err)
{
	size_t missing = 0;
	for (size_t i = 0; i < b->n_cells; i++)
		missing += b->cells[i].n == 0;
	if (b->suspended)
		findings_add(&b->findings, SEVERITY_NOTE, "suspended", NULL,
			"this process was stopped meanwhile: %llu slices were left out",
			(unsigned long long)b->suspended);
	if (b->late_slices == 0)
		return 0;
	if (missing == b->n_cells && !state_logged(b))
		return err_set(err, ERR_INCONCLUSIVE,
			"nothing could be measured: the disk is too slow for %g s", b->c.time_s);
	if (missing || b->late_logs)
		findings_add(&b->findings, SEVERITY_WARNING, "time-over", "give more --time",
			"%zu cells and %u kinds of commit were left out: the disk is too slow for "
			"%g s",
			missing, b->late_logs, b->c.time_s);
	return 0;
}

static int
phases(struct bench *b, struct profile *p, struct err *err)
{
	int rc = layout_run(b, err);
	if (rc)
		return rc;
	ladder_init(b);
	size_t asked = select_count(&b->select);
	if (asked && b->n_cells == 0)
		return err_set(err, ERR_INCONCLUSIVE,
			"nothing that was asked for can be measured: %.0f MiB could be written in "
			"the time, depth %u is the engine's largest",
			(double)b->area_b / 1048576, b->engine->depth_max);
	/* time without one of the two parts goes to the other */
	double pass1 = asked ? plan_pass1_frac : 0,
	       wal = select_logs(&b->select) ? plan_wal_frac : 0;
	int64_t pass1_end = ahead(b, pass1), wal_end = ahead(b, asked ? pass1 + wal : 1);
	int64_t wal_ns = wal_end - pass1_end; /* is left to the log however slow the disk */
	rc = save(b, p, err);
	if (rc == 0)
		rc = ladder_pass(b, pass1_end, b->end_ns - wal_ns, err);
	int64_t after = load_now_ns(&b->load) + wal_ns;
	wal_end = after > wal_end ? after : wal_end;
	if (rc == 0)
		rc = save(b, p, err);
	if (rc == 0)
		rc = logs(b, wal_end < b->end_ns ? wal_end : b->end_ns, err);
	if (rc == 0)
		rc = save(b, p, err);
	if (rc == 0)
		rc = ladder_pass(b, b->end_ns, b->end_ns, err);
	return rc ? rc : check_measured(b, err);
}

int
bench_run(struct bench *b, struct profile *p, struct err *err)
{
	struct err why = {0}, late = {0};
	char text[21];
	profile_clear(p);
	if (!b->engine->simulated) {
		clock_iso_text(clock_epoch_s(), text);
		b->started = arena_strdup(b->arena, text);
	}
	note_surroundings(b);
	b->plan = plan_make(b->c.time_s, select_count(&b->select));
	b->layout = (struct cell){.op = ENGINE_WRITE, .bs_b = PLAN_LAYOUT_B};
	b->begin_ns = load_now_ns(&b->load);
	b->end_ns = b->begin_ns + (int64_t)(b->c.time_s * 1e9);
	b->repeat_left_s = b->c.time_s * 0.15;
	int rc = phases(b, p, &why);
	if (rc)
		findings_add(&b->findings, SEVERITY_WARNING,
			rc == ERR_INTERRUPTED ? "interrupted" : "failed", "measure again",
			"the measurement ended early: %s", why.text);
	int built = result_build(b, p, &late);
	p->complete = rc == 0 && built == 0;
	if (err && (rc || built))
		*err = rc ? why : late;
	return rc ? rc : built;
}

void
bench_close(struct bench *b)
{
	if (!b)
		return;
	/* requests that never came back still use the buffers and the queue: leave both alone */
	bool stuck = b->has_load && b->load.stuck;
	if (b->run.state && !stuck)
		b->engine->close(b->run.state);
	if (b->has_load)
		load_fini(&b->load);
	b->run.state = NULL;
	if (b->awake_fd >= 0)
		close(b->awake_fd);
	b->awake_fd = -1;
	b->target.hung = stuck;
	target_close(&b->target);
}
