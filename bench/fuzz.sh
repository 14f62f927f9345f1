#!/usr/bin/env bash
# bench/fuzz.sh MINUTES [BUILD]: runs every fuzz target of tests/fuzz for MINUTES (20s: seconds), starting from its
# corpus, and prints how many inputs each ran. An input that breaks a target is named, with what it broke, and the
# script fails at the end. New inputs that reach new code are kept in BUILD/inputs and are where the next run starts.
#
# BUILD has the targets (default: build/fuzz, which is configured and built here: preset `fuzz`, clang needed).
# RNNALF_FUZZ_JOBS=N: targets at once (default: 1). RNNALF_FUZZ_TARGETS='dfa_file onnx': these alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ ${1:-} =~ ^[0-9]+s?$ ]] || { echo 'usage: bench/fuzz.sh MINUTES|SECONDSs [BUILD]' >&2; exit 2; }
seconds=${1%s}
[ "$seconds" != "$1" ] || seconds=$((seconds * 60))
build=${2:-build/fuzz}

if [ $# -lt 2 ]; then
  command -v clang++ >/dev/null || { echo 'bench/fuzz.sh: needs clang: apt-get install clang libclang-rt-dev libboost-test-dev' >&2; exit 1; }
  launcher=()
  ! command -v ccache >/dev/null || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  cmake --preset fuzz "${launcher[@]}" >/dev/null
  cmake --build "$build" --target fuzzers
fi

targets=(${RNNALF_FUZZ_TARGETS:-$(cd tests/fuzz/corpus && echo *)})
export LSAN_OPTIONS=suppressions=$PWD/tests/leaks_known.txt:print_suppressions=0
findings=$build/findings inputs=$build/inputs
mkdir -p "$findings"

# fuzz TARGET: a slow machine must not turn a slow input into a finding, so the limits are wide; tests/fuzz/replay_main.cpp
# holds every input of the corpus to 100 MB.
fuzz() {
  local target=$1 log=$build/fuzz_$1.log dictionary=tests/fuzz/$1.dict options=()
  mkdir -p "$inputs/$target"
  [ ! -f "$dictionary" ] || options=(-dict="$dictionary")
  "$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=3000 -malloc_limit_mb=1000 \
    -print_final_stats=1 -verbosity=0 -artifact_prefix="$findings/$target-" "${options[@]}" \
    "$inputs/$target" "tests/fuzz/corpus/$target" >"$log" 2>&1
}

# One line when a target is done: how many inputs it ran, or what it found.
report() {
  local target=$1 status=0 runs
  fuzz "$target" || status=$?
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/fuzz_$target.log")
  if [ $status -eq 0 ]; then
    printf 'fuzz: %-14s %10d inputs, no finding\n' "$target" "$runs"
  else
    grep -E 'ERROR|runtime error|SUMMARY|Test unit written|uncaught|what\(\)' "$build/fuzz_$target.log" || tail -n 5 "$build/fuzz_$target.log"
    printf 'fuzz: %-14s %10s inputs, FAILED: %s\n' "$target" "${runs:-?}" "$build/fuzz_$target.log"
    return 1
  fi
}

status=0 running=0
for target in "${targets[@]}"; do
  report "$target" &
  if ((++running >= ${RNNALF_FUZZ_JOBS:-1})); then
    wait -n || status=1
    running=$((running - 1))
  fi
done
while ((running-- > 0)); do wait -n || status=1; done
exit $status
