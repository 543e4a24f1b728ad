/*
 * plan_sections.c - what backs page one: alternatives, volumes with the cheaper candidates they
 * rejected, promises, bill.
 */
#include <math.h>
#include <string.h>

#include "report/plan_text.h"

void
plan_alternatives(const struct plan *p, struct doc *d)
{
	const char *monthly = arena_printf(
		d->arena, "%s a month", p->currency ? p->currency : "money");
	const struct doc_column columns[] = {
		{"Plan", DOC_LEFT},
		{"Meets every constraint", DOC_LEFT},
		{monthly ? monthly : "", DOC_RIGHT},
		{"This plan saves", DOC_RIGHT},
		{"What it is", DOC_LEFT},
	};
	doc_heading(d, 2, "Alternatives");
	if (p->n_changes) {
		doc_paragraph(d, "What would change the decision:");
		doc_list(d, p->changes, p->n_changes);
	}
	if (p->n_options == 0) {
		doc_paragraph(d, "No other plan was priced.");
		return;
	}
	struct doc_table *t = doc_table(
		d, "Runner-up and baselines beside this plan", columns, DOC_COUNT(columns));
	if (p->cost) {
		doc_row(d, t);
		doc_cell(d, t, 0, "this plan");
		doc_cell(d, t, 1, "%s",
			p->verdict == PLAN_PASS ? "PASS"
						: names_text(&plan_verdict_names, p->verdict));
		doc_cell(d, t, 2, "%s%s", p->cost->complete == 1 ? "" : "\u2265 ",
			plan_amount(d, p->cost->monthly));
		doc_cell(d, t, 3, "-");
	}
	for (size_t i = 0; i < p->n_options; i++) {
		const struct plan_option *o = &p->options[i];
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", plan_or_unknown(o->name));
		doc_cell(d, t, 1, "%s",
			o->feasible < 0 ? "UNKNOWN"
			: o->feasible   ? "PASS"
					: "FAIL");
		doc_cell(d, t, 2, "%s%s",
			o->complete == 0 && plan_known(o->monthly) ? "\u2265 " : "",
			plan_amount(d, o->monthly));
		doc_cell(d, t, 3, "%s", plan_percent(d, o->saving_frac));
		doc_cell(d, t, 4, "%s", o->text ? o->text : "");
	}
}

/* ", 6,000 reads/s" and the like: what is not known is left out here, it does not size anything. */
static const char *
demand_part(struct doc *d, double value, const char *unit)
{
	const char *text = isnan(value)
				   ? ""
				   : arena_printf(d->arena, ", %s %s", plan_count(d, value), unit);
	d->failed = d->failed || !text;
	return text ? text : "";
}

static void
put_demand(struct doc *d, const struct plan_volume *v)
{
	const char *origin = v->demand_trust ? v->demand_trust : "origin unknown";
	doc_paragraph(d, "Needs %s GiB now and %s GiB at the horizon%s%s%s%s (%s).",
		plan_count(d, v->capacity_gib), plan_count(d, v->horizon_gib),
		demand_part(d, v->read_iops, "reads/s"), demand_part(d, v->write_iops, "writes/s"),
		demand_part(d, v->io_kib, "KiB each"), demand_part(d, v->mbps, "MB/s"), origin);
	if (plan_known(v->need_iops) || plan_known(v->need_mbps))
		doc_paragraph(d, "With headroom the disk has to sustain %s IOPS and %s MB/s.",
			plan_count(d, v->need_iops), plan_count(d, v->need_mbps));
	if (v->peak)
		doc_paragraph(d, "%s", v->peak);
	if (v->hits)
		doc_paragraph(d, "%s", v->hits);
}

