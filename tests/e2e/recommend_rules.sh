#!/usr/bin/env bash
# Rules about money, measurements and today's disks, through the program: each fires on an input of the kind it is
# about, with the amount worked out here, and is silent on its opposite.
set -u
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
export SOURCE_DATE_EPOCH=1796083200 # 2026-12-01
cap() { printf '{"name": "%s", "value": "%s"}' "$1" "$2"; }
# a machine without premium disks and without a local disk: only the standard tiers are left
cat >"$work/skus.json" <<END
[{"resourceType": "virtualMachines", "name": "Standard_X8s_v9", "family": "x", "capabilities": [
  $(cap vCPUs 8), $(cap MemoryGB 64), $(cap MaxDataDiskCount 16), $(cap PremiumIO False), $(cap MaxResourceVolumeMB 0),
  $(cap UncachedDiskIOPS 12345), $(cap UncachedDiskBytesPerSecond 290000000)]}]
END

engine=generic provider=azure region=westeurope # of the workloads that follow
# run CASE HEAD VOLUMES [OPTIONS...]: HEAD is what stands before "volumes"; then `fires` and `silent` speak of it
run() {
	local head=$2 volumes=$3
	what=$1
	shift 3
	cat >"$work/w.json" <<END
{ "schema": "tierwise/workload/1", "name": "case", "provider": "$provider", "region": "$region", "engine": "$engine", $head
  "volumes": [ $volumes ] }
END
	"$TIERWISE" recommend "$work/w.json" "$@" -q --format json >"$work/plan.json" 2>"$work/err"
	status=$?
	[ "$status" = 0 ] || { echo "FAILED: $what: exit status $status"; cat "$work/err"; failed=1; }
	python3 - "$work/plan.json" >"$work/rules" <<'P'
import json, sys
plan = json.load(open(sys.argv[1]))
for r in plan.get("rules", []):
    print(r["id"], r.get("volume") or "-", r["text"], sep="|")
for o in plan.get("options", []):
    print("option", o["name"], f"{o.get('monthly', float('nan')):.2f}", sep="|")
for line in plan["bill"].get("lines", []):
    print("bill", line["what"], f"{line['amount']:.2f}", sep="|")
P
	cut -d'|' -f1 "$work/rules" >>"$work/fired"
}
fires() { # RULE VOLUME TEXT
	grep -E "^$1\|$2\|" "$work/rules" | grep -qF -- "$3" && return
	echo "FAILED: $what: $1 of $2 does not say \"$3\""
	cat "$work/rules"
	failed=1
}
silent() { # RULE VOLUME
	grep -qE "^$1\|$2\|" "$work/rules" || return
	echo "FAILED: $what: $1 of $2 fires"
	grep -E "^$1\|" "$work/rules"
	failed=1
}
v5='"vm": { "sizes": ["Standard_E16ds_v5"] },'
two='"vm": { "sizes": ["Standard_E16ds_v5"], "count": 2 },'
old='"vm": { "sizes": ["Standard_X8s_v9"] },'

# Today's disks.  P20 80.54, as P50 545.10.  On a P30 (5,000 IOPS), 5,500 IOPS are 500 a second above it: 500 x 3600 x
# 730 = 1,314,000,000, by 10,000 at 0.0065 854.10, and the fee of 31.949: 886.05.  With 20 % kept free 6,875 are
# needed: a P40 (7,500, 284.94) holds them, 136.26 above the P30's 148.68.
today() { # SETTINGS OF WAL, HOT, INDEX
	echo '{ "role": "wal", "capacity_gib": 64, "read_iops": 0, "write_iops": 300, "io_kib": 16,
	   "current": { "sku": "P20", "size_gib": 512, "host_cache": '"$1"' } },
	  { "role": "data", "name": "hot", "capacity_gib": 200, "read_iops": 5500, "write_iops": 0, "io_kib": 8,
	   "current": { "sku": "P30", "size_gib": 1024'"$2"' } },
	  { "role": "index", "capacity_gib": 100, "read_iops": 100, "write_iops": 100, "io_kib": 8,
	   "current": { "sku": "P10", "size_gib": 128'"$3"' } }'
}
run "settings that buy nothing" "$v5" "$(today '"ReadWrite", "tier": "P50"' ', "burst": true' ', "boot": true, "burst": false')"
fires tier-override-stuck wal "raised to P50 for 545.10 USD a month; the need of 375 IOPS and 6.14 MB/s fits its own 2,300 IOPS and 150 MB/s: lowered, it costs 80.54 USD a month"
fires burst-fee-vs-tier hot "costs up to 886.05 USD a month"
fires burst-fee-vs-tier hot "need of 6,875 IOPS and 56.3 MB/s costs 136.26 USD a month more than none"
silent burst-fee-unused hot
fires azure-current-wal-cache wal "has host cache ReadWrite: set it to None"
fires azure-barriers-with-write-cache wal "must keep write barriers on"
fires boot-disk-throttle index "its 500 IOPS and 100 MB/s are shared"
silent tier-override-stuck index
# 545.0971 + 148.68 + 886.049 + 21.68
fires option "today's disks" "1601.51"
run "settings that buy something" "$v5" "$(today '"None"' '' '')"
for rule in tier-override-stuck burst-fee-vs-tier burst-fee-unused azure-current-wal-cache azure-barriers-with-write-cache \
	boot-disk-throttle reservation-ineligible reservation-mismatch-size; do
	silent "$rule" '[a-z]*'
