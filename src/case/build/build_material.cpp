#include "case/build/build_material.hpp"

#include "base/constants.hpp"
#include "case/yaml/node_values.hpp"

namespace tetrawave {

namespace {

std::complex<double> complex_number(const Node& list) { return {list.children[0].number, list.children[1].number}; }

// delta as given, or from the static value, which is allowed with one term only.
double step_of(const Node& term, double at_infinity) {
  if (const Node* delta = term.find("delta")) return delta->number;
  return child(term, term.find("eps_static") != nullptr ? "eps_static" : "mu_static").number - at_infinity;
}

DispersionTerm build_term(const Node& term, double at_infinity, const Errors& errors) {
  DispersionTerm spec;
  const std::string model = text(term, "model");
  if (model == "debye") {
    spec.model = DebyeTerm{step_of(term, at_infinity), number(term, "tau")};
  } else if (model == "lorentz") {
    spec.model = LorentzTerm{step_of(term, at_infinity), number(term, "frequency"), number(term, "damping")};
  } else if (model == "drude") {
    spec.model = DrudeTerm{number(term, "plasma_frequency"), number(term, "collision")};
  } else {
    spec.model = ComplexPoleTerm{complex_number(child(term, "residue")), complex_number(child(term, "pole"))};
  }
  spec.place = {errors.place(term.spot)};
  return spec;
}

void read_constant(const Node& node, std::string_view key, double& isotropic, std::optional<Vec3>& diagonal) {
  const Node& given = child(node, key);
  if (given.kind == Node::Kind::list)
    diagonal = vector(given);
  else
    isotropic = given.number;
}

WidebandDebye build_wideband(const Node& node, const Errors& errors) {
  return {number(node, "eps_r"), number(node, "loss_tangent"), number(node, "at"),
          number(node, "from"),  number(node, "to"),           {errors.place(node.key_spot)}};
}

std::optional<KerrTerm> build_kerr(const Node& node, double eps_r, double mu_r, const Errors& errors) {
  const Node* n2 = node.find("n2");
  const Node* given = n2 != nullptr ? n2 : node.find("chi3");
  if (given == nullptr) return {};
  KerrTerm spec;
  spec.place = {errors.place(given->spot)};
  if (n2 != nullptr) spec.n2_m2_per_w = n2->number;
  // n = sqrt(mu_r (eps_r + (3/4) chi3 A^2)) = n0 + n2 I, I = sqrt(eps_r/mu_r) A^2 / (2 eta0)
  spec.chi3_m2_per_v2 =
      n2 != nullptr ? 4.0 / 3.0 * eps0_f_per_m * c0_m_per_s * eps_r / mu_r * n2->number : given->number;
  return spec;
}

}  // namespace

Material build_material(const Node& node, const Errors& errors) {
  Material spec;
  spec.name = node.key;
  if (const Node* laminate = node.find("wideband-debye")) {
    spec.wideband_debye = build_wideband(*laminate, errors);
  } else if (const Node* given = node.find("eps_complex")) {
    const std::complex<double> eps = complex_number(*given);
    spec.eps_r = eps.real();
    spec.loss_tangent = -eps.imag() / eps.real();
    spec.loss_tangent_place = {errors.place(given->spot)};
  } else {
    read_constant(node, "eps_r", spec.eps_r, spec.eps_diagonal);
  }
  read_constant(node, "mu_r", spec.mu_r, spec.mu_diagonal);
  if (const Node* given = node.find("loss_tangent")) {
    spec.loss_tangent = given->number;
    spec.loss_tangent_place = {errors.place(given->spot)};
  }
  spec.sigma_s_per_m = number(node, "sigma");
  spec.sigma_m_ohm_per_m = number(node, "sigma_m");
  if (const Node* terms = node.find("electric_dispersion"))
    for (const Node& term : terms->children) spec.electric_dispersion.push_back(build_term(term, spec.eps_r, errors));
  for (const Node& term : child(node, "magnetic_dispersion").children)
    spec.magnetic_dispersion.push_back(build_term(term, spec.mu_r, errors));
  const double eps_r = spec.wideband_debye ? spec.wideband_debye->eps_r : spec.eps_r;
  spec.kerr = build_kerr(child(node, "kerr"), eps_r, spec.mu_r, errors);
  spec.place = {errors.place(node.key_spot)};
  return spec;
}

}  // namespace tetrawave
