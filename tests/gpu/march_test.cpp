// The CUDA engine against the CPU engine. Without a GPU every case says so and ends; ctest counts them as skipped.
#include "catch.hpp"
#include "cuda/launch/engine.hpp"
#include "engines/host/engine.hpp"
#include "gpu/gpu_is_here.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

constexpr std::int64_t steps = 100;

// Largest differences allowed between backends after `steps` steps.
constexpr double tolerance_double = 1e-12;
double tolerance_single(Space space) { return 2e-5 * rounding_of(space); }

std::unique_ptr<march::Engine> make_gpu_engine(const Situation& situation, Precision precision,
                                               const Communicator& ranks = Communicator::self()) {
  march::EngineOptions options;
  options.precision = precision;
  return cuda::make_engine(situation.problem, options, ranks);
}

std::unique_ptr<march::Engine> make_host_engine(const Situation& situation, Precision precision) {
  march::EngineOptions options;
  options.precision = precision;
  options.threads = 1;
  return host::make_engine(situation.problem, options, Communicator::self());
}

/// work(space), named in messages.
template <class Work>
void for_all_spaces(const Work& work) {
  for (const Space space : all_spaces) {
    INFO(name_of(space));
    work(space);
  }
}

/// work(space, precision, largest difference allowed between backends after `steps` steps).
template <class Work>
void for_all_types(const Work& work) {
  for (const Space space : all_spaces)
    for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
      const bool is_double = precision == Precision::double_precision;
      INFO(name_of(space) << (is_double ? " double" : " single"));
      work(space, precision, is_double ? tolerance_double : tolerance_single(space));
    }
}

double stable_step(const Situation& situation) {
  return make_host_engine(situation, Precision::double_precision)->find_stable_step();
}

/// Of nine tenths of the stable step, which the GPU finds sooner.
march::Start make_start_on_gpu(const Situation& situation) {
  return situation.make_start(0.9 * make_gpu_engine(situation, Precision::double_precision)->find_stable_step(), steps);
}

Outcome march_on_gpu(const Situation& situation, Precision precision, const march::Start& start) {
  return run_engine(*make_gpu_engine(situation, precision), start, {steps});
}

Outcome march_on_host(const Situation& situation, Precision precision, const march::Start& start) {
  return run_engine(*make_host_engine(situation, precision), start, {steps});
}

/// In both precisions. In single precision two marches differ by what rounding does in them, which depends on the
/// scheme and the media: the GPU's may be four times as far from the march in double precision as the CPU's.
void compare_marches(const Situation& situation, Space space) {
  const march::Start start = make_start_on_gpu(situation);
  const Outcome exact = march_on_host(situation, Precision::double_precision, start);
  CHECK(largest_difference(march_on_gpu(situation, Precision::double_precision, start), exact) < 20 * tolerance_double);
  const Outcome rounded = march_on_host(situation, Precision::single_precision, start);
  CHECK(largest_difference(march_on_gpu(situation, Precision::single_precision, start), exact) <
        4 * largest_difference(rounded, exact) + tolerance_single(space));
}

void compare_backends(const std::string& name, std::int64_t cells, Space space, Layout layout, Precision precision,
                      double tolerance) {
  INFO(name << ", " << cells << " cells a side, " << (layout == Layout::stored ? "stored" : "factored"));
  const auto situation = make_situation(name, space, cells, Communicator::self());
  situation->problem.layout = layout;
  const march::Start start = situation->make_start(0.9 * stable_step(*situation), steps);
  const auto gpu = make_gpu_engine(*situation, precision);
  const Outcome found = run_engine(*gpu, start, {steps});
  const Outcome expected = march_on_host(*situation, precision, start);
  CHECK(found.record.size() == 5 * (steps + 1));
  CHECK(found.energies.size() == 16);
  CHECK(largest_difference(found, expected) < tolerance);
  CHECK_THAT(gpu->device(), ContainsSubstring("cuda"));
  CHECK(gpu->device_memory_bytes() > 0);
}

void compare_situations(Layout layout) {
  if (!gpu_is_here()) return;
  for_all_types([layout](Space space, Precision precision, double tolerance) {
    for (const auto& name : situation_names())
      if (is_chosen(space, name)) compare_backends(name, 4, space, layout, precision, tolerance);
    if (space < Space::mixed_3) compare_backends("everything", 12, space, layout, precision, tolerance);
  });
}

