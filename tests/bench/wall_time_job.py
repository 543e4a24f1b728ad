#!/usr/bin/env python3
"""wall_time_job.py PROFILE CELL_SECONDS JOB [TOOK_MS] - write the fio job file JOB that measures what PROFILE holds
with CELL_SECONDS a cell, and print the time of both.  TOOK_MS: what tierwise took in all, as its caller saw it;
without it the profile's own duration counts."""
import collections
import json
import sys

SYNC = {"fsync": "direct=1 fsync=1", "fdatasync": "direct=1 fdatasync=1",
        "odsync": "direct=0 sync=dsync", "odsync-direct": "direct=1 sync=dsync"}
LADDER_BS = 4096


def part_of(c):
    if c.get("asked_iops") is not None:
        return "open loop"
    if c.get("mix_read_frac") is not None:
        return "mix"
    if c["op"] in ("read", "write"):
        return "sequential"
    return "queue depths" if c["bs_b"] == LADDER_BS else "block sizes"


def cell_options(c):
    """Of one closed or open loop; both sides of a mix give the same."""
    qd, jobs = int(c["qd"]), int(c.get("jobs", 1))
    options = [f"bs={int(c['bs_b'])}", f"iodepth={max(1, qd // jobs)}", f"numjobs={jobs}"]
    read_frac, asked = c.get("mix_read_frac"), c.get("asked_iops")
    if read_frac is not None:
        options += ["rw=randrw" if c["op"].startswith("rand") else "rw=rw", f"rwmixread={round(100 * read_frac)}"]
    else:
        options.append(f"rw={c['op']}")
    if asked is not None:
        options += [f"rate_iops={max(1, round(asked))}", "rate_process=poisson"]
    return tuple(options)


def sync_options(s):
    options = ["ioengine=psync", "rw=write", f"bs={int(s['bs_b'])}", f"numjobs={int(s['writers'])}"]
    options += SYNC[s["mode"]].split()
    if s["pattern"] == "append":
        # a file of its own that grows
        options += ["filename=tierwise-append", "fallocate=none", "size=8g", "unlink=1"]
    return tuple(options)


def sections(p):
    """(part, options), each once."""
    found = [(part_of(c), cell_options(c)) for c in p.get("cells", [])]
    found += [("commits", sync_options(s)) for s in p.get("syncs", [])]
    if p.get("readahead"):
        bs = int(p["readahead"].get("bs_b") or 131072)
        found += [("read-ahead", ("ioengine=psync", "direct=0", "rw=read", f"bs={bs}", f"fadvise_hint={hint}"))
                  for hint in ("sequential", "random")]
    if p.get("hold"):
        h = p["hold"]
        found.append(("hold", (f"rw={h['op']}", f"bs={int(h['bs_b'])}", f"iodepth={int(h['qd'])}")))
    return list(dict.fromkeys(found))


def write_job(path, p, cell_s, rows):
    with open(path, "w") as f:
        f.write(f"[global]\nfilename=tierwise-full\nsize={int(p['method']['file_b'])}\nioengine=libaio\ndirect=1\n"
                f"randrepeat=0\nnorandommap\nrefill_buffers\ngroup_reporting\n"
                f"\n[layout]\nrw=write\nbs=1m\niodepth=8\nend_fsync=1\n")
        for i, (part, options) in enumerate(rows, 1):
            f.write(f"\n[{i}-{part.replace(' ', '-')}]\nstonewall\ntime_based\nruntime={cell_s}\n")
            f.writelines(option + "\n" for option in options)


def clock(seconds):
    return f"{int(seconds) // 3600}:{int(seconds) % 3600 // 60:02}:{int(seconds) % 60:02}"


def main():
    with open(sys.argv[1]) as f:
        p = json.load(f)
    if not p.get("complete"):
        sys.exit(f"{sys.argv[1]}: not a complete measurement")
    cell_s, job = int(sys.argv[2]), sys.argv[3]
    took_s = float(sys.argv[4]) / 1000 if len(sys.argv) > 4 else p["method"]["duration_s"]
    rows = sections(p)
    write_job(job, p, cell_s, rows)
    print(f"{'part':14} {'sections':>8}  time by fio, {cell_s} s each")
    for part, n in collections.Counter(part for part, _ in rows).items():
        print(f"{part:14} {n:8}  {clock(n * cell_s)}")
    fio_s = len(rows) * cell_s
    print(f"{'all':14} {len(rows):8}  {clock(fio_s)} (h:mm:ss; without writing the file first)")
    print(f"tierwise bench            {clock(took_s)} ({took_s:.1f} s, writing the file included)")
    print(f"fio / tierwise            {fio_s / took_s:.0f}")


if __name__ == "__main__":
    main()
