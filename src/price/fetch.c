#include "price/fetch.h"

#include <curl/curl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum {
	CONNECT_S = 10,
	TOTAL_S = 120,
	STALL_S = 20,
	STALL_B_PER_S = 100,
	REDIRECTS = 5,
	RETRIES = 4,
	SAID_MAX = 120, /* of the body of an error answer */
	ERROR_BODY_MAX = 1 << 16,
	URL_TOLD = 120, /* a filter can be longer than a message */
};

struct fetch {
	CURL *curl;
	struct curl_slist *headers;
	struct fetch_how how;
	/* of the request at hand */
	const struct fetch_sink *sink;
	struct err *err;
	size_t body_b;
	bool stopped; /* err tells why: the sink or a limit ended the transfer */
	char said[SAID_MAX + 1];
	char reason[CURL_ERROR_SIZE];
};

bool
fetch_is_url(const char *path)
{
	return strncmp(path, "http://", 7) == 0 || strncmp(path, "https://", 8) == 0 ||
	       strncmp(path, "file://", 7) == 0;
}

void
fetch_how_init(struct fetch_how *how)
{
	*how = (struct fetch_how){
		.max_b = (size_t)64 << 20,
		.connect_s = CONNECT_S,
		.total_s = TOTAL_S,
		.stall_s = STALL_S,
		.retries = RETRIES,
		.wait_s = 5,
		.wait_max_s = 120,
	};
}

/*
 * A URL for a message: without name and password, without the query where that is a key or longer than a
 * message.
 */
static void
tell_url(const char *url, bool hide_query, char told[FETCH_TOLD_SIZE])
{
	size_t scheme = 0;
	const char *colon = strstr(url, "://");
	if (colon)
		scheme = (size_t)(colon + 3 - url);
	const char *rest = url + scheme;
	/* the last @ before the path: a password may hold one itself */
	for (const char *p = rest, *end = rest + strcspn(rest, "/?#"); p < end; p++) {
		if (*p == '@')
			rest = p + 1;
	}
	size_t n = strlen(rest);
	bool cut = scheme + n > URL_TOLD || (hide_query && strchr(rest, '?'));
	if (cut)
		n = strcspn(rest, "?");
	if (scheme > 8)
		scheme = 0; /* none that is fetched here */
	if (scheme + n > URL_TOLD)
		n = URL_TOLD - scheme;
	snprintf(told, FETCH_TOLD_SIZE, "%.*s%.*s%s", (int)scheme, url, (int)n, rest,
		cut ? "?..." : "");
}

_Static_assert((int)FETCH_TOLD_SIZE >= (int)URL_TOLD + 8, "room for the mark of a cut");

void
fetch_told(const char *url, char told[FETCH_TOLD_SIZE])
{
	tell_url(url, false, told);
}

/* What an error answer says, for the message: its first words. */
static void
keep_said(struct fetch *f, const char *bytes, size_t n)
{
	struct buf *body = f->how.error_body;
	if (body && body->len + n <= ERROR_BODY_MAX)
		buf_putn(body, bytes, n);
	size_t have = strlen(f->said), room = SAID_MAX - have;
	memcpy(f->said + have, bytes, n < room ? n : room);
	f->said[have + (n < room ? n : room)] = '\0';
	for (char *p = f->said; *p; p++) {
		if (*p == '\n' || *p == '\r' || *p == '\t')
			*p = ' ';
	}
}

static size_t
on_body(char *bytes, size_t size, size_t n, void *ctx)
{
	struct fetch *f = ctx;
	size_t len = size * n;
	long status = 0;
	curl_easy_getinfo(f->curl, CURLINFO_RESPONSE_CODE, &status);
	f->body_b += len;
	if (status >= 300) {
		keep_said(f, bytes, len);
		return f->body_b > ERROR_BODY_MAX ? 0 : len;
	}
	if (f->body_b > f->how.max_b)
		err_set(f->err, ERR_RANGE, "larger than %zu bytes, the most read here",
			f->how.max_b);
	if (f->body_b > f->how.max_b || f->sink->put(f->sink->ctx, bytes, len, f->err)) {
		f->stopped = true;
		return 0; /* ends the transfer */
	}
	return len;
}

