source "$(dirname "$0")/check.sh"

mkdir nets
for name in tomita5_rnn30 tomita1_gru100; do cp "$networks/$name.onnx" "$networks/$name.target.dot" nets/; done
cat >small.toml <<'END'
title = "Small"
networks = ["nets/*.onnx"]
learners = ["lstar", "ttt"]
oracles = ["samples,random:per-length=20:max-length=12"]
seeds = "1-3"
max-steps = 20000
exact = true
lengths = [5, 10]
per-length = 20

[table.counts]
columns = ["verdict", "states", "membership_queries", "rnn_steps", "agreement", "equals_target"]
[table.learners]
summary = "learner"
[table.refuted]
refutes = "learner"

[figure.cactus]
kind = "cactus"
over = "steps"
[figure.agreement]
kind = "agreement"
[figure.size]
kind = "size"
[figure.learners]
kind = "scatter"
over = "steps"
x = "lstar"
y = "ttt"
END

# What is asked for, before anything is run.
run 0 study check small.toml
out_has '2 networks x 2 ways x 3 seeds = 12 jobs'
out_has 'lstar  samples,random:per-length=20:max-length=12'
out_has 'max-steps 20000'
[ ! -e small.results ] || fail 'expected study check to write nothing'
run 0 study keys
out_has '^  networks = '
out_has '^  max-steps = N'

# Every job has a row; the second run has nothing to do.
run 0 study run small.toml
out_is '12 jobs done'
err_has '^rnnalf: 0 of 12 jobs are done, 12 to run$'
[ "$(ls small.results/rows | wc -l)" -eq 12 ] || fail 'expected 12 rows'
run 0 study run small.toml
err_has '^rnnalf: 12 of 12 jobs are done, 0 to run$'
run 0 study status small.toml
out_has '^Small +12 +12 +0$'

# The table, and its CSV with a row per extraction.
run 0 study table small.toml --csv small.csv --latex small.tex --json small.json --counterexamples words.csv
no_err
out_has '^tomita5_rnn30 +ttt +none-found +4 '
out_has '; commit '
out_has 'max-steps 20000'
[ "$(wc -l <small.csv)" -eq 13 ] || fail 'expected 12 rows and a line of names'
grep -q '^experiment,network,method,learner,chain,seed,number,word,' words.csv || fail 'expected counterexamples'
cp out table.before
out_has '^learner +runs +ended +solved +missed +alone +errors +agree % +states +cex +steps$'
out_has '^ttt +6 '
grep -q '^ttt & 6 & ' small.tex || fail 'expected the summary in LaTeX, too'
grep -B1 '^% learners$' small.tex | head -n 1 | grep -qx '' || fail 'expected a paragraph for each table'

# The same numbers, whatever the order, the number of processes and the place.
mkdir elsewhere
cp -r nets small.toml elsewhere/
run 0 study run elsewhere/small.toml --jobs 1 --quiet
no_err
run 0 study table elsewhere/small.toml
same out table.before
run 0 study diff small.toml elsewhere/small.toml
out_has '^12 extractions in both: 12 the same in all that was counted, 0 different; 0 in the first alone, 0 in'

# Figures: SVG is XML, both name where they came from.
run 0 study plot small.toml --out figures
for name in cactus agreement size-tomita5_rnn30 size-tomita1_gru100 learners; do
  [ -s figures/$name.svg ] && [ -s figures/$name.pdf ] || fail "expected figures/$name.svg and .pdf"
  grep -q 'max-steps 20000' figures/$name.svg || fail "expected the options in $name.svg"
  head -c 5 figures/$name.pdf | grep -q '^%PDF-' || fail "expected a PDF"
