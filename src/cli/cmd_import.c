/*
 * cmd_import.c - `tierwise import FILE...`: fio results into one profile.
 *
 * A refused file does not stop the others.  Exit status: 0 every file was accepted; 1 a file could
 * not be read or the profile not written; 2 a file was refused (the rest is still written), or none
 * was accepted (nothing is written).
 */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/exit.h"
#include "cli/profile_doc.h"
#include "profile/fio.h"

enum { KEY_NAME = 0x2000, KEY_DEVICE, KEY_FAMILY, KEY_SKU };

static const struct argp_option options[] = {
	{"name", KEY_NAME, "TEXT", 0,
		"What to call the disk (default: the folder of several files, the file's own name "
		"without suffix)",
		1},
	{"device", KEY_DEVICE, "KIND", 0,
		"hdd, ssd, nvme, raid-hdd, raid-ssd, network or cloud (default: unknown)", 1},
	{"family", KEY_FAMILY, "TEXT", 0, "Tier it stands for, as in azure/premium_ssd", 1},
	{"sku", KEY_SKU, "TEXT", 0, "Exact SKU it stands for", 1},
	{0},
};

struct arguments {
	struct cli_common common;
	const char *name, *family, *sku;
	int device;
	char **files;
	size_t n_files;
};

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case KEY_NAME:
		a->name = arg;
		return 0;
	case KEY_DEVICE:
		a->device = names_find(&profile_device_names, arg);
		if (a->device < 0)
			argp_error(state,
				"--device %s: hdd, ssd, nvme, raid-hdd, raid-ssd, "
				"network or cloud",
				arg);
		return 0;
	case KEY_FAMILY:
		a->family = arg;
		return 0;
	case KEY_SKU:
		a->sku = arg;
		return 0;
	case ARGP_KEY_ARGS:
		a->files = state->argv + state->next;
		a->n_files = (size_t)(state->argc - state->next);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no file given: fio results, or - for standard input");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* dirname() and basename() write into their argument. */
static const char *
folder_of(struct arena *a, const char *path)
{
	char *copy = arena_strdup(a, path);
	return copy ? dirname(copy) : "";
}

static const char *
last_part(struct arena *a, const char *path)
{
	char *copy = arena_strdup(a, path);
	return copy ? basename(copy) : "";
}

static bool
one_folder(struct arguments *a)
{
	struct arena *arena = &a->common.arena;
	const char *first = folder_of(arena, a->files[0]);
	for (size_t i = 1; i < a->n_files; i++) {
		if (strcmp(folder_of(arena, a->files[i]), first) != 0)
			return false;
	}
	return true;
}

static const char *
default_name(struct arguments *a, bool together)
{
	struct arena *arena = &a->common.arena;
	char full[PATH_MAX];
	if (strcmp(a->files[0], "-") == 0)
		return "standard input";
	if (a->n_files > 1 && !together)
		return "several folders";
	if (a->n_files > 1 && realpath(folder_of(arena, a->files[0]), full))
		return last_part(arena, full);
	char *stem = arena_strdup(arena, last_part(arena, a->files[0]));
	char *dot = stem ? strrchr(stem, '.') : NULL;
	if (dot && dot != stem)
		*dot = '\0';
	return stem ? stem : "";
}

static void
report_file(struct arguments *a, const char *path, const struct fio_file *file)
{
	char refused[64] = "";
	if (file->n_refused)
		snprintf(refused, sizeof(refused), ", %zu job%s left out", file->n_refused,
			file->n_refused == 1 ? "" : "s");
	cli_note(&a->common, "%s: accepted%s (%zu cell%s, %zu sync%s%s)%s%s", path,
		file->n_warnings ? " with warnings" : "", file->n_cells,
		file->n_cells == 1 ? "" : "s", file->n_syncs, file->n_syncs == 1 ? "" : "s",
		refused, file->n_warnings ? ": " : "", file->codes);
}

struct outcome {
	size_t accepted, refused, unreadable;
};

/* A refusal is the answer for that file, so --quiet does not silence it. */
static void
import_files(struct arguments *a, struct fio_import *im, bool together, struct outcome *o)
{
	for (size_t i = 0; i < a->n_files; i++) {
		const char *path = a->files[i];
		bool from_stdin = strcmp(path, "-") == 0;
		const char *name = from_stdin ? "standard input"
				   : together ? last_part(&a->common.arena, path)
					      : path;
		struct fio_file file;
		struct err err = {0};
		if (fio_import_file(im, path, name, &file, &err) == 0) {
			o->accepted++;
			report_file(a, from_stdin ? name : path, &file);
		} else if (err.code == ERR_IO || err.code == ERR_NOMEM) {
			o->unreadable++;
			fprintf(stderr, "tierwise: %s\n", err.text);
		} else {
			o->refused++;
			fprintf(stderr, "%s: refused: %s\n", from_stdin ? name : path, err.text);
		}
	}
}

static int
write_profile(struct arguments *a, struct fio_import *im, struct profile *p, bool together,
	struct err *err)
{
	int rc = fio_import_finish(im, err);
	if (rc)
		return rc;
	struct doc d;
	p->name = a->name ? a->name : default_name(a, together);
	p->device = a->device;
	p->family = a->family;
	p->sku = a->sku;
	p->source = a->n_files == 1 ? last_part(&a->common.arena, a->files[0]) : p->name;
	doc_init(&d, &a->common.arena, p->name);
	profile_doc(&d, p);
	return cli_output(&a->common, &d, &profile_schema, p, err);
}

static int
import(struct arguments *a)
{
	struct profile p;
	struct err err = {0};
	struct outcome o = {0};
	bool together = one_folder(a);
	for (size_t i = 0; i < a->n_files; i++) {
		if (cli_keep_input(&a->common, a->files[i], &err))
			return cli_fail(&a->common, &err);
	}
	struct fio_import *im = fio_import_new(&p, &a->common.arena);
	if (!im) {
		err_nomem(&err);
		return cli_fail(&a->common, &err);
	}
	import_files(a, im, together, &o);
	if (o.accepted && write_profile(a, im, &p, together, &err))
		return cli_fail(&a->common, &err);
	if (a->common.verbose)
		cli_print_findings(&a->common, p.findings, p.n_findings);
	if (a->n_files > 1)
		cli_note(&a->common, "%zu files: %zu accepted, %zu refused, %zu not readable",
			a->n_files, o.accepted, o.refused, o.unreadable);
	return o.unreadable ? EXIT_RUNTIME : o.refused ? EXIT_BAD_INPUT : EXIT_DONE;
}

static int
run(int argc, char **argv)
{
	static const struct argp_child children[] = {{&cli_common_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.options = options,
		.parser = parse_option,
		.args_doc = "FILE...",
		.doc = "Read fio results (JSON or json+) into one profile."
		       "\vOne line a file on standard error: accepted, accepted with warnings, or "
		       "refused and why. A refused file does not stop the others.\n\n"
		       "Exit status: 0 every file was accepted; 1 a file could not be read; 2 a "
		       "file was refused.",
		.children = children,
	};
	struct arguments a = {.device = -1};
	cli_common_init(&a.common);
	cli_parse(&argp, argc, argv, &a);
	int status = import(&a);
	cli_common_fini(&a.common);
	return status;
}

const struct command cmd_import = {
	.name = "import",
	.args = "FILE...",
	.summary = "read fio results into a profile",
	.run = run,
};
