/*
 * fuzz_tco.c - a comparison document from anywhere: read, checked, evaluated and written without a
 * fault, and an accepted one gives a result that can be read back.
 */
#include <stdint.h>
#include <stdlib.h>

#include "tco/tco.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_result(struct arena *a, const struct tco_result *r)
{
	struct buf text;
	struct json_doc *doc = NULL;
	struct tco_result again;
	buf_init(&text, 0);
	schema_write(&tco_result_schema, r, &text);
	if (json_parse("result", buf_text(&text), text.len, &doc, NULL) ||
		schema_read(&tco_result_schema, json_root(doc), a, &again, NULL))
		abort();
	json_free(doc);
	buf_fini(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_doc *doc = NULL;
	struct arena a;
	struct tco_case c;
	struct tco_result r;
	arena_init(&a, 64 << 20);
	if (json_parse("fuzz", (const char *)data, size, &doc, NULL) == 0 &&
		tco_read(json_root(doc), &a, &c, NULL) == 0 && tco_evaluate(&c, &a, &r, NULL) == 0)
		check_result(&a, &r);
	json_free(doc);
	arena_fini(&a);
	return 0;
}
