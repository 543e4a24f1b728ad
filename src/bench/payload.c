#include "bench/payload.h"

#include <string.h>

#include "bench/engine.h"

enum { SECTOR_B = 512, BLOCK_BITS = 40 };

void
payload_init(struct payload *p, uint64_t seed, uint64_t run_id)
{
	rng_seed(&p->rng, seed);
	p->run_id = run_id;
	p->salt = rng_next(&p->rng);
}

uint64_t
payload_stamp(const struct payload *p, int64_t offset_b)
{
	uint64_t block = (uint64_t)offset_b / ENGINE_STAMP_B + 1; /* block 0 is not all zeros */
	return (p->run_id << BLOCK_BITS) | (block & (((uint64_t)1 << BLOCK_BITS) - 1));
}

size_t
payload_to_stamp_b(int64_t offset_b)
{
	return (size_t)(-(uint64_t)offset_b % ENGINE_STAMP_B);
}

void
payload_mark(const struct payload *p, void *data, size_t size_b, int64_t offset_b)
{
	char *at = data;
	for (size_t i = payload_to_stamp_b(offset_b); i < size_b; i += ENGINE_STAMP_B) {
		uint64_t stamp = payload_stamp(p, offset_b + (int64_t)i);
		memcpy(at + i, &stamp, sizeof(stamp));
	}
}

void
payload_fill(struct payload *p, void *data, size_t size_b, int64_t offset_b)
{
	char *at = data;
	for (size_t i = 0; i + sizeof(uint64_t) <= size_b; i += sizeof(uint64_t)) {
		uint64_t r = rng_next(&p->rng);
		memcpy(at + i, &r, sizeof(r));
	}
	payload_mark(p, data, size_b, offset_b);
}

void
payload_refresh(struct payload *p, void *data, size_t size_b, int64_t offset_b)
{
	char *at = data;
	for (size_t i = 0; i + SECTOR_B <= size_b; i += SECTOR_B) {
		p->salt += 0x9e3779b97f4a7c15; /* odd: all 2^64 values before one repeats */
		memcpy(at + i + sizeof(uint64_t), &p->salt, sizeof(p->salt));
	}
	payload_mark(p, data, size_b, offset_b);
}

void
payload_blank(const struct payload *p, void *data, size_t size_b, int64_t offset_b)
{
	char *at = data;
	for (size_t i = 0; i < size_b;
		i += SECTOR_B) /* a stamp may be anywhere of an earlier use */
		memset(at + i, 0, sizeof(uint64_t));
	payload_mark(p, data, size_b, offset_b);
}

void
payload_spoil(void *data, size_t size_b, int64_t offset_b)
{
	char *at = data;
	for (size_t i = payload_to_stamp_b(offset_b); i < size_b; i += ENGINE_STAMP_B)
		memset(at + i, 0, sizeof(uint64_t));
}

struct payload_seen
payload_check(const struct payload *p, const void *data, size_t size_b, int64_t offset_b)
{
	const char *at = data;
	struct payload_seen seen = {0, 0};
	for (size_t i = payload_to_stamp_b(offset_b); i < size_b; i += ENGINE_STAMP_B) {
		uint64_t stamp;
		memcpy(&stamp, at + i, sizeof(stamp));
		seen.stamps++;
		seen.wrong += stamp != payload_stamp(p, offset_b + (int64_t)i);
	}
	return seen;
}
