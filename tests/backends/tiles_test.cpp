// The GPU's tiles and teams against the kernels that they stand for, an element a thread with dense tables: the same
// code on an emulated GPU.
#include "support/emulated_gpu.hpp"
//
#include <array>
#include <random>
#include <tuple>

#include "catch.hpp"
#include "cuda/tiles/central.cuh"
#include "cuda/tiles/upwind.cuh"
#include "schemes/central/penalised_update.hpp"
#include "schemes/dfdd/update.hpp"
#include "schemes/upwind/taylor.hpp"
#include "support/emulated_team.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

constexpr int blocks = 3;
constexpr int elements = 32 * blocks;
constexpr int classes = 3;

/// Elements of any shape, connected in any way, with any fields.
class Mesh {
 public:
  explicit Mesh(std::uint32_t seed) : random_(seed) {
    for (int i = 0; i < elements; ++i) {
      std::uint32_t word = between(0, 1) << kernels::ElementWord::sign_shift | between(0, classes - 1)
                                                                                   << kernels::ElementWord::class_shift;
      for (unsigned f = 0; f < 4; ++f) {
        word |= between(0, 5) << (3 * f) | between(0, 3) << (kernels::ElementWord::mirror_shift + 2 * f);
        neighbour_.push_back(static_cast<std::int32_t>(between(0, elements - 1)));
        kind_.push_back(static_cast<std::int32_t>(between(0, classes - 1)));
      }
      word_.push_back(word);
    }
  }

  std::vector<double> numbers(std::size_t count, double least, double most) {
    std::vector<double> list(count + 2);
    for (double& x : list) x = std::uniform_real_distribution<double>(least, most)(random_);
    return list;
  }
  std::vector<double> field(int rows) { return numbers(static_cast<std::size_t>(rows) * elements, -1, 1); }

  /// q_ab = t_a . t_b / |det J| of tetrahedra with edges of a cube, bent and stretched, or pressed flat.
  std::vector<double> metric(double flatness = 1) {
    std::vector<double> list(6 * elements);
    for (std::size_t i = 0; i < elements; ++i) {
      const std::vector<double> bend = numbers(12, -0.2, 0.2);
      double t[3][3];
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t c = 0; c < 3; ++c)
          t[a][c] =
              ((a == c ? 1 : 0) + bend[3 * a + c]) * (1 + 5 * std::abs(bend[9 + c])) * (c == i % 3 ? 1 / flatness : 1);
      const double volume = t[0][0] * (t[1][1] * t[2][2] - t[1][2] * t[2][1]) -
                            t[0][1] * (t[1][0] * t[2][2] - t[1][2] * t[2][0]) +
                            t[0][2] * (t[1][0] * t[2][1] - t[1][1] * t[2][0]);
      constexpr std::size_t pairs[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
      for (std::size_t k = 0; k < 6; ++k) {
        const auto [a, b] = pairs[k];
        list[(i / 32 * 6 + k) * 32 + i % 32] =
            (t[a][0] * t[b][0] + t[a][1] * t[b][1] + t[a][2] * t[b][2]) / std::abs(volume);
      }
    }
    return list;
  }

  [[nodiscard]] kernels::Elements<double> with_metric(const std::vector<double>& metric) const {
    return {{metric.data(), nullptr}, neighbour_.data(), word_.data()};
  }
  [[nodiscard]] const std::int32_t* kinds() const { return kind_.data(); }
  /// As PenalisedUpdate has them.
  [[nodiscard]] std::vector<std::uint32_t> pairs_of_kinds() const {
    std::vector<std::uint32_t> pairs;
    for (std::size_t i = 0; i < 2 * elements; ++i)
      pairs.push_back(static_cast<std::uint32_t>(kind_[2 * i] | kind_[2 * i + 1] << 16));
    return pairs;
  }

 private:
  std::uint32_t between(int least, int most) {
    return static_cast<std::uint32_t>(std::uniform_int_distribution<int>(least, most)(random_));
  }

  std::mt19937 random_;
  std::vector<std::int32_t> neighbour_;
  std::vector<std::uint32_t> word_;
  std::vector<std::int32_t> kind_;
};

