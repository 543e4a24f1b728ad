/* Whether a program wants the processor, told by what it does: computing always does, sleeping
 * never; and two that compute on one processor share it. */
#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "bench/client.h"

static void
test_parse(void **state)
{
	(void)state;
	double run = -1, wait = -1;
	assert_true(client_parse("2500000000 125000000 42\n", &run, &wait));
	assert_true(fabs(run - 2.5) < 1e-9 && fabs(wait - 0.125) < 1e-9);
	assert_false(client_parse("0 0 0\n", &run, &wait));
	assert_false(client_parse("", &run, &wait));
	assert_false(client_parse("12\n", &run, &wait));
	assert_true(fabs(run - 2.5) < 1e-9);
}

static void
compute(double s)
{
	int64_t end = clock_ns() + (int64_t)(s * 1e9);
	while (clock_ns() < end)
		;
}

static void
test_computing(void **state)
{
	(void)state;
	struct client c;
	client_begin(&c);
	compute(0.3);
	struct client_share s = client_end(&c);
	if (isnan(s.wanted_frac))
		skip();
	/* on a processor or waiting for one; stolen time counts as on it */
	assert_true(s.wanted_frac > 0.9);
	assert_true(s.run_frac >= 0 && s.wait_frac >= 0);
}

static void
test_sleeping(void **state)
{
	(void)state;
	struct client c;
	client_begin(&c);
	nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
	struct client_share s = client_end(&c);
	if (isnan(s.wanted_frac))
		skip();
	assert_true(s.wanted_frac < 0.5);
	assert_true(s.run_frac < 0.3);
}

/* Another program computes on the same processor: waiting shows. */
static void
test_shared_processor(void **state)
{
	(void)state;
	cpu_set_t before, one;
	struct client c;
	if (sched_getaffinity(0, sizeof(before), &before) != 0)
		skip();
	CPU_ZERO(&one);
	for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++) {
		if (CPU_ISSET(i, &before))
			CPU_SET(i, &one);
	}
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		compute(30);
		_exit(0);
	}
	client_begin(&c);
	compute(0.6);
	struct client_share s = client_end(&c);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	sched_setaffinity(0, sizeof(before), &before);
	if (isnan(s.wanted_frac))
		skip();
	assert_true(s.wanted_frac > 0.9);
	assert_true(s.wait_frac > 0.1);
	assert_true(s.run_frac < 0.9);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_computing),
		cmocka_unit_test(test_sleeping),
		cmocka_unit_test(test_shared_processor),
	};
	return cmocka_run_group_tests_name("client", tests, NULL, NULL);
}