const std::vector<Scheme> every_scheme{Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind};

/// Situations in all spaces, both precisions and these schemes.
void compare_schemes(const std::vector<Scheme>& schemes, const std::vector<std::string>& names, std::int64_t cells,
                     Dispersion dispersion = Dispersion::passive) {
  if (!gpu_is_here()) return;
  for_all_spaces([&](Space space) {
    for (const Scheme scheme : schemes)
      for (const std::string& name : names) {
        const bool of_classes = name.ends_with("classes");
        if (of_classes && space >= Space::mixed_3 && name != names.front()) continue;  // minutes on the CPU
        const auto situation = make_situation(name, space, space < Space::mixed_3 ? cells : 2, Communicator::self());
        situation->problem.scheme = scheme;
        for (Medium& medium : situation->problem.media) medium.dispersion = dispersion;
        INFO(name << ", scheme " << static_cast<int>(scheme));
        compare_marches(*situation, space);
      }
  });
}

void compare_penalties(const std::string& name, Space space) {
  const auto situation = make_situation(name, space, 2, Communicator::self());
  situation->problem.penalty = 0.2;
  INFO(name);
  compare_marches(*situation, space);
}

const std::vector<std::string> scheme_situations{"everything", "surface impedances", "dispersion", "axes",
                                                 "axes and losses"};

/// Both layouts on the GPU; in single precision as far apart as rounding takes them: see compare_marches.
void compare_layouts(Scheme scheme) {
  if (!gpu_is_here()) return;
  for_all_spaces([scheme](Space space) {
    for (const auto& name : all_situation_names()) {
      if (space >= Space::mixed_3 && !is_chosen(space, name)) continue;
      const auto situation = make_situation(name, space, 2, Communicator::self());
      situation->problem.scheme = scheme;
      const march::Start start = make_start_on_gpu(*situation);
      INFO(name);
      const Outcome exact = march_on_gpu(*situation, Precision::double_precision, start);
      const Outcome rounded = march_on_gpu(*situation, Precision::single_precision, start);
      situation->problem.layout = Layout::stored;
      CHECK(largest_difference(march_on_gpu(*situation, Precision::double_precision, start), exact) <
            20 * tolerance_double);
      CHECK(largest_difference(march_on_gpu(*situation, Precision::single_precision, start), exact) <
            4 * largest_difference(rounded, exact) + 20 * tolerance_single(space));
    }
  });
}

}  // namespace

TEST_CASE("the GPU marches with a penalty on jumps as the CPU does", "[cuda]") {
  if (!gpu_is_here()) return;
  for_all_spaces([](Space space) {
    compare_penalties("everything", space);
    if (space >= Space::mixed_3) return;
    for (const char* name : {"dispersion", "axes and losses", "guides of one mode", "absorbing layers",
                             "everything with metal held in classes"})
      compare_penalties(name, space);
  });
}

TEST_CASE("the GPU marches with steps of fourth order as the CPU does", "[cuda]") {
  if (!gpu_is_here()) return;
  for_all_spaces([](Space space) {
    for (const std::string& name : fourth_order_names()) {
      if (space >= Space::mixed_3 && name != "everything" && name != "inner dispersion") continue;
      INFO(name);
      const auto situation = make_fourth_order(name, space, 2, Communicator::self());
      compare_marches(*situation, space);
    }
  });
}

TEST_CASE("Kerr media march on the GPU as on the CPU", "[cuda]") {
  if (!gpu_is_here()) return;
  for (const Space space : {Space::mixed_1, Space::full_1, Space::mixed_2, Space::full_2})
    for (const char* name : {"Kerr", "Kerr beside linear"})
      for (const bool newton : {true, false})
        for (const bool averaged : {false, true}) {
          if (averaged && space != Space::full_1) continue;  // many iterations
          const auto situation = make_situation(name, space, 2, Communicator::self());
          situation->problem.kerr = {newton, averaged, 1e-12, 300};
          const march::Start start = situation->make_start(0.6 * stable_step(*situation), steps);
          const auto gpu = make_gpu_engine(*situation, Precision::double_precision);
          const auto host = make_host_engine(*situation, Precision::double_precision);
          INFO(name << " " << name_of(space) << (newton ? " newton" : " fixed-point") << (averaged ? " averaged" : ""));
          CHECK(largest_difference(run_engine(*gpu, start, {steps}), run_engine(*host, start, {steps})) < 1e-9);
          CHECK(gpu->kerr_figures()->failed_step == -1);
          CHECK(gpu->kerr_figures()->largest_eps_r == Approx(host->kerr_figures()->largest_eps_r));
        }
}

