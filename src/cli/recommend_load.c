#include "cli/recommend_load.h"

#include <glob.h>
#include <string.h>

#include "advise/transaction.h"
#include "base/file.h"
#include "cli/engine_load.h"
#include "price/machines.h"

static int
add_input(struct recommend_ground *g, const char *kind, const char *path, const char *sha256,
	const char *as_of, struct err *err)
{
	struct arena *a = &g->common->arena;
	struct plan_input *grown = arena_grow(a, g->inputs, g->n_inputs, sizeof(*grown));
	const char *copy = arena_strdup(a, sha256);
	if (!grown || !copy)
		return err_nomem(err);
	g->inputs = grown;
	g->inputs[g->n_inputs++] = (struct plan_input){
		.kind = kind, .path = path, .sha256 = copy, .as_of = as_of};
	return 0;
}

/* A file given by the user, or one of the data folder: *shown is how the plan names it. */
static const char *
pick(struct recommend_ground *g, const char *given, const char *relative, const char **shown,
	struct err *err)
{
	*shown = given ? given : relative;
	return given ? given : cli_data_path(g->common, relative, err);
}

/* What a file is called without folder and ".json". */
static const char *
stem(const char *path, struct arena *a)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	return arena_printf(a, "%.*s", (int)(strlen(name) - strlen(".json")), name);
}

/* The book of the data folder whose name is nearest, or NULL. */
static const char *
nearest_book(struct recommend_ground *g, const char *wanted)
{
	struct err ignored = {0};
	struct arena *a = &g->common->arena;
	const char *pattern = cli_data_path(g->common, "pricing/*-*.json", &ignored);
	const char *near = NULL;
	glob_t found;
	if (!pattern || glob(pattern, 0, NULL, &found) != 0)
		return NULL;
	const char **names = arena_array(a, found.gl_pathc, sizeof(*names));
	size_t n = 0;
	for (size_t i = 0; names && i < found.gl_pathc; i++) {
		const char *name = stem(found.gl_pathv[i], a);
		if (name && strncmp(name, "limits-", 7) != 0 && strncmp(name, "meters-", 7) != 0)
			names[n++] = name;
	}
	near = n ? names_nearest(wanted, names, n, sizeof(*names)) : NULL;
	globfree(&found);
	return near;
}

/* At the region where there are books of the provider. */
static int
no_book(struct recommend_ground *g, const struct workload *w, const char *relative, struct err *err)
{
	struct arena *a = &g->common->arena;
	const char *near = nearest_book(g, stem(relative, a));
	const char *tail = near ? strchr(near, '-') : NULL;
	size_t n = tail ? (size_t)(tail - near) : 0;
	bool provider = n && (strlen(w->provider) != n || strncmp(w->provider, near, n) != 0);
	err_set(err, ERR_NOT_FOUND,
		"no price book for provider %s, region %s (%s)%s%.*s%s%s%s; see tierwise prices "
		"list, or give --prices",
		w->provider, w->region, relative, n ? ", did you mean provider " : "", (int)n,
		n ? near : "", n ? ", region " : "", n ? tail + 1 : "", n ? "?" : "");
	return workload_error_at(provider ? w->at.provider : w->at.region, err);
}

static int
check_book(const struct recommend_ground *g, const struct workload *w, const char *shown,
	struct err *err)
{
	if (strcmp(w->provider, g->book.provider) != 0) {
		err_set(err, ERR_RANGE, "provider %s, but %s has the prices of %s", w->provider,
			shown, g->book.provider);
		return workload_error_at(w->at.provider, err);
	}
	if (!w->currency || strcmp(w->currency, g->book.currency) == 0)
		return 0;
	err_set(err, ERR_RANGE,
		"currency %s, but %s is in %s and nothing is converted: leave currency out, or "
		"give a book in %s with --prices",
		w->currency, shown, g->book.currency, w->currency);
	return workload_error_at(w->at.currency, err);
}

static int
load_book(struct recommend_ground *g, const struct workload *w, struct err *err)
{
	const struct recommend_files *f = g->files;
	struct arena *arena = &g->common->arena;
	const char *relative = NULL, *shown;
	char sha256[65];
	if (!f->prices)
		relative = arena_printf(arena, "pricing/%s-%s.json", w->provider, w->region);
	const char *path = pick(g, f->prices, relative, &shown, err);
	if (!path)
		return (int)err->code;
	if (!f->prices && !file_exists(path))
		return no_book(g, w, relative, err);
	int rc = price_book_load(path, arena, &g->book, sha256, err);
	rc = rc ? rc : check_book(g, w, shown, err);
	return rc ? rc : add_input(g, "prices", shown, sha256, g->book.as_of, err);
}

