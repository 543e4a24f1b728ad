#!/usr/bin/env bash
# Three whole sweeps imported, fitted and asked for: the model at every measured depth gives what an
# independent parser read (expected.csv; repeats averaged in ln), what contradicts itself levelled, the parameters are those of an
# independent fit (fit_reference.csv, where it has the sweep), and each disk's peculiarity is said.
set -eu
fixtures=${TIERWISE_SHARED:-/nonexistent}/fixtures
if [ ! -r "$fixtures/fio/expected.csv" ] || [ ! -r "$fixtures/curves/fit_reference.csv" ]; then
	echo "skipped: no fixtures at $fixtures"
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAIL: $*"
	exit 1
}

# OP KEY FILE: a member of the operation's curve; lists as "a b c".
member() {
	awk -v op="$1" -v key="$2" '
	/^      "op": / { inside = index($0, "\"" op "\"") > 0 }
	inside && index($0, "      \"" key "\": ") == 1 {
		sub(/^[^:]*: /, "")
		gsub(/[][,"]/, " ")
		print
		exit
	}' "$3"
}

# DIR OP COLUMN: depth and value from expected.csv, repeats averaged in ln, ascending.
expected() {
	awk -F, -v dir="$1/" -v op="$2" -v col="$3" '
	index($1, dir) == 1 && $8 == op && $12 != "" {
		sum[$10] += log($col)
		n[$10]++
	}
	END { for (q in n) printf "%d %.6f\n", q, exp(sum[q] / n[q]) }' \
		"$fixtures/fio/expected.csv" | sort -n
}

# Every depth of a sweep: the points that were fitted, and the prediction there.
check_points() {
	local dir=$1 op=$2 key=$3 column=$4
	paste -d' ' <(member "$op" qd "$work/$dir.fit.json" | tr -s ' ' '\n' | sed '/^$/d') \
		<(member "$op" "$key" "$work/$dir.fit.json" | tr -s ' ' '\n' | sed '/^$/d') \
		>"$work/got"
	expected "$dir" "$op" "$column" >"$work/want"
	[ -s "$work/want" ] || fail "$dir $op: nothing in expected.csv"
	# 0.1 %: the independent parser rounds to a nanosecond
	paste -d' ' "$work/got" "$work/want" | awk -v what="$dir $op $key" '
	NF != 4 || $1 != $3 || ($2 / $4 - 1) ^ 2 > 1e-6 {
		print what ": " $0
		bad = 1
	}
	END { exit bad }' || fail "$dir $op $key differs from expected.csv"
}

# "mean" of predict at a depth, in microseconds.
predicted() {
	"$TIERWISE" predict "$work/$1.fit.json" --op "$2" --bs 4k --qd "$3" --format csv |
		awk -F, '$1 == "mean" {
			split($2, v, " ")
			print v[1] * (v[2] == "ms" ? 1000 : v[2] == "s" ? 1e6 : 1)
		}'
}

# What was measured, where it agrees with all other depths: with more outstanding neither latency nor rate falls.
# Where it does not, the answer lies between what the depths that contradict each other say.
check_predict() {
	local q least most
	expected "$1" "$2" 18 | awk '
	{ q[NR] = $1; r[NR] = $2; x[NR] = $1 / $2 }
	END {
		for (i = 1; i <= NR; i++) {
			lo = hi = r[i]
			for (j = 1; j <= NR; j++) {
				if (j < i && r[j] > hi) hi = r[j] # latency fell to this depth
				if (j > i && r[j] < lo) lo = r[j] # and falls after it
				if (j < i && x[j] > x[i] && q[i] / x[j] < lo) lo = q[i] / x[j]
				if (j > i && x[j] < x[i] && q[i] / x[j] > hi) hi = q[i] / x[j]
			}
			printf "%d %.6f %.6f\n", q[i], lo, hi
		}
	}' >"$work/want"
	while read -r q least most; do
		# three digits are printed
		awk -v got="$(predicted "$1" "$2" "$q")" -v least="$least" -v most="$most" \
			'BEGIN { exit !(got / least > 0.993 && got / most < 1.007) }' ||
			fail "$1 $2 at QD$q: not $least to $most us"
	done <"$work/want"
}

# ROW OP DIR: L1, c and C within 2 % of the independent fit.
check_parameters() {
	local row=$1 op=$2 dir=$3 f=$work/$3.fit.json
	[ "$(member "$op" form "$f" | tr -d ' ')" = three ] || fail "$dir $op: another form"
	awk -F, -v row="$row" -v op="$op" -v l1="$(member "$op" l1_us "$f")" \
		-v c="$(member "$op" c_us "$f")" -v rss="$(member "$op" rss "$f")" \
		-v wall="$(member "$op" wall_iops "$f")" '
	function off(what, got, want, tolerance) {
		if (got / want - 1 > tolerance || 1 - got / want > tolerance) {
			print row " " op " " what ": " got ", the reference has " want
			bad = 1
		}
	}
	$1 == row && $2 == op {
		found = 1
		off("L1", l1, $15, 0.02)
		off("c", c, $17, 0.02)
		off("C", wall * 1e-6, $16, 0.02)
		off("rss", rss, $20, 0.01)
	}
	END { exit bad || !found }' "$fixtures/curves/fit_reference.csv" ||
		fail "$dir $op differs from fit_reference.csv"
}

for dir in own-virtio-qd-sweep ssd-crucial250-repeat1 ssd-sata-samsung-860pro-nowritecache; do
	"$TIERWISE" import "$fixtures/fio/$dir"/*.json -o "$work/$dir.json" -q 2>/dev/null ||
		fail "$dir: import"
	"$TIERWISE" fit "$work/$dir.json" -o "$work/$dir.fit.json" -q || fail "$dir: fit"
	"$TIERWISE" fit "$work/$dir.json" --format csv -q >"$work/$dir.csv" || fail "$dir: fit"
	for op in randread randwrite; do
		check_points "$dir" "$op" mean_us 18
		check_points "$dir" "$op" iops 13
		check_points "$dir" "$op" p50_us 19
		check_points "$dir" "$op" p99_us 20
		check_predict "$dir" "$op"
	done
done

check_parameters HPMICROSERVERG8/SATA300/crucial250-01 randread ssd-crucial250-repeat1
check_parameters HPDL380G8/RAID/P420i_SAMSUNG_860PRO/TEST02_DISABLED_WRITE_CACHE randwrite \
	ssd-sata-samsung-860pro-nowritecache

says() {
	grep -q "$2" "$work/$1.csv" || fail "$1: no finding like: $2"
}
# ORIGIN.md: "write-cache exhaustion after the first cell"; 10,095 IOPS at QD1, about 7,500 after
says ssd-crucial250-repeat1 'falls-with-depth.*randwrite: 10,095 IOPS at QD1 fall.*write cache.*plateau 7,506'
says ssd-crucial250-repeat1 'hidden-by-cap.*about 7,506 IOPS; the 10,095 IOPS at QD1'
# ORIGIN.md: "randwrite 2.1 ms flat from QD1 to QD8"
says ssd-sata-samsung-860pro-nowritecache 'slow-writes.*randwrite: 2.1 ms at QD1.*flat to QD8.*write cache'
# a noisy shared disk, measured twice
says own-virtio-qd-sweep 'repeats-differ.*randwrite.*most at QD128: 2 runs'
says own-virtio-qd-sweep 'dip.*randread: 59,7.* at QD32 fall to 43,9.* at QD64'
says own-virtio-qd-sweep 'falls-with-depth.*may be noise'
says own-virtio-qd-sweep 'levelled.*randread.*contradicts its neighbours'
grep -q '^warning' "$work/ssd-crucial250-repeat1.csv" || fail "no warning at all"
! grep -q '4 KiB randread' <(grep '^warning' "$work/ssd-crucial250-repeat1.csv") ||
	fail "the clean reads of the Crucial raise a warning"
echo "3 sweeps: points, predictions, parameters and findings agree"
