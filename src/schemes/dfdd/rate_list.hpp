// Elements of a lossy or dispersive medium in an equation of DFDD-ELD: their laws and arrays.
#pragma once

#include <optional>
#include <utility>

#include "march/elements/element_system.hpp"
#include "terms/dispersion/device/axes_on_device.hpp"
#include "terms/dispersion/device/law_energy.hpp"
#include "terms/dispersion/device/law_on_device.hpp"

namespace tetrawave::march {

/// `own_law`: of the equation's field; `other_law`: of the other field, whose inverse acts on the curl.
template <class Backend, class S>
struct RateList {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  ElementList<Backend, S> poles;
  schemes::Law own_law;
  schemes::Law other_law;
  std::optional<std::int64_t> first_block;  ///< of all blocks, unless these contain the list's elements only
  int rows;                                 ///< of `vectors`, the maximum over lists with anisotropic laws
  Buffer<S> vectors;
  std::optional<LawOnDevice<Backend, S>> own;
  std::optional<LawOnDevice<Backend, S>> other;
  std::optional<ShapeOnDevice<Backend, S>> shape;
  EnergyOfList<Backend, S> energy;
  std::optional<AxesOnDevice<Backend, S>> axes;  ///< of projected media, like the following
  std::optional<Buffer<S>> right;
  std::optional<Buffer<S>> matrix;
  RateList(Backend& backend, const ElementLayout<S>& layout, RegionElements elements, schemes::Law own,
           schemes::Law of_other, int vector_rows)
      : poles(backend, layout, std::move(elements)),
        own_law(std::move(own)),
        other_law(std::move(of_other)),
        rows(vector_rows),
        vectors(backend, poles.numbers(rows)) {}
};

}  // namespace tetrawave::march
