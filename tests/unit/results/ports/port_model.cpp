// Lines and guides of ports against textbook formulas.
#include "results/ports/port_model.hpp"

#include <cmath>
#include <complex>

#include "base/constants.hpp"
#include "catch.hpp"

using namespace tetrawave;
using tetrawave::results::PortModel;
using tetrawave_tests::Approx;

TEST_CASE("a guide's mode has the impedance and the phase constant of the textbook") {
  PortModel te;
  te.kind = PortModel::Kind::waveguide;
  te.cutoff_hz = 6.557e9;  // TE10 of WR-90
  te.impedance_ohm = 376.73;
  PortModel tm = te;
  tm.tm = true;
  for (const double hz : {7e9, 10e9, 18e9}) {
    const double root = std::sqrt(1 - std::pow(6.557e9 / hz, 2));
    CHECK(te.reference(hz).real() == Approx(376.73 / root));
    CHECK(std::abs(te.reference(hz).imag()) < 1e-9);
    CHECK(tm.reference(hz).real() == Approx(376.73 * root));
    CHECK(te.propagation(hz).imag() == Approx(2 * pi * hz / c0_m_per_s * root));
    CHECK(std::abs(te.propagation(hz).real()) < 1e-9);
  }
}

TEST_CASE("below its cutoff a mode decays, and its impedance is reactive") {
  PortModel te;
  te.kind = PortModel::Kind::waveguide;
  te.cutoff_hz = 6.557e9;
  te.refractive_index = 1.5;
  const double hz = 4e9, root = std::sqrt(std::pow(6.557e9 / hz, 2) - 1);
  CHECK(te.propagation(hz).real() == Approx(1.5 * 2 * pi * hz / c0_m_per_s * root));
  CHECK(std::abs(te.propagation(hz).imag()) < 1e-9);
  CHECK(te.impedance_ratio(hz).imag() == Approx(1 / root));  // inductive for TE
  CHECK(std::abs(te.impedance_ratio(hz).real()) < 1e-9);
}

TEST_CASE("a line cut by planes of symmetry has the face's impedance and waves") {
  PortModel line;
  line.impedance_ohm = 50;
  line.refractive_index = 2;
  line.voltage_scale = 2;  // an electric plane halves the voltage, a magnetic one the current
  line.current_scale = 4;
  CHECK(line.face_impedance_ohm() == Approx(100));
  CHECK(line.wave_scale() == Approx(std::sqrt(8.)));
  CHECK(line.propagation(1e9).imag() == Approx(2 * 2 * pi * 1e9 / c0_m_per_s));
  CHECK(line.reference(1e9) == std::complex<double>(50));
  CHECK_FALSE(line.follows_source());
  line.kind = PortModel::Kind::lumped;
  CHECK(line.follows_source());
}
