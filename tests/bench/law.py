#!/usr/bin/env python3
"""law.py EMULATOR TIER MIB - what a perfect benchmark must report of an emulated disk that is up, as JSON in the
form figures.py reads: closed loops over a file of MIB (it matters where nearness makes a request faster).

Rates and latencies at each depth are `tier-emu expect`'s.  A commit is a write of 8 KiB at the head of a log
that goes round, then fdatasync or fsync, on ext4:
- fdatasync of blocks that are there already writes the block and flushes: one write, one flush.
- fsync also commits the inode when the write changed its time stamp, which moves once a tick of the coarse
  clock: the journal adds a write (descriptor and inode), a flush, a write (commit block).  Most commits of a
  fast disk fall into the same tick as the one before; on a slow one each commit goes through the journal.
Medians of the parts are `tier-emu expect`'s; spread and ticks are drawn here, in virtual time.
Exit 3: the disk has no law (nothing is added, nothing is capped).
"""
import json
import os
import random
import subprocess
import sys
import time

DEPTHS = [1, 2, 4, 8, 16, 32, 64, 128]
EXPECT_MS = 60000
COMMITS = 300000
COMMITS_CONSTANT = 20000  # without spread few are enough
CLOCK_REALTIME_COARSE = 5  # linux/time.h; its resolution is the tick


def call(emulator, *args):
    return subprocess.run([emulator, *args], check=True, capture_output=True, text=True).stdout


def pairs(text):
    return dict(word.split("=", 1) for word in text.split() if "=" in word)


class Tier:
    def __init__(self, emulator, name, mib):
        self.emulator, self.name, self.mib = emulator, name, mib
        self.settings = pairs(call(emulator, "status", name))

    def setting(self, key):
        return float(self.settings[key])

    def expect(self, op, *, qd=1, bs=4096, seq=False):
        args = ["--op", op, "--qd", qd, "--bs", bs, "--size-mb", self.mib, "--ms", EXPECT_MS]
        words = pairs(call(self.emulator, "expect", self.name, *map(str, args), *(["--seq"] if seq else [])))
        return {"iops": float(words["iops"]), "p50": float(words["p50"]), "p99": float(words["p99"])}

    def has_law(self):
        return any(self.setting(k) > 0 for k in ("read_us", "write_us", "iops", "mbps"))


def commit(tier, mode):
    """p50 and p99 of a write and its sync, one writer."""
    rng = random.Random(1)
    sigma = tier.setting("sigma")
    near_us = tier.expect("write", bs=8192, seq=True)["p50"]
    far_us = tier.expect("write", bs=8192)["p50"]
    block_us = tier.expect("write", bs=4096, seq=True)["p50"]
    # write through: the kernel sends no flush, and the oracle would wait for one for ever
    flush_us = tier.expect("fsync")["p50"] if tier.setting("fsync_us") > 0 else 0
    tick_us = time.clock_getres(CLOCK_REALTIME_COARSE) * 1e6

    def drawn(median_us):
        return median_us * rng.lognormvariate(0, sigma) if sigma else median_us

    now_us, stamp, at_log, took = 0.0, None, False, []
    for _ in range(COMMITS if sigma else COMMITS_CONSTANT):
        start_us, tick = now_us, now_us // tick_us
        now_us += drawn(near_us if at_log else far_us)
        at_log = True
        if mode == "fsync" and tick != stamp:
            now_us += drawn(far_us) + drawn(flush_us) + drawn(block_us)
            at_log = False
        stamp = tick
        now_us += drawn(flush_us)
        took.append(now_us - start_us)
    took.sort()
    return {"p50": took[len(took) // 2], "p99": took[len(took) * 99 // 100]}


def main():
    tier = Tier(os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3])
    if not tier.has_law():
        sys.exit(3)
    ladder = {op: {qd: tier.expect(op, qd=qd) for qd in DEPTHS} for op in ("read", "write")}
    commits = {mode: commit(tier, mode) for mode in ("fdatasync", "fsync")}
    json.dump({"ladder": ladder, "commit": commits}, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
