source "$(dirname "$0")/check.sh"
net=$networks/tomita5_rnn30.onnx

# Done: no oracle found a counterexample. The language is known: even numbers of 0s and of 1s, 4 states.
run 0 extract "$net" --json run.json --dot dfa.dot --alf dfa.alf --progress none
no_err
out_has 'no oracle found a counterexample'
run 0 convert dfa.dot from_dot.json
run 0 convert "$networks/tomita5_rnn30.target.dot" target.json
same from_dot.json target.json
run 0 convert run.json from_run.dot
same from_run.dot dfa.dot
run 0 convert dfa.dot again.alf
same again.alf dfa.alf
grep -q '"verdict": *"none-found"' run.json || fail 'expected the verdict none-found'

# Words between tokens: with a 0 in front, w needs an odd number of 0s and an even number of 1s. Over 1 and 0.
cat >odd.dot <<'DOT'
digraph {
  __start0 [label="" shape="none"]; __start0 -> s0;
  s0 [shape="circle"]; s1 [shape="circle"]; s2 [shape="doublecircle"]; s3 [shape="circle"];
  s0 -> s1 [label="1"]; s0 -> s2 [label="0"]; s1 -> s0 [label="1"]; s1 -> s3 [label="0"];
  s2 -> s3 [label="1"]; s2 -> s0 [label="0"]; s3 -> s2 [label="1"]; s3 -> s1 [label="0"];
}
DOT
tokens=(--begin 0 --end '1 1' --over '1 0')
run 0 extract "$net" "${tokens[@]}" --target odd.dot --dot found.dot --json found.json --report found.html --progress none
out_has '^Each word w is passed to the network as 0 w 1 1[.]$'
out_has '^It is equivalent to the target[.]$'
tr -d ' \n' <found.json | grep -q '"alphabet":\["1","0"\],"begin":\["0"\],"end":\["1","1"\],"left_out":\[\]' ||
  fail 'expected the tokens in JSON'
grep -q 'passed to the network as 0 w 1 1' found.html || fail 'expected the tokens on the page'
run 2 extract "$net" "${tokens[@]}" --certify
err_has '^rnnalf extract: --begin, --end, --over: a certificate is about words as the network reads them'
run 0 evaluate "$net" found.dot "${tokens[@]}"
run 0 evaluate "$net" odd.dot --begin 0 --over '1 0'
out_has 'No word was found on which network and DFA differ'
run 0 compare "$net" "${tokens[@]}" --csv - --progress none
out_has 'begin=0 end=1 1 over=1 0'

# The same file, options and seed: the same run, whatever the threads.
for threads in 1 2; do
  run 0 extract "$net" --seed 7 --threads $threads --json $threads.json --quiet
  out_is ''
  # Times, memory and the number of threads are no part of the result.
  grep -vE 'seconds|memory|"threads"|"json"' $threads.json >$threads.result
done
same 1.result 2.result

# The same counters with any memory, except for the one that states what less memory costs.
for memory in 16MiB 4GiB; do
  run 3 extract "$networks/tomita7_gru100.onnx" --exact --max-rounds 8 --memory-limit $memory --json $memory.json --quiet
  tr ',{' '\n\n' <$memory.json | grep -E '"[a-z_]+": *[0-9]+$' | grep -vE 'seconds|memory|recomputed' >$memory.result
done
same 16MiB.result 4GiB.result
grep -q rnn_steps 4GiB.result || fail 'expected counters'

# A limit: the last hypothesis is written, exit code 3.
run 3 extract "$net" --max-rounds 1 --json limited.json --quiet
grep -q '"verdict": *"max-rounds"' limited.json || fail 'expected the verdict max-rounds'
run 0 convert limited.json limited.dot