done
# 80.54 + 148.68 + 21.68
fires option "today's disks" "250.90"
run "bursting in vain, reservations" "$v5" "$(today '"None", "term": "1 year reservation"' ', "term": "1 year reservation"' '')"
fires reservation-ineligible wal "1 year reservation is given for P20"
silent reservation-mismatch-size wal
fires reservation-mismatch-size hot "this plan takes PremiumV2_LRS"
silent reservation-ineligible hot
# the book has no price of these terms: at least the third disk
fires option "today's disks" "21.68"
run "bursting in vain" "$v5" '{ "role": "data", "capacity_gib": 200, "read_iops": 500, "write_iops": 0, "io_kib": 8,
  "current": { "sku": "P30", "size_gib": 1024, "burst": true } }'
fires burst-fee-unused data "switched on for 31.95 USD a month"
silent burst-fee-vs-tier data

# Premium SSD v2: 3,000 IOPS and 125 MB/s are included.  (2,000 + 100) / 0.8 = 2,625
v2() { echo '{ "role": "data", "capacity_gib": 900, "read_iops": 2000, "write_iops": 100, "io_kib": 8,
  "current": { "sku": "PremiumV2_LRS", "size_gib": 900, '"$1"' } }'; }
run "beyond the allowance" "$v5" "$(v2 '"iops": 5000, "mbps": 200, "host_cache": "ReadOnly"')"
fires azure-free-baseline-iops data "2,000 IOPS a disk are bought although the need of 2,625 IOPS"
fires azure-free-baseline-mbps data "75 MB/s a disk are bought"
fires azure-current-cache-unsupported data "which can have none"
run "within the allowance" "$v5" "$(v2 '"host_cache": "None"')"
silent 'azure-free-baseline-[a-z]*' data
silent azure-current-cache-unsupported data
# 900 x 0.00013 x 730, nothing else: what is not set is what is included
fires option "today's disks" "85.41"

# The same elsewhere: gp3 includes 3,000 IOPS and 125 MiB/s, Hyperdisk Balanced 3,000 and 140
gp3() { echo '{ "role": "data", "capacity_gib": 500, "read_iops": 900, "write_iops": 100, "io_kib": 8,
  "current": { "sku": "'"$1"'", "size_gib": 500, '"$2"' } }'; }
while read -r provider region sku; do
	run "beyond the allowance of $sku" "" "$(gp3 "$sku" '"iops": 4000, "mbps": 200')"
	fires "$provider-free-baseline-iops" data "1,000 IOPS a disk are bought although the need of 1,250 IOPS"
	fires "$provider-free-baseline-mbps" data "MB/s a disk are bought although the need of 10.2 MB/s"
	run "within the allowance of $sku" "" "$(gp3 "$sku" '"host_cache": "None"')"
	silent "$provider-free-baseline-[a-z]*" data
done <<'END'
aws us-east-1 gp3
gcp us-central1 hyperdisk-balanced
END
provider=azure region=westeurope

