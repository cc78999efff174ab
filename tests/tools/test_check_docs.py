"""The check of documents on small trees made for each test."""

import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "tools"))
import check_docs  # noqa: E402

CITE = "the" + "ory/"


class Documents(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("src/THEORY.md", f"# Theory\n\n* [Local time stepping]({CITE}lts.md)\n")
        self.write("src/theory/lts.md", "# Local time stepping\n\n## Choice of levels\n")
        self.write("src/decisions/044-terms.md", "# Terms\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def faults(self, name, text):
        self.write(name, text)
        return check_docs.check_tree(self.root)

    def test_chapters_and_sections_that_exist_may_be_cited(self):
        self.assertEqual([], self.faults("src/a.hpp", f"// Levels ({CITE}lts, {CITE}lts#choice-of-levels, decision 044).\n"))
        self.assertEqual([], self.faults("cases/a/README.md", f"see `src/{CITE}lts.md`\n"))

    def test_a_chapter_a_section_and_a_decision_that_do_not_exist_are_named(self):
        self.assertEqual(["src/a.hpp:1: no chapter src/theory/pml.md"], self.faults("src/a.hpp", f"// {CITE}pml\n"))
        self.assertEqual(["src/a.hpp:2: no section 'gains' in src/theory/lts.md"],
                         self.faults("src/a.hpp", f"\n// {CITE}lts#gains\n"))
        self.assertEqual(["src/a.hpp:1: no decision 045"], self.faults("src/a.hpp", "// decision" + " 045\n"))

    def test_theory_cited_by_a_number_is_a_fault(self):
        self.assertEqual(["src/a.hpp:1: theory cited by a number: cite theory/CHAPTER"],
                         self.faults("src/a.hpp", "// Levels (THE" + "ORY.md 25).\n"))

    def test_a_chapter_that_the_contents_do_not_list_is_a_fault(self):
        self.assertEqual(["src/THEORY.md:1: chapter kerr is not listed"], self.faults("src/theory/kerr.md", "# Kerr media\n"))

    def test_links_need_their_file_and_heading(self):
        good = "[a](src/theory/lts.md#choice-of-levels) [b](#here) [c](https://example.org/x)\n\n## Here\n"
        self.assertEqual([], self.faults("README.md", good))
        self.assertEqual(["README.md:1: link to src/b.md, which is not there"], self.faults("README.md", "[b](src/b.md)\n"))
        self.assertEqual(["README.md:1: link to src/theory/lts.md#gains: no such heading",
                          "README.md:1: no section 'gains' in src/theory/lts.md"],
                         sorted(self.faults("README.md", "[b](src/theory/lts.md#gains)\n")))

    def test_sources_that_documents_name_must_exist(self):
        self.write("src/fem/sparse/row_product.cpp", "int a;\n")
        self.assertEqual([], self.faults("README.md", "`row_product.*`, `sparse/row_product.cpp`, `generated/x.hpp`\n"))
        self.assertEqual(["README.md:1: no source product.cpp"], self.faults("README.md", "`product.cpp`\n"))

    def test_prose_over_120_columns_is_a_fault_but_no_table_code_formula_or_word(self):
        long = "word " * 30 + "end"
        self.assertEqual(["README.md:1: 153 columns, at most 120"], self.faults("README.md", long + "\n"))
        fine = f"| {long} |\n\n    {long}\n\n```\n{long}\n```\n\n* https://example.org/{'x' * 120}\n"
        self.assertEqual([], self.faults("README.md", fine))


if __name__ == "__main__":
    unittest.main()
