source "$(dirname "$0")/check.sh"

target=$networks/tomita3_gru100.target.dot
for format in svg pdf png; do
  run 0 draw "$target" "a.$format"
  no_err
done
grep -q '<svg ' a.svg || fail 'expected an SVG'
head -c 5 a.pdf | cmp -s - <(printf '%%PDF-') || fail 'expected a PDF'
head -c 4 a.png | cmp -s - <(printf '\x89PNG') || fail 'expected a PNG'

states() { grep -c 'class="node state' "$1"; }
run 0 draw "$target" all.svg --sinks shown
run 0 draw "$target" few.svg --sinks hidden
[ "$(states all.svg)" -gt "$(states few.svg)" ] || fail 'expected --sinks hidden to leave out a state'

run 2 draw "$target" a.jpeg
err_has 'a.jpeg: the extension selects the format: .svg, .pdf or .png'
run 1 draw missing.dot b.svg
[ ! -e b.svg ] || fail 'expected no output'
run 1 draw "$target" no/such/folder/b.pdf
err_lines 1
finish
