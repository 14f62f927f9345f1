source "$(dirname "$0")/check.sh"

run 0 shell-files shell

# What bash offers after the words; the last one is being typed.
offers() {
  bash -c 'source shell/rnnalf.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rnnalf; printf "%s\n" "${COMPREPLY[@]}"' - "$@" >out
}
offers rnnalf ex
cmp -s out <(echo extract) || fail "rnnalf ex: offered $(cat out)"
offers rnnalf extract net.onnx --max-st
out_has '^--max-states$'
offers rnnalf extract net.onnx --learner tt
cmp -s out <(echo ttt) || fail "--learner tt: offered $(cat out)"
offers rnnalf study ta
cmp -s out <(echo table) || fail "rnnalf study ta: offered $(cat out)"
offers rnnalf study run --sl
out_has '^--slurm'
offers rnnalf extract net
cmp -s out <(echo) || fail "a file name: offered $(cat out)"

# Every option of every command has its place in the manual and in both completions.
for command in extract classify certify compare draw 'study run'; do
  run 0 $command --help
  for option in $(grep -oE '^  --[a-z-]+' out); do
    grep -qF -- "${option//-/\\-}" "shell/man1/rnnalf-${command/ /-}.1" || fail "no $option in the page of $command"
    grep -qF -- "'$option[" shell/_rnnalf || fail "no $option in the completion for zsh"
    grep -qE -- "[' ]$option[' ]" shell/rnnalf.bash || fail "no $option in the completion for bash"
  done
done
if command -v zsh >/dev/null; then zsh -n shell/_rnnalf || fail 'zsh does not take its completion'; fi
if command -v groff >/dev/null; then
  for page in shell/man1/*.1; do
    [ -z "$(groff -man -Tutf8 -ww "$page" 2>&1 >/dev/null)" ] || fail "groff warns about $page"
  done
fi

finish
