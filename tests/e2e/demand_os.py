"""
Figures of the files of iostat, sar, /proc/diskstats, vmstat and Performance Monitor.  Expected values come from the
list of reference answers beside the fixtures, and where that says nothing from sums over the files with awk (said at
the row); none is the program's own.
"""
import json
import shutil
import sys
import tempfile

from demand_page import Page, finish

program, folder = sys.argv[1], sys.argv[2]
IOPS, SIZE, LATENCY = "IOPS:", "Throughput", "Latency (means"
V = "dbhost:vda"
pages = []


def rows_of(name, device="vda"):
    """Rows of a device by column, read here: the header that has its first word, points for commas."""
    rows, header = [], []
    with open(f"{folder}/{name}") as f:
        for line in f:
            words = line.replace(",", ".").split()
            if words and words[0] in ("Device", "Device:"):
                header = words
            elif words and words[0] == device and len(words) == len(header):
                rows.append({k: float(v) for k, v in zip(header[1:], words[1:])})
    return rows


def page(name, *args, status=0):
    p = Page(program, f"{folder}/{name}", *args, status=status)
    pages.append(p)
    return p


# 39 intervals without the since-boot report: mean, nearest ranks, mix, sizes, weighted latencies
p = page("iostat/iostat-x-t-12.6.1.json")
p.expect_text(IOPS, V, "n", "39")
p.expect_text(IOPS, V, "means of", "1 s")
for column, want in (("IOPS mean", 30125.9), ("p50", 26272), ("p95", 65369), ("p99", 75954), ("max", 75954)):
    p.expect(IOPS, V, column, want, 0.1)
p.expect(IOPS, V, "reads %", 90.38, 0.05)
p.expect(SIZE, V, "KiB/read", 4.334, 0.001)
p.expect(SIZE, V, "KiB/write", 24.656, 0.001)
p.expect(SIZE, V, "MiB/s mean", 185.00, 0.01)
p.expect(SIZE, V, "max", 1027.57, 0.01)
p.expect(LATENCY, V, "read ms", 0.2981, 0.0001)
p.expect(LATENCY, V, "write ms", 0.6575, 0.0001)
p.expect("Highest IOPS", V, "peak / mean", 2.52, 0.005)
p.expect_finding("since-boot", "queue-agrees")
p.expect_said("within 10 % in 39 of 39 intervals")
p.expect_said("22 of 33 intervals with a queue of 1 or more print under 70 % busy")

# kept on request, and then wrong as the reference says
p = page("iostat/iostat-x-t-12.6.1.json", "--keep-first")
p.expect(IOPS, V, "IOPS mean", 29401.1, 0.1)
p.expect(IOPS, V, "p95", 64473, 0.1)

p = page("iostat/iostat-x-t-12.6.1.txt", "--keep-first")
p.expect_text(IOPS, V, "n", "40")
rows = rows_of("iostat/iostat-x-t-12.6.1.txt")
if rows[0]["r/s"] != 757.89 or len(rows[0]) != 22:
    print("FAIL: not the file that was meant:", rows[0])
    p.failed = True
# the mean with the report since boot, 757.89 reads/s, in it
p.expect(IOPS, V, "IOPS mean", sum(r["r/s"] + r["w/s"] for r in rows) / 40, 0.06)
p = page("iostat/iostat-x-t-12.6.1.txt")
p.expect_text(IOPS, V, "n", "39")
# awk over the rows of vda after the first: mean r/s + w/s, largest
p.expect(IOPS, V, "IOPS mean", 30093.5, 0.1)

# -y: nothing to drop; awk: the smallest r/s of the first row is 13.00, so 40 rows count
p = page("iostat/iostat-dxky-12.6.1.txt")
p.expect_text(IOPS, V, "n", "40")
p.expect_finding("no-since-boot")
# with the first row, 13.00 reads/s
p.expect(IOPS, V, "IOPS mean", sum(r["r/s"] + r["w/s"] for r in rows_of("iostat/iostat-dxky-12.6.1.txt")) / 40, 0.06)

