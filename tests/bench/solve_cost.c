/*
 * solve_cost.c - so many solutions of the database model over two fitted disks, for
 * tests/bench/solve_cost.sh to count.
 *
 * Everything is asked at once: closed and open, both regimes of page images, intervals, a standby,
 * a volume shared by log and data in every other input.  Prints the mean TPS, so that nothing is
 * optimised away.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/db_disk.h"

/* A disk of so much latency and so many IOPS, measured at seven depths and as commits. */
static void
make(struct disk_model *m, struct arena *a, double read_us, double wall_iops, double flush_us)
{
	struct profile p;
	struct err err;
	profile_clear(&p);
	p.name = "disk";
	p.trust = TRUST_MEASURED;
	p.device = PROFILE_DEVICE_CLOUD;
	for (int depth = 1; depth <= 64; depth *= 2) {
		struct profile_cell cell;
		double q = depth;
		profile_cell_clear(&cell);
		cell.op = PROFILE_OP_RANDREAD;
		cell.bs_b = 8192;
		cell.qd = q;
		double light = read_us * (1 + 0.05 * (q - 1)), full = 1e6 * q / wall_iops;
		cell.mean_us = pow(pow(light, 8) + pow(full, 8), 1.0 / 8);
		cell.iops = 1e6 * q / cell.mean_us;
		cell.p50_us = 0.98 * cell.mean_us;
		cell.p99_us = 1.3 * cell.mean_us;
		if (profile_add_cell(&p, a, &cell, &err))
			exit(1);
		cell.op = PROFILE_OP_RANDWRITE;
		if (profile_add_cell(&p, a, &cell, &err))
			exit(1);
	}
	for (int bytes = 4096; bytes <= 65536; bytes *= 4) {
		struct profile_sync s;
		profile_sync_clear(&s);
		s.mode = PROFILE_SYNC_FDATASYNC;
		s.bs_b = bytes;
		s.writers = 1;
		s.mean_us = flush_us + bytes / 1e3;
		s.p50_us = 0.98 * s.mean_us;
		s.p99_us = 1.4 * s.mean_us;
		if (profile_add_sync(&p, a, &s, &err))
			exit(1);
	}
	if (disk_model_fit(&p, NULL, NULL, a, m, &err))
		exit(1);
}

int
main(int argc, char **argv)
{
	struct arena arena;
	static struct disk_model slow, fast;
	struct db_disk disks[2];
	long solves = argc > 1 ? strtol(argv[1], NULL, 10) : 100;
	double sum = 0;
	arena_init(&arena, 0);
	make(&slow, &arena, 800, 5000, 1200);
	make(&fast, &arena, 250, 20000, 250);
	db_disk_clear(&disks[0]);
	db_disk_clear(&disks[1]);
	disks[0].model = &slow;
	disks[1].model = &fast;
	struct db_volume volumes[] = {db_disk_volume(&disks[0]), db_disk_volume(&disks[1])};
	const struct engine engine = {.commit = ENGINE_COMMIT_GROUP,
		.flushes_per_group = 1,
		.commit_delay_us = 50,
		.page_kib = 8,
		.log_base_kib = 0.5,
		.full_page_writes = 1,
		.page_writes_factor = 1,
		.checkpoint_s = 300,
		.completion_target = 0.9,
		.write_amplification = (double)NAN,
		.read_amplification = (double)NAN,
		.merge_io_kib = (double)NAN,
		.merge_share = (double)NAN};
	for (long i = 0; i < solves; i++) {
		struct db_input in = {.engine = &engine,
			.log = &volumes[i % 2],
			.data = &volumes[i / 2 % 2],
			.shared = i % 4 == 0 || i % 4 == 3};
		struct db_result r;
		struct err err;
		db_transaction_clear(&in.tx);
		in.tx.clients = 1 + (double)(i % 200);
		in.tx.cores = 8;
		in.tx.core_sharing = 0.7;
		in.tx.cpu_ms = 0.3;
		in.tx.page_reads = 1.5;
		in.tx.page_writes = 2;
		in.tx.dirty_pages = 1e5;
		in.tx.hot_rows = 100;
		in.tx.target_tps = 300;
		in.tx.standby = (struct db_standby){.count = 3,
			.wait_for = 2,
			.rtt_us = 500,
			.flush_us = 400,
			.flush_p99_us = 900,
			.apply_tps = (double)NAN};
		if (db_solve(&in, NULL, &r, &err)) {
			fprintf(stderr, "solve_cost: %s\n", err.text);
			return 1;
		}
		sum += r.closed.tps.value;
	}
	printf("%ld\n", solves);
	fprintf(stderr, "mean %.1f TPS\n", sum / (double)solves);
	arena_fini(&arena);
	return 0;
}
