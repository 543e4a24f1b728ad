#!/usr/bin/env bash
# `prices update aws` from an offer file and `prices update gcp` from catalogue pages: what is taken, what is
# not, and what ends in an error.
set -u
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
work=$(mktemp -d) || exit 1
server=
trap '[ -z "$server" ] || kill "$server"; wait 2>/dev/null; rm -rf "$work"' EXIT
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
export HOME=$work TIERWISE_DATA_DIR=$work/data
mkdir -p "$work/data/pricing"
cp "$TIERWISE_SOURCE"/pricing/meters-*.json "$work/data/pricing/"
failed=0
fail() { echo "FAILED: $*"; failed=1; }
python3 "$TIERWISE_SOURCE/tests/bench/make_offer.py" 1 >"$work/offer.csv"

# update NAME WANTED-EXIT PATTERN PROVIDER REGION OPTIONS...
update() {
	local name=$1 want=$2 pattern=$3 status=0
	rm -f "$work/book.json"
	"$TIERWISE" prices update "${@:4}" -o "$work/book.json" >"$work/out" 2>"$work/err" || status=$?
	[ "$status" = "$want" ] || fail "$name: exit $status, wanted $want: $(cat "$work/err")"
	# shellcheck disable=SC2053
	[[ $(cat "$work/err" "$work/out") == $pattern ]] || fail "$name: wanted '$pattern' in: $(cat "$work/err" "$work/out")"
	[ "$want" = 0 ] || [ ! -e "$work/book.json" ] || fail "$name: a book was written"
}
# has FAMILY SKU ITEM UNIT TIER PRICE
has() {
	python3 - "$work/book.json" "$@" <<'P' || { echo "FAILED: no row $*"; failed=1; }
import json, sys
rows = json.load(open(sys.argv[1]))["rows"]
family, sku, item, unit, tier, price = sys.argv[2:]
found = [r for r in rows if (r["family"], r.get("sku", "-"), r["item"]) == (family, sku, item) and r.get("tier_min", 0) == float(tier)
         and r.get("redundancy") != "regional"]
sys.exit(not (len(found) == 1 and found[0]["price"] == float(price) and found[0]["unit"] == unit))
P
}
update aws 0 '*wrote*' aws eu-west-1 --from "$work/offer.csv"
# prices of the recorded eu-west-1 file of 2021 to 2026: 45.056 per GiBps-month is 0.044 per MiBps-month
has gp3 gp3 capacity gib_month 0 0.088
has gp3 gp3 iops month 3000 0.0055
has gp3 gp3 throughput month 125 0.044
"$TIERWISE" prices show gp3 --book "$work/book.json" --format md >"$work/show" 2>"$work/err" || fail "show gp3: $(cat "$work/err")"
grep -q '| throughput | 45.056 | GiBps-mo | 0.044 | month above 125 |' "$work/show" ||
	fail "the published price of a GiBps is not shown: $(grep throughput "$work/show")"
has gp2 gp2 capacity gib_month 0 0.11
has io1 io1 iops month 0 0.072
has io2 io2 capacity gib_month 0 0.138
has io2 io2 iops month 0 0.072
has io2 io2 iops month 32000 0.0504
has io2 io2 iops month 64000 0.03528
has ebs_snapshot - snapshot gib_month 0 0.05
# Linux, shared, no pre-installed software, on demand: not Windows, Dedicated, SQL, a reservation
has vm r6id.4xlarge vm hour 0 1.2096
grep -q '"as_of": "2026-10-06"' "$work/book.json" || fail "the day is not that of the file"
grep -q 'st1 capacity: st1' "$work/out" || fail "a row nobody published is not named"

# rows of another region: left out and counted; a file of nothing else is an error, by name and by code
sed '/VolumeUsage.gp2"/s/"EU (Ireland)"/"US West (Oregon)"/' "$work/offer.csv" >"$work/mixed.csv"
update "one row of another region" 0 '*1 price of "US West (Oregon)" left out: eu-west-1 was asked for*' aws eu-west-1 \
	--from "$work/mixed.csv"
grep -q '"gp2"' "$work/book.json" && fail "a price of Oregon stands in the Irish book"
update "another region's file" 5 '*no price of us-west-2 in it*"EU (Ireland)"*' aws us-west-2 --from "$work/offer.csv"
update "a region without a name" 2 '*no column "Region Code"*calls me-central-1 is not known: add*"locations"*' aws me-central-1 \
	--from "$work/offer.csv"
