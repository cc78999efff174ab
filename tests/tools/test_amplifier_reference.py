"""cases/photonic_amplifier/reference.py on waves made here: coupled amplitudes integrated step by step, and pulses in closed form."""

import importlib.util
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

SCRIPT = Path(__file__).resolve().parents[2] / "cases/photonic_amplifier/reference.py"
spec = importlib.util.spec_from_file_location("amplifier_reference", SCRIPT)
reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reference)

PLACES = 1e-6 + 0.43e-6 * np.arange(19)
TIMES = np.arange(0.5e-12, 1.2e-12, 0.4e-15)
BETA, LOSS = 1.1e7, 3e4          # of the pump (rad/m), of the amplitude (Np/m)
SLOPE = 4.1 / 299792458          # group delay per metre
BACK = 0.25                      # of the waves that come back in parts of those that go on
FREQUENCIES = [reference.PUMP_HZ + k * reference.OFFSET_HZ for k in (-1, 0, 1)]


def wavenumber(frequency):
    return BETA + 2 * np.pi * (frequency - reference.PUMP_HZ) * SLOPE


def integrate(strength, idler=0.0):
    """Amplitudes of idler, pump, signal along the wire without exp(-i beta z): dA/dz by steps of Runge-Kutta, with losses, and with
    a pump that comes back and turns all of them by twice its power."""
    def slope(a):
        i, p, s = a
        power = abs(p) ** 2
        return np.array([-1j * strength * (2 * power * i + p**2 * np.conj(s)), -1j * strength * power * p,
                         -1j * strength * (2 * power * s + p**2 * np.conj(i))]) - LOSS * a - 2j * np.real(strength) * BACK**2 * power * a

    amplitudes, z = np.array([idler, 1.0, 0.01], dtype=complex), 0.0
    found = []
    for place in PLACES:
        count = max(1, int(np.ceil((place - z) / 0.02e-6)))
        h = (place - z) / count
        for _ in range(count):
            k1 = slope(amplitudes)
            k2 = slope(amplitudes + h / 2 * k1)
            k3 = slope(amplitudes + h / 2 * k2)
            amplitudes = amplitudes + h / 6 * (k1 + 2 * k2 + 2 * k3 + slope(amplitudes + h * k3))
        z = place
        found.append(amplitudes)
    return np.array(found).T


def write_tones(folder, along, drive, signal=1.0):
    """A run whose fields along the wire are those waves, and BACK of them coming back."""
    folder.mkdir()
    waves = [np.exp(2j * np.pi * f * TIMES) for f in FREQUENCIES]
    sent = np.real(waves[1] + 0.01 * waves[2]) * drive
    with h5py.File(folder / "results.h5", "w") as file:
        for name in ("in", "out"):
            file[f"ports/{name}/time"], file[f"ports/{name}/incident"] = TIMES, sent if name == "in" else 0 * sent
        file["ports/out/reflected"] = np.real(sum(a[-1] * wave for a, wave in zip(along, waves))) * drive
        file["performance/x"] = 0
        file["performance"].attrs["largest_eps_r"] = 12.5
        for k, place in enumerate(PLACES):
            field = sum(a[k] * (signal ** (k / 18) if n == 2 else 1) * wave * (np.exp(-1j * wavenumber(f) * place) + BACK * np.exp(1j * wavenumber(f) * place))
                        for n, (a, wave, f) in enumerate(zip(along, waves, FREQUENCIES)))
            probe = file.create_group(f"probes/z{k:02d}")
            probe.attrs["position"], probe["time"] = [1e-8, 1e-8, place], TIMES
            probe["E"] = np.stack((np.real(field) * 1e7 * drive, 0 * TIMES, 0 * TIMES), axis=1)


def write_pulses(folder, phase, drive=1.0):
    """A pulse of pump and signal, its envelope turned by its own power."""
    folder.mkdir()
    time = np.arange(0, 16e-12, 0.5e-15)
    envelope = np.exp(-((time - 8e-12) / 2e-12) ** 2 / 2) * (1 + 0.01 * np.exp(2j * np.pi * reference.OFFSET_HZ * time))
    wave = envelope * np.exp(2j * np.pi * reference.PUMP_HZ * time - 1j * phase * np.abs(envelope) ** 2)
    with h5py.File(folder / "results.h5", "w") as file:
        for name in ("in", "out"):
            file[f"ports/{name}/time"], file[f"ports/{name}/incident"] = time, drive * np.real(envelope * np.exp(2j * np.pi * reference.PUMP_HZ * time))
            file[f"ports/{name}/reflected"] = drive * np.real(wave)
        file["performance/x"] = 0
        file["performance"].attrs["largest_eps_r"] = 12.5


