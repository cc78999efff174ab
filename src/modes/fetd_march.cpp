#include "modes/fetd_march.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "basis/physical_element.hpp"
#include "march/layers.hpp"
#include "march/stable_step.hpp"

namespace tetrawave::modes {

using march::Field;

/// What a thread works with.
struct FetdMarch::Scratch {
  explicit Scratch(Space space)
      : element(space),
        dofs(element.functions()),
        field(3 * element.modes()),
        known(3 * element.modes()),
        magnetic(3 * element.curl_modes()),
        known_magnetic(3 * element.curl_modes()),
        curl(3 * element.curl_modes()) {}
  fem::CartesianElement element;
  std::vector<double> dofs, field, known, magnetic, known_magnetic, curl;
};

namespace {

/// Largest eigenvalue of M^-1 S from above, M by its factor: power iteration until it grows by less than 1e-4, which is
/// added.
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

/// The base knows nothing of sources, and records what gives the currents of ports in place of them.
march::Problem FetdMarch::for_base(march::Problem problem, const std::vector<FetdPortCurrent>& currents) {
  problem.sources.clear();
  problem.memories.clear();
  for (const FetdPortCurrent& current : currents) {
    problem.magnetic[current.port] = {};
    problem.electric.push_back(current.of_field);
  }
  return problem;
}

FetdMarch::FetdMarch(const march::Problem& problem, FetdOptions options, int threads, const comm::Communicator& ranks)
    : Base(host::HostBackend(threads), for_base(problem, options.currents), ranks, false, 1),
      whole_(problem),
      options_(std::move(options)),
      electric_(this->system_.make_field()),
      magnetic_(this->system_.make_field()),
      unknowns_(whole_, options_.solver, options_.boundaries, threads, ranks),
      ports_(whole_, options_.ports),
      conductors_(whole_, unknowns_.walls(), unknowns_.tags()),
      moments_(problem.mesh->corners.size() * unknowns_.space().functions),
      side_(unknowns_.unknowns()),
      base_(unknowns_.unknowns()),
      mid_(unknowns_.unknowns()),
      waves_(ports_.count()) {}

double FetdMarch::find_stable_step() {
  const LocalMesh& mesh = *whole_.mesh;
  std::vector<double> largest(mesh.corners.size());
  for_each_index(mesh.corners.size(), this->threads(), [&](std::size_t e) {
    const Medium& medium = whole_.media[static_cast<std::size_t>(mesh.region[e])];
    const basis::PhysicalElement element(whole_.space, mesh.corners[e]);
    auto mass = element.mass(medium.eps_r * medium.eps_axes);
    const auto stiffness = element.stiffness(medium.mu_r * medium.mu_axes);
    mass.factor();
    largest[e] = largest_ratio(mass, stiffness);
  });
  const double most = this->system_.ranks().max(*std::max_element(largest.begin(), largest.end()));
  return march::round_step_down(2 / std::sqrt(most));
}

template <class Work>
void FetdMarch::for_elements(const Work& work) {
  const std::size_t count = whole_.mesh->corners.size();
  constexpr std::size_t parts = 64;  // an element is as long as so many cheap items
  for_ranges(count, count_ranges(count, parts * count, this->threads()),
             [&](std::size_t, std::size_t first, std::size_t last) {
               Scratch scratch(whole_.space);
               for (std::size_t e = first; e < last; ++e) {
                 scratch.element.set(whole_.mesh->corners[e]);
                 work(e, scratch);
               }
             });
}

void FetdMarch::load(std::size_t element, const FieldBuffer& field, double* dofs) const {
  const auto& layout = this->system_.layout();
  const std::int32_t slot = layout.slot(static_cast<LocalIndex>(element));
  for (int i = 0; i < this->system_.dofs(); ++i) dofs[i] = field.data()[layout.at(slot, this->system_.dofs(), i)];
}

void FetdMarch::store(std::size_t element, const double* dofs, FieldBuffer& field) const {
  const auto& layout = this->system_.layout();
  const std::int32_t slot = layout.slot(static_cast<LocalIndex>(element));
  for (int i = 0; i < this->system_.dofs(); ++i) field.data()[layout.at(slot, this->system_.dofs(), i)] = dofs[i];
}

void FetdMarch::list_kinds() {
  kinds_.clear();
  kind_.clear();
  std::vector<std::int32_t> of_region(whole_.media.size(), -1);
  for (LocalIndex e = 0; e < whole_.mesh->element_count(); ++e) {
    const auto region = static_cast<std::size_t>(whole_.mesh->region[static_cast<std::size_t>(e)]);
    std::int32_t& known = of_region[region];
    if (known < 0 || march::is_layer(whole_, e)) {  // a stretch of its own
      known = static_cast<std::int32_t>(kinds_.size());
      kinds_.push_back({FetdLaw(whole_, e, Field::electric, dt_m_), FetdLaw(whole_, e, Field::magnetic, dt_m_)});
      const Medium& medium = whole_.media[region];
      for (std::size_t x = 0; x < 3; ++x)
        kinds_.back().added[x] = 2 * dt_m_ * (options_.beta - 0.25) / (medium.mu_r * medium.mu_axes[x]);
    }
    kind_.push_back(known);
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
  switch (whole_.walls[tag]) {
    case march::Wall::open: {
      const auto mixed = whole_.open_admittance.find({face.first, face.second});
      if (mixed != whole_.open_admittance.end()) return mixed->second;
      return 1 / whole_.media[static_cast<std::size_t>(whole_.mesh->region[e])].impedance();
    }
    case march::Wall::impedance:
      return eta0_ohm / (whole_.wall_ohms[tag] * ports_.resistance_factor(tag, dt_m_));
    case march::Wall::conductor:
      return conductors_.admittance(number);
    case march::Wall::electric:
    case march::Wall::magnetic:
      break;
  }
  throw InternalError("a wall of metal has no term");
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
  drives_.assign(ports_.count(), std::vector<double>(unknowns_.unknowns(), 0.0));
  for (const march::DrivenFace& driven : whole_.driven) {
    const auto& behind = whole_.mesh->neighbour[static_cast<std::size_t>(driven.element)][driven.face];
    const double sides = behind == no_neighbour ? 1 : 2;  // a sheet is listed from both
    const double factor = 2 * admittance({driven.element, driven.face}) / sides;
    fem::EdgeAssembly::scatter(unknowns_.space(), driven.element, driven.direct, factor,
                               drives_[static_cast<std::size_t>(driven.wave - 1)]);
  }
}

double FetdMarch::voltage(std::size_t p, const std::vector<double>& x) const {
  double sum = 0;
  std::vector<double> dofs(unknowns_.space().functions);
  for (const auto& item : whole_.electric[ports_.functional(p)].items) {
    unknowns_.gather(static_cast<std::size_t>(item.element), x, dofs.data());
    for (std::size_t i = 0; i < dofs.size(); ++i) sum += item.weight[i] * dofs[i];
  }
  return this->system_.ranks().sum(sum);
}

/// w_p = known_p + share_p (v_p - w_p), v_p = v_p of the solution without these waves + sum_q v_p(response q) w_q.
void FetdMarch::couple_ports() {
  modal_.clear();
  responses_.clear();
  for (std::size_t p = 0; p < ports_.count(); ++p)
    if (ports_.is_modal(p)) modal_.push_back(p);
  const std::size_t count = modal_.size();
  for (const std::size_t p : modal_) {
    responses_.emplace_back(unknowns_.unknowns(), 0.0);
    unknowns_.solve(drives_[p], responses_.back());
  }
  coupling_ = basis::DenseMatrix(count, count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < count; ++k) {
      const double share = ports_.share(modal_[i]);
      coupling_(i, k) = (i == k ? 1 + share : 0) - share * voltage(modal_[i], responses_[k]);
    }
  // Near the unit matrix, as a share is of second order in the step: no pivots.
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = k + 1; i < count; ++i) {
      coupling_(i, k) /= coupling_(k, k);
      for (std::size_t j = k + 1; j < count; ++j) coupling_(i, j) -= coupling_(i, k) * coupling_(k, j);
    }
}

void FetdMarch::project(const std::vector<double>& dofs) {
  const std::size_t n = unknowns_.space().functions;
  std::vector<fem::EdgeCoefficients<double>> unit(1);
  unit[0].stiffness = {0, 0, 0};
  unit[0].mass = {1, 1, 1};
  unknowns_.set_matrix(unit, std::vector<std::int32_t>(kind_.size(), 0),
                       std::vector<double>(unknowns_.walls().size(), 0.0));
  for_elements([&](std::size_t e, Scratch& scratch) {
    scratch.element.field(dofs.data() + e * n, scratch.element.modes(), scratch.field.data());
    std::fill_n(moments_.data() + e * n, n, 0.0);
    scratch.element.add_moments(scratch.field.data(), moments_.data() + e * n);
  });
  add_up_moments();
  std::fill(mid_.begin(), mid_.end(), 0.0);
  unknowns_.solve(side_, mid_);
  for_elements([&](std::size_t e, Scratch& scratch) {
    unknowns_.gather(e, mid_, scratch.dofs.data());
    store(e, scratch.dofs.data(), electric_);
  });
}

/// The rest of a given H, which no curl of E changes, would stay for ever.
void FetdMarch::set_magnetic(const std::vector<double>& dofs) {
  const std::size_t n = unknowns_.space().functions;
  for_elements([&](std::size_t e, Scratch& scratch) {
    scratch.element.field(dofs.data() + e * n, scratch.element.curl_modes(), scratch.magnetic.data());
    std::fill(scratch.dofs.begin(), scratch.dofs.end(), 0.0);
    scratch.element.add_dofs(scratch.magnetic.data(), scratch.dofs.data());
    store(e, scratch.dofs.data(), magnetic_);
  });
}

void FetdMarch::begin() {
  dt_m_ = this->start_.dt_m;
  modal_rows_.clear();
  list_kinds();
  electric_states_ = make_states(Field::electric);
  magnetic_states_ = make_states(Field::magnetic);
  conductors_.begin(dt_m_);
  ports_.begin(dt_m_, this->start_.waves);
  const auto is_given = [](const auto& field) {
    return field && std::any_of(field->begin(), field->end(), [](double dof) { return dof != 0; });
  };
  this->upload_field(electric_, {});
  this->upload_field(magnetic_, {});
  if (is_given(this->given_->magnetic)) set_magnetic(*this->given_->magnetic);
  std::fill(mid_.begin(), mid_.end(), 0.0);
  if (is_given(this->given_->electric)) project(*this->given_->electric);
  for (std::size_t p = 0; p < ports_.count(); ++p)
    if (ports_.has_memory(p)) ports_.set_voltage(p, voltage(p, mid_));
  make_matrix();
  list_drives();
  couple_ports();
}

void FetdMarch::first_half() {
  for (const FetdPortCurrent& current : options_.currents)
    modal_rows_.push_back(ports_.at_step(current.port, step_number()));
}

void FetdMarch::second_half() {
  find_known();
  drive();
  if (unknowns_.iterates()) look_ahead();
  unknowns_.solve(side_, base_);
  add_modal_waves();
  advance_elements();
  conductors_.advance(unknowns_.space(), mid_);
  for (std::size_t p = 0; p < ports_.count(); ++p)
    if (ports_.has_memory(p)) ports_.advance(p, step_number(), voltage(p, mid_), waves_[p]);
  this->tick();
}

void FetdMarch::add_up_moments() {
  const std::size_t n = unknowns_.space().functions;
  std::fill(side_.begin(), side_.end(), 0.0);
  for (std::size_t e = 0; e < kind_.size(); ++e)
    fem::EdgeAssembly::scatter<double>(unknowns_.space(), static_cast<LocalIndex>(e),
                                       std::span<const double>(moments_.data() + e * n, n), 1.0, side_);
}

/// int N . known_e + int curl N . (known_h/present_h + added curl E).
void FetdMarch::find_known() {
  const std::size_t n = unknowns_.space().functions;
  const bool adds = options_.beta != 0.25;
  for_elements([&](std::size_t e, Scratch& s) {
    const Kind& kind = kinds_[static_cast<std::size_t>(kind_[e])];
    const std::size_t modes = s.element.modes(), curl_modes = s.element.curl_modes();
    double* out = moments_.data() + e * n;
    std::fill_n(out, n, 0.0);
    load(e, electric_, s.dofs.data());
    s.element.field(s.dofs.data(), modes, s.field.data());
    kind.electric.known(modes, s.field.data(), electric_states_.of(e), s.known.data());
    s.element.add_moments(s.known.data(), out);
    if (adds) s.element.curl(s.dofs.data(), s.curl.data());
    load(e, magnetic_, s.dofs.data());
    s.element.field(s.dofs.data(), curl_modes, s.magnetic.data());
    kind.magnetic.known(curl_modes, s.magnetic.data(), magnetic_states_.of(e), s.known_magnetic.data());
    for (std::size_t x = 0; x < 3; ++x)
      for (std::size_t m = x * curl_modes; m < (x + 1) * curl_modes; ++m) {
        s.known_magnetic[m] /= kind.magnetic.present()[x];
        if (adds) s.known_magnetic[m] += kind.added[x] * s.curl[m];
      }
    s.element.add_curl_moments(s.known_magnetic.data(), out);
  });
  add_up_moments();
  conductors_.add_known(unknowns_.space(), side_);
}

void FetdMarch::drive() {
  const std::int64_t n = step_number();
  for (std::size_t p = 0; p < ports_.count(); ++p) {
    waves_[p] = ports_.known(p, n);
    if (ports_.is_modal(p) || waves_[p] == 0) continue;
    for (std::size_t i = 0; i < side_.size(); ++i) side_[i] += waves_[p] * drives_[p][i];
  }
  for (const march::SourceTerm& term : whole_.sources) {
    const march::Wave& sent = this->start_.source_waves[static_cast<std::size_t>(term.wave)];
    const double wave = (sent(static_cast<double>(n)) + sent(static_cast<double>(n + 1))) / 2;
    if (wave != 0 && !term.electric.empty())
      fem::EdgeAssembly::scatter(unknowns_.space(), term.element, term.electric, wave, side_);
  }
}

/// Where an iteration begins: on a straight line through the middle of the last step and the present E.
void FetdMarch::look_ahead() {
  const std::size_t n = unknowns_.space().functions;
  std::vector<double> dofs(n);
  for (std::size_t e = 0; e < kind_.size(); ++e) {
    load(e, electric_, dofs.data());
    const auto unknowns = unknowns_.space().of(e);
    for (std::size_t i = 0; i < n; ++i)
      if (const auto u = static_cast<std::size_t>(unknowns[i]); unknowns[i] != fem::EdgeSpace::fixed)
        base_[u] = 2 * dofs[i] - mid_[u];
  }
}

void FetdMarch::add_modal_waves() {
  mid_ = base_;
  const std::size_t count = modal_.size();
  std::vector<double> wave(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t p = modal_[i];
    wave[i] = waves_[p] + ports_.share(p) * voltage(p, base_);
    for (std::size_t k = 0; k < i; ++k) wave[i] -= coupling_(i, k) * wave[k];
  }
  for (std::size_t i = count; i-- > 0;) {
    for (std::size_t k = i + 1; k < count; ++k) wave[i] -= coupling_(i, k) * wave[k];
    wave[i] /= coupling_(i, i);
  }
  for (std::size_t i = 0; i < count; ++i) {
    waves_[modal_[i]] = wave[i];
    for (std::size_t u = 0; u < mid_.size(); ++u) mid_[u] += wave[i] * responses_[i][u];
  }
}

void FetdMarch::advance_elements() {
  for_elements([&](std::size_t e, Scratch& s) {
    const Kind& kind = kinds_[static_cast<std::size_t>(kind_[e])];
    const std::size_t modes = s.element.modes(), curl_modes = s.element.curl_modes();
    std::vector<double>& middle = s.dofs;
    unknowns_.gather(e, mid_, middle.data());
    s.element.curl(middle.data(), s.curl.data());
    if (kind.electric.states() > 0) {
      s.element.field(middle.data(), modes, s.field.data());
      kind.electric.advance(modes, s.field.data(), electric_states_.of(e));
    }
    load(e, electric_, s.known.data());
    for (std::size_t i = 0; i < middle.size(); ++i) s.known[i] = 2 * middle[i] - s.known[i];
    store(e, s.known.data(), electric_);
    load(e, magnetic_, middle.data());
    s.element.field(middle.data(), curl_modes, s.magnetic.data());
    kind.magnetic.known(curl_modes, s.magnetic.data(), magnetic_states_.of(e), s.known_magnetic.data());
    for (std::size_t x = 0; x < 3; ++x)
      for (std::size_t m = x * curl_modes; m < (x + 1) * curl_modes; ++m) {
        s.known_magnetic[m] = (s.known_magnetic[m] - s.curl[m]) / kind.magnetic.present()[x];
        s.curl[m] = 2 * (s.known_magnetic[m] - s.magnetic[m]);
      }
    s.element.add_dofs(s.curl.data(), middle.data());
    store(e, middle.data(), magnetic_);
    kind.magnetic.advance(curl_modes, s.known_magnetic.data(), magnetic_states_.of(e));
  });
}

march::Record FetdMarch::take_record() {
  march::Record record = Base::take_record();
  const std::vector<FetdPortCurrent>& currents = options_.currents;
  const auto rows = static_cast<std::size_t>(record.rows);
  const std::size_t electric = whole_.electric.size(), magnetic = whole_.magnetic.size();
  const std::size_t recorded = electric + currents.size() + magnetic;
  std::vector<double> values;
  values.reserve(rows * (electric + magnetic));
  for (std::size_t row = 0; row < rows && !record.values.empty(); ++row) {
    const double* from = record.values.data() + row * recorded;
    values.insert(values.end(), from, from + electric);
    const double* of_field = from + electric;
    const std::size_t first = values.size();
    values.insert(values.end(), of_field + currents.size(), from + recorded);
    for (std::size_t c = 0; c < currents.size(); ++c)
      values[first + currents[c].port] = currents[c].of_wave * modal_rows_[row * currents.size() + c] - of_field[c];
  }
  modal_rows_.erase(modal_rows_.begin(), modal_rows_.begin() + static_cast<std::ptrdiff_t>(rows * currents.size()));
  record.values = std::move(values);
  return record;
}

double FetdMarch::law_energy(Field which, bool of_axes, const FieldBuffer* /*earlier*/) {
  if (of_axes) return 0;
  const bool electric = which == Field::electric;
  const States& states = electric ? electric_states_ : magnetic_states_;
  if (this->system_.ranks().max(static_cast<std::int64_t>(states.all.size())) == 0) return 0;
  std::vector<double> stored(kind_.size(), 0.0);
  for_elements([&](std::size_t e, Scratch& s) {
    const Kind& kind = kinds_[static_cast<std::size_t>(kind_[e])];
    const std::size_t modes = electric ? s.element.modes() : s.element.curl_modes();
    const double* own = states.of(e);
    for (const auto& [alpha, beta, gamma] : (electric ? kind.electric : kind.magnetic).stored()) {
      const double* second = own + 3 * modes;
      const double across = s.element.product(own, second, modes), square = s.element.product(own, own, modes);
      stored[e] += alpha * square +
                   beta * (s.element.product(second, second, modes) - 2 * gamma * across + gamma * gamma * square);
      own += 6 * modes;
    }
  });
  double sum = 0;
  for (const double energy : stored) sum += energy;
  return this->system_.ranks().sum(sum);
}

/// Fields and states read and written, and the factors or the matrix of the solver, once each.
std::int64_t FetdMarch::bytes_of_element() const {
  const std::size_t elements = kind_.size();
  const std::size_t states =
      (electric_states_.all.size() + magnetic_states_.all.size()) / std::max<std::size_t>(1, elements);
  return static_cast<std::int64_t>(8 * (4 * unknowns_.space().functions + 2 * states)) +
         figures().solver_bytes / static_cast<std::int64_t>(std::max<std::size_t>(1, elements));
}

}  // namespace tetrawave::modes
