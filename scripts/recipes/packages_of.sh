#!/bin/sh
# packages_of.sh PROGRAM...: the Debian packages whose shared libraries the programs need, one a line.
set -eu
ldd "$@" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u | while read -r library; do
  path=$(realpath "$library")
  # CUDA's are the image's; dpkg knows some files of /usr/lib, which are merged there, as /lib.
  dpkg-query --search "$path" 2>/dev/null || dpkg-query --search "${path#/usr}" 2>/dev/null || true
done | cut -d : -f 1 | sort -u
