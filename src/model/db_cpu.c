/*
 * db_cpu.c - a transaction on m cores (models.md 3.3).
 *
 * Service: cpu_ms, longer by core_sharing while the other cores work, since cores of a virtual
 * machine are mostly threads of one another.
 * Wait: M/M/m by Erlang C at the load of the other clients (arrival theorem), and that of bulk
 * arrivals: a group commit sets its whole batch of b free at once, so (b - 1) / 2 of them are before
 * a transaction (M^[b]/M/m).  No wait while there is a core for each session.
 */
#include "model/db_internal.h"

#include <math.h>

double
db_erlang_wait(double a, double m)
{
	if (a <= 0)
		return 0;
	if (a >= m)
		return INFINITY;
	double rho = a / m;
	if (m > 512) /* Sakasegawa: the recursion would be long, and the wait is next to nothing */
		return pow(rho, sqrt(2 * (m + 1)) - 1) / (m * (1 - rho));
	double b = 1;
	/* m need not be whole: the recursion runs to the next whole number of servers */
	for (int j = 1; j <= (int)ceil(m); j++)
		b = a * b / (j + a * b);
	return b / (1 - rho * (1 - b)) / (m * (1 - rho));
}

void
db_cpu(const struct db_case *c, struct db_state *s)
{
	double sessions = fmin(c->clients, c->pool), others = fmax(0, (sessions - 1) / sessions);
	double io = s->rate * (c->reads * (1 - c->host_hit) + c->page_writes) * c->io_cpu;
	s->cpu = c->cpu;
	s->core_wait = 0;
	s->cpu_used = s->rate * c->cpu + io;
	if (isnan(c->cores) || c->cpu <= 0)
		return;
	/* cpu = c0 (1 + sharing x others x (rate cpu + io) / cores), at most all the others busy */
	double share = c->sharing * others / c->cores, denominator = 1 - c->cpu * share * s->rate;
	double most = c->cpu * (1 + c->sharing * others);
	if (denominator > 0)
		s->cpu = fmin(most, c->cpu * (1 + share * io) / denominator);
	else
		s->cpu = most;
	s->cpu_used = s->rate * s->cpu + io;
	if (s->cpu_used > c->cores * (1 + 1e-12)) {
		s->core_wait = INFINITY;
		return;
	}
	if (sessions <= c->cores)
		return;
	double seen = s->cpu_used * others;
	double bulk = fmax(0, s->batch - 1) / 2 / (c->cores * (1 - seen / c->cores));
	s->core_wait = s->cpu * (db_erlang_wait(seen, c->cores) + bulk);
}
