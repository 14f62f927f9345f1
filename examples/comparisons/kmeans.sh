#!/bin/sh
# The paper's method against k-means on balanced parentheses: the R-states of 2000 words in 2 to 100 clusters. About five
# minutes. More options may follow, such as --report page.html; RNNALF names the program if it is not installed.
here=$(dirname "$0")
exec "${RNNALF:-rnnalf}" compare "$here"/../networks/bp_*.onnx --preset paper --method abstraction-refinement \
  --method kmeans:k=10 --method kmeans:k=20 --method kmeans:k=50 --method kmeans:k=100 --method kmeans \
  --time-limit 60s --words "$here/bp_words.txt" --milestone "$here/bp_depths" \
  --columns verdict,states,seconds,agreement,words_agreement,milestone "$@"
