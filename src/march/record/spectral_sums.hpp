// Running Fourier sums of the traces on the spectral faces of a problem, on a device.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "basis/reference_element.hpp"
#include "kernels/spectra.hpp"
#include "march/elements/element_system.hpp"
#include "march/interface/problem.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class SpectralSums {
 public:
  SpectralSums(Backend& backend, const Problem& problem, const ElementLayout<S>& layout)
      : backend_(backend),
        problem_(problem),
        face_dofs_(static_cast<int>(basis::reference_element(problem.space).face_dofs)),
        faces_(static_cast<std::int64_t>(problem.spectral.faces.size())),
        frequencies_(static_cast<std::int64_t>(problem.spectral.frequencies_per_m.size())),
        slot_(backend, of_faces<std::int32_t>([&](const auto& face) { return layout.slot(face.element); })),
        local_(backend, of_faces<std::int32_t>([](const auto& face) { return face.face; })),
        on_face_(backend, faces_ > 0 ? rows_of_faces(problem.space) : std::vector<std::int32_t>()),
        turns_(backend, static_cast<std::size_t>(faces_ > 0 ? frequencies_ : 0)),
        factors_(backend, static_cast<std::size_t>(faces_ > 0 ? 4 * frequencies_ : 0)),
        scale_(backend,
               of_faces<double>(
                   [&](const auto& face) { return problem.classes.step_of(problem.classes.of(face.element), 1); },
                   problem.records_rates())),
        sums_(backend, size()) {}

  [[nodiscard]] bool any() const { return faces_ > 0; }

  /// Clears the sums for a run with the step dt_m; H is recorded `shift` steps after E.
  void begin(double dt_m, double shift) {
    shift_ = shift;
    if (!any()) return;
    std::vector<double> turns;
    for (const double f : problem_.spectral.frequencies_per_m) turns.push_back(std::fmod(f * dt_m, 1.0));
    turns_.upload(turns);
    sums_.clear();
  }

  /// Adds shares of the two fields' traces at the present step; `by_class`: for the magnetic one, each element scaled
  /// by the ratio of its level's step to that of the time loop.
  void add(const S* electric, const S* magnetic, int dofs, const std::int64_t* step, double electric_share = 1,
           double magnetic_share = 1, bool by_class = false) {
    kernels::SpectralFactors factors;
    factors.turns = turns_.data();
    factors.frequencies = frequencies_;
    factors.shift = shift_;
    factors.electric_share = electric_share;
    factors.magnetic_share = magnetic_share;
    factors.step = step;
    factors.factors = factors_.data();
    backend_.for_teams(factors, 1);
    constexpr std::int64_t faces_of_team = 128;
    kernels::SpectralSums<S> kernel;
    kernel.electric = electric;
    kernel.magnetic = magnetic;
    if (by_class) kernel.scale = scale_.data();
    kernel.dofs = dofs;
    kernel.face_dofs = face_dofs_;
    kernel.slot = slot_.data();
    kernel.local = local_.data();
    kernel.on_face = on_face_.data();
    kernel.faces = faces_;
    kernel.chunk = faces_of_team;
    kernel.factors = factors_.data();
    kernel.frequencies = frequencies_;
    kernel.sums = sums_.data();
    backend_.for_teams(kernel, (faces_ + faces_of_team - 1) / faces_of_team * face_dofs_);
  }

  /// Minimum of bytes moved by a sample: sums read and written, and traces read.
  [[nodiscard]] std::int64_t bytes_of_sample() const {
    const auto numbers = static_cast<std::int64_t>(size());
    return numbers * 2 * static_cast<std::int64_t>(sizeof(double)) +
           2 * faces_ * face_dofs_ * static_cast<std::int64_t>(sizeof(S));
  }

  /// [face][frequency][part][face_dofs]
  [[nodiscard]] std::vector<double> take() const {
    const std::vector<double> sums = sums_.download();
    std::vector<double> sorted(sums.size());
    for_each([&](std::size_t outside, std::size_t inside) { sorted[outside] = sums[inside]; });
    return sorted;
  }
  void put(const std::vector<double>& sorted) {
    ensure(sorted.size() == size(), "Fourier sums of other faces");
    std::vector<double> sums(sorted.size());
    for_each([&](std::size_t outside, std::size_t inside) { sums[inside] = sorted[outside]; });
    sums_.upload(sums);
  }

 private:
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(faces_ * frequencies_ * 4 * face_dofs_); }

  /// Positions of a number in the output and in the kernel's array.
  template <class Work>
  void for_each(const Work& work) const {
    const auto rows = static_cast<std::size_t>(frequencies_ * 4 * face_dofs_);
    const auto faces = static_cast<std::size_t>(faces_);
    for (std::size_t face = 0; face < faces; ++face)
      for (std::size_t row = 0; row < rows; ++row) work(face * rows + row, row * faces + face);
  }

  template <class T, class Number>
  [[nodiscard]] std::vector<T> of_faces(const Number& number, bool wanted = true) const {
    std::vector<T> list;
    for (const auto& face : problem_.spectral.faces)
      if (wanted) list.push_back(number(face));
    return list;
  }

  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  Backend& backend_;
  const Problem& problem_;
  int face_dofs_;
  std::int64_t faces_;
  std::int64_t frequencies_;
  double shift_ = 0;
  Buffer<std::int32_t> slot_;
  Buffer<std::int32_t> local_;
  Buffer<std::int32_t> on_face_;
  Buffer<double> turns_;
  Buffer<double> factors_;
  Buffer<double> scale_;  ///< per face, with LTS
  Buffer<double> sums_;
};

}  // namespace tetrawave::march
