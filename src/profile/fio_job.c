/*
 * fio_job.c - key names of fio's JSON live here and in fio.c only.
 */
#include "profile/fio_job.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/fio_odd.h"
#include "profile/import_format.h"

/* Where fio's latency histogram ends: values above it are all reported as this, in us. */
static const double ceiling_us = 17112760.320;

/* A number that can be a count, a time or a rate; else NaN. */
static double
number(struct jval object, const char *key)
{
	double d = json_number(json_get_last(object, key));
	return isfinite(d) && d >= 0 && d <= FIO_FIGURE_MAX ? d : (double)NAN;
}

/* Zero means "not recorded" here. */
static double
positive(struct jval object, const char *key)
{
	double d = number(object, key);
	return d > 0 ? d : (double)NAN;
}

static double
or_zero(double d)
{
	return isnan(d) ? 0 : d;
}

/* The job's, else the global one; absent when neither says it. */
static struct jval
option(const struct fio_options *o, const char *name)
{
	struct jval v = json_get_last(o->job, name);
	return v.node ? v : json_get_last(o->global, name);
}

const char *
fio_option(const struct fio_options *o, const char *name)
{
	return json_text(option(o, name));
}

const char *
fio_option_shown(const struct fio_options *o, const char *name, struct arena *a)
{
	struct jval v = option(o, name);
	struct buf text;
	if (!v.node)
		return NULL;
	if (json_type(v) == JSON_STRING)
		return arena_printf(a, "%.40s", json_text(v));
	buf_init(&text, 256);
	json_put_value(&text, v);
	const char *shown = arena_printf(a, "%.40s", buf_text(&text));
	buf_fini(&text);
	return shown;
}

int
fio_option_flag(const struct fio_options *o, const char *name)
{
	struct jval v = option(o, name);
	const char *text = json_text(v);
	if (json_type(v) == JSON_NUMBER)
		return json_number(v) != 0;
	if (json_type(v) == JSON_BOOL)
		return json_bool(v);
	if (!text)
		return -1;
	return strcmp(text, "0") != 0 && strcmp(text, "false") != 0;
}

double
fio_option_count(const struct fio_options *o, const char *name)
{
	struct jval v = option(o, name);
	const char *text = json_text(v);
	double d = json_number(v);
	if (json_type(v) == JSON_NUMBER)
		return d >= 0 && d < 1e15 && d == floor(d) ? d : (double)NAN;
	size_t digits = text ? strspn(text, "0123456789") : 0;
	if (digits == 0 || digits > 15 || text[digits] != '\0')
		return NAN;
	return strtod(text, NULL);
}

/* Factor of "", "k", "kb", "ki", "kib", "M" ... up to a comma; NaN when it is none. */
static double
suffix_factor(const char *text, bool si)
{
	static const char letters[] = "kmgtp";
	char word[4] = "";
	size_t len = strcspn(text, ",");
	if (len >= sizeof(word))
		return NAN;
	for (size_t i = 0; i < len; i++)
		word[i] = (char)tolower((unsigned char)text[i]);
	const char *letter = len ? strchr(letters, word[0]) : NULL;
	int power = letter ? (int)(letter - letters) + 1 : 0;
	const char *rest = word + (letter != NULL);
	bool iec = letter && *rest == 'i';
	rest += iec;
	if (strcmp(rest, "") != 0 && strcmp(rest, "b") != 0)
		return NAN;
	return pow(iec == si ? 1024 : 1000, power);
}

double
fio_option_size(const struct fio_options *o, const char *name, int part)
{
	struct jval v = option(o, name);
	const char *text = json_text(v);
	if (json_type(v) == JSON_NUMBER)
		return json_number(v) >= 1 ? fio_option_count(o, name) : (double)NAN;
	const char *comma = text ? strchr(text, ',') : NULL;
	if (comma && part == 1)
		text = comma + 1;
	size_t digits = text ? strspn(text, "0123456789") : 0;
	if (digits == 0 || digits > 15)
		return NAN;
	const char *base = fio_option(o, "kb_base");
	double size = strtod(text, NULL) *
		      suffix_factor(text + digits, base && strcmp(base, "1000") == 0);
	return size >= 1 && size <= 1e18 ? size : (double)NAN;
}

