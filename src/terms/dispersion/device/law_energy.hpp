// Energies of a field in addition to 1/2 u . M u: those stored by dispersive terms, and the correction of the mass of
// projected media (terms/dispersion/law_energy_kernel.hpp, theory/energy).
#pragma once

#include <optional>
#include <vector>

#include "march/elements/element_system.hpp"
#include "terms/dispersion/device/axes_on_device.hpp"
#include "terms/dispersion/device/law_on_device.hpp"
#include "terms/dispersion/law_energy_kernel.hpp"

namespace tetrawave::march {

/// Arrays of a list for energies, in addition to its states.
template <class Backend, class S>
struct EnergyOfList {
  std::optional<typename Backend::template Buffer<S>> factors{};
  std::optional<typename Backend::template Buffer<S>> kept{};  ///< the states half a step before

  void begin(Backend& backend, const schemes::Law& law, std::size_t memory) {
    const std::vector<double> numbers = energy_factors(law);
    factors.emplace(backend, numbers.size());
    factors->upload(std::vector<S>(numbers.begin(), numbers.end()));
    if (memory > 0) kept.emplace(backend, memory);
  }
};

/// Energy stored by the dispersive terms of one field.
template <class Backend, class S>
class LawEnergies {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  /// `any`: whether any rank has such lists.
  LawEnergies(Backend& backend, const Problem& problem, const ElementSystem<Backend, S>& system, bool any)
      : backend_(backend), space_(problem.space) {
    if (!any) return;
    const ElementLayout<S>& layout = system.layout();
    energy_.emplace(backend, static_cast<std::size_t>(layout.blocks * layout.lanes));
  }

  /// Arguments of an evaluation: a field, with its value half a step before if its levels are on both sides of the
  /// time; and the form of the states of terms.
  struct Fields {
    const Buffer<S>& now;
    const Buffer<S>* earlier = nullptr;
    bool implicit = true;
  };

  /// Adds the energy of a list's terms.
  void add(const ElementList<Backend, S>& list, ShapeOnDevice<Backend, S>& shape, LawOnDevice<Backend, S>& law,
           EnergyOfList<Backend, S>& own, const Fields& fields) {
    auto kernel = make_kernel(shape, fields);
    kernel.list = law.view(list);
    kernel.factors = own.factors->data();
    if (own.kept && fields.earlier != nullptr) kernel.kept = own.kept->data();
    if (!own.kept) kernel.earlier = nullptr;
    backend_.for_blocks(space_, kernel, 0, list.blocks);
  }
  /// Adds weight[i] u_i v_i along the axes.
  void add(const ElementList<Backend, S>& list, ShapeOnDevice<Backend, S>& shape, const Vec3& weight,
           const Fields& fields) {
    auto kernel = make_kernel(shape, fields);
    kernel.list.element = list.element.data();
    for (std::size_t i = 0; i < 3; ++i) kernel.weight[i] = static_cast<S>(weight[i]);
    backend_.for_blocks(space_, kernel, 0, list.blocks);
  }
  /// Sum over all ranks of the last contributions of the lists, divided by eps0/2. Collective.
  double sum(ElementSystem<Backend, S>& system) { return energy_ ? system.sum(*energy_) : 0; }

 private:
  kernels::LawEnergy<S> make_kernel(ShapeOnDevice<Backend, S>& shape, const Fields& fields) {
    kernels::LawEnergy<S> kernel;
    kernel.frame = shape.frame.data();
    kernel.length = shape.length.data();
    kernel.field = fields.now.data();
    if (fields.earlier != nullptr) kernel.earlier = fields.earlier->data();
    kernel.implicit = fields.implicit;
    kernel.energy = energy_->data();
    return kernel;
  }

  Backend& backend_;
  Space space_;
  std::optional<Buffer<S>> energy_;  ///< per slot
};

}  // namespace tetrawave::march
