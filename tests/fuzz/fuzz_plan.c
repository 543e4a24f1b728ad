/*
 * fuzz_plan.c - a plan that somebody edited: read, written and read back, and reported as
 * table, Markdown and CSV without a fault, whatever is absent.
 */
#include <stdint.h>
#include <stdlib.h>

#include "advise/plan.h"
#include "report/plan_report.h"
#include "report/render.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int
read_bytes(const char *text, size_t n, struct arena *a, struct plan *plan)
{
	struct json_doc *doc = NULL;
	int rc = json_parse("fuzz", text, n, &doc, NULL);
	if (rc == 0)
		rc = schema_read(&plan_schema, json_root(doc), a, plan, NULL);
	json_free(doc);
	return rc;
}

static void
check_round_trip(const struct plan *plan, struct arena *a)
{
	struct buf text;
	struct plan again;
	buf_init(&text, 0);
	schema_write(&plan_schema, plan, &text);
	if (!text.failed && read_bytes(buf_text(&text), text.len, a, &again))
		abort(); /* what we wrote we must read */
	buf_fini(&text);
}

static void
report(const struct plan *plan, struct arena *a)
{
	/* html needs the style of the data folder and json is the plan itself */
	static const enum render_format formats[] = {RENDER_TABLE, RENDER_MD, RENDER_CSV};
	struct doc d;
	doc_init(&d, a, "fuzz");
	plan_report(plan, &d);
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct render_options how = {.width = 100};
		struct buf out;
		buf_init(&out, 0);
		render(&d, formats[i], &how, &out, NULL);
		buf_fini(&out);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a;
	struct plan plan;
	arena_init(&a, 64 << 20);
	if (read_bytes((const char *)data, size, &a, &plan) == 0) {
		check_round_trip(&plan, &a);
		report(&plan, &a);
	}
	arena_fini(&a);
	return 0;
}
