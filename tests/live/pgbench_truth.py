#!/usr/bin/env python3
"""Rows of pgbench on emulated disks beside what `tierwise predict --workload` says of each.

    pgbench_truth.py TIERWISE FOLDER

FOLDER holds cached.csv and miss.csv (columns: fixtures/pgbench-emulated/README.md) and TIER.json, the
profile of each disk.  The calibration row is the first one in memory with the fewest clients on the faster
log: it gives the processor time of a transaction and its log bytes.  Every other row is predicted from the
profiles, its clients, and the pages it read and wrote; nothing else of it is used.  The calibration row also
gives the processor time of one disk I/O (the emulator runs on the same cores), as src/model/calibrate.c has it.
"""
import csv
import json
import os
import re
import statistics
import subprocess
import sys

CORES = 2
TARGET = {"tps": (10, 30), "busy under 1.3": (5, 20), "p99": (25, None)}


def rows(folder):
    for name in ("cached", "miss"):
        with open(os.path.join(folder, name + ".csv"), encoding="utf-8") as f:
            for row in csv.DictReader(f):
                yield {k: v if k in ("group", "data_tier", "wal_tier") else float(v or "nan") for k, v in row.items()}


def busy(row):
    return (row["cpu_server_pct"] + row["cpu_client_pct"] + row["cpu_emulator_pct"] + row["cpu_other_pct"]) / 100


def workload_of(row, clients, transactions):
    return {
        "schema": "tierwise/workload/1", "name": "truth", "provider": "none", "region": "here", "engine": "postgresql",
        "transactions": {
            "clients": clients, "cores": CORES, "page_reads_per_tx": row["data_reads_per_tx"],
            "page_writes_per_tx": row["data_writes_per_tx"], "hot_rows": row["scale"], **transactions},
        "volumes": [{"role": "wal", "capacity_gib": 4}, {"role": "data", "capacity_gib": 8}]}


def ask(program, folder, row, workload, *more):
    path = os.path.join(folder, "workload.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump(workload, f)
    out = subprocess.run(
        [program, "predict", "--workload", path, "--wal", os.path.join(folder, row["wal_tier"] + ".json"),
         "--data", os.path.join(folder, row["data_tier"] + ".json"), "--format", "json", *more],
        check=True, capture_output=True, text=True).stdout
    return [b.get("table", b) if isinstance(b, dict) else b for b in json.loads(out)["blocks"]], out


def calibrate(program, folder, row):
    """What `predict --run` says of a transaction of this run, plus the processor time of a disk I/O: the emulator
    runs on the same cores, a flush is a write and a flush (src/model/calibrate.c)."""
    run = os.path.join(folder, "calibration.txt")
    with open(run, "w", encoding="utf-8") as f:
        f.write(f"""pgbench (15.0)
transaction type: <builtin: TPC-B (sort of)>
scaling factor: {row["scale"]:.0f}
query mode: prepared
number of clients: {row["clients"]:.0f}
number of threads: {row["threads"]:.0f}
duration: {row["seconds"]:.0f} s
number of transactions actually processed: {row["tps"] * row["seconds"]:.0f}
latency average = {row["lat_mean_ms"]:.3f} ms
initial connection time = 5.000 ms
tps = {row["tps"]:.6f} (without initial connection time)
""")
    busy = os.path.join(folder, "calibration-vmstat.txt")
    with open(busy, "w", encoding="utf-8") as f:  # what server and clients took, as vmstat 1 would print it
        user = (row["cpu_server_pct"] + row["cpu_client_pct"]) / CORES
        f.write("procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n"
                " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n")
        for second in range(101):  # the first line is since the boot; whole numbers that make the mean
            us = int(user * second) - int(user * (second - 1))
            f.write(f" 1  0      0 800000  10000 900000    0    0     0   500 5000 9000 {us} 0 {100 - us}  0  0\n")
    ios = row["data_reads_per_tx"] + row["data_writes_per_tx"] + 2 * row["wal_flushes_per_tx"]
    given = {"wal_kib_per_tx": row["wal_bytes_per_tx"] / 1024,
             "cpu_ms_per_io": 10 * (row["cpu_emulator_pct"] + row["cpu_other_pct"]) / (row["tps"] * ios)}
    _, text = ask(program, folder, row, workload_of(row, row["clients"], given), "--run", run, "--run", busy)
    snippet = re.search(r'of the workload: (\{ .*? \})"', text).group(1).replace('\\"', '"')
    return {**given, **{k: v for k, v in json.loads(snippet).items() if k in ("cpu_ms_per_tx", "core_sharing", "think_ms")}}


def predict(program, folder, row, transactions):
    blocks, _ = ask(program, folder, row, workload_of(row, row["clients"], transactions))
    for table in blocks:
        if str(table.get("caption", "")).startswith("Transactions and commits"):
            cells = [list(row.values()) if isinstance(row, dict) else row for row in table["rows"]]
            closed = {row[0]: float(row[1].split()[0]) for row in cells if row[0] != "trust"}
            return closed["TPS"], closed["transaction p99 (ms)"]
    raise SystemExit("no table of transactions in the answer")


def errors(name, values):
    if not values:
        return
    worst = max(values, key=abs)
    print(f"{name}: {len(values)} rows, median error {statistics.median(map(abs, values)):.1f} %, worst {worst:+.1f} %")


def main():
    program, folder = sys.argv[1:3]
    every = list(rows(folder))
    in_memory = [r for r in every if r["group"] == "cached"]
    calibration = min(in_memory, key=lambda r: (r["clients"], r["wal_sync_ms"]))
    of_transaction = calibrate(program, folder, calibration)
    print(f"calibration: {calibration['data_tier']}/{calibration['wal_tier']}, {calibration['clients']:.0f} clients: "
          f"{json.dumps(of_transaction)}")
    print("group   data/log    clients  busy   measured  predicted  error   p99 ms  predicted  error")
    tps, quiet, p99 = [], [], []
    for row in every:
        if row is calibration:
            continue
        rate, tail = predict(program, folder, row, of_transaction)
        e, t = 100 * (rate / row["tps"] - 1), 100 * (tail / row["lat_p99_ms"] - 1)
        tps.append(e)
        p99.append(t)
        if busy(row) < 1.3:
            quiet.append(e)
        print(f"{row['group']:7} {row['data_tier']}/{row['wal_tier']:9} {row['clients']:5.0f} {busy(row):6.2f} "
              f"{row['tps']:10.0f} {rate:10.0f} {e:+6.1f}% {row['lat_p99_ms']:8.2f} {tail:10.2f} {t:+6.1f}%")
    errors("all", tps)
    errors("under 1.3 of 2 cores busy", quiet)
    errors("p99 of transactions", p99)


main()