static void
put_chosen(const struct plan *p, struct doc *d, const struct plan_volume *v)
{
	const struct plan_config *c = v->chosen;
	if (!c) {
		bool open = p->verdict == PLAN_UNKNOWN;
		const char *miss = v->nearest ? v->nearest->text : NULL;
		doc_callout(d, open ? DOC_UNKNOWN : DOC_FAIL, "%s%s%s",
			open ? "Nothing is known to fit." : "Nothing fits.",
			!miss  ? ""
			: open ? " Of the nearest: "
			       : " The least miss: ",
			miss ? miss : "");
		return;
	}
	doc_paragraph(d, "Chosen: %s (%s), %s IOPS and %s MB/s sustained. Latency is %s%s%s%s.",
		plan_config_name(d, c), plan_or_unknown(c->family), plan_count(d, c->iops),
		plan_count(d, c->mbps), names_text(&trust_names, c->latency_trust),
		c->latency_source ? " (" : "", c->latency_source ? c->latency_source : "",
		c->latency_source ? ")" : "");
	if (v->binding)
		doc_paragraph(d, "Least margin: %s%s%s.", v->binding,
			plan_known(v->margin_frac) ? ", " : "",
			plan_known(v->margin_frac) ? plan_percent(d, v->margin_frac) : "");
	if (v->latency_margin)
		doc_paragraph(d, "Latency margin: %s, %s room.", v->latency_margin,
			plan_percent(d, v->latency_margin_frac));
}

static void
put_rejected(const struct plan *p, struct doc *d, const struct plan_volume *v)
{
	const char *monthly = arena_printf(
		d->arena, "%s a month", p->currency ? p->currency : "money");
	const struct doc_column columns[] = {
		{"Candidate", DOC_LEFT},
		{monthly ? monthly : "", DOC_RIGHT},
		{"Constraint broken", DOC_LEFT},
		{"Needs", DOC_RIGHT},
		{"Has", DOC_RIGHT},
		{"By how much", DOC_RIGHT},
		{"Why not", DOC_LEFT},
	};
	if (v->n_rejected == 0)
		return;
	const char *caption = arena_printf(
		d->arena, "Cheaper candidates rejected for %s", plan_volume_name(d, v));
	struct doc_table *t = doc_table(d, caption ? caption : "", columns, DOC_COUNT(columns));
	for (size_t i = 0; i < v->n_rejected; i++) {
		const struct plan_rejected *r = &v->rejected[i];
		const struct plan_config *c = r->config;
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", plan_config_name(d, c));
		if (c && c->monthly_complete != 1 && !(c->monthly > 0))
			doc_cell(d, t, 1, "unknown");
		else if (c)
			doc_cell(d, t, 1, "%s%s", c->monthly_complete == 1 ? "" : "\u2265 ",
				plan_amount(d, c->monthly));
		doc_cell(d, t, 2, "%s", plan_or_unknown(r->constraint));
		doc_cell(d, t, 3, "%s", isnan(r->need) ? "-" : plan_value(d, r->need, r->unit));
		doc_cell(d, t, 4, "%s", isnan(r->have) ? "-" : plan_value(d, r->have, r->unit));
		doc_cell(d, t, 5, "%s", r->miss ? r->miss : "-");
		doc_cell(d, t, 6, "%s", r->text ? r->text : "");
	}
}

void
plan_volumes(const struct plan *p, struct doc *d)
{
	doc_heading(d, 2, "Volumes");
	for (size_t i = 0; i < p->n_volumes; i++) {
		const struct plan_volume *v = &p->volumes[i];
		doc_heading(d, 3, "%s", plan_volume_name(d, v));
		put_demand(d, v);
		put_chosen(p, d, v);
		doc_list(d, v->reasons, v->n_reasons);
		put_rejected(p, d, v);
	}
}

/* How full each stage of a transaction is, and what it alone allows. */
static void
put_stages(const struct plan_prediction *r, struct doc *d)
{
	static const struct doc_column columns[] = {{"Stage", DOC_LEFT}, {"Used", DOC_RIGHT},
		{"Alone it allows (1/s)", DOC_RIGHT}, {"Cap", DOC_LEFT}};
	if (r->n_stages == 0)
		return;
	struct doc_table *t = doc_table(d, "What a transaction passes, at the rate above", columns,
		sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < r->n_stages; i++) {
		const struct plan_stage *s = &r->stages[i];
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", s->stage);
		doc_cell(d, t, 1, "%s", plan_percent(d, s->used_frac));
		doc_cell(d, t, 2, "%s", plan_count(d, s->ceiling_tps));
		doc_cell(d, t, 3, "%s", s->what ? s->what : "");
	}
	for (size_t i = 0; i < r->n_stages; i++) {
		const struct plan_stage *s = &r->stages[i];
		if (s->ceiling_tps < r->max_tps * (1 - 1e-3))
			doc_paragraph(d,
				"Counted with a flush a commit, %s allows %s a second; as it "
				"fills, "
				"more commits share a flush, and %s get through.",
				s->stage, plan_count(d, s->ceiling_tps), plan_count(d, r->max_tps));
	}
	if (r->next && !isnan(r->next_gain_frac))
		doc_paragraph(d, "Without what binds, %s would bind %s higher.", r->next,
			plan_percent(d, r->next_gain_frac));
}