static void
side_clear(struct fio_side *s)
{
	*s = (struct fio_side){.ios = NAN, .bytes = NAN, .iops = NAN, .mibps = NAN};
	s->runtime_s = s->n = s->mean_us = s->sd_us = s->min_us = s->max_us = s->submit_us = NAN;
	for (int i = 0; i < FIO_QUANTILE_COUNT; i++)
		s->q_us[i] = s->q_lo_us[i] = s->q_hi_us[i] = NAN;
	fio_left_out_clear(&s->left_out);
}

/* Object `name`_ns, or `name` in microseconds; *us is the factor to microseconds. */
static struct jval
latency(struct jval side, const char *name, double *us)
{
	char key[16];
	snprintf(key, sizeof(key), "%s_ns", name);
	struct jval v = json_get_last(side, key);
	*us = v.node ? 1e-3 : 1;
	return v.node ? v : json_get_last(side, name);
}

static int
by_us(const void *a, const void *b)
{
	const struct fio_bin *x = a, *y = b;
	return (x->us > y->us) - (x->us < y->us);
}

enum { OCTAVES_MAX = 40 }; /* of an indexed histogram: fio has 19 */

/* Middle of bin `index` of fio's histogram, us: one wide below 2 x 2^bits, then 2^bits an octave. */
static double
indexed_bin_us(double index, double bits)
{
	double per_octave = exp2(bits);
	if (index < 2 * per_octave)
		return index;
	double shift = floor(index / per_octave) - 1;
	return exp2(shift + bits) + (fmod(index, per_octave) + 0.5) * exp2(shift);
}

/*
 * json+ bins.  fio 2.20 and later name each by its latency; before that by its index, beside three
 * constants whose names are no numbers.
 */
static bool
read_bins(struct jval bins, double us, struct arena *a, struct fio_side *s)
{
	size_t n = json_count(bins);
	if (json_type(bins) != JSON_OBJECT || n == 0)
		return true;
	double bits = json_number(json_get(bins, "FIO_IO_U_PLAT_BITS"));
	bool indexed = bits >= 1 && bits <= 16;
	double largest = indexed ? OCTAVES_MAX * exp2(bits) : 1e18;
	s->bins = arena_array(a, n, sizeof(*s->bins));
	if (!s->bins)
		return false;
	for (struct jval b = json_first(bins); b.node; b = json_next(b)) {
		char *end;
		double at = strtod(json_key(b), &end), count = json_number(b);
		if (end == json_key(b) || *end != '\0' || !(at >= 0 && at <= largest) ||
			!(count > 0 && count <= 1e18))
			continue;
		double at_us = indexed ? indexed_bin_us(at, bits) : at * us;
		s->bins[s->n_bins++] = (struct fio_bin){at_us, count};
	}
	qsort(s->bins, s->n_bins, sizeof(*s->bins), by_us);
	return true;
}

static void
append_bin(struct fio_bins *b, struct fio_bin bin)
{
	if (b->n && b->items[b->n - 1].us >= bin.us)
		b->items[b->n - 1].count += bin.count;
	else
		b->items[b->n++] = bin;
}

bool
fio_bins_add(struct fio_bins *into, const struct fio_bin *more, size_t n)
{
	if (n == 0)
		return true;
	struct fio_bins sum = {calloc(into->n + n, sizeof(*sum.items)), 0};
	if (!sum.items)
		return false;
	for (size_t i = 0, k = 0; i < into->n || k < n;) {
		bool own = k == n || (i < into->n && into->items[i].us <= more[k].us);
		append_bin(&sum, own ? into->items[i++] : more[k++]);
	}
	free(into->items);
	*into = sum;
	return true;
}

void
fio_bins_fini(struct fio_bins *b)
{
	free(b->items);
	*b = (struct fio_bins){0};
}

