#!/usr/bin/env python3
"""Copies what the programs of a relocatable installation need beside them (called by `cmake --install`).

    scripts/copy_libraries.py PREFIX [LIBRARY...]

Into PREFIX/lib go the shared libraries that the programs in PREFIX/bin ask for and what those ask for, but for glibc's,
GCC's run-time, NVIDIA's and each LIBRARY, which comes from elsewhere but needs others, too; OpenMPI's plugins for the
ranks of one machine; into PREFIX/bin mpirun; into PREFIX/share/licenses the licence of every Debian package that a
copied file is from.
"""

import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

# What every Linux with this glibc has (manylinux' list), what belongs to a GPU's driver, and what pip installs.
OF_THE_SYSTEM = re.compile(r"(linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|util|resolv|anl|nsl|stdc\+\+|gcc_s)\.so|"
                           r"lib(cuda|cudart|cublas|nccl|nvidia|cudss))")
# Plugins for other hosts, networks, batch systems and programs, which need ssh or bring large libraries along.
LEFT_OUT = re.compile(r"rsh|ucx|ofi|openib|usnic|psm|oshmem|spml|scoll|sshmem|memheap|atomic|slurm|flux|gridengine|lsf|alps|jsm|"
                      r"netlink|monitoring|simulator|(^|_)(io|fs|fbtl|fcoll|sharedfp)_")

COMPILED_IN = ("libeigen3-dev", "libcli11-dev", "nlohmann-json3-dev", "libhdf5-dev", "libyaml-cpp-dev")
COMMON = Path("/usr/share/common-licenses")


def is_installed(package):
    return (Path("/usr/share/doc") / package / "copyright").exists()


def output_of(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout


def needed(file):
    """{name: path} of all libraries that a file needs, directly or not."""
    found = dict(re.findall(r"^\s*(\S+) => (\S+)", output_of("ldd", str(file)), re.MULTILINE))
    return {name: None if path == "not" else Path(path) for name, path in found.items()}


def remove_runpath(file):
    """Deletes DT_RUNPATH (29) from a library: folders of the building machine, which would go before those of the programs."""
    data = bytearray(file.read_bytes())
    (table,), (size, count) = struct.unpack_from("<Q", data, 32), struct.unpack_from("<HH", data, 54)
    for place in range(table, table + size * count, size):
        kind, begin, length = struct.unpack_from("<I4xQ16xQ", data, place)
        if kind == 2:  # PT_DYNAMIC: pairs of a tag and a value
            kept = [data[k : k + 16] for k in range(begin, begin + length, 16) if struct.unpack_from("<q", data, k)[0] != 29]
            data[begin : begin + length] = b"".join(kept).ljust(length, b"\0")
            file.write_bytes(data)


class Copies:
    def __init__(self, prefix, provided):
        self.prefix = prefix
        self.provided = {path.name for path in provided}
        self.originals = set()

    def copy(self, source, target):
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            shutil.copyfile(source, target)
            shutil.copymode(source, target)
            if b"\x7fELF" == target.read_bytes()[:4]:
                subprocess.run(["strip", "--strip-unneeded", str(target)], check=True)
                remove_runpath(target)
        if "share" not in target.relative_to(self.prefix).parts:
            self.originals.add(Path(source).resolve())

    def libraries_of(self, file):
        for name, path in needed(file).items():
            if OF_THE_SYSTEM.match(name) or name in self.provided:
                continue
            if path is None:
                sys.exit(f"copy_libraries.py: {file} needs {name}, which is not found")
            if self.prefix not in path.parents:
                self.copy(path, self.prefix / "lib" / name)

    def plugins(self, folder, name):
        """The plugins in `folder` as lib/NAME."""
        for plugin in sorted(Path(folder).glob("*.so")):
            if not LEFT_OUT.search(plugin.stem.replace("mca_", "", 1)):
                self.copy(plugin, self.prefix / "lib" / name / plugin.name)
                self.libraries_of(plugin)

    def mpi(self):
        paths = dict(line.split(":", 2)[1:] for line in output_of("ompi_info", "--path", "all", "--parsable").splitlines())
        self.plugins(paths["pkglibdir"], "openmpi")
        for name, library in needed(Path(paths["pkglibdir"]) / "mca_pmix_ext3x.so").items():
            if name.startswith("libpmix"):
                self.plugins(library.resolve().parent / "pmix", "pmix")
        self.copy(Path(paths["bindir"]) / "orterun", self.prefix / "bin" / "mpirun")
        self.libraries_of(self.prefix / "bin" / "mpirun")
        for text in Path(paths["pkgdatadir"]).glob("help-*.txt"):
            self.copy(text, self.prefix / "share" / "openmpi" / text.name)

    def licences(self):
        # dpkg knows some files of /usr/lib, which are merged there, as /lib.
        names = {name: path for path in self.originals for name in (str(path), str(path).replace("/usr/", "/", 1))}
        found = subprocess.run(["dpkg-query", "--search", *names], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               check=False).stdout
        package_of = {names[name]: packages.split(":")[0] for packages, name in
                      (line.split(": ", 1) for line in found.splitlines()) if name in names}
        if unknown := self.originals - set(package_of):
            sys.exit(f"copy_libraries.py: of no Debian package, so that its licence is not known: {min(unknown)}")
        for package in sorted({*package_of.values(), *filter(is_installed, COMPILED_IN)}):
            text = Path("/usr/share/doc") / package / "copyright"
            self.copy(text, self.prefix / "share" / "licenses" / package / "copyright")
            for name in re.findall(r"/usr/share/common-licenses/([\w.+-]*\w)", text.read_text(encoding="utf-8", errors="replace")):
                if (COMMON / name).is_file():
                    self.copy(COMMON / name, self.prefix / "share" / "licenses" / "common" / name)


def main(prefix, *provided):
    prefix = Path(prefix).resolve()
    copies = Copies(prefix, [Path(library) for library in provided])
    programs = [prefix / "bin" / name for name in ("tetrawave", "tetrawave-mesh")]
    for file in [program for program in programs if program.exists()] + list(provided):
        copies.libraries_of(file)
    copies.mpi()
    copies.licences()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: scripts/copy_libraries.py PREFIX [LIBRARY...]")
    main(*sys.argv[1:])