static void
put_prediction(const struct plan *p, struct doc *d)
{
	const struct plan_prediction *r = p->prediction;
	if (!r) {
		doc_paragraph(d, "No rate of transactions is predicted: %s.",
			plan_fits(p) ? "no transaction profile was given, or a latency in it is "
				       "unknown"
				     : "no configuration fits");
		return;
	}
	const char *commit = r->commit_mean_ms > 0
				     ? arena_printf(d->arena,
					       "a commit takes %s ms in the mean and %s ms at p99, "
					       "%s commits share a "
					       "flush",
					       plan_ms(d, r->commit_mean_ms),
					       plan_ms(d, r->commit_p99_ms),
					       plan_value(d, r->commits_per_flush, NULL))
				     : "a commit does not wait for the disk";
	doc_paragraph(d,
		"At most %s transactions/s (95 %% interval: %s); what binds: %s. At %s "
		"transactions/s %s; a transaction takes %s ms in the mean and %s ms at p99. "
		"Infinitely fast disks behind this machine would add %s.",
		plan_count(d, r->max_tps), plan_interval(d, r->max_tps_lo, r->max_tps_hi, NULL),
		plan_or_unknown(r->limit), plan_count(d, r->at_tps), commit,
		plan_ms(d, r->tx_mean_ms), plan_ms(d, r->tx_p99_ms),
		plan_percent(d, r->fast_disk_gain_frac));
	if (r->after_checkpoint == 1)
		doc_paragraph(d, "Latencies are those right after a checkpoint, when pages are "
				 "logged whole: the worst of the time.");
	put_stages(r, d);
}

void
plan_promises(const struct plan *p, struct doc *d)
{
	static const struct doc_column columns[] = {
		{"Promise", DOC_LEFT},
		{"Verdict", DOC_LEFT},
		{"Limit", DOC_RIGHT},
		{"Predicted", DOC_RIGHT},
		{"95 % interval", DOC_RIGHT},
		{"Room", DOC_RIGHT},
		{"Probability", DOC_RIGHT},
		{"Rests on", DOC_LEFT},
		{"Note", DOC_LEFT},
	};
	doc_heading(d, 2, "Service levels");
	put_prediction(p, d);
	if (p->n_sla == 0) {
		doc_paragraph(d, "The workload promises nothing that can be tested.");
		return;
	}
	struct doc_table *t = doc_table(d, "Promises and predictions", columns, DOC_COUNT(columns));
	for (size_t i = 0; i < p->n_sla; i++) {
		const struct plan_sla *s = &p->sla[i];
		doc_row(d, t);
		doc_cell(d, t, 0, "%s", plan_or_unknown(s->what));
		doc_cell(d, t, 1, "%s", names_text(&plan_verdict_names, s->verdict));
		doc_cell(d, t, 2, "%s", plan_limit(d, p, s));
		doc_cell(d, t, 3, "%s", plan_predicted(d, p, s));
		doc_cell(d, t, 4, "%s", plan_interval(d, s->lo, s->hi, s->unit));
		doc_cell(d, t, 5, "%s", plan_percent(d, s->margin_frac));
		doc_cell(d, t, 6, "%s",
			s->on_latency == 0 ? "no latency in it"
					   : plan_probability(d, s->probability));
		doc_cell(d, t, 7, "%s", names_text(&trust_names, s->trust));
		doc_cell(d, t, 8, "%s", s->note ? s->note : "");
	}
}
