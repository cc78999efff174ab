// Ports that take one mode alone in DFDD-ELD (theory/ports) against dense matrices by quadrature of written-out
// functions.
#include <cmath>
#include <map>

#include "base/constants.hpp"
#include "base/names.hpp"
#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "sources/ports/modal_kernel.hpp"
#include "support/outcome.hpp"
#include "terms/ports/port_memory.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

using Vector = std::vector<double>;
constexpr std::size_t none = static_cast<std::size_t>(-1);

/// One of the two equations, eps M x' + (1/mu) S e + L x + K q = D y + sum of b (2 w' - s . x) over the ports, in the
/// space that walls and ports leave: a dof is a column times a weight. q' = x - p q, of a conductor's one branch.
struct Side {
  std::vector<std::size_t> column;
  Vector weight;
  std::size_t columns = 0;
  DenseMatrix mass, curls, loss, coupling, pull;
  double decay_per_m = 0;            ///< p
  std::vector<Vector> load, signal;  ///< b, s per port
  std::vector<Vector> left;          ///< what has left each port, step by step
  Vector value, rate, branch;

  explicit Side(std::size_t size)
      : column(size, 0),
        weight(size, 1),
        mass(size),
        curls(size),
        loss(size),
        coupling(size),
        pull(size),
        value(size),
        rate(size),
        branch(size) {}
  [[nodiscard]] Vector reduce(const Vector& u) const {
    Vector sum(columns, 0.0);
    for (std::size_t k = 0; k < u.size(); ++k)
      if (column[k] != none) sum[column[k]] += weight[k] * u[k];
    return sum;
  }
};

