#!/usr/bin/env bash
# `prices diff`: a book against itself, against one with known changes, and what they do to a plan.
set -u
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export SOURCE_DATE_EPOCH=1793491200 # 2026-11-01: the shipped prices are neither old nor ahead
failed=0
fail() { echo "FAILED: $*"; failed=1; }
run() { # WANTED-EXIT COMMAND...
	local want=$1 status=0
	shift
	"$@" >"$work/out" 2>"$work/err" || status=$?
	[ "$status" = "$want" ] || fail "exit $status, wanted $want: $*: $(cat "$work/err")"
}
has() { grep -qF -- "$1" "$work/out" "$work/err" || fail "no '$1' in: $(cat "$work/out" "$work/err")"; }

run 0 "$TIERWISE" prices list --region westeurope -q -o "$work/old.json"
run 0 "$TIERWISE" recommend "$TIERWISE_SOURCE/rules/examples/small.json" \
	--prices "$work/old.json" -q -o "$work/plan.json"
# change SCRIPT: a copy of the book, its rows bent by Python
change() {
	python3 - "$work/old.json" "$work/new.json" "$1" <<'P'
import json, sys
book = json.load(open(sys.argv[1]))
rows = book["rows"]
def find(**what): return [r for r in rows if all(r.get(k) == v for k, v in what.items())]
exec(sys.argv[3])
json.dump(book, open(sys.argv[2], "w"))
P
}
rows=$(python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["rows"]))' "$work/old.json")

run 0 "$TIERWISE" prices diff "$work/old.json" azure-westeurope
has "0 prices changed, 0 units changed, 0 rows added, 0 removed, $rows the same"

# P30 148.68 -> 160 is +11.32, +7.61 %; one row gone; one new; one in another unit
change '
find(sku="P30", item="disk", redundancy="LRS")[0]["price"] = 160
rows.remove(find(sku="P80", item="disk", redundancy="ZRS")[0])
rows.append({**find(sku="P30", item="disk", redundancy="LRS")[0], "redundancy": "GRS", "price": 300})
find(sku="PremiumV2_LRS", item="capacity")[0].update(unit="gb_month", unit_published="1 GB/Month", price=0.0949)'
for format in table json csv md html; do
	run 0 "$TIERWISE" prices diff "$work/old.json" "$work/new.json" --format "$format"
	for text in 148.68 160 +11.32 +7.61 GRS "P80 ZRS Disk" "1 GB/Month"; do
		has "$text"
	done
done

run 0 "$TIERWISE" prices diff "$work/old.json" "$work/new.json" --format md
has "1 prices changed, 1 units changed, 1 rows added, 1 removed"

# 0.00013 a GiB and hour are 0.0949 a month at 730 hours: the same price, published in another way
change 'find(sku="PremiumV2_LRS", item="capacity")[0].update(unit="gib_month", unit_published="1 GiB/Month", price=0.0949)'
run 0 "$TIERWISE" prices diff "$work/old.json" "$work/new.json" --format md
has "0 prices changed, 0 units changed, 0 rows added, 0 removed, $rows the same (1 of them per another unit, at the same price a month)"

# every price a quarter dearer: so is the plan
change '
for r in rows: r["price"] = round(r["price"] * 1.25, 9)'
run 0 "$TIERWISE" prices diff "$work/old.json" "$work/new.json" --plan "$work/plan.json" --format json -o "$work/diff.json"
python3 - "$work/plan.json" "$work/diff.json" <<'P' || fail "the plan's new total"
import json, re, sys
total = json.load(open(sys.argv[1]))["bill"]["total"]
text = open(sys.argv[2]).read()
before, after = (float(re.search(rf"([\d,]+\.\d\d) USD {w}", text).group(1).replace(",", "")) for w in ("before", "after"))
print(f"plan {total:.4f}, before {before}, after {after}, a quarter more {total * 1.25:.4f}")
sys.exit(abs(before - total) > 0.006 or abs(after - total * 1.25) > 0.011)
P
grep -q '+25.00 %' "$work/diff.json" || fail "no +25.00 % in the document"

# a price the plan needs is gone: exit 5, after the page
sku=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["bill"]["lines"][0]["meter"])' "$work/plan.json")
change "
for r in find(meter='$sku'): rows.remove(r)"
run 5 "$TIERWISE" prices diff "$work/old.json" "$work/new.json" --plan "$work/plan.json"
grep -q "no price for it\|the new book has no" "$work/out" || fail "no reason"
has "incomplete"

# nothing to compare
sed 's/"currency": "USD"/"currency": "EUR"/' "$work/old.json" >"$work/eur.json"
run 2 "$TIERWISE" prices diff "$work/old.json" "$work/eur.json"
has "prices compare in one currency"
run 2 "$TIERWISE" prices diff "$work/old.json" azure-nowhere
has 'no price book "azure-nowhere"'
run 2 "$TIERWISE" prices diff "$work/old.json"
has "two books are compared"
run 2 "$TIERWISE" prices diff a b c
run 2 "$TIERWISE" prices diff "$work/old.json" azure-westeurope --format csv -o "$work/old.json"
has "would replace the input"
exit "$failed"
