#include "price/pages.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

void
pages_init(struct pages *pages, const char *dir, bool fresh, struct arena *a)
{
	*pages = (struct pages){.arena = a, .dir = dir, .fresh = fresh};
}

/* The file of an address, noted as one of this walk; NULL when nothing is kept. */
static const char *
path_of(struct pages *p, const char *url)
{
	char hash[FILE_SHA256_TEXT];
	if (!p->dir)
		return NULL;
	file_sha256(url, strlen(url), hash);
	const char *path = arena_printf(p->arena, "%s/page-%.32s.json", p->dir, hash);
	const char **paths = arena_grow(p->arena, p->paths, p->n, sizeof(*paths));
	if (!path || !paths)
		return NULL;
	p->paths = paths;
	paths[p->n++] = path;
	return path;
}

bool
pages_get(struct pages *pages, const char *url, struct buf *text)
{
	struct stat st;
	const char *path = path_of(pages, url);
	if (!path || pages->fresh || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	time_t now = time(NULL); /* not SOURCE_DATE_EPOCH: how old the file is */
	if (st.st_uid != geteuid() || st.st_mtime > now || now - st.st_mtime > PAGES_KEPT_S)
		return false;
	if (file_read(path, text, NULL) == 0)
		return true;
	text->len = 0;
	text->failed = false;
	return false;
}

/* mkdir -p for the last two parts: ~/.cache/tierwise on a new account. */
static void
make_folder(struct arena *a, const char *dir)
{
	char *parent = arena_strdup(a, dir);
	char *slash = parent ? strrchr(parent, '/') : NULL;
	if (slash && slash != parent) {
		*slash = '\0';
		mkdir(parent, 0700);
	}
	mkdir(dir, 0700);
}

void
pages_put(struct pages *pages, const char *url, const struct buf *text)
{
	const char *path = path_of(pages, url);
	if (!path)
		return;
	make_folder(pages->arena, pages->dir);
	file_keep(path, text, NULL);
}

void
pages_drop(struct pages *pages, const char *url)
{
	const char *path = path_of(pages, url);
	if (path)
		unlink(path);
}

void
pages_remove(struct pages *pages)
{
	for (size_t i = 0; i < pages->n; i++)
		unlink(pages->paths[i]);
	pages->n = 0;
	pages->paths = NULL;
}
