#include "cli/audit_claim.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"

/* What was typed; NaN and NULL: not given. */
struct typed {
	const char *name, *sku, *vm, *family, *provider, *source;
	int op; /* -1: not given */
	double bs_b, qd, iops, mbps, size_gib;
	double light_us, min_us, mean_us, p50_us, p90_us, p95_us, p99_us, p999_us, max_us;
	double commits_per_s, commit_us, writers;
};

enum kind { TEXT, OP, SIZE, COUNT, US, MS };

struct key {
	const char *name;
	enum kind kind;
	size_t offset;
};

#define KEY(n, k, m)                                                                               \
	{                                                                                          \
		n, k, offsetof(struct typed, m)                                                    \
	}
#define LATENCY(n, m) KEY(n "_ms", MS, m), KEY(n "_us", US, m)
static const struct key keys[] = {
	KEY("name", TEXT, name),
	KEY("sku", TEXT, sku),
	KEY("vm", TEXT, vm),
	KEY("family", TEXT, family),
	KEY("provider", TEXT, provider),
	KEY("source", TEXT, source),
	KEY("op", OP, op),
	KEY("bs", SIZE, bs_b),
	KEY("qd", COUNT, qd),
	KEY("iops", COUNT, iops),
	KEY("mbps", COUNT, mbps),
	KEY("size_gib", COUNT, size_gib),
	LATENCY("latency", mean_us),
	LATENCY("light", light_us),
	LATENCY("min", min_us),
	LATENCY("p50", p50_us),
	LATENCY("p90", p90_us),
	LATENCY("p95", p95_us),
	LATENCY("p99", p99_us),
	LATENCY("p999", p999_us),
	LATENCY("max", max_us),
	KEY("commits", COUNT, commits_per_s),
	LATENCY("commit", commit_us),
	KEY("writers", COUNT, writers),
};
enum { N_KEYS = sizeof(keys) / sizeof(keys[0]), MAX_WORD = 200 };

/* A word of the text and where it stands. */
struct word {
	char key[MAX_WORD], value[MAX_WORD];
	size_t column; /* of the key, from 1 */
	size_t value_column;
};

#define PLACE "--claim:1:%zu: "

const char *
audit_claim_keys(struct arena *a)
{
	struct buf text;
	buf_init(&text, 0);
	for (size_t i = 0; i < N_KEYS; i++)
		buf_printf(&text, "%s%s", i ? ", " : "", keys[i].name);
	const char *kept = arena_strdup(a, buf_text(&text));
	buf_fini(&text);
	return kept ? kept : "";
}

/* The next word at *at; false at the end. */
static bool
next_word(const char *text, const char **at, struct word *w, struct err *err)
{
	const char *p = *at + strspn(*at, " \t\n");
	size_t n = strcspn(p, " \t\n");
	const char *equals = memchr(p, '=', n);
	*at = p + n;
	w->column = (size_t)(p - text) + 1;
	if (n == 0)
		return false;
	if (!equals || equals == p || n >= MAX_WORD) {
		err_set(err, ERR_PARSE, PLACE "\"%.40s\" is not KEY=VALUE", w->column, p);
		return false;
	}
	size_t key = (size_t)(equals - p);
	memcpy(w->key, p, key);
	w->key[key] = '\0';
	memcpy(w->value, equals + 1, n - key - 1);
	w->value[n - key - 1] = '\0';
	w->value_column = w->column + key + 1;
	return true;
}

static const struct key *
find_key(const struct word *w, struct arena *a, struct err *err)
{
	for (size_t i = 0; i < N_KEYS; i++) {
		if (strcmp(keys[i].name, w->key) == 0)
			return &keys[i];
	}
	const char *near = names_nearest(w->key, &keys[0].name, N_KEYS, sizeof(keys[0]));
	err_set(err, ERR_PARSE, PLACE "key \"%.40s\" is not known%s%s%s; keys: %s", w->column,
		w->key, near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "",
		audit_claim_keys(a));
	return NULL;
}

