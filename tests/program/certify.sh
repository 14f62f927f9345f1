# Usage: certify.sh PROGRAM SOURCE_TREE CHECKER [PYTHON]
source "$(dirname "$0")/check.sh"
checker=$3
python=${4:-}
program_of_the_search=$program
net=$networks/tomita1_proved.onnx
target=$networks/tomita1_proved.target.dot

search() { program=$program_of_the_search run "$@"; }
check() { program=$checker run "$@"; }
check_in_python() {
  [ -z "$python" ] || { local code=$1; shift; program=$python run "$code" "$source_tree/adapters/check/rnnalf_check.py" "$@"; }
}

# From network to theorem. The same certificate for any number of threads.
search 0 certify "$net" "$target" --out one.json --threads 1
out_has '^certified: network and DFA agree, proved for all words$'
search 0 certify "$net" "$target" --out two.json --threads 2 --progress none
no_err
same one.json two.json
check 0 "$net" "$target" one.json
out_has '^For every word over \{0 1\}, the empty word included, the network as rnnalf executes it in float32 accepts'
no_err
check_in_python 0 "$net" "$target" one.json
search 0 certify "$net" "$target" --out double.json --precision double --progress none
check 0 "$net" "$target" double.json
out_has 'in float64'
check_in_python 0 "$net" "$target" double.json

# A theorem is about words as the network reads them.
search 2 certify "$net" "$target" --begin 1 --progress none
err_has '^rnnalf certify: --begin, --end, --over: a certificate is about words as the network reads them'

# Claims about fewer words say so.
search 0 certify "$net" "$target" --max-run 3 --out run.json --progress none
out_has 'proved for all words with no symbol more than 3 times in a row'
check 0 "$net" "$target" run.json
out_has '^For every word with no symbol more than 3 times in a row over'
check_in_python 0 "$net" "$target" run.json
search 0 certify "$net" "$target" --letters 1 --max-length 4 --out few.json --progress none
check 0 "$net" "$target" few.json
out_has '^For every word of the symbols 1 of at most 4 symbols over'
search 0 certify "$net" "$target" --empty-word accept --out empty.json --progress none
out_has 'the empty word left out'
check 0 "$net" "$target" empty.json
out_has 'the empty word left out'

# Properties: proved without an automaton that equals the network, or refuted by a word.
search 0 certify "$net" --never 'regex:1*0.*' --out never.json --progress none
out_has '^certified: the network rejects every word of the property, proved for all words$'
check 0 "$net" 'regex:1*0.*' never.json
out_has '^For every word over \{0 1\}, the empty word included, the network as rnnalf executes it in float32 rejects what the automaton accepts[.]'
check 1 "$net" 'regex:1*0' never.json
err_has 'refused: dfa: a certificate for another language$'
search 0 certify "$net" --always 'regex:1*' --out always.json --progress none
check 0 "$net" "$target" always.json
out_has 'accepts what the automaton accepts[.]'
check_in_python 0 "$net" "$target" always.json
out_has 'accepts what the automaton accepts[.]'
sed 's/"property": *"always"/"property":"never"/' always.json >never_instead.json
check 1 "$net" "$target" never_instead.json
check_in_python 1 "$net" "$target" never_instead.json
search 0 certify "$net" --implies 'regex:.*' "$target" --out implies.json --progress none
check 0 "$net" 'regex:.*' implies.json --without "$target"
check 1 "$net" 'regex:.*' implies.json
search 0 certify "$net" --never 'regex:1{3}' --progress none
out_has '^refuted: a word of the property, which the network accepts: 111$'
search 0 certify "$net" --always 'regex:.{2}' --progress none
out_has '^refuted: a word of the property, which the network rejects: 00$'
search 2 certify "$net" --never 'regex:(0' --progress none
err_has "^rnnalf certify: regex: character 3: expected '\)', found the end$"
search 2 certify "$net" --always 'regex:1' --never 'regex:0' --progress none
err_has '^rnnalf certify: expected one claim: DFA, --never P, --always P or --implies P DFA'
search 2 certify "$net" --implies 'regex:0' --progress none

# An extraction tries to prove its result, and says so in words and in the JSON; else nothing is called proved.
search 0 extract "$net" --certify --progress none
out_has '^Proved: network and automaton agree on all words[.]$'
search 0 extract "$net" --certificate extracted.json --dot extracted.dot --json run.json --progress none
out_has '^Proved: network and automaton agree on all words[.]$'
out_has '^rnnalf-check checks the proof in extracted.json[.]$'
grep -q '"proof": {"verdict":"certified","proved_for":"all words","empty_word_included":true' run.json ||
  fail 'expected the proof in run.json'
