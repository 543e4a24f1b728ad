/*
 * The words rules may use are those of the modules that own them: rule and workload are neighbours
 * and do not see each other, so the two lists are compared here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rule/rule.h"
#include "workload/workload.h"

static void
same_words(const char *fact, const struct names *owner)
{
	const struct rule_fact *f = rule_fact_find(fact);
	assert_non_null(f);
	assert_non_null(f->words);
	assert_int_equal(f->words->count, owner->count);
	for (int i = 0; i < owner->count; i++)
		assert_string_equal(f->words->text[i], owner->text[i]);
}

static void
test_words(void **state)
{
	(void)state;
	same_words("volume.role", &workload_role_names);
	same_words("workload.engine", &workload_engine_names);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_words)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