/// As cuda/tiles/launch_tiles.cuh, one team for all blocks.
template <class Tile>
void run_tile(const typename Tile::Kernel& kernel, bool backwards) {
  std::vector<double2> memory(
      static_cast<std::size_t>(Tile::Matrices::entries + Tile::team_rows * cuda::tile_stride) / 2,
      make_double2(std::nan(""), std::nan("")));
  double* shared = reinterpret_cast<double*>(memory.data());
  Tile::Matrices::load(shared);
  double* rows = shared + Tile::Matrices::entries;
  EmulatedThreads::run(cuda::tile_threads, backwards, [&](int thread) {
    const cuda::TileTeam team{0, thread / 32, thread % 32};
    Tile::start(team, rows);
    team.sync();
    for (int block = 0; block < blocks; ++block)
      Tile::run(kernel, team, look_at<Tile>(kernel, team, block), block, shared, rows);
  });
}

/// Runs a kernel in tiles, or in teams.
template <class Tile>
struct InTiles {
  template <class Kernel>
  static void run(const Kernel& kernel, bool backwards) {
    run_tile<Tile>(kernel, backwards);
  }
};
template <class Terms>
struct InTeams {
  template <class Kernel>
  static void run(const Kernel& kernel, bool backwards) {
    run_team<Terms>(kernel, blocks, backwards);
  }
};

template <class Basis, class Kernel>
void run_threads(const Kernel& kernel) {
  using S = typename Kernel::Scalar;
  std::vector<S> kept(static_cast<std::size_t>(kernels::series_numbers<Basis>()) * cuda::threads_per_block + 1);
  for (int i = 0; i < elements; ++i) kernel.template run<Basis>(cuda::ThreadLane<S>{i / 32, i % 32, 0, kept.data()});
}

using Fields = std::vector<std::vector<double>>;

/// Runs a kernel with other terms of its space, an element a thread.
template <class Terms>
struct InThreads {
  template <class Kernel>
  static void run(const Kernel& kernel, bool /*backwards*/) {
    run_threads<Terms>(kernel);
  }
};

template <class Basis>
std::vector<double> of_element(const std::vector<double>& field, std::size_t element) {
  constexpr std::size_t n = Basis::dofs;
  std::vector<double> dofs;
  for (std::size_t i = 0; i < n; ++i) dofs.push_back(field[(element / 32 * n + i) * 32 + element % 32]);
  return dofs;
}

/// with(fields, work): work(kernel) with a kernel that changes these fields.
template <class Basis, class Way, class With>
void compare(const Fields& start, double tolerance, const With& with) {
  Fields wanted = start;
  with(wanted, [](const auto& kernel) { run_threads<Basis>(kernel); });
  Fields tiles = start;
  with(tiles, [](const auto& kernel) { Way::run(kernel, false); });
  for (std::size_t i = 0; i < start.size(); ++i)
    for (std::size_t element = 0; element < elements; ++element) {
      CAPTURE(i, element);
      const auto expected = of_element<Basis>(wanted[i], element);
      CHECK(largest_difference(expected, of_element<Basis>(start[i], element)) > 0.001);
      CHECK(largest_difference(of_element<Basis>(tiles[i], element), expected) < tolerance);
    }
  Fields backwards = start;
  with(backwards, [](const auto& kernel) { Way::run(kernel, true); });
  CHECK(backwards == tiles);
}

template <class Basis, class Way>
void compare_central(double flatness, double tolerance) {
  Mesh mesh(1);
  const auto metric = mesh.metric(flatness);
  const auto source = mesh.field(Basis::dofs);
  const auto decay = mesh.numbers(classes, 0.5, 1);
  const auto gain = mesh.numbers(classes, 0.01, 0.1);
  compare<Basis, Way>({mesh.field(Basis::dofs)}, tolerance, [&](Fields& fields, const auto& work) {
    work(kernels::CentralUpdate<double>{mesh.with_metric(metric), source.data(), fields[0].data(), decay.data(),
                                        gain.data(), kernels::mirror_code_of_electric});
  });
}

