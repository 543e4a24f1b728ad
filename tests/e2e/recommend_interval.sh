#!/usr/bin/env bash
# A bill that is known between two amounts: the plan says both, and a budget between them is neither kept nor broken.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
check() { # NAME COMMAND...
	local name=$1
	shift
	if "$@"; then echo "ok: $name"; else echo "FAILED: $name"; failed=1; fi
}
cap() { printf '{"name": "%s", "value": "%s"}' "$1" "$2"; }
# a machine without premium disks, so that transactions are billed; their hourly cap has no number on S30
cat >"$work/skus.json" <<END
[{"resourceType": "virtualMachines", "name": "Standard_X8s_v9", "family": "x", "capabilities": [
  $(cap vCPUs 8), $(cap MemoryGB 64), $(cap MaxDataDiskCount 16), $(cap PremiumIO False),
  $(cap UncachedDiskIOPS 12345), $(cap UncachedDiskBytesPerSecond 290000000)]}]
END
run() { # BUDGET
	cat >"$work/w.json" <<END
{ "schema": "tierwise/workload/1", "name": "small", "provider": "azure", "region": "westeurope", "currency": "USD",
  "engine": "postgresql", "replicated": false, "vm": { "sizes": ["Standard_X8s_v9"], "count": 1 }, "budget": { "monthly": $1 },
  "volumes": [{ "role": "backup", "capacity_gib": 800, "read_iops": 20, "write_iops": 300, "io_kib": 64 }] }
END
	"$TIERWISE" recommend "$work/w.json" --machines "$work/skus.json" -q --format md >"$work/out" 2>"$work/err"
}
# S30 40.96.  320 I/Os of 64 KiB a second are 4 billed ones each: 320 x 4 x 3600 x 730 / 10,000 = 336,384 x 0.0005 = 168.19.
# No cap is below 858,000 an hour: 858,000 x 730 / 10,000 x 0.0005 = 31.32.  So 72.28 to 209.15.
run 100
check "between: the plan is made" test $? = 0
check "between: both amounts on page one" grep -qE 'Monthly cost.*USD 72\.28 to 209\.15 \| storage at most USD 209\.15' "$work/out"
check "between: in the decision" grep -q 'USD 72.28 to USD 209.15 a month .*perhaps over the budget of USD 100.00' "$work/out"
check "between: not decided" grep -qE '^> \*\*UNKNOWN\*\*: backup on S30' "$work/out"
check "between: why" grep -q 'a cap is not known: USD 72.28 to USD 209.15 a month' "$work/out"
run 72
check "below the least: over budget" test $? = 3
check "below the least: both amounts" grep -q 'costs USD 72.28 to USD 209.15 a month, the budget is USD 72.00' "$work/err"
run 210
check "above the most: kept" test $? = 0
check "above the most: said" grep -qE '^> \*\*PASS\*\*: backup on S30' "$work/out"

# the price of an operation doubled: 40.96 + 2 x 31.317 = 103.59 to 40.96 + 2 x 168.192 = 377.34
run 100
"$TIERWISE" recommend "$work/w.json" --machines "$work/skus.json" -q -o "$work/plan.json"
book=$TIERWISE_SOURCE/pricing/azure-westeurope.json
sed '/"S30 LRS Disk Operations"/s/"price": 0.0005/"price": 0.001/' "$book" >"$work/new.json"
cmp -s "$book" "$work/new.json" && check "the new book is another" false
"$TIERWISE" prices diff "$book" "$work/new.json" --plan "$work/plan.json" >"$work/out" 2>"$work/err"
tr -s '\n ' ' ' <"$work/out" >"$work/line"
check "diff: both ends" grep -q '72.28 to 209.15 USD before, 103.59 to 377.34 USD after' "$work/line"
check "diff: the difference" grep -q 'Difference: +31.32 USD a month at the lower ends, +168.19 at the upper' "$work/line"
exit "$failed"
