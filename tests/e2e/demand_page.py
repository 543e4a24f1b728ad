"""The page of `tierwise demand --format json` as rows that can be asked for."""
import json
import subprocess
import sys


class Page:
    def __init__(self, program, *args, status=0):
        done = subprocess.run([program, "demand", "--format", "json", *args], capture_output=True, text=True)
        self.err = done.stderr
        self.ok = done.returncode == status
        if not self.ok:
            print("FAIL: exit", done.returncode, "expected", status, args, done.stderr[-500:])
        self.blocks = json.loads(done.stdout)["blocks"] if done.stdout else []
        self.failed = not self.ok

    def rows(self, caption):
        for b in self.blocks:
            if b["kind"] == "table" and b["caption"].startswith(caption):
                for r in b["rows"]:
                    yield dict(zip(b["columns"], r)), r, b["columns"]

    def cell(self, caption, first, column):
        """The text of a cell in the row that begins with `first`; column by name, or (name, offset) behind it."""
        offset = 0
        if isinstance(column, tuple):
            column, offset = column
        for _, r, names in self.rows(caption):
            if r[0] == first:
                return r[names.index(column) + offset]
        return None

    def says(self, text):
        return text in json.dumps(self.blocks)

    def findings(self):
        return [d["Code"] for d, _, _ in self.rows("Findings")]

    def expect(self, caption, first, column, want, tolerance):
        got = self.cell(caption, first, column)
        value = None if got is None else float(got.replace(",", ""))
        if value is None or abs(value - want) > tolerance:
            print(f"FAIL: {caption} {first} {column}: {got}, expected {want} within {tolerance}")
            self.failed = True

    def expect_text(self, caption, first, column, want):
        got = self.cell(caption, first, column)
        if got != want:
            print(f"FAIL: {caption} {first} {column}: {got!r}, expected {want!r}")
            self.failed = True

    def expect_said(self, *texts):
        for text in texts:
            if not self.says(text):
                print("FAIL: not said:", text)
                self.failed = True

    def expect_not_said(self, *texts):
        for text in texts:
            if self.says(text):
                print("FAIL: said:", text)
                self.failed = True

    def expect_finding(self, *codes):
        for code in codes:
            if code not in self.findings():
                print("FAIL: no finding", code, "in", self.findings())
                self.failed = True


def finish(pages):
    bad = sum(p.failed for p in pages)
    print(f"{len(pages)} pages, {bad} wrong")
    sys.exit(1 if bad or not pages else 0)
