#include "advise/demand.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"

/*
 * What is assumed of an engine when the workload does not say.  page_kib is the engine's page; log
 * bytes: 0.4-0.6 KiB a transaction without and up to 5.1 KiB with fresh page images were measured on
 * PostgreSQL (pgbench TPC-B), so 5 KiB is the careful side; doublewrite: InnoDB writes a data page
 * twice.  relational: the page-and-log model applies.
 */
struct engine {
	double page_kib, wal_kib, page_reads, cpu_ms, writes_per_dirty_page;
	bool relational;
};

static const struct engine engines[] = {
	[WORKLOAD_POSTGRESQL] = {8, 5, 2, 0.5, 1, true},
	[WORKLOAD_MYSQL] = {16, 5, 2, 0.5, 2, true},
	[WORKLOAD_SQLSERVER] = {8, 5, 2, 0.5, 1, true},
	[WORKLOAD_ORACLE] = {8, 5, 2, 0.5, 1, true},
	[WORKLOAD_CASSANDRA] = {16, 5, 2, 0.5, 1, false},
	[WORKLOAD_MONGODB] = {16, 5, 2, 0.5, 1, false},
	[WORKLOAD_REDIS] = {4, 5, 2, 0.5, 1, false},
	[WORKLOAD_CLICKHOUSE] = {64, 5, 2, 0.5, 1, false},
	[WORKLOAD_ELASTICSEARCH] = {16, 5, 2, 0.5, 1, false},
	[WORKLOAD_SQLITE] = {4, 5, 2, 0.5, 1, false},
	[WORKLOAD_GENERIC] = {8, 5, 2, 0.5, 1, true},
};
_Static_assert(sizeof(engines) / sizeof(engines[0]) == WORKLOAD_ENGINE_COUNT, "a row an engine");

enum { ASSUMED_CLIENTS = 64 };

struct work {
	const struct workload *w;
	const struct engine *engine;
	const char *engine_name;
	struct arena *arena;
	struct findings *findings;
	struct demand_set *set;
};

static void
weaken(struct demand *d, int trust)
{
	if (trust > d->trust)
		d->trust = trust;
}

/* The value given, or the engine's with a finding. */
static double
or_assumed(struct work *k, double given, double assumed, const char *what, const char *unit)
{
	if (!isnan(given))
		return given;
	findings_add(k->findings, SEVERITY_WARNING, "demand-assumed",
		"give it under \"transactions\", from a measured run",
		"%s is not given: %g %s assumed for %s", what, assumed, unit, k->engine_name);
	return assumed;
}

/* The transactions with defaults; an engine that is not modelled needs none of them assumed. */
static void
derive_tx(struct work *k)
{
	const struct workload_transactions *t = k->w->transactions;
	struct demand_tx *tx = &k->set->tx;
	k->set->has_tx = t != NULL;
	k->set->modelled = k->engine->relational;
	if (!t)
		return;
	*tx = (struct demand_tx){.target_tps = t->target_tps,
		.clients = t->clients,
		.cpu_ms = t->cpu_ms_per_tx,
		.page_reads = t->page_reads_per_tx,
		.wal_kib = t->wal_kib_per_tx,
		.utilisation = or_assumed(k, t->utilisation, 1, "utilisation", "(all the month)")};
	if (!k->engine->relational)
		return;
	tx->cpu_ms = or_assumed(k, t->cpu_ms_per_tx, k->engine->cpu_ms, "cpu_ms_per_tx", "ms");
	tx->page_reads = or_assumed(
		k, t->page_reads_per_tx, k->engine->page_reads, "page_reads_per_tx", "reads");
	tx->wal_kib = or_assumed(k, t->wal_kib_per_tx, k->engine->wal_kib, "wal_kib_per_tx", "KiB");
	tx->clients = or_assumed(k, t->clients, ASSUMED_CLIENTS, "clients", "sessions");
}