/* libcurl reads proxies from the environment by itself, authorities only in its command. */
static CURLcode
set_authorities(CURL *curl)
{
	const char *file = getenv("CURL_CA_BUNDLE"), *dir = getenv("SSL_CERT_DIR");
	CURLcode rc = CURLE_OK;
	if (!file || !*file)
		file = getenv("SSL_CERT_FILE");
	if (file && *file)
		rc |= curl_easy_setopt(curl, CURLOPT_CAINFO, file);
	if (dir && *dir)
		rc |= curl_easy_setopt(curl, CURLOPT_CAPATH, dir);
	return rc;
}

static CURLcode
set_login(struct fetch *f)
{
	CURLcode rc = CURLE_OK;
	if (f->how.bearer) {
		rc |= curl_easy_setopt(f->curl, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
		rc |= curl_easy_setopt(f->curl, CURLOPT_XOAUTH2_BEARER, f->how.bearer);
	}
	if (f->how.tenant) {
		struct buf line;
		buf_init(&line, 4096);
		buf_printf(&line, "X-Scope-OrgID: %s", f->how.tenant);
		f->headers = line.failed ? NULL : curl_slist_append(NULL, buf_text(&line));
		buf_fini(&line);
		rc |= f->headers ? curl_easy_setopt(f->curl, CURLOPT_HTTPHEADER, f->headers)
				 : CURLE_OUT_OF_MEMORY;
	}
	return rc;
}

static bool
set_up(struct fetch *f)
{
	CURL *curl = f->curl;
	CURLcode rc = curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https,file");
	rc |= curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
	rc |= curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	rc |= curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)f->how.connect_s);
	rc |= curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)f->how.total_s);
	rc |= curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)f->how.stall_s);
	rc |= curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, (long)STALL_B_PER_S);
	rc |= curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
	rc |= curl_easy_setopt(curl, CURLOPT_USERAGENT, "tierwise");
	rc |= curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, f->reason);
	rc |= curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
	rc |= curl_easy_setopt(curl, CURLOPT_WRITEDATA, f);
	rc |= set_authorities(curl);
	rc |= set_login(f);
	return rc == CURLE_OK;
}

int
fetch_open(const struct fetch_how *how, struct fetch **fetch, struct err *err)
{
	struct fetch *f = calloc(1, sizeof(*f));
	*fetch = NULL;
	if (!f)
		return err_nomem(err);
	f->how = *how;
	f->curl = curl_easy_init();
	if (!f->curl || !set_up(f)) {
		fetch_close(f);
		return err_nomem(err);
	}
	*fetch = f;
	return 0;
}

void
fetch_close(struct fetch *fetch)
{
	if (!fetch)
		return;
	curl_easy_cleanup(fetch->curl);
	curl_slist_free_all(fetch->headers);
	free(fetch);
}

/* One part of a URL into text, "" when it has none. */
static bool
url_part(CURLU *u, CURLUPart part, char *text, size_t size)
{
	char *value = NULL;
	if (curl_url_get(u, part, &value, CURLU_DEFAULT_PORT) != CURLUE_OK || !value)
		return false;
	size_t n = strlen(value);
	if (n < size)
		memcpy(text, value, n + 1);
	curl_free(value);
	return n < size;
}

bool
fetch_same_host(const char *a, const char *b)
{
	static const CURLUPart parts[] = {CURLUPART_SCHEME, CURLUPART_HOST, CURLUPART_PORT};
	CURLU *ua = curl_url(), *ub = curl_url();
	bool same = ua && ub && curl_url_set(ua, CURLUPART_URL, a, 0) == CURLUE_OK &&
		    curl_url_set(ub, CURLUPART_URL, b, 0) == CURLUE_OK;
	for (size_t i = 0; same && i < sizeof(parts) / sizeof(parts[0]); i++) {
		char ta[300], tb[300];
		same = url_part(ua, parts[i], ta, sizeof(ta)) &&
		       url_part(ub, parts[i], tb, sizeof(tb)) && strcasecmp(ta, tb) == 0;
	}
	curl_url_cleanup(ua);
	curl_url_cleanup(ub);
	return same;
}