# a newer file says the code itself: there the name does not count
python3 - "$work/offer.csv" >"$work/codes.csv" <<'P'
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
out = csv.writer(sys.stdout, quoting=csv.QUOTE_ALL, lineterminator="\n")
head = next(i for i, r in enumerate(rows) if r and r[0] == "SKU")
for i, r in enumerate(rows):
    out.writerow(r + (["Region Code"] if i == head else ["me-central-1"] if i > head else []))
P
update "by the code" 0 '*wrote*' aws me-central-1 --from "$work/codes.csv"
has gp3 gp3 capacity gib_month 0 0.088
update "by the code, another" 5 '*no price of eu-west-1 in it*"me-central-1"*' aws eu-west-1 --from "$work/codes.csv"

# an older list does not take the place of a newer one unnoticed
put() { # NAME WANTED-EXIT PATTERN OPTIONS...: over the book that is there
	local status=0
	"$TIERWISE" prices update aws eu-west-1 --from "$work/offer.csv" -o "$work/kept.json" "${@:4}" >"$work/out" 2>"$work/err" || status=$?
	[ "$status" = "$2" ] || fail "$1: exit $status, wanted $2: $(cat "$work/err")"
	# shellcheck disable=SC2053
	[[ $(cat "$work/err") == $3 ]] || fail "$1: wanted '$3' in: $(cat "$work/err")"
}
put "first" 0 '*wrote*' --as-of 2026-08-11
put "older" 2 '*is left as it was: the list is of 2026-08-10, older than *kept.json of 2026-08-11*--accept-drift*' --as-of 2026-08-10
grep -q '"as_of": "2026-08-11"' "$work/kept.json" || fail "older: the newer book was replaced"
put "older, accepted" 0 '*wrote*' --as-of 2026-08-10 --accept-drift
grep -q '"as_of": "2026-08-10"' "$work/kept.json" || fail "older, accepted: not written"
put "the same day" 0 '*wrote*' --as-of 2026-08-10
put "a day to come" 2 '*--as-of 2999-01-01: a date up to today, 2*' --as-of 2999-01-01
put "a share of 20" 2 '*--max-change 20: a number from 0 to 1, or percent with the sign*' --max-change 20
put "a share of 20 percent" 0 '*wrote*' --max-change 20%
put "a share of 1" 0 '*wrote*' --max-change 1
sed '/Publication Date/d' "$work/offer.csv" >"$work/undated.csv"
touch -d 2026-07-01T12:00:00Z "$work/undated.csv"
update "no date in the file" 0 '*prices of 2026-07-01: the date is taken from the file*--as-of YYYY-MM-DD says better*' aws eu-west-1 \
	--from "$work/undated.csv"
update "a date that is given" 0 'wrote*' aws eu-west-1 --from "$work/undated.csv" --as-of 2026-07-02

# the same over HTTP; a connection that breaks half way begins again, and nothing is counted twice
python3 "$(dirname "$0")/price_server.py" "$work/port" --offer "$work/offer.csv" --pages "$work" &
server=$!
for _ in $(seq 100); do [ -s "$work/port" ] && break; sleep 0.1; done
rows() { grep '"item":' "$1"; }
rows "$work/book.json" >"$work/rows"
for mode in offer offercut; do
	update "aws $mode" 0 '*wrote*' aws eu-west-1 --from "http://127.0.0.1:$(cat "$work/port")/$mode" --retry-wait 50ms
	rows "$work/book.json" | cmp - "$work/rows" || fail "aws $mode: other rows than from the file"
	grep -q '"as_of": "2026-10-06"' "$work/book.json" || fail "aws $mode: a mirror is as old as its file"
done
grep -q 'try 2 of 5' "$work/err" || fail "offercut: $(cat "$work/err")"