double product(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

/// The march from rest of a problem with walls of metal, magnetic and open ones, and ports of one mode.
class DenseDfdd {
 public:
  explicit DenseDfdd(const Situation& situation)
      : situation_(situation),
        problem_(situation.problem),
        dofs_(dofs_of(problem_.space)),
        electric_(dofs_ * problem_.mesh->corners.size()),
        magnetic_(electric_.value.size()) {
    for (const auto& corners : problem_.mesh->corners) bases_.emplace_back(problem_.space, corners);
    for (std::size_t e = 0; e < bases_.size(); ++e) {
      add_element(e);
      for (std::size_t f = 0; f < 4; ++f) add_face(e, f);
    }
    add_ports();
  }

  void advance(const march::Start& start, std::int64_t steps) {
    for (std::int64_t n = 0; n < steps; ++n) {
      step(magnetic_, electric_, start, static_cast<double>(n) - 0.5, -1);
      step(electric_, magnetic_, start, static_cast<double>(n), 1);
    }
  }
  [[nodiscard]] const Vector& field(march::Field which) const {
    return (which == march::Field::electric ? electric_ : magnetic_).value;
  }

 private:
  void add_element(std::size_t e) {
    const Medium& m = problem_.medium_of(static_cast<LocalIndex>(e));
    for (const Point& p : volume_points(bases_[e]))
      for (std::size_t i = 0; i < dofs_; ++i)
        for (std::size_t j = 0; j < dofs_; ++j) {
          const std::size_t row = e * dofs_ + i, column = e * dofs_ + j;
          const double values = p.weight * dot(bases_[e].value(i, p.at), bases_[e].value(j, p.at));
          const double curls = p.weight * dot(bases_[e].curl(i, p.at), bases_[e].curl(j, p.at));
          electric_.mass(row, column) += m.eps_r * values;
          magnetic_.mass(row, column) += m.mu_r * values;
          electric_.curls(row, column) += curls / m.mu_r;
          magnetic_.curls(row, column) += curls / m.eps_r;
        }
  }

  [[nodiscard]] march::Wall wall_at(std::size_t e, std::size_t f) const {
    return problem_.walls[static_cast<std::size_t>(problem_.mesh->boundary[e][f])];
  }

  void add_face(std::size_t e, std::size_t f) {
    if (problem_.mesh->boundary[e][f] < 0) {
      const auto other = static_cast<std::size_t>(problem_.mesh->neighbour[e][f]);
      for (const Point& p : face_points(bases_[e], f))
        for (std::size_t i = 0; i < dofs_; ++i)
          for (std::size_t j = 0; j < dofs_; ++j) {
            const Vec3 beyond = cross(bases_[e].normal(f), bases_[other].value(j, p.at));
            const double moment = p.weight * dot(bases_[e].value(i, p.at), beyond);
            electric_.coupling(e * dofs_ + i, other * dofs_ + j) += moment;
            magnetic_.coupling(e * dofs_ + i, other * dofs_ + j) -= moment;
          }
      return;
    }
    const march::Wall wall = wall_at(e, f);
    const Medium& m = problem_.medium_of(static_cast<LocalIndex>(e));
    const double admittance = std::sqrt(m.eps_r / m.mu_r);
    for (std::size_t i = 0; i < dofs_; ++i) {
      if (trace_of(e, f, i) < 1e-9) continue;
      if (wall == march::Wall::electric) electric_.column[e * dofs_ + i] = none;
      if (wall == march::Wall::magnetic) magnetic_.column[e * dofs_ + i] = none;
      for (std::size_t j = 0; wall == march::Wall::open && j < dofs_; ++j) {
        electric_.loss(e * dofs_ + i, e * dofs_ + j) += admittance * of_traces(e, f, i, j);
        magnetic_.loss(e * dofs_ + i, e * dofs_ + j) += of_traces(e, f, i, j) / admittance;
      }
      for (std::size_t j = 0; wall == march::Wall::conductor && j < dofs_; ++j)
        add_conductor(e * dofs_ + i, e * dofs_ + j, of_traces(e, f, i, j));
    }
  }
  /// Z_s = R s/(s + p) = R - R p/(s + p), 1/Z_s = 1/R + p/(R s).
  void add_conductor(std::size_t i, std::size_t j, double of_traces) {
    const march::WallBranch& branch = problem_.wall_branches.back().front();
    const double resistance = branch.ohms / eta0_ohm, rate = branch.rate_per_s / c0_m_per_s;
    electric_.loss(i, j) += of_traces / resistance;
    electric_.pull(i, j) += of_traces * rate / resistance;
    magnetic_.loss(i, j) += of_traces * resistance;
    magnetic_.pull(i, j) -= of_traces * resistance * rate;
    magnetic_.decay_per_m = rate;
  }

  [[nodiscard]] double of_traces(std::size_t e, std::size_t f, std::size_t i, std::size_t j) const {
    double sum = 0;
    const Vec3 n = bases_[e].normal(f);
    for (const Point& p : face_points(bases_[e], f))
      sum += p.weight * dot(cross(n, bases_[e].value(i, p.at)), cross(n, bases_[e].value(j, p.at)));
    return sum;
  }
  [[nodiscard]] double trace_of(std::size_t e, std::size_t f, std::size_t i) const {
    return std::sqrt(of_traces(e, f, i, i));
  }

  /// The current of the mode in the equation of E; H on the faces a multiple of its own, the voltage in its equation.
  void add_ports() {
    const std::size_t ports = problem_.terminations.size();
    std::vector<Vector> moment(ports, Vector(electric_.value.size(), 0.0));
    Vector norm(ports, 0.0);
    std::map<std::int32_t, std::size_t> port_of;
    for (std::size_t p = 0; p < ports; ++p) port_of[problem_.terminations[p].wave] = p;
    std::vector<std::size_t> port(magnetic_.value.size(), none);  // whose mode a dof of H belongs to
    for (const march::DrivenFace& face : problem_.driven) {
      const std::size_t p = port_of.at(face.wave);
      norm[p] += add_port_face(static_cast<std::size_t>(face.element), face.face, p, moment[p], port);
    }
    number(electric_, std::vector<std::size_t>(electric_.value.size(), none), 0);
    number(magnetic_, port, ports);
    for (std::size_t p = 0; p < ports; ++p) {
      const double y = problem_.terminations[p].admittance;
      electric_.signal.push_back(electric_.reduce(moment[p]));
      for (double& x : moment[p]) x *= y;
      electric_.load.push_back(electric_.reduce(moment[p]));
      magnetic_.signal.emplace_back(magnetic_.columns, 0.0);
      magnetic_.signal[p][p] = 1;
      magnetic_.load.push_back(magnetic_.signal[p]);
      magnetic_.load[p][p] = norm[p];
    }
    electric_.left.resize(ports);
    magnetic_.left.resize(ports);
  }

  /// The trace p of H with n x p = y e in the functions of the face; returns oint (n x p) . e.
  double add_port_face(std::size_t e, std::size_t f, std::size_t p, Vector& moment, std::vector<std::size_t>& port) {
    const Vec3 n = bases_[e].normal(f);
    std::vector<std::size_t> on_face;
    for (std::size_t i = 0; i < dofs_; ++i)
      if (trace_of(e, f, i) > 1e-9) on_face.push_back(i);
    DenseMatrix mass(on_face.size());
    Vector turned(on_face.size(), 0.0);
    for (std::size_t k = 0; k < on_face.size(); ++k) {
      for (std::size_t l = 0; l < on_face.size(); ++l) mass(k, l) = of_traces(e, f, on_face[k], on_face[l]);
      for (const Point& at : face_points(bases_[e], f)) {
        const Vec3 value = bases_[e].value(on_face[k], at.at);
        const Vec3 profile = situation_.profile(at.at);
        const Vec3 mode = profile - dot(n, profile) * n;
        turned[k] += at.weight * dot(cross(n, value), mode);
        moment[e * dofs_ + on_face[k]] += at.weight * dot(value, mode);
      }
    }
    const Vector trace = mass.solve(turned);
    double norm = 0;
    for (std::size_t k = 0; k < on_face.size(); ++k) {
      const std::size_t dof = e * dofs_ + on_face[k];
      if (magnetic_.column[dof] == none) continue;
      port[dof] = p;
      magnetic_.weight[dof] = problem_.terminations[p].admittance * trace[k];
      norm += magnetic_.weight[dof] * turned[k];
    }
    return norm;
  }

  static void number(Side& side, const std::vector<std::size_t>& port, std::size_t ports) {
    side.columns = ports;
    for (std::size_t k = 0; k < port.size(); ++k)
      if (port[k] != none)
        side.column[k] = port[k];
      else if (side.column[k] != none)
        side.column[k] = side.columns++;
  }

  /// The convolution of what has left, one, two, .. steps ago, with the kernel of the mode.
  [[nodiscard]] static double returned_wave(const march::PortMemory& memory, const Vector& left, double dt_m) {
    const double step = memory.cutoff_per_m * dt_m;
    const double sign = memory.kind == march::PortMemory::Kind::te ? 1 : -1;
    const double most = march::largest_return_of_steps(modal_reflection(), memory.cutoff_per_m, dt_m);
    double sum = 0;
    for (std::size_t m = 1; m <= left.size(); ++m)
      sum += step * modal_reflection()(static_cast<double>(m) * step) * left[left.size() - m];
    return sign * sum / std::max(1.0, most + 1e-6);
  }

  /// sign: 1 of E, whose voltage is v; -1 of H, with w - j leaving.
  void step(Side& side, const Side& other, const march::Start& start, double middle, double sign) const {
    const double dt = start.dt_m;
    const std::size_t size = side.value.size();
    Vector full(size, 0.0);
    side.curls.add_product(-dt, side.value.data(), full.data());
    side.coupling.add_product(dt, other.rate.data(), full.data());
    side.loss.add_product(-dt, side.rate.data(), full.data());
    // The mean of q over the step is (1 + keep)/2 q + take/4 (x+ + x).
    const double half = side.decay_per_m * dt / 2;
    const double keep = (1 - half) / (1 + half), take = dt / (1 + half);
    side.pull.add_product(-dt * (1 + keep) / 2, side.branch.data(), full.data());
    side.pull.add_product(-dt * take / 2, side.rate.data(), full.data());
    Vector right = side.reduce(full);
    Vector own(side.columns, 0.0);  // the rate in columns
    for (std::size_t k = 0; k < size; ++k)
      if (side.column[k] != none && side.weight[k] != 0) own[side.column[k]] = side.rate[k] / side.weight[k];
    DenseMatrix matrix(side.columns);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        if (side.column[i] != none && side.column[j] != none)
          matrix(side.column[i], side.column[j]) += side.weight[i] * side.weight[j] *
                                                    (side.mass(i, j) + dt * dt / 4 * side.curls(i, j) +
                                                     dt / 2 * side.loss(i, j) + dt * take / 4 * side.pull(i, j));
    Vector wave(side.load.size());
    for (std::size_t p = 0; p < side.load.size(); ++p) {
      const march::ModalTermination& port = problem_.terminations[p];
      const auto& sent = start.waves[static_cast<std::size_t>(port.wave - 1)];
      wave[p] = sent(middle + 0.5) - sent(middle - 0.5);
      if (port.memory) wave[p] += returned_wave(*port.memory, side.left[p], dt);
      const double before = product(side.signal[p], own);
      for (std::size_t i = 0; i < side.columns; ++i) {
        right[i] += side.load[p][i] * (2 * wave[p] - dt * before);
        for (std::size_t j = 0; j < side.columns; ++j) matrix(i, j) += dt / 2 * side.load[p][i] * side.signal[p][j];
      }
    }
    for (std::size_t p = 0; p < side.load.size(); ++p)
      if (matrix(p, p) == 0) matrix(p, p) = 1;  // a port without faces
    const Vector change = matrix.solve(right);
    for (std::size_t p = 0; p < side.load.size(); ++p)
      side.left[p].push_back(sign *
                             (dt * (product(side.signal[p], own) + product(side.signal[p], change) / 2) - wave[p]));
    for (std::size_t k = 0; k < size; ++k) {
      const double more = side.column[k] == none ? 0 : side.weight[k] * change[side.column[k]];
      side.branch[k] = keep * side.branch[k] + take * (side.rate[k] + more / 2);
      side.rate[k] += more;
      side.value[k] += dt * side.rate[k];
    }
  }

  const Situation& situation_;
  const march::Problem& problem_;
  std::size_t dofs_;
  std::vector<WrittenOutBasis> bases_;
  Side electric_, magnetic_;
};

std::unique_ptr<march::Engine> engine_of(const Situation& situation,
                                         Precision precision = Precision::double_precision) {
  march::EngineOptions options;
  options.precision = precision;
  options.threads = 1;
  return host::make_engine(situation.problem, options, Communicator::self());
}

}  // namespace

