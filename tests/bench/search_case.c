#include "search_case.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advise/transaction.h"
#include "base/buf.h"

/* One volume: the first n of the table are the n-volume case, each a system that is run as such. */
struct row {
	const char *role, *name;
	double gib, reads, writes, window_hours;
};

/* A reporting database alone; one OLTP database; two; four with shared temp and backup volumes. */
static const struct row one[] = {{"data", "data", 700, 3000, 800, 0}};
static const struct row four[] = {{"wal", "wal", 64, 0, 0, 0}, {"data", "data", 900, 6000, 2500, 0},
	{"backup", "backup", 2000, 0, 0, 6}, {"temp", "temp", 100, 0, 0, 0}};
static const struct row eight[] = {{"wal", "wal-orders", 64, 0, 0, 0},
	{"wal", "wal-stock", 32, 0, 0, 0}, {"data", "data-orders", 900, 4000, 1500, 0},
	{"data", "data-stock", 300, 1500, 500, 0}, {"index", "index-orders", 250, 1800, 600, 0},
	{"temp", "temp", 150, 500, 500, 0}, {"backup", "backup-orders", 1500, 0, 0, 6},
	{"backup", "backup-stock", 500, 0, 0, 4}};
static const struct row sixteen[] = {{"wal", "wal-orders", 64, 0, 0, 0},
	{"wal", "wal-stock", 32, 0, 0, 0}, {"wal", "wal-crm", 48, 0, 0, 0},
	{"wal", "wal-audit", 128, 0, 0, 0}, {"data", "data-orders", 900, 3000, 1200, 0},
	{"data", "data-stock", 300, 1200, 400, 0}, {"data", "data-crm", 500, 1000, 300, 0},
	{"data", "data-audit", 2500, 400, 900, 0}, {"index", "index-orders", 250, 1500, 500, 0},
	{"index", "index-crm", 120, 700, 150, 0}, {"index", "index-audit", 600, 300, 400, 0},
	{"temp", "temp-1", 150, 400, 400, 0}, {"temp", "temp-2", 60, 100, 100, 0},
	{"backup", "backup-orders", 1500, 0, 0, 6}, {"backup", "backup-stock", 500, 0, 0, 4},
	{"backup", "backup-audit", 2500, 0, 0, 10}};

static const char *const machines[] = {"Standard_D8ds_v5", "Standard_E20ds_v5", "Standard_E8ds_v5",
	"Standard_E8ds_v6", "Standard_E16ds_v5", "Standard_E16ds_v6", "Standard_E32ds_v5",
	"Standard_E32ds_v6", "Standard_E48ds_v5", "Standard_E64ds_v5"};
enum { N_MACHINES = sizeof(machines) / sizeof(machines[0]) };

static void
check(int rc, const struct err *err)
{
	if (rc) {
		fprintf(stderr, "search_case: %s\n", err->text);
		exit(1);
	}
}

static void
put_volumes(struct buf *b, const struct row *rows, const struct search_ask *ask)
{
	for (size_t i = 0; i < ask->volumes; i++) {
		const struct row *r = &rows[i];
		buf_printf(b, "%s{\"role\":\"%s\",\"name\":\"%s\",\"capacity_gib\":%g",
			i ? "," : "", r->role, r->name, r->gib * ask->size);
		if (r->reads > 0)
			buf_printf(b, ",\"read_iops\":%g,\"write_iops\":%g,\"io_kib\":8",
				r->reads * ask->size, r->writes * ask->size);
		else if (strcmp(r->role, "wal") == 0 && ask->tps <= 0)
			buf_printf(b, ",\"read_iops\":0,\"write_iops\":%g,\"io_kib\":8",
				500 * ask->size);
		if (r->window_hours > 0)
			buf_printf(b, ",\"window_hours\":%g", r->window_hours);
		buf_printf(b, "}");
	}
}

