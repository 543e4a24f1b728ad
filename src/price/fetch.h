/*
 * fetch.h - documents from a URL (http, https or file), bounded in size, time and patience.
 *
 * Proxies (http_proxy, https_proxy, all_proxy, no_proxy) come from the environment as libcurl reads them,
 * certificate authorities from CURL_CA_BUNDLE, SSL_CERT_FILE or SSL_CERT_DIR before the system's own.  An
 * https URL is never redirected to plain http, nothing is redirected to a file.  A name and password in a URL
 * (http://name:password@host/) are used and never told in a message.
 */
#ifndef PRICE_FETCH_H
#define PRICE_FETCH_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"

/* http://, https:// or file:// */
bool fetch_is_url(const char *path);

enum { FETCH_TOLD_SIZE = 128 };

/* A URL for a message: without name and password, and cut when long. */
void fetch_told(const char *url, char told[FETCH_TOLD_SIZE]);

/*
 * Append the body to *text.  ERR_NET (no answer, a status of 300 or more, time over; the text names the
 * URL and the reason), ERR_RANGE when larger than the buffer's maximum.  Nothing is kept after a failure.
 */
int fetch_url(const char *url, struct buf *text, struct err *err);

/* json_load() for a path, fetch_url() and json_parse() for a URL. */
int fetch_json(const char *path_or_url, struct json_doc **doc, struct err *err);

/* Whether both URLs have the same scheme, host and port; ":443" of https is no difference. */
bool fetch_same_host(const char *a, const char *b);

/* One line about a wait, for a person. */
typedef void fetch_say(void *ctx, const char *line);

/* How a service is asked. */
struct fetch_how {
	size_t max_b; /* most bytes of one body, after decoding */
	int connect_s, total_s; /* total_s 0: as long as bytes come */
	int stall_s; /* given up after this long with less than 100 bytes a second */
	int retries; /* more tries after 429, 500, 502, 503, 504 and broken connections */
	double wait_s; /* before the second try where the service asks for no other; doubles */
	double wait_max_s; /* the longest wait a service may ask for */
	bool same_host; /* a redirect to another host is an error */
	bool hide_query; /* messages leave out what follows the '?': a key */
	const char *
		bearer; /* token of "Authorization: Bearer", sent to the first host only; borrowed */
	const char *tenant; /* of stores that serve several: X-Scope-OrgID; borrowed */
	struct buf *
		error_body; /* gets the body of an answer of 400 or more, 64 KiB at most; NULL: not kept */
	fetch_say *say; /* told before each wait; NULL: nobody */
	void *say_ctx;
};

/* Patience for a book or a page of prices: 10 s to connect, 120 s in all, 4 retries from 5 s on. */
void fetch_how_init(struct fetch_how *how);

/* Where a body goes. */
struct fetch_sink {
	int (*put)(void *ctx, const char *bytes, size_t n, struct err *err); /* 0, or ends it */
	void (*restart)(void *ctx); /* forget what came: the body begins again */
	void *ctx;
};

/* put() and restart() of a sink that fills a struct buf from empty. */
int fetch_put_text(void *text, const char *bytes, size_t n, struct err *err);
void fetch_restart_text(void *text);

struct fetch; /* a connection kept from one request to the next */

int fetch_open(const struct fetch_how *how, struct fetch **fetch, struct err *err);
void fetch_close(struct fetch *fetch);

/*
 * Ask for one URL and hand the body of a good answer to the sink as it comes.  *status (may be NULL)
 * is that of the last answer, 0 when there was none.  ERR_NET with URL, status and what to do next;
 * ERR_RANGE for a body over the limit; the sink's own error.
 */
int fetch_get(struct fetch *fetch, const char *url, const struct fetch_sink *sink, long *status,
	struct err *err);

#endif /* PRICE_FETCH_H */
