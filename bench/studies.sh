#!/usr/bin/env bash
# What a study costs beside its extractions: 1000 tiny jobs in processes of this machine and through a Slurm
# of its own, and the same with the driver killed (kill -9) at 20 random points. Usage: studies.sh PROGRAM [local|slurm|killed]...
# Prints: seconds, seconds per job, rows that are missing, and whether the table is the same bit for bit.
set -uo pipefail
program=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- local slurm killed
source_tree=$(realpath "$(dirname "$0")/..")
source "$source_tree/tests/support/slurm.sh"
source "$source_tree/tests/support/tiny_study.sh"
work=$(mktemp -d)
trap 'slurm_stop; rm -rf "$work"' EXIT
cd "$work" || exit 1
tiny_study tiny.toml 500
jobs=1000

# measured NAME RESULTS COMMAND...
measured() {
  local name=$1 results=$2 began ended rows
  shift 2
  began=$(date +%s.%N)
  "$@" >/dev/null 2>"$name.err" || { tail -n 3 "$name.err"; exit 1; }
  ended=$(date +%s.%N)
  rows=$(find "$results/rows" -name '*.row' -not -name '.*' | wc -l)
  "$program" study table tiny.toml --results "$results" >"$name.table"
  [ -e first.table ] || cp "$name.table" first.table
  printf '%-8s %7.1f s  %6.1f ms per job  %d rows missing  table %s\n' "$name" "$(bc <<<"$ended - $began")" \
    "$(bc <<<"scale=3; ($ended - $began) * 1000 / $jobs")" $((jobs - rows)) \
    "$(cmp -s "$name.table" first.table && echo 'the same' || echo 'DIFFERENT')"
}

# Twenty drivers that are killed, then one that is not.
killed() {
  local i driver
  for i in $(seq 20); do
    "$program" study run tiny.toml --results killed --quiet >/dev/null 2>&1 &
    driver=$!
    sleep "$(bc <<<"scale=3; $((RANDOM % 700)) / 1000")"
    kill -9 $driver 2>/dev/null
    wait $driver 2>/dev/null
  done
  "$program" study run tiny.toml --results killed --quiet
}

for what in "$@"; do
  case $what in
    local) measured local here "$program" study run tiny.toml --results here --quiet ;;
    slurm)
      slurm_start "$work/slurm" "$(nproc)" || { echo "slurm: not measured: $slurm_problem"; continue; }
      measured slurm there "$program" study run tiny.toml --results there --slurm --quiet ;;
    killed) measured killed killed killed ;;
  esac
done