template <class Basis, class Way>
void compare_penalised(bool keeps_target) {
  Mesh mesh(6);
  const auto metric = mesh.metric();
  const auto metric_of_mass = mesh.metric();
  const auto source = mesh.field(Basis::dofs);
  const auto old = mesh.field(Basis::dofs);
  const auto decay = mesh.numbers(classes, 0.5, 1);
  const auto gain = mesh.numbers(classes, 0.01, 0.1);
  const auto penalty = mesh.numbers(classes, 0.1, 1);
  const auto kinds = mesh.pairs_of_kinds();
  compare<Basis, Way>({mesh.field(Basis::dofs)}, 1e-12, [&](Fields& fields, const auto& work) {
    kernels::PenalisedUpdate<double> kernel;
    kernel.elements = mesh.with_metric(metric);
    kernel.metric = {metric_of_mass.data(), nullptr};
    kernel.source = source.data();
    kernel.old = old.data();
    kernel.kept = keeps_target ? fields[0].data() : old.data();
    kernel.target = fields[0].data();
    kernel.decay = decay.data();
    kernel.gain = gain.data();
    kernel.kinds = kinds.data();
    kernel.penalty = penalty.data();
    kernel.mirror_code = kernels::mirror_code_of_magnetic;
    kernel.own_mirror_code = kernels::mirror_code_of_electric;
    work(kernel);
  });
}

template <class Basis, class Way>
void compare_upwind(bool adds) {
  Mesh mesh(2);
  const auto metric = mesh.metric();
  const auto metric_e = mesh.metric();
  const auto metric_h = mesh.metric();
  const std::int32_t one_for_all[blocks] = {1, 0, 1};
  const auto e = mesh.field(Basis::dofs);
  const auto h = mesh.field(Basis::dofs);
  const auto gain = mesh.numbers(classes, 0.01, 0.1);
  const auto loss = mesh.numbers(classes, 0.01, 0.1);
  const auto coefficients = mesh.numbers(classes * kernels::face_coefficients, 0.1, 1);
  const Fields start{mesh.field(Basis::dofs), mesh.field(Basis::dofs)};
  compare<Basis, Way>(start, 1e-12, [&](Fields& fields, const auto& work) {
    work(kernels::UpwindStage<double>{
        mesh.with_metric(metric),
        {{metric_e.data(), one_for_all}, e.data(), fields[0].data(), gain.data(), loss.data()},
        {{metric_h.data(), nullptr}, h.data(), fields[1].data(), loss.data(), gain.data()},
        mesh.kinds(),
        coefficients.data(),
        0.7,
        0.4,
        adds});
  });
}

template <class Basis, class Way>
void compare_taylor() {
  Mesh mesh(4);
  const auto metric = mesh.metric();
  const auto other_metric = mesh.metric();
  const auto e = mesh.field(Basis::dofs);
  const auto h = mesh.field(Basis::dofs);
  const auto gain = mesh.numbers(classes, 0.01, 0.1);
  const auto loss = mesh.numbers(classes, 0.01, 0.1);
  compare<Basis, Way>({mesh.field(Basis::dofs), mesh.field(Basis::dofs)}, 1e-12, [&](Fields& fields, const auto& work) {
    work(kernels::UpwindTaylor<double>{
        mesh.with_metric(metric),
        {{metric.data(), nullptr}, e.data(), fields[0].data(), gain.data(), loss.data()},
        {{other_metric.data(), nullptr}, h.data(), fields[1].data(), loss.data(), gain.data()},
        {1, 0.5, -0.25, 0.125},
        4});
  });
}