double
fio_bins_quantile_us(const struct fio_bin *bins, size_t n, double p)
{
	double total = 0, seen = 0;
	for (size_t i = 0; i < n; i++)
		total += bins[i].count;
	/* 0.999 is no binary number: p x 1000 may come out a hair above 999, which is rank 999 still */
	double rank = p * total * (1 - 1e-12);
	for (size_t i = 0; i < n; i++) {
		seen += bins[i].count;
		if (seen >= rank)
			return bins[i].us;
	}
	return NAN;
}

/* Those that hold against the ends, and against each other. */
static void
settle_quantiles(struct fio_side *s, const struct fio_ends *ends)
{
	fio_sound_quantiles(s->q_us, ends, &s->left_out);
	for (int i = 0; i < FIO_QUANTILE_COUNT; i++)
		s->q_ceiling = s->q_ceiling || s->q_us[i] >= ceiling_us;
}

/* Shortest, mean and longest of a latency object; ends that the mean contradicts are noted in *out. */
static struct fio_ends
ends_of(struct jval lat, double us, struct fio_left_out *out)
{
	struct fio_ends e = {positive(lat, "min") * us, positive(lat, "mean") * us,
		positive(lat, "max") * us, us};
	fio_sound_ends(&e, out);
	return e;
}

/* Percentiles of one latency object; false when it has none. */
static bool
read_percentiles(struct jval lat, double us, struct fio_side *s)
{
	struct jval list = json_get_last(lat, "percentile");
	bool any = false;
	for (struct jval p = json_first(list); p.node; p = json_next(p)) {
		const char *key = json_key(p);
		double percent = key ? strtod(key, NULL) : 0, value = json_number(p);
		for (int i = 0; i < FIO_QUANTILE_COUNT && value > 0 && value <= 1e18; i++) {
			if (fabs(percent - fio_quantile_percent[i]) < 1e-6) {
				s->q_us[i] = value * us;
				any = true;
			}
		}
	}
	return any;
}

/* The completion latency's when it is there, else the total latency's (lat_percentiles=1). */
static bool
read_quantiles(struct jval object, const char *const *names, struct arena *a, struct fio_side *s)
{
	for (; *names && !s->q_of; names++) {
		double us;
		struct jval lat = latency(object, *names, &us);
		if (!read_bins(json_get_last(lat, "bins"), us, a, s))
			return false;
		bool any = read_percentiles(lat, us, s);
		if (!any && s->n_bins == 0)
			continue;
		s->q_of = *names;
		for (int i = 0; i < FIO_QUANTILE_COUNT; i++) {
			if (isnan(s->q_us[i]))
				s->q_us[i] = fio_bins_quantile_us(
					s->bins, s->n_bins, fio_quantile_percent[i] / 100);
		}
		struct fio_left_out said;
		fio_left_out_clear(&said);
		struct fio_ends ends = ends_of(lat, us, &said);
		if (fio_left_out_any(&said))
			ends.mean_us = NAN; /* a mean beyond an end is no witness either */
		ends.max_us = fmin(ends.max_us, s->max_us);
		settle_quantiles(s, &ends);
	}
	return true;
}

static void
read_moments(struct jval lat, double us, double ios, struct fio_side *s)
{
	double n = number(lat, "N");
	s->n = isnan(n) ? ios : n;
	s->mean_us = positive(lat, "mean") * us;
	if (isnan(s->mean_us) || s->n == 0) {
		s->n = s->mean_us = NAN;
		return;
	}
	struct fio_ends ends = ends_of(lat, us, &s->left_out);
	s->min_us = ends.min_us;
	s->max_us = ends.max_us;
	s->sd_us = s->n > 1 ? number(lat, "stddev") * us : (double)NAN;
}

/* KiB before fio 2.21, which brought io_kbytes and made io_bytes bytes. */
static double
bytes_moved(struct jval side)
{
	double factor = json_get(side, "io_kbytes").node ? 1 : 1024;
	return number(side, "io_bytes") * factor;
}