# the other layouts of one tool, against the rows read here: columns, unit of bytes, columns of reads and writes
for name, columns, unit, ops in (
        ("dec0-12.6.1.txt", ("rkB/s", "wkB/s"), 1024, ("r/s", "w/s")),
        ("dxm-12.6.1.txt", ("rMB/s", "wMB/s"), 2**20, ("r/s", "w/s")),
        ("isotime-12.6.1.txt", ("rkB/s", "wkB/s"), 1024, ("r/s", "w/s")),
        ("pALL-12.6.1.txt", ("rkB/s", "wkB/s"), 1024, ("r/s", "w/s")),
        ("short-12.6.1.txt", ("kB/s",), 1024, ("tps",)),
        ("z-12.6.1.txt", ("rkB/s", "wkB/s"), 1024, ("r/s", "w/s"))):
    p = page("iostat/iostat-" + name)
    rows = rows_of("iostat/iostat-" + name)[1:]
    p.expect_text(IOPS, V, "n", str(len(rows)))
    p.expect(IOPS, V, "max", max(sum(r[c] for c in ops) for r in rows), 0.06)
    p.expect(IOPS, V, "IOPS mean", sum(r[c] for r in rows for c in ops) / len(rows), 0.06)
    p.expect(SIZE, V, "max", max(sum(r[c] for c in columns) for r in rows) * unit / 2**20, 0.011)
# --human: 49.7k and 192.4M of its last report (by eye: 49671.00 w/s and 192.4M)
p = page("iostat/iostat-human-12.6.1.txt")
p.expect(IOPS, V, "max", 49671, 0.1)
p.expect(SIZE, V, "max", 192.4, 0.01)
p = page("iostat/iostat-pALL-12.6.1.txt")
p.expect_finding("idle-device")  # loop devices: one line for all

# JSON that a signal ended cleanly, and the twin of the file with commas: figures of the objects, read here
for name in ("sigint-12.6.1.json", "x-t-de_DE-12.6.1.json"):
    with open(f"{folder}/iostat/iostat-{name}") as f:
        reports = json.load(f)["sysstat"]["hosts"][0]["statistics"][1:]
    disks = [d for r in reports for d in r["disk"] if d["disk_device"] == "vda"]
    p = page("iostat/iostat-" + name)
    p.expect_text(IOPS, V, "n", str(len(disks)))
    p.expect(IOPS, V, "max", max(d["r/s"] + d["w/s"] for d in disks), 0.06)
    p.expect(SIZE, V, "max", max(d["rkB/s"] + d["wkB/s"] for d in disks) / 1024, 0.011)

p = page("iostat/iostat-x-t-de_DE-12.6.1.txt")
p.expect_text(IOPS, V, "n", "5")
# awk with commas made points: largest r/s + w/s of rows 2 to 6
p.expect(IOPS, V, "max", 49594, 0.1)

p = page("iostat/iostat-x-t-cut-midline-12.6.1.txt")
p.expect_text(IOPS, V, "n", "10")  # 11 whole rows, one of them since boot
p.expect_finding("cut-end")

p = page("iostat/iostat-y-sigkilled-12.6.1.json")
p.expect_text(IOPS, V, "n", "6")  # grep -c timestamp
p.expect(IOPS, V, "max", 50018, 0.1)
p.expect_finding("cut-end")

# one report after the since-boot one: 49679.00 w/s, 192.4M, 0.18 ms (by eye)
p = page("iostat/iostat-h-12.6.1.txt")
p.expect(IOPS, V, "max", 49679, 0.1)
p.expect(SIZE, V, "max", 192.4, 0.01)
p.expect(LATENCY, V, "write ms", 0.18, 0.001)

# a group is the same traffic again, partitions and loop devices too
p = page("iostat/iostat-g-12.6.1.txt")
p.expect_text(IOPS, "dbhost:total", "of", "stacked")
p.expect_text(IOPS, V, "of", "disk")

# plain -d: reads and writes are not told apart in operations; 1 s by kB_read / kB_read/s
p = page("iostat/iostat-basic-12.6.1.txt")
p.expect(IOPS, V, "max", 1966, 0.1)

