// Assembly of edge elements on the GPU against that of the host. Without a GPU every case says so and ends.
#include "catch.hpp"
#include "cuda/assembly/assembly_device.hpp"
#include "fem/assembly/edge_assembly.hpp"
#include "gpu/gpu_is_here.hpp"
#include "spaces.hpp"
#include "unit/fem/assembly/assembly_problem.hpp"
#include "unit/mesh/round_octant.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

template <class T>
std::unique_ptr<DeviceAssembly<T>> make_assembly(const EdgeSpace& space, const ElementShapes& shapes,
                                                 const std::vector<ElementFace>& walls, AssemblyMethod method) {
  const auto device = cuda::make_assembly_device(0, 2);
  if constexpr (std::is_same_v<T, double>)
    return device->make_real(space, shapes, walls, method);
  else
    return device->make_complex(space, shapes, walls, method);
}

template <class T>
struct Media {
  std::vector<EdgeCoefficients<T>> coefficients;
  std::vector<std::int32_t> kind;
  std::vector<T> factors;
};

/// max |a - b| / max |b|
template <class T>
double largest_difference(const UnsetVector<T>& a, const UnsetVector<T>& b) {
  REQUIRE(a.size() == b.size());
  double difference = 0, size = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    difference = std::max(difference, std::abs(a[k] - b[k]));
    size = std::max(size, std::abs(b[k]));
  }
  return difference / size;
}

/// Products and sums of the GPU are rounded once where those of the host are rounded twice: the same bits are expected
/// from one GPU to the next, not from CPU to GPU.
template <class T>
void compare(const EdgeSpace& space, const ElementShapes& shapes, const std::vector<ElementFace>& walls,
             const Media<T>& media) {
  INFO(name_of(space.space));
  const EdgeAssembly on_host(space, shapes, walls, AssemblyMethod::by_row, 2);
  CsrMatrix<T> expected;
  on_host.assemble(media.coefficients, media.kind, media.factors, expected);
  for (const AssemblyMethod method : methods) {
    INFO(name_of(method));
    const auto assembly = make_assembly<T>(space, shapes, walls, method);
    const CsrPattern pattern = assembly->read_pattern();
    CHECK(pattern.first == on_host.pattern().first);
    CHECK(pattern.column == on_host.pattern().column);
    CHECK(pattern.group == on_host.pattern().group);
    double apart = 0;
    for (std::size_t r = 0; r < pattern.positions.size(); ++r)
      for (std::size_t x = 0; x < 3; ++x)
        apart = std::max(apart, std::abs(pattern.positions[r][x] - on_host.pattern().positions[r][x]));
    CHECK(apart < 1e-14);
    assembly->set_kinds(media.kind);
    const std::vector<EdgeCoefficients<T>> others(media.coefficients.size(), {{1, 2, 3}, {4, 5, 6}});
    assembly->assemble(others, std::vector<T>(walls.size(), 1.));  // nothing of it may stay
    UnsetVector<T> found, again;
    assembly->assemble(media.coefficients, media.factors);
    assembly->read(found);
    CHECK(largest_difference(found, expected.values) < 1e-13);
    assembly->release();
    assembly->assemble(media.coefficients, media.factors);
    assembly->read(again);
    if (method == AssemblyMethod::atomic)
      CHECK(largest_difference(again, found) < 1e-13);
    else
      CHECK(again == found);
    CHECK(assembly->figures().bytes > 0);
    CHECK(assembly->figures().most_bytes >= assembly->figures().bytes);
  }
}

template <class T>
void compare_spaces(const std::array<int, 3>& cells) {
  const Problem<T> problem(cells);
  const Media<T> media{problem.coefficients, problem.kind, problem.factors()};
  for (const Space space : nested_spaces)
    compare(number_unknowns(space, problem.box.vertices, problem.metal), problem.box.corners, problem.walls(), media);
}

}  // namespace

TEMPLATE_TEST_CASE("assembly on the GPU is that of the host in every way and space", "[cuda][assembly]", double,
                   Complex) {
  if (gpu_is_here()) compare_spaces<TestType>({6, 5, 7});
}

TEMPLATE_TEST_CASE("small problems are assembled on the GPU", "[cuda][assembly][tiny]", double, Complex) {
  if (gpu_is_here()) compare_spaces<TestType>({1, 1, 2});
}

TEMPLATE_TEST_CASE("curved elements with walls are assembled on the GPU", "[cuda][assembly][tiny]", double, Complex) {
  if (!gpu_is_here()) return;
  const LocalMesh mesh = build_octant(make_round_octant(2));
  Random random(7);
  Media<TestType> media;
  for (int k = 0; k < 2; ++k) media.coefficients.push_back({random.triple<TestType>(), random.triple<TestType>()});
  std::vector<ElementFace> walls;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    media.kind.push_back(e % 2);
    for (std::uint8_t f = 0; f < 4; ++f)
      if (mesh.boundary[static_cast<std::size_t>(e)][f] == 0) walls.emplace_back(e, f);
  }
  REQUIRE(!walls.empty());
  for (std::size_t w = 0; w < walls.size(); ++w) media.factors.push_back(random.any<TestType>());
  for (const Space space : {Space::mixed_1, Space::full_1, Space::mixed_2, Space::full_2})
    compare(number_unknowns(space, mesh.vertices, {}), mesh, walls, media);
}

TEMPLATE_TEST_CASE("copies of a shape share a matrix on the GPU unless their media differ", "[cuda][assembly]", double,
                   Complex) {
  if (!gpu_is_here()) return;
  const Problem<TestType> problem({3, 4, 5}, 0);
  const std::vector<std::int32_t> copies = problem.copies();
  REQUIRE(2 * (static_cast<std::size_t>(*std::max_element(copies.begin(), copies.end())) + 1) < copies.size());
  ElementShapes shapes(problem.box.corners);
  shapes.copies = copies;
  compare<TestType>(number_unknowns(Space::full_2, problem.box.vertices, problem.metal), shapes, problem.walls(),
                    {problem.coefficients, problem.kind, problem.factors()});
}
