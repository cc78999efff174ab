#!/usr/bin/env bash
# Checks the GPU backend on a machine with a GPU, in one call that can be started again: builds (with scripts/bundle.sh's
# bundle where METIS and muParser are missing), runs the unit tests and every kernel against the CPU, compute-sanitizer
# on tiny cases, and the tables of static assembly and of time stepping. Results: DIR/statics.json and DIR/gpu_check*.json
# (machine, revision, figures), to be kept in tests/gpu/results/. Stages that have passed are not run again (DIR/done.*).
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
set -euo pipefail

usage() {
  cat <<TXT
usage: scripts/gpu_check.sh [-o DIR] [--revision TEXT] [--gpus N] [--large TEXT] [STAGE...]
  -o DIR           where logs and results go (default: \$OUT or build-host/gpu_check)
  --revision TEXT  the revision to write into the results, for a tree without .git
  --gpus N         the first N of the visible GPUs alone, where others have work (default: all)
  --large TEXT     options and cases of tests/gpu/large_cases.py, e.g. '--seconds 560 monopole_80 self_focusing'
  STAGE            of: $stages (default: all, in this order)
TXT
}

stages="build gpu_tests sanitize rank_tests table rank_table other_tables precisions statics unit_tests large_cases"
out=${OUT:-build-host/gpu_check} large_options='' gpus='' chosen=()
while [ $# -gt 0 ]; do
  case $1 in
    -o) out=${2:?-o needs a folder}; shift ;;
    --revision) export TETRAWAVE_REVISION=${2:?--revision needs a text}; shift ;;
    --gpus) gpus=${2:?--gpus needs a number}; shift ;;
    --large) large_options=${2:?--large needs a text}; shift ;;
    -h | --help) usage; exit 0 ;;
    *) case " $stages " in *" $1 "*) chosen+=("$1") ;; *) usage >&2; exit 64 ;; esac ;;
  esac
  shift
done

allow_mpi_anywhere
export OMP_WAIT_POLICY=passive # tests side by side and on several ranks have more threads than cores
cd "$TW_ROOT"
mkdir -p "$out"
out=$(cd "$out" && pwd)
build=$TW_ROOT/build-host
command -v nvidia-smi >/dev/null || die "no NVIDIA driver here: run this on a machine with a GPU"
visible=${CUDA_VISIBLE_DEVICES:-$(nvidia-smi --query-gpu=index --format=csv,noheader | paste -sd,)}
gpus=${gpus:-$(tr , '\n' <<<"$visible" | wc -l)} cores=$(number_of_cores)
visible=$(cut -d, -f"1-$gpus" <<<"$visible")
export build gpus visible out CUDA_VISIBLE_DEVICES=$visible # ranks, too, have these alone, and share one where it is one

# stage NAME: runs the function of that name once; its output goes to DIR/NAME.log. Errors end none of these functions
# by themselves (they are conditions here): each returns its own.
stage() {
  local name=$1
  [ ! -e "$out/done.$name" ] || return 0
  local begin=$SECONDS
  if "$name" >"$out/$name.log" 2>&1; then
    [ "$name" = large_cases ] || touch "$out/done.$name" # it knows by itself which of its cases are done
    echo "$name: passed in $((SECONDS - begin)) s"
  else
    echo "$name: FAILED after $((SECONDS - begin)) s, see $out/$name.log"
    grep -E "error|FAILED|Error|ERROR" "$out/$name.log" | head -20 || true
    tail -25 "$out/$name.log"
    return 1
  fi
}

# build_targets TARGET...: all where none is named.
build_targets() {
  local options targets=("$@")
  options="-DCMAKE_CUDA_ARCHITECTURES=native -DTETRAWAVE_ISAS=native"
  if [ -x .bundle/build.sh ]; then
    TETRAWAVE_CMAKE_OPTIONS=$options .bundle/build.sh "$@"
  else
    # shellcheck disable=SC2086
    cmake -S . -B "$build" -G Ninja -DTETRAWAVE_CUDA=ON $options &&
      cmake --build "$build" "${targets[@]/#/--target=}"
  fi
}
build() { build_targets tetrawave test_gpu test_mpi; }

