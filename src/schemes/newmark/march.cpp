#include "schemes/newmark/march.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/stopwatch.hpp"
#include "basis/physical_element.hpp"
#include "fem/shared/shared_solver.hpp"
#include "schemes/leap_frog/stable_step.hpp"
#include "terms/pml/layers.hpp"

namespace tetrawave::modes {

using march::Field;

march::Problem FetdMarch::recorded(march::Problem problem, const std::vector<FetdPortCurrent>& currents) {
  for (const FetdPortCurrent& current : currents) {
    problem.magnetic[current.port] = {};
    problem.electric.push_back(current.of_field);
  }
  return problem;
}

FetdMarch::FetdMarch(march::Core<host::HostBackend, double>& core, const march::Problem& problem, FetdOptions options,
                     const fem::SolverMachine& machine)
    : core_(core),
      whole_(problem),
      options_(std::move(options)),
      electric_(core_.make_field(0, "E", [this]() -> FieldBuffer& { return values(Field::electric); })),
      magnetic_(core_.make_field(0, "H", [this]() -> FieldBuffer& { return values(Field::magnetic); })),
      unknowns_(whole_, options_.solver, options_.boundaries, machine, core.system.ranks()),
      ports_(whole_, options_.ports),
      conductors_(whole_, unknowns_.walls(), unknowns_.tags()),
      operators_(unknowns_.space(), machine.threads),
      first_guess_(unknowns_, operators_, core.system.ranks(), machine.threads),
      device_(machine.iteration_device),
      solver_device_(options_.solver.method != SolverMethod::direct && core.system.ranks().size() > 1 &&
                             !fem::is_on_device(options_.solver, machine)
                         ? ""
                     : machine.iteration_device ? machine.iteration_device->name()
                     : machine.factor_device    ? machine.factor_device->name()
                                                : ""),
      side_(unknowns_.unknowns()),
      base_(unknowns_.unknowns()),
      mid_(unknowns_.unknowns()),
      waves_(ports_.count()) {
  using march::Act;
  core_.declare([this](march::StateRegistry& registry) { register_state(registry); });
  if (!options_.currents.empty()) core_.plan.before_row = {{Act::one_mode_before}};
  core_.plan.after_row = {{Act::right_side}, {Act::solve}, {Act::fields}, {Act::count}};
  if (options_.surface != nullptr)
    surface_.emplace(whole_, *options_.surface, unknowns_.metal(), machine.threads, core.system.ranks());
  for (const march::PlaneWaveBorder& border : options_.plane_waves)
    plane_waves_.push_back(std::make_unique<FetdPlaneWave>(whole_, border, machine.threads, core.system.ranks()));
}

FetdMarch::FieldBuffer& FetdMarch::values(Field which) {
  bool& is_shown = is_shown_[which == Field::electric ? 0 : 1];
  if (!is_shown) {
    operators_.take_fields();
    show(which, plain_);
  }
  is_shown = true;
  return which == Field::electric ? electric_ : magnetic_;
}

FetdMarch::FieldBuffer& FetdMarch::values_to_record(Field which, bool whole) {
  if (whole) return values(which);
  return which == Field::electric ? electric_ : magnetic_;
}

void FetdMarch::show(Field which, const std::vector<std::size_t>& elements) {
  for_elements(elements, [&](std::size_t e, Scratch& s) {
    if (which == Field::electric) {
      unknowns_.gather(e, operators_.electric(), s.dofs.data());
    } else {
      std::fill(s.dofs.begin(), s.dofs.end(), 0.0);
      s.element.add_dofs(operators_.known(e), s.dofs.data());
    }
    store(e, s.dofs.data(), which == Field::electric ? electric_ : magnetic_);
  });
}

void FetdMarch::load(std::size_t element, const FieldBuffer& field, double* dofs) const {
  const auto& layout = core_.system.layout();
  const std::int32_t slot = layout.slot(static_cast<LocalIndex>(element));
  for (int i = 0; i < core_.system.dofs(); ++i) dofs[i] = field.data()[layout.at(slot, core_.system.dofs(), i)];
}

void FetdMarch::store(std::size_t element, const double* dofs, FieldBuffer& field) const {
  const auto& layout = core_.system.layout();
  const std::int32_t slot = layout.slot(static_cast<LocalIndex>(element));
  for (int i = 0; i < core_.system.dofs(); ++i) field.data()[layout.at(slot, core_.system.dofs(), i)] = dofs[i];
}

void FetdMarch::project(const std::vector<double>& dofs) {
  const std::size_t n = unknowns_.space().functions;
  std::vector<fem::EdgeCoefficients<double>> unit(1);
  unit[0].stiffness = {0, 0, 0};
  unit[0].mass = {1, 1, 1};
  unknowns_.set_matrix(unit, std::vector<std::int32_t>(kind_.size(), 0),
                       std::vector<double>(unknowns_.walls().size(), 0.0));
  std::vector<double> moments(kind_.size() * n, 0.0);
  for_elements([&](std::size_t e, Scratch& scratch) {
    scratch.element.field(dofs.data() + e * n, scratch.element.modes(), scratch.field.data());
    scratch.element.add_moments(scratch.field.data(), moments.data() + e * n);
  });
  std::fill(side_.begin(), side_.end(), 0.0);
  for (std::size_t e = 0; e < kind_.size(); ++e)
    fem::EdgeAssembly::scatter<double>(unknowns_.space(), static_cast<LocalIndex>(e),
                                       std::span<const double>(moments.data() + e * n, n), 1.0, side_);
  std::fill(mid_.begin(), mid_.end(), 0.0);
  unknowns_.solve(side_, mid_);
  operators_.electric() = mid_;
  for_elements([&](std::size_t e, Scratch& scratch) {
    unknowns_.gather(e, mid_, scratch.dofs.data());
    store(e, scratch.dofs.data(), electric_);
  });
}

/// The curl-free remainder of H would never decay.
void FetdMarch::set_magnetic(const std::vector<double>& dofs) {
  const std::size_t n = unknowns_.space().functions;
  for_elements([&](std::size_t e, Scratch& scratch) {
    scratch.element.field(dofs.data() + e * n, scratch.element.curl_modes(), scratch.magnetic.data());
    std::fill(scratch.dofs.begin(), scratch.dofs.end(), 0.0);
    if (operators_.is_plain(e)) std::copy(scratch.magnetic.begin(), scratch.magnetic.end(), operators_.known(e));
    scratch.element.add_dofs(scratch.magnetic.data(), scratch.dofs.data());
    store(e, scratch.dofs.data(), magnetic_);
  });
}

void FetdMarch::begin() {
  dt_m_ = core_.start.dt_m;
  modal_rows_.clear();
  list_kinds();
  list_elements();
  make_operators();
  electric_states_ = make_states(Field::electric);
  magnetic_states_ = make_states(Field::magnetic);
  conductors_.begin(dt_m_);
  ports_.begin(dt_m_, core_.start.waves);
  if (surface_) surface_->begin(dt_m_);
  for (std::size_t k = 0; k < plane_waves_.size(); ++k)
    plane_waves_[k]->begin(dt_m_, core_.start.source_waves[static_cast<std::size_t>(options_.plane_waves[k].wave)]);
  const auto is_given = [](const auto& field) {
    return field && std::any_of(field->begin(), field->end(), [](double dof) { return dof != 0; });
  };
  is_shown_[0] = is_shown_[1] = true;
  core_.upload_field(electric_, {});
  core_.upload_field(magnetic_, {});
  if (is_given(core_.given->magnetic)) set_magnetic(*core_.given->magnetic);
  std::fill(mid_.begin(), mid_.end(), 0.0);
  if (is_given(core_.given->electric)) project(*core_.given->electric);
  list_voltages();
  for (std::size_t p = 0; p < ports_.count(); ++p)
    if (ports_.has_memory(p)) ports_.set_voltage(p, voltage(p, mid_));
  make_matrix();
  list_drives();
  couple_ports();
  move_operators();
  if (unknowns_.iterates()) first_guess_.begin();
}

void FetdMarch::act(const march::Action& action, std::int64_t /*n*/) {
  Stopwatch watch;
  switch (action.act) {
    case march::Act::one_mode_before:
      return note_waves();
    case march::Act::right_side:
      find_side();
      seconds_side_ += watch.lap();
      return;
    case march::Act::solve:
      return solve_step();
    case march::Act::fields:
      advance_all();
      seconds_fields_ += watch.lap();
      return;
    default:
      return core_.act(action, {});
  }
}

void FetdMarch::note_waves() {
  for (const FetdPortCurrent& current : options_.currents)
    modal_rows_.push_back(ports_.at_step(current.port, step_number()));
}

void FetdMarch::find_side() {
  for (const auto& wave : plane_waves_) wave->set_step(step_number());
  find_known();
  drive();
  add_plane_waves();
  operators_.finish_side(side_);
  if (unknowns_.iterates()) first_guess_.find(side_, base_);
}

void FetdMarch::advance_all() {
  add_modal_waves();
  if (surface_ && step_number() % core_.start.spectra_every == 0) {
    std::vector<double> flux(surface_->count() * unknowns_.space().functions, 0.0);
    advance_fields(&flux);
    add_walls_and_drives(flux);
    surface_->add(step_number(), flux);
  } else {
    advance_fields(nullptr);
  }
  conductors_.advance(unknowns_.space(), mid_);
  for (std::size_t p = 0; p < ports_.count(); ++p)
    if (ports_.has_memory(p)) ports_.advance(p, step_number(), voltage(p, mid_), waves_[p]);
}

std::optional<march::ImplicitFigures> FetdMarch::implicit_figures() const {
  march::ImplicitFigures figures = unknowns_.figures();
  figures.seconds_side = seconds_side_;
  figures.seconds_fields = seconds_fields_;
  figures.step_bytes = operators_.bytes() + first_guess_.bytes();
  return figures;
}

/// int N . known_e + int curl N . (known_h/present_h + added curl E).
void FetdMarch::find_known() {
  const std::size_t n = unknowns_.space().functions;
  const bool adds = options_.beta != 0.25;
  for_elements(others_, [&](std::size_t e, Scratch& s) {
    const Kind& kind = kinds_[static_cast<std::size_t>(kind_[e])];
    const std::size_t modes = s.element.modes(), curl_modes = s.element.curl_modes();
    double* out = operators_.known(e);
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
  operators_.begin_side(side_);
  conductors_.add_known(unknowns_.space(), side_);
}

void FetdMarch::add_drive(const Column& column, double wave) {
  for (const auto& [unknown, moment] : column) side_[static_cast<std::size_t>(unknown)] += wave * moment;
}

void FetdMarch::drive() {
  const std::int64_t n = step_number();
  for (std::size_t p = 0; p < ports_.count(); ++p) {
    waves_[p] = ports_.known(p, n);
    if (ports_.is_modal(p) || waves_[p] == 0) continue;
    add_drive(drives_[p], waves_[p]);
  }
  for (const auto& [wave, column] : source_drives_) add_drive(column, source_over(wave));
}

/// Adds the step number to solver errors (identical on all ranks).
void FetdMarch::solve_step() {
  try {
    if (fem::ResidentStep* step = operators_.resident()) {
      unknowns_.solve_resident(*step);
      step->read_mid(base_);
    } else {
      unknowns_.solve(side_, base_);
    }
    if (unknowns_.iterates()) first_guess_.keep(base_);
  } catch (const UserError& error) {
    throw UserError(error.code(),
                    tetrawave::format("at step {} (t = {:.6g} s): {}", step_number(),
                                      static_cast<double>(step_number()) * dt_m_ / c0_m_per_s, error.what()));
  }
}

void FetdMarch::gather_middle(std::size_t element, double* dofs) const {
  unknowns_.gather(element, mid_, dofs);
  std::vector<double> wave;
  for (const auto& plane_wave : plane_waves_) {
    if (!plane_wave->touches(element)) continue;
    wave.resize(unknowns_.space().functions);
    plane_wave->gather(element, wave.data());
    for (std::size_t i = 0; i < wave.size(); ++i) dofs[i] -= wave[i];
  }
}

void FetdMarch::add_plane_waves() {
  const auto& reference = basis::reference_element(whole_.space);
  Scratch s(whole_.space);
  std::vector<double> moments(unknowns_.space().functions);
  for (const auto& plane_wave : plane_waves_) {
    plane_wave->add_flux(unknowns_.space(), side_);
    for (const std::size_t e : plane_wave->touching()) {
      const Kind& kind = kinds_[static_cast<std::size_t>(kind_[e])];
      s.element.set(whole_.mesh->corners[e]);
      plane_wave->gather(e, s.dofs.data());
      std::fill(moments.begin(), moments.end(), 0.0);
      s.element.field(s.dofs.data(), s.element.modes(), s.field.data());
      s.element.curl(s.dofs.data(), s.curl.data());
      for (std::size_t x = 0; x < 3; ++x) {
        for (std::size_t m = 0; m < s.element.modes(); ++m)
          s.field[x * s.element.modes() + m] *= kind.electric.present()[x];
        for (std::size_t m = 0; m < s.element.curl_modes(); ++m)
          s.curl[x * s.element.curl_modes() + m] *= 1 / kind.magnetic.present()[x] + kind.added[x];
      }
      s.element.add_moments(s.field.data(), moments.data());
      s.element.add_curl_moments(s.curl.data(), moments.data());
      for (std::uint8_t f = 0; f < 4; ++f) {
        const std::int32_t tag = whole_.mesh->boundary[e][f];
        if (const auto wall = whole_.wall_of(tag); !wall || !march::is_open(*wall)) continue;
        const auto mass = basis::PhysicalElement(whole_.space, whole_.mesh->corners[e]).face_mass(f);
        const double factor = admittance({static_cast<LocalIndex>(e), f});
        for (const std::size_t i : reference.on_face[f])
          for (const std::size_t k : reference.on_face[f]) moments[i] += factor * mass(i, k) * s.dofs[k];
      }
      fem::EdgeAssembly::scatter<double>(unknowns_.space(), static_cast<LocalIndex>(e),
                                         std::span<const double>(moments), 1.0, side_);
    }
  }
}

void FetdMarch::add_modal_waves() {
  std::swap(mid_, base_);
  const std::size_t count = modal_.size();
  std::vector<double> wave(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t p = modal_[i];
    wave[i] = waves_[p] + ports_.share(p) * voltage(p, mid_);
    for (std::size_t k = 0; k < i; ++k) wave[i] -= coupling_(i, k) * wave[k];
  }
  for (std::size_t i = count; i-- > 0;) {
    for (std::size_t k = i + 1; k < count; ++k) wave[i] -= coupling_(i, k) * wave[k];
    wave[i] /= coupling_(i, i);
  }
  for (std::size_t i = 0; i < count; ++i) {
    waves_[modal_[i]] = wave[i];
    operators_.add_response(i, wave[i], responses_[i], mid_);
  }
}

void FetdMarch::advance_fields(std::vector<double>* flux) {
  advance_elements(flux);
  operators_.advance(mid_);
  is_shown_[0] = is_shown_[1] = plain_.empty();
  show(Field::electric, watched_);
  show(Field::magnetic, watched_);
}

void FetdMarch::add_electric_flux(std::size_t element, const Kind& kind, const std::vector<double>& middle, Scratch& s,
                                  double* flux) {
  const std::size_t modes = s.element.modes();
  std::vector<double> rate(3 * modes), before(unknowns_.space().functions);
  load(element, electric_, before.data());
  s.element.field(before.data(), modes, s.field.data());
  kind.electric.known(modes, s.field.data(), electric_states_.of(element), s.known.data());
  s.element.field(middle.data(), modes, rate.data());
  for (std::size_t x = 0; x < 3; ++x)
    for (std::size_t m = x * modes; m < (x + 1) * modes; ++m)
      rate[m] = kind.electric.present()[x] * rate[m] - s.known[m];
  s.element.add_moments(rate.data(), flux);
}

/// With the curl of E in the middle of the step; H there remains in `known_magnetic`.
void FetdMarch::advance_magnetic(std::size_t element, const Kind& kind, Scratch& s) {
  const std::size_t curl_modes = s.element.curl_modes();
  load(element, magnetic_, s.dofs.data());
  s.element.field(s.dofs.data(), curl_modes, s.magnetic.data());
  kind.magnetic.known(curl_modes, s.magnetic.data(), magnetic_states_.of(element), s.known_magnetic.data());
  for (std::size_t x = 0; x < 3; ++x)
    for (std::size_t m = x * curl_modes; m < (x + 1) * curl_modes; ++m) {
      s.known_magnetic[m] = (s.known_magnetic[m] - s.curl[m]) / kind.magnetic.present()[x];
      s.curl[m] = 2 * (s.known_magnetic[m] - s.magnetic[m]);
    }
  s.element.add_dofs(s.curl.data(), s.dofs.data());
  store(element, s.dofs.data(), magnetic_);
  kind.magnetic.advance(curl_modes, s.known_magnetic.data(), magnetic_states_.of(element));
}

void FetdMarch::advance_elements(std::vector<double>* flux) {
  const std::size_t n = unknowns_.space().functions;
  for_elements(others_, [&](std::size_t e, Scratch& s) {
    const Kind& kind = kinds_[static_cast<std::size_t>(kind_[e])];
    const std::size_t modes = s.element.modes();
    std::vector<double>& middle = s.dofs;
    gather_middle(e, middle.data());
    s.element.curl(middle.data(), s.curl.data());
    const std::int32_t place = flux == nullptr ? -1 : surface_->place(e);
    double* own_flux = place < 0 ? nullptr : flux->data() + static_cast<std::size_t>(place) * n;
    if (own_flux != nullptr) add_electric_flux(e, kind, middle, s, own_flux);
    if (kind.electric.states() > 0) {
      s.element.field(middle.data(), modes, s.field.data());
      kind.electric.advance(modes, s.field.data(), electric_states_.of(e));
    }
    load(e, electric_, s.known.data());
    for (std::size_t i = 0; i < middle.size(); ++i) s.known[i] = 2 * middle[i] - s.known[i];
    store(e, s.known.data(), electric_);
    advance_magnetic(e, kind, s);
    if (own_flux == nullptr) return;
    for (double& value : s.known_magnetic) value = -value;
    s.element.add_curl_moments(s.known_magnetic.data(), own_flux);
  });
}

void FetdMarch::complete(march::Record& record) {
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
}

/// Fields and states read and written, and the factors or the matrix of the solver, once each.
std::int64_t FetdMarch::bytes_beside_fields() const {
  const std::size_t elements = kind_.size();
  const std::size_t states =
      (electric_states_.all.size() + magnetic_states_.all.size()) / std::max<std::size_t>(1, elements);
  return static_cast<std::int64_t>(16 * states) +
         (unknowns_.figures().solver_bytes + operators_.bytes() + first_guess_.bytes()) /
             static_cast<std::int64_t>(std::max<std::size_t>(1, elements));
}

}  // namespace tetrawave::modes
