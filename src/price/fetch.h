/*
 * fetch.h - one document from a URL (http, https or file), bounded in size and time.
 *
 * Thin here: a single GET for a price book or limits kept on a web server.  Asking a provider for its
 * prices (pages, retries, resume) comes with the live update.  Proxies and certificate authorities come
 * from the environment as libcurl reads them; an https URL is never redirected to plain http.
 */
#ifndef PRICE_FETCH_H
#define PRICE_FETCH_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"

/* http://, https:// or file:// */
bool fetch_is_url(const char *path);

/*
 * Append the body to *text.  ERR_NET (no answer, a status of 400 or more, time over; the text names the
 * URL and the reason), ERR_RANGE when larger than the buffer's maximum.  Nothing is kept after a failure.
 */
int fetch_url(const char *url, struct buf *text, struct err *err);

/* json_load() for a path, fetch_url() and json_parse() for a URL. */
int fetch_json(const char *path_or_url, struct json_doc **doc, struct err *err);

#endif /* PRICE_FETCH_H */
