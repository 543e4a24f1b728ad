#include "cli/model_load.h"

#include <string.h>

#include "base/file.h"
#include "profile/profile.h"

int
model_limits(
	struct cli_common *c, const char *family, const struct limits **limits, struct err *err)
{
	const char *slash = family ? strchr(family, '/') : NULL;
	if (!slash)
		return 0;
	const char *name = arena_printf(
		&c->arena, "pricing/limits-%.*s.json", (int)(slash - family), family);
	const char *path = name ? cli_data_path(c, name, err) : NULL;
	if (!path)
		return name ? (int)err->code : err_nomem(err);
	if (!file_exists(path))
		return 0;
	struct limits *loaded = arena_alloc(&c->arena, sizeof(*loaded));
	if (!loaded)
		return err_nomem(err);
	int rc = limits_load(path, &c->arena, loaded, NULL, err);
	if (rc == 0)
		*limits = loaded;
	return rc;
}

static int
fit(struct cli_common *c, const struct profile *p, const char *sha256, struct disk_model *m,
	struct err *err)
{
	const struct limits *limits = NULL;
	int rc = model_limits(c, p->family, &limits, err);
	return rc ? rc : disk_model_fit(p, sha256, limits, &c->arena, m, err);
}

int
model_fit_file(struct cli_common *c, const char *path, struct profile *p, struct disk_model *m,
	struct err *err)
{
	char sha256[FILE_SHA256_TEXT];
	int rc = cli_keep_input(c, path, err);
	rc = rc ? rc : profile_load(path, &c->arena, p, sha256, err);
	return rc ? rc : fit(c, p, sha256, m, err);
}

int
model_load_file(struct cli_common *c, const char *path, struct disk_model *m, struct err *err)
{
	struct json_doc *doc = NULL;
	int rc = cli_keep_input(c, path, err);
	rc = rc ? rc : json_load(path, 0, &doc, err);
	if (rc)
		return rc;
	struct jval root = json_root(doc);
	const char *schema = json_text(json_get(root, "schema"));
	struct profile p;
	if (schema && strncmp(schema, "tierwise/model/", 15) == 0) {
		rc = schema_read(&disk_model_schema, root, &c->arena, m, err);
	} else {
		rc = schema_read(&profile_schema, root, &c->arena, &p, err);
		if (rc == 0)
			rc = fit(c, &p, json_sha256(doc), m, err);
	}
	json_free(doc);
	return rc;
}