# Shared disks: one P30 for two machines.  148.68 and one mount of 8.541 together, half of it each; ZRS 222.99.
shared() { echo '{ "role": "data", "capacity_gib": 900, '"$1"' "read_iops": 2000, "write_iops": 100, "io_kib": 8 }'; }
run "a shared disk" "$two \"redundancy\": \"ZRS\"," "$(shared '"mounts": 2,')"
fires shared-mount-fee data "mounted by 2 machines, and each after the first is charged: 4.27 USD a month of the 115.77 USD a month"
fires bill "data: P30 disk" "222.99"
fires bill "data: P30 mounts after the first" "8.54"
silent azure-shared-zrs data
silent azure-data-cache-readonly data
run "a disk for each" "$two \"redundancy\": \"ZRS\"," "$(shared '')"
silent shared-mount-fee data
fires bill "data: P30 disk" "445.98"
fires azure-data-cache-readonly data "host cache ReadOnly"
run "a shared disk in one zone" "$two" "$(shared '"mounts": 2,')"
fires azure-shared-zrs data "shared by 2 machines but kept in one zone"
silent shared-mount-fee data

# Snapshots: 7 x 200 GiB are 1,503.24 GB at 0.05; with 10 GiB changed 260 GiB, 279.17 GB
kept() { echo '{ "role": "data", "capacity_gib": 200, "read_iops": 200, "write_iops": 100, "io_kib": 8'"$1"' }'; }
run "snapshots, change unknown" "$v5" "$(kept ', "snapshots_kept": 7')"
fires snapshot-full-assumed data "7 snapshots are billed as if all 200 GiB had changed between two, 75.16 USD a month at most"
fires bill "data: PremiumV2_LRS snapshots" "75.16"
run "snapshots, change known" "$v5" "$(kept ', "snapshots_kept": 7, "snapshot_changed_gib": 10')"
silent snapshot-full-assumed data
fires bill "data: PremiumV2_LRS snapshots" "13.96"
run "no snapshots" "$v5" "$(kept '')"
silent bill "data: PremiumV2_LRS snapshots"

# Rates bought with space, and stripes for their allowances.  ZRS leaves the tiers with sizes.
hot() { echo '{ "role": "data", "name": "hot", "capacity_gib": 200, "read_iops": '"$1"', "write_iops": 100, "io_kib": 8 }'; }
run "space for its rate" "$v5 \"redundancy\": \"ZRS\"," "$(hot 5500)"
fires iops-per-gb-overbuy hot "of the space of P"
run "space for itself" "$v5 \"redundancy\": \"ZRS\"," "$(hot 300)"
silent iops-per-gb-overbuy hot
# 8,875 IOPS: three disks include 9,000; one pays for 5,875 above 3,000
run "a stripe for its allowances" "$v5" "$(hot 7000)"
fires stripe-cheaper hot "3 disks striped cost"
run "one disk" "$v5" "$(hot 300)"
silent stripe-cheaper hot

# Transactions.  S30 40.96 and at most 168.19 of transactions, worked out in recommend_interval.sh: 80.4 %
copy() { echo '{ "role": "backup", "capacity_gib": '"$1"', "read_iops": '"$2"', "write_iops": 0, "io_kib": 64 }'; }
run "transactions dominate" "$old" "$(copy 800 320)" --machines "$work/skus.json"
fires txn-cost-dominates backup "80.4 % of the 209.15 USD a month on S30"
run "space dominates" "$old" "$(copy 800 1)" --machines "$work/skus.json"
silent txn-cost-dominates backup
# S6: 858,000 an hour are billed at most; 320 I/Os of 64 KiB are 4 each, 4,608,000 an hour
run "the cap on transactions" "$old" "$(copy 60 320)" --machines "$work/skus.json"
fires standard-cap-reached backup "4,608,000 transactions/h a disk reach the 858,000"
run "below the cap" "$old" "$(copy 60 20)" --machines "$work/skus.json"
silent standard-cap-reached backup

# The uncached limit of E8ds_v5 is 12,800 IOPS: 9,000 / 0.8 = 11,250 are 87.9 % of it
small='"vm": { "sizes": ["Standard_E8ds_v5"] },'
run "a full uncached limit" "$small" "$(hot 8900)"
fires vm-cap-cached-vs-uncached hot "87.9 % is needed"
run "an empty uncached limit" "$small" "$(hot 2000)"
silent vm-cap-cached-vs-uncached hot

# Temporary data without a local disk, and copies on other machines
run "the cheapest disk for temporary data" "$old \"replicated\": true," \
	'{ "role": "temp", "capacity_gib": 100, "read_iops": 10, "write_iops": 10, "io_kib": 16 }' --machines "$work/skus.json"
