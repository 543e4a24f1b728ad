/*
 * cmd_bench.c - tierwise bench DIR...: measure disks.
 *
 * Before a real run it says on stderr what will be written where and for how long.  It asks only on
 * a terminal, and only when the disk is busy already; without a terminal a run of more than a minute
 * needs --yes, since full load hurts whoever shares the disk and nobody is there to see it.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/units.h"
#include "bench/bench.h"
#include "bench/engine.h"
#include "cli/bench_doc.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "profile/profile.h"

enum {
	KEY_TIME = 0x2000,
	KEY_SIZE,
	KEY_MAX_WRITE,
	KEY_ENGINE,
	KEY_SEED,
	KEY_NAME,
	KEY_FAMILY,
	KEY_SKU,
	KEY_TESTS,
	KEY_POLITE,
	KEY_LAYOUT,
	KEY_BUFFERED,
	KEY_RAM,
	KEY_NETWORK,
	KEY_YES,
	BAR_WIDTH = 30,
};

static const double UNATTENDED_S = 60, BUSY_MAX = 0.05;

struct options {
	struct cli_common common;
	struct bench_config config;
	bool yes;
	const char *dirs[BENCH_DISKS_MAX], *engines[BENCH_DISKS_MAX];
};

static const struct argp_option option_rows[] = {
	{"time", KEY_TIME, "SECONDS", 0, "Time for each disk, 5 s to 1 h (default 180)", 0},
	{"size", KEY_SIZE, "SIZE", 0,
		"Size of the test file, 125 MiB or more (default: by free space and time, at most "
		"8 GiB)",
		0},
	{"max-write", KEY_MAX_WRITE, "SIZE", 0, "Most bytes written to a disk (default 16 GiB)", 0},
	{"engine", KEY_ENGINE, "NAME", 0,
		"libaio (default), psync, or sim:read_us=N,write_us=N,fsync_us=N,iops=N,mbps=N,"
		"sigma=N,seed=N,...: a simulated disk, which needs no DIR; null: no disk, to "
		"measure "
		"this program itself; once for all disks or once for each",
		0},
	{"tests", KEY_TESTS, "LIST", 0,
		"Only these of cache, ladder, sizes, commit, mix, load, readahead, hold, compress, "
		"or parts: "
		"randread:N, randwrite:N (depths 1 2 4 ... 128), append, overwrite (default: all)",
		0},
	{"polite", KEY_POLITE, NULL, 0,
		"Rest after every slice: the disk is under load a quarter of the time, and the run "
		"takes four times as long",
		0},
	{"layout", KEY_LAYOUT, "HOW", 0,
		"written (default); sparse or fallocate leave the file unwritten, as careless "
		"benchmarks do, to show what that measures",
		0},
	{"buffered", KEY_BUFFERED, NULL, 0,
		"Go through the page cache, as careless benchmarks do, to show what that measures",
		0},
	{"name", KEY_NAME, "TEXT", 0, "Name of the disk (default: folder and device)", 0},
	{"family", KEY_FAMILY, "TEXT", 0, "Tier it stands for, as in azure/premium_ssd", 0},
	{"sku", KEY_SKU, "TEXT", 0, "Exact size it stands for, as in P30", 0},
	{"seed", KEY_SEED, "N", 0, "Seed of offsets and order (default 1)", 0},
	{"allow-ram", KEY_RAM, NULL, 0, "Measure tmpfs and the like, too", 0},
	{"allow-network", KEY_NETWORK, NULL, 0, "Measure network and FUSE filesystems, too", 0},
	{"yes", KEY_YES, NULL, 0,
		"Do not ask; needed without a terminal for more than 60 s of full load", 0},
	{0},
};

static volatile sig_atomic_t stop_flag, resumed_count;

/* The first signal ends the measurement in order; a second one at once: the file has no name. */
static void
on_signal(int signum)
{
	(void)signum;
	if (stop_flag)
		_exit(EXIT_INTERRUPTED);
	stop_flag = 1;
}

/* Stopped (Ctrl-Z) and going on: what was being timed is void. */
static void
on_continue(int signum)
{
	(void)signum;
	resumed_count = resumed_count < INT_MAX ? resumed_count + 1 : 0;
}

static void
catch_signals(void)
{
	/* no SA_RESTART: a wait for the disk or for an answer ends early */
	struct sigaction act = {.sa_handler = on_signal};
	sigemptyset(&act.sa_mask);
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGHUP, &act, NULL);
	sigaction(SIGXCPU, &act, NULL);
	act.sa_handler = on_continue;
	act.sa_flags = SA_RESTART;
	sigaction(SIGCONT, &act, NULL);
	signal(SIGXFSZ, SIG_IGN); /* a file size limit is an error from write */
}

