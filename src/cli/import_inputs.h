/*
 * import_inputs.h - the files that the arguments of import stand for: themselves, or, of a folder, the
 * regular files in it and below.
 */
#ifndef CLI_IMPORT_INPUTS_H
#define CLI_IMPORT_INPUTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/err.h"

enum { INPUTS_MAX = 20000, INPUT_DEPTH_MAX = 16 };

struct input {
	const char *path; /* "-": standard input */
	const char *folder, *name; /* its two parts; "" and "standard input" */
	const char *same_as; /* an earlier path of the same file; NULL: read it */
	const char *problem; /* it cannot be read, and why; NULL: try */
	bool regular; /* then dev and ino tell the file */
	dev_t dev;
	ino_t ino;
};

struct inputs {
	struct arena *arena;
	struct input *items;
	size_t n;
};

void inputs_init(struct inputs *in, struct arena *a);

/*
 * Add a file as it is, or the files of a folder, sorted by name, folders within it in their turn;
 * names that start with a point, links to folders, and what is no regular file are passed over.
 * ERR_USAGE for an empty name, ERR_NOT_FOUND when a folder holds no file, ERR_RANGE when there are too many, ERR_IO, ERR_NOMEM.
 */
int inputs_add(struct inputs *in, const char *argument, struct err *err);

/* Whether all lie in one folder. */
bool inputs_one_folder(const struct inputs *in);

#endif /* CLI_IMPORT_INPUTS_H */
