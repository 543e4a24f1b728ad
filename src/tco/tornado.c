/*
 * tornado.c - which input moves the NPV most.
 *
 * Base is the NPV without the revenue items, at the discount rate: a revenue item is a claim about
 * customers, so it is moved from not counted to counted in full instead of being part of the base.
 * Ranges the case does not give are assumed -+20 %, and 0 to twice the rate for the discount rate.
 */
#include <math.h>

#include "tco/evaluate.h"
#include "tco/say.h"
#include "tco/sensitivity.h"

struct input {
	struct flow_change change; /* value is set by the run */
	struct sensitivity_input range;
	const char *name, *unit;
	int trust; /* of the range */
};

struct inputs {
	struct arena *a;
	struct input *items;
	size_t n;
	bool failed;
};

struct run {
	struct flow_view base;
	const struct inputs *inputs;
};

static void
add(struct inputs *in, const struct input *one)
{
	struct input *grown = arena_grow(in->a, in->items, in->n, sizeof(*grown));
	if (!grown || !one->name || !one->unit) {
		in->failed = true;
		return;
	}
	in->items = grown;
	in->items[in->n++] = *one;
}

/* The given range, or the assumed one where an end is absent. */
static void
set_range(struct input *one, const double given[3], int trust)
{
	double low = given[0], base = given[1], high = given[2];
	one->range.base = base;
	one->range.low = isnan(low) ? base * (1 - TCO_DEFAULT_RANGE_FRAC) : low;
	one->range.high = isnan(high) ? base * (1 + TCO_DEFAULT_RANGE_FRAC) : high;
	one->trust = isnan(low) || isnan(high) ? TRUST_ASSUMED : trust;
}

static void
add_option(struct inputs *in, const struct tco_option *o, bool is_base)
{
	struct input one = {.name = arena_printf(in->a, "%s: price", o->name), .unit = "per month"};
	one.change.input = is_base ? FLOW_INPUT_BASE_MONTHLY : FLOW_INPUT_MONTHLY;
	set_range(&one, (double[3]){o->monthly_low, o->monthly, o->monthly_high}, o->trust);
	add(in, &one);
	if (isnan(o->upfront))
		return;
	one.name = arena_printf(in->a, "%s: upfront", o->name);
	one.unit = "once";
	one.change.input = is_base ? FLOW_INPUT_BASE_UPFRONT : FLOW_INPUT_UPFRONT;
	set_range(&one, (double[3]){NAN, o->upfront, NAN}, o->trust);
	add(in, &one);
}

static bool
has_factor_range(const struct tco_item *item)
{
	for (size_t i = 0; i < item->n_factors; i++) {
		if (!isnan(item->factors[i].low) || !isnan(item->factors[i].high))
			return true;
	}
	return false;
}

static void
add_share(struct inputs *in, const struct tco_item *item, size_t i)
{
	bool revenue = item->kind == TCO_REVENUE;
	double low = item->share_low, high = item->share_high;
	bool given = !isnan(low) && !isnan(high);
	if (!revenue && isnan(low) && isnan(high))
		return;
	struct input one = {
		.name = arena_printf(in->a, "%s: share counted", item->name), .unit = "0..1"};
	one.change = (struct flow_change){.input = FLOW_INPUT_SHARE, .item = i};
	one.range.base = revenue ? 0 : item->share;
	one.range.low = isnan(low) ? 0 : low;
	one.range.high = isnan(high) ? 1 : high;
	one.trust = given ? item->trust : TRUST_ASSUMED;
	add(in, &one);
}

static void
add_item(struct inputs *in, const struct tco_item *item, size_t i)
{
	add_share(in, item, i);
	if (item->kind == TCO_REVENUE)
		return; /* not in the base, so only its share moves anything */
	struct input one = {.name = item->name,
		.unit = item->per == TCO_PER_ONCE ? "once"
						  : arena_printf(in->a, "per %s",
							    names_text(&tco_per_names, item->per))};
	one.change = (struct flow_change){.input = FLOW_INPUT_AMOUNT, .item = i};
	if (!has_factor_range(item)) {
		set_range(&one, (double[3]){item->low, flow_item_amount(item), item->high},
			item->trust);
		add(in, &one);
		return;
	}
	for (size_t k = 0; k < item->n_factors; k++) {
		const struct tco_factor *f = &item->factors[k];
		one.name = arena_printf(in->a, "%s: %s", item->name, f->name);
		one.unit = f->unit;
		one.change = (struct flow_change){
			.input = FLOW_INPUT_FACTOR, .item = i, .factor = k};
		set_range(&one, (double[3]){f->low, f->value, f->high}, item->trust);
		add(in, &one);
	}
}

