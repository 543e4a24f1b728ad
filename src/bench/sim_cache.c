#include "bench/sim_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int
sim_cache_init(struct sim_cache *c, int64_t size_b, double mib, struct err *err)
{
	*c = (struct sim_cache){.n_blocks = size_b > 0 ? (size_t)size_b / SIM_CACHE_BLOCK_B : 0};
	if (c->n_blocks >= UINT32_MAX)
		return err_set(err, ERR_RANGE, "engine sim: a cache needs a file below 16 TiB");
	double room = floor(mib * (1 << 20) / SIM_CACHE_BLOCK_B);
	c->room = room < (double)c->n_blocks ? (size_t)room : c->n_blocks;
	if (c->room == 0)
		return 0;
	c->newer = calloc(c->n_blocks + 1, sizeof(*c->newer));
	c->older = calloc(c->n_blocks + 1, sizeof(*c->older));
	if (!c->newer || !c->older) {
		sim_cache_fini(c);
		return err_nomem(err);
	}
	for (uint32_t i = 0; i <= c->n_blocks; i++)
		c->newer[i] = c->older[i] = i;
	return 0;
}

void
sim_cache_fini(struct sim_cache *c)
{
	free(c->newer);
	free(c->older);
	*c = (struct sim_cache){0};
}

/* Numbers of the first block and of the one after the last. */
static size_t
first_block(int64_t offset_b)
{
	return (size_t)offset_b / SIM_CACHE_BLOCK_B;
}

static size_t
end_block(int64_t offset_b, size_t size_b)
{
	return ((size_t)offset_b + size_b + SIM_CACHE_BLOCK_B - 1) / SIM_CACHE_BLOCK_B;
}

static void
unlink_block(struct sim_cache *c, uint32_t i)
{
	c->older[c->newer[i]] = c->older[i];
	c->newer[c->older[i]] = c->newer[i];
	c->newer[i] = c->older[i] = i;
}

static void
make_newest(struct sim_cache *c, uint32_t i)
{
	uint32_t head = (uint32_t)c->n_blocks, second = c->older[head];
	c->newer[i] = head;
	c->older[i] = second;
	c->newer[second] = i;
	c->older[head] = i;
}

bool
sim_cache_has(const struct sim_cache *c, int64_t offset_b, size_t size_b)
{
	size_t end = end_block(offset_b, size_b);
	if (c->room == 0 || end > c->n_blocks)
		return false;
	for (size_t i = first_block(offset_b); i < end; i++) {
		if (c->older[i] == i)
			return false;
	}
	return true;
}

void
sim_cache_touch(struct sim_cache *c, int64_t offset_b, size_t size_b)
{
	size_t end = end_block(offset_b, size_b);
	if (c->room == 0)
		return;
	for (size_t i = first_block(offset_b); i < end && i < c->n_blocks; i++) {
		if (c->older[i] != i)
			unlink_block(c, (uint32_t)i);
		else if (c->held < c->room)
			c->held++;
		else
			unlink_block(c, c->newer[c->n_blocks]); /* the oldest */
		make_newest(c, (uint32_t)i);
	}
}
