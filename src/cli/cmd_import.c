/*
 * cmd_import.c - `tierwise import FILE|DIR...`: results of fio, pg_test_fsync and ioping into a profile for each
 * disk and sweep.
 *
 * A refused file does not stop the others.  Exit status: 0 every file was accepted; 1 a file could
 * not be read or the profile not written; 2 a file was refused (the rest is still written), or none
 * was accepted (nothing is written).
 */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/exit.h"
#include "cli/import_out.h"

enum { KEY_NAME = 0x2000, KEY_DEVICE, KEY_FAMILY, KEY_SKU, KEY_TOGETHER, KEY_KEEP_FAILED };

static const struct argp_option options[] = {
	{"name", KEY_NAME, "TEXT", 0,
		"What to call the disk (default: the folder of several files, the file's own name "
		"without suffix)",
		1},
	{"device", KEY_DEVICE, "KIND", 0,
		"hdd, ssd, nvme, raid-hdd, raid-ssd, network or cloud (default: unknown)", 1},
	{"family", KEY_FAMILY, "TEXT", 0, "Tier it stands for, as in azure/premium_ssd", 1},
	{"sku", KEY_SKU, "TEXT", 0, "Exact SKU it stands for", 1},
	{"together", KEY_TOGETHER, NULL, 0,
		"All files are of one disk: one profile, whatever their folders and devices", 1},
	{"keep-failed", KEY_KEEP_FAILED, NULL, 0,
		"Take jobs that ended with an error, too, where they moved data", 1},
	{0},
};

struct arguments {
	struct cli_common common;
	struct import_out out;
	char **files; /* arguments */
	size_t n_files;
	struct inputs inputs; /* the files that they stand for */
	bool by_path; /* cells say the whole path of their file */
	bool keep_failed;
};

/* A name of nothing hides that none was meant. */
static const char *
said(struct argp_state *state, const char *option, const char *text)
{
	if (text[strspn(text, " \t\r\n")] == '\0')
		argp_error(state, "%s \"%s\": a name is expected", option, text);
	return text;
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case KEY_NAME:
		a->out.name = said(state, "--name", arg);
		return 0;
	case KEY_DEVICE:
		a->out.device = names_find(&profile_device_names, arg);
		if (a->out.device < 0)
			argp_error(state,
				"--device %s: hdd, ssd, nvme, raid-hdd, raid-ssd, "
				"network or cloud",
				arg);
		return 0;
	case KEY_FAMILY:
		a->out.family = said(state, "--family", arg);
		return 0;
	case KEY_SKU:
		a->out.sku = said(state, "--sku", arg);
		return 0;
	case KEY_TOGETHER:
		a->out.together = true;
		return 0;
	case KEY_KEEP_FAILED:
		a->keep_failed = true;
		return 0;
	case ARGP_KEY_ARGS:
		a->files = state->argv + state->next;
		a->n_files = (size_t)(state->argc - state->next);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(
			state, "no file given: results, folders of them, or - for standard input");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void
report_file(struct arguments *a, const char *path, const struct import_outcome *file)
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
	size_t accepted, refused, unreadable, repeated;
};

/* A refusal is the answer for that file, so --quiet does not silence it. */
static void
report_failure(const char *path, const struct err *err, struct outcome *o)
{
	if (err->code == ERR_IO || err->code == ERR_NOMEM) {
		o->unreadable++;
		cli_say("tierwise: %s", err->text);
	} else {
		o->refused++;
		cli_say("%s: refused: %s", path, err->text);
	}
}

static int
import_one(struct arguments *a, struct import_set *set, const struct input *in, struct outcome *o)
{
	struct arena *arena = &a->common.arena;
	struct profile *p = arena_alloc(arena, sizeof(*p));
	struct import *im = p ? import_new(p, arena) : NULL;
	bool piped = strcmp(in->path, "-") == 0;
	const char *shown = piped ? in->name : in->path;
	struct import_outcome file = {0};
	struct err err = {0};
	if (im && a->keep_failed)
		import_keep_failed(im);
	int rc = im ? import_file(im, in->path, a->by_path ? shown : in->name, &file, &err)
		    : err_nomem(&err);
	if (rc == 0)
		rc = import_set_add(set, in->folder, in->name, im, p, &err);
	if (rc) {
		report_failure(shown, &err, o);
		return rc;
	}
	o->accepted++;
	report_file(a, shown, &file);
	return 0;
}

