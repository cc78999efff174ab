"""The include-ladder check on small trees made for each test."""

import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "tools"))
import check_ladder  # noqa: E402


class Ladder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def faults(self, **files):
        """The faults of a tree with these files; `__` in a name stands for `/`, `_dot_` for `.`."""
        for name, text in files.items():
            path = self.root / name.replace("__", "/").replace("_dot_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return check_ladder.check_tree(self.root)

    def assert_fault(self, faults, place, text):
        self.assertEqual(len(faults), 1, faults)
        self.assertTrue(faults[0].startswith(place + ":"), faults[0])
        self.assertIn(text, faults[0])

    def test_downward_and_own_includes_are_allowed(self):
        self.assertEqual([], self.faults(src__mesh__a_dot_hpp='#include "base/error.hpp"\n#include "mesh/b.hpp"\n#include "c.hpp"\n'))

    def test_an_upward_include_is_named_with_its_line(self):
        faults = self.faults(src__mesh__a_dot_hpp='#pragma once\n\n#include "march/interface/state.hpp"\n')
        self.assert_fault(faults, "src/mesh/a.hpp:3", "upward, mesh (L")
        self.assertIn("includes march/interface (L", faults[0])

    def test_a_sideways_include_is_named(self):
        faults = self.faults(src__engines__host__a_dot_cpp='#include "cuda/launch/engine.hpp"\n')
        self.assert_fault(faults, "src/engines/host/a.cpp:1", "sideways, engines/host and cuda/launch")

    def test_a_room_includes_from_others_of_its_folder_by_the_ladder(self):
        self.assertEqual([], self.faults(src__mesh__file__a_dot_hpp='#include "mesh/local_mesh.hpp"\n#include "mesh/file/b.hpp"\n'))
        self.assert_fault(self.faults(src__mesh__b_dot_hpp='#include "mesh/file/a.hpp"\n'), "src/mesh/b.hpp:1", "upward, mesh (L")

    def test_a_room_has_at_most_24_files(self):
        files = {f"src__mesh__f{n}_dot_hpp": "" for n in range(24)}
        self.assertEqual([], self.faults(**files, src__mesh__file__g_dot_hpp=""))
        self.assert_fault(self.faults(src__mesh__g_dot_hpp=""), "src/mesh", "25 files, at most 24 in a room")

    def test_cuda_includes_folders_below_the_backends_only(self):
        self.assertEqual([], self.faults(cuda__a_dot_cu='#include "march/interface/state.hpp"\n#include "cuda/buffer.hpp"\n#include <cuda_runtime.h>\n'))
        self.assert_fault(self.faults(cuda__b_dot_cu='#include "modes/time_domain/time_domain.hpp"\n'), "cuda/b.cu:1", "upward")

    def test_main_and_app_may_include_both_backends(self):
        text = '#include "engines/host/engine.hpp"\n#include "cuda/launch/engine.hpp"\n'
        self.assertEqual([], self.faults(src__app__a_dot_cpp=text, src__main_dot_cpp='#include "app/run.hpp"\n'))

    def test_a_relative_include_is_refused(self):
        self.assert_fault(self.faults(src__mesh__a_dot_cpp='#include "../march/interface/state.hpp"\n'), "src/mesh/a.cpp:1", "relatively")

    def test_a_room_without_a_place_is_refused(self):
        self.assert_fault(self.faults(src__utils__a_dot_hpp="#pragma once\n"), "src/utils/a.hpp:1", "no place on the ladder")

    def test_a_case_is_named_in_the_model_and_in_the_entry_of_a_mode(self):
        text = "void run(const Case& given, const PortDescription& port);  // Case\n"
        self.assertEqual([], self.faults(src__model__a_dot_hpp=text, src__modes__fetd__fetd_dot_cpp=text, src__app__run__a_dot_cpp=text))
        self.assertEqual([], self.faults(src__terms__walls__a_dot_hpp="struct WallSpec;  // of a Case\n"))
        self.assert_fault(self.faults(src__march__loop__a_dot_hpp=text), "src/march/loop", "1 lines name a case")

    def test_a_case_is_read_in_modes_and_above_only(self):
        text = '#include "case/spec/case.hpp"\n'
        self.assertEqual([], self.faults(src__modes__fetd__a_dot_cpp=text, src__model__a_dot_cpp=text))
        self.assert_fault(self.faults(src__results__a_dot_cpp=text), "src/results/a.cpp:1", "a case is read by case, model, modes, app")

    def test_a_room_with_a_source_or_kernels_has_a_unit_test(self):
        self.assertEqual([], self.faults(src__mesh__a_dot_cpp="", tests__unit__mesh__a_dot_cpp="", src__march__loop__a_dot_hpp=""))
        self.assert_fault(self.faults(src__mesh__file__b_dot_cpp=""), "src/mesh/file", "no test in tests/unit/mesh/file")
        self.assert_fault(self.faults(tests__unit__mesh__file__b_dot_cpp="", src__kernels__a_dot_hpp=""), "src/kernels", "no test")

    def test_a_room_has_its_namespace(self):
        self.assertEqual([], self.faults(src__mesh__a_dot_hpp="namespace tetrawave {\n", src__store__a_dot_hpp="namespace tetrawave::store {\n"))
        self.assertEqual([], self.faults(src__schemes__newmark__a_dot_hpp="namespace tetrawave::modes {\n"))
        self.assert_fault(self.faults(src__store__b_dot_hpp="\nnamespace tetrawave {\n"), "src/store/b.hpp:2", "its names are in tetrawave::store")

    def test_at_most_four_components_include_one_another(self):
        ring = {f"src__mesh__c{n}_dot_hpp": f'#include "mesh/c{(n + 1) % 4}.hpp"\n' for n in range(4)}
        self.assertEqual([], self.faults(**ring, src__mesh__d_dot_hpp='#include "mesh/c0.hpp"\n'))
        faults = self.faults(src__mesh__c0_dot_cpp='#include "mesh/d.hpp"\n')
        self.assert_fault(faults, "mesh/c0, mesh/c1, mesh/c2, mesh/c3, mesh/d", "5 components include one another")

    def test_lines_that_ask_for_a_mode_are_counted(self):
        text = "".join(f"bool a{n} = mode == Mode::fetd;\n" for n in range(check_ladder.ENUMERATORS["Mode"][1]))
        self.assertEqual([], self.faults(src__model__a_dot_cpp=text, src__app__b_dot_cpp="auto b = Mode::fetd;\n"))
        faults = self.faults(src__results__c_dot_cpp="auto c = Mode::fetd;\n")
        self.assert_fault(faults, "src/", "lines ask for a Mode outside of base, case, app")

    def test_a_comment_is_no_include(self):
        text = '// #include "march/interface/state.hpp"\n/*\n#include "march/interface/state.hpp"\n*/\nconst char* t = "//";\n'
        self.assertEqual([], self.faults(src__mesh__a_dot_hpp=text))

    def test_every_package_is_refused_outside_its_door(self):
        headers = ["yaml-cpp/yaml.h", "CLI/CLI.hpp", "spdlog/spdlog.h", "fmt/format.h", "mpi.h", "hdf5.h", "H5Fpublic.h", "metis.h",
                   "cuda_runtime.h", "cuda.h", "cuda/std/array", "nccl.h", "gmsh.h", "muParser.h", "nlohmann/json.hpp", "omp.h",
                   "zmumps_c.h"]
        for header in headers:
            with self.subTest(header):
                self.assert_fault(self.faults(src__media__a_dot_cpp=f"#include <{header}>\n"), "src/media/a.cpp:1", f"<{header}>")

    def test_every_package_is_allowed_at_its_door(self):
        places = {"src__case__a_dot_cpp": "yaml-cpp/yaml.h", "src__app__a_dot_cpp": "CLI/CLI.hpp", "src__base__log_dot_cpp": "spdlog/spdlog.h",
                  "src__comm__a_dot_cpp": "mpi.h", "src__store__a_dot_cpp": "hdf5.h", "src__mesh__connect__partition_dot_cpp": "metis.h",
                  "cuda__a_dot_cu": "cuda_runtime.h", "tools__mesher__main_dot_cpp": "gmsh.h", "src__sources__a_dot_cpp": "muParser.h",
                  "src__case__schema__schema_dot_cpp": "nlohmann/json.hpp", "src__host__a_dot_cpp": "omp.h",
                  "src__fem__solvers__mumps_solver_dot_cpp": "zmumps_c.h"}
        self.assertEqual([], self.faults(**{place: f"#include <{header}>\n" for place, header in places.items()}))

    def test_a_door_of_one_file_is_not_open_to_its_folder(self):
        self.assert_fault(self.faults(src__mesh__connect__faces_dot_cpp="#include <metis.h>\n"), "src/mesh/connect/faces.cpp:1", "METIS")

    def test_the_target_macro_is_allowed_in_one_header_only(self):
        text = "#ifdef __CUDACC__\n#endif\n"
        self.assertEqual([], self.faults(src__base__target_dot_hpp=text))
        self.assert_fault(self.faults(src__kernels__a_dot_hpp=text), "src/kernels/a.hpp:1", "__CUDACC__")

    def test_a_tree_without_sources_is_a_failure(self):
        self.assertEqual(1, check_ladder.main([str(self.root)]))


if __name__ == "__main__":
    unittest.main()
