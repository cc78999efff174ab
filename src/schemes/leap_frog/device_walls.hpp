// Lists of walls on the device, and the kernels that hold dofs at zero with them.
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <vector>

#include "basis/reference_element.hpp"
#include "march/elements/element_system.hpp"
#include "schemes/leap_frog/elements/wall_correction.hpp"
#include "schemes/leap_frog/elements/wall_corrections.hpp"

namespace tetrawave::march {

/// Wall corrections of one field on the device.
template <class Backend, class S>
struct DeviceWalls {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  int faces;
  Part part;
  bool with_other;
  int branches;
  std::int64_t blocks;
  Buffer<std::int32_t> element;
  Buffer<std::int32_t> face;
  Buffer<std::int32_t> wave;
  Buffer<S> matrix;
  Buffer<S> trace;
  Buffer<S> branch;
  Buffer<S> memory;               ///< of conductors
  std::vector<LocalIndex> owner;  ///< their elements

  DeviceWalls(Backend& backend, const WallList<S>& list, std::size_t traces, int lanes)
      : faces(list.faces),
        part(list.part),
        with_other(list.with_other),
        branches(list.branches),
        blocks(list.blocks),
        element(backend, list.element),
        face(backend, list.face),
        wave(backend, list.wave),
        matrix(backend, list.matrix),
        trace(backend, static_cast<std::size_t>(list.blocks * lanes * list.faces) * traces),
        branch(backend, list.branch),
        memory(backend, list.branch.size() / kernels::branch_numbers * traces),
        owner(list.owner) {}

  /// The kernel of this list on a field.
  kernels::WallCorrection<S> kernel(Buffer<S>& field, const Buffer<S>& chosen_matrix) {
    kernels::WallCorrection<S> kernel;
    kernel.faces = faces;
    kernel.field = field.data();
    kernel.with_other = with_other;
    kernel.element = element.data();
    kernel.face = face.data();
    kernel.wave = wave.data();
    kernel.matrix = chosen_matrix.data();
    kernel.trace = trace.data();
    return kernel;
  }
};

template <class Backend, class S>
using WallsOnDevice = std::list<DeviceWalls<Backend, S>>;

/// The wall lists of one field for a step dt_m (see make_wall_lists).
template <class Backend, class S>
WallsOnDevice<Backend, S> put_walls(Backend& backend, const Problem& problem, const ElementLayout<S>& layout,
                                    Field field, double dt_m, std::optional<double> border_dt_m = {},
                                    bool with_rates = false) {
  WallsOnDevice<Backend, S> walls;
  const WallListOptions options{border_dt_m, with_rates, only_counts(backend), backend.threads()};
  for (const auto& list : make_wall_lists(problem, layout, field, dt_m, options))
    walls.emplace_back(backend, list, basis::reference_element(problem.space).face_dofs, layout.lanes);
  return walls;
}

/// Holds the fixed dofs of a field at zero once, by wall lists made for dt = 0; on the elements of a part, or all.
template <class Backend, class S>
void hold_at_zero(Backend& backend, Space space, WallsOnDevice<Backend, S>& walls,
                  typename Backend::template Buffer<S>& field, const typename Backend::template Buffer<S>& silence,
                  const std::int64_t* first_step, std::optional<Part> part = {}) {
  for (auto& list : walls) {
    if (part && list.part != *part) continue;
    auto kernel = list.kernel(field, list.matrix);
    kernel.waves = silence.data();
    kernel.wave_length = 1;
    kernel.step = first_step;
    kernels::WallCorrections<S> all;
    all.add(kernel, list.blocks);
    backend.for_blocks(space, all, 0, all.blocks());
  }
}

}  // namespace tetrawave::march
