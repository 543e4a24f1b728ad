/*
 * fuzz_prices.c - a price book and the limits that go with it from anybody, a line "---" between
 * them: read, and when both are accepted every disk and machine is billed, without a fault and never
 * for less than nothing.  TIERWISE_FUZZ_PART=limits reads limits only.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create, memmem */
#endif
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "price/bill.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The loaders read files; this one is never on a disk. */
static int
hold(const uint8_t *data, size_t size, char path[32])
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return fd;
}

static void
bill_everything(const struct price_book *book, const struct limits *limits, struct arena *a)
{
	struct bill bill;
	bill_init(&bill, book);
	for (size_t i = 0; i < limits->n_disks && i < 32; i++) {
		const struct disk_limit *disk = &limits->disks[i];
		struct disk_config config;
		disk_config_init(&config, disk, disk->size_gib_max, "LRS");
		config.disks = 2;
		config.iops = disk_limit_iops(disk, disk->size_gib_max);
		config.mbps = disk_limit_mbps(disk, config.iops);
		config.operations_month = 1e9;
		config.burst = 1;
		config.burst_operations_month = 1e6;
		config.mounts = 2;
		config.snapshot_gib = 100;
		config.snapshot_full = i % 2;
		if (disk->n_performance_tiers)
			limits_disk(limits, disk->performance_tiers[0], &config.raised, NULL);
		bill_add_disk(&bill, a, book, &config, "fuzz", NULL);
	}
	for (size_t i = 0; i < limits->n_vms && i < 32; i++)
		bill_add_vm(&bill, a, book, limits->vms[i].sku, 3, NULL);
	if (!(bill.total >= 0))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a;
	struct price_book book;
	struct limits limits;
	char path[32];
	arena_init(&a, 64 << 20);
	const char *part = getenv("TIERWISE_FUZZ_PART");
	bool limits_only = part && strcmp(part, "limits") == 0;
	const uint8_t *cut = size ? memmem(data, size, "\n---\n", 5) : NULL;
	size_t first = cut ? (size_t)(cut - data) : size;
	int fd = hold(data, first, path);
	int rc = limits_only ? 1 : price_book_load(path, &a, &book, NULL, NULL);
	close(fd);
	if (rc == 0)
		price_book_check_age(&book, NULL, 90, &(double){0}, NULL, NULL);
	const uint8_t *rest = cut ? cut + 5 : data;
	fd = hold(rest, cut ? size - first - 5 : size, path);
	if (limits_load(path, &a, &limits, NULL, NULL) == 0 && rc == 0)
		bill_everything(&book, &limits, &a);
	close(fd);
	arena_fini(&a);
	return 0;
}
