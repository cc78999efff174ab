// Mode fe-iiee with boundary values, solutions and currents on a device, against the host's own iteration.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "case/read_case.hpp"
#include "catch.hpp"
#include "fem/solvers/iterative_solver.hpp"
#include "host/host_backend.hpp"
#include "host/pair_sums.hpp"
#include "march/exchange/peer_buffer.hpp"
#include "mesh/file/mesh_file.hpp"
#include "mesh_slabs.hpp"
#include "modes/fe_iiee/fe_iiee.hpp"
#include "modes/frequency_domain/frequency_domain.hpp"
#include "temporary_directory.hpp"

namespace tetrawave_tests {

/// A quarter of a brick of metal, "body", in one of air that ends one cell of 30 mm from it at "S", with the planes
/// "x0" and "y0": elements between touch both.
inline tetrawave::WholeMesh make_brick_mesh() {
  using namespace tetrawave;
  MeshSlab slab = make_box_slab(make_box({0.09, 0.09, 0.12}, {3, 3, 4}), 0, 1);
  const auto middle_of = [&](const auto& nodes) {
    Vec3 middle{};
    for (const GlobalIndex node : nodes)
      middle = middle + (1.0 / static_cast<double>(nodes.size())) * slab.nodes[static_cast<std::size_t>(node)];
    return middle;
  };
  const auto is_body = [](const Vec3& at) { return at[0] < 0.06 && at[1] < 0.06 && at[2] > 0.03 && at[2] < 0.09; };
  std::vector<std::array<GlobalIndex, 4>> kept;
  std::map<std::array<GlobalIndex, 3>, int> faces;
  for (const auto& element : slab.elements) {
    if (is_body(middle_of(element))) continue;
    kept.push_back(element);
    for (std::size_t corner = 0; corner < 4; ++corner) {
      std::array<GlobalIndex, 3> face{};
      for (std::size_t c = 0, k = 0; c < 4; ++c)
        if (c != corner) face[k++] = element[c];
      std::sort(face.begin(), face.end());
      ++faces[face];
    }
  }
  slab.elements = kept;
  slab.region.assign(kept.size(), 0);
  slab.region_names = {"air"};
  slab.group_names = {"S", "body", "x0", "y0"};
  slab.faces.clear();
  slab.face_group.clear();
  for (const auto& [face, count] : faces) {
    if (count > 1) continue;
    const Vec3 at = middle_of(face);
    constexpr double near = 1e-9;
    const bool outside = at[0] > 0.09 - near || at[1] > 0.09 - near || at[2] < near || at[2] > 0.12 - near;
    slab.faces.push_back(face);
    slab.face_group.push_back(at[0] < near ? 2 : at[1] < near ? 3 : outside ? 0 : 1);
  }
  std::vector<GlobalIndex> number(slab.nodes.size(), -1);  // of nodes that are left
  std::vector<Vec3> nodes;
  for (auto& element : slab.elements)
    for (GlobalIndex& node : element) {
      GlobalIndex& own = number[static_cast<std::size_t>(node)];
      if (own < 0) {
        own = static_cast<GlobalIndex>(nodes.size());
        nodes.push_back(slab.nodes[static_cast<std::size_t>(node)]);
      }
      node = own;
    }
  for (auto& face : slab.faces)
    for (GlobalIndex& node : face) node = number[static_cast<std::size_t>(node)];
  slab.nodes = std::move(nodes);
  slab.node_count = static_cast<GlobalIndex>(slab.nodes.size());
  slab.element_count = static_cast<GlobalIndex>(slab.elements.size());
  slab.face_count = static_cast<GlobalIndex>(slab.faces.size());
  slab.source = "brick";
  return make_whole(slab);
}

/// Waves from above and from below in turn. `iiee`: more of its keys.
inline std::string brick_case(const std::string& basis, const std::string& iiee, const std::string& solver,
                              int waves = 2) {
  std::string list;
  for (int k = 0; k < waves; ++k)
    list += std::string(k > 0 ? ", " : "") + "{theta: " + (k % 2 > 0 ? "180" : "0") + ", phi: 0, polarization: theta}";
  return "mode: fe-iiee\nmesh: {file: brick.h5}\nmaterials: {air: {}}\nregions: {air: air}\n"
         "boundaries: {pec: [body, x0], pmc: [y0]}\nmethod: {basis: " +
         basis + "}\nfrequency: {values: [1 GHz]}\nsolver: {" + solver + "}\niiee: {outer: S, inner: body" + iiee +
         "}\nplane_waves: [" + list +
         "]\n"
         "outputs: {far_field: {frequencies: [1 GHz], theta: [0, 90], phi: [0], "
         "symmetry: [{axis: x, wall: pec}, {axis: y, wall: pmc}]}}\nrun: {threads: 2}\n";
}

/// Sums of the host, which take sources where they are, also those in memory of the first rank.
class ResidentHostSums : public tetrawave::kernels::PairSums {
 public:
  void set_points(const std::vector<double>& points, const tetrawave::kernels::PointsOfFaces& faces) override {
    own_->set_points(points, faces);
  }
  [[nodiscard]] std::span<const double> find_sums(std::span<const double> sources, int sets,
                                                  tetrawave::Precision precision) override {
    return own_->find_sums(sources, sets, precision);
  }
  [[nodiscard]] bool is_resident() const override { return true; }
  [[nodiscard]] const double* find_resident_sums(std::span<const double> sources, int sets,
                                                 tetrawave::Precision precision) override {
    ++sums;
    return own_->find_sums(sources, sets, precision).data();
  }
  [[nodiscard]] const double* upload_sources(std::span<const double> sources) override {
    sources_.assign(sources.begin(), sources.end());
    return sources_.data();
  }
  [[nodiscard]] std::span<const double> download_sums(std::span<const double> of) override { return of; }
  [[nodiscard]] std::unique_ptr<tetrawave::comm::DeviceBuffer> make_buffer(const tetrawave::comm::Communicator& ranks,
                                                                           std::size_t numbers) override {
    ++buffers;
    return std::make_unique<tetrawave::march::PeerBuffer<tetrawave::host::HostBackend>>(backend_, ranks, numbers);
  }
  void put_in_buffer(std::span<const double> numbers, double* buffer) override {
    std::copy(numbers.begin(), numbers.end(), buffer);
  }
  void sum_in_buffer(std::span<const double> sources, int sets, tetrawave::Precision precision, double* to) override {
    const auto found = own_->find_sums(sources, sets, precision);
    std::copy(found.begin(), found.end(), to);
    ++sums;
  }
  inline static int sums = 0;     ///< of resident sources
  inline static int buffers = 0;  ///< that were made

