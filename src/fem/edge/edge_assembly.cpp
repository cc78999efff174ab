#include "fem/edge/edge_assembly.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "basis/functions.hpp"

namespace tetrawave::fem {

namespace {

/// Index of (i, j), i <= j, in the rows of an upper triangle.
std::size_t packed(std::size_t i, std::size_t j, std::size_t n) {
  return i <= j ? i * n - i * (i + 1) / 2 + j : packed(j, i, n);
}

void add_atomically(double& target, double value) {
  std::atomic_ref<double>(target).fetch_add(value, std::memory_order_relaxed);
}

void add_atomically(Complex& target, const Complex& value) {
  auto& parts = reinterpret_cast<std::array<double, 2>&>(target);  // std::complex is laid out as this
  add_atomically(parts[0], value.real());
  add_atomically(parts[1], value.imag());
}

}  // namespace

EdgeAssembly::EdgeAssembly(const EdgeSpace& space, const ElementShapes& shapes, std::span<const ElementFace> walls,
                           AssemblyMethod method, int threads)
    : space_(space), shapes_(shapes), method_(method), threads_(threads) {
  list_walls(walls);
  list_contributions();
  make_pattern();
  place_unknowns();
  if (method_ == AssemblyMethod::atomic) find_slots();
  if (method_ == AssemblyMethod::by_dof) list_matrices();
}

void EdgeAssembly::list_walls(std::span<const ElementFace> walls) {
  const auto& reference = basis::reference_element(space_.space);
  first_wall_.assign(shapes_.corners.size() + 1, 0);
  walls_.resize(walls.size());
  for_each_task(walls.size(), threads_, [&](std::size_t w) {
    const auto& [element, face] = walls[w];
    const auto mass = shapes_.map(space_.space, static_cast<std::size_t>(element)).face_mass(face);
    walls_[w].face = face;
    for (const std::size_t i : reference.on_face[face])
      for (const std::size_t j : reference.on_face[face]) walls_[w].entries.push_back(mass(i, j));
  });
  for (const auto& [element, face] : walls) ++first_wall_[static_cast<std::size_t>(element) + 1];
  for (std::size_t e = 0; e < shapes_.corners.size(); ++e) first_wall_[e + 1] += first_wall_[e];
  wall_numbers_.resize(walls.size());
  std::vector<std::int32_t> next(first_wall_.begin(), first_wall_.end() - 1);
  for (std::size_t w = 0; w < walls.size(); ++w)
    wall_numbers_[static_cast<std::size_t>(next[static_cast<std::size_t>(walls[w].first)]++)] =
        static_cast<std::int32_t>(w);
}

void EdgeAssembly::list_contributions() {
  const auto rows = static_cast<std::size_t>(space_.unknowns);
  first_contribution_.assign(rows + 1, 0);
  for_each_index(space_.unknown.size(), threads_, [this](std::size_t k) {
    if (const std::int32_t u = space_.unknown[k]; u != EdgeSpace::fixed)
      std::atomic_ref(first_contribution_[static_cast<std::size_t>(u) + 1]).fetch_add(1, std::memory_order_relaxed);
  });
  for (std::size_t r = 0; r < rows; ++r) first_contribution_[r + 1] += first_contribution_[r];
  contributions_ = std::make_unique_for_overwrite<Contribution[]>(static_cast<std::size_t>(first_contribution_.back()));
  std::vector<std::int64_t> next(first_contribution_.begin(), first_contribution_.end() - 1);
  for_each_index(space_.element_count(), threads_, [&](std::size_t e) {
    for (std::size_t i = 0; i < space_.functions; ++i) {
      const std::int32_t u = space_.of(e)[i];
      if (u == EdgeSpace::fixed) continue;
      const auto place = std::atomic_ref(next[static_cast<std::size_t>(u)]).fetch_add(1, std::memory_order_relaxed);
      contributions_[static_cast<std::size_t>(place)] = {static_cast<std::int32_t>(e), static_cast<std::int32_t>(i)};
    }
  });
  // Threads have put them in any order.
  for_each_index(rows, threads_, [this](std::size_t r) {
    std::sort(contributions_.get() + first_contribution_[r], contributions_.get() + first_contribution_[r + 1],
              [](const Contribution& a, const Contribution& b) {
                return std::pair(a.element, a.function) < std::pair(b.element, b.function);
              });
  });
}

void EdgeAssembly::make_pattern() {
  const auto rows = static_cast<std::size_t>(space_.unknowns);
  const std::size_t ranges = count_ranges(rows, threads_);
  std::vector<UnsetVector<std::int32_t>> columns(ranges);  // room for all contributions, of which some is written
  pattern_.first.assign(rows + 1, 0);
  for_ranges(rows, ranges, [&](std::size_t range, std::size_t first, std::size_t last) {
    const std::int64_t entries = first_contribution_[last] - first_contribution_[first];
    columns[range].resize(static_cast<std::size_t>(entries) * space_.functions);
    auto to = columns[range].begin();
    std::vector<std::int32_t> row;
    for (std::size_t r = first; r < last; ++r) {
      row.clear();
      for (auto k = first_contribution_[r]; k < first_contribution_[r + 1]; ++k) {
        const auto unknowns = space_.of(static_cast<std::size_t>(contributions_[static_cast<std::size_t>(k)].element));
        row.insert(row.end(), unknowns.begin(), unknowns.end());
      }
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
      if (!row.empty() && row.front() == EdgeSpace::fixed) row.erase(row.begin());
      pattern_.first[r + 1] = static_cast<std::int64_t>(row.size());
      to = std::copy(row.begin(), row.end(), to);
    }
  });
  for (std::size_t r = 0; r < rows; ++r) pattern_.first[r + 1] += pattern_.first[r];
  pattern_.column.resize(static_cast<std::size_t>(pattern_.nonzeros()));
  for_each_task(ranges, threads_, [&](std::size_t range) {
    const std::int64_t begin = pattern_.first[range * rows / ranges], end = pattern_.first[(range + 1) * rows / ranges];
    std::copy_n(columns[range].begin(), end - begin, pattern_.column.begin() + begin);
    columns[range] = {};
  });
}

/// At the centroid of the edge, face or element that a function belongs to.
void EdgeAssembly::place_unknowns() {
  const auto functions = basis::functions_of(space_.space);
  pattern_.positions.resize(static_cast<std::size_t>(space_.unknowns));
  pattern_.group = space_.vertex;
  for_each_index(pattern_.positions.size(), threads_, [&](std::size_t r) {
    const Contribution& from = contributions_[static_cast<std::size_t>(first_contribution_[r])];
    const auto& vertices = functions[static_cast<std::size_t>(from.function)].vertices;
    Vec3 sum{};
    for (const int v : vertices)
      sum = sum + shapes_.corners[static_cast<std::size_t>(from.element)][static_cast<std::size_t>(v)];
    pattern_.positions[r] = (1.0 / static_cast<double>(vertices.size())) * sum;
  });
}

void EdgeAssembly::find_slots() {
  const std::size_t n = space_.functions;
  slots_.assign(space_.element_count() * n * n, -1);
  for_each_index(space_.element_count(), threads_, [&](std::size_t e) {
    const auto unknowns = space_.of(e);
    for (std::size_t i = 0; i < n; ++i) {
      if (unknowns[i] == EdgeSpace::fixed) continue;
      const auto row = static_cast<std::size_t>(unknowns[i]);
      const auto begin = pattern_.column.begin() + pattern_.first[row];
      const auto end = pattern_.column.begin() + pattern_.first[row + 1];
      for (std::size_t j = 0; j < n; ++j)
        if (unknowns[j] != EdgeSpace::fixed)
          slots_[(e * n + i) * n + j] = static_cast<std::int32_t>(std::lower_bound(begin, end, unknowns[j]) - begin);
    }
  });
}

/// Elements with walls have a matrix of their own, and so have all where no copies are known.
void EdgeAssembly::list_matrices() {
  matrix_of_.resize(space_.element_count());
  std::vector<std::int32_t> of_shape;  // of a first element
  for (std::size_t e = 0; e < matrix_of_.size(); ++e) {
    const bool is_alone = shapes_.copies.empty() || first_wall_[e] < first_wall_[e + 1];
    const auto shape = is_alone ? 0 : static_cast<std::size_t>(shapes_.copies[e]);
    if (!is_alone && shape >= of_shape.size()) of_shape.resize(shape + 1, -1);
    if (is_alone || of_shape[shape] < 0) {
      matrix_of_[e] = static_cast<std::int32_t>(element_of_matrix_.size());
      element_of_matrix_.push_back(static_cast<LocalIndex>(e));
      if (!is_alone) of_shape[shape] = matrix_of_[e];
    } else {
      matrix_of_[e] = of_shape[shape];
    }
  }
}

template <class T>
void EdgeAssembly::add_walls(std::size_t element, std::size_t i, Span<T> factors, T* out) const {
  const auto& reference = basis::reference_element(space_.space);
  for (std::int32_t k = first_wall_[element]; k < first_wall_[element + 1]; ++k) {
    const auto number = static_cast<std::size_t>(wall_numbers_[static_cast<std::size_t>(k)]);
    const WallMatrix& wall = walls_[number];
    const auto& on_face = reference.on_face[wall.face];
    const auto found = std::lower_bound(on_face.begin(), on_face.end(), i);
    if (found == on_face.end() || *found != i) continue;
    const double* entries = wall.entries.data() + static_cast<std::size_t>(found - on_face.begin()) * on_face.size();
    for (std::size_t j = 0; j < on_face.size(); ++j) out[on_face[j]] += factors[number] * entries[j];
  }
}

template <class T>
void EdgeAssembly::row_of(const EdgeElement<T>& element, std::size_t e, std::size_t i, Span<T> factors, T* out) const {
  element.row(i, out);
  add_walls(e, i, factors, out);
}

template <class T>
void EdgeAssembly::add_to_row(std::size_t row, const Contribution& from, const T* entries, T* values) const {
  const auto unknowns = space_.of(static_cast<std::size_t>(from.element));
  const auto begin = pattern_.column.begin() + pattern_.first[row],
             end = pattern_.column.begin() + pattern_.first[row + 1];
  T* const own = values + pattern_.first[row];
  for (std::size_t j = 0; j < unknowns.size(); ++j)
    if (unknowns[j] != EdgeSpace::fixed) own[std::lower_bound(begin, end, unknowns[j]) - begin] += entries[j];
}

/// entries_of() makes a function (contribution, out) for each thread, which returns a row of an element's matrix. Rows
/// are cleared by the threads that fill them.
template <class T, class EntriesOf>
void EdgeAssembly::gather_rows(CsrMatrix<T>& matrix, const EntriesOf& entries_of) const {
  const auto rows = static_cast<std::size_t>(space_.unknowns);
  for_ranges(rows, count_ranges(rows, threads_), [&](std::size_t, std::size_t first, std::size_t last) {
    std::vector<T> entries(space_.functions);
    auto give = entries_of();
    for (std::size_t r = first; r < last; ++r) {
      std::fill(matrix.values.data() + pattern_.first[r], matrix.values.data() + pattern_.first[r + 1], T(0));
      for (auto k = first_contribution_[r]; k < first_contribution_[r + 1]; ++k) {
        const Contribution& from = contributions_[static_cast<std::size_t>(k)];
        give(from, entries.data());
        add_to_row(r, from, entries.data(), matrix.values.data());
      }
    }
  });
}

template <class T>
void EdgeAssembly::assemble_atomically(Span<EdgeCoefficients<T>> coefficients, std::span<const std::int32_t> kind,
                                       Span<T> factors, CsrMatrix<T>& matrix) const {
  const std::size_t n = space_.functions;
  const std::size_t elements = space_.element_count();
  std::fill(matrix.values.begin(), matrix.values.end(), T(0));
  for_ranges(elements, count_ranges(elements * n, threads_), [&](std::size_t, std::size_t first, std::size_t last) {
    EdgeElement<T> element(space_.space);
    std::vector<T> entries(n);
    for (std::size_t e = first; e < last; ++e) {
      element.set(shapes_.corners[e], coefficients[static_cast<std::size_t>(kind[e])], shapes_.middles(e));
      for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t row = space_.of(e)[i];
        if (row == EdgeSpace::fixed) continue;
        row_of<T>(element, e, i, factors, entries.data());
        T* const own = matrix.values.data() + pattern_.first[static_cast<std::size_t>(row)];
        const std::int32_t* slot = slots_.data() + (e * n + i) * n;
        for (std::size_t j = 0; j < n; ++j)
          if (slot[j] >= 0) add_atomically(own[slot[j]], entries[j]);
      }
    }
  });
}

