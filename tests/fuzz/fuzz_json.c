/*
 * fuzz_json.c - bytes as a JSON document and then as a profile; what reads must write the same
 * twice.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
write_twice(const struct profile *p)
{
	struct buf first, second;
	struct arena a;
	struct profile back;
	struct json_doc *doc = NULL;
	struct err err;
	buf_init(&first, 0);
	buf_init(&second, 0);
	arena_init(&a, (size_t)64 << 20);
	schema_write(&profile_schema, p, &first);
	if (json_parse("back", buf_text(&first), first.len, &doc, &err) != 0 ||
		schema_read(&profile_schema, json_root(doc), &a, &back, &err) != 0)
		abort();
	schema_write(&profile_schema, &back, &second);
	if (strcmp(buf_text(&first), buf_text(&second)) != 0)
		abort();
	json_free(doc);
	arena_fini(&a);
	buf_fini(&first);
	buf_fini(&second);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_doc *doc = NULL;
	struct err err;
	struct arena a;
	struct profile p;
	if (json_parse("fuzz", (const char *)data, size, &doc, &err) != 0)
		return 0;
	arena_init(&a, (size_t)64 << 20);
	struct buf whole;
	buf_init(&whole, 0);
	json_put_value(&whole, json_root(doc));
	buf_fini(&whole);
	if (schema_read(&profile_schema, json_root(doc), &a, &p, &err) == 0) {
		(void)profile_check(&p, json_root(doc), &err);
		write_twice(&p);
	}
	json_free(doc);
	arena_fini(&a);
	return 0;
}
