#!/usr/bin/env bash
# What a study costs beside its extractions: 1000 tiny jobs in processes of this machine and through a Slurm
# of its own, and the same with the driver killed (kill -9) at 20 random points, in both. Usage:
# studies.sh PROGRAM [local|slurm|killed|slurm-packed|killed-slurm]...; the last two let a task of Slurm run 20 jobs.
# Prints: seconds, seconds per job, rows that are missing, and whether the table is the same bit for bit.
set -uo pipefail
program=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- local slurm killed slurm-packed killed-slurm
source_tree=$(realpath "$(dirname "$0")/..")
source "$source_tree/tests/support/slurm.sh"
source "$source_tree/tests/support/tiny_study.sh"
work=$(mktemp -d)
trap 'slurm_stop; rm -rf "$work"' EXIT
cd "$work" || exit 1
tiny_study tiny.toml 500
{ cat tiny.toml; printf '[slurm]\nper-task = 20\n'; } >packed.toml
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
  printf '%-12s %7.1f s  %6.1f ms per job  %d rows missing  table %s\n' "$name" "$(bc <<<"$ended - $began")" \
    "$(bc <<<"scale=3; ($ended - $began) * 1000 / $jobs")" $((jobs - rows)) \
    "$(cmp -s "$name.table" first.table && echo 'the same' || echo 'DIFFERENT')"
}

# killed MILLISECONDS STUDY OPTIONS...: twenty drivers that are killed within that time, then one that is not.
killed() {
  local i driver most=$1
  shift
  for i in $(seq 20); do
    "$program" study run "$@" --quiet >/dev/null 2>&1 &
    driver=$!
    sleep "$(bc <<<"scale=3; $((RANDOM % most)) / 1000")"
    kill -9 $driver 2>/dev/null
    wait $driver 2>/dev/null
  done
  "$program" study run "$@" --quiet
}

slurm_is_there() {
  [ -z "${slurm_started:-}" ] || return 0
  slurm_start "$work/slurm" "$(nproc)" || { echo "$what: not measured: $slurm_problem"; return 1; }
  slurm_started=yes
}

for what in "$@"; do
  case $what in
    local) measured local here "$program" study run tiny.toml --results here --quiet ;;
    killed) measured killed killed killed 700 tiny.toml --results killed ;;
    slurm)
      slurm_is_there || continue
      measured slurm there "$program" study run tiny.toml --results there --slurm --quiet ;;
    slurm-packed)
      slurm_is_there || continue
      measured slurm-packed packed "$program" study run packed.toml --results packed --slurm --quiet ;;
    killed-slurm)
      slurm_is_there || continue
      measured killed-slurm killed-slurm killed 3000 packed.toml --results killed-slurm --slurm ;;
    *) echo "$what: expected local, slurm, killed, slurm-packed or killed-slurm"; exit 2 ;;
  esac
done
