#include "cli/import_out.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/profile_doc.h"

static const char *
last_part(struct arena *a, const char *path)
{
	char *copy = arena_strdup(a, path);
	return copy ? basename(copy) : "";
}

static const char *
stem_of(struct arena *a, const char *file)
{
	char *stem = arena_strdup(a, file);
	char *dot = stem ? strrchr(stem, '.') : NULL;
	if (dot && dot != stem)
		*dot = '\0';
	return stem ? stem : "";
}

/* Last part of a folder's name, also of "." and "..". */
static const char *
folder_name(struct arena *a, const char *folder)
{
	char full[PATH_MAX];
	return last_part(a, realpath(folder, full) ? full : folder);
}

/* What to call the profile of a group when it is the only one. */
static const char *
single_name(struct import_out *o, const struct import_group *g)
{
	struct arena *arena = &o->common->arena;
	if (o->name)
		return o->name;
	if (o->inputs->n == 1 || !g->folder[0])
		return stem_of(arena, g->file);
	if (o->together && !inputs_one_folder(o->inputs))
		return "several folders";
	return folder_name(arena, g->folder);
}

/* Whether another group has the same folder, or the same name of a folder. */
static bool
shared(const struct import_set *set, const struct import_group *g, const char *names[])
{
	for (size_t i = 0; i < set->n; i++) {
		const struct import_group *other = &set->groups[i];
		if (other == g)
			continue;
		if (names ? strcmp(names[i], names[g - set->groups]) == 0
			  : strcmp(other->folder, g->folder) == 0)
			return true;
	}
	return false;
}

/*
 * Names of several groups: the folder's, with the folder above where two have one name, the disk where
 * one folder has several, and a number where that is not enough.
 */
static int
name_groups(struct import_out *o, struct import_set *set, struct err *err)
{
	struct arena *arena = &o->common->arena;
	const char **names = arena_array(arena, set->n, sizeof(*names));
	if (!names)
		return err_nomem(err);
	for (size_t i = 0; i < set->n; i++)
		names[i] = set->groups[i].folder[0] ? folder_name(arena, set->groups[i].folder)
						    : set->groups[i].file;
	for (size_t i = 0; i < set->n; i++) {
		const struct import_group *g = &set->groups[i];
		const char *disk = g->disk && g->disk[0] ? last_part(arena, g->disk) : "unknown";
		bool disks = shared(set, g, NULL), folders = shared(set, g, names) && !disks;
		const char *above = arena_printf(arena, "%s/..", g->folder);
		g->profile->name = arena_printf(arena, "%s%s%s%s%s",
			folders && above ? folder_name(arena, above) : "", folders ? "-" : "",
			names[i], disks ? "-" : "", disks ? disk : "");
	}
	for (size_t i = 0; i < set->n; i++) {
		size_t n = 1;
		for (size_t k = 0; k < i; k++)
			n += strcmp(set->groups[k].profile->name, set->groups[i].profile->name) ==
			     0;
		if (n > 1)
			set->groups[i].profile->name = arena_printf(
				arena, "%s-%zu", set->groups[i].profile->name, n);
	}
	return 0;
}

static int
finish_groups(struct import_out *o, struct import_set *set, struct err *err)
{
	for (size_t i = 0; i < set->n; i++) {
		struct import_group *g = &set->groups[i];
		int rc = import_finish(g->import, err);
		if (rc)
			return rc;
		g->profile->device = o->device;
		g->profile->family = o->family;
		g->profile->sku = o->sku;
	}
	if (set->n > 1)
		return name_groups(o, set, err);
	set->groups[0].profile->name = single_name(o, &set->groups[0]);
	return 0;
}

static void
set_source(struct import_group *g)
{
	g->profile->source = g->n_files == 1 ? g->file : g->profile->name;
}

/* A file name from a profile's: what a shell or a file system may stumble over becomes "_". */
static char *
group_path(struct import_out *o, const struct profile *p)
{
	struct arena *arena = &o->common->arena;
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789._-";
	char *name = arena_strdup(arena, p->name[0] ? p->name : "disk");
	for (char *c = name; c && *c; c++) {
		if (!strchr(allowed, *c) || (c == name && (*c == '.' || *c == '-')))
			*c = '_';
	}
	size_t n = strlen(o->folder);
	return name ? arena_printf(arena, "%s%s%.200s.json", o->folder,
			      n && o->folder[n - 1] == '/' ? "" : "/", name)
		    : NULL;
}

/* The folder may be the one that was read. */
static int
keep_inputs(const struct import_out *o, const char *path, struct err *err)
{
	struct stat st;
	if (stat(path, &st) != 0)
		return 0;
	for (size_t i = 0; i < o->inputs->n; i++) {
		const struct input *in = &o->inputs->items[i];
		if (in->regular && in->dev == st.st_dev && in->ino == st.st_ino)
			return err_set(err, ERR_USAGE,
				"-o %s: %s is an input and would be lost: choose another folder",
				o->folder, path);
	}
	return 0;
}

