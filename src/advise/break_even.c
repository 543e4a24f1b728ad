/*
 * break_even.c - which tier is cheapest for a volume at how many IOPS, and which of them keep its
 * latency promises (a separate question: buying IOPS lowers no latency).
 */
#include <math.h>
#include <string.h>

#include "advise/build.h"
#include "advise/candidate_make.h"
#include "advise/least.h"
#include "advise/transaction.h"
#include "base/units.h"

enum { MOST_TIERS = 16 };

static const unsigned latency_bits = CONSTRAINT_BIT(CONSTRAINT_READ_P99) |
				     CONSTRAINT_BIT(CONSTRAINT_WRITE_P99) |
				     CONSTRAINT_BIT(CONSTRAINT_COMMIT_P99);

/* Of one volume while it is written. */
struct work {
	struct build *b;
	size_t v;
	const struct candidate_site *site;
	const struct candidate_list *list;
	struct least_tier tiers[MOST_TIERS];
	size_t n;
	struct plan_break_even *out;
	struct buf left_out;
};

/* A configuration of the family could be taken here, whatever its rate, price and latency. */
static bool
possible(const struct work *w, const char *family)
{
	static const unsigned never = CONSTRAINT_BIT(CONSTRAINT_CAPACITY) |
				      CONSTRAINT_BIT(CONSTRAINT_REDUNDANCY) |
				      CONSTRAINT_BIT(CONSTRAINT_MACHINE_TAKES) |
				      CONSTRAINT_BIT(CONSTRAINT_RULES);
	for (size_t i = 0; i < w->list->n; i++) {
		const struct candidate *c = &w->list->items[i];
		if (strcmp(c->disk->family, family) == 0 && !(c->broken & never))
			return true;
	}
	return false;
}

static bool
seen(const struct limits *l, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (strcmp(l->disks[k].family, l->disks[i].family) == 0)
			return true;
	}
	return false;
}

/* Why a family is no row of the comparison; NULL: it is. */
static const char *
left_out(const struct work *w, const struct disk_limit *d)
{
	if (d->operations_billed == 1)
		return "each I/O is billed";
	/* a small random I/O counts as one of a MiB */
	if (d->io_unit_kib >= 1024)
		return "made for streams";
	return possible(w, d->family) ? NULL : "not for this volume: redundancy, machine or rules";
}

static int
gather(struct work *w, const struct least_need *need, struct err *err)
{
	const struct advise_input *in = w->b->c->in;
	int rc = 0;
	for (size_t i = 0; i < in->limits->n_disks && rc == 0; i++) {
		const struct disk_limit *d = &in->limits->disks[i];
		if (d->ephemeral == 1 || d->superseded == 1 || seen(in->limits, i) ||
			w->n == MOST_TIERS)
			continue;
		const char *why = left_out(w, d);
		struct least_tier *t = &w->tiers[w->n];
		if (!why)
			rc = least_tier_init(in, need, d->family, w->b->arena, t, err);
		if (!why && rc == 0 && !(t->most_iops >= 1))
			why = "no size that holds it has a price and known IOPS";
		if (!why)
			w->n++;
		else if (!w->out->text) /* said once */
			buf_printf(&w->left_out, "%s%s (%s)", w->left_out.len ? ", " : "",
				limits_title(in->limits, d->family), why);
	}
	return rc;
}

/* ---- latency promises ---- */

static bool
promises(const struct work *w)
{
	const struct workload_sla *sla = w->b->c->in->workload->sla;
	bool log = !isnan(w->site->commit_kib) && transaction_commit_waits(w->b->c->in->engine);
	int role = w->site->demand->volume->role;
	bool data = role == WORKLOAD_DATA || role == WORKLOAD_INDEX;
	if (!sla)
		return false;
	return (log && !isnan(sla->commit_p99_ms)) ||
	       (data && (!isnan(sla->read_p99_ms) || !isnan(sla->write_p99_ms))) ||
	       (w->b->has_tx && !isnan(sla->tx_p99_ms));
}

