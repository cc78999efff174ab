// Checks of the machine alone, without time steps.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <numeric>
#include <thread>

#include "app/run/temporary_directory.hpp"
#include "app/selftest/selftest.hpp"
#include "base/parallel.hpp"
#include "mesh/connect/partition.hpp"
#include "mesh/make/run_mesher.hpp"
#include "store/atomic_file.hpp"
#include "store/hdf5.hpp"

namespace tetrawave::app {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Every thread of this rank sums its share of 0 .. n - 1.
std::string check_threads(const comm::Communicator& ranks) {
  const int threads = march::threads_of_rank({}, ranks);
  constexpr std::size_t count = 1 << 22;
  std::vector<std::int64_t> sums(static_cast<std::size_t>(threads));
  for_ranges(count, sums.size(), [&](std::size_t range, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) sums[range] += static_cast<std::int64_t>(i);
  });
  const auto total = std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
  const auto right = static_cast<std::int64_t>(count * (count - 1) / 2);
  expect(ranks.max(std::abs(total - right)) == 0, "the threads of a rank have added up wrongly");
  return tetrawave::format("{} a rank; {} ranks on this host, {} in all; {} cores", threads, ranks.node_size(),
                           ranks.size(), std::thread::hardware_concurrency());
}

/// One rank per host measures with the threads of all of them.
std::string check_copy(const ChosenBackend& backend, const comm::Communicator& ranks) {
  double rate = 0;
  ranks.agree([&] {
    if (ranks.node_rank() == 0)
      rate = backend.measure_copy(march::threads_of_rank({}, ranks) * (backend.name == "cpu" ? ranks.node_size() : 1));
  });
  const double slowest = ranks.min(ranks.node_rank() == 0 ? rate : 1e300);
  expect(slowest > 1e8, "memory is copied at {:.3g} MB/s only", 1e-6 * slowest);
  return tetrawave::format("{:.1f} GB/s, bytes read plus bytes written{}", 1e-9 * slowest,
                           backend.name == "cpu" ? ", of a host" : ", of a GPU");
}

std::uint64_t letter(int from, int to, std::size_t i) {
  return static_cast<std::uint64_t>(from) * 1'000'003u + static_cast<std::uint64_t>(to) * 10'007u + i;
}

/// A message to the next rank and one from the previous, checked word by word; seconds of the slowest.
double pass_round(const comm::Communicator& ranks, std::size_t words, int times) {
  const int next = (ranks.rank() + 1) % ranks.size();
  const int before = (ranks.rank() + ranks.size() - 1) % ranks.size();
  std::vector<std::uint64_t> out(words);
  std::vector<std::uint64_t> in(words);
  for (std::size_t i = 0; i < words; ++i) out[i] = letter(ranks.rank(), next, i);
  ranks.barrier();
  const auto begin = Clock::now();
  comm::Requests requests;
  for (int k = 0; k < times; ++k) {
    ranks.start_receive(requests, in.data(), words * sizeof in[0], before, 1);
    ranks.start_send(requests, out.data(), words * sizeof out[0], next, 1);
    requests.wait_all();
  }
  const double seconds = seconds_since(begin) / times;
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < words; ++i) wrong += in[i] == letter(before, ranks.rank(), i) ? 0 : 1;
  expect(ranks.sum(wrong) == 0, "a message of {} bytes has arrived wrong", words * sizeof in[0]);
  return ranks.max(seconds);
}

std::string check_messages(const comm::Communicator& ranks) {
  const double small = pass_round(ranks, 1024, 50);
  constexpr std::size_t words = std::size_t{1} << 20;
  const double large = pass_round(ranks, words, 5);
  return tetrawave::format("8 kB to the next rank in {:.1f} us, 8 MB in {:.2f} ms ({:.2f} GB/s)", 1e6 * small,
                           1e3 * large, 1e-9 * 8 * static_cast<double>(words) / large);
}

/// Writes a temporary file, syncs, renames, reads back.
std::string check_files(const comm::Communicator& ranks) {
  constexpr std::size_t count = std::size_t{1} << 20;
  double seconds = 0;
  ranks.agree([&] {
    const TemporaryDirectory scratch;
    const fs::path file_name = scratch.path() / "selftest.h5";
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = 1.0 / static_cast<double>(i + 1);
    const auto begin = Clock::now();
    store::write_atomically(file_name, [&](const fs::path& path) {
      store::File file = store::File::create(path);
      file.write("/values", std::span<const double>(values), "V/m");
      file.close();
    });
    seconds = seconds_since(begin);
    expect(store::File::open(file_name).read<double>("/values") == values,
           "HDF5 reads other numbers from {} than were written", file_name.string());
  });
  return tetrawave::format("{} MB written, synced and read back by every rank in {}: {:.3g} s",
                           count * sizeof(double) / 1'000'000, fs::temp_directory_path().string(), ranks.max(seconds));
}

/// A band of 64 by 64 squares in four parts.
std::string check_partition(const comm::Communicator& ranks) {
  constexpr LocalIndex side = 64;
  std::size_t cut = 0;
  ranks.agree([&] {
    std::vector<std::array<LocalIndex, 4>> neighbours;
    for (LocalIndex i = 0; i < side; ++i)
      for (LocalIndex j = 0; j < side; ++j)
        neighbours.push_back({i > 0 ? (i - 1) * side + j : -1, i + 1 < side ? (i + 1) * side + j : -1,
                              j > 0 ? i * side + j - 1 : -1, j + 1 < side ? i * side + j + 1 : -1});
    const auto part = cut_graph(neighbours, 4);
    std::array<std::int64_t, 4> size{};
    for (std::size_t e = 0; e < part.size(); ++e) {
      ++size.at(static_cast<std::size_t>(part[e]));
      for (const LocalIndex other : neighbours[e])
        if (other >= 0 && part[static_cast<std::size_t>(other)] != part[e]) ++cut;
    }
    const auto [least, most] = std::minmax_element(size.begin(), size.end());
    expect(*most < 1.1 * 1024 && *least > 0.9 * 1024, "METIS makes parts of {} to {} of 4096 vertices", *least, *most);
    expect(cut / 2 < 400, "METIS cuts {} edges of a square of 64 by 64", cut / 2);
  });
  return tetrawave::format("4 parts of a square of 64 by 64: {} edges cut, 128 at best", cut / 2);
}

}  // namespace

void check_machine(SelfTestTable& table, const ChosenBackend& backend) {
  const comm::Communicator& ranks = table.ranks();
  for (const std::string& line : describe_backends()) {
    const auto colon = line.find(": ");
    table.note(line.substr(0, colon), line.substr(std::min(line.size(), colon + 2)));
  }
  table.check("threads", [&] { return check_threads(ranks); });
  table.check("copy bandwidth", [&] { return check_copy(backend, ranks); });
  if (ranks.size() > 1)
    table.check("messages of MPI", [&] { return check_messages(ranks); });
  else
    table.note("messages of MPI", "one rank: 'mpirun -n N tetrawave selftest' tries them");
  table.check("HDF5", [&] { return check_files(ranks); });
  table.check("METIS", [&] { return check_partition(ranks); });
  try {
    table.note("mesher", find_mesher().string());
  } catch (const UserError& error) {
    table.note("mesher", std::string("not found: ") + error.what());
  }
}

}  // namespace tetrawave::app
