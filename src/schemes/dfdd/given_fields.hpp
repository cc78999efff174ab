// Initial states of lossy and dispersive media in DFDD-ELD for fields given at t = 0 (theory/dispersion), on the host.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "march/elements/step_fields.hpp"
#include "schemes/dfdd/dispersion_axes.hpp"
#include "schemes/dfdd/rate_list.hpp"
#include "schemes/leap_frog/initial_memory.hpp"

namespace tetrawave::march {

/// Of one equation. Arrays of a field as downloaded; arrays of a list in `ListAtStart`.
template <class Backend, class S>
class GivenRates {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  using List = RateList<Backend, S>;
  struct Numbers {
    std::vector<S> value;
    std::vector<S> rate;
  };
  struct ListAtStart {
    std::vector<S> vectors;
    std::vector<S> memory;  ///< of one of the laws
  };

  GivenRates(Backend& backend, const Problem& problem, const ElementSystem<Backend, S>& system, Field field,
             const StepSize& dt)
      : backend_(backend), problem_(problem), system_(system), dofs_(system.dofs()), field_(field), dt_(dt) {}

  /// value + advance rate of an element.
  [[nodiscard]] std::vector<double> values_of(LocalIndex e, const Numbers& of, double advance_m) const {
    std::vector<double> u;
    for (int i = 0; i < dofs_; ++i) u.push_back(of.value[index_of(e, i)] + advance_m * of.rate[index_of(e, i)]);
    return u;
  }
  /// Start, `field` at t = 0: subtracts the rates of its terms (P = 0) from those of the field.
  void take_rates(const List& list, Numbers& numbers) const {
    const schemes::Law law = without_conductivity(list);
    for_each_task(list.poles.of.elements.size(), list.poles.threads, [&](std::size_t k) {
      const LocalIndex e = list.poles.of.elements[k];
      std::vector<double> u = values_of(e, numbers, 0);
      bound_for_terms(law, step_of(list), u);
      const auto found = memory_of_law(problem_, e, law, std::vector<double>(u.size(), 0.0), u, 1);
      for (int i = 0; i < dofs_; ++i) {
        S& number = numbers.rate[index_of(e, i)];
        number = static_cast<S>(number + found.change[static_cast<std::size_t>(i)]);
      }
    });
  }

  /// The field's own terms: P = 0 at t = 0 and not at the level of the value, from which their effect is subtracted.
  /// Before a step the rate has all of it (P is as if it had not changed), after half a step the remainder; the current
  /// of a conductivity is subtracted in both cases.
  void remember_own(const List& list, std::size_t k, Numbers& own, double level, const std::vector<S>& change,
                    ListAtStart& start) const {
    const LocalIndex e = list.poles.of.elements[k];
    const Medium& medium = problem_.media[list.poles.of.region];
    const double dt_m = step_of(list);
    const bool electric = field_ == Field::electric;
    const double sigma = (electric ? medium.sigma_e : medium.sigma_m) * share_of_losses(medium, electric, dt_m);
    const schemes::Law law = list.own_law;
    const std::vector<double> u = values_of(e, own, 0);
    const std::vector<double> half_before = values_of(e, own, -dt_m / 2);
    const schemes::Law terms = without_conductivity(list);
    std::vector<double> at_start = values_of(e, own, -level * dt_m);
    if (!change.empty())
      for (int i = 0; i < dofs_; ++i) at_start[static_cast<std::size_t>(i)] -= level * dt_m * change[index_of(e, i)];
    bound_for_terms(terms, dt_m, at_start);
    auto found = memory_of_law(problem_, e, terms, std::vector<double>(u.size(), 0.0), at_start, level * dt_m);
    found.states.resize(2 * law.terms.size() * u.size(), 0.0);
    hold_change(u, half_before, found.change);
    std::vector<double> corrected = u;
    for (int i = 0; i < dofs_; ++i) {
      const auto at = static_cast<std::size_t>(i);
      double now = 0;
      for (std::size_t t = 0; t < terms.terms.size(); ++t) now += found.states[2 * t * u.size() + at];
      double current = sigma * (level > 0 ? half_before : u)[at];
      if (level != 0) {
        corrected[at] += found.change[at];
        own.value[index_of(e, i)] = static_cast<S>(corrected[at]);
      }
      if (level > 0) {
        S& rate = own.rate[index_of(e, i)];
        rate = static_cast<S>(rate + found.change[at] / (level * dt_m));
        current += now / (level * dt_m);
      }
      const int row = list.axes ? int(Laws::polarisation) : int(kernels::RatePoles<S>::polarisation);
      vector_of(list, k, row, i, start) = static_cast<S>(now - dt_m * current);
    }
    set_memory(list.poles, k, law, dt_m, found, corrected, start.memory);
  }