static void
import_files(struct arguments *a, struct import_set *set, struct outcome *o)
{
	for (size_t i = 0; i < a->inputs.n; i++) {
		const struct input *in = &a->inputs.items[i];
		if (in->problem) {
			o->unreadable++;
			cli_say("tierwise: %s: %s", in->path, in->problem);
		} else if (in->same_as) {
			o->repeated++;
			cli_note(&a->common, "%s: the same file as %s, read once", in->path,
				in->same_as);
		} else {
			import_one(a, set, in, o);
		}
	}
}

static int
prepare(struct arguments *a, struct err *err)
{
	a->out.common = &a->common;
	a->out.inputs = &a->inputs;
	int rc = import_out_take_folder(&a->out, err);
	inputs_init(&a->inputs, &a->common.arena);
	for (size_t i = 0; i < a->n_files && rc == 0; i++)
		rc = inputs_add(&a->inputs, a->files[i], err);
	for (size_t i = 0; i < a->inputs.n && rc == 0; i++)
		rc = cli_keep_input(&a->common, a->inputs.items[i].path, err);
	a->by_path = a->out.together && !inputs_one_folder(&a->inputs);
	return rc;
}

static void
print_findings(const struct arguments *a, const struct import_set *set)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct profile *p = set->groups[i].profile;
		if (set->n > 1)
			cli_note(&a->common, "%s:", p->name);
		cli_print_findings(&a->common, p->findings, p->n_findings);
	}
}

static int
import(struct arguments *a)
{
	struct err err = {0};
	struct outcome o = {0};
	struct import_set set;
	if (prepare(a, &err))
		return cli_fail(&a->common, &err);
	import_set_init(&set, &a->common.arena, a->out.together);
	import_files(a, &set, &o);
	if (o.accepted && import_out_write(&a->out, &set, &err))
		return cli_fail(&a->common, &err);
	if (a->common.verbose)
		print_findings(a, &set);
	if (a->inputs.n > 1)
		cli_note(&a->common, "%zu file%s: %zu accepted, %zu refused, %zu not readable",
			a->inputs.n - o.repeated, a->inputs.n - o.repeated == 1 ? "" : "s",
			o.accepted, o.refused, o.unreadable);
	return o.unreadable ? EXIT_RUNTIME : o.refused ? EXIT_BAD_INPUT : EXIT_DONE;
}

static int
run(int argc, char **argv)
{
	static const struct argp_child children[] = {{&cli_common_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.options = options,
		.parser = parse_option,
		.args_doc = "FILE|DIR...",
		.doc = "Read results of fio (JSON or json+ of any version), pg_test_fsync and "
		       "ioping into a profile for each disk and sweep."
		       "\vA folder stands for the regular files in it and below. Files of one "
		       "folder "
		       "that name the same disk become one profile, and a folder given to -o (an "
		       "existing one, or ending in /) takes a file for each; without it several "
		       "are "
		       "listed in a table.\n\n"
		       "One line a file on standard error: accepted, accepted with warnings, or "
		       "refused and why. A refused file does not stop the others.\n\n"
		       "Exit status: 0 every file was accepted; 1 a file could not be read; 2 a "
		       "file was refused.",
		.children = children,
	};
	struct arguments a = {.out.device = -1};
	cli_common_init(&a.common);
	cli_parse(&argp, argc, argv, &a);
	int status = import(&a);
	cli_common_fini(&a.common);
	return status;
}

const struct command cmd_import = {
	.name = "import",
	.args = "FILE|DIR...",
	.summary = "read results of fio, pg_test_fsync, ioping into profiles",
	.run = run,
};
