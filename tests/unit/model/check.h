/*
 * check.h - comparison of doubles that prints both when it fails.
 */
#ifndef TESTS_MODEL_CHECK_H
#define TESTS_MODEL_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
/* cmocka needs the standard headers first */
#include <cmocka.h>

/* |got - want| <= tolerance; NaN never passes. */
#define assert_near(got, want, tolerance) check_near((got), (want), (tolerance), __FILE__, __LINE__)
/* The same, relative to want. */
#define assert_ratio(got, want, tolerance)                                                         \
	check_near((got), (want), (tolerance)*fabs((double)(want)), __FILE__, __LINE__)

static inline void
check_near(double got, double want, double tolerance, const char *file, int line)
{
	if (fabs(got - want) <= tolerance)
		return;
	print_error("got %.9g, want %.9g within %.3g\n", got, want, tolerance);
	_fail(file, line);
}

#endif /* TESTS_MODEL_CHECK_H */