/* What this candidate breaks of the latencies, for itself and in the plan. */
static struct breach
slow(const struct work *w, const struct candidate *c)
{
	struct build *b = w->b;
	for (int id = CONSTRAINT_READ_P99; id <= (int)CONSTRAINT_COMMIT_P99; id++) {
		if (c->broken & CONSTRAINT_BIT(id))
			return constraint_check((enum constraint_id)id, w->site, c, NULL);
	}
	if (!b->choice.found && !b->near)
		return (struct breach){.constraint = -1};
	const struct candidate *at[SEARCH_MAX_VOLUMES];
	memcpy(at, b->choice.at, sizeof(at));
	at[w->v] = c;
	/* beside what nearly fits only a log is judged, by its commits: the rest may be others' fault */
	unsigned relaxed = CONSTRAINT_BIT(CONSTRAINT_TPS);
	if (b->near)
		relaxed |= CONSTRAINT_BIT(CONSTRAINT_TX_P99);
	if (b->near && isnan(w->site->commit_kib))
		relaxed |= CONSTRAINT_BIT(CONSTRAINT_COMMIT_P99);
	return chooser_tx_breach(b->c, b->choice.option, at, relaxed);
}

/* Does any configuration of the tier that carries the demand keep the latencies? */
static void
judge(const struct work *w, const char *family, struct plan_tier *out)
{
	out->keeps = PLAN_UNKNOWN;
	out->text = "no candidate of the plan carries the demand, so none was timed";
	bool tried = false;
	for (size_t i = 0; i < w->list->n; i++) {
		const struct candidate *c = &w->list->items[i];
		bool carries = !(c->broken & ~latency_bits & ~CONSTRAINT_BIT(CONSTRAINT_PRICE));
		if (strcmp(c->disk->family, family) != 0 || !carries)
			continue;
		struct breach k = slow(w, c);
		if (!k.broken) {
			out->keeps = PLAN_PASS;
			out->text = NULL;
			return;
		}
		bool unknown = isnan(k.have);
		if (!tried || (unknown && out->keeps == PLAN_FAIL)) {
			out->keeps = unknown ? PLAN_UNKNOWN : PLAN_FAIL;
			out->text = k.text;
		}
		tried = true;
	}
}

/* ---- the answer ---- */

/* Tiers that change places too often have no spans to show: no reason to withhold a plan. */
static int
put_spans(const struct work *w, const struct least_tier *tiers, size_t n, struct plan_span **out,
	size_t *n_out, struct err *err)
{
	struct least_span spans[LEAST_MOST_SPANS];
	size_t n_spans = 0;
	struct err why;
	int rc = least_spans(tiers, n, spans, &n_spans, &why);
	if (rc == ERR_UNSUPPORTED)
		n_spans = 0;
	else if (rc)
		return err_set(err, why.code, "%s", why.text);
	*out = arena_array(w->b->arena, n_spans + 1, sizeof(**out));
	if (!*out)
		return err_nomem(err);
	for (size_t i = 0; i < n_spans; i++) {
		const struct least_span *s = &spans[i];
		struct candidate from, to;
		if (!least_config(&tiers[s->tier], s->from, &from) ||
			!least_config(&tiers[s->tier], s->to, &to))
			continue;
		double before = i ? least_price(&tiers[spans[i - 1].tier], s->from) : (double)NAN;
		(*out)[(*n_out)++] = (struct plan_span){.from_iops = s->from,
			.to_iops = s->to,
			.tier = tiers[s->tier].title,
			.config = candidate_name(&from, w->b->arena),
			.config_to = candidate_name(&to, w->b->arena),
			.monthly = from.monthly,
			.monthly_to = to.monthly,
			.before_monthly = isfinite(before) ? before : (double)NAN};
	}
	return 0;
}

/* " (USD 30.10 against 41.81)": the new tier and the one before, where it begins */
static void
put_switch(const struct work *w, const struct plan_span *s, const char *before, struct buf *text)
{
	const char *currency = w->b->c->in->book->currency;
	char now[48], then[48];
	units_money_text(s->monthly, 2, now);
	units_money_text(s->before_monthly, 2, then);
	if (isnan(s->before_monthly))
		buf_printf(text, " (%s %s; %s cannot)", currency, now, before);
	else
		buf_printf(text, " (%s %s against %s)", currency, now, then);
}

