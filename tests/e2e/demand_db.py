"""
What databases and their benchmarks say: figures of the fixtures' EXPECTED.md, or worked out beside each in comments;
and decisions in which the disk was not to blame.
"""
import glob
import os
import random
import subprocess
import sys
import time

from demand_page import Page, finish

program, shared, work = sys.argv[1], sys.argv[2], sys.argv[3]
fixtures = f"{shared}/fixtures/workload"
pages = []


def page(*args, **how):
    p = Page(program, *args, **how)
    pages.append(p)
    return p


def all_of(pattern):
    return sorted(glob.glob(f"{fixtures}/{pattern}"))


# New disk, same 13 transactions a second: 16 clients on one branch over a network of 36.3 ms.  852.1 ms of locks are
# 558.0178 + 366.7086 - 2 x 36.2906; the commit is 37.6096 - 36.2906 = 1.319 ms of 1,108.418, which is 0.12 %
p = page(*all_of("public/pkb-pgbench-9x.*"))
p.expect("Transactions or operations", "pgbench", "per second", 13.06, 0.005)
p.expect("Transactions or operations", "pgbench", "mean ms", 1108.418, 0)
p.expect_finding("not-storage-bound")
p.expect_said("not storage-bound", "commit takes 1.3 ms over a round trip", "at most 0.12 % off it",
              "7 x 36.3 ms = 254 ms", "852.1 ms", "keep the tier or take a lower one", "move the client near the server",
              "in one batch", "scale of at least the number of clients")
p.expect("For a calibration", "most that storage can win, %", "value", 0.12, 0.005)

# A run of eight clients, its logs, progress and the server's counters become one run, one server, one calibration
p = page(*all_of("pgbench/pgbench15-tpcb*"), *all_of("postgres/pg15-*-t?.csv"))
runs = list(p.rows("Transactions or operations"))
if len(runs) != 1:
    print("FAIL: runs:", len(runs))
    p.failed = True
for column, want in (("per second", 2076.46), ("mean ms", 3.829), ("p50", 2.775), ("p95", 7.888), ("p99", 17.968),
                     ("max", 159.796), ("n", 41523)):
    p.expect("Transactions or operations", "pgbench", column, want, 0.005)
for quantity, want, off in (("log syncs", 24152, 0), ("log sync mean ms", 0.530, 5e-4), ("log bytes per sync", 19861, 0),
                            ("commits per log sync", 1.72, 0), ("log position moved, bytes", 481748488, 0),
                            ("log bytes", 479686025, 0), ("checkpoint write MiB/s", 9173 / 128 / 6.967, 5e-4),
                            ("full-page images, at most % of log", 99.7, 0.05)):
    p.expect("postgresql 14 to 16, difference of counters", quantity, "value", want, off)
# 2076.461885 / (41560 / 24152) flushes a second; 63243 / 41560 pages; 479686025 / 41560 bytes
for quantity, want, off in (("log flushes/s", 1206.71, 0.005), ("page reads per transaction (at most)", 1.522, 5e-4),
                            ("log bytes per transaction", 11542, 0), ("clients", 8, 0)):
    p.expect("For a calibration", quantity, "value", want, off)
p.expect_finding("log-sampled", "closed-loop", "page-cache")

# A rate with a limit: 2,973 of 22,942 skipped (12.96 %), 6,732 of 19,969 over 20 ms (33.7 %); of the sampled log 1,043 done
# and 149 skipped, 15.190 ms seen, of which 9.591 are schedule lag
RUNS = "Transactions or operations"
p = page(*all_of("pgbench/pgbench15-rate1500-L20.std*.txt"))
p.expect(RUNS, "pgbench", "per second", 1332.4, 0.05)
for column, want in (("skipped", "2973"), ("late", "6732"), ("n", "19969")):
    p.expect_text(RUNS, "pgbench", column, want)
p = page(*all_of("pgbench/pgbench15-rate1500-L20.log.*"))
for column, want in (("n", 1043), ("skipped", 149), ("seen ms", 15.190), ("lag ms", 9.591), ("mean ms", 5.599)):
    p.expect(RUNS, "pgbench log", column, want, 0.0005)
# sums of each second, from both threads
p = page(*all_of("pgbench/pgbench15-aggregate.log.*"))
for column, want in (("n", 24815), ("mean ms", 4.705), ("max", 59.769)):
    p.expect(RUNS, "pgbench aggregate", column, want, 0.0005)
# what else pgbench prints: one select, prepared; its own words of the summary
p = page(*all_of("pgbench/pgbench15-select-prepared.std*.txt"))
with open(all_of("pgbench/pgbench15-select-prepared.stdout.txt")[0]) as f:
    words = {line.split(" = ")[0]: line.split(" = ")[1].split()[0] for line in f if " = " in line}
p.expect(RUNS, "pgbench", "per second", float(words["tps"]), 0.005)
p.expect(RUNS, "pgbench", "mean ms", float(words["latency average"]), 0.0005)

