#include "report/plan_report.h"

#include "report/plan_text.h"

void
plan_report(const struct plan *plan, struct doc *d)
{
	plan_page_one(plan, d);
	plan_today(plan, d);
	plan_alternatives(plan, d);
	plan_front(plan, d);
	plan_break_even(plan, d);
	plan_volumes(plan, d);
	plan_promises(plan, d);
	plan_fast_disk(plan, d);
	plan_recovery(plan, d);
	plan_confidence(plan, d);
	plan_curves(plan, d);
	plan_bill(plan, d);
	plan_settings(plan, d);
	plan_steps(plan, d);
	plan_rules(plan, d);
	plan_findings(plan, d);
	plan_inputs(plan, d);
	plan_glossary(plan, d);
}
