#!/usr/bin/env bash
# browser_report.sh - the HTML report in headless Chromium: no request leaves the page, no console message,
# every table has a caption, no script element, contrast, dark and print, narrow screens; the same for a
# plan whose every name is hostile, for a measured disk, for fits and for an audit.  Set BROWSER_OUT to keep screenshots and the printed page.
set -eu
chromium=$(command -v chromium || command -v chromium-browser || true)
if [ -z "$chromium" ]; then
	echo "skipped: no chromium (Debian package chromium)"
	exit 77
fi
if ! command -v python3 >/dev/null; then
	echo "skipped: no python3"
	exit 77
fi
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1
judge() {
	python3 "$here/browser_report.py" "$chromium" "$1" ${BROWSER_OUT:+"$BROWSER_OUT/$2"}
}

for plan in payments hostile; do
	"$TIERWISE" report "$TIERWISE_SOURCE/tests/data/report/plan-$plan.json" -q -o "$work/$plan.html"
	echo "== $plan"
	judge "$work/$plan.html" "$plan"
done

# with today's disks beside the plan, cost against latency and break-even
"$TIERWISE" recommend "$TIERWISE_SOURCE/rules/examples/today.json" -q -o "$work/today.html" 2>"$work/said"
echo "== today"
judge "$work/today.html" today

"$TIERWISE" report "$TIERWISE_SOURCE/tests/data/bench/disk.json" -q -o "$work/disk.html"
echo "== disk"
judge "$work/disk.html" disk

# The pages of a fit (measured, and published with a promise) and of an audit.
"$TIERWISE" fit "$TIERWISE_SOURCE/tests/data/bench/disk.json" --sla-p99-ms 1 -q -o "$work/fit.html"
echo "== fit"
judge "$work/fit.html" fit
"$TIERWISE" fit "$TIERWISE_SOURCE/models/vps4-guest.json" --sla-p99-ms 1 -q -o "$work/fit-published.html"
echo "== fit-published"
judge "$work/fit-published.html" fit-published
"$TIERWISE" audit "$TIERWISE_SOURCE/models/azure-ultra-disk.json" --warn-only -q -o "$work/audit.html" 2>"$work/said"
echo "== audit"
MIN_TABLES=1 judge "$work/audit.html" audit

# The judge must see what is wrong: each of these spoils the page in one way.
spoil() {
	echo "== spoilt: $1"
	sed "$2" "$work/payments.html" >"$work/spoilt.html"
	if cmp -s "$work/payments.html" "$work/spoilt.html"; then
		echo "the page was not changed by: $2"
		exit 1
	fi
	if judge "$work/spoilt.html" spoilt >"$work/said"; then
		echo "not noticed"
		exit 1
	fi
	if ! grep -q "$3" "$work/said"; then
		cat "$work/said"
		exit 1
	fi
}
spoil "a script that talks" \
	"s|style-src 'unsafe-inline'|& ; script-src 'unsafe-inline'|;s|</footer>|<script>console.log(1)</script>&|" "console:"
spoil "a script, stopped by the policy" 's|</footer>|<script>console.log(1)</script>&|' "scripts: 1"
spoil "an image from outside" \
	"s|default-src 'none'|default-src *|;s|</footer>|<img alt=\"\" src=\"http://127.0.0.1:9/x.png\">&|" "requests:"
spoil "a table without caption" 's|<caption id="t[0-9]*">Placement</caption>||' "captionless: 1"
spoil "pale text" 's|--muted: #545d68|--muted: #b0b0b0|' "contrast below"
spoil "no dark" 's|prefers-color-scheme: dark|prefers-color-scheme: none|' "dark looks like light"
