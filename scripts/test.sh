#!/usr/bin/env bash
# Builds everything, runs every test and check, and closes with one line `N passed, N failed`, counted in test cases.
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
set -uo pipefail

usage() {
  cat <<TXT
usage: scripts/test.sh [-j N] [-B DIR] [--slow] [--no-bootstrap] [--sanitize]
  -j N             build jobs and tests at a time (default: the cores of this machine; tests two more, at most 4)
  -B DIR           build folder (default: build, with --sanitize build-asan)
  --slow           also the cases tagged [slow]
  --sanitize       with the address and undefined-behaviour sanitizers, CPU only
  --no-bootstrap   install nothing
CUDA is compiled in where nvcc is found; without a GPU, on which nothing of it could run, for one architecture only; it and
kernels of instruction sets below that of this machine then with few optimisations
(TETRAWAVE_QUICK).
TXT
}

jobs=$(number_of_cores) build='' bootstrap=yes of_build=0
# Of the instruction sets the first and the best of this machine: the third is the same source.
configure=(-DCMAKE_BUILD_TYPE=Release -DTETRAWAVE_CUDA=AUTO '-DTETRAWAVE_ISAS=v2;native') ctest_options=()
if [ ! -e /dev/nvidiactl ] && [ ! -e /dev/dxg ]; then configure+=(-DCMAKE_CUDA_ARCHITECTURES=90-real -DTETRAWAVE_QUICK=ON); fi
while [ $# -gt 0 ]; do
  case $1 in
    -j) jobs=${2:?-j needs a number}; shift ;;
    -j*) jobs=${1#-j} ;;
    -B) build=${2:?-B needs a folder}; shift ;;
    --slow) ctest_options+=(-C Slow) ;;
    --sanitize)
      configure=(-DCMAKE_BUILD_TYPE=RelWithDebInfo -DTETRAWAVE_CUDA=OFF '-DTETRAWAVE_SANITIZE=address,undefined')
      build=${build:-build-asan}
      export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 ;;  # OpenMPI leaks at exit
    --no-bootstrap) bootstrap=no ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 64 ;;
  esac
  shift
done
case $jobs in '' | *[!0-9]* | 0) die "-j needs a number, not '$jobs'" ;; esac

cd "$TW_ROOT" || exit 1
build=${build:-build}
[[ $build = /* ]] || build=$TW_ROOT/$build
logs=$build/logs
passed=0 failed=0
allow_mpi_anywhere

# finish: the closing line and the exit code.
finish() {
  local cpu
  cpu_seconds cpu
  printf '\n%-34s %4d s   %d s of CPU\n\n' 'all phases' "$SECONDS" "$cpu"
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
  exit $?
}

# phase LABEL LOG COMMAND...: a step without which the rest cannot go on.
phase() {
  quietly "$1" "$logs/$2" "${@:3}" || { failed=$((failed + 1)); finish; }
}

# check LABEL COMMAND...: a step that counts as one case and shows its output when it fails.
check() {
  local begin=$SECONDS output label=$1
  shift
  if output=$("$@" 2>&1 </dev/null); then
    passed=$((passed + 1))
    printf '%-34s %4d s\n' "$label" $((SECONDS - begin))
  else
    failed=$((failed + 1))
    printf '%-34s failed\n%s\n' "$label" "$(tail -n 60 <<<"$output")"
  fi
}

run_ctest() {
  local begin=$SECONDS at_once=$((jobs + 2)) status cases_passed cases_failed   # two more: the start of MPI and pauses sleep
  [ "$at_once" -le 4 ] || at_once=4   # the programs are threaded themselves
  rm -rf "$build/test_counts" "$logs/ctest.xml"
  mkdir -p "$build/test_counts"
  ctest --test-dir "$build" --output-on-failure --no-tests=error -j "$at_once" \
    --output-junit "$logs/ctest.xml" "${ctest_options[@]}" </dev/null
  status=$?
  read -r cases_passed cases_failed < <("$TW_PYTHON" scripts/count_tests.py "$logs/ctest.xml" "$build/test_counts" || echo 0 1)
  [ $status -eq 0 ] || [ "$cases_failed" -gt 0 ] || cases_failed=1
  passed=$((passed + cases_passed))
  failed=$((failed + cases_failed))
  "$TW_PYTHON" scripts/count_tests.py "$logs/ctest.xml" "$build/test_counts" 12
  printf '%-34s %4d s   %d cases passed, %d failed\n' tests $((SECONDS - begin)) "$cases_passed" "$cases_failed"
}

# Versions of clang-format differ in small things: version 14 (Debian 12's; packaged for Ubuntu 24.04, too) decides.
clang_format_14() {
  local name
  for name in clang-format-14 clang-format; do
    if "$name" --version 2>/dev/null | grep -q 'version 14\.'; then echo "$name"; return; fi
  done
}
# shellcheck disable=SC2317  # called by check
check_format() {
  find . \( -path './build*' -o -path './.*' \) -prune -o -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o -name '*.cuh' \) -print0 |
    xargs -0 -r "$1" --dry-run -Werror
}

[ $bootstrap = no ] || phase 'packages' bootstrap.log scripts/bootstrap.sh
phase 'configure' configure.log cmake -S . -B "$build" -G Ninja "${configure[@]}" -DTETRAWAVE_WARNINGS_AS_ERRORS=ON -DTETRAWAVE_TESTS=ON -DTETRAWAVE_MESHER=ON
grep -h 'CUDA backend' "$logs/configure.log" | sed 's/^-- /  /'
phase "build, $jobs jobs" build.log cmake --build "$build" -j "$jobs"
cpu_seconds of_build
printf '  %d s of CPU\n' "$of_build"
"$TW_PYTHON" scripts/build_times.py "$build"
# A minute on an idle machine of the figures; machines and their neighbours differ.
check 'no object takes long to compile' "$TW_PYTHON" scripts/build_times.py "$build" --limit 100
run_ctest
check 'include ladder' "$TW_PYTHON" tools/check_ladder.py
check 'style' "$TW_PYTHON" tools/check_style.py
check 'documents' "$TW_PYTHON" tools/check_docs.py
formatter=$(clang_format_14)
if [ -n "$formatter" ]; then check 'formatting' check_format "$formatter"; else echo 'formatting: clang-format 14 is not here, left out'; fi
if [ -f tools/case_reference.py ]; then check 'reference page' "$TW_PYTHON" tools/case_reference.py --check; fi
finish