/* A provider's own list of machine sizes over the shipped one. */
static int
load_machines(struct recommend_ground *g, const char *path, struct err *err)
{
	struct machines_read result;
	char sha256[65];
	int rc = machines_read(path, &g->common->arena, &g->limits, &result, sha256, err);
	if (rc == 0)
		cli_note(g->common, "%s: %zu machine sizes, %zu of them new", path, result.sizes,
			result.added);
	return rc ? rc : add_input(g, "machines", path, sha256, NULL, err);
}

static int
load_limits(struct recommend_ground *g, struct err *err)
{
	const struct recommend_files *f = g->files;
	struct arena *arena = &g->common->arena;
	const char *shown;
	char sha256[65];
	const char *relative = g->book.limits ? arena_printf(arena, "pricing/%s", g->book.limits)
					      : arena_printf(arena, "pricing/limits-%s.json",
							g->book.provider);
	const char *path = pick(g, f->limits, relative, &shown, err);
	if (!path)
		return (int)err->code;
	if (!f->limits && !file_exists(path))
		return err_set(err, ERR_NOT_FOUND,
			"no limits for provider %s (%s): give them with --limits", g->book.provider,
			relative);
	int rc = limits_load(path, arena, &g->limits, sha256, err);
	if (rc == 0 && strcmp(g->limits.provider, g->book.provider) != 0)
		rc = err_set(err, ERR_RANGE, "%s is about %s, the prices are of %s", shown,
			g->limits.provider, g->book.provider);
	rc = rc ? rc : add_input(g, "limits", shown, sha256, g->limits.as_of, err);
	return rc || !f->machines ? rc : load_machines(g, f->machines, err);
}

static int
load_engine(struct recommend_ground *g, const struct workload *w, struct err *err)
{
	const char *used = NULL, *given = g->files->engine;
	char sha256[65];
	int rc = engine_load(g->common, w, given, &g->engine, &used, sha256, err);
	if (rc)
		return rc;
	const char *shown = given ? used
				  : arena_printf(&g->common->arena, "models/engines/%s.json",
					    g->engine.engine);
	return shown ? add_input(g, "engine", shown, sha256, NULL, err) : err_nomem(err);
}

/* One shipped pack; a provider without a pack of its own has none. */
static int
load_pack(struct recommend_ground *g, const char *relative, bool required, struct err *err)
{
	const char *path = cli_data_path(g->common, relative, err);
	if (!path)
		return (int)err->code;
	if (!required && !file_exists(path))
		return 0;
	int rc = rule_pack_load(&g->rules, path, err);
	size_t n = g->rules.n_files;
	return rc ? rc
		  : add_input(
			    g, "rules", relative, n ? g->rules.files[n - 1].sha256 : "", NULL, err);
}

static int
load_rules(struct recommend_ground *g, const struct workload *w, struct err *err)
{
	const struct recommend_files *f = g->files;
	struct arena *arena = &g->common->arena;
	rule_pack_init(&g->rules, arena);
	int rc = load_pack(g, "rules/placement.json", true, err);
	if (rc == 0)
		rc = load_pack(
			g, arena_printf(arena, "rules/%s.json", g->book.provider), false, err);
	if (rc == 0 && w->engine >= 0)
		rc = load_pack(g,
			arena_printf(arena, "rules/engine-%s.json",
				names_text(&workload_engine_names, w->engine)),
			false, err);
	if (rc == 0)
		rc = load_pack(g, "rules/money.json", false, err);
	if (rc == 0)
		rc = load_pack(g, "rules/measurement.json", false, err);
	if (rc == 0)
		rc = load_pack(g, "rules/settings.json", false, err);
	if (rc == 0)
		rc = load_pack(g, "rules/migration.json", false, err);
	for (size_t i = 0; i < f->rules.n && rc == 0; i++) {
		rc = rule_pack_load(&g->rules, f->rules.items[i], err);
		if (rc == 0)
			rc = add_input(g, "rules", f->rules.items[i],
				g->rules.files[g->rules.n_files - 1].sha256, NULL, err);
	}
	return rc;
}