static int
check_redirect(const struct fetch *f, const char *from, const char *to, struct err *err)
{
	bool secure = strncasecmp(from, "https://", 8) == 0;
	bool to_secure = strncasecmp(to, "https://", 8) == 0;
	bool confined = f->how.same_host || f->how.bearer || f->how.tenant;
	char told[FETCH_TOLD_SIZE];
	tell_url(to, f->how.hide_query, told);
	if (!to_secure && (secure || strncasecmp(to, "http://", 7) != 0))
		return err_set(err, ERR_NET, "redirects to %s, which is not followed", told);
	if (confined && !fetch_same_host(from, to))
		return err_set(err, ERR_NET,
			"redirects to another host (%s), which is not followed; if that is the "
			"right place, name it%s",
			told, f->how.same_host ? " with --from" : " instead");
	return 0;
}

/* One request with its redirects.  *rc is libcurl's; an error of ours is returned. */
static int
ask(struct fetch *f, const char *url, CURLcode *rc, long *status)
{
	char *at = strdup(url);
	int failed = at ? 0 : err_nomem(f->err);
	for (int hops = 0; at && !failed; hops++) {
		f->body_b = 0;
		f->said[0] = f->reason[0] = '\0';
		if (f->how.error_body)
			fetch_restart_text(f->how.error_body);
		*status = 0;
		*rc = curl_easy_setopt(f->curl, CURLOPT_URL, at);
		if (*rc == CURLE_OK)
			*rc = curl_easy_perform(f->curl);
		curl_easy_getinfo(f->curl, CURLINFO_RESPONSE_CODE, status);
		char *to = NULL;
		curl_easy_getinfo(f->curl, CURLINFO_REDIRECT_URL, &to);
		if (f->stopped || *rc != CURLE_OK || *status < 300 || *status > 399 || !to)
			break;
		if (hops == REDIRECTS) {
			failed = err_set(f->err, ERR_NET, "more than %d redirects", REDIRECTS);
			break;
		}
		failed = check_redirect(f, at, to, f->err);
		char *next = failed ? NULL : strdup(to);
		if (!failed && !next)
			failed = err_nomem(f->err);
		free(at);
		at = next;
	}
	free(at);
	return failed;
}

/* Faults that pass. */
static bool
passes(CURLcode rc, long status)
{
	if (rc == CURLE_OK)
		return status == 429 || status == 500 || (status >= 502 && status <= 504);
	return rc == CURLE_OPERATION_TIMEDOUT || rc == CURLE_RECV_ERROR || rc == CURLE_SEND_ERROR ||
	       rc == CURLE_GOT_NOTHING || rc == CURLE_PARTIAL_FILE || rc == CURLE_HTTP2 ||
	       rc == CURLE_HTTP2_STREAM;
}

static const char *
what_next(long status)
{
	if (status == 429)
		return "too many requests: wait some minutes and try again";
	if (status == 401 || status == 403 || status == 407)
		return "refused: does a proxy or gateway want a login?";
	if (status == 404 || status == 400)
		return "check the region and the address";
	if (status >= 500)
		return "a fault of the service: try again later";
	return "an answer that is not understood";
}

static int
say_failure(struct fetch *f, CURLcode rc, long status, int tries)
{
	char after[40] = "";
	if (tries > 1)
		snprintf(after, sizeof(after), " after %d tries", tries);
	if (rc == CURLE_OK)
		return err_set(f->err, ERR_NET, "HTTP status %ld%s%s%s%s; %s", status, after,
			f->said[0] ? ", \"" : "", f->said, f->said[0] ? "\"" : "",
			what_next(status));
	const char *reason = f->reason[0] ? f->reason : curl_easy_strerror(rc);
	const char *todo = "";
	if (rc == CURLE_PEER_FAILED_VERIFICATION)
		todo = "; name its authority with SSL_CERT_FILE or CURL_CA_BUNDLE";
	else if (rc == CURLE_COULDNT_RESOLVE_HOST || rc == CURLE_COULDNT_CONNECT)
		todo = "; is there a network, or a proxy to name in https_proxy?";
	return err_set(f->err, ERR_NET, "%s%s%s", reason, after, todo);
}