  /// `source`: the other field at t = 0. The rate uses the fields of the law at three levels, with weights of a
  /// quarter, a half and a quarter; the earliest is chosen as if the law had acted since t = 0.
  void remember_other(const List& list, std::size_t k, const Numbers& own, std::vector<double> source, double level,
                      ListAtStart& start) const {
    const LocalIndex e = list.poles.of.elements[k];
    const schemes::Law law = list.other_law;
    if (field_ == Field::electric)
      for (double& v : source) v = -v;
    if (!list.axes) source = find_potential(problem_, e, source);
    std::vector<double> seen = values_of(e, own, 0);
    const std::vector<double> earlier = values_of(e, own, -step_of(list));
    for (int i = 0; i < dofs_; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (list.axes) {
        seen[at] = vector_of(list, k, Laws::z_now, i, start);
      } else {
        seen[at] /= law.constant;
        vector_of(list, k, kernels::RatePoles<S>::zeta_before, i, start) = static_cast<S>(earlier[at] / law.constant);
      }
    }
    const auto found = memory_of_law(problem_, e, law, source, seen, level * step_of(list));
    for (int i = 0; i < dofs_; ++i) {
      const auto at = static_cast<std::size_t>(i);
      seen[at] += found.change[at];
      if (list.axes) vector_of(list, k, Laws::z_now, i, start) = static_cast<S>(seen[at]);
      S& before =
          vector_of(list, k, list.axes ? int(Laws::z_before) : int(kernels::RatePoles<S>::zeta_before), i, start);
      before = static_cast<S>(before + (4 * level - 1) * found.change[at]);
    }
    set_memory(list.poles, k, law, step_of(list), found, seen, start.memory);
  }

  /// Chooses the earliest field of the other law such that the first step changes what the own law makes of the rate as
  /// `plain.rate` changes it in a medium without losses and terms, from `plain.value` (theory/dispersion).
  /// find_law(fields, advance_m, with_past, dt_m): in projected media the law's field of value + advance rate, n rows
  /// of the list, which may read `list.vectors`.
  template <class FindLaw>
  void reach_rate(List& list, const Numbers& own, const Numbers& plain, ListAtStart& start,
                  const FindLaw& find_law) const {
    const schemes::Law law = list.other_law;
    const double dt_m = step_of(list);
    const double b = schemes::mass_of(law, dt_m).mean;
    const Numbers after{list.axes ? own.value : std::vector<S>{}, rates_after(list, own, plain.rate, start)};
    const auto each_dof = [&](const auto& work) {
      for_each_task(list.poles.of.elements.size(), list.poles.threads, [&](std::size_t k) {
        for (int i = 0; i < dofs_; ++i) work(k, i, index_of(list.poles.of.elements[k], i));
      });
    };
    std::vector<S> mean, next;  // projected media: of the three levels of the law's field, and of the next
    const auto past = [&](std::size_t k, int i, double now) {
      return step_terms(list, k, law, start.memory, i, now).next;
    };
    if (list.axes) {
      each_dof([&](std::size_t k, int i, std::size_t) {
        vector_of(list, k, Laws::history, i, start) =
            static_cast<S>(past(k, i, vector_of(list, k, Laws::z_now, i, start)));
      });
      list.vectors.upload(start.vectors);
      mean = find_law(plain, dt_m / 4, false, 0);
      next = find_law(after, dt_m, true, dt_m);
    }
    each_dof([&](std::size_t k, int i, std::size_t at) {
      const std::size_t here = list.poles.at(k, dofs_, i);
      if (list.axes) {
        vector_of(list, k, Laws::z_before, i, start) =
            4 * mean[here] - 2 * vector_of(list, k, Laws::z_now, i, start) - next[here];
        return;
      }
      const double now = (own.value[at] - step_terms(list, k, law, start.memory, i, 0).now) / b;
      vector_of(list, k, Poles::zeta_before, i, start) =
          static_cast<S>((4 * plain.value[at] + dt_m * plain.rate[at]) / law.constant - 2 * now -
                         (own.value[at] + dt_m * after.rate[at] - past(k, i, now)) / b);
    });
  }

 private:
  using Laws = kernels::LawsOfRates<S>;
  using Poles = kernels::RatePoles<S>;

