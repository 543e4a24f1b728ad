#!/usr/bin/env bash
# Every statement that ../shared/reference-cases.md marks [!] (contradicts itself or the vendor) or [=] (recomputes)
# beside the finding `tierwise audit` prints for it.  A mark without a row here fails, and so does a row without its
# finding.
set -u
cases=${TIERWISE_SHARED:-/nonexistent}/reference-cases.md
if [ ! -e "$cases" ]; then
	echo "skipped: no shared/reference-cases.md"
	exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# check MARK VERDICT ROWS: a row is WORDS of the statement|FILE|CODE|what the finding must hold; the same words in
# several rows are one statement.

check() {
	local mark=$1 verdict=$2 rows=$3 marks listed words file code holds json status
	# the first line with marks defines them
	sed '/^Mark: /d' "$cases" | grep -F "$mark" >"$work/lines"
	marks=$(grep -oF "$mark" "$work/lines" | wc -l)
	listed=$(cut -d'|' -f1 "$rows" | sort -u | wc -l)
	if [ "$marks" != "$listed" ]; then
		echo "$marks marks $mark in reference-cases.md, $listed listed here:"
		cat "$work/lines"
		failed=1
	fi
	while IFS='|' read -r words file code holds; do
		if ! grep -qF -- "$words" "$work/lines"; then
			echo "no line marked $mark holds: $words"
			failed=1
		fi
		json=$work/$(basename "$file")
		if [ ! -e "$json" ]; then
			"$TIERWISE" audit -q "$TIERWISE_SOURCE/$file" -o "$json" 2>/dev/null
			echo $? >"$json.status"
		fi
		status=$(cat "$json.status")
		if [ "$verdict" = contradiction ] && [ "$status" != 7 ]; then
			echo "$file: exit $status, expected 7"
			failed=1
		fi
		# a finding is its verdict, code, subject, text, arithmetic and needs, in lines of their own
		if tr '\n' ' ' <"$json" | sed 's/"verdict"/\n&/g' | grep -F "\"code\": \"$code\"" |
			grep -F "\"verdict\": \"$verdict\"" | grep -qF -- "${holds//\"/\\\"}"; then
			printf '%s %-44s %s\n' "$mark" "$words" "$code"
		else
			echo "$file: no $verdict $code with: $holds"
			failed=1
		fi
	done <"$rows"
}

cat >"$work/contradict" <<'END'
12-month NPV advantage claimed 217,000 USD|rules/examples/article-2024.tco.json|claim-not-derivable|217,000.00 USD is not derivable
Premium 18,200 IOPS at QD32|models/azure-premium-ssd.json|little-law|mean 1.76 ms, not 4.20 ms; 4.20 ms mean 7,619 IOPS
Ultra 145,000 IOPS at QD32|models/azure-ultra-disk.json|little-law|mean 0.22 ms, not 1.10 ms; 1.10 ms mean 29,091 IOPS
Ultra 145,000 IOPS at QD32|models/azure-ultra-disk.json|below-light-latency|145,000 IOPS with 32 outstanding mean 0.22 ms, below the disk's own QD1 mean of 0.30 ms
Ultra 145,000 IOPS at QD32|models/azure-ultra-disk.json|below-light-latency|160,000 IOPS with 16 outstanding mean 0.10 ms
Ultra 145,000 IOPS at QD32|models/azure-ultra-disk.json|below-light-latency|at least 48 outstanding
Vendor documents: P30 is 1,024 GiB|models/azure-premium-ssd.json|label-over-limit|P30 is 1,024 GiB, 5,000 IOPS, 200 MB/s (8,000 IOPS / 300 MB/s
Vendor documents: P30 is 1,024 GiB|models/azure-premium-ssd.json|label-over-limit|P40 is 2,048 GiB, 7,500 IOPS, 250 MB/s
Vendor documents: P30 is 1,024 GiB|models/azure-ultra-disk.json|no-such-sku|no SKU "U30"
Vendor documents: P30 is 1,024 GiB|models/azure-ultra-disk.json|no-such-sku|no SKU "U15"
Vendor documents: P30 is 1,024 GiB|models/azure-ultra-disk.json|no-such-sku|provisioned by GiB
Vendor documents: P30 is 1,024 GiB|models/azure-ultra-disk.json|vm-cap|12,800 IOPS and 290 MB/s (burst 20,000 / 1,200), so it cannot drive 160,000 IOPS
Vendor documents: P30 is 1,024 GiB|models/azure-local-temp.json|vm-temp-differs|1 temporary disk of 300 GiB
p99 3.8 and p999 4.9 ms|models/azure-ultra-disk.json|stated-twice|3.1 in one place and 3.8 in another
`pgbench -S` is select-only|models/azure-premium-ssd.json|select-only|cannot be a write-heavy phase
612,000 IOPS at QD32|models/host-nvme-mirror.json|below-light-latency|mean 52 us, below the disk's own QD1 median of 68 us: such a rate needs at least 42 outstanding (several jobs)
TPS +384 %, mean latency -74 %|models/alibaba-essd.json|claim-contradicts|+384 % TPS means -79 % latency, and -74 % latency means +285 % TPS
+2,515 %|models/alibaba-essd.json|claim-contradicts|published as 2,660 %
END
cat >"$work/recompute" <<'END'
-9 % / -22 %|models/azure-premium-ssd.json|claim-agrees|recomputes: -9 %, as published
-9 % / -22 %|models/azure-premium-ssd.json|claim-agrees|recomputes: -22 %, as published
-11 % / -26 %|models/azure-ultra-disk.json|claim-agrees|recomputes: -11.25 %, as published (-11 %)
-11 % / -26 %|models/azure-ultra-disk.json|claim-agrees|recomputes: -26.25 %, as published (-26 %)
1.5135|rules/examples/article-2024.tco.json|claim-agrees|the inputs give 1.51351, claimed 1.5135
2.0000|rules/examples/article-2024.tco.json|claim-agrees|the inputs give 2, claimed 2
Ratio 1.3214|rules/examples/article-2024.tco.json|claim-agrees|the inputs give 1.32143, claimed 1.3214
600 USD/month|rules/examples/article-2024.tco.json|claim-agrees|the inputs give 600, claimed 600
116.8 M USD/year|rules/examples/article-2024.tco.json|claim-agrees|the inputs give 116,800,000
p99 9.5 -> 5.2 ms|models/azure-premium-ssd.json|claim-agrees|recomputes: -45.26 %, as published (-45 %)
200 page reads = 13.6 ms|models/host-nvme-mirror.json|claim-agrees|200 dependent reads x 68 us = 13.6 ms
200 page reads = 13.6 ms|models/host-sata-raid10.json|claim-agrees|= 28.4 ms
28 us = 0.056 s|models/host-nvme-mirror.json|claim-agrees|2,000 commits/s x 28 us = 0.056 s
505 outstanding|models/alibaba-essd.json|claim-agrees|= 505
30.2 times Huawei|models/alibaba-essd.json|claim-agrees|= 30.24 times
All consistent with QD1 Little|models/hdd-raid5.json|claim-agrees|outstanding = 200 IOPS x 5.00 ms = 1
All consistent with QD1 Little|models/ssd-raid5.json|claim-agrees|0.9375 outstanding, within 10 % of the 1 stated
END
check '[!]' contradiction "$work/contradict"
check '[=]' agrees "$work/recompute"
exit "$failed"