static void
sleep_s(double seconds)
{
	struct timespec t = {(time_t)seconds, (long)(fmod(seconds, 1) * 1e9)};
	nanosleep(&t, NULL);
}

/* Wait as asked, else longer each time.  ERR_NET when the service asks for more than we have. */
static int
wait_for(struct fetch *f, const char *url, int tries, long status)
{
	curl_off_t asked_s = 0;
	curl_easy_getinfo(f->curl, CURLINFO_RETRY_AFTER, &asked_s);
	double seconds = asked_s > 0 ? (double)asked_s : ldexp(f->how.wait_s, tries - 1);
	if (asked_s > 0 && seconds > f->how.wait_max_s)
		return err_set(f->err, ERR_NET,
			"HTTP status %ld, and asks to wait %.0f s, more than the %.0f s waited "
			"here; try again then",
			status, seconds, f->how.wait_max_s);
	if (seconds > f->how.wait_max_s)
		seconds = f->how.wait_max_s;
	if (f->how.say) {
		char line[400], what[100];
		if (status >= 300)
			snprintf(what, sizeof(what), "HTTP status %ld", status);
		else
			snprintf(what, sizeof(what), "%.90s", f->reason);
		char told[FETCH_TOLD_SIZE];
		tell_url(url, f->how.hide_query, told);
		snprintf(line, sizeof(line), "%s: %s; try %d of %d in %.3g s%s", told, what,
			tries + 1, f->how.retries + 1, seconds, asked_s > 0 ? " as asked" : "");
		f->how.say(f->how.say_ctx, line);
	}
	sleep_s(seconds);
	return 0;
}

int
fetch_get(struct fetch *fetch, const char *url, const struct fetch_sink *sink, long *status,
	struct err *err)
{
	struct err reason = {0};
	long last = 0;
	int rc = 0;
	fetch->sink = sink;
	fetch->err = &reason;
	fetch->stopped = false;
	for (int tries = 1; rc == 0; tries++) {
		CURLcode curl_rc = CURLE_OK;
		rc = ask(fetch, url, &curl_rc, &last);
		if (fetch->stopped)
			rc = (int)reason.code;
		if (rc || (curl_rc == CURLE_OK && last < 300))
			break;
		if (!passes(curl_rc, last) || tries > fetch->how.retries)
			rc = say_failure(fetch, curl_rc, last, tries);
		else
			rc = wait_for(fetch, url, tries, last);
		if (rc == 0 && sink->restart)
			sink->restart(sink->ctx);
	}
	if (status)
		*status = last;
	if (rc == 0)
		return 0;
	char told[FETCH_TOLD_SIZE];
	tell_url(url, fetch->how.hide_query, told);
	return err_set(err, (enum err_code)rc, "%s: %s", told, reason.text);
}

int
fetch_put_text(void *text, const char *bytes, size_t n, struct err *err)
{
	struct buf *b = text;
	buf_putn(b, bytes, n);
	return b->failed ? err_set(err, ERR_RANGE, "larger than %zu bytes, the most read here",
				   b->max)
			 : 0;
}

void
fetch_restart_text(void *text)
{
	struct buf *b = text;
	b->len = 0;
	b->failed = false;
}

int
fetch_url(const char *url, struct buf *text, struct err *err)
{
	size_t before = text->len;
	struct fetch *f = NULL;
	struct fetch_how how;
	fetch_how_init(&how);
	how.max_b = text->max;
	how.retries = 0;
	int rc = fetch_open(&how, &f, err);
	if (!f)
		return rc;
	rc = fetch_get(f, url, &(struct fetch_sink){fetch_put_text, NULL, text}, NULL, err);
	fetch_close(f);
	if (rc)
		text->len = before;
	return rc;
}

int
fetch_json(const char *path_or_url, struct json_doc **doc, struct err *err)
{
	if (!fetch_is_url(path_or_url))
		return json_load(path_or_url, 0, doc, err);
	*doc = NULL;
	struct buf text;
	buf_init(&text, 0);
	int rc = fetch_url(path_or_url, &text, err);
	if (rc == 0)
		rc = json_parse(path_or_url, buf_text(&text), text.len, doc, err);
	buf_fini(&text);
	return rc;
}
