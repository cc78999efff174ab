#include "results/rational/spice.hpp"

#include <cmath>

#include "base/error.hpp"

namespace tetrawave::results {

namespace {

/// Writes elements in the order of a SPICE file; nodes of waves are a1, b1, ..., of states x1, x2, ...
class Netlist {
 public:
  std::string text;

  void resistor(const std::string& name, const std::string& from, const std::string& to, double ohm) {
    text += tetrawave::format("R{} {} {} {:.15g}\n", name, from, to, ohm);
  }
  void capacitor(const std::string& name, const std::string& node, double farad) {
    text += tetrawave::format("C{} {} 0 {:.15g}\n", name, node, farad);
  }
  /// A current of `siemens` times the voltage between two nodes, into a node.
  void current_into(const std::string& node, const std::string& plus, const std::string& minus, double siemens) {
    if (siemens != 0) text += tetrawave::format("G{} 0 {} {} {} {:.15g}\n", ++sources_, node, plus, minus, siemens);
  }
  void voltage(const std::string& name, const std::string& node, const std::string& reference,
               const std::string& control, double factor) {
    text += tetrawave::format("E{} {} {} {} 0 {:.15g}\n", name, node, reference, control, factor);
  }

 private:
  int sources_ = 0;
};

/// The states of one pole driven by wave a of one port: C dx/dt = x p/|p| + a with C = 1/|p|, of a pair the real and
/// the imaginary part of x. What they contribute to waves b is residue/|p| x, of a pair twice the real part.
void add_pole(Netlist& netlist, const RationalModel& model, std::size_t pole, std::size_t port, std::size_t& states) {
  const std::complex<double> p = model.poles[pole];
  const double size = std::abs(p);
  const bool pair = p.imag() > 0;
  const std::string driver = tetrawave::format("a{}", port + 1);
  const std::string real = tetrawave::format("x{}", ++states);
  const std::string imaginary = pair ? tetrawave::format("x{}", ++states) : "";
  for (const std::string& node : {real, imaginary}) {
    if (node.empty()) continue;
    netlist.capacitor(node, node, 1 / size);
    netlist.resistor(node, node, "0", -size / p.real());
  }
  netlist.current_into(real, driver, "0", 1);
  if (pair) {
    netlist.current_into(real, imaginary, "0", -p.imag() / size);
    netlist.current_into(imaginary, real, "0", p.imag() / size);
  }
  for (std::size_t i = 0; i < model.rows; ++i) {
    const std::complex<double> residue = model.residue(pole, i, port) / size;
    const std::string to = tetrawave::format("b{}", i + 1);
    netlist.current_into(to, real, "0", (pair ? 2 : 1) * residue.real());
    if (pair) netlist.current_into(to, imaginary, "0", -2 * residue.imag());
  }
}

}  // namespace

std::string spice_text(const RationalModel& model, const std::string& name, const std::vector<std::string>& ports,
                       const std::vector<double>& impedances_ohm) {
  ensure(model.rows == model.columns && ports.size() == model.rows && impedances_ohm.size() == model.rows,
         "a netlist is of a square model, with an impedance for every port");
  Netlist netlist;
  netlist.text = tetrawave::format("* Tetrawave: S as a rational model of {} poles\n", model.poles.size());
  for (std::size_t i = 0; i < ports.size(); ++i)
    netlist.text += tetrawave::format("* p{}: port {}, {:.10g} ohm\n", i + 1, ports[i], impedances_ohm[i]);
  netlist.text += ".subckt " + name;
  for (std::size_t i = 0; i < ports.size(); ++i)
    netlist.text += tetrawave::format("{}p{}", i % 8 == 7 ? "\n+ " : " ", i + 1);
  netlist.text += " ref\n";
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const std::string port = tetrawave::format("p{}", i + 1), a = tetrawave::format("a{}", i + 1),
                      b = tetrawave::format("b{}", i + 1), inner = tetrawave::format("s{}", i + 1);
    const double root = std::sqrt(impedances_ohm[i]);
    // v = Z i + 2 sqrt(Z) b; a = v/sqrt(Z) - b
    netlist.resistor(port, port, inner, impedances_ohm[i]);
    netlist.voltage(b, inner, "ref", b, 2 * root);
    for (const std::string& node : {a, b}) netlist.resistor(node, node, "0", 1);
    netlist.current_into(a, port, "ref", 1 / root);
    netlist.current_into(a, b, "0", -1);
    for (std::size_t j = 0; j < ports.size(); ++j)
      netlist.current_into(b, tetrawave::format("a{}", j + 1), "0", model.constant[i * model.columns + j]);
  }
  std::size_t states = 0;
  for (std::size_t k = 0; k < model.poles.size(); ++k)
    if (model.poles[k].imag() >= 0)
      for (std::size_t j = 0; j < ports.size(); ++j) add_pole(netlist, model, k, j, states);
  return netlist.text + ".ends " + name + "\n";
}

}  // namespace tetrawave::results
