# Helpers for tests of the built program; sourced by the *.sh beside it.
# Usage of a test: bash NAME.sh PROGRAM SOURCE_TREE
# No pipefail: in `tar -tf x | grep -q y` grep ends at the first y, which may end tar by a signal.
set -u
program=$1
source_tree=$2
networks=$source_tree/examples/networks
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

rnnalf() { "$program" "$@"; }

fail() {
  printf 'FAILED: %s\n' "$*"
  printf '  stdout: %s\n  stderr: %s\n' "$(head -c 600 out)" "$(head -c 600 err)"
  failures=$((failures + 1))
}

# run CODE ARGUMENT...: runs the program, expects the exit code; leaves out and err.
run() {
  local code=$1
  shift
  "$program" "$@" >out 2>err </dev/null
  local found=$?
  [ $found -eq "$code" ] || fail "expected exit code $code, found $found: rnnalf $*"
}

out_has() { grep -qE -- "$1" out || fail "expected on stdout: $1"; }
err_has() { grep -qE -- "$1" err || fail "expected on stderr: $1"; }
out_is() { [ "$(cat out)" = "$1" ] || fail "expected stdout to be: $1"; }
no_err() { [ ! -s err ] || fail "expected nothing on stderr"; }
err_lines() { [ "$(wc -l <err)" -eq "$1" ] || fail "expected $1 lines on stderr, found $(wc -l <err)"; }
same() { cmp -s "$1" "$2" || fail "expected $1 and $2 to be the same"; }

finish() {
  [ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
  echo "all as expected"
}
