/* Arena and buffer: growth, limits, alignment. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"

static void
test_arena_alignment_and_zero(void **state)
{
	(void)state;
	struct arena a;
	arena_init(&a, 0);
	for (size_t size = 0; size < 300; size++) {
		unsigned char *p = arena_alloc(&a, size);
		assert_non_null(p);
		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xff, size);
	}
	/* larger than a chunk, then small again */
	unsigned char *big = arena_alloc(&a, (size_t)1 << 20);
	assert_non_null(big);
	memset(big, 0xff, (size_t)1 << 20);
	assert_int_equal(*(char *)arena_alloc(&a, 1), 0);
	arena_fini(&a);
	arena_fini(&a); /* twice is fine */
}

static void
test_arena_limits(void **state)
{
	(void)state;
	struct arena a;
	arena_init(&a, 1024);
	assert_null(arena_alloc(&a, 1025));
	assert_null(arena_alloc(&a, SIZE_MAX));
	assert_null(arena_array(&a, SIZE_MAX / 8 + 2, 8)); /* the product wraps to 8 */
	assert_non_null(arena_array(&a, 0, 8));
	assert_non_null(arena_alloc(&a, 512));
	assert_null(arena_alloc(&a, 512)); /* the empty array took some */
	assert_non_null(arena_alloc(&a, 256));
	assert_true(a.used <= 1024);
	arena_fini(&a);
	assert_non_null(arena_alloc(&a, 1024)); /* the limit stays, the memory is back */
	assert_null(arena_alloc(&a, 1));
	assert_null(arena_strdup(&a, "x"));
	assert_null(arena_printf(&a, "%d", 1));
	arena_fini(&a);
}

static void
test_arena_grow(void **state)
{
	(void)state;
	struct arena a;
	arena_init(&a, 0);
	int *items = NULL;
	for (int i = 0; i < 1000; i++) {
		items = arena_grow(&a, items, (size_t)i, sizeof(*items));
		assert_non_null(items);
		items[i] = i;
	}
	for (int i = 0; i < 1000; i++)
		assert_int_equal(items[i], i);
	arena_fini(&a);
	arena_init(&a, 256);
	items = NULL;
	int n = 0;
	while (n < 1000) {
		int *grown = arena_grow(&a, items, (size_t)n, sizeof(*items));
		if (!grown)
			break;
		items = grown;
		items[n] = n;
		n++;
	}
	/* stopped by the limit, with what was there intact */
	assert_true(n > 1 && n < 64);
	for (int i = 0; i < n; i++)
		assert_int_equal(items[i], i);
	arena_fini(&a);
}

static void
test_arena_text(void **state)
{
	(void)state;
	struct arena a;
	arena_init(&a, 0);
	static const char open[3] = {'a', 'b', 'c'}; /* no NUL */
	assert_string_equal(arena_strndup(&a, open, 3), "abc");
	assert_string_equal(arena_strndup(&a, "ab", 40), "ab");
	assert_string_equal(arena_strndup(&a, "ab", 0), "");
	assert_string_equal(arena_strdup(&a, ""), "");
	assert_string_equal(arena_printf(&a, "%s-%d", "x", 42), "x-42");
	char *text = arena_printf(&a, "%500d", 7);
	assert_int_equal(strlen(text), 500);
	arena_fini(&a);
}

static void
test_buf(void **state)
{
	(void)state;
	struct buf b;
	struct err err = {0};
	buf_init(&b, 0);
	assert_string_equal(buf_text(&b), "");
	assert_int_equal(buf_check(&b, &err), 0);
	buf_put(&b, "");
	buf_putc(&b, 'a');
	buf_putn(&b, "bcd", 2);
	buf_printf(&b, "%300d", 1); /* longer than the room on the stack */
	assert_int_equal(b.len, 303);
	assert_int_equal(strlen(b.text), 303);
	buf_fini(&b);
	assert_string_equal(buf_text(&b), "");
}

static void
test_buf_limit(void **state)
{
	(void)state;
	struct buf b;
	struct err err = {0};
	buf_init(&b, 10);
	buf_put(&b, "12345");
	buf_put(&b, "67890");
	assert_int_equal(buf_check(&b, &err), 0); /* exactly full */
	buf_put(&b, "");
	assert_int_equal(buf_check(&b, &err), 0);
	buf_putc(&b, 'x');
	assert_int_equal(buf_check(&b, &err), ERR_NOMEM);
	assert_string_equal(buf_text(&b), "1234567890"); /* the write is dropped whole */
	buf_put(&b, "y"); /* and so is everything after it */
	assert_int_equal(b.len, 10);
	buf_fini(&b);
	buf_init(&b, 10);
	buf_printf(&b, "%300d", 1);
	assert_int_equal(buf_check(&b, &err), ERR_NOMEM);
	buf_putn(&b, "x", SIZE_MAX);
	assert_int_equal(b.len, 0);
	buf_fini(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arena_alignment_and_zero),
		cmocka_unit_test(test_arena_limits),
		cmocka_unit_test(test_arena_grow),
		cmocka_unit_test(test_arena_text),
		cmocka_unit_test(test_buf),
		cmocka_unit_test(test_buf_limit),
	};
	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
