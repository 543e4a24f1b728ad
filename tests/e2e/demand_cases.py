"""
Decisions that users had to take, with the evidence they had: values and words that the answer must hold.  Inputs are
written here with the figures of the case; expected figures are worked out beside each in comments.
"""
import json
import os
import subprocess
import sys
import time

from demand_page import Page, finish

program, shared, work = sys.argv[1], sys.argv[2], sys.argv[3]
NEEDS = "Needs"
pages = []


def page(*args):
    p = Page(program, *args)
    pages.append(p)
    return p


def iostat(name, reports, step=1, t0=1790000000):
    """Reports of rows (device, r/s, w/s, rkB/s, wkB/s, queue, r_await, w_await), as iostat -xt -y prints them."""
    path = os.path.join(work, name)
    with open(path, "w") as f:
        f.write("Linux 6.1.0 (dbhost) \t09/21/26 \t_x86_64_\t(4 CPU)\n\n\n")
        for i, rows in enumerate(reports):
            f.write(time.strftime("%Y-%m-%dT%H:%M:%S+0000\n", time.gmtime(t0 + i * step)))
            f.write("Device            r/s     w/s     rkB/s     wkB/s avgqu-sz r_await w_await  %util\n")
            for device, *v in rows:
                f.write(device + "".join(f" {x:.2f}" for x in v) + " 50.00\n")
            f.write("\n")
    return path


# Three fast disks behind a small machine, and a backup: 3 x 5,000 against 6,400; 3 x 200 against 96: 504 MB/s stranded,
# 96 / 600 = 16 %; a copy at 96 / 2 = 48 MB/s: 1,000,000 / 48 = 20,833 s = 5.79 h; over the network 2.89 h
three = iostat("three.txt", [[("sda", 400, 100, 16000, 4000, 1, 2, 2), ("sdb", 400, 100, 16000, 4000, 1, 2, 2),
                              ("sdc", 100, 200, 3000, 9000, .6, 2, 2)]] * 20)
bought = [x for d in ("sda", "sdb", "sdc") for x in ("--cap", f"{d}:iops=5000,mbps=200")]
p = page(three, *bought, "--vm-cap", "iops=6400,mbps=96,cached-iops=8000,cached-mbps=64", "--copy", "1000000")
p.expect_finding("machine-cap", "copy-window")
p.expect_said("usable is 6400 of 15000", "usable is 96 of 600 (16 %), 504 MB/s are bought and not reachable",
              "the bottleneck is the machine's uncached MB/s", "more or larger disks gain nothing",
              "at most 48 MB/s, 20833 s = 5.79 h", "log writes at risk", "over the network 96 MB/s, 2.89 h",
              "take a larger machine", "throttled")

# 83 IOPS on average, yet throttled: 5,000 in a minute of which 55 s were idle: 5,000 / 5 = 1,000 against 950
burst = f"{shared}/fixtures/workload/synthetic/cloudwatch-get-metric-data-microburst.json"
p = page(burst, "--cap", "volume:iops=950")
p.expect_finding("micro-burst", "censored")
p.expect("IOPS:", "volume", "max", 83.3, 0.05)
p.expect("Highest IOPS", "volume", "while active", 1000, 0.1)
p.expect_said("micro-burst: 83.3 IOPS over 60 s, but 1000 while active, at or over the cap of 950",
              "at least 1,000 IOPS", "lower bound", "take a series of seconds, or size with headroom")
p.expect_text(NEEDS, "volume", "verdict", "lower bound")
p.expect_text(NEEDS, "volume", "IOPS", ">= 1,000")
# the middle one of three minutes, and by what it was seen
p.expect_said("held back in 1 of 3 intervals", "1 by the rate while active, up to 1,000 IOPS")

# Burst credits: 5,400,000 / (600 - 100) = 10,800 s = 3.00 h, then 100 by the model and 380 seen
credits = iostat("credits.txt", [[("sda", 300, 300, 2400, 2400, .6, 1, 1)]] * 180 +
                 [[("sda", 190, 190, 1520, 1520, 3.8, 10, 10)]] * 60, 60)
