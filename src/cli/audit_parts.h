/*
 * audit_parts.h - inside cli: the parts of `tierwise audit`.
 */
#ifndef CLI_AUDIT_PARTS_H
#define CLI_AUDIT_PARTS_H

#include "model/audit.h"
#include "report/doc.h"
#include "tco/tco.h"

/* The claims of a comparison in money, as tco judged them, with the prices and items they rest on. */
void audit_tco(const struct tco_case *c, const struct tco_result *r, struct audit *a);

/* For people: verdict, each finding that is more than agreement, then all of them as a table. */
void audit_doc(struct doc *d, const struct audit_report *r);

#endif /* CLI_AUDIT_PARTS_H */
