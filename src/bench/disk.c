#include "bench/disk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"
#include "bench/environment.h"

static const double BUSY_LOOK_S = 1.0, BUSY_LOOK_SHORT_S = 0.25, SHORT_RUN_S = 60;
static const double BUSY_MAX = 0.05;

/* Choose the file's size by the space there is. */
static int
choose_size(struct disk *d, uint64_t spare_b, struct err *err)
{
	const struct target *t = &d->target;
	uint64_t file = plan_file_b(d->c->size_b, spare_b, d->c->max_write_b);
	if (file == 0)
		return err_set(err, ERR_REFUSED,
			"%s: %.1f of %.1f GiB are free, of which max(10 %%, 2 GiB) stay free; a "
			"test file of 125 MiB and its log do not fit",
			t->path, (double)t->free_b / 1073741824, (double)t->total_b / 1073741824);
	if (d->c->size_b && file < d->c->size_b - d->c->size_b % (1 << 20))
		return err_set(err, ERR_REFUSED,
			"%s: a file of %.0f MiB does not fit; %.0f MiB does, with max(10 %%, 2 "
			"GiB) left free",
			t->path, (double)d->c->size_b / 1048576, (double)file / 1048576);
	d->preview.file_b = file;
	d->wal_room_b = spare_b - file;
	return 0;
}

static int
open_target(struct disk *d, const char *dir, struct err *err)
{
	struct safety_allow allow = {.ram = d->c->allow_ram, .network = d->c->allow_network};
	if (!dir)
		return err_set(err, ERR_USAGE, "no folder to measure");
	int rc = target_open(dir, &allow, &d->target, err);
	if (rc == 0)
		rc = choose_size(d, safety_spare_b(d->target.total_b, d->target.free_b), err);
	if (rc == 0)
		rc = target_create(&d->target, false, err);
	if (rc == 0 && d->target.dio_offset_b > PLAN_BLOCK_B)
		rc = err_set(err, ERR_UNSUPPORTED,
			"%s: direct I/O needs blocks of %u bytes here; %d are measured",
			d->target.path, d->target.dio_offset_b, PLAN_BLOCK_B);
	if (rc == 0 && d->c->buffered)
		rc = target_make_buffered(&d->target, err);
	return rc;
}

/* The engine asked for; libaio that the machine does not grant becomes psync at depth 1. */
static int
open_engine(struct disk *d, struct err *err)
{
	unsigned depth = plan_depths[PLAN_DEPTHS - 1]; /* more would use up fs.aio-max-nr */
	struct engine_config c = {.fd = d->target.fd,
		.depth = d->engine->depth_max < depth ? d->engine->depth_max : depth,
		.args = d->engine_args,
		.size_b = (int64_t)d->preview.file_b};
	int rc = d->engine->open(&c, &d->run.state, err);
	if (rc == ERR_UNSUPPORTED && !d->engine->simulated) {
		struct err why = err ? *err : (struct err){0};
		rc = engine_find("psync", &d->engine, &c.args, err);
		if (rc == 0)
			rc = d->engine->open(&c, &d->run.state, err);
		if (rc == 0)
			findings_add(&d->findings, SEVERITY_WARNING, "engine-fallback",
				"raise fs.aio-max-nr or stop what uses it up",
				"%s: depth 1 only, by pread and pwrite", why.text);
	}
	d->run.engine = d->engine;
	return rc;
}

static int
open_load(struct disk *d, struct err *err)
{
	struct load_seeds seeds = {.order = d->c->seed, .data = d->c->seed};
	bool sim = d->engine->simulated;
	if (!sim && getrandom(&seeds.data, sizeof(seeds.data), 0) != (ssize_t)sizeof(seeds.data))
		return err_set(err, ERR_IO, "no random numbers from the kernel");
	int rc = load_init(&d->load, d->run, seeds, d->c->stop, err);
	d->has_load = rc == 0;
	return rc;
}

static void
fill_preview(struct disk *d)
{
	struct bench_preview *v = &d->preview;
	const struct target *t = &d->target;
	v->engine = d->engine->name;
	v->simulated = d->engine->simulated;
	v->time_s = d->c->time_s;
	v->write_b = d->c->max_write_b;
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
		t->chain.disk, d->c->time_s >= SHORT_RUN_S ? BUSY_LOOK_S : BUSY_LOOK_SHORT_S);
}

