"""figures.py - what the law, tierwise and fio say about one disk, in one form, and the quantities compared.

A reading has: ladder[op][qd] -> iops, p50, p99 (us, or NaN) at 4 KiB random, op "read" or "write";
knee[op] -> qd, iops, lo, hi where the program names them itself; commit[mode] -> p50, p99 of 8 KiB
overwritten and synced by one writer; seconds that it took; verdict.
"""
import json
import math
import statistics

NAN = float("nan")
PLATEAU_FRAC = 0.97  # a depth that reaches this share of the best belongs to the plateau
BLOCK_B, COMMIT_B = 4096, 8192


class Reading:
    def __init__(self):
        self.ladder = {"read": {}, "write": {}}
        self.knee = {}
        self.commit = {}
        self.intervals = {}
        self.seconds = NAN
        self.verdict = ""

    def plateau(self, op):
        """Median rate of the depths that belong to the plateau."""
        rates = [c["iops"] for c in self.ladder[op].values()]
        if not rates:
            return NAN
        return statistics.median(r for r in rates if r >= PLATEAU_FRAC * max(rates))

    def capacity(self, op):
        return self.knee[op]["iops"] if op in self.knee else self.plateau(op)

    def knee_qd(self, op):
        if op in self.knee:
            return self.knee[op]["qd"]
        plateau = self.plateau(op)
        return min((qd for qd, c in self.ladder[op].items() if c["iops"] >= PLATEAU_FRAC * plateau), default=NAN)

    def cell(self, op, qd, what):
        return self.ladder[op].get(qd, {}).get(what, NAN)

    def interval(self, quantity):
        """tierwise's own 95 % interval of a quantity, or None."""
        return self.intervals.get(quantity)


def number(x):
    return NAN if x is None else float(x)


def law(path):
    with open(path) as f:
        doc = json.load(f)
    r = Reading()
    for op, cells in doc["ladder"].items():
        r.ladder[op] = {int(qd): cell for qd, cell in cells.items()}
    r.commit = doc["commit"]
    return r


def tierwise(path):
    with open(path) as f:
        p = json.load(f)
    r = Reading()
    r.verdict = p.get("quality", {}).get("verdict", "")
    ops = {"randread": "read", "randwrite": "write"}
    for c in p["cells"]:
        closed = c.get("mix_read_frac") is None and c.get("asked_iops") is None
        if c["op"] not in ops or c["bs_b"] != BLOCK_B or not closed or c.get("jobs", 1) != 1:
            continue
        op, qd = ops[c["op"]], int(c["qd"])
        r.ladder[op][qd] = {"iops": number(c["iops"]), "p50": number(c.get("p50_us")), "p99": number(c.get("p99_us"))}
        for what in ("p50", "p99"):
            keep_interval(r, f"{op} QD{qd} {what}", c, what)
    for k in p.get("knees") or []:
        if k["op"] in ops and k.get("bs_b", BLOCK_B) == BLOCK_B and k.get("iops") is not None:
            op = ops[k["op"]]
            r.knee[op] = {"qd": number(k.get("qd")), "iops": float(k["iops"])}
            if k.get("iops_lo") is not None:
                r.intervals[f"{op} capacity"] = (k["iops_lo"], k["iops_hi"])
    for s in p.get("syncs") or []:
        if s["pattern"] == "overwrite" and s["bs_b"] == COMMIT_B and s["writers"] == 1:
            r.commit[s["mode"]] = {"p50": number(s.get("p50_us")), "p99": number(s.get("p99_us"))}
            for what in ("p50", "p99"):
                keep_interval(r, f"{s['mode']} {what}", s, what)
    return r


def keep_interval(r, quantity, row, what):
    lo, hi = row.get(f"{what}_lo_us"), row.get(f"{what}_hi_us")
    if lo is not None and hi is not None:
        r.intervals[quantity] = (lo, hi)


def fio(path):
    with open(path) as f:
        doc = json.load(f)
    r = Reading()
    for job in doc["jobs"]:
        if job["error"]:
            raise SystemExit(f"{path}: fio job {job['jobname']}: error {job['error']}")
        name = job["jobname"]
        if name in ("fdatasync", "fsync"):
            r.commit[name] = percentiles(job["sync"]["lat_ns"])
            continue
        op, qd = name.removeprefix("rand").split("-")
        r.ladder[op][int(qd)] = {"iops": job[op]["iops"]} | percentiles(job[op]["lat_ns"])
    return r


def percentiles(lat_ns):
    found = lat_ns.get("percentile", {})
    return {what: found[key] / 1000 if key in found else NAN for what, key in (("p50", "50.000000"), ("p99", "99.000000"))}


class Quantity:
    """kind: capacity, latency (with a target), knee, tail (no target)."""

    def __init__(self, name, unit, kind, get):
        self.name, self.unit, self.kind, self.get = name, unit, kind, get

    def error(self, got, truth):
        """Relative; of a knee, in doublings."""
        if math.isnan(got) or math.isnan(truth):
            return NAN
        return math.log2(got / truth) if self.kind == "knee" else got / truth - 1

    def met(self, got, truth):
        """True, False, or None where there is no target."""
        if self.kind == "tail" or math.isnan(truth):
            return None
        e = abs(self.error(got, truth))
        if math.isnan(e):
            return False
        if self.kind == "capacity":
            return e <= 0.03
        if self.kind == "knee":
            return e <= 1
        return e <= 0.05 or abs(got - truth) <= 20


def quantities(tail_depths=()):
    """Those of the accuracy table; tail_depths adds p99 at these depths."""
    rows = []
    for op in ("read", "write"):
        rows.append(Quantity(f"{op} capacity", "IOPS", "capacity", lambda r, op=op: r.capacity(op)))
        rows.append(Quantity(f"{op} QD1 p50", "us", "latency", lambda r, op=op: r.cell(op, 1, "p50")))
        rows.append(Quantity(f"{op} knee", "QD", "knee", lambda r, op=op: r.knee_qd(op)))
        for qd in tail_depths:
            rows.append(Quantity(f"{op} QD{qd} p99", "us", "tail", lambda r, op=op, qd=qd: r.cell(op, qd, "p99")))
    for mode in ("fdatasync", "fsync"):
        for what, kind in (("p50", "latency"), ("p99", "tail")):
            rows.append(Quantity(f"{mode} {what}", "us", kind, lambda r, m=mode, w=what: r.commit.get(m, {}).get(w, NAN)))
    return rows


def text(value):
    if math.isnan(value):
        return "-"
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.1f}"