TEST_CASE("ports of one mode march in DFDD-ELD as dense matrices do") {
  constexpr std::int64_t steps = 20;
  for (const Space space : {Space::mixed_1, Space::full_1})
    for (const char* name : {"ports of one mode", "walls and ports of one mode", "guides of one mode"}) {
      const auto situation = make_situation(name, space, 2, Communicator::self());
      situation->problem.scheme = Scheme::dfdd_eld;
      const march::Start start = situation->make_start(0.9 * engine_of(*situation)->find_stable_step(), steps);
      DenseDfdd dense(*situation);
      dense.advance(start, steps);
      const auto check = [&](Precision precision, double tolerance) {
        const Outcome found = run_engine(*engine_of(*situation, precision), start, {steps});
        INFO(name << ", " << tetrawave::name_of(space) << ", " << tetrawave::name_of(precision));
        CHECK(largest_difference(found.electric, dense.field(march::Field::electric)) < tolerance);
        CHECK(largest_difference(found.magnetic, dense.field(march::Field::magnetic)) < tolerance);
      };
      check(Precision::double_precision, 1e-11);
      check(Precision::single_precision, 1e-4);
    }
}

TEST_CASE("ports of one mode only take energy of given fields in DFDD-ELD, beside conductors too") {
  constexpr std::int64_t steps = 20000;
  struct Choice {
    const char* name;
    bool conductors;
  };
  for (const auto& [name, conductors] : {Choice{"ports of one mode", false},
                                         {"walls and ports of one mode", false},
                                         {"walls and ports of one mode", true},
                                         {"guides of one mode", false}}) {
    const auto situation = make_situation(name, Space::full_1, 2, Communicator::self());
    situation->problem.scheme = Scheme::dfdd_eld;
    if (!conductors) situation->problem.walls.back() = march::Wall::electric;
    situation->problem.energy_every = 1;
    const auto engine = engine_of(*situation);
    march::Start start;
    start.dt_m = 0.95 * engine->find_stable_step();
    start.steps = steps;
    start.waves.assign(2, [](double) { return 0.0; });
    const std::size_t dofs = situation->mesh.global_id.size() * dofs_of(Space::full_1);
    start.electric.emplace(dofs);
    start.magnetic.emplace(dofs);
    for (std::size_t i = 0; i < dofs; ++i) {
      (*start.electric)[i] = std::sin(1.7 * static_cast<double>(i));
      (*start.magnetic)[i] = std::sin(2.3 * static_cast<double>(i));
    }
    INFO(name << (conductors ? " and conductors" : ""));
    CHECK(energy_growth(*engine, start) < 1.01);
    const auto rows = engine->take_energy();
    CHECK(rows.back().of_rates < 0.5 * rows.front().of_rates);
    double growth = 0;  // from the second step on, of the form that is conserved; memories of conductors and guides
                        // give back what they took
    for (std::size_t k = 2; k < rows.size(); ++k)
      growth = std::max(growth, (rows[k].of_rates - rows[k - 1].of_rates) / rows.front().of_rates);
    CHECK((growth < 1e-12 || conductors || situation->problem.terminations.front().memory));
  }
}
