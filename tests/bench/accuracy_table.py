#!/usr/bin/env python3
"""accuracy_table.py RESULTS CSV TIER... - the table of accuracy.sh from what it left in the folder RESULTS.

Of each TIER: TIER.law.json or, where a disk has no law, TIER.long.json (a long reading by fio), and
TIER.N.tierwise.json with TIER.N.fio.json of run N = 1, 2, ...  CSV "-": none.
"""
import csv
import glob
import math
import os
import statistics
import sys

import figures

COLUMNS = ["tier", "run", "quantity", "unit", "truth", "truth_from", "tierwise", "tierwise_error", "tierwise_met",
           "tierwise_lo", "tierwise_hi", "tierwise_verdict", "fio", "fio_error", "fio_met"]
PROGRAMS = ("tierwise", "fio")


def wall_s(path):
    """Time a run took in all, kept beside its result."""
    with open(path.removesuffix(".json") + ".ms") as f:
        return int(f.read()) / 1000


def load(results, tier):
    """Truth, where from, and the readings of each run."""
    base = os.path.join(results, tier)
    if os.path.exists(base + ".law.json"):
        truth, source = figures.law(base + ".law.json"), "law"
    elif os.path.exists(base + ".long.json"):
        truth, source = figures.fio(base + ".long.json"), "fio-long"
    else:
        return None
    runs = sorted(int(p.split(".")[-3]) for p in glob.glob(glob.escape(base) + ".*.tierwise.json"))
    read = {}
    for n in runs:
        paths = [f"{base}.{n}.{program}.json" for program in PROGRAMS]
        if not os.path.exists(paths[1]):
            continue
        read[n] = (figures.tierwise(paths[0]), figures.fio(paths[1]))
        for reading, path in zip(read[n], paths):
            reading.seconds = wall_s(path)
    return (truth, source, read) if read else None


def compare(tier, truth, source, runs):
    """A dict for each run and quantity."""
    for n, readings in runs.items():
        for q in figures.quantities():
            row = {"tier": tier, "run": n, "quantity": q.name, "unit": q.unit, "kind": q.kind,
                   "truth": q.get(truth), "truth_from": source, "tierwise_verdict": readings[0].verdict}
            for program, reading in zip(PROGRAMS, readings):
                got = q.get(reading)
                row |= {program: got, program + "_error": q.error(got, row["truth"]),
                        program + "_met": q.met(got, row["truth"])}
            row["tierwise_lo"], row["tierwise_hi"] = readings[0].interval(q.name) or (figures.NAN, figures.NAN)
            yield row


def middle(values):
    known = [v for v in values if not math.isnan(v)]
    return statistics.median_low(known) if known else figures.NAN


def worst(errors):
    known = [e for e in errors if not math.isnan(e)]
    return max(known, key=abs) if known else figures.NAN


def error_text(error, kind):
    if math.isnan(error):
        return "-"
    return f"{error:+.0f} dbl" if kind == "knee" else f"{100 * error:+.1f} %"


def met_text(rows, program):
    judged = [r[program + "_met"] for r in rows]
    if judged[0] is None:
        return ""
    if len(judged) == 1:
        return "yes" if judged[0] else "NO"
    return f"{sum(judged)}/{len(judged)}"


def print_table(rows, many):
    """One line a tier and quantity: the middle run, and the worst error where there are several."""
    heads = ["tier", "quantity", "", "truth", "tierwise", "error", "fio", "error", "met: tierwise", "fio"]
    if many:
        heads[6:6] = ["worst"]
        heads[9:9] = ["worst"]
    lines = []
    for key in dict.fromkeys((r["tier"], r["quantity"]) for r in rows):
        of = [r for r in rows if (r["tier"], r["quantity"]) == key]
        kind = of[0]["kind"]
        mark = "" if of[0]["truth_from"] == "law" else " *"
        line = [key[0] + mark, key[1], of[0]["unit"], figures.text(of[0]["truth"])]
        for program in PROGRAMS:
            errors = [r[program + "_error"] for r in of]
            line += [figures.text(middle([r[program] for r in of])), error_text(middle(errors), kind)]
            if many:
                line.append(error_text(worst(errors), kind))
        lines.append(line + [met_text(of, program) for program in PROGRAMS])
    left = {0, 1, 2}
    widths = [max(len(line[i]) for line in [heads] + lines) for i in range(len(heads))]
    tier = None
    for line in [heads] + lines:
        if line is not heads and line[0] != tier:
            print()
        tier = line[0]
        print("  ".join(c.ljust(w) if i in left else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths))).rstrip())


