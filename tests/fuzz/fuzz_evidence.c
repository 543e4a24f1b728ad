/*
 * fuzz_evidence.c - bytes as evidence of any kind, read to the end and counted: once as they are, once with all that a user
 * can say beside them.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "workload/consumed.h"
#include "workload/evidence.h"
#include "workload/histogram_verdict.h"
#include "workload/need.h"
#include "workload/series.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
count(struct evidence *e, struct arena *a)
{
	static const struct need_cap cap = {"vda", 950, 96e6, 3000, 5400000};
	static const struct need_options options = {.caps = &cap,
		.n_caps = 1,
		.vm_iops = 6400,
		.vm_bytes_s = 96e6,
		.vm_cached_iops = 8000,
		.vm_cached_bytes_s = 64e6,
		.copy_bytes = 1e12,
		.target_tps = 2000};
	struct series_stats stats;
	struct needs needs;
	struct err err;
	for (size_t i = 0; i < e->n_series; i++) {
		const struct evidence_series *s = &e->series[i];
		if (s->scope < 0 || s->scope >= EVIDENCE_SCOPE_COUNT)
			abort();
		if (series_stats(s, a, &stats, &err) == 0 && stats.iops.n > s->n_samples)
			abort();
	}
	for (size_t i = 0; i < e->n_histograms; i++) {
		const struct evidence_histogram *h = &e->histograms[i];
		histogram_say(h, 0.99, 10000, &e->findings);
		if (histogram_at(h, 0.5).us > histogram_at(h, 0.99).us)
			abort();
	}
	consumed_say(e, NULL, &e->findings, &err);
	if (consumed_rates(e, &cap, 1, &err) == 0 && need_join_series(e, &err) == 0)
		needs_of(e, &options, &needs, &err);
}

static void
take(const char *text, size_t size, const struct evidence_options *options)
{
	struct arena a;
	struct evidence e;
	struct err err = {0};
	struct evidence_input in = {"fuzz", text, size, options};
	arena_init(&a, (size_t)64 << 20);
	evidence_init(&e, &a);
	if (evidence_text(&e, &in, NULL, &err) == 0) {
		if (evidence_finish(&e, &err) == 0)
			count(&e, &a);
	} else if (err.code == 0 || err.text[0] == '\0') {
		abort(); /* a refusal says why */
	}
	arena_fini(&a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct evidence_options plain = {
		.day_first = -1, .utc_offset_s = (double)NAN, .interval_s = (double)NAN};
	static const struct evidence_options told = {.keep_first = true,
		.day_first = 1,
		.utc_offset_s = 3600,
		.interval_s = 60,
		.query = "rate(node_disk_writes_completed_total[15s])",
		.metric = "VolumeWriteBytes"};
	char *text = malloc(size + 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	take(text, size, &plain);
	take(text, size, &told);
	free(text);
	return 0;
}
