#!/bin/sh
# run_tests.sh BUILD_FOLDER MAKE_REPORTS RNNALF SOURCE_TREE MAKE_ANSWERS
#
# The pages in Chromium. Exit code 77: not run, because Chromium, Node.js or playwright-core cannot be had. The last one is
# installed from npm into the build folder, the others by ./quickstart test.
set -u
build=$1 make_reports=$2 rnnalf=$3 source=$4 make_answers=$5
networks=$source/examples/networks
here=$(cd "$(dirname "$0")" && pwd)

not_run() {
  echo "browser tests not run: $*"
  exit 77
}

for program in chromium node npm; do
  command -v $program >/dev/null || not_run "no $program (Debian: chromium, nodejs, npm)"
done

if ! [ -d "$build/node_modules/playwright-core" ] || ! cmp -s "$here/package.json" "$build/package.json"; then
  cp "$here/package.json" "$build/package.json"
  (cd "$build" && npm install --no-audit --no-fund --no-package-lock >npm.log 2>&1) || {
    tail -3 "$build/npm.log"
    rm -f "$build/package.json"
    not_run "npm could not install playwright-core"
  }
fi

pages=$build/pages
rm -rf "$pages"
"$make_reports" "$pages" || exit 1

# Elman, GRU and LSTM that ship, and networks that are graphs of operations.
set -- "$networks/tomita5_rnn30.onnx" "$networks/bp_gru50.onnx" "$networks/rand10_3_s5_lstm100.onnx"
for name in elman-loop gru-formulas-loop hand-written-joined lstm-cell-loop head-gelu last-mean-max layer-norm-first max residual two-cells; do
  set -- "$@" "$source/tests/data/ways/$name.17.onnx"
done
"$make_answers" "$pages/answers.json" "$@" || exit 1

for network in "$networks"/*.onnx; do
  name=$(basename "$network" .onnx)
  target=$networks/$name.target.dot
  if [ -f "$target" ]; then set -- --target "$target"; else set --; fi
  "$rnnalf" extract "$network" "$@" --max-rounds 12 --quiet --report "$pages/network_$name.html"
  code=$?
  [ $code = 0 ] || [ $code = 3 ] || { echo "extract $network ended with $code"; exit 1; }
done

# A comparison, one network with a hostile name.
cp "$networks/tomita1_gru100.onnx" "$pages/<img src=x onerror=window.hurt=1>.onnx"
"$rnnalf" compare "$networks/tomita5_rnn30.onnx" "$pages/<img src=x onerror=window.hurt=1>.onnx" \
  --learner lstar --learner ttt --repeat 2 --quiet --report "$pages/compared.html" >"$pages/compared.txt" || exit 1

# Modules are looked for beside the script that imports them.
cp "$here"/*.mjs "$build/"
RNNALF_PAGES=$pages RNNALF_PAGE_SOURCES=$source/plugin/rnnalf/report/page RNNALF_PROGRAM=$rnnalf RNNALF_NETWORKS=$networks \
  exec node --test "$build/network.test.mjs" "$build/agreement.test.mjs" "$build/extraction.test.mjs" "$build/comparison.test.mjs"
