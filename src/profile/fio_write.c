#include "profile/fio_write.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "profile/fio_put.h"

static const double kib = 1024;

/* Samples that nobody counted follow from the rate and the time. */
static double
samples(double n, double per_s, double runtime_s)
{
	return isnan(n) ? round(per_s * runtime_s) : n;
}

static bool
without_submission(const struct profile_cell *c)
{
	return c->percentile_of && strcmp(c->percentile_of, "clat") == 0;
}

static struct fio_direction
side_of_cell(const struct profile_cell *c)
{
	struct fio_direction s = fio_direction_none();
	s.bs_b = c->bs_b;
	s.iops = c->iops;
	s.runtime_s = c->runtime_s;
	s.n = samples(c->n, c->iops, c->runtime_s);
	s.slice_iops = c->slice_iops;
	s.n_slices = c->n_slice_iops;
	s.lat.n = s.clat.n = s.slat.n = s.n;
	s.lat.mean_us = c->mean_us;
	s.lat.sd_us = c->sd_us;
	s.lat.min_us = c->min_us;
	s.lat.max_us = c->max_us;
	s.slat.mean_us = c->mean_us * c->submit_frac;
	s.clat.mean_us = c->mean_us - s.slat.mean_us;
	struct fio_latency *of = without_submission(c) ? &s.clat : &s.lat;
	const double known[FIO_PERCENTILES] = {
		c->p50_us, c->p90_us, c->p95_us, c->p99_us, c->p999_us};
	memcpy(of->percentile_us, known, sizeof(known));
	if (c->n_bins_us == c->n_bins_n) {
		of->bins_us = c->bins_us;
		of->bins_n = c->bins_n;
		of->n_bins = c->n_bins_us;
	}
	return s;
}

struct job {
	char name[96];
	const char *description; /* NULL: none */
	const char *rw, *engine;
	double bs_b, depth, jobs, runtime_s;
	double mix_percent, rate_iops; /* NaN: not set */
	const char *durable, *durable_value; /* option that makes writes durable; NULL: none */
	const char *pattern; /* option that says how the file is written; NULL: none */
	bool direct, lat_percentiles;
	struct fio_direction read, write, sync;
};

static void
put_options(struct buf *out, const struct job *j)
{
	fio_put_open(out, "job options", "    ");
	fio_put_text(out, "name", j->name);
	if (j->description)
		fio_put_text(out, "description", j->description);
	fio_put_text(out, "ioengine", j->engine);
	fio_put_text(out, "rw", j->rw);
	if (!isnan(j->mix_percent))
		fio_put_option(out, "rwmixread", "%.0f", j->mix_percent);
	fio_put_option(out, "bs", "%.0f", j->bs_b);
	fio_put_option(out, "iodepth", "%.0f", j->depth);
	fio_put_option(out, "numjobs", "%.0f", j->jobs);
	fio_put_option(out, "group_reporting", "1");
	fio_put_option(out, "direct", "%d", j->direct);
	if (j->durable)
		fio_put_text(out, j->durable, j->durable_value);
	if (j->pattern)
		fio_put_option(out, j->pattern, "1");
	if (!isnan(j->rate_iops)) {
		fio_put_option(out, "rate_iops", "%.0f", j->rate_iops);
		fio_put_option(out, "rate_process", "poisson");
	}
	fio_put_option(out, "lat_percentiles", "%d", j->lat_percentiles);
	fio_put_option(out, "clat_percentiles", "%d", !j->lat_percentiles);
	fio_put_option(out, "time_based", "1");
	if (!isnan(j->runtime_s))
		fio_put_option(out, "runtime", "%.0fms", j->runtime_s * 1000);
	buf_putc(out, '}');
}

static void
put_job(struct buf *out, const struct job *j, size_t index)
{
	const struct fio_direction none = fio_direction_none();
	buf_put(out, index ? ",\n  {" : "\n  {");
	fio_put_text(out, "jobname", j->name);
	if (j->description)
		fio_put_text(out, "desc", j->description);
	fio_put_whole(out, "groupid", (double)index);
	fio_put_whole(out, "error", 0);
	fio_put_whole(out, "eta", 0);
	fio_put_whole(out, "elapsed", ceil(j->runtime_s));
	put_options(out, j);
	fio_put_direction(out, "read", &j->read);
	fio_put_direction(out, "write", &j->write);
	fio_put_direction(out, "trim", &none);
	fio_put_open(out, "sync", "    ");
	fio_put_whole(out, "total_ios", j->sync.n);
	fio_put_latency(out, "lat_ns", &j->sync.lat);
	buf_putc(out, '}');
	fio_put_whole(out, "job_runtime", j->runtime_s * 1000 * j->jobs);
	buf_putc(out, '}');
}

/* "4KiB" */
static void
size_word(double size_b, char text[32])
{
	static const char *const unit[] = {"B", "KiB", "MiB", "GiB"};
	size_t i = 0;
	while (size_b >= kib && i < 3) {
		size_b /= kib;
		i++;
	}
	snprintf(text, 32, "%.6g%s", size_b, unit[i]);
}

