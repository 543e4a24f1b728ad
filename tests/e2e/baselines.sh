#!/usr/bin/env bash
# All Premium, all Premium SSD v2, all Ultra and the runner-up of two examples: priced again from the books
# (baselines.py), the saving too.
set -u
if ! command -v python3 >/dev/null; then
	echo "skipped: no python3"
	exit 77
fi
export PYTHONDONTWRITEBYTECODE=1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
for name in payments erp; do
	"$TIERWISE" recommend "$TIERWISE_SOURCE/rules/examples/$name.json" -q --format json -o "$work/plan.json"
	python3 "$here/baselines.py" "$work/plan.json" "$TIERWISE_SOURCE/pricing/azure-westeurope.json" || failed=1
done
exit "$failed"
