#!/usr/bin/env bash
# Reservations: rows of the Azure answer whose price is the total of one or three years although the unit stays "1/Month"
# or "1 Hour".  They become commitments of the disk or machine whose meter they carry, and are never taken for its
# price; `prices bill` says what they come to.  The machine alone, and a list without a date, on the way.
set -u
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
export TIERWISE_DATA_DIR=$work/data
mkdir -p "$work/data/pricing"
cp "$TIERWISE_SOURCE"/pricing/meters-*.json "$TIERWISE_SOURCE"/pricing/limits-azure.json "$work/data/pricing/"

# answer FILE [PYTHON]: the P80 of koreasouth as recorded (2026-08-22), its look-alikes, and a machine as one is
# recorded for brazilsouth; PYTHON may change the list `items`
cat >"$work/make.py" <<'P'
import json, sys
items = []
def item(product, sku, meter, unit, price, **more):
    items.append({"currencyCode": "USD", "tierMinimumUnits": 0.0, "retailPrice": price, "unitPrice": price,
        "armRegionName": "testregion", "location": "T", "effectiveStartDate": "2019-10-30T00:00:00Z", "meterId": "m-" + meter,
        "meterName": meter, "productId": "p", "skuId": f"s{len(items)}", "productName": product, "skuName": sku,
        "serviceName": "Storage", "serviceId": "x", "serviceFamily": "Storage", "unitOfMeasure": unit,
        "type": "Consumption", "isPrimaryMeterRegion": True, "armSkuName": "", **more})
def reserved(product, sku, meter, unit, price, term, **more):
    item(product, sku, meter, unit, price, type="Reservation", reservationTerm=term, **more)
disks, series, size = "Premium SSD Managed Disks", "Virtual Machines Edsv5 Series", {"armSkuName": "Standard_E8ds_v5"}
item(disks, "P80 LRS", "P80 LRS Disk", "1/Month", 3604.11)
item(disks, "P80 LRS", "P80 LRS Disk Mount", "1/Month", 262.8)
reserved(disks, "P80 LRS", "P80 LRS Disk", "1/Month", 41087.0, "1 Year")
reserved(disks, "P80 LRS", "P80 LRS Disk Mount", "1/Month", 3000.0, "1 Year")
reserved(disks, "P80 LRS", "P80 LRS Disk", "1/Month", 150000.0, "5 Years")
reserved("Premium Page Blob", "P80 LRS", "P80 LRS Disk", "1/Month", 1.0, "1 Year")
reserved("Storage Reserved Capacity_v8", "Hot - 10 PB GRS", "Hot - 10 PB GRS Data Stored", "1 GB/Month", 37245480.0, "10 Years")
item(series, "E8ds v5", "E8ds v5", "1 Hour", 0.692, **size)
reserved(series, "E8ds v5", "E8ds v5", "1 Hour", 3576.0, "1 Year", **size)
reserved(series, "E8ds v5", "E8ds v5", "1 Hour", 6910.0, "3 Years", **size)
reserved(series + " Windows", "E8ds v5", "E8ds v5", "1 Hour", 9999.0, "1 Year", **size)
# what says two things at once is neither
item(series, "E8ds v5", "E8ds v5", "1 Hour", 1234.0, reservationTerm="1 Year", **size)
def find(meter, term):
    return next(i for i in items if i["meterName"] == meter and i.get("reservationTerm") == term)
def price(i, usd):
    i["retailPrice"] = i["unitPrice"] = usd
if len(sys.argv) > 2:
    exec(sys.argv[2])
json.dump({"BillingCurrency": "USD", "Items": items, "NextPageLink": None, "Count": len(items)}, open(sys.argv[1], "w"))
P
update() { # PYTHON [OPTIONS...]
	python3 "$work/make.py" "$work/answer.json" "$1" || exit 1
	"$TIERWISE" prices update azure testregion --from "$work/answer.json" --as-of 2026-11-30 -o "$work/book.json" "${@:2}" \
		>"$work/out" 2>"$work/err"
}
says() { tr -s '\n ' ' ' <"$work/$1" | grep -q -- "$2" || fail "$3: '$2' not in $(cat "$work/$1")"; }

update '' || fail "$(cat "$work/err")"
python3 - "$work/book.json" <<'P' || failed=1
import json, sys
rows = json.load(open(sys.argv[1]))["rows"]
got = sorted((r["sku"], r["item"], r.get("term", ""), r.get("term_months", 0), r["price"], r["unit"], r["unit_published"]) for r in rows)
want = sorted([("P80", "disk", "", 0, 3604.11, "month", "1/Month"), ("P80", "mount", "", 0, 262.8, "month", "1/Month"),
    ("P80", "disk", "1 year reservation", 12, 41087, "month", "1/Month"),
    ("Standard_E8ds_v5", "vm", "", 0, 0.692, "hour", "1 Hour"),
    ("Standard_E8ds_v5", "vm", "1 year reservation", 12, 3576, "hour", "1 Hour"),
    ("Standard_E8ds_v5", "vm", "3 years reservation", 36, 6910, "hour", "1 Hour")])
assert got == want, got
assert all(r["effective"] == "2019-10-30" for r in rows), rows
P

