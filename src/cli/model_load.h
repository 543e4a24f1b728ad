/*
 * model_load.h - a model from a model document or from a profile, for `fit` and `predict`.
 */
#ifndef CLI_MODEL_LOAD_H
#define CLI_MODEL_LOAD_H

#include "cli/command.h"
#include "model/disk.h"

/*
 * The vendor's limits for a family ("azure/premium_ssd"): pricing/limits-PROVIDER.json of the data folder.
 * *limits stays as it is when the family names no provider or there is no such file.
 */
int model_limits(
	struct cli_common *c, const char *family, const struct limits **limits, struct err *err);

/*
 * Load the profile at `path` into *p and fit it.  The vendor's limits are pricing/limits-PROVIDER.json of the data
 * folder, PROVIDER being the first part of the profile's family; without such a file labels are
 * not checked, which a finding says.
 */
int model_fit_file(struct cli_common *c, const char *path, struct profile *p, struct disk_model *m,
	struct err *err);

/* Load a "tierwise/model/1", or fit a "tierwise/profile/1". */
int model_load_file(struct cli_common *c, const char *path, struct disk_model *m, struct err *err);

#endif /* CLI_MODEL_LOAD_H */
