source "$(dirname "$0")/check.sh"
data=$source_tree/tests/data/classes
net=$data/exact.pt
abc=(--alphabet abc --cell elman-tanh)

run 0 info "$net" "${abc[@]}"
out_has '^head +30 -> 5, 5 classes$'
run 0 info "$net" "${abc[@]}" --accept-class 2
out_has '^head +30 -> 5, class 2 accepts$'

# The class, its probability, the word.
run 0 classify "$net" "${abc[@]}" aa aac aaaaaab ''
[ "$(cut -f1 out | tr '\n' ' ')" = '2 2 3 0 ' ] || fail 'expected the classes of the machine'
run 0 classify "$net" "${abc[@]}" aaac --json -
tr -d ' \n' <out | grep -qE '"words":\[\{"word":\["a","a","a","c"\],"class":1,"probability":0\.9' || fail 'expected a class in JSON'
run 0 classify "$net" "${abc[@]}" --accept-class 1 aaac
out_has '^accept'

# From network to Moore machine, and through every format.
run 0 extract "$net" "${abc[@]}" --target "$data/five.target.dot" --json run.json --dot machine.dot --alf machine.alf --svg machine.svg \
  --report run.html --progress none
no_err
out_has '^ *Moore +10 states, 5 classes, over 3 symbols'
out_has 'equivalent to the result'
out_has '^ +class +a +b +c$'
run 0 convert "$data/five.target.dot" target.json
run 0 convert run.json from_run.json
run 0 convert machine.dot from_dot.json
same from_run.json target.json
same from_dot.json target.json
grep -q '"accepting": null' target.json || fail 'expected no accepting states'
grep -q '"outputs": \[0,' target.json || fail 'expected classes'
run 0 convert machine.alf - --to alf
same out machine.alf
grep -q '^\[outputs\]$' machine.alf || fail "expected libalf's outputs"
grep -q 's0 / ' machine.svg || fail 'expected the class in the picture'

# The machine against the network, and against one that errs.
run 0 evaluate "$net" machine.dot "${abc[@]}" --target "$data/five.target.dot"
out_has 'DFA and target are equivalent'
out_has 'commonest'
sed 's/"s3|[0-9]*"/"s3|1"/; s|"s3 / [0-9]*"|"s3 / 1"|' machine.dot >wrong.dot
run 0 evaluate "$net" wrong.dot "${abc[@]}" --json -
tr -d ' \n' <out | grep -qE '"disagreements":\[\{"word":\["a","a"\],"network":2,' || fail 'expected classes in JSON'
run 1 evaluate "$net" machine.dot "${abc[@]}" --accept-class 1
err_has 'expected a DFA, as the network has two answers, found a Moore machine$'
run 0 compare "$net" "${abc[@]}" --learner ttt --learner lstar --method abstraction-refinement --method quantization:q=2 --time-limit 10s --csv - --progress none
[ "$(grep -c exact.pt out)" -eq 3 ] || fail 'expected three rows'

# What is for two answers alone says so.
run 2 extract "$net" "${abc[@]}" --learner nlstar
err_has 'learner: expected one of lstar, lstar-columns, rivest-schapire, ttt, observation-pack for the 5 classes'
run 1 certify "$net" machine.dot "${abc[@]}" --progress none
err_lines 1
err_has 'found a Moore machine$|found 5 classes: a certificate is about accept and reject$'
run 1 extract "$net" "${abc[@]}" --certify proof.json
err_has 'expected one class that accepts \(--accept-class\), found 5 classes: a certificate is about accept and reject$'
run 2 extract "$net" "${abc[@]}" --method rpni
err_has "method: expected abstraction-refinement, quantization or kmeans for the 5 classes of this network; found 'rpni"
run 2 extract "$net" "${abc[@]}" --empty-word high
err_has 'expected accept, reject, network or the number of a class'
run 1 extract "$net" "${abc[@]}" --empty-word 5
err_has 'empty word: expected a class below 5, found 5$'

finish
