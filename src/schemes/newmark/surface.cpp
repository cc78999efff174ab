#include "schemes/newmark/surface.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "march/interface/walked_state.hpp"

namespace tetrawave::modes {

namespace {

/// Metal away from the surface: a current flows on metal in it.
std::vector<fem::ElementFace> metal_beside(const results::RadiationSurface& surface,
                                           const std::vector<fem::ElementFace>& metal) {
  std::set<fem::ElementFace> in_surface(surface.inner.begin(), surface.inner.end());
  in_surface.insert(surface.outer.begin(), surface.outer.end());
  std::vector<fem::ElementFace> beside;
  for (const fem::ElementFace& face : metal)
    if (in_surface.count(face) == 0) beside.push_back(face);
  return beside;
}

}  // namespace

FetdSurface::FetdSurface(const march::Problem& problem, const results::RadiationSurface& surface,
                         const std::vector<fem::ElementFace>& metal, int threads, const comm::Communicator& ranks)
    : problem_(problem),
      surface_(surface),
      ranks_(ranks),
      traces_(problem, surface.is_outside ? surface.outer : surface.inner, metal_beside(surface, metal), threads,
              ranks),
      functions_(traces_.space().functions),
      place_(problem.mesh->corners.size(), -1) {
  for (std::size_t e = 0; e < place_.size(); ++e) {
    const auto own = traces_.space().of(e);
    if (surface.encloses[e] != surface.is_outside &&
        std::any_of(own.begin(), own.end(), [](auto u) { return u != fem::EdgeSpace::fixed; }))
      touching_.push_back(e);
  }
  const auto& id = problem.mesh->global_id;
  std::sort(touching_.begin(), touching_.end(), [&](std::size_t a, std::size_t b) { return id[a] < id[b]; });
  for (std::size_t k = 0; k < touching_.size(); ++k) place_[touching_[k]] = static_cast<std::int32_t>(k);
  const std::vector<fem::EdgeCoefficients<double>> nothing{{{0, 0, 0}, {0, 0, 0}}};
  traces_.set_matrix(nothing, std::vector<std::int32_t>(place_.size(), 0),
                     std::vector<double>(traces_.walls().size(), 1.0));
}

void FetdSurface::begin(double dt_m) {
  dt_m_ = dt_m;
  sums_.assign(touching_.size() * problem_.spectral.frequencies_per_m.size() * functions_, Complex(0));
}

void FetdSurface::add(std::int64_t step, const std::vector<double>& moments) {
  const auto& frequencies = problem_.spectral.frequencies_per_m;
  for (std::size_t f = 0; f < frequencies.size(); ++f) {
    const double turns = frequencies[f] * dt_m_ * (static_cast<double>(step) + 0.5);
    const Complex phase = std::polar(1.0, -2 * pi * (turns - std::floor(turns)));
    for (std::size_t k = 0; k < touching_.size(); ++k)
      for (std::size_t i = 0; i < functions_; ++i)
        sums_[(k * frequencies.size() + f) * functions_ + i] += phase * moments[k * functions_ + i];
  }
}

void FetdSurface::put_currents(std::vector<double>& sums) {
  const auto& reference = basis::reference_element(problem_.space);
  const std::size_t traces = reference.face_dofs;
  const auto& frequencies = problem_.spectral.frequencies_per_m;
  const auto& faces = problem_.spectral.faces;
  ensure(sums.size() == faces.size() * frequencies.size() * 4 * traces, "there are sums of every face");
  std::vector<double> side(traces_.unknowns()), current(traces_.unknowns());
  for (std::size_t f = 0; f < frequencies.size(); ++f)
    for (const bool imaginary : {false, true}) {
      std::fill(side.begin(), side.end(), 0.0);
      std::fill(current.begin(), current.end(), 0.0);
      for (std::size_t k = 0; k < touching_.size(); ++k) {
        const auto unknowns = traces_.space().of(touching_[k]);
        const Complex* own = sums_.data() + (k * frequencies.size() + f) * functions_;
        for (std::size_t i = 0; i < functions_; ++i)
          if (unknowns[i] != fem::EdgeSpace::fixed)
            side[static_cast<std::size_t>(unknowns[i])] += imaginary ? own[i].imag() : own[i].real();
      }
      traces_.solve(side, current);
      // The mean of the fields at both ends of a step, used as the value in the middle, is cos(w dt/2) times it.
      const double scale = (surface_.is_outside ? -1 : 1) / std::cos(pi * frequencies[f] * dt_m_);
      for (std::size_t k = 0; k < faces.size(); ++k) {
        const auto unknowns = traces_.space().of(static_cast<std::size_t>(faces[k].element));
        const auto& on_face = reference.on_face[faces[k].face];
        double* to = sums.data() + ((k * frequencies.size() + f) * 4 + (imaginary ? 3 : 2)) * traces;
        for (std::size_t i = 0; i < traces; ++i) {
          const std::int32_t u = unknowns[on_face[i]];
          to[i] = u == fem::EdgeSpace::fixed ? 0 : scale * current[static_cast<std::size_t>(u)];
        }
      }
    }
}

void FetdSurface::register_state(march::StateRegistry& registry) {
  const std::size_t width = 2 * problem_.spectral.frequencies_per_m.size() * functions_;
  std::vector<GlobalIndex> ids;
  for (const std::size_t e : touching_) ids.push_back(problem_.mesh->global_id[e]);
  registry.add(march::walked(march::ListedState{"surface_sums", static_cast<int>(width), false, std::move(ids), {}, {}},
                             [this](const auto& take) {
                               for (Complex& sum : sums_)
                                 for (double& part : reinterpret_cast<double(&)[2]>(sum)) take(part);
                             }));
}

}  // namespace tetrawave::modes