static void
set_size(const char *name, const char *arg, uint64_t *size_b, struct argp_state *state)
{
	struct err err;
	if (units_parse_size(arg, size_b, &err))
		argp_error(state, "--%s: %s", name, err.text);
}

static void
set_seed(const char *arg, uint64_t *seed, struct argp_state *state)
{
	char *end;
	errno = 0;
	unsigned long long v = strtoull(arg, &end, 10);
	if (end == arg || *end || errno || strchr(arg, '-') || v > (1ULL << 53))
		argp_error(state, "--seed %s: a whole number, 0 to 2^53, expected", arg);
	*seed = v;
}

static void
set_layout(const char *arg, enum bench_layout *layout, struct argp_state *state)
{
	static const char *const names[] = {[BENCH_LAYOUT_WRITTEN] = "written",
		[BENCH_LAYOUT_SPARSE] = "sparse",
		[BENCH_LAYOUT_FALLOCATE] = "fallocate"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(arg, names[i]) == 0) {
			*layout = (enum bench_layout)i;
			return;
		}
	}
	argp_error(state, "--layout %s: written, sparse or fallocate expected", arg);
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;
	struct err err;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->common;
		return 0;
	case KEY_TIME:
		if (units_parse_seconds(arg, &o->config.time_s, &err))
			argp_error(state, "--time: %s", err.text);
		return 0;
	case KEY_SIZE:
		set_size("size", arg, &o->config.size_b, state);
		return 0;
	case KEY_MAX_WRITE:
		set_size("max-write", arg, &o->config.max_write_b, state);
		return 0;
	case KEY_ENGINE:
		if (o->config.n_engines == BENCH_DISKS_MAX)
			argp_error(state, "at most %d engines", BENCH_DISKS_MAX);
		o->engines[o->config.n_engines++] = arg;
		return 0;
	case KEY_TESTS:
		o->config.tests = arg;
		return 0;
	case KEY_POLITE:
		o->config.polite = true;
		return 0;
	case KEY_LAYOUT:
		set_layout(arg, &o->config.layout, state);
		return 0;
	case KEY_BUFFERED:
		o->config.buffered = true;
		return 0;
	case KEY_NAME:
		o->config.name = arg;
		return 0;
	case KEY_FAMILY:
		o->config.family = arg;
		return 0;
	case KEY_SKU:
		o->config.sku = arg;
		return 0;
	case KEY_SEED:
		set_seed(arg, &o->config.seed, state);
		return 0;
	case KEY_RAM:
		o->config.allow_ram = true;
		return 0;
	case KEY_NETWORK:
		o->config.allow_network = true;
		return 0;
	case KEY_YES:
		o->yes = true;
		return 0;
	case ARGP_KEY_ARG:
		if (o->config.n_dirs == BENCH_DISKS_MAX)
			argp_error(state, "at most %d folders", BENCH_DISKS_MAX);
		o->dirs[o->config.n_dirs++] = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {{&cli_common_argp, 0, "Common options:", 90}, {0}};
static const struct argp argp = {
	.options = option_rows,
	.parser = parse_option,
	.args_doc = "DIR [DIR...]",
	.doc = "Measure the disk under each DIR: random reads and writes at depths 1 to 128, block "
	       "sizes from 512 B to 32 MiB, sequential, commits by append and overwrite, mixes, "
	       "load by a schedule, and the same load held.  Several disks take turns slice by "
	       "slice, and are compared.  -o FILE.json saves the profile (one -o for each DIR when "
	       "there are several); without -o a table is printed.  Only a new, nameless file is "
	       "ever written to; nothing stays behind, however the run ends."
	       "\vThe disk is under full load meanwhile: do not do this to a busy production disk. "
	       " On a terminal it asks only when the disk is busy; the first Ctrl-C ends in order "
	       "and keeps what was measured, a second one at once.  The same --seed repeats the "
	       "order of offsets; a simulated run with it is the same to the byte.",
	.children = children,
};

static bool
is_sim(const struct options *o)
{
	const struct engine *engine;
	const char *args;
	return engine_find(o->engines[0], &engine, &args, NULL) == 0 && engine->simulated;
}

