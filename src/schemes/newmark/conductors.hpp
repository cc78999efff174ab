// Conductors with a skin effect in mode fetd (theory/walls, theory/fetd).
#pragma once

#include <vector>

#include "fem/edge/edge_space.hpp"
#include "march/interface/problem.hpp"
#include "march/interface/state.hpp"

namespace tetrawave::modes {

/// Z J = eta0 E_t with Z = sum R_b s/(s + p_b), J being eta0 times the surface current: J = sum R_b s/(s+p_b) inverted
/// by states z_b' = J - p_b z_b on the tangential functions of each face, and the trapezoidal rule:
///   J_mid = admittance E_mid + known.
class FetdConductors {
 public:
  /// The faces of `walls` whose tag is a conductor's.
  FetdConductors(const march::Problem& problem, const std::vector<fem::ElementFace>& walls,
                 const std::vector<std::int32_t>& tags);

  /// Numbers for the step c0 dt; states of zero.
  void begin(double dt_m);
  /// eta0 over the resistance of a step, of a tag.
  [[nodiscard]] double admittance(std::int32_t tag) const { return laws_[static_cast<std::size_t>(tag)].admittance; }
  /// side -= oint N . known.
  void add_known(const fem::EdgeSpace& space, std::vector<double>& side) const;
  /// The current in the middle of a step with these unknowns, before `advance`: take(face, oint N . J per function on
  /// the face).
  template <class Take>
  void for_currents(const fem::EdgeSpace& space, const std::vector<double>& mid, const Take& take) const {
    for (const Face& face : faces_) take(face.at, moments(space, mid, face));
  }
  /// The states after a step with these unknowns at its middle.
  void advance(const fem::EdgeSpace& space, const std::vector<double>& mid);
  void register_state(march::StateRegistry& registry);

 private:
  struct Branch {
    double back = 0;  ///< R p/(1 + p dt/2) over the resistance of the step
    double keep = 0;  ///< 1/(1 + p dt/2)
  };
  struct Law {
    double admittance = 0;
    std::vector<Branch> branches;
  };
  struct Face {
    fem::ElementFace at;
    std::size_t tag = 0;
    std::vector<double> mass;    ///< oint N_i . N_j of the functions on the face
    std::vector<double> states;  ///< [branch][function]
  };
  [[nodiscard]] std::vector<double> known(const Face& face) const;
  /// J in the middle of a step, and its moments.
  [[nodiscard]] std::vector<double> current(const fem::EdgeSpace& space, const std::vector<double>& mid,
                                            const Face& face) const;
  [[nodiscard]] std::vector<double> moments(const fem::EdgeSpace& space, const std::vector<double>& mid,
                                            const Face& face) const;

  const march::Problem& problem_;
  double half_m_ = 0;
  std::size_t face_dofs_;
  std::size_t branches_ = 0;  ///< maximum over all conductors
  std::vector<Law> laws_;     ///< per tag
  std::vector<Face> faces_;   ///< by ascending global id of their elements
};

}  // namespace tetrawave::modes
