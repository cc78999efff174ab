#include "app/backend.hpp"

#include <future>
#include <utility>

#include "app/version.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "case/check/refusals.hpp"
#include "engines/host/engine.hpp"
#include "host/cluster_sums.hpp"
#include "host/copy_bandwidth.hpp"
#include "host/host_backend.hpp"
#include "host/isa.hpp"
#include "host/pair_sums.hpp"
#include "host/static_solver.hpp"
#include "modes/fe_iiee/fe_iiee.hpp"
#ifdef TETRAWAVE_HAVE_CUDA
#include "cuda/assembly/assembly_device.hpp"
#include "cuda/bench/copy_bandwidth.hpp"
#include "cuda/cuda_backend.hpp"
#include "cuda/direct/factor_device.hpp"
#include "cuda/iteration/iteration_device.hpp"
#include "cuda/launch/engine.hpp"
#include "cuda/pairs/pair_sums.hpp"
#include "cuda/statics/static_solver.hpp"
#endif

namespace tetrawave::app {

namespace {

#ifdef TETRAWAVE_HAVE_CUDA
RankPlace find_gpu(const comm::Communicator& all) {
  const cuda::DevicePlace place = cuda::place_of(cuda::device_of(all));
  return {tetrawave::format("cuda {}: {}, PCI {}, {} CPU threads", place.number, place.name, place.bus_id,
                            march::threads_of_rank({}, all)),
          place.unit};
}
#endif

int gpu_count() {
#ifdef TETRAWAVE_HAVE_CUDA
  return cuda::device_count();
#else
  return 0;
#endif
}

}  // namespace

ChosenBackend choose_backend(BackendChoice choice, const comm::Communicator& ranks) {
  const bool everywhere = ranks.min(static_cast<double>(gpu_count())) > 0;
  if (choice == BackendChoice::cpu || (choice == BackendChoice::automatic && !everywhere))
    return {"cpu",
            host::name_of_processor() + ", " + host::name_of(host::best_isa()),
            host::make_engine,
            host::solve_static,
            [](int threads, const kernels::PairMapping& mapping, const comm::Communicator&) {
              if (mapping.is_papers) fail(ExitCode::unavailable, papers_kernel_on_cpus.text);
              if (mapping.clusters.tolerance > 0)
                return host::make_cluster_sums(mapping.clusters, threads, host::make_pair_sums(threads));
              return host::make_pair_sums(threads);
            },
            host::measure_copy,
            [] { return host::HostBackend::free_bytes(1); },
            host::make_unfused,
            {},
            host::memory_traits(),
            [](const comm::Communicator& all) {
              return RankPlace{host::HostBackend(march::threads_of_rank({}, all)).device(), ""};
            },
            host::probe_transport};
#ifdef TETRAWAVE_HAVE_CUDA
  if (!everywhere)
    fail(ExitCode::unavailable,
         "tetrawave: error: --backend cuda: no GPU is available{} (driver missing or no device): "
         "use --backend cpu",
         ranks.size() > 1 ? " on every rank" : "");
  return {"cuda",
          cuda::describe_devices().front(),
          cuda::make_engine,
          cuda::solve_static,
          [](int threads, const kernels::PairMapping& mapping, const comm::Communicator& all) {
            auto pairs = cuda::make_pair_sums(cuda::device_of(all), threads, mapping);
            if (mapping.clusters.tolerance <= 0 || mapping.is_papers) return pairs;
            constexpr double cores = 560;  // of a CPU that an H200 is worth: tests/gpu/results/2026-11-25-h200-x2-pairs
            kernels::ClusterChoice clusters = mapping.clusters;
            clusters.speed = cores / threads;
            return host::make_cluster_sums(clusters, threads, std::move(pairs));
          },
          [](int) { return cuda::measure_copy(); },
          cuda::free_bytes,
          cuda::make_unfused,
          cuda::make_dissertation,
          cuda::memory_traits(),
          find_gpu,
          cuda::probe_transport};
#else
  fail(
      ExitCode::unavailable,
      "tetrawave: error: --backend cuda: this build has no CUDA backend: configure it with -DTETRAWAVE_CUDA=ON, or use "
      "--backend cpu");
#endif
}

void add_factor_device(ChosenBackend& backend, bool wanted, const comm::Communicator& ranks) {
#ifdef TETRAWAVE_HAVE_CUDA
  if (ranks.min(static_cast<double>(gpu_count())) <= 0) return;
  auto found = cuda::find_factor_device(cuda::device_of(ranks), {march::threads_of_rank({}, ranks), 0});
  if (ranks.min(found ? 1.0 : 0.0) > 0) {
    backend.factor_device = std::move(found);
    return;
  }
  if (ranks.rank() != 0) return;
  const std::string text = "MUMPS factorises on CPUs: " + cuda::describe_factor_library();
  wanted ? log::warning("{}", text) : log::info("{}", text);
#else
  (void)backend, (void)wanted, (void)ranks;
#endif
}

void add_iteration_device(ChosenBackend& backend, const comm::Communicator& ranks) {
#ifdef TETRAWAVE_HAVE_CUDA
  if (ranks.min(static_cast<double>(gpu_count())) <= 0) return;
  backend.make_iteration_device = [device = cuda::device_of(ranks),
                                   threads = march::threads_of_rank({}, ranks)](Transport transport) {
    return cuda::make_iteration_device(device, threads, 128, transport);
  };
  backend.iteration_device = backend.make_iteration_device(Transport::page_locked);
  backend.place = find_gpu;
  backend.probe_transport = cuda::probe_transport;
#else
  (void)backend, (void)ranks;
#endif
}

void add_assembly_device(ChosenBackend& backend, const comm::Communicator& ranks) {
#ifdef TETRAWAVE_HAVE_CUDA
  if (ranks.min(static_cast<double>(gpu_count())) <= 0) return;
  backend.assembly_device = cuda::make_assembly_device(cuda::device_of(ranks), march::threads_of_rank({}, ranks));
#else
  (void)backend, (void)ranks;
#endif
}

ChosenBackend choose_backend_of(const Case& given, BackendChoice choice, const comm::Communicator& ranks) {
  if (given.mode == Mode::time_domain) return choose_backend(choice, ranks);
  const bool by_parts =
      given.solver.method != SolverMethod::direct && given.solver.preconditioner == Preconditioner::oras;
  const bool factorises = given.solver.method == SolverMethod::direct || by_parts;
  const bool sums_pairs = given.mode == Mode::fe_iiee;
  const bool factorises_part = given.solver.preconditioner == Preconditioner::p_multigrid;
#ifdef TETRAWAVE_HAVE_CUDA
  std::future<void> library;  // takes a tenth of a second to be opened, beside the driver, which takes as long to start
  if (choice != BackendChoice::cpu && (factorises || factorises_part))
    library = std::async(std::launch::async, cuda::open_factor_library);
#endif
  if (choice == BackendChoice::cuda) (void)choose_backend(choice, ranks);  // throws where there is no GPU
  ChosenBackend backend = choose_backend(sums_pairs ? choice : BackendChoice::cpu, ranks);
  if (choice == BackendChoice::cpu) return backend;
  if (factorises || factorises_part) add_factor_device(backend, choice == BackendChoice::cuda, ranks);
  const bool sums_on_gpu = sums_pairs && backend.name == "cuda";
  if (!factorises || sums_on_gpu || (backend.factor_device && (given.mode == Mode::fetd || by_parts)))
    add_iteration_device(backend, ranks);
  if ((backend.factor_device || backend.iteration_device) && !given.planar) add_assembly_device(backend, ranks);
  if ((backend.factor_device || backend.iteration_device) && is_harmonic(given.mode)) {
    backend.name = "cuda";
    backend.device = describe_backends().at(1);
    if (backend.factor_device) backend.device += ", " + backend.factor_device->name();
  }
  return backend;
}

modes::OuterBoundaryMaker outer_boundary_of(const Case& given) {
  if (given.mode != Mode::fe_iiee) return {};
  return modes::make_integral_boundary;
}

results::RunIdentity identity_of(const ChosenBackend& backend) {
  results::RunIdentity identity;
  identity.version = version_text();
  identity.git_revision = git_revision();
  identity.backend = backend.name;
  identity.transport = backend.transport;
  identity.started = results::time_stamp();
  return identity;
}

std::vector<std::string> describe_backends() {
  std::vector<std::string> lines{"cpu: " + host::name_of(host::best_isa()) +
                                 " (in this build: " + host::isas_in_build() + ")"};
#ifdef TETRAWAVE_HAVE_CUDA
  const auto devices = cuda::describe_devices();
  if (devices.empty()) lines.emplace_back("cuda: built in, no GPU here");
  for (const auto& device : devices) lines.push_back("cuda " + device);
  lines.push_back("direct solver of GPUs: " + cuda::describe_factor_library());
#else
  lines.emplace_back("cuda: not in this build");
#endif
  return lines;
}

}  // namespace tetrawave::app
