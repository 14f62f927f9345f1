# A Slurm of our own: controller and node daemon of one machine in a private folder, to be sourced by tests.
# Needs root, slurmctld, slurmd and munged (Debian: slurm-wlm munge); RNNALF_INSTALL_SLURM=1 installs them where it can.
#
#   slurm_start FOLDER [CPUS]   starts it and makes sbatch, squeue, ... use it; false, with the reason in
#                               slurm_problem, where that is not possible
#   slurm_controller_stop / slurm_controller_start
#   slurm_stop

slurm_problem=
slurm_node=rnnalf-test

slurm_start() {
  slurm_folder=$1
  local cpus=${2:-2} program
  [ "$(id -u)" -eq 0 ] || { slurm_problem='expected to be root'; return 1; }
  if [ -n "${RNNALF_INSTALL_SLURM:-}" ] && ! command -v slurmctld >/dev/null && command -v apt-get >/dev/null; then
    DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends slurm-wlm munge \
      >/dev/null 2>&1
  fi
  for program in munged slurmctld slurmd sbatch squeue scontrol scancel; do
    command -v $program >/dev/null || { slurm_problem="no $program (Debian: slurm-wlm munge)"; return 1; }
  done
  mkdir -p "$slurm_folder"/{state,spool}
  chmod 755 "$slurm_folder"
  head -c 1024 /dev/urandom >"$slurm_folder/munge.key"
  chmod 600 "$slurm_folder/munge.key"
  munged --force --key-file="$slurm_folder/munge.key" --socket="$slurm_folder/munge.socket" \
    --pid-file="$slurm_folder/munge.pid" --log-file="$slurm_folder/munge.log" --seed-file="$slurm_folder/munge.seed" \
    2>"$slurm_folder/munge.err" || { slurm_problem="munged: $(head -1 "$slurm_folder/munge.err")"; return 1; }
  local base=$((20000 + RANDOM % 20000)) memory
  memory=$(slurmd -C | grep -o "RealMemory=[0-9]*" | cut -d= -f2)
  cat >"$slurm_folder/slurm.conf" <<CONF
ClusterName=rnnalf
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm_folder/munge.socket
CredType=cred/munge
SlurmctldPort=$base
SlurmdPort=$((base + 1))
StateSaveLocation=$slurm_folder/state
SlurmdSpoolDir=$slurm_folder/spool
SlurmctldPidFile=$slurm_folder/slurmctld.pid
SlurmdPidFile=$slurm_folder/slurmd.pid
SlurmctldLogFile=$slurm_folder/slurmctld.log
SlurmdLogFile=$slurm_folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0,default_queue_depth=1000
MaxArraySize=${SLURM_TEST_ARRAY:-1001}
MaxJobCount=20000
MinJobAge=5
KillWait=2
MessageTimeout=5
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=$slurm_node NodeAddr=127.0.0.1 NodeHostname=$(hostname -s) CPUs=$cpus RealMemory=$memory
PartitionName=test Nodes=$slurm_node Default=YES MaxTime=INFINITE State=UP
CONF
  export SLURM_CONF=$slurm_folder/slurm.conf
  slurm_controller_start || return 1
  slurmd -N $slurm_node >"$slurm_folder/slurmd.err" 2>&1 || { slurm_problem="slurmd: $(head -1 "$slurm_folder/slurmd.err")"; return 1; }
  local i
  for i in $(seq 100); do
    sinfo --noheader --format=%T 2>/dev/null | grep -q '^idle$' && return 0
    sleep 0.2
  done
  slurm_problem="the node does not become idle: $(sinfo --noheader --format='%T %E' 2>&1 | head -1)"
  return 1
}

slurm_controller_start() {
  slurmctld >"$slurm_folder/slurmctld.err" 2>&1 || { slurm_problem="slurmctld: $(head -1 "$slurm_folder/slurmctld.err")"; return 1; }
  local i
  for i in $(seq 100); do
    scontrol ping 2>/dev/null | grep -q 'is UP' && return 0
    sleep 0.1
  done
  slurm_problem='slurmctld does not answer'
  return 1
}

slurm_controller_stop() { slurm_end slurmctld; }

# slurm_end NAME: ends the daemon whose process is in NAME.pid, and waits.
slurm_end() {
  local process i
  process=$(cat "$slurm_folder/$1.pid" 2>/dev/null) || return 0
  kill "$process" 2>/dev/null
  for i in $(seq 50); do
    kill -0 "$process" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -9 "$process" 2>/dev/null
}

slurm_stop() {
  [ -n "${slurm_folder:-}" ] || return 0
  scancel --name="$(squeue --noheader --format=%j 2>/dev/null | sort -u | paste -sd,)" 2>/dev/null
  slurm_end slurmd
  slurm_end slurmctld
  slurm_end munge
}
