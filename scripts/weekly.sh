#!/usr/bin/env bash
# The weekly set: builds, runs what `ctest -C Slow` adds to the tests of every push (long runs, the cases from users in
# every scheme, mode and space), an entry after the other, and closes with one line `N passed, N failed`, counted in test
# cases. An entry that has passed is noted in DIR/weekly, so that a set that was stopped goes on.
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
set -uo pipefail

usage() {
  cat <<TXT
usage: scripts/weekly.sh [-j N] [-B DIR] [--only REGEX] [--rest] [--no-bootstrap]
  -j N             build jobs (default: the cores of this machine)
  -B DIR           build folder (default: build)
  --only REGEX     of the tests (default: slow); slow_users: the cases from users
  --rest           leave out entries that have passed since the program was last linked
  --no-bootstrap   install nothing
TXT
}

jobs=$(number_of_cores) build=build only=slow rest=no bootstrap=yes
while [ $# -gt 0 ]; do
  case $1 in
    -j) jobs=${2:?-j needs a number}; shift ;;
    -B) build=${2:?-B needs a folder}; shift ;;
    --only) only=${2:?--only needs a regular expression}; shift ;;
    --rest) rest=yes ;;
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
mkdir -p "$build/test_counts" "$build/weekly"
passed=0 failed=0
for entry in $(ctest --test-dir "$build" -C Slow -N -R "$only" | sed -n 's/^ *Test *#[0-9]*: //p'); do
  note=$build/weekly/$entry begin=$SECONDS own_passed=0 own_failed=1
  if [ $rest = yes ] && [ "$note" -nt "$build/bin/tetrawave" ]; then
    read -r own_passed <"$note"
    passed=$((passed + own_passed))
    printf '%-34s passed before\n' "$entry"
    continue
  fi
  rm -f "$note" "$build/test_counts/$entry"
  ctest --test-dir "$build" -C Slow -R "^$entry\$" -V --output-junit "$logs/ctest.xml" </dev/null
  status=$?
  read -r own_passed own_failed < <("$TW_PYTHON" scripts/count_tests.py "$logs/ctest.xml" "$build/test_counts" || echo 0 1)
  [ $status -eq 0 ] || [ "$own_failed" -gt 0 ] || own_failed=1
  [ "$own_failed" -gt 0 ] || echo "$own_passed" >"$note"
  printf '%-34s %4d s   %d cases passed, %d failed\n' "$entry" $((SECONDS - begin)) "$own_passed" "$own_failed"
  passed=$((passed + own_passed)) failed=$((failed + own_failed))
done
printf '\n%s passed, %s failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