/* One progress line a phase, or a bar with the time left on a terminal. */
static void
show_progress(void *ctx, const struct bench_progress *p)
{
	const struct options *o = ctx;
	if (o->common.quiet)
		return;
	if (!isatty(STDERR_FILENO)) {
		if (p->first)
			cli_note(&o->common, "%s, %.0f s left", p->phase, p->left_s);
		return;
	}
	char bar[BAR_WIDTH + 1];
	int filled = (int)(p->done_frac * BAR_WIDTH);
	memset(bar, '.', BAR_WIDTH);
	memset(bar, '#', (size_t)filled);
	bar[BAR_WIDTH] = '\0';
	fprintf(stderr, "\r\033[K[%s] %3.0f %% %4.0f s left  %s", bar, 100 * p->done_frac,
		p->left_s, p->phase);
}

static void
end_progress(const struct options *o)
{
	if (!o->common.quiet && isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

static bool
takes_json(const char *path)
{
	return strcmp(path, "-") != 0 && render_format_of(path) == RENDER_JSON;
}

static size_t
count_disks(const struct options *o)
{
	return o->config.n_dirs ? o->config.n_dirs : o->config.n_engines;
}

/*
 * Several disks: the n-th -o that takes JSON is for the profile of the n-th disk, the others are
 * reports of all.  Whether output i is for that disk.
 */
static bool
is_for(const struct options *o, size_t i, size_t disk)
{
	size_t before = 0;
	for (size_t k = 0; k < i; k++)
		before += takes_json(o->common.outputs.items[k]);
	return count_disks(o) == 1 || before == disk;
}

/* Profiles on their way are saved to the -o files that take JSON. */
static int
save_partial(void *ctx, size_t disk, const struct profile *p, struct err *err)
{
	const struct options *o = ctx;
	for (size_t i = 0; i < o->common.outputs.n; i++) {
		const char *path = o->common.outputs.items[i];
		struct stat st;
		if (!takes_json(path) || !is_for(o, i, disk))
			continue;
		if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
			continue; /* who reads a FIFO wants one document */
		int rc = profile_save(p, path, err);
		if (rc)
			return rc;
	}
	return 0;
}

static void
say_preview(const struct options *o, const struct bench_preview *v)
{
	if (v->simulated)
		return;
	cli_note(&o->common,
		"%s: filesystem %s on %s; a nameless test file of up to %.1f GiB, at most %.1f GiB "
		"written in all, %.0f s",
		v->path, v->filesystem, v->device_chain ? v->device_chain : "no visible device",
		(double)v->file_b / UNITS_GIB, (double)v->write_b / UNITS_GIB, v->time_s);
	cli_note(&o->common,
		"the disk is under full load meanwhile; whoever shares it will "
		"notice%s",
		v->root_disk ? " (it is the root disk)" : "");
	if (v->busy_frac > BUSY_MAX)
		cli_note(&o->common, "warning: others keep the disk busy %.0f %% of the time",
			100 * v->busy_frac);
}

/* 0 to go ahead. */
static int
confirm(const struct options *o, const struct bench_preview *v, struct err *err)
{
	if (o->yes || v->simulated || o->config.polite)
		return 0;
	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return v->time_s <= UNATTENDED_S
			       ? 0
			       : err_set(err, ERR_REFUSED,
					 "more than %.0f s of full load without a terminal: say "
					 "--yes, or give a shorter --time",
					 UNATTENDED_S);
	if (!(v->busy_frac > BUSY_MAX))
		return 0;
	char answer[16] = "";
	fputs("measure all the same? [y/N] ", stderr);
	if (!fgets(answer, sizeof(answer), stdin) || stop_flag)
		return err_set(err, ERR_INTERRUPTED, "interrupted");
	return answer[0] == 'y' || answer[0] == 'Y'
		       ? 0
		       : err_set(err, ERR_REFUSED, "not measured: the disk is busy");
}

/* Say what will be done to each disk, and ask where needed. */
static int
announce(const struct options *o, const struct bench *b, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; i < bench_disks(b) && rc == 0; i++) {
		say_preview(o, bench_preview(b, i));
		rc = confirm(o, bench_preview(b, i), err);
	}
	return rc;
}

/* A measurement that is not about the disk is written, and then not called a success. */
static int
check_verdict(const struct profile *p, struct err *err)
{
	if (strcmp(p->quality->verdict, "not-the-disk") != 0)
		return 0;
	return err_set(err, ERR_INCONCLUSIVE, "%s: what was measured is not the disk", p->name);
}

/* Profiles of several disks to an output each, and reports of all of them to the others. */
static int
publish_several(struct options *o, const struct profile *p, size_t n, struct err *err)
{
	struct doc doc;
	struct cli_texts all = o->common.outputs, reports = {0};
	size_t disk = 0;
	int rc = 0;
	const char **items = arena_array(&o->common.arena, all.n + 1, sizeof(*items));
	if (!items)
		return err_nomem(err);
	reports.items = items;
	for (size_t i = 0; i < all.n && rc == 0; i++) {
		if (!takes_json(all.items[i])) {
			items[reports.n++] = all.items[i];
			continue;
		}
		doc_init(&doc, &o->common.arena, "Disk measurement");
		o->common.outputs = (struct cli_texts){.items = all.items + i, .n = 1};
		rc = cli_output(&o->common, &doc, &profile_schema, &p[disk++], err);
	}
	o->common.outputs = reports;
	doc_init(&doc, &o->common.arena, "Disk measurement");
	bench_docs(&doc, p, n, true);
	if (rc == 0 && (reports.n || all.n == 0))
		rc = cli_output(&o->common, &doc, NULL, NULL, err);
	o->common.outputs = all;
	return rc;
}

static int
publish(struct options *o, const struct profile *p, size_t n, struct err *err)
{
	struct doc doc;
	for (size_t i = 0; i < n; i++)
		cli_print_findings(&o->common, p[i].findings, p[i].n_findings);
	if (n > 1)
		return publish_several(o, p, n, err);
	doc_init(&doc, &o->common.arena, "Disk measurement");
	bench_doc(&doc, p);
	return cli_output(&o->common, &doc, &profile_schema, p, err);
}

/* Measure; a partial profile is published as well, and the first error is what counts. */
static int
measure(struct options *o, struct bench *b, struct err *err)
{
	struct err later = {0};
	size_t n = bench_disks(b);
	struct profile *p = arena_array(&o->common.arena, n, sizeof(*p));
	if (!p)
		return err_nomem(err);
	int rc = bench_run(b, p, err);
	bool filled = true;
	end_progress(o);
	for (size_t i = 0; i < n; i++)
		filled = filled && p[i].quality;
	int written = filled ? publish(o, p, n, &later) : 0;
	for (size_t i = 0; i < n && written == 0 && filled; i++)
		written = check_verdict(&p[i], &later);
	if (rc == 0 && written)
		*err = later;
	return rc ? rc : written;
}

static int
run_all(struct options *o, struct err *err)
{
	struct bench *b = NULL;
	struct err mine = {0};
	int rc = bench_open(&o->config, &o->common.arena, &b, &mine);
	if (rc == 0)
		mine = (struct err){0}; /* what was got over (libaio refused, psync used) is none */
	if (rc == 0)
		rc = announce(o, b, &mine);
	if (rc == 0)
		rc = measure(o, b, &mine);
	bench_close(b);
	*err = mine;
	return rc;
}

/* A measurement that cannot be saved is found out before it, not after. */
static int
check_outputs(const struct options *o, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; i < o->common.outputs.n && rc == 0; i++)
		rc = file_probe(o->common.outputs.items[i], err);
	return rc;
}

