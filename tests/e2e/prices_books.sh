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
west=$TIERWISE_SOURCE/pricing/azure-westeurope.json
day() { SOURCE_DATE_EPOCH=$(((20687 + $1) * 86400)) "$TIERWISE" prices show P30 --book "$west" "${@:2}"; }
check "day 90" status 0 day 90
check "day 90 is quiet" test ! -s "$work/err"
check "day 91" status 0 day 91
check "day 91 warns" grep -q 'price-stale' "$work/err"
check "age 30 on day 30" status 0 day 30 --max-price-age 30
check "age 30 on day 31" status 6 day 31 --max-price-age 30
check "no document when refused" test ! -s "$work/out"
check "a date ahead of the clock" status 2 day -3
check "a date ahead is named" grep -q 'azure-westeurope.json:[0-9]*:[0-9]*: as_of: the book is dated 2026-08-22.*2026-08-19' \
	"$work/err"
sed '/"sku": "P30", .*"item": "disk"/s/"as_of": "[0-9-]*"/"as_of": "2026-12-02"/' "$west" >"$work/ahead.json"
ahead() { SOURCE_DATE_EPOCH=$1 "$TIERWISE" prices bill P10 --book "$work/ahead.json" -q; }
check "a row read tomorrow" status 2 ahead 1796083200 # 2026-12-01
check "its row and date are named" grep -q 'as_of: premium_ssd P30 disk is dated 2026-12-02, accepted: up to today (2026-12-01)' \
	"$work/err"
check "on its day it is read" status 0 ahead 1796169600

# a bill is as old as the oldest price in it: gp3 was read 2026-10-06, 56 days before 2026-12-01, other rows before
sed '/"sku": "sc1"/s/"as_of": "[0-9-]*"/"as_of": "2026-06-01"/' "$TIERWISE_SOURCE/pricing/aws-us-east-1.json" \
	>"$work/mixed.json"
aws() { SOURCE_DATE_EPOCH=1796083200 "$TIERWISE" prices "$@" --book "$work/mixed.json"; }
check "other rows are old" status 0 aws bill gp3 --size 1024 --max-price-age 56
check "no warning of them" test ! -s "$work/err"
check "56 days are more than 55" status 6 aws bill gp3 --size 1024 --max-price-age 55
check "the day of the row billed" grep -q '56 days old (2026-10-06)' "$work/err"
check "no bill when refused" test ! -s "$work/out"
check "an old row billed" status 6 aws bill sc1 --size 1024 --max-price-age 90
check "its own age" grep -q '183 days old (2026-06-01)' "$work/err" # 29 + 31 + 31 + 30 + 31 + 30 + 1
check "an old row billed warns" status 0 aws bill sc1 --size 1024
check "which is price-stale" grep -q 'price-stale' "$work/err"
check "the list is as old as its oldest row" status 6 aws list --max-price-age 90

# a site's own book: limits come from the data folder, dearer than the list by hand
sed 's/"price": 148.68,/"price": 150.25,/; s/"name": "azure-westeurope"/"name": "contract"/' \
	"$TIERWISE_SOURCE/pricing/azure-westeurope.json" >"$work/contract.json"
check "own book" status 0 prices show P30 --book "$work/contract.json" -q
check "own price" grep -q '150\.25' "$work/out"
check "shipped limits" grep -q 'IOPS, sustained .*5,000' "$work/out"

# published 40.96 per GiBps-mo, kept as the 1,024th part of it, a MiB/s
check "gp3" status 0 prices show gp3 --region us-east-1 -q --format md
check "published price beside its unit" grep -q '| throughput | 40.96 | GiBps-mo | 0.04 | month above 125 |' "$work/out"
check "list of AWS" status 0 prices list --region us-east-1 -q --format md
check "listed likewise" grep -q '| gp3 .*| throughput | 40.96 | GiBps-mo | 125, normal unit | 0.04 | month |' "$work/out"

# one broken book in the data folder is named, not skipped
mkdir -p "$work/data/pricing"
cp "$TIERWISE_SOURCE"/pricing/*.json "$work/data/pricing"
echo '{ "schema": "tierwise/prices/1", "nam": "x" }' >"$work/data/pricing/azure-broken.json"
check "broken book" status 2 prices list --data-dir "$work/data"
check "broken book is named" grep -q 'azure-broken.json:1:34: unknown key "nam", did you mean "name"?' "$work/err"
exit "$failed"
