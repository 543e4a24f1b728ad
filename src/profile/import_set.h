/*
 * import_set.h - many files of several disks and sweeps: which of them make one profile.
 *
 * Files belong together when they lie in one folder and name the same disk (import_disk()), be it as
 * the kernel does, by its path, or by a partition.  A file
 * that names none goes with the others of its folder when those name one disk, else it stays with
 * its like.  Version, engine and options do not part them: a commit test by psync beside a sweep by
 * libaio is of one disk, and the profile names both.
 */
#ifndef PROFILE_IMPORT_SET_H
#define PROFILE_IMPORT_SET_H

#include "profile/import.h"

struct import_group {
	const char *folder, *disk; /* disk: NULL when not known */
	const char *file; /* the first one's name */
	size_t n_files;
	struct import *import;
	struct profile *profile; /* what it makes */
};

struct import_set {
	struct arena *arena;
	bool together; /* everything is one group */
	struct import_group *files; /* a group of one for each file */
	size_t n_files;
	struct import_group *groups; /* after import_set_join() */
	size_t n;
};

void import_set_init(struct import_set *set, struct arena *a, bool together);
/* A file that was accepted, alone in its import; the texts are borrowed. */
int import_set_add(struct import_set *set, const char *folder, const char *file, struct import *im,
	struct profile *p, struct err *err);
/* Form the groups, in the order of their first files. */
int import_set_join(struct import_set *set, struct err *err);

#endif /* PROFILE_IMPORT_SET_H */
