#!/usr/bin/env bash
# A book in another currency: its code on every amount, and never a dollar, in any format of any command.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
check() { # NAME COMMAND...
	local name=$1
	shift
	if "$@"; then echo "ok: $name"; else echo "FAILED: $name"; failed=1; fi
}
clean() { # FILE: the code is there, the dollar is not
	grep -q EUR "$1" && ! grep -nE '\$([^A-Z]|$)|USD|[Dd]ollar' "$1" # $PGDATA of a command is none
}
sed 's/"currency": "USD"/"currency": "EUR"/; s/"name": "azure-westeurope"/"name": "euro"/' \
	"$TIERWISE_SOURCE/pricing/azure-westeurope.json" >"$work/euro.json"
sed 's/"currency": "USD", *//' "$TIERWISE_SOURCE/rules/examples/small.json" >"$work/w.json"
for format in table json csv md html; do
	for words in "list" "show P30" "show PremiumV2_LRS" "show Standard_E8ds_v5" \
		"bill premium_ssd_v2 --size 100 --iops 6000 --throughput 500" \
		"bill P30 --shared-by 3 --burst 20000000 --snapshots 100 --machine Standard_E8ds_v5=2"; do
		# shellcheck disable=SC2086
		"$TIERWISE" prices $words --prices "$work/euro.json" -q --format "$format" >"$work/out" 2>"$work/err"
		check "prices $words, $format" test $? = 0
		check "prices $words, $format: EUR alone" clean "$work/out"
		check "prices $words, $format: quiet" test ! -s "$work/err"
	done
	"$TIERWISE" recommend "$work/w.json" --prices "$work/euro.json" -q --format "$format" >"$work/out" 2>"$work/err"
	check "recommend, $format: EUR alone" clean "$work/out"
done
# nor anything but yuan from the article's book
"$TIERWISE" prices bill ESSD --size 1000 --prices "$TIERWISE_SOURCE/pricing/article-alibaba-2018.json" -q >"$work/out"
check "yuan" grep -q 'CNY' "$work/out"
check "1,000 GiB are 1,073.74 GB" grep -q '1,073\.74' "$work/out"
check "no dollar" sh -c "! grep -qE '\\\$|USD' '$work/out'"
exit "$failed"