done
if command -v xmllint >/dev/null; then
  xmllint --noout figures/*.svg || fail 'expected well-formed SVG'
fi
if command -v pdftotext >/dev/null; then
  pdftotext figures/cactus.pdf - | grep -q 'extractions solved' || fail 'expected pdftotext to find the text'
fi
run 0 study report small.toml --out small.html
grep -q '<svg' small.html && grep -q '>Small</title>' small.html || fail 'expected a page with figures'

# A bundle is repeated elsewhere, and compared.
run 0 study bundle small.toml --out small.tar
run 0 study diff small.tar small.toml
mkdir theirs
tar -C theirs -xf small.tar
(cd theirs/small && sha256sum --check --quiet MANIFEST.sha256) || fail 'expected the hashes to be right'
run 0 study table theirs/small/small.toml
same out table.before
rm -r theirs/small/small.results
run 0 study run theirs/small/small.toml --quiet
run 0 study diff small.tar theirs/small/small.toml
sed -i 's/"states":4/"states":5/' small.tar
run 1 study diff small.tar small.toml
err_has '^rnnalf: small.tar: .*expected the hash in MANIFEST.sha256, found another$'

# A bundle of a study with absolute names, and with results elsewhere, is repeated where these files are not.
mkdir -p far/nets far/study
cp nets/tomita5_rnn30.* far/nets/
printf '0\n1\n' >far/vocabulary.txt
printf '0\n11\n' >far/words.txt
cat >far/study/far.toml <<END
# with a comment
networks = ["$work/far/nets/*.onnx"]
vocabulary = '$work/far/vocabulary.txt'
words = ["$work/far/words.txt"]
learners = ["ttt"]
max-steps = 2000
lengths = [5]
per-length = 5
[table.counts]
columns = ["verdict", "states", "rnn_steps"]
END
run 0 study run far/study/far.toml --results far_results --quiet
run 0 study table far/study/far.toml --results far_results
head -n 3 out >far_table.before    # what follows has the name of the vocabulary
run 0 study bundle far/study/far.toml --results far_results --out far.tar
mkdir from_far
tar -C from_far -xf far.tar
mv far not_there
grep -q "$work" from_far/far/study/far.toml && fail 'expected no absolute name in the study file of a bundle'
grep -q '^# with a comment' from_far/far/study/far.toml || fail 'expected the rest of the study file as it was'
(cd from_far/far && sha256sum --check --quiet MANIFEST.sha256) || fail 'expected the hashes to be right'
run 0 study table from_far/far/study/far.toml
head -n 3 out >far_table.after
same far_table.after far_table.before
rm -r from_far/far/study/far.results
run 0 study run from_far/far/study/far.toml --quiet
run 0 study diff far.tar from_far/far/study/far.toml
mv not_there far

run 0 study job --help
out_has 'FOLDER/plans'

# Words of each network: {name} stands for it.
printf '0\n11\n' >nets/tomita5_rnn30.words.txt
printf '1\n' >nets/tomita1_gru100.words.txt
sed 's/^seeds.*/words = ["nets\/{name}.words.txt"]/' small.toml >words.toml
run 0 study run words.toml --quiet
run 0 study table words.toml --csv words_table.csv
out_has '^tomita5_rnn30 .*lstar'
grep -q '"given":{[^}]*"words":2' words.results/rows/*.row && grep -q '"given":{[^}]*"words":1' words.results/rows/*.row ||
  fail 'expected two words of one network and one of the other to be measured'
run 0 study bundle words.toml --out words.tar
tar -tf words.tar | grep -q 'nets/tomita1_gru100.words.txt$' || fail 'expected the words in the bundle'
rm nets/tomita1_gru100.words.txt
run 1 study check words.toml
err_has 'tomita1_gru100.words.txt: '

# A damaged row is reported by whatever reads it, and run again.
row=$(ls small.results/rows/* | head -1)
truncate -s -5 "$row"
for command in table report bundle plot status; do
  run 1 study $command small.toml
  err_lines 1
  err_has "^rnnalf: .*/rows/[0-9a-f]+\.row: the row is damaged. rnnalf study run computes it again$"
  [ ! -s out ] || fail "expected study $command to print nothing from rows that are not all there"
done
run 1 study diff small.toml elsewhere/small.toml
err_has 'the row is damaged'
run 0 study run small.toml
err_has 'a damaged row is not used; its job is run again'
err_has '^rnnalf: 11 of 12 jobs are done, 1 to run$'
run 0 study table small.toml
same out table.before

# Killed at random points, it goes on: the same table in the end.
rm -r small.results
for i in 1 2 3 4 5; do
  "$program" study run small.toml --quiet >/dev/null 2>&1 &
  driver=$!
  sleep 0.0$((RANDOM % 9 + 1))
  kill -9 $driver 2>/dev/null
  wait $driver 2>/dev/null