static void
put_workload(struct buf *b, const struct search_ask *ask)
{
	const struct row *rows = ask->volumes == 1   ? one
				 : ask->volumes == 4 ? four
				 : ask->volumes == 8 ? eight
						     : sixteen;
	buf_printf(b,
		"{\"schema\":\"tierwise/workload/1\",\"name\":\"search\",\"provider\":\"azure\","
		"\"region\":\"westeurope\",\"engine\":\"postgresql\",\"vm\":{\"sizes\":[");
	for (size_t i = 0; i < N_MACHINES; i++)
		buf_printf(b, "%s\"%s\"", i ? "," : "", machines[i]);
	buf_printf(b, "]},");
	if (ask->tps > 0)
		buf_printf(b,
			"\"transactions\":{\"target_tps\":%g,\"clients\":150,\"cpu_ms_per_tx\":1.2,"
			"\"page_reads_per_tx\":4,\"wal_kib_per_tx\":8,\"utilisation\":0.35},",
			ask->tps);
	buf_printf(b, "\"sla\":{\"read_p99_ms\":30");
	if (!isnan(ask->commit_p99_ms))
		buf_printf(b, ",\"commit_p99_ms\":%g", ask->commit_p99_ms);
	if (!isnan(ask->tx_p99_ms))
		buf_printf(b, ",\"tx_p99_ms\":%g", ask->tx_p99_ms);
	buf_printf(b, "},\"volumes\":[");
	put_volumes(b, rows, ask);
	buf_printf(b, "]}\n");
}

static void
load_workload(struct search_case *s, const struct search_ask *ask, struct err *err)
{
	char path[] = "/tmp/tierwise-search-XXXXXX";
	struct buf text;
	buf_init(&text, 0);
	put_workload(&text, ask);
	int fd = mkstemp(path);
	if (fd < 0 || write(fd, text.text, text.len) != (ssize_t)text.len) {
		perror("search_case");
		exit(1);
	}
	close(fd);
	buf_fini(&text);
	int rc = workload_load(path, &s->arena, &s->workload, NULL, err);
	unlink(path);
	check(rc, err);
}

/* Every shipped profile that speaks for a tier. */
static void
load_models(struct search_case *s, const char *source, struct err *err)
{
	glob_t found;
	check(glob(arena_printf(&s->arena, "%s/models/azure-*.json", source), 0, NULL, &found),
		err);
	for (size_t i = 0; i < found.gl_pathc && s->in.n_models < SEARCH_CASE_MODELS; i++) {
		struct disk_model *m = &s->models[s->in.n_models];
		struct profile p;
		check(profile_load(found.gl_pathv[i], &s->arena, &p, NULL, err), err);
		if (p.family && disk_model_fit(&p, "", &s->limits, &s->arena, m, err) == 0)
			s->speaking[s->in.n_models++] = (struct advise_model){.model = m};
	}
	globfree(&found);
}

/* Sizes the book does not price cost, for this measurement, what their processors would at the price of
 * the Standard_E8ds_v5. */
static void
price_machines(struct search_case *s)
{
	struct chooser *c = &s->chooser;
	double per_vcpu = (double)NAN;
	for (size_t i = 0; i < c->n_options; i++) {
		if (strcmp(c->options[i].vm->sku, "Standard_E8ds_v5") == 0)
			per_vcpu = c->options[i].monthly / c->options[i].vm->vcpus;
	}
	for (size_t i = 0; i < c->n_options; i++) {
		if (!c->options[i].price_gap)
			continue;
		c->options[i].monthly = per_vcpu * c->options[i].vm->vcpus;
		c->options[i].price_gap = NULL;
	}
}

void
search_case_init(struct search_case *s, const char *source, const struct search_ask *ask)
{
	struct err err = {0};
	struct engine_document d;
	memset(s, 0, sizeof(*s));
	arena_init(&s->arena, 0);
	findings_init(&s->findings, &s->arena);
	load_workload(s, ask, &err);
	check(limits_load(arena_printf(&s->arena, "%s/pricing/limits-azure.json", source),
		      &s->arena, &s->limits, NULL, &err),
		&err);
	check(price_book_load(arena_printf(&s->arena, "%s/pricing/azure-westeurope.json", source),
		      &s->arena, &s->book, NULL, &err),
		&err);
	check(engine_document_load(
		      arena_printf(&s->arena, "%s/models/engines/postgresql.json", source),
		      &s->arena, &d, NULL, &err),
		&err);
	check(transaction_engine(&s->workload, &d, &s->arena, &s->engine, &err), &err);
	load_models(s, source, &err);
	rule_pack_init(&s->rules, &s->arena);
	check(rule_pack_load_folder(&s->rules, arena_printf(&s->arena, "%s/rules", source), &err),
		&err);
	s->in.rules = &s->rules;
	s->in.workload = &s->workload;
	s->in.engine = &s->engine;
	s->in.book = &s->book;
	s->in.limits = &s->limits;
	s->in.models = s->speaking;
	s->in.price_age_days = 1;
	check(chooser_init(&s->chooser, &s->in, &s->arena, &s->findings, &err), &err);
	price_machines(s);
}

void
search_case_fini(struct search_case *s)
{
	arena_fini(&s->arena);
}
