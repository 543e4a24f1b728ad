#include "profile/fio_sound.h"

#include <math.h>

#include "base/units.h"

/* Width of one of fio's bins, as a share of its latency. */
static const double bin_frac = 1.0 / 64;

const double fio_quantile_percent[FIO_QUANTILE_COUNT] = {50, 90, 95, 99, 99.5, 99.9, 99.95};

void
fio_left_out_clear(struct fio_left_out *out)
{
	const double no = (double)NAN;
	*out = (struct fio_left_out){
		.min_us = no, .max_us = no, .mean_us = no, .ends = {no, no, no, no}};
	for (int i = 0; i < FIO_QUANTILE_COUNT; i++)
		out->q_us[i] = no;
}

bool
fio_left_out_any(const struct fio_left_out *out)
{
	bool any = !isnan(out->min_us) || !isnan(out->max_us);
	for (int i = 0; i < FIO_QUANTILE_COUNT; i++)
		any = any || !isnan(out->q_us[i]);
	return any;
}

static void
put_quantile(const struct fio_left_out *out, int i, struct buf *text)
{
	static const char *const words[FIO_UNSOUND_COUNT] = {
		[FIO_SOUND] = "",
		[FIO_ABOVE_MAX] = "is above the longest",
		[FIO_BELOW_MIN] = "is below the shortest",
		[FIO_ABOVE_MEAN] = "is too long for the mean",
		[FIO_BELOW_MEAN] = "is too short for the mean",
		[FIO_DESCENDS] = "does not ascend with the others",
	};
	const struct fio_ends *e = &out->ends;
	const double against[FIO_UNSOUND_COUNT] = {[FIO_SOUND] = NAN,
		[FIO_ABOVE_MAX] = e->max_us,
		[FIO_BELOW_MIN] = e->min_us,
		[FIO_ABOVE_MEAN] = e->mean_us,
		[FIO_BELOW_MEAN] = e->mean_us,
		[FIO_DESCENDS] = NAN};
	char one[32], two[32];
	enum fio_unsound why = out->why[i];
	units_latency_text(out->q_us[i], one);
	buf_printf(text, "%sp%g %s %s", text->len ? ", " : "", fio_quantile_percent[i], one,
		words[why]);
	if (isnan(against[why]))
		return;
	units_latency_text(against[why], two);
	buf_printf(text, " (%s)", two);
}

static void
put_end(const char *what, double us, const char *where, double mean_us, struct buf *text)
{
	char one[32], two[32];
	if (isnan(us))
		return;
	units_latency_text(us, one);
	units_latency_text(mean_us, two);
	buf_printf(
		text, "%s%s %s is %s the mean (%s)", text->len ? ", " : "", what, one, where, two);
}

void
fio_left_out_text(const struct fio_left_out *out, struct buf *text)
{
	put_end("the shortest", out->min_us, "above", out->mean_us, text);
	put_end("the longest", out->max_us, "below", out->mean_us, text);
	for (int i = 0; i < FIO_QUANTILE_COUNT; i++) {
		if (!isnan(out->q_us[i]))
			put_quantile(out, i, text);
	}
}

/* An end on the wrong side of the mean: rounded, or of other samples. */
static void
settle_end(double *end_us, double mean_us, double beyond_us, double step_us, double *left_us)
{
	if (!(beyond_us > 0))
		return;
	if (beyond_us > step_us)
		*left_us = *end_us;
	*end_us = beyond_us > step_us ? (double)NAN : mean_us;
}

void
fio_sound_ends(struct fio_ends *e, struct fio_left_out *out)
{
	out->mean_us = e->mean_us;
	settle_end(&e->min_us, e->mean_us, e->min_us - e->mean_us, e->step_us, &out->min_us);
	settle_end(&e->max_us, e->mean_us, e->mean_us - e->max_us, e->step_us, &out->max_us);
}

static double
or_zero(double d)
{
	return isnan(d) ? 0 : d;
}

