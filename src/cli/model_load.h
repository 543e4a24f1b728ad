/*
 * model_load.h - a model from a model document or from a profile, for `fit` and `predict`.
 */
#ifndef CLI_MODEL_LOAD_H
#define CLI_MODEL_LOAD_H

#include "base/json.h"
#include "cli/command.h"
#include "model/disk.h"

/*
 * The vendor's limits for a family ("azure/premium_ssd"): pricing/limits-PROVIDER.json of the data folder.
 * *limits stays as it is when the family names no provider or there is no such file.
 */
int model_limits(
	struct cli_common *c, const char *family, const struct limits **limits, struct err *err);

/* ERR_USAGE when "-" is among them twice. */
int model_inputs_once(char *const *paths, size_t n, struct err *err);

/* json_load() of an input that no -o may replace; ERR_PARSE says what to do with a result of fio. */
int model_load_json(struct cli_common *c, const char *path, struct json_doc **doc, struct err *err);

/* A profile, checked; *doc must live as long as messages need it.  ERR_PARSE, ERR_RANGE with the place. */
int model_read_profile(
	const struct json_doc *doc, struct arena *a, struct profile *p, struct err *err);

/* ERR_RANGE, with the place, when lists of a model document do not go together. */
int model_check(struct jval root, struct err *err);

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
