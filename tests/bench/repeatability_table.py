#!/usr/bin/env python3
"""repeatability_table.py RESULTS COUNT CSV - the table of repeatability.sh from what it left in the folder RESULTS:
law.json and N.tierwise.json, N.fio.json for N = 1 .. COUNT.  CSV "-": none."""
import csv
import math
import statistics
import sys

import figures

TAIL_DEPTHS = (1, 8)
KINDS = ("capacity", "tail")
PROGRAMS = {"tierwise": figures.tierwise, "fio": figures.fio}


def cv(values):
    mean = statistics.mean(values)
    return statistics.stdev(values) / mean if len(values) > 1 and mean else figures.NAN


def columns(values, missing):
    if not values:
        return ["-"] * 4
    shown = [figures.text(f(values)) for f in (min, statistics.median, max)]
    return shown + [f"{100 * cv(values):.2f} %" + (f" ({missing} missing)" if missing else "")]


def show(lines):
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        cells = (c.ljust(w) if i < 2 else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths)))
        print("  ".join(cells).rstrip())


def main():
    results, count, csv_path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    law = figures.law(f"{results}/law.json")
    runs = {p: [read(f"{results}/{n}.{p}.json") for n in range(1, count + 1)] for p, read in PROGRAMS.items()}
    lines = [["", "", "law", "tierwise: min", "median", "max", "CV", "fio: min", "median", "max", "CV", "CV fio/tierwise"]]
    rows = []
    for q in figures.quantities(TAIL_DEPTHS):
        if q.kind not in KINDS:
            continue
        line, cvs = [q.name, q.unit, figures.text(q.get(law))], []
        for program, readings in runs.items():
            got = [q.get(r) for r in readings]
            rows += [[q.name, q.unit, q.get(law), program, n, v] for n, v in enumerate(got, 1)]
            known = [v for v in got if not math.isnan(v)]
            line += columns(known, len(got) - len(known))
            cvs.append(cv(known) if len(known) > 1 else figures.NAN)
        ratio = cvs[1] / cvs[0] if cvs[0] else figures.NAN
        lines.append(line + ["-" if math.isnan(ratio) else f"{ratio:.2f}"])
    show(lines)
    print("CV: standard deviation of the runs over their mean. tierwise's verdicts: " +
          ", ".join(r.verdict for r in runs["tierwise"]))
    if csv_path != "-":
        with open(csv_path, "w", newline="") as f:
            out = csv.writer(f)
            out.writerow(["quantity", "unit", "law", "program", "run", "value"])
            out.writerows(rows)


if __name__ == "__main__":
    main()
