// Conductors with a skin effect in DGTD-Upwind (schemes/upwind/conductors_stage.hpp, theory/walls).
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "basis/reference_element.hpp"
#include "march/elements/element_list.hpp"
#include "march/elements/element_system.hpp"
#include "march/elements/step_fields.hpp"
#include "march/interface/action.hpp"
#include "march/interface/engine.hpp"
#include "schemes/upwind/conductors_stage.hpp"

namespace tetrawave::march {

/// A face of an element at a conductor.
struct ConductorFace {
  LocalIndex element = 0;
  std::uint8_t face = 0;
};

/// All faces of this rank at conductors.
std::vector<ConductorFace> list_conductor_faces(const Problem& problem);

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

  UpwindConductors(Backend& backend, const Problem& problem, const ElementSystem<Backend, S>& system)
      : backend_(backend),
        problem_(problem),
        branches_(conductor_branches(problem)),
        faces_(list_conductor_faces(problem)) {
    std::vector<LocalIndex> elements;
    for (const ConductorFace& face : faces_) elements.push_back(face.element);
    for (const ItemGroup& group : group_items(problem, elements)) {
      List& list = lists_.emplace_back(backend, problem, system.layout(), group, branches_);
      fill_rows(list.place, list.face, 1, {},
                [&](std::size_t i) { return std::vector<double>{static_cast<double>(faces_[group.items[i]].face)}; });
    }
  }

  /// Numbers for the step, with LTS the smallest one; states of zero.
  void start(const Start& /*start*/, const StepSize& dt) {
    for (List& list : lists_) {
      std::vector<ConductorNumbers> all(list.faces.size());
      for_each_task(all.size(), backend_.threads(),
                    [&](std::size_t i) { all[i] = conductor_numbers(problem_, faces_[list.faces[i]], dt.of(0)); });
      const auto fill = [&](Buffer<S>& to, std::vector<double> ConductorNumbers::*numbers) {
        fill_rows(list.place, to, static_cast<int>(to.size() / list.place.element.size()), {},
                  [&](std::size_t i) -> const std::vector<double>& { return all[i].*numbers; });
      };
      fill(list.law, &ConductorNumbers::law);
      fill(list.turn, &ConductorNumbers::turn);
      fill(list.electric, &ConductorNumbers::electric);
      fill(list.magnetic, &ConductorNumbers::magnetic);
      for (Buffer<S>* memory : {&list.memory, &list.registers}) memory->clear();
    }
  }

  static bool acts_in(Act act) { return act == Act::conductors; }
  void act(const Action& action, const Stage<Backend, S>& at) {
    kernels::UpwindConductors<S> kernel;
    kernel.old_electric = at.fields.electric.old.data();
    kernel.old_magnetic = at.fields.magnetic.old.data();
    kernel.new_electric = at.fields.electric.value.data();
    kernel.new_magnetic = at.fields.magnetic.value.data();
    kernel.a = static_cast<S>(at.a);
    kernel.b = static_cast<S>(at.b);
    run(kernel, action.part);
  }
  void act(const Action& action, const LevelStep<Backend, S>& at) {
    kernels::UpwindConductors<S> kernel;
    kernel.old_electric = at.fields.electric.seen.data();
    kernel.old_magnetic = at.fields.magnetic.seen.data();
    kernel.new_electric = at.fields.electric.value.data();
    kernel.new_magnetic = at.fields.magnetic.value.data();
    kernel.length = static_cast<S>(at.length);
    run(kernel, action.part);
  }

  /// A row per element with a conductor: the states of its four faces.
  void register_state(StateRegistry& registry) {
    if (branches_ == 0) return;
    const auto of_face = static_cast<std::size_t>(branches_) * basis::reference_element(problem_.space).face_dofs;
    add_memory_state<S>(registry, "conductors", 4 * of_face, lists_,
                        [this, of_face](const List& list, const auto& work) {
                          for (std::size_t i = 0; i < list.faces.size(); ++i)
                            for (std::size_t row = 0; row < of_face; ++row)
                              work(problem_.mesh->global_id[static_cast<std::size_t>(list.place.of.elements[i])],
                                   faces_[list.faces[i]].face * of_face + row,
                                   list.place.at(i, static_cast<int>(of_face), static_cast<int>(row)));
                        });
  }

 private:
  struct List {
    ElementList<Backend, S> place;
    std::vector<std::size_t> faces;  ///< numbers of all faces of this rank
    Buffer<std::int32_t> face;
    Buffer<S> law;
    Buffer<S> turn;
    Buffer<S> electric;
    Buffer<S> magnetic;
    Buffer<S> memory;
    Buffer<S> registers;

    List(Backend& backend, const Problem& problem, const ElementLayout<S>& layout, const ItemGroup& group, int branches)
        : place(backend, layout, group.of),
          faces(group.items),
          face(backend, place.numbers(1)),
          law(backend, place.numbers(kernels::conductor_numbers(branches))),
          turn(backend, place.numbers(face_dofs(problem) * face_dofs(problem))),
          electric(backend, place.numbers(face_dofs(problem) * dofs(problem))),
          magnetic(backend, place.numbers(face_dofs(problem) * dofs(problem))),
          memory(backend, place.numbers(branches * face_dofs(problem))),
          registers(backend, problem.classes.count == 1 ? memory.size() : 0) {}
    static int dofs(const Problem& problem) { return static_cast<int>(basis::reference_element(problem.space).dofs); }
    static int face_dofs(const Problem& problem) {
      return static_cast<int>(basis::reference_element(problem.space).face_dofs);
    }
  };

  void run(kernels::UpwindConductors<S> kernel, const Part& part) {
    for (List& list : lists_) {
      if (list.place.of.part != part) continue;
      kernel.branches = branches_;
      kernel.element = list.place.element.data();
      kernel.face = list.face.data();
      kernel.law = list.law.data();
      kernel.turn = list.turn.data();
      kernel.electric = list.electric.data();
      kernel.magnetic = list.magnetic.data();
      kernel.memory = list.memory.data();
      kernel.registers = list.registers.data();
      backend_.for_blocks(problem_.space, kernel, 0, list.place.blocks);
    }
  }

  Backend& backend_;
  const Problem& problem_;
  int branches_;
  std::vector<ConductorFace> faces_;
  std::list<List> lists_;
};

}  // namespace tetrawave::march
