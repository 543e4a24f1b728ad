/*
 * fuzz_catalogue.c - answers of a price interface and the rules for them, from anybody.  The first byte
 * chooses the reader: Azure pages (0), a Google catalogue (1), an EC2 offer file (2), or the rules
 * themselves (3); TIERWISE_FUZZ_READER=0..3 chooses it for a whole run.  No fault; a book that comes out
 * passes every check of a book; and how the bytes are cut into pieces makes no difference.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/json.h"
#include "price/csv.h"
#include "price/items.h"
#include "price/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Rules as the shipped ones, short. */
#define RULES_HEAD                                                                                 \
	"{\"schema\":\"tierwise/meters/"                                                           \
	"1\",\"as_of\":\"2026-08-22\",\"source\":\"s\",\"provider\":"
static const char *const rules[] = {
	RULES_HEAD
	"\"azure\",\"units\":[{\"published\":\"1/Month\",\"unit\":\"month\"},"
	"{\"published\":\"1/Hour\",\"unit\":\"hour\"}],\"rules\":["
	"{\"family\":\"f\",\"item\":\"disk\",\"skus\":[\"P10\",\"P30\"],\"redundancies\":[\"LRS\"],"
	"\"where\":[{\"field\":\"meterName\",\"is\":[\"{sku} {redundancy} Disk\",\"{sku} "
	"Disks\"]}]},"
	"{\"family\":\"v\",\"item\":\"iops\",\"where\":[{\"field\":\"meterName\",\"is\":[\"IOPS\"]}"
	"]}]}",
	RULES_HEAD
	"\"gcp\",\"units\":[{\"published\":\"GiBy.mo\",\"unit\":\"gib_month\"},"
	"{\"published\":\"h\",\"unit\":\"hour\"},{\"published\":\"GiBy.h\",\"unit\":\"gib_hour\"}],"
	"\"rules\":["
	"{\"family\":\"vm\",\"item\":\"vm\",\"skus\":[\"a\",\"b\"],\"term\":\"1 year commitment\","
	"\"parts\":[{\"part\":\"core\",\"unit\":\"hour\",\"quantities\":[8,16],"
	"\"where\":[{\"field\":\"what\",\"is\":[\"N2 Cpu\"]}]},"
	"{\"part\":\"ram\",\"unit\":\"gib_hour\",\"quantities\":[64,128],"
	"\"where\":[{\"field\":\"what\",\"is\":[\"N2 Ram\"]}]}]},"
	"{\"family\":\"f\",\"item\":\"capacity\",\"where\":[{\"field\":\"usageType\",\"is\":["
	"\"OnDemand\"]},"
	"{\"field\":\"what\",\"is\":[\"SSD backed PD Capacity\"]}]}]}",
	RULES_HEAD
	"\"aws\",\"units\":[{\"published\":\"GB-Mo\",\"unit\":\"gib_month\"}],\"rules\":["
	"{\"family\":\"f\",\"item\":\"capacity\",\"where\":[{\"field\":\"usage\","
	"\"is\":[\"EBS:VolumeUsage.gp3\"]}]}]}",
};

static int
hold(const uint8_t *data, size_t size, char path[32])
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return fd;
}

static void
read_meters(const char *text, size_t n, struct arena *a, struct meters *m, int *rc)
{
	struct json_doc *doc = NULL;
	*rc = json_parse("rules", text, n, &doc, NULL);
	if (*rc == 0)
		*rc = meters_read(json_root(doc), a, m, NULL);
	json_free(doc);
}

/* A book that comes out of the answer is one that would be read back. */
static void
collect(const char *rule_text, const uint8_t *data, size_t size, struct arena *a)
{
	struct meters m;
	struct price_answer answer;
	struct findings findings;
	char path[32];
	int rc, fd = hold(data, size, path);
	const char *from = path;
	struct price_ask ask = {.region = "r", .from = &from, .n_from = 1, .as_of = "2026-08-22"};
	read_meters(rule_text, strlen(rule_text), a, &m, &rc);
	if (rc)
		abort();
	findings_init(&findings, a);
	if (price_collect(&m, &ask, a, &findings, &answer, NULL) == 0 && answer.book.n_rows == 0)
		abort();
	close(fd);
}

static int
count_item(void *ctx, const char *text, size_t n, size_t number, struct err *err)
{
	size_t *sum = ctx;
	(void)err;
	for (size_t i = 0; i < n; i++)
		*sum = *sum * 31 + (unsigned char)text[i];
	*sum += number;
	return 0;
}

static int
count_record(void *ctx, const char *const *fields, size_t n, size_t line, struct err *err)
{
	size_t *sum = ctx;
	(void)err;
	for (size_t i = 0; i < n; i++)
		*sum = *sum * 31 + strlen(fields[i]) + (unsigned char)fields[i][0];
	*sum += line;
	return 0;
}

static int
scan_items(const char *text, size_t n, size_t piece, size_t *sum)
{
	struct items *items = NULL;
	int rc = items_open("x", "Items", count_item, sum, &items, NULL);
	for (size_t i = 0; i < n && rc == 0; i += piece)
		rc = items_put(items, text + i, n - i < piece ? n - i : piece, NULL);
	rc = rc ? rc : items_end(items, NULL);
	items_close(items);
	return rc;
}

static int
scan_csv(const char *text, size_t n, size_t piece, size_t *sum)
{
	struct csv *csv = NULL;
	int rc = csv_open("x", count_record, sum, &csv, NULL);
	for (size_t i = 0; i < n && rc == 0; i += piece)
		rc = csv_put(csv, text + i, n - i < piece ? n - i : piece, NULL);
	rc = rc ? rc : csv_end(csv, NULL);
	csv_close(csv);
	return rc;
}

/* A NUL is looked for a piece at a time, so what came before it may have been handed out. */
static void
compare_pieces(const char *text, size_t n)
{
	size_t whole = 0, pieces = 0;
	int a = scan_items(text, n, n + 1, &whole), b = scan_items(text, n, 7, &pieces);
	if (a != b || whole != pieces)
		abort();
	whole = pieces = 0;
	a = scan_csv(text, n, n + 1, &whole);
	b = scan_csv(text, n, 7, &pieces);
	if ((a != 0) != (b != 0) || (a == 0 && whole != pieces))
		abort();
}

/* One reader for the whole run, when the environment names it. */
static unsigned
choose_reader(uint8_t first)
{
	const char *text = getenv("TIERWISE_FUZZ_READER");
	return text && *text >= '0' && *text <= '3' ? (unsigned)(*text - '0') : first & 3U;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a;
	struct meters m;
	int rc;
	if (size < 1)
		return 0;
	arena_init(&a, 64 << 20);
	unsigned which = choose_reader(data[0]);
	if (which < 3)
		collect(rules[which], data + 1, size - 1, &a);
	else
		read_meters((const char *)data + 1, size - 1, &a, &m, &rc);
	compare_pieces((const char *)data + 1, size - 1);
	arena_fini(&a);
	return 0;
}
