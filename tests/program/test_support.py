"""`tetrawave info --support` says what `tetrawave check` says."""

import json
import re
from pathlib import Path

from programs import ProgramTest

# Features whose cells that work need a mesh of their own, and the one mode that does: its surfaces are closed.
NEED_A_MESH = {"curved elements (order: 2)", "finite array", "pml that is meshed", "coaxial", "lumped with an inductance",
               "plane-wave (total field)", "far_field", "monostatic far_field", "near_field"}
CLOSED_SURFACES = "fe-iiee"


class SupportTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.table = json.loads(self.call("info", "--support", "--json")[1])
        self.cells = [(feature["name"], method, cell) for feature in self.table["features"]
                      for method, cell in feature["methods"].items() if "case" in cell]

    def check(self, cell):
        self.write("case.yaml", cell["case"])
        settings = [word for setting in cell["settings"] for word in ("--set", setting)]
        return self.call("check", "case.yaml", "--json", *settings)

    def test_every_message_of_the_table_is_what_check_says(self):
        asked = set()
        for feature, method, cell in self.cells:
            message = cell.get("message")
            if message is None or message in asked:
                continue
            asked.add(message)
            with self.subTest(feature=feature, method=method):
                code, said, error = self.check(cell)
                self.assertEqual((code, said), (78, ""), error)
                self.assertIn(f": error: {message}\n", error)
        self.assertGreater(len(asked), 40)

    def test_what_works_is_set_up(self):
        """A cell of every feature and of every method: the method is another from feature to feature."""
        features = [feature for feature in self.table["features"] if feature["name"] not in NEED_A_MESH]
        methods = [method for method in features[0]["methods"] if method != CLOSED_SURFACES]
        seen = set()
        for i, feature in enumerate(features):
            works = [m for m in methods if feature["methods"][m]["works"] and "case" in feature["methods"][m]]
            for method in works[i % len(works):][:1] if works else []:
                seen.add(method)
                with self.subTest(feature=feature["name"], method=method):
                    code, said, error = self.check(feature["methods"][method])
                    self.assertEqual(code, 0, error)
                    self.assertIsInstance(json.loads(said), dict)
        self.assertLessEqual(set(methods) - {"assembly-2d"}, seen)

    def test_what_is_known_of_the_schemes(self):
        """Facts that stand elsewhere: decisions and the theory."""
        works = {(feature, method): cell["works"] for feature, method, cell in self.cells}
        for method, expected in {"dgtd-central": True, "dgtd-central stored": False, "dgtd-upwind": False, "dfdd-eld": False,
                                 "fetd": False, "frequency-domain": False, "assembly-2d": False}.items():
            self.assertEqual(works["Kerr effect", method], expected, method)
        self.assertFalse(works["published recursions", "dgtd-upwind"])
        self.assertTrue(works["published recursions", "dfdd-eld"])
        self.assertFalse(works["dipole", "dfdd-eld stored"])
        self.assertTrue(works["dipole", "dgtd-central stored"])
        self.assertFalse(works["pml added to faces", "dgtd-central stored"])
        self.assertTrue(works["pml added to faces", "dgtd-upwind stored"])
        self.assertFalse(works["pml added to faces", "fe-iiee"])
        self.assertFalse(works["local time stepping", "dgtd-upwind stored"])
        self.assertTrue(works["curved elements (order: 2)", "frequency-domain"])
        self.assertFalse(works["curved elements (order: 2)", "fetd"])

    def test_the_text_has_the_rows_of_the_json(self):
        code, said, error = self.call("info", "--support")
        self.assertEqual(code, 0, error)
        for feature in self.table["features"]:
            signs = " ".join("+" if cell["works"] else "-" for cell in feature["methods"].values())
            self.assertRegex(said, rf"(?m)^[a-z ]{{10}}{re.escape(feature['name'])} +{re.escape(signs)}$")
        for together in self.table["refused_together"]:
            self.assertIn(f"  {together['settings']}\n      {together['message']}\n", said)

    def test_the_page_is_the_table(self):
        page = Path(__file__).parents[2] / "config" / "SUPPORT.txt"
        self.assertEqual(page.read_text(encoding="utf-8"), self.call("info", "--support")[1],
                         "config/SUPPORT.txt is stale: tetrawave info --support > config/SUPPORT.txt")

    def test_json_goes_with_support(self):
        code, said, error = self.call("info", "--json")
        self.assertEqual((code, said), (64, ""))
        self.assertIn("--support", error)
