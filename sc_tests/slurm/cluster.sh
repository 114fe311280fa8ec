#!/bin/sh
# A Slurm of two nodes of one processor each, on this machine, from Debian's slurmctld, slurmd, slurm-client and munge,
# for tests: everything is in one folder and on the loopback.
#
#   cluster.sh start DIR PORT     PORT and the two after it have to be free; prints the configuration's path
#   cluster.sh stop DIR
#   cluster.sh kill_node DIR n1   the node's daemon and all that it runs are gone at once, as when it loses power
#   cluster.sh start_node DIR n1
set -eu
export PATH="$PATH:/usr/sbin"
action=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd -P)

# kill_file FILE: the process whose number the file has.
kill_file() {
  if [ -s "$1" ]; then kill -KILL "$(cat "$1")" 2>/dev/null || true; fi
}

# kill_tree PROCESS: it and all below it.
kill_tree() {
  kill -STOP "$1" 2>/dev/null || return 0
  for child in $(ps -o pid= --ppid "$1"); do kill_tree "$child"; done
  kill -KILL "$1" 2>/dev/null || true
}

# kill_node NODE: its daemon, and the processes of its jobs, which are known by the log that they have open.
kill_node() {
  kill_file "$dir/slurmd-$1.pid"
  for step in $(pgrep -x slurmstepd || true); do
    if readlink "/proc/$step/fd/"* 2>/dev/null | grep -qx "$dir/log/slurmd-$1.log"; then kill_tree "$step"; fi
  done
}

case $action in
start)
  port=$3
  host=$(hostname)
  mkdir -p "$dir/state" "$dir/log" "$dir/munge"
  chmod 700 "$dir/munge" "$dir/log"
  dd if=/dev/urandom of="$dir/munge.key" bs=1 count=1024 2>/dev/null
  chmod 400 "$dir/munge.key"
  munged --force --key-file="$dir/munge.key" --socket="$dir/munge/m.sock" --pid-file="$dir/munge/m.pid" \
    --log-file="$dir/log/munged.log" --seed-file="$dir/munge/seed" 2>"$dir/log/munged.err"
  cat >"$dir/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge/m.sock
StateSaveLocation=$dir/state
SlurmctldPidFile=$dir/ctld.pid
SlurmctldLogFile=$dir/log/ctld.log
SlurmdLogFile=$dir/log/slurmd-%n.log
SlurmdPidFile=$dir/slurmd-%n.pid
SlurmdSpoolDir=$dir/spool-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SwitchType=switch/none
MpiDefault=none
SlurmdTimeout=10
MessageTimeout=10
KillWait=5
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 RealMemory=1000 State=UNKNOWN
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
  export SLURM_CONF="$dir/slurm.conf"
  slurmctld -f "$dir/slurm.conf"
  slurmd -f "$dir/slurm.conf" -N n1
  slurmd -f "$dir/slurm.conf" -N n2
  for _ in $(seq 100); do
    [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ] && break
    sleep 0.2
  done
  sinfo -h -t idle -o %D | grep -qx 2
  echo "$dir/slurm.conf"
  ;;
stop)
  kill_node n1
  kill_node n2
  kill_file "$dir/ctld.pid"
  kill_file "$dir/munge/m.pid"
  ;;
kill_node)
  kill_node "$3"
  ;;
start_node)
  SLURM_CONF="$dir/slurm.conf" slurmd -f "$dir/slurm.conf" -N "$3"
  ;;
*)
  echo "cluster.sh: unknown action '$action'" >&2
  exit 2
  ;;
esac
