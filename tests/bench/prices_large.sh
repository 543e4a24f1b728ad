#!/usr/bin/env bash
# prices_large.sh [--offer-mb N] [--catalogue-mb N] [--turns N] [--fast] - peak memory and MB/s of `prices update` on large
# files, beside jq and Python's json on the same ones.
#
# An EC2 offer file (default 450 MB of CSV) and a walk of the whole Azure catalogue (default 268 MB of JSON) are
# made in BENCH_DIR (default /var/tmp) and read from the page cache; then the same catalogue is walked page by page
# (1,000 items, NextPageLink) from a server of this machine, whose own work is in those seconds but not in those
# of the processor.  --fast leaves out jq --stream, which takes minutes.  The targets, 64 MiB for tierwise, are
# printed beside what was seen; the exit is 1 when one is missed.  jq and Python do the same work: the prices of
# Premium SSD in one region.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=common.sh
. "$here/common.sh"
offer_mb=450 catalogue_mb=268 turns=3 fast=
while [ $# -gt 0 ]; do
	case $1 in
	--offer-mb) offer_mb=$2; shift 2 ;;
	--catalogue-mb) catalogue_mb=$2; shift 2 ;;
	--turns) turns=$2; shift 2 ;;
	--fast) fast=1; shift ;;
	--help) usage 0 ;;
	*) usage ;;
	esac
done
need_programs /usr/bin/time
work_make
export HOME=$work
TIERWISE_DATA_DIR=$work/data
export TIERWISE_DATA_DIR
mkdir -p "$work/data/pricing"
cp "$here"/../../pricing/meters-*.json "$work/data/pricing/"
python3 "$here/make_offer.py" "$offer_mb" >"$work/offer.csv" || exit 1
python3 "$here/make_catalogue.py" "$catalogue_mb" >"$work/catalogue.json" || exit 1
missed=0
LIMIT_KIB=65536

