#!/usr/bin/env bash
# Where other calculators went wrong, asked of this one through the program: steps, meters with two rows, copies in
# several zones, prices that are there twice or not at all, another currency, a report of many candidates.
set -u
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
export SOURCE_DATE_EPOCH=1796083200 # 2026-12-01
book=$TIERWISE_SOURCE/pricing/azure-westeurope.json
check() { # NAME COMMAND...
	local name=$1
	shift
	if "$@"; then echo "ok: $name"; else echo "FAILED: $name"; failed=1; fi
}
# price SKU REDUNDANCY ITEM: as the book has it, read without the program
price() { grep -o "\"sku\": \"$1\", \"redundancy\": \"$2\", \"item\": \"$3\", \"unit\": \"month\", \"price\": [0-9.]*" "$book" | grep -o '[0-9.]*$'; }
# total WORDS...: of `prices bill` in West Europe
total() { "$TIERWISE" prices bill "$@" --region westeurope -q --format csv 2>"$work/err" | sed -n 's/^Total,*//p' | tr -d '",\r'; }
rounded() { printf '%.2f' "$1"; }

# Steps: the whole one is paid; a size above the largest is refused.
check "2,500 GiB are a P50" test "$(total premium_ssd --size 2500)" = "$(rounded "$(price P50 LRS disk)")"
check "33 GiB are a P6, not 33/32 of a P4" test "$(total premium_ssd --size 33)" = "$(rounded "$(price P6 LRS disk)")"
check "the largest disk" test "$(total premium_ssd --size 32767)" = "$(rounded "$(price P80 LRS disk)")"
"$TIERWISE" prices bill premium_ssd --size 32768 --region westeurope -q >"$work/out" 2>"$work/err"
check "a larger one is refused" test $? = 2
check "with the largest" grep -q '32,767 GiB' "$work/err"
# A P4 has a row for the disk and one for a mount: the disk is billed, and a mount for each machine after the first.
check "the disk, not its mount" test "$(total P4)" = "$(rounded "$(price P4 LRS disk)")"
check "one mount for two machines" test "$(total P4 --shared-by 2)" = "$(python3 -c "print('%.2f' % ($(price P4 LRS disk) + $(price P4 LRS mount)))")"
# Premium SSD v2: 6,000 IOPS and 500 MB/s are 3,000 and 375 above what is included; what is not set is what is included.
# GiB 0.00013, IOPS 0.000007, MB/s 0.000055 an hour, of 730
v2=$(grep '"sku": "PremiumV2_LRS"' "$book" | python3 -c '
import re, sys
p = {}
for line in sys.stdin:
    item, value = re.search(r"\"item\": \"(\w+)\"", line).group(1), float(re.search(r"\"price\": ([\d.]+)", line).group(1))
    if value > 0:
        p[item] = value
print("%.2f %.2f" % (100 * p["capacity"] * 730, (100 * p["capacity"] + 3000 * p["iops"] + 375 * p["throughput"]) * 730))')
check "what is included is free" test "$(total premium_ssd_v2 --size 100)" = "${v2% *}"
check "what is above is not" test "$(total premium_ssd_v2 --size 100 --iops 6000 --throughput 500)" = "${v2#* }"

# Copies in several zones: the standard SSD has them and a price, Premium SSD v2 has not and says so.
zrs() { # BOOK
	cat >"$work/w.json" <<'END'
{ "schema": "tierwise/workload/1", "name": "zones", "provider": "azure", "region": "westeurope", "redundancy": "ZRS",
  "engine": "generic", "vm": { "sizes": ["Standard_E8ds_v5"] },
  "volumes": [ { "role": "backup", "capacity_gib": 60, "read_iops": 1, "write_iops": 1, "io_kib": 64 } ] }
END
	"$TIERWISE" recommend "$work/w.json" --prices "$1" -q --format json >"$work/plan.json" 2>"$work/err"
}
zrs "$book"
check "ZRS: a plan" test $? = 0
check "ZRS: chosen" grep -qE '"redundancy": "ZRS"' "$work/plan.json"
check "ZRS: v2 refused with the reason" grep -q 'PremiumV2_LRS is offered with LRS, ZRS is asked for' "$work/plan.json"
grep -v '"redundancy": "ZRS"' "$book" >"$work/lrs.json"
zrs "$work/lrs.json"
check "ZRS without a price in the region: exit 5" test $? = 5
check "ZRS without a price: said" grep -q 'at least' "$work/err"

# Two prices of one thing, and none.
small=$TIERWISE_SOURCE/rules/examples/small.json
awk '{ print } /"meter": "P30 LRS Disk",/ { sub(/148\.68/, "150"); print }' "$book" >"$work/two.json"
check "the book has two" test "$(grep -c '"meter": "P30 LRS Disk",' "$work/two.json")" = 2
"$TIERWISE" recommend "$small" --prices "$work/two.json" -q >"$work/out" 2>"$work/err"
check "two prices: exit 5" test $? = 5
check "two prices: both, with their lines" grep -qE 'two.json:[0-9]+:[0-9]+: .*P30 LRS disk is 150 here and 148.68 in line [0-9]+' "$work/err"
check "two prices: no plan" test ! -s "$work/out"
python3 - "$book" "$work/none.json" <<'P'
import sys
lines = open(sys.argv[1]).readlines()
keep = [l for l in lines if '"item"' not in l or '"family": "vm"' in l]
last = max(i for i, l in enumerate(keep) if '"item"' in l)
keep[last] = keep[last].rstrip().rstrip(",") + "\n"
open(sys.argv[2], "w").writelines(keep)
P
"$TIERWISE" recommend "$small" --prices "$work/none.json" -q --format json >"$work/out" 2>"$work/err"
check "no price: exit 5" test $? = 5
check "no price: at least, incomplete" grep -q 'at least .* incomplete' "$work/err"
check "no price: in the plan" grep -q '"complete": false' "$work/out"
check "no price: the rule" grep -q '"id": "bill-incomplete"' "$work/out"

# Another currency, with today's disks, shared disks, snapshots and every rule about money: never a dollar.
sed 's/"currency": "USD"/"currency": "EUR"/; s/"name": "azure-westeurope"/"name": "euro"/' "$book" >"$work/euro.json"
cat >"$work/w.json" <<'END'
{ "schema": "tierwise/workload/1", "name": "euro", "provider": "azure", "region": "westeurope", "engine": "generic",
  "vm": { "sizes": ["Standard_E8ds_v5", "Standard_E16ds_v5"], "count": 2 }, "budget": { "monthly": 9999 },
  "volumes": [
    { "role": "wal", "capacity_gib": 64, "read_iops": 0, "write_iops": 300, "io_kib": 16,
      "current": { "sku": "P20", "size_gib": 512, "tier": "P50", "host_cache": "ReadWrite" } },
    { "role": "data", "capacity_gib": 200, "read_iops": 5500, "write_iops": 0, "io_kib": 8, "snapshots_kept": 7,
      "current": { "sku": "P30", "size_gib": 1024, "burst": true } },
    { "role": "index", "capacity_gib": 900, "mounts": 2, "read_iops": 100, "write_iops": 100, "io_kib": 8,
      "current": { "sku": "P30", "size_gib": 1024, "boot": true } } ] }
END
for format in table json csv md html; do
	"$TIERWISE" recommend "$work/w.json" --prices "$work/euro.json" -q --format "$format" >"$work/out" 2>"$work/err"
	check "euro, $format: a plan" test $? = 0
	check "euro, $format: EUR" grep -q EUR "$work/out"
	check "euro, $format: no dollar" sh -c "! grep -nE '\\\$|USD|[Dd]ollar' '$work/out' '$work/err'"
done

sed 's/"monthly": 9999/"monthly": 1/' "$work/w.json" >"$work/poor.json"
"$TIERWISE" recommend "$work/poor.json" --prices "$work/euro.json" -q >"$work/out" 2>"$work/err"
check "euro: over the budget" test $? = 3
check "euro: the budget is in euro" grep -qE 'costs EUR [0-9,.]+ a month, the budget is EUR 1\.00' "$work/err"
check "euro: and nothing else" sh -c "! grep -nE '\\\$|USD' '$work/err'"

# Sixteen volumes, more than 500 candidates: a page that a mail takes, without script or fetch.
python3 - "$work/many.json" <<'P'
import json, sys
volumes = []
for i in range(16):
    role = "wal" if i == 0 else "backup" if i == 15 else "data"
    volumes.append({"role": role, "name": f"volume-{i:02d}", "capacity_gib": 100 + 50 * i,
        "read_iops": 100 + 300 * i if role == "data" else 0, "write_iops": 100, "io_kib": 8,
        "current": {"sku": "P30", "size_gib": 1024, "burst": True}})
json.dump({"schema": "tierwise/workload/1", "name": "many", "provider": "azure", "region": "westeurope",
    "engine": "generic", "vm": {"sizes": ["Standard_E64ds_v5"]}, "sla": {"commit_p99_ms": 2}, "volumes": volumes},
    open(sys.argv[1], "w"))
P
"$TIERWISE" recommend "$work/many.json" -q -o "$work/many.html" -o "$work/many.md" -o "$work/many.plan.json" 2>"$work/err"
check "many: a plan" test $? = 0
candidates=$(grep -oE 'cheapest of [0-9,]+ configurations' "$work/many.plan.json" | tr -d , | awk '{ n += $3 } END { print n }')
check "many: $candidates candidates that meet everything" test "$candidates" -ge 500
check "many: less than 1 MB" test "$(stat -c %s "$work/many.html")" -lt 1000000
check "many: no script" sh -c "! grep -qi '<script' '$work/many.html'"
check "many: nothing is fetched" sh -c "! grep -qiE 'https?:|url\(|@import|src=' '$work/many.html'"
check "many: words, not colours alone" grep -qE 'PASS|FAIL|UNKNOWN' "$work/many.html"
check "many: the rules are capped" grep -qE 'And [0-9]+ more, of less weight' "$work/many.md"
# page one holds three bullets a list however many volumes and warnings there are
sed -n '/^### Risks/,/^## /p' "$work/many.md" >"$work/risks"
check "many: page one is one page" test "$(grep -c '^- ' "$work/risks")" -le 4
exit "$failed"
