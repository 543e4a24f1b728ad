#!/usr/bin/env python3
"""What demand made of a live store, of the store's dump and of steps, against the dump read here.

prometheus_compare.py FOLDER with dump.json, live.json, file.json, steps.json
"""
import json
import math
import sys

folder = sys.argv[1]
failed = False


def check(what, got, want, relative):
    global failed
    if not abs(got - want) <= relative * abs(want):
        print(f"{what}: {got}, not {want}")
        failed = True


def tables(name):
    """Caption's first word -> {column: cell} of the only device; findings left out, file names too."""
    out = {}
    for b in json.load(open(f"{folder}/{name}.json"))["blocks"]:
        if b["kind"] == "table" and not b["caption"].startswith("Findings"):
            rows = [dict(zip(b["columns"], r)) for r in b["rows"]]
            assert len(rows) == 1, (name, b["caption"], len(rows))
            rows[0].pop("file", None)
            out[b["caption"].split()[0].rstrip(":")] = rows[0]
    return out


live, file, steps = tables("live"), tables("file"), tables("steps")
if live != file:
    print("the live answer and that of the dump differ:", live, file, sep="\n")
    failed = True

# the same from the dump, by hand: differences of counters, nearest rank
counters = {r["metric"]["__name__"]: r["values"] for r in json.load(open(f"{folder}/dump.json"))["data"]["result"]}


def rates(name):
    v = counters[f"node_disk_{name}_total"]
    return [(float(b) - float(a)) / (t - s) for (s, a), (t, b) in zip(v, v[1:])]


def amount(name):
    v = counters[f"node_disk_{name}_total"]
    return float(v[-1][1]) - float(v[0][1])


def number(table, column, of=None):
    return float((of or live)[table][column].replace(",", ""))


iops = sorted(a + b for a, b in zip(rates("reads_completed"), rates("writes_completed")))
n = len(iops)
assert n >= 8, f"only {n} intervals of a second"
check("intervals", number("IOPS", "n"), n, 0)
check("mean", number("IOPS", "IOPS mean"), sum(iops) / n, 0.01)
for p in (50, 95, 99):
    check(f"p{p}", number("IOPS", f"p{p}"), iops[math.ceil(p / 100 * n) - 1], 0.01)
check("max", number("IOPS", "max"), iops[-1], 0.01)
check("bytes a write", number("Throughput", "KiB/write"),
      amount("written_bytes") / amount("writes_completed") / 1024, 0.001)
check("ms a write", number("Latency", "write ms"),
      amount("write_time_seconds") / amount("writes_completed") * 1000, 0.01)
check("queue", number("Latency", "queue mean"), sum(rates("io_time_weighted_seconds")) / n, 0.02)
assert amount("written_bytes") > 10e6, "the load did not reach the disk"

# means over steps: rate() extends its ends and the steps begin elsewhere, so the same within a half; percentiles are
# those of two-second rates that the store made, no higher than what a second showed
check("steps", number("IOPS", "n", steps), 3, 0)
check("mean of steps", number("IOPS", "IOPS mean", steps), sum(iops) / n, 0.5)
assert number("IOPS", "max", steps) <= iops[-1] * 1.5 + 1, (steps["IOPS"], iops)
assert steps["IOPS"]["means of"] == "2 s", steps["IOPS"]
sys.exit(failed)
