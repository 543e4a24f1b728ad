/*
 * ratio.h - percentiles over the mean, per kind of device, for disks whose percentiles nobody
 * measured: medians and 5..95 % ranges over public sweeps (models.md 1.5), and of disks held at a
 * bought rate (1.4).  What is used from here is `assumed`.
 *
 * Cloud disks: no public depth sweep with percentiles exists; below the cap the NVMe reads stand
 * in, at the cap the ratios are of AWS disks at their cap.
 */
#ifndef MODEL_RATIO_H
#define MODEL_RATIO_H

#include <stdbool.h>

#include "model/disk.h"

struct ratio {
	double value, lo, hi;
};

/* device: enum profile_device, or -1; op: enum profile_op; full: at the wall. MODEL_MEAN is 1. */
struct ratio ratio_of(int device, int op, enum model_statistic stat, bool full);

/* At a rate the seller holds the disk to: the distribution is tight, not that of a queue. */
double ratio_at_cap(enum model_statistic stat);

#endif /* MODEL_RATIO_H */