/* Where iodepth has no meaning, as many jobs stand for it. */
static void
set_depth(struct job *j, double qd, double jobs)
{
	bool one_each = strcmp(j->engine, "psync") == 0 || strcmp(j->engine, "sync") == 0;
	double all = fmax(1, round(qd));
	j->jobs = one_each ? all : fmax(1, isnan(jobs) ? 1 : jobs);
	j->depth = fmax(1, round(all / j->jobs));
}

/* bench reads and writes directly unless told otherwise; of others it is not known. */
static bool
is_direct(const struct profile *p)
{
	const char *command = p->method ? p->method->command : NULL;
	return p->tool && strncmp(p->tool, "tierwise", 8) == 0 &&
	       !(command && strstr(command, "--buffered"));
}

static const char *
engine_of(const struct profile *p)
{
	return p->method && p->method->engine ? p->method->engine : "libaio";
}

static struct job
new_job(const struct profile *p)
{
	return (struct job){.engine = engine_of(p),
		.mix_percent = NAN,
		.rate_iops = NAN,
		.direct = is_direct(p),
		.lat_percentiles = true,
		.read = fio_direction_none(),
		.write = fio_direction_none(),
		.sync = fio_direction_none()};
}

static bool
is_read(int op)
{
	return op == PROFILE_OP_RANDREAD || op == PROFILE_OP_READ;
}

static bool
is_random(int op)
{
	return op == PROFILE_OP_RANDREAD || op == PROFILE_OP_RANDWRITE;
}

static bool
same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* The other direction of a mix. */
static const struct profile_cell *
partner_of(const struct profile *p, const struct profile_cell *c)
{
	for (size_t i = 0; i < p->n_cells && !isnan(c->mix_read_frac); i++) {
		const struct profile_cell *o = &p->cells[i];
		if (is_random(o->op) == is_random(c->op) && is_read(o->op) != is_read(c->op) &&
			same(o->mix_read_frac, c->mix_read_frac) && same(o->qd, c->qd) &&
			same(o->bs_b, c->bs_b))
			return o;
	}
	return NULL;
}

static void
name_cell(struct job *j, const struct profile_cell *c)
{
	char size[32], more[32] = "";
	size_word(c->bs_b, size);
	if (!isnan(c->mix_read_frac))
		snprintf(more, sizeof(more), "-mix%.0f", c->mix_read_frac * 100);
	else if (!isnan(c->asked_iops))
		snprintf(more, sizeof(more), "-%.0fiops", c->asked_iops);
	snprintf(j->name, sizeof(j->name), "%s-%s-qd%.0f%s", j->rw, size, c->qd, more);
}

static void
put_cell(struct buf *out, const struct profile *p, const struct profile_cell *c, size_t *n_jobs)
{
	const struct profile_cell *other = partner_of(p, c);
	struct job j = new_job(p);
	if (other && other < c)
		return; /* written with its partner */
	*(is_read(c->op) ? &j.read : &j.write) = side_of_cell(c);
	if (other)
		*(is_read(other->op) ? &j.read : &j.write) = side_of_cell(other);
	j.rw = names_text(&profile_op_names, c->op);
	if (!isnan(c->mix_read_frac)) {
		j.rw = is_random(c->op) ? "randrw" : "rw";
		j.mix_percent = c->mix_read_frac * 100;
	}
	j.bs_b = c->bs_b;
	j.runtime_s = c->runtime_s;
	j.rate_iops = c->asked_iops;
	j.description = c->note;
	if (!isnan(c->asked_iops) && !c->note)
		j.description = "open loop: latency from the intended start of each I/O";
	j.lat_percentiles = !without_submission(c);
	set_depth(&j, c->qd, c->jobs);
	name_cell(&j, c);
	put_job(out, &j, (*n_jobs)++);
}

/* Write and sync apart, as fio times them. */
static void
set_apart(struct job *j, const struct profile_sync *s)
{
	j->write.lat.mean_us = s->write_mean_us;
	j->sync.n = j->sync.lat.n = j->write.n;
	j->sync.lat.mean_us = s->sync_mean_us;
	j->sync.lat.percentile_us[0] = s->sync_p50_us;
	j->sync.lat.percentile_us[3] = s->sync_p99_us;
}

/* The write is durable when it returns. */
static void
set_durable_write(struct job *j, const struct profile_sync *s)
{
	struct fio_latency *l = &j->write.lat;
	l->mean_us = s->mean_us;
	l->max_us = s->max_us;
	l->percentile_us[0] = s->p50_us;
	l->percentile_us[3] = s->p99_us;
	l->percentile_us[4] = s->p999_us;
	if (s->n_bins_us == s->n_bins_n) {
		l->bins_us = s->bins_us;
		l->bins_n = s->bins_n;
		l->n_bins = s->n_bins_us;
	}
}

