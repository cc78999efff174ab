#include "fem/shared/shared_product.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>

namespace tetrawave::fem {

template <class T>
void GhostValues<T>::start(const std::vector<T>& own) {
  if (way_ == VectorExchange::gather) {
    flight_.in.resize(exchange_.wanted().size());
    return collect(own.data(), flight_.in.data());
  }
  Stopwatch watch;
  exchange_.start(own, flight_);
  seconds_.exchange += watch.lap();
}

template <class T>
void GhostValues<T>::collect(const T* own, T* ghosts) {
  constexpr int tag = 701;
  Stopwatch watch;
  const comm::Communicator& ranks = rows_.ranks;
  whole_.resize(static_cast<std::size_t>(rows_.total()));
  comm::Requests requests;
  if (ranks.rank() == 0)
    std::copy(own, own + rows_.own(), whole_.begin());
  else
    ranks.start_send(requests, own, rows_.own() * sizeof(T), 0, tag);
  for (int r = 1; r < ranks.size() && ranks.rank() == 0; ++r) {
    const auto first = static_cast<std::size_t>(rows_.first[static_cast<std::size_t>(r)]);
    const auto end = static_cast<std::size_t>(rows_.first[static_cast<std::size_t>(r) + 1]);
    ranks.start_receive(requests, whole_.data() + first, (end - first) * sizeof(T), r, tag);
  }
  requests.wait_all();
  seconds_.exchange += watch.lap();
  rows_.ranks.broadcast(whole_);
  for (const std::int32_t ghost : exchange_.wanted()) *ghosts++ = whole_[static_cast<std::size_t>(ghost)];
  seconds_.redistribution += watch.lap();
}

template <class T>
const std::vector<T>& GhostValues<T>::finish() {
  Stopwatch watch;
  if (way_ == VectorExchange::halo) exchange_.finish(flight_);
  seconds_.exchange += watch.lap();
  return flight_.in;
}

template <class T>
std::int64_t GhostValues<T>::bytes() const {
  const auto whole = way_ == VectorExchange::gather ? static_cast<std::int64_t>(rows_.total()) : 0;
  return static_cast<std::int64_t>(sizeof(T)) * (whole + static_cast<std::int64_t>(exchange_.given().size()) +
                                                 static_cast<std::int64_t>(exchange_.wanted().size()));
}

template <class T>
std::optional<std::vector<march::Route>> SharedLink<T>::routes() const {
  if (ghosts_.way() == VectorExchange::gather) return std::nullopt;
  std::map<int, march::Route> by_rank;
  for (const RankExchange::Piece& piece : ghosts_.exchange().to()) by_rank[piece.rank].sent = piece.count;
  for (const RankExchange::Piece& piece : ghosts_.exchange().from()) by_rank[piece.rank].received = piece.count;
  std::vector<march::Route> routes;
  for (const auto& [rank, route] : by_rank) routes.push_back({rank, route.sent, route.received});
  return routes;
}

template <class T>
SharedProduct<T>::SharedProduct(MatrixFormat format, const SharedMatrix<T>& matrix, GhostValues<T>& ghosts,
                                SharedSeconds& seconds, ThreadTeam& team)
    : matrix_(matrix),
      ghosts_(ghosts),
      seconds_(seconds),
      inner_(make_row_product<T>(format, MatrixPart::whole, matrix.pattern->inner, team)) {}

template <class T>
void SharedProduct<T>::multiply(const std::vector<T>& x, std::vector<T>& y) {
  ghosts_.start(x);
  Stopwatch watch;
  inner_->multiply(x, y);
  seconds_.product += watch.lap();
  add_outer(1, y);
}

template <class T>
void SharedProduct<T>::subtract(double scale, const std::vector<T>& base, double weight, const std::vector<T>& x,
                                std::vector<T>& y) {
  ghosts_.start(x);
  Stopwatch watch;
  inner_->subtract(scale, base, weight, x, y);
  seconds_.product += watch.lap();
  add_outer(-scale * weight, y);
}

template <class T>
void SharedProduct<T>::add_outer(double factor, std::vector<T>& y) {
  const std::vector<T>& values = ghosts_.finish();
  Stopwatch watch;
  const SharedPattern& pattern = *matrix_.pattern;
  for (std::size_t k = 0; k < pattern.outer_row.size(); ++k)
    y[static_cast<std::size_t>(pattern.outer_row[k])] +=
        factor * sum_entries(matrix_.outer.values.data(), pattern.outer.column.data(), pattern.outer.first[k],
                             pattern.outer.first[k + 1], values.data());
  seconds_.product += watch.lap();
}

namespace {

/// M^-1 = w (2 - w) (1 - w D^-1 U) D^-1 (1 - w L D^-1) with the triangles of the whole matrix, in the order of all
/// rows: ghosts of lower ranks are left of the diagonal, those of higher ranks right of it.
template <class T>
class SharedSsorApproximation final : public ApproximateInverse<T> {
 public:
  SharedSsorApproximation(const SolverOptions& spec, const SharedMatrix<T>& matrix, const SharedRows& rows,
                          GhostValues<T>& ghosts, ThreadTeam& team)
      : relaxation_(spec.relaxation),
        matrix_(matrix),
        ghosts_(ghosts),
        diagonal_(find_diagonal(matrix.pattern->inner)),
        vectors_(team, diagonal_.size()),
        lower_(make_row_product<T>(spec.format, MatrixPart::lower, matrix.pattern->inner, team)),
        upper_(make_row_product<T>(spec.format, MatrixPart::upper, matrix.pattern->inner, team)),
        middle_(diagonal_.size()),
        scaled_(diagonal_.size()) {
    const SharedPattern& pattern = *matrix.pattern;
    const auto split =
        std::lower_bound(pattern.ghosts.begin(), pattern.ghosts.end(), rows.begin()) - pattern.ghosts.begin();
    for (std::size_t k = 0; k < pattern.outer_row.size(); ++k) {
      const auto begin = pattern.outer.column.begin() + pattern.outer.first[k],
                 end = pattern.outer.column.begin() + pattern.outer.first[k + 1];
      split_.push_back(std::lower_bound(begin, end, static_cast<std::int32_t>(split)) - pattern.outer.column.begin());
    }
  }

