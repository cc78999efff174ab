#!/usr/bin/env bash
# Makes .bundle/: what a GPU host without METIS, muParser and the other Debian libraries needs to run and to build.
#   bin/       the programs and tests built here, stripped
#   lib/       the shared libraries they need, but for those that belong to the host: glibc, GCC's, OpenMPI's, CUDA's, NCCL
#   run.sh     runs one of the programs with these libraries
#   sdk/       headers, libraries and CMake files of the small packages, so that a build can be made on the host
#   build.sh   configures and builds there (CUDA, CMake, Ninja, OpenMPI and HDF5 are the host's), into build-host/
#   meshes/    with --meshes: the packed meshes of the large cases (tests/gpu/large_meshes.py)
# With --release: a tarball for any Linux x86-64 with this glibc, with the libraries, OpenMPI for the ranks of one host
# and the mesher inside. What is in it is what `cmake --install` of a relocatable build installs.
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
set -euo pipefail

usage() {
  cat <<TXT
usage: scripts/bundle.sh [-B DIR] [--meshes DIR] [--sdk-only | PROGRAM...]
       scripts/bundle.sh --release [-B DIR] [-o DIR]
  -B DIR       build folder to take the programs from (default: build)
  --meshes DIR packed meshes for tests/gpu/large_cases.py to take along (tests/gpu/large_meshes.py makes them)
  --sdk-only   no programs: the host builds its own
  PROGRAM      names in DIR/bin (default: tetrawave and all test_*). tetrawave-mesh, with Gmsh's libraries, is over
               the limit of 60 MiB: make meshes here and take the .h5 files along.
  --release    instead: dist/tetrawave-VERSION-linux-x86_64.tar.gz of a build with -DTETRAWAVE_RELOCATABLE=ON
               -DTETRAWAVE_ISAS=all (default: build-release)
  -o DIR       where the tarball goes (default: dist)
TXT
}

build='' with_programs=yes meshes='' release=no output=dist names=()
while [ $# -gt 0 ]; do
  case $1 in
    -B) build=${2:?-B needs a folder}; shift ;;
    --meshes) meshes=$(realpath "${2:?--meshes needs a folder}"); shift ;;
    --sdk-only) with_programs=no ;;
    --release) release=yes ;;
    -o) output=${2:?-o needs a folder}; shift ;;
    -h | --help) usage; exit 0 ;;
    -*) usage >&2; exit 64 ;;
    *) names+=("$1") ;;
  esac
  shift
done

cd "$TW_ROOT"

write_launcher() {  # FOLDER: one script under the names of the programs
  cat >"$1/tetrawave" <<'TXT'
#!/bin/sh
# tetrawave, -mesh, -plot, -report and -mpirun: the programs of bin/ with the libraries and OpenMPI of this folder, which
# may lie anywhere: put it on the PATH. Ranks: tetrawave-mpirun -n 4 tetrawave run CASE.yaml
here=$(dirname "$(readlink -f "$0")")
name=$(basename "$0")
if [ "$name" = tetrawave-mpirun ]; then name=mpirun; fi
export OPAL_PREFIX="$here" OPAL_LIBDIR="$here/lib" OPAL_BINDIR="$here/bin" OPAL_PKGLIBDIR="$here/lib/openmpi"
export OPAL_PKGDATADIR="$here/share/openmpi" OMPI_MCA_mca_base_component_path="$here/lib/openmpi"
export PMIX_PKGLIBDIR="$here/lib/pmix" PMIX_MCA_mca_base_component_path="$here/lib/pmix"
# The programs know their lib/; mpirun, copied as it was, does not.
if [ "$name" = mpirun ]; then export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"; fi
exec "$here/bin/$name" "$@"
TXT
  chmod +x "$1/tetrawave"
  local name
  for name in mesh plot report mpirun; do ln -s tetrawave "$1/tetrawave-$name"; done
}

make_release() {
  local version name folder
  grep -q '^TETRAWAVE_RELOCATABLE:BOOL=ON' "$build/CMakeCache.txt" 2>/dev/null ||
    die "$build was not built with -DTETRAWAVE_RELOCATABLE=ON -DTETRAWAVE_ISAS=all"
  version=$(sed -n 's/^project(tetrawave VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
  name=tetrawave-$version-linux-x86_64
  folder=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$folder'" EXIT
  cmake --install "$build" --prefix "$folder/$name" --strip >/dev/null
  write_launcher "$folder/$name"
  mkdir -p "$output"
  tar -C "$folder" -czf "$output/$name.tar.gz" "$name"
  ls -l "$output/$name.tar.gz"
}

if [ $release = yes ]; then
  build=${build:-build-release}
  make_release
  exit
fi

build=${build:-build}
bundle=$TW_ROOT/.bundle
if [ $with_programs = yes ] && ! grep -qxE 'TETRAWAVE_ISAS:[A-Z]+=(all|v2;v3;v4)' "$build/CMakeCache.txt" 2>/dev/null; then
  die "$build was not built for every processor: configure it with -DTETRAWAVE_ISAS=all, or take --sdk-only"
fi
largest_mib=60
sdk_packages=(libmetis-dev libmuparser-dev)  # what the GPU hosts lack; the rest is theirs
of_the_host='^(linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|util|resolv|anl|nsl|stdc\+\+|gcc_s|gomp|quadmath|atomic)\.so|libmpi|libopen-|libcuda\.so|libnccl|libnvidia)'

# needed FILE: the names of the shared libraries that FILE itself asks for.
needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }

