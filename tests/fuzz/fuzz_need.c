/*
 * fuzz_need.c - bytes as the output of anything that demand reads, to the end: texts (several, between bytes 0x1e),
 * differences of their counters, statistics, needs.  Whatever is read must hold together.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "workload/evidence_bytes.h"
#include "workload/need.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(const struct evidence *e)
{
	for (size_t i = 0; i < e->n_series; i++) {
		const struct evidence_series *s = &e->series[i];
		if (!s->device || s->scope < 0 || s->scope >= EVIDENCE_SCOPE_COUNT)
			abort();
		for (size_t k = 0; k < s->n_samples; k++) {
			if (s->samples[k].read_iops < 0 || s->samples[k].write_iops < 0)
				abort(); /* nothing is done less than never */
		}
	}
	for (size_t i = 0; i < e->findings.n; i++) {
		if (!e->findings.items[i].code || !e->findings.items[i].text)
			abort();
	}
}

static void
read_part(struct evidence *e, const struct evidence_options *o, const char *bytes, size_t n)
{
	struct evidence_input in = {.name = "fuzz", .options = o};
	struct err err = {0};
	if (evidence_plain_text("fuzz", bytes, n, e->arena, &in.text, &in.n, &err) == 0 &&
		evidence_text(e, &in, NULL, &err) != 0 && !err.text[0])
		abort(); /* a refusal says why */
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a;
	struct evidence e;
	struct needs n;
	struct err err;
	const struct need_options need = {.vm_iops = 1000,
		.vm_bytes_s = 1e8,
		.vm_cached_iops = NAN,
		.vm_cached_bytes_s = NAN,
		.copy_bytes = NAN,
		.target_tps = 100};
	const struct evidence_options o = {.keep_first = size & 1,
		.day_first = -1,
		.utc_offset_s = NAN,
		.interval_s = size & 2 ? 1 : (double)NAN,
		.idle_missing = size & 4};
	const char *text = (const char *)data, *end = text + size;
	arena_init(&a, (size_t)64 << 20);
	evidence_init(&e, &a);
	while (text < end) {
		const char *stop = memchr(text, 0x1e, (size_t)(end - text));
		read_part(&e, &o, text, (size_t)((stop ? stop : end) - text));
		text = stop ? stop + 1 : end;
	}
	if (evidence_finish(&e, &err) == 0 && need_join_series(&e, &err) == 0)
		(void)needs_of(&e, &need, &n, &err);
	check(&e);
	arena_fini(&a);
	return 0;
}
