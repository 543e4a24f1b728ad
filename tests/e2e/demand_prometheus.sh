#!/usr/bin/env bash
# demand of a live Prometheus with a node_exporter that watches a real disk under a real load: the same as of that
# server's own dump, and as python makes of it; then each way in which a store can fail, by its own message.
set -eu
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy TIERWISE_PROMETHEUS_TOKEN TIERWISE_PROMETHEUS_TENANT || true
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
pids=()
stop() {
	for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
	wait 2>/dev/null || true
	rm -rf "$work"
}
trap stop EXIT
failed=0
complain() {
	echo "$1: exit $status, $(head -c 600 "$work/err")"
	failed=1
}

# --- ways to fail, and logins -----------------------------------------------------------------------------------
python3 "$here/prometheus_server.py" "$work/port" &
pids+=($!)
for _ in $(seq 100); do [ -s "$work/port" ] && break; sleep 0.1; done
fake=127.0.0.1:$(cat "$work/port")

# try URL EXIT PATTERN [OPTION...]
try() {
	local url=$1 want=$2 pattern=$3
	shift 3
	status=0
	"$TIERWISE" demand "$url" --device vda --range 2m --at 2026-03-02T10:02:00Z --timeout 2s "$@" \
		>"$work/out" 2>"$work/err" || status=$?
	# shellcheck disable=SC2053
	if [ "$status" != "$want" ] || [[ $(cat "$work/err") != $pattern ]]; then
		complain "$url"
	fi
	if grep -q geheim "$work/out" "$work/err"; then
		echo "$url: the password is told"
		failed=1
	fi
}

try "http://$fake/good" 0 '*a Prometheus-compatible store*'
grep -q 'db-1:9100:vda' "$work/out" || { echo "good: no device in the table"; failed=1; }
try "http://me:geheim@$fake/e400" 1 '*HTTP status 400: the store answers bad_data: 1:40: parse error: unclosed left parenthesis; the query is no PromQL*'
try "http://$fake/toomany" 1 '*HTTP status 400: *exceeded maximum resolution of 11,000 points*; ask for a shorter range or with a larger step*'
try "http://$fake/e422" 1 '*HTTP status 422: the store answers execution: query processing would load too many samples*; ask for a shorter range, a larger step, one device*'
try "http://$fake/e503" 1 '*HTTP status 503: the store answers timeout: query timed out in expression evaluation; the store gave up for time*'
try "http://$fake/empty" 2 '*refused: no series: the store has no node_disk_reads_completed_total at that time*'
try "http://$fake/other" 2 '*refused: no series match; at that time there are sda of db-1:9100, sdb of db-1:9100: correct --device*'
try "http://$fake/slow" 1 '*no whole answer in 2 s: a shorter --range*'
try "http://$fake/partial" 1 '*the answer broke off before its end: ask again*'
try "http://$fake/cut" 1 '*an answer that is cut or no answer of a store: *'
try "http://$fake/warn" 0 '*a Prometheus-compatible store*'
grep -q 'partial' "$work/out" || { echo "warn: the store's warning is not told"; failed=1; }
try "http://$fake/html" 1 '*the answer is no JSON (a login page, a proxy?)*'
try "http://$fake/e404" 1 '*HTTP status 404: no store answers at /api/v1 there: give the path before it*'
try "http://$fake/once" 2 '*one scrape only in that time*'
try "http://$fake/large" 1 '*the answer is larger than 96 MiB: a shorter --range*'
try "http://$fake/good" 2 '*--range 120 s with --step 0.01 s are 12000 points*a step of 1 s or more*' --step 10ms
try "http://$fake/login" 1 '*HTTP status 401: it wants a login: a token in TIERWISE_PROMETHEUS_TOKEN*'
TIERWISE_PROMETHEUS_TOKEN=geheim TIERWISE_PROMETHEUS_TENANT=team-1 try "http://$fake/login" 0 '*a Prometheus-compatible store*'
try "http://me:geheim@$fake/basic" 0 '*a Prometheus-compatible store*'
TIERWISE_PROMETHEUS_TOKEN=geheim try "http://$fake/away" 1 '*redirects to another host (http://*), which is not followed; if that is the right place, name it instead*'