# Asked for 6,000 a second, done 1,113: that is the capacity
p = page(*all_of("pgbench/pgbench15-rate6000*"))
# pgbench does not print the rate it was asked for: 13361 / (12 - 9.796858) s, which is 1.1 % over the 6,000
p.expect_text("Transactions or operations", "pgbench", "asked", "about 6,065")
p.expect("Transactions or operations", "pgbench", "lag ms", 3987.883, 0)
p.expect("Transactions or operations", "pgbench", "per second", 1113.29, 0.005)
p.expect_said("1113/s done", "the demand is not met", "service takes 3.6 ms, users saw 3991.5 ms")

p = page(*all_of("mysql/*.tsv"))
for quantity, want in (("commits", 23779), ("commit groups", 11771), ("commits per group", 2.02), ("data syncs", 11422),
                       ("log bytes", 44725457), ("seconds", 15)):
    p.expect("mysql MariaDB, difference of counters", quantity, "value", want, 0)
p.expect_finding("row-missing")

# The same status in a box is one look; InnoDB's monitor is known, and no status; a bill is no storage
p = page(*all_of("mysql/*boxed.txt"))
p.expect_finding("one-look")
for name, words in (("mysql/*innodb-status.txt", "give two of SHOW GLOBAL STATUS"),
                    ("public/awscli-get-metric-data-2.json", "no result is known as one of storage")):
    done = subprocess.run([program, "demand", *all_of(name)], capture_output=True, text=True)
    if done.returncode != 2 or words not in done.stderr:
        print("FAIL:", name, done.returncode, done.stderr)
        p.failed = True

# A server that restarted between two looks: nothing is compared, exit 2
with open(all_of("mysql/*t1.tsv")[0]) as f:
    text = f.read()
first, last = os.path.join(work, "first.tsv"), os.path.join(work, "last.tsv")
with open(first, "w") as f:
    f.write(text.replace("\nUptime\t45\n", "\nUptime\t90000\n"))
with open(last, "w") as f:
    f.write(text.replace("\nCom_commit\t23779\n", "\nCom_commit\t30000\n"))
p = page(first, last, status=2)
p.expect_finding("counters-reset")
p.expect_said("Uptime fell from 90000 to 45 s: the server restarted", "without a restart or FLUSH STATUS")


def iostat(name, reads, spike_ms):
    """A minute of iostat -xt -y: reads of 16 KiB at 2 ms, at spike_ms in each tenth second (a snapshot's)."""
    path = os.path.join(work, name)
    r = random.Random(7)
    with open(path, "w") as f:
        f.write("Linux 6.1.0 (dbhost) \t09/21/26 \t_x86_64_\t(4 CPU)\n\n\n")
        for i in range(120):
            ms = spike_ms if i % 10 == 9 else 2 + 0.1 * r.random()
            n = reads * (0.7 + 0.3 * r.random()) if i % 10 else reads
            f.write(time.strftime("%Y-%m-%dT%H:%M:%S+0000\n", time.gmtime(1790000000 + i)))
            f.write("Device            r/s     w/s     rkB/s     wkB/s avgqu-sz r_await w_await  %util\n")
            f.write(f"sdb {n:.2f} 100.00 {n * 16:.2f} 800.00 {n * ms / 1e3 + 0.1:.2f} {ms:.2f} 1.00 50.00\n\n")
    return path


# A snapshot raises reads to 80 ms on 5,000 IOPS / 200 MB/s and on 20,000 / 900 alike; 1,100 of 5,000 IOPS is 22 %
old, new = iostat("old.txt", 1000, 80), iostat("new.txt", 1000, 79)
caps = ("--cap", "before:sdb:iops=5000,mbps=200", "--cap", "dbhost:sdb:iops=20000,mbps=900")
p = page("--before", old, new, *caps)
p.expect_finding("tier-not-limiting")
p.expect_said("no cap is reached in either setting (at most 22 % of one before, 6 % after)",
              "the change of tier had no effect", "reads 80.0, then 79.0 ms", "the storage tier is not limiting",
              "an upgrade is expected to change nothing", "snapshot step", "do not price a higher tier as the fix")
# the faster tier did help: nothing of the kind is said
p = page("--before", old, iostat("fast.txt", 1000, 8), *caps)
p.expect_finding("tier-changed")
p.expect_not_said("tier-not-limiting")
# at the cap before: 4,900 + 100 of 5,000
p = page("--before", iostat("full.txt", 4900, 80), new, *caps)
p.expect_not_said("tier-not-limiting")

# What is known and no demand says where it goes
done = subprocess.run([program, "demand", f"{fixtures}/postgres/pg_test_fsync-15.txt"], capture_output=True, text=True)
if done.returncode != 2 or "tierwise import" not in done.stderr:
    print("FAIL: pg_test_fsync:", done.returncode, done.stderr)
    p.failed = True
finish(pages)
