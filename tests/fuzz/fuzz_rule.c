/*
 * fuzz_rule.c - a rule pack of anybody's making: loading, evaluating and explaining must neither
 * crash nor run away, whatever the bytes.
 */
#include <stdint.h>

#include "rule/rule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
use(const struct rule_pack *pack, const struct rule_context *c)
{
	for (size_t i = 0; i < pack->n; i++) {
		struct buf out;
		buf_init(&out, 1 << 20);
		(void)rule_applies(&pack->rules[i], c);
		(void)rule_holds(&pack->rules[i], c);
		rule_explain(&pack->rules[i], c, &out);
		rule_text(&pack->rules[i], c, &out);
		buf_fini(&out);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a;
	struct rule_pack pack;
	struct rule_context c;
	struct json_doc *doc = NULL;
	struct err err;
	if (json_parse("fuzz", (const char *)data, size, &doc, &err))
		return 0;
	arena_init(&a, 1 << 26);
	rule_pack_init(&pack, &a);
	if (rule_context_init(&c, &a, &err) == 0 &&
		rule_pack_read(&pack, json_root(doc), &err) == 0) {
		use(&pack, &c);
		rule_set_text(&c, "volume.role", "wal");
		rule_set_number(&c, "disk.size_gib", 64);
		rule_set_flag(&c, "disk.ephemeral", 0);
		use(&pack, &c);
	}
	json_free(doc);
	arena_fini(&a);
	return 0;
}
