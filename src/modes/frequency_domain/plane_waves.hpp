// Plane waves that come from outside of a finite-element mesh: where the unknowns are of the total field, where of the
// scattered one, and what the wave adds between them (theory/frequency-domain).
#pragma once

#include <array>
#include <complex>
#include <functional>
#include <memory>
#include <vector>

#include "fem/edge/face_traces.hpp"
#include "fem/edge/surface_traces.hpp"
#include "model/model.hpp"
#include "model/plane_wave.hpp"

namespace tetrawave::modes {

/// The split of the elements: the total field lives in those of other media than the wave's and those that touch a wall
/// other than the absorbing one; everywhere else fields are scattered, so that the wave itself need not be resolved on
/// its way. Their border is no wall. Everything stays referenced.
class ScatteringRegions {
 public:
  /// `medium`: of the wave; `lit`: the absorbing outer faces of this rank, sorted. Collective, as is `on_border`.
  ScatteringRegions(const Medium& medium, const Model& setup, const fem::SharedSpace& space,
                    const std::vector<fem::ElementFace>& lit, int threads);

  [[nodiscard]] const Medium& medium() const { return medium_; }
  [[nodiscard]] bool is_total(LocalIndex element) const { return total_[static_cast<std::size_t>(element)]; }
  /// Faces of the border, from the total side.
  [[nodiscard]] const std::vector<fem::ElementFace>& border() const { return border_->faces(); }
  /// Elements of the scattered field with a function that has a trace on the border.
  [[nodiscard]] const std::vector<LocalIndex>& beside_border() const { return beside_border_; }
  /// Points of the border's faces.
  [[nodiscard]] const fem::FaceTraces& border_traces() const { return *border_traces_; }
  /// Coefficients of the waves' tangential fields on the border, per unknown, 0 elsewhere: unknowns there are of the
  /// total field.
  [[nodiscard]] std::vector<std::vector<Complex>> on_border(const std::vector<PlaneWave>& waves) const;

 private:
  void find_total(const std::vector<fem::ElementFace>& lit);
  void find_border();

  const Model& setup_;
  const fem::SharedSpace& shared_;
  const fem::EdgeSpace& space_;
  Medium medium_;
  int threads_;
  std::vector<bool> total_;
  std::unique_ptr<fem::SurfaceTraces> border_;
  std::unique_ptr<fem::FaceTraces> border_traces_;
  std::vector<LocalIndex> beside_border_;
};

/// Points of the rule for moments of waves on faces.
[[nodiscard]] fem::FaceTraces traces_for_waves(const fem::EdgeSpace& space, const LocalMesh& mesh,
                                               std::vector<fem::ElementFace> faces);

}  // namespace tetrawave::modes
