"""The style check on small trees made for each test."""

import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "tools"))
import check_style  # noqa: E402


def function_of(lines):
    return "int f(int a) {\n" + "  ++a;\n" * (lines - 2) + "}\n"


class Style(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def faults(self, text, name="src/a.cpp"):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return check_style.check_tree(self.root)

    def test_a_function_of_80_lines_passes_and_of_81_is_named(self):
        self.assertEqual([], self.faults(function_of(80)))
        self.assertEqual(["src/a.cpp:1: function of 81 lines, at most 80"], self.faults(function_of(81)))

    def test_a_class_or_namespace_may_be_long(self):
        short = "int f() { return 0; }\n" * 100
        self.assertEqual([], self.faults("namespace a {\nclass B : public C<int(int)> {\n" + short + "};\n}\n"))

    def test_a_long_function_inside_a_namespace_is_named_with_its_line(self):
        faults = self.faults("namespace a {\n\n" + function_of(90) + "}\n")
        self.assertEqual(["src/a.cpp:3: function of 90 lines, at most 80"], faults)

    def test_braces_in_texts_and_comments_do_not_count(self):
        text = 'int f() {\n  g("}", \'}\');  // }\n' + "  ++a;\n" * 90 + "}\n"
        self.assertEqual(["src/a.cpp:1: function of 93 lines, at most 80"], self.faults(text))

    def test_a_long_python_function_is_named(self):
        faults = self.faults("def f(a):\n" + "    a += 1\n" * 80, "tools/a.py")
        self.assertEqual(["tools/a.py:1: function of 81 lines, at most 80"], faults)

    def test_a_file_over_500_lines_is_named(self):
        self.assertEqual([], self.faults("int a;\n" * 500))
        self.assertEqual(["src/a.cpp:1: 501 lines, at most 500"], self.faults("int a;\n" * 501))

    def test_unfinished_work_is_named(self):
        self.assertEqual(["src/a.cpp:2: unfinished by its own words"], self.faults("int a;\n// " + "TO" + "DO: more\n"))

    def test_a_file_that_is_not_utf_8_is_read_all_the_same(self):
        path = self.root / "tests/bad_input/a.yaml"
        path.parent.mkdir(parents=True)
        path.write_bytes(b"title: \xe9\n# FIX" + b"ME\n")
        self.assertEqual(["tests/bad_input/a.yaml:2: unfinished by its own words"], check_style.check_tree(self.root))


if __name__ == "__main__":
    unittest.main()
