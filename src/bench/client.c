#include "bench/client.h"

#include <math.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"

bool
client_parse(const char *text, double *run_s, double *wait_s)
{
	double run_ns, wait_ns;
	/* "0 0 0": the kernel was built without the counters */
	if (sscanf(text, "%lf %lf", &run_ns, &wait_ns) != 2 || !(run_ns > 0) || !(wait_ns >= 0))
		return false;
	*run_s = run_ns / 1e9;
	*wait_s = wait_ns / 1e9;
	return true;
}

void
client_begin(struct client *c)
{
	struct buf text;
	buf_init(&text, 4096);
	c->run_s = c->wait_s = NAN;
	if (file_read("/proc/thread-self/schedstat", &text, NULL) == 0)
		client_parse(buf_text(&text), &c->run_s, &c->wait_s);
	buf_fini(&text);
	limits_held_read("", &c->held);
	c->at_ns = clock_ns();
}

struct client_share
client_end(const struct client *c)
{
	struct client now;
	client_begin(&now);
	double s = (double)(now.at_ns - c->at_ns) / 1e9;
	double periods = now.held.periods - c->held.periods;
	double held = now.held.held_periods - c->held.held_periods;
	struct client_share r = {NAN, NAN, NAN, NAN};
	if (periods > 0)
		r.held_frac = fmin(1, held / periods);
	if (s > 0) {
		r.run_frac = (now.run_s - c->run_s) / s;
		r.wait_frac = (now.wait_s - c->wait_s) / s;
	}
	if (!isnan(r.run_frac))
		r.wanted_frac = fmin(1, r.run_frac + r.wait_frac);
	return r;
}