  void set_matrix(const CsrMatrix<T>& matrix) override {
    inverse_ = invert_diagonal(matrix, diagonal_);
    lower_->set_values(matrix.values);
    upper_->set_values(matrix.values);
  }

  void apply(const std::vector<T>& x, std::vector<T>& y) override {
    const double w = relaxation_;
    const std::vector<std::int64_t>& first = matrix_.pattern->outer.first;
    vectors_.for_each([&](std::size_t i) { scaled_[i] = times(inverse_[i], x[i]); });
    ghosts_.start(scaled_);
    lower_->subtract(1, x, w, scaled_, middle_);
    add(
        -w,
        [&](std::size_t k) {
          return std::array{first[k], split_[k]};
        },
        middle_);
    vectors_.for_each([&](std::size_t i) { middle_[i] = times(inverse_[i], middle_[i]); });
    ghosts_.start(middle_);
    upper_->multiply(middle_, y);
    add(
        1,
        [&](std::size_t k) {
          return std::array{split_[k], first[k + 1]};
        },
        y);
    vectors_.for_each([&](std::size_t i) { y[i] = w * (2 - w) * (middle_[i] - w * times(inverse_[i], y[i])); });
  }

  [[nodiscard]] std::int64_t bytes() const override {
    return static_cast<std::int64_t>((8 + 3 * sizeof(T)) * diagonal_.size()) + lower_->bytes() + upper_->bytes();
  }

 private:
  template <class Range>
  void add(double factor, const Range& range, std::vector<T>& y) {
    const std::vector<T>& values = ghosts_.finish();
    const SharedPattern& pattern = *matrix_.pattern;
    for (std::size_t k = 0; k < pattern.outer_row.size(); ++k) {
      const auto [begin, end] = range(k);
      y[static_cast<std::size_t>(pattern.outer_row[k])] +=
          factor * sum_entries(matrix_.outer.values.data(), pattern.outer.column.data(), begin, end, values.data());
    }
  }

  double relaxation_;
  const SharedMatrix<T>& matrix_;
  GhostValues<T>& ghosts_;
  std::vector<std::int64_t> diagonal_;
  BlockedVectors vectors_;
  std::unique_ptr<RowProduct<T>> lower_, upper_;
  std::vector<T> middle_, scaled_;
  std::vector<T> inverse_;
  std::vector<std::int64_t> split_;  ///< per outer row: its first entry right of the diagonal
};

}  // namespace

template <class T>
std::unique_ptr<ApproximateInverse<T>> make_shared_inverse(const SolverOptions& spec, const SharedMatrix<T>& matrix,
                                                           const SharedRows& rows, GhostValues<T>& ghosts,
                                                           ThreadTeam& team) {
  if (spec.preconditioner == Preconditioner::ssor_ai)
    return std::make_unique<SharedSsorApproximation<T>>(spec, matrix, rows, ghosts, team);
  static const Subspace none;
  return make_approximate_inverse<T>(spec, matrix.pattern->inner, none, team);
}

template class GhostValues<double>;
template class GhostValues<Complex>;
template class SharedLink<double>;
template class SharedLink<Complex>;
template class SharedProduct<double>;
template class SharedProduct<Complex>;
template std::unique_ptr<ApproximateInverse<double>> make_shared_inverse(const SolverOptions&,
                                                                         const SharedMatrix<double>&, const SharedRows&,
                                                                         GhostValues<double>&, ThreadTeam&);
template std::unique_ptr<ApproximateInverse<Complex>> make_shared_inverse(const SolverOptions&,
                                                                          const SharedMatrix<Complex>&,
                                                                          const SharedRows&, GhostValues<Complex>&,
                                                                          ThreadTeam&);

}  // namespace tetrawave::fem
