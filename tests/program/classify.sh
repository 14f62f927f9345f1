source "$(dirname "$0")/check.sh"
net=$networks/tomita3_gru100.onnx

# Scores as PyTorch computed them when the network was trained.
run 0 classify "$net" 1 10 '' 1110111001
no_err
awk -F'\t' '
  BEGIN { split("0.984967 0.000063 0.502604 0.000010", score, " "); split("accept reject accept reject", answer, " ") }
  NF != 3 || $2 !~ /^[01]\.[0-9][0-9][0-9][0-9][0-9][0-9]$/ { print "form: " $0; bad = 1 }
  $1 != answer[NR] || $2 - score[NR] > 1.5e-5 || score[NR] - $2 > 1.5e-5 { print "answer: " $0; bad = 1 }
  END { exit bad || NR != 4 }' out || fail 'expected the answers of PyTorch'
[ "$(cut -f3 out)" = "$(printf '1\n10\n\n1110111001')" ] || fail 'expected the words in their order'

# Words from a file, from standard input, and from the command line mean the same.
printf '1\n10\n\n1110111001\n' >words
cp out expected
run 0 classify "$net" --words words
same out expected
rnnalf classify "$net" --words - <words >out 2>err
same out expected
run 0 classify "$net" 1 10 --words words
[ "$(wc -l <out)" -eq 6 ] || fail 'expected two words and four words'
: >none
run 0 classify "$net" --words none
out_is ''

# A large file: the same lines, whatever they are read together with.
awk 'BEGIN { srand(1); for (i = 0; i < 20000; i++) { w = ""; n = int(rand() * 30); for (j = 0; j < n; j++) w = w int(rand() * 2); print w } }' >many
run 0 classify "$net" --words many
cut -f3 out | cmp -s - many || fail 'expected every word once, in order'
mv out all
sed -n 12345p many >one
run 0 classify "$net" --words one
[ "$(cat out)" = "$(sed -n 12345p all)" ] || fail 'expected the answer that the word has alone'

# The empty word can be answered for the network.
run 0 classify "$net" '' --empty-word reject
out_is "$(printf 'reject\t0.000000\t')"
run 0 classify "$net" '' --empty-word accept
out_is "$(printf 'accept\t1.000000\t')"

# Double precision is another arithmetic, not another answer.
run 0 classify "$net" 1 --precision double
out_has '^accept	0\.9849[67]'

# Symbols of several characters are separated by spaces; words may begin with a dash.
run 0 classify "$net" --alphabet 'off on' 'on off' on
[ "$(cut -f1 out | tr '\n' ' ')" = 'reject accept ' ] || fail 'expected reject, accept'
run 0 classify "$net" --alphabet '0-' -- -0 -
[ "$(cut -f1 out | tr '\n' ' ')" = 'reject accept ' ] || fail 'expected reject, accept'
run 0 classify "$networks/json_gru100.onnx" '[0,S,F]'
out_has '^accept	0\.999[0-9]*	\[0,S,F\]$'

# Words between tokens: the answers of the words written out, with the words as they were given.
run 0 classify "$net" 11 1110011 1
mv out expected
run 0 classify "$net" --begin 1 --over '1 0' --end 1 '' 11001
[ "$(cut -f1,2 out)" = "$(cut -f1,2 expected | head -n 2)" ] || fail 'expected the answers of words with tokens'
[ "$(cut -f3 out)" = "$(printf '\n11001')" ] || fail 'expected the words that were given'
run 0 classify "$net" --alphabet '<s> a' --begin '<s>' a --json -
tr -d ' \n' <out | grep -q '"words":\[{"word":\["a"\],"accept":' || fail 'expected the word without its token'
run 1 classify "$net" --begin '<s>' 1
err_lines 1
err_has "begin: expected some of the 2 symbols 0 1, found '<s>'$"
run 1 classify "$net" --over 1 10
err_has "unknown symbol '0'. The alphabet is: 1$"

# JSON: words are arrays of symbols.
run 0 classify "$net" 10 '' --json -
no_err
tr -d ' \n' <out >flat
grep -qE '^\{"format":"rnnalf.classification/1","network":"[^"]*","words":\[\{"word":\["1","0"\],"accept":false,"probability":[0-9.e-]+\},\{"word":\[\],"accept":true,"probability":0\.50[0-9]*\}\]\}$' flat ||
  fail 'expected JSON of two words'
run 0 classify "$net" 10 --json answers.json
out_has '^reject'
grep -q '"accept": false' answers.json || fail 'expected JSON in the file'

# Wrong words: answers before them, then one line that says where.
printf '1\n10\n1x0\n' >wrong
run 1 classify "$net" --words wrong
[ "$(wc -l <out)" -eq 2 ] || fail 'expected the two answers before the wrong word'
err_lines 1
err_has "^rnnalf: wrong:3: word '1x0': symbol 2: unknown symbol 'x'. The alphabet is: 0 1$"
run 1 classify "$net" 1 12
out_is ''
err_lines 1
run 1 classify "$net" --words missing
err_has '^rnnalf: missing: No such file'
run 1 classify "$net" --words wrong --json half.json
[ ! -e half.json ] || fail 'expected no half-written file'

# Output that cannot be written is an error.
rnnalf classify "$net" 1 >/dev/full 2>err
[ $? -eq 1 ] || fail 'expected exit code 1 on a full device'
err_has '^rnnalf: standard output: cannot write: No space left on device$'
rnnalf classify "$net" 1 >&- 2>err
[ $? -eq 1 ] || fail 'expected exit code 1 on a closed standard output'
rnnalf classify "$net" 1 --json out.json >&- 2>err
[ $? -eq 1 ] || fail 'expected exit code 1 on a closed standard output'
run 1 classify "$net" 1 --json no/such/folder/x.json
err_has '^rnnalf: no/such/folder/x.json: cannot write: No such file or directory$'
rnnalf classify "$net" --words many | head -n 1 >out
[ "$(wc -l <out)" -eq 1 ] || fail 'expected one line through head'

# Ctrl-C and SIGTERM: exit code 130, nothing half written; answers come before the next word is sent.
for signal in INT TERM; do
  mkfifo pipe
  # Scripts start background jobs with SIGINT ignored; people at a terminal do not.
  env --default-signal=INT "$program" classify "$net" --words - --json half.json <pipe >out 2>err &
  job=$!
  exec 3>pipe
  echo 10 >&3
  for _ in $(seq 200); do [ -s out ] && break; sleep 0.05; done
  out_has '^reject'
  kill -$signal $job
  wait $job
  code=$?
  [ $code -eq 130 ] || fail "expected exit code 130 after SIG$signal, found $code"
  [ ! -e half.json ] || fail 'expected no half-written file'
  [ -z "$(find . -name '.rnnalf*')" ] || fail 'expected no temporary file'
  exec 3>&-
  rm pipe
done

finish