bad() { # NAME SED-SCRIPT EXIT PATTERN
	sed "$2" "$work/offer.csv" >"$work/bad.csv"
	cmp -s "$work/offer.csv" "$work/bad.csv" && fail "$1: nothing was changed"
	update "$1" "$3" "$4" aws eu-west-1 --from "$work/bad.csv"
}
bad "no header" 's/^"SKU"/"Sku"/' 2 '*no header that begins with SKU*'
bad "a column renamed" 's/"usageType"/"UsageType"/' 2 '*no column "usageType"*'
bad "another unit" '/VolumeUsage.gp3"/s/"GB-Mo"/"TB-Mo"/' 5 '*gp3*"TB-Mo", a unit the rules do not know*'
bad "a price of 0" '/VolumeUsage.gp3"/s/"0.0880000000"/"0.0000000000"/' 5 '*gp3 gp3 capacity*costs 0*'
bad "no number" '/VolumeUsage.gp3"/s/"0.0880000000"/"free"/' 5 '*gp3 gp3 capacity*costs nan*'
bad "another currency" '/VolumeUsage.gp3"/s/"USD"/"CNY"/' 5 '*priced in CNY, not USD*'
bad "two prices" 's/VolumeUsage.gp2/VolumeUsage.gp3/g' 5 '*gp3 gp3 capacity*0.11*0.088*'
bad "an open quote" '$s/"$//' 2 '*ends inside quotes*'
bad "a field too few" '/VolumeUsage.gp2"/s/^"[^"]*",//' 2 '*fields, the header has*'
bad "nothing that is wanted" '/EBS:/d; s/r6id.4xlarge/r6id.metal/g' 5 '*no meter that a rule asks for*'
head -c 300 "$work/offer.csv" >"$work/bad.csv"
update "cut off" 2 '*' aws eu-west-1 --from "$work/bad.csv"

# a catalogue page in the form of the recorded one
python3 - "$work" <<'P'
import json, sys
work = sys.argv[1]
def sku(id, description, group, unit, rates, usage="OnDemand", regions=("us-central1",), level=None):
    info = {"summary": "", "pricingExpression": {"usageUnit": unit, "displayQuantity": 1, "tieredRates": [
        {"startUsageAmount": start, "unitPrice": {"currencyCode": "USD", "units": "0", "nanos": nanos}} for start, nanos in rates]}}
    if level: info["aggregationInfo"] = {"aggregationLevel": level, "aggregationInterval": "MONTHLY", "aggregationCount": 1}
    return {"name": "services/6F81-5844-456A/skus/" + id, "skuId": id, "description": description, "category": {
        "serviceDisplayName": "Compute Engine", "resourceFamily": "Storage", "resourceGroup": group, "usageType": usage},
        "serviceRegions": list(regions), "pricingInfo": [info], "serviceProviderName": "Google"}
skus = [
    # the first 30 GiB of an account are free: no property of a disk
    sku("A", "Storage PD Capacity", "PDStandard", "GiBy.mo", [(0, 0), (30, 40000000)], level="ACCOUNT"),
    sku("B", "SSD backed PD Capacity in Iowa", "SSD", "GiBy.mo", [(0, 170000000)]),
    sku("C", "Balanced PD Capacity", "SSD", "GiBy.mo", [(0, 100000000)]),
    sku("D", "Regional Balanced PD Capacity", "SSD", "GiBy.mo", [(0, 200000000)]),
    sku("E", "SSD backed PD Capacity in Frankfurt", "SSD", "GiBy.mo", [(0, 204000000)], regions=("europe-west3",)),
    sku("F", "SSD backed PD Capacity", "SSD", "GiBy.mo", [(0, 90000000)], usage="Commit1Yr"),
    sku("G", "Hyperdisk Balanced Capacity in Iowa", "SSD", "GiBy.h", [(0, 109589)]),
]
json.dump({"skus": skus[:4], "nextPageToken": "page2.json"}, open(work + "/page1.json", "w"), indent=1)
json.dump({"skus": skus[4:], "nextPageToken": ""}, open(work + "/page2.json", "w"), indent=1)
json.dump({"skus": skus[:1], "nextPageToken": "self.json"}, open(work + "/self.json", "w"))
json.dump({"skus": skus[1:2] + [{**skus[1], "skuId": "X"}]}, open(work + "/twice.json", "w"))
P
update gcp 0 '*wrote*' gcp us-central1 --from "$work/page1.json" --from "$work/page2.json" --as-of 2026-08-11
has pd_standard pd-standard capacity gib_month 0 0.04
has pd_ssd pd-ssd capacity gib_month 0 0.17
has pd_balanced pd-balanced capacity gib_month 0 0.1
has hyperdisk_balanced hyperdisk-balanced capacity gib_hour 0 0.000109589
grep -q 'first 30 units of an account are free' "$work/book.json" || fail "the free GiB are not mentioned"
rows "$work/book.json" >"$work/rows"
pages=http://127.0.0.1:$(cat "$work/port")/pages
update "gcp by its address" 0 '*wrote*' gcp us-central1 --from "$pages/page1.json?key=SECRET"
rows "$work/book.json" | cmp - "$work/rows" || fail "gcp by its address: other rows than from files"
grep -q SECRET "$work/book.json" "$work/err" "$work/out" && fail "the key was written down"
update "a token of its own" 1 '*page 2: the token of the next page is its own*' gcp us-central1 --from "$pages/self.json"
update "no such page" 1 '*/pages/nothing*: *' gcp us-central1 --from "$pages/nothing?key=SECRET" --retries 0
grep -q SECRET "$work/err" && fail "the key was told"
update "half a catalogue" 5 '*ends with a nextPageToken: the list is not whole*' gcp us-central1 --from "$work/page1.json"
update "a SKU twice" 5 '*pd_ssd pd-ssd zonal capacity*' gcp us-central1 --from "$work/twice.json"
update "no key" 2 '*a key of yours*' gcp us-central1
update "another region" 5 '*no meter that a rule asks for*' gcp us-west1 --from "$work/page2.json"
update "no such file" 1 '*nothing-here*' gcp us-central1 --from "$work/nothing-here"