/* One flush a commit, padded to whole blocks; group commit can only lower it. */
static void
derive_wal(struct work *k, struct demand *d, struct buf *words)
{
	const struct demand_tx *tx = &k->set->tx;
	const struct workload_volume *v = d->volume;
	d->one_writer = isnan(v->write_iops);
	if (isnan(v->io_kib)) {
		d->io_kib = fmax(1, ceil(tx->wal_kib / DEMAND_BLOCK_KIB)) * DEMAND_BLOCK_KIB;
		buf_printf(words, "one log write is %g KiB, padded to %g KiB; ", tx->wal_kib,
			d->io_kib);
	}
	if (isnan(v->write_iops)) {
		d->write_iops = tx->target_tps;
		buf_printf(words,
			"%g transactions/s x one flush each (one log writer: never more than 1 / "
			"flush time, the rest share a flush); ",
			tx->target_tps);
	}
	if (isnan(v->read_iops))
		d->read_iops = 0;
	weaken(d, TRUST_DERIVED);
}

/* Share of the derived I/O: by capacity among the data and index volumes that give none. */
static double
share_of(const struct work *k, const struct workload_volume *v, bool reads)
{
	double sum = 0;
	for (size_t i = 0; i < k->w->n_volumes; i++) {
		const struct workload_volume *o = &k->w->volumes[i];
		bool pages = o->role == WORKLOAD_DATA || o->role == WORKLOAD_INDEX;
		if (pages && isnan(reads ? o->read_iops : o->write_iops))
			sum += o->capacity_gib;
	}
	return v->capacity_gib / sum;
}

static bool
has_log(const struct workload *w)
{
	for (size_t i = 0; i < w->n_volumes; i++) {
		if (w->volumes[i].role == WORKLOAD_WAL)
			return true;
	}
	return false;
}

static void
derive_reads(struct work *k, struct demand *d, struct buf *words)
{
	const struct demand_tx *tx = &k->set->tx;
	double share = share_of(k, d->volume, true);
	d->read_iops = tx->target_tps * tx->page_reads * share;
	buf_printf(
		words, "reads: %g transactions/s x %g page reads", tx->target_tps, tx->page_reads);
	if (share < 1)
		buf_printf(words, " x %.3g, its share of the space", share);
	buf_printf(words, " = %g; ", d->read_iops);
	weaken(d, TRUST_DERIVED);
}

/* Pages written back, and the log's flushes where the log has no volume of its own. */
static void
derive_writes(struct work *k, struct demand *d, struct buf *words)
{
	const struct demand_tx *tx = &k->set->tx;
	double copies = k->engine->writes_per_dirty_page;
	double share = share_of(k, d->volume, false);
	double pages = tx->target_tps * tx->page_reads * copies * share;
	double log = has_log(k->w) || d->volume->role != WORKLOAD_DATA ? 0 : tx->target_tps;
	d->write_iops = pages + log;
	buf_printf(words,
		"writes: assumed that every page read is changed and written back %s = %g",
		copies > 1 ? "twice (doublewrite)" : "once", pages);
	if (log > 0)
		buf_printf(words, ", and %g log writes, which have no volume of their own", log);
	buf_put(words, "; ");
	weaken(d, TRUST_ASSUMED);
}

static void
derive_data(struct work *k, struct demand *d, struct buf *words)
{
	if (isnan(d->volume->read_iops))
		derive_reads(k, d, words);
	if (isnan(d->volume->write_iops))
		derive_writes(k, d, words);
}

/* Sequential demand beyond IOPS x size: given, or for a backup the copy within its window. */
static void
add_streams(struct work *k, struct demand *d, struct buf *words)
{
	const struct workload_volume *v = d->volume;
	double given = 0;
	if (!isnan(v->read_mbps))
		given += v->read_mbps;
	if (!isnan(v->write_mbps))
		given += v->write_mbps;
	d->stream_mbps = given;
	if (v->role == WORKLOAD_BACKUP && isnan(v->write_mbps) && !isnan(v->window_hours)) {
		double copy = v->capacity_gib * UNITS_GIB / UNITS_MB / (v->window_hours * 3600);
		d->stream_mbps += copy;
		buf_printf(words, "copy of %g GiB within %g h = %.1f MB/s, taken once a day; ",
			v->capacity_gib, v->window_hours, copy);
		weaken(d, TRUST_DERIVED);
	}
	(void)k;
}

static bool
is_given(const struct workload_volume *v)
{
	return !isnan(v->read_iops) || !isnan(v->write_iops) || !isnan(v->read_mbps) ||
	       !isnan(v->write_mbps);
}

