#include "advise/demand.h"

#include <math.h>
#include <string.h>

#include "advise/transaction.h"
#include "base/buf.h"
#include "base/units.h"

/* One log-structured tree, or pages in place with a log. */
static bool
merges(const struct engine *e)
{
	return !isnan(e->write_amplification);
}

struct work {
	const struct workload *w;
	const struct engine *engine;
	struct arena *arena;
	struct findings *findings;
	struct demand_set *set;
};

static double
number_or(double given, double otherwise)
{
	return isnan(given) ? otherwise : given;
}

static void
weaken(struct demand *d, int trust)
{
	if (trust > d->trust)
		d->trust = trust;
}

/* Log bytes of a transaction at the target rate, page images included. */
static double
log_kib(const struct work *k, const struct db_transaction *tx)
{
	struct db_input in = {.engine = k->engine, .tx = *tx};
	struct db_loads loads;
	if (isnan(tx->target_tps))
		return tx->log_kib;
	db_loads(&in, tx->target_tps, &loads);
	return loads.log.io_kib;
}

/* The transactions with the engine's defaults where the workload says nothing. */
static int
derive_tx(struct work *k, struct err *err)
{
	const struct workload_transactions *t = k->w->transactions;
	struct demand_tx *tx = &k->set->tx;
	k->set->has_tx = t != NULL;
	if (!t)
		return 0;
	struct db_transaction *of = &k->set->transaction;
	int rc = transaction_of(k->w, k->engine, (double)NAN, k->findings, of, err);
	if (rc)
		return rc;
	*tx = (struct demand_tx){.target_tps = of->target_tps,
		.clients = of->clients,
		.cpu_ms = of->cpu_ms,
		.page_reads = transaction_disk_reads(of, k->engine),
		.page_writes = of->page_writes,
		.wal_kib = log_kib(k, of),
		.utilisation = isnan(t->utilisation) ? 1 : t->utilisation};
	if (isnan(t->utilisation))
		findings_add(k->findings, SEVERITY_WARNING, "demand-assumed",
			"give it under \"transactions\", from a measured run",
			"utilisation is not given: 1 (all the month) assumed for %s",
			k->engine->name);
	return 0;
}

/* The log is written as it comes, and flushed now and then: nobody waits. */
static void
derive_stream(struct work *k, struct demand *d, struct buf *words)
{
	const struct demand_tx *tx = &k->set->tx;
	double mbps = tx->target_tps * tx->wal_kib * UNITS_KIB / UNITS_MB;
	if (!isnan(d->volume->write_iops) || !isnan(d->volume->write_mbps))
		return;
	d->stream_mbps += mbps;
	d->read_iops = isnan(d->volume->read_iops) ? 0 : d->volume->read_iops;
	d->write_iops = 0;
	buf_printf(words, "log: %g transactions/s x %g KiB = %.3g MB/s, nobody waits for a flush; ",
		tx->target_tps, tx->wal_kib, mbps);
	weaken(d, TRUST_DERIVED);
}