/* Fit a profile and add its model; a shipped one that cannot be fitted is left out, in words. */
static int
add_model(struct recommend_ground *g, const char *key, const char *path, const char *shown,
	struct err *err)
{
	struct arena *a = &g->common->arena;
	struct profile p;
	char sha256[65];
	int rc = cli_keep_input(g->common, path, err);
	rc = rc ? rc : profile_load(path, a, &p, sha256, err);
	if (rc || (!key && !p.family && !p.sku))
		return rc;
	struct disk_model *m = arena_alloc(a, sizeof(*m));
	struct advise_model *grown = arena_grow(a, g->models, g->n_models, sizeof(*grown));
	if (!m || !grown)
		return err_nomem(err);
	g->models = grown;
	rc = disk_model_fit(&p, arena_strdup(a, sha256), &g->limits, a, m, err);
	if (rc == ERR_UNSUPPORTED && !key) {
		findings_add(&g->findings, SEVERITY_WARNING, "profile-unusable",
			"give a measured one with --profile", "%s", err->text);
		return 0;
	}
	if (rc)
		return err_context(err, "%s", shown);
	if (key && names_find(&workload_role_names, key) >= 0 && !p.family && !p.sku)
		findings_add(&g->findings, SEVERITY_WARNING, "profile-tier-unknown",
			"give it for the tier it was measured on: --profile SKU=FILE",
			"%s is given for the role %s and names no tier, so its latency is taken "
			"for "
			"every tier of that role: a choice between tiers must not rest on it",
			shown, key);
	struct disk_model *light = arena_alloc(a, sizeof(*light));
	rc = light ? disk_model_light(m, a, light, err) : err_nomem(err);
	if (rc)
		return rc;
	g->models[g->n_models++] = (struct advise_model){.model = m,
		.light = light,
		.key = key,
		.path = shown,
		.quality = p.quality,
		.cache = p.cache};
	return add_input(g, "profile", shown, sha256, p.as_of, err);
}

/* models/PROVIDER-*.json, by name. */
static int
load_shipped_models(struct recommend_ground *g, struct err *err)
{
	struct arena *a = &g->common->arena;
	const char *pattern = cli_data_path(
		g->common, arena_printf(a, "models/%s-*.json", g->book.provider), err);
	glob_t found;
	if (!pattern)
		return (int)err->code;
	int rc = glob(pattern, 0, NULL, &found);
	if (rc == GLOB_NOMATCH)
		return 0;
	if (rc)
		return err_set(err, ERR_IO, "%s: cannot list", pattern);
	for (size_t i = 0; i < found.gl_pathc && rc == 0; i++) {
		const char *path = arena_strdup(a, found.gl_pathv[i]);
		const char *slash = path ? strrchr(path, '/') : NULL;
		rc = slash ? add_model(g, NULL, path, arena_printf(a, "models%s", slash), err)
			   : err_nomem(err);
	}
	globfree(&found);
	return rc;
}

/* A key must name something: a role, a family or a SKU. */
static int
check_key(const struct recommend_ground *g, const char *key, struct err *err)
{
	const char *provider = g->limits.provider;
	size_t n = strlen(provider);
	const char *bare = strncmp(key, provider, n) == 0 && key[n] == '/' ? key + n + 1 : key;
	if (names_find(&workload_role_names, key) >= 0)
		return 0;
	for (size_t i = 0; i < g->limits.n_disks; i++) {
		if (strcmp(g->limits.disks[i].family, bare) == 0 ||
			strcmp(g->limits.disks[i].sku, key) == 0)
			return 0;
	}
	const char *near = g->limits.n_disks
				   ? names_nearest(bare, &g->limits.disks[0].family,
					     g->limits.n_disks, sizeof(g->limits.disks[0]))
				   : NULL;
	if (!near && g->limits.n_disks)
		near = names_nearest(key, &g->limits.disks[0].sku, g->limits.n_disks,
			sizeof(g->limits.disks[0]));
	return err_set(err, ERR_USAGE,
		"--profile %s=...: neither a role (wal, data, index, temp, backup) nor a family or "
		"SKU of %s%s%s%s",
		key, provider, near ? "; did you mean \"" : "", near ? near : "",
		near ? "\"?" : "");
}

static int
load_given_models(struct recommend_ground *g, struct err *err)
{
	const struct recommend_files *f = g->files;
	int rc = 0;
	for (size_t i = 0; i < f->profiles.n && rc == 0; i++) {
		const char *text = f->profiles.items[i];
		const char *equals = strchr(text, '=');
		if (!equals || equals == text || !equals[1])
			return err_set(err, ERR_USAGE,
				"--profile %s: KEY=FILE expected, KEY a role, a family or a SKU",
				text);
		const char *key = arena_strndup(&g->common->arena, text, (size_t)(equals - text));
		if (!key)
			return err_nomem(err);
		rc = check_key(g, key, err);
		rc = rc ? rc : add_model(g, key, equals + 1, equals + 1, err);
	}
	return rc;
}

