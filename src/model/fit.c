/*
 * fit.c - a profile becomes a model: curves, block sizes, durable writes, findings.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "model/audit.h"
#include "model/cells.h"
#include "model/commits.h"
#include "model/curve.h"
#include "model/document.h"
#include "model/loads.h"
#include "model/mix.h"
#include "model/predict.h"
#include "model/sizes.h"
#include "model/traps.h"

static void
identity(const struct profile *p, const char *sha256, struct arena *a, struct disk_model *m)
{
	schema_clear(&disk_model_schema, m);
	m->name = p->name;
	m->family = p->family;
	m->sku = p->sku;
	m->device = p->device;
	m->profile_name = p->name;
	m->profile_sha256 = sha256 ? arena_strdup(a, sha256) : NULL;
	m->source = p->source;
	m->as_of = p->as_of;
	m->trust = p->trust;
	if (p->quota) {
		m->quota_iops = p->quota->iops;
		m->quota_mbps = p->quota->mbps;
		m->quota_write_iops = p->quota->write_iops;
		m->quota_write_mbps = p->quota->write_mbps;
	}
}

/*
 * One depth at one block size is no curve: latency at another depth takes the curve of a size that
 * has several, moved by what the sizes swept at depth 1 say.  It stays one where nothing better is.
 */
static bool
only_a_size(const struct series_list *list, const struct series *s)
{
	if (s->n != 1 || s->points[0].qd != 1 || !isnan(s->loose_iops))
		return false;
	for (size_t i = 0; i < list->n; i++) {
		const struct series *o = &list->items[i];
		if (o->op == s->op && o->n > 1 && o->points[0].qd == 1)
			return true;
	}
	return false;
}

/* Few depths by intention: the ladder of the operation, or of its random kin, is at another size. */
static bool
beside_a_ladder(const struct series_list *list, const struct series *s)
{
	int kin = s->op == PROFILE_OP_READ    ? PROFILE_OP_RANDREAD
		  : s->op == PROFILE_OP_WRITE ? PROFILE_OP_RANDWRITE
					      : s->op;
	for (size_t i = 0; i < list->n; i++) {
		const struct series *o = &list->items[i];
		if (o != s && (o->op == s->op || o->op == kin) && o->n >= 5 && s->n < 3)
			return true;
	}
	return false;
}

static int
fit_curves(const struct series_list *list, struct arena *a, struct findings *out,
	struct disk_model *m, struct err *err)
{
	m->curves = list->n ? arena_array(a, list->n, sizeof(*m->curves)) : NULL;
	if (list->n && !m->curves)
		return err_nomem(err);
	for (size_t i = 0; i < list->n; i++) {
		const struct series *s = &list->items[i];
		struct curve_context ctx = {
			m->device, predict_quota(m, s->op, s->bs_b), beside_a_ladder(list, s)};
		struct model_curve *c = &m->curves[m->n_curves];
		schema_clear(&model_curve_schema, c);
		if (s->n == 0 && isnan(s->loose_iops))
			continue; /* every cell of it contradicts itself: the findings say so */
		if (only_a_size(list, s))
			continue;
		int rc = curve_fit(s, &ctx, a, out, c, err);
		if (rc)
			return rc;
		m->n_curves++;
	}
	return 0;
}

/* What measuring already said comes first. */
static void
keep_findings(const struct profile *p, struct findings *out)
{
	for (size_t i = 0; i < p->n_findings; i++) {
		const struct finding *f = &p->findings[i];
		findings_add(out, (enum severity)f->severity, f->code, f->todo, "%s", f->text);
	}
}

/* What speaks against the profile beyond its cells: counted here, printed by the audit. */
static int
point_to_audit(const struct profile *p, const struct limits *limits, struct arena *a,
	struct findings *out, struct err *err)
{
	struct audit audit;
	audit_init(&audit, a);
	audit_profile(p, limits, &audit);
	int rc = audit_finish(&audit, err);
	if (rc == 0 && audit.contradictions > 0)
		findings_add(out, SEVERITY_WARNING, "audit",
			"tierwise audit FILE prints the arithmetic, and what would have to be true",
			"%" PRId64 " contradiction%s with arithmetic or the vendor's documents",
			audit.contradictions, audit.contradictions == 1 ? "" : "s");
	return rc;
}

/* Why no cell is left: there was none, or the audit took them out (its first sentence says why). */
static int
nothing_to_fit(const struct profile *p, const struct findings *audit, struct err *err)
{
	const char *name = p->name ? p->name : "profile";
	const struct finding *why = findings_find(audit, "little-law");
	if (why)
		return err_set(err, ERR_UNSUPPORTED, "%s: nothing to fit: %s", name, why->text);
	return err_set(err, ERR_UNSUPPORTED,
		"%s: nothing to fit: no cell has latency or IOPS with a depth, and there is no "
		"sync entry",
		name);
}

int
disk_model_fit(const struct profile *p, const char *profile_sha256, const struct limits *limits,
	struct arena *a, struct disk_model *m, struct err *err)
{
	struct findings out;
	struct series_list list;
	findings_init(&out, a);
	identity(p, profile_sha256, a, m);
	keep_findings(p, &out);
	audit_cells(p, &out);
	int rc = points_collect(p, a, &out, &list, err);
	if (rc == 0)
		rc = fit_curves(&list, a, &out, m, err);
	if (rc == 0)
		traps_between(&list, &out);
	if (rc == 0)
		rc = sizes_fit(p, a, &out, m, err);
	if (rc == 0)
		cells_finding(m, &out);
	if (rc == 0)
		rc = loads_fit(p, a, &out, m, err);
	if (rc == 0)
		rc = mix_fit(p, a, m, err);
	if (rc == 0)
		rc = sizes_syncs(p, a, m, err);
	if (rc == 0)
		rc = commits_fit(p, a, m, err);
	if (rc == 0)
		rc = point_to_audit(p, limits, a, &out, err);
	if (rc)
		return err_context(err, "%s", p->name ? p->name : "profile");
	if (m->n_curves + m->n_sizes + m->n_syncs + m->n_loads == 0)
		return nothing_to_fit(p, &out, err);
	m->findings = out.items;
	m->n_findings = out.n;
	return 0;
}