/*
 * fio before 2.1.14 does not count I/O.  Its rate is a whole number, cut, its runtime whole
 * milliseconds and its volume whole KiB, so the mean block lies in an interval; block sizes are
 * round numbers, so the roundest in it is taken, and the volume divided by it.
 */
static double
inferred_ios(const struct fio_side *s)
{
	double lo_b = s->bytes / ((s->iops + 1) * (s->runtime_s + 0.001));
	double hi_b = (s->bytes + 1024) / (s->iops * fmax(s->runtime_s - 0.001, 0.0005));
	return s->bytes > 0 ? round(s->bytes / import_roundest(fmax(lo_b, 1), hi_b)) : (double)NAN;
}

static bool
read_side(struct jval v, struct arena *a, struct fio_side *s)
{
	static const char *const quantile_sources[] = {"clat", "lat", NULL};
	double us;
	side_clear(s);
	s->ios = number(v, "total_ios");
	s->bytes = bytes_moved(v);
	s->runtime_s = positive(v, "runtime") / 1e3;
	s->iops = positive(v, "iops");
	if (isnan(s->iops) && s->ios > 0)
		s->iops = s->ios / s->runtime_s;
	/* before 2.1.14 fio has no such count; where it is 0 although there are bytes it is wrong */
	s->ios_inferred = s->ios == 0 && s->bytes > 0;
	if (isnan(s->ios) || s->ios_inferred)
		s->ios = inferred_ios(s);
	s->mibps = positive(v, "bw_bytes") / 1048576;
	if (isnan(s->mibps))
		s->mibps = positive(v, "bw") / 1024;
	s->short_ios = or_zero(number(v, "short_ios"));
	s->dropped_ios = or_zero(number(v, "drop_ios"));
	struct jval lat = latency(v, "lat", &us);
	read_moments(lat, us, s->ios, s);
	if (isnan(s->mean_us)) { /* disable_lat=1 leaves the completion latency */
		lat = latency(v, "clat", &us);
		read_moments(lat, us, s->ios, s);
		s->completion_only = !isnan(s->mean_us);
	}
	if (isnan(s->mean_us))
		return true;
	struct jval slat = latency(v, "slat", &us);
	s->submit_us = positive(slat, "mean") * us;
	return read_quantiles(v, quantile_sources, a, s);
}

/* Sync latency is recorded by fio 3.4 and later; it has no rate of its own. */
static bool
read_sync(struct jval v, double runtime_s, struct arena *a, struct fio_side *s)
{
	static const char *const quantile_sources[] = {"lat", NULL};
	double us;
	side_clear(s);
	struct jval lat = latency(v, "lat", &us);
	read_moments(lat, us, number(v, "total_ios"), s);
	if (isnan(s->mean_us))
		return true;
	s->ios = s->n;
	s->runtime_s = runtime_s;
	s->iops = s->n / runtime_s;
	return read_quantiles(v, quantile_sources, a, s);
}

/* Options are an object, or a list of one (client/server). */
static struct jval
options_of(struct jval parent, const char *key)
{
	struct jval v = json_get_last(parent, key);
	return json_type(v) == JSON_ARRAY ? json_first(v) : v;
}

static double
ios_of(struct jval job, const char *side)
{
	return or_zero(number(json_get_last(job, side), "total_ios"));
}

/* Share of the I/O that "latency_us" and its like account for; NaN when they do not count. */
static double
accounted_frac(struct jval job)
{
	static const char *const names[] = {"latency_ns", "latency_us", "latency_ms"};
	double percent = 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct jval list = json_get_last(job, names[i]);
		for (struct jval m = json_first(list); m.node; m = json_next(m))
			percent += or_zero(json_number(m));
	}
	return percent > 0 ? percent / 100 : (double)NAN;
}

/* The direction of a job that has one only, by its options; -1: both, or not said. */
static int
only_direction(const struct fio_options *o)
{
	static const struct {
		const char *rw;
		int side;
	} words[] = {{"read", FIO_READ}, {"randread", FIO_READ}, {"write", FIO_WRITE},
		{"randwrite", FIO_WRITE}};
	const char *rw = fio_option(o, "rw");
	rw = rw ? rw : fio_option(o, "readwrite");
	size_t len = rw ? strcspn(rw, ":") : 0;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i].rw) == len && rw && memcmp(words[i].rw, rw, len) == 0)
			return words[i].side;
	}
	return -1;
}

