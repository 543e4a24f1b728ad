#include "model_other.h"

#include <math.h>
#include <string.h>

#include "csv.h"
#include "model/sizes.h"

enum { MAX = 64 };

/* Points of one sweep: IOPS over bytes, or us over rate. */
struct points {
	double x[MAX], y[MAX];
	size_t n;
	double qd;
	int device;
};

static bool
same(const struct csv *c, size_t i, size_t j, const char *const *keys)
{
	for (; *keys; keys++)
		if (strcmp(csv_text(c, i, *keys), csv_text(c, j, *keys)) != 0)
			return false;
	return true;
}

static bool
is_first(const struct csv *c, size_t row, const char *const *keys)
{
	for (size_t i = 0; i < row; i++)
		if (same(c, i, row, keys))
			return false;
	return true;
}

static void
insert(struct points *p, double x, double y)
{
	size_t at = p->n;
	if (p->n == MAX || !(y > 0))
		return;
	for (; at && p->x[at - 1] > x; at--) {
		p->x[at] = p->x[at - 1];
		p->y[at] = p->y[at - 1];
	}
	p->x[at] = x;
	p->y[at] = y;
	p->n++;
}

static int
fit_cells(const struct points *p, const double *bs_b, const double *qd, const double *iops,
	size_t hidden, struct arena *a, struct disk_model *m)
{
	struct profile profile;
	profile_clear(&profile);
	profile.trust = TRUST_IMPORTED;
	profile.device = p->device;
	for (size_t i = 0; i < p->n; i++) {
		struct profile_cell c;
		if (i == hidden || !(qd[i] >= 1))
			continue;
		profile_cell_clear(&c);
		c.op = PROFILE_OP_RANDREAD;
		c.bs_b = bs_b[i];
		c.qd = qd[i];
		c.iops = iops[i];
		c.mean_us = 1e6 * qd[i] / iops[i];
		int rc = profile_add_cell(&profile, a, &c, NULL);
		if (rc)
			return rc;
	}
	return disk_model_fit(&profile, NULL, NULL, a, m, NULL);
}

/* Interval of a rate from that of a time. */
static struct estimate
as_rate(const struct estimate *us, double qd)
{
	return (struct estimate){
		1e6 * qd / us->value, 1e6 * qd / us->hi, 1e6 * qd / us->lo, us->trust, us->how};
}

static void
leave_sizes(const struct points *p, struct size_tallies *t)
{
	double qd[MAX];
	for (size_t i = 0; i < p->n; i++)
		qd[i] = p->qd;
	for (size_t i = 1; i + 1 < p->n; i++) {
		struct arena a;
		struct disk_model m;
		struct estimate us;
		arena_init(&a, 0);
		int rc = fit_cells(p, p->x, qd, p->y, i, &a, &m);
		if (rc == 0 && m.n_sizes == 1) {
			double law = sizes_law(&m.sizes[0], p->x[i]);
			struct estimate e = {law, law, law, TRUST_DERIVED, MODEL_CURVE};
			tally_add(&t->law, &e, p->y[i]);
		}
		if (rc == 0)
			rc = disk_latency_at_qd(&m, PROFILE_OP_RANDREAD, p->x[i], p->qd, NULL,
				MODEL_MEAN, &us, NULL);
		if (rc == 0) {
			struct estimate e = as_rate(&us, p->qd);
			tally_add(&t->path, &e, p->y[i]);
		} else {
			t->path.refused++;
		}
		arena_fini(&a);
	}
}

static double
depth_of(const struct csv *c, size_t row)
{
	double depth = csv_number(c, row, "iodepth"), jobs = csv_number(c, row, "numjobs");
	return (isnan(depth) ? 1 : depth) * (isnan(jobs) ? 1 : jobs);
}

