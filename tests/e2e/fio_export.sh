#!/usr/bin/env bash
# fio_export.sh - a measurement written as a fio result: fio's own reader of json+ takes it, and the import of
# fio results gives the same figures back.
set -eu
if ! command -v python3 >/dev/null; then
	echo "skipped: no python3"
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$TIERWISE" bench -q --engine sim:read_us=250,write_us=150,fsync_us=100,iops=20000,mbps=500,sigma=0.3,seed=1 \
	--time 20 -o disk.json
"$TIERWISE" report disk.json -q --fio disk.fio.json -o disk.txt
"$TIERWISE" import -q disk.fio.json -o back.json
cat >compare.py <<'END'
"""Every cell comes back: rate and mean as they were, percentiles to a nanosecond, the counts of the bins in all."""
import json

before, after = json.load(open("disk.json")), json.load(open("back.json"))
jobs = json.load(open("disk.fio.json"))["jobs"]
assert len(before["cells"]) > 20, len(before["cells"])
assert len(after["cells"]) == len(before["cells"]), (len(after["cells"]), len(before["cells"]))
assert len(after.get("syncs", [])) == len(before.get("syncs", []))


def near(a, b, off):
    return abs(a - b) <= off


left = list(after["cells"])
for c in before["cells"]:
    same = [x for x in left if x["op"] == c["op"] and x["bs_b"] == c["bs_b"]
            and near(x["iops"], c["iops"], 1e-6 * c["iops"])
            and near(x["mean_us"], c["mean_us"], 1e-9 * c["mean_us"])]
    assert same, c
    x = same[0]
    left.remove(x)
    assert x["n"] == c["n"]
    for name in ("min_us", "p50_us", "p90_us", "p95_us", "p99_us", "p999_us", "max_us"):
        if name in c:
            assert near(x[name], c[name], 0.001), (name, x[name], c[name])
    if "asked_iops" not in c:
        assert x["qd"] == c["qd"], (x["qd"], c["qd"])
    if "mix_read_frac" in c:
        assert near(x["mix_read_frac"], c["mix_read_frac"], 0.05), c
counted = sum(sum(s["lat_ns"].get("bins", {}).values()) for j in jobs for s in (j["read"], j["write"]))
known = sum(sum(c["bins_n"]) for c in before["cells"])
known += sum(sum(s["bins_n"]) for s in before.get("syncs", []) if s["mode"].startswith("odsync"))
assert counted == known, (counted, known)
print(len(before["cells"]), "cells,", len(jobs), "jobs,", int(known), "samples in bins")
END
python3 compare.py

if fio_jsonplus_clat2csv --help >/dev/null 2>&1; then
	fio_jsonplus_clat2csv disk.fio.json disk.csv >/dev/null
	fio_jsonplus_clat2csv disk.fio.json disk.csv --validate >said
	test "$(grep -c validated said)" = "$(grep -c jobname disk.fio.json)"
	echo "fio_jsonplus_clat2csv validated every job"
else
	echo "fio_jsonplus_clat2csv is not here: not tried"
fi

# What cannot be written is said and leaves nothing behind.
status=0
"$TIERWISE" report disk.json -q --fio nowhere/x.json >out 2>err || status=$?
test "$status" = 1
grep -q nowhere err
test ! -e nowhere
