/*
 * notes.c - what a reader must know of the figures a plan rests on: findings, each with what to do.
 */
#include <math.h>
#include <string.h>

#include "advise/build.h"

/*
 * How to measure the tier of a candidate.  One disk of it, also for a stripe: the stripe is computed.
 * The key is the SKU, which beats every other, and one file serves all volumes on it.
 */
static const char *
measure_hint(struct build *b, const struct candidate *c)
{
	struct candidate one = *c;
	one.disks = 1;
	/* a local disk is named by its machine; its profile is given for the tier */
	const char *sku = c->place == PLACE_LOCAL ? c->disk->family : c->disk->sku;
	return arena_printf(b->arena,
		"tierwise bench DIR -o %s.json with DIR on one %s, then recommend --profile "
		"%s=%s.json",
		sku, candidate_name(&one, b->arena), sku, sku);
}

/*
 * A measured profile that does not hold what was asked of it: the block size of the volume, or
 * samples enough for its p99.
 */
static bool
note_thin_profile(struct build *b, const struct candidate *c, const char *label)
{
	const struct disk_model *m = c->latency.model;
	if (m->trust != TRUST_MEASURED && m->trust != TRUST_IMPORTED)
		return false;
	findings_add(b->findings, SEVERITY_WARNING, "latency-trust",
		"a block size bench does not measure: import fio results at that size; too few "
		"samples for p99: bench with a longer --time",
		"%s: the latency of %s is %s from a profile that is %s (%s): it lacks the block "
		"size or the percentile asked for",
		label, candidate_name(c, b->arena), names_text(&trust_names, c->latency.trust),
		names_text(&trust_names, m->trust), c->latency.source);
	return true;
}

/* A machine that takes the disk by a derivation, not by its own page. */
static void
note_support(struct build *b)
{
	const struct vm_limit *vm = b->c->options[b->choice.option].vm;
	const char *support = vm ? vm->premium_v2_support : NULL;
	if (!support || !strstr(support, "derived"))
		return;
	struct buf labels;
	buf_init(&labels, 400);
	const char *title = NULL;
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct candidate *c = b->choice.at[v];
		if (strcmp(c->disk->family, "premium_ssd_v2") != 0)
			continue;
		buf_printf(&labels, "%s%s", title ? ", " : "", b->c->set.volumes[v].label);
		title = c->title;
	}
	if (title)
		findings_add(b->findings, SEVERITY_WARNING, "support-derived",
			"look at the machine's page and the list of regions", "%s: %s on %s: %s",
			buf_text(&labels), title, vm->sku, support);
	buf_fini(&labels);
}

/* Which latencies the decision rests on, and what would replace them by a measurement. */
static void
note_trust(struct build *b)
{
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct candidate *c = b->choice.at[v];
		int role = b->c->set.volumes[v].volume->role;
		bool matters = role == WORKLOAD_WAL || role == WORKLOAD_DATA ||
			       role == WORKLOAD_INDEX;
		const char *label = b->c->set.volumes[v].label;
		if (!matters)
			continue;
		if (!c->latency.model) {
			findings_add(b->findings, SEVERITY_WARNING, "latency-unknown",
				measure_hint(b, c), "%s: nothing is said of the latency of %s (%s)",
				label, c->disk->sku,
				c->latency.unknown ? c->latency.unknown : "no data");
			continue;
		}
		if (c->latency.trust != TRUST_PUBLISHED && c->latency.trust != TRUST_ASSUMED)
			continue;
		if (note_thin_profile(b, c, label))
			continue;
		findings_add(b->findings, SEVERITY_WARNING, "latency-trust", measure_hint(b, c),
			"%s: the latency of %s is %s (%s), not measured on it", label,
			candidate_name(c, b->arena), names_text(&trust_names, c->latency.trust),
			c->latency.source);
	}
}

/* What the fit had to say about a profile the decision rests on, once a profile. */
static void
note_models(struct build *b)
{
	const struct disk_model *seen[SEARCH_MAX_VOLUMES] = {NULL};
	size_t n = 0;
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct disk_model *m = b->choice.at[v]->latency.model;
		bool known = !m || m->n_findings == 0;
		for (size_t i = 0; i < n && !known; i++)
			known = seen[i] == m;
		if (known)
			continue;
		seen[n++] = m;
		findings_add(b->findings, SEVERITY_NOTE, "profile-findings",
			"read them with tierwise fit before relying on the latency",
			"the profile %s has %zu findings of its own, the first: %s",
			m->name ? m->name : "", m->n_findings, m->findings[0].text);
	}
}

/* Local disks whose documents give reads only: the caps used for writes are those of reads. */
static void
note_local_writes(struct build *b)
{
	const struct vm_limit *vm = b->c->options[b->choice.option].vm;
	for (size_t v = 0; v < b->c->set.n; v++) {
		const struct demand *d = &b->c->set.volumes[v];
		bool local = b->choice.at[v]->place == PLACE_LOCAL;
		bool writes = d->write_iops > 0 || d->volume->write_mbps > 0;
		bool known = vm && !isnan(vm->temp_write_iops) && !isnan(vm->temp_write_mbps);
		if (!local || !writes || known)
			continue;
		findings_add(b->findings, SEVERITY_WARNING, "local-writes-unknown",
			"measure the local disk with tierwise bench before relying on it",
			"%s: the documents give the reads of the %s only; its writes are held "
			"against "
			"the same caps, which they may not reach",
			d->label, b->choice.at[v]->disk->sku);
	}
}

void
build_notes(struct build *b)
{
	note_support(b);
	note_trust(b);
	note_local_writes(b);
	build_note_cached_cap(b);
	note_models(b);
}
