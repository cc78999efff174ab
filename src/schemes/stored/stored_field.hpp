// The dense matrices of the `stored` layout on a device, and the kernels on them.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "march/elements/element_system.hpp"
#include "schemes/stored/additions.hpp"
#include "schemes/stored/lists.hpp"
#include "schemes/stored/matrices.hpp"
#include "schemes/stored/stages.hpp"
#include "schemes/stored/update.hpp"

namespace tetrawave::march {

/// Elements with driven faces on the device.
template <class Backend, class S>
struct DeviceDriven {
  int faces;
  Part part;
  std::int64_t blocks;
  typename Backend::template Buffer<std::int32_t> element;
  typename Backend::template Buffer<std::int32_t> wave;
  typename Backend::template Buffer<S> moment;

  DeviceDriven(Backend& backend, const DrivenList<S>& list)
      : faces(list.faces),
        part(list.part),
        blocks(list.blocks),
        element(backend, list.element),
        wave(backend, list.wave),
        moment(backend, list.moment) {}
};

/// Elements with walls in dispersive media on the device.
template <class Backend, class S>
struct DeviceKept {
  Part part;
  std::int64_t blocks;
  typename Backend::template Buffer<std::int32_t> element;
  typename Backend::template Buffer<S> matrix;
  typename Backend::template Buffer<S> kept;

  DeviceKept(Backend& backend, const KeptList<S>& list, int dofs)
      : part(list.part),
        blocks(list.blocks),
        element(backend, list.element),
        matrix(backend, list.matrix),
        kept(backend, list.element.size() * static_cast<std::size_t>(dofs)) {}
};

/// Data for advancing one field.
template <class Backend, class S>
struct StoredField {
  typename Backend::template Buffer<S> matrix;
  std::vector<DeviceDriven<Backend, S>> driven;
  std::vector<DeviceKept<Backend, S>> kept;
};

/// The matrices of E and of H of all elements of a rank, shared by elements with the same geometry. Their memory is
/// allocated at once, their entries are computed when the step is known.
template <class Backend, class S>
class StoredLayout {
 public:
  StoredLayout(ElementSystem<Backend, S>& system, const Problem& problem)
      : system_(system), problem_(problem), shape_(stored_shape(problem.scheme, problem.space)) {
    fields_.reserve(2);
    for (int field = 0; field < 2; ++field)
      fields_.push_back(
          {{system.backend(), static_cast<std::size_t>(system.layout().held_blocks()) * block_size()}, {}, {}});
  }

  /// Computes all matrices for a step dt_m = c0 dt [m] by maker(dt_m), a MakeMatrices of the scheme, some blocks at a
  /// time, and in leap-frog schemes the lists. Collective.
  template <class Maker>
  void set_step(double dt_m, const Maker& maker) {
    if (dt_m_ == dt_m) return;
    dt_m_ = dt_m;
    if (!only_counts(system_.backend())) set_matrices(maker(dt_m));
    if (problem_.scheme != Scheme::dgtd_upwind) make_lists(dt_m);
  }

  /// Before (`first`) and after dispersion changes u: stores the change on elements with walls.
  void keep(Field field, const Part& part, const S* target, bool first) {
    for (auto& list : fields_[index_of(field)].kept)
      if (list.part == part)
        system_.backend().for_blocks(problem_.space,
                                     kernels::KeepField<S>{target, list.element.data(), list.kept.data(), first}, 0,
                                     list.blocks);
  }

  [[nodiscard]] const S* matrix(Field field) const { return fields_[index_of(field)].matrix.data(); }

  /// DGTD-Central: u <- A2 u + A1 v + P (v+ - v)
  [[nodiscard]] kernels::StoredUpdate<S> update_of(Field field, S* target, const S* source,
                                                   std::uint32_t mirror_code) const {
    return {system_.view(field), matrix(field), source, target, mirror_code};
  }

  /// Any of the stored kernels on a range of blocks.
  template <class Kernel>
  void run(const Kernel& kernel, BlockRange range) {
    system_.backend().for_blocks(problem_.space, kernel, range.first, range.count);
  }

  /// An advanced field: u, and the field whose rate is u, if any.
  struct Target {
    S* field = nullptr;
    S* advanced = nullptr;
    S advance = 0;  ///< dt of `advanced`
  };

  /// Adds the terms missing in the matrices to the elements of a part: the waves of driven faces, `waves` being
  /// [wave][step], and the walls' part of what `keep` has stored.
  void add_to_update(Field field, const Part& part, const Target& target, const S* waves, std::int64_t wave_length,
                     const std::int64_t* step) {
    for (const auto& list : fields_[index_of(field)].driven)
      if (list.part == part)
        run(kernels::AddWaves<S>{{target.field, target.advanced, target.advance, list.element.data()},
                                 list.faces,
                                 list.wave.data(),
                                 list.moment.data(),
                                 waves,
                                 wave_length,
                                 step},
            {0, list.blocks});
    for (const auto& list : fields_[index_of(field)].kept)
      if (list.part == part)
        run(kernels::AddProduct<S>{{target.field, target.advanced, target.advance, list.element.data()},
                                   list.kept.data(),
                                   list.matrix.data()},
            {0, list.blocks});
  }

  /// Minimum of bytes for an element's half step or stage of one field, besides fields: its matrix, unless that is
  /// shared, connections.
  [[nodiscard]] std::int64_t bytes_beside_fields() const {
    const std::int64_t own = system_.layout().shared.number.empty() ? shape_.entries() : 0;
    return own * static_cast<std::int64_t>(sizeof(S)) + 5 * 4;
  }

 private:
  static std::size_t index_of(Field field) { return field == Field::electric ? 0 : 1; }
  [[nodiscard]] std::size_t block_size() const {
    return static_cast<std::size_t>(shape_.entries() * system_.layout().lanes);
  }

  void set_matrices(const MakeMatrices& make) {
    const std::int64_t at_once = std::max<std::int64_t>(1, stored_at_once / std::int64_t(block_size()));
    std::int64_t number = 0;
    for (const BlockRange& all : system_.layout().first_blocks())
      for (std::int64_t first = 0; first < all.count; first += at_once) {
        const BlockRange range{all.first + first, std::min(at_once, all.count - first)};
        const auto made = make_stored_blocks<S>(shape_, system_.layout(), problem_.mesh->element_count(), range, make,
                                                system_.backend().threads());
        for (std::size_t field = 0; field < 2; ++field)
          fields_[field].matrix.upload(made[field], static_cast<std::size_t>(number) * block_size());
        number += range.count;
      }
  }

  void make_lists(double dt_m) {
    for (const Field field : {Field::electric, Field::magnetic}) {
      auto& lists = fields_[index_of(field)].driven;
      lists.clear();
      for (const auto& list : make_driven_lists(problem_, system_.layout(), field, dt_m))
        lists.emplace_back(system_.backend(), list);
      auto& kept = fields_[index_of(field)].kept;
      kept.clear();
      for (const auto& list : make_kept_lists(problem_, system_.layout(), field, dt_m))
        kept.emplace_back(system_.backend(), list, shape_.dofs);
    }
  }

  ElementSystem<Backend, S>& system_;
  const Problem& problem_;
  StoredShape shape_;
  std::vector<StoredField<Backend, S>> fields_;  ///< electric, magnetic
  double dt_m_ = 0;
};

}  // namespace tetrawave::march
