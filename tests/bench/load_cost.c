/*
 * load_cost.c - so many requests through the load generator, to be counted by a profiler:
 *
 *     load_cost null[:batch=N] randread|randwrite QD IOS
 *     load_cost libaio         randread|randwrite QD IOS DIR
 *
 * Prints how many requests completed inside load_run().  Built with -O2 in every configuration
 * (tests/CMakeLists.txt); instructions.sh runs it.  With libaio it uses a nameless file of 64 MiB in
 * DIR, written before.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/engine.h"
#include "bench/load.h"

extern const struct engine engine_null, engine_libaio;

enum { BLOCK_B = 4096, CHUNK_B = 1 << 20, FILE_B = 64 << 20 };

static int
fail(const char *what, const char *why)
{
	fprintf(stderr, "load_cost: %s: %s\n", what, why);
	return 1;
}

/* A written file, or -1. */
static int
make_file(const char *dir)
{
	int fd = open(dir, O_TMPFILE | O_RDWR | O_DIRECT, 0600);
	char *data = aligned_alloc(BLOCK_B, CHUNK_B);
	if (fd >= 0 && data) {
		memset(data, 'x', CHUNK_B);
		for (off_t at = 0; at < FILE_B && fd >= 0; at += CHUNK_B) {
			if (pwrite(fd, data, CHUNK_B, at) != CHUNK_B) {
				close(fd);
				fd = -1;
			}
		}
	}
	free(data);
	return fd;
}

static int
run(const struct engine_run *er, bool read, unsigned qd, uint64_t ios)
{
	static struct load l;
	static struct hist hist[2];
	struct hist *const lat[2] = {&hist[0], &hist[1]};
	struct load_seeds seeds = {1, 1};
	struct load_config c = {.read_frac = read,
		.bs_b = BLOCK_B,
		.qd = qd,
		.end_b = FILE_B,
		.window_s = 3600,
		.max_b = UINT64_MAX,
		.max_ios = ios};
	struct load_result r;
	struct err err = {0};
	hist_init(&hist[0]);
	hist_init(&hist[1]);
	int rc = load_init(&l, *er, seeds, NULL, &err);
	if (rc == 0)
		rc = load_run(&l, &c, lat, &r, &err);
	if (rc)
		return fail("load", err.text);
	printf("%llu\n", (unsigned long long)r.all_ios);
	load_fini(&l);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc < 5)
		return fail("usage", "load_cost ENGINE randread|randwrite QD IOS [DIR]");
	const char *args = strchr(argv[1], ':');
	bool null = strncmp(argv[1], "null", 4) == 0;
	unsigned qd = (unsigned)strtoul(argv[3], NULL, 10);
	struct engine_run er = {null ? &engine_null : &engine_libaio, NULL};
	struct engine_config ec = {.fd = -1, .depth = qd, .args = args ? args + 1 : NULL};
	if (qd < 1 || qd > ENGINE_DEPTH_MAX)
		return fail("QD", "1 to 128");
	if (!null && (argc < 6 || (ec.fd = make_file(argv[5])) < 0))
		return fail("file", argc < 6 ? "give a folder" : strerror(errno));
	struct err err = {0};
	if (er.engine->open(&ec, &er.state, &err) != 0)
		return fail(argv[1], err.text);
	int rc = run(&er, strcmp(argv[2], "randread") == 0, qd, strtoull(argv[4], NULL, 10));
	er.engine->close(er.state);
	if (ec.fd >= 0)
		close(ec.fd);
	return rc;
}