TEST_CASE("the GPU marches as the CPU in every situation", "[cuda]") { compare_situations(Layout::factored); }

TEST_CASE("the GPU marches as the CPU in every situation from stored matrices", "[cuda]") {
  compare_situations(Layout::stored);
}

TEST_CASE("the GPU marches DGTD-Central as the CPU", "[cuda]") {
  compare_schemes({Scheme::dgtd_central}, scheme_situations, 2);
}

TEST_CASE("the GPU marches DFDD-ELD as the CPU", "[cuda]") {
  compare_schemes({Scheme::dfdd_eld}, scheme_situations, 2);
}

TEST_CASE("the GPU marches DGTD-Upwind as the CPU", "[cuda]") {
  compare_schemes({Scheme::dgtd_upwind}, scheme_situations, 2);
}

TEST_CASE("DGTD-Central marches metal that holds E, corrected edges and ports of one mode on the GPU as on the CPU",
          "[cuda]") {
  compare_schemes({Scheme::dgtd_central}, held_situation_names(), 4);
}

TEST_CASE("DGTD-Upwind marches metal that holds E, corrected edges and ports of one mode on the GPU as on the CPU",
          "[cuda]") {
  compare_schemes({Scheme::dgtd_upwind},
                  {"ports of one mode", "guides of one mode", "everything with metal held",
                   "guides of one mode in classes", "everything with metal held in classes"},
                  4);
}

TEST_CASE("DFDD-ELD marches metal that holds E, corrected edges and ports of one mode on the GPU as on the CPU",
          "[cuda]") {
  compare_schemes({Scheme::dfdd_eld},
                  {"everything with metal held", "everything with metal held in classes", "walls and ports of one mode",
                   "guides of one mode", "guides of one mode in classes"},
                  4);
}

TEST_CASE("the GPU marches classes of time steps of DGTD-Central as the CPU", "[cuda]") {
  compare_schemes({Scheme::dgtd_central}, class_situation_names(), 4);
}

TEST_CASE("the GPU marches classes of time steps of DFDD-ELD as the CPU", "[cuda]") {
  compare_schemes({Scheme::dfdd_eld}, class_situation_names(), 4);
}

TEST_CASE("the GPU marches classes of time steps of DGTD-Upwind as the CPU", "[cuda]") {
  compare_schemes({Scheme::dgtd_upwind}, class_situation_names(), 4);
  compare_schemes({Scheme::dgtd_upwind}, {"conductors in classes", "absorbing layers in classes"}, 4);
}

TEST_CASE("the GPU marches as the CPU with published terms of dispersion", "[cuda]") {
  compare_schemes({Scheme::dgtd_central, Scheme::dfdd_eld}, {"dispersion"}, 2, Dispersion::published);
}

TEST_CASE("the GPU marches conductors as the CPU", "[cuda]") { compare_schemes(every_scheme, {"conductors"}, 4); }

TEST_CASE("the GPU marches absorbing layers of DGTD-Central as the CPU", "[cuda]") {
  compare_schemes({Scheme::dgtd_central}, {"absorbing layers"}, 4);
}

TEST_CASE("the GPU marches absorbing layers of DFDD-ELD as the CPU", "[cuda]") {
  compare_schemes({Scheme::dfdd_eld}, {"absorbing layers"}, 4);
}

TEST_CASE("the GPU marches absorbing layers of DGTD-Upwind as the CPU", "[cuda]") {
  compare_schemes({Scheme::dgtd_upwind}, {"absorbing layers"}, 4);
}

TEST_CASE("the stable steps of all schemes are the same on the GPU", "[cuda]") {
  if (!gpu_is_here()) return;
  for (const Scheme scheme : {Scheme::dfdd_eld, Scheme::dgtd_upwind}) {
    const auto situation = make_situation("everything", Space::full_1, 2, Communicator::self());
    situation->problem.scheme = scheme;
    INFO("scheme " << static_cast<int>(scheme));
    CHECK(make_gpu_engine(*situation, Precision::double_precision)->find_stable_step() ==
          Approx(stable_step(*situation)).epsilon(1.01e-5));
  }
}

