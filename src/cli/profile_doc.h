/*
 * profile_doc.h - a profile for people: its cells, its durable writes, what is doubtful.
 */
#ifndef CLI_PROFILE_DOC_H
#define CLI_PROFILE_DOC_H

#include "profile/profile.h"
#include "report/doc.h"

/* Append to the document; its arena keeps copies of all text. */
void profile_doc(struct doc *d, const struct profile *p);

#endif /* CLI_PROFILE_DOC_H */