class Amplifier(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)

    def judge(self, *words):
        done = subprocess.run([sys.executable, SCRIPT, *words, "--json", self.place / "figures.json"], capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.returncode, json.loads((self.place / "figures.json").read_text(encoding="utf-8")), done.stdout

    def test_the_gain_in_a_lossy_wire_with_an_idler_before_it_is_that_of_integrated_amplitudes(self):
        write_tones(self.place / "linear", integrate(0.0), 1e-9)
        for name, strength, idler in (("alone", 2e5, 0.0), ("idler", 2e5, 0.002 - 0.003j), ("absorbed", 2e5 - 2e4j, 0.002j)):
            along = integrate(strength, idler)
            write_tones(self.place / name, along, 1.4e-7)
            code, figures, said = self.judge(self.place / name, self.place / "linear")
            wire = figures["wire"]
            self.assertEqual(code, 0, said)
            self.assertGreater(wire["phase"], 0.7)
            self.assertAlmostEqual(wire["phase"] / wire["turned"], 1 / (1 + 2 * BACK**2), delta=0.01)
            level = 20 * np.log10(np.abs(along[2])) + 20 * np.log10(np.e) * LOSS * PLACES
            exact = np.diff(np.interp([reference.FIRST_M, reference.LAST_M], PLACES, level))[0]
            self.assertAlmostEqual(wire["gain_db"], exact, delta=0.1)
            self.assertAlmostEqual(wire["expected_db"], exact, delta=0.1)
            self.assertAlmostEqual(wire["pump_db"], -20 * np.log10(np.e) * wire["phase"] * 0.1 if name == "absorbed" else 0, delta=0.05)

    def test_a_signal_that_grows_less_is_refused(self):
        write_tones(self.place / "linear", integrate(0.0), 1e-9)
        write_tones(self.place / "weak", integrate(2e5), 1.4e-7, signal=0.85)
        self.assertEqual(self.judge(self.place / "weak", self.place / "linear")[0], 1)

    def test_what_comes_before_the_time_from_which_tones_are_evaluated_does_not_count(self):
        write_tones(self.place / "linear", integrate(0.0), 1e-9)
        write_tones(self.place / "kerr", integrate(2e5), 1.4e-7)
        steady = self.judge(self.place / "kerr", self.place / "linear")[1]["behind"]["signal_db"]
        with h5py.File(self.place / "kerr/results.h5", "r+") as file:
            time = file["ports/out/time"][()]
            file["ports/out/reflected"][()] += np.where((time > 0.46e-12) & (time < 0.58e-12), 1e-8 * np.sin(2 * np.pi * reference.PUMP_HZ * time), 0)
        for words, is_equal in (((), True), (("--from", "0.59"), True), (("--from", "0.45"), False)):
            found = self.judge(self.place / "kerr", self.place / "linear", *words)[1]["behind"]["signal_db"]
            self.assertEqual(abs(found - steady) < 1e-9 if not words else abs(found - steady) < 1e-4, is_equal, words)

    def test_pulses_are_compared_with_those_turned_by_their_own_power(self):
        write_pulses(self.place / "linear", 0.0, 1e-9)
        write_pulses(self.place / "kerr", 1.5, 1e-7)
        code, figures, said = self.judge(self.place / "kerr", self.place / "linear", "--pulses", "--alone", self.place / "linear", "--picture", self.place / "spectra.png")
        self.assertGreater((self.place / "spectra.png").stat().st_size, 10000)
        self.assertEqual(code, 0, said)
        self.assertAlmostEqual(figures["phase"], 1.5, delta=0.05)
        self.assertAlmostEqual(figures["signal_db"], figures["expected_signal_db"], delta=0.1)
        self.assertGreater(figures["signal_db"], 0.2)  # of its peak, which broadens


if __name__ == "__main__":
    unittest.main()