bill() { "$TIERWISE" prices bill "$@" --prices "$work/book.json" --format csv >"$work/out" 2>"$work/err"; }
bill P80 || fail "P80: $(cat "$work/err")"
says out 'Total,,,,,"3,604.11",' "on demand the reservation is not the price"
# 41,087 / 12 = 3,423.92, and 1 - 41087 / (12 x 3604.11) = 5.0 %
says out '1 year reservation,1 x P80,"3,423.92",5.0,"41,087.00"' "what the book has"
bill P80 --disks 2 --term '1 year reservation' || fail "P80 reserved: $(cat "$work/err")"
says out 'Total,,,,,"6,847.83",' "two, reserved"
bill Standard_E8ds_v5 || fail "a machine alone: $(cat "$work/err")"
# 0.692 x 730 = 505.16; 3,576 / 12 = 298.00, 41.0 % less; 6,910 / 36 = 191.94, 62.0 % less
says out 'Total,,,,,505.16,' "a machine by the hour"
says out '1 year reservation,1 x Standard_E8ds_v5,298.00,41.0,"3,576.00"' "one year"
says out '3 years reservation,1 x Standard_E8ds_v5,191.94,62.0,"6,910.00"' "three years"
bill Standard_E8ds_v5 --term '3 years reservation' || fail "$(cat "$work/err")"
says out 'Total,,,,,191.94,' "three years reserved"
grep -q 'metered by the hour' "$work/out" && fail "what is paid at once has no hours: $(cat "$work/out")"
bill P80 --machine Standard_E8ds_v5=2 --term '1 year reservation' || fail "$(cat "$work/err")"
# 3,423.92 + 2 x 298
says out 'Total,,,,,"4,019.92",' "disk and machines, reserved"
bill Standard_E8ds_v5 --size 100; [ $? = 2 ] || fail "a machine of a size"
says err 'Standard_E8ds_v5 is a machine and --size is for disks: bill the disk, with --machine Standard_E8ds_v5' "the hint"
bill Standard_E8ds_v5 --machine Standard_E8ds_v5; [ $? = 2 ] || fail "two machines"
bill Standard_E8ds_v5 --term '2 years'; [ $? = 5 ] || fail "a commitment nobody sells"
"$TIERWISE" prices show P80 --prices "$work/book.json" --format csv >"$work/out" 2>/dev/null
says out '"disk, 1 year reservation",41087,"1/Month, all 12 months at once",3423.9166666667,month,P80 LRS Disk' "show"
says out ',2019-10-30' "effective"

# a term that the next list lacks is a loss, and so is the price of one that doubles
update 'items.remove(find("E8ds v5", "3 Years"))' && fail "a lost term"
says err 'vm loses 1 row' "a lost term"
update 'price(find("P80 LRS Disk", "1 Year"), 43000)' || fail "a little more: $(cat "$work/err")"
says out '1 year reservation 41087 43000' "in the words of the list"
# totals that are none
update 'price(find("P80 LRS Disk", "1 Year"), 3423.92)' --accept-drift; [ $? = 2 ] || fail "a month's price as a total"
says err 'is 285.3266667 a month, below a tenth of the 3604.11 without: is the price that of one month?' "a month's price as a total"
update 'price(find("P80 LRS Disk", "1 Year"), 50000)' --accept-drift; [ $? = 2 ] || fail "dearer than without"
says err '4166.666667 a month with "1 year reservation" is dearer than 3604.11 without' "dearer than without"
update 'items.append({**find("P80 LRS Disk", "1 Year"), "skuId": "another", "retailPrice": 41000.0, "unitPrice": 41000.0})'
[ $? = 5 ] || fail "two prices for one term"
says err 'premium_ssd P80 LRS disk, 1 year reservation: .* 41087 .* 41000' "two prices for one term"

# a list from standard input says nothing of its age
python3 "$work/make.py" "$work/answer.json"
rm -f "$work/book.json"
"$TIERWISE" prices update azure testregion --from - -o "$work/book.json" <"$work/answer.json" >"$work/out" 2>"$work/err"
[ $? = 2 ] && [ ! -e "$work/book.json" ] || fail "a list without a date"
says err 'standard input: nothing tells when these prices were read, and today would be a guess: --as-of YYYY-MM-DD says it' "no date"
python3 -c "import sys; sys.stdout.write(open(sys.argv[1]).read())" "$work/answer.json" |
	"$TIERWISE" prices update azure testregion --from - --as-of 2026-10-01 -o "$work/book.json" >"$work/out" 2>"$work/err" ||
	fail "with a date: $(cat "$work/err")"
grep -q '"as_of": "2026-10-01"' "$work/book.json" || fail "the date given is not the book's"
"$TIERWISE" prices update azure testregion --from <(cat "$work/answer.json") -o "$work/other.json" >"$work/out" 2>"$work/err"
[ $? = 2 ] || fail "a pipe"
says err '/dev/fd/.*: nothing tells when' "a pipe"

# the recorded pair itself
recorded=${TIERWISE_SHARED:-/nonexistent}/fixtures/pricing/azure_retail_items_raw_2026-08-22.json
if [ -r "$recorded" ]; then
	"$TIERWISE" prices update azure koreasouth --from "$recorded" --as-of 2026-08-22 -o "$work/korea.json" >"$work/out" 2>"$work/err" ||
		fail "recorded: $(cat "$work/err")"
	python3 - "$work/korea.json" "$recorded" <<'P' || failed=1
import json, sys
got = {(r.get("term"), r.get("term_months"), r["price"], r["effective"]) for r in json.load(open(sys.argv[1]))["rows"]}
want = {({"1 Year": "1 year reservation"}.get(i.get("reservationTerm")), 12 if i["type"] == "Reservation" else None,
         i["retailPrice"], i["effectiveStartDate"][:10]) for i in json.load(open(sys.argv[2]))
        if i["armRegionName"] == "koreasouth" and i["productName"] == "Premium SSD Managed Disks"}
assert got == want and len(got) == 2, (got, want)
print("recorded pair of koreasouth: the same")
P
else
	echo "no recorded answers at $recorded: the recorded pair was not tried"
fi
exit "$failed"