static int
write_folder(struct import_out *o, const struct import_set *set, struct err *err)
{
	const char **paths = arena_array(&o->common->arena, set->n, sizeof(*paths));
	if (!paths)
		return err_nomem(err);
	for (size_t i = 0; i < set->n; i++) {
		paths[i] = group_path(o, set->groups[i].profile);
		int rc = paths[i] ? keep_inputs(o, paths[i], err) : err_nomem(err);
		if (rc)
			return rc;
	}
	if (mkdir(o->folder, 0777) != 0 && errno != EEXIST)
		return err_sys(err, errno, "-o %s", o->folder);
	for (size_t i = 0; i < set->n; i++) {
		int rc = profile_save(set->groups[i].profile, paths[i], err);
		if (rc)
			return rc;
		cli_note(o->common, "wrote %s", paths[i]);
	}
	return 0;
}

/* A table of the groups. */
static void
groups_doc(struct doc *d, const struct import_set *set)
{
	static const struct doc_column columns[] = {
		{"Profile", DOC_LEFT},
		{"Disk", DOC_LEFT},
		{"Tool", DOC_LEFT},
		{"Engine", DOC_LEFT},
		{"Files", DOC_RIGHT},
		{"Cells", DOC_RIGHT},
		{"Syncs", DOC_RIGHT},
		{"Findings", DOC_RIGHT},
		{"Folder", DOC_LEFT},
	};
	struct doc_table *t = doc_table(
		d, "One profile a disk and sweep", columns, sizeof(columns) / sizeof(columns[0]));
	t->detail = UINT64_C(1) << (sizeof(columns) / sizeof(columns[0]) - 1);
	for (size_t i = 0; i < set->n; i++) {
		const struct import_group *g = &set->groups[i];
		const struct profile *p = g->profile;
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", p->name);
		doc_cell(d, t, 1, "%s", !g->disk ? "unknown" : g->disk[0] ? g->disk : "several");
		doc_cell(d, t, 2, "%s", p->tool ? p->tool : "unknown");
		doc_cell(d, t, 3, "%s",
			p->method && p->method->engine ? p->method->engine : "unknown or several");
		doc_cell(d, t, 4, "%zu", g->n_files);
		doc_cell(d, t, 5, "%zu", p->n_cells);
		doc_cell(d, t, 6, "%zu", p->n_syncs);
		doc_cell(d, t, 7, "%zu", p->n_findings);
		doc_cell(d, t, 8, "%s", g->folder);
	}
}

/* What was asked for of one disk cannot be had of several. */
static int
check_several(const struct import_out *o, const struct import_set *set, struct err *err)
{
	bool printed = o->common->outputs.n > 0 || !o->folder;
	if (o->name)
		return err_set(err, ERR_USAGE,
			"--name %s is of one disk, and these are %zu disks or sweeps; --together "
			"if "
			"they are one",
			o->name, set->n);
	if (printed && cli_json_asked(o->common))
		return err_set(err, ERR_USAGE,
			"%zu disks or sweeps, and json is of one: a folder takes a file for each "
			"(-o DIR/); --together if they are one disk",
			set->n);
	return 0;
}

static int
write_groups(struct import_out *o, const struct import_set *set, struct err *err)
{
	struct doc d;
	doc_init(&d, &o->common->arena, "Imported results");
	groups_doc(&d, set);
	doc_paragraph(&d, "-o DIR/ writes each to a file of its own.");
	return cli_output(o->common, &d, NULL, NULL, err);
}

static int
write_single(struct import_out *o, struct profile *p, struct err *err)
{
	struct doc d;
	doc_init(&d, &o->common->arena, p->name);
	profile_doc(&d, p);
	return cli_output(o->common, &d, &profile_schema, p, err);
}

int
import_out_write(struct import_out *o, struct import_set *set, struct err *err)
{
	int rc = import_set_join(set, err);
	if (rc == 0 && set->n > 1)
		rc = check_several(o, set, err);
	if (rc == 0)
		rc = finish_groups(o, set, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < set->n; i++)
		set_source(&set->groups[i]);
	if (o->folder)
		rc = write_folder(o, set, err);
	if (rc || (o->folder && o->common->outputs.n == 0))
		return rc;
	return set->n == 1 ? write_single(o, set->groups[0].profile, err)
			   : write_groups(o, set, err);
}

static bool
is_folder(const char *path)
{
	struct stat st;
	size_t n = strlen(path);
	return (n && path[n - 1] == '/') || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

int
import_out_take_folder(struct import_out *o, struct err *err)
{
	struct cli_texts *outputs = &o->common->outputs;
	size_t n = 0;
	for (size_t i = 0; i < outputs->n; i++) {
		if (!is_folder(outputs->items[i])) {
			outputs->items[n++] = outputs->items[i];
			continue;
		}
		if (o->folder)
			return err_set(err, ERR_USAGE, "-o %s and -o %s: one folder is enough",
				o->folder, outputs->items[i]);
		o->folder = outputs->items[i];
	}
	outputs->n = n;
	return 0;
}
