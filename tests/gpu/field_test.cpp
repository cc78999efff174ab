// Fields that a march on a GPU hands out, against those of the CPU; sums taken up from a state.
#include <algorithm>

#include "catch.hpp"
#include "cuda/launch/engine.hpp"
#include "engines/host/engine.hpp"
#include "gpu/gpu_is_here.hpp"
#include "march/loop/state_file.hpp"
#include "support/outcome.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;
using march::Field;

namespace {

constexpr std::int64_t steps = 60;

/// Snapshots of E and H one after the other, then both parts of both sums.
struct Fields {
  std::vector<double> snapshots;
  std::vector<double> sums;
};

void add_sums(march::Engine& engine, std::int64_t listed, Fields& fields) {
  for (const std::size_t f : {0, 1})
    for (const bool imaginary : {false, true})
      for (const Field which : {Field::electric, Field::magnetic}) {
        auto part = engine.field_sums(f, imaginary)(which, 0, listed);
        for (double& x : part) x *= 1e9;  // of the size of the fields
        fields.sums.insert(fields.sums.end(), part.begin(), part.end());
      }
}

Fields march_whole(march::Engine& engine, march::Start start, std::int64_t listed) {
  Fields fields;
  start.take_fields = [&](std::int64_t, const march::FieldDofs& dofs) {
    for (const Field which : {Field::electric, Field::magnetic}) {
      const auto part = dofs(which, 0, listed);
      fields.snapshots.insert(fields.snapshots.end(), part.begin(), part.end());
    }
  };
  engine.start(start);
  engine.advance(steps);
  engine.finish();
  add_sums(engine, listed, fields);
  return fields;
}

}  // namespace

TEST_CASE("a GPU hands out the fields and sums of the CPU, and goes on with its sums to the last bit", "[cuda]") {
  if (!gpu_is_here()) return;
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind})
    for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
      INFO("scheme " << static_cast<int>(scheme) << ", precision " << static_cast<int>(precision));
      const auto situation = make_situation("everything", Space::full_1, 4, Communicator::self());
      march::Problem& problem = situation->problem;
      problem.scheme = scheme;
      for (LocalIndex e = 0; e < problem.mesh->element_count(); e += 2) problem.fields.elements.push_back(e);
      std::sort(problem.fields.elements.begin(), problem.fields.elements.end(), [&](LocalIndex a, LocalIndex b) {
        return problem.mesh->global_id[static_cast<std::size_t>(a)] <
               problem.mesh->global_id[static_cast<std::size_t>(b)];
      });
      problem.fields.every = 9;
      problem.fields.frequencies_hz = {1e8, 3e8};
      const auto listed = static_cast<std::int64_t>(problem.fields.elements.size());
      march::EngineOptions options;
      options.precision = precision;
      options.threads = 1;
      const auto gpu = cuda::make_engine(problem, options, Communicator::self());
      const auto host = host::make_engine(problem, options, Communicator::self());
      const march::Start start = situation->make_start(0.9 * host->find_stable_step(), steps);
      const Fields found = march_whole(*gpu, start, listed);
      const Fields expected = march_whole(*host, start, listed);
      const double tolerance = precision == Precision::double_precision ? 1e-12 : 1e-4;
      CHECK(found.snapshots.size() == 8 * 2 * 12 * static_cast<std::size_t>(listed));
      CHECK(largest_difference(found.snapshots, expected.snapshots) < tolerance);
      CHECK(largest_difference(found.sums, expected.sums) < tolerance);

      const TemporaryDirectory directory;
      Fields again;
      gpu->start(start);
      gpu->advance(23);
      march::StateRegistry saved, loaded;
      gpu->register_state(saved);
      march::write_state(saved, situation->mesh, true, directory / "state");
      const auto other = cuda::make_engine(problem, options, Communicator::self());
      other->start(start);
      other->register_state(loaded);
      march::read_state(loaded, situation->mesh, Communicator::self(), {directory / "state"});
      other->resume();
      other->advance(steps - 23);
      other->finish();
      add_sums(*other, listed, again);
      CHECK(again.sums == found.sums);
    }
}
