// The dense matrices of the `stored` layout on a device, and the kernels on them.
#pragma once

#include <algorithm>
#include <list>
#include <vector>

#include "base/scheme.hpp"
#include "march/elements/element_list.hpp"
#include "march/elements/element_system.hpp"
#include "march/elements/step_fields.hpp"
#include "march/interface/per_field.hpp"
#include "schemes/stored/additions.hpp"
#include "schemes/stored/equation.hpp"
#include "schemes/stored/lists.hpp"
#include "schemes/stored/matrices.hpp"
#include "schemes/stored/stages.hpp"
#include "schemes/stored/update.hpp"

namespace tetrawave::march {

/// Elements with driven faces.
template <class Backend, class S>
struct StoredWaves {
  ElementList<Backend, S> place;
  int faces;
  typename Backend::template Buffer<std::int32_t> wave;  ///< `faces` rows
  typename Backend::template Buffer<S> moment;           ///< faces * dofs rows: A0^-1 g_f

  StoredWaves(Backend& backend, const Problem& problem, const ElementLayout<S>& layout, const DrivenElements& driven,
              Field field, double dt_m)
      : place(backend, layout, driven.of),
        faces(static_cast<int>(driven.faces.front().size())),
        wave(backend, place.numbers(faces)),
        moment(backend, place.numbers(faces * static_cast<int>(basis::reference_element(problem.space).dofs))) {
    fill_rows(place, wave, faces, {}, [&](std::size_t i) {
      std::vector<double> rows;
      for (const DrivenFace* face : driven.faces[i]) rows.push_back(face->wave);
      return rows;
    });
    fill_rows(place, moment, static_cast<int>(moment.size() / place.element.size()), {}, [&](std::size_t i) {
      std::vector<double> all;
      for (const DrivenFace* face : driven.faces[i]) {
        const std::vector<double> own = stored_wave(problem, *face, field, dt_m);
        all.insert(all.end(), own.begin(), own.end());
      }
      return all;
    });
  }
};

/// Elements with walls in dispersive media.
template <class Backend, class S>
struct StoredWalls {
  ElementList<Backend, S> place;
  typename Backend::template Buffer<S> matrix;  ///< dofs^2 rows: A0^-1 F, entry `column * n + row`
  typename Backend::template Buffer<S> kept;    ///< of `StoredLayout::keep`

  StoredWalls(Backend& backend, const Problem& problem, const ElementLayout<S>& layout, const RegionElements& elements,
              Field field, double dt_m, int dofs)
      : place(backend, layout, elements),
        matrix(backend, place.numbers(dofs * dofs)),
        kept(backend, place.numbers(dofs)) {
    fill_list(place, matrix, dofs * dofs, {}, [&](LocalIndex e) {
      const basis::DenseMatrix solved = stored_walls(problem, e, field, dt_m);
      std::vector<double> all;
      for (std::size_t j = 0; j < solved.columns(); ++j)
        for (std::size_t i = 0; i < solved.rows(); ++i) all.push_back(solved(i, j));
      return all;
    });
  }
};

/// The matrices of E and of H of all elements of a rank, shared by elements with the same geometry. Their memory is
/// allocated at once, their entries are computed when the step is known.
template <class Backend, class S>
class StoredLayout {
 public:
  StoredLayout(ElementSystem<Backend, S>& system, const Problem& problem)
      : system_(system),
        problem_(problem),
        shape_(stored_shape(problem.scheme, problem.space)),
        fields_(per_field([&](Field) {
          return StoredField{
              {system.backend(), static_cast<std::size_t>(system.layout().held_blocks()) * block_size()}, {}, {}};
        })) {}

  /// Computes all matrices for a step dt_m = c0 dt [m] by maker(dt_m), a MakeMatrices of the scheme, some blocks at a
  /// time, and in leap-frog schemes the lists. Collective.
  template <class Maker>
  void set_step(double dt_m, const Maker& maker) {
    if (dt_m_ == dt_m) return;
    dt_m_ = dt_m;
    if (!only_counts(system_.backend())) set_matrices(maker(dt_m));
    if (is_leap_frog(problem_.scheme)) make_lists(dt_m);
  }

  /// Before (`first`) and after dispersion changes u: stores the change on elements with walls.
  void keep(Field field, const Part& part, const S* target, bool first) {
    for (auto& list : fields_[field].kept)
      if (list.place.of.part == part)
        run(kernels::KeepField<S>{target, list.place.element.data(), list.kept.data(), first}, {0, list.place.blocks});
  }

  [[nodiscard]] const S* matrix(Field field) const { return fields_[field].matrix.data(); }

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

  /// Adds the terms missing in the matrices to the elements of a part: the waves of driven faces, `waves` being
  /// [wave][step], and the walls' part of what `keep` has stored.
  void add_to_update(Field field, const Part& part, kernels::ListTarget<S> target, const WavesNow<Backend, S>& waves) {
    for (const auto& list : fields_[field].driven) {
      if (list.place.of.part != part) continue;
      target.element = list.place.element.data();
      run(kernels::AddWaves<S>{target, list.faces, list.wave.data(), list.moment.data(), waves.table, waves.length,
                               waves.step},
          {0, list.place.blocks});
    }
    for (const auto& list : fields_[field].kept) {
      if (list.place.of.part != part) continue;
      target.element = list.place.element.data();
      run(kernels::AddProduct<S>{target, list.kept.data(), list.matrix.data()}, {0, list.place.blocks});
    }
  }

  /// Minimum of bytes for an element's half step or stage of one field, besides fields: its matrix, unless that is
  /// shared, connections.
  [[nodiscard]] std::int64_t bytes_beside_fields() const {
    const std::int64_t own = system_.layout().shared.number.empty() ? shape_.entries() : 0;
    return own * static_cast<std::int64_t>(sizeof(S)) + 5 * 4;
  }

 private:
  /// Data for advancing one field.
  struct StoredField {
    typename Backend::template Buffer<S> matrix;
    std::list<StoredWaves<Backend, S>> driven;
    std::list<StoredWalls<Backend, S>> kept;
  };
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
        for (const Field field : both_fields)
          fields_[field].matrix.upload(made[field == Field::electric ? 0 : 1],
                                       static_cast<std::size_t>(number) * block_size());
        number += range.count;
      }
  }

  void make_lists(double dt_m) {
    const StepSize dt{dt_m, &problem_.classes};
    for (const Field field : both_fields) {
      StoredField& own = fields_[field];
      own.driven.clear();
      for (const DrivenElements& list : list_driven_elements(problem_))
        own.driven.emplace_back(system_.backend(), problem_, system_.layout(), list, field, dt.of(list.of.part));
      own.kept.clear();
      for (const RegionElements& list : list_kept_elements(problem_, field))
        own.kept.emplace_back(system_.backend(), problem_, system_.layout(), list, field, dt.of(list.part),
                              shape_.dofs);
    }
  }

  ElementSystem<Backend, S>& system_;
  const Problem& problem_;
  StoredShape shape_;
  PerField<StoredField> fields_;
  double dt_m_ = 0;
};

}  // namespace tetrawave::march
