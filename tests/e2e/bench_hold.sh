#!/usr/bin/env bash
# A disk whose cap is lowered while a load is held: bench says when, and by how much.  The disk is
# emulated, the moment is taken from the clock of this script.
set -u
emu=${TIERWISE_SHARED:-/nonexistent}/tools/tier-emulator/tier-emu
skip() {
	echo "skipped: $*"
	exit 77
}
# The disk is made of processor time: where others take that, its rate is theirs.
fail() {
	cat "$work/log"
	awk -v n="$(nproc)" '{ exit !($1 > 1.5 * n) }' /proc/loadavg && skip "$*, with others at work: load $(cut -d' ' -f1 /proc/loadavg)"
	echo "FAIL: $*"
	exit 1
}
[ "$(id -u)" = 0 ] || skip "needs root"
[ -x "$emu" ] || skip "no disk emulator at hand"
[ "$(awk '/MemAvailable/ { print $2 }' /proc/meminfo)" -ge 3000000 ] || skip "under 3 GB of free memory"
work=$(mktemp -d -p "$PWD" hold.XXXXXX) || exit 1
export TIER_EMU_DIR=$work/emu
mkdir "$TIER_EMU_DIR"
running=''
clean_up() {
	[ -z "$running" ] || { kill "$running" && wait "$running"; } 2>/dev/null
	"$emu" down --all --force >/dev/null 2>&1
	rm -rf "$work"
}
trap clean_up EXIT
folder=$("$emu" up hold --preset premium --size 4G 2>"$work/emu.err") || skip "emulated disk: $(tail -1 "$work/emu.err")"
now_ms() { date +%s%3N; }

# held AFTER_S IOPS - hold a load, set the cap to IOPS so long after its begin; $moment: when that was, in ms.
held() {
	local deadline=$((SECONDS + 120)) began
	: >"$work/log"
	rm -f "$work/p.json"
	"$TIERWISE" bench "$folder" --yes --time 20 --tests hold --size 500m -o "$work/p.json" >/dev/null 2>"$work/log" &
	running=$!
	until grep -q '^the same load held' "$work/log"; do
		kill -0 $running 2>/dev/null || fail "ended before it held a load"
		[ $SECONDS -lt $deadline ] || fail "did not get to hold a load"
		sleep 0.02
	done
	began=$(now_ms)
	sleep "$1"
	"$emu" set hold --iops "$2" >/dev/null || fail "tier-emu set"
	moment=$(($(now_ms) - began))
	wait $running || fail "exit $?"
	running=''
}

held 4 2500
python3 - "$work/p.json" "$moment" <<'P' || fail "a cap halved $moment ms after the load began"
import json, sys

hold = json.load(open(sys.argv[1]))["hold"]
at_s = int(sys.argv[2]) / 1000
print({k: v for k, v in hold.items() if k != "mibps"}, "cap halved at", at_s)
# the load begins a little after it is announced: a trial of a quarter second, and files to look at
ok = hold["verdict"] == "dropped" and at_s - 2 <= hold["change_s"] <= at_s + 0.5
ok = ok and abs(hold["after_mibps"] / hold["before_mibps"] - 0.5) <= 0.1
sys.exit(0 if ok else 1)
P
"$emu" set hold --iops 5000 >/dev/null || fail "tier-emu set"
held 1 5000 # nothing changes
python3 - "$work/p.json" <<'P' || fail "nothing was changed"
import json, sys

hold = json.load(open(sys.argv[1]))["hold"]
print({k: v for k, v in hold.items() if k != "mibps"})
sys.exit(0 if hold["verdict"] == "stable" else 1)
P
echo "told when the cap was lowered, and nothing where it was not"
