#include "comm/communicator.hpp"

#include <new>

#include "base/error.hpp"
#include "catch.hpp"

using namespace tetrawave;
using comm::Communicator;
using tetrawave_tests::ContainsSubstring;

TEST_CASE("a rank alone gets its own messages back") {
  const Communicator self = Communicator::self();
  CHECK(self.rank() == 0);
  CHECK(self.size() == 1);
  const std::vector<int> numbers{3, 1, 2};
  CHECK(self.all_gather<int>(numbers) == numbers);
  CHECK(self.gather<int>(numbers) == numbers);
  CHECK(self.exchange<int>({numbers}) == std::vector<std::vector<int>>{numbers});
  CHECK(self.sum(2.5) == 2.5);
  CHECK(self.max(std::int64_t{-4}) == -4);
}

TEST_CASE("agree lets success and each kind of failure through") {
  const Communicator world = Communicator::world();
  int calls = 0;
  world.agree([&] { ++calls; });
  CHECK(calls == 1);
  try {
    world.agree([] { fail(ExitCode::bad_mesh, "no {}", "mesh"); });
    FAIL("no error");
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::bad_mesh);
    CHECK(std::string(error.what()) == "no mesh");
  }
  try {
    world.agree([] { throw std::bad_alloc(); });
    FAIL("no error");
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::out_of_memory);
    CHECK_THAT(error.what(), ContainsSubstring("out of host memory on rank 0"));
  }
  CHECK_THROWS_AS(world.agree([] { throw InternalError("a bug"); }), InternalError);
  CHECK_THROWS_AS(world.agree([] { throw 3; }), InternalError);
}

TEST_CASE("a misuse of the communicator is an internal error with a text") {
  const Communicator world = Communicator::world();
  comm::Requests requests;
  CHECK_THROWS_AS(world.start_send(requests, nullptr, 1, 0, Communicator::largest_tag + 1), InternalError);
  CHECK_THROWS_AS(Communicator::world(0), InternalError);
  char byte = 0;
  try {
    world.start_send(requests, &byte, 1, world.size() + 5, 1);
    FAIL("no error");
  } catch (const InternalError& error) {
    CHECK_THAT(error.what(), ContainsSubstring("MPI_Isend failed: MPI_ERR_RANK"));
  }
}