/*
 * "up to 2,300 IOPS Premium SSD is cheapest; from 2,301 to 80,000 Premium SSD v2 (USD 30.10 against
 * 148.68); ..."
 */
static const char *
sentence(const struct work *w, const struct plan_span *spans, size_t n, const char *rank)
{
	enum { SAID = 6 };
	struct buf text;
	buf_init(&text, 8192);
	if (n == 0)
		buf_printf(&text, "too close in price to list where they change places");
	for (size_t i = 0; i < n; i++) {
		const struct plan_span *s = &spans[i];
		char from[32], to[32];
		units_count_text(s->from_iops, from);
		units_count_text(s->to_iops, to);
		if (n > SAID && i >= SAID - 2 && i + 1 < n) {
			buf_printf(&text, "%s", i == SAID - 2 ? "; then in turn" : "");
			continue;
		}
		if (i == 0 && n == 1)
			buf_printf(&text, "%s is %s up to %s IOPS", s->tier, rank, to);
		else if (i == 0)
			buf_printf(&text, "up to %s IOPS %s is %s", to, s->tier, rank);
		else if (i + 1 < n)
			buf_printf(&text, "; from %s to %s %s", from, to, s->tier);
		else
			buf_printf(&text, "; from %s %s", from, s->tier);
		if (i)
			put_switch(w, s, spans[i - 1].tier, &text);
	}
	const char *copy = arena_strdup(w->b->arena, buf_text(&text));
	buf_fini(&text);
	return copy;
}

static int
put_pair(struct work *w, size_t i, size_t k, struct err *err)
{
	const struct least_tier two[2] = {w->tiers[i], w->tiers[k]};
	struct plan_pair *p = &w->out->pairs[w->out->n_pairs++];
	*p = (struct plan_pair){.first = two[0].title, .second = two[1].title};
	int rc = put_spans(w, two, 2, &p->spans, &p->n_spans, err);
	if (rc)
		return rc;
	p->text = sentence(w, p->spans, p->n_spans, "cheaper");
	return p->text ? 0 : err_nomem(err);
}

static int
put_pairs(struct work *w, struct err *err)
{
	int rc = 0;
	w->out->pairs = arena_array(w->b->arena, w->n * w->n + 1, sizeof(*w->out->pairs));
	if (!w->out->pairs)
		return err_nomem(err);
	for (size_t i = 0; i < w->n; i++) {
		for (size_t k = i + 1; k < w->n && rc == 0; k++)
			rc = put_pair(w, i, k, err);
	}
	return rc;
}

/* The spans again, of those that keep the promises, where some do and some do not. */
static int
put_kept(struct work *w, struct err *err)
{
	struct plan_break_even *out = w->out;
	size_t n = 0;
	for (size_t i = 0; i < w->n; i++) {
		if (out->tiers[i].keeps == PLAN_PASS)
			w->tiers[n++] = w->tiers[i];
	}
	return n == 0 || n == w->n ? 0 : put_spans(w, w->tiers, n, &out->kept, &out->n_kept, err);
}

static int
put_tiers(struct work *w, struct err *err)
{
	struct plan_break_even *out = w->out;
	bool promised = promises(w);
	out->tiers = arena_array(w->b->arena, w->n + 1, sizeof(*out->tiers));
	if (!out->tiers)
		return err_nomem(err);
	for (size_t i = 0; i < w->n; i++) {
		struct plan_tier *t = &out->tiers[out->n_tiers++];
		double need = ceil(fmax(1, out->need_iops) - 1e-9);
		double price = least_price(&w->tiers[i], need);
		*t = (struct plan_tier){.tier = w->tiers[i].title,
			.most_iops = w->tiers[i].most_iops,
			.need_monthly = isfinite(price) && !isnan(out->need_iops) ? price
										  : (double)NAN,
			.keeps = -1};
		if (promised)
			judge(w, w->tiers[i].family, t);
	}
	return 0;
}