static int
set_number(const struct key *k, const struct word *w, double *field, struct err *err)
{
	struct err why = {0};
	uint64_t size = 0;
	double v = 0;
	int rc = k->kind == SIZE ? units_parse_size(w->value, &size, &why)
				 : units_parse_count(w->value, &v, &why);
	if (rc)
		return err_set(err, why.code, PLACE "%s: %s", w->value_column, w->key, why.text);
	if (k->kind == SIZE)
		v = (double)size;
	if (!(v > 0))
		return err_set(err, ERR_RANGE, PLACE "%s=%s: more than 0 and at most 1e15",
			w->value_column, w->key, w->value);
	*field = k->kind == MS ? v * 1000 : v;
	return 0;
}

static int
set_op(const struct word *w, int *op, struct err *err)
{
	*op = names_find(&profile_op_names, w->value);
	return *op >= 0 ? 0
			: err_set(err, ERR_RANGE, PLACE "op=%s: randread, randwrite, read or write",
				  w->value_column, w->value);
}

static int
set(struct typed *t, const struct key *k, const struct word *w, struct arena *a, struct err *err)
{
	char *field = (char *)t + k->offset;
	const char *copy = arena_strdup(a, w->value);
	if (!copy)
		return err_nomem(err);
	if (!*copy)
		return err_set(err, ERR_PARSE, PLACE "%s= has no value", w->value_column, w->key);
	if (k->kind == TEXT) {
		memcpy(field, &copy, sizeof(copy));
		return 0;
	}
	if (k->kind == OP) {
		int op = -1, rc = set_op(w, &op, err);
		memcpy(field, &op, sizeof(op));
		return rc;
	}
	double v = 0;
	int rc = set_number(k, w, &v, err);
	memcpy(field, &v, sizeof(v));
	return rc;
}

static struct typed
nothing(void)
{
	struct typed t = {.op = -1};
	for (size_t i = 0; i < N_KEYS; i++) {
		const double no = (double)NAN;
		if (keys[i].kind > OP)
			memcpy((char *)&t + keys[i].offset, &no, sizeof(no));
	}
	return t;
}

static int
read_words(const char *text, struct arena *a, struct typed *t, struct err *err)
{
	const char *at = text;
	struct word w;
	bool seen[sizeof(struct typed)] = {false};
	err->code = ERR_OK;
	while (next_word(text, &at, &w, err)) {
		const struct key *k = find_key(&w, a, err);
		if (!k)
			return (int)err->code;
		if (seen[k->offset])
			return err_set(err, ERR_PARSE, PLACE "%s is given twice", w.column, w.key);
		seen[k->offset] = true;
		int rc = set(t, k, &w, a, err);
		if (rc)
			return rc;
	}
	if (err->code != ERR_OK)
		return (int)err->code;
	bool testable = !isnan(t->iops) || !isnan(t->mbps) || !isnan(t->mean_us) || t->sku ||
			t->vm || !isnan(t->p99_us) || !isnan(t->commits_per_s);
	return testable ? 0
			: err_set(err, ERR_PARSE,
				  PLACE "nothing to test: give figures, as in \"sku=P30 iops=20000 "
					"latency_ms=0.8 qd=16 bs=16k\"",
				  (size_t)1);
}

/* ---- as a profile ---- */

static int
add_cells(const struct typed *t, struct arena *a, struct profile *p, struct err *err)
{
	struct profile_cell c;
	profile_cell_clear(&c);
	c.op = t->op;
	c.bs_b = t->bs_b;
	if (!isnan(t->light_us)) {
		c.qd = 1;
		c.mean_us = t->light_us;
		int rc = profile_add_cell(p, a, &c, err);
		if (rc)
			return rc;
	}
	c.qd = t->qd;
	c.iops = t->iops;
	c.mibps = units_mbps_to_mibps(t->mbps);
	c.min_us = t->min_us;
	c.mean_us = t->mean_us;
	c.p50_us = t->p50_us;
	c.p90_us = t->p90_us;
	c.p95_us = t->p95_us;
	c.p99_us = t->p99_us;
	c.p999_us = t->p999_us;
	c.max_us = t->max_us;
	return profile_add_cell(p, a, &c, err);
}