check 0 "$net" extracted.dot extracted.json
search 0 extract "$net" --progress none
! grep -qi 'pro[ov]' out || fail 'expected no word of a proof'

# Another automaton is refuted, by a word; no certificate is written.
search 0 certify "$net" "$networks/tomita4_proved.target.dot" --out none.json --progress none
out_has '^refuted: network and DFA differ on '
[ ! -e none.json ] || fail 'expected no certificate'
# A network that no proof is found for at once: open.
search 3 certify "$networks/tomita5_rnn30.onnx" "$networks/tomita5_rnn30.target.dot" --time-limit 0.2s --progress none
out_has '^open: no proof was found \(time-limit\)$'
# What is known when a limit comes is reported: all short words were run.
search 3 certify "$networks/tomita5_rnn30.onnx" "$networks/tomita5_rnn30.target.dot" --memory-limit 4MB --progress none
out_has '^open: no proof was found \(memory-limit\)$'
out_has '^  all words of up to 1[0-9] symbols were run: network and DFA agree$'

# The networks of the examples: a date, a bracket that closes first, an address without @.
search 0 certify "$networks/dates_proved.onnx" "$networks/dates_proved.target.dot" --never 'regex:.*//.*' --out dates.json --progress none
check 0 "$networks/dates_proved.onnx" 'regex:.*//.*' dates.json
search 0 certify "$networks/emails_lstm100.onnx" --never 'regex:[^@]+' --progress none
out_has '^refuted: a word of the property, which the network accepts: a$'

# What the checkers refuse: another network, another automaton, a changed certificate, no certificate.
check 1 "$networks/tomita2_proved.onnx" "$target" one.json
err_has '^rnnalf-check: one.json: refused: network: a certificate for other weights'
check_in_python 1 "$networks/tomita2_proved.onnx" "$target" one.json
check 1 "$net" "$networks/tomita2_proved.target.dot" one.json
err_has 'refused: dfa: a certificate for another language$'
check_in_python 1 "$net" "$networks/tomita2_proved.target.dot" one.json
sed 's/"low":\["[^"]*"/"low":["0x1.fp-1"/' one.json >changed.json
check 1 "$net" "$target" changed.json
err_has 'refused: '
check_in_python 1 "$net" "$target" changed.json
echo '{' >broken.json
check 1 "$net" "$target" broken.json
err_lines 1
check_in_python 1 "$net" "$target" broken.json
err_lines 1
check 1 "$net" "$target" missing.json
err_has 'missing.json: No such file or directory'
check 2 "$net" "$target"
err_has 'expected three files'
check 2 "$net" "$target" one.json --cell nonsense
search 2 certify "$net"
search 2 certify "$net" "$target" --letters x
err_has "^rnnalf certify: --letters: expected symbols of the network, found 'x'"
search 2 certify "$net" "$target" --max-run 0

# Every certificate that ships.
for certificate in "$networks"/*.certificate.json; do
  name=$(basename "$certificate" .certificate.json)
  automaton=$networks/$name.target.dot
  case $name in *.never_*) automaton=$networks/${name#*.never_}.dot ;; esac
  check 0 "$networks/${name%.never_*}.onnx" "$automaton" "$certificate"
  out_has '^For every word over .* the empty word (included|left out), .* in float32'
  check_in_python 0 "$networks/${name%.never_*}.onnx" "$automaton" "$certificate"
done
[ "$(ls "$networks"/*.certificate.json | wc -l)" -eq 12 ] || fail 'expected twelve certificates'

# What cannot be read is refused in our words, with the place, and before it takes much memory.
sed 's/"generators": *[0-9]*/"generators": 1e999/' one.json >large.json
check 1 "$net" "$target" large.json
err_lines 1
err_has "^rnnalf-check: large.json: refused: line [0-9]+, column [0-9]+: expected a number below 1.8e308, found '1e999'$"
sed 's/"slack"/"slick"/' one.json >other.json
check 1 "$net" "$target" other.json
err_has '^rnnalf-check: other.json: refused: expected a member "slack", found none$'
truncate -s 200M huge.json
check 1 "$net" "$target" huge.json
err_has '^rnnalf-check: huge.json: expected at most 128 MiB, found more$'

finish
