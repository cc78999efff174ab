#include "terms/sources/device/source_lists.hpp"

#include <cmath>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/scheme.hpp"
#include "basis/physical_element.hpp"
#include "schemes/leap_frog/elements/mass_weights.hpp"
#include "terms/sources/kernel.hpp"
#include "terms/walls/wall_at.hpp"

namespace tetrawave::march {

namespace {

using Vector = std::vector<double>;

/// Factor of a term: A0 u = ... + factor g w.
class ElementInverse {
 public:
  ElementInverse(const Problem& problem, LocalIndex e, Field field, double dt_m)
      : matrix_(basis::reference_element(problem.space).dofs) {
    const auto k = static_cast<std::size_t>(e);
    const basis::PhysicalElement element(problem.space, problem.mesh->corners[k]);
    const Medium& medium = problem.medium_of(e);
    const bool electric = field == Field::electric;
    const Vec3& own_axes = electric ? medium.eps_axes : medium.mu_axes;
    if (has_upwind_fluxes(problem.scheme)) {
      add((electric ? medium.eps_r : medium.mu_r) / dt_m, element.mass(own_axes));
    } else {
      const auto factors = schemes::element_factors(problem.scheme, medium, electric, dt_m);
      add(factors.mass, element.mass(mass_weights_of(problem, e, field, dt_m)));
      const Field other = electric ? Field::magnetic : Field::electric;
      if (factors.stiffness != 0) add(factors.stiffness, element.stiffness(mass_weights_of(problem, e, other, dt_m)));
    }
    if (problem.layout == Layout::stored) add_walls(problem, e, medium, element, electric, dt_m);
    matrix_.factor();
  }

  [[nodiscard]] Vector operator()(Vector moment, double factor) const {
    matrix_.solve(moment.data());
    for (double& x : moment) x *= factor;
    return moment;
  }

 private:
  void add(double factor, const basis::SymmetricMatrix& part) {
    for (std::size_t i = 0; i < part.size(); ++i)
      for (std::size_t j = 0; j < part.size(); ++j) matrix_(i, j) += factor * part(i, j);
  }

  void add_walls(const Problem& problem, LocalIndex e, const Medium& medium, const basis::PhysicalElement& element,
                 bool electric, double dt_m) {
    for (std::size_t f = 0; f < 4; ++f)
      if (const auto wall = wall_at(problem, e, f, dt_m)) {
        const double factor = schemes::wall_factors(problem.scheme, *wall, medium, electric, dt_m).face;
        if (factor != 0) add(factor, element.face_mass(f));
      }
  }

  basis::SymmetricMatrix matrix_;
};

const Vector& moment_of(const SourceTerm& term, Field field, bool curl) {
  if (curl) return term.curl;
  return field == Field::electric ? term.electric : term.magnetic;
}

template <class S>
void add_term(SourceList<S>& list, const SourceTerm& term, const Vector& amounts, double dt_m) {
  const double lead = -term.delay_m / dt_m * kernels::wave_samples;
  ensure(lead > -2e9, "a delay is within the range of steps");
  list.wave.push_back(term.wave);
  list.place.push_back(static_cast<std::int32_t>(std::floor(lead)));
  list.rest.push_back(lead - std::floor(lead));
  for (const double x : amounts) list.moment.push_back(static_cast<S>(x));
}

/// `curl`: the terms that enter by their value in DFDD-ELD.
template <class S>
SourceList<S> make_list(const Problem& problem, const ElementLayout<S>& layout, Field field, double dt_m,
                        const Part& part, bool curl, int threads, std::optional<double> amount_dt_m) {
  const bool rates = has_rates(problem.scheme);
  SourceList<S> list;
  list.part = part;
  list.by_rate = rates && !curl;
  std::map<LocalIndex, std::vector<const SourceTerm*>> by_element;
  for (const SourceTerm& term : problem.sources)
    if (problem.part_of(term.element) == part && !moment_of(term, field, curl).empty())
      by_element[term.element].push_back(&term);
  const std::vector<std::pair<LocalIndex, std::vector<const SourceTerm*>>> elements(by_element.begin(),
                                                                                    by_element.end());
  std::vector<std::vector<Vector>> amounts(elements.size());  // per term
  for_each_task(elements.size(), threads, [&](std::size_t k) {
    const ElementInverse inverse(problem, elements[k].first, field, amount_dt_m.value_or(dt_m));
    for (const SourceTerm* term : elements[k].second)
      amounts[k].push_back(inverse(moment_of(*term, field, curl), curl ? dt_m : 1));
  });
  list.first.push_back(0);
  for (std::size_t k = 0; k < elements.size(); ++k) {
    list.slot.push_back(layout.slot(elements[k].first));
    for (std::size_t t = 0; t < amounts[k].size(); ++t) add_term(list, *elements[k].second[t], amounts[k][t], dt_m);
    list.first.push_back(static_cast<std::int64_t>(list.wave.size()));
  }
  return list;
}

}  // namespace

template <class S>
std::vector<SourceList<S>> make_source_lists(const Problem& problem, const ElementLayout<S>& layout, Field field,
                                             double dt_m, int threads, std::optional<double> amount_dt_m) {
  std::vector<SourceList<S>> lists;
  const bool with_curl = has_rates(problem.scheme) && field == Field::magnetic;
  for (const bool border : {true, false})
    for (int c = 0; c < problem.classes.count; ++c)
      for (const bool curl : {false, true}) {
        if (curl && !with_curl) continue;
        auto list = make_list(problem, layout, field, problem.classes.step_of(c, dt_m), {border, c}, curl, threads,
                              amount_dt_m);
        if (!list.slot.empty()) lists.push_back(std::move(list));
      }
  return lists;
}

template std::vector<SourceList<double>> make_source_lists(const Problem&, const ElementLayout<double>&, Field, double,
                                                           int, std::optional<double>);
template std::vector<SourceList<float>> make_source_lists(const Problem&, const ElementLayout<float>&, Field, double,
                                                          int, std::optional<double>);

}  // namespace tetrawave::march