p = page("procfs/diskstats-1s.txt")
p.expect_text(IOPS, "vda", "n", "40")
p.expect(IOPS, "vda", "IOPS mean", 28390.66 + 3058.82, 0.1)
p.expect(IOPS, "vda", "p50", 25343.9, 0.1)
p.expect(IOPS, "vda", "p95", 67215.1, 0.1)
p.expect(IOPS, "vda", "max", 77130.0, 0.1)
p.expect(SIZE, "vda", "KiB/read", 4.573, 0.001)
p.expect(SIZE, "vda", "KiB/write", 23.788, 0.001)
p.expect(LATENCY, "vda", "read ms", 0.3745, 0.0001)
p.expect(LATENCY, "vda", "write ms", 0.7069, 0.0001)
p.expect(LATENCY, "vda", "queue mean", 12.883, 0.001)
p.expect(LATENCY, "vda", "flush ms", 0.0845, 0.0001)
p.expect(LATENCY, "vda", "flushes/s", 30508 / 40.853, 0.1)
p.expect(LATENCY, "vda", "busy % (a hint)", 61.35, 0.01)
p.expect(IOPS, "vda", "reads %", 100 * 28390.66 / (28390.66 + 3058.82), 0.06)

# two readings with the line of their time before each: sda's counters moved by what is between the files
work = tempfile.mkdtemp()
with open(f"{folder}/procfs/diskstats-t0-t1.epoch") as f:
    times = [line.split()[1] for line in f if line.strip()]
looks = []
with open(f"{work}/two.txt", "w") as out:
    for k, at in enumerate(times):
        with open(f"{folder}/procfs/diskstats-t{k}.txt") as f:
            text = f.read()
        out.write(f"# {at}\n{text}")
        looks.append(next(line.split()[3:] for line in text.splitlines() if line.split()[2] == "vda"))
seconds = float(times[1]) - float(times[0])
p = Page(program, f"{work}/two.txt")
pages.append(p)
moved = [int(b) - int(a) for a, b in zip(*looks)]
p.expect(IOPS, "vda", "IOPS mean", (moved[0] + moved[4]) / seconds, 0.06)
p.expect(SIZE, "vda", "KiB/write", moved[6] / 2 / moved[4], 0.001)
shutil.rmtree(work)

# one reading: 11, 15 and 17 counters are all understood, no rate is made up
p = page("public/node_exporter-diskstats")
p.expect_finding("one-reading")
# sda: 1003346126 sectors / 2 / 25354637 reads = 19.79 KiB; nvme0n1 has 11, sdb 15 and sdc 17 counters
p.expect_said("sda since the machine started: 25354637 reads of 19.79 KiB",
              "nvme0n1 since", "sdb since", "sdc since")

# sar: three forms of one file agree; the average line is not a row; the second device came later
for name in ("sar-d-12.6.1.txt", "sadf-d-12.6.1.csv", "sadf-j-12.6.1.json"):
    p = page("sar/" + name)
    p.expect_text(IOPS, V, "n", "41")
    p.expect_text(IOPS, "dbhost:loop0", "n", "14")
    p.expect_text(IOPS, "dbhost:loop0", "of", "stacked")
    p.expect(IOPS, V, "max", 76662, 0.1)
    # the "Average:" line of sar itself: 31837.48 over 41.07 s; ours is of the 41 rows
    p.expect(IOPS, V, "IOPS mean", 31837.48, 80)
    p.expect(SIZE, V, "KiB/I/O", 6.46, 0.03)

# vmstat: processors alone; 40 rows, the first since boot
p = page("vmstat/vmstat-4.0.2.txt")
p.expect_finding("processors-only")
p.expect_text("Processors", f"vmstat {folder}/vmstat/vmstat-4.0.2.txt", "n", "39")
page("vmstat/vmstat-d-4.0.2.txt", status=2)
# -t -w: the same columns wider, with a time: 9 rows after the first; us + sy + gu, read here
p = page("vmstat/vmstat-t-w-4.0.2.txt")
with open(f"{folder}/vmstat/vmstat-t-w-4.0.2.txt") as f:
    rows = [line.split() for line in f.read().splitlines()[3:]]