/* unified_rw_reporting=mixed leaves one object for both directions: of a job of one it is that one. */
static bool
read_unified(struct jval v, struct arena *scratch, struct fio_job *job)
{
	int only = only_direction(&job->options);
	bool moved = job->side[FIO_READ].bytes > 0 || job->side[FIO_WRITE].bytes > 0;
	if (moved || only < 0 || !(job->mixed_ios > 0))
		return true;
	return read_side(json_get_last(v, "mixed"), scratch, &job->side[only]);
}

/* fio's own is a number, and negative in places; 0 is none. */
static double
error_of(struct jval job)
{
	struct jval v = json_get_last(job, "error");
	const char *text = json_text(v);
	double error = text ? strtod(text, NULL) : json_number(v);
	return isfinite(error) ? fabs(error) : 0;
}

bool
fio_job_read(struct jval v, struct jval root, struct arena *a, struct arena *scratch,
	struct fio_job *job)
{
	const char *name = json_text(json_get_last(v, "jobname"));
	const char *host = json_text(json_get_last(v, "hostname"));
	*job = (struct fio_job){
		.name = arena_strdup(a, name ? name : ""),
		.host = host ? arena_strdup(a, host) : NULL,
		.group = or_zero(number(v, "groupid")),
		.options = {options_of(root, "global options"), options_of(v, "job options")},
		.trim_ios = ios_of(v, "trim"),
		.mixed_ios = ios_of(v, "mixed"),
		.cpu_frac = (number(v, "usr_cpu") + number(v, "sys_cpu")) / 100,
		.accounted_frac = accounted_frac(v),
		.steady = -1,
	};
	job->error = error_of(v);
	static const char *const names[FIO_SIDE_COUNT] = {"read", "write", "sync"};
	for (int k = 0; k < FIO_SIDE_COUNT; k++)
		job->odd[k] = fio_odd_figures(json_get_last(v, names[k]), a);
	struct jval steady = json_get_last(json_get_last(v, "steadystate"), "attained");
	if (json_type(steady) == JSON_NUMBER)
		job->steady = json_number(steady) > 0;
	struct fio_side *side = job->side;
	if (!job->name || !read_side(json_get_last(v, "read"), scratch, &side[FIO_READ]) ||
		!read_side(json_get_last(v, "write"), scratch, &side[FIO_WRITE]) ||
		!read_unified(v, scratch, job))
		return false;
	return read_sync(
		json_get_last(v, "sync"), side[FIO_WRITE].runtime_s, scratch, &side[FIO_SYNC]);
}

/* Sum over the sides that have the value; NaN when none has. */
static double
sum_of(const struct fio_side *const *sides, size_t n, size_t offset)
{
	double sum = NAN;
	for (size_t i = 0; i < n; i++) {
		double d;
		memcpy(&d, (const char *)sides[i] + offset, sizeof(d));
		if (!isnan(d))
			sum = or_zero(sum) + d;
	}
	return sum;
}

/* Mean weighted by samples; NaN when a side with samples lacks the value. */
static double
weighted(const struct fio_side *const *sides, size_t n, size_t offset)
{
	double sum = 0, weight = 0;
	for (size_t i = 0; i < n; i++) {
		double d;
		memcpy(&d, (const char *)sides[i] + offset, sizeof(d));
		if (isnan(sides[i]->n))
			continue;
		sum += d * sides[i]->n;
		weight += sides[i]->n;
	}
	return sum / weight;
}

/* The end of a range that several jobs share: unknown when it is unknown of one of them. */
static double
common_end(bool first, double so_far, double own, double (*end)(double, double))
{
	if (first)
		return own;
	return isnan(so_far) || isnan(own) ? (double)NAN : end(so_far, own);
}

