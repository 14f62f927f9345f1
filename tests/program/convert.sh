source "$(dirname "$0")/check.sh"

# Every target that ships: through every format and back.
for target in "$networks"/*.target.dot; do
  run 0 convert "$target" a.dot
  run 0 convert a.dot b.json
  run 0 convert b.json c.dot
  same a.dot c.dot
  run 0 convert a.dot d.alf
  run 0 convert d.alf e.alf
  same d.alf e.alf
  no_err
done

run 0 convert a.dot - --to json
out_has '"transitions"'
cp a.dot automaton
run 2 convert automaton x.json
err_has 'automaton: expected a name ending in .dot, .json or .alf, found no extension'
run 0 convert automaton x.json --from dot
run 2 convert a.dot x.png
run 2 convert a.dot -
run 2 convert a.dot x --to yaml
err_has "expected dot, json or alf, found 'yaml'"

printf 'digraph { __start0 -> a; a -> b [label="x"]; b -> a [label="y"]; b [shape=doublecircle] }' >partial.dot
run 0 convert partial.dot whole.dot
err_has "^rnnalf: partial.dot: note: 2 transitions are missing \(first: state 'a', symbol 'y'\)"
run 0 convert whole.dot again.dot
no_err
same whole.dot again.dot

printf 'digraph {\n a -> b [label="x"]\n}\n' >no_start.dot
run 1 convert no_start.dot y.dot
err_lines 1
err_has '^rnnalf: no_start.dot:[0-9]+: expected an edge into the initial state'
[ ! -e y.dot ] || fail 'expected no output'
run 1 convert missing.dot y.dot
err_has '^rnnalf: missing.dot: No such file or directory$'
run 1 convert a.dot no/such/folder/y.dot
err_has '^rnnalf: no/such/folder/y.dot: cannot write'

# A failing write leaves the old file alone.
echo old >kept.dot
run 1 convert no_start.dot kept.dot
[ "$(cat kept.dot)" = old ] || fail 'expected the old file'

finish
