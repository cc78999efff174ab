#include "fem/assembly/edge_assembly.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "fem/assembly/assembly_on.hpp"
#include "fem/assembly/cpu_loops.hpp"

namespace tetrawave::fem {

struct EdgeAssembly::Impl {
  Impl(const EdgeSpace& space, const ElementShapes& shapes, std::span<const ElementFace> walls, AssemblyMethod method,
       int threads, const AssemblyDevice* device)
      : loops(threads) {
    if (device != nullptr) {
      there = device->make(space, shapes, walls, method);
      pattern = there->read_pattern();
      return;
    }
    here.emplace(loops, space, shapes, walls, method);
    pattern.first.assign(here->first().begin(), here->first().end());
    pattern.column = std::move(static_cast<UnsetVector<std::int32_t>&>(here->column()));
    pattern.positions.resize(static_cast<std::size_t>(space.unknowns));
    here->place_unknowns(pattern.positions.data()->data());
    pattern.group = space.vertex;
  }

  device::CpuLoops loops;
  std::optional<device::AssemblyOn<device::CpuLoops>> here;
  std::unique_ptr<DeviceAssembly> there;  ///< with a device
  CsrPattern pattern;
};

EdgeAssembly::EdgeAssembly(const EdgeSpace& space, const ElementShapes& shapes, std::span<const ElementFace> walls,
                           AssemblyMethod method, int threads, const AssemblyDevice* device)
    : impl_(std::make_unique<Impl>(space, shapes, walls, method, threads, device)) {}
EdgeAssembly::~EdgeAssembly() = default;
EdgeAssembly::EdgeAssembly(EdgeAssembly&&) noexcept = default;
EdgeAssembly& EdgeAssembly::operator=(EdgeAssembly&&) noexcept = default;

const CsrPattern& EdgeAssembly::pattern() const { return impl_->pattern; }
bool EdgeAssembly::is_on_device() const { return impl_->there != nullptr; }
const AssemblyFigures& EdgeAssembly::figures() const {
  return impl_->there ? impl_->there->figures() : impl_->here->figures();
}
std::unique_ptr<DeviceMatrix<double>> EdgeAssembly::take_real() const {
  return impl_->there ? impl_->there->take_real() : nullptr;
}
void EdgeAssembly::reserve_complex() const {
  if (impl_->there) impl_->there->reserve_complex();
}

template <class T>
void EdgeAssembly::assemble(Span<EdgeCoefficients<T>> coefficients, std::span<const std::int32_t> kind, Span<T> factors,
                            CsrMatrix<T>& matrix) const {
  matrix.pattern = &impl_->pattern;
  if (DeviceAssembly* there = impl_->there.get()) {
    matrix.values = {};
    there->set_kinds(kind);
    matrix.on_device = &there->assemble(coefficients, factors);
    return there->release();  // room for factors
  }
  device::AssemblyOn<device::CpuLoops>& here = *impl_->here;
  matrix.on_device = nullptr;
  matrix.values.resize(static_cast<std::size_t>(here.nonzeros()));
  here.set_kinds(kind);
  here.assemble<T>(coefficients, factors, reinterpret_cast<device::NumberOf<T>*>(matrix.values.data()));
  here.release();
}

template <class T>
void EdgeAssembly::row_of(const EdgeElement<T>& element, std::size_t e, std::size_t i, Span<T> factors, T* out) const {
  element.row(i, out);
  const device::WallLists& walls = impl_->there ? impl_->there->walls() : impl_->here->walls();
  const device::ElementTables& tables = impl_->there ? impl_->there->tables() : impl_->here->tables();
  const std::size_t n = element.size();
  const auto width = static_cast<std::size_t>(tables.face_functions);
  for (std::int32_t k = walls.first[e]; k < walls.first[e + 1]; ++k) {
    const auto wall = static_cast<std::size_t>(walls.number[static_cast<std::size_t>(k)]);
    const std::int32_t* place = tables.on_face.data() + static_cast<std::size_t>(walls.face[wall]) * n;
    if (place[i] < 0) continue;
    const double* entries = walls.entries.data() + (wall * width + static_cast<std::size_t>(place[i])) * width;
    for (std::size_t j = 0; j < n; ++j)
      if (place[j] >= 0) out[j] += factors[wall] * entries[place[j]];
  }
}

template <class T>
void EdgeAssembly::scatter(const EdgeSpace& space, LocalIndex element, std::span<const double> moments, const T& factor,
                           std::vector<T>& right_hand_side) {
  const auto unknowns = space.of(static_cast<std::size_t>(element));
  for (std::size_t i = 0; i < moments.size(); ++i)
    if (unknowns[i] != EdgeSpace::fixed) right_hand_side[static_cast<std::size_t>(unknowns[i])] += factor * moments[i];
}

template <class T>
void EdgeAssembly::scatter(const EdgeSpace& space, LocalIndex element, Span<T> moments,
                           std::vector<T>& right_hand_side) {
  const auto unknowns = space.of(static_cast<std::size_t>(element));
  for (std::size_t i = 0; i < moments.size(); ++i)
    if (unknowns[i] != EdgeSpace::fixed) right_hand_side[static_cast<std::size_t>(unknowns[i])] += moments[i];
}

template void EdgeAssembly::assemble(Span<EdgeCoefficients<double>>, std::span<const std::int32_t>, Span<double>,
                                     CsrMatrix<double>&) const;
template void EdgeAssembly::assemble(Span<EdgeCoefficients<Complex>>, std::span<const std::int32_t>, Span<Complex>,
                                     CsrMatrix<Complex>&) const;
template void EdgeAssembly::row_of(const EdgeElement<double>&, std::size_t, std::size_t, Span<double>, double*) const;
template void EdgeAssembly::row_of(const EdgeElement<Complex>&, std::size_t, std::size_t, Span<Complex>,
                                   Complex*) const;
template void EdgeAssembly::scatter(const EdgeSpace&, LocalIndex, std::span<const double>, const double&,
                                    std::vector<double>&);
template void EdgeAssembly::scatter(const EdgeSpace&, LocalIndex, std::span<const double>, const Complex&,
                                    std::vector<Complex>&);
template void EdgeAssembly::scatter(const EdgeSpace&, LocalIndex, Span<double>, std::vector<double>&);
template void EdgeAssembly::scatter(const EdgeSpace&, LocalIndex, Span<Complex>, std::vector<Complex>&);

}  // namespace tetrawave::fem