/* Comparisons with what is not known are false. */
static enum fio_unsound
against_ends(double q_us, double p, const struct fio_ends *e)
{
	double least = q_us * (1 - bin_frac) - e->step_us,
	       most = q_us * (1 + bin_frac) + e->step_us;
	if (least > e->max_us)
		return FIO_ABOVE_MAX;
	if (most < e->min_us)
		return FIO_BELOW_MIN;
	if ((1 - p) * least + p * or_zero(e->min_us) > e->mean_us + e->step_us)
		return FIO_ABOVE_MEAN;
	if (p * most + (1 - p) * e->max_us < e->mean_us - e->step_us)
		return FIO_BELOW_MEAN;
	return FIO_SOUND;
}

static bool
ascends(double before_us, double after_us, double step_us)
{
	return after_us >= before_us * (1 - bin_frac) - step_us;
}

static void
leave(double q_us[FIO_QUANTILE_COUNT], int i, enum fio_unsound why, struct fio_left_out *out)
{
	out->q_us[i] = q_us[i];
	out->why[i] = why;
	q_us[i] = NAN;
}

/* Length of the longest ascending choice that ends at each (from below), or begins there (from above). */
static void
chain_lengths(const double q_us[FIO_QUANTILE_COUNT], double step_us, bool below,
	int n[FIO_QUANTILE_COUNT])
{
	for (int k = 0; k < FIO_QUANTILE_COUNT; k++) {
		int i = below ? k : FIO_QUANTILE_COUNT - 1 - k;
		n[i] = !isnan(q_us[i]);
		for (int other = 0; other < FIO_QUANTILE_COUNT && n[i]; other++) {
			int low = below ? other : i, high = below ? i : other;
			if (low < high && !isnan(q_us[other]) &&
				ascends(q_us[low], q_us[high], step_us) && n[other] + 1 > n[i])
				n[i] = n[other] + 1;
		}
	}
}

/*
 * Which of two that do not ascend is wrong nobody knows, unless others stand with one of them: kept is what
 * every longest ascending choice holds.  Such a one is alone in its place within the choices.
 */
static void
leave_descending(double q_us[FIO_QUANTILE_COUNT], double step_us, struct fio_left_out *out)
{
	int before[FIO_QUANTILE_COUNT], after[FIO_QUANTILE_COUNT];
	int longest = 0, at[FIO_QUANTILE_COUNT + 1] = {0};
	chain_lengths(q_us, step_us, true, before);
	chain_lengths(q_us, step_us, false, after);
	for (int i = 0; i < FIO_QUANTILE_COUNT; i++)
		longest = before[i] > longest ? before[i] : longest;
	for (int i = 0; i < FIO_QUANTILE_COUNT; i++)
		at[before[i]] += before[i] + after[i] - 1 == longest;
	for (int i = 0; i < FIO_QUANTILE_COUNT; i++) {
		bool in = before[i] + after[i] - 1 == longest && at[before[i]] == 1;
		if (!isnan(q_us[i]) && !in)
			leave(q_us, i, FIO_DESCENDS, out);
	}
}

void
fio_sound_quantiles(
	double q_us[FIO_QUANTILE_COUNT], const struct fio_ends *e, struct fio_left_out *out)
{
	out->ends = *e;
	for (int i = 0; i < FIO_QUANTILE_COUNT; i++) {
		enum fio_unsound why = against_ends(q_us[i], fio_quantile_percent[i] / 100, e);
		if (why != FIO_SOUND)
			leave(q_us, i, why, out);
	}
	leave_descending(q_us, e->step_us, out);
	double last_us = or_zero(e->min_us);
	for (int i = 0; i < FIO_QUANTILE_COUNT; i++) {
		if (isnan(q_us[i]))
			continue;
		q_us[i] = fmin(fmax(q_us[i], last_us), e->max_us);
		last_us = q_us[i];
	}
}
