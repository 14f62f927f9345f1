# A study whose jobs do next to nothing, to be sourced; $source_tree is this repository.
#
#   tiny_study FILE SEEDS   writes FILE, a study of two networks with SEEDS seeds each, and the networks beside it

tiny_study() {
  local folder
  folder=$(dirname "$1")/nets
  mkdir -p "$folder"
  cp "$source_tree"/examples/networks/tomita{5_rnn30,1_gru100}.onnx "$folder"
  cat >"$1" <<END
networks = ["nets/*.onnx"]
oracles = ["samples"]
seeds = "1-$2"
max-steps = 500
exact = true
lengths = [3]
per-length = 3
[table.counts]
columns = ["verdict", "states", "membership_queries", "rnn_steps", "agreement"]
[job]
memory = "200MB"
END
}
