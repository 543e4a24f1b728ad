/*
 * plan_page_one.c - what a budget reviewer reads: the decision, three figures, the placement, why
 * this and not the next, what would change it, what is not known.  Everything else in the report
 * backs one of these lines.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "report/plan_text.h"

enum { MAX_BULLETS = 3, MAX_BULLET = 160 };

/* The first digits of the plan's own hash: two people can tell whether they hold the same plan. */
static const char *
report_id(const struct plan *p, struct doc *d)
{
	struct buf json;
	char hex[FILE_SHA256_TEXT];
	buf_init(&json, 0);
	schema_write(&plan_schema, p, &json);
	file_sha256(buf_text(&json), json.len, hex);
	d->failed = d->failed || json.failed;
	buf_fini(&json);
	const char *id = arena_strndup(d->arena, hex, 8);
	d->failed = d->failed || !id;
	return id ? id : "";
}

static void
put_title_line(const struct plan *p, struct doc *d)
{
	const char *id = report_id(p, d), *machine = "no machine size given";
	if (p->machine && d->arena) {
		machine = arena_printf(d->arena, "%s \u00d7 %s", plan_count(d, p->machine->count),
			plan_or_unknown(p->machine->sku));
		d->failed = d->failed || !machine;
	}
	const char *age = isnan(p->price_age_days)
				  ? ""
				  : arena_printf(d->arena, " (%s days old)",
					    plan_count(d, round(p->price_age_days)));
	doc_paragraph(d,
		"%s on %s %s, %s \u00b7 made %.10s \u00b7 prices of %s%s \u00b7 %s, %s hours a "
		"month "
		"\u00b7 report %s",
		plan_or_unknown(p->engine), plan_or_unknown(p->provider),
		plan_or_unknown(p->region), machine ? machine : "", plan_or_unknown(p->created),
		plan_or_unknown(p->price_as_of), age ? age : "", plan_or_unknown(p->currency),
		plan_count(d, p->hours_per_month), id);
}

static enum doc_tone
tone_of(int verdict)
{
	return verdict == PLAN_PASS ? DOC_PASS : verdict == PLAN_FAIL ? DOC_FAIL : DOC_UNKNOWN;
}

static void
tile(struct doc *d, struct doc_table *t, const char *what, const char *value, const char *note)
{
	doc_row(d, t);
	doc_link(d, t, "bill");
	doc_cell(d, t, 0, "%s", what);
	doc_cell(d, t, 1, "%s", value);
	doc_cell(d, t, 2, "%s", note);
}

/* `least`: "at least " and the like; `share` of the amounts is what is said. */
static void
put_unit_cost(
	const struct plan *p, struct doc *d, struct doc_table *t, const char *least, double share)
{
	const struct plan_cost *c = p->cost;
	tile(d, t, "Cost per thousand transactions", "", "");
	if (isnan(c->per_1000_tx)) {
		doc_cell(d, t, 1, "unknown");
		doc_cell(d, t, 2, "no rate of transactions is known");
	} else {
		doc_cell(d, t, 1, "%s%s %s executed", least, p->currency ? p->currency : "",
			plan_small_money(d, share * c->per_1000_tx));
	}
	if (!isnan(c->per_ktpm_month))
		doc_cell(d, t, 2,
			"or, as the price of a rate: %s%s %s a month for 1,000 transactions a "
			"minute of capacity%s",
			least, p->currency ? p->currency : "",
			plan_small_money(d, share * c->per_ktpm_month),
			isnan(c->machine_monthly) ? "; storage alone" : "");
}

/* "today USD 579.75 (FAIL), the plan is USD 411.21 less (71 %); ": three figures fit side by side on
 * paper, so today has no tile of its own. */
