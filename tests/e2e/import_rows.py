"""import_rows.py EXPECTED.csv FOLDER - every row of EXPECTED.csv in the profiles of FOLDER?

A profile is of one folder of results (its name starts with the folder's), and each cell or sync names
its file.  Rows of one file, direction and job name are one point when fio reported the jobs of a group
apart: then rates add, the mean weighs by I/O, percentiles lie in the range of the rows.

Tolerances are the digits of the table: rates have four decimals, latencies three (microseconds),
throughput is cut to whole KiB/s.  A percentile above the longest latency is cut to it by import.
"""
import collections
import csv
import json
import os
import sys

DIRECTION = {"randread": "read", "read": "read", "randwrite": "write", "write": "write"}


def number(text):
    return float(text) if text != "" else None


def excuse(row):
    """Why the row itself says that it is no cell."""
    if row["parse"] == "not-json":
        return "no JSON"
    if int(row["document"]) + 1 < int(row["documents"]):
        return "not the last document of its file"
    if float(row["error"]) > 0:
        return "the job failed"
    if row["jobname"] == "All clients":
        return "a sum over clients"
    if row["direction"] == "mixed":
        return "unified reporting hides the direction"
    return None


def load_points(folder):
    """(folder of the fixtures, file, direction) -> cells and syncs."""
    points = collections.defaultdict(list)
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            profile = json.load(f)
        for cell in profile.get("cells", []):
            points[profile["name"], cell["source"], DIRECTION[cell["op"]]].append(cell)
        for sync in profile.get("syncs", []):
            points[profile["name"], sync["source"], "write"].append(sync)
    return points


def points_of(points, path, direction):
    """A folder with several disks has several profiles, named FOLDER-DISK."""
    folder, file = path.split("/")
    found = []
    for (profile, source, side), list_ in points.items():
        if source == file and side == direction and (
                profile == folder or profile.startswith(folder + "-")):
            found.extend(list_)
    return found


class Checker:
    def __init__(self):
        self.wrong = []

    def near(self, row, what, got, want, tolerance):
        if want is None and got is None:
            return
        if want is None or got is None or abs(got - want) > tolerance:
            self.wrong.append(f"{row['file']} job {row['job']} {row['direction']}: {what} is {got}, "
                              f"expected {want}")

    def quantile(self, rows, what, key, got, longest):
        values = [number(r[key]) for r in rows]
        if values[0] is None:
            self.near(rows[0], what, got, None, 0)
            return
        top = float("inf") if longest is None else longest
        if got is None or not min(min(values), top) - 6e-4 <= got <= min(max(values), top) + 6e-4:
            self.wrong.append(f"{rows[0]['file']}: {what} is {got}, expected {values}")

    def cell(self, rows, c):
        row, n = rows[0], len(rows)
        ios = [number(r["total_ios"]) for r in rows]
        mean = [number(r["lat_mean_us"]) for r in rows]
        volume = sum(number(r["io_bytes"]) for r in rows)
        self.near(row, "iops", c.get("iops"), sum(number(r["iops"]) for r in rows), 6e-5 * n)
        self.near(row, "KiB/s", c["mibps"] * 1024, sum(number(r["bw_KiB_s"]) for r in rows) + 0.5 * n,
                  0.51 * n)
        self.near(row, "runtime", c["runtime_s"] * 1e3, max(number(r["runtime_ms"]) for r in rows), 1e-6)
        if None in ios:  # before fio 2.1.14: the volume is what the blocks make up
            self.near(row, "volume", c["n"] * c["bs_b"], volume, 0.5 * c["bs_b"])
        else:
            self.near(row, "block", c["bs_b"], volume / sum(ios), 0.005 * c["bs_b"])
        if not any(mean):
            if "mean_us" in c or "p99_us" in c:
                self.wrong.append(f"{row['file']}: a latency where none was recorded")
            return
        if None not in ios:
            # those in flight when a ramp ends have a latency and no place in the total
            self.near(row, "samples", c["n"], sum(ios), max(c["qd"], 1e-3 * sum(ios)))
        if n == 1:
            self.near(row, "mean", c["mean_us"], mean[0], 6e-4)
        else:
            want = sum(m * i for m, i in zip(mean, ios)) / sum(ios)
            self.near(row, "mean", c["mean_us"], want, 1e-4 * want)
        self.quantile(rows, "p50", "p50_us", c.get("p50_us"), c.get("max_us"))
        self.quantile(rows, "p99", "p99_us", c.get("p99_us"), c.get("max_us"))
        depth = number(row["iodepth"])
        if depth and c["qd"] != c["jobs"]:  # an engine of one at a time ignores iodepth
            self.near(row, "depth", c["qd"], depth * c["jobs"], 0)

    def sync(self, rows, s):
        row = rows[0]
        iops, mean = number(row["iops"]), number(row["lat_mean_us"])
        sync = number(row["sync_mean_us"])
        # syncs are counted apart from writes: a few are in flight at the end
        self.near(row, "syncs/s", s["syncs_per_s"], iops, 1e-3 * iops)
        if s["mode"].startswith("odsync"):
            self.near(row, "mean", s["mean_us"], mean, 6e-4)
            self.quantile(rows, "p99", "p99_us", s.get("p99_us"), s.get("max_us"))
            return
        self.near(row, "write mean", s["write_mean_us"], mean, 6e-4)
        if sync is None:  # before fio 3.4: what the rate leaves
            self.near(row, "mean", s["mean_us"], s["writers"] * 1e6 / iops, 1e-3)
            return
        self.near(row, "sync mean", s["sync_mean_us"], sync, 6e-4)
        self.near(row, "sync p99", s["sync_p99_us"], number(row["sync_p99_us"]), 6e-4)
        self.near(row, "mean", s["mean_us"], mean + sync, 2e-3)

    def point(self, rows, p):
        (self.sync if "mode" in p else self.cell)(rows, p)


