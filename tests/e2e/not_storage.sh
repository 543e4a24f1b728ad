#!/usr/bin/env bash
# "Not storage" as an answer: a database whose rows or processors bind is told so, whatever disk it is on, and no
# dearer tier is offered; one that waits for its disks is not.  And "keep what you have" in every format.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
check() { # NAME COMMAND...
	local name=$1
	shift
	if "$@"; then echo "ok: $name"; else echo "FAILED: $name"; failed=1; fi
}
says() { # TEXT: in the decision or the error
	grep -qF -- "$1" "$work/out" || { echo "   not said: $1"; grep -m2 '^>' "$work/out"; return 1; }
}
lacks() {
	! grep -qF -- "$1" "$work/out"
}
run() { # TRANSACTIONS [FORMAT]; status in $status
	cat >"$work/w.json" <<-EOF
		{ "schema": "tierwise/workload/1", "name": "case", "provider": "azure", "region": "westeurope",
		  "redundancy": "LRS", "engine": "postgresql", "vm": { "sizes": ["Standard_D8ds_v5"] },
		  "transactions": { "page_reads_per_tx": 0, "page_writes_per_tx": 4, "wal_kib_per_tx": 8, $1 },
		  "sla": { "commit_p99_ms": 20 },
		  "volumes": [ { "role": "wal", "capacity_gib": 30 }, { "role": "data", "capacity_gib": 50 } ] }
	EOF
	"$TIERWISE" recommend "$work/w.json" -q --format "${2:-md}" >"$work/out" 2>"$work/err"
	status=$?
}

# 16 clients change one row in turn; each holds it for 74 ms of round trips and a commit.  Without any disk 1 / 0.074 s
# = 13.5 transactions/s; with a flush of 0.8 ms 13.4: 1 % less.
rows='"clients": 16, "cpu_ms_per_tx": 74, "hot_rows": 1'
run "\"target_tps\": 13, $rows"
check "one row: the plan stands" test "$status" = 0
check "one row: not storage-bound" says 'Not storage-bound: infinitely fast disks would raise the highest rate, 13.4 transactions/s, by 1.1 %; what binds is hot rows. Keep or lower the tier'
check "one row: what would help" says 'for twice the rate: about 2 rows in turn instead of 1'
run "\"target_tps\": 40, $rows"
check "one row, 40 asked: nothing fits" test "$status" = 4
check "one row, 40 asked: the reason" says 'Not storage: with infinitely fast disks on Standard\_D8ds\_v5 the database does 13.5 transactions/s at most, 40 are asked; what binds is hot rows.'
check "one row, 40 asked: the error is the reason" grep -q 'what binds is hot rows' "$work/err"
# 40 x 0.074 = 2.96 rows at least
check "one row, 40 asked: what to change" says 'about 3 rows in turn instead of 1'
check "one row, 40 asked: no disk is offered" lacks 'if it measures well enough'
run "\"target_tps\": 40, $rows" json
check "one row, 40 asked: in the document" says '"not_storage": true'
# 8 processors, 60 ms each: 133 transactions/s when none waits; 8 x 150 / 133 = 9 or a few more
run '"target_tps": 150, "clients": 64, "cpu_ms_per_tx": 60'
check "processors: nothing fits" test "$status" = 4
check "processors: the reason" says 'what binds is the processors. Keep or lower the tier'
check "processors: what to change" says 'processors instead of 8, or'
# 90 x 70 ms are 6.3 of 8 processors, 79 %: a commit queues for one behind work of 70 ms, flush or no flush
run '"target_tps": 90, "clients": 16, "cpu_ms_per_tx": 70'
check "queue for processors: nothing fits" test "$status" = 4
check "queue for processors: the reason" says 'Not storage: with infinitely fast disks on Standard\_D8ds\_v5 a commit still takes'
check "queue for processors: how full they are" says 'ms are promised; at this rate the processors are used to 79 %'
check "queue for processors: no disk is offered" lacks 'if it measures well enough'
# 12 clients, each 20 ms away from the next transaction and 1 ms of work: 12 / 0.021 = 571/s whatever the disk
run '"target_tps": 700, "clients": 12, "cpu_ms_per_tx": 1, "think_ms": 20'
check "clients: nothing fits" test "$status" = 4
check "clients: the reason" says 'what binds is the number of clients'
# the same with little thinking: flushes are what is waited for, and nobody says otherwise
run '"target_tps": 300, "clients": 12, "cpu_ms_per_tx": 0.2'
check "flushes: the plan stands" test "$status" = 0
check "flushes: storage is the matter" says 'Yes: disks without latency and caps would raise the highest rate'
check "flushes: not called otherwise" lacks 'Not storage'