/* One flush a commit, padded to whole blocks; group commit can only lower it. */
static void
derive_wal(struct work *k, struct demand *d, struct buf *words)
{
	const struct demand_tx *tx = &k->set->tx;
	const struct workload_volume *v = d->volume;
	d->one_writer = isnan(v->write_iops);
	if (isnan(v->io_kib)) {
		double block = fmax(DEMAND_BLOCK_KIB, number_or(k->engine->log_page_kib, 0));
		d->io_kib = fmax(1, ceil(tx->wal_kib / block)) * block;
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

/* Flushes and compaction of a log-structured tree, as streams: models.md 4.3. */
static void
derive_merges(struct work *k, struct demand *d, struct buf *words)
{
	const struct demand_tx *tx = &k->set->tx;
	double share = share_of(k, d->volume, false), wa = k->engine->write_amplification;
	double ingest = tx->target_tps * tx->wal_kib * UNITS_KIB / UNITS_MB * share;
	bool log = !has_log(k->w) && d->volume->role == WORKLOAD_DATA;
	d->write_iops = log && transaction_commit_waits(k->engine) ? tx->target_tps : 0;
	d->stream_mbps += ingest * (fmax(0, wa - 1) + fmax(0, wa - 2));
	if (log && !transaction_commit_waits(k->engine))
		d->stream_mbps += tx->target_tps * tx->wal_kib * UNITS_KIB / UNITS_MB;
	buf_printf(words,
		"ingest of %.3g MB/s x (%g written and %g read by flushes and compaction, write "
		"amplification %g); ",
		ingest, fmax(0, wa - 1), fmax(0, wa - 2), wa);
	weaken(d, TRUST_ASSUMED);
}

/* Pages written back, and the log's flushes where the log has no volume of its own. */
static void
derive_writes(struct work *k, struct demand *d, struct buf *words)
{
	const struct demand_tx *tx = &k->set->tx;
	double share = share_of(k, d->volume, false);
	double log = has_log(k->w) || d->volume->role != WORKLOAD_DATA ? 0 : tx->target_tps;
	double pages = transaction_write_back(&k->set->transaction, k->engine, tx->target_tps) *
		       share;
	d->write_iops = pages + log;
	bool back = !isnan(tx->page_writes);
	if (back)
		buf_printf(words, "writes: %g pages a transaction%s, written back%s = %g",
			tx->page_writes,
			isnan(k->w->transactions->page_writes_per_tx)
				? " (assumed: every page read)"
				: "",
			k->engine->page_writes_factor > 1 ? " twice (doublewrite)" : "", pages);
	else
		buf_printf(words, "writes: none, %s writes no pages back",
			names_text(&workload_engine_names, k->w->engine));
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
	if (isnan(d->volume->write_iops) && merges(k->engine))
		derive_merges(k, d, words);
	else if (isnan(d->volume->write_iops))
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
		double copy = d->horizon_gib * UNITS_GIB / UNITS_MB / (v->window_hours * 3600);
		d->stream_mbps += copy;
		buf_printf(words, "copy of %g GiB within %g h = %.1f MB/s, taken once a day; ",
			d->horizon_gib, v->window_hours, copy);
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
	bool rate = k->set->has_tx && !isnan(k->set->tx.target_tps);
	if (durable && rate && v->role == WORKLOAD_WAL && transaction_commit_waits(k->engine))
		derive_wal(k, d, words);
	else if (durable && rate && v->role == WORKLOAD_WAL)
		derive_stream(k, d, words);
	else if (durable && rate && (v->role == WORKLOAD_DATA || !is_given(v)))
		derive_data(k, d, words);
	if (is_given(v))
		rest_is_none(d, words);
	else if (d->stream_mbps > 0 && isnan(d->read_iops))
		d->read_iops = d->write_iops = 0; /* a backup: its copy is all it does */
	if (!durable || !isnan(d->read_iops))
		return 0;
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

static double
horizon_months(const struct workload *w)
{
	return w->finance && !isnan(w->finance->horizon_months) ? w->finance->horizon_months
								: DEMAND_DEFAULT_HORIZON_MONTHS;
}

double
demand_horizon_gib(const struct workload *w, const struct workload_volume *v)
{
	double growth = isnan(v->growth_gib_month) ? 0 : v->growth_gib_month;
	return v->capacity_gib + growth * horizon_months(w);
}

static int
derive_volume(struct work *k, struct demand *d, struct err *err)
{
	const struct workload_volume *v = d->volume;
	struct buf words;
	buf_init(&words, 4096);
	d->label = v->name ? v->name : names_text(&workload_role_names, v->role);
	d->horizon_gib = demand_horizon_gib(k->w, v);
	d->read_iops = v->read_iops;
	d->write_iops = v->write_iops;
	d->io_kib = v->io_kib;
	add_streams(k, d, &words);
	int rc = derive_iops(k, d, &words, err);
	if (isnan(d->io_kib) && !isnan(d->read_iops) && d->read_iops + d->write_iops > 0) {
		d->io_kib = k->engine->page_kib;
		buf_printf(&words, "I/O size assumed: the page of %s, %g KiB; ", k->engine->name,
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
			held += s->volumes[i].horizon_gib;
	}
	for (size_t i = 0; i < s->n && held > 0; i++) {
		const struct demand *d = &s->volumes[i];
		if (d->volume->role == WORKLOAD_BACKUP && d->stream_mbps > 0)
			copied += d->stream_mbps * fmin(1, held / d->horizon_gib);
	}
	for (size_t i = 0; i < s->n && copied > 0; i++) {
		struct demand *d = &s->volumes[i];
		if (d->volume->role != WORKLOAD_DATA && d->volume->role != WORKLOAD_INDEX)
			continue;
		double share = copied * d->horizon_gib / held;
		d->stream_mbps += share;
		total_mbps(d);
		d->words = arena_printf(
			k->arena, "%s; the backup reads %.1f MB/s from it", d->words, share);
	}
}

/* Copies that are kept elsewhere: read here, above, and placed nowhere. */
static void
drop_elsewhere(struct demand_set *s)
{
	size_t kept = 0;
	for (size_t i = 0; i < s->n; i++) {
		if (s->volumes[i].volume->target != WORKLOAD_NETWORK)
			s->volumes[kept++] = s->volumes[i];
	}
	s->n = kept;
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
demand_derive(const struct workload *w, const struct engine *engine, struct arena *a,
	struct findings *findings, struct demand_set *out, struct err *err)
{
	*out = (struct demand_set){.n = w->n_volumes};
	out->headroom = isnan(w->headroom) ? DEMAND_DEFAULT_HEADROOM : w->headroom;
	out->stripe_saving_frac = isnan(w->stripe_saving_frac) ? DEMAND_DEFAULT_STRIPE_SAVING_FRAC
							       : w->stripe_saving_frac;
	out->horizon_months = horizon_months(w);
	out->volumes = arena_array(a, w->n_volumes, sizeof(*out->volumes));
	if (!out->volumes)
		return err_nomem(err);
	struct work k = {w, engine, a, findings, out};
	int rc = derive_tx(&k, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < w->n_volumes; i++) {
		out->volumes[i].volume = &w->volumes[i];
		out->volumes[i].trust = TRUST_MEASURED;
		rc = derive_volume(&k, &out->volumes[i], err);
		if (rc)
			return rc;
	}
	add_backup_reads(&k);
	drop_elsewhere(out);
	check_against_tx(&k);
	return 0;
}

/* Pieces a second of `iops` I/Os; io_kib is unknown when there are none. */
static double
pieces_s(double iops, double io_kib, double unit_kib)
{
	return iops > 0 && !isnan(unit_kib) ? iops * ceil(io_kib / unit_kib) : iops;
}

double
demand_units(const struct demand *d, double unit_kib, double flushes_s)
{
	double stream_pieces = isnan(unit_kib) ? 1 : ceil(DEMAND_STREAM_KIB / unit_kib);
	/* what waits for a flush goes with the next one: fewer writes, as many bytes */
	bool shared = d->one_writer && flushes_s < d->write_iops;
	double writes = shared ? flushes_s : d->write_iops;
	double write_kib = shared ? d->io_kib * d->write_iops / flushes_s : d->io_kib;
	return pieces_s(d->read_iops, d->io_kib, unit_kib) + pieces_s(writes, write_kib, unit_kib) +
	       d->stream_mbps * UNITS_MB / (DEMAND_STREAM_KIB * UNITS_KIB) * stream_pieces;
}