int
disk_open(struct disk *d, const char *dir, const char *engine, struct err *err)
{
	d->target.fd = d->target.dir_fd = -1;
	findings_init(&d->findings, d->arena);
	rng_seed(&d->rng, d->c->seed + 1); /* not the sequence of the offsets */
	d->engine_spec = engine;
	for (size_t i = 0; i < sizeof(d->scratch) / sizeof(d->scratch[0]); i++) {
		d->scratch[i] = arena_alloc(d->arena, sizeof(*d->scratch[i]));
		if (!d->scratch[i])
			return err_nomem(err);
	}
	int rc = engine_find(engine, &d->engine, &d->engine_args, err);
	if (rc == 0 && d->engine->simulated)
		rc = choose_size(d, (uint64_t)4 << 30, err);
	else if (rc == 0)
		rc = open_target(d, dir, err);
	if (rc == 0)
		rc = open_engine(d, err);
	if (rc == 0)
		rc = open_load(d, err);
	if (rc == 0)
		fill_preview(d);
	return rc;
}

static void
note_loop(struct disk *d)
{
	struct environment_loop loop;
	environment_loop_file(&d->target, d->arena, &loop);
	d->loop_cached = loop.cached;
	if (loop.cached && !loop.memory)
		findings_add(&d->findings, SEVERITY_ERROR, "loop-cache",
			"set the loop device up with direct I/O on a disk, or measure that disk",
			"%s is the file %s behind the page cache: these figures are of no disk",
			d->target.chain.disk, loop.file);
	else if (loop.file && !loop.memory)
		findings_add(&d->findings, SEVERITY_NOTE, "loop-device", NULL,
			"%s is the file %s: the filesystem below it is measured with the disk",
			d->target.chain.disk, loop.file);
}

void
disk_note_surroundings(struct disk *d)
{
	struct findings *f = &d->findings;
	evidence_begin(&d->evidence, &d->target);
	if (d->engine->simulated)
		return;
	if (!d->awake)
		findings_add(f, SEVERITY_WARNING, "cpu-sleep",
			"run as a user who may write /dev/cpu_dma_latency",
			"idle processors could not be kept awake: about 0.1 ms of a depth-1 read "
			"and 0.2 ms of a sync may be theirs, not the disk's");
	if (!d->target.has_device)
		findings_add(f, SEVERITY_WARNING, "no-device", NULL,
			"no block device is visible under %s: whether the I/O reaches a disk, and "
			"what others do on it, could not be checked",
			d->target.path);
	note_loop(d);
	if (d->preview.busy_frac > BUSY_MAX)
		findings_add(f, SEVERITY_WARNING, "disk-busy",
			"measure again while the disk is idle",
			"others kept the disk busy %.0f %% of the time just before the start",
			100 * d->preview.busy_frac);
	if (d->target.root_disk)
		findings_add(f, SEVERITY_NOTE, "root-disk", NULL,
			"the root filesystem is on the same disk: the system itself shares it");
}

double
disk_used_s(const struct disk *d)
{
	int64_t turn_ns = d->step_ns >= 0 ? load_now_ns(&d->load) - d->step_ns : 0;
	return (double)(d->used_ns + turn_ns) / 1e9;
}

double
disk_left_s(const struct disk *d)
{
	return d->c->time_s - disk_used_s(d);
}

double
disk_phase_left_s(const struct disk *d)
{
	return d->phase_s + (double)d->phase_used_ns / 1e9 - disk_used_s(d);
}

int64_t
disk_phase_end_ns(const struct disk *d)
{
	return load_now_ns(&d->load) + (int64_t)(disk_phase_left_s(d) * 1e9);
}

uint64_t
disk_write_left_b(const struct disk *d)
{
	return d->c->max_write_b > d->written_b ? d->c->max_write_b - d->written_b : 0;
}

uint64_t
disk_phase_write_left_b(const struct disk *d)
{
	uint64_t used = d->written_b - d->phase_written_b;
	return d->phase_write_b > used ? d->phase_write_b - used : 0;
}

int
disk_resumed(const struct disk *d)
{
	return d->c->resumed ? (int)*d->c->resumed : 0;
}

struct cell *
disk_cell(struct disk *d, enum cell_group group, int rank)
{
	if (d->n_cells == DISK_CELLS_MAX)
		return NULL;
	struct cell *c = &d->cells[d->n_cells++];
	*c = (struct cell){.group = group, .rank = rank};
	return c;
}

void
disk_close(struct disk *d)
{
	/* requests that never came back still use the buffers and the queue: leave both alone */
	bool stuck = d->has_load && d->load.stuck;
	if (d->run.state && !stuck)
		d->engine->close(d->run.state);
	if (d->has_load)
		load_fini(&d->load);
	d->run.state = NULL;
	d->has_load = false;
	d->target.hung = stuck;
	target_close(&d->target);
}
