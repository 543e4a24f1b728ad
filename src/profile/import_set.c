#include "profile/import_set.h"

#include <ctype.h>
#include <string.h>

void
import_set_init(struct import_set *set, struct arena *a, bool together)
{
	*set = (struct import_set){.arena = a, .together = together};
}

int
import_set_add(struct import_set *set, const char *folder, const char *file, struct import *im,
	struct profile *p, struct err *err)
{
	struct import_group *files = arena_grow(
		set->arena, set->files, set->n_files, sizeof(*files));
	if (!files)
		return err_nomem(err);
	set->files = files;
	set->files[set->n_files++] = (struct import_group){folder, import_disk(im), file, 1, im, p};
	return 0;
}

/* Whether `part` is a partition of `disk`: sda1 of sda, nvme0n1p2 of nvme0n1. */
static bool
is_part(const char *disk, const char *part)
{
	size_t n = strlen(disk);
	if (n == 0 || strncmp(disk, part, n) != 0)
		return false;
	part += n;
	if (isdigit((unsigned char)disk[n - 1]) && *part++ != 'p')
		return false;
	return *part && part[strspn(part, "0123456789")] == '\0';
}

/* Programs name a disk as the kernel does, by its path, or by a partition of it. */
static bool
same_disk(const char *a, const char *b)
{
	static const char dev[] = "/dev/";
	if (!a || !b)
		return a == b;
	a += strncmp(a, dev, sizeof(dev) - 1) == 0 ? sizeof(dev) - 1 : 0;
	b += strncmp(b, dev, sizeof(dev) - 1) == 0 ? sizeof(dev) - 1 : 0;
	return strcmp(a, b) == 0 || is_part(a, b) || is_part(b, a);
}

/* The disk that all files of the folder name that name one; NULL: none does, or they differ. */
static const char *
only_disk(const struct import_set *set, const char *folder)
{
	const char *only = NULL;
	for (size_t i = 0; i < set->n_files; i++) {
		const struct import_group *f = &set->files[i];
		if (!f->disk || strcmp(f->folder, folder) != 0)
			continue;
		if (only && !same_disk(only, f->disk))
			return NULL;
		only = f->disk;
	}
	return only;
}

static void
settle_unknown(struct import_set *set)
{
	const char *folder = NULL, *disk = NULL;
	for (size_t i = 0; i < set->n_files; i++) {
		struct import_group *f = &set->files[i];
		if (f->disk)
			continue;
		/* files of one folder follow one another */
		if (!folder || strcmp(folder, f->folder) != 0) {
			folder = f->folder;
			disk = only_disk(set, folder);
		}
		f->disk = disk;
	}
}

static bool
belong(const struct import_group *g, const struct import_group *file)
{
	return same_disk(g->disk, file->disk) && strcmp(g->folder, file->folder) == 0;
}

static int
put(struct import_set *set, const struct import_group *file, struct err *err)
{
	size_t i = set->n;
	while (i > 0 && !set->together && !belong(&set->groups[i - 1], file))
		i--;
	if (i > 0) {
		struct import_group *g = &set->groups[i - 1];
		g->n_files++;
		return import_join(g->import, file->import, err);
	}
	struct import_group *groups = arena_grow(set->arena, set->groups, set->n, sizeof(*groups));
	if (!groups)
		return err_nomem(err);
	set->groups = groups;
	set->groups[set->n++] = *file;
	return 0;
}

int
import_set_join(struct import_set *set, struct err *err)
{
	int rc = 0;
	settle_unknown(set);
	for (size_t i = 0; i < set->n_files && rc == 0; i++)
		rc = put(set, &set->files[i], err);
	return rc;
}