fires azure-temp-not-hdd temp "the hard-disk tier is unsuited"
fires replica-same-tier - "every copy of case"

# Copies alone put no data on the local disk (E8ds_v5: 300 GiB); an engine that is made to lose a machine does.
part='{ "role": "data", "capacity_gib": 200, "read_iops": 500, "write_iops": 100, "io_kib": 16 }'
here='"vm": { "sizes": ["Standard_E8ds_v5"] }, "replicated": true,'
run "copies of any engine" "$here" "$part"
silent latency-not-measured-local data
engine=elasticsearch
run "copies of an engine made for it" "$here" "$part"
fires latency-not-measured-local data "the latency of the temporary disk of Standard_E8ds_v5 is"
engine=generic

# What a measurement says of itself
profile() { # QUALITY, DEPTHS
	cat >"$work/v2.json" <<END
{ "schema": "tierwise/profile/1", "name": "mine", "device": "cloud", "family": "premium_ssd_v2", "trust": "measured",
  "source": "own run", "as_of": "2026-11-30"$1,
  "cells": [ { "op": "randread", "bs_b": 8192, "qd": 1, "mean_us": 800, "p50_us": 750, "p99_us": 1400, "iops": 1250 },
    { "op": "randread", "bs_b": 8192, "qd": 2, "mean_us": 805, "p50_us": 755, "p99_us": 1405, "iops": 2484 },
    { "op": "randread", "bs_b": 8192, "qd": 4, "mean_us": 1333, "p50_us": 1300, "p99_us": 1900, "iops": 3000 },
    { "op": "randwrite", "bs_b": 8192, "qd": 1, "mean_us": 900, "p50_us": 850, "p99_us": 1500, "iops": 1111 },
    { "op": "randwrite", "bs_b": 8192, "qd": 2, "mean_us": 905, "p50_us": 855, "p99_us": 1505, "iops": 2210 },
    { "op": "randwrite", "bs_b": 8192, "qd": 4, "mean_us": 1333, "p50_us": 1300, "p99_us": 1900, "iops": 3000 } ]$2 }
END
}
measured() { run "$1" "$v5" "$(hot 1000)" --profile "premium_ssd_v2=$work/v2.json"; }
profile ', "quality": { "verdict": "noisy", "cv_frac": 0.4 }' ''
measured "a noisy measurement"
fires measure-noisy hot "rests on mine, which calls itself noisy"
silent measure-cached hot
profile ', "quality": { "verdict": "not-the-disk" }' ''
measured "a cache measured"
fires measure-cached hot "answered part of the reads"
silent measure-noisy hot
profile ', "quality": { "verdict": "clean", "page_cached_frac": 0.05 }' ''
measured "memory measured"
fires measure-cached hot "rests on mine"
profile ', "quality": { "verdict": "clean", "page_cached_frac": 0.001 }' ''
measured "a clean measurement"
silent 'measure-[a-z]*' hot
silent extrapolated-beyond-data hot
log='{ "role": "wal", "capacity_gib": 64, "read_iops": 0, "write_iops": 300, "io_kib": 8 }'
run "writes in place of commits" "$v5" "$log" --profile "premium_ssd_v2=$work/v2.json"
fires extrapolated-beyond-data wal "plain writes in place of commits"
profile '' ', "syncs": [ { "mode": "fdatasync", "pattern": "overwrite", "bs_b": 8192, "writers": 1, "mean_us": 900, "p50_us": 850, "p99_us": 1500, "syncs_per_s": 1111 } ]'
run "commits measured" "$v5" "$log" --profile "premium_ssd_v2=$work/v2.json"
silent extrapolated-beyond-data wal

# Where things belong
run "temporary data on the local disk" "$small" '{ "role": "temp", "capacity_gib": 300, "read_iops": 100, "write_iops": 100, "io_kib": 16 }'
silent temp-on-local-disk temp
silent temp-local-too-small temp
run "too much temporary data" "$small" '{ "role": "temp", "capacity_gib": 301, "read_iops": 100, "write_iops": 100, "io_kib": 16 }'
fires temp-local-too-small temp "has 300 GiB, the temporary data needs 301 GiB"
# 1,900 / 0.8 = 2,375 MB/s: the local disk of E32bds_v5 does 2,000, its remote disks 2,500 together
run "temporary data too fast for the local disk" '"vm": { "sizes": ["Standard_E32bds_v5"] },' \
	'{ "role": "temp", "capacity_gib": 300, "read_mbps": 1900 }'