# each_of N COMMAND: runs COMMAND for every line of the input, N at a time, on one GPU after the other; $1 is the line.
# Fails if one of them fails; says of each how long it took.
each_of() {
  # shellcheck disable=SC2016
  sed -e 's/^ *//' -e '/^$/d' | nl -w1 -s' ' | COMMAND=$2 xargs -d '\n' -n 1 -P "$1" bash -c '
    number=${1%% *} line=${1#* } begin=$SECONDS
    IFS=, read -ra each <<<"$visible"
    export CUDA_VISIBLE_DEVICES=${each[number % gpus]} OMP_NUM_THREADS=2
    if text=$(bash -c "$COMMAND" _ "$line" 2>&1); then echo "passed in $((SECONDS - begin)) s: $line"; else
      echo "$text"; echo "FAILED in $((SECONDS - begin)) s: $line"; exit 1; fi' _
}

# names_of TAGS: the names of test_gpu's cases, with Catch2 2 (whose exit code is their number) and 3, a line each.
names_of() {
  local list=(--list-tests --verbosity quiet)
  if "$build/bin/test_gpu" --libidentify | grep -q 'version: *2'; then list=(--list-test-names-only); fi
  { "$build/bin/test_gpu" "${list[@]}" "$1" || true; } | sed 's/,/\\,/g'
}

# shellcheck disable=SC2016
unit_tests() {
  build_targets || return 1
  find "$build/bin" -name 'test_*' ! -name '*_gpu' ! -name '*_mpi' ! -name '*_mesher' | sort |
    each_of "$((cores / 4 + 1))" '"$1" "~[slow]"'
}
# shared COMMAND...: where NVIDIA's Multi-Process Service is installed, processes share each GPU at once, otherwise in time
# slices, in which what takes one minute alone takes six beside fifteen others.
shared() {
  local code=0 folder
  folder=$(mktemp -d)
  export CUDA_MPS_PIPE_DIRECTORY=$folder CUDA_MPS_LOG_DIRECTORY=$folder
  if command -v nvidia-cuda-mps-control >/dev/null && env -u CUDA_VISIBLE_DEVICES nvidia-cuda-mps-control -d; then
    "$@" || code=$?
    echo quit | nvidia-cuda-mps-control || true
    unset CUDA_MPS_PIPE_DIRECTORY CUDA_MPS_LOG_DIRECTORY
  else
    unset CUDA_MPS_PIPE_DIRECTORY CUDA_MPS_LOG_DIRECTORY
    "$@" || code=$?
  fi
  rm -rf "$folder"
  return $code
}
# shellcheck disable=SC2016
gpu_tests() {
  names_of "~[ranks]" | shared each_of "$((6 * gpus < cores ? 6 * gpus : cores))" '"$build/bin/test_gpu" "$1"'
}
rank_tests() {
  OMP_NUM_THREADS=2 mpirun -n 2 --oversubscribe "$build/bin/test_gpu" "[ranks]" --durations yes &&
    OMP_NUM_THREADS=2 mpirun -n 3 --oversubscribe "$build/bin/test_mpi" --durations yes
}
# shellcheck disable=SC2016
sanitize() {
  local tool
  for tool in memcheck racecheck; do names_of "[tiny]" | sed "s/^ *\(..*\)/$tool \1/"; done |
    each_of "$((cores / 2))" 'compute-sanitizer --tool "${1%% *}" --error-exitcode 9 "$build/bin/test_gpu" "${1#* }"'
}

# Rows of the table, a process each: scheme, layout, spaces, elements. Meshes of 41,154 elements are in the caches in part.
# shellcheck disable=SC2016
table() {
  local scheme
  { for scheme in dgtd-central dgtd-upwind dfdd-eld; do
      echo "$scheme factored mixed-1,full-1 41154,1572864,3951018"
      echo "$scheme factored mixed-2,full-2 998250,1572864"
    done
    echo "dgtd-central stored mixed-1 1572864"
    echo "dgtd-central stored full-1,mixed-2 250000"
    echo "dgtd-upwind stored mixed-1,full-1,mixed-2 125000"
    echo "dfdd-eld stored mixed-1,full-1,mixed-2 125000"
    echo "dgtd-central factored mixed-3,full-3,full-4 998250"
    echo "dgtd-upwind factored mixed-3,full-3,full-4 998250"
    echo "dfdd-eld factored mixed-3,full-3 200000"
  } | each_of "$gpus" 'set -- $1; "$build/bin/tetrawave" bench --backend cuda --scheme $1 --layout $2 --space $3 --elements $4 --seconds 0.1 \
    --json "$out/gpu_check_$1_$2_${3%%,*}.json" >"$out/table_$1_$2_${3%%,*}.txt"' || return 1
  cat "$out"/table_*.txt
}
# Strong scaling at each size; weak scaling from each to that of as many times the elements; other transports.
rank_table() {
  [ "$gpus" -gt 1 ] || { echo "one GPU: no table of ranks"; return 0; }
  local elements ranks transport code
  for elements in 998250 1971054 3951018 7986000; do
    for ranks in $(printf '%s\n' 1 2 "$gpus" | sort -nu); do
      mpirun -n "$ranks" "$build/bin/tetrawave" bench --backend cuda --scheme dgtd-central --layout factored --space full-1 \
        --precision double --elements $elements --seconds 0.3 --json "$out/gpu_check_${ranks}_ranks_$elements.json" || return 1
    done
  done
  for transport in nccl page-locked; do
    code=0
    mpirun -n 2 "$build/bin/tetrawave" bench --backend cuda --scheme dgtd-central --layout factored --space full-1 --transport $transport \
      --precision double --elements 3951018 --seconds 0.3 --json "$out/gpu_check_2_ranks_$transport.json" || code=$?
    if [ "$code" = 69 ]; then echo "no table over $transport: it is not there"; else [ "$code" = 0 ] || return 1; fi
  done
}
other_tables() {
  "$build/bin/tetrawave" bench --backend cuda --scheme dgtd-central --layout factored --elements 998250 --split --seconds 0.1 \
    --space full-1,mixed-2 --json "$out/gpu_check_split.json" &&
  "$build/bin/tetrawave" bench --backend cuda --scheme dgtd-central --layout stored --elements 200000 --mapping dissertation --split \
    --space mixed-1,full-1 --seconds 0.1 --json "$out/gpu_check_mapping.json" &&
  "$build/bin/tetrawave" bench --backend cuda --scheme dgtd-central --layout factored --space full-1 --order none,curve,parts,blocks \
    --precision double --elements 998250 --seconds 0.1 --json "$out/gpu_check_order.json" &&
  "$build/bin/tetrawave" bench --backend cuda --scheme dgtd-central --layout factored --penalty 0,0.1 --elements 998250 --seconds 0.1 \
    --json "$out/gpu_check_penalty.json"
}
# No row of the tables may be slower in single precision than in double.
precisions() { "$TW_PYTHON" tests/gpu/precisions.py "$out"/gpu_check*.json; }
statics() { "$TW_PYTHON" tools/statics_table.py "$build/bin/tetrawave" --backend cuda --json "$out/statics.json"; }
# When started again, it continues with the cases not done and resumes runs that were stopped: their files stay in
# build-host.
large_cases() {
  local python runs=$build/large_cases code=0
  [ -d .bundle/meshes ] || { echo "no .bundle/meshes: scripts/bundle.sh --meshes takes them along"; return 1; }
  for python in "$TW_PYTHON" python3; do "$python" -c 'import h5py' 2>/dev/null && break; done
  # shellcheck disable=SC2086
  "$python" tests/gpu/large_cases.py "$build/bin/tetrawave" --meshes .bundle/meshes -o "$runs" --gpus "$gpus" $large_options || code=$?
  cp "$runs/large_cases.json" "$out/" || return 1
  return $code
}

[ -d .bundle/meshes ] || stages=${stages% large_cases}
[ ${#chosen[@]} -gt 0 ] || read -ra chosen <<<"$stages"
failed=0
for name in "${chosen[@]}"; do
  stage "$name" || failed=$((failed + 1))
  [ "$name" != build ] || [ "$failed" = 0 ] || exit 1
done
for name in table rank_table other_tables precisions statics large_cases; do [ ! -e "$out/$name.log" ] || cat "$out/$name.log"; done
echo "$((${#chosen[@]} - failed)) stages passed, $failed failed"
[ "$failed" = 0 ]
