/*
 * cmd_doctor.c - `tierwise doctor`: what the program needs of this machine, checked by doing it.
 *
 * A FAIL is something a command needs; UNKNOWN is something that could not be checked, or that only
 * makes a measurement less exact.  Exit 1 when anything failed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "price/book.h"
#include "price/limits.h"
#include "price/meters.h"
#include "profile/profile.h"
#include "rule/rule.h"

enum { PASS, FAIL, UNKNOWN };

static const char *const verdicts[] = {[PASS] = "PASS", [FAIL] = "FAIL", [UNKNOWN] = "UNKNOWN"};

struct result {
	int verdict;
	const char *found; /* what was seen */
	const char *todo; /* NULL: nothing */
};

static struct result
check_aio(struct cli_common *c)
{
	aio_context_t context = 0;
	if (syscall(SYS_io_setup, 32, &context) != 0) {
		return (struct result){FAIL,
			arena_printf(&c->arena, "io_setup: %s", strerror(errno)),
			errno == EAGAIN ? "raise /proc/sys/fs/aio-max-nr"
					: "bench needs a kernel (or container) that allows "
					  "io_setup(2)"};
	}
	syscall(SYS_io_destroy, context);
	return (struct result){PASS, "io_setup for 32 requests works", NULL};
}

/* The full path of a program, or NULL. */
static const char *
find_program(struct cli_common *c, const char *name)
{
	const char *path = getenv("PATH");
	while (path && *path) {
		size_t n = strcspn(path, ":");
		const char *full = arena_printf(
			&c->arena, "%.*s/%s", n ? (int)n : 1, n ? path : ".", name);
		struct stat st;
		if (full && stat(full, &st) == 0 && S_ISREG(st.st_mode) && access(full, X_OK) == 0)
			return full;
		path += n;
		path += *path == ':';
	}
	return NULL;
}

static struct result
check_gnuplot(struct cli_common *c)
{
	const char *path = find_program(c, "gnuplot");
	if (path)
		return (struct result){PASS, path, NULL};
	return (struct result){UNKNOWN, "not found in PATH",
		"install gnuplot (Debian: gnuplot-nox), or reports show data tables without "
		"charts"};
}

static struct result
check_data(struct cli_common *c)
{
	static const char *const needed[] = {
		"pricing", "models", "rules", "reports/html/style.css", "reports/charts"};
	struct err err = {0};
	const char *root = cli_data_path(c, "", &err);
	if (!root)
		return (struct result){FAIL, arena_strdup(&c->arena, err.text), "give --data-dir"};
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		const char *path = cli_data_path(c, needed[i], &err);
		if (!path || !file_exists(path))
			return (struct result){FAIL,
				arena_printf(&c->arena, "%s%s is missing", root, needed[i]),
				"install the data files again, or give --data-dir"};
	}
	return (struct result){PASS, root, NULL};
}

static int
load_prices(const char *path, struct arena *a, struct err *err)
{
	struct price_book book;
	return price_book_load(path, a, &book, NULL, err);
}

static int
load_limits(const char *path, struct arena *a, struct err *err)
{
	struct limits limits;
	return limits_load(path, a, &limits, NULL, err);
}

static int
load_meters(const char *path, struct arena *a, struct err *err)
{
	struct meters meters;
	return meters_load(path, a, &meters, err);
}

static int
load_profile(const char *path, struct arena *a, struct err *err)
{
	struct profile profile;
	return profile_load(path, a, &profile, NULL, err);
}

static int
load_rules(const char *path, struct arena *a, struct err *err)
{
	struct rule_pack pack;
	rule_pack_init(&pack, a);
	return rule_pack_load(&pack, path, err);
}

/* Load one document by the kind it says it is; ERR_UNSUPPORTED when that is none of the data
 * folder's. */
static int
load_document(const char *path, struct arena *a, struct err *err)
{
	static const struct {
		const char *schema;
		int (*load)(const char *path, struct arena *a, struct err *err);
	} kinds[] = {
		{"tierwise/prices/1", load_prices},
		{"tierwise/limits/1", load_limits},
		{"tierwise/meters/1", load_meters},
		{"tierwise/profile/1", load_profile},
		{"tierwise/rules/1", load_rules},
	};
	struct json_doc *doc = NULL;
	int rc = json_load(path, 0, &doc, err);
	if (rc)
		return rc;
	const char *schema = json_text(json_get(json_root(doc), "schema"));
	rc = err_set(err, ERR_UNSUPPORTED, "%s: schema \"%.60s\" is not one of the data folder",
		path, schema ? schema : "none");
	for (size_t i = 0; schema && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(schema, kinds[i].schema) == 0)
			rc = kinds[i].load(path, a, err);
	}
	json_free(doc);
	return rc;
}

/* Load every document of a folder; *n counts those that load. */
static int
load_folder(struct cli_common *c, const char *folder, size_t *n, struct err *err)
{
	const char *path = cli_data_path(c, folder, err);
	if (!path)
		return ERR_NOT_FOUND;
	DIR *dir = opendir(path);
	if (!dir)
		return err_sys(err, errno, "%s", path);
	int rc = 0;
	for (struct dirent *e; rc == 0 && (e = readdir(dir)) != NULL;) {
		const char *dot = strrchr(e->d_name, '.');
		if (!dot || strcmp(dot, ".json") != 0 || e->d_name[0] == '.')
			continue;
		const char *file = arena_printf(&c->arena, "%s/%s", path, e->d_name);
		rc = file ? load_document(file, &c->arena, err) : err_nomem(err);
		*n += rc == 0;
	}
	closedir(dir);
	return rc;
}

