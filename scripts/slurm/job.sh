# What both batch scripts do with their arguments, `CASE.yaml [options of tetrawave run]`: one run of the case that
# stops with a checkpoint before the job's time ends, and a new job in the queue that resumes it. Sourced by them.
#
#   TETRAWAVE         the program (default: build/bin/tetrawave beside scripts/, else the one on the PATH)
#   TETRAWAVE_MARGIN  seconds before the end of the job's time by which the run has written its checkpoint (120)
#
# The signal of the scripts' --signal line and `scancel --batch --signal=USR1` stop the run with a checkpoint (exit 75),
# and the job is put back into the queue; after `scancel` (TERM) it is not. --max-wall does the same by the clock, where
# signals do not come.

# OpenMPI gives ranks one second between TERM and KILL unless told otherwise; a checkpoint takes longer. It waits for all of
# this time, also when a run has stopped by itself; Slurm's own KILL comes 30 seconds after its TERM.
export OMPI_MCA_odls_base_sigkill_timeout=${OMPI_MCA_odls_base_sigkill_timeout:-25}

fail() {
  echo "job.sh: $1" >&2
  exit "${2:-64}"
}

find_program() {
  local beside=$TW_SLURM/../../build/bin/tetrawave
  if [ -n "${TETRAWAVE:-}" ]; then
    echo "$TETRAWAVE"
  elif [ -x "$beside" ]; then
    echo "$beside"
  else
    command -v tetrawave || fail 'tetrawave is not found: name it in TETRAWAVE' 66
  fi
}

# output_directory WORD...: as `tetrawave run` chooses it.
output_directory() {
  local chosen name=${1##*/}
  chosen=${name%.*}.out
  while [ $# -gt 0 ]; do
    case $1 in
      -o | --output) chosen=${2:-} ;;
      --output=*) chosen=${1#--output=} ;;
      -o?*) chosen=${1#-o} ;;
    esac
    shift
  done
  echo "$chosen"
}

# seconds_left: of this job's time, from Slurm's [D-][HH:]MM:SS; nothing where there is no limit.
seconds_left() {
  local left days=0 total=0 part
  left=$(squeue --noheader --jobs="$SLURM_JOB_ID" --format=%L 2>/dev/null) || return 0
  left=${left// /}
  [[ $left =~ ^([0-9]+-)?[0-9:]+$ ]] || return 0
  [[ $left != *-* ]] || { days=${left%%-*}; left=${left#*-}; }
  IFS=: read -ra parts <<<"$left"
  for part in "${parts[@]}"; do total=$((total * 60 + 10#$part)); done
  echo $((total + days * 86400))
}

# way_to_go_on DIRECTORY: --resume where there is a checkpoint; --overwrite where a restarted job has left none.
way_to_go_on() {
  if compgen -G "$1/checkpoint/*/COMMIT.json" >/dev/null; then
    echo --resume
  elif [ "${SLURM_RESTART_COUNT:-0}" -gt 0 ] && [ -e "$1" ]; then
    echo --overwrite
  fi
}

# marches CASE.yaml [options]: whether the mode is one of the time domain. Other modes have no checkpoints and take no --max-wall.
marches() {
  local mode word
  mode=$(sed -n "s/^mode:[[:space:]]*[\"']\{0,1\}\([a-z0-9-]*\).*/\1/p" "$1" 2>/dev/null)
  for word in "$@"; do
    case ${word#--set=} in mode=*) mode=${word##*mode=} ;; esac
  done
  case $mode in '' | time-domain | fetd) return 0 ;; *) return 1 ;; esac
}

# run_words CASE.yaml [options]: the arguments of `tetrawave run`, one a line, with the option to resume and --max-wall where
# the user gave neither. A user's --overwrite applies to the job's first start: a job queued again resumes.
run_words() {
  local word left words=() given=' ' way
  for word in "$@"; do
    given+="${word%%=*} "
    [ "$word" = --overwrite ] || words+=("$word")
  done
  way=$(way_to_go_on "$(output_directory "$@")")
  [[ $given != *' --resume '* ]] || way=
  if [[ $given == *' --overwrite '* ]] && [ "${SLURM_RESTART_COUNT:-0}" -eq 0 ]; then way=--overwrite; fi
  [ -z "$way" ] || words+=("$way")
  left=
  marches "$@" && left=$(seconds_left)
  if [ -n "$left" ] && [[ $given != *' --max-wall '* ]]; then
    left=$((left - ${TETRAWAVE_MARGIN:-120}))
    [ $left -gt 0 ] || fail "less than TETRAWAVE_MARGIN is left of the job's time" 75
    words+=(--max-wall "${left}s")
  fi
  printf '%s\n' "${words[@]}"
}

# wait_for PID: its exit code, which bash keeps; a signal that this script forwards ends a wait early.
wait_for() {
  wait "$1"
  while kill -0 "$1" 2>/dev/null; do wait "$1"; done
  wait "$1"
}

# run_job MPIRUN_WORD... -- CASE.yaml [options]: the run, and what follows from its exit code.
run_job() {
  local launcher=() words=() text program status child cancelled=no
  while [ $# -gt 0 ] && [ "$1" != -- ]; do launcher+=("$1"); shift; done
  shift
  [ $# -gt 0 ] || fail 'which case? sbatch SCRIPT CASE.yaml [options of tetrawave run]'
  program=$(find_program) || exit
  text=$(run_words "$@") || exit
  mapfile -t words <<<"$text"
  echo "job.sh: $program run ${words[*]}"
  "${launcher[@]}" "$program" run "${words[@]}" &
  child=$!
  trap 'kill -USR1 $child' USR1
  trap 'cancelled=yes; kill -TERM $child' TERM
  wait_for $child
  status=$?
  trap - USR1 TERM
  if [ $status -eq 75 ] && [ $cancelled = no ]; then
    echo 'job.sh: the run has stopped with a checkpoint; the job goes back into the queue'
    scontrol requeue "$SLURM_JOB_ID" && sleep 60   # Slurm ends this script
  fi
  exit $status
}
