#include "model/ratio.h"

enum kind { NVME_READ, NVME_READ_FULL, NVME_WRITE, SATA_READ, SATA_WRITE, HDD, NETWORK, KINDS };

/* Where the source gives a range of medians, its geometric middle. */
static const struct ratio table[KINDS][MODEL_STATISTIC_COUNT] = {
	[NVME_READ] = {{1, 1, 1}, {0.94, 0.85, 0.99}, {1.6, 1.2, 2.2}, {2.0, 1.6, 3.6}},
	[NVME_READ_FULL] = {{1, 1, 1}, {0.94, 0.85, 0.99}, {2.6, 1.7, 4.5}, {3.9, 2.1, 7.0}},
	[NVME_WRITE] = {{1, 1, 1}, {0.94, 0.85, 0.99}, {2.0, 1.2, 7}, {4.5, 1.4, 18}},
	[SATA_READ] = {{1, 1, 1}, {0.94, 0.85, 0.99}, {1.5, 1.0, 6}, {2.2, 1.2, 10}},
	[SATA_WRITE] = {{1, 1, 1}, {0.43, 0.27, 0.7}, {4.5, 1, 27}, {6, 1, 42}},
	[HDD] = {{1, 1, 1}, {0.94, 0.85, 0.99}, {2.3, 1.4, 13}, {3.3, 1.4, 15}},
	[NETWORK] = {{1, 1, 1}, {0.94, 0.85, 0.99}, {5.3, 2, 14}, {10, 3, 35}},
};

static enum kind
kind_of(int device, bool write, bool full)
{
	switch (device) {
	case PROFILE_DEVICE_HDD:
	case PROFILE_DEVICE_RAID_HDD:
		return HDD;
	case PROFILE_DEVICE_NETWORK:
		return NETWORK;
	case PROFILE_DEVICE_NVME:
		return write ? NVME_WRITE : full ? NVME_READ_FULL : NVME_READ;
	case PROFILE_DEVICE_CLOUD:
		return full ? NVME_READ_FULL : NVME_READ;
	default:
		return write ? SATA_WRITE : SATA_READ;
	}
}

struct ratio
ratio_of(int device, int op, enum model_statistic stat, bool full)
{
	bool write = op == PROFILE_OP_RANDWRITE || op == PROFILE_OP_WRITE;
	return table[kind_of(device, write, full)][stat];
}

double
ratio_at_cap(enum model_statistic stat)
{
	static const double at_cap[] = {
		[MODEL_MEAN] = 1, [MODEL_P50] = 1, [MODEL_P99] = 1.2, [MODEL_P999] = 2.2};
	_Static_assert(
		sizeof(at_cap) / sizeof(at_cap[0]) == MODEL_STATISTIC_COUNT, "every statistic");
	return at_cap[stat];
}
