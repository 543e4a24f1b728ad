#!/usr/bin/env python3
"""page_server.py CATALOGUE PORT-FILE - a catalogue of make_catalogue.py page by page, as the Azure interface serves it.

1,000 items a page, a NextPageLink with $skip until the last; the items are those bytes of the file.  The filter for
disks on demand gets them all (as the interface does where it does not understand a filter), any other gets none.
"""
import http.server
import mmap
import os
import sys
import urllib.parse

PAGE = 1000
HEAD = b'{"BillingCurrency":"USD","CustomerEntityId":"Default","CustomerEntityType":"Retail","Items":['


def page_places(data):
    """Where each page begins, and where the last ends: items are on lines of their own."""
    start, end = data.find(b'"Items": [') + len(b'"Items": ['), data.rfind(b'], "NextPageLink"')
    places, at, n = [start], start, 0
    while True:
        at = data.find(b",\n", at, end)
        if at < 0:
            return places + [end], n + 1
        at += 2
        n += 1
        if n % PAGE == 0:
            places.append(at)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def do_GET(self):
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        wanted, page = query.get("$filter", ""), int(query.get("$skip", 0)) // PAGE
        if "'Storage'" in wanted and "'Consumption'" in wanted:
            items = self.data[self.places[page]:self.places[page + 1]].rstrip(b",\n")
            more = page + 2 < len(self.places)
            count = PAGE if more else self.n - PAGE * page
            query["$skip"] = str((page + 1) * PAGE)
            link = f"http://{self.headers['Host']}/p?" + urllib.parse.urlencode(query) if more else ""
        else:
            items, count, link = b"", 0, ""
        body = HEAD + items + b'],"NextPageLink":"%s","Count":%d}' % (link.encode(), count)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main():
    with open(sys.argv[1], "rb") as file:
        Handler.data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    Handler.places, Handler.n = page_places(Handler.data)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with open(sys.argv[2] + ".new", "w") as file:
        file.write(f"{server.server_address[1]}")
    os.rename(sys.argv[2] + ".new", sys.argv[2])
    server.serve_forever()


main()
