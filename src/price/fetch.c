#include "price/fetch.h"

#include <curl/curl.h>
#include <string.h>

enum { CONNECT_S = 10, TOTAL_S = 120, STALL_S = 20, STALL_B_PER_S = 100, REDIRECTS = 5 };

bool
fetch_is_url(const char *path)
{
	return strncmp(path, "http://", 7) == 0 || strncmp(path, "https://", 8) == 0 ||
	       strncmp(path, "file://", 7) == 0;
}

static size_t
keep(char *bytes, size_t size, size_t n, void *ctx)
{
	struct buf *text = ctx;
	buf_putn(text, bytes, size * n);
	return text->failed ? 0 : size * n; /* 0 ends the transfer */
}

static bool
set_up(CURL *curl, const char *url, struct buf *text, char *reason)
{
	bool secure = strncmp(url, "https://", 8) == 0;
	CURLcode rc = curl_easy_setopt(curl, CURLOPT_URL, url);
	rc |= curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https,file");
	rc |= curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, secure ? "https" : "http,https");
	rc |= curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
	rc |= curl_easy_setopt(curl, CURLOPT_MAXREDIRS, (long)REDIRECTS);
	rc |= curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
	rc |= curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	rc |= curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
	rc |= curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)TOTAL_S);
	rc |= curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)STALL_S);
	rc |= curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, (long)STALL_B_PER_S);
	rc |= curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
	rc |= curl_easy_setopt(curl, CURLOPT_USERAGENT, "tierwise");
	rc |= curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, reason);
	rc |= curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
	rc |= curl_easy_setopt(curl, CURLOPT_WRITEDATA, text);
	return rc == CURLE_OK;
}

int
fetch_url(const char *url, struct buf *text, struct err *err)
{
	size_t before = text->len;
	char reason[CURL_ERROR_SIZE] = "";
	CURL *curl = curl_easy_init();
	if (!curl)
		return err_nomem(err);
	CURLcode rc = set_up(curl, url, text, reason) ? curl_easy_perform(curl) : CURLE_FAILED_INIT;
	curl_easy_cleanup(curl);
	if (text->failed)
		return err_set(err, ERR_RANGE, "%s: larger than %zu bytes, the most read here", url,
			text->max);
	if (rc == CURLE_OK)
		return 0;
	text->len = before;
	return err_set(err, ERR_NET, "%s: %s", url, *reason ? reason : curl_easy_strerror(rc));
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