/// The series of full-3 against K of dense tables.
template <class S>
void compare_dfdd(double tolerance) {
  using kernels::Full3;
  using kernels::SeriesFull3;
  Mesh mesh(3);
  const auto as = [](const std::vector<double>& numbers) { return std::vector<S>(numbers.begin(), numbers.end()); };
  const auto metric = mesh.metric();
  const auto curl_metric = mesh.metric();
  const auto source = mesh.field(Full3::dofs);
  const auto decay = mesh.numbers(classes, 0.5, 1);
  const auto gain = mesh.numbers(classes, 0.01, 0.1);
  const auto pull = mesh.numbers(classes, 0.01, 0.1);
  const auto stiffness = mesh.numbers(classes, 50, 2000);
  const Fields start{mesh.field(Full3::dofs), mesh.field(Full3::dofs)};
  Fields wanted = start;
  const auto all = mesh.with_metric(metric);
  run_threads<Full3>(kernels::DfddUpdate<double>{all,
                                                 {curl_metric.data(), nullptr},
                                                 nullptr,
                                                 source.data(),
                                                 wanted[0].data(),
                                                 wanted[1].data(),
                                                 {decay.data(), gain.data(), pull.data(), stiffness.data()},
                                                 0.3,
                                                 -1});
  const auto m = as(metric);
  const auto p = as(curl_metric);
  const auto y = as(source);
  const std::array factors{as(decay), as(gain), as(pull), as(stiffness)};
  std::array found{as(start[0]), as(start[1])};
  std::vector<S> ratio(elements);
  const kernels::Elements<S> geometry{{m.data(), nullptr}, all.neighbour, all.word};
  run_threads<SeriesFull3>(kernels::DfddInverse<S>{geometry, {p.data(), nullptr}, factors[3].data(), ratio.data()});
  run_threads<SeriesFull3>(
      kernels::DfddUpdate<S>{geometry,
                             {p.data(), nullptr},
                             ratio.data(),
                             y.data(),
                             found[0].data(),
                             found[1].data(),
                             {factors[0].data(), factors[1].data(), factors[2].data(), factors[3].data()},
                             S(0.3),
                             -1});
  for (std::size_t i = 0; i < start.size(); ++i) {
    double largest = 0;
    double wrong = 0;
    for (std::size_t k = 0; k < start[i].size(); ++k) {
      largest = std::max(largest, std::abs(wanted[i][k] - start[i][k]));
      wrong = std::max(wrong, std::abs(static_cast<double>(found[i][k]) - wanted[i][k]));
    }
    CHECK(largest > 0.01);
    CHECK(wrong < tolerance * largest);
  }
}

std::vector<float> in_single(const std::vector<double>& numbers) { return {numbers.begin(), numbers.end()}; }

/// CHECKs that fields of single precision, advanced in tiles, are those advanced by the kernel in double precision from
/// the same numbers, rounded: make(S(), fields) is a kernel of that precision.
template <class Basis, class Tile, class Make>
void compare_in_single(std::size_t fields, const Make& make) {
  Mesh mesh(5);
  std::vector<std::vector<float>> tiles;
  Fields wanted;
  for (std::size_t i = 0; i < fields; ++i) {
    tiles.push_back(in_single(mesh.field(Basis::dofs)));
    wanted.emplace_back(tiles[i].begin(), tiles[i].end());
  }
  run_threads<Basis>(make(double(), wanted));
  run_tile<Tile>(make(float(), tiles), false);
  for (std::size_t i = 0; i < fields; ++i)
    for (std::size_t k = 0; k < wanted[i].size(); ++k)
      CHECK(std::abs(static_cast<double>(tiles[i][k]) - wanted[i][k]) <= 1e-6 + 1e-7 * std::abs(wanted[i][k]));
}

}  // namespace

TEST_CASE("tiles of DGTD-Central do what their kernel does") {
  compare_central<kernels::Mixed3, InTiles<cuda::CentralTile<kernels::FusedMixed3, double>>>(1, 1e-12);
}

TEST_CASE("tiles lose no digits of flat elements") {
  compare_central<kernels::Mixed3, InTiles<cuda::CentralTile<kernels::FusedMixed3, double>>>(300, 1e-11);
}

TEST_CASE("tiles with a penalty on jumps do what their kernel does") {
  compare_penalised<kernels::Mixed3, InTiles<cuda::PenalisedTile<kernels::FusedMixed3, double>>>(GENERATE(true, false));
}

TEST_CASE("tiles of DGTD-Upwind do what their kernel does") {
  const bool adds = GENERATE(true, false);
  compare_upwind<kernels::Mixed3, InTiles<cuda::UpwindTile<kernels::FusedMixed3, double>>>(adds);
}