struct sync_option {
	const char *name, *value;
	bool apart; /* write and sync are two calls */
	bool direct;
};

static const struct sync_option sync_options[] = {
	[PROFILE_SYNC_FSYNC] = {"fsync", "1", true, true},
	[PROFILE_SYNC_FDATASYNC] = {"fdatasync", "1", true, true},
	[PROFILE_SYNC_ODSYNC] = {"sync", "dsync", false, false},
	[PROFILE_SYNC_ODSYNC_DIRECT] = {"sync", "dsync", false, true},
};
_Static_assert(sizeof(sync_options) / sizeof(sync_options[0]) == PROFILE_SYNC_COUNT, "every mode");

static const char *const pattern_options[] = {
	[PROFILE_APPEND] = "file_append",
	[PROFILE_OVERWRITE] = "overwrite",
};
_Static_assert(sizeof(pattern_options) / sizeof(pattern_options[0]) == PROFILE_PATTERN_COUNT,
	"every pattern");

static void
name_sync(struct job *j, const struct profile_sync *s)
{
	char size[32];
	size_word(s->bs_b, size);
	snprintf(j->name, sizeof(j->name), "commit-%s%s%s-%s-w%.0f",
		names_text(&profile_sync_mode_names, s->mode), s->pattern >= 0 ? "-" : "",
		s->pattern >= 0 ? names_text(&profile_pattern_names, s->pattern) : "", size,
		j->jobs);
}

static void
put_sync(struct buf *out, const struct profile *p, const struct profile_sync *s, size_t *n_jobs)
{
	const struct sync_option *option = &sync_options[s->mode];
	struct job j = new_job(p);
	j.engine = "psync"; /* a writer waits for each of its commits */
	j.rw = "write";
	j.bs_b = s->bs_b;
	j.description = s->note;
	j.durable = option->name;
	j.durable_value = option->value;
	j.direct = j.direct && option->direct;
	j.pattern = s->pattern >= 0 ? pattern_options[s->pattern] : NULL;
	set_depth(&j, isnan(s->writers) ? 1 : s->writers, NAN);
	j.runtime_s = s->n / s->syncs_per_s;
	j.write.bs_b = s->bs_b;
	j.write.iops = s->syncs_per_s;
	j.write.runtime_s = j.runtime_s;
	j.write.n = j.write.lat.n = s->n;
	if (option->apart)
		set_apart(&j, s);
	else
		set_durable_write(&j, s);
	name_sync(&j, s);
	put_job(out, &j, (*n_jobs)++);
}

/* Seconds since 1970 of "YYYY-MM-DDTHH:MM:SSZ"; NaN when it is no such text. */
static double
epoch_of(const char *iso)
{
	int64_t days;
	struct err why;
	if (!iso || strlen(iso) != 20 || clock_parse_date(iso, &days, &why) != 0)
		return NAN;
	double part[3];
	for (size_t i = 0; i < 3; i++) {
		const char *digits = iso + 11 + 3 * i;
		if (digits[0] < '0' || digits[0] > '9' || digits[1] < '0' || digits[1] > '9')
			return NAN;
		part[i] = (digits[0] - '0') * 10 + (digits[1] - '0');
	}
	return (double)days * 86400 + part[0] * 3600 + part[1] * 60 + part[2];
}

int
fio_write_text(const struct profile *p, struct buf *out, struct err *err)
{
	size_t n_jobs = 0;
	if (p->n_cells + p->n_syncs == 0)
		return err_set(err, ERR_UNSUPPORTED,
			"%s: nothing was measured, so there is no fio result to write",
			p->name ? p->name : "profile");
	double at = epoch_of(p->started);
	buf_put(out, "{\n\"fio version\": \"fio-3.33-tierwise\"");
	if (!isnan(at)) {
		fio_put_whole(out, "timestamp", at);
		fio_put_whole(out, "timestamp_ms", at * 1000);
		fio_put_text(out, "time", p->started);
	}
	buf_put(out, ",\n\"global options\": {},\n\"jobs\": [");
	for (size_t i = 0; i < p->n_cells; i++)
		put_cell(out, p, &p->cells[i], &n_jobs);
	for (size_t i = 0; i < p->n_syncs; i++)
		put_sync(out, p, &p->syncs[i], &n_jobs);
	buf_put(out, "\n],\n\"disk_util\": [");
	if (p->environment && p->environment->device) {
		buf_put(out, "{\"name\": ");
		json_put_string(out, p->environment->device);
		buf_putc(out, '}');
	}
	buf_put(out, "]\n}\n");
	return buf_check(out, err);
}

int
fio_write(const struct profile *p, const char *path, struct err *err)
{
	struct buf text;
	buf_init(&text, (size_t)256 << 20);
	int rc = fio_write_text(p, &text, err);
	if (rc == 0)
		rc = file_write(path, &text, err);
	buf_fini(&text);
	return rc;
}