/* Some demand is given, some not: the rest is taken as none, in words. */
static void
rest_is_none(struct demand *d, struct buf *words)
{
	if (isnan(d->read_iops)) {
		d->read_iops = 0;
		buf_put(words, "no reads given, none assumed; ");
		weaken(d, TRUST_ASSUMED);
	}
	if (isnan(d->write_iops)) {
		d->write_iops = 0;
		buf_put(words, "no writes given, none assumed; ");
		weaken(d, TRUST_ASSUMED);
	}
}

static int
derive_iops(struct work *k, struct demand *d, struct buf *words, struct err *err)
{
	const struct workload_volume *v = d->volume;
	bool durable = v->role == WORKLOAD_WAL || v->role == WORKLOAD_DATA ||
		       v->role == WORKLOAD_INDEX;
	bool rate = k->set->has_tx && !isnan(k->set->tx.target_tps) && k->engine->relational;
	if (durable && rate && v->role == WORKLOAD_WAL)
		derive_wal(k, d, words);
	else if (durable && rate && (v->role == WORKLOAD_DATA || !is_given(v)))
		derive_data(k, d, words);
	if (is_given(v))
		rest_is_none(d, words);
	else if (d->stream_mbps > 0)
		d->read_iops = d->write_iops = 0; /* a backup: its copy is all it does */
	if (!durable || !isnan(d->read_iops))
		return 0;
	if (!k->engine->relational)
		return err_set(err, ERR_RANGE,
			"volume %s: I/O of %s cannot be derived from transactions; give its "
			"read_iops and write_iops",
			d->label, k->engine_name);
	return err_set(err, ERR_RANGE,
		"volume %s: give its read_iops and write_iops, or transactions.target_tps to "
		"derive them from",
		d->label);
}

static void
total_mbps(struct demand *d)
{
	double random = d->read_iops + d->write_iops;
	d->mbps = (random > 0 ? random * d->io_kib * UNITS_KIB / UNITS_MB : random) +
		  d->stream_mbps;
}

static int
derive_volume(struct work *k, struct demand *d, struct err *err)
{
	const struct workload_volume *v = d->volume;
	struct buf words;
	buf_init(&words, 4096);
	d->label = v->name ? v->name : names_text(&workload_role_names, v->role);
	double growth = isnan(v->growth_gib_month) ? 0 : v->growth_gib_month;
	d->horizon_gib = v->capacity_gib + growth * k->set->horizon_months;
	d->read_iops = v->read_iops;
	d->write_iops = v->write_iops;
	d->io_kib = v->io_kib;
	add_streams(k, d, &words);
	int rc = derive_iops(k, d, &words, err);
	if (isnan(d->io_kib) && !isnan(d->read_iops) && d->read_iops + d->write_iops > 0) {
		d->io_kib = k->engine->page_kib;
		buf_printf(&words, "I/O size assumed: the page of %s, %g KiB; ", k->engine_name,
			d->io_kib);
		weaken(d, TRUST_ASSUMED);
	}
	if (isnan(d->read_iops)) {
		buf_put(&words, "no I/O demand in the workload; ");
		/* temporary data is rarely measured, and rarely decides */
		enum severity severity = v->role == WORKLOAD_TEMP ? SEVERITY_NOTE
								  : SEVERITY_WARNING;
		findings_add(k->findings, severity, "demand-unknown",
			"give read_iops, write_iops or MB/s, from iostat of the running system",
			"volume %s: no I/O demand is given, so its IOPS and MB/s are not checked "
			"and not counted against the machine",
			d->label);
	}
	total_mbps(d);
	const char *trust = d->trust == TRUST_MEASURED ? "given"
						       : names_text(&trust_names, d->trust);
	if (isnan(d->read_iops))
		trust = "unknown";
	const char *said = arena_printf(
		k->arena, "%s%s%s", trust, words.len ? ": " : "", buf_text(&words));
	buf_fini(&words);
	if (!said)
		return rc ? rc : err_nomem(err);
	size_t n = strlen(said);
	d->words = n > 2 && said[n - 2] == ';' ? arena_strndup(k->arena, said, n - 2) : said;
	return rc;
}

