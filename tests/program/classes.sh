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
out_has '^A 10-state automaton agrees with the network on all words tested'
out_has '^It is equivalent to the target[.]$'
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
out_has 'The DFA is equivalent to the target'
out_has 'commonest'
sed 's/"s3|[0-9]*"/"s3|1"/; s|"s3 / [0-9]*"|"s3 / 1"|' machine.dot >wrong.dot
run 0 evaluate "$net" wrong.dot "${abc[@]}" --json -
tr -d ' \n' <out | grep -qE '"disagreements":\[\{"word":\["a","a"\],"network":2,' || fail 'expected classes in JSON'
run 1 evaluate "$net" machine.dot "${abc[@]}" --accept-class 1
err_has 'expected a DFA, as the network has two answers, found a Moore machine$'
run 0 compare "$net" "${abc[@]}" --learner ttt --learner lstar --method abstraction-refinement --method quantization:q=2 --time-limit 10s --csv - --progress none
[ "$(grep -c exact.pt out)" -eq 3 ] || fail 'expected three rows'

# Names instead of numbers, wherever a class is read.
levels=(--classes 'empty low middle high full')
run 0 info "$net" "${abc[@]}" "${levels[@]}"
out_has '^head +30 -> 5, 5 classes$'
out_has '^classes +empty low middle high full \(named by --classes\)$'
run 0 info "$net" "${abc[@]}" "${levels[@]}" --accept-class high --json info.json
out_has '^head +30 -> 5, class 3 \(high\) accepts$'
tr -d ' \n' <info.json | grep -q '"class_names":\["empty","low","middle","high","full"\],"class_names_from":"--classes"' ||
  fail 'expected names in the JSON'
run 0 info "$data/five.onnx"
out_has '^classes +empty low middle high full \(named by the file\)$'
run 0 info "$data/five.onnx" --classes 'a b c d e' --accept-class c
out_has '^classes +a b c d e \(named by --classes\)$'
run 0 classify "$net" "${abc[@]}" "${levels[@]}" aa aac aaaaaab ''
[ "$(cut -f1 out | tr '\n' ' ')" = 'middle middle high empty ' ] || fail 'expected the names of the classes'
run 0 classify "$net" "${abc[@]}" "${levels[@]}" aaac --json -
grep -q '"class": 1, "name": "low", "probability"' out || fail 'expected number and name in JSON'
run 0 classify "$net" "${abc[@]}" "${levels[@]}" --accept-class low aaac
out_has '^accept'
run 0 extract "$net" "${abc[@]}" "${levels[@]}" --target "$data/five.target.dot" --json named.json --dot named.dot --alf named.alf \
  --svg named.svg --report named.html --trace named.trace --progress none
out_has '^It is equivalent to the target[.]$'
out_has '^ +class +a +b +c$'
out_has '^ >   s0  empty +s1  s0  s2$'
same named.alf machine.alf
grep -q '>empty<' named.svg || fail 'expected the name in the picture'
grep -q '"class_names":\["empty","low","middle","high","full"\]' named.html || fail 'expected the names in the page'
grep -q '"class_names":\["empty"' named.trace || fail 'expected the names in the trace'
run 0 convert named.dot named_dot.alf
same named_dot.alf machine.alf
run 0 convert named.json named_json.dot
same named_json.dot named.dot

# A file with names is matched by name, whatever their order; one with numbers, by number.
run 0 evaluate "$net" named.dot "${abc[@]}" "${levels[@]}" --target "$data/five.target.dot"
out_has 'The DFA is equivalent to the target'
out_has 'No word was found on which network and DFA differ'
sed 's/ class="[0-9]*"//' named.dot >foreign.dot # as AALpy and LearnLib write it
run 0 evaluate "$net" foreign.dot "${abc[@]}" "${levels[@]}" --json evaluation.json
out_has 'No word was found on which network and DFA differ'
grep -q '"class_names": \[' evaluation.json || fail 'expected the names'
run 0 evaluate "$net" foreign.dot "${abc[@]}" --classes 'empty low middle full high'
out_has 'network answers full, p = '
run 1 evaluate "$net" foreign.dot "${abc[@]}"
err_lines 1
err_has "foreign.dot: expected classes by number, as those of the network have no names, found 'empty'$"
run 1 evaluate "$net" foreign.dot "${abc[@]}" --classes 'a b c d e'
err_has "foreign.dot: expected the classes a b c d e, found 'empty'$"
cp "$net" beside.pt
cp foreign.dot beside.target.dot
run 0 compare beside.pt "${abc[@]}" "${levels[@]}" --learner ttt --time-limit 10s --csv - --progress none
grep -q '^beside.pt,.*,true,' out || fail 'expected the target beside the network to be found again'
run 1 compare beside.pt "${abc[@]}" --learner ttt --time-limit 10s --csv - --progress none
err_has "beside.target.dot: expected classes by number, as those of the network have no names, found 'empty'$"

run 1 info "$net" "${abc[@]}" --classes 'low high'
err_lines 1
err_has 'exact.pt: classes: expected 5 names, one for each output, found 2$'
run 2 info "$net" "${abc[@]}" --classes 'a b c d a'
err_has "^rnnalf info: --classes: class 4: expected a name that no other class has, found 'a'"
run 2 info "$net" "${abc[@]}" --classes '1 2 3 4 5'
err_has "^rnnalf info: --classes: class 0: expected no number but its own as its name, found '1'"
run 1 info "$net" "${abc[@]}" "${levels[@]}" --accept-class over
err_has "exact.pt: accept class: expected a number or one of the names empty low middle high full, found 'over'$"
run 1 info "$net" "${abc[@]}" --accept-class high
err_has "exact.pt: accept class: expected a number, as the classes have no names, found 'high'$"

# What is for two answers alone says so.
run 2 extract "$net" "${abc[@]}" --learner nlstar
err_has 'learner: expected one of lstar, lstar-columns, rivest-schapire, ttt, observation-pack, lsharp for the 5 classes'
run 1 certify "$net" machine.dot "${abc[@]}" --progress none
err_lines 1
err_has 'found a Moore machine$|found 5 classes: a certificate is about accept and reject$'
run 1 extract "$net" "${abc[@]}" --certificate proof.json
err_has 'expected one class that accepts \(--accept-class\), found 5 classes: a certificate is about accept and reject$'
run 2 extract "$net" "${abc[@]}" --method rpni
err_has "method: expected abstraction-refinement, quantization or kmeans for the 5 classes of this network; found 'rpni"
run 1 extract "$net" "${abc[@]}" --empty-word high
err_has 'empty word: expected accept, reject or the number of a class, as the classes have no names, found .high.$'
run 1 extract "$net" "${abc[@]}" --empty-word 5
err_has 'empty word: expected a class below 5, found 5$'

finish
