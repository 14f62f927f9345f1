source "$(dirname "$0")/check.sh"
quick=$networks/tomita5_rnn30.onnx
other=$networks/tomita1_gru100.onnx
busy=$networks/bp_gru50.onnx # keeps the learner at work until the time is over

# One table on stdout, progress on stderr. Tomita 5 has 4 states, Tomita 1 has 2, and both are learned.
run 0 compare "$quick" "$other" --learner lstar --learner ttt --method abstraction-refinement --method kmeans:k=3
out_has '^network +method +verdict +states'
out_has '^tomita5_rnn30 +lstar +none-found +4 .* yes$'
out_has '^tomita1_gru100 +ttt +none-found +2 .* yes$'
out_has '^tomita1_gru100 +kmeans:k=3 +complete '
err_lines 6
err_has '^rnnalf: 1 of 6: .*tomita5_rnn30.onnx  lstar  .*  seed 1$'
err_has '^rnnalf: 6 of 6, about .* left: .*tomita1_gru100.onnx  kmeans:k=3  seed 1$'
[ "$(awk '{ if (length > 100) print }' out)" = '' ] || fail 'expected at most 100 columns in a pipe'

# Repetitions are one row, which says so.
run 0 compare "$quick" --repeat 3 --seed 5 --quiet --oracle samples,random
no_err
out_has 'Each row: median \(least-most\) of 3 runs, seeds 5 to 7\.'
[ "$(grep -c none-found out)" -eq 1 ] || fail 'expected one row'

# Every output, whole; one on stdout takes the place of the table. Odd names stay what they are.
odd='a,"b" <i>_%.onnx'
cp "$other" "$odd"
run 0 compare "$odd" --quiet --json all.json --csv all.csv --latex all.tex --report all.html
run 0 compare "$odd" --quiet --csv -
[ "$(wc -l <out)" -eq 2 ] || fail 'expected a line of names and one row'
out_has '^"a,""b"" <i>_%\.onnx",abstraction-refinement,ttt,'
grep -q '"format": "rnnalf.comparison/1"' all.json || fail 'expected the format in the JSON'
grep -qF '"network":"a,\"b\" <i>_%.onnx"' all.json || fail 'expected the name in the JSON'
run 0 compare "$odd" "$quick" --quiet --latex -
out_has "^a,''b'' .textless.*i.textgreater.*._.% & none-found & 2 & "
out_has '^.begin.tabular.'
grep -q 'Comparison of extractions' all.html || fail 'expected a page'
grep -q '<i>' all.html && fail 'expected names to be text in the page'

# Chosen columns, milestones and words.
printf '00\n0101\n1\n' >words.txt
cp "$networks/tomita5_rnn30.target.dot" reached.dot
run 0 compare "$quick" --quiet --columns milestone,words_agreement,agreement_7 --lengths 7 --per-length 20 \
  --milestone reached.dot --words words.txt
out_is "milestone  agree words %  agree 7 %
reached           100.00     100.00

One run each, seed 1.
All rows: network tomita5_rnn30; method ttt; oracle samples,abstraction,pumping,random; time limit
60 s.
agree: DFA and network agree, of 20 uniform words of each length 7.
agree words: the same on 3 given words."

run 0 compare "$quick" --quiet --method rpni --method kmeans:k=2 --columns words_agreement --words words.txt
out_has '^agree words: the same on 3 given words, from which rpni and kmeans made their DFAs.$'

# The paper's loop with other oracles than the paper's.
run 0 compare "$quick" --quiet --preset paper --oracle samples,random --oracle samples --json -
out_has '"learner":"lstar","oracle":"samples,random".*"preset":"paper"'
out_has '"learner":"lstar","oracle":"samples","inputs".*"preset":"paper"'

# Ctrl-C: what is done is in the table, exit code 130; the next run goes on there.
env --default-signal=INT "$program" compare "$quick" "$busy" --exact --time-limit 5s --store cells --json first.json \
  >out 2>err &
job=$!
for _ in $(seq 600); do
  [ -f cells ] && [ "$(wc -l <cells)" -ge 2 ] && break
  sleep 0.1
