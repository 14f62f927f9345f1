#!/bin/sh
# Abstraction against random sampling on balanced parentheses: the paper's loop with either oracle, three seeds. About
# two minutes. More options may follow, such as --report page.html; RNNALF names the program if it is not installed.
here=$(dirname "$0")
exec "${RNNALF:-rnnalf}" compare "$here"/../networks/bp_*.onnx --preset paper \
  --oracle samples,abstraction:depth=10:depth-limit=10:samples=0 \
  --oracle samples,random:per-length=1000:max-length=30:guided=0 \
  --repeat 3 --time-limit 20s --words "$here/bp_words.txt" --milestone "$here/bp_depths" \
  --columns verdict,states,seconds,words_agreement,milestone "$@"