template <class T>
void EdgeAssembly::assemble(Span<EdgeCoefficients<T>> coefficients, std::span<const std::int32_t> kind, Span<T> factors,
                            CsrMatrix<T>& matrix) const {
  ensure(factors.size() == walls_.size() && kind.size() == space_.element_count(), "an element has coefficients");
  const std::size_t n = space_.functions;
  matrix.pattern = &pattern_;
  matrix.values.resize(static_cast<std::size_t>(pattern_.nonzeros()));
  const auto coefficients_of = [&](std::size_t e) { return coefficients[static_cast<std::size_t>(kind[e])]; };
  if (method_ == AssemblyMethod::atomic) return assemble_atomically(coefficients, kind, factors, matrix);
  if (method_ == AssemblyMethod::by_row)
    return gather_rows(matrix, [&] {
      return [&, element = EdgeElement<T>(space_.space)](const Contribution& from, T* out) mutable {
        const auto e = static_cast<std::size_t>(from.element);
        element.set(shapes_.corners[e], coefficients_of(e), shapes_.middles(e));
        row_of<T>(element, e, static_cast<std::size_t>(from.function), factors, out);
      };
    });
  const std::size_t width = n * (n + 1) / 2;
  const std::size_t count = element_of_matrix_.size();
  UnsetVector<T> matrices(count * width);
  for_ranges(count, count_ranges(count * n, threads_), [&](std::size_t, std::size_t first, std::size_t last) {
    EdgeElement<T> element(space_.space);
    std::vector<T> row(n);
    for (std::size_t m = first; m < last; ++m) {
      const auto e = static_cast<std::size_t>(element_of_matrix_[m]);
      element.set(shapes_.corners[e], coefficients_of(e), shapes_.middles(e));
      for (std::size_t i = 0; i < n; ++i) {
        row_of<T>(element, e, i, factors, row.data());
        std::copy(row.begin() + static_cast<std::ptrdiff_t>(i), row.end(),
                  matrices.data() + m * width + packed(i, i, n));
      }
    }
  });
  gather_rows(matrix, [&] {
    return [&, element = EdgeElement<T>(space_.space)](const Contribution& from, T* out) mutable {
      const auto e = static_cast<std::size_t>(from.element), i = static_cast<std::size_t>(from.function);
      const auto m = static_cast<std::size_t>(matrix_of_[e]);
      if (kind[e] != kind[static_cast<std::size_t>(element_of_matrix_[m])]) {  // a copy in shape alone
        element.set(shapes_.corners[e], coefficients_of(e), shapes_.middles(e));
        return row_of<T>(element, e, i, factors, out);
      }
      const T* own = matrices.data() + m * width;
      for (std::size_t j = 0; j < n; ++j) out[j] = own[packed(i, j, n)];
    };
  });
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
