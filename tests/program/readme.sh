#!/usr/bin/env bash
# readme.sh RNNALF SOURCE_TREE: the recording of README.md and the table of docs/results.md are what the program does, except for times.
set -euo pipefail
rnnalf=$1 source=$2
python3 -m doctest "$source/docs/readme.py"

# A difference is found: another number of states in the recording.
altered=$(mktemp)
trap 'rm -f "$altered"' EXIT
sed '/^<!-- recording/,/^<!-- end of recording/s/^A [0-9]*-state automaton/A 777-state automaton/' "$source/README.md" >"$altered"
cmp -s "$altered" "$source/README.md" && { echo 'expected a number of states in the recording, found none'; exit 1; }
if "$source/docs/readme.py" --rnnalf "$rnnalf" --file "$altered" --part recording --check >/dev/null; then
  echo 'expected a recording with another number of states to be refused, found it accepted'
  exit 1
fi

if ! "$source/docs/readme.py" --rnnalf "$rnnalf" --check; then
  echo 'README.md or docs/results.md differs from the program: docs/readme.py --rnnalf PROGRAM writes them again'
  exit 1
fi
