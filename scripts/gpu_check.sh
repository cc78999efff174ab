#!/usr/bin/env bash
# Checks the GPU backend on a machine with a GPU, in one call that can be started again: builds (with scripts/bundle.sh's
# bundle where METIS and muParser are missing), runs the unit tests and every kernel against the CPU, compute-sanitizer
# on tiny cases, and the tables of static assembly and of marches. Results: DIR/statics.json and DIR/gpu_check*.json
# (machine, revision, figures), to be kept in tests/gpu/results/. Stages that have passed are not run again (DIR/done.*).
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
set -euo pipefail

out=${OUT:-build-host/gpu_check}
while [ $# -gt 0 ]; do
  case $1 in
    -o) out=${2:?-o needs a folder}; shift ;;
    --revision) export TETRAWAVE_REVISION=${2:?--revision needs a text}; shift ;;  # of a tree without .git
    *) echo "usage: scripts/gpu_check.sh [-o DIR] [--revision TEXT]" >&2; exit 64 ;;
  esac
  shift
done

allow_mpi_anywhere
cd "$TW_ROOT"
mkdir -p "$out"
out=$(cd "$out" && pwd)
build=$TW_ROOT/build-host
command -v nvidia-smi >/dev/null || die "no NVIDIA driver here: run this on a machine with a GPU"

# stage NAME COMMAND...: runs the command once; its output goes to DIR/NAME.log.
stage() {
  local name=$1
  shift
  [ ! -e "$out/done.$name" ] || return 0
  local begin=$SECONDS
  if "$@" >"$out/$name.log" 2>&1; then
    touch "$out/done.$name"
    echo "$name: passed in $((SECONDS - begin)) s"
  else
    echo "$name: FAILED, see $out/$name.log"
    grep -E "error|FAILED|Error|ERROR" "$out/$name.log" | head -20 || true
    tail -25 "$out/$name.log"
    exit 1
  fi
}

build_here() {
  if [ -x .bundle/build.sh ]; then
    TETRAWAVE_CMAKE_OPTIONS="-DCMAKE_CUDA_ARCHITECTURES=native" .bundle/build.sh
  else
    cmake -S . -B "$build" -G Ninja -DTETRAWAVE_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=native
    cmake --build "$build"
  fi
}

unit_tests() { for test in "$build"/bin/test_*; do case $test in *_gpu | *_mpi | *_mesher) ;; *) "$test" "~[slow]" ;; esac; done; }
# Every case a process of its own, some at a time, shared out among the GPUs: the CPU's side takes longest.
# shellcheck disable=SC2016
gpu_tests() {
  local names=$out/gpu_tests.names gpus
  gpus=$(nvidia-smi -L | wc -l)
  "$build/bin/test_gpu" --list-tests --verbosity quiet "~[ranks]" >"$names" 2>/dev/null ||
    "$build/bin/test_gpu" --list-test-names-only "~[ranks]" >"$names" || true  # Catch2 3, Catch2 2
  export build gpus
  sed -e 's/^ *//' -e '/^$/d' -e 's/,/\\,/g' "$names" | nl -w1 -s' ' |
    xargs -d '\n' -n 1 -P "$(($(nproc) / 4 + 1))" bash -c 'number=${1%% *}; name=${1#* }; begin=$SECONDS
      export CUDA_VISIBLE_DEVICES=$((number % gpus)) OMP_NUM_THREADS=4
      if text=$("$build/bin/test_gpu" "$name" 2>&1); then echo "passed in $((SECONDS - begin)) s: $name"; else
        echo "$text"; echo "FAILED in $((SECONDS - begin)) s: $name"; exit 1; fi' _
}
rank_tests() {
  mpirun -n 2 --oversubscribe "$build/bin/test_gpu" "[ranks]"
  mpirun -n 3 --oversubscribe "$build/bin/test_mpi"
}
sanitize() {
  local jobs=() job
  for tool in memcheck racecheck; do
    compute-sanitizer --tool $tool --error-exitcode 9 "$build/bin/test_gpu" "[tiny]" &
    jobs+=($!)
  done
  for job in "${jobs[@]}"; do wait "$job"; done
}
statics() { python3 tools/statics_table.py "$build/bin/tetrawave" --backend cuda --json "$out/statics.json"; }
table() { "$build/bin/tetrawave" bench --backend cuda --json "$out/gpu_check.json"; }
other_tables() {
  "$build/bin/tetrawave" bench --backend cuda --scheme dgtd-central --layout factored --elements 1572864 --split --seconds 0.5 \
    --json "$out/gpu_check_split.json"
  "$build/bin/tetrawave" bench --backend cuda --scheme dgtd-central --layout stored --elements 500000 --mapping dissertation --split \
    --seconds 0.5 --json "$out/gpu_check_mapping.json"
  "$build/bin/tetrawave" bench --backend cuda --scheme dgtd-central --layout factored --space full-1 --order none,curve,parts,blocks \
    --elements 1572864 --seconds 0.5 --json "$out/gpu_check_order.json"
}

stage build build_here
stage unit_tests unit_tests
stage gpu_tests gpu_tests
stage rank_tests rank_tests
stage sanitize sanitize
stage statics statics
stage table table
stage other_tables other_tables
cat "$out/statics.log" "$out/table.log" "$out/other_tables.log"