# collect_libraries FILE...: copies what the files need, and what that needs, not going through the host's libraries:
# those bring their own.
collect_libraries() {
  local -a queue=("$@")
  local file name path
  while [ ${#queue[@]} -gt 0 ]; do
    file=${queue[0]}
    queue=("${queue[@]:1}")
    for name in $(needed "$file"); do
      if [[ $name =~ $of_the_host ]] || [ -e "$bundle/lib/$name" ]; then continue; fi
      path=$(ldd "$file" | awk -v name="$name" '$1 == name { print $3 }')
      [ -f "$path" ] || die "$file needs $name, which is not found"
      cp -L "$path" "$bundle/lib/$name"
      queue+=("$path")
    done
  done
}

copy_programs() {
  local -a files=()
  local file
  [ -d "$build/bin" ] || die "$build/bin is not there: build first (scripts/test.sh)"
  [ ${#names[@]} -gt 0 ] || mapfile -t names < <(cd "$build/bin" && ls -d tetrawave test_*)
  for file in "${names[@]}"; do
    [ -x "$build/bin/$file" ] || die "$build/bin/$file is not there: build first (scripts/test.sh)"
    files+=("$build/bin/$file")
  done
  mkdir -p "$bundle/bin" "$bundle/lib"
  cp "${files[@]}" "$bundle/bin/"
  strip "$bundle"/bin/*
  collect_libraries "${files[@]}"
}

# copy_sdk: the files of the development packages below sdk/, laid out as below /usr, libraries under all their names.
copy_sdk() {
  local path folder name
  while read -r path; do
    [ -f "$path" ] || continue
    folder=$bundle/sdk/$(dirname "${path#/usr/}")
    mkdir -p "$folder"
    cp -L "$path" "$folder/"
    [[ $path = *.so ]] || continue
    for name in $(readlink -f "$path") $(readelf -d "$path" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p'); do
      ln -sf "$(basename "$path")" "$folder/$(basename "$name")"
    done
  done < <(dpkg-query -L "${sdk_packages[@]}" | grep -E '^/usr/(include|lib|share/cmake)' | grep -v /pkgconfig/)
}

copy_meshes() {
  [ -n "$meshes" ] || return 0
  mkdir -p "$bundle/meshes"
  cp "$meshes"/*.h5.xz "$bundle/meshes/"
}

write_wrappers() {
  cat >"$bundle/run.sh" <<'TXT'
#!/bin/sh
# run.sh PROGRAM [ARGUMENT...]: one of bin/ with the libraries of this bundle; with ranks: mpirun -n N run.sh PROGRAM ...
here=$(cd "$(dirname "$0")" && pwd)
program=$1
shift
LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec "$here/bin/$program" "$@"
TXT
  cat >"$bundle/build.sh" <<'TXT'
#!/bin/sh
# build.sh [TARGET...]: a CUDA build of the tree round this bundle, in build-host/. The programs find sdk/ by themselves
# (an RPATH, which also holds for the libraries' own needs).
set -e
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/.."
cmake -S . -B build-host -G Ninja -DCMAKE_BUILD_TYPE=Release -DTETRAWAVE_CUDA=ON -DTETRAWAVE_MESHER=OFF \
  -DCMAKE_PREFIX_PATH="$here/sdk" -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags ${TETRAWAVE_CMAKE_OPTIONS:-}
targets=
for target in "$@"; do targets="$targets --target $target"; done
# shellcheck disable=SC2086
cmake --build build-host $targets
TXT
  chmod +x "$bundle/run.sh" "$bundle/build.sh"
}

rm -rf "$bundle"
mkdir -p "$bundle/sdk"
[ $with_programs = no ] || copy_programs
copy_sdk
copy_meshes
write_wrappers
size=$(du -sm "$bundle" | cut -f1)
echo "$bundle: $size MiB"
[ "$size" -le $largest_mib ] || die "more than $largest_mib MiB: name fewer programs"