/* The copy is read from the data and index volumes: at most what they hold, in the same window. */
static void
add_backup_reads(struct work *k)
{
	struct demand_set *s = k->set;
	double held = 0, copied = 0;
	for (size_t i = 0; i < s->n; i++) {
		int role = s->volumes[i].volume->role;
		if (role == WORKLOAD_DATA || role == WORKLOAD_INDEX)
			held += s->volumes[i].volume->capacity_gib;
	}
	for (size_t i = 0; i < s->n && held > 0; i++) {
		const struct workload_volume *v = s->volumes[i].volume;
		if (v->role == WORKLOAD_BACKUP && s->volumes[i].stream_mbps > 0)
			copied += s->volumes[i].stream_mbps * fmin(1, held / v->capacity_gib);
	}
	for (size_t i = 0; i < s->n && copied > 0; i++) {
		struct demand *d = &s->volumes[i];
		if (d->volume->role != WORKLOAD_DATA && d->volume->role != WORKLOAD_INDEX)
			continue;
		double share = copied * d->volume->capacity_gib / held;
		d->stream_mbps += share;
		total_mbps(d);
		d->words = arena_printf(
			k->arena, "%s; the backup reads %.1f MB/s from it", d->words, share);
	}
}

/* Given figures that disagree with the transactions by more than a quarter. */
static void
check_against_tx(struct work *k)
{
	const struct demand_tx *tx = &k->set->tx;
	double pages = tx->target_tps * tx->page_reads;
	double reads = 0;
	for (size_t i = 0; i < k->set->n; i++) {
		const struct workload_volume *v = k->set->volumes[i].volume;
		if (v->role == WORKLOAD_DATA || v->role == WORKLOAD_INDEX)
			reads += v->read_iops;
	}
	if (!k->set->has_tx || isnan(pages) || isnan(reads) || pages <= 0)
		return;
	if (reads > 1.25 * pages || reads < 0.75 * pages)
		findings_add(k->findings, SEVERITY_WARNING, "demand-disagrees",
			"measure page reads per transaction and the disk's reads in the same hour",
			"given %g reads/s, but %g transactions/s x %g page reads make %g; the "
			"given figure is used for the disks, the transactions for the latency",
			reads, tx->target_tps, tx->page_reads, pages);
}

int
demand_derive(const struct workload *w, struct arena *a, struct findings *findings,
	struct demand_set *out, struct err *err)
{
	int engine = w->engine >= 0 ? w->engine : WORKLOAD_GENERIC;
	*out = (struct demand_set){.n = w->n_volumes};
	out->headroom = isnan(w->headroom) ? DEMAND_DEFAULT_HEADROOM : w->headroom;
	out->horizon_months = w->finance && !isnan(w->finance->horizon_months)
				      ? w->finance->horizon_months
				      : DEMAND_DEFAULT_HORIZON_MONTHS;
	out->volumes = arena_array(a, w->n_volumes, sizeof(*out->volumes));
	if (!out->volumes)
		return err_nomem(err);
	struct work k = {
		w, &engines[engine], names_text(&workload_engine_names, engine), a, findings, out};
	if (!k.engine->relational)
		findings_add(findings, SEVERITY_NOTE, "engine-thin",
			"measure the engine's own I/O (compaction included) and give it",
			"%s: its reads, writes and compaction are taken as given in the workload; "
			"the "
			"engine itself is not modelled, so its transactions are not predicted",
			k.engine_name);
	derive_tx(&k);
	for (size_t i = 0; i < w->n_volumes; i++) {
		out->volumes[i].volume = &w->volumes[i];
		out->volumes[i].trust = TRUST_MEASURED;
		int rc = derive_volume(&k, &out->volumes[i], err);
		if (rc)
			return rc;
	}
	add_backup_reads(&k);
	check_against_tx(&k);
	return 0;
}

double
demand_units(const struct demand *d, double unit_kib, double flushes_s)
{
	double pieces = isnan(unit_kib) ? 1 : ceil(d->io_kib / unit_kib);
	double stream_pieces = isnan(unit_kib) ? 1 : ceil(DEMAND_STREAM_KIB / unit_kib);
	double writes = d->one_writer && flushes_s < d->write_iops ? flushes_s : d->write_iops;
	double random = d->read_iops + writes;
	return (random > 0 ? random * pieces : random) + /* io_kib is unknown when there is none */
	       d->stream_mbps * UNITS_MB / (DEMAND_STREAM_KIB * UNITS_KIB) * stream_pieces;
}