static const char *
today_note(const struct plan *p, struct doc *d)
{
	const struct plan_today *now = p->today;
	struct buf text;
	if (!now)
		return "";
	buf_init(&text, 1024);
	bool part = isnan(now->monthly) && plan_known(now->known_monthly);
	buf_printf(&text, "today %s%s%s (%s)", part ? "at least " : "",
		part                  ? plan_money(d, p, now->known_monthly)
		: isnan(now->monthly) ? "at a cost that is not known"
				      : plan_money(d, p, now->monthly),
		part ? ", incomplete" : "", names_text(&plan_verdict_names, now->verdict));
	if (now->keep == 1)
		buf_printf(&text, ", keep it: %s forgone", plan_money(d, p, fmax(0, -now->change)));
	else if (!isnan(now->change))
		buf_printf(&text, ", the plan is %s %s (%s)", plan_money(d, p, fabs(now->change)),
			now->change < 0 ? "less" : "more", plan_percent(d, fabs(now->change_frac)));
	buf_put(&text, "; ");
	const char *kept = arena_strdup(d->arena, buf_text(&text));
	d->failed = d->failed || !kept;
	buf_fini(&text);
	return kept ? kept : "";
}

static void
put_cost_tiles(const struct plan *p, struct doc *d, struct doc_table *t)
{
	const struct plan_cost *c = p->cost;
	if (!c) {
		tile(d, t, "Monthly cost", "unknown", "");
		doc_cell(d, t, 2, "%s%s", today_note(p, d), plan_no_bill(p));
		tile(d, t, "Cost per thousand transactions", "unknown", "");
		return;
	}
	double low = p->bill ? p->bill->total_low : (double)NAN;
	bool complete = c->complete == 1, interval = !isnan(low) && low < c->monthly;
	/* where only the least is known, nothing may rest on the top of an interval */
	double share = interval && !complete ? low / c->monthly : 1;
	tile(d, t, "Monthly cost", plan_total(d, p, share * c->monthly, complete), "");
	const char *least = !complete ? "at least " : interval ? "at most " : "";
	if (interval && complete)
		doc_cell(d, t, 1, "%s to %s", plan_money(d, p, low), plan_amount(d, c->monthly));
	doc_cell(d, t, 2, "%sstorage %s%s; machines %s", today_note(p, d),
		interval && complete ? "at most " : "", plan_money(d, p, c->storage_monthly),
		isnan(c->machine_monthly) ? "not in the total"
					  : plan_money(d, p, c->machine_monthly));
	put_unit_cost(p, d, t, least, share);
}

/* The promise with the least room among those that could be judged: a broken one first. */
static const struct plan_sla *
tightest(const struct plan *p)
{
	const struct plan_sla *worst = NULL;
	for (size_t i = 0; i < p->n_sla; i++) {
		const struct plan_sla *s = &p->sla[i];
		if (s->verdict != PLAN_PASS && s->verdict != PLAN_FAIL)
			continue;
		bool worse = worst && s->verdict == PLAN_FAIL && worst->verdict == PLAN_PASS;
		bool tighter = worst && s->verdict == worst->verdict &&
			       s->margin_frac < worst->margin_frac;
		if (!worst || worse || tighter)
			worst = s;
	}
	return worst;
}

/* The promise that its latencies make least sure, when any is in doubt. */
static const struct plan_sla *
least_likely(const struct plan *p)
{
	const struct plan_sla *least = NULL;
	for (size_t i = 0; i < p->n_sla; i++) {
		const struct plan_sla *s = &p->sla[i];
		if (s->on_latency == 1 && s->probability < (least ? least->probability : 0.99))
			least = s;
	}
	return least;
}

static size_t
count_verdicts(const struct plan *p, int verdict)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n_sla; i++)
		n += p->sla[i].verdict == verdict;
	return n;
}

