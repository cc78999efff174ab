#!/usr/bin/env bash
# Runs clang-tidy (.clang-tidy) over src/ and tools/, several files at a time. It takes minutes, so scripts/test.sh leaves it out.
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
set -euo pipefail

usage() {
  cat <<TXT
usage: scripts/tidy.sh [-j N] [-B DIR] [FILE.cpp...]
  -j N       files at a time (default: the cores of this machine)
  -B DIR     build folder, configured if it is not (default: build)
  FILE.cpp   these files only (default: all of src/ and tools/)
TXT
}

jobs=$(number_of_cores) build=build files=()
while [ $# -gt 0 ]; do
  case $1 in
    -j) jobs=${2:?-j needs a number}; shift ;;
    -j*) jobs=${1#-j} ;;
    -B) build=${2:?-B needs a folder}; shift ;;
    -h | --help) usage; exit 0 ;;
    -*) usage >&2; exit 64 ;;
    *) files+=("$1") ;;
  esac
  shift
done

cd "$TW_ROOT"
tidy=$(command -v clang-tidy-14 || command -v clang-tidy || die "clang-tidy is not installed: scripts/bootstrap.sh --dev")
[ -f "$build/compile_commands.json" ] ||
  quietly 'configure' "$build/logs/configure.log" cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release
quietly 'generated headers' "$build/logs/generated.log" cmake --build "$build" -j "$jobs" --target tw_kernel_terms_file
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(find src tools -name '*.cpp' | sort)
echo "clang-tidy over ${#files[@]} files"
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$jobs" "$tidy" --quiet -p "$build"
echo "clang-tidy: nothing found"
