#include "bench/change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEDIAN_OF = 7, LEAST_MIN = 4, LEAST_MAX = 20, LEAST_SHARE = 50 };

static const double TRIM = 0.2;
/* mean of the squares of normal values, the largest fifth left out (of |z| above 1.28155) */
static const double TRIMMED_SQUARE = 0.43773;
static const double LAG1_SEEN = 0.43, LAG1_MOST = 0.9;
/*
 * Largest CUSUM of one series in 100 without a change: 2.3 to 2.5 for white noise, 3.5 to 4.0 for
 * r = 0.43, up to 4.2 with a twentieth of spikes to a fifth; r = 0.6: 4.0 to 4.8.
 */
static const double THRESHOLD = 4.5;
static const double CLIP_SD = 3;
/* counts are whole, and nobody asks about less than half a percent */
static const double SD_MIN = 0.5, SD_MIN_FRAC = 0.005;

int
change_init(struct change *c, const double *x, size_t n, struct err *err)
{
	*c = (struct change){.n = n};
	double *room = calloc(4 * n + 1, sizeof(*room));
	if (!room)
		return err_nomem(err);
	c->x = room;
	c->clean = room + n;
	c->scratch = room + 2 * n;
	c->sum = room + 3 * n;
	memcpy(c->x, x, n * sizeof(*x));
	return 0;
}