fires temp-on-local-disk temp "enough for the 300 GiB of temporary data"
both='{ "role": "wal", "capacity_gib": 64 }, { "role": "data", "capacity_gib": 200 }'
tx() { echo '"transactions": { "target_tps": '"$1"', "clients": 4, "cpu_ms_per_tx": '"$2"', "page_reads_per_tx": '"$3"', "wal_kib_per_tx": 8 },'; }
run "a log among the data, of an engine without one" "$v5 $(tx 30 1 1)" '{ "role": "data", "capacity_gib": 200 }'
silent separate-wal data
engine=postgresql
run "a log among the data" "$v5 $(tx 30 1 1)" '{ "role": "data", "capacity_gib": 200 }'
fires separate-wal data "the log shares the data volume"
lag='"sla": { "rpo_ms": 100 },'
copies='"replicated": true, "transactions": { "target_tps": 30, "clients": 4, "cpu_ms_per_tx": 1, "page_reads_per_tx": 1,
  "wal_kib_per_tx": 8, "standbys": { "count": 1, "rtt_ms": 1 } },'
run "a log of its own, and copies" "$v5 $copies $lag" "$both"
silent separate-wal data
fires replication-lag-risk - "measure the lag against the 100 ms allowed"
run "no copies" "$v5 \"replicated\": false, $(tx 30 1 1)" "$both"
silent replication-lag-risk -
silent azure-oracle-sector data
# 4 clients of 100 ms each are 40 a second, whatever the disk; 20 reads of 0.8 ms are 16 ms of 16.2
run "the processor is the limit" "$v5 $(tx 30 100 1)" "$both"
fires not-storage-bound - "not storage-bound: infinitely fast disks would add only"
run "the disks are the limit" "$v5 $(tx 30 0.1 20)" "$both"
silent not-storage-bound -
# A log of 2 GiB: 60 % of it are 1.2 GiB; 2,000 x 16 KiB are 31.25 MiB/s, 1.9 x 30 s of that 1.74 GiB, 0.6 of 2.9.
# 1.2 GiB hold 76 segments of 16 MiB, 1216 MB in the server's units.
swift='"transactions": { "target_tps": 2000, "clients": 200, "cpu_ms_per_tx": 0.1, "page_reads_per_tx": 0, "wal_kib_per_tx": 16 },'
run "a log volume that is too small" "$v5 $swift" "${both/64/2}"
fires postgresql-log-volume-small - "write 1.74 GiB of log, and 1.2 GiB may be used"
fires postgresql-log-volume-small - "give the log 3 GiB or more"
fires postgresql-max-wal-size - "max_wal_size 1216MB:"
silent migration-sync-state -
run "a log volume of what was asked for" "$v5 $swift" "${both/64/3}"
silent postgresql-log-volume-small -
# The hard-disk tier is the cheapest place for 30 GiB at one I/O a second: 1.54 for an S4 and 3,600 x 730 / 10,000 at 0.0005,
# 0.13; an E4 is 2.40, Premium SSD v2 30 x 0.0949 = 2.85.  Not for a database in production.
tiny='{ "role": "wal", "capacity_gib": 30, "read_iops": 0, "write_iops": 1, "io_kib": 8 },
  { "role": "data", "capacity_gib": 30, "read_iops": 1, "write_iops": 0, "io_kib": 8 }'