# --- the real thing ---------------------------------------------------------------------------------------------
[ $failed = 0 ] || exit 1
for program in prometheus prometheus-node-exporter; do
	command -v $program >/dev/null || { echo "skipped after the answers of a stand-in: no $program (Debian package)"; exit 77; }
done
read -r port_store port_node < <(python3 -c 'import socket
s = [socket.socket() for _ in range(2)]
for x in s: x.bind(("127.0.0.1", 0))
print(*(x.getsockname()[1] for x in s))')
cat >"$work/prometheus.yml" <<Y
global: {scrape_interval: 1s}
scrape_configs: [{job_name: node, static_configs: [{targets: ['127.0.0.1:$port_node']}]}]
Y
prometheus-node-exporter --web.listen-address="127.0.0.1:$port_node" --collector.disable-defaults --collector.diskstats \
	>"$work/node.log" 2>&1 &
pids+=($!)
prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/data" --web.listen-address="127.0.0.1:$port_store" \
	>"$work/store.log" 2>&1 &
pids+=($!)
store=http://127.0.0.1:$port_store
# bytes written of every device: the one with the most more of them after the load is the one under $work
written() {
	python3 - "http://127.0.0.1:$port_node/metrics" <<'P'
import re, sys, time, urllib.request
for _ in range(100):
    try: text = urllib.request.urlopen(sys.argv[1], timeout=5).read().decode(); break
    except OSError: time.sleep(0.1)
for d, v in re.findall(r'^node_disk_written_bytes_total\{device="([^"]+)"\} (\S+)', text, re.M): print(d, float(v))
P
}
# scrapes that the store holds of any disk in the last 12 s
scrapes() {
	python3 - "$store" <<'P'
import json, sys, urllib.parse, urllib.request
url = sys.argv[1] + "/api/v1/query?" + urllib.parse.urlencode(
    {"query": "max(count_over_time(node_disk_reads_completed_total[12s]))"})
try: print(json.load(urllib.request.urlopen(url, timeout=5))["data"]["result"][0]["value"][1])
except (OSError, LookupError): print(0)
P
}
written >"$work/before"
for _ in $(seq 30); do
	dd if=/dev/zero of="$work/load" bs=64k count=300 oflag=direct conv=fdatasync 2>/dev/null ||
		dd if=/dev/zero of="$work/load" bs=64k count=300 conv=fdatasync 2>/dev/null
	sleep 0.7
	[ "$(scrapes)" -lt 11 ] || break
done
[ "$(scrapes)" -ge 11 ] || { echo "the store did not scrape: $(tail -3 "$work/store.log" "$work/node.log")"; exit 1; }
written >"$work/after"
device=$(join "$work/before" "$work/after" | awk '$3-$2 > most { most = $3-$2; d = $1 } END { print d }')
[ -n "$device" ] || { echo "skipped: no disk of this machine shows in /proc/diskstats what is written under $work"; exit 77; }

at=$(date +%s)
range=12
python3 - "$store" "$at" "$range" "$device" "$work/dump.json" <<'P'
import sys, urllib.parse, urllib.request
base, at, seconds, device, out = sys.argv[1:]
query = f'{{__name__=~"node_disk_.+_total",device="{device}"}}[{seconds}s]'
url = base + "/api/v1/query?" + urllib.parse.urlencode({"query": query, "time": at})
open(out, "wb").write(urllib.request.urlopen(url, timeout=10).read())
P
ask() {
	"$TIERWISE" demand "$@" --format json >"$work/out" 2>"$work/err" || { status=$?; complain "$*"; }
}
ask "$store" --device "$device" --range "${range}s" --at "$at"
cp "$work/out" "$work/live.json"
ask "$work/dump.json"
cp "$work/out" "$work/file.json"
ask "$store" --device "$device" --range "${range}s" --at "$at" --step 4s
cp "$work/out" "$work/steps.json"
[ $failed = 0 ] || exit 1
python3 "$here/prometheus_compare.py" "$work"
