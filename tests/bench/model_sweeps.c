#include "model_sweeps.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "model/points.h"
#include "profile/import.h"

static struct sweep *
grow(struct sweep_list *list)
{
	struct sweep *items = realloc(list->items, (list->n + 1) * sizeof(*items));
	if (!items)
		abort();
	list->items = items;
	struct sweep *s = &items[list->n++];
	memset(s, 0, sizeof(*s));
	return s;
}

static void
shrink(struct sweep_list *list)
{
	list->n--;
}

void
sweeps_free(struct sweep_list *list)
{
	free(list->items);
	*list = (struct sweep_list){0};
}

static int
device_of(const char *word)
{
	static const struct {
		const char *part;
		int device;
	} table[] = {{"hdd-raid", PROFILE_DEVICE_RAID_HDD}, {"raid5", PROFILE_DEVICE_RAID_HDD},
		{"raid0", PROFILE_DEVICE_RAID_SSD}, {"hdd", PROFILE_DEVICE_HDD},
		{"floppy", PROFILE_DEVICE_HDD}, {"nvme", PROFILE_DEVICE_NVME},
		{"ceph", PROFILE_DEVICE_NETWORK}, {"net-", PROFILE_DEVICE_NETWORK}};
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (strstr(word, table[i].part))
			return table[i].device;
	return PROFILE_DEVICE_SSD;
}

static bool
wanted(const struct csv *c, size_t i)
{
	const char *rw = csv_text(c, i, "rw");
	bool pure = strcmp(rw, "randread") == 0 || strcmp(rw, "randwrite") == 0;
	bool submitters = strncmp(csv_text(c, i, "sweep"), "budisc-", 7) == 0;
	return pure && (submitters || csv_number(c, i, "numjobs") == 1) &&
	       csv_number(c, i, "lat_mean_us") > 0;
}

static bool
same(const struct csv *c, size_t i, size_t j)
{
	static const char *const keys[] = {"sweep", "rw", "bs_kib"};
	for (size_t k = 0; k < 3; k++)
		if (strcmp(csv_text(c, i, keys[k]), csv_text(c, j, keys[k])) != 0)
			return false;
	return true;
}

/* Put row i where its depth belongs. */
static void
insert(const struct csv *c, size_t i, struct sweep *s)
{
	static const char *const columns[] = {[MODEL_MEAN] = "lat_mean_us",
		[MODEL_P50] = "clat_p50_us",
		[MODEL_P99] = "clat_p99_us",
		[MODEL_P999] = "clat_p999_us"};
	double q = csv_number(c, i, "q");
	size_t at = s->n;
	if (s->n == SWEEP_MAX)
		return;
	for (; at && s->qd[at - 1] > q; at--) {
		s->qd[at] = s->qd[at - 1];
		s->iops[at] = s->iops[at - 1];
		for (int k = 0; k < MODEL_STATISTIC_COUNT; k++)
			s->us[k][at] = s->us[k][at - 1];
	}
	s->n++;
	s->qd[at] = q;
	s->iops[at] = csv_number(c, i, "iops");
	for (int k = 0; k < MODEL_STATISTIC_COUNT; k++)
		s->us[k][at] = csv_number(c, i, columns[k]);
}

/* The sweep that starts in row `first`; too few depths, or started in an earlier row: nothing. */
static void
collect(const struct csv *c, size_t first, struct sweep_list *list)
{
	for (size_t i = 0; i < first; i++)
		if (wanted(c, i) && same(c, i, first))
			return;
	struct sweep *s = grow(list);
	const char *rw = csv_text(c, first, "rw");
	s->op = names_find(&profile_op_names, rw);
	s->bs_b = 1024 * csv_number(c, first, "bs_kib");
	s->device = device_of(csv_text(c, first, "class"));
	snprintf(s->name, sizeof(s->name), "%s %s %gk", csv_text(c, first, "sweep"), rw,
		s->bs_b / 1024);
	for (size_t i = first; i < c->n_rows; i++)
		if (wanted(c, i) && same(c, i, first))
			insert(c, i, s);
	if (s->n < 5)
		shrink(list);
}