static void
note_region(struct recommend_ground *g, const struct workload *w)
{
	if (w->region && g->book.region && strcmp(w->region, g->book.region) != 0)
		findings_add(&g->findings, SEVERITY_WARNING, "other-region",
			"take the book of the region the workload runs in",
			"the workload runs in %s, the prices are of %s", w->region, g->book.region);
}

int
recommend_ground_load(struct cli_common *c, const struct recommend_files *files,
	const struct workload *w, struct recommend_ground *g, struct err *err)
{
	*g = (struct recommend_ground){.common = c, .files = files};
	findings_init(&g->findings, &c->arena);
	int rc = load_book(g, w, err);
	if (rc)
		return rc;
	rc = price_book_check_age(
		&g->book, NULL, files->max_price_age, &g->price_age_days, &g->findings, &g->stale);
	if (rc && rc != ERR_STALE) {
		*err = g->stale;
		return rc;
	}
	note_region(g, w);
	rc = load_limits(g, err);
	rc = rc ? rc : load_engine(g, w, err);
	rc = rc ? rc : load_rules(g, w, err);
	rc = rc ? rc : load_shipped_models(g, err);
	return rc ? rc : load_given_models(g, err);
}

static bool
offers(const struct disk_limit *d, const char *redundancy)
{
	bool found = d->copies && strcmp(d->copies, redundancy) == 0;
	for (size_t i = 0; i < d->n_redundancy; i++)
		found = found || strcmp(d->redundancy[i], redundancy) == 0;
	return found;
}

static void
put_word(struct buf *words, const char *word)
{
	if (word && !strstr(buf_text(words), word))
		buf_printf(words, "%s%s", words->len ? ", " : "", word);
}

/* A word that no disk of the provider knows is a slip, not a plan without a candidate. */
static int
check_redundancy(const struct recommend_ground *g, const struct workload *w, struct err *err)
{
	struct buf words;
	bool known = !w->redundancy;
	buf_init(&words, 4096);
	for (size_t i = 0; i < g->limits.n_disks; i++) {
		const struct disk_limit *d = &g->limits.disks[i];
		known = known || offers(d, w->redundancy);
		for (size_t k = 0; k < d->n_redundancy; k++)
			put_word(&words, d->redundancy[k]);
		put_word(&words, d->copies);
	}
	if (!known && words.len)
		err_set(err, ERR_RANGE, "redundancy %s: %s has %s", w->redundancy,
			g->limits.provider, buf_text(&words));
	else if (!known)
		err_set(err, ERR_RANGE,
			"redundancy %s: the limits of %s name no choice of it: leave it out",
			w->redundancy, g->limits.provider);
	buf_fini(&words);
	return known ? 0 : workload_error_at(w->at.redundancy, err);
}

int
recommend_input(const struct recommend_ground *g, const struct workload *w, const char *name,
	const char *sha256, struct arena *a, struct advise_input *in, struct err *err)
{
	struct engine *engine = arena_alloc(a, sizeof(*engine));
	struct plan_input *inputs = arena_array(a, g->n_inputs + 1, sizeof(*inputs));
	const char *digest = arena_strdup(a, sha256);
	if (!engine || !inputs || !digest)
		return err_nomem(err);
	int rc = check_redundancy(g, w, err);
	if (rc)
		return rc;
	inputs[0] = (struct plan_input){.kind = "workload", .path = name, .sha256 = digest};
	for (size_t i = 0; i < g->n_inputs; i++)
		inputs[i + 1] = g->inputs[i];
	*in = (struct advise_input){.workload = w,
		.engine = engine,
		.book = &g->book,
		.limits = &g->limits,
		.rules = &g->rules,
		.models = g->models,
		.n_models = g->n_models,
		.inputs = inputs,
		.n_inputs = g->n_inputs + 1,
		.tool = "tierwise " TIERWISE_VERSION,
		.price_age_days = g->price_age_days,
		.findings = &g->findings};
	return transaction_engine(w, &g->engine, a, engine, err);
}

bool
recommend_has_plan(int rc)
{
	return rc == 0 || rc == ERR_BUDGET || rc == ERR_INFEASIBLE || rc == ERR_INCONCLUSIVE ||
	       rc == ERR_PRICE;
}

int
recommend_outcome(const struct recommend_ground *g, int outcome, struct err *err)
{
	bool worse = outcome == ERR_INFEASIBLE || outcome == ERR_PRICE;
	if (g->stale.code != ERR_STALE || worse)
		return outcome;
	*err = g->stale;
	return ERR_STALE;
}
