#!/usr/bin/env bash
# The recorded tables of five regions, served as the interface serves them (pages, tiers, look-alikes), become
# the books that are shipped, row by row; where none is shipped, every row is the recorded one.
set -u
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
recorded=${TIERWISE_SHARED:-/nonexistent}/fixtures/pricing
[ -d "$recorded" ] || { echo "skipped: no recorded prices at $recorded"; exit 77; }
here=$(cd "$(dirname "$0")" && pwd)
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
work=$(mktemp -d) || exit 1
server=
trap '[ -z "$server" ] || kill "$server"; wait 2>/dev/null; rm -rf "$work"' EXIT
export HOME=$work SOURCE_DATE_EPOCH=1787356800 # 2026-08-22
python3 "$here/price_server.py" "$work/port" --recorded "$recorded" &
server=$!
for _ in $(seq 100); do [ -s "$work/port" ] && break; sleep 0.1; done
failed=0
for region in westeurope northeurope swedencentral francecentral belgiumcentral; do
	"$TIERWISE" prices update azure "$region" --from "http://127.0.0.1:$(cat "$work/port")/ok" \
		-o "$work/$region.json" >"$work/out" 2>"$work/err" ||
		{ echo "FAILED: $region: $(cat "$work/err" "$work/out")"; failed=1; continue; }
	python3 - "$work/$region.json" "$TIERWISE_SOURCE/pricing/azure-$region.json" "$recorded" "$region" <<'P' || failed=1
import json, pathlib, re, sys
got_path, shipped_path, recorded, region = sys.argv[1:]
names = "family sku redundancy item term tier_min unit price product meter unit_published".split()

def rows(path):
    # comments are not JSON, and no text of a book holds two slashes at the start of a line
    text = re.sub(r"^\s*//.*$", "", pathlib.Path(path).read_text(), flags=re.M)
    book = json.loads(text)
    assert book["currency"] == "USD" and book["region"] == region, path
    return {tuple(r.get(n, 0 if n == "tier_min" else None) for n in names) for r in book["rows"]}, book

got, book = rows(got_path)
assert len(got) == len(book["rows"])
assert book["as_of"] == "2026-08-22", book["as_of"]
if pathlib.Path(shipped_path).exists():
    want, _ = rows(shipped_path)
    extra = {r for r in want - got if r[3] == "disk" and r[4]}  # commitments are not asked for
    want -= extra
    for r in sorted(got ^ want, key=str):
        print("  only", "fetched" if r in got else "shipped", r)
    print(f"{region}: {len(got)} rows fetched, {len(want)} shipped, {len(got & want)} the same")
    sys.exit(got != want)
# no book is shipped: every row against the recorded table by product and meter, every disk meter there
table = [r for p in pathlib.Path(recorded).glob(f"azure_*_{region}_*.json") for r in json.loads(p.read_text()).values()]
prices = {}
for r in table:
    prices.setdefault((r["productName"], r["meterName"], r["unitOfMeasure"]), set()).add(r["retailPrice"])
bad = [r for r in got if r[4] is None and not (r[7] == 0 and r[0] == "premium_ssd_v2")
       and r[7] not in prices.get((r[8], r[9], r[10]), ())]
disks = {(r["productName"], r["meterName"]) for r in table
         if re.fullmatch(r"[PES]\d+ [LZ]RS Disk( Mount| Operations)?", r["meterName"]) and "Managed" in r["productName"]}
missing = disks - {(r[8], r[9]) for r in got}
for r in bad: print("  not recorded so:", r)
for m in missing: print("  recorded, not in the book:", m)
print(f"{region}: {len(got)} rows fetched, {len(disks)} disk meters recorded, {len(missing)} missing, {len(bad)} other prices")
sys.exit(bool(bad or missing))
P
done

