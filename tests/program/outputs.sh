source "$(dirname "$0")/check.sh"
net=$networks/tomita5_rnn30.onnx
target=$networks/tomita5_rnn30.target.dot
cp "$net" net.onnx
cp "$target" dfa.dot
printf '0\n1\n' >words.txt

nothing_left_behind() {
  local left
  left=$(find . -name '.rnnalf-*')
  [ -z "$left" ] || fail "left behind: $left"
}

# Outputs are checked before the work starts: no progress was made, nothing is written.
run 1 extract "$net" --json written.json --dot nodir/x --progress plain
err_has '^rnnalf: nodir/x: cannot write: No such file or directory$'
err_lines 1
[ ! -e written.json ] || fail 'expected a check before the extraction'

# One that fails later does not take the others with it, nor the summary.
run 1 extract "$net" --json /dev/full --dot written.dot --trace /dev/full --progress none
err_has '^rnnalf: /dev/full: cannot write: No space left on device; /dev/full: cannot write: No space left on device$'
out_has 'no oracle found a counterexample'
run 0 convert written.dot written.alf
rm -f written.dot
run 1 compare "$net" --csv /dev/full --latex table.tex --progress none
out_has 'tomita5_rnn30'
[ -s table.tex ] || fail 'expected the other output'

# An output is never a file that the command reads, whatever its name is, nor another output.
ln -s net.onnx link.onnx
ln net.onnx hard.onnx
mkdir folder
for name in net.onnx ./net.onnx folder/../net.onnx link.onnx hard.onnx "$PWD/net.onnx"; do
  run 2 extract net.onnx --json "$name"
  err_has '^rnnalf extract: --json and NET are the same file, .*Give --json another name\.$'
done
run 2 extract net.onnx --target dfa.dot --dot dfa.dot
err_has '--dot and --target are the same file'
run 2 extract net.onnx --samples words.txt --trace words.txt
err_has '--trace and --samples are the same file'
run 2 extract net.onnx --json new.txt --dot ./new.txt
err_has '--dot and --json are the same file'
run 2 classify net.onnx --words words.txt --json words.txt
run 2 evaluate net.onnx dfa.dot --json dfa.dot
run 2 certify net.onnx dfa.dot --out dfa.dot
run 2 info net.onnx --json net.onnx
run 2 convert dfa.dot dfa.dot
run 2 compare net.onnx --csv net.onnx
run 2 compare net.onnx --store cells --csv cells
printf 'not a study\n' >s.toml
run 2 study bundle s.toml --out s.toml
run 2 study report s.toml --out s.toml
run 2 study table s.toml --csv s.toml
same net.onnx "$net"
same dfa.dot "$target"
[ "$(cat s.toml)" = 'not a study' ] || fail 'expected the study file as it was'
[ ! -e new.txt ] || fail 'expected no output'
# Devices may be given twice.
run 0 extract net.onnx --json /dev/null --dot /dev/null --quiet

# A dangling link stays a link; the file it points to is made.
ln -s made/by/link.dot dangling.dot
run 1 convert dfa.dot dangling.dot
mkdir -p made/by
run 0 convert dfa.dot dangling.dot
[ -L dangling.dot ] || fail 'expected that the link stays'
[ -f made/by/link.dot ] || fail 'expected the file that the link points to'

# signalled CODE VERDICT SIGNAL...: sends the signals to an extraction that does not end by itself.
signalled() {
  local code=$1 verdict=$2 job found
  shift 2
  rm -f signalled.json
  env --default-signal "$program" extract "$networks/rand10_3_s1_gru100.onnx" --exact --time-limit 60s \
    --json signalled.json --trace trace.txt --progress none >out 2>err &
  job=$!
  while ! find . -name '.rnnalf-*' | grep -q .; do sleep 0.1; done  # the trace has begun
  sleep 0.5
  for signal in "$@"; do kill -"$signal" $job; done
  wait $job
  found=$?
  [[ $found =~ ^($code)$ ]] || fail "expected exit code $code after $*, found $found"
  if [ -n "$verdict" ]; then
    grep -q "\"verdict\": *\"$verdict\"" signalled.json || fail "expected the verdict $verdict after $*"
  else
    [ ! -e signalled.json ] || fail "expected no result after $*"
  fi
  nothing_left_behind
}
signalled 130 interrupted HUP
signalled 130 interrupted TERM
# The second ends the program at once; which of two that are pending comes first is the system's choice.
signalled '129|143' '' STOP TERM HUP CONT
signalled 131 '' QUIT

# A file that may not grow further is like a full disk.
(ulimit -f 1; "$program" convert "$networks/emails_lstm100.target.dot" large.json >out 2>err)
code=$?
[ $code -eq 1 ] || fail "expected exit code 1, found $code"
err_has '^rnnalf: large.json: cannot write: File too large$'
nothing_left_behind

finish