 private:
  tetrawave::host::HostBackend backend_{1};
  std::vector<double> sources_;
  std::unique_ptr<tetrawave::kernels::PairSums> own_ = tetrawave::host::make_pair_sums(2);
};

struct IteratedBoundary {
  tetrawave::modes::BoundaryHistory history;
  std::vector<std::vector<tetrawave::modes::Complex>> unknowns;  ///< none on ranks that serve
};

/// Collective.
inline IteratedBoundary iterate_brick(const std::string& text, tetrawave::modes::FrequencyMachine machine,
                                      const tetrawave::comm::Communicator& ranks) {
  using namespace tetrawave;
  using modes::Complex;
  const TemporaryDirectory directory;
  write_mesh(directory / "brick.h5", make_brick_mesh());
  std::ofstream(directory / "case.yaml") << text;
  const Case given = read_case(directory / "case.yaml", {});
  if (!machine.make_pair_sums)
    machine.make_pair_sums = [](int threads, const kernels::PairMapping&, const comm::Communicator&) {
      return host::make_pair_sums(threads);
    };
  machine.make_outer_boundary = modes::make_integral_boundary;
  const auto setup = modes::set_up_frequency_domain(given, directory / "mesh.h5", machine, ranks);
  IteratedBoundary result;
  if (!setup.sums->leads()) {
    setup.sums->serve();
    return result;
  }
  const modes::FrequencySystem& system = *setup.system;
  constexpr double hz = 1e9;
  fem::CsrMatrix<Complex> matrix;
  system.assemble(hz, matrix);
  fem::LinearSolver<Complex> solver(given.solver, setup.solver_machine(), system.pattern());
  const auto sets = modes::driven_sets(given);
  const auto sides = system.right_hand_sides(hz, sets);
  std::vector<modes::FieldSolution> fields = system.complete(hz, sets);
  std::vector<std::vector<Complex>> b, x;
  if (!setup.boundary->prepare(system, matrix, sides, fields) || !solver.has_resident_factors()) b = sides;
  x.assign(b.size(), std::vector<Complex>(sides.front().size()));
  (void)solver.solve(matrix, b, x);
  for (std::size_t k = 0; k < x.size(); ++k) fields[k].unknowns = std::move(x[k]);
  modes::BoundarySolver by{[&](const auto& of, auto& solutions) { return solver.solve_again(of, solutions); }};
  if (solver.has_resident_factors())
    by.solve_resident = [&](const auto& columns, double enough) { return solver.solve_resident(columns, enough); };
  result.history = setup.boundary->iterate(system, by, sides, fields, std::numeric_limits<double>::infinity());
  setup.sums->end();
  for (modes::FieldSolution& field : fields) result.unknowns.push_back(std::move(field.unknowns));
  return result;
}

/// Largest difference over the largest number.
inline double difference_of(const IteratedBoundary& found, const IteratedBoundary& expected) {
  double worst = 0, largest = 0;
  REQUIRE(found.unknowns.size() == expected.unknowns.size());
  for (std::size_t k = 0; k < found.unknowns.size(); ++k)
    for (std::size_t i = 0; i < expected.unknowns[k].size(); ++i) {
      worst = std::max(worst, std::abs(found.unknowns[k][i] - expected.unknowns[k][i]));
      largest = std::max(largest, std::abs(expected.unknowns[k][i]));
    }
  REQUIRE(largest > 0);
  return worst / largest;
}

/// The same iterations, and fields within `enough`.
inline void compare_brick(const std::string& text, const tetrawave::modes::FrequencyMachine& machine,
                          double enough = 1e-9) {
  INFO(text);
  const auto self = tetrawave::comm::Communicator::self();
  const IteratedBoundary expected = iterate_brick(text, {}, self), found = iterate_brick(text, machine, self);
  REQUIRE(found.history.changes.size() == expected.history.changes.size());
  REQUIRE(expected.history.changes.size() > 3);
  for (std::size_t i = 0; i < found.history.changes.size(); ++i)
    CHECK(std::abs(found.history.changes[i] - expected.history.changes[i]) < 1e3 * enough);
  CHECK(difference_of(found, expected) < enough);
  CHECK(found.history.pairs == expected.history.pairs);
  CHECK(found.history.parts.size() == expected.history.parts.size());
}

/// Over all ranks against the host's iteration on one. Collective.
inline void compare_shared_brick(const std::vector<tetrawave::modes::FrequencyMachine>& machines) {
  const std::string text = brick_case("mixed-1", ", tolerance: 1e-8", "method: direct");
  std::vector<IteratedBoundary> several;
  for (const auto& machine : machines)
    several.push_back(iterate_brick(text, machine, tetrawave::comm::Communicator::world()));
  if (several.front().unknowns.empty()) return;
  const IteratedBoundary expected = iterate_brick(text, {}, tetrawave::comm::Communicator::self());
  for (const IteratedBoundary& found : several) {
    CHECK(found.history.changes.size() == expected.history.changes.size());
    CHECK(difference_of(found, expected) < 1e-9);
  }
}

}  // namespace tetrawave_tests
