#!/usr/bin/env python3
"""make_offer.py MB [REGION_PREFIX] - an EC2 offer file in the form of a regional index.csv, on standard output.

The columns are those of the recorded file of eu-west-1, 2021-02.  Nine rows in ten are reservations of
machines, as in the provider's; among them stand the EBS rows with the prices of eu-west-1 and what must not
be taken for them.  The same size gives the same bytes.
"""
import sys

COLUMNS = ("SKU,OfferTermCode,RateCode,TermType,PriceDescription,EffectiveDate,StartingRange,EndingRange,Unit,"
           "PricePerUnit,Currency,RelatedTo,LeaseContractLength,PurchaseOption,OfferingClass,Product Family,serviceCode,"
           "Location,Location Type,Instance Type,Current Generation,Instance Family,vCPU,Physical Processor,Clock Speed,"
           "Memory,Storage,Network Performance,Processor Architecture,Storage Media,Volume Type,Max Volume Size,"
           "Max IOPS/volume,Max IOPS Burst Performance,Max throughput/volume,Provisioned,Tenancy,EBS Optimized,"
           "Operating System,License Model,Group,Group Description,Transfer Type,From Location,From Location Type,"
           "To Location,To Location Type,usageType,operation,CapacityStatus,Dedicated EBS Throughput,ECU,"
           "Elastic Graphics Type,Enhanced Networking Supported,GPU,GPU Memory,Instance,Instance Capacity - 10xlarge,"
           "Instance Capacity - 12xlarge,Instance Capacity - 16xlarge,Instance Capacity - 18xlarge,"
           "Instance Capacity - 24xlarge,Instance Capacity - 2xlarge,Instance Capacity - 32xlarge,"
           "Instance Capacity - 4xlarge,Instance Capacity - 8xlarge,Instance Capacity - 9xlarge,"
           "Instance Capacity - large,Instance Capacity - medium,Instance Capacity - metal,Instance Capacity - xlarge,"
           "instanceSKU,Intel AVX Available,Intel AVX2 Available,Intel Turbo Available,Normalization Size Factor,"
           "Physical Cores,Pre Installed S/W,Processor Features,Product Type,Resource Type,serviceName,"
           "Volume API Name").split(",")
AT = {name: i for i, name in enumerate(COLUMNS)}


def line(n, **fields):
    row = [""] * len(COLUMNS)
    sku = f"SKU{n:013d}"
    fixed = {"SKU": sku, "OfferTermCode": "JRTCKXETXF", "RateCode": f"{sku}.JRTCKXETXF.6YS6EN2CT7",
             "TermType": "OnDemand", "EffectiveDate": "2026-10-01", "StartingRange": "0", "EndingRange": "Inf",
             "Currency": "USD", "serviceCode": "AmazonEC2", "Location": "EU (Ireland)",
             "Location Type": "AWS Region", "serviceName": "Amazon Elastic Compute Cloud"}
    for name, text in {**fixed, **fields}.items():
        row[AT[name]] = text
    return ",".join('"%s"' % t.replace('"', '""') for t in row)


def ebs(n, family, usage, unit, price, **more):
    return line(n, **{"Product Family": family, "usageType": usage, "Unit": unit, "PricePerUnit": f"{price:.10f}",
                      "PriceDescription": f'${price} per {unit} of "{usage}", EU (Ireland)', **more})


