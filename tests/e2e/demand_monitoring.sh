#!/usr/bin/env bash
# demand of what providers' monitoring, metrics stores and benchmarks say: the table has the figures of the fixtures'
# EXPECTED.md, which were worked out without this program; refusals say what to do.
set -eu
fixtures=$TIERWISE_SHARED/fixtures/workload
[ -d "$fixtures" ] || { echo "skipped: $fixtures is absent"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
# read_json EXIT FILE [OPTION...]: the document into $work/out
read_json() {
	local want=$1 status=0
	shift
	"$TIERWISE" demand "$@" --format json >"$work/out" 2>"$work/err" || status=$?
	[ "$status" = "$want" ] || { echo "$*: exit $status, $(head -c 400 "$work/err")"; failed=1; }
}
# cell CAPTION COLUMN VALUE [ROW]: of the table whose caption begins so
cell() {
	python3 - "$work/out" "$@" <<'P' || failed=1
import json, sys
path, caption, column, want, row = (sys.argv[1:] + ["0"])[:5]
tables = [b for b in json.load(open(path))["blocks"] if b["kind"] == "table" and b["caption"].startswith(caption)]
if not tables:
    sys.exit(f"no table {caption}")
got = dict(zip(tables[0]["columns"], tables[0]["rows"][int(row)]))[column]
if got != want:
    sys.exit(f"{caption}, {column}: {got}, not {want}")
P
}
# says TEXT: a finding or a message holds it
says() {
	grep -qF -- "$1" "$work/out" "$work/err" || { echo "nothing says: $1"; head -c 300 "$work/err"; failed=1; }
}

read_json 0 "$fixtures/prometheus/prom-2.42-range-raw-counters-5s.json"
cell Latency "write ms" 0.3294
cell Latency "queue mean" 18.109
cell Latency "busy % (a hint)" 69.23
cell Throughput "KiB/write" 5.356
cell IOPS n 31

read_json 0 "$fixtures/prometheus/etcd-3.4.23-disk-metrics.prom"
cell "Latency histograms" n 2506 3
# 4128.254 ms over 2506; the 1253rd of the 1676 in the first bucket, up to 1 ms
cell "Latency histograms" "mean ms" 1.6473 3
cell "Latency histograms" p50 0.7476 3
cell "Latency histograms" p90 3.76 3
cell "Latency histograms" p99 15.14 3
cell "Latency histograms" "p99.9" 54.36 3

read_json 0 "$fixtures/public/nab-ec2_disk_write_bytes_1ef3de.csv"
cell Throughput n 4730
cell Throughput "MiB/s mean" 0.0209
cell Throughput p99 0.5634
cell Throughput max 1.7403

read_json 0 "$fixtures/synthetic/cloudwatch-get-metric-data-microburst.json"
cell "IOPS" max 83.3
cell "Highest IOPS" "while active" 1,000.0

read_json 0 "$fixtures/synthetic/azure-monitor-vm-per-lun.json"
cell "Share of a cap" max 100.0 1
cell "Share of a cap" max 85.0 5

# commits by the wait for the sync, not by the write into the page cache; a benchmark is no demand
read_json 0 "$fixtures/fio/fio-3.33-wal-8k-fdatasync.json"
cell "Transactions or operations" "mean ms" 0.943
cell "Transactions or operations" p99 4.817
cell "Transactions or operations" "per second" 1,040.66
says "what the disk gave to a closed loop, not what a system needs"
read_json 0 "$fixtures/fio/fio-3.33-randrw-16k-qd32.json"
cell "Transactions or operations" "per second" 15,782.89
cell "Transactions or operations" "per second" 6,726.71 1
says "that is the burst, not a capacity"

# buffered, and answered by a cache: no capacity
sed 's/"direct" : "1"/"direct" : "0"/' "$fixtures/fio/fio-3.33-randrw-16k-qd32.json" >"$work/buffered.json"
read_json 0 "$work/buffered.json"
says "a cache answered (not direct I/O): not to be taken for what the disk can do"

read_json 2 "$fixtures/postgres/pg_test_fsync-15.txt"
says "tierwise import reads it"
read_json 2 "$fixtures/prometheus/prom-2.42-error-toomany.json"
says "ask for a shorter range or with a larger step"
read_json 2 "$fixtures/prometheus/prom-2.42-empty.json"
says "the store answers with no series"
read_json 2 "$fixtures/public/telegraf-azure_metrics_responses.json"
says "no metric of disks in it (first: metric1)"
read_json 2 "$fixtures/prometheus/prom-2.42-range-rate15s-writes.json"
says "--query"
read_json 0 --query 'rate(node_disk_writes_completed_total[15s])' "$fixtures/prometheus/prom-2.42-range-rate15s-writes.json"
cell IOPS "means of" "15 s"
read_json 2 "$fixtures/public/awscli-get-metric-data-1.json"
says "given with --metric"

# an average of 83 a second, yet held back: 5,000 operations in the 5 s that were not idle, and 950 were bought
read_json 0 --cap volume:iops=950 "$fixtures/synthetic/cloudwatch-get-metric-data-microburst.json"
cell Needs IOPS ">= 1,000"
cell Needs verdict "lower bound"
says "micro-burst: 83.3 IOPS over 60 s, but 1000 while active, at or over the cap of 950"

# a consensus store's fsync: by hand, linear inside 16-32, 32-64 and 64-128 ms
{
	edges=(0.008 0.016 0.032 0.064 0.128 0.256 4.096 8.192 +Inf)
	counts=(0 132 47595 56418 57029 57033 57033 57035 57035)
	for i in "${!edges[@]}"; do
		echo "etcd_disk_wal_fsync_duration_seconds_bucket{le=\"${edges[i]}\"} ${counts[i]}"
	done
} >"$work/etcd.prom"
read_json 0 --p99-limit 10ms "$work/etcd.prom"
cell "Latency histograms" p50 25.57
cell "Latency histograms" p95 55.89
cell "Latency histograms" p99 68.89
says "fails by 6.9 times"
says "the class of disk, not a burst"
says "more IOPS on this class do not lower it"
says "the slowest 2 took between 4.1 s and 8.19 s"

# 42 % on average, and yet at the wall: the machine's uncached IOPS; 39 % of 16,000 cached are free
read_json 0 --vm-cap iops=12800,cached-iops=16000 "$fixtures/synthetic/azure-monitor-vm-per-lun.json"
says "VM: VM Uncached IOPS is the wall: 100 % of 12,800 IOPS; no single disk is full"
says "larger disks do not help"
says "6,240 IOPS of the cached budget are free"
says "the mean of 4 disks, 42.5 %, hides 2 busy (up to 85 %) and 2 idle"
# shares of a disk whose cap is known are rates: 85 % of 5,000
read_json 0 --cap "data disk LUN 2:iops=5000" "$fixtures/synthetic/azure-monitor-vm-per-lun.json"
cell IOPS max 4,250.0
cell Needs IOPS 4,250
cell Needs "of IOPS cap %" 85.0
exit "$failed"
