#!/usr/bin/env bash
# The weekly set: builds, runs what `ctest -C Slow` adds to the tests of every push (long runs, the cases from users in
# every scheme, mode and space), and closes with one line `N passed, N failed`, counted in test cases.
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
set -uo pipefail

usage() {
  cat <<TXT
usage: scripts/weekly.sh [-j N] [-B DIR] [--only REGEX] [--no-bootstrap]
  -j N             build jobs (default: the cores of this machine)
  -B DIR           build folder (default: build)
  --only REGEX     of the tests (default: slow); slow_users: the cases from users
  --no-bootstrap   install nothing
TXT
}

jobs=$(number_of_cores) build=build only=slow bootstrap=yes
while [ $# -gt 0 ]; do
  case $1 in
    -j) jobs=${2:?-j needs a number}; shift ;;
    -B) build=${2:?-B needs a folder}; shift ;;
    --only) only=${2:?--only needs a regular expression}; shift ;;
    --no-bootstrap) bootstrap=no ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 64 ;;
  esac
  shift
done

cd "$TW_ROOT" || exit 1
[[ $build = /* ]] || build=$TW_ROOT/$build
logs=$build/logs
allow_mpi_anywhere

fail() {
  printf '\n0 passed, 1 failed\n'
  exit 1
}

[ $bootstrap = no ] || quietly 'packages' "$logs/bootstrap.log" scripts/bootstrap.sh --browser || fail
quietly 'configure' "$logs/configure.log" cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTETRAWAVE_TESTS=ON \
  -DTETRAWAVE_MESHER=ON || fail
quietly "build, $jobs jobs" "$logs/build.log" cmake --build "$build" -j "$jobs" || fail
rm -rf "$build/test_counts" "$logs/ctest.xml"
mkdir -p "$build/test_counts"
ctest --test-dir "$build" -C Slow -R "$only" -V --no-tests=error --output-junit "$logs/ctest.xml" </dev/null
status=$?
read -r passed failed < <("$TW_PYTHON" scripts/count_tests.py "$logs/ctest.xml" "$build/test_counts" || echo 0 1)
[ $status -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
printf '\n%s passed, %s failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
