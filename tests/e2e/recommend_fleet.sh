#!/usr/bin/env bash
# `recommend --fleet`: each row is what recommend says of that workload alone, for any number of processes;
# a line that cannot be used is a row with its reason and the others go on; the exit status is that of the worst.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export SOURCE_DATE_EPOCH=1796083200 # 2026-12-01
failed=0
fail() {
	echo "FAIL: $*"
	failed=1
}

python3 - <<'P' || exit 1
import json
payments = {
    "schema": "tierwise/workload/1", "name": "payments", "provider": "azure", "region": "westeurope", "engine": "postgresql",
    "vm": {"sizes": ["Standard_E8ds_v5", "Standard_E16ds_v5"], "count": 3},
    "transactions": {"target_tps": 2000, "clients": 150, "cpu_ms_per_tx": 1.2, "page_reads_per_tx": 4, "wal_kib_per_tx": 8},
    "sla": {"tx_p99_ms": 10, "commit_p99_ms": 2},
    "volumes": [{"role": "wal", "capacity_gib": 64}, {"role": "data", "capacity_gib": 900, "read_iops": 6000, "write_iops": 2500, "io_kib": 8},
                {"role": "temp", "capacity_gib": 100}]}
small = {
    "schema": "tierwise/workload/1", "name": "small", "provider": "azure", "region": "northeurope", "engine": "mysql",
    "volumes": [{"role": "data", "capacity_gib": 100, "read_iops": 200, "write_iops": 100, "io_kib": 16}]}
over = dict(small, name="over", budget={"monthly": 0.01})
tight = dict(small, name="tight", sla={"read_p99_ms": 0.001})
far = dict(small, name="far", region="atlantis")
euro = dict(small, name="euro", currency="EUR")
lines = [json.dumps(payments), "", json.dumps(small), '{"schema": "tierwise/workload/1", "name": "cut", "vol', json.dumps(over),
         json.dumps(tight), json.dumps(far), '{"schema": "tierwise/workload/1", "nmae": "x"}', json.dumps(euro), json.dumps(small)]
open("fleet.ndjson", "w").write("\n".join(lines))  # no line end at the end
open("good.ndjson", "w").write(json.dumps(small) + "\r\n" + json.dumps(dict(small, name="second")) + "\n")
P

for jobs in 1 2 3 9; do
	"$TIERWISE" recommend --fleet fleet.ndjson --jobs $jobs -o "$jobs.json" 2>"$jobs.err"
	[ $? = 2 ] || fail "--jobs $jobs: not status 2 with lines that cannot be read: $(cat $jobs.err)"
	cmp 1.json $jobs.json || fail "--jobs $jobs gives another answer"
	grep -q "^tierwise: 4 of 9 workloads end with 2, the first in line 4: fleet.ndjson:4:[0-9]*: " $jobs.err || fail "$(cat $jobs.err)"
done
"$TIERWISE" recommend --fleet - --jobs 2 --format json <fleet.ndjson 2>/dev/null | sed 's/standard input/fleet.ndjson/' | cmp - 1.json ||
	fail "standard input gives another answer"

"$TIERWISE" recommend --fleet <(cat fleet.ndjson) --jobs 2 --format json 2>/dev/null | sed 's#/dev/fd/[0-9]*#fleet.ndjson#' | cmp - 1.json ||
	fail "a pipe gives another answer"

python3 - "$TIERWISE" <<'P' || failed=1
import json, subprocess, sys
rows = {r["line"]: r for r in json.load(open("1.json"))["rows"]}
bad = 0
def check(ok, what):
    global bad
    if not ok:
        print("FAIL:", what)
        bad = 1
check(sorted(rows) == [1, 3, 4, 5, 6, 7, 8, 9, 10], f"lines {sorted(rows)}")
for number, text in enumerate(open("fleet.ndjson").read().split("\n"), 1):
    if not text:
        continue
    row = rows[number]
    alone = subprocess.run([sys.argv[1], "recommend", "-", "--format", "json"], input=text, capture_output=True, text=True)
    check(row["status"] == alone.returncode, f"line {number}: {row['status']}, alone {alone.returncode}")
    if not alone.stdout:
        check("verdict" not in row and row["why"], f"line {number}: {row}")
        continue
    plan = json.loads(alone.stdout)
    for name in ("name", "verdict", "provider", "region", "engine", "currency"):
        check(row[name] == plan[name], f"line {number}: {name} {row[name]}, alone {plan[name]}")
    check(row.get("monthly") == plan.get("cost", {}).get("monthly"), f"line {number}: {row.get('monthly')} a month")
    for v in plan["volumes"]:
        if "chosen" in v:
            title = v["chosen"].get("title", v["chosen"]["sku"])
            check(f"on {title}" in row["placement"] or f"x {title}" in row["placement"], f"line {number}: {row['placement']}")
    codes = {f["code"] for f in plan["findings"] if f["severity"] == "warning"}
    check(set(row.get("warnings", [])) == codes, f"line {number}: warnings {row.get('warnings')}, alone {codes}")
    if alone.returncode:
        check(alone.stderr.strip().endswith(row["why"].replace(f"fleet.ndjson:{number}", "-")), f"line {number}: {row['why']}")
statuses = [rows[n]["status"] for n in sorted(rows)]
check({2, 3, 4} <= set(statuses), f"statuses {statuses}")
sys.exit(bad)
P

"$TIERWISE" recommend --fleet good.ndjson >table.txt 2>err.txt || fail "good lines: status $?: $(cat err.txt)"
grep -q "2 of 2 workloads have a plan" table.txt || fail "$(head -20 table.txt)"
refuse() { # PATTERN ARGS...
	"$TIERWISE" recommend "${@:2}" >out.txt 2>err.txt
	[ $? = 2 ] && [ ! -s out.txt ] && grep -q -- "$1" err.txt || fail "${*:2}: $(cat err.txt)"
}
: >empty.ndjson
refuse "no workload in it" --fleet empty.ndjson
refuse "not both" --fleet good.ndjson x.json
refuse "is for --fleet" --jobs 2 x.json
refuse "1 to 64 processes" --jobs 0 --fleet good.ndjson
refuse "would replace the input" --fleet good.ndjson --format json -o good.ndjson
"$TIERWISE" recommend --fleet . >out.txt 2>err.txt
[ $? = 1 ] && grep -q "Is a directory" err.txt || fail "a folder as a stream: $(cat err.txt)"
"$TIERWISE" recommend --fleet missing.ndjson >out.txt 2>err.txt
[ $? = 1 ] && grep -q "missing.ndjson: No such file" err.txt || fail "a missing stream: $(cat err.txt)"
exit $failed
