#include "bench/sim_queue.h"

#include <assert.h>
#include <string.h>

static void
move_to_start(struct sim_queue *q)
{
	int n = q->end - q->first;
	memmove(q->events, q->events + q->first, (size_t)n * sizeof(q->events[0]));
	q->first = 0;
	q->end = n;
}

/* Index of the first that is later than at_ns. */
static int
place(const struct sim_queue *q, int64_t at_ns)
{
	int low = q->first, high = q->end;
	if (low == high || q->events[high - 1].at_ns <= at_ns)
		return high;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (q->events[middle].at_ns <= at_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
sim_queue_put(struct sim_queue *q, int64_t at_ns, struct sim_request *r)
{
	assert(q->end - q->first < SIM_QUEUE_MAX);
	if (q->end == 2 * SIM_QUEUE_MAX)
		move_to_start(q);
	int i = place(q, at_ns);
	memmove(q->events + i + 1, q->events + i, (size_t)(q->end - i) * sizeof(q->events[0]));
	q->events[i] = (struct sim_event){at_ns, r};
	q->end++;
}

int64_t
sim_queue_next_ns(const struct sim_queue *q)
{
	return q->first < q->end ? q->events[q->first].at_ns : INT64_MAX;
}

struct sim_request *
sim_queue_take(struct sim_queue *q)
{
	assert(q->first < q->end);
	return q->events[q->first++].request;
}