/* "not known: recovery point, recovery time", and the tightest of the others with its interval. */
static void
put_sla_note(const struct plan *p, struct doc *d, struct buf *note)
{
	const struct plan_sla *s = tightest(p);
	const char *lead = "not known: ";
	for (size_t i = 0; i < p->n_sla; i++) {
		if (p->sla[i].verdict == PLAN_PASS || p->sla[i].verdict == PLAN_FAIL)
			continue;
		buf_printf(note, "%s%s", lead, plan_or_unknown(p->sla[i].what));
		lead = ", ";
	}
	if (!s)
		return;
	buf_printf(note, "%stightest: %s %s of %s", strcmp(lead, ", ") == 0 ? "; " : "",
		plan_or_unknown(s->what), plan_predicted(d, p, s), plan_limit(d, p, s));
	if (s->on_latency != 0)
		buf_printf(note, " (95 %% interval: %s)", plan_interval(d, s->lo, s->hi, NULL));
	const struct plan_sla *least = least_likely(p);
	if (least && least != s)
		buf_printf(note, "; least likely: %s, %s of %s (95 %% interval: %s), %s",
			plan_or_unknown(least->what), plan_predicted(d, p, least),
			plan_limit(d, p, least), plan_interval(d, least->lo, least->hi, NULL),
			plan_probability(d, least->probability));
}

static void
put_sla_tile(const struct plan *p, struct doc *d, struct doc_table *t)
{
	struct buf note;
	size_t held = count_verdicts(p, PLAN_PASS), broken = count_verdicts(p, PLAN_FAIL);
	doc_row(d, t);
	doc_link(d, t, p->confidence ? "confidence" : "service-levels");
	doc_cell(d, t, 0, p->confidence ? "Probability that all SLAs hold" : "Service levels");
	if (p->n_sla == 0) {
		doc_cell(d, t, 1, "UNKNOWN");
		doc_cell(d, t, 2, "the workload promises nothing that can be tested");
		return;
	}
	int verdict = broken ? PLAN_FAIL : held == p->n_sla ? PLAN_PASS : PLAN_UNKNOWN;
	buf_init(&note, 4096);
	if (p->confidence) {
		doc_cell(d, t, 1, "%s", plan_probability_of_all(d, p->confidence));
		buf_printf(&note, "%s confidence; %s: %zu of %zu hold as predicted; ",
			plan_or_unknown(p->confidence->word),
			names_text(&plan_verdict_names, verdict), held, p->n_sla);
	} else {
		doc_cell(d, t, 1, "%s: %zu of %zu hold", names_text(&plan_verdict_names, verdict),
			held, p->n_sla);
	}
	put_sla_note(p, d, &note);
	doc_cell(d, t, 2, "%s", buf_text(&note));
	buf_fini(&note);
}

/* The promise that speaks of a role's latency, by its name; NULL: none. */
static const struct plan_sla *
promise_of(const struct plan *p, const struct plan_volume *v)
{
	static const struct {
		const char *role, *start;
	} speaks[] = {{"wal", "commit"}, {"data", "read"}, {"index", "read"}};
	for (size_t r = 0; r < DOC_COUNT(speaks); r++) {
		for (size_t i = 0; v->role && i < p->n_sla; i++) {
			if (strcmp(v->role, speaks[r].role) == 0 && p->sla[i].what &&
				strncmp(p->sla[i].what, speaks[r].start, strlen(speaks[r].start)) ==
					0)
				return &p->sla[i];
		}
	}
	return NULL;
}

enum { ROLE, TIER, IOPS, MBPS, LATENCY, SLA, CACHE, REDUNDANCY, MONTHLY, TRUST, N_PLACEMENT };

/* What a commit waits for on the log; what a read waits for elsewhere. */
static void
put_latency(struct doc *d, struct doc_table *t, const struct plan_volume *v)
{
	const struct plan_config *c = v->chosen;
	bool log = v->role && strcmp(v->role, "wal") == 0;
	double mean = log ? c->commit_mean_ms : c->read_mean_ms;
	double p99 = log ? c->commit_p99_ms : c->read_p99_ms;
	if (isnan(mean) && isnan(p99))
		doc_cell(d, t, LATENCY, "unknown");
	else
		doc_cell(d, t, LATENCY, "%s %s / %s", log ? "commit" : "read", plan_ms(d, mean),
			plan_ms(d, p99));
}

