// The walls of an element with losses or held dofs, and what they make of its equation (theory/walls, theory/dfdd,
// theory/ports).
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "basis/physical_element.hpp"
#include "march/interface/problem.hpp"
#include "terms/walls/conductors.hpp"
#include "terms/walls/walls.hpp"

namespace tetrawave::march {

using DrivenFaceMap = std::map<std::pair<LocalIndex, std::size_t>, const DrivenFace*>;

/// A wall face of an element and what it adds to its equation.
struct WallFace {
  std::size_t face = 0;
  schemes::WallFactors factors;
  const DrivenFace* driven = nullptr;
  const std::vector<WallBranch>* branches = nullptr;  ///< of a conductor
};

struct WallElement {
  LocalIndex element = 0;
  std::vector<WallFace> faces;
};

std::vector<WallFace> wall_faces(const Problem& problem, LocalIndex e, Field field, double dt_m,
                                 const DrivenFaceMap& driven);

/// What is held of a trace, C picking its dofs: S = C A0^-1 C^T as its factor, and the columns A0^-1 C^T S^-1, by which
/// u - columns C u has nothing of the trace left and is what the equations without their rows and columns give.
struct HeldTrace {
  std::vector<std::size_t> dofs;
  basis::SymmetricMatrix trace_of_inverse{0};
  std::vector<std::vector<double>> columns;  ///< n each, with zeros and ones of the trace exact
};

/// The columns of an element's wall faces.
class ElementWalls {
 public:
  using Vector = std::vector<double>;

  /// `wall` outlives this.
  ElementWalls(const Problem& problem, const WallElement& wall, Field field, double dt_m, double border_dt_m);

  /// Weights for trace function k of this field on face j.
  [[nodiscard]] Vector own(std::size_t j, std::size_t k) const;
  /// Weights for trace function k of this field before the step on face j, in addition to `own`; fourth order.
  [[nodiscard]] Vector old(std::size_t j, std::size_t k) const;
  /// Weights for trace function k of the other field on face j.
  [[nodiscard]] Vector other(std::size_t j, std::size_t k) const;
  /// Weights for the incident wave on face j.
  [[nodiscard]] Vector wave(std::size_t j) const;
  /// Without what walls hold at zero, in place.
  void hold(double* u) const;
  /// A0^-1 of a moment, where walls hold nothing.
  [[nodiscard]] Vector response(Vector moment) const;
  /// The dofs of a face that walls leave free, held.
  [[nodiscard]] HeldTrace hold_face(std::size_t face) const;

 private:
  void begin_second_order(const Medium& medium, const basis::SymmetricMatrix& mass, double dt_m);
  void add(double factor, const basis::SymmetricMatrix& matrix);
  void hold_fixed_dofs();
  /// A trace of the space that walls leave.
  [[nodiscard]] HeldTrace hold_trace(std::vector<std::size_t> dofs) const;
  void release(Vector& x) const;

  const basis::ReferenceElement& reference_;
  basis::PhysicalElement element_;
  const std::vector<WallFace>& faces_;
  basis::SymmetricMatrix inverse_;
  Field field_;
  std::vector<basis::SymmetricMatrix> face_mass_;
  std::vector<std::vector<Vector>> second_order_;  ///< per face and trace function; fourth order
  HeldTrace fixed_;                                ///< by walls, at zero
  std::vector<std::size_t> fixed_by_;              ///< number of the face that brings each in
};

}  // namespace tetrawave::march