static struct result
check_documents(struct cli_common *c)
{
	static const char *const folders[] = {"pricing", "models", "rules"};
	struct err err = {0};
	size_t n = 0;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		if (load_folder(c, folders[i], &n, &err))
			return (struct result){FAIL, arena_strdup(&c->arena, err.text),
				"correct the file, or install the data files again"};
	}
	if (n == 0)
		return (struct result){
			FAIL, "no document", "install the data files again, or give --data-dir"};
	return (struct result){PASS, arena_printf(&c->arena, "%zu documents load", n), NULL};
}

static struct result
check_cpu_latency(struct cli_common *c)
{
	int fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
	if (fd >= 0) {
		close(fd);
		return (struct result){PASS, "/dev/cpu_dma_latency can be held at 0", NULL};
	}
	return (struct result){UNKNOWN,
		arena_printf(&c->arena, "/dev/cpu_dma_latency: %s", strerror(errno)),
		"run bench as root to keep CPUs awake, else light-load latency includes their "
		"wake-up"};
}

static struct result
check_clock(struct cli_common *c)
{
	static const char path[] =
		"/sys/devices/system/clocksource/clocksource0/current_clocksource";
	struct buf text;
	buf_init(&text, 256);
	struct err err = {0};
	int64_t first = clock_ns(), next = first;
	for (int i = 0; i < 1000000 && next == first; i++)
		next = clock_ns();
	struct result r = {UNKNOWN, NULL, "the source of the clock is not known"};
	if (file_read(path, &text, &err) == 0) {
		const char *name = buf_text(&text);
		int n = (int)strcspn(name, "\n");
		bool slow = strncmp(name, "hpet", 4) == 0 || strncmp(name, "acpi_pm", 7) == 0 ||
			    strncmp(name, "jiffies", 7) == 0;
		r.verdict = slow ? FAIL : PASS;
		r.todo = slow ? "boot with a clock the CPU reads itself (tsc, kvm-clock): this one "
				"costs a microsecond or more a reading"
			      : NULL;
		r.found = arena_printf(&c->arena, "%.*s", n, name);
	}
	if (next == first)
		r = (struct result){FAIL, "the monotonic clock does not advance", NULL};
	buf_fini(&text);
	return r;
}

static const struct {
	const char *name, *needed_by;
	struct result (*check)(struct cli_common *c);
} checks[] = {
	{"asynchronous I/O", "bench", check_aio},
	{"CPU wake-up latency", "bench", check_cpu_latency},
	{"monotonic clock", "bench", check_clock},
	{"data folder", "recommend, prices, report", check_data},
	{"data documents", "recommend, prices, rules", check_documents},
	{"gnuplot", "charts of report", check_gnuplot},
};

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	state->child_inputs[0] = state->input;
	return 0;
}

static int
check_all(struct cli_common *c, struct err *err)
{
	static const struct doc_column columns[] = {{"Verdict", DOC_LEFT}, {"Check", DOC_LEFT},
		{"Needed by", DOC_LEFT}, {"Found", DOC_LEFT}, {"What to do", DOC_LEFT}};
	struct doc d;
	size_t failed = 0;
	doc_init(&d, &c->arena, NULL);
	struct doc_table *t = doc_table(&d, "What tierwise needs of this machine", columns,
		sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		struct result r = checks[i].check(c);
		doc_row(&d, t);
		doc_cell(&d, t, 0, "%s", verdicts[r.verdict]);
		doc_cell(&d, t, 1, "%s", checks[i].name);
		doc_cell(&d, t, 2, "%s", checks[i].needed_by);
		doc_cell(&d, t, 3, "%s", r.found ? r.found : "");
		doc_cell(&d, t, 4, "%s", r.todo ? r.todo : "");
		failed += r.verdict == FAIL;
	}
	int rc = cli_output(c, &d, NULL, NULL, err);
	if (rc == 0 && failed)
		rc = err_set(err, ERR_UNSUPPORTED, "%zu of %zu checks failed", failed,
			sizeof(checks) / sizeof(checks[0]));
	return rc;
}

static int
run(int argc, char **argv)
{
	static const struct argp_child children[] = {{.argp = &cli_common_argp}, {0}};
	static const struct argp argp = {.parser = parse_option,
		.doc = "Check what the program needs of this machine, and say what to do.",
		.children = children};
	struct cli_common c;
	cli_common_init(&c);
	cli_parse(&argp, argc, argv, &c);
	struct err err = {0};
	int status = check_all(&c, &err) ? cli_fail(&c, &err) : EXIT_DONE;
	cli_common_fini(&c);
	return status;
}

extern const struct command cmd_doctor;
const struct command cmd_doctor = {
	.name = "doctor",
	.args = "",
	.summary = "check what the program needs of this machine",
	.run = run,
};
