#!/usr/bin/env bash
# Makes dist/tetrawave-VERSION-py3-none-manylinux_2_N_x86_64.whl, N of this system's glibc: build for distribution on the
# oldest system that is to be served.
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
set -euo pipefail

usage() {
  cat <<TXT
usage: scripts/wheel.sh [-j N] [-B DIR] [-o DIR] [NAME=VALUE...]
  -j N         build jobs (default: the cores of this machine)
  -B DIR       build folder, kept for the next time (default: build-wheel)
  -o DIR       where the wheel goes (default: dist)
  NAME=VALUE   of CMake, e.g. TETRAWAVE_ISAS=native; TETRAWAVE_CUDA=ON for GPUs (build tag 1cuda, and
               pip install 'FILE.whl[cuda]')
TXT
}

jobs=$(number_of_cores) build=build-wheel output=dist settings=()
while [ $# -gt 0 ]; do
  case $1 in
    -j) jobs=${2:?-j needs a number}; shift ;;
    -B) build=${2:?-B needs a folder}; shift ;;
    -o) output=${2:?-o needs a folder}; shift ;;
    -h | --help) usage; exit 0 ;;
    *=*) settings+=("--config-settings=cmake.define.$1") ;;
    *) usage >&2; exit 64 ;;
  esac
  shift
done

cd "$TW_ROOT"
mkdir -p "$build" "$output"
build=$(realpath "$build")
tools=$build/wheel-tools
[ -x "$tools/bin/wheel" ] || { python3 -m venv "$tools" && "$tools/bin/pip" install -q wheel; }
raw=$(mktemp -d)
trap 'rm -rf "$raw"' EXIT
# c++, as in a build of CMake alone: ccache knows compilers by their names, too
CXX=${CXX:-c++} CMAKE_BUILD_PARALLEL_LEVEL=$jobs "$tools/bin/pip" wheel . --no-deps -q -w "$raw" "--config-settings=build-dir=$build" "${settings[@]}"
"$tools/bin/wheel" unpack -d "$raw/content" "$raw"/*.whl
# objdump fails on what is no program or library
glibc=$({ find "$raw/content" -type f \( -path '*/bin/*' -o -path '*/lib/*' \) -exec objdump -T {} + 2>/dev/null || true; } |
  grep -oE 'GLIBC_2\.[0-9]+' | sort -Vu | tail -n 1)
tags=(--platform-tag "manylinux_2_${glibc#GLIBC_2.}_x86_64")
if grep -q '^TETRAWAVE_CUDA:[A-Z]*=ON' "$build/CMakeCache.txt"; then tags+=(--build 1cuda); fi  # a name of its own
"$tools/bin/wheel" tags --remove "${tags[@]}" "$raw"/*.whl >/dev/null
cp "$raw"/*.whl "$output/"
ls -l "$output"/*.whl
