source "$(dirname "$0")/check.sh"

run 0 info "$networks/tomita3_gru100.onnx"
no_err
out_has '^cell +gru$'
out_has '^layers +2, hidden size 100, 100$'
out_has '^alphabet +2 symbols: 0 1$'
out_has '^head +100 -> 1 sigmoid, accepts above 0.5$'
out_has '^state size +200$'
# 300 x (2 + 100) + 600, 300 x (100 + 100) + 600, 100 + 1
out_has '^parameters +91901$'
out_has '^probes +[1-9][0-9]* passed$'

run 0 info "$networks/rand10_3_s5_lstm100.onnx"
out_has '^cell +lstm$'
out_has '^state size +400$'

# The format is told from the content.
cp "$networks/tomita3_gru100.onnx" named.pt
run 0 info named.pt
out_has '\(ONNX\)'
cp "$source_tree/tests/data/networks/gru_1.pt" named.onnx
run 0 info named.onnx
out_has '\(PyTorch state_dict\)'

run 0 info "$networks/tomita3_gru100.onnx" --alphabet ab --json -
out_has '"cell": "gru"'
out_has '"state_size": 200'
tr -d ' \n' <out >flat
grep -q '"alphabet":\["a","b"\]' flat || fail 'expected the alphabet that was given'
run 0 info "$networks/tomita3_gru100.onnx" --json info.json
out_has '^cell'
grep -q '"parameters": 91901' info.json || fail 'expected JSON in the file'

# How words are shown to it.
run 0 info "$networks/json_gru100.onnx" --begin '[' --end ']' --over 'T F ,'
out_has '^words +Each word w is passed to the network as \[ w \][.] Words have 3 of the network.s [0-9]+ symbols[.] Left out: '
run 0 info "$networks/tomita3_gru100.onnx" --begin 1 --json -
tr -d ' \n' <out | grep -q '"alphabet":\["0","1"\],"begin":\["1"\],"end":\[\],"over":\["0"\]' ||
  fail 'expected the tokens in JSON'

# What is no network: one line, with the file and what was found.
refused() {
  run 1 info "$1"
  err_lines 1
  err_has "^rnnalf: $1: $2"
}
refused missing.onnx 'No such file or directory$'
mkdir folder
refused folder 'Is a directory$'
: >empty
refused empty 'expected a network .*, found an empty file$'
echo hello >text
refused text 'expected a network .*, found text$'
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n' >pointer.onnx
refused pointer.onnx 'expected a network .*, found a Git LFS pointer'
head -c 100000 "$networks/tomita3_gru100.onnx" >cut.onnx
refused cut.onnx ''
head -c 300 /dev/zero >zeros
refused zeros 'expected'
printf 'name with\nline break' >"a
b"
run 1 info "a
b"
err_lines 1
run 1 info "$networks/tomita3_gru100.onnx" --alphabet abc
err_has 'alphabet: expected 2 symbols, found 3'
err_lines 1
run 1 info "$networks/tomita3_gru100.onnx" --accept-class 3
err_lines 1
run 1 info "$networks/tomita3_gru100.onnx" --cell lstm
err_lines 1

# What a file of tensors does not say is said aloud; options say otherwise, and probes check it.
ways=$source_tree/tests/data/ways
run 0 info "$ways/mean.pt"
out_has '^assumed +last state of the last layer, then fc \(the file does not say it; check it with --probes\)$'
run 0 info "$ways/mean.pt" --head-from mean
out_has '^head +mean over time of 4 -> 1, accepts above 0.5$'
out_has '^state size +9$'
run 0 classify "$ways/mean.13.onnx" 0221
printf '[[[0, 2, 2, 1], %s]]' "$(grep -oE '[01]\.[0-9]+' out)" >probes.json
run 0 info "$ways/mean.pt" --head-from mean --probes probes.json
out_has '^probes +1 passed$'
out_has '^assumed .*; the probes agree\)$'
run 1 info "$ways/mean.pt" --probes probes.json
err_has "probe '0221': expected"
printf 'a\nb\nc\n' >vocabulary
run 0 info "$ways/mean.pt" --vocabulary vocabulary
out_has '^alphabet +3 symbols: a b c$'
run 2 info "$ways/mean.pt" --vocabulary vocabulary --alphabet abc
err_has 'vocabulary: expected no --alphabet with it'
run 2 info "$ways/mean.pt" --head-from first
err_has "head-from: expected last, mean, sum or max, or several with \+ between, found 'first'"
run 2 info "$ways/mean.pt" --head-from mean+mean
err_has "head-from: expected each of them once, found 'mean\+mean'"
run 0 info "$ways/last-mean-max.pt" --head-from last+mean+max
out_has '^assumed +last\+mean\+max over time of the last layer.s states, joined, then fc'
run 1 info "$ways/last-mean-max.pt"
err_has 'if it reads several states joined, say which, such as --head-from last\+mean\+max'
err_lines 1
printf '{"a": 1, "b": 2, "c": 3}' >word_index.json
run 0 info "$ways/mean.pt" --vocabulary word_index.json
out_has '^alphabet +3 symbols: #0 a b$'
out_has '^assumed +1 symbols of the vocabulary, beyond the 3 that the network has, are left out'
run 2 info "$ways/mean.pt" --activation relu,foo
err_has "activation: expected .*, found 'foo'"
run 0 info "$ways/two-cells.13.onnx"
out_has '^cell +step graph of [0-9]+ operations$'
run 0 info "$ways/keras-gru-after.keras"
out_has '\(Keras\)'

# Which of the kinds of PyTorch's files it is, and what lies beside an ONNX file.
run 0 info "$ways/gru.module.pt"
out_has '\(PyTorch module\)'
run 0 info "$ways/gru.script.pt" --json -
out_has '"file_format": "TorchScript"'
run 0 info "$ways/gru-external.13.onnx"
out_has 'gru-external.13.onnx \(ONNX, with gru-external.13.onnx.data\)$'
cp "$ways/gru-external.13.onnx" alone.onnx
run 1 info alone.onnx
err_has "expected the file 'gru-external.13.onnx.data' next to the model, found none; the two belong"
err_lines 1

# A class by its name, also for the empty word.
five=$source_tree/tests/data/classes/five.onnx
run 0 classify "$five" --alphabet abc --empty-word full ''
out_has '^full'
run 1 classify "$five" --alphabet abc --empty-word fuller ''
err_has "empty word: expected one of the classes empty low middle high full, found 'fuller'"
run 2 classify "$five" --alphabet abc --empty-word 'two words' ''
err_has 'empty-word: expected accept, reject, network or a class, by number or name'

finish