p = page(credits, "--cap", "sda:iops=100,burst=3000,bucket=5400000")
p.expect_finding("burst-credits", "credits-gone", "censored")
p.expect_said("500 credits a second", "10800 s = 3.00 h", "then the disk gives 100 IOPS, not 3000",
              "judge the SLA on the base rate", "the credits end after 3.00 h",
              "the model says 100 IOPS and 380 were seen", "the confidence is one grade lower")
p.expect_text(NEEDS, "dbhost:sda", "grade", "D")
p.expect(NEEDS, "dbhost:sda", "credits h", 3.00, 0.005)

# 20,000 IOPS in one test, 5,058 in the other: 5,058 x 32 KiB = 158.1 MiB/s = 165.7 MB/s is a byte limit; the two meet
# at 158.1 MiB/s / 20,000 = 8.1 KiB; at 16 KiB min(20,000, 10,116) = 10,116 (158.1 x 1024 / 16 = 10,118 by rounding)
two = iostat("two.txt", [[("sda", 5058, 0, 5058 * 32, 0, 4, .79, 0)]] * 20)
p = page(two, "--cap", f"sda:iops=20000,mbps={5058 * 32768 / 1e6}")
p.expect_finding("two-limits", "censored")
p.expect_said("the limit changes at 8.1 KiB", "at most 5058 IOPS, by MB/s (16 KiB: 10116)", "20 at the MB/s cap")
p.expect(NEEDS, "dbhost:sda", "of IOPS cap %", 25.3, 0.05)

# A log writer at 3 KiB: 6.25 sectors of 512 B = 3.125 KiB, under a page of 4 KiB
small = os.path.join(work, "small.txt")
with open(small, "w") as f:
    f.write("Linux 3.10.0 (dbhost) \t09/21/26 \t_x86_64_\t(4 CPU)\n\n")
    for i in range(12):
        f.write("Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await "
                "r_await w_await  svctm  %util\nsdb 0.00 0.00 0.00 1000.00 0.00 3125.00 6.25 1.00 1.00 0.00 1.00 "
                "0.10 90.00\n\n")
p = page(small, "--interval", "1s")
p.expect_finding("small-writes")
p.expect_said("mean write of 3.125 KiB, under the 4 KiB page", "15 times fewer", "a dearer tier does not cure it",
              "disks with logical sectors of 4 KiB fail such direct I/O outright")
# over a page and no multiple: 12.5 sectors are 6.25 KiB, one page and a part of the next
part = iostat("part.txt", [[("sdb", 0, 900 + i, 0, (900 + i) * 6.25, 1, 0, 1)] for i in range(12)])
p = page(part)
p.expect_finding("unaligned-writes")
p.expect_said("writes of 6.250 KiB in every interval, no multiple of the 4 KiB page", "a dearer tier does not cure it",
              "disks with logical sectors of 4 KiB fail such direct I/O outright")
# whole pages, and writers of several sizes, whose mean is no size: 8 KiB, and 4 to 15 KiB
for name, kib in (("pages.txt", lambda i: 8), ("several.txt", lambda i: 4 + i)):
    p = page(iostat(name, [[("sdb", 0, 1000, 0, 1000 * kib(i), 1, 0, 1)] for i in range(12)]))
    p.expect_not_said("unaligned-writes", "small-writes")

# The benchmark beats the data sheet: 262.6 / 131.1 = 2.0
above = iostat("above.txt", [[("sda", 32004, 0, 262.6e6 / 1024, 0, 32, 1, 0)]] * 20)
p = page(above, "--cap", "sda:iops=16000,mbps=131.072")
p.expect_finding("over-cap")
p.expect_text(NEEDS, "dbhost:sda", "verdict", "above what was bought")
p.expect_said("32004 IOPS and 262.6 MB/s, 2.0 times what was bought", "not usable as capacity",
              "measure longer than the burst window with a working set over every cache",
              "16000 IOPS and 131.1 MB/s")

# 42 % on average, and yet at the wall: the machine's uncached IOPS; 39 % of 16,000 cached are free: 6,240
p = page(f"{shared}/fixtures/workload/synthetic/azure-monitor-vm-per-lun.json", "--vm-cap",
         "iops=12800,cached-iops=16000")
