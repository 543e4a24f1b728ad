#!/usr/bin/env bash
# A price book and limits from a web server: read when it answers well, one clear error when not.
set -eu
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy || true
work=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
cat >"$work/server.py" <<'P'
import http.server, pathlib, sys
data = pathlib.Path(sys.argv[1])
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args): pass
    def answer(self, status, body, headers=()):
        self.send_response(status)
        for name, value in headers: self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
    def do_GET(self):
        p = self.path
        if p.startswith("/pricing/"): self.answer(200, (data / p[1:]).read_bytes())
        elif p == "/moved": self.answer(302, b"", [("Location", "/pricing/azure-westeurope.json")])
        elif p == "/loop": self.answer(302, b"", [("Location", "/loop")])
        elif p == "/to-file": self.answer(302, b"", [("Location", "file:///etc/passwd")])
        elif p == "/html": self.answer(200, b"<!doctype html><p>log in first")
        elif p == "/cut": self.answer(200, (data / "pricing/azure-westeurope.json").read_bytes()[:5040])
        elif p == "/short": self.answer(200, b"{}", [("Content-Length", "5000")])
        elif p == "/large":
            self.send_response(200); self.end_headers()
            try:
                for i in range(80): self.wfile.write(b" " * (1 << 20))
            except OSError: pass
        else: self.answer(500, b"broken")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
P
python3 "$work/server.py" "$TIERWISE_SOURCE" >"$work/port" &
server=$!
for _ in $(seq 50); do [ -s "$work/port" ] && break; sleep 0.1; done
base=http://127.0.0.1:$(cat "$work/port")
failed=0
# try URL EXIT PATTERN: `prices list` from the URL.
try() {
	local status=0
	"$TIERWISE" prices list --prices "$1" >"$work/out" 2>"$work/err" || status=$?
	# shellcheck disable=SC2053
	if [ "$status" != "$2" ] || [[ $(cat "$work/err") != $3 ]] || { [ "$2" != 0 ] && [ -s "$work/out" ]; }; then
		echo "$1: exit $status, $(head -c 300 "$work/err")"
		failed=1
	fi
}
try "$base/pricing/azure-westeurope.json" 0 "*prices of azure-westeurope*"
cp "$work/out" "$work/from-web"
"$TIERWISE" prices list --prices "$TIERWISE_SOURCE/pricing/azure-westeurope.json" 2>/dev/null >"$work/from-file"
cmp "$work/from-web" "$work/from-file" || failed=1
try "$base/moved" 0 "*prices of azure-westeurope*"
try "file://$TIERWISE_SOURCE/pricing/azure-westeurope.json" 0 "*prices of azure-westeurope*"
try "$base/loop" 1 "tierwise: $base/loop: *redirect*"
try "$base/to-file" 1 "tierwise: $base/to-file: *"
try "$base/none" 1 "tierwise: $base/none: *500*"
try "$base/html" 2 "tierwise: $base/html:1:1: not JSON here*"
try "$base/cut" 2 "tierwise: $base/cut:*ends early: cut after 5040 bytes*"
try "$base/short" 1 "tierwise: $base/short: *"
try "$base/large" 2 "tierwise: $base/large: larger than 67108864 bytes*"
kill "$server"
wait "$server" 2>/dev/null || true
try "$base/pricing/azure-westeurope.json" 1 "tierwise: $base/pricing/azure-westeurope.json: *"
exit "$failed"
