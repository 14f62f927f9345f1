source "$(dirname "$0")/check.sh"
net=$networks/tomita5_rnn30.onnx

# Done: no oracle found a counterexample. The language is known: even numbers of 0s and of 1s, 4 states.
run 0 extract "$net" --json run.json --dot dfa.dot --alf dfa.alf --progress none
no_err
out_has 'No oracle found a counterexample'
run 0 convert dfa.dot from_dot.json
run 0 convert "$networks/tomita5_rnn30.target.dot" target.json
same from_dot.json target.json
run 0 convert run.json from_run.dot
same from_run.dot dfa.dot
run 0 convert dfa.dot again.alf
same again.alf dfa.alf
grep -q '"verdict": *"none-found"' run.json || fail 'expected the verdict none-found'

# The same file, options and seed: the same run, whatever the threads.
for threads in 1 2; do
  run 0 extract "$net" --seed 7 --threads $threads --json $threads.json --quiet
  out_is ''
  # Times, memory and the number of threads are no part of the result.
  grep -vE 'seconds|memory|"threads"|"json"' $threads.json >$threads.result
done
same 1.result 2.result

# A limit: the last hypothesis is written, exit code 3.
run 3 extract "$net" --max-rounds 1 --json limited.json --quiet
grep -q '"verdict": *"max-rounds"' limited.json || fail 'expected the verdict max-rounds'
run 0 convert limited.json limited.dot

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

finish