p.expect_text("Processors", f"vmstat {folder}/vmstat/vmstat-t-w-4.0.2.txt", "n", str(len(rows)))
p.expect("Processors", f"vmstat {folder}/vmstat/vmstat-t-w-4.0.2.txt", "busy % mean",
         sum(int(r[12]) + int(r[13]) + int(r[17]) for r in rows) / len(rows), 0.06)

# sar -b: all disks of the machine, reads and writes apart; rows read here
p = page("sar/sar-b-12.6.1.txt")
with open(f"{folder}/sar/sar-b-12.6.1.txt") as f:
    rows = [[float(w) for w in line.split()[1:]] for line in f
            if line[:1].isdigit() and line.split()[1][0].isdigit()]
p.expect_text(IOPS, "dbhost:all disks", "of", "machine")
p.expect(IOPS, "dbhost:all disks", "max", max(r[1] + r[2] for r in rows), 0.06)

# Performance Monitor: seconds not ms, the blank first row is none, the zone is one hour east
p = page("synthetic/perfmon-pdh-en.csv")
F = "DBHOST:1 F:"
p.expect_text(IOPS, F, "n", "3")
p.expect_text(IOPS, F, "means of", "15 s")
p.expect(IOPS, F, "max", 4987.90 + 655.02, 0.1)
# (1204.33 x 1.82 + 4987.90 x 12.40 + 5001.12 x 12.67) / 11193.35 ms
p.expect(LATENCY, F, "read ms", 11.3823, 0.001)
p.expect(SIZE, F, "KiB/read", 8.0, 0.01)
p = page("synthetic/perfmon-pdh-comma-bom.csv")
p.expect(IOPS, F, "max", 4987.90, 0.1)
p.expect_text(IOPS, F, "reads %", "reads only")

# older layouts: sectors, MB, AM and PM, colons
p = page("public/t2y-sample_iostat_sector.output", "--keep-first")
S = "myhostname:sdb"
# first report: 5.67 r/s, 1149.19 rsec/s: 1149.19 x 512 / 1024 = 574.6 KiB/s of 4 more idle reports
p.expect(IOPS, S, "max", 5.67 + 0.86, 0.1)
p.expect(SIZE, S, "max", (1149.19 + 601.76) * 512 / 2**20, 0.01)
p.expect_text(IOPS, S, "means of", "1 s")
p = page("public/t2y-sample_iostat_killo.output", "--keep-first")
p.expect(SIZE, S, "max", (574.59 + 300.88) / 1024, 0.01)
p = page("public/t2y-sample_iostat_small.output")
p.expect_text(IOPS, "myhostname:sdb", "n", "2")
p = page("public/t2y-sample_iostat_11.7.3.output")
# awk '/^sda/' after the first: 81 rows, largest r/s + w/s
p.expect_text(IOPS, "localhost.localdomain:sda", "n", "81")
p.expect(IOPS, "localhost.localdomain:sda", "max", 6128, 0.1)
p = page("public/pkb-iostat_output.json")
p.expect_text(IOPS, "test-instance:sda", "n", "1")

# faults of sysstat
p = page("synthetic/iostat-json-wrong-MB-12.2.0.json")
p.expect(SIZE, "dbhost:nvme0n1", "max", 50 * 8 / 1024, 0.001)
p.expect_finding("wrong-unit")
p.expect_said("wMB/s of nvme0n1 is 2048 times")
p = page("synthetic/iostat-y-leading-comma-11.6.0.json")
p.expect(IOPS, "dbhost:sdb", "max", 240, 0.1)
p.expect_text(IOPS, "dbhost:sdb", "means of", "2 s")  # 960 kB at 480 kB/s
p = page("synthetic/iostat-10x-comma.txt")
p.expect(IOPS, "dbhost:sdb", "max", 77, 0.1)
p.expect_text(IOPS, "dbhost:dm-3", "of", "stacked")
p.expect_finding("since-boot-only")
finish(pages)
