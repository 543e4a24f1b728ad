#!/usr/bin/env bash
# `tierwise prices update azure` against a server that behaves well, badly, and very badly.  Prints a table of
# what the program did in each case: exit status, whether the old book is untouched, requests, what it said.
set -u
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
here=$(cd "$(dirname "$0")" && pwd)
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY no_proxy NO_PROXY
unset CURL_CA_BUNDLE SSL_CERT_FILE SSL_CERT_DIR XDG_CACHE_HOME
work=$(mktemp -d) || exit 1
servers=
trap 'for p in $servers; do kill "$p" 2>/dev/null; done; wait 2>/dev/null; rm -rf "$work"' EXIT
export HOME=$work/home
mkdir "$HOME"
failed=0
fail() { echo "FAILED: $*"; failed=1; }

# serve NAME [OPTIONS...]: a server; its port in $work/NAME
serve() {
	python3 "$here/price_server.py" "$work/$1" "${@:2}" &
	servers="$servers $!"
	for _ in $(seq 100); do [ -s "$work/$1" ] && return; sleep 0.1; done
	echo "the server $1 did not start"
	exit 1
}
serve plain
base=http://127.0.0.1:$(cat "$work/plain")
# a data folder of its own: no shipped book of the region to be compared with
export TIERWISE_DATA_DIR=$work/data
mkdir -p "$work/data/pricing"
cp "$TIERWISE_SOURCE"/pricing/meters-*.json "$work/data/pricing/"

update() { # MODE [OPTIONS...]
	"$TIERWISE" prices update azure testregion --from "$base/$1" --retry-wait 50ms --stall 2 "${@:2}"
}
requests() { python3 -c 'import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).read().decode())' "$base/count/$1"; }

update ok -o "$work/first.json" >"$work/out" 2>"$work/err" || { cat "$work/err"; fail "no first book"; exit 1; }
# a good answer writes the same book again, but for the address in "source"
sum_of() { grep -v '"source"' "$1" | sha256sum; }
sum=$(sum_of "$work/first.json")

# row FAMILY SKU REDUNDANCY ITEM -> prices of the first book
row() {
	python3 - "$work/first.json" "$@" <<'P'
import json, sys
book = json.load(open(sys.argv[1]))
print(" ".join(f"{r['price']:.10g}@{r.get('tier_min', 0):g}{'/' + r['term'] if 'term' in r else ''}" for r in book["rows"] if
      [r["family"], r.get("sku", "-"), r.get("redundancy", "-"), r["item"]] == sys.argv[2:]))
P
}
is() { # WHAT GOT WANTED
	[ "$2" = "$3" ] || fail "$1: got '$2', wanted '$3'"
}
# prices as the server invents them: 0.75 * 2^i for the i-th size, mount a 18th, ZRS 1.5 times
is "P30 under its new name" "$(row premium_ssd P30 LRS disk)" "192@0"
is "P40 under its old name" "$(row premium_ssd P40 LRS disk)" "384@0"
is "mount of P30" "$(row premium_ssd P30 LRS mount)" "10.666667@0"
is "P30 ZRS" "$(row premium_ssd P30 ZRS disk)" "288@0"
is "tiers in the wrong order" "$(row premium_ssd_v2 PremiumV2_LRS LRS iops)" "0@0 8e-06@3000"
is "tiers as strings" "$(row premium_ssd_v2 PremiumV2_LRS LRS throughput)" "0@0 6.5e-05@125"
is "machine: no Spot, no Windows, no DevTest" "$(row vm Standard_E8ds_v5 - vm)" \
	"0.692@0 3576@0/1 year reservation 0.47@0/1 year savings plan 6910@0/3 years reservation 0.33@0/3 years savings plan"
is "P80 and a year of it: no mount, no page blob" "$(row premium_ssd P80 LRS disk)" "6144@0 67584@0/1 year reservation"
grep -q 'premium_ssd burst LRS' "$work/out" || fail "a row nobody published is not named"
grep -q 'standard_ssd disk LRS: E1, E2, E3' "$work/out" || fail "unknown rows are not grouped"