static void
put_volume_row(
	const struct plan *p, struct doc *d, struct doc_table *t, const struct plan_volume *v)
{
	const struct plan_config *c = v->chosen;
	doc_row(d, t);
	doc_link(d, t, "volumes");
	doc_cell(d, t, ROLE, "%s", plan_volume_name(d, v));
	if (!c) {
		bool open = p->verdict == PLAN_UNKNOWN;
		const char *miss = v->nearest ? v->nearest->text : NULL;
		doc_cell(d, t, TIER, "%s%s%s",
			open ? "UNKNOWN: nothing is known to fit" : "FAIL: nothing fits",
			!miss  ? ""
			: open ? "; nearest: "
			       : "; nearest miss: ",
			miss ? miss : "");
		doc_cell(d, t, IOPS, "- / %s", plan_count(d, v->need_iops));
		doc_cell(d, t, MBPS, "- / %s", plan_count(d, v->need_mbps));
		return;
	}
	bool stripe = c->disks > 1;
	doc_cell(d, t, TIER, "%s%s%s, %s \u2192 %s GiB", stripe ? plan_count(d, c->disks) : "",
		stripe ? " \u00d7 " : "", plan_config_title(c),
		plan_count(d, (isnan(c->billed_gib) ? c->size_gib : c->billed_gib) *
				      (stripe ? c->disks : 1)),
		plan_count(d, v->horizon_gib));
	doc_cell(d, t, IOPS, "%s / %s", plan_count(d, c->iops), plan_count(d, v->need_iops));
	doc_cell(d, t, MBPS, "%s / %s", plan_count(d, c->mbps), plan_count(d, v->need_mbps));
	put_latency(d, t, v);
	const struct plan_sla *s = promise_of(p, v);
	if (s && s->predicted <= 0 && strcmp(s->unit ? s->unit : "", "ms") == 0)
		doc_cell(d, t, SLA, "- (no commit waits for it)");
	else if (s)
		doc_cell(d, t, SLA, "%s %s", names_text(&plan_verdict_names, s->verdict),
			plan_exact(d, s->limit, s->unit));
	else
		doc_cell(d, t, SLA, "-");
	doc_cell(d, t, CACHE, "%s", plan_or_unknown(c->host_cache));
	doc_cell(d, t, REDUNDANCY, "%s", c->redundancy ? c->redundancy : "-");
	if (c->monthly_complete != 1 && !(c->monthly > 0))
		doc_cell(d, t, MONTHLY, "unknown");
	else
		doc_cell(d, t, MONTHLY, "%s%s", c->monthly_complete == 1 ? "" : "\u2265 ",
			plan_amount(d, c->monthly));
	doc_cell(d, t, TRUST, "%s", names_text(&trust_names, c->latency_trust));
}

/* The machine under the volumes: what it lets through of what they could do. */
static void
put_machine_row(const struct plan *p, struct doc *d, struct doc_table *t)
{
	const struct plan_machine *m = p->machine;
	doc_row(d, t);
	doc_cell(d, t, ROLE, "machine cap");
	if (!m) {
		doc_cell(d, t, TIER, "UNKNOWN: no machine size was given, so no cap was checked");
		return;
	}
	bool nvme = m->interface && strcmp(m->interface, "NVMe") == 0;
	doc_cell(d, t, TIER, "%s \u00d7 %s%s, uncached", plan_count(d, m->count),
		plan_or_unknown(m->sku), nvme ? " on NVMe" : "");
	doc_cell(d, t, IOPS, "%s / %s",
		plan_count(d, plan_known(m->remote_iops) ? m->remote_iops : m->uncached_iops),
		plan_count(d, m->need_iops));
	doc_cell(d, t, MBPS, "%s / %s",
		plan_count(d, plan_known(m->remote_mbps) ? m->remote_mbps : m->uncached_mbps),
		plan_count(d, m->need_mbps));
}