bool
sweeps_from_csv(const char *name, struct sweep_list *list)
{
	struct csv c;
	if (csv_load(&c, name))
		return false;
	for (size_t i = 0; i < c.n_rows; i++)
		if (wanted(&c, i))
			collect(&c, i, list);
	csv_free(&c);
	return true;
}

static void
from_series(const struct series *series, const char *name, struct sweep_list *list)
{
	if (series->n < 5 || series->n > SWEEP_MAX)
		return;
	struct sweep *s = grow(list);
	s->op = series->op;
	s->bs_b = series->bs_b;
	s->device = device_of(name);
	s->n = series->n;
	snprintf(s->name, sizeof(s->name), "%s %s", name, series->label);
	for (size_t i = 0; i < s->n; i++) {
		const struct point *p = &series->points[i];
		s->qd[i] = p->qd;
		s->iops[i] = p->iops;
		s->us[MODEL_MEAN][i] = p->mean_us;
		s->us[MODEL_P50][i] = p->p50_us;
		s->us[MODEL_P99][i] = p->p99_us;
		s->us[MODEL_P999][i] = p->p999_us;
	}
}

static int
not_hidden(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* One folder is one disk; what is refused is not part of it. */
static void
from_folder(const char *folder, const char *name, struct sweep_list *list)
{
	struct dirent **files = NULL;
	struct arena a;
	struct profile p;
	struct findings said;
	struct series_list series;
	int n = scandir(folder, &files, not_hidden, alphasort);
	arena_init(&a, 0);
	findings_init(&said, &a);
	struct import *im = import_new(&p, &a);
	for (int i = 0; i < n; i++) {
		char path[4096];
		struct import_outcome outcome;
		const char *suffix = strrchr(files[i]->d_name, '.');
		snprintf(path, sizeof(path), "%s/%s", folder, files[i]->d_name);
		if (im && suffix && strcmp(suffix, ".json") == 0)
			import_file(im, path, files[i]->d_name, &outcome, NULL);
		free(files[i]);
	}
	free(files);
	if (im && import_finish(im, NULL) == 0 && points_collect(&p, &a, &said, &series, NULL) == 0)
		for (size_t i = 0; i < series.n; i++)
			from_series(&series.items[i], name, list);
	arena_fini(&a);
}

bool
sweeps_from_fio(const char *name, struct sweep_list *list)
{
	char root[2048];
	struct dirent **folders = NULL;
	const char *shared = getenv("TIERWISE_SHARED");
	snprintf(root, sizeof(root), "%s/%s", shared ? shared : "", name);
	int n = scandir(root, &folders, not_hidden, alphasort);
	for (int i = 0; i < n; i++) {
		char path[4096];
		snprintf(path, sizeof(path), "%s/%s", root, folders[i]->d_name);
		from_folder(path, folders[i]->d_name, list);
		free(folders[i]);
	}
	free(folders);
	return n >= 0;
}

bool
sweep_is_clean(const struct sweep *s)
{
	const double *mean = s->us[MODEL_MEAN];
	for (size_t i = 1; i < s->n; i++)
		if (mean[i] < 0.94 * mean[i - 1] || s->iops[i] < 0.94 * s->iops[i - 1])
			return false;
	return true;
}

int
sweep_fit(const struct sweep *s, const bool *keep, struct arena *a, struct disk_model *m)
{
	struct profile p;
	profile_clear(&p);
	p.trust = TRUST_IMPORTED;
	p.device = s->device;
	for (size_t i = 0; i < s->n; i++) {
		struct profile_cell c;
		if (!keep[i])
			continue;
		profile_cell_clear(&c);
		c.op = s->op;
		c.bs_b = s->bs_b;
		c.qd = s->qd[i];
		c.iops = s->iops[i];
		c.mean_us = s->us[MODEL_MEAN][i];
		c.p50_us = s->us[MODEL_P50][i];
		c.p99_us = s->us[MODEL_P99][i];
		c.p999_us = s->us[MODEL_P999][i];
		int rc = profile_add_cell(&p, a, &c, NULL);
		if (rc)
			return rc;
	}
	return disk_model_fit(&p, NULL, NULL, a, m, NULL);
}
