#include "advise/fleet.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"

/* clang-format off */
static const struct schema_field row_fields[] = {
	FIELD_COUNT(struct fleet_row, line, true, 1, 1e15, "", "line of the stream"),
	FIELD_TEXT(struct fleet_row, name, false, "of the workload; absent: it could not be read"),
	FIELD_TEXT(struct fleet_row, provider, false, "of the prices"),
	FIELD_TEXT(struct fleet_row, region, false, "of the prices"),
	FIELD_TEXT(struct fleet_row, engine, false, "database engine"),
	FIELD_TEXT(struct fleet_row, currency, false, "of monthly"),
	FIELD_COUNT(struct fleet_row, status, true, 0, 255, "", "what recommend of this workload alone exits with"),
	FIELD_WORD(struct fleet_row, verdict, &plan_verdict_names, false, "PASS, FAIL or UNKNOWN; absent: no plan"),
	FIELD_TEXT(struct fleet_row, placement, false, "tier of every volume"),
	FIELD_TEXT(struct fleet_row, machine, false, "count and size; absent: none was named"),
	FIELD_NUMBER(struct fleet_row, monthly, false, 0, SCHEMA_ANY, "currency/month",
		"all machines; at least, when not complete; absent: no plan"),
	FIELD_FLAG(struct fleet_row, complete, "every price in monthly is known"),
	FIELD_NUMBER(struct fleet_row, max_tps, false, 0, SCHEMA_ANY, "transactions/s", "at most; absent: not predicted"),
	FIELD_TEXT(struct fleet_row, tightest, false, "the promise with the least room"),
	FIELD_TEXT(struct fleet_row, why, false, "why the status is not 0"),
	FIELD_TEXTS(struct fleet_row, warnings, n_warnings, false, "codes of its warnings, each once"),
};
static const struct schema row_schema =
	SCHEMA_PART("one workload of a fleet", struct fleet_row, row_fields);
const struct schema *const fleet_row_schema = &row_schema;

static const struct schema_field fleet_fields[] = {
	FIELD_TEXT(struct fleet, created, true, "when, UTC"),
	FIELD_TEXT(struct fleet, tool, true, "program and version"),
	FIELD_TEXT(struct fleet, source, true, "the stream of workloads"),
	FIELD_LIST(struct fleet, rows, n_rows, &row_schema, true, "a row for each line, in order"),
};
const struct schema fleet_schema = SCHEMA_DOCUMENT("tierwise/fleet/1",
	"what recommend says of each workload of a stream", struct fleet, fleet_fields);
/* clang-format on */

static const char *
placement(const struct plan *plan, struct arena *a)
{
	struct buf text;
	buf_init(&text, 0);
	for (size_t v = 0; v < plan->n_volumes; v++) {
		const struct plan_volume *volume = &plan->volumes[v];
		const struct plan_config *c = volume->chosen;
		const char *label = volume->name ? volume->name : volume->role;
		buf_printf(&text, "%s%s ", v ? "; " : "", label);
		if (!c)
			buf_put(&text, "without a disk that fits");
		else if (c->disks > 1)
			buf_printf(&text, "on %g x %s", c->disks, c->title ? c->title : c->sku);
		else
			buf_printf(&text, "on %s", c->title ? c->title : c->sku);
	}
	const char *copy = text.failed ? NULL : arena_strdup(a, buf_text(&text));
	buf_fini(&text);
	return copy;
}

/* "commit p99 1.9 of 2 ms" */
static const char *
tightest(const struct plan *plan, struct arena *a)
{
	const struct plan_sla *least = NULL;
	for (size_t i = 0; i < plan->n_sla; i++) {
		const struct plan_sla *s = &plan->sla[i];
		if (!isnan(s->margin_frac) && (!least || s->margin_frac < least->margin_frac))
			least = s;
	}
	return least ? arena_printf(a, "%s: %.3g of %.4g %s", least->what, least->predicted,
			       least->limit, least->unit ? least->unit : "")
		     : NULL;
}

static int
add_warnings(const struct plan *plan, struct arena *a, struct fleet_row *row, struct err *err)
{
	for (size_t i = 0; i < plan->n_findings; i++) {
		const struct finding *f = &plan->findings[i];
		bool seen = f->severity != SEVERITY_WARNING;
		for (size_t k = 0; k < row->n_warnings && !seen; k++)
			seen = strcmp(row->warnings[k], f->code) == 0;
		if (seen)
			continue;
		const char **grown = arena_grow(a, row->warnings, row->n_warnings, sizeof(*grown));
		if (!grown)
			return err_nomem(err);
		row->warnings = grown;
		row->warnings[row->n_warnings++] = f->code;
	}
	return 0;
}

int
fleet_row_of(const struct plan *plan, struct arena *a, struct fleet_row *row, struct err *err)
{
	schema_clear(&row_schema, row);
	row->name = plan->name;
	row->provider = plan->provider;
	row->region = plan->region;
	row->engine = plan->engine;
	row->currency = plan->currency;
	row->verdict = plan->verdict;
	row->placement = placement(plan, a);
	if (plan->machine && plan->machine->sku)
		row->machine = arena_printf(a, "%g x %s", plan->machine->count, plan->machine->sku);
	if (plan->cost) {
		row->monthly = plan->cost->monthly;
		row->complete = plan->cost->complete;
	}
	if (plan->prediction)
		row->max_tps = plan->prediction->max_tps;
	row->tightest = tightest(plan, a);
	return row->placement ? add_warnings(plan, a, row, err) : err_nomem(err);
}
