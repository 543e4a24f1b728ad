/*
 * cmd_audit.c - `tierwise audit FILE...`, `tierwise audit --claim "..."`: profiles, comparisons and
 * typed claims tested by arithmetic and the vendors' documents.
 *
 * Exit 7 when something contradicts: figures that cannot be true together do not decide anything, as a
 * measurement that was not steady does not.  Doubts and what could not be tested exit 0.
 */
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/audit_claim.h"
#include "cli/audit_parts.h"
#include "cli/command.h"
#include "cli/model_load.h"

enum { KEY_CLAIM = 0x2000 };

struct arguments {
	struct cli_common common;
	struct cli_texts claims;
	char **paths;
	size_t n_paths;
};

static const struct argp_option option_rows[] = {
	{"claim", KEY_CLAIM, "WORDS", 0,
		"A claim to test, as in \"sku=P30 iops=20000 latency_ms=0.8 qd=16 bs=16k\"; may "
		"repeat",
		0},
	{0}};

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case KEY_CLAIM:
		return cli_add_text(&a->common, &a->claims, arg);
	case ARGP_KEY_ARGS:
		a->paths = state->argv + state->next;
		a->n_paths = (size_t)(state->argc - state->next);
		return 0;
	case ARGP_KEY_END:
		if (a->n_paths == 0 && a->claims.n == 0)
			argp_error(state, "nothing to audit: give FILE or --claim");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int
audit_one_profile(struct arguments *a, const struct profile *p, struct audit *out, struct err *err)
{
	const struct limits *limits = NULL;
	int rc = model_limits(&a->common, p->family, &limits, err);
	if (rc)
		return rc;
	audit_profile(p, limits, out);
	return audit_finish(out, err);
}

/* Limits of a provider; what an article claims is no limit. */
static int
is_limits(const struct dirent *entry)
{
	const char *name = entry->d_name, *suffix = strrchr(name, '.');
	return strncmp(name, "limits-", 7) == 0 && strncmp(name, "limits-article-", 15) != 0 &&
	       suffix && strcmp(suffix, ".json") == 0;
}

/* Whether a provider's documents hold the SKU or the machine of a claim. */
static bool
knows(const struct limits *l, const struct profile *p)
{
	const struct disk_limit *disk;
	const struct vm_limit *vm;
	for (size_t i = 0; i < p->n_claims; i++) {
		const struct profile_claim *c = &p->claims[i];
		if ((c->sku && limits_disk(l, c->sku, &disk, NULL) == 0) ||
			(c->vm && limits_vm(l, c->vm, &vm, NULL) == 0))
			return true;
	}
	return false;
}

/* The name nearest to the SKU that was typed: " (did you mean "P30" of azure?)"; NULL: none is near. */
static const char *
nearest(const struct limits *l, const struct profile *p, struct arena *a)
{
	const char *sku = p->n_claims ? p->claims[0].sku : NULL, *near = NULL;
	if (sku && l->n_disks)
		near = names_nearest(sku, &l->disks[0].sku, l->n_disks, sizeof(l->disks[0]));
	return near ? arena_printf(a, " (did you mean \"%s\" of %s?)", near, l->provider) : NULL;
}

/* What nobody knows stays untested; its words say which name is near. */
static void
suggest(struct profile *p, const char *near, struct arena *a)
{
	for (size_t i = 0; near && !p->family && i < p->n_claims; i++) {
		struct profile_claim *c = &p->claims[i];
		const char *text = c->sku ? arena_printf(a, "%s%s", c->text, near) : NULL;
		c->text = text ? text : c->text;
	}
}

/* The provider of a claim that names none: the first whose documents hold its SKU or machine. */
static int
find_provider(struct arguments *a, struct profile *p, struct err *err)
{
	struct dirent **entries = NULL;
	const char *near = NULL;
	const char *dir = cli_data_path(&a->common, "pricing", err);
	if (!dir)
		return (int)err->code;
	int n = scandir(dir, &entries, is_limits, alphasort), rc = 0;
	for (int i = 0; i < n; i++) {
		struct limits l = {0};
		const char *path = arena_printf(&a->common.arena, "%s/%s", dir, entries[i]->d_name);
		free(entries[i]);
		if (rc || p->family)
			continue;
		rc = path ? limits_load(path, &a->common.arena, &l, NULL, err) : err_nomem(err);
		if (rc == 0 && knows(&l, p))
			p->family = arena_printf(&a->common.arena, "%s/", l.provider);
		else if (rc == 0 && !near)
			near = nearest(&l, p, &a->common.arena);
	}
	free(entries);
	suggest(p, near, &a->common.arena);
	return rc;
}

static int
audit_profile_document(
	struct arguments *a, const struct json_doc *doc, struct audit *out, struct err *err)
{
	struct profile *p = arena_alloc(&a->common.arena, sizeof(*p));
	if (!p)
		return err_nomem(err);
	int rc = model_read_profile(doc, &a->common.arena, p, err);
	return rc ? rc : audit_one_profile(a, p, out, err);
}

