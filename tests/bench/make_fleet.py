#!/usr/bin/env python3
"""Workloads of many kinds, one a line, the same for the same seed.

    make_fleet.py COUNT [SEED]

Engines, regions, rates, sizes, promises and machines as a company has them; every provider the program has
books for.
"""
import json
import random
import sys

ENGINES = ["postgresql", "mysql", "sqlserver", "mongodb", "oracle", "cassandra", "generic"]
PLACES = [("azure", "westeurope"), ("azure", "northeurope"), ("azure", "swedencentral"), ("aws", "us-east-1"), ("gcp", "us-central1")]
MACHINES = [["Standard_E8ds_v5"], ["Standard_E16ds_v5", "Standard_E32ds_v5"], ["Standard_E8ds_v5", "Standard_E16ds_v5"], None]


def workload(r, number):
    provider, region = r.choice(PLACES)
    capacity = r.choice([64, 200, 500, 900, 1500, 3000])
    w = {
        "schema": "tierwise/workload/1", "name": f"db-{number:04d}", "provider": provider, "region": region,
        "engine": r.choice(ENGINES),
        "transactions": {
            "target_tps": r.choice([50, 200, 500, 1000, 2000, 4000]), "clients": r.choice([20, 64, 150]),
            "cpu_ms_per_tx": round(r.uniform(0.2, 1.5), 2), "page_reads_per_tx": r.choice([0.5, 1, 2, 4]),
            "wal_kib_per_tx": r.choice([1, 2, 4, 8]), "utilisation": 0.35},
        "sla": {"tx_p99_ms": r.choice([10, 20, 50]), "commit_p99_ms": r.choice([2, 5, 10])},
        "volumes": [{"role": "wal", "capacity_gib": r.choice([32, 64, 128])},
                    {"role": "data", "capacity_gib": capacity, "growth_gib_month": r.choice([0, 5, 20])}]}
    if r.random() < 0.5:
        w["volumes"].append({"role": "backup", "capacity_gib": 2 * capacity, "window_hours": r.choice([4, 8])})
    if r.random() < 0.5:
        w["volumes"].append({"role": "temp", "capacity_gib": r.choice([50, 100])})
    sizes = r.choice(MACHINES) if provider == "azure" else None
    if sizes:
        w["vm"] = {"sizes": sizes, "count": r.choice([1, 2, 3])}
    return w


def main():
    if len(sys.argv) not in (2, 3) or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    r = random.Random(int(sys.argv[2]) if len(sys.argv) == 3 else 7)
    for number in range(1, int(sys.argv[1]) + 1):
        print(json.dumps(workload(r, number)))


main()
