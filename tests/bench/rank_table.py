#!/usr/bin/env python3
"""rank_table.py RESULTS CSV - the table of rank.sh from what it left in the folder RESULTS: truth (lines of repeat,
rate of a, rate of b), N.csv (tierwise's report of both), N.fio.a.json and N.fio.b.json.  CSV "-": none."""
import csv
import json
import math
import re
import statistics
import sys

RATIO = "Ratio (95 %)"


def compared(path):
    """Ratio b / a and its 95 % interval as tierwise prints them: the row of the cell in the tables of a report."""
    header = None
    with open(path, newline="") as f:
        for row in csv.reader(f):
            if RATIO in row:
                header = row
            elif len(row) < 2:
                header = None  # the end of a table, or the caption of one
            elif header:
                found = dict(zip(header, row))
                if found["Operation"] == "randread" and found.get("Depth") == "32" and found["Block"].startswith("4 K"):
                    return ratio_of(found[RATIO])
    sys.exit(f"{path}: no ratio of 4 KiB random reads at depth 32")


def ratio_of(text):
    """Of "1.05x (1.03-1.07)", or without an interval where there were too few slices for one."""
    found = re.fullmatch(r"([\d.]+)x(?: \(([\d.]+)-([\d.]+)\)| \(over ([\d.]+)\))?", text)
    if not found:
        sys.exit(f"not a ratio: {text}")
    value, lo, hi, over = found.groups()
    if over:
        lo, hi = over, "inf"
    return float(value), float(lo or "nan"), float(hi or "nan")


def fio_iops(path):
    with open(path) as f:
        return json.load(f)["jobs"][0]["read"]["iops"]


def main():
    results, csv_path = sys.argv[1:3]
    rows = []
    with open(f"{results}/truth") as f:
        for line in f:
            n, a_rate, b_rate = map(int, line.split())
            ratio, lo, hi = compared(f"{results}/{n}.csv")
            fio = fio_iops(f"{results}/{n}.fio.b.json") / fio_iops(f"{results}/{n}.fio.a.json")
            rows.append({"repeat": n, "truth": b_rate / a_rate, "tierwise": ratio, "lo": lo, "hi": hi, "fio": fio})
    report(rows)
    if csv_path != "-":
        with open(csv_path, "w", newline="") as f:
            out = csv.DictWriter(f, list(rows[0]))
            out.writeheader()
            out.writerows(rows)


def interval(r):
    return "none" if math.isnan(r["lo"]) else f"{r['lo']:.4f} .. {r['hi']:.4f}"


def report(rows):
    print(f"{'repeat':>6} {'true b/a':>9} {'tierwise':>9} {'95 % interval':>17} {'fio':>8}")
    for r in rows:
        print(f"{r['repeat']:6} {r['truth']:9.4f} {r['tierwise']:9.4f} {interval(r):>17} {r['fio']:8.4f}")
    n = len(rows)
    right = {p: sum((r[p] > 1) == (r["truth"] > 1) for r in rows) for p in ("tierwise", "fio")}
    off = {p: [abs(r[p] / r["truth"] - 1) for r in rows] for p in ("tierwise", "fio")}
    for p in ("tierwise", "fio"):
        print(f"{p:8} ranked {right[p]} of {n} right; ratio off by {100 * statistics.median(off[p]):.2f} % in the middle, "
              f"{100 * max(off[p]):.2f} % at most")
    held = sum(r["lo"] <= r["truth"] <= r["hi"] for r in rows)
    sure = [r for r in rows if r["lo"] > 1 or r["hi"] < 1]
    wrong = sum((r["lo"] > 1) != (r["truth"] > 1) for r in sure)
    print(f"tierwise's interval held the true ratio in {held} of {n}, excluded 1 in {len(sure)} (wrongly in {wrong}); "
          f"fio gives none")


if __name__ == "__main__":
    main()