static int
audit_tco_document(struct arguments *a, struct jval root, struct audit *out, struct err *err)
{
	struct tco_case *c = arena_alloc(&a->common.arena, sizeof(*c));
	struct tco_result *r = arena_alloc(&a->common.arena, sizeof(*r));
	if (!c || !r)
		return err_nomem(err);
	int rc = tco_read(root, &a->common.arena, c, err);
	rc = rc ? rc : tco_evaluate(c, &a->common.arena, r, err);
	if (rc)
		return rc;
	audit_tco(c, r, out);
	return audit_finish(out, err);
}

/* Anything else is read as a profile, whose reader says what is wrong with it. */
static int
audit_file(struct arguments *a, const char *path, struct audit *out, struct err *err)
{
	struct json_doc *doc = NULL;
	int rc = model_load_json(&a->common, path, &doc, err);
	if (rc)
		return rc;
	struct jval root = json_root(doc);
	const char *schema = json_text(json_get(root, "schema"));
	out->file = path;
	out->sha256 = arena_strdup(&a->common.arena, json_sha256(doc));
	if (schema && strncmp(schema, "tierwise/tco/", 13) == 0)
		rc = audit_tco_document(a, root, out, err);
	else if (schema && strncmp(schema, "tierwise/model/", 15) == 0)
		rc = json_fail(json_get(root, "schema"), err, ERR_USAGE,
			"a fitted model holds no claims and no raw cells: audit the profile it was "
			"fitted from");
	else
		rc = audit_profile_document(a, doc, out, err);
	json_free(doc);
	return rc;
}

static int
audit_claim(struct arguments *a, const char *text, struct audit *out, struct err *err)
{
	struct profile *p = arena_alloc(&a->common.arena, sizeof(*p));
	if (!p)
		return err_nomem(err);
	int rc = audit_claim_read(text, &a->common.arena, p, err);
	if (rc == 0 && !p->family && p->n_claims > 0)
		rc = find_provider(a, p, err);
	return rc ? rc : audit_one_profile(a, p, out, err);
}

static int
audit_each(struct arguments *a, struct audit_report *r, struct err *err)
{
	size_t n = a->n_paths + a->claims.n;
	r->audits = arena_array(&a->common.arena, n, sizeof(*r->audits));
	if (!r->audits)
		return err_nomem(err);
	for (; r->n_audits < n; r->n_audits++) {
		struct audit *one = &r->audits[r->n_audits];
		size_t i = r->n_audits;
		audit_init(one, &a->common.arena);
		int rc = i < a->n_paths ? audit_file(a, a->paths[i], one, err)
					: audit_claim(a, a->claims.items[i - a->n_paths], one, err);
		if (rc)
			return rc;
		r->contradictions += one->contradictions;
		r->doubts += one->doubts;
		r->agreements += one->agreements;
	}
	return 0;
}

static int
audit(void *arguments, struct err *err)
{
	struct arguments *a = arguments;
	struct audit_report r = {0};
	struct doc d;
	int rc = model_inputs_once(a->paths, a->n_paths, err);
	rc = rc ? rc : audit_each(a, &r, err);
	if (rc)
		return rc;
	doc_init(&d, &a->common.arena, "Audit");
	audit_doc(&d, &r);
	rc = cli_output(&a->common, &d, &audit_schema, &r, err);
	if (rc == 0 && r.contradictions > 0)
		rc = err_set(err, ERR_INCONCLUSIVE,
			"%" PRId64 " contradiction%s: figures that cannot be true together decide "
			"nothing",
			r.contradictions, r.contradictions == 1 ? "" : "s");
	return rc;
}

static int
run(int argc, char **argv)
{
	static const struct argp_child children[] = {{.argp = &cli_common_argp}, {0}};
	static const struct argp argp = {.options = option_rows,
		.parser = parse_option,
		.args_doc = "[FILE...]",
		.doc = "Test figures by arithmetic and the vendors' documents: profiles, measured, "
		       "imported or published (tierwise/profile/1), the claims of a comparison in "
		       "money (tierwise/tco/1), and claims typed here.\v"
		       "Each finding has its arithmetic, what would have to be true, and where "
		       "each "
		       "figure comes from.  Exit 7 when something contradicts.\n"
		       "Keys of a claim: name, sku, vm, provider, family "
		       "(azure/premium_ssd), source, op, bs, qd, iops, mbps, size_gib, commits, "
		       "writers; latency, light (at depth 1), "
		       "min, "
		       "p50, p90, p95, p99, p999, max and commit, each with _ms or _us.",
		.children = children};
	struct arguments a = {0};
	return cli_run(&argp, argc, argv, &a, audit);
}

extern const struct command cmd_audit;
const struct command cmd_audit = {
	.name = "audit",
	.args = "[FILE...]",
	.summary = "profiles and published claims against arithmetic and the vendors' limits",
	.run = run,
};
