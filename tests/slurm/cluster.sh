# A Slurm cluster of two nodes on this machine: munge, slurmctld and two slurmd, on loopback addresses, with all
# files in one folder. To be sourced by a script of root; `start_cluster FOLDER PORT` uses the ports PORT to PORT + 2.
# Needs the packages slurm-wlm and munge.

# Waits until the command succeeds, up to 60 s.
wait_until() {
  local tries=600
  until "$@" >/dev/null 2>&1; do
    tries=$((tries - 1))
    if [ $tries -eq 0 ]; then
      echo "never came true: $*" >&2
      return 1
    fi
    sleep 0.1
  done
}

# Starts a program in the background and keeps its number in $cluster/NAME.pid.
start_daemon() {
  local name=$1
  shift
  "$@" >>"$cluster/$name.out" 2>&1 &
  echo $! >"$cluster/$name.pid"
}

# Kills a daemon and waits until it is gone.
kill_daemon() {
  local pid
  pid=$(cat "$cluster/$1.pid")
  rm "$cluster/$1.pid"
  kill -9 "$pid"
  { wait "$pid" || true; } 2>/dev/null
}

start_node() {
  start_daemon "$1" slurmd -D -N "$1" -f "$SLURM_CONF"
}

start_controller() {
  start_daemon slurmctld slurmctld -D -f "$SLURM_CONF"
}

all_idle() {
  [ "$(sinfo -h -o '%T' -p all | sort -u)" = idle ]
}

start_cluster() {
  cluster=$1
  local port=$2
  mkdir -p "$cluster"/{munge,state,spool-n1,spool-n2}
  chmod 711 "$cluster"
  dd if=/dev/urandom of="$cluster/munge/key" bs=1024 count=1 2>/dev/null
  chmod 400 "$cluster/munge/key"
  chmod 755 "$cluster/munge"
  local user
  user=$(id -un)
  cat >"$cluster/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket
CredType=cred/munge
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool-%n
SlurmctldPidFile=$cluster/slurmctld.own
SlurmdPidFile=$cluster/%n.own
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
MessageTimeout=5
SlurmdTimeout=10
SlurmdParameters=config_overrides
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
InactiveLimit=0
KillWait=2
NodeName=n1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=4 State=UNKNOWN
NodeName=n2 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=4 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
  export SLURM_CONF="$cluster/slurm.conf"
  start_daemon munged munged --foreground --force --socket="$cluster/munge/socket" \
    --key-file="$cluster/munge/key" --pid-file="$cluster/munge/pid" --log-file="$cluster/munge/log" \
    --seed-file="$cluster/munge/seed" --num-threads=2
  wait_until test -S "$cluster/munge/socket"
  start_controller
  start_node n1
  start_node n2
  wait_until all_idle
}

# Ends all daemons, those that have ended already included.
stop_cluster() {
  local daemon
  for daemon in n1 n2 slurmctld munged; do
    if [ -f "$cluster/$daemon.pid" ]; then
      kill_daemon $daemon 2>/dev/null || true
    fi
  done
}
