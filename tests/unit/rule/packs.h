/*
 * packs.h - situations for the shipped rule packs: a table a file, for test_packs.c to walk.
 *
 * Each rule has a row in which it fires and one in which it does not; a requirement or preference one that
 * meets it and one that breaks it.
 */
#ifndef TESTS_RULE_PACKS_H
#define TESTS_RULE_PACKS_H

#include <stddef.h>

#include "rule/rule.h"

struct row {
	const char *id;
	const char *facts; /* "name=value name=value"; anything else is unknown */
	enum rule_answer applies, holds;
	const char *says; /* in the text; NULL: not checked */
};

struct rows {
	const struct row *rows;
	size_t n;
};

/* aws.json, gcp.json and engine-*.json */
extern const struct rows packs_engines;
/* money.json, measurement.json, and what the others say about today's disks */
extern const struct rows packs_money;
/* migration.json */
extern const struct rows packs_migration;
/* settings.json, and Write Accelerator in azure.json */
extern const struct rows packs_settings;
/* diagnosis.json */
extern const struct rows packs_diagnosis;

#endif /* TESTS_RULE_PACKS_H */
