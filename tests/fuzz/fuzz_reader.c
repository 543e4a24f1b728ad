/*
 * fuzz_reader.c - bytes as evidence for one reader alone, named by --reader=NAME before the fuzzer's own options (else for
 * each of them): texts between bytes 0x1e, then differences, statistics and needs.  Whatever is read must hold together.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/consumed.h"
#include "workload/evidence_bytes.h"
#include "workload/evidence_reader.h"
#include "workload/histogram_verdict.h"
#include "workload/need.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static const struct {
	const char *name;
	const struct evidence_reader *reader;
} readers[] = {
	{"azure", &evidence_azure},
	{"cassandra-stress", &evidence_cassandra_stress},
	{"cloudwatch", &evidence_cloudwatch},
	{"diskstats", &evidence_diskstats},
	{"exposition", &evidence_exposition},
	{"iostat", &evidence_iostat},
	{"iostat-json", &evidence_iostat_json},
	{"metric-csv", &evidence_metric_csv},
	{"mysql", &evidence_mysql},
	{"nodetool", &evidence_nodetool},
	{"perfmon", &evidence_perfmon},
	{"pgbench", &evidence_pgbench},
	{"pgbench-log", &evidence_pgbench_log},
	{"postgres", &evidence_postgres},
	{"prometheus", &evidence_prometheus},
	{"sadf", &evidence_sadf},
	{"sar", &evidence_sar},
	{"sysbench", &evidence_sysbench},
	{"vmstat", &evidence_vmstat},
};

enum { N_READERS = sizeof(readers) / sizeof(readers[0]) };

static size_t only = N_READERS; /* of --reader; else every one */

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char option[] = "--reader=";
	for (int i = 1; i < *argc; i++) {
		const char *name = (*argv)[i];
		if (strncmp(name, option, sizeof(option) - 1) != 0)
			continue;
		name += sizeof(option) - 1;
		for (only = 0; only < N_READERS && strcmp(readers[only].name, name) != 0;)
			only++;
		if (only == N_READERS) {
			fprintf(stderr, "no reader %s\n", name);
			exit(2);
		}
	}
	return 0;
}

/* Nothing is done less than never, nor without end. */
static void
check_series(const struct evidence_series *s)
{
	if (s->scope < 0 || s->scope >= EVIDENCE_SCOPE_COUNT)
		abort();
	if (!s->device && s->scope != EVIDENCE_MACHINE)
		abort();
	for (size_t k = 0; k < s->n_samples; k++) {
		const struct evidence_sample *x = &s->samples[k];
		const double v[] = {x->read_iops, x->write_iops, x->any_iops, x->read_bytes_s,
			x->write_bytes_s, x->any_bytes_s, x->read_us, x->write_us, x->queue};
		for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
			if (v[i] < 0)
				abort();
		}
	}
}

static void
check(struct evidence *e)
{
	for (size_t i = 0; i < e->n_series; i++)
		check_series(&e->series[i]);
	for (size_t i = 0; i < e->n_histograms; i++) {
		const struct evidence_histogram *h = &e->histograms[i];
		histogram_say(h, 0.99, 10000, &e->findings);
		if (histogram_at(h, 0.5).us > histogram_at(h, 0.99).us)
			abort();
	}
	for (size_t i = 0; i < e->findings.n; i++) {
		if (!e->findings.items[i].code || !e->findings.items[i].text)
			abort();
	}
}

static void
conclude(struct evidence *e)
{
	static const struct need_cap cap = {"vda", 950, 96e6, 3000, 5400000};
	static const struct need_options options = {.caps = &cap,
		.vm_iops = 6400,
		.vm_bytes_s = 96e6,
		.vm_cached_iops = 8000,
		.vm_cached_bytes_s = 64e6,
		.copy_bytes = 1e12,
		.target_tps = 2000};
	struct needs n;
	struct err err;
	if (evidence_finish(e, &err) == 0 && need_join_series(e, &err) == 0 &&
		consumed_rates(e, &cap, 1, &err) == 0)
		(void)needs_of(e, &options, &n, &err);
	consumed_say(e, NULL, &e->findings, &err);
	check(e);
}

/* As evidence_text() has it: after an error the evidence is as it was. */
static void
read_part(struct evidence *e, const struct evidence_reader *reader,
	const struct evidence_options *o, const char *bytes, size_t n)
{
	struct evidence_input in = {.name = "fuzz", .options = o};
	struct evidence before = *e;
	struct err err = {0};
	if (evidence_plain_text("fuzz", bytes, n, e->arena, &in.text, &in.n, &err) != 0 ||
		!reader->probe(&in))
		return;
	if (reader->read(&in, e, &err) != 0) {
		if (err.code == 0 || !err.text[0])
			abort(); /* a refusal says why */
		*e = before;
	}
}

static void
take(const struct evidence_reader *reader, const char *text, size_t size)
{
	const struct evidence_options o = {.keep_first = size & 1,
		.day_first = -1,
		.utc_offset_s = size & 2 ? 3600 : (double)NAN,
		.interval_s = size & 4 ? 60 : (double)NAN,
		.idle_missing = size & 8,
		.query = size & 16 ? "rate(node_disk_writes_completed_total[15s])" : NULL,
		.metric = size & 32 ? NULL : "VolumeWriteBytes"};
	const char *end = text + size;
	struct arena a;
	struct evidence e;
	arena_init(&a, (size_t)64 << 20);
	evidence_init(&e, &a);
	while (text < end) {
		const char *stop = memchr(text, 0x1e, (size_t)(end - text));
		read_part(&e, reader, &o, text, (size_t)((stop ? stop : end) - text));
		text = stop ? stop + 1 : end;
	}
	conclude(&e);
	arena_fini(&a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < N_READERS; i++) {
		if (only == i || only == N_READERS)
			take(readers[i].reader, (const char *)data, size);
	}
	return 0;
}