static void
put_placement(const struct plan *p, struct doc *d)
{
	const char *monthly = arena_printf(
		d->arena, "%s a month, per machine", p->currency ? p->currency : "money");
	const struct doc_column columns[N_PLACEMENT] = {
		[ROLE] = {"Volume", DOC_LEFT},
		[TIER] = {"Tier and size bought \u2192 used", DOC_LEFT},
		[IOPS] = {"IOPS sustained / needed", DOC_RIGHT},
		[MBPS] = {"MB/s sustained / needed", DOC_RIGHT},
		[LATENCY] = {"Disk latency mean / p99 (ms)", DOC_RIGHT},
		[SLA] = {"SLA p99", DOC_LEFT},
		[CACHE] = {"Host cache", DOC_LEFT},
		[REDUNDANCY] = {"Redundancy", DOC_LEFT},
		[MONTHLY] = {monthly ? monthly : "", DOC_RIGHT},
		[TRUST] = {"Latency is", DOC_LEFT},
	};
	struct doc_table *t = doc_table(d, "Placement", columns, N_PLACEMENT);
	for (size_t i = 0; i < p->n_volumes; i++)
		put_volume_row(p, d, t, &p->volumes[i]);
	put_machine_row(p, d, t);
}

/* Items of a list while it is collected; more than MAX_BULLETS become a count. */
struct bullets {
	const char *items[MAX_BULLETS + 1];
	size_t n, dropped;
};

/* Page one is one page: a long text ends at a word, with an ellipsis; its section has all of it. */
static void
cut(struct buf *text)
{
	size_t end = MAX_BULLET;
	if (text->len <= MAX_BULLET || !text->text)
		return;
	while (end > MAX_BULLET / 2 && text->text[end] != ' ')
		end--;
	while (end > 0 && ((unsigned char)text->text[end] & 0xC0) == 0x80)
		end--; /* not inside a character */
	while (end > 0 && strchr(" ,;:", text->text[end - 1]))
		end--;
	text->text[end] = '\0';
	text->len = end;
	buf_put(text, " \u2026");
}

__attribute__((format(printf, 3, 4))) static void
bullet(struct doc *d, struct bullets *b, const char *fmt, ...)
{
	if (b->n == MAX_BULLETS) {
		b->dropped++;
		return;
	}
	va_list ap;
	va_start(ap, fmt);
	struct buf text;
	buf_init(&text, 8192);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	cut(&text);
	const char *kept = arena_strdup(d->arena, buf_text(&text));
	buf_fini(&text);
	d->failed = d->failed || !kept;
	b->items[b->n++] = kept ? kept : "";
}

static void
put_bullets(struct doc *d, struct bullets *b, const char *more)
{
	if (b->dropped) {
		const char *text = arena_printf(d->arena, "and %zu more: %s", b->dropped, more);
		b->items[b->n++] = text ? text : "";
	}
	doc_list(d, b->items, b->n);
}

static const struct plan_option *
runner_up(const struct plan *p)
{
	for (size_t i = 0; i < p->n_options; i++) {
		if (p->options[i].name && strncmp(p->options[i].name, "runner-up", 9) == 0)
			return &p->options[i];
	}
	return NULL;
}

/* Nobody thinks of a disk of many times the space for what it costs less. */
static const double too_large = 4;

/* Share of what is allowed or needed; a plan of another hand may leave it out. */
static double
miss_of(const struct plan_rejected *r)
{
	return isnan(r->miss_frac) ? fabs(r->have - r->need) / r->need : r->miss_frac;
}

/* Cheaper at a price that is known, of a size for this volume, and it misses by a figure. */
static bool
tempts(const struct plan_volume *v, const struct plan_rejected *r)
{
	const struct plan_config *c = r->config;
	if (!c || !r->text || c->monthly_complete != 1 || isnan(miss_of(r)))
		return false;
	double gib = isnan(c->billed_gib) ? c->size_gib : c->billed_gib;
	return !(gib * c->disks > too_large * v->horizon_gib);
}

/* Of the cheaper candidates that were rejected the one that misses by the least; of equals the dearest. */
static const struct plan_rejected *
nearest_miss(const struct plan_volume *v)
{
	const struct plan_rejected *best = NULL;
	for (size_t i = 0; i < v->n_rejected; i++) {
		const struct plan_rejected *r = &v->rejected[i];
		if (tempts(v, r) && !(best && miss_of(r) > miss_of(best)))
			best = r;
	}
	return best;
}

