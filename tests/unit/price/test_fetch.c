/*
 * Which links stay on a host: the rule that confines pages and redirects.  The rest of fetch.h is tested
 * against a server (tests/e2e/prices_fetch.sh, prices_update.sh).
 */
#include "common.h"
#include "price/fetch.h"

static const struct {
	const char *a, *b;
	bool same;
} hosts[] = {
	/* as the interface writes its links since 2022 */
	{"https://prices.azure.com/api", "https://prices.azure.com:443/api?$skip=100", true},
	{"https://prices.azure.com/api", "https://PRICES.azure.com/other", true},
	{"http://127.0.0.1:8080/a", "http://127.0.0.1:8080/b", true},
	{"http://[::1]:80/", "http://[::1]/", true},
	{"https://prices.azure.com/", "http://prices.azure.com/", false},
	{"https://prices.azure.com/", "https://prices.azure.com:8443/", false},
	{"https://prices.azure.com/", "https://prices.azure.com.example/", false},
	{"https://prices.azure.com/", "https://prices.azure.com@example/", false},
	{"http://127.0.0.1/", "http://localhost/", false},
	{"https://prices.azure.com/", "file:///etc/passwd", false},
	{"https://prices.azure.com/", "/api/retail/prices", false},
	{"https://prices.azure.com/", "", false},
};

static void
test_same_host(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
		if (fetch_same_host(hosts[i].a, hosts[i].b) != hosts[i].same ||
			fetch_same_host(hosts[i].b, hosts[i].a) != hosts[i].same)
			fail_msg("%s and %s", hosts[i].a, hosts[i].b);
	}
}

static void
test_is_url(void **state)
{
	(void)state;
	assert_true(fetch_is_url("https://x"));
	assert_true(fetch_is_url("http://x"));
	assert_true(fetch_is_url("file:///x"));
	assert_false(fetch_is_url("ftp://x"));
	assert_false(fetch_is_url("./http://x"));
	assert_false(fetch_is_url("-"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_host),
		cmocka_unit_test(test_is_url),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
