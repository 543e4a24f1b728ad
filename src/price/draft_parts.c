/*
 * draft_parts.c - rows that are sold by their parts: Google prices no machine but its processors and its
 * memory, so that n2-highmem-8 costs 8 times the one and 64 times the other.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "price/draft.h"

struct draft_part {
	const char *id; /* NULL: no meter so far */
	const char *product, *meter, *unit; /* as published */
	double price; /* per unit of the part */
};

struct draft_part *
draft_parts_new(struct arena *a, size_t n)
{
	return arena_array(a, n + 1, sizeof(struct draft_part));
}

void
draft_parts_clear(struct draft_part *parts, size_t n)
{
	memset(parts, 0, n * sizeof(*parts));
}

/* "vm n2-highmem-8 ...: core" */
static void
name_part(const struct part_match *match, char name[200])
{
	const struct meter_rule *r = match->rule;
	snprintf(name, 200, "%.60s %.60s%s: %.40s", r->family, r->skus[0],
		r->n_skus > 1 ? " ..." : "", match->part->part);
}

static int
check_part(const struct draft *d, const struct part_match *match, const struct draft_meter *meter,
	const struct meter_unit **unit, struct err *err)
{
	char name[200];
	name_part(match, name);
	int rc = draft_check_price(d, name, meter, unit, err);
	if (rc)
		return rc;
	if (meter->tier_min > 0)
		return err_set(err, ERR_PRICE,
			"%s: meter \"%.80s\" has a price from %g units on: what is sold by parts "
			"needs one price",
			name, meter->meter, meter->tier_min);
	if ((*unit)->unit != match->part->unit)
		return err_set(err, ERR_PRICE,
			"%s: meter \"%.80s\" is priced per \"%.60s\", the rule says %s", name,
			meter->meter, meter->unit,
			names_text(&price_unit_names, match->part->unit));
	if (meter->price <= 0)
		return err_set(err, ERR_PRICE,
			"%s: meter \"%.80s\" costs 0: taken for a fault, not for a gift", name,
			meter->meter);
	return 0;
}

int
draft_add_part(struct draft *draft, const struct part_match *match, const struct draft_meter *meter,
	struct err *err)
{
	struct draft_part *p = &draft->parts[match->number];
	const struct meter_unit *unit = NULL;
	int rc = check_part(draft, match, meter, &unit, err);
	if (rc)
		return rc;
	double price = meter->price / unit->per;
	if (p->id) {
		char name[200], text[600];
		bool same = strcmp(p->id, meter->id) == 0 && !(p->price < price) &&
			    !(p->price > price);
		draft->repeated += same;
		name_part(match, name);
		snprintf(text, sizeof(text),
			"%s: \"%.60s\" %.10g (%.80s) and \"%.60s\" %.10g (%.80s)", name, p->meter,
			p->price, p->id, meter->meter, price, meter->id);
		if (!same)
			draft_conflict(draft, text);
		return 0;
	}
	*p = (struct draft_part){.id = arena_strdup(draft->arena, meter->id),
		.product = arena_strdup(draft->arena, meter->product),
		.meter = arena_strdup(draft->arena, meter->meter),
		.unit = arena_strdup(draft->arena, meter->unit),
		.price = price};
	return p->id && p->product && p->meter && p->unit ? 0 : err_nomem(err);
}

void
draft_missing_parts(const struct draft *draft, const struct meter_rule *rule, struct buf *out)
{
	size_t number = 0, missing = 0;
	for (size_t k = 0; &draft->meters->rules[k] != rule; k++)
		number += draft->meters->rules[k].n_parts;
	for (size_t i = 0; i < rule->n_parts; i++)
		missing += draft->parts[number + i].id == NULL;
	if (missing == 0)
		return;
	const char *lead = " (sold by its parts, and there was no meter for ";
	for (size_t i = 0; i < rule->n_parts; i++) {
		if (draft->parts[number + i].id)
			continue;
		buf_printf(out, "%s%s", lead, rule->parts[i].part);
		lead = ", ";
	}
	buf_putc(out, ')');
}

/* The row of one SKU: "8 x N2 Instance Core running in Americas + 64 x ..." */
static int
add_sum(struct draft *draft, const struct meter_rule *rule, const struct draft_part *parts,
	const struct meter_match *match, size_t sku, struct err *err)
{
	struct buf text;
	double sum = 0;
	buf_init(&text, 4096);
	for (size_t i = 0; i < rule->n_parts; i++) {
		double quantity = rule->parts[i].quantities[sku];
		sum += quantity * parts[i].price;
		buf_printf(&text, "%s%.10g x %s", i ? " + " : "", quantity, parts[i].meter);
	}
	const struct draft_meter meter = {.id = parts[0].id,
		.product = parts[0].product,
		.meter = buf_text(&text),
		.unit = parts[0].unit,
		.price = sum * meters_unit(draft->meters, parts[0].unit)->per,
		.term = rule->term};
	int rc = draft_add(draft, match, &meter, err);
	buf_fini(&text);
	return rc;
}

int
draft_sum_parts(struct draft *draft, struct err *err)
{
	const struct meters *m = draft->meters;
	size_t row = 0, number = 0;
	int rc = 0;
	for (size_t k = 0; k < m->n_rules && rc == 0; k++) {
		const struct meter_rule *rule = &m->rules[k];
		struct meter_match match;
		bool whole = rule->n_parts > 0;
		for (size_t i = 0; i < rule->n_parts; i++)
			whole &= draft->parts[number + i].id != NULL;
		for (size_t i = 0; whole && i < rule->n_skus && rc == 0; i++) {
			meters_row(m, row + i, &match);
			rc = add_sum(draft, rule, &draft->parts[number], &match, i, err);
		}
		number += rule->n_parts;
		row += meters_rule_rows(rule);
	}
	return rc;
}