printf '%-14s %4s  %-9s %8s  %s\n' case exit "old book" requests said
# try MODE EXIT kept|new PATTERN [OPTIONS...]: stderr (and the table on stdout) must match PATTERN
try() {
	local mode=$1 want=$2 fate=$3 pattern=$4 status=0 now=kept said
	cp "$work/first.json" "$work/book.json"
	update "$mode" -o "$work/book.json" "${@:5}" >"$work/out" 2>"$work/err" || status=$?
	[ "$sum" = "$(sum_of "$work/book.json")" ] || now=new
	said=$(tail -1 "$work/err" | sed "s|$work|DIR|g; s|$base|BASE|g")
	printf '%-14s %4s  %-9s %8s  %.150s\n' "$mode" "$status" "$now" "$(requests "$mode")" "${said:-(nothing)}"
	[ "$status" = "$want" ] || fail "$mode: exit $status, wanted $want: $(cat "$work/err")"
	[ "$now" = "$fate" ] || fail "$mode: the old book is $now, wanted $fate"
	# shellcheck disable=SC2053
	[[ $(cat "$work/err" "$work/out") == $pattern ]] || fail "$mode: wanted '$pattern' in: $(cat "$work/err" "$work/out")"
	# shellcheck disable=SC2086
	set -- "$work"/book.json.* && [ ! -e "$1" ] || fail "$mode: left $1"
}
untouched='*book.json is left as it was: *'
try ok 0 kept '*No price changed*'
try gzip 0 kept '*No price changed*'
try moved 0 kept '*No price changed*'
try overlap 0 kept '*No price changed*'
try 429 0 kept '*HTTP status 429; try 2 of 5 in 0.05 s*'
try 429ask 0 kept '*HTTP status 429; try 2 of 5 in 1 s as asked*'
try 429ever 1 kept "$untouched"'*HTTP status 429 after 3 tries*Too many requests*wait some minutes*' --retries 2
try 429long 1 kept "$untouched"'*asks to wait 4000 s*'
try 500once 0 kept '*HTTP status 500; try 2 of 5*'
try 500 1 kept "$untouched"'*HTTP status 500 after 2 tries*try again later*' --retries 1
try 403 1 kept "$untouched"'*HTTP status 403*login*'
try 404 1 kept "$untouched"'*HTTP status 404*check the region*'
try empty 5 kept "$untouched"'*the answer is empty*testregion*'
try html 2 kept "$untouched"'*not JSON here*'
try nothing 2 kept "$untouched"'*empty, a JSON document was expected*'
try cut 2 kept "$untouched"'*ends early: cut after * bytes*'
try short 1 kept "$untouched"'*after 2 tries*' --retries 1
try loop 1 kept "$untouched"'*the pages go round in circles*'
try selflink 1 kept "$untouched"'*leads back to page 1*'
try endless 1 kept "$untouched"'*the pages go round in circles*'
try onward 1 kept "$untouched"'*more than 7 pages*--max-pages*' --max-pages 7
try elsewhere 1 kept "$untouched"'*leads to another host (http://prices.example*'
try redirect 1 kept "$untouched"'*redirects to another host (http://localhost*'
try circle 1 kept "$untouched"'*more than 5 redirects*'
try tofile 1 kept "$untouched"'*redirects to file:///etc/passwd*'
try emptylink 1 kept "$untouched"'*an empty page with a link to another*'
try miscount 2 kept "$untouched"'*Count says 101 items, there are 100*'
try drip 1 kept "$untouched"'*' --retries 0
try large 2 kept "$untouched"'*larger than 16777216 bytes*'
try bomb 2 kept "$untouched"'*larger than 16777216 bytes*'
# the fault of 2023-03-10: a full page, an empty link, and more behind it
try fullempty 0 kept '*price-link-lost*No price changed*'
try fullend 0 kept '*No price changed*' # exactly a hundred items: asked for more, and there are none
try fullsame 1 kept "$untouched"'*exactly 100 items*'
# prices that make no sense
try twice 5 kept "$untouched"'*P30 LRS disk*192*1.25*1.26*'
try zero 5 kept "$untouched"'*P30 LRS disk*costs 0*'
try negative 5 kept "$untouched"'*P30 LRS disk*costs -1.5*'
try text 5 kept "$untouched"'*P30 LRS disk*costs nan*'
try contradiction 5 kept "$untouched"'*P30*two prices*'
try dollars 5 kept "$untouched"'*P30*priced in "XXX"*USD was asked for*'
try fortnight 5 kept "$untouched"'*1/Fortnight*'
# drift
try little 0 new '*wrote*+19.2*+10.00*'
try dear 2 kept "$untouched"'*premium_ssd moves 1 price by more than 20 %*--accept-drift*+50.00*'
try dear 0 new '*+50.00*' --accept-drift
try dear 0 new '*+50.00*' --max-change 60%
try unit 2 kept "$untouched"'*premium_ssd changes 1 unit (1/Month to 1/Hour)*now*1/Hour*'
try lost 2 kept "$untouched"'*premium_ssd loses 14 rows*Removed (14)*P80*'
try lost 0 new '*Removed (14)*' --accept-drift
kill "${servers##* }"
wait "${servers##* }" 2>/dev/null
base=http://127.0.0.1:9
requests() { echo -; }
try nobody 1 kept "$untouched"'*http://127.0.0.1:9/nobody*' --retries 0
base=http://no-such-host.invalid
try noname 1 kept "$untouched"'*' --retries 0
servers=