run "a database in production" "$v5" "$tiny"
grep -q "^bill|data: S" "$work/rules" && { echo "FAILED: $what on hard disks"; failed=1; }
fires azure-hdd-not-database data "holds"
run "a database under test" "$v5 \"production\": false," "$tiny"
grep -q "^bill|data: S4" "$work/rules" || { echo "FAILED: $what not on the cheapest"; failed=1; }
silent azure-hdd-not-database data
# standbys are copies, though nothing else says so; a workload that says it keeps none is believed
run "standbys alone" "$v5 ${copies#*,}" "$both"
fires migration-sync-state - "sync_state FROM pg_stat_replication"
fires replica-same-tier - "every copy of case"
engine=oracle
run "sectors of 4 KiB" "$v5 $(tx 30 1 1)" "$both"
fires azure-oracle-sector data "before Oracle 12.2 create it with 512-byte emulation"
engine=generic
# three v2 of 3,000 and two more: 15,000 of 12,800; a machine for 25,600 holds them
three="$(hot 7000), { \"role\": \"wal\", \"capacity_gib\": 64, \"read_iops\": 0, \"write_iops\": 200, \"io_kib\": 16 },
  { \"role\": \"index\", \"capacity_gib\": 64, \"read_iops\": 100, \"write_iops\": 100, \"io_kib\": 8 }"
run "disks above the machine" "$small" "$three"
fires vm-cap-below-disks-iops - "15,000 IOPS together, Standard_E8ds_v5 lets 12,800 IOPS through"
run "disks within the machine" "$v5" "$three"
silent vm-cap-below-disks-iops -
run "standard tiers for data" "$old" "$(hot 300)" --machines "$work/skus.json"
fires azure-standard-chosen hot "the vendor advises against it"
fires azure-standard-not-production hot 'are "up to" figures'
run "a tier that promises" "$v5" "$(hot 300)"
silent 'azure-standard-[a-z-]*' hot
big() { echo '{ "role": "data", "capacity_gib": '"$1"', "read_iops": 100, "write_iops": 100, "io_kib": 8 }'; }
# One P60 of 8,192 GiB costs less than two P50 or four P40: the cache is a preference, the price decides
profile '' ''
sed 's/"premium_ssd_v2"/"premium_ssd"/' "$work/v2.json" >"$work/p.json"
fast='"redundancy": "ZRS", "sla": { "read_p99_ms": 3 },'
run "a disk too large for a cache" "$v5 $fast" "$(big 8000)" --profile "premium_ssd=$work/p.json"
fires azure-data-cacheable-size data "loses the host cache"
run "a disk with a cache" "$v5 $fast" "$(big 500)" --profile "premium_ssd=$work/p.json"
silent azure-data-cacheable-size data
# half a millisecond of a commit: the tier is made for less than one, a Premium SSD that was measured faster is not
quick='"sla": { "commit_p99_ms": 0.5 },'
profile '' ', "syncs": [ { "mode": "fdatasync", "pattern": "overwrite", "bs_b": 8192, "writers": 1, "mean_us": 200, "p50_us": 190, "p99_us": 400, "syncs_per_s": 5000 } ]'
sed 's/"premium_ssd_v2"/"premium_ssd"/' "$work/v2.json" >"$work/p.json"
run "a quick log on a tier not made for it" "$v5 $quick \"redundancy\": \"ZRS\"," "$log" --profile "premium_ssd=$work/p.json"
fires azure-sub-ms-commit wal "a commit within 0.5 ms needs a tier designed for less than a millisecond"
run "a quick log on a tier made for it" "$v5 $quick" "$log" --profile "premium_ssd_v2=$work/v2.json"
silent azure-sub-ms-commit wal

# A short peak on a machine that takes one disk (eight P10 would do it on credits): of what is kept in three zones, 20,000 IOPS for two minutes a day are 15,000 above a P30 (ZRS 222.99):
# 15,000 x 120 s x 730 / 24 = 54,750,000 a month, by 10,000 at 0.0065 35.59, and the fee of 31.949: 290.53
peak='{ "role": "data", "capacity_gib": 900, "read_iops": 1000, "write_iops": 500, "io_kib": 8, "burst_iops": 20000, "burst_minutes_day": 2 }'
sed 's/"PremiumIO", "value": "False"/"PremiumIO", "value": "True"/; s/"MaxDataDiskCount", "value": "16"/"MaxDataDiskCount", "value": "1"/; s/12345/30000/' \
	"$work/skus.json" >"$work/one.json"
run "a short peak" "$old \"redundancy\": \"ZRS\"," "$peak" --machines "$work/one.json"
fires azure-burst-on-demand data "switch bursting on demand on for P30"
fires bill "data: P30 on-demand burst" 31.95
fires bill "data: P30 burst operations" 35.59
run "no peak" "$old \"redundancy\": \"ZRS\"," "${peak%%, \"burst_iops\"*} }" --machines "$work/one.json"
silent azure-burst-on-demand data

# A larger size that may not be cached, as P50 of 4,096 GiB: 15,000 reads, four in five answered by the host, and 500
# writes are 3,500 on the disk. P20 has 2,300; raised to P30 5,000, 4,000 with a fifth kept free, for P30's 148.68
sed '/"sku": "P30"/s/"host_cache": \["None", "ReadOnly", "ReadWrite"\]/"host_cache": ["None"]/' \
	"$TIERWISE_SOURCE/pricing/limits-azure.json" >"$work/l.json"
cached='{ "role": "data", "capacity_gib": 400, "read_iops": 15000, "write_iops": 500, "io_kib": 8, "cache_hit_frac": 0.8 }'
v8='"vm": { "sizes": ["Standard_E8ds_v5"] },'
run "a size that loses the host cache" "$v8" "$cached" --limits "$work/l.json"
fires azure-performance-tier data "raise P20 to the performance tier P30"
fires bill "data: P30 disk, performance tier of a P20" 148.68
run "a size that keeps the host cache" "$v8" "$cached"
silent azure-performance-tier data

# Write Accelerator: the first machine of each rule, as the provider lists it
while read -r id sku; do
	sed "s/Standard_X8s_v9/$sku/; s/\"PremiumIO\", \"value\": \"False\"/\"PremiumIO\", \"value\": \"True\"/" "$work/skus.json" >"$work/m.json"
	run "$id on $sku" "\"vm\": { \"sizes\": [\"$sku\"] }, \"redundancy\": \"ZRS\", \"sla\": { \"commit_p99_ms\": 0.5 }," "$log" \
		--machines "$work/m.json" --profile "premium_ssd=$work/p.json"
	fires "$id" wal "$sku has Write Accelerator"
done < <(python3 - "$TIERWISE_SOURCE/rules/azure.json" <<'P'
import re, sys
for id, sku in re.findall(r'"id": "(azure-write-accelerator-\d+)".*?"in": \[\s*"(Standard_\w+)"', open(sys.argv[1]).read(), re.S):
    print(id, sku)
P
)

# Every rule of these packs has fired on some input: above, or on an example (bill-incomplete: recommend_peers.sh)
for example in erp oltp-8k-writes-15k-reads payments small article-e8ds; do
	"$TIERWISE" recommend "$TIERWISE_SOURCE/rules/examples/$example.json" -q --format json 2>/dev/null |
		python3 -c 'import json, sys
for r in json.load(sys.stdin).get("rules", []):
    print(r["id"])' >>"$work/fired"
done
for pack in placement azure money measurement; do
	for id in $(grep -o '"id": "[a-z0-9-]*"' "$TIERWISE_SOURCE/rules/$pack.json" | cut -d'"' -f4); do
		[ "$id" = bill-incomplete ] || grep -qx "$id" "$work/fired" && continue
		echo "FAILED: no input fires $id of $pack.json"
		failed=1
	done
done

# What the documents refuse
refused() { # VOLUME PATTERN [HEAD]
	cat >"$work/w.json" <<END
{ "schema": "tierwise/workload/1", "name": "case", "provider": "azure", "region": "westeurope", "engine": "generic", ${3:-}
  "volumes": [ { "role": "data", "capacity_gib": 200, "read_iops": 1, "write_iops": 1, "io_kib": 8, $1 } ] }
END
	"$TIERWISE" recommend "$work/w.json" -q >"$work/out" 2>"$work/err"
	status=$?
	[ "$status" = 2 ] && grep -q -- "$2" "$work/err" && [ ! -s "$work/out" ] && return
	echo "FAILED: refused $1: exit status $status"
	cat "$work/err"
	failed=1
}
refused '"mounts": 2' 'w.json:2:[0-9]*: mounts: 2 machines share each disk, but vm.count is 1'
refused '"mounts": 1.5' 'mounts: 1.5 is not a whole number' "$two"
refused '"snapshot_changed_gib": 2' 'no snapshots are kept'
refused '"current": { "sku": "P31", "size_gib": 100 }' "today's disk of data: .*P31"
refused '"current": { "sku": "P20", "size_gib": 600 }' "today's disk of data: .*600"
refused '"current": { "sku": "P20", "size_gib": 512, "burst": true }' 'bursts on credits, which are free'
refused '"current": { "sku": "P50", "size_gib": 4096, "tier": "P60" }' 'performance tier'
refused '"current": { "sku": "P20", "size_gib": 512, "host_cache": "readonly" }' 'ReadOnly'
exit "$failed"
