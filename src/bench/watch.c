#include "bench/watch.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

/* First line of /proc/stat: user nice system idle iowait irq softirq steal (proc(5)). */
static void
read_ticks(struct watch *w)
{
	double f[8];
	w->steal_ticks = w->idle_ticks = w->cpu_ticks = NAN;
	FILE *file = fopen("/proc/stat", "re");
	if (!file)
		return;
	if (fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &f[0], &f[1], &f[2], &f[3], &f[4],
		    &f[5], &f[6], &f[7]) == 8) {
		w->steal_ticks = f[7];
		w->idle_ticks = f[3] + f[4];
		w->cpu_ticks = f[0] + f[1] + f[2] + f[3] + f[4] + f[5] + f[6] + f[7];
	}
	fclose(file);
}

static double
own_cpu_s(void)
{
	struct rusage u;
	if (getrusage(RUSAGE_SELF, &u) != 0)
		return NAN;
	return (double)u.ru_utime.tv_sec + (double)u.ru_stime.tv_sec +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static bool
read_disk(const struct watch *w, struct diskstats *d)
{
	const struct engine *engine = w->run->engine;
	if (engine->counters)
		return engine->counters(w->run->state, d);
	return diskstats_read(w->device, d);
}

void
watch_begin(struct watch *w)
{
	if (!w->run->engine->simulated) {
		read_ticks(w);
		w->own_cpu_s = own_cpu_s();
		client_begin(&w->client);
		w->at_ns = clock_ns();
	}
	w->has_disk = read_disk(w, &w->disk);
}

struct watch_result
watch_end(const struct watch *w, uint64_t own_ios, uint64_t own_b)
{
	struct watch_result r = {{NAN, NAN}, NAN, NAN, NAN, NAN, {NAN, NAN, NAN, NAN}, NAN};
	struct diskstats disk;
	if (w->has_disk && read_disk(w, &disk)) {
		r.share = diskstats_compare(&w->disk, &disk, own_ios, own_b);
		if (disk.has_flushes)
			r.flushes = (double)(disk.flushes - w->disk.flushes);
	}
	if (w->run->engine->simulated)
		return r;
	struct watch now = {.device = NULL};
	r.client = client_end(&w->client);
	read_ticks(&now);
	double ticks = now.cpu_ticks - w->cpu_ticks;
	r.steal_frac = ticks > 0 ? (now.steal_ticks - w->steal_ticks) / ticks : (double)NAN;
	r.busy_frac = ticks > 0 ? 1 - (now.idle_ticks - w->idle_ticks) / ticks : (double)NAN;
	r.own_cpu_s = own_cpu_s() - w->own_cpu_s;
	r.wall_s = (double)(clock_ns() - w->at_ns) / 1e9;
	return r;
}

double
watch_busy_frac(const char *device, double seconds)
{
	struct diskstats before, after;
	struct timespec wait = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
	int64_t start = clock_ns();
	if (!diskstats_read(device, &before))
		return NAN;
	nanosleep(&wait, NULL); /* a signal shortens it; the caller looks at its stop flag */
	double ms = (double)(clock_ns() - start) / 1e6;
	if (ms <= 0 || !diskstats_read(device, &after))
		return NAN;
	return fmin(1, (double)(after.busy_ms - before.busy_ms) / ms);
}

int
watch_stay_awake(void)
{
	const int32_t none_us = 0;
	int fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (write(fd, &none_us, sizeof(none_us)) != (ssize_t)sizeof(none_us)) {
		close(fd);
		return -1;
	}
	return fd;
}