TEST_CASE("on a GPU the stored layout of DGTD-Central marches as the factored one", "[cuda]") {
  compare_layouts(Scheme::dgtd_central);
}

TEST_CASE("on a GPU the stored layout of DFDD-ELD marches as the factored one", "[cuda]") {
  compare_layouts(Scheme::dfdd_eld);
}

TEST_CASE("on a GPU the stored layout of DGTD-Upwind marches as the factored one", "[cuda]") {
  compare_layouts(Scheme::dgtd_upwind);
}

TEST_CASE("the stable step of the GPU has the CPU's six digits", "[cuda]") {
  if (!gpu_is_here()) return;
  for (const Space space : all_spaces)
    for (const auto& name : situation_names()) {
      if (!is_chosen(space, name)) continue;
      const auto situation = make_situation(name, space, 4, Communicator::self());
      INFO(name);
      // Both are rounded down to six digits: they differ by the last one at most.
      CHECK(make_gpu_engine(*situation, Precision::single_precision)->find_stable_step() ==
            Approx(stable_step(*situation)).epsilon(1.01e-5));
    }
}

TEST_CASE("replayed graphs are the single steps to the last bit", "[cuda]") {
  if (!gpu_is_here()) return;
  for_all_types([](Space space, Precision precision, double tolerance) {
    for (const std::int64_t energy_every : {0, 7}) {
      const auto situation = make_situation("everything", space, 4, Communicator::self());
      situation->problem.energy_every = energy_every;
      const march::Start start = situation->make_start(0.9 * stable_step(*situation), steps);
      const auto gpu = make_gpu_engine(*situation, precision);
      const Outcome single = run_engine(*gpu, start, std::vector<std::int64_t>(steps, 1));
      CHECK(are_identical(run_engine(*gpu, start, {steps}), single));
      CHECK(are_identical(run_engine(*gpu, start, {1, 33, 0, 16, 15, 35}), single));
      CHECK(largest_difference(single, run_engine(*make_host_engine(*situation, precision), start, {steps})) <
            tolerance);
    }
  });
}

TEST_CASE("a GPU engine that starts again marches as a new one", "[cuda]") {
  if (!gpu_is_here()) return;
  for_all_types([](Space space, Precision precision, double) {
    for (const Layout layout : {Layout::factored, Layout::stored}) {
      const auto situation = make_situation("everything", space, 4, Communicator::self());
      const double dt_m = 0.9 * stable_step(*situation);
      situation->problem.layout = layout;
      const auto used = make_gpu_engine(*situation, precision);
      run_engine(*used, situation->make_start(dt_m, 300), {300});
      const march::Start start = situation->make_start(dt_m, 40);
      CHECK(are_identical(run_engine(*used, start, {40}),
                          run_engine(*make_gpu_engine(*situation, precision), start, {40})));
    }
  });
}

TEST_CASE("ranks that share a GPU march as one rank with it", "[cuda][ranks]") {
  if (!gpu_is_here()) return;
  const Communicator world = Communicator::world();
  for_all_types([&world](Space space, Precision precision, double) {
    for (const Layout layout : {Layout::factored, Layout::stored}) {
      if (layout == Layout::stored && (space >= Space::mixed_3 || precision != Precision::double_precision)) continue;
      const auto all = make_situation("everything", space, 6, world);
      const auto one = make_situation("everything", space, 6, Communicator::self());
      all->problem.layout = one->problem.layout = layout;
      double limit = 0;
      const Outcome expected = [&] {  // a process uses one GPU at a time
        const auto gpu_one = make_gpu_engine(*one, precision);
        limit = gpu_one->find_stable_step();
        return run_engine(*gpu_one, one->make_start(0.9 * limit, steps), {steps});
      }();
      const auto gpu_all = make_gpu_engine(*all, precision, world);
      CHECK(gpu_all->find_stable_step() == limit);
      const Outcome found = run_engine(*gpu_all, all->make_start(0.9 * limit, steps), {1, 33, 66});
      CHECK(largest_difference(found.electric, pick_dofs(expected.electric, one->mesh, all->mesh)) == 0);
      CHECK(largest_difference(found.magnetic, pick_dofs(expected.magnetic, one->mesh, all->mesh)) == 0);
      CHECK(found.present_energy == expected.present_energy);
      CHECK(largest_energy_difference(found, expected) == 0);
      if (world.rank() == 0) CHECK(largest_difference(found.record, expected.record) < 1e-13);
    }
  });
}