p.expect_finding("consumed-machine", "consumed-mean")
p.expect_said("12,800", "6,240", "larger disks", "42")

# 100 % busy and not at the cap: 10,993 / 16,000 = 68.7 %, 5,007 free; 10,993 x 2.74 ms = 30.1 = the queue
busy = os.path.join(work, "busy.txt")
with open(busy, "w") as f:
    f.write("Linux 4.14.0 (dbhost) \t09/21/26 \t_x86_64_\t(16 CPU)\n\n")
    for i in range(12):
        f.write("Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await "
                "r_await w_await  svctm  %util\nnvme1n1 0.00 0.00 0.00 10993.00 0.00 43972.00 8.00 30.13 2.74 0.00 "
                "2.74 0.09 100.08\n\n")
p = page(busy, "--interval", "1s", "--cap", "nvme1n1:iops=16000")
p.expect_said("68.7 % of the IOPS cap, 5007 IOPS free: not at the IOPS cap; the queue explains the latency",
              "within 10 % in 11 of 11 intervals", "util and svctm say nothing of saturation")
p.expect(NEEDS, "dbhost:nvme1n1", "of IOPS cap %", 68.7, 0.05)
p.expect_text(NEEDS, "dbhost:nvme1n1", "verdict", "likely fits")

# and a silly megabyte value: 31 x 4 KiB = 0.12 MiB/s, 248 is 2,048 times that
silly = os.path.join(work, "silly.json")
row = '{"disk_device": "nvme1n1", "r/s": 0.00, "w/s": 31.00, "rMB/s": 0.00, "wMB/s": 248.00, "r_await": 0.00, ' \
      '"w_await": 1.00, "rareq-sz": 0.00, "wareq-sz": 4.00, "aqu-sz": 0.03, "util": 1.00}'
with open(silly, "w") as f:
    f.write('{"sysstat": {"hosts": [{"nodename": "h", "statistics": [{"disk": [%s]},{"disk": [%s]}]}]}}' % (row, row))
p = page(silly)
p.expect_finding("wrong-unit")
p.expect_said("wMB/s of nvme1n1 is 2048 times", "replaced by that product")
p.expect("Throughput", "h:nvme1n1", "max", 31 * 4 / 1024, 0.0005)

# A minute's mean fits on paper alone: the peak inside is not known
means = iostat("means.txt", [[("sda", 100, 100, 800, 800, .2, 1, 1)]] * 30, 60)
p = page(means, "--cap", "sda:iops=1000,mbps=100")
p.expect_finding("peak-unknown")
p.expect_text(NEEDS, "dbhost:sda", "verdict", "not shown: peak unknown")
p.expect_said("p99 of 60 s means")

# Two disks that peak at different times: sum 500 at each, maxima 400 + 400: 500 / 800 = 0.625; r = -1
turns = iostat("turns.txt", [[("sda", 400 if i % 2 else 100, 0, 4000, 0, .1, 1, 0),
                              ("sdb", 100 if i % 2 else 400, 0, 4000, 0, .1, 1, 0)] for i in range(20)])
p = page(turns)
p.expect("Disks of a machine", "dbhost", "coincidence", 0.625, 0.0005)
p.expect("Disks of a machine", "dbhost", "max of sum", 500, 0.5)
p.expect("Disks of a machine", "dbhost", "sum of max", 800, 0.5)
p.expect("Which volumes", "dbhost:sda", "r of IOPS", -1, 0.0005)
p.expect_said("caps can be pooled")

