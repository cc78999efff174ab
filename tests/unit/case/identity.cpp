#include "case/identity.hpp"

#include <algorithm>
#include <fstream>

#include "case/read_case.hpp"
#include "catch.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using tetrawave_tests::TemporaryDirectory;

namespace {

std::vector<std::string> identity_of(const std::vector<std::string>& overrides) {
  const TemporaryDirectory directory;
  std::ofstream(directory / "case.yaml") << "mesh: {box: {size: [1, 1, 1], cells: [2, 2, 2]}}\n"
                                            "materials: {air: {}}\n"
                                            "regions: {box: air}\n"
                                            "time: {steps: 10}\n"
                                            "boundaries: {default: pec}\n";
  return read_case(directory / "case.yaml", overrides).identity;
}

}  // namespace

TEST_CASE("the identity of a case holds its defaults, sorted") {
  const auto lines = identity_of({});
  CHECK(std::is_sorted(lines.begin(), lines.end()));
  CHECK(std::count(lines.begin(), lines.end(), "method.cfl: 0.9") == 1);
  CHECK(std::count(lines.begin(), lines.end(), "mesh.box.cells.2: 2") == 1);
}

TEST_CASE("title, threads and checkpoints are not part of a case's identity") {
  CHECK(identity_of({"title=other", "run.threads=2", "run.checkpoint.every=1 min"}) == identity_of({}));
}

TEST_CASE("the band of S-parameters is part of the identity where a loss tangent is fitted over it") {
  const auto lines = [](const char* material, const char* stop) {
    return identity_of({"outputs.s_parameters={start: 1 GHz, stop: 9 GHz, points: 2}",
                        "waveforms={w: {type: gaussian, width: 1 ns}}",
                        "ports=[{name: p, boundary: x0, type: coaxial, excite: {waveform: w}}]", material,
                        std::string("outputs.s_parameters.stop=") + stop});
  };
  CHECK(lines("materials.air={eps_r: 2}", "4 GHz") == lines("materials.air={eps_r: 2}", "8 GHz"));
  for (const char* material : {"materials.air={loss_tangent: 0.1}", "materials.air={eps_complex: [1, -0.1]}"})
    CHECK(compare_identities(lines(material, "4 GHz"), lines(material, "8 GHz")).size() == 1);
}

TEST_CASE("what differs between two cases is told value by value") {
  const auto differences =
      compare_identities(identity_of({}), identity_of({"method.cfl=0.5", "method.basis=mixed-1", "boundaries={}"}));
  CHECK(std::count(differences.begin(), differences.end(), "method.cfl: 0.5 (was 0.9)") == 1);
  CHECK(std::count(differences.begin(), differences.end(), "method.basis: mixed-1 (was full-1)") == 1);
  CHECK(std::count(differences.begin(), differences.end(), "boundaries.default: is gone (was pec)") == 1);
  CHECK(differences.size() == 3);
  CHECK(compare_identities(identity_of({}), identity_of({})).empty());
}