TEST_CASE("tiles of fields in single precision compute in double precision") {
  Mesh mesh(7);
  const auto metric = in_single(mesh.metric());
  const auto source = in_single(mesh.field(kernels::Mixed3::dofs));
  const auto other = in_single(mesh.field(kernels::Mixed3::dofs));
  const auto factors = in_single(mesh.numbers(classes * kernels::face_coefficients, 0.1, 1));
  const auto doubled = [](const std::vector<float>& numbers) {
    return std::vector<double>(numbers.begin(), numbers.end());
  };
  const std::tuple numbers_of_both(std::array{metric, source, other, factors},
                                   std::array{doubled(metric), doubled(source), doubled(other), doubled(factors)});
  const auto elements_with = [&]<class S>(const std::vector<S>& own_metric) {
    const auto all = mesh.with_metric({});
    return kernels::Elements<S>{{own_metric.data(), nullptr}, all.neighbour, all.word};
  };
  compare_in_single<kernels::Mixed3, cuda::CentralTile<kernels::FusedMixed3, float>>(
      1, [&]<class S>(S, std::vector<std::vector<S>>& fields) {
        const auto& [q, u, v, c] = std::get<std::array<std::vector<S>, 4>>(numbers_of_both);
        return kernels::CentralUpdate<S>{elements_with(q), u.data(),           fields[0].data(),
                                         c.data(),         c.data() + classes, kernels::mirror_code_of_electric};
      });
  const auto kinds = mesh.pairs_of_kinds();
  compare_in_single<kernels::Mixed3, cuda::PenalisedTile<kernels::FusedMixed3, float>>(
      1, [&]<class S>(S, std::vector<std::vector<S>>& fields) {
        const auto& [q, u, v, c] = std::get<std::array<std::vector<S>, 4>>(numbers_of_both);
        S* const field = fields[0].data();
        return kernels::PenalisedUpdate<S>{elements_with(q),
                                           {q.data(), nullptr},
                                           u.data(),
                                           v.data(),
                                           field,
                                           field,
                                           c.data(),
                                           c.data() + classes,
                                           kinds.data(),
                                           c.data(),
                                           kernels::mirror_code_of_magnetic,
                                           kernels::mirror_code_of_electric};
      });
  compare_in_single<kernels::Mixed3,
                    cuda::UpwindTile<kernels::FusedMixed3, float>>(2, [&]<class S>(
                                                                          S, std::vector<std::vector<S>>& fields) {
    const auto& [q, u, v, c] = std::get<std::array<std::vector<S>, 4>>(numbers_of_both);
    const auto field = [&](const std::vector<S>& old, std::size_t i) {
      return kernels::UpwindField<S>{{q.data(), nullptr}, old.data(), fields[i].data(), c.data(), c.data() + classes};
    };
    return kernels::UpwindStage<S>{elements_with(q), field(u, 0), field(v, 1), mesh.kinds(), c.data(), S(0.7), S(0.4)};
  });
}

TEST_CASE("kernels with sparse operators do what they do with dense tables") {
  compare_central<kernels::Full3, InThreads<kernels::SparseFull3>>(1, 1e-12);
  compare_penalised<kernels::Full3, InThreads<kernels::SparseFull3>>(false);
  compare_upwind<kernels::Full3, InThreads<kernels::SparseFull3>>(GENERATE(true, false));
}

// full-4 has no dense tables: its kernels are compared with the stored layout (stored_test.cpp).
TEST_CASE("three threads an element do what one does in DGTD-Central, or it does with dense tables") {
  compare_central<kernels::Full3, InTeams<kernels::SparseFull3>>(1, 1e-12);
  compare_central<kernels::Full3, InTeams<kernels::SparseFull3>>(300, 1e-12);
  compare_central<kernels::SparseFull4, InTeams<kernels::SparseFull4>>(1, 1e-12);
}

TEST_CASE("three threads an element do what one does with a penalty on jumps, or it does with dense tables") {
  compare_penalised<kernels::Full3, InTeams<kernels::SparseFull3>>(GENERATE(true, false));
  compare_penalised<kernels::SparseFull4, InTeams<kernels::SparseFull4>>(false);
}

TEST_CASE("six threads an element do what one does in DGTD-Upwind, or it does with dense tables") {
  compare_upwind<kernels::Full3, InTeams<kernels::SparseFull3>>(GENERATE(true, false));
  compare_upwind<kernels::SparseFull4, InTeams<kernels::SparseFull4>>(true);
}

TEST_CASE("six threads an element do what one does in a prediction of DGTD-Upwind, or it does with dense tables") {
  compare_taylor<kernels::Full3, InTeams<kernels::SparseFull3>>();
  compare_taylor<kernels::SparseFull4, InTeams<kernels::SparseFull4>>();
}

TEST_CASE("the series of DFDD-ELD in full-3 gives what its dense tables give") {
  compare_dfdd<double>(1e-12);
  compare_dfdd<float>(1e-5);
}
