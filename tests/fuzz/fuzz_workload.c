/*
 * fuzz_workload.c - a workload document of anybody's making: loaded, and when it loads, written
 * and loaded again, which must succeed.
 */
#include <stdint.h>
#include <stdlib.h>

#include "workload/workload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int
read_bytes(const char *text, size_t n, struct arena *a, struct workload *w)
{
	struct json_doc *doc = NULL;
	struct err err;
	int rc = json_parse("fuzz", text, n, &doc, &err);
	if (rc == 0)
		rc = workload_read(json_root(doc), a, w, &err);
	json_free(doc);
	return rc;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a;
	struct workload w, again;
	struct buf out;
	arena_init(&a, 1 << 26);
	buf_init(&out, 0);
	if (read_bytes((const char *)data, size, &a, &w) == 0) {
		schema_write(&workload_schema, &w, &out);
		if (!out.failed && read_bytes(buf_text(&out), out.len, &a, &again))
			abort(); /* what we wrote we must read */
	}
	buf_fini(&out);
	arena_fini(&a);
	return 0;
}
