/*
 * plan_report.h - the report of a plan as a document: page one carries verdict, total, placement,
 * SLA margin with interval, top reasons, what would change the decision, price date and unknowns.
 */
#ifndef REPORT_PLAN_REPORT_H
#define REPORT_PLAN_REPORT_H

#include "advise/plan.h"
#include "report/doc.h"

void plan_report(const struct plan *plan, struct doc *d);

#endif /* REPORT_PLAN_REPORT_H */