static void
put_not_the_next(
	const struct plan *p, struct doc *d, struct bullets *b, const struct plan_volume *v)
{
	const struct plan_rejected *r = v->chosen ? nearest_miss(v) : NULL;
	if (r) {
		double less = v->chosen->monthly - r->config->monthly;
		bool known = v->chosen->monthly_complete == 1 && less > 0;
		bullet(d, b, "%s: not %s%s%s%s%s%s: %s", plan_volume_name(d, v),
			plan_config_name(d, r->config), known ? ", " : "",
			known ? plan_money(d, p, less) : "", known ? " less" : "",
			r->miss ? ", " : "", r->miss ? r->miss : "", r->text);
	} else if (v->n_reasons) {
		bullet(d, b, "%s: %s", plan_volume_name(d, v), v->reasons[0]);
	}
}

static void
put_why(const struct plan *p, struct doc *d)
{
	struct bullets b = {.n = 0};
	doc_heading(d, 3, "Why this, not the next");
	const struct plan_option *next = runner_up(p);
	if (next)
		bullet(d, &b, "Runner-up%s: %s%s a month%s%s",
			next->feasible == 1   ? ""
			: next->feasible == 0 ? " (FAIL)"
					      : " (UNKNOWN)",
			next->complete == 0 ? "at least " : "", plan_money(d, p, next->monthly),
			next->text ? ". " : "", next->text ? next->text : "");
	for (size_t i = 0; i < p->n_volumes; i++)
		put_not_the_next(p, d, &b, &p->volumes[i]);
	if (b.n == 0)
		bullet(d, &b,
			plan_fits(p) ? "the plan gives no reason"
			: p->verdict == PLAN_UNKNOWN
				? "nothing is known to fit: see what would change the decision"
				: "nothing fits: see what would change the decision");
	put_bullets(d, &b, "see Volumes");
}

static void
put_changes(const struct plan *p, struct doc *d)
{
	struct bullets b = {.n = 0};
	doc_heading(d, 3, "What would change the decision");
	for (size_t i = 0; i < p->n_changes; i++)
		bullet(d, &b, "%s", p->changes[i]);
	if (b.n == 0)
		bullet(d, &b, "nothing near was found; see Alternatives");
	put_bullets(d, &b, "see Alternatives");
	plan_first_measurement(p, d);
}

/* Errors and warnings first, then what the latencies rest on. */
static void
put_risks(const struct plan *p, struct doc *d)
{
	struct bullets b = {.n = 0};
	doc_heading(d, 3, "Risks and unknowns");
	if (p->cost && p->cost->complete != 1)
		bullet(d, &b, "UNKNOWN prices: the total is a lower bound, see Bill");
	for (int severity = SEVERITY_ERROR; severity >= SEVERITY_WARNING; severity--) {
		for (size_t i = 0; i < p->n_findings; i++) {
			const struct finding *f = &p->findings[i];
			if (f->severity == severity)
				bullet(d, &b, "%s", f->text);
		}
	}
	if (b.n == 0)
		bullet(d, &b, "none found; the assumptions are listed under Findings");
	put_bullets(d, &b, "see Assumptions and findings");
}

void
plan_page_one(const struct plan *p, struct doc *d)
{
	static const struct doc_column figures[] = {
		{"Figure", DOC_LEFT}, {"Value", DOC_LEFT}, {"Basis", DOC_LEFT}};
	doc_heading(d, 2, "Decision");
	put_title_line(p, d);
	doc_callout(d, tone_of(p->verdict), "%s",
		p->sentence ? p->sentence : "the plan states no decision");
	struct doc_table *t = doc_table(d, "Key figures", figures, DOC_COUNT(figures));
	t->tiles = true;
	put_cost_tiles(p, d, t);
	put_sla_tile(p, d, t);
	put_placement(p, d);
	put_why(p, d);
	put_changes(p, d);
	put_risks(p, d);
}
