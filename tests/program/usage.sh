source "$(dirname "$0")/check.sh"

run 2
err_has '^Usage: rnnalf COMMAND'
run 0 --help
out_has 'classify'
no_err
run 0 help classify
out_has '^Usage: rnnalf classify NET \[WORD\.\.\.\]'
run 0 classify --help
out_has '--empty-word'
out_has '^Examples:'
run 0 --version
out_has '^rnnalf [0-9]+\.[0-9]+\.[0-9]+$'

run 2 clasify
err_has "unknown command 'clasify', did you mean classify\?"
err_lines 2
run 2 'study diff'
err_has "unknown command 'study diff'. Give its words as two arguments: rnnalf study diff"
run 2 'study diff' --help
run 2 info
err_has '^rnnalf info: expected NET, found 0 operands$'
err_lines 2
run 2 info "$networks/tomita1_gru100.onnx" --cel gru
err_has "unknown option '--cel', did you mean --cell\?"
run 2 info "$networks/tomita1_gru100.onnx" --cell grue
err_has "^rnnalf info: --cell: expected elman-tanh, .*, found 'grue'$"
run 2 info "$networks/tomita1_gru100.onnx" --alphabet aa
err_has "^rnnalf info: --alphabet: symbol 'a' occurs twice$"
run 2 info "$networks/tomita1_gru100.onnx" --accept-class -1
err_has "^rnnalf info: --accept-class: expected"
run 2 info "$networks/tomita1_gru100.onnx" --precision half
err_has "^rnnalf info: --precision: expected float or double, found 'half'$"
run 2 classify "$networks/tomita1_gru100.onnx"
err_has 'expected words, or --words FILE'
run 2 classify "$networks/tomita1_gru100.onnx" 1 --empty-word 'may be'
err_has "^rnnalf classify: --empty-word: expected accept, reject, network or a class, by number or name, found 'may be'$"
run 1 classify "$networks/tomita1_gru100.onnx" 1 --empty-word maybe
err_has "tomita1_gru100.onnx: empty word: expected accept, reject or the number of a class, as the classes have no names, found 'maybe'$"
# Rules between options are the library's, named as options here.
run 2 extract "$networks/tomita1_gru100.onnx" --preset paper --until settled
err_has "^rnnalf extract: --until: expected exact with preset paper, found 'settled'$"
run 2 extract "$networks/tomita1_gru100.onnx" --preset paper --alike-symbols 3
err_has "^rnnalf extract: --alike-symbols: expected 0 with preset paper, found '3'$"
run 2 extract "$networks/tomita1_gru100.onnx" --exact --until settled
err_has "^rnnalf extract: --until: expected exact with exact, found 'settled'$"
run 2 compare "$networks/tomita1_gru100.onnx" --preset paper --until settled
err_has "^rnnalf compare: --until: expected exact with preset paper, found 'settled'$"
run 0 extract "$networks/tomita5_rnn30.onnx" --preset paper --learner lstar --until exact --exact --quiet
run 2 list
run 2 list fruits
err_has "expected learners, oracles, formats or options, found 'fruits'"
run 0 list formats
for format in onnx state_dict dot json alf; do out_has "^$format +[A-Za-z]"; done
run 0 list learners
for learner in lstar lstar-columns rivest-schapire kearns-vazirani nlstar; do out_has "^$learner +[A-Za-z]"; done
run 0 list oracles
for oracle in samples abstraction pumping random; do out_has "^$oracle +[a-z]"; done
out_has '^  :depth=10 .*\(from 0 to 20\)$'
run 0 extract --help
out_has '^  --threads N .*\(from 0 to 1024; default:'
run 0 list options
cmp -s out "$source_tree/docs/options.md" ||
  fail 'docs/options.md is not what rnnalf list options prints; write it again: rnnalf list options > docs/options.md'

finish
