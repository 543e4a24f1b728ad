#!/usr/bin/env bash
# A short measurement of the disk this runs on: it succeeds, leaves nothing, changes nothing, and its
# profile is one the rest of the program reads.
set -u
work=$(mktemp -d -p "$PWD" bench.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
fail() {
	echo "FAIL: $*"
	exit 1
}
mkdir "$work/disk" "$work/out"
head -c 1000000 /dev/urandom >"$work/disk/data"
ln "$work/disk/data" "$work/disk/hard-link"
ln -s data "$work/disk/soft-link"
mkfifo "$work/disk/fifo"
picture() { (cd "$work/disk" && ls -la --time-style=full-iso . | tail -n +2 && sha256sum data); }
# the folder's own times change when a file is made in it, named or not
before=$(picture | grep -v ' \.\.\?$')
"$TIERWISE" bench "$work/disk" --time 20 --size 125m -o "$work/out/p.json" -o "$work/out/p.md" 2>"$work/err"
rc=$?
if [ $rc = 2 ] && grep -qE 'memory, not a disk|network or served|no block device|free, of which|direct I/O' "$work/err"; then
	echo "skipped: $(tail -1 "$work/err")"
	exit 77
fi
[ $rc = 0 ] || [ $rc = 7 ] || fail "exit $rc: $(cat "$work/err")"
[ "$(picture | grep -v ' \.\.\?$')" = "$before" ] || fail "the folder changed: $(picture)"
grep -q "filesystem .* test file of up to .* GiB written in all, 20 s" "$work/err" || fail "no preview: $(cat "$work/err")"
[ "$(ls "$work/out")" = "p.json
p.md" ] || fail "beside the outputs: $(ls -a "$work/out")"
"$TIERWISE" fit "$work/out/p.json" >"$work/fit" || fail "fit does not read the profile"
python3 - "$work/out/p.json" <<'P' || exit 1
import json, sys
p = json.load(open(sys.argv[1]))
def check(ok, what):
	if not ok:
		sys.exit("FAIL: " + what)
check(p["trust"] == "measured" and p["complete"] is True, "trust and complete")
engine = p["method"]["engine"]
depths = [1, 2, 4, 8, 16, 32] if engine == "libaio" else [1]
cells = {(c["op"], c["qd"]): c for c in p["cells"]
	if c["bs_b"] == 4096 and "mix_read_frac" not in c and "asked_iops" not in c}
for op in ("randread", "randwrite"):
	for qd in depths:
		c = cells.get((op, qd))
		check(c is not None, f"{op} at depth {qd} is missing")
		check(c["iops"] > 0 and c["iops_lo"] <= c["iops"] <= c["iops_hi"], f"{op} {qd}: IOPS")
		check(c["min_us"] <= c["mean_us"] <= c["max_us"], f"{op} {qd}: mean")
		check(abs(c["little_ratio"] - 1) < 0.05, f"{op} {qd}: Little {c['little_ratio']}")
		for name, share in (("p50_us", 0.5), ("p90_us", 0.1), ("p99_us", 0.01), ("p999_us", 0.001)):
			shown = name in c
			check(shown == (round(c["n"] * share * 1000) >= 10000), f"{op} {qd}: {name} with n {c['n']}")
s = p["syncs"][0]
check(abs(s["write_mean_us"] + s["sync_mean_us"] - s["mean_us"]) < 1, "parts of a commit")
check(p["method"]["bytes_written_b"] >= p["method"]["file_b"] >= 125 * 2**20, "bytes written")
check("verdict" in p["quality"] and p["environment"]["filesystem"], "quality and environment")
stamps = [f for f in p["findings"] if f["code"] == "stamp"]
check(len(stamps) == 1 and stamps[0]["severity"] == "note", "stamps")
P
echo "measured: $(grep -o '"verdict": "[^"]*"' "$work/out/p.json")"
