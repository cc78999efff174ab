#include "kernels/exchange/peer_traces.hpp"

#include <array>
#include <vector>

#include "catch.hpp"
#include "kernels/exchange/clock.hpp"

using namespace tetrawave::kernels;

namespace {

/// A team of one member; waiting for a flag that is not raised is a fault of the test.
struct Team {
  template <class S>
  static constexpr int lanes = 8;
  std::int64_t index_ = 0;
  std::int64_t now = 0;
  [[nodiscard]] std::int64_t index() const { return index_; }
  static std::int64_t rank() { return 0; }
  static std::int64_t size() { return 1; }
  static bool leads() { return true; }
  static void sync() {}
  static void publish(std::uint64_t* flag, std::uint64_t value) { *flag = value; }
  static void await(const std::uint64_t* flag, std::uint64_t value) { REQUIRE(*flag >= value); }
  static std::uint64_t count_up(std::uint64_t* counter) { return (*counter)++; }
  [[nodiscard]] std::int64_t nanoseconds() const { return now; }
};

constexpr int lanes = Team::lanes<double>, dofs = 6, face_dofs = 3;
constexpr std::int64_t elements = 2 * lanes;

}  // namespace

TEST_CASE("two traces of every ghost are packed as the receiver keeps them, by any number of teams") {
  std::vector<double> field(elements * dofs);
  for (std::size_t i = 0; i < field.size(); ++i) field[i] = static_cast<double>(i);
  const std::array<std::int32_t, 4 * face_dofs> on_face{0, 1, 2, 3, 4, 5, 0, 2, 4, 1, 3, 5};
  std::vector<std::int32_t> element, face;
  for (int i = 0; i < 2 * lanes; ++i) {
    element.push_back(5 * i % elements);
    face.push_back(i % 4);
  }
  for (const std::int64_t teams : {1, 3}) {
    std::vector<double> message(lanes * dofs, -1);
    std::uint64_t times = 0, done = 0, raised = 0;
    std::uint64_t *to_raise = &raised, *awaited = &raised;
    SendTraces<double> send{field.data(),
                            element.data(),
                            face.data(),
                            on_face.data(),
                            dofs,
                            face_dofs,
                            1,
                            message.data(),
                            {&awaited, &to_raise, &times, &done, teams}};
    for (std::int64_t team = 0; team < teams; ++team) send.run(Team{team}, team);
    for (int lane = 0; lane < lanes; ++lane)
      for (int half = 0; half < 2; ++half)
        for (int k = 0; k < face_dofs; ++k) {
          const std::int32_t e = element[static_cast<std::size_t>(half * lanes + lane)];
          const std::int32_t f = face[static_cast<std::size_t>(half * lanes + lane)];
          const std::int32_t row = on_face[static_cast<std::size_t>(f * face_dofs + k)];
          CHECK(message[static_cast<std::size_t>((half * face_dofs + k) * lanes + lane)] ==
                field[static_cast<std::size_t>((e / lanes * dofs + row) * lanes + e % lanes)]);
        }
    CHECK(raised == 1);  // by the last team alone
    CHECK(times == 1);
    CHECK(done == 0);
  }
}

TEST_CASE("a message is taken whole, in parts of any size") {
  std::vector<double> message(53), ghosts(53, 0);
  for (std::size_t i = 0; i < message.size(); ++i) message[i] = 1 + static_cast<double>(i);
  for (const std::int64_t teams : {1, 4}) {
    std::fill(ghosts.begin(), ghosts.end(), 0);
    TakeTraces<double> take{message.data(), ghosts.data(), 53, {}};
    take.flags.teams = teams;
    for (std::int64_t team = 0; team < teams; ++team) take.run(Team{team}, team);
    CHECK(ghosts == message);
  }
}

TEST_CASE("several messages share out the teams of one launch") {
  std::vector<double> from(20, 3.0), to(20, 0);
  Messages<TakeTraces<double>> all;
  for (int k = 0; k < 2; ++k) {
    TakeTraces<double> take{from.data(), to.data() + 10 * k, 10, {}};
    take.flags.teams = k + 1;
    all.add(take);
  }
  CHECK(all.teams() == 3);
  for (std::int64_t team = 0; team < all.teams(); ++team) all(Team{team});
  CHECK(to == from);
}

TEST_CASE("a transfer that ends while elements are updated is hidden, the rest is exposed") {
  std::array<std::int64_t, exchange_marks> marks{};
  std::array<std::int64_t, 2> sums{};
  const auto exchange = [&](std::int64_t sent, std::int64_t done, std::int64_t there) {
    for (const auto& [mark, at] :
         {std::pair(traces_sent, sent), std::pair(inner_done, done), std::pair(ghosts_there, there)})
      NoteTime{marks.data(), mark}(Team{0, at});
    AddExchange{marks.data(), sums.data()}(Team{});
  };
  exchange(100, 180, 150);  // there before the update is done
  CHECK(sums == std::array<std::int64_t, 2>{0, 50});
  exchange(200, 210, 260);  // 50 late
  CHECK(sums == std::array<std::int64_t, 2>{50, 60});
  exchange(300, 290, 310);  // sent after the update: at most what it took
  CHECK(sums == std::array<std::int64_t, 2>{60, 60});
}
