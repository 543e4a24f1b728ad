/*
 * fuzz_import.c - bytes as a result of any program that import knows, imported to the end; what was
 * accepted must survive the way out and back through the profile's own reader.
 */
#include <stdint.h>
#include <stdlib.h>

#include "profile/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
write_and_read_back(const struct profile *p)
{
	struct buf out;
	struct arena a;
	struct profile back;
	struct json_doc *doc = NULL;
	struct err err;
	buf_init(&out, 0);
	arena_init(&a, (size_t)64 << 20);
	schema_write(&profile_schema, p, &out);
	if (buf_check(&out, &err) == 0) {
		if (json_parse("back", buf_text(&out), out.len, &doc, &err) != 0 ||
			schema_read(&profile_schema, json_root(doc), &a, &back, &err) != 0)
			abort();
		if (back.n_cells != p->n_cells || back.n_syncs != p->n_syncs)
			abort();
		if (profile_check(&back, json_root(doc), &err) != 0)
			abort();
	}
	json_free(doc);
	arena_fini(&a);
	buf_fini(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a;
	struct profile p;
	struct import_outcome file;
	struct err err;
	arena_init(&a, (size_t)64 << 20);
	struct import *im = import_new(&p, &a);
	if (im && import_text(im, "fuzz", (const char *)data, size, &file, &err) == 0 &&
		import_finish(im, &err) == 0) {
		p.name = "fuzz";
		write_and_read_back(&p);
	}
	arena_fini(&a);
	return 0;
}
