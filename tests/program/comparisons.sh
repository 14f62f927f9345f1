source "$(dirname "$0")/check.sh"
comparisons=$source_tree/examples/comparisons

# On balanced parentheses eight counterexamples of the abstraction teach depth 8, where random sampling ends at 2 or 3.
run 0 compare "$networks/bp_gru50.onnx" "$networks/bp_lstm50.onnx" --preset paper --max-rounds 8 --repeat 2 --quiet \
  --oracle samples,abstraction:depth=10:depth-limit=10:samples=0 --oracle samples,random:per-length=1000:max-length=30:guided=0 \
  --milestone "$comparisons/bp_depths" --columns verdict,states,milestone --lengths 5 --per-length 5
for network in bp_gru50 bp_lstm50; do
  out_has "^$network .*abstraction.* max-rounds +10  depth_08$"
  out_has "^$network .*random.* none-found +[45].*  depth_0[23]( .*)?$"
done

# The three commands do what the page beside them says, here with a second for each extraction.
cat >second <<END
#!/bin/bash
for argument in "\$@"; do
  [ "\$last" = --time-limit ] && argument=1s
  arguments+=("\$argument")
  last=\$argument
done
exec "$program" "\${arguments[@]}"
END
chmod +x second
for script in random_sampling quantization kmeans; do
  RNNALF=$work/second "$comparisons/$script.sh" --quiet --csv $script.csv >out 2>err || fail "expected $script.sh to run"
  no_err
  grep -qF "examples/comparisons/$script.sh" "$comparisons/README.md" || fail "expected $script.sh in the README"
done
[ "$(wc -l <random_sampling.csv)" -eq 13 ] || fail 'expected 2 networks, 2 oracles and 3 seeds'
[ "$(grep -c ',kmeans' kmeans.csv)" -eq 10 ] || fail 'expected five k-means for each of two networks'
[ "$(grep -c ',quantization:q=2,' quantization.csv)" -ge 1 ] || fail 'expected quantization of every network of a random DFA'

# The same steps for all methods: the published one takes them, the others stay within them.
RNNALF=$work/second "$comparisons/equal_steps.py" "$networks/tomita4_gru100.onnx" >out 2>err || fail 'expected equal_steps.py to run'
no_err
out_has '^tomita4_gru100 +published +none-found +[0-9,]+ +4 .* 1 of 1$'
awk '$1 == "tomita4_gru100" { steps = $4 } $1 ~ /^(rpni|biermann),?$/ { rows++; times = $1 == "rpni," ? 10 : 1; most = $0
  gsub(/.*max-steps +/, "", most); gsub(/ .*/, "", most); if (most + 0 > times * steps) over++ } END { exit over || rows != 3 }' out ||
  fail 'expected two methods that take no more steps than the published one, and one that takes at most ten times as many'
grep -qF "examples/comparisons/equal_steps.py" "$comparisons/README.md" || fail 'expected equal_steps.py in the README'

finish
