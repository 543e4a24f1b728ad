#!/usr/bin/env bash
# The other providers' books through the search: what comes with a volume counts in MiB/s, is never bought below,
# and costs nothing.  No published latency speaks for these tiers, so nothing may be promised, and nothing is
# found to fail either: UNKNOWN, exit 7.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
check() { # NAME COMMAND...
	local name=$1
	shift
	if "$@"; then echo "ok: $name"; else echo "FAILED: $name"; failed=1; fi
}
run() { # PROVIDER REGION MACHINE [IOPS]
	sed "s/\"read_iops\": 700/${4:-\"read_iops\": 700}/; s/\"provider\": \"azure\", \"region\": \"westeurope\"/\"provider\": \"$1\", \"region\": \"$2\"/; s/Standard_D8ds_v5/$3/" \
		"$TIERWISE_SOURCE/rules/examples/small.json" >"$work/w.json"
	"$TIERWISE" recommend "$work/w.json" -q --format md >"$work/out" 2>"$work/err"
}
run aws us-east-1 r6i.2xlarge
check "aws: nothing can be promised" test $? = 7
check "aws: nothing was found to miss" grep -q 'No configuration is known to fit the wal volume; of the nearest, commit-p99 cannot be judged' "$work/err"
check "aws: a measurement decides" grep -q 'nothing was found to miss a promise: .* a measurement decides' "$work/out"
check "aws: no word of relaxing" test "$(grep -c 'have to be relaxed' "$work/out")" = 0
# 100 GiB x 0.08; 125 MiB/s are 131.07 MB/s
check "aws: data on gp3" grep -qE 'data\].* EBS gp3, 100 .* 3,000 / .* 131 / .* 8\.00 ' "$work/out"
# io2: 0.256 MiB/s come with each of 100 IOPS: 25.6 MiB/s are 26.8 MB/s; the sum stays
check "aws: throughput that comes with io2" grep -qE 'EBS io2 Block Express \| UNKNOWN \| 150\.03 .*20 GiB with 100 IOPS and 26\.8 MB/s' "$work/out"
run gcp us-central1 n2-highmem-8
check "gcp: nothing can be promised" test $? = 7
# 100 GiB x 0.000109589 x 730 = 8.00; 140 MiB/s are 146.8 MB/s; 200 GiB of pd-standard x 0.000054795 x 730 = 8.00
check "gcp: data on Hyperdisk Balanced" grep -qE 'data\].* Hyperdisk Balanced, 100 .* 3,000 / .* 147 / .* 8\.00 ' "$work/out"
check "gcp: backup follows its size" grep -qE 'backup\].* pd-standard, 200 .* 150 / .* 25\.2 / .* 8\.00 ' "$work/out"
# what is known to fail fails, whatever else is unknown: ten million reads a second are beyond any stripe
run aws us-east-1 r6i.2xlarge '"read_iops": 10000000'
check "aws: too many I/Os are a miss" test $? = 4
check "aws: said of the data volume" grep -q 'No configuration fits the data volume' "$work/err"
check "aws: the verdict is FAIL" grep -q '^> \*\*FAIL\*\*' "$work/out"
exit "$failed"
