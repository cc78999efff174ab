#include <chrono>
#include <new>
#include <numeric>
#include <thread>

#include "base/error.hpp"
#include "catch.hpp"
#include "comm/communicator.hpp"
#include "comm/node_memory.hpp"

using namespace tetrawave;
using comm::Communicator;
using tetrawave_tests::ContainsSubstring;

namespace {

/// The UserError of agree() as "code: text", or "" when there was none.
std::string failure_of(const Communicator& world, const std::function<void()>& work) {
  try {
    world.agree(work);
  } catch (const UserError& error) {
    return tetrawave::format("{}: {}", static_cast<int>(error.code()), error.what());
  } catch (const InternalError& error) {
    return tetrawave::format("internal: {}", error.what());
  }
  return "";
}

std::vector<std::int64_t> make_message(int from, int to) {
  std::vector<std::int64_t> items(static_cast<std::size_t>(37 * from + 11 * to + (from == to ? 0 : 1)));
  std::iota(items.begin(), items.end(), 1000 * from + to);
  return items;
}

}  // namespace

TEST_CASE("reductions and gathers see every rank in order") {
  const Communicator world = Communicator::world();
  const int rank = world.rank(), size = world.size();
  CHECK(world.sum(static_cast<double>(rank + 1)) == size * (size + 1) / 2);
  CHECK(world.sum(static_cast<std::int64_t>(rank)) == size * (size - 1) / 2);
  CHECK(world.max(static_cast<double>(rank)) == size - 1);
  CHECK(world.min(static_cast<double>(rank)) == 0);
  CHECK(world.max(static_cast<std::int64_t>(rank)) == size - 1);
  CHECK(world.min(static_cast<std::int64_t>(-rank)) == 1 - size);
  CHECK(world.node_size() == size);
  CHECK(world.node_rank() == rank);
  std::vector<int> mine(static_cast<std::size_t>(rank + 1), rank), expected;
  for (int from = 0; from < size; ++from) expected.insert(expected.end(), static_cast<std::size_t>(from + 1), from);
  CHECK(world.all_gather<int>(mine) == expected);
  CHECK(world.gather<int>(mine) == (rank == 0 ? expected : std::vector<int>{}));
  std::string text = rank == size - 1 ? "from the last" : "something else";
  world.broadcast(text, size - 1);
  CHECK(text == "from the last");
  world.barrier();
}

TEST_CASE("ranks of one colour make a group of their own, in their order") {
  const Communicator world = Communicator::world();
  const Communicator part = world.split(world.rank() % 2);
  CHECK(part.size() == (world.size() + 1 - world.rank() % 2) / 2);
  CHECK(part.rank() == world.rank() / 2);
  std::vector<int> expected;
  for (int rank = world.rank() % 2; rank < world.size(); rank += 2) expected.push_back(rank);
  CHECK(part.all_gather<int>(std::vector<int>{world.rank()}) == expected);
  CHECK(world.sum(static_cast<std::int64_t>(1)) == world.size());
}

TEST_CASE("ranks of a host see what each of them wrote into memory that they share") {
  const Communicator world = Communicator::world();
  const auto rank = static_cast<std::size_t>(world.rank()), size = static_cast<std::size_t>(world.size());
  const comm::NodeMemory memory(world, size * sizeof(double));
  REQUIRE(memory.is_there());
  auto* const numbers = reinterpret_cast<double*>(memory.data());
  numbers[rank] = static_cast<double>(rank) + 0.5;
  world.barrier();
  for (std::size_t r = 0; r < size; ++r) CHECK(numbers[r] == static_cast<double>(r) + 0.5);
}

TEST_CASE("memory that a host does not have is not there, on any rank") {
  const Communicator world = Communicator::world();
  CHECK_FALSE(comm::NodeMemory(world, std::size_t{1} << 55).is_there());
  CHECK_FALSE(comm::NodeMemory(world, 0).is_there());
}

TEST_CASE("messages longer than one piece arrive whole") {
  for (const std::size_t piece : {std::size_t{7}, std::size_t{64}, Communicator::default_piece_bytes}) {
    const Communicator world = Communicator::world(piece);
    std::vector<std::vector<std::int64_t>> out, expected;
    for (int other = 0; other < world.size(); ++other) {
      out.push_back(make_message(world.rank(), other));
      expected.push_back(make_message(other, world.rank()));
    }
    CHECK(world.exchange(out) == expected);
    CHECK(world.exchange(std::vector(out)) == expected);  // moved
    std::vector<std::int64_t> joined;
    for (int from = 0; from < world.size(); ++from) {
      for (const std::int64_t item : make_message(from, 0)) joined.push_back(item);
    }
    CHECK(world.all_gather<std::int64_t>(make_message(world.rank(), 0)) == joined);
    std::vector<std::int64_t> sums(100, world.rank());
    world.sum_in_place(sums);
    CHECK(sums == std::vector<std::int64_t>(100, world.size() * (world.size() - 1) / 2));
    std::vector<std::int64_t> least(100, 7 - world.rank());
    world.min_in_place(least);
    CHECK(least == std::vector<std::int64_t>(100, 8 - world.size()));
  }
}

TEST_CASE("non-blocking messages go round a ring in order") {
  const Communicator world = Communicator::world(16);
  const int next = (world.rank() + 1) % world.size(), previous = (world.rank() + world.size() - 1) % world.size();
  const std::vector<double> first(9, world.rank()), second(5, 100 + world.rank());
  std::vector<double> in_first(9), in_second(5);
  comm::Requests requests;
  world.start_receive(requests, in_first.data(), 9 * sizeof(double), previous, 4);
  world.start_receive(requests, in_second.data(), 5 * sizeof(double), previous, 4);
  world.start_send(requests, first.data(), 9 * sizeof(double), next, 4);
  world.start_send(requests, second.data(), 5 * sizeof(double), next, 4);
  requests.wait_all();
  CHECK(in_first == std::vector<double>(9, previous));
  CHECK(in_second == std::vector<double>(5, 100 + previous));
}

TEST_CASE("a failure on one rank is the same failure on all") {
  const Communicator world = Communicator::world();
  for (int culprit = 0; culprit < world.size(); ++culprit) {
    const bool mine = world.rank() == culprit;
    CHECK(failure_of(world, [&] {
            if (mine) fail(ExitCode::bad_case, "rank {} has no port", culprit);
          }) == tetrawave::format("78: rank {} has no port", culprit));
    CHECK(failure_of(world, [&] {
            if (mine) throw InternalError("a broken invariant");
          }) == "internal: a broken invariant");
    CHECK_THAT(failure_of(world,
                          [&] {
                            if (mine) throw std::bad_alloc();
                          }),
               ContainsSubstring(tetrawave::format("71: out of host memory on rank {}", culprit)));
  }
}

TEST_CASE("of several failures the lowest rank's wins") {
  const Communicator world = Communicator::world();
  const int first = world.size() / 2;
  CHECK(failure_of(world, [&] {
          if (world.rank() >= first) fail(ExitCode::io, "rank {} cannot write", world.rank());
        }) == tetrawave::format("74: rank {} cannot write", first));
  CHECK(failure_of(world, [] {}) == "");
}

TEST_CASE("a rank at its end knows whether the others have come to theirs") {
  const Communicator world = Communicator::world();
  if (world.rank() == 0) {
    CHECK(comm::all_arrive_within(0.05) == (world.size() == 1));
  } else {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    CHECK(comm::all_arrive_within(20));
  }
  world.barrier();
  CHECK(comm::all_arrive_within(20));
}
