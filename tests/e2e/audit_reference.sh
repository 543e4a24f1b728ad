#!/usr/bin/env bash
# Every statement that ../shared/reference-cases.md marks [!] (contradicts itself or the vendor) beside the finding
# `tierwise audit` prints for it.  A mark without a row here fails, and so does a row without its finding.
set -u
cases=${TIERWISE_SHARED:-/nonexistent}/reference-cases.md
if [ ! -e "$cases" ]; then
	echo "skipped: no shared/reference-cases.md"
	exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# MARK (words that follow a [!] in the text)|FILE|CODE|what the finding must hold
rows=$work/rows
cat >"$rows" <<'END'
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

# the line of a mark: the first one after the definition of the marks holds it
lines() {
	sed '/^Mark: /d' "$cases" | grep -F '[!]'
}
marks=$(lines | grep -oF '[!]' | wc -l)
listed=$(cut -d'|' -f1 "$rows" | sort -u | wc -l)
if [ "$marks" != "$listed" ]; then
	echo "$marks marks in reference-cases.md, $listed listed here:"
	lines
	failed=1
fi
while IFS='|' read -r mark file code words; do
	if ! lines | grep -qF -- "$mark"; then
		echo "no line marked [!] holds: $mark"
		failed=1
	fi
	json=$work/$(basename "$file")
	if [ ! -e "$json" ]; then
		"$TIERWISE" audit -q "$TIERWISE_SOURCE/$file" -o "$json" 2>/dev/null
		status=$?
		if [ "$status" != 7 ]; then
			echo "$file: exit $status, expected 7"
			failed=1
		fi
	fi
	# a finding is its verdict, code, subject, text, arithmetic and needs, in lines of their own
	if tr '\n' ' ' <"$json" | sed 's/"verdict"/\n&/g' | grep -F "\"code\": \"$code\"" |
		grep -F '"verdict": "contradiction"' | grep -qF -- "${words//\"/\\\"}"; then
		printf '[!] %-42s %s\n' "$mark" "$code"
	else
		echo "$file: no contradiction $code with: $words"
		failed=1
	fi
done <"$rows"
exit "$failed"
