/*
 * predict_parts.h - the parts of `tierwise predict`: what was asked, the caps of a SKU, the answers.
 */
#ifndef CLI_PREDICT_PARTS_H
#define CLI_PREDICT_PARTS_H

#include "cli/command.h"
#include "cli/predict_workload.h"
#include "model/disk.h"

enum { PREDICT_LIST_MAX = 64 };

struct predict_list {
	double items[PREDICT_LIST_MAX];
	size_t n; /* 0: not given */
};

/* The most IOPS that one disk of a family is sold with. */
struct predict_family {
	const char *title, *sku; /* "Premium SSD", "P80"; sku NULL: not known */
	double iops; /* sustained, bought for it included; NaN: not known */
	const char *as_of; /* of the limits; may be NULL */
};

struct predict_asked {
	struct cli_common common;
	const char *path;
	int op, stat; /* stat: -1 all */
	int sync_mode, sync_pattern; /* enum profile_sync_mode, profile_pattern; -1: not given */
	bool sync, mix;
	double read_frac; /* of a mix; NaN: not given */
	struct predict_list bs_b, qd, iops;
	const char *sku; /* "P30" or "azure/P30"; NULL: not given */
	double sla_us; /* latency not to be exceeded; NaN: not given */
	struct disk_caps caps; /* of each disk; NaN: not given */
	struct predict_workload_asked database;
	struct predict_family family; /* what the model's family is sold with */
};

/* A disk as it is sold. */
struct predict_sold {
	struct cli_common *common;
	const char *sku; /* "P30" or "azure/P30"; NULL: only the caps given */
	struct disk_caps *caps;
};

/*
 * Complete the caps from the limits of the SKU, and replace *m by its light end when it was measured on
 * another size of the tier, whose wall says nothing here.  Says what was used in *d.
 * ERR_USAGE and ERR_RANGE name the option and what it takes; ERR_NOT_FOUND: no such SKU or provider.
 */
int predict_caps(struct predict_sold *a, struct disk_model *m, struct doc *d, struct err *err);

/*
 * What the provider's limits say of the family the model stands for; nothing (sku NULL) where the model is of
 * no cloud, has no family, or its provider's limits are not there.
 */
int predict_family_limit(struct cli_common *c, const struct disk_model *m,
	struct predict_family *family, struct err *err);

/*
 * Leave in *m the durable writes of the asked mode and pattern alone.  ERR_UNSUPPORTED, with what there is and
 * what to measure, when there are none.
 */
int predict_syncs(const struct predict_asked *a, struct disk_model *m, struct err *err);

/*
 * The answers as tables and sentences; each against the latency promised (--sla) is counted.  Fails with the first
 * reason when nothing can be answered, unless that is the verdict on a promise.
 */
int predict_answers(const struct predict_asked *a, const struct disk_model *m, struct doc *d,
	struct predict_verdicts *verdicts, struct err *err);

/* The most that random reads and writes together reach, at each block size, and each rate beside it. */
int predict_mix(
	const struct predict_asked *a, const struct disk_model *m, struct doc *d, struct err *err);

#endif /* CLI_PREDICT_PARTS_H */
