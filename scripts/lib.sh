# Helpers of the scripts in this folder: sourced, never run.
# shellcheck shell=bash

TW_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export TW_ROOT

# The Python that sees apt's h5py, numpy and matplotlib: a pyenv or conda python3 earlier in PATH does not.
TW_PYTHON=${TETRAWAVE_PYTHON:-/usr/bin/python3}
[ -x "$TW_PYTHON" ] || TW_PYTHON=$(command -v python3 || echo python3)
export TW_PYTHON

# nvcc is often installed without being in PATH.
if ! command -v nvcc >/dev/null 2>&1 && [ -x /usr/local/cuda/bin/nvcc ]; then
  PATH=$PATH:/usr/local/cuda/bin
fi

die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# number_of_cores: the cores this process may use.
number_of_cores() { nproc 2>/dev/null || echo 1; }

# first_error LOG: the first error of a compiler, linker or CMake in LOG with what follows it; else the end of LOG.
first_error() {
  local line
  line=$(grep -n -m 1 -E '(^|[^a-z_-])(fatal )?error:|^CMake Error|undefined reference|^FAILED:' "$1" | cut -d : -f 1)
  if [ -n "$line" ]; then sed -n "$((line > 3 ? line - 3 : 1)),$((line + 16))p" "$1" | cut -c 1-400; else tail -n 40 "$1"; fi
}

# cpu_seconds NAME: sets the variable NAME to the CPU seconds of all commands that this script has waited for.
cpu_seconds() {
  local fields
  read -ra fields </proc/$$/stat
  printf -v "$1" %d $(((fields[15] + fields[16]) / $(getconf CLK_TCK)))
}

# clock SECONDS: as minutes:seconds.
clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# show_progress LABEL LOG BEGIN: a line of percent, elapsed and remaining time from Ninja's [done/all] in LOG, once a
# second, until the caller ends it. The first objects say little of the rest: the estimate starts at 5 %.
show_progress() {
  local counts finished all elapsed estimate
  while sleep 1; do
    counts=$(tail -c 4000 "$2" 2>/dev/null | grep -aoE '^\[[0-9]+/[0-9]+\]' | tail -n 1 | tr -d '[]')
    finished=${counts%/*} all=${counts#*/} elapsed=$((SECONDS - $3)) estimate=''
    [ -n "$counts" ] || { finished=0 all=1; }
    [ $((20 * finished)) -lt "$all" ] || estimate=", about $(clock $((elapsed * (all - finished) / finished))) left"
    printf '\r%-34s %3d %%, %s%s \033[K' "$1" $((100 * finished / all)) "$(clock $elapsed)" "$estimate"
  done
}

# quietly LABEL LOG COMMAND...: one line with the wall-clock time, on a terminal with progress while COMMAND runs. When
# it fails: the first error, where the log is, and 1.
quietly() {
  local label=$1 log=$2 begin=$SECONDS progress='' status=0
  shift 2
  mkdir -p "$(dirname "$log")"
  : >"$log"
  if [ -t 1 ]; then show_progress "$label" "$log" "$begin" & progress=$!; fi
  "$@" >"$log" 2>&1 </dev/null || status=1
  if [ -n "$progress" ]; then
    kill "$progress" 2>/dev/null
    wait "$progress" 2>/dev/null || true
    printf '\r\033[K'
  fi
  if [ $status = 0 ]; then
    printf '%-34s %4d s\n' "$label" $((SECONDS - begin))
    return 0
  fi
  printf '%-34s failed after %d s\n\n' "$label" $((SECONDS - begin))
  first_error "$log"
  printf '\nthe whole log: %s\n' "$(realpath "$log")"
  return 1
}

# OpenMPI in containers and on small machines: as root, more ranks than cores, nobody pinned, no ptrace copies. With one
# slot a host two ranks are too many, so that they yield while they wait; a program alone would lose its turns by that.
allow_mpi_anywhere() {
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
  export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_orte_set_default_slots=1
}
