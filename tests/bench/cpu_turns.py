#!/usr/bin/env python3
"""cpu_turns.py TIERWISE DIR FILE SECONDS TURNS WORK - the turns of cpu_beside.sh; FILE is fio's, written already."""
import os
import statistics
import subprocess
import sys
import time

TICK_S = 1 / os.sysconf("SC_CLK_TCK")
SAMPLE_S = 0.25
WRITES_MOST_FRAC = 0.25  # of the reads, in a moment that counts: others may write a little


def device_counts(directory):
    """Reads and writes that the disk under it has completed."""
    dev = os.stat(directory).st_dev
    path = f"/sys/dev/block/{os.major(dev)}:{os.minor(dev)}/stat"
    try:
        with open(path) as f:
            words = f.read().split()
    except FileNotFoundError:
        print(f"skipped: {directory} has no block device of its own")
        sys.exit(77)
    return int(words[0]), int(words[4])


def cpu_s(pid):
    """User and system time of a process and its threads, or None when it is gone."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            words = f.read().rpartition(")")[2].split()
    except FileNotFoundError:
        return None
    return int(words[11]) * TICK_S, int(words[12]) * TICK_S


def sample(pid, directory):
    cpu = cpu_s(pid)
    return cpu and (time.monotonic(), *device_counts(directory), *cpu)


class Turn:
    """Sums over the moments in which the disk only read."""

    def __init__(self, command, directory, log):
        self.reads, self.user_s, self.sys_s, self.seconds = 0, 0.0, 0.0, 0.0
        with open(log, "w") as out:
            child = subprocess.Popen(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL)
            before = None
            while child.poll() is None:
                now = sample(child.pid, directory)
                if before and now:
                    self.add(*(b - a for a, b in zip(before, now)))
                before = now
                time.sleep(SAMPLE_S)
        if child.returncode not in (0, 7) or not self.reads:
            with open(log) as out:
                sys.exit(f"{command[0]}: exit {child.returncode}, {self.reads} reads seen: {out.read()[-300:]}")

    def add(self, seconds, reads, writes, user_s, sys_s):
        if reads > 0 and writes <= WRITES_MOST_FRAC * reads:
            self.seconds += seconds
            self.reads += reads
            self.user_s += user_s
            self.sys_s += sys_s

    def figures(self):
        """us of user, system and total a read, reads a second."""
        user, system = (1e6 * s / self.reads for s in (self.user_s, self.sys_s))
        return user, system, user + system, self.reads / self.seconds


def commands(tierwise, directory, file, seconds, work):
    return {
        "tierwise": [tierwise, "bench", directory, "--tests", "randread:32", "--size", "512m", "--time", str(seconds),
                     "--yes", "-q", "-o", f"{work}/cpu.json"],
        "fio": ["fio", "--name=cpu", f"--filename={file}", "--size=512m", "--rw=randread", "--bs=4k", "--iodepth=32",
                "--ioengine=libaio", "--direct=1", "--time_based", f"--runtime={seconds}", "--randrepeat=0",
                "--norandommap", "--thread", "--output-format=json", f"--output={work}/cpu-fio.json"]}


def main():
    tierwise, directory, file, seconds, turns, work = sys.argv[1:7]
    todo = commands(tierwise, directory, file, int(seconds), work)
    ratios = []
    print(f"{'turn':>4} {'program':10} {'reads':>11} {'reads/s':>9} {'user us':>8} {'sys us':>8} {'total us':>8}")
    for turn in range(1, int(turns) + 1):
        done = {}
        for program in list(todo) if turn % 2 else reversed(list(todo)):
            t = Turn(todo[program], directory, f"{work}/cpu.log")
            done[program] = t.figures()
            user, system, total, rate = done[program]
            print(f"{turn:4} {program:10} {t.reads:11,} {rate:9,.0f} {user:8.2f} {system:8.2f} {total:8.2f}", flush=True)
        ratios.append([a / b if b else float("nan") for a, b in zip(done["tierwise"], done["fio"])])
    print("tierwise / fio      min  median     max")
    for name, values in zip(("user", "system", "total", "reads/s"), zip(*ratios)):
        print(f"{name:14} {min(values):8.3f} {statistics.median(values):7.3f} {max(values):7.3f}")


if __name__ == "__main__":
    main()
