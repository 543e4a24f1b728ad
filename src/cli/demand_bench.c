#include "cli/demand_bench.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "profile/import.h"

/* Azure lets a disk burst for half an hour from a full bucket, AWS gp2 for as long at its largest gap. */
static const double burst_s = 1800;
static const double least_us = 0.5; /* what no device answers in */

static struct evidence_run *
new_run(struct evidence *e, const struct evidence_input *in)
{
	struct evidence_run *r = evidence_add_run(e);
	if (!r)
		return NULL;
	r->source = "fio";
	r->file = arena_strdup(e->arena, in->name);
	return r->file ? r : NULL;
}

/* The wait for the sync alone is what a commit pays; the write before it goes to the page cache. */
static int
add_sync(struct evidence *e, const struct evidence_input *in, const struct profile_sync *s)
{
	struct evidence_run *r = new_run(e, in);
	char size[32];
	if (!r)
		return ERR_NOMEM;
	units_size_text(s->bs_b, size);
	r->label = arena_printf(
		e->arena, "commit (%s of %s)", names_text(&profile_sync_mode_names, s->mode), size);
	r->clients = s->writers;
	r->tps = s->syncs_per_s;
	r->n = s->n;
	bool parts = isfinite(s->sync_mean_us);
	r->mean_us = parts ? s->sync_mean_us : s->mean_us;
	r->p50_us = parts ? s->sync_p50_us : s->p50_us;
	r->p99_us = parts ? s->sync_p99_us : s->p99_us;
	r->max_us = s->max_us;
	if (r->tps > 0 && r->n > 0)
		r->seconds = r->n / r->tps;
	return r->label ? 0 : ERR_NOMEM;
}

static int
add_cell(struct evidence *e, const struct evidence_input *in, const struct profile_cell *c)
{
	struct evidence_run *r = new_run(e, in);
	char size[32];
	if (!r)
		return ERR_NOMEM;
	units_size_text(c->bs_b, size);
	bool mix = isfinite(c->mix_read_frac);
	r->label = arena_printf(e->arena, "%s%s %s, depth %g", names_text(&profile_op_names, c->op),
		mix ? " in a mix," : "", size, c->qd);
	r->clients = c->qd;
	r->tps = c->iops;
	r->asked_tps = c->asked_iops;
	r->mean_us = c->mean_us;
	r->sd_us = c->sd_us;
	r->p50_us = c->p50_us;
	r->p95_us = c->p95_us;
	r->p99_us = c->p99_us;
	r->max_us = c->max_us;
	r->n = c->n;
	r->seconds = c->runtime_s;
	return r->label ? 0 : ERR_NOMEM;
}

static bool
has(const struct profile *p, const char *code)
{
	for (size_t i = 0; i < p->n_findings; i++) {
		if (strcmp(p->findings[i].code, code) == 0)
			return true;
	}
	return false;
}

static double
longest_s(const struct profile *p)
{
	double longest = NAN;
	for (size_t i = 0; i < p->n_cells; i++)
		longest = fmax(longest, p->cells[i].runtime_s);
	return longest;
}

/* Why the figures are no capacity to plan with; every reason once. */
static void
judge(struct evidence *e, const struct evidence_input *in, const struct profile *p)
{
	double ran_s = longest_s(p);
	bool instant = false;
	for (size_t i = 0; i < p->n_cells; i++)
		instant = instant || p->cells[i].min_us < least_us;
	bool cached = has(p, "buffered") || has(p, "device-idle") || instant;
	if (cached)
		findings_add(&e->findings, SEVERITY_ERROR, "not-capacity",
			"run it with direct=1 on more data than every cache holds",
			"%s: a cache answered (%s): not to be taken for what the disk can do",
			in->name,
			has(p, "buffered")      ? "not direct I/O"
			: has(p, "device-idle") ? "the device was idle"
						: "an I/O took next to no time");
	else if (ran_s < burst_s)
		findings_add(&e->findings, SEVERITY_WARNING, "burst-window",
			"run longer than bursts last, or compare with what was bought (--cap)",
			"%s: ran for %.3g s: on a disk that bursts (Azure: up to %.0f min) that is "
			"the burst, "
			"not a capacity",
			in->name, ran_s, burst_s / 60);
}

static int
take(struct evidence *e, const struct evidence_input *in, const struct profile *p, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < p->n_syncs; i++)
		rc = add_sync(e, in, &p->syncs[i]);
	for (size_t i = 0; rc == 0 && i < p->n_cells; i++)
		rc = add_cell(e, in, &p->cells[i]);
	if (rc)
		return err_nomem(err);
	for (size_t i = 0; i < p->n_findings; i++) {
		const struct finding *f = &p->findings[i];
		findings_add(
			&e->findings, (enum severity)f->severity, f->code, f->todo, "%s", f->text);
	}
	if (p->n_cells)
		judge(e, in, p);
	findings_add(&e->findings, SEVERITY_NOTE, "benchmark",
		"tierwise import reads it as a profile of the disk",
		"%s: a benchmark: what the disk gave to a closed loop, not what a system needs",
		in->name);
	return 0;
}

int
demand_bench_read(struct evidence *e, const struct evidence_input *in, bool *known, struct err *err)
{
	struct profile p;
	struct import_outcome file = {0};
	struct err why = {0};
	struct import *im = import_new(&p, e->arena);
	*known = false;
	if (!im)
		return err_nomem(err);
	int rc = import_text(im, in->name, in->text, in->n, &file, &why);
	/* the importer of fio takes any text and says that it is none */
	bool is_fio = file.format && strcmp(file.format, "fio") == 0;
	*known = file.format && (rc == 0 || !is_fio || strstr(in->text, "fio version"));
	if (!*known)
		return 0;
	if (rc)
		return err_set(err, (enum err_code)rc, "%s", why.text);
	if (!is_fio)
		return err_set(err, ERR_UNSUPPORTED,
			"%s: a result of %s, which says what a disk can do and nothing of what is "
			"needed: "
			"tierwise import reads it",
			in->name, file.format);
	rc = import_finish(im, err);
	return rc ? rc : take(e, in, &p, err);
}