# Keep what you have: the same tier 20 GiB larger; the report of the saved plan says the same.
cat >"$work/w.json" <<-'EOF'
	{ "schema": "tierwise/workload/1", "name": "kept", "provider": "azure", "region": "westeurope", "redundancy": "LRS",
	  "engine": "generic", "vm": { "sizes": ["Standard_E8ds_v5"] },
	  "volumes": [ { "role": "data", "capacity_gib": 900, "read_iops": 1000, "write_iops": 100, "io_kib": 8,
	    "current": { "sku": "PremiumV2_LRS", "size_gib": 920, "host_cache": "None" } } ] }
EOF
"$TIERWISE" recommend "$work/w.json" -q -o "$work/plan.json" -o "$work/first.md" -o "$work/plan.html" 2>"$work/err"
check "kept: exit 0" test $? = 0
cp "$work/first.md" "$work/out"
# 920 x 0.00013 x 730 = 87.31; 900 are 85.41: 1.90 less, 2.2 %
check "kept: the decision" says 'Keep what you have (data on Premium SSD v2 of 920 GiB with 3,000 IOPS and 125 MB/s): it meets every constraint for USD 87.31 a month; the cheapest plan that does would save USD 1.90 a month (2.2 %), and a change has to save 5 %.'
check "kept: on page one" says '| [Monthly cost](#bill) | USD 85.41 | today USD 87.31 (PASS), keep it: USD 1.90 forgone; storage USD 85.41'
"$TIERWISE" report "$work/plan.json" -q --format md >"$work/second.md"
check "kept: the saved plan says the same" cmp -s "$work/first.md" "$work/second.md"
check "kept: in HTML" grep -q 'keep it: USD 1.90 forgone' "$work/plan.html"
# Reads are slow while a snapshot is taken, on any tier, and no cap is near: 1,900 of 5,000 IOPS, 38 %.
seen() { # READS SEEN
	cat >"$work/w.json" <<-EOF
		{ "schema": "tierwise/workload/1", "name": "seen", "provider": "azure", "region": "westeurope", "redundancy": "LRS",
		  "engine": "generic", "vm": { "sizes": ["Standard_E16ds_v5"] }, "sla": { "read_p99_ms": 10 },
		  "volumes": [ { "role": "data", "capacity_gib": 800, "read_iops": $1, "write_iops": 400, "io_kib": 8,
		    "current": { "sku": "P30", "size_gib": 1024, "host_cache": "None", "seen_p99_ms": $2 } } ] }
	EOF
	"$TIERWISE" recommend "$work/w.json" -q --format md >"$work/out" 2>"$work/err"
}
seen 1500 80
check "spikes: not the tier" says 'What is slow of data today (80 ms at p99) is not its tier (1.29 ms expected, no cap reached): look at the database first.'
check "spikes: use of the caps" says 'no cap of disk or machine is used to more than 38 %: the tier is not what is slow, and another is expected to change nothing'
check "spikes: use in the table" says '| 5,000 / 200 | 38 % / 8 % | PASS | 148.68 |'
# 4,400 + 400 of 5,000
seen 4400 80
check "at the cap: the cap is named" says 'a cap of the disk is used to 96 %: more of it helps'
check "at the cap: the tier is not excused" lacks 'is not its tier'
seen 1500 2
check "as expected" says 'the disk does what its tier does'

# What a saved plan holds is all that its report says: cost against latency, break-even, today, not storage.
for name in payments today; do
	"$TIERWISE" recommend "$TIERWISE_SOURCE/rules/examples/$name.json" -q -o "$work/plan.json" -o "$work/first.md" 2>"$work/err"
	"$TIERWISE" report "$work/plan.json" -q --format md >"$work/second.md"
	check "$name: the saved plan says the same" cmp -s "$work/first.md" "$work/second.md"
	check "$name: cost against latency in it" grep -q '^## Cost against latency' "$work/second.md"
	check "$name: break-even in it" grep -q '^## Break-even by IOPS' "$work/second.md"
done
check "today: in it" grep -q '^## Today' "$work/second.md"
exit "$failed"
