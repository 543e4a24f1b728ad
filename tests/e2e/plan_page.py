"""
The plan of `tierwise recommend --format json`, and small documents of one's own to ask it about: workload, limits, prices.
"""
import json
import os
import subprocess
import sys


class Plan:
    """Limits and prices None: those that are shipped for the workload's provider and region."""

    def __init__(self, program, work, name, workload, limits=None, prices=None, status=0, options=()):
        self.failed = False
        self.name = name

        def document(kind, content):
            path = os.path.join(work, f"{name}-{kind}.json")
            with open(path, "w") as f:
                json.dump(content, f)
            return path

        args = [program, "recommend", workload if isinstance(workload, str) else document("workload", workload),
                "--format", "json", *options]
        if limits:
            args += ["--limits", document("limits", limits)]
        if prices:
            args += ["--prices", document("prices", prices)]
        done = subprocess.run(args, capture_output=True, text=True,
                              env={**os.environ, "SOURCE_DATE_EPOCH": "1796083200"})
        self.err = done.stderr
        self.plan = json.loads(done.stdout) if done.stdout else {}
        self.expect("exit", done.returncode, status)
        if done.returncode != status:
            print(done.stderr[-800:])

    def fail(self, text):
        print("FAIL:", self.name, text)
        self.failed = True

    def expect(self, what, got, want, tolerance=0.0):
        same = got == want if isinstance(want, (str, int, bool)) or want is None or got is None \
            else abs(got - want) <= tolerance
        if not same:
            self.fail(f"{what}: {got!r}, expected {want!r}")

    def said(self, *texts):
        for text in texts:
            if text not in json.dumps(self.plan):
                self.fail(f"not said: {text}")

    def volume(self, name):
        return next(v for v in self.plan["volumes"] if v["name"] == name)

    def rejected(self, volume, sku):
        for r in self.volume(volume).get("rejected", []):
            if r["config"]["sku"] == sku:
                return r
        self.fail(f"{sku} is not among the rejected of {volume}")
        return {}

    def promise(self, what):
        return next((s for s in self.plan["sla"] if s["what"] == what), {})

    def finding(self, code):
        found = next((f for f in self.plan["findings"] if f["code"] == code), None)
        if not found:
            self.fail(f"no finding {code}")
        return found or {"text": ""}


def limits(disks, vms=()):
    return {"schema": "tierwise/limits/1", "provider": "fc", "as_of": "2026-01-01", "source": "field case",
            "disks": list(disks), "vms": list(vms)}


def step(sku, low, high, iops, mbps, family="tier", **more):
    return {"family": family, "sku": sku, "size_gib_min": low, "size_gib_max": high, "billed_gib": high,
            "iops_base": iops, "iops_max": iops, "mbps_base": mbps, "mbps_max": mbps, "mbps_unit": "MB",
            "operations_billed": False, "ephemeral": False, **more}


def machine(sku, iops, mbps, **more):
    return {"sku": sku, "vcpus": 8, "max_data_disks": 16, "uncached_iops": iops, "uncached_mbps": mbps,
            "mbps_unit": "MB", "premium_storage": True, "premium_caching": True, **more}


def prices(*rows):
    return {"schema": "tierwise/prices/1", "name": "fc", "provider": "fc", "region": "case", "currency": "USD",
            "as_of": "2026-11-01", "source": "field case", "trust": "published",
            "rows": [dict(zip(("family", "sku", "item", "unit", "price"), r)) for r in rows]}


def workload(name, volumes, **more):
    return {"schema": "tierwise/workload/1", "name": name, "provider": "fc", "region": "case", "currency": "USD",
            "engine": "generic", "headroom": 0, "volumes": volumes, **more}


def gib_of(mb):
    """GiB that hold so many MB of 10^6."""
    return mb * 1e6 / 2 ** 30


def finish(pages):
    bad = sum(p.failed for p in pages)
    print(f"{len(pages)} answers, {bad} wrong")
    sys.exit(1 if bad or not pages else 0)
