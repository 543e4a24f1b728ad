#include "bench/devchain.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEVELS_MAX = 8 };

/* Copy a name that fits; false when it does not. */
static bool
copy_name(char out[DEVCHAIN_NAME], const char *name)
{
	size_t n = strlen(name);
	if (n == 0 || n >= DEVCHAIN_NAME)
		return false;
	memcpy(out, name, n + 1);
	return true;
}

static void
append(struct devchain *c, const char *before, const char *name)
{
	size_t n = strlen(c->text);
	snprintf(c->text + n, sizeof(c->text) - n, "%s%s", before, name);
}

/* Where /sys/class/block/NAME points to, resolved. */
static bool
device_folder(const char *sys_root, const char *name, char resolved[PATH_MAX])
{
	char path[PATH_MAX];
	int n = snprintf(path, sizeof(path), "%s/class/block/%s", sys_root, name);
	return n > 0 && (size_t)n < sizeof(path) && realpath(path, resolved) != NULL;
}

/* The disk a partition is on; false when the device is not a partition. */
static bool
disk_of_partition(const char *sys_root, const char *name, char parent[DEVCHAIN_NAME])
{
	char folder[PATH_MAX], flag[PATH_MAX + 16];
	if (!device_folder(sys_root, name, folder))
		return false;
	snprintf(flag, sizeof(flag), "%s/partition", folder);
	if (access(flag, F_OK) != 0)
		return false;
	char *slash = strrchr(folder, '/');
	if (!slash)
		return false;
	*slash = '\0';
	slash = strrchr(folder, '/');
	return slash && copy_name(parent, slash + 1);
}

/* Devices below (slaves/): the first by name, and how many. */
static int
below(const char *sys_root, const char *name, char first[DEVCHAIN_NAME], struct devchain *list)
{
	char folder[PATH_MAX], path[PATH_MAX + 16];
	if (!device_folder(sys_root, name, folder))
		return 0;
	snprintf(path, sizeof(path), "%s/slaves", folder);
	struct dirent **entries = NULL;
	int n = scandir(path, &entries, NULL, alphasort), count = 0;
	for (int i = 0; i < n; i++) {
		if (entries[i]->d_name[0] != '.') {
			if (count == 0)
				copy_name(first, entries[i]->d_name);
			if (list)
				append(list, count ? ", " : " < (", entries[i]->d_name);
			count++;
		}
		free(entries[i]);
	}
	free(entries);
	if (list && count)
		append(list, ")", "");
	return count;
}

bool
devchain_read(const char *sys_root, unsigned major, unsigned minor, struct devchain *chain)
{
	char path[PATH_MAX], folder[PATH_MAX], next[DEVCHAIN_NAME] = "";
	memset(chain, 0, sizeof(*chain));
	snprintf(path, sizeof(path), "%s/dev/block/%u:%u", sys_root, major, minor);
	if (!realpath(path, folder))
		return false;
	const char *slash = strrchr(folder, '/');
	if (!slash || !copy_name(chain->top, slash + 1))
		return false;
	memcpy(chain->disk, chain->top, sizeof(chain->disk));
	append(chain, "", chain->top);
	for (int level = 0; level < LEVELS_MAX; level++) {
		if (!disk_of_partition(sys_root, chain->disk, next)) {
			int n = below(sys_root, chain->disk, next, NULL);
			chain->forked = n > 1;
			if (n > 1)
				below(sys_root, chain->disk, next, chain);
			if (n != 1)
				break;
		}
		memcpy(chain->disk, next, sizeof(chain->disk));
		append(chain, " < ", next);
	}
	return true;
}

bool
devchain_attribute(
	const char *sys_root, const char *device, const char *attribute, char *text, unsigned size)
{
	char path[PATH_MAX];
	snprintf(path, sizeof(path), "%s/class/block/%s/%s", sys_root, device, attribute);
	FILE *f = fopen(path, "re");
	bool got = f && fgets(text, (int)size, f);
	if (f)
		fclose(f);
	if (!got)
		return false;
	size_t n = strlen(text);
	while (n > 0 && strchr(" \n\t", text[n - 1]))
		text[--n] = '\0';
	return true;
}