# saved answers of the Azure interface: whole, or not
python3 - "$work" <<'P'
import json, sys
def page(n, link): return {"BillingCurrency": "USD", "Items": [{"currencyCode": "USD", "tierMinimumUnits": 0.0,
    "retailPrice": 148.68, "unitPrice": 148.68, "armRegionName": "westeurope", "meterId": "m", "meterName": "P30 LRS Disk",
    "skuId": "s", "productName": "Premium SSD Managed Disks", "skuName": "P30 LRS", "unitOfMeasure": "1/Month",
    "type": "Consumption"}] * n, "NextPageLink": link, "Count": n}
for name, n, link in (("one", 1, None), ("full", 100, ""), ("linked", 5, "https://prices.azure.com:443/x"), ("none", 0, None)):
    json.dump(page(n, link), open(f"{sys.argv[1]}/{name}.json", "w"))
json.dump(page(3, None)["Items"], open(sys.argv[1] + "/bare.json", "w"))
P
update "a saved answer" 0 '*wrote*' azure westeurope --from "$work/one.json"
update "items alone" 0 '*wrote*' azure westeurope --from "$work/bare.json"
update "a full page" 5 '*exactly 100 items*' azure westeurope --from "$work/full.json"
update "a full page and the end" 0 '*wrote*' azure westeurope --from "$work/full.json" --from "$work/none.json"
update "a link to more" 5 '*not whole*prices.azure.com:443/x*' azure westeurope --from "$work/linked.json"
update "a file URL" 0 '*wrote*' azure westeurope --from "file://$work/one.json"
update "not EUR" 5 '*priced in "USD", EUR was asked for*' azure westeurope --currency EUR --from "$work/one.json"
for words in "azure" "nobody westeurope" "azure WestEurope" "azure westeurope eastus" "azure westeurope --currency euro" \
	"azure westeurope --max-change much" "azure westeurope --as-of yesterday" "azure westeurope --retries -1"; do
	status=0
	# shellcheck disable=SC2086
	"$TIERWISE" prices update $words -o "$work/x.json" >/dev/null 2>"$work/err" || status=$?
	[ "$status" = 2 ] || fail "prices update $words: exit $status, $(cat "$work/err")"
done

# whatever is shipped for Azure and AWS, the rules can give
python3 - "$TIERWISE_SOURCE/pricing" <<'P' || failed=1
import json, pathlib, re, sys
folder = pathlib.Path(sys.argv[1])
def load(name): return json.loads(re.sub(r"^\s*//.*$", "", (folder / name).read_text(), flags=re.M))
missing = 0
for provider in ("azure", "aws"):
    given = {(r["family"], s, k, r["item"]) for r in load(f"meters-{provider}.json")["rules"]
             for s in r.get("skus", [None]) for k in r.get("redundancies", [None])}
    for path in sorted(folder.glob(f"{provider}-*.json")):
        for row in load(path.name)["rows"]:
            key = (row["family"], row.get("sku"), row.get("redundancy"), row["item"])
            if key not in given:
                print("no rule for", path.name, key)
                missing = 1
sys.exit(missing)
P
exit "$failed"