# answers as they were recorded, to the byte; no book of the data folder to be compared with
export TIERWISE_DATA_DIR=$work/data
mkdir -p "$work/data/pricing"
cp "$TIERWISE_SOURCE"/pricing/meters-*.json "$work/data/pricing/"
# the files are younger than the day that is played, so that day is said
# answer NAME EXIT WANTED PROVIDER REGION OPTIONS...: WANTED are the rows as "sku item price@tier", or words of the error
answer() {
	local name=$1 want=$2 text=$3 status=0 got
	"$TIERWISE" prices update "${@:4}" --as-of 2026-08-22 -o "$work/answer.json" >"$work/out" 2>"$work/err" || status=$?
	got=$(cat "$work/err")
	[ "$status" != 0 ] || got=$(python3 -c '
import json, sys
for r in json.load(open(sys.argv[1]))["rows"]:
    print(r.get("sku", "-"), r["item"], "%.10g@%g" % (r["price"], r.get("tier_min", 0)), end="; ")' "$work/answer.json")
	rm -f "$work/answer.json"
	[ "$status" = "$want" ] || { echo "FAILED: $name: exit $status: $got"; failed=1; }
	[[ $got == *"$text"* ]] || { echo "FAILED: $name: wanted '$text' in '$got'"; failed=1; }
	echo "$name: exit $status, ${got:0:150}"
}
answer "P10, 2024, with the address that was asked for" 0 "P10 disk 21.68@0; " azure westeurope \
	--from "$recorded/azure_retail_response_p10_westeurope_ace.json"
answer "Ultra Disk, 2024, beside a Windows machine" 0 "UltraSSD_LRS capacity 0.000213@0; UltraSSD_LRS iops 8.8e-05@0; \
UltraSSD_LRS throughput 0.000572@0; UltraSSD_LRS vcpu_reservation 0.0078@0; " azure westeurope \
	--from "$recorded/azure_retail_response_ultra_westeurope_2024-01.json"
answer "Premium SSD v2 in GBP, tiers of 0" 0 "PremiumV2_LRS capacity 0.000105@0; PremiumV2_LRS iops 0@0; \
PremiumV2_LRS iops 6e-06@3000; PremiumV2_LRS throughput 0@0; PremiumV2_LRS throughput 5.2e-05@125; " azure ukwest --currency GBP \
	--from "$recorded/azure_retail_response_premiumv2_ukwest_gbp.json"
answer "the same, asked for in USD" 5 'priced in "GBP", USD was asked for' azure ukwest \
	--from "$recorded/azure_retail_response_premiumv2_ukwest_gbp.json"
# a page of 2022: old names; the reservation of 41,087 a year stands beside P80 under the same name
answer "a page of 2022 alone" 5 "the list is not whole" azure koreasouth --from "$recorded/azure_retail_page_raw_2022-04-19.json"
echo '{"Items": [], "NextPageLink": null, "Count": 0}' >"$work/end.json"
answer "a page of 2022 and an end" 0 "P80 disk 3604.11@0; " azure koreasouth --from "$recorded/azure_retail_page_raw_2022-04-19.json" \
	--from "$work/end.json"
answer "a bare list of items, 2026" 0 "E10 disk 10.56@0; " azure uksouth --from "$recorded/azure_retail_items_raw_2026-08-22.json"
answer "rows of the AWS offer of 2021" 0 "gp2 capacity 0.11@0; gp3 capacity 0.088@0; " aws eu-west-1 \
	--from "$recorded/aws_offer_ebs_rows_eu-west-1_2021-02.csv"
# where a shipped row says since when the price holds, a recorded answer does, at that price
python3 - "$TIERWISE_SOURCE/pricing" "$recorded" <<'P' || failed=1
import json, pathlib, re, sys
said = {}
for path in pathlib.Path(sys.argv[2]).glob("azure_retail_*.json"):
    page = json.loads(path.read_text())
    for i in page if isinstance(page, list) else page.get("Items", []):
        said[i["armRegionName"], i["productName"], i["meterName"], i["retailPrice"], i["effectiveStartDate"][:10]] = i["type"]
n = 0
for path in pathlib.Path(sys.argv[1]).glob("azure-*.json"):
    book = json.loads(re.sub(r"^\s*//.*$", "", path.read_text(), flags=re.M))
    for r in book["rows"]:
        if "effective" in r:
            key = book["region"], r["product"], r["meter"], r["price"], r["effective"]
            assert said.get(key) == "Consumption", f"not recorded: {key}"
            n += 1
print(f"{n} effective dates, each recorded")
sys.exit(n == 0)
P
exit "$failed"