void
change_fini(struct change *c)
{
	free(c->x);
	*c = (struct change){0};
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/*
 * Mean square of the differences at that lag about their median, which is the slope of a drift: of
 * normal noise, robust against a fifth of others.
 */
static double
difference_square(const struct change *c, size_t lag)
{
	size_t n = c->n > lag ? c->n - lag : 0;
	for (size_t i = 0; i < n; i++)
		c->scratch[i] = c->x[i + lag] - c->x[i];
	double keep = (1 - TRIM) * (double)n, sum = 0, middle = stats_median(c->scratch, n).value;
	for (size_t i = 0; i < n; i++)
		c->scratch[i] = (c->scratch[i] - middle) * (c->scratch[i] - middle);
	qsort(c->scratch, n, sizeof(double), by_value);
	for (size_t i = 0; i < n; i++)
		sum += c->scratch[i] * fmin(1, fmax(0, keep - (double)i));
	return n ? sum / keep / TRIMMED_SQUARE : 0;
}

static void
set_noise(struct change *c, double sd, double lag1)
{
	double r = fmax(LAG1_SEEN, fmin(LAG1_MOST, lag1)), long_sd;
	sd = fmax(sd, c->sd_min);
	long_sd = sd * sqrt((1 + r) / (1 - r));
	if (c->long_sd > 0 && long_sd >= c->long_sd)
		return;
	c->sd = sd;
	c->lag1 = lag1;
	c->long_sd = long_sd;
}

static void
noise_of_differences(struct change *c)
{
	double one = difference_square(c, 1), two = difference_square(c, 2);
	double median = stats_median(memcpy(c->scratch, c->x, c->n * sizeof(double)), c->n).value;
	double lag1 = one > 0 ? fmin(LAG1_MOST, fmax(0, two / one - 1)) : 0;
	c->sd_min = fmax(SD_MIN, SD_MIN_FRAC * median);
	set_noise(c, sqrt(one / 2 / (1 - lag1)), lag1);
}

/* Of the MEDIAN_OF values around, at the ends of the first or last ones. */
static double
running_median(const struct change *c, size_t at)
{
	double v[MEDIAN_OF];
	size_t n = c->n < MEDIAN_OF ? c->n : MEDIAN_OF, from = at > n / 2 ? at - n / 2 : 0;
	from = from + n > c->n ? c->n - n : from;
	memcpy(v, c->x + from, n * sizeof(*v));
	return stats_median(v, n).value;
}

static void
remove_spikes(struct change *c)
{
	c->sum[0] = 0;
	for (size_t i = 0; i < c->n; i++) {
		double middle = running_median(c, i), most = CLIP_SD * c->sd;
		c->clean[i] = fmin(middle + most, fmax(middle - most, c->x[i]));
		c->sum[i + 1] = c->sum[i] + c->clean[i];
	}
}

static double
mean(const struct change *c, size_t from, size_t end)
{
	return (c->sum[end] - c->sum[from]) / (double)(end - from);
}

double
change_squares(const struct change *c, size_t from, size_t end)
{
	double m = mean(c, from, end), sum = 0;
	for (size_t i = from; i < end; i++)
		sum += (c->clean[i] - m) * (c->clean[i] - m);
	return sum;
}

struct span {
	size_t from, end, split;
	double jump; /* the CUSUM, in units of the series */
};

/* The largest CUSUM inside; 0 where the span is too short for two levels. */
static void
split_span(const struct change *c, struct span *s)
{
	s->jump = 0;
	s->split = s->from;
	for (size_t k = s->from + c->least; k + c->least <= s->end; k++) {
		double left = (double)(k - s->from), right = (double)(s->end - k);
		double d = fabs(mean(c, k, s->end) - mean(c, s->from, k)) *
			   sqrt(left * right / (left + right));
		if (d > s->jump) {
			s->jump = d;
			s->split = k;
		}
	}
}

size_t
change_best(const struct change *c)
{
	struct span s = {.from = 0, .end = c->n};
	split_span(c, &s);
	return s.split;
}

static void
add_level(struct change *c, size_t from)
{
	size_t i = c->n_levels++;
	for (; i > 0 && c->from[i - 1] > from; i--)
		c->from[i] = c->from[i - 1];
	c->from[i] = from;
}

/* Noise about the levels as they are, with one more from `split` on. */
static void
noise_of_levels(struct change *c, size_t split)
{
	double squares = 0, products = 0, last = 0, n = (double)c->n;
	for (size_t l = 0; l < c->n_levels; l++) {
		size_t from = c->from[l], end = l + 1 < c->n_levels ? c->from[l + 1] : c->n;
		size_t mid = split > from && split < end ? split : end;
		for (size_t i = from; i < end; i++) {
			double d = c->clean[i] - (i < mid ? mean(c, from, mid) : mean(c, mid, end));
			squares += d * d;
			products += d * last;
			last = d;
		}
	}
	double means = (double)c->n_levels + 1, lag1 = squares > 0 ? products / squares : 0;
	/* each fitted mean biases the autocorrelation by -(1 + 3 r) / n (Kendall 1954) */
	lag1 = (lag1 + means / n) / fmax(0.1, 1 - 3 * means / n);
	if (means < n / 4)
		set_noise(c, sqrt(squares / (n - means)), fmax(0, lag1));
}

/* Split the span that shows its change most clearly, and again, until none does. */
static void
segment(struct change *c)
{
	struct span spans[CHANGE_LEVELS_MAX] = {{.from = 0, .end = c->n}};
	size_t n = 1;
	split_span(c, &spans[0]);
	add_level(c, 0);
	while (n < CHANGE_LEVELS_MAX) {
		size_t best = 0;
		for (size_t i = 1; i < n; i++)
			best = spans[i].jump > spans[best].jump ? i : best;
		struct span *s = &spans[best], *added = &spans[n++];
		noise_of_levels(c, s->split);
		c->cusum = c->cusum > 0 ? c->cusum : s->jump / c->long_sd;
		if (s->jump <= THRESHOLD * c->long_sd)
			break;
		add_level(c, s->split);
		*added = (struct span){.from = s->split, .end = s->end};
		s->end = s->split;
		split_span(c, s);
		split_span(c, added);
	}
	c->from[c->n_levels] = c->n;
}

static void
find_levels(struct change *c)
{
	for (size_t i = 0; i < c->n_levels; i++) {
		size_t n = c->from[i + 1] - c->from[i];
		memcpy(c->scratch, c->x + c->from[i], n * sizeof(double));
		c->level[i] = stats_median(c->scratch, n).value;
	}
}

static double
step_frac(const struct change *c, size_t i)
{
	double a = c->level[i - 1], b = c->level[i], most = fmax(a, b);
	return most > 0 ? fabs(a - b) / most : 0;
}

bool
change_differ(const struct change *c, size_t level, size_t other)
{
	double n = (double)(c->from[level + 1] - c->from[level]);
	double m = (double)(c->from[other + 1] - c->from[other]);
	double a = mean(c, c->from[level], c->from[level + 1]);
	double b = mean(c, c->from[other], c->from[other + 1]);
	return fabs(a - b) > THRESHOLD * c->long_sd * sqrt(1 / n + 1 / m) &&
	       fabs(c->level[level] - c->level[other]) >=
		       CHANGE_LEAST_FRAC * fmax(c->level[level], c->level[other]);
}

/* Undo the smallest step of no account.  Returns whether there was one. */
static int
merge_least(struct change *c)
{
	size_t least = 1;
	for (size_t i = 2; i < c->n_levels; i++)
		least = step_frac(c, i) < step_frac(c, least) ? i : least;
	if (c->n_levels < 2 || step_frac(c, least) >= CHANGE_LEAST_FRAC)
		return 0;
	memmove(c->from + least, c->from + least + 1, (c->n_levels - least) * sizeof(c->from[0]));
	c->n_levels--;
	find_levels(c);
	return 1;
}

/* Put each change where it is clearest between its neighbours. */
static void
place(struct change *c)
{
	for (size_t i = 1; i < c->n_levels; i++) {
		struct span s = {.from = c->from[i - 1], .end = c->from[i + 1]};
		split_span(c, &s);
		if (s.jump > 0)
			c->from[i] = s.split;
	}
	find_levels(c);
}

void
change_find(struct change *c)
{
	size_t share = c->n / LEAST_SHARE;
	c->least = share < LEAST_MIN ? LEAST_MIN : share > LEAST_MAX ? LEAST_MAX : share;
	c->n_levels = 0;
	c->long_sd = c->cusum = 0;
	noise_of_differences(c);
	remove_spikes(c);
	segment(c);
	find_levels(c);
	place(c);
	while (merge_least(c))
		place(c);
}

struct stats_range
change_median(const struct change *c, size_t from, size_t end)
{
	memcpy(c->scratch, c->x + from, (end - from) * sizeof(double));
	struct stats_range r = stats_median(c->scratch, end - from);
	double lag1 = fmax(LAG1_SEEN, c->lag1), wider = sqrt((1 + lag1) / (1 - lag1));
	r.lo = fmax(0, r.value - (r.value - r.lo) * wider);
	r.hi = r.value + (r.hi - r.value) * wider;
	return r;
}
