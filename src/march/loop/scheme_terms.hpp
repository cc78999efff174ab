// The terms of a scheme: what its equations have besides the update, a type each (schemes/*/terms.hpp).
//
// A term is made from (backend, problem, system, field), one for E and one for H, or from (backend, problem, system).
// It has
//   acts_in(act)             whether it takes part in an action; static
//   act(action, at)          its part, on the fields `at` of the scheme (march/elements/step_fields.hpp)
// and, where there is something to do,
//   begin(at, dt)            numbers for the step, and states for the present fields, for E and for H
//   start(start, dt)         likewise, once a run, whatever the fields are
//   register_state(registry)
//   ranks_share()            whether the ranks add up something in every step, through the host
#pragma once

#include <tuple>
#include <type_traits>

#include "march/loop/core.hpp"

namespace tetrawave::march {

template <class Backend, class S, class... Terms>
class SchemeTerms {
  using System = ElementSystem<Backend, S>;
  template <class T>
  static constexpr bool of_a_field = std::is_constructible_v<T, Backend&, const Problem&, System&, Field>;

  template <class T>
  struct Both {
    PerField<T> of;
    explicit Both(Core<Backend, S>& core)
        : of(per_field([&](Field field) { return T(core.backend, core.problem, core.system, field); })) {}
    T& operator[](Field field) { return of[field]; }
    template <class Visit>
    void visit(const Visit& each) {
      for (const Field field : both_fields) each(of[field]);
    }
  };
  template <class T>
  struct One {
    T of;
    explicit One(Core<Backend, S>& core) : of(core.backend, core.problem, core.system) {}
    T& operator[](Field /*field*/) { return of; }
    template <class Visit>
    void visit(const Visit& each) {
      each(of);
    }
  };
  template <class T>
  using Held = std::conditional_t<of_a_field<T>, Both<T>, One<T>>;
  template <class T>
  static Core<Backend, S>& core_for(Core<Backend, S>& core) {
    return core;
  }

 public:
  explicit SchemeTerms(Core<Backend, S>& core) : terms_(core_for<Terms>(core)...) {
    core.declare([this](StateRegistry& registry) {
      visit([&](auto& term) {
        if constexpr (requires { term.register_state(registry); }) term.register_state(registry);
      });
    });
    visit([&](auto& term) {
      if constexpr (requires { term.ranks_share(); }) core.ranks_share = core.ranks_share || term.ranks_share();
    });
  }
  SchemeTerms(const SchemeTerms&) = delete;
  SchemeTerms& operator=(const SchemeTerms&) = delete;

  /// The term, or those of both fields.
  template <class T>
  auto& get() {
    return std::get<Held<T>>(terms_).of;
  }
  template <class T>
  const auto& get() const {
    return std::get<Held<T>>(terms_).of;
  }

  template <class At>
  void begin(const At& at, const StepSize& dt) {
    const auto one = [&](auto& term) {
      if constexpr (requires { term.begin(at, dt); }) term.begin(at, dt);
    };
    std::apply([&](auto&... terms) { (one(terms[at.field]), ...); }, terms_);
  }
  void start(const Start& start, const StepSize& dt) {
    visit([&](auto& term) {
      if constexpr (requires { term.start(start, dt); }) term.start(start, dt);
    });
  }

  /// False if no term takes part in the action.
  template <class At>
  bool act(const Action& action, const At& at) {
    bool any = false;
    const auto one = [&](auto& term) {
      if (!term.acts_in(action.act)) return;
      any = true;
      term.act(action, at);
    };
    std::apply([&](auto&... terms) { (one(terms[at.field]), ...); }, terms_);
    return any;
  }

 private:
  template <class Visit>
  void visit(const Visit& each) {
    std::apply([&](auto&... terms) { (terms.visit(each), ...); }, terms_);
  }

  std::tuple<Held<Terms>...> terms_;
};

}  // namespace tetrawave::march