done
run 0 study run small.toml --quiet
run 0 study table small.toml
same out table.before
[ "$(ls -A small.results/rows | wc -l)" -eq 12 ] || fail 'expected 12 rows and nothing else'

# Ctrl-C: jobs under way are ended, what is done is kept.
cat >long.toml <<'END'
networks = ["nets/tomita5_rnn30.onnx"]
seeds = "1-4"
exact = true
oracles = ["samples,random:per-length=1000000:max-length=60"]
time-limit = "20s"
lengths = [5]
per-length = 5
END
env --default-signal=INT "$program" study run long.toml --jobs 2 >out 2>err &
driver=$!
for i in $(seq 100); do
  [ "$(pgrep -fc "study job $work/long.results")" -ge 1 ] && break
  sleep 0.1
done
# A second run has to wait its turn.
"$program" study run long.toml >/dev/null 2>second
grep -q 'expected no other run of this study at work, found one' second || fail 'expected one run at a time'
kill -INT $driver
wait $driver
code=$?
[ $code -eq 130 ] || fail "expected exit code 130, found $code"
err_has '^rnnalf study run: interrupted; 0 of 4 jobs are done; the same command continues$'
pgrep -f "study job $work/long.results" >/dev/null && fail 'expected no job to outlive the run'

# A job that is killed is a row that says so; --again runs it again.
"$program" study run long.toml --jobs 1 >out 2>err &
driver=$!
for i in $(seq 200); do
  worker=$(pgrep -f "study job $work/long.results" | xargs -r -n1 pgrep -P 2>/dev/null | head -1)
  [ -n "$worker" ] && break
  sleep 0.05
done
kill -9 "$worker"
for i in $(seq 100); do
  [ -n "$(ls long.results/rows 2>/dev/null)" ] && break
  sleep 0.1
done
kill -INT $driver 2>/dev/null
kill -TERM $driver 2>/dev/null
wait $driver
run 0 study status long.toml
out_has 'seed 1: died: it was ended by signal 9 \(Killed\)'
run 0 study table long.toml
out_has 'died'

# Training is part of a study; what fails says so.
cat >trained.toml <<'END'
networks = ["new/*.onnx"]
max-steps = 2000
exact = true
lengths = [5]
per-length = 5
[train]
folder = "new"
names = ["one", "two"]
command = ["sh", "-c", "cp nets/tomita5_rnn30.onnx {folder}/{name}.onnx"]
END
run 0 study check trained.toml
out_has '^2 networks to train first'
out_has "^    sh -c 'cp nets/tomita5_rnn30.onnx \{folder\}/one.onnx'$"
out_has "^    sh -c 'cp nets/tomita5_rnn30.onnx \{folder\}/two.onnx'$"
run 1 study table trained.toml
err_has '^rnnalf: .*new/one.onnx: expected a trained network, found none; rnnalf study run trained.toml trains it$'
run 0 study status trained.toml
out_has '^0 of 2 networks trained; rnnalf study run trained.toml trains the others$'
run 0 study run trained.toml --quiet
out_is '2 jobs done'
err_has "^rnnalf: \[train\] runs: sh -c 'cp nets/tomita5_rnn30.onnx \{folder\}/one.onnx'$"
err_has "^rnnalf: \[train\] runs: sh -c 'cp nets/tomita5_rnn30.onnx \{folder\}/two.onnx'$"
run 0 study check trained.toml
out_has '^All 2 networks of \[train\] are there. Its command, which is not run:$'
out_has "^    sh -c 'cp nets/tomita5_rnn30.onnx \{folder\}/\{name\}.onnx'$"

