/*
 * db_internal.h - what the parts of the database model share.  Not an interface: db.h is.
 *
 * Milliseconds and transactions a millisecond; loads on volumes a second, as db.h has them.
 */
#ifndef MODEL_DB_INTERNAL_H
#define MODEL_DB_INTERNAL_H

#include "model/db.h"

enum { DB_REMOTE_POINTS = 16 };

/* What a commit waits for beside its own flush: the awaited one of several standbys. */
struct db_remote {
	double rtt, flush; /* flush of one standby; NaN: as the local one */
	double sigma; /* of its logarithm; NaN: as the local one */
	double z[DB_REMOTE_POINTS], z99; /* normal quantiles of the order statistic */
};

/* The last flushes that were asked for without any load beside them, of a group and of one commit: at
 * most rates the same. */
struct db_flushed {
	bool known;
	double bytes;
	struct estimate us;
};

/* One question to the solver: the input with its defaults, and under which circumstances. */
struct db_case {
	const struct db_input *in;
	int end; /* of the latencies' intervals: -1 lower ends, 0 values, 1 upper ends */
	bool fast; /* storage takes no time and has no caps */
	bool after; /* right after a checkpoint */
	bool open; /* transactions arrive; nobody waits for an answer before the next */
	double clients, pool, think, cores, cpu, sharing, io_cpu;
	double hot_rows; /* NaN: none */
	double reads; /* that leave the database, host cache hits among them */
	double awaited; /* of them, those that the transaction waits for, one after another */
	double host_hit, host_ms;
	double page_writes, log_kib, delay; /* delay of a writer before its flush */
	const struct db_remote *remote; /* NULL: none */
	struct db_flushed *flushed; /* two */
};

/* Everything at one rate. */
struct db_state {
	double rate; /* a millisecond */
	double people; /* sessions with a connection, at work or waiting */
	double active; /* of them, not waiting for a row */
	double batch; /* commits a flush, by the device alone */
	double cpu, core_wait; /* service, and wait of all its visits to a core */
	double cpu_used; /* cores */
	double read, reads; /* one device read; all of a transaction */
	double burst_frac,
		burst; /* share of time that background writes fill the volume; a read then */
	double flush; /* one flush of the device */
	double group; /* one commit group: its flushes and what their writer waits for */
	double remote; /* on top for standbys */
	double commit; /* a transaction's wait, remote included */
	double cycle; /* think time included */
	double log_kib; /* a transaction, page images included */
	struct db_load read_at, flush_at; /* what else is on the volume of a read, of a flush */
	struct db_load log, data; /* all there is on each; of a shared volume the sum */
	double log_used, data_used;
	const char *log_what, *data_what;
	struct estimate read_us, flush_us;
	double flush_bytes;
	bool unsure; /* an interval is not known */
	int trust;
};

/* ---- loads (db_background.c) ---- */

struct db_background {
	struct db_load data; /* on the data volume */
	double io_kib; /* size of its I/Os */
	double log_kib; /* a transaction */
};
void db_background(const struct db_case *c, double rate, struct db_background *out);

/* ---- parts of a transaction ---- */

/* Sessions that work when `people` have a connection (models.md 4.1: S (1 - (1 - 1/S)^N)). */
double db_active(const struct db_case *c, double people);

/* On the cores; core_wait is INFINITY when there is more than they can do. */
void db_cpu(const struct db_case *c, struct db_state *s);

/* Mean wait for one of m servers, a of them busy, in service times: M/M/m. */
double db_erlang_wait(double a, double m);

/* The log's load where flushes are not slowed down: periodic, or on the data's volume. */
void db_log_load(const struct db_case *c, const struct db_background *bg, struct db_state *s);

/* The whole load on the data volume.  ERR_RANGE: more than its caps. */
int db_carry(const struct db_case *c, const struct db_background *bg, struct db_state *s,
	struct err *err);

/* ERR_RANGE: more than the volume carries. */
int db_flush(const struct db_case *c, const struct db_background *bg, struct db_state *s,
	struct err *err);
int db_reads(const struct db_case *c, const struct db_background *bg, struct db_state *s,
	struct err *err);

/* The share of time in which background writes fill the data volume, and a read's latency then. */
void db_burst(const struct db_case *c, const struct db_background *bg, struct db_state *s);

/* Flushes of a group, one after another; what the writer sleeps before them. */
double db_groups(const struct db_case *c);
double db_delay(const struct db_case *c, const struct db_state *s);

/* The commit of a transaction among n sessions whose other work takes `work`. */
void db_commit(const struct db_case *c, double n, double work, struct db_state *s);

/* Foreground reads of the data volume and a backup; and all a read or a flush is beside: merges are
 * spread evenly, page writes come in bursts unless no cap is known. */
struct db_load db_foreground(const struct db_case *c, double rate);
struct db_load db_beside(
	const struct db_case *c, const struct db_background *bg, const struct db_state *s);

/* Share of the volume's tightest cap; NaN: none known. */
double db_used(const struct db_volume *v, const struct db_load *load, const char **what);

/* The end of an interval that the case asks for, ms. */
double db_pick(const struct db_case *c, const struct estimate *us, struct db_state *s);

/* ERR_RANGE: beyond a wall. */
int db_state_at(const struct db_case *c, double rate, struct db_state *s, struct err *err);

/* ---- answers ---- */

/* Rate of all clients back to back, and the state there.  guess: one near it; 0: none. */
int db_closed(
	const struct db_case *c, double guess, double *rate, struct db_state *s, struct err *err);

/* Means and percentiles of a transaction and a commit. */
int db_tail(
	const struct db_case *c, const struct db_state *s, struct db_answer *a, struct err *err);

void db_uses(const struct db_case *c, const struct db_state *light, const struct db_state *s,
	struct db_answer *a);

void db_lag(
	const struct db_case *c, const struct db_state *s, double tps, struct db_replication *out);

/* What a reader of the result should know and do (db_notes.c); f may be NULL. */
void db_notes(const struct db_case *c, const struct db_result *r, struct findings *f);

/* ---- standbys (db_remote.c) ---- */

/* false: a commit waits for none. */
bool db_remote_set(const struct db_input *in, struct db_remote *r);

/* Mean, and 99th percentile (may be NULL), of how much later than the local flush it is.  local_sigma
 * may be NaN: no spread. */
double db_remote_extra(const struct db_remote *r, double local, double local_sigma, double *p99);

/* ---- shapes (db_tail.c) ---- */

/* Spread of the lognormal distribution with this p99 over mean (at least 1); NaN: not known. */
double db_lognormal_sigma(double p99_over_mean);

#endif /* MODEL_DB_INTERNAL_H */
