#include "cli/model_load.h"

#include <stdio.h>
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
model_inputs_once(char *const *paths, size_t n, struct err *err)
{
	size_t piped = 0;
	for (size_t i = 0; i < n; i++)
		piped += strcmp(paths[i], "-") == 0;
	return piped > 1
		       ? err_set(err, ERR_USAGE,
				 "- is given %zu times: standard input is read once and holds one "
				 "document",
				 piped)
		       : 0;
}

/* Whether the file's beginning holds fio's first name, which other text may precede. */
static bool
is_fio(const char *path)
{
	char head[16384];
	FILE *f = strcmp(path, "-") != 0 ? fopen(path, "rbe") : NULL;
	size_t n = f ? fread(head, 1, sizeof(head), f) : 0;
	if (f)
		fclose(f);
	return memmem(head, n, "\"fio version\"", 13) != NULL;
}

static int
not_imported(const char *path, struct err *err)
{
	return err_set(err, ERR_PARSE,
		"%s: a result of fio: tierwise import %s -o PROFILE.json makes a profile of it",
		path, path);
}

static bool
is_model(struct jval root)
{
	const char *schema = json_text(json_get(root, "schema"));
	return schema && strncmp(schema, "tierwise/model/", 15) == 0;
}

int
model_load_json(struct cli_common *c, const char *path, struct json_doc **doc, struct err *err)
{
	int rc = cli_keep_input(c, path, err);
	rc = rc ? rc : json_load(path, 0, doc, err);
	if (rc == ERR_PARSE && is_fio(path))
		rc = not_imported(path, err);
	return rc;
}

int
model_read_profile(const struct json_doc *doc, struct arena *a, struct profile *p, struct err *err)
{
	struct jval root = json_root(doc);
	if (json_get(root, "fio version").node)
		return not_imported(json_name(doc), err);
	int rc = schema_read(&profile_schema, root, a, p, err);
	return rc ? rc : profile_check(p, root, err);
}

int
model_fit_file(struct cli_common *c, const char *path, struct profile *p, struct disk_model *m,
	struct err *err)
{
	struct json_doc *doc = NULL;
	int rc = model_load_json(c, path, &doc, err);
	struct jval root = rc ? (struct jval){NULL, NULL} : json_root(doc);
	if (is_model(root))
		rc = json_fail(json_get(root, "schema"), err, ERR_USAGE,
			"a fitted model: fit reads the profile it was made from, predict reads "
			"this");
	rc = rc ? rc : model_read_profile(doc, &c->arena, p, err);
	rc = rc ? rc : fit(c, p, json_sha256(doc), m, err);
	json_free(doc);
	return rc;
}

int
model_load_file(struct cli_common *c, const char *path, struct disk_model *m, struct err *err)
{
	struct json_doc *doc = NULL;
	int rc = model_load_json(c, path, &doc, err);
	if (rc)
		return rc;
	struct jval root = json_root(doc);
	struct profile p = {0};
	if (is_model(root)) {
		rc = schema_read(&disk_model_schema, root, &c->arena, m, err);
		rc = rc ? rc : model_check(root, err);
	} else {
		rc = model_read_profile(doc, &c->arena, &p, err);
		rc = rc ? rc : fit(c, &p, json_sha256(doc), m, err);
	}
	json_free(doc);
	return rc;
}