/* The same of stripes, which bring every disk's allowance and cap. */
static int
put_striped(struct work *w, struct least_need need, struct err *err)
{
	struct plan_break_even *out = w->out;
	need.disks_most = candidate_stripes(w->site);
	out->disks_most = (double)need.disks_most;
	w->n = 0;
	int rc = need.disks_most > 1 ? gather(w, &need, err) : 0;
	rc = rc ? rc : put_spans(w, w->tiers, w->n, &out->striped, &out->n_striped, err);
	if (rc || out->n_striped == 0)
		return rc;
	out->striped_text = sentence(w, out->striped, out->n_striped, "cheapest");
	return out->striped_text ? 0 : err_nomem(err);
}

static double
or_zero(double v)
{
	return isnan(v) ? 0 : v;
}

/*
 * The volume's own rate, with headroom: its I/Os, each with its bytes, and the streams beside them.  Writes that share
 * a flush are fewer and larger, as the chosen disk takes them.
 */
static void
put_need(const struct work *w, const struct plan_volume *p, struct plan_break_even *out)
{
	const struct build *b = w->b;
	double usable = 1 - b->c->set.headroom;
	const struct demand *d = b->choice.found ? candidate_demand(w->site, b->choice.at[w->v])
						 : w->site->demand;
	out->mbps = or_zero(p->need_mbps);
	out->need_iops = fmin((d->read_iops + d->write_iops) / usable, p->need_iops);
	out->stream_mbps = fmin(or_zero(d->stream_mbps) / usable, out->mbps);
	double random = out->mbps - out->stream_mbps;
	out->io_kib = out->need_iops > 0 ? random * UNITS_MB / UNITS_KIB / out->need_iops : 0;
}

static int
put_volume(struct work *w, struct err *err)
{
	struct plan_break_even *out = w->out;
	const struct build *b = w->b;
	const struct plan_volume *p = &b->plan->volumes[w->v];
	*out = (struct plan_break_even){.volume = p->name, .gib = p->horizon_gib};
	put_need(w, p, out);
	const struct least_need need = {.gib = out->gib,
		.io_kib = out->io_kib,
		.mbps = out->stream_mbps,
		.disks_most = 1,
		.redundancy = b->c->in->workload->redundancy};
	int rc = gather(w, &need, err);
	rc = rc ? rc : put_spans(w, w->tiers, w->n, &out->spans, &out->n_spans, err);
	rc = rc ? rc : put_tiers(w, err);
	rc = rc ? rc : put_pairs(w, err);
	rc = rc ? rc : put_kept(w, err);
	if (rc)
		return rc;
	out->text = out->n_spans ? sentence(w, out->spans, out->n_spans, "cheapest")
				 : "none holds it at a known price";
	if (w->left_out.len)
		out->note = arena_strdup(b->arena, buf_text(&w->left_out));
	return out->text ? put_striped(w, need, err) : err_nomem(err);
}

static bool
asked(int role)
{
	return role == WORKLOAD_WAL || role == WORKLOAD_DATA || role == WORKLOAD_INDEX;
}

int
build_break_even(struct build *b, struct err *err)
{
	const struct machine_option *o = &b->c->options[b->choice.option];
	struct work *w = arena_alloc(b->arena, sizeof(*w));
	struct plan *plan = b->plan;
	int rc = 0;
	plan->break_even = arena_array(b->arena, b->c->set.n, sizeof(*plan->break_even));
	if (!w || !plan->break_even)
		return err_nomem(err);
	for (size_t v = 0; v < b->c->set.n && rc == 0; v++) {
		if (!asked(b->c->set.volumes[v].volume->role))
			continue;
		*w = (struct work){.b = b,
			.v = v,
			.site = &o->sites[v],
			.list = &o->lists[v],
			.out = &plan->break_even[plan->n_break_even++]};
		buf_init(&w->left_out, 8192);
		rc = put_volume(w, err);
		buf_fini(&w->left_out);
	}
	return rc;
}
