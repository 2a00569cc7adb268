#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other, for the time given.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-30s}
count=0
while IFS=: read -r file target; do
  count=$((count + 1))
  echo "fuzz: $(dirname "$file") $target for $time"
  go test -run '^$' -fuzz "^${target}\$" -fuzztime "$time" -fuzzminimizetime 1x "./$(dirname "$file")"
done < <(git ls-files '*_test.go' | xargs grep -HoE '^func Fuzz[A-Za-z0-9_]+' | sed 's/func //')
[ "$count" -gt 0 ] || { echo "fuzz: no fuzz target found"; exit 1; }
echo "fuzz: $count targets, nothing found"