def rate(point):
    return point["syncs_per_s"] if "mode" in point else point["iops"]


def take(points, want):
    """Remove and return the point whose rate is `want`, within what syncs may differ; None: none is."""
    best = min(points, key=lambda p: abs(rate(p) - want), default=None)
    if best is None or abs(rate(best) - want) > 1e-3 * want:
        return None
    points.remove(best)
    return best


def main():
    with open(sys.argv[1], newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    points = load_points(sys.argv[2])
    check, excused, compared, n_points = Checker(), collections.Counter(), 0, 0
    jobs, sides = collections.defaultdict(list), set()
    for row in rows:
        why = excuse(row)
        if why:
            excused[why] += 1
            print(f"no cell: {row['file']} job {row['job']} {row['direction']}: {why}")
        else:
            sides.add((row["file"], row["direction"]))
            jobs[row["file"], row["direction"], row["jobname"], row["rw"], row["bs"]].append(row)
    left = {side: points_of(points, *side) for side in sides}
    for (file, direction, *_), same in jobs.items():
        there = left[file, direction]
        while same:
            # the most rows that follow one another and are one point
            for n in range(len(same), 0, -1):
                point = take(there, sum(number(r["iops"]) for r in same[:n]))
                if point:
                    break
            if point:
                check.point(same[:n], point)
                compared += n
                n_points += 1
            else:
                check.wrong.append(f"{file} job {same[0]['job']} {direction}: not in the profile")
            same = same[n:]
    for side, rest in left.items():
        if rest:
            check.wrong.append(f"{side[0]} {side[1]}: {len(rest)} cells that no row stands for")
    for line in check.wrong:
        print(line)
    print(f"{len(rows)} rows: {compared} compared ({n_points} cells and syncs), {sum(excused.values())} are "
          f"no cell ({', '.join(f'{n} {w}' for w, n in excused.most_common())}), {len(check.wrong)} wrong")
    if check.wrong or len(rows) != 503 or compared + sum(excused.values()) != len(rows):
        sys.exit(1)


main()
