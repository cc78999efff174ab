// Small problems that together meet every case of the update kernels: media, losses, walls, sheets, driven faces.
//
// The mesh is a box of Kuhn tetrahedra, all nodes moved and renumbered, so that element shapes, signs of det J and
// pairs of face numbers are mixed. Everything else depends on global ids alone, so that any number of ranks has the
// same problem.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "march/interface/engine.hpp"
#include "march/interface/problem.hpp"
#include "mesh/local_mesh.hpp"
#include "support/dense_reference.hpp"

namespace tetrawave_tests {

/// A problem and a start from it. Not copyable: the problem points to the mesh.
struct Situation {
  std::string name;
  tetrawave::LocalMesh mesh;
  tetrawave::march::Problem problem;
  tetrawave::march::Start start;  ///< without step and waves
  IncidentProfile profile;        ///< its tangential part is e_p of the driven faces

  Situation() = default;
  Situation(const Situation&) = delete;
  Situation& operator=(const Situation&) = delete;
  /// The start of a march of `steps` steps with its waves.
  [[nodiscard]] tetrawave::march::Start make_start(double dt_m, std::int64_t steps) const;
};

/// "closed vacuum", "PEC and PMC", "absorbing walls", "losses", "two media", "sheets", "driven faces", "everything".
const std::vector<std::string>& situation_names();
/// Those and "surface impedances", "dispersion", "axes", "ports with memory", "ports of one mode"; "absorbing layers"
/// stands apart, as not all marches have them.
const std::vector<std::string>& all_situation_names();

/// Closed boxes of DGTD-Central in double precision: "Kerr" (two media) and "Kerr beside linear" (with dispersion).

/// Some of DGTD-Central, for the dense reference: with walls of metal that hold E at zero, by the suffix " with metal
/// held" (the last with classes), and with ports that take one mode alone.
const std::vector<std::string>& held_situation_names();

/// Of these some with three classes of time steps, "losses in classes" and so on: of elements by their place, whose
/// sizes do not differ; for the leap-frog schemes.
const std::vector<std::string>& class_situation_names();

/// A situation on cells^3 cells (an even number) shared among `ranks`. It records three electric and two magnetic
/// functionals, and energies every seven steps.
std::unique_ptr<Situation> make_situation(const std::string& name, tetrawave::Space space, std::int64_t cells,
                                          const tetrawave::comm::Communicator& ranks,
                                          tetrawave::Ordering ordering = tetrawave::Ordering::blocks);

/// A situation for steps of fourth order, without what these do not have: magnetic losses; or "inner dispersion" (terms
/// of every kind, walls of metal), "other impedance" (open walls of another admittance than the medium's) and "sources"
/// (of both fields, in lossy media).
std::unique_ptr<Situation> make_fourth_order(const std::string& name, tetrawave::Space space, std::int64_t cells,
                                             const tetrawave::comm::Communicator& ranks,
                                             tetrawave::Ordering ordering = tetrawave::Ordering::blocks);
/// Names for it.
const std::vector<std::string>& fourth_order_names();

}  // namespace tetrawave_tests
