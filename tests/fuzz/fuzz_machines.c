/*
 * fuzz_machines.c - the list of machine sizes of a provider's tool, from anybody, over limits that
 * already have one of them: read or refused, and no figure below nothing.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "price/machines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
read_as(const char *provider, const char *path, struct arena *a)
{
	struct vm_limit known = {.sku = "Standard_E8ds_v5", .interface = "SCSI"};
	struct limits limits = {.provider = provider, .vms = &known, .n_vms = 1};
	struct machines_read r;
	char sha256[65];
	if (machines_read(path, a, &limits, &r, sha256, NULL))
		return;
	if (limits.n_vms != 1 + r.added || r.sizes < r.added + r.changed)
		abort();
	for (size_t i = 0; i < limits.n_vms; i++) {
		const struct vm_limit *vm = &limits.vms[i];
		if (vm->uncached_iops < 0 || vm->uncached_mbps < 0 || isinf(vm->uncached_iops))
			abort();
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[32];
	struct arena a;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	arena_init(&a, 64 << 20);
	read_as("azure", path, &a);
	read_as("aws", path, &a);
	arena_fini(&a);
	close(fd);
	return 0;
}
