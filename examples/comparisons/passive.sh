#!/bin/sh
# The paper's method against learning from a sample: RPNI and the smallest consistent DFA, from random words that the network
# labels, more and more of them. A few minutes. More options may follow, such as --report page.html; RNNALF names the
# program if it is not installed.
here=$(dirname "$0")
exec "${RNNALF:-rnnalf}" compare "$here"/../networks/tomita[3-7]_gru100.onnx "$here"/../networks/rand10_3_s*.onnx \
  --preset paper --method abstraction-refinement --method rpni:words=100 --method rpni:words=1000 \
  --method rpni:words=10000 --method biermann:words=100 --method biermann:words=500 \
  --time-limit 20s --columns verdict,rnn_steps,states,seconds,agreement,equals_target "$@"
