"""Pages in a real browser (Debian's chromium, without a network): no error, numbers under the cursor, pictures in light and dark, phones."""

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "program"))
from programs import ProgramTest  # noqa: E402

BROWSER = shutil.which("chromium") or shutil.which("google-chrome") or "chromium"
PATIENCE_S = 120
# Added behind the page's own script: moves the pointer to 40 % of the first chart, and says what is read there.
PROBE = """<script>
// Frames may come late on a busy machine, while the browser's clock runs on: the canvas is painted without one.
window.requestAnimationFrame = (call) => setTimeout(call, 0);
addEventListener("load", () => document.querySelector("button[data-look]").click());
addEventListener("load", () => setTimeout(() => {
  const plot = [...document.querySelectorAll("#s svg.plot")].find((p) => p.getBoundingClientRect().width > 0);
  const r = plot.getBoundingClientRect();
  plot.dispatchEvent(new PointerEvent("pointermove", {bubbles: true, clientX: r.left + 0.4 * r.width, clientY: r.top + r.height / 2}));
  const figure = plot.closest("figure"), canvas = document.querySelector("canvas");
  const shown = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.filter((v, k) => k % 4 === 3 && v > 0).length;
  const wide = [...document.querySelectorAll("section, header, footer")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).length;
  const hidden = [...document.querySelectorAll("#s .view")].filter((v) => getComputedStyle(v).display === "none").length;
  document.querySelector('button[data-view="smith"]').click();
  const smith = document.querySelector('#s .view[data-view="smith"]').getBoundingClientRect().height;
  console.log("FOUND|" + [figure.querySelector(".at").textContent, figure.querySelector("output").textContent, shown, wide, hidden,
    smith, document.documentElement.scrollWidth - innerWidth].join("|"));
}, 300));
</script>"""


class Pages(ProgramTest):
    @classmethod
    def setUpClass(cls):
        """A patch antenna of `tetrawave new`, coarse, with its page and the time that the page took."""
        cls.place = tempfile.TemporaryDirectory(prefix="tw-browser-")
        cls.addClassCleanup(cls.place.cleanup)
        folder = Path(cls.place.name)
        program = os.environ["TETRAWAVE_PROGRAM"]

        def call(*words):
            subprocess.run([program, *words], cwd=folder, check=True, capture_output=True, timeout=600)

        call("new", "antenna")
        call(
            "run",
            "antenna.yaml",
            "--quiet",
            "--set",
            "time.end=6 ns",
            "--set",
            "mesh.parameters.edge_size=4",
            "--set",
            "outputs.fields={frequencies: [2.45 GHz], cuts: [{name: cut, point: [0, 0, 1.5], normal: [0, 0, 1]}]}",
        )
        begin = resource.getrusage(resource.RUSAGE_CHILDREN)
        call("report", "antenna.out")
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        cls.seconds = end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime  # of work, whatever else the machine does
        cls.page = folder / "antenna.out" / "report.html"
        call("report", "antenna.out", "antenna.out", "-o", "beside.html")
        call("inspect", "antenna.yaml")

    def browse(self, page, *options, width=1200, height=900):
        """Console lines of a page."""
        words = [
            BROWSER,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--enable-logging=stderr",
            "--allow-file-access-from-files",
            f"--user-data-dir={self.folder}/profile",
            f"--window-size={width},{height}",
            "--virtual-time-budget=5000",
            *options,
            page.as_uri(),
        ]
        done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(0, done.returncode, done.stderr)
        return re.findall(r"CONSOLE[^\]]*\] \"(.*)\", source", done.stderr)

    def probed(self, width=1200):
        """Console lines of the page with PROBE, in a frame where it is narrower than a window may be."""
        page = self.folder / "probed.html"
        page.write_text(self.page.read_text(encoding="utf-8").replace("</body>", PROBE + "</body>"), encoding="utf-8")
        if width >= 500:
            return self.browse(page, "--dump-dom", width=width)
        frame = self.folder / "frame.html"
        frame.write_text(
            f'<body style="margin:0"><iframe src="probed.html" style="border:0;width:{width}px;height:9000px"></iframe>', encoding="utf-8"
        )
        return self.browse(frame, "--dump-dom", width=600, height=9000)

    def picture(self, page, scheme):
        target = self.folder / f"{scheme}.png"
        lines = self.browse(page, f"--blink-settings=preferredColorScheme={scheme}", f"--screenshot={target}", height=3000)
        self.assertEqual([], lines)
        return np.asarray(Image.open(target).convert("RGB"), dtype=float)

    def test_the_page_is_small_and_quickly_made(self):
        self.assertLess(self.page.stat().st_size, 5e6)
        self.assertLess(self.seconds, 10)

    def test_no_page_writes_to_the_console_and_all_are_drawn_in_light_and_dark(self):
        for page in (self.page, self.page.parents[1] / "beside.html", self.page.parents[1] / "antenna.inspect.html"):
            with self.subTest(page=page.name):
                light, dark = self.picture(page, 1), self.picture(page, 0)
                self.assertGreater(np.median(light), 240)
                self.assertLess(np.median(dark), 40)
                self.assertGreater(len(np.unique(light.reshape(-1, 3)[::7], axis=0)), 60)

    def test_the_cursor_reads_the_value_of_the_results_and_views_change(self):
        with h5py.File(self.page.parent / "results.h5") as file:
            frequency, s11 = file["s_parameters/frequency"][()], file["s_parameters/S"][:, 0, 0]
        for width in (1200, 390):
            with self.subTest(width=width):
                lines = self.probed(width)
                self.assertEqual(1, len(lines), lines)
                at, value, shown, wide, hidden, smith, beyond = lines[0].removeprefix("FOUND|").split("|")
                hertz = float(at.split()[0]) * 1e9
                k = int(np.argmin(np.abs(frequency - hertz)))
                self.assertAlmostEqual(frequency[k] / 1e9, hertz / 1e9, places=5)
                self.assertAlmostEqual(20 * np.log10(abs(s11[k])), float(value.split()[0].replace("−", "-")), delta=2e-3)
                self.assertGreater(int(shown), 3000)  # pixels of the geometry
                self.assertEqual(("0", "3"), (wide, hidden))  # of four views of S
                self.assertGreater(float(smith), 200)
                self.assertLessEqual(float(beyond), 0)


if __name__ == "__main__":
    unittest.main()
