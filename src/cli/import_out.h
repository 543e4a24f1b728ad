/*
 * import_out.h - what import writes: one profile, a profile for each disk and sweep into a folder, or a
 * table of them.
 */
#ifndef CLI_IMPORT_OUT_H
#define CLI_IMPORT_OUT_H

#include "cli/command.h"
#include "cli/import_inputs.h"
#include "profile/import_set.h"

struct import_out {
	struct cli_common *common;
	const struct inputs *inputs; /* none of them is written over */
	const char *name, *family, *sku; /* as given; NULL: not */
	int device; /* enum profile_device; -1: not given */
	bool together; /* all files are of one disk */
	const char *folder; /* -o that is a folder; NULL: none */
};

/* Take the folder out of the common -o; ERR_USAGE when there are two. */
int import_out_take_folder(struct import_out *o, struct err *err);

/* Join and name what was accepted, at least one file, and write it. */
int import_out_write(struct import_out *o, struct import_set *set, struct err *err);

#endif /* CLI_IMPORT_OUT_H */
