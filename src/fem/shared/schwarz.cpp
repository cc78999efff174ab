#include "fem/shared/schwarz.hpp"

#include <algorithm>
#include <utility>

namespace tetrawave::fem {

namespace {

using OverlapPlace = std::array<std::int32_t, 2>;

/// Rows of the elements and of the places, by number.
std::vector<std::int32_t> rows_of_part(const SharedRows& rows, const std::vector<std::vector<OverlapPlace>>& places) {
  std::vector<std::int32_t> part = rows.number;
  for (const auto& of_rank : places)
    for (const OverlapPlace& place : of_rank) part.insert(part.end(), place.begin(), place.end());
  std::sort(part.begin(), part.end());
  part.erase(std::unique(part.begin(), part.end()), part.end());
  return part;
}

std::vector<std::int32_t> rows_of_others(const std::vector<std::int32_t>& part, const SharedRows& rows) {
  std::vector<std::int32_t> others;
  for (const std::int32_t row : part)
    if (!rows.is_own(row)) others.push_back(row);
  return others;
}

template <class T>
class Schwarz final : public ApproximateInverse<T> {
 public:
  Schwarz(const CsrPattern& elements, const SharedRows& rows, SchwarzOverlap<T> overlap, const SolverMachine& machine)
      : rows_(rows),
        overlap_(std::move(overlap)),
        taken_(rows.ranks.exchange(overlap_.places)),
        part_(rows_of_part(rows, taken_)),
        exchange_(rows, rows_of_others(part_, rows)) {
    make_pattern(elements);
    matrix_.pattern = &pattern_;
    rows_.ranks.agree([&] {
      solver_ = make_direct_solver<T>({&pattern_, MatrixKind::symmetric}, machine, comm::Communicator::self());
    });
    first_own_ = static_cast<std::size_t>(std::lower_bound(part_.begin(), part_.end(), rows.begin()) - part_.begin());
  }

  void set_matrix(const CsrMatrix<T>& matrix) override {
    std::vector<std::vector<T>> values;
    rows_.ranks.agree([&] { values = overlap_.values(); });
    values = rows_.ranks.exchange(values);
    rows_.ranks.agree([&] {
      matrix_.values.assign(pattern_.column.size(), T(0));
      for (std::size_t k = 0; k < matrix.values.size(); ++k) at(of_elements_[k]) += matrix.values[k];
      for (std::size_t rank = 0; rank < values.size(); ++rank)
        for (std::size_t k = 0; k < values[rank].size(); ++k) at(of_others_[rank][k]) += values[rank][k];
      solver_->factorise(matrix_);
    });
  }

  /// The rows of a part ascend: those of lower ranks, its own, those of higher ranks.
  void apply(const std::vector<T>& x, std::vector<T>& y) override {
    exchange_.start(x, flight_);
    column_.resize(part_.size());
    std::copy(x.begin(), x.end(), column_.begin() + static_cast<std::ptrdiff_t>(first_own_));
    exchange_.finish(flight_);
    const auto middle = flight_.in.begin() + static_cast<std::ptrdiff_t>(first_own_);
    std::copy(flight_.in.begin(), middle, column_.begin());
    std::copy(middle, flight_.in.end(), column_.begin() + static_cast<std::ptrdiff_t>(first_own_ + x.size()));
    if (!part_.empty()) solver_->solve(column_, 1);
    std::copy_n(column_.begin() + static_cast<std::ptrdiff_t>(first_own_), y.size(), y.begin());
  }

  [[nodiscard]] std::int64_t bytes() const override {
    std::size_t lists = 8 * of_elements_.size() + 8 * pattern_.first.size();
    for (const auto& list : of_others_) lists += 8 * list.size();
    for (const auto& list : overlap_.places) lists += 8 * list.size();
    return solver_->bytes() +
           static_cast<std::int64_t>(lists + (4 + sizeof(T)) * pattern_.column.size() + 2 * sizeof(T) * part_.size());
  }

 private:
  [[nodiscard]] std::int32_t number_in_part(std::int32_t row) const {
    return static_cast<std::int32_t>(std::lower_bound(part_.begin(), part_.end(), row) - part_.begin());
  }
  T& at(std::int64_t k) { return matrix_.values[static_cast<std::size_t>(k)]; }

  void make_pattern(const CsrPattern& elements) {
    std::vector<std::int32_t> number;  // of the rows of elements
    for (const std::int32_t row : rows_.number) number.push_back(number_in_part(row));
    std::vector<std::vector<std::int32_t>> columns(part_.size());
    const auto for_elements = [&](const auto& use) {
      for (std::size_t i = 0; i < number.size(); ++i)
        for (auto k = static_cast<std::size_t>(elements.first[i]); k < static_cast<std::size_t>(elements.first[i + 1]);
             ++k)
          use(static_cast<std::size_t>(number[i]), number[static_cast<std::size_t>(elements.column[k])]);
    };
    for_elements([&](std::size_t row, std::int32_t column) { columns[row].push_back(column); });
    for (auto& of_rank : taken_)
      for (OverlapPlace& place : of_rank) {
        place = {number_in_part(place[0]), number_in_part(place[1])};
        columns[static_cast<std::size_t>(place[0])].push_back(place[1]);
      }
    for (auto& row : columns) {
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
      pattern_.column.insert(pattern_.column.end(), row.begin(), row.end());
      pattern_.first.push_back(static_cast<std::int64_t>(pattern_.column.size()));
    }
    const auto find = [&](std::size_t row, std::int32_t column) {
      const auto begin = pattern_.column.begin() + pattern_.first[row],
                 end = pattern_.column.begin() + pattern_.first[row + 1];
      return std::lower_bound(begin, end, column) - pattern_.column.begin();
    };
    for_elements([&](std::size_t row, std::int32_t column) { of_elements_.push_back(find(row, column)); });
    for (const auto& of_rank : taken_) {
      auto& targets = of_others_.emplace_back();
      for (const OverlapPlace& place : of_rank) targets.push_back(find(static_cast<std::size_t>(place[0]), place[1]));
    }
    taken_.clear();
  }

  const SharedRows& rows_;
  SchwarzOverlap<T> overlap_;
  std::vector<std::vector<OverlapPlace>> taken_;
  std::vector<std::int32_t> part_;  ///< numbers of its rows
  RankExchange exchange_;
  RankExchange::Flight<T> flight_;
  CsrPattern pattern_;
  CsrMatrix<T> matrix_;
  std::vector<std::int64_t> of_elements_;             ///< where entries of elements go
  std::vector<std::vector<std::int64_t>> of_others_;  ///< and those of other ranks
  std::unique_ptr<DirectSolver<T>> solver_;
  std::size_t first_own_ = 0;
  std::vector<T> column_;
};

}  // namespace

template <class T>
std::unique_ptr<ApproximateInverse<T>> make_schwarz(const CsrPattern& elements, const SharedRows& rows,
                                                    SchwarzOverlap<T> overlap, const SolverMachine& machine) {
  return std::make_unique<Schwarz<T>>(elements, rows, std::move(overlap), machine);
}

template std::unique_ptr<ApproximateInverse<double>> make_schwarz(const CsrPattern&, const SharedRows&,
                                                                  SchwarzOverlap<double>, const SolverMachine&);
template std::unique_ptr<ApproximateInverse<Complex>> make_schwarz(const CsrPattern&, const SharedRows&,
                                                                   SchwarzOverlap<Complex>, const SolverMachine&);

}  // namespace tetrawave::fem