static void
add_rate(struct inputs *in, const struct tco_case *c)
{
	const struct tco_finance *f = c->finance;
	double rate = flow_rate_year(c);
	struct input one = {.change = {.input = FLOW_INPUT_RATE},
		.name = "discount rate",
		.unit = "1/year",
		.range = {rate, isnan(f->rate_low) ? 0 : f->rate_low,
			isnan(f->rate_high) ? 2 * rate : f->rate_high}};
	bool given = !isnan(f->rate_low) && !isnan(f->rate_high) && f->discount_rate_trust >= 0;
	one.trust = given ? f->discount_rate_trust : TRUST_ASSUMED;
	add(in, &one);
}

static double
npv_moved(const void *context, size_t input, double value)
{
	const struct run *run = context;
	struct flow_view v = run->base;
	v.change = run->inputs->items[input].change;
	v.change.value = value;
	/* a revenue item outside the base is counted while its share is moved */
	if (v.change.input == FLOW_INPUT_SHARE)
		v.mask |= UINT64_C(1) << v.change.item;
	return flow_npv(&v);
}

static void
fill_row(const struct inputs *in, const struct sensitivity_row *s, struct tco_tornado_row *out)
{
	const struct input *one = &in->items[s->input];
	out->input = one->name;
	out->unit = one->unit;
	out->base = one->range.base;
	out->low = one->range.low;
	out->high = one->range.high;
	out->npv_low = s->at_low;
	out->npv_high = s->at_high;
	out->swing = s->swing;
	out->zero_at = s->zero_at;
	out->range_trust = one->trust;
}

/* Say it when a revenue item outweighs everything else. */
static void
note_dominance(struct evaluation *e, const struct inputs *in, const struct sensitivity_row *rows)
{
	if (in->n < 2 || isnan(rows[1].swing))
		return;
	const struct input *top = &in->items[rows[0].input];
	if (top->change.input != FLOW_INPUT_SHARE ||
		e->c->items[top->change.item].kind != TCO_REVENUE ||
		rows[0].swing < 2 * rows[1].swing)
		return;
	const char *times =
		rows[1].swing > 0 ? arena_printf(e->a, "%s times",
					    say_number(e->a, round(rows[0].swing / rows[1].swing)))
				  : "beyond any multiple of";
	findings_add(&e->findings, SEVERITY_WARNING, "revenue-dominates",
		"settle the revenue item before the storage tier",
		"the revenue item \"%s\" dominates: counting it or not moves the NPV by %s, %s the "
		"next input (%s)",
		e->c->items[top->change.item].name, say_money(e->a, rows[0].swing, e->c->currency),
		times ? times : "", in->items[rows[1].input].name);
}

static int
run_option(struct evaluation *e, size_t option, struct err *err)
{
	const struct tco_case *c = e->c;
	struct inputs in = {.a = e->a};
	add_option(&in, &c->options[tco_option_find(c, c->baseline)], true);
	add_option(&in, &c->options[option], false);
	uint64_t own = flow_mask(c, option, TCO_SCOPE_ALL);
	for (size_t i = 0; i < c->n_items; i++) {
		if (own >> i & 1)
			add_item(&in, &c->items[i], i);
	}
	add_rate(&in, c);
	struct sensitivity_row *rows = arena_array(e->a, in.n, sizeof(*rows));
	struct sensitivity_input *ranges = arena_array(e->a, in.n, sizeof(*ranges));
	struct tco_tornado_row *out = arena_array(e->a, e->r->n_tornado + in.n, sizeof(*out));
	if (in.failed || !rows || !ranges || !out)
		return err_nomem(err);
	for (size_t i = 0; i < in.n; i++)
		ranges[i] = in.items[i].range;
	struct run run = {.inputs = &in,
		.base = {.c = c,
			.option = option,
			.mask = flow_mask(c, option, TCO_SCOPE_OPERATION),
			.rate_year = e->r->discount_rate_year}};
	sensitivity_tornado(ranges, in.n, npv_moved, &run, rows);
	for (size_t i = 0; i < e->r->n_tornado; i++)
		out[i] = e->r->tornado[i];
	for (size_t i = 0; i < in.n; i++) {
		struct tco_tornado_row *row = &out[e->r->n_tornado + i];
		row->option = c->options[option].name;
		fill_row(&in, &rows[i], row);
	}
	e->r->tornado = out;
	e->r->n_tornado += in.n;
	note_dominance(e, &in, rows);
	return 0;
}

int
evaluate_tornado(struct evaluation *e, struct err *err)
{
	int rc = 0;
	for (size_t option = SIZE_MAX; rc == 0 && evaluate_next_option(e->c, &option);)
		rc = run_option(e, option, err);
	return rc;
}