static int
add_sync(const struct typed *t, struct arena *a, struct profile *p, struct err *err)
{
	struct profile_sync s;
	if (isnan(t->commits_per_s) && isnan(t->commit_us))
		return 0;
	profile_sync_clear(&s);
	s.bs_b = t->bs_b;
	s.syncs_per_s = t->commits_per_s;
	s.mean_us = t->commit_us;
	s.writers = t->writers;
	return profile_add_sync(p, a, &s, err);
}

static struct profile_claim
claim_of(const struct typed *t, const char *kind, const char *text)
{
	const double no = (double)NAN;
	return (struct profile_claim){.kind = kind,
		.text = text,
		.sku = t->sku,
		.vm = t->vm,
		.size_gib = t->size_gib,
		.iops = t->iops,
		.mbps = t->mbps,
		.qd = t->qd,
		.bs_b = t->bs_b,
		.latency_us = no,
		.before = no,
		.after = no,
		.claimed = no,
		.count = no};
}

static int
add_claims(const struct typed *t, struct arena *a, struct profile *p, struct err *err)
{
	enum { MOST = 3 };
	struct profile_claim *claims = arena_array(a, MOST, sizeof(*claims));
	bool load = !isnan(t->iops) && !isnan(t->bs_b);
	if (!claims)
		return err_nomem(err);
	if (t->sku)
		claims[p->n_claims++] = claim_of(
			t, "label", arena_printf(a, "the label of a %s", t->sku));
	if (t->sku && load && isnan(t->mbps))
		claims[p->n_claims++] = claim_of(
			t, "bandwidth", arena_printf(a, "the bandwidth of a %s", t->sku));
	if (t->vm) {
		struct profile_claim *c = &claims[p->n_claims++];
		*c = claim_of(t, "vm-cap", arena_printf(a, "what a %s lets through", t->vm));
		if (load && isnan(c->mbps))
			c->mbps = t->iops * t->bs_b / UNITS_MB;
	}
	p->claims = claims;
	return 0;
}

/* "azure/P30": the provider in front of the SKU, as predict --sku takes it. */
static int
split_sku(struct typed *t, struct arena *a, struct err *err)
{
	const char *slash = t->sku ? strchr(t->sku, '/') : NULL;
	if (!slash)
		return 0;
	size_t len = (size_t)(slash - t->sku);
	if (len == 0 || slash[1] == '\0' || strchr(slash + 1, '/'))
		return err_set(err, ERR_PARSE, PLACE "sku=%s: SKU or PROVIDER/SKU, as in azure/P30",
			(size_t)1, t->sku);
	const char *provider = arena_strndup(a, t->sku, len);
	if (!provider)
		return err_nomem(err);
	bool other = (t->provider && strcmp(t->provider, provider) != 0) ||
		     (t->family &&
			     (strncmp(t->family, provider, len) != 0 || t->family[len] != '/'));
	if (other)
		return err_set(err, ERR_PARSE, PLACE "sku=%s is not of %s", (size_t)1, t->sku,
			t->family ? t->family : t->provider);
	t->provider = provider;
	t->sku = slash + 1;
	return 0;
}

int
audit_claim_read(const char *text, struct arena *a, struct profile *p, struct err *err)
{
	struct err local;
	struct typed t = nothing();
	int rc = read_words(text, a, &t, err ? err : &local);
	rc = rc ? rc : split_sku(&t, a, err);
	if (rc)
		return rc;
	profile_clear(p);
	p->name = t.name ? t.name : text;
	p->trust = TRUST_PUBLISHED;
	p->source = t.source ? t.source : "command line";
	p->family = t.family;
	if (!t.family && t.provider && !(p->family = arena_printf(a, "%s/", t.provider)))
		return err_nomem(err);
	rc = add_cells(&t, a, p, err);
	rc = rc ? rc : add_sync(&t, a, p, err);
	return rc ? rc : add_claims(&t, a, p, err);
}
