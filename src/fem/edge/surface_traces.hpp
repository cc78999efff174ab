// Tangential fields on a surface made of element faces, by the unknowns that have a trace there.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "fem/edge/element_shapes.hpp"
#include "fem/edge/shared_space.hpp"
#include "fem/shared/shared_solver.hpp"

namespace tetrawave::fem {

/// How systems on a surface are solved: by factors (where there is a direct solver), which take as long as some hundred
/// solutions by iteration on `threads`, or by iteration.
struct SurfaceWork {
  int threads = 1;
  bool factors = true;
};

/// Solves oint_S N_i . sum_k c_k N_k = b_i of tangential components over the unknowns of S.
class SurfaceTraces {
 public:
  /// `faces`: of this rank, each face of S from one of its elements, also if that of its other side is on another rank.
  /// Collective, as is `solve`.
  SurfaceTraces(const SharedSpace& space, const ElementShapes& shapes, std::vector<ElementFace> faces,
                const SurfaceWork& work = {});
  SurfaceTraces(const SurfaceTraces&) = delete;
  SurfaceTraces& operator=(const SurfaceTraces&) = delete;

  [[nodiscard]] const std::vector<ElementFace>& faces() const { return faces_; }
  /// The unknowns of the space on this rank that have a trace on S.
  [[nodiscard]] const std::vector<std::int32_t>& unknowns() const { return unknowns_; }
  [[nodiscard]] bool has(std::int32_t unknown) const { return number_of(unknown) >= 0; }
  /// Number of an unknown of the space among those of S, or -1.
  [[nodiscard]] std::int32_t number_of(std::int32_t unknown) const {
    return unknown == EdgeSpace::fixed ? -1 : number_[static_cast<std::size_t>(unknown)];
  }
  /// `number_of` per unknown of the space.
  [[nodiscard]] const std::vector<std::int32_t>& numbers() const { return number_; }
  /// oint_S N_i . N_k of this rank's faces, in the order of `unknowns`.
  [[nodiscard]] const CsrMatrix<double>& mass() const { return mass_; }
  /// Factors the matrix before the first `solve`, which else does it. Collective.
  void prepare();
  /// Solves for several b at once. `moments`: per b one number per unknown of S; those of ranks that share an unknown
  /// are added. Returns c for each b, the same on all ranks that have an unknown. Throws UserError (unstable) when the
  /// iteration does not converge.
  [[nodiscard]] std::vector<std::vector<Complex>> solve(const std::vector<std::vector<Complex>>& moments);

 private:
  void list_unknowns(const SharedSpace& space);
  void make_mass(const EdgeSpace& space, const ElementShapes& shapes, int threads);

  std::vector<ElementFace> faces_;
  std::vector<std::int32_t> number_;  ///< per unknown of the space: among those of S, or -1
  std::vector<std::int32_t> unknowns_;
  SharedRows rows_;  ///< of those of S
  CsrPattern pattern_;
  CsrMatrix<double> mass_;
  std::unique_ptr<SharedSolver<double>> solver_;
  bool is_factored_ = false;
};

}  // namespace tetrawave::fem