def storage(prefix):
    """What is wanted, and beside it what only looks like it."""
    p = prefix
    rows = [("Storage", f"{p}EBS:VolumeUsage.gp2", "GB-Mo", 0.11), ("Storage", f"{p}EBS:VolumeUsage.gp3", "GB-Mo", 0.088),
            ("Storage", f"{p}EBS:VolumeUsage.piops", "GB-Mo", 0.138), ("Storage", f"{p}EBS:VolumeUsage.io2", "GB-month", 0.138),
            ("Storage", f"{p}EBS:VolumeUsage.sc1", "GB-Mo", 0.0168), ("Storage", f"{p}EBS:VolumeUsage", "GB-Mo", 0.055),
            ("System Operation", f"{p}EBS:VolumeP-IOPS.gp3", "IOPS-Mo", 0.0055),
            ("System Operation", f"{p}EBS:VolumeP-IOPS.piops", "IOPS-Mo", 0.072),
            ("System Operation", f"{p}EBS:VolumeP-IOPS.io2.tier3", "IOPS-Mo", 0.03528),
            ("System Operation", f"{p}EBS:VolumeP-IOPS.io2", "IOPS-Mo", 0.072),
            ("System Operation", f"{p}EBS:VolumeP-IOPS.io2.tier2", "IOPS-Mo", 0.0504),
            ("Provisioned Throughput", f"{p}EBS:VolumeP-Throughput.gp3", "GiBps-mo", 45.056),
            ("Storage Snapshot", f"{p}EBS:SnapshotUsage", "GB-Mo", 0.05),
            ("Storage Snapshot", f"{p}EBS:SnapshotUsage.outposts", "GB-Mo", 0.027),
            ("Storage Snapshot", f"{p}EBS:SnapshotArchiveEarlyDelete", "GB-Mo", 0.0125)]
    for n, row in enumerate(rows):
        yield ebs(n, *row)
    yield ebs(90, "Storage", "LHR1-EBS:VolumeUsage.gp3", "GB-Mo", 0.106,
              **{"Location": "London local zone", "Location Type": "AWS Local Zone"})


def machine(n, size, price, **more):
    return line(n, **{"Product Family": "Compute Instance", "Instance Type": size, "Unit": "Hrs",
                      "PricePerUnit": f"{price:.10f}", "Tenancy": "Shared", "Operating System": "Linux",
                      "Pre Installed S/W": "NA", "CapacityStatus": "Used", "operation": "RunInstances",
                      "usageType": f"EU-BoxUsage:{size}", "License Model": "No License required", "vCPU": "16",
                      "Memory": "128 GiB", "Storage": "1 x 950 NVMe SSD", "Physical Processor": "Intel Xeon 8375C",
                      "PriceDescription": f"${price} per On Demand {size} Instance Hour", **more})


def machines():
    yield machine(200, "r6id.4xlarge", 1.2096)
    yield machine(201, "r6id.4xlarge", 1.33056, Tenancy="Dedicated")
    yield machine(202, "r6id.4xlarge", 1.9456, **{"Operating System": "Windows"})
    yield machine(203, "r6id.4xlarge", 3.1296, **{"Pre Installed S/W": "SQL Std"})
    yield machine(204, "r6id.4xlarge", 0, CapacityStatus="AllocatedCapacityReservation")


def main():
    size, prefix = int(float(sys.argv[1]) * 1e6), sys.argv[2] if len(sys.argv) > 2 else "EU-"
    out, written = sys.stdout, 0

    def put(text):
        nonlocal written
        written += len(text) + 1
        out.write(text + "\n")
    put('"FormatVersion","v1.0"')
    put('"Disclaimer","This pricing list is for informational purposes only, and says so over\nmore than one line."')
    put('"Publication Date","2026-10-06T17:24:54Z"')
    put('"Version","20261006172454"')
    put('"OfferCode","AmazonEC2"')
    put(",".join(f'"{c}"' for c in COLUMNS))
    wanted = list(storage(prefix)) + list(machines())
    n, sizes = 1000, [f"{f}{g}.{s}" for f in "cmrx" for g in (5, 6, 7) for s in ("large", "2xlarge", "4xlarge", "8xlarge")]
    # the wanted rows stand through the whole file: one that stops early misses some
    step = max(1, size // 700 // (len(wanted) + 1))
    while written < size or wanted:
        if wanted and n % step == 0:
            put(wanted.pop(0))
        kind = sizes[n % len(sizes)]
        if n % 10 == 0:
            put(machine(n, kind + "x", 0.5 + n % 97 / 100))
        else:
            put(machine(n, kind, n % 9973, TermType="Reserved", LeaseContractLength="1yr", PurchaseOption="All Upfront",
                        OfferingClass="standard", Unit="Quantity", PriceDescription="Upfront Fee, all of it at once"))
        n += 1


main()
