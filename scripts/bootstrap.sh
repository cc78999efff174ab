#!/usr/bin/env bash
# Installs what the build, the tests and the plots need on Debian 12 and Ubuntu 24.04. What is there is left alone.
# CUDA is not installed by this script; it is used where it is found.
set -euo pipefail

usage() {
  cat <<TXT
usage: scripts/bootstrap.sh [--dev] [--browser] [--list]
  --dev    also clang-format and clang-tidy for the style checks, Slurm, in which the batch scripts are tried, and
           shells that complete (left out where they cannot be had)
  --browser  also Chromium, in which the weekly set opens pages, where there is no browser
  --list   print the package names and stop
TXT
}

packages=(
  g++ cmake ninja-build                                 # the build
  libopenmpi-dev openmpi-bin libmetis-dev libhdf5-dev   # ranks, partitions, results
  libcli11-dev libspdlog-dev libfmt-dev libyaml-cpp-dev nlohmann-json3-dev libmuparser-dev libeigen3-dev
  libmumps-dev libopenblas0-pthread                     # the direct solver
  libgmsh-dev                                           # tetrawave-mesh
  catch2                                                # the tests
  python3-h5py python3-matplotlib python3-numpy python3-venv hdf5-tools
  python3-jsonschema python3-yaml                       # the tests of the case schema
)
dev_packages=(clang-format-14 clang-tidy-14 shellcheck slurm-wlm munge fish zsh)

dev=no browser=no
for argument in "$@"; do
  case $argument in
    --dev) dev=yes ;;
    --browser) browser=yes ;;
    --list) printf '%s\n' "${packages[@]}"; exit 0 ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 64 ;;
  esac
done

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
has_candidate() { apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'; }

# missing NAME...: those of the names that are not installed, one a line.
missing() {
  local name
  for name in "$@"; do is_installed "$name" || echo "$name"; done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then env DEBIAN_FRONTEND=noninteractive "$@"; else sudo env DEBIAN_FRONTEND=noninteractive "$@"; fi
}

update_lists() { as_root apt-get update -q; }

# all_known NAME...: true when apt's lists hold every name.
all_known() {
  local name
  for name in "$@"; do has_candidate "$name" || return 1; done
}

install() { as_root apt-get install -y -q --no-install-recommends "$@"; }

if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
  cat >&2 <<TXT
bootstrap.sh: this system has no apt; the script knows Debian 12 and Ubuntu 24.04 (or newer).
Install these with your own package manager (Debian's names), then run the scripts with --no-bootstrap:
  a C++20 compiler (GCC 12 or newer), CMake 3.25 or newer, Ninja
$(printf '  %s\n' "${packages[@]:3}")
TXT
  exit 1
fi

mapfile -t wanted < <(missing "${packages[@]}")
if [ ${#wanted[@]} -gt 0 ]; then
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null 2>&1; then
    echo "bootstrap.sh: not root, and there is no sudo. As root, run: apt-get install ${wanted[*]}" >&2
    exit 1
  fi
  echo "bootstrap.sh: installing ${wanted[*]}"
  all_known "${wanted[@]}" || update_lists
  # Lists older than the archive name files that are gone: once more with fresh ones.
  install "${wanted[@]}" || { update_lists && install "${wanted[@]}"; }
fi

if [ $dev = yes ]; then
  mapfile -t wanted < <(missing "${dev_packages[@]}")
  if [ ${#wanted[@]} -gt 0 ]; then
    all_known "${wanted[@]}" || update_lists
    for name in "${wanted[@]}"; do
      install "$name" || echo "bootstrap.sh: $name cannot be installed here; its check is left out"
    done
  fi
fi

if [ $browser = yes ] && ! command -v chromium >/dev/null 2>&1 && ! command -v google-chrome >/dev/null 2>&1; then
  all_known chromium || update_lists
  install chromium
fi

version_at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }
version_at_least 12 "$(${CXX:-g++} -dumpversion)" ||
  { echo "bootstrap.sh: ${CXX:-g++} is older than version 12: Debian 12 or Ubuntu 24.04 is needed" >&2; exit 1; }
echo "bootstrap.sh: everything needed is installed"