static int
check_usage(const struct options *o, struct err *err)
{
	if (o->config.n_dirs == 0 && !is_sim(o))
		return err_set(err, ERR_USAGE, "bench: give a folder on the disk to measure");
	size_t json = 0, n = count_disks(o);
	for (size_t i = 0; i < o->common.outputs.n; i++)
		json += takes_json(o->common.outputs.items[i]);
	if (n > 1 && json && json != n)
		return err_set(err, ERR_USAGE,
			"bench: %zu disks and %zu -o files of JSON: one for each disk, in the same "
			"order, or none (other formats hold all of them)",
			n, json);
	return 0;
}

static int
run(int argc, char **argv)
{
	struct options o = {.config = {.time_s = BENCH_TIME_S,
				    .max_write_b = BENCH_MAX_WRITE_B,
				    .seed = 1,
				    .tool = "tierwise " TIERWISE_VERSION,
				    .stop = &stop_flag,
				    .resumed = &resumed_count,
				    .progress = show_progress,
				    .save = save_partial}};
	cli_common_init(&o.common);
	cli_parse(&argp, argc, argv, &o);
	if (o.config.n_engines == 0)
		o.engines[o.config.n_engines++] = "libaio";
	o.config.dirs = o.dirs;
	o.config.engines = o.engines;
	o.config.ctx = &o;
	catch_signals();
	struct err err = {0};
	int rc = check_usage(&o, &err);
	if (rc == 0)
		rc = check_outputs(&o, &err);
	if (rc == 0)
		rc = run_all(&o, &err);
	int status = rc ? cli_fail(&o.common, &err) : EXIT_DONE;
	cli_common_fini(&o.common);
	return status;
}

const struct command cmd_bench = {
	.name = "bench",
	.args = "DIR [DIR...]",
	.summary = "measure disks: latency, IOPS and commit time, into a profile",
	.run = run,
};