def print_summary(rows):
    lawful = [r for r in rows if r["truth_from"] == "law"]
    if not lawful:
        return
    print("\ndisks with a law, all runs: median and largest error")
    print(f"{'':22}{'tierwise':42}fio")
    for kind, name in (("capacity", "capacity"), ("latency", "QD1 and sync p50"), ("knee", "knee"), ("tail", "sync p99")):
        of = [r for r in lawful if r["kind"] == kind]
        print(f"{name:22}" + "".join(f"{summary(of, program):42}" for program in PROGRAMS).rstrip())
    held = [r["tierwise_lo"] <= r["truth"] <= r["tierwise_hi"] for r in lawful if not math.isnan(r["tierwise_lo"])]
    if held:
        print(f"tierwise's own 95 % intervals held the truth in {sum(held)} of {len(held)} figures that have one")


def summary(rows, program):
    errors = [abs(r[program + "_error"]) for r in rows if not math.isnan(r[program + "_error"])]
    if not errors:
        return "none"
    size = f"{statistics.median(errors):.0f} dbl, {max(errors):.0f} dbl" if rows[0]["kind"] == "knee" else \
        f"{100 * statistics.median(errors):.1f} %, {100 * max(errors):.1f} %"
    judged = [r[program + "_met"] for r in rows if r[program + "_met"] is not None]
    return size + (f"; met {sum(judged)}/{len(judged)}" if judged else "") + \
        (f"; {len(rows) - len(errors)} missing" if len(errors) < len(rows) else "")


def save_csv(path, rows):
    with open(path, "w", newline="") as f:
        out = csv.DictWriter(f, COLUMNS, extrasaction="ignore")
        out.writeheader()
        for r in rows:
            out.writerow({k: "" if v is None or v != v else f"{v:.6g}" if isinstance(v, float) else v for k, v in r.items()})


def main():
    results, csv_path, tiers = sys.argv[1], sys.argv[2], sys.argv[3:]
    rows, many, verdicts, seconds = [], False, [], []
    for tier in tiers:
        found = load(results, tier)
        if not found:
            print(f"{tier}: not measured")
            continue
        truth, source, runs = found
        many = many or len(runs) > 1
        verdicts.append(f"{tier} " + ", ".join(r[0].verdict for r in runs.values()))
        seconds += [(a.seconds, b.seconds) for a, b in runs.values()]
        rows += compare(tier, truth, source, runs)
    if not rows:
        sys.exit("nothing to compare")
    print_table(rows, many)
    print("\nerror: of the median run" + (", and the largest of all runs" if many else "") + "; of a knee in doublings. met: "
          "capacity within 3 %, QD1 and sync p50 within 5 % or 20 us, knee within one doubling.")
    if any(r["truth_from"] != "law" for r in rows):
        print("* nothing is added and nothing capped: no law; \"truth\" is a long reading by fio itself, and where this "
              "machine's path is the limit a cheaper engine may well reach more.")
    print_summary(rows)
    print("a run took, in the middle and at most: " + ", ".join(
        f"{program} {statistics.median(s):.0f} s, {max(s):.0f} s" for program, s in zip(PROGRAMS, zip(*seconds))))
    print("tierwise's verdicts: " + "; ".join(verdicts))
    if csv_path != "-":
        save_csv(csv_path, rows)


if __name__ == "__main__":
    main()
