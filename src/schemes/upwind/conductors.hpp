// Conductors with a skin effect in DGTD-Upwind (schemes/upwind/conductors_stage.hpp, theory/walls).
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "basis/reference_element.hpp"
#include "march/elements/element_list.hpp"
#include "schemes/upwind/conductors_stage.hpp"

namespace tetrawave::march {

/// A face of an element at a conductor.
struct ConductorFace {
  LocalIndex element = 0;
  std::uint8_t face = 0;
};

/// Faces of one part, at most one per element.
struct ConductorGroup {
  Part part{};
  std::vector<ConductorFace> faces;
};

/// All faces of this rank at conductors; no empty groups.
std::vector<ConductorGroup> group_conductors(const Problem& problem);

/// The branches of a conductor, the same number for all; 0 if there is none.
int conductor_branches(const Problem& problem);

/// The largest rate of any conductor over c0 [1/m].
double fastest_conductor_rate(const Problem& problem);

/// The rows of the kernel for one face.
struct ConductorNumbers {
  std::vector<double> law;
  std::vector<double> turn;
  std::vector<double> electric;
  std::vector<double> magnetic;
};
ConductorNumbers conductor_numbers(const Problem& problem, const ConductorFace& face, double dt_m);

template <class Backend, class S>
class UpwindConductors {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  UpwindConductors(Backend& backend, const Problem& problem, const ElementLayout<S>& layout)
      : backend_(backend),
        problem_(problem),
        dofs_(basis::reference_element(problem.space).dofs),
        face_dofs_(basis::reference_element(problem.space).face_dofs),
        branches_(static_cast<std::size_t>(conductor_branches(problem))) {
    for (ConductorGroup& group : group_conductors(problem)) lists_.push_back(make(std::move(group), layout));
  }

  /// Numbers for the step; states of zero.
  void begin(const StepSize& dt) {
    for (List& list : lists_) {
      Rows law(list, kernels::conductor_numbers(static_cast<int>(branches_)));
      Rows turn(list, static_cast<int>(face_dofs_ * face_dofs_));
      Rows electric(list, static_cast<int>(face_dofs_ * dofs_));
      Rows magnetic(list, static_cast<int>(face_dofs_ * dofs_));
      for_each_task(list.of.faces.size(), backend_.threads(), [&](std::size_t i) {
        const ConductorNumbers numbers = conductor_numbers(problem_, list.of.faces[i], dt.of(0));
        law.put(i, numbers.law);
        turn.put(i, numbers.turn);
        electric.put(i, numbers.electric);
        magnetic.put(i, numbers.magnetic);
      });
      list.law.upload(law.all);
      list.turn.upload(turn.all);
      list.electric.upload(electric.all);
      list.magnetic.upload(magnetic.all);
      for (Buffer<S>* memory : {&list.memory, &list.registers}) memory->upload(std::vector<S>(memory->size(), S(0)));
    }
  }

  /// After a stage with coefficients a, b on the fields of `kernel`, whose lists this sets.
  void after_stage(kernels::UpwindConductors<S> kernel, const Part& part) {
    for (List& list : lists_) {
      if (list.of.part != part) continue;
      kernel.branches = static_cast<int>(branches_);
      kernel.element = list.element.data();
      kernel.face = list.face.data();
      kernel.law = list.law.data();
      kernel.turn = list.turn.data();
      kernel.electric = list.electric.data();
      kernel.magnetic = list.magnetic.data();
      kernel.memory = list.memory.data();
      kernel.registers = list.registers.data();
      backend_.for_blocks(problem_.space, kernel, 0, list.blocks);
    }
  }

  /// With LTS, after a step of `length` smallest ones, over which `electric` and `magnetic` are the integrals of the
  /// fields and which has led to `electric_now` and `magnetic_now`.
  void after_step(const Buffer<S>& electric, const Buffer<S>& magnetic, Buffer<S>& electric_now,
                  Buffer<S>& magnetic_now, std::int64_t length, const Part& part) {
    kernels::UpwindConductors<S> kernel;
    kernel.old_electric = electric.data();
    kernel.old_magnetic = magnetic.data();
    kernel.electric_change = electric_now.data();
    kernel.magnetic_change = magnetic_now.data();
    kernel.length = static_cast<S>(length);
    after_stage(kernel, part);
  }

  /// A row per element with a conductor: the states of its four faces.
  void register_state(StateRegistry& registry) {
    if (branches_ == 0) return;
    const std::size_t of_face = branches_ * face_dofs_;
    add_memory_state<S>(registry, "conductors", 4 * of_face, lists_,
                        [this, of_face](const List& list, const auto& work) {
                          for (std::size_t i = 0; i < list.of.faces.size(); ++i)
                            for (std::size_t row = 0; row < of_face; ++row)
                              work(id_of(list.of.faces[i]), list.of.faces[i].face * of_face + row,
                                   list.at(i, static_cast<int>(of_face), static_cast<int>(row)));
                        });
  }

 private:
  struct List {
    ConductorGroup of;
    std::int64_t blocks;
    std::size_t lanes;
    Buffer<std::int32_t> element;
    Buffer<std::int32_t> face;
    Buffer<S> law;
    Buffer<S> turn;
    Buffer<S> electric;
    Buffer<S> magnetic;
    Buffer<S> memory;
    Buffer<S> registers;
    /// Index of a row of the list's face number i.
    [[nodiscard]] std::size_t at(std::size_t i, int rows, int row) const {
      return (i / lanes * static_cast<std::size_t>(rows) + static_cast<std::size_t>(row)) * lanes + i % lanes;
    }
  };
  /// Rows of all faces of a list, 0 in padding.
  struct Rows {
    const List& list;
    int rows;
    std::vector<S> all;
    Rows(const List& of, int count) : list(of), rows(count), all(of.element.size() * static_cast<std::size_t>(count)) {}
    void put(std::size_t i, const std::vector<double>& numbers) {
      for (int row = 0; row < rows; ++row)
        all[list.at(i, rows, row)] = static_cast<S>(numbers[static_cast<std::size_t>(row)]);
    }
  };

  List make(ConductorGroup group, const ElementLayout<S>& layout) {
    const auto width = static_cast<std::size_t>(layout.lanes);
    const std::size_t blocks = (group.faces.size() + width - 1) / width;
    const std::size_t places = blocks * width;
    std::vector<std::int32_t> element(places, layout.spare);
    std::vector<std::int32_t> face(places, 0);
    for (std::size_t i = 0; i < group.faces.size(); ++i) {
      element[i] = layout.slot(group.faces[i].element);
      face[i] = group.faces[i].face;
    }
    const auto numbers = [&](std::size_t rows) { return Buffer<S>(backend_, places * rows); };
    List list{std::move(group),
              static_cast<std::int64_t>(blocks),
              width,
              {backend_, element},
              {backend_, face},
              numbers(static_cast<std::size_t>(kernels::conductor_numbers(static_cast<int>(branches_)))),
              numbers(face_dofs_ * face_dofs_),
              numbers(face_dofs_ * dofs_),
              numbers(face_dofs_ * dofs_),
              numbers(branches_ * face_dofs_),
              numbers(problem_.classes.count == 1 ? branches_ * face_dofs_ : 0)};
    return list;
  }
  [[nodiscard]] GlobalIndex id_of(const ConductorFace& face) const {
    return problem_.mesh->global_id[static_cast<std::size_t>(face.element)];
  }

  Backend& backend_;
  const Problem& problem_;
  std::size_t dofs_;
  std::size_t face_dofs_;
  std::size_t branches_;
  std::list<List> lists_;
};

}  // namespace tetrawave::march
