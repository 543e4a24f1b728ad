#include "report/plan_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

/* Text of the arena, or "" with the document failed. */
static const char *
kept(struct doc *d, const char *text)
{
	if (!text)
		d->failed = true;
	return text ? text : "";
}

bool
plan_fits(const struct plan *p)
{
	for (size_t v = 0; v < p->n_volumes; v++) {
		if (!p->volumes[v].chosen)
			return false;
	}
	return p->n_volumes > 0;
}

const char *
plan_no_bill(const struct plan *p)
{
	if (plan_fits(p))
		return "no price was found";
	return p->verdict == PLAN_UNKNOWN ? "no configuration is known to fit, so nothing is billed"
					  : "no configuration fits, so nothing is billed";
}

bool
plan_known(double value)
{
	return !isnan(value);
}

const char *
plan_or_unknown(const char *text)
{
	return text ? text : "unknown";
}

const char *
plan_amount(struct doc *d, double amount)
{
	char text[48];
	units_money_text(amount, 2, text);
	return kept(d, arena_strdup(d->arena, text));
}

const char *
plan_money(struct doc *d, const struct plan *p, double amount)
{
	if (isnan(amount))
		return "unknown";
	return kept(d, arena_printf(d->arena, "%s%s%s", p->currency ? p->currency : "",
			       p->currency ? " " : "", plan_amount(d, amount)));
}

const char *
plan_small_money(struct doc *d, double amount)
{
	if (isnan(amount))
		return "unknown";
	if (!(fabs(amount) > 0) || fabs(amount) >= 1e6)
		return plan_amount(d, amount);
	int decimals = 3 - (int)floor(log10(fabs(amount)));
	if (decimals < 2)
		decimals = 2;
	if (decimals > 12)
		decimals = 12;
	char text[48];
	units_money_text(amount, decimals, text);
	return kept(d, arena_strdup(d->arena, text));
}

const char *
plan_total(struct doc *d, const struct plan *p, double amount, bool complete)
{
	if (complete || isnan(amount))
		return plan_money(d, p, amount);
	return kept(d, arena_printf(d->arena, "at least %s, incomplete", plan_money(d, p, amount)));
}

const char *
plan_count(struct doc *d, double count)
{
	char text[32];
	units_count_text(count, text);
	return kept(d, arena_strdup(d->arena, text));
}

/* Three significant digits without an exponent. */
static const char *
digits(struct doc *d, double value)
{
	double size = fabs(value);
	if (size >= 100)
		return plan_count(d, round(value));
	int decimals = size >= 10 ? 1 : size >= 1 ? 2 : 3;
	return kept(d, arena_printf(d->arena, "%.*f", decimals, value));
}

const char *
plan_ms(struct doc *d, double ms)
{
	return isnan(ms) ? "unknown" : digits(d, ms);
}

const char *
plan_percent(struct doc *d, double frac)
{
	if (isnan(frac))
		return "unknown";
	/* a margin of 0.3 % is not none */
	int decimals = fabs(frac) < 0.00995 && fabs(frac) > 0;
	return kept(d, arena_printf(d->arena, "%.*f %%", decimals, frac * 100));
}

const char *
plan_exact(struct doc *d, double value, const char *unit)
{
	if (isnan(value))
		return "unknown";
	bool whole = fabs(value - round(value)) < 1e-9;
	const char *number = whole || fabs(value) >= 1000
				     ? plan_count(d, whole ? round(value) : value)
				     : arena_printf(d->arena, "%.4g", value);
	return kept(d, arena_printf(d->arena, "%s%s%s", kept(d, number), unit && *unit ? " " : "",
			       unit ? unit : ""));
}

static bool
is_money(const struct plan *p, const struct plan_sla *s)
{
	return p->currency && s->unit && strcmp(p->currency, s->unit) == 0;
}

const char *
plan_limit(struct doc *d, const struct plan *p, const struct plan_sla *s)
{
	return is_money(p, s) ? plan_money(d, p, s->limit) : plan_exact(d, s->limit, s->unit);
}

const char *
plan_predicted(struct doc *d, const struct plan *p, const struct plan_sla *s)
{
	if (s->verdict == PLAN_FAIL && isnan(s->predicted))
		return "grows without end"; /* broken without a figure */
	return is_money(p, s) ? plan_money(d, p, s->predicted)
			      : plan_value(d, s->predicted, s->unit);
}

const char *
plan_interval(struct doc *d, double lo, double hi, const char *unit)
{
	if (!plan_known(lo) || !plan_known(hi))
		return "unknown";
	if (hi - lo <= 1e-9 * fabs(hi))
		return "none: a cap sets it";
	return kept(d, arena_printf(d->arena, "%s to %s", plan_value(d, lo, NULL),
			       plan_value(d, hi, unit)));
}

const char *
plan_value(struct doc *d, double value, const char *unit)
{
	if (isnan(value))
		return "unknown";
	return kept(d, arena_printf(d->arena, "%s%s%s", digits(d, value), unit && *unit ? " " : "",
			       unit ? unit : ""));
}

const char *
plan_config_title(const struct plan_config *c)
{
	return c->title ? c->title : c->sku ? c->sku : plan_or_unknown(c->family);
}

const char *
plan_config_name(struct doc *d, const struct plan_config *c)
{
	if (!c)
		return "nothing fits";
	const char *sku = plan_config_title(c);
	double size = isnan(c->billed_gib) ? c->size_gib : c->billed_gib;
	bool stripe = c->disks > 1;
	return kept(d,
		arena_printf(d->arena, "%s%s%s, %s GiB%s", stripe ? plan_count(d, c->disks) : "",
			stripe ? " \u00d7 " : "", sku, plan_count(d, size), stripe ? " each" : ""));
}

const char *
plan_volume_name(struct doc *d, const struct plan_volume *v)
{
	const char *role = plan_or_unknown(v->role);
	if (!v->name || strcmp(v->name, role) == 0)
		return role;
	return kept(d, arena_printf(d->arena, "%s (%s)", role, v->name));
}
