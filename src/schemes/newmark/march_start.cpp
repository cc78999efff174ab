// Set-up of the Newmark time stepping.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "basis/physical_element.hpp"
#include "schemes/leap_frog/stable_step.hpp"
#include "schemes/newmark/march.hpp"
#include "terms/walls/element_parts.hpp"

namespace tetrawave::modes {

using march::Field;

namespace {

/// Upper bound of the largest eigenvalue of M^-1 S, with a factor of M: power iteration until it grows by less than
/// 1e-4, which is added.
double largest_ratio(const basis::SymmetricMatrix& mass, const basis::SymmetricMatrix& stiffness) {
  const std::size_t n = stiffness.size();
  std::vector<double> x(n), y(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = 1 + 0.1 * static_cast<double>(i % 7);  // along no eigenvector
  double found = 0;
  for (int k = 0; k < 200; ++k) {
    double product = 0, square = 0;
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = 0;
      for (std::size_t j = 0; j < n; ++j) y[i] += stiffness(i, j) * x[j];
      product += x[i] * y[i];
    }
    std::vector<double> z = y;
    mass.solve(z.data());
    for (std::size_t i = 0; i < n; ++i) square += z[i] * y[i];
    const double next = square / product;
    x = std::move(z);
    const double largest =
        *std::max_element(x.begin(), x.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    for (double& value : x) value /= largest;
    const bool done = std::abs(next - found) < 1e-5 * next;
    found = next;
    if (done) break;
  }
  return found * (1 + 1e-3);
}

}  // namespace

double FetdMarch::find_stable_step() {
  const LocalMesh& mesh = *whole_.mesh;
  std::vector<double> largest(mesh.corners.size());
  for_each_index(mesh.corners.size(), core_.threads(), [&](std::size_t e) {
    const Medium& medium = whole_.medium_of(static_cast<LocalIndex>(e));
    const basis::PhysicalElement element(whole_.space, mesh.corners[e]);
    auto mass = element.mass(medium.eps_r * medium.eps_axes);
    const auto stiffness = element.stiffness(medium.mu_r * medium.mu_axes);
    mass.factor();
    largest[e] = largest_ratio(mass, stiffness);
  });
  const double most = core_.system.ranks().max(*std::max_element(largest.begin(), largest.end()));
  return march::round_step_down(2 / std::sqrt(most));
}

void FetdMarch::list_kinds() {
  ElementKinds kinds = list_element_kinds(whole_);
  kind_ = std::move(kinds.of_element);
  kinds_.clear();
  for (const LocalIndex e : kinds.first) {
    kinds_.push_back({FetdLaw(whole_, e, Field::electric, dt_m_), FetdLaw(whole_, e, Field::magnetic, dt_m_)});
    const Medium& medium = whole_.medium_of(e);
    for (std::size_t x = 0; x < 3; ++x)
      kinds_.back().added[x] = 2 * dt_m_ * (options_.beta - 0.25) / (medium.mu_r * medium.mu_axes[x]);
  }
}

FetdMarch::States FetdMarch::make_states(Field which) const {
  const bool electric = which == Field::electric;
  const auto& reference = basis::reference_element(whole_.space);
  const std::size_t row = 3 * (electric ? reference.modes.size() : reference.curl_modes);
  States states{{0}, {}};
  for (const std::int32_t kind : kind_) {
    const Kind& own = kinds_[static_cast<std::size_t>(kind)];
    states.first.push_back(states.first.back() + row * (electric ? own.electric : own.magnetic).states());
  }
  states.all.assign(states.first.back(), 0.0);
  return states;
}

double FetdMarch::admittance(const fem::ElementFace& face) const {
  const auto e = static_cast<std::size_t>(face.first);
  const std::int32_t number = whole_.mesh->boundary[e][face.second];
  const auto tag = static_cast<std::size_t>(number);
  if (march::is_conductor(whole_.walls[tag])) return conductors_.admittance(number);
  if (march::has_loss(whole_.walls[tag]))
    return eta0_ohm / (whole_.wall_ohms[tag] * ports_.resistance_factor(tag, dt_m_));
  ensure(march::is_open(whole_.walls[tag]), "a wall of metal has no term");
  const auto mixed = whole_.open_admittance.find({face.first, face.second});
  if (mixed != whole_.open_admittance.end()) return mixed->second;
  return 1 / whole_.media[static_cast<std::size_t>(whole_.mesh->region[e])].impedance();
}

/// Not plain: elements of media with states, those with two fields at the border of plane waves, and those whose flux
/// is needed.
void FetdMarch::list_elements() {
  plain_.clear();
  others_.clear();
  for (std::size_t e = 0; e < kind_.size(); ++e) {
    const Kind& kind = kinds_[static_cast<std::size_t>(kind_[e])];
    const bool is_plain =
        kind.electric.states() + kind.magnetic.states() == 0 && (!surface_ || surface_->place(e) < 0) &&
        std::none_of(plane_waves_.begin(), plane_waves_.end(), [e](const auto& wave) { return wave->touches(e); });
    (is_plain ? plain_ : others_).push_back(e);
  }
  std::vector<bool> is_watched(kind_.size(), false);
  for (const auto* functionals : {&core_.problem.electric, &core_.problem.magnetic})
    for (const march::Functional& functional : *functionals)
      for (const auto& item : functional.items) is_watched[static_cast<std::size_t>(item.element)] = true;
  for (const auto& face : whole_.spectral.faces) is_watched[static_cast<std::size_t>(face.element)] = true;
  watched_.clear();
  std::copy_if(plain_.begin(), plain_.end(), std::back_inserter(watched_),
               [&](std::size_t e) { return is_watched[e]; });
}

void FetdMarch::make_operators() {
  std::vector<PlainLaw> laws;
  std::vector<fem::EdgeCoefficients<double>> coefficients;
  for (const Kind& kind : kinds_) {
    PlainLaw& law = laws.emplace_back();
    for (std::size_t x = 0; x < 3; ++x) {
      law.turn[x] = 1 / kind.magnetic.present()[x];
      law.held[x] = kind.magnetic.inertia()[x] / kind.magnetic.present()[x];  // 1 without losses
    }
    auto& own = coefficients.emplace_back();
    own.mass = kind.electric.inertia();
    own.stiffness = kind.added;
  }
  std::vector<std::int32_t> kind(kind_.size(), -1), of_matrix(kind_.size(), static_cast<std::int32_t>(kinds_.size()));
  for (const std::size_t e : plain_) kind[e] = of_matrix[e] = kind_[e];
  auto& none = coefficients.emplace_back();
  none.mass = none.stiffness = {0, 0, 0};
  operators_.make(whole_.mesh->corners, laws, kind, unknowns_.assemble(coefficients, of_matrix));
}

void FetdMarch::move_operators() {
  if (!unknowns_.is_resident()) return;
  std::vector<bool> adds(unknowns_.unknowns(), false), reads = adds, shows = adds;
  const auto mark = [&](std::vector<bool>& which, std::size_t element) {
    for (const std::int32_t u : unknowns_.space().of(element))
      if (u != fem::EdgeSpace::fixed) which[static_cast<std::size_t>(u)] = true;
  };
  const auto mark_column = [](std::vector<bool>& which, const Column& column) {
    for (const auto& entry : column) which[static_cast<std::size_t>(entry.first)] = true;
  };
  for (const Column& column : drives_) mark_column(adds, column);
  for (const auto& [wave, column] : source_drives_) mark_column(adds, column);
  for (const Column& column : voltages_) mark_column(reads, column);
  for (const march::PlaneWaveBorder& border : options_.plane_waves)
    for (const fem::ElementFace& face : border.faces) mark(adds, static_cast<std::size_t>(face.first));
  for (std::size_t w = 0; w < unknowns_.walls().size(); ++w) {
    if (!march::is_conductor(*whole_.wall_of(unknowns_.tags()[w]))) continue;
    for (auto* which : {&adds, &reads}) mark(*which, static_cast<std::size_t>(unknowns_.walls()[w].first));
  }
  for (const std::size_t e : others_) mark(reads, e);
  for (const auto& wave : plane_waves_)
    for (const std::size_t e : wave->touching()) mark(adds, e);
  for (const std::size_t e : watched_) mark(shows, e);
  fem::StepMatrices what;
  const auto list = [](const std::vector<bool>& marked) {
    std::vector<std::int32_t> places;
    for (std::size_t u = 0; u < marked.size(); ++u)
      if (marked[u]) places.push_back(static_cast<std::int32_t>(u));
    return places;
  };
  what.side_places = list(adds);
  what.mid_places = list(reads);
  what.electric_places = list(shows);
  const std::size_t row = 3 * basis::reference_element(whole_.space).curl_modes;
  for (const std::size_t e : watched_)
    for (std::size_t k = 0; k < row; ++k)
      what.number_places.push_back(static_cast<std::int32_t>(operators_.place(e) + k));
  for (const auto& response : responses_) what.responses.push_back(&response);
  if (unknowns_.iterates()) what.system = &unknowns_.matrix();
  operators_.move_to(*device_, std::move(what));
}

void FetdMarch::make_matrix() {
  std::vector<fem::EdgeCoefficients<double>> coefficients;
  for (const Kind& kind : kinds_) {
    auto& own = coefficients.emplace_back();
    for (std::size_t x = 0; x < 3; ++x) {
      own.stiffness[x] = 1 / kind.magnetic.present()[x] + kind.added[x];
      own.mass[x] = kind.electric.present()[x];
    }
  }
  std::vector<double> factors;
  for (const fem::ElementFace& face : unknowns_.walls()) factors.push_back(admittance(face));
  unknowns_.set_matrix(coefficients, kind_, factors);
}

void FetdMarch::list_drives() {
  drives_.assign(ports_.count(), {});
  for (const march::DrivenFace& driven : whole_.driven) {
    Column& column = drives_[static_cast<std::size_t>(driven.wave - 1)];
    add_column(column, driven.element, drive_factor(driven), driven.direct);
  }
  for (Column& column : drives_) join(column);
  source_drives_.clear();
  for (const march::SourceTerm& term : whole_.sources) {
    if (term.electric.empty()) continue;
    auto found = std::find_if(source_drives_.begin(), source_drives_.end(),
                              [&](const auto& known) { return known.first == term.wave; });
    if (found == source_drives_.end()) found = source_drives_.insert(found, {term.wave, {}});
    add_column(found->second, term.element, 1, term.electric);
  }
  for (auto& [wave, column] : source_drives_) join(column);
}

void FetdMarch::list_voltages() {
  voltages_.assign(ports_.count(), {});
  for (std::size_t p = 0; p < ports_.count(); ++p) {
    const auto functional = ports_.functional(p);
    if (!functional) continue;
    for (const auto& item : whole_.electric[*functional].items) add_column(voltages_[p], item.element, 1, item.weight);
    join(voltages_[p]);
  }
}

void FetdMarch::add_column(Column& column, LocalIndex element, double factor,
                           const std::vector<double>& moments) const {
  const auto unknowns = unknowns_.space().of(static_cast<std::size_t>(element));
  for (std::size_t i = 0; i < unknowns.size(); ++i)
    if (unknowns[i] != fem::EdgeSpace::fixed && moments[i] != 0) column.emplace_back(unknowns[i], factor * moments[i]);
}

/// One entry per unknown, by ascending unknowns.
void FetdMarch::join(Column& column) {
  std::stable_sort(column.begin(), column.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t count = 0;
  for (const auto& entry : column)
    if (count > 0 && column[count - 1].first == entry.first)
      column[count - 1].second += entry.second;
    else
      column[count++] = entry;
  column.resize(count);
}

double FetdMarch::drive_factor(const march::DrivenFace& driven) const {
  const auto p = static_cast<std::size_t>(driven.wave - 1);
  if (ports_.takes_one_mode(p)) return 2 * ports_.admittance(p);
  const LocalIndex behind = whole_.mesh->neighbour[static_cast<std::size_t>(driven.element)][driven.face];
  return 2 * admittance({driven.element, driven.face}) / (behind == no_neighbour ? 1 : 2);  // a sheet is listed twice
}

/// w of a source over the present step.
double FetdMarch::source_over(std::int32_t wave) const {
  const march::Wave& sent = core_.start.source_waves[static_cast<std::size_t>(wave)];
  const auto n = static_cast<double>(step_number());
  return (sent(n) + sent(n + 1)) / 2;
}

double FetdMarch::voltage(std::size_t p, const std::vector<double>& x) const {
  double sum = 0;
  for (const auto& [unknown, weight] : voltages_[p]) sum += weight * x[static_cast<std::size_t>(unknown)];
  return core_.system.ranks().sum(sum);
}

/// own_p a_p = known_p + share_p v_p, v_p = v_p of the solution without these amplitudes + sum_q v_p(response q) a_q.
void FetdMarch::couple_ports() {
  modal_.clear();
  responses_.clear();
  for (std::size_t p = 0; p < ports_.count(); ++p)
    if (ports_.is_modal(p)) modal_.push_back(p);
  const std::size_t count = modal_.size();
  for (const std::size_t p : modal_) {
    responses_.emplace_back(unknowns_.unknowns(), 0.0);
    std::fill(side_.begin(), side_.end(), 0.0);
    add_drive(drives_[p], 1);
    unknowns_.solve(side_, responses_.back());
  }
  coupling_ = basis::DenseMatrix(count, count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < count; ++k) {
      const double share = ports_.share(modal_[i]);
      coupling_(i, k) = (i == k ? ports_.own(modal_[i]) : 0) - share * voltage(modal_[i], responses_[k]);
    }
  // The identity, something of second order in the step, and of ports of one mode what is similar to a positive
  // definite matrix: no pivoting.
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = k + 1; i < count; ++i) {
      coupling_(i, k) /= coupling_(k, k);
      for (std::size_t j = k + 1; j < count; ++j) coupling_(i, j) -= coupling_(i, k) * coupling_(k, j);
    }
}

}  // namespace tetrawave::modes
