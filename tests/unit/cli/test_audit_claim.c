/*
 * test_audit_claim.c - claims typed on the command line: what they become, and text that is none.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/audit_claim.h"

static void
test_parts(void **state)
{
	(void)state;
	struct arena a;
	struct profile p;
	struct err err = {0};
	arena_init(&a, 0);
	const char *text =
		"sku=P30 iops=20k latency_ms=0.8 light_us=700 qd=16 bs=16k vm=M8 commit_ms=1.2 "
		"writers=4 commits=3000";
	assert_int_equal(audit_claim_read(text, &a, &p, &err), 0);
	assert_int_equal(p.trust, TRUST_PUBLISHED);
	assert_int_equal(p.n_cells, 2);
	assert_true(p.cells[0].qd == 1 && p.cells[0].mean_us == 700);
	const struct profile_cell *c = &p.cells[1];
	assert_true(c->qd == 16 && c->iops == 20000 && c->mean_us == 800 && c->bs_b == 16384);
	assert_int_equal(c->op, -1); /* not given is not known */
	assert_true(isnan(c->p99_us) && isnan(c->mibps));
	assert_int_equal(p.n_syncs, 1);
	assert_true(p.syncs[0].mean_us == 1200 && p.syncs[0].writers == 4 &&
		    p.syncs[0].syncs_per_s == 3000);
	assert_int_equal(p.n_claims, 3);
	assert_string_equal(p.claims[0].kind, "label");
	assert_string_equal(p.claims[1].kind, "bandwidth");
	assert_string_equal(p.claims[2].kind, "vm-cap");
	assert_true(fabs(p.claims[2].mbps - 327.68) < 1e-9); /* 20,000 x 16,384 B */
	arena_fini(&a);
}

/* Every beginning of a claim, and every one with a byte changed, is read or refused with a place. */
static void
test_spoilt(void **state)
{
	(void)state;
	static const char text[] =
		"sku=P30 iops=20000 latency_ms=0.8 op=randread p99_us=1e3 bs=16k";
	for (size_t i = 0; i < sizeof(text) * 256; i++) {
		char spoilt[sizeof(text)];
		struct arena a;
		struct profile p;
		struct err err = {0};
		memcpy(spoilt, text, sizeof(text));
		if (i < sizeof(text))
			spoilt[i] = '\0';
		else
			spoilt[i % (sizeof(text) - 1)] = (char)(i / sizeof(text));
		arena_init(&a, 0);
		if (audit_claim_read(spoilt, &a, &p, &err) != 0)
			assert_int_equal(strncmp(err.text, "--claim:1:", 10), 0);
		arena_fini(&a);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_spoilt),
	};
	return cmocka_run_group_tests_name("cli/audit_claim", tests, NULL, NULL);
}
