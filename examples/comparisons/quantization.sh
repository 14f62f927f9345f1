#!/bin/sh
# The paper's method against quantization on networks of random DFAs, up to 60,000 states. Under a
# minute. More options may follow, such as --report page.html; RNNALF names the program if it is not installed.
here=$(dirname "$0")
exec "${RNNALF:-rnnalf}" compare "$here"/../networks/rand10_3_s*.onnx --preset paper --method abstraction-refinement \
  --method quantization:q=2 --max-states 60000 --time-limit 60s \
  --columns verdict,a_states,states,seconds,coverage_10,coverage_50,coverage_1000,agreement,covered_agreement "$@"
