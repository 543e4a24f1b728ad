/*
 * db_disk.h - a disk model under caps as a volume of the database solver (db.h).
 *
 * The share of the volume that a load uses is the largest of
 *   r/R0 + w/W0 + streams   frontier of reads and writes (models.md 3.4, exponent 1), R0 and W0 the walls
 *                           at that block size under the caps, a stream of 1 MiB I/O alike
 *   I/O units / IOPS cap, bytes / MB/s cap   of the disks, where sold
 *   the same of the machine's caps, with what its other volumes take
 * A read is asked at that share of R0, a write at that of W0: the latency inside a mix.  A flush takes
 * what it was measured to take, times what writes take at that share over what they take alone.
 */
#ifndef MODEL_DB_DISK_H
#define MODEL_DB_DISK_H

#include "model/db.h"

/* Caps of the machine on this volume's path, and what others take of them.  NaN: no cap. */
struct db_machine {
	double iops, mbps; /* MB/s of 10^6 */
	double other_iops, other_mbps;
	const char *what; /* "remote disks of Standard_E8ds_v5" */
};

/* What a disk was asked and answered: the solver asks the same again and again. */
struct db_disk_wall {
	int op;
	double io_kib; /* 0: none yet */
	double iops; /* NaN: not known */
};

struct db_disk_told {
	int op, stat;
	double io_kib, rate; /* io_kib 0: none yet */
	struct estimate us;
};

enum { DB_DISK_WALLS = 8, DB_DISK_TOLD = 16 };

struct db_disk_memory {
	const struct disk_model *model; /* of these answers, and the caps */
	struct disk_caps caps;
	struct db_disk_wall walls[DB_DISK_WALLS];
	struct db_disk_told told[DB_DISK_TOLD];
	size_t next_walls, next_told; /* to be written over */
};

struct db_disk {
	const struct disk_model *model; /* NULL: nobody measured it, only its caps are known */
	struct disk_caps caps; /* of one disk, and the stripe */
	struct db_machine machine;
	const char *what; /* "3 x P30": for messages */
	struct db_disk_memory memory; /* filled as it is asked */
};

/* A volume that answers from *disk, which must live as long. */
struct db_volume db_disk_volume(struct db_disk *disk);

/* No caps, one disk, no machine. */
void db_disk_clear(struct db_disk *disk);

/* Latency of one operation of at->io_kib while the volume is used as much as `at` uses it.  ERR_RANGE at
 * or beyond its limits, ERR_UNSUPPORTED without a model. */
int db_disk_latency(struct db_disk *disk, enum profile_op op, const struct db_load *at,
	enum model_statistic stat, struct estimate *us, struct err *err);
/* One durable write of `bytes` beside that load. */
int db_disk_flush(struct db_disk *disk, const struct db_load *at, double bytes,
	enum model_statistic stat, struct estimate *us, struct err *err);

/* Share of the tightest of its limits that a load uses, and its name; NaN: none is known. */
double db_disk_used(struct db_disk *disk, const struct db_load *at, const char **what);

#endif /* MODEL_DB_DISK_H */