bool
other_sizes(struct size_tallies *sata, struct size_tallies *nvme)
{
	static const char *const keys[] = {"sweep", "read_pct", "iodepth", "numjobs", NULL};
	struct csv c;
	if (csv_load(&c, "fixtures/curves/bs_sweeps.csv"))
		return false;
	for (size_t i = 0; i < c.n_rows; i++) {
		bool is_nvme = strcmp(csv_text(&c, i, "class"), "nvme") == 0;
		bool is_sata = strcmp(csv_text(&c, i, "class"), "sata-ssd") == 0;
		if ((!is_nvme && !is_sata) || !is_first(&c, i, keys))
			continue;
		struct points p = {.qd = depth_of(&c, i),
			.device = is_nvme ? PROFILE_DEVICE_NVME : PROFILE_DEVICE_SSD};
		for (size_t j = i; j < c.n_rows; j++) {
			double bs_b = 1024 * csv_number(&c, j, "bs_kib");
			if (same(&c, i, j, keys) && (is_sata || bs_b >= 4096))
				insert(&p, bs_b, csv_number(&c, j, "iops_mean"));
		}
		if (p.n >= 5)
			leave_sizes(&p, is_nvme ? nvme : sata);
	}
	csv_free(&c);
	return true;
}

/* L0/(1 - c rate): 1/R is a line in the rate; weights R^2 make the residuals relative. */
static double
law_at(const struct points *p, size_t hidden, double rate)
{
	double w = 0, x = 0, y = 0, xx = 0, xy = 0;
	for (size_t i = 0; i < p->n; i++) {
		if (i == hidden)
			continue;
		double k = p->y[i] * p->y[i];
		w += k;
		x += k * p->x[i];
		y += k / p->y[i];
		xx += k * p->x[i] * p->x[i];
		xy += k * p->x[i] / p->y[i];
	}
	double slope = (w * xy - x * y) / (w * xx - x * x);
	return 1 / (y / w + slope * (rate - x / w));
}

static void
leave_rates(const struct points *p, struct rate_tallies *t)
{
	double bs_b[MAX], qd[MAX];
	for (size_t i = 0; i < p->n; i++) {
		bs_b[i] = 4096;
		qd[i] = p->x[i] * p->y[i] * 1e-6;
	}
	for (size_t i = 1; i + 1 < p->n; i++) {
		struct arena a;
		struct disk_model m;
		struct estimate e = {.value = law_at(p, i, p->x[i])};
		tally_add(&t->law, &e, p->y[i]);
		arena_init(&a, 0);
		if (fit_cells(p, bs_b, qd, p->x, i, &a, &m) == 0 &&
			disk_latency_at_rate(&m, PROFILE_OP_RANDREAD, 4096, p->x[i], NULL,
				MODEL_MEAN, &e, NULL) == 0)
			tally_add(&t->path, &e, p->y[i]);
		else
			t->path.refused++;
		arena_fini(&a);
	}
}

bool
other_rates(struct rate_tallies *t)
{
	static const char *const keys[] = {"device", NULL};
	struct csv c;
	if (csv_load(&c, "fixtures/curves/openloop_diskplorer_decoded.csv"))
		return false;
	for (size_t i = 0; i < c.n_rows; i++) {
		if (!is_first(&c, i, keys))
			continue;
		const char *device = csv_text(&c, i, "device");
		bool cloud = strstr(device, "gp3") || strstr(device, "pd-SSD");
		struct points p = {.device = cloud ? PROFILE_DEVICE_CLOUD : PROFILE_DEVICE_NVME};
		for (size_t j = i; j < c.n_rows; j++) {
			bool alone = csv_number(&c, j, "write_MBps_offered") == 0;
			bool seen = csv_number(&c, j, "p50_clip") == 0;
			double rate = csv_number(&c, j, "read_iops_offered");
			if (same(&c, i, j, keys) && alone && seen && rate > 0)
				insert(&p, rate, csv_number(&c, j, "read_p50_us"));
		}
		if (p.n >= 7)
			leave_rates(&p, t);
	}
	csv_free(&c);
	return true;
}