# --- resume: the second page fails, the next run asks only for what is missing
serve again
base=http://127.0.0.1:$(cat "$work/again")
requests() { python3 -c 'import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).read().decode())' "$base/count/$1"; }
rm -rf "$HOME/.cache"
update resume -o "$work/resumed.json" --retries 0 >"$work/out" 2>"$work/err" && fail "resume: the first run should fail"
grep -q 'HTTP status 503' "$work/err" || fail "resume: $(cat "$work/err")"
[ -e "$work/resumed.json" ] && fail "resume: a part of a list was written"
kept=$(find "$HOME/.cache/tierwise" -type f | wc -l)
[ "$kept" = 1 ] || fail "resume: $kept pages kept"
before=$(requests resume)
update resume -o "$work/resumed.json" >"$work/out" 2>"$work/err" || fail "resume: $(cat "$work/err")"
grep -q '1 of 6 pages were kept' "$work/out" || fail "resume: $(cat "$work/out")"
[ $(($(requests resume) - before)) = 5 ] || fail "resume: $before requests, then $(requests resume)"
cmp <(grep -v '"source"' "$work/first.json") <(grep -v '"source"' "$work/resumed.json") || fail "resume: another book"
[ "$(find "$HOME/.cache/tierwise" -type f | wc -l)" = 0 ] || fail "resume: pages left after a whole walk"
echo "resume: 1 page kept after a failure at page 2; the next run asked for 5 of 6 and wrote the same book"

# --- where the book goes
data=$work/data/pricing/azure-testregion.json
update ok >"$work/out" 2>"$work/err" || fail "data folder: $(cat "$work/err")"
[ -s "$data" ] || fail "no book in the data folder"
touch -d '2020-01-01' "$data"
asked=$(requests ok)
status=0
update ok >"$work/out" 2>"$work/err" || status=$?
[ "$status" = 2 ] && grep -q -- '--replace' "$work/err" || fail "a book in the data folder: exit $status, $(cat "$work/err")"
[ "$asked" = "$(requests ok)" ] || fail "asked the server although nothing could be written"
update ok --replace >"$work/out" 2>"$work/err" || fail "--replace: $(cat "$work/err")"
[ -n "$(find "$data" -newermt 2021-01-01)" ] || fail "--replace: the old file is still there"
# the book in use stands by when the list goes elsewhere
status=0
update lost -o "$work/elsewhere.json" >"$work/out" 2>"$work/err" || status=$?
[ "$status" = 2 ] && [ ! -e "$work/elsewhere.json" ] || fail "drift against the data folder: exit $status"
grep -q 'elsewhere.json is not written: 14 rows' "$work/err" || fail "drift against the data folder: $(cat "$work/err")"
echo '{"not": "a book"}' >"$work/other.json"
status=0
update ok -o "$work/other.json" >"$work/out" 2>"$work/err" || status=$?
[ "$status" = 2 ] && grep -q '"a book"' "$work/other.json" || fail "a file that is no book: exit $status, $(cat "$work/err")"
update ok -o - --quiet | python3 -c 'import json, sys; json.load(sys.stdin)' || fail "-o - is no book"

# --- proxies come from the environment
status=0
http_proxy=http://127.0.0.1:9 update ok -o "$work/p.json" --retries 0 >"$work/out" 2>"$work/err" || status=$?
[ "$status" = 1 ] || fail "http_proxy is not heeded: exit $status"
http_proxy=http://127.0.0.1:9 no_proxy=127.0.0.1 update ok -o "$work/p.json" >"$work/out" 2>"$work/err" || fail "no_proxy: $(cat "$work/err")"

# --- an authority nobody knows, and one the environment names
if command -v openssl >/dev/null; then
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 \
		-keyout "$work/key.pem" -out "$work/cert.pem" 2>/dev/null
	serve tls --tls "$work/cert.pem" "$work/key.pem"
	base=https://127.0.0.1:$(cat "$work/tls")
	requests() { echo -; }
	try ok 1 kept "$untouched"'*certificate*SSL_CERT_FILE*' --retries 0
	SSL_CERT_FILE=$work/cert.pem try ok 0 kept '*No price changed*'
	CURL_CA_BUNDLE=$work/cert.pem try ok 0 kept '*No price changed*'
else
	echo "no openssl: certificates not tried"
fi
exit "$failed"