  [[nodiscard]] double step_of(const List& list) const { return dt_.of(list.poles.of.part); }
  [[nodiscard]] std::size_t index_of(LocalIndex e, int i) const {
    return system_.layout().at(system_.layout().slot(e), dofs_, i);
  }
  S& vector_of(const List& list, std::size_t k, int row, int i, ListAtStart& start) const {
    return start.vectors[list.poles.at(k, list.rows, row * dofs_ + i)];
  }
  /// The field's own law without the term of the conductivity, the last: its P may start anywhere.
  [[nodiscard]] schemes::Law without_conductivity(const List& list) const {
    const Medium& medium = problem_.media[list.poles.of.region];
    schemes::Law law = list.own_law;
    if ((field_ == Field::electric ? medium.sigma_e : medium.sigma_m) != 0) law.terms.pop_back();
    return law;
  }

  /// Dofs held at zero by walls stay zero: in anisotropic media a change affects all dofs. They are identified by their
  /// values at two levels, as copies of the walls' arrays on the device would be memory outside of any plan.
  static void hold_change(const std::vector<double>& now, const std::vector<double>& before,
                          std::vector<double>& change) {
    const auto largest = [](const std::vector<double>& v) {
      double most = 0;
      for (const double x : v) most = std::max(most, std::abs(x));
      return most;
    };
    const double least = 1e-6 * (sizeof(S) == sizeof(float) ? 1.0 : 1e-7) * std::max(largest(now), largest(before));
    for (std::size_t i = 0; i < change.size(); ++i)
      if (std::abs(now[i]) <= least && std::abs(before[i]) <= least) change[i] = 0;
  }

  /// What a step makes of the terms of a law: sum of P, and of the stored states h1 of the next step.
  struct Sums {
    double now = 0;
    double next = 0;
  };
  /// From the stored states and the argument u of the law, dof i.
  Sums step_terms(const List& list, std::size_t k, const schemes::Law& law, const std::vector<S>& memory, int i,
                  double u) const {
    const auto constants = constants_of(law, step_of(list), schemes::trapezoidal);
    const auto terms = static_cast<int>(constants.size());
    Sums sums;
    for (int t = 0; t < terms; ++t) {
      const auto& c = constants[static_cast<std::size_t>(t)];
      const double x1 = memory[list.poles.at(k, 2 * terms * dofs_, 2 * t * dofs_ + i)] + c[4] * u;
      const double x2 = memory[list.poles.at(k, 2 * terms * dofs_, (2 * t + 1) * dofs_ + i)] + c[5] * u;
      sums.now += x1;
      sums.next += c[0] * x1 + c[1] * x2 + c[4] * u;
    }
    return sums;
  }

  /// Rates after the first step, which adds `change` to them in a medium without losses and terms.
  std::vector<S> rates_after(List& list, const Numbers& own, const std::vector<S>& change, ListAtStart& start) const {
    const schemes::Law law = list.own_law;
    const double dt_m = step_of(list);
    const double share = schemes::present_part(law, dt_m);
    const std::vector<S> memory = list.own->memory.download();
    Buffer<S> forces(backend_, list.poles.numbers(dofs_));
    std::vector<S> force = forces.download();
    const auto row = list.axes ? int(Laws::polarisation) : int(Poles::polarisation);
    const auto mass = schemes::mass_of(law, dt_m);
    if (list.own->terms > 0) {
      for_each_task(list.poles.of.elements.size(), list.poles.threads, [&](std::size_t k) {
        for (int i = 0; i < dofs_; ++i) {
          const std::size_t at = index_of(list.poles.of.elements[k], i);
          const Sums sums = step_terms(list, k, law, memory, i, own.value[at]);
          const double same = sums.next + share * own.value[at];  // sum P+ at u+ = u
          const double change_of_sum = 2 * sums.now - vector_of(list, k, row, i, start) - same;
          force[list.poles.at(k, dofs_, i)] = static_cast<S>(
              (change_of_sum / dt_m - share * (own.rate[at] + change[at])) / (list.axes ? 1 : mass.mean));
        }
      });
      if (list.axes) {
        forces.upload(force);
        list.axes->project(mass, forces.data(), forces.data());
        force = forces.download();
      }
    }
    std::vector<S> rates = own.rate;
    for_each_task(list.poles.of.elements.size(), list.poles.threads, [&](std::size_t k) {
      const LocalIndex e = list.poles.of.elements[k];
      std::vector<double> pushed;
      for (int i = 0; i < dofs_; ++i) pushed.push_back(force[list.poles.at(k, dofs_, i)]);
      hold_change(values_of(e, own, 0), values_of(e, own, -dt_m / 2), pushed);
      for (int i = 0; i < dofs_; ++i) {
        S& rate = rates[index_of(e, i)];
        rate = static_cast<S>(rate + change[index_of(e, i)] + pushed[static_cast<std::size_t>(i)]);
      }
    });
    return rates;
  }

  Backend& backend_;
  const Problem& problem_;
  const ElementSystem<Backend, S>& system_;
  int dofs_;
  Field field_;
  StepSize dt_;
};

}  // namespace tetrawave::march