# A large DFA is drawn as its core, with a link to the rest; an exact result is measured, too.
run 3 extract "$networks/json_gru100.onnx" --exact --max-states 100 --svg core.svg --report core.html --json core.json --progress none
out_has '-state automaton agrees with the network'
out_has '^To draw it: rnnalf draw core.json automaton.pdf$'
grep -q 'The core: 30 of ' core.svg || fail 'expected the core of the DFA'
grep -q 'xlink:href="core.html#transitions"' core.svg || fail 'expected a link to the table'
grep -q '"result": 0,' core.json || fail 'expected the rung of the result'

# Ctrl-C: the last hypothesis is written, exit code 130. This network keeps the learner busy.
env --default-signal=INT "$program" extract "$networks/rand10_3_s1_gru100.onnx" --exact --time-limit 60s --json interrupted.json \
  --progress none >out 2>err &
job=$!
sleep 2
kill -INT $job
wait $job
code=$?
[ $code -eq 130 ] || fail "expected exit code 130, found $code"
grep -q '"verdict": *"interrupted"' interrupted.json || fail 'expected the verdict interrupted'
run 0 convert interrupted.json interrupted.dot

# A passive method stops asking at a limit, and learns from the words answered until then.
run 3 extract "$net" --method rpni:words=1000000 --max-steps 2000 --json passive.json --progress none
out_has 'agrees on all [0-9,]+ words it was made from'
out_has 'a limit stopped at'
grep -q '"verdict": *"max-steps"' passive.json || fail 'expected the verdict max-steps'
# Ctrl-C while words are made.
env --default-signal=TERM "$program" extract "$net" --method biermann:words=1000000000 --time-limit 60s --progress none >out 2>err &
job=$!
sleep 1
kill -TERM $job
wait $job
code=$?
[ $code -eq 130 ] || fail "expected exit code 130, found $code"
# Words that are not there are not replaced by random ones.
: >empty.txt
printf '0\n1\n' >two.txt
run 1 extract "$net" --method rpni --samples empty.txt
err_has '^rnnalf: empty.txt: expected words for rpni, found none$'
run 1 compare "$net" --method rpni --words empty.txt
err_has '^rnnalf: empty.txt: expected words for rpni, found none$'
run 2 extract "$net" --method rpni:words=3 --samples two.txt
err_has 'method: rpni:words=3: expected at most the 2 words that were given, found 3$'
run 2 compare "$net" --method rpni:words=3 --words two.txt
err_has 'method: rpni:words=3: expected at most the 2 words that were given, found 3$'

# Wrong usage and bad input.
run 2 extract "$net" --learner lstra
err_has "^rnnalf extract: --learner: expected .*lstra"
run 2 extract "$net" --oracle samples,abstracton
err_has "abstracton"
run 2 extract "$net" --time-limit soon
err_has "^rnnalf extract: --time-limit: expected a time such as 60s, 5m or 2h, found 'soon'$"
run 2 extract "$net" --memory-limit lots
run 1 extract missing.onnx
err_lines 1
run 1 extract "$net" --sample 01x
err_has "'x'"
run 1 extract "$net" --target missing.dot
err_lines 1
run 1 extract "$net" --max-rounds 1 --quiet --dot no/such/folder/dfa.dot
err_has '^rnnalf: no/such/folder/dfa.dot: cannot write'

# Names of files and symbols cannot steer the terminal, nor can they in messages.
cp "$net" $'a\033[2J\302\233\342\200\256.onnx'
run 0 info $'a\033[2J\302\233\342\200\256.onnx'
out_has 'a\\u001b\[2J\\u009b\\u202e.onnx'
run 3 extract $'a\033[2J\302\233\342\200\256.onnx' --max-rounds 1 --progress none
LC_ALL=C grep -q $'[\033\233]' out err && fail 'expected no control character'
run 1 info $'b\033[2J\302\233.onnx'
LC_ALL=C grep -q $'[\033\233]' err && fail 'expected no control character in a message'
err_has '^rnnalf: b\\u001b\[2J\\u009b.onnx: No such file'

finish
