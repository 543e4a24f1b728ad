#include "cli/import_inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void
inputs_init(struct inputs *in, struct arena *a)
{
	*in = (struct inputs){.arena = a};
}

static const char *
folder_of(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');
	if (!slash)
		return ".";
	return arena_strndup(a, path, slash == path ? 1 : (size_t)(slash - path));
}

static bool
piped_before(const struct inputs *in)
{
	for (size_t i = 0; i < in->n; i++) {
		if (strcmp(in->items[i].path, "-") == 0)
			return true;
	}
	return false;
}

static const struct input *
find_same(const struct inputs *in, const struct stat *st)
{
	for (size_t i = 0; i < in->n; i++) {
		const struct input *other = &in->items[i];
		if (other->regular && other->dev == st->st_dev && other->ino == st->st_ino)
			return other;
	}
	return NULL;
}

/* st: NULL when it could not be looked at, or needs not to be. */
static int
add(struct inputs *in, const char *path, const struct stat *st, const char *problem,
	struct err *err)
{
	if (in->n == INPUTS_MAX)
		return err_set(err, ERR_RANGE, "%s: more than %d files, the most read at once",
			path, INPUTS_MAX);
	struct input *items = arena_grow(in->arena, in->items, in->n, sizeof(*items));
	if (!items)
		return err_nomem(err);
	in->items = items;
	bool piped = strcmp(path, "-") == 0;
	const char *slash = strrchr(path, '/');
	struct input item = {.path = path, .problem = problem};
	item.folder = piped ? "" : folder_of(in->arena, path);
	item.name = piped ? "standard input" : slash ? slash + 1 : path;
	if (!item.folder)
		return err_nomem(err);
	if (piped && piped_before(in))
		item.same_as = "-";
	if (st && S_ISREG(st->st_mode)) {
		const struct input *same = find_same(in, st);
		item.same_as = same ? same->path : NULL;
		item.regular = true;
		item.dev = st->st_dev;
		item.ino = st->st_ino;
	}
	in->items[in->n++] = item;
	return 0;
}

static int
visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* Not alphasort(), whose order depends on the locale. */
static int
by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int walk(struct inputs *in, const char *folder, int depth, struct err *err);

/* A name in a folder: a file, a link to one, or a folder; links to folders could lead round. */
static int
visit(struct inputs *in, const char *path, int depth, struct err *err)
{
	struct stat st;
	if (lstat(path, &st) != 0)
		return add(in, path, NULL, strerror(errno), err);
	if (S_ISDIR(st.st_mode))
		return walk(in, path, depth + 1, err);
	if (S_ISLNK(st.st_mode) && stat(path, &st) != 0)
		return 0; /* to nothing */
	return S_ISREG(st.st_mode) ? add(in, path, &st, NULL, err) : 0;
}

static int
walk(struct inputs *in, const char *folder, int depth, struct err *err)
{
	struct dirent **names = NULL;
	if (depth > INPUT_DEPTH_MAX)
		return add(in, folder, NULL, "folders nested too deep, not looked into", err);
	int n = scandir(folder, &names, visible, by_name), rc = 0;
	if (n < 0)
		return add(in, folder, NULL, strerror(errno), err);
	const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
	for (int i = 0; i < n; i++) {
		char *path = arena_printf(in->arena, "%s%s%s", folder, slash, names[i]->d_name);
		if (rc == 0)
			rc = path ? visit(in, path, depth, err) : err_nomem(err);
		free(names[i]);
	}
	free(names);
	return rc;
}

int
inputs_add(struct inputs *in, const char *argument, struct err *err)
{
	struct stat st;
	size_t before = in->n;
	if (!argument[0])
		return err_set(
			err, ERR_USAGE, "\"\": a name of a file or folder, or - is expected");
	if (strcmp(argument, "-") == 0 || stat(argument, &st) != 0)
		return add(in, argument, NULL, NULL, err);
	if (!S_ISDIR(st.st_mode))
		return add(in, argument, &st, NULL, err);
	int rc = walk(in, argument, 1, err);
	if (rc == 0 && in->n == before)
		rc = err_set(err, ERR_NOT_FOUND, "%s: no file in this folder", argument);
	return rc;
}

bool
inputs_one_folder(const struct inputs *in)
{
	for (size_t i = 1; i < in->n; i++) {
		if (strcmp(in->items[i].folder, in->items[0].folder) != 0)
			return false;
	}
	return true;
}