# measure NAME FILE LIMIT-KIB COMMAND...: the best of the turns; limit 0: none
measure() {
	local name=$1 file=$2 limit=$3 i best=999999 cpu=999999 rss=0 seconds kib user system mb
	shift 3
	mb=$(($(stat -c %s "$file") / 1000000))
	cat "$file" >/dev/null
	for i in $(seq "$turns"); do
		/usr/bin/time -f '%e %M %U %S' -o "$work/time" "$@" >"$work/out" 2>"$work/err" ||
			{ echo "$name: failed: $(tail -1 "$work/err")"; missed=1; return; }
		read -r seconds kib user system <"$work/time"
		best=$(printf '%s\n%s\n' "$best" "$seconds" | sort -g | head -1)
		cpu=$(printf '%s\n%s\n' "$cpu" "$(echo "$user + $system" | bc -l)" | sort -g | head -1)
		[ "$kib" -gt "$rss" ] && rss=$kib
	done
	printf '%-34s %7s MB %8s s %8.0f MB/s %7.2f s cpu %9.1f MiB%s\n' "$name" "$mb" "$best" \
		"$(echo "$mb / ($best + 0.001)" | bc -l)" "$cpu" "$(echo "$rss / 1024" | bc -l)" \
		"$([ "$limit" = 0 ] || { [ "$rss" -le "$limit" ] && echo ", at most 64: yes" || echo ", at most 64: NO"; })"
	[ "$limit" = 0 ] || [ "$rss" -le "$limit" ] || missed=1
}
rm -f "$work"/*.book.json
measure "tierwise, offer (CSV)" "$work/offer.csv" $LIMIT_KIB \
	"$tierwise" prices update aws eu-west-1 --from "$work/offer.csv" -o "$work/aws.book.json" -q
measure "Python csv, offer" "$work/offer.csv" 0 python3 -c '
import csv, sys
with open(sys.argv[1], newline="") as f:
    rows = csv.reader(f)
    for row in rows:
        if row[0] == "SKU": break
    use, term, price = row.index("usageType"), row.index("TermType"), row.index("PricePerUnit")
    for row in rows:
        if row[term] == "OnDemand" and "EBS:" in row[use]: print(row[use], row[price])
' "$work/offer.csv"
measure "tierwise, catalogue (JSON)" "$work/catalogue.json" $LIMIT_KIB \
	"$tierwise" prices update azure westeurope --from "$work/catalogue.json" -o "$work/azure.book.json" -q
if command -v jq >/dev/null; then
	measure "jq, catalogue" "$work/catalogue.json" 0 jq -r \
		'.Items[] | select(.armRegionName == "westeurope" and .productName == "Premium SSD Managed Disks") | [.meterName, .retailPrice] | @tsv' \
		"$work/catalogue.json"
	[ -n "$fast" ] || turns=1 measure "jq --stream, catalogue" "$work/catalogue.json" 0 jq -cn --stream \
		'fromstream(2 | truncate_stream(inputs | select(.[0][0] == "Items"))) | select(.armRegionName == "westeurope" and .productName == "Premium SSD Managed Disks") | [.meterName, .retailPrice]' \
		"$work/catalogue.json"
else
	echo "jq is not here"
fi
measure "Python json, catalogue" "$work/catalogue.json" 0 python3 -c '
import json, sys
for i in json.load(open(sys.argv[1]))["Items"]:
    if i["armRegionName"] == "westeurope" and i["productName"] == "Premium SSD Managed Disks": print(i["meterName"], i["retailPrice"])
' "$work/catalogue.json"
# the same bytes in pages
python3 "$here/page_server.py" "$work/catalogue.json" "$work/port" &

for _ in $(seq 300); do [ -s "$work/port" ] && break; sleep 0.1; done
base=http://127.0.0.1:$(cat "$work/port")/p
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
measure "tierwise, pages (HTTP)" "$work/catalogue.json" $LIMIT_KIB \
	"$tierwise" prices update azure westeurope --from "$base" -o "$work/pages.book.json" -q
measure "Python urllib and json, pages" "$work/catalogue.json" 0 python3 "$here/page_walk.py" "$base"
if command -v jq >/dev/null && command -v curl >/dev/null; then
	export base work
	measure "curl and jq, pages" "$work/catalogue.json" 0 bash -c '
		url="$base?\$filter=serviceName%20eq%20%27Storage%27%20and%20priceType%20eq%20%27Consumption%27"
		while [ -n "$url" ]; do
			curl -s "$url" >"$work/page.json"
			jq -r ".Items[] | select(.armRegionName == \"westeurope\" and .productName == \"Premium SSD Managed Disks\") |
				[.meterName, .retailPrice] | @tsv" "$work/page.json"
			url=$(jq -r .NextPageLink "$work/page.json")
		done'
fi
cmp <(sed "/\"source\"/d; /\"as_of\"/d" "$work/azure.book.json") <(sed "/\"source\"/d; /\"as_of\"/d" "$work/pages.book.json") ||
	{ echo "the pages made another book than the file"; missed=1; }
# what was read is right: 14 sizes of Premium SSD; gp3 and the three tiers of io2
python3 - "$work" <<'P' || missed=1
import json, sys
azure = json.load(open(sys.argv[1] + "/azure.book.json"))["rows"]
aws = json.load(open(sys.argv[1] + "/aws.book.json"))["rows"]
p30 = [r["price"] for r in azure if r.get("sku") == "P30" and r["item"] == "disk"]
io2 = [(r.get("tier_min", 0), r["price"]) for r in aws if r.get("sku") == "io2" and r["item"] == "iops"]
good = len(azure) == 14 and p30 == [148.68] and io2 == [(0, 0.072), (32000, 0.0504), (64000, 0.03528)]
print("rows:", len(azure), "and", len(aws), "as they should be" if good else "WRONG")
sys.exit(not good)
P
exit "$missed"
