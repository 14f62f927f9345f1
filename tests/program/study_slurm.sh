source "$(dirname "$0")/check.sh"
source "$source_tree/tests/support/slurm.sh"
source "$source_tree/tests/support/tiny_study.sh"
trap 'slurm_stop; rm -rf "$work"' EXIT
if ! slurm_start "$work/slurm" 8; then
  echo "not run: $slurm_problem"
  exit 0
fi

tiny_study array.toml 100  # 200 jobs
run 0 study run array.toml --results here --quiet
run 0 study table array.toml --results here
cp out table.here

rows() { find there/rows -name '*.row' -not -name '.*' 2>/dev/null | wc -l; }
wait_for_rows() {
  local i
  for i in $(seq 600); do
    [ "$(rows)" -ge "$1" ] && return
    sleep 0.1
  done
  fail "expected $1 rows, found $(rows)"
}
start() {
  "$program" study run array.toml --slurm --poll 500ms --results there >out 2>err &
  driver=$!
}

start
# A job is killed. It lives for some milliseconds, so it is found and killed by one program, on a busy machine too.
wait_for_rows 5
killed=
for i in $(seq 500); do
  pkill -9 --oldest -f "study job $work/there " && killed=yes && break
  sleep 0.02
done
[ -n "$killed" ] || fail 'expected to find a job to kill'
# The node is drained, and comes back.
wait_for_rows 20
scontrol update nodename="$slurm_node" state=drain reason=test
sleep 2
scontrol update nodename="$slurm_node" state=resume
# The driver is killed: what is in the queue goes on, and the next one finds it.
wait_for_rows 40
kill -9 $driver
wait $driver 2>/dev/null
start
# Some tasks are cancelled.
wait_for_rows 70
squeue --noheader --array --states=PENDING --format=%i | head -10 | xargs -r scancel
# The controller goes away for a while.
wait_for_rows 100
slurm_controller_stop
sleep 3
slurm_controller_start || fail "$slurm_problem"
wait $driver
code=$?
[ $code -eq 0 ] || fail "expected exit code 0, found $code"
out_is '200 jobs done'

# Nothing lost, nothing twice: every job has one row, and the table is the one that was made here.
[ "$(rows)" -eq 200 ] || fail "expected 200 rows, found $(rows)"
run 0 study status array.toml --results there
out_has ' +200 +200 +0$'
run 0 study table array.toml --results there
same out table.here
[ "$(ls -A there/rows | wc -l)" -eq 200 ] || fail 'expected nothing but rows'
run 0 study diff here there
out_has '200 the same in all that was counted, 0 different'

finish