done
kill -INT $job
wait $job
code=$?
[ $code -eq 130 ] || fail "expected exit code 130, found $code"
err_has '^rnnalf compare: interrupted; 1 of 2 extractions are done$'
out_has 'network tomita5_rnn30'
again=(compare "$quick" "$busy" --exact --time-limit 5s --store cells)
run 0 "${again[@]}" --json second.json
err_has '^rnnalf: 1 of 2 extractions are in the store; 1 to run$'
# The same down to its seconds: the finished one was not run again.
diff <(grep tomita5 first.json | grep -o '{"network.*}') <(grep tomita5 second.json | grep -o '{"network.*}' | sed 's/,$//') \
  >/dev/null || fail 'expected the stored cell as it was'
run 0 "${again[@]}"
err_has '^rnnalf: 2 of 2 extractions are in the store; 0 to run$'
err_lines 1

# A changed option, seed or content of a file is another extraction; threads and outputs are not.
runs_anew() {
  run 0 compare "$@" --store few
  [ "$(grep -c ' of .*seed ' err)" -eq 1 ] || fail "expected one extraction to be run: $*"
}
known() {
  run 0 compare "$@" --store few
  err_lines 1
  err_has 'in the store; 0 to run'
}
cp "$quick" net.onnx
runs_anew net.onnx
known net.onnx
known net.onnx --threads 1 --csv x.csv --columns states --time-limit 60
runs_anew net.onnx --seed 2
runs_anew net.onnx --time-limit 59s
runs_anew net.onnx --oracle samples,random
runs_anew net.onnx --lengths 9
runs_anew net.onnx --empty-word reject
runs_anew net.onnx --words words.txt
known net.onnx --words words.txt
printf '11\n' >>words.txt
runs_anew net.onnx --words words.txt
cp "$other" net.onnx
runs_anew net.onnx
known net.onnx

# A damaged line costs its own extraction and is named; the others are kept.
lines=$(wc -l <few)
sed -i '3s/"states":4/"states":5/' few
truncate -s -9 few
run 0 compare net.onnx --store few
err_has "^rnnalf compare: few:3: a damaged line is not used"
err_has "^rnnalf compare: few:$lines: a damaged line is not used"
err_has '^rnnalf: 1 of 1: net.onnx'
run 0 compare net.onnx --store few
err_has 'in the store; 0 to run'

# What is no store is refused and stays as it is.
cp "$other" precious.onnx
run 1 compare "$quick" --store precious.onnx
err_lines 1
err_has '^rnnalf: precious.onnx:1: expected a file that rnnalf compare --store made'
same precious.onnx "$other"

# Two runs at once on one store do no harm.
for i in 1 2; do "$program" compare "$quick" "$other" --repeat 4 --store both --quiet >out$i 2>err$i & done
wait
run 0 compare "$quick" "$other" --repeat 4 --store both
err_lines 1
err_has '^rnnalf: 8 of 8 extractions are in the store; 0 to run$'

# Wrong usage and bad input are found before anything is run.
run 2 compare
run 2 compare "$quick" --learner lstra
err_has lstra
run 2 compare "$quick" --method magic
run 2 compare "$quick" --columns states,sates
err_has "--columns: expected names among verdict, states, .*; found 'sates'"
run 2 compare "$quick" --preset paper --oracle-mode shortest
run 2 compare "$quick" --repeat 0
run 1 compare "$quick" missing.onnx
err_lines 1
err_has '^rnnalf: missing.onnx: '
run 1 compare "$quick" --words missing.txt
err_lines 1
printf '01\n0x\n' >bad.txt
run 1 compare "$quick" --words bad.txt
err_lines 1
err_has "^rnnalf: bad.txt:2: .*'x'"
run 1 compare "$quick" --milestone "$networks/json_gru100.target.dot"
err_lines 1
run 1 compare "$quick" --quiet --csv no/such/folder/x.csv
err_has '^rnnalf: no/such/folder/x.csv: cannot write'

# A store that is none, and that never ends, is refused at its first bytes.
ulimit -v 4000000
run 1 compare "$networks/tomita5_rnn30.onnx" --store /dev/zero
err_lines 1
err_has '^rnnalf: /dev/zero:1: expected a file that rnnalf compare --store made'

finish