# Three weeks, ten minutes a step: from 1,000 IOPS on day 0 by 10 a day; a backup of an hour at 02:00 each night
growth = iostat("growth.txt", [[("sda", 1000 + 10 * (i // 144), 0, 1e6 if 12 <= i % 144 < 18 else 1e4, 0, 1, 1, 0)]
                               for i in range(21 * 144)], 600, 1790035200 - 1790035200 % 86400 + 600)
p = page(growth)
p.expect_finding("growth", "windows", "busy-hours")
p.expect_said("grows by 10.00 IOPS a day", "21 windows of high throughput, 60 min each at 1024.0 MB/s, every 24.0 h")

# The volumes as a document that recommend takes: p99 of sda 400 reads of 4000 / 400 = 10 KiB, nothing beyond that
document = os.path.join(work, "workload.json")
done = subprocess.run([program, "demand", turns, "--role", "data=sda", "--role", "wal=dbhost:sdb", "--capacity", "sda=100",
                       "--capacity", "dbhost:sdb=32", "--system", "turns", "--provider", "azure", "--region",
                       "westeurope", "--engine", "postgresql", "-q", "-o", document], capture_output=True, text=True)
with open(document) as f:
    w = json.load(f)
want = {"role": "data", "name": "sda", "capacity_gib": 100, "read_iops": 400, "write_iops": 0, "io_kib": 10}
evidence = w["volumes"][0].pop("evidence", "")
if done.returncode or "400 IOPS, p99 of 1 s means of sda" not in evidence or w["volumes"][0] != want or w["volumes"][1]["role"] != "wal" or len(w["volumes"]) != 2:
    print("FAIL: document:", done.returncode, done.stderr, w)
    p.failed = True
done = subprocess.run([program, "recommend", document, "-q"], capture_output=True, text=True,
                      env={**os.environ, "SOURCE_DATE_EPOCH": "1796083200"})
if done.returncode or "data" not in done.stdout:
    print("FAIL: recommend:", done.returncode, done.stderr)
    p.failed = True

# Without them it says what is missing; a device that was not read is a slip of the pen
done = subprocess.run([program, "demand", turns, "--role", "data=sda", "-o", document], capture_output=True, text=True)
bad = subprocess.run([program, "demand", turns, "--role", "data=sdq"], capture_output=True, text=True)
if done.returncode or bad.returncode != 2 or "did you mean sda?" not in bad.stderr:
    print("FAIL: missing:", done.returncode, done.stderr, bad.returncode, bad.stderr)
    p.failed = True

# Reads that a cache of the host answers.  Two minutes of Azure Monitor from 2026-09-21T14:00:00Z: each value a minute
def azure(name, *metrics):
    path = os.path.join(work, name)
    root = "/subscriptions/S/resourceGroups/R/providers/Microsoft.Compute/"
    value = [{"id": f"{root}{resource}/providers/Microsoft.Insights/metrics/{metric}", "name": {"value": metric},
              "timeseries": [{"data": [{"timeStamp": f"2026-09-21T14:0{i}:00Z", "average": v}
                                       for i, v in enumerate(values)]}]} for resource, metric, values in metrics]
    with open(path, "w") as f:
        json.dump({"interval": "PT1M", "value": value}, f)
    return path


def disk(name, reads, writes):
    return [(f"disks/{name}", f"Composite Disk {what} Operations/sec", v) for what, v in
            (("Read", reads), ("Write", writes))]


# 1,200 reads/s asked for by the machine; 300, then 420 at the disk, 360 on average: 1 - 360 / 1200 = 70 %
pgdata = azure("pgdata.json", *disk("pgdata", [300, 420], [100, 100]))
guest = iostat("guest.txt", [[("sdc", 1200, 100, 9600, 800, 1, .5, 1)]] * 120, 1, 1789999201)
p = page(guest, pgdata, "--host-cache", "sdc=pgdata")
p.expect_finding("host-cache")
p.expect("Reads that a cache", "dbhost:sdc", "reads/s asked", 1200, 0.05)
p.expect("Reads that a cache", "dbhost:sdc", "reads/s at the disk", 360, 0.05)
p.expect("Reads that a cache", "dbhost:sdc", "answered %", 70, 0.05)
p.expect_text("Reads that a cache", "dbhost:sdc", "intervals", "2")
p.expect_said("of 1,200 reads/s asked for, 360 reached pgdata: the host's cache answered 70.0 %",
              "without it the disk gets all of them")
# other logs of the same: an hour later there is nothing in common, and the disk cannot see more than was asked for
later = iostat("later.txt", [[("sdc", 1200, 100, 9600, 800, 1, .5, 1)]] * 120, 1, 1789999201 + 3600)
page(later, pgdata, "--host-cache", "sdc=pgdata").expect_said("their times have no interval in common")
slow = iostat("slow.txt", [[("sdc", 200, 100, 1600, 800, 1, .5, 1)]] * 120, 1, 1789999201)
page(slow, pgdata, "--host-cache", "sdc=pgdata").expect_finding("host-cache-differs")

# Of the machine: 25 % of 8,000 are 2,000 operations through the cache.  pgdata has 300 reads and 200 writes of them, so
# 1,500 are hits, of 1,800 reads asked for: 83.3 %.  The log's 400 writes may be among them while nothing says that it has
# no cache: at least 1,100 hits, of 1,400: 78.6 %
vm = azure("vm.json", ("virtualMachines/dbhost", "VM Cached IOPS Consumed Percentage", [25, 25]),
           *disk("pgdata", [300, 300], [200, 200]), *disk("pglog", [0, 0], [400, 400]))
p = page(vm, "--vm-cap", "iops=6400,cached-iops=8000", "--host-cache", "pgdata")
p.expect("Reads that a cache", "dbhost", "answered %", 100 * 1500 / 1800, 0.05)
p.expect("Reads that a cache", "dbhost", "reads/s asked", 1800, 0.05)
p = page(vm, "--vm-cap", "iops=6400,cached-iops=8000")
p.expect_text("Reads that a cache", "dbhost", "answered %", ">= 78.6")
p.expect_said("of at least 1,400 reads/s asked for, 300 reached its 2 disks: the host's cache answered at least 78.6 %")
# without the cap nothing can be said, and that is said; a machine's own count of a disk includes the hits
p = page(vm)
p.expect_finding("host-cache-unknown")
p.expect_said("25 % of the cached budget are used", "give --vm-cap cached-iops=N")
inside = azure("inside.json", ("virtualMachines/dbhost", "VM Cached IOPS Consumed Percentage", [25, 25]),
               ("virtualMachines/dbhost", "OS Disk Read Operations/Sec", [1800, 1800]),
               ("virtualMachines/dbhost", "OS Disk Write Operations/Sec", [200, 200]))
p = page(inside, "--vm-cap", "iops=6400,cached-iops=8000")
p.expect_finding("host-cache-unknown")
p.expect_not_said("Reads that a cache")
# and against the disk as a resource: 1 - 360 / 1800
p = page(inside, pgdata, "--host-cache", "OS disk=pgdata")
p.expect("Reads that a cache", "dbhost:OS disk", "answered %", 80, 0.05)
# the workload gets what is asked for, and the share: 300 / (1 - 0.8333) = 1,800 (rounded up)
done = subprocess.run([program, "demand", vm, "--vm-cap", "iops=6400,cached-iops=8000", "--host-cache", "pgdata", "--role",
                       "data=pgdata", "-q", "-o", document], capture_output=True, text=True)
with open(document) as f:
    v = json.load(f)["volumes"][0]
if done.returncode or v["read_iops"] not in (1800, 1801) or abs(v["cache_hit_frac"] - 1500 / 1800) > 1e-9:
    print("FAIL: cached volume:", done.returncode, done.stderr, v)
    p.failed = True
bad = subprocess.run([program, "demand", vm, "--host-cache", "pgdat"], capture_output=True, text=True)
if bad.returncode != 2 or "did you mean pgdata?" not in bad.stderr:
    print("FAIL: --host-cache pgdat:", bad.returncode, bad.stderr)
    p.failed = True

# A file a day is one series: the same 40 seconds in two files have the peak and the mean of both
first = iostat("day1.txt", [[("sda", 100, 0, 400, 0, .1, 1, 0)]] * 20)
second = iostat("day2.txt", [[("sda", 300, 0, 1200, 0, .3, 1, 0)]] * 20, 1, 1790000020)
p = page(second, first)
p.expect_text("IOPS:", "dbhost:sda", "n", "40")
p.expect("IOPS:", "dbhost:sda", "IOPS mean", 200, 0.05)
finish(pages)
