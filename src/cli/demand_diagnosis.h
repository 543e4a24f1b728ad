/*
 * demand_diagnosis.h - what evidence says about where time goes: the rules of rules/diagnosis.json with the
 * values that were seen.
 */
#ifndef CLI_DEMAND_DIAGNOSIS_H
#define CLI_DEMAND_DIAGNOSIS_H

#include "cli/command.h"
#include "cli/demand_options.h"
#include "report/doc.h"
#include "workload/evidence.h"
#include "workload/need.h"

/*
 * The section "Diagnosis": a row for each rule that fires, of a device or of everything; nothing when none
 * does.  A fact that neither the evidence nor --observed gives fires nothing.  ERR_USAGE for a name of
 * --observed that is no fact; ERR_PARSE, ERR_NOMEM.
 */
int demand_diagnosis(struct cli_common *c, struct doc *d, const struct evidence *e,
	const struct needs *n, const struct demand_options *o, struct err *err);

#endif /* CLI_DEMAND_DIAGNOSIS_H */
