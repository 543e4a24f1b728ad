#!/usr/bin/env bash
# Price books through the real program: a book written as JSON reads back the same, every format
# renders, the age limit bites on the right day, a site's own book works beside the shipped limits.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
check() { # NAME COMMAND...
	local name=$1
	shift
	if "$@"; then echo "ok: $name"; else echo "FAILED: $name"; failed=1; fi
}
status() { # WANTED COMMAND...
	local want=$1
	shift
	"$@" >"$work/out" 2>"$work/err"
	local got=$?
	[ "$got" = "$want" ] || { echo "status $got, wanted $want: $*"; cat "$work/err"; return 1; }
}
prices() { "$TIERWISE" prices "$@"; }

for region in westeurope northeurope swedencentral francecentral belgiumcentral; do
	check "$region as JSON" status 0 prices list --region "$region" -q -o "$work/$region.json"
	check "$region read back" status 0 prices list --book "$work/$region.json" -q -o "$work/again.json"
	check "$region unchanged" cmp "$work/$region.json" "$work/again.json"
	rows=$(grep -c '"item":' "$work/$region.json")
	shipped=$(grep -c '"item":' "$TIERWISE_SOURCE/pricing/azure-$region.json")
	check "$region: $rows rows of $shipped" test "$rows" = "$shipped" -a "$rows" -gt 180
done

for format in table json csv md html; do
	check "list as $format" status 0 prices list --region westeurope -q --format "$format"
	check "$format has the price of P30" grep -q '148\.68' "$work/out"
	check "show as $format" status 0 prices show P30 --region westeurope -q --format "$format"
	check "$format has the IOPS of P30" grep -q '5,000' "$work/out"
	check "$format: nothing on stderr" test ! -s "$work/err"
done

# the warning starts on day 91, --max-price-age N accepts day N: 2026-08-22 is day 20687 since 1970
day() { SOURCE_DATE_EPOCH=$(((20687 + $1) * 86400)) "$TIERWISE" prices show P30 "${@:2}"; }
check "day 90" status 0 day 90
check "day 90 is quiet" test ! -s "$work/err"
check "day 91" status 0 day 91
check "day 91 warns" grep -q 'price-stale' "$work/err"
check "age 30 on day 30" status 0 day 30 --max-price-age 30
check "age 30 on day 31" status 6 day 31 --max-price-age 30
check "no document when refused" test ! -s "$work/out"
check "a date ahead of the clock" status 0 day -3
check "a date ahead warns" grep -q 'price-future' "$work/err"

# a site's own book: limits come from the data folder, dearer than the list by hand
sed 's/"price": 148.68,/"price": 150.25,/; s/"name": "azure-westeurope"/"name": "contract"/' \
	"$TIERWISE_SOURCE/pricing/azure-westeurope.json" >"$work/contract.json"
check "own book" status 0 prices show P30 --book "$work/contract.json" -q
check "own price" grep -q '150\.25' "$work/out"
check "shipped limits" grep -q 'IOPS, sustained .*5,000' "$work/out"

# one broken book in the data folder is named, not skipped
mkdir -p "$work/data/pricing"
cp "$TIERWISE_SOURCE"/pricing/*.json "$work/data/pricing"
echo '{ "schema": "tierwise/prices/1", "nam": "x" }' >"$work/data/pricing/azure-broken.json"
check "broken book" status 2 prices list --data-dir "$work/data"
check "broken book is named" grep -q 'azure-broken.json:1:34: unknown key "nam", did you mean "name"?' "$work/err"
exit "$failed"
