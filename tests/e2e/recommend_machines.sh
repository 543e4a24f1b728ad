#!/usr/bin/env bash
# A machine size that is not shipped, brought from the provider's own list: refused without it, capped by its
# figures with it, and the list is among the plan's inputs with its checksum.  A bad list is named by place.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
check() { # NAME COMMAND...
	local name=$1
	shift
	if "$@"; then echo "ok: $name"; else echo "FAILED: $name"; failed=1; fi
}
run() { "$TIERWISE" recommend "$work/w.json" -q --format json "$@" >"$work/out" 2>"$work/err"; }
sed 's/Standard_D8ds_v5/Standard_X8s_v9/' "$TIERWISE_SOURCE/rules/examples/small.json" >"$work/w.json"
cap() { printf '{"name": "%s", "value": "%s"}' "$1" "$2"; }
cat >"$work/skus.json" <<END
[{"resourceType": "disks", "name": "Premium_LRS"},
 {"resourceType": "virtualMachines", "name": "Standard_X8s_v9", "family": "x", "capabilities": [
  $(cap vCPUs 8), $(cap MemoryGB 64), $(cap MaxDataDiskCount 16), $(cap PremiumIO True),
  $(cap UncachedDiskIOPS 12345), $(cap UncachedDiskBytesPerSecond 290000000)]}]
END
run
check "not known without the list" test $? = 2
check "and named" grep -q 'Standard_X8s_v9' "$work/err"
run --machines "$work/skus.json"
check "known with it" test $? = 0
check "its IOPS cap" grep -q '"uncached_iops": 12345' "$work/out"
# the list does not speak of Premium SSD v2; PremiumIO does, and the plan that rests on it says so
check "Premium SSD v2 not lost" grep -qE '"support-derived"' "$work/out"
check "and where from" grep -q 'on Standard_X8s_v9: yes, derived from PremiumIO' "$work/out"
check "said once" test "$(grep -c '"support-derived"' "$work/out")" = 1
sum=$(sha256sum "$work/skus.json" | cut -d' ' -f1)
check "an input of the plan" grep -q '"kind": "machines"' "$work/out"
check "with its checksum" grep -q "$sum" "$work/out"
sed 's/"PremiumIO", "value": "True"/"PremiumIO", "value": "False"/' "$work/skus.json" >"$work/plain.json"
run --machines "$work/plain.json"
check "no premium disks, no v2" test "$(grep -cE '"support-derived"' "$work/out")" = 0
head -c 300 "$work/skus.json" >"$work/cut.json"
run --machines "$work/cut.json"
check "cut short" test $? = 2
check "place of the cut" grep -qE 'cut\.json:[0-9]+:[0-9]+: ' "$work/err"
sed 's/"12345"/"-12345"/' "$work/skus.json" >"$work/absurd.json"
run --machines "$work/absurd.json"
check "absurd" test $? = 2
check "place of the figure" grep -qE 'absurd\.json:4:[0-9]+: UncachedDiskIOPS: "-12345", accepted' "$work/err"
check "no document when refused" test ! -s "$work/out"
exit "$failed"