# Commands that came in a bundle need a yes, those of [train] and those of sbatch.
run 0 study bundle trained.toml --out trained.tar
mkdir stranger
tar -C stranger -xf trained.tar
run 0 study run stranger/trained/trained.toml --quiet
rm stranger/trained/new/two.onnx
sed -i 's/cp nets/touch ..\/..\/was_run; cp ..\/..\/nets/' stranger/trained/trained.toml
run 1 study run stranger/trained/trained.toml
err_lines 1
err_has "stranger/trained/trained.toml: the study came in a bundle \(.*MANIFEST.sha256\) and would run sh -c 'touch .*two.onnx'. If you trust its author, add --allow-commands$"
[ ! -e was_run ] || fail 'expected no command of a bundle to be run'
run 0 study run stranger/trained/trained.toml --allow-commands --quiet
[ -e was_run ] || fail 'expected the command to be run when it was allowed'
printf '[slurm]\noptions = ["evil.sh"]\n' >>stranger/trained/trained.toml
run 0 study check stranger/trained/trained.toml
out_has '^with --slurm: sbatch evil.sh$'
run 1 study run stranger/trained/trained.toml --slurm
err_has 'would run sbatch evil.sh. If you trust its author, add --allow-commands$'
[ "$(ls -A new | paste -sd' ')" = 'one.onnx two.onnx' ] || fail 'expected the two networks and nothing else'
sed 's/cp nets.*onnx"/echo no luck >\&2; exit 4"/; s/"new/"newer/g' trained.toml >untrained.toml
run 1 study run untrained.toml
err_has 'one was not trained: exit code 4: no luck$'
run 0 study status untrained.toml
out_has '^one: failed: exit code 4: no luck$'

# A full disk: nothing is reported as done that is not.
if [ "$(id -u)" -eq 0 ] && mkdir tiny && mount -t tmpfs -o size=32k tmpfs tiny 2>/dev/null; then
  run 1 study run small.toml --results tiny/r
  err_has 'cannot write: No space left on device'
  whole=$(find tiny/r/rows -name '*.row' -not -name '.*' | wc -l)
  mount -o remount,size=20m tiny
  run 0 study run small.toml --results tiny/r
  err_has "^rnnalf: $whole of 12 jobs are done, $((12 - whole)) to run$"
  run 0 study table small.toml --results tiny/r
  same out table.before
  umount tiny
fi

# What no run has answered yet is one line, and says what to do.
for command in table plot report; do
  run 1 study $command small.toml --results nowhere
  err_lines 1
  err_has "/nowhere: expected rows of this study, found none; rnnalf study run small.toml makes them\$"
done
sed 's/max-steps = 20000/max-steps = 19999/' small.toml >other.toml
run 1 study table other.toml --results small.results
err_lines 1
err_has 'small.results: expected rows of this study, found 12 rows of other options, files or programs; rnnalf study run'
run 0 study status other.toml --results small.results
out_has '^12 rows of other options, files or programs in the same folder$'
run 0 study run other.toml --results small.results
err_has 'small.results: 12 rows of other options, files or programs stay there and are not used$'
# Without Slurm there is no cluster; nothing is lost by having asked.
mkdir no_slurm
PATH=$work/no_slurm run 1 study run small.toml --slurm --results nothing_yet
err_has '^rnnalf: sbatch: expected Slurm'

# A title cannot steer the terminal.
sed 's/^title.*/title = "\\u001b[2J\\u009b\\u202ehello"/' small.toml >steer.toml
run 0 study check steer.toml
out_has '^\\u001b\[2J\\u009b\\u202ehello$'
run 0 study status steer.toml --results small.results
out_has '^\\u001b\[2J\\u009b\\u202ehello +12 '
LC_ALL=C grep -q $'[\033\302]' out && fail 'expected no control character'

# Wrong usage and bad input.
run 2 study
err_has 'expected study check\|keys\|run'
run 2 study rum small.toml
err_has "unknown command 'study rum', did you mean study run\?"
run 0 study --help
out_has '^  study diff '
run 2 study run
run 2 study table small.toml --table cuonts
err_has 'did you mean counts\?'
run 2 study plot small.toml --figure none
run 1 study check missing.toml
err_has '^rnnalf: missing.toml: '
printf 'networks = ["nets/*.onnx"]\nlerners = ["ttt"]\n' >bad.toml
run 1 study check bad.toml
err_lines 1
err_has "^rnnalf: bad.toml:2: expected a key that rnnalf study keys lists, found 'lerners', did you mean learners\?$"
printf 'networks = ["nets/*.pt"]\n' >none.toml
run 1 study check none.toml
err_has "^rnnalf: none.toml: networks: expected files that match 'nets/\*.pt'"
run 1 study diff small.toml nowhere.toml
run 1 study job "$work/small.results" nonsense 0
err_lines 1

finish
