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

# best_instruction_set: of v2, v3, v4 (x86-64 levels) the best that this machine runs.
best_instruction_set() {
  if grep -qw avx512f /proc/cpuinfo; then echo v4; elif grep -qw avx2 /proc/cpuinfo; then echo v3; else echo v2; fi
}

# quietly LABEL LOG COMMAND...: prints one line with the wall-clock time; on failure the end of LOG, and returns 1.
quietly() {
  local label=$1 log=$2 begin=$SECONDS
  shift 2
  mkdir -p "$(dirname "$log")"
  if "$@" >"$log" 2>&1 </dev/null; then
    printf '%-34s %4d s\n' "$label" $((SECONDS - begin))
    return 0
  fi
  printf '%-34s failed after %d s; the end of %s:\n\n' "$label" $((SECONDS - begin)) "$log"
  tail -n 60 "$log"
  return 1
}

# OpenMPI in containers and on small machines: as root, more ranks than cores, nobody pinned, no ptrace copies.
allow_mpi_anywhere() {
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
  export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mpi_yield_when_idle=1
}
