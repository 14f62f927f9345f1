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
run 2 classify "$networks/tomita1_gru100.onnx" 1 --empty-word maybe
err_has "^rnnalf classify: --empty-word: expected accept, reject, network or the number of a class, found 'maybe'$"
run 2 list
run 2 list fruits
err_has "expected learners, oracles or formats, found 'fruits'"
run 0 list formats
for format in onnx state_dict dot json alf; do out_has "^$format +[A-Za-z]"; done
run 0 list learners
for learner in lstar lstar-columns rivest-schapire kearns-vazirani nlstar; do out_has "^$learner +[A-Za-z]"; done
run 0 list oracles
for oracle in samples abstraction pumping random; do out_has "^$oracle +[a-z]"; done
out_has '^  :depth=10 '

finish
