#!/usr/bin/env bash
# pgbench_truth.sh - PostgreSQL on emulated disks against what the database model says of it.
#
# Two disks with latencies and caps of their own are brought up, measured by `tierwise bench`, and PostgreSQL
# runs pgbench on each pair of them (data on one, log on the other), in memory and with misses.  One run
# gives the processor time of a transaction; every other one is predicted from the two measured profiles.
# Prints a row for each run, and the errors.  Under 15 minutes; root, FUSE, a quiet machine.
#
# Environment: TIERWISE, TIERWISE_SHARED, SECONDS_RUN (10), SECONDS_BENCH (60), CLIENTS ("2 8 24"),
# WORK (a folder on a disk with 16 GiB free; default a new one under /var/tmp), TIERS.
set -u -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
tierwise=$(readlink -f "$(command -v "${TIERWISE:-tierwise}")") || tierwise=
shared=${TIERWISE_SHARED:-$here/../../../shared}
emulator=$shared/tools/tier-emulator/tier-emu
run=$shared/fixtures/pgbench-emulated/run.sh
tiers=${TIERS:-"mid:600:500:300:8000:300 fast:350:200:150:15000:400"}
clients=${CLIENTS:-"2 8 24"}

skip() {
	echo "skipped: $*"
	exit 77
}
say() { printf '%s %s\n' "$(date +%T)" "$*" >&2; }

[ -n "$tierwise" ] || skip "no tierwise: set TIERWISE"
[ -x "$emulator" ] && [ -x "$run" ] || skip "no tier emulator or pgbench script in $shared"
[ "$(id -u)" = 0 ] || skip "emulated disks need root"
command -v initdb >/dev/null || PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1)
command -v initdb >/dev/null || skip "PostgreSQL is not here: apt-get install postgresql"
[ -d /sys/fs/cgroup/cpuacct ] || skip "no cgroup v1 cpuacct, which the pgbench script needs"
"$emulator" doctor >/dev/null || skip "emulated disks: $("$emulator" doctor | grep ^missing | tr '\n' ';')"

work=${WORK:-$(mktemp -d /var/tmp/pgbench-truth.XXXXXX)}
mkdir -p "$work"
export TIER_EMU_DIR=$work/tiers
cleanup() {
	"$emulator" down --all --force >/dev/null 2>&1
	[ -n "${WORK:-}" ] || rm -rf "$work"
}
trap cleanup EXIT

for tier in $tiers; do
	IFS=: read -r name read_us write_us fsync_us iops mbps <<<"$tier"
	say "measuring $name: ${SECONDS_BENCH:-60} s"
	folder=$("$emulator" up "$name" --size 4G --read-us "$read_us" --write-us "$write_us" \
		--fsync-us "$fsync_us" --iops "$iops" --mbps "$mbps") || exit 1
	"$tierwise" bench "$folder" --yes --time "${SECONDS_BENCH:-60}" -o "$work/$name.json" --warn-only \
		>"$work/$name.txt" 2>&1 || { cat "$work/$name.txt"; exit 1; }
	"$emulator" down "$name" >/dev/null
done
for group in cached miss; do
	say "pgbench, $group"
	DIR=$work/pg QUIET_PCT=35 QUIET_WAIT=${QUIET_WAIT:-5} TRIES=${TRIES:-2} PGBIN=$(dirname "$(readlink -f "$(command -v initdb)")") \
		"$run" "$group" "$tiers" "$clients" 1 "${SECONDS_RUN:-10}" >"$work/$group.csv" || exit 1
done
python3 "$here/pgbench_truth.py" "$tierwise" "$work"
