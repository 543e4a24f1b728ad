#!/usr/bin/env bash
# On a terminal bench asks before it measures a disk that is busy: "n" and Ctrl-C end it unmeasured.
set -u
work=$(mktemp -d -p "$PWD" bench.XXXXXX) || exit 1
noise=
trap '[ -n "$noise" ] && kill "$noise" && wait "$noise" 2>/dev/null; rm -rf "$work"' EXIT
mkdir "$work/disk"
# one direct write after another keeps the disk busy; the file is overwritten, not grown
(while dd if=/dev/zero of="$work/noise" bs=64k count=256 oflag=direct conv=notrunc 2>/dev/null; do :; done) &
noise=$!
python3 - "$TIERWISE" "$work" <<'P'
import os, pty, select, sys, time
tierwise, work = sys.argv[1:]

def talk(answer):
	"""Exit status and what was shown, after `answer` to the question."""
	pid, fd = pty.fork()
	if pid == 0:
		os.execv(tierwise, [tierwise, "bench", work + "/disk", "--time", "5", "--size", "125m",
			"-o", work + "/p.json"])
	shown, asked, end = b"", False, time.time() + 60
	while time.time() < end:
		if not select.select([fd], [], [], 1)[0]:
			continue
		try:
			data = os.read(fd, 4096)
		except OSError:
			break
		if not data:
			break
		shown += data
		if not asked and b"[y/N]" in shown:
			asked = True
			time.sleep(0.1)
			os.write(fd, answer)
	status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
	return status, shown.decode(), asked

for answer, want, text in ((b"n\n", 2, "not measured: the disk is busy"), (b"\x03", 130, "interrupted")):
	for attempt in range(5):  # between two rounds of noise the disk may look idle
		status, shown, asked = talk(answer)
		if asked:
			break
	if not asked:
		print("skipped: the disk never looked busy:", shown)
		sys.exit(77)
	if status != want or text not in shown or "warning: others keep the disk busy" not in shown:
		sys.exit(f"FAIL: {answer!r}: status {status}: {shown}")
	left = os.listdir(work + "/disk") + [f for f in os.listdir(work) if f.startswith("p.json")]
	if left:
		sys.exit(f"FAIL: {answer!r}: left {left}")
print("asked, and both answers kept")
P
