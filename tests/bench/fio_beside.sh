#!/usr/bin/env bash
# fio_beside.sh DIR [REPEATS] - the same cells with fio and with tierwise bench, in the same minutes on the
# same disk: each cell by one and at once by the other, taking turns at going first, REPEATS times (default
# 3).  Prints the ratio tierwise / fio of IOPS (append: of commits per second) for each cell: smallest,
# median, largest.  Not a test: nothing fails; a ratio is only as good as the disk is idle.
#
# Both: libaio, direct, 4 KiB, one file of 512 MiB that was written with random data, 4 s a cell.
# /dev/cpu_dma_latency is held at 0 for both where that is allowed (tierwise does so by itself).
# append: 8 KiB into a growing file, then fdatasync; fio with psync and without preallocation.
# Environment: TIERWISE (program, default tierwise), SECONDS_PER_CELL (default 4).
set -u
tierwise=${TIERWISE:-tierwise}
dir=$(mktemp -d -p "${1:?folder on the disk to measure}" fio-beside.XXXXXX) || exit 1
repeats=${2:-3}
seconds=${SECONDS_PER_CELL:-4}
out=$(mktemp -d) || exit 1
trap 'rm -rf "$dir" "$out"' EXIT
command -v fio >/dev/null || { echo "no fio here"; exit 77; }
base=(--direct=1 --output-format=json --filename="$dir/fio" --name=cell)
fio "${base[@]}" --rw=write --bs=1m --iodepth=8 --ioengine=libaio --size=512m --refill_buffers --end_fsync=1 \
	>/dev/null || exit 1

by_fio() { # CELL OUTPUT
	local op=${1%:*} qd=${1#*:}
	if [ "$1" = append ]; then
		fio --direct=1 --output-format=json --filename="$dir/log" --name=cell --rw=write --bs=8k --fdatasync=1 \
			--ioengine=psync --fallocate=none --size=4g --time_based --runtime="$seconds" >"$2" || exit 1
		rm -f "$dir/log"
	else
		fio "${base[@]}" --rw="$op" --bs=4k --iodepth="$qd" --ioengine=libaio --size=512m --randrepeat=0 \
			--norandommap --refill_buffers --time_based --ramp_time=100ms --runtime="$seconds" >"$2" || exit 1
	fi
}

by_tierwise() { # CELL OUTPUT; the file is written anew, hence the longer time
	"$tierwise" bench "$dir" --tests "$1" --size 512m --time $((seconds + 3)) -q -o "$2" 2>/dev/null
	[ -s "$2" ] || exit 1
}

cells=()
for op in randread randwrite; do
	for qd in 1 2 4 8 16 32; do cells+=("$op:$qd"); done
done
cells+=(append)
if { exec 9>/dev/cpu_dma_latency; } 2>/dev/null && printf '\0\0\0\0' >&9; then
	echo "idle processors kept awake for both"
else
	echo "idle processors could not be kept awake"
fi
fio --version
"$tierwise" --version
for ((r = 0; r < repeats; r++)); do
	for cell in "${cells[@]}"; do
		if ((r % 2)); then
			by_tierwise "$cell" "$out/tw.$cell.$r.json"
			by_fio "$cell" "$out/fio.$cell.$r.json"
		else
			by_fio "$cell" "$out/fio.$cell.$r.json"
			by_tierwise "$cell" "$out/tw.$cell.$r.json"
		fi
		echo "$(date +%T) $((r + 1))/$repeats $cell" >&2
	done
done
python3 - "$out" "$repeats" "${cells[@]}" <<'P'
import json, sys
from statistics import median
out, repeats, cells = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
def load(who, cell, r):
	return json.load(open(f"{out}/{who}.{cell}.{r}.json"))
def fio(cell, r):
	job = load("fio", cell, r)["jobs"][0]
	side = job["read" if cell.startswith("randread") else "write"]
	return side["iops"], side["clat_ns"]["mean"] / 1000 if cell != "append" else float("nan")
def tierwise(cell, r):
	p = load("tw", cell, r)
	if cell == "append":
		return p["syncs"][0]["syncs_per_s"], p["syncs"][0]["mean_us"], p["quality"]["verdict"]
	op, qd = cell.split(":")
	c = [c for c in p["cells"] if c["op"] == op and c["qd"] == float(qd)][0]
	return c["iops"], c["mean_us"], p["quality"]["verdict"]
print("cell           fio IOPS  tierwise IOPS  tierwise/fio: min  median     max  verdicts")
for cell in cells:
	f = [fio(cell, r)[0] for r in range(repeats)]
	t = [tierwise(cell, r) for r in range(repeats)]
	ratio = [a[0] / b for a, b in zip(t, f)]
	print(f"{cell:13} {median(f):9,.0f} {median(a[0] for a in t):14,.0f} {min(ratio):18.3f} {median(ratio):7.3f} "
		f"{max(ratio):7.3f}  {' '.join(a[2] for a in t)}")
P
