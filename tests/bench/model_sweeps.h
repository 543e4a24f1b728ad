/*
 * model_sweeps.h - depth sweeps of real disks, for measuring what the model's predictions are worth.
 *
 * From the shared CSV files, or from fio results imported as the program imports them; repeats of a
 * depth are averaged as the model averages them.  Latency in us, sizes in bytes; NaN: not known.
 */
#ifndef TESTS_MODEL_SWEEPS_H
#define TESTS_MODEL_SWEEPS_H

#include "model/disk.h"

enum { SWEEP_MAX = 64 };

/* One operation and block size of one disk, ascending depth. */
struct sweep {
	char name[160];
	int op, device;
	double bs_b;
	double qd[SWEEP_MAX], iops[SWEEP_MAX], us[MODEL_STATISTIC_COUNT][SWEEP_MAX];
	size_t n;
};

struct sweep_list {
	struct sweep *items;
	size_t n;
};

/* Append the sweeps of five depths or more of a CSV below $TIERWISE_SHARED: random reads and writes,
 * one submitter at several depths or one depth at several submitters.  false: cannot be read. */
bool sweeps_from_csv(const char *name, struct sweep_list *list);

/* The same from every folder of fio results below $TIERWISE_SHARED/name. */
bool sweeps_from_fio(const char *name, struct sweep_list *list);

void sweeps_free(struct sweep_list *list);

/* Neither latency nor IOPS falls by more than 6 % from one depth to the next (models.md). */
bool sweep_is_clean(const struct sweep *s);

/* Fit those points of the sweep that keep[] names.  0 or the error of the fit. */
int sweep_fit(const struct sweep *s, const bool *keep, struct arena *a, struct disk_model *m);

#endif /* TESTS_MODEL_SWEEPS_H */