static void
merge_moments(const struct fio_side *const *sides, size_t n, struct fio_side *out)
{
	out->n = sum_of(sides, n, offsetof(struct fio_side, n));
	out->mean_us = weighted(sides, n, offsetof(struct fio_side, mean_us));
	out->submit_us = weighted(sides, n, offsetof(struct fio_side, submit_us));
	double square = 0;
	bool first = true;
	for (size_t i = 0; i < n; i++) {
		const struct fio_side *s = sides[i];
		if (isnan(s->n))
			continue;
		double sd_us = s->n > 1 ? s->sd_us : 0;
		square += s->n * (sd_us * sd_us + s->mean_us * s->mean_us);
		out->min_us = common_end(first, out->min_us, s->min_us, fmin);
		out->max_us = common_end(first, out->max_us, s->max_us, fmax);
		first = false;
	}
	double variance = square / out->n - out->mean_us * out->mean_us;
	out->sd_us = isnan(variance) ? (double)NAN : sqrt(fmax(variance, 0));
}

static void
approximate_quantiles(const struct fio_side *const *sides, size_t n, struct fio_side *out)
{
	out->q_approximate = true;
	for (size_t i = 0; i < FIO_QUANTILE_COUNT; i++) {
		size_t offset = offsetof(struct fio_side, q_us) + i * sizeof(double);
		out->q_us[i] = weighted(sides, n, offset);
		for (size_t k = 0; k < n && !isnan(out->q_us[i]); k++) {
			out->q_lo_us[i] = fmin(out->q_lo_us[i], sides[k]->q_us[i]);
			out->q_hi_us[i] = fmax(out->q_hi_us[i], sides[k]->q_us[i]);
		}
	}
}

static void
joint_quantiles(const struct fio_bins *bins, struct fio_side *out)
{
	for (int i = 0; i < FIO_QUANTILE_COUNT; i++)
		out->q_us[i] = fio_bins_quantile_us(
			bins->items, bins->n, fio_quantile_percent[i] / 100);
	/* ends and mean are those of "lat", the quantiles may be of "clat": shorter by the submission */
	bool lat = strcmp(out->q_of, "lat") == 0;
	struct fio_ends ends = {
		lat ? out->min_us : (double)NAN, lat ? out->mean_us : (double)NAN, out->max_us, 0};
	settle_quantiles(out, &ends);
}

void
fio_side_merge(const struct fio_side *const *sides, size_t n, const struct fio_bins *bins,
	struct fio_side *out)
{
	if (n == 1) {
		*out = *sides[0];
		fio_left_out_clear(&out->left_out); /* said of the job itself */
		return;
	}
	side_clear(out);
	out->ios = sum_of(sides, n, offsetof(struct fio_side, ios));
	out->bytes = sum_of(sides, n, offsetof(struct fio_side, bytes));
	out->iops = sum_of(sides, n, offsetof(struct fio_side, iops));
	out->mibps = sum_of(sides, n, offsetof(struct fio_side, mibps));
	out->short_ios = sum_of(sides, n, offsetof(struct fio_side, short_ios));
	out->dropped_ios = sum_of(sides, n, offsetof(struct fio_side, dropped_ios));
	merge_moments(sides, n, out);
	bool all_bins = true;
	for (size_t i = 0; i < n; i++) {
		out->runtime_s = fmax(out->runtime_s, sides[i]->runtime_s);
		out->q_ceiling |= sides[i]->q_ceiling;
		out->ios_inferred |= sides[i]->ios_inferred;
		out->completion_only |= sides[i]->completion_only;
		/* where submission is missing from one it is missing from the whole */
		if (!out->q_of || (sides[i]->q_of && strcmp(sides[i]->q_of, "clat") == 0))
			out->q_of = sides[i]->q_of;
		if (sides[i]->n > 0 && sides[i]->n_bins == 0)
			all_bins = false;
	}
	out->n_bins = all_bins ? bins->n : 0;
	if (!out->q_of)
		return;
	if (all_bins)
		joint_quantiles(bins, out);
	else
		approximate_quantiles(sides, n, out);
}
