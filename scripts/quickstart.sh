#!/usr/bin/env bash
# From a bare Debian 12 or Ubuntu 24.04 to the S-parameters of a coaxial bead, as numbers and as a picture.
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
set -euo pipefail

usage() {
  cat <<TXT
usage: scripts/quickstart.sh [-j N] [--no-bootstrap]
  -j N             build jobs (default: the cores of this machine)
  --no-bootstrap   install nothing
Builds into build/, writes coax_bead.out/. CUDA is compiled in where nvcc and a GPU are found.
TXT
}

jobs=$(number_of_cores) bootstrap=yes
while [ $# -gt 0 ]; do
  case $1 in
    -j) jobs=${2:?-j needs a number}; shift ;;
    -j*) jobs=${1#-j} ;;
    --no-bootstrap) bootstrap=no ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 64 ;;
  esac
  shift
done
case $jobs in '' | *[!0-9]* | 0) die "-j needs a number, not '$jobs'" ;; esac

cd "$TW_ROOT"
logs=build/logs
out=coax_bead.out
cuda=OFF
if [ -e /dev/nvidiactl ] || [ -e /dev/dxg ]; then cuda=AUTO; fi
allow_mpi_anywhere

[ $bootstrap = no ] || quietly 'packages' $logs/bootstrap.log scripts/bootstrap.sh
quietly 'configure' $logs/configure.log cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DTETRAWAVE_CUDA=$cuda
quietly "build, $jobs jobs" $logs/build.log cmake --build build -j "$jobs" --target tetrawave tetrawave-mesh
quietly 'run cases/coax_bead' $logs/run.log build/bin/tetrawave run cases/coax_bead/case.yaml -o $out --overwrite
"$TW_PYTHON" cases/coax_bead/reference.py $out
quietly 'plot' $logs/plot.log "$TW_PYTHON" tools/tetrawave-plot $out --reference $out/reference.csv -o $out/coax_bead.png

cat <<TXT

picture    $TW_ROOT/$out/coax_bead.png
results    $TW_ROOT/$out/results.h5
case       $TW_ROOT/cases/coax_bead/case.yaml
program    $TW_ROOT/build/bin/tetrawave
TXT
