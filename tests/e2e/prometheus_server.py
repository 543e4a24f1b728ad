#!/usr/bin/env python3
"""A stand-in for a Prometheus-compatible store, well or badly behaved.

prometheus_server.py PORT_FILE

Listens on a free port of 127.0.0.1, which it writes to PORT_FILE.  The first part of a path says how to behave:
http://127.0.0.1:PORT/MODE/api/v1/query?...
"""
import base64
import http.server
import json
import os
import sys
import time
import urllib.parse

END = 1772445720  # 2026-03-02T10:02:00Z
PLAIN = {"instance": "db-1:9100", "job": "node"}


def series(name, device, per_second, points=9):
    values = [[END - 15 * (points - 1 - i), str(1000 + i * 15 * per_second)] for i in range(points)]
    return {"metric": {"__name__": name, "device": device, **PLAIN}, "values": values}


def matrix(*items, **more):
    return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": list(items)}, **more}).encode()


def fault(kind, text):
    return json.dumps({"status": "error", "errorType": kind, "error": text}).encode()


GOOD = [series("node_disk_reads_completed_total", "vda", 40), series("node_disk_writes_completed_total", "vda", 60)]
FAULTS = {
    "e400": (400, fault("bad_data", "1:40: parse error: unclosed left parenthesis")),
    "toomany": (400, fault("bad_data", "exceeded maximum resolution of 11,000 points per timeseries. "
                           "Try decreasing the query resolution (?step=XX)")),
    "e422": (422, fault("execution", "query processing would load too many samples into memory in query execution")),
    "e503": (503, fault("timeout", "query timed out in expression evaluation")),
    "e404": (404, b"404 page not found\n"),
    "html": (200, b"<!doctype html><p>log in first"),
    "cut": (200, matrix(*GOOD)[:300]),
    "empty": (200, matrix()),
    "once": (200, matrix(series("node_disk_reads_completed_total", "vda", 40, 1))),
    "good": (200, matrix(*GOOD)),
    "warn": (200, matrix(*GOOD, warnings=["1 of 2 stores did not answer: partial response"])),
}


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def answer(self, status, body, length=None, location=None):
        self.send_response(status)
        self.send_header("Content-Length", str(length or len(body)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)

    def allowed(self, mode):
        login = self.headers.get("Authorization")
        if mode == "login":
            return login == "Bearer geheim" and self.headers.get("X-Scope-OrgID") == "team-1"
        return mode != "basic" or login == "Basic " + base64.b64encode(b"me:geheim").decode()

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        mode, _, api = url.path[1:].partition("/")
        query = urllib.parse.parse_qs(url.query).get("query", [""])[0]
        if api not in ("api/v1/query", "api/v1/query_range"):
            self.answer(400, b"no such path")
        elif not self.allowed(mode):
            self.answer(401, b"who are you?")
        elif mode == "away":
            port = self.server.server_address[1]
            self.answer(302, b"", location=f"http://localhost:{port}/good/{api}?{url.query}")
        elif mode == "slow":
            time.sleep(6)  # the client has gone by then
        elif mode == "partial":
            body = matrix(*GOOD)
            self.answer(200, body[:200], length=len(body))
        elif mode == "large":
            self.send_response(200)
            self.end_headers()
            try:
                for _ in range(120):
                    self.wfile.write(b" " * (1 << 20))
            except OSError:
                pass
        elif mode == "other":
            there = [{"metric": {"device": d, "instance": "db-1:9100"}, "value": [END, "1"]} for d in ("sda", "sdb")]
            body = {"status": "success", "data": {"resultType": "vector", "result": there}}
            self.answer(200, json.dumps(body).encode() if query.startswith("count by") else matrix())
        else:
            self.answer(*FAULTS["good" if mode in ("login", "basic") else mode])


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open(sys.argv[1] + ".new", "w") as f:
    f.write(str(server.server_address[1]))
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()
