// The solution of an update of Kerr media by a team of threads an element, on GPUs: the matrix of a space of 20 or 30
// functions does not fit a thread (decision 091). Same equations and iterations as KerrUpdate::change.
//
// A thread has rows i and n - 1 - i of the matrix in registers, 31 numbers of full-2. Points of the quadrature are
// taken one a thread at a time, and what the rows need of them goes through shared memory, as columns of the
// factorisation do.
#pragma once

#include "schemes/central/kerr_element.hpp"

namespace tetrawave::kernels {

/// Threads of a team: a pair of rows of full-2 each.
inline constexpr int kerr_team_size = 15;

template <class S, class Basis>
struct KerrTeamPlaces {
  static constexpr int n = Basis::dofs;
  static constexpr int field = 0;                              ///< n numbers
  static constexpr int expansion = n;                          ///< n: the field at which the matrix at hand was made
  static constexpr int points = 2 * n;                         ///< 6 of a point
  static constexpr int columns = points + 6 * kerr_team_size;  ///< two of n in turn; or 3 sums of a thread
  static constexpr int numbers = columns + (2 * n > 3 * kerr_team_size ? 2 * n : 3 * kerr_team_size);
};

template <class S, class Basis, class Solver, class Lane, class Team>
class KerrTeam {
  using Places = KerrTeamPlaces<S, Basis>;
  using R = typename Lane::Number;
  static constexpr int n = Basis::dofs;
  static constexpr int half = n / 2;
  static_assert(n % 2 == 0 && half <= kerr_team_size);

 public:
  TW_FN KerrTeam(const Solver& solver, const Lane& lane, Team& team)
      : solver_(solver),
        lane_(lane),
        team_(team),
        own_(lane.load_integer(solver.element, 1, 0)),
        low_(team.rank()),
        high_(n - 1 - low_),
        has_rows_(low_ < half) {
    R q[6];
    solver.metric.gather(lane, own_, q);
    det_ = adjugate(q, gram_);
  }

  TW_FN void run() {
    R moment[2] = {R{}, R{}};
    advance_density();
    add_moments<true>(moment);
    R wrong = reduce<false>(moment);
    const R limit = solver_.tolerance * solver_.tolerance * wrong;
    R active = R{} + 1;
    R count = R{};
    R enough = R{};  // as in KerrUpdate::iterate
    R low_row[half] = {};
    R high_row[n] = {};
    for (int pass = 0;; ++pass) {
      largest_ = integral_ = R{};
      R r[2] = {-moment[0], -moment[1]};
      add_moments<false>(r);
      wrong = reduce<true>(r);
      active *= lane_.positive(wrong - limit);
      if (pass == solver_.most || !team_.some(active)) break;
      count += active;
      const R anew = solver_.newton ? active : active * lane_.positive(wrong - enough);
      enough = wrong / 16;
      if (team_.some(anew)) {
        make_matrix(anew, low_row, high_row);
        factor(low_row, high_row);
      }
      substitute(low_row, high_row, r);
      R share = active;
      if (!solver_.newton) {
        const R s = solver_.chi / solver_.c * largest_;
        share *= (R{} + 1 + s) / (R{} + 1 + 2 * s);
      }
      if (has_rows_) {
        set(Places::field + low_, at(Places::field + low_) - share * r[0]);
        set(Places::field + high_, at(Places::field + high_) - share * r[1]);
      }
      team_.sync();
    }
    keep(count, active);
  }

 private:
  TW_FN R at(int place) const { return team_.get(place); }
  TW_FN void set(int place, const R& x) const { team_.put(place, x); }
  TW_FN const S* functions(int point) const { return solver_.shape + 3 * n * point; }

  TW_FN void advance_density() const {
    if (has_rows_) {
      advance_density_of(low_);
      advance_density_of(high_);
    }
    team_.sync();
  }
  /// The density stands where the field of the matrix is later.
  TW_FN void advance_density_of(int row) const {
    const R u = lane_.gather(solver_.field, n, own_, lane_.all(row));
    const R d = lane_.load(solver_.density, n, row) + solver_.c * (u - lane_.load(solver_.earlier, n, row));
    lane_.store(solver_.density, n, row, d);
    set(Places::field + row, u);
    set(Places::expansion + row, d);
  }

  /// Covariant components v at point g, and adj(q) v, of the functions' sum that stands at `from`.
  TW_FN void see(int g, int from, R* v, R* p) const {
    const S* c = functions(g);
    v[0] = v[1] = v[2] = R{};
    TW_UNROLL_DEVICE_BY(5)
    for (int i = 0; i < n; ++i) {
      const R u = at(from + i);
      v[0] += c[3 * i] * u;
      v[1] += c[3 * i + 1] * u;
      v[2] += c[3 * i + 2] * u;
    }
    solver_.apply(gram_, v, p);
  }
  TW_FN int points_from(int first) const {
    const int left = solver_.points - first;
    return left < kerr_team_size ? left : kerr_team_size;
  }

  /// moments += int N . w of this thread's two functions, w the density, or else (c + chi |E|^2) E.
  template <bool of_density>
  TW_FN void add_moments(R* moments) {
    TW_UNROLL_DEVICE_BY(1)
    for (int first = 0; first < solver_.points; first += kerr_team_size) {
      if (low_ < points_from(first)) see_vector<of_density>(first + low_, Places::points + 6 * low_);
      team_.sync();
      TW_UNROLL_DEVICE_BY(1)
      for (int i = 0; has_rows_ && i < points_from(first); ++i) {
        const S* c = functions(first + i);
        const int from = Places::points + 6 * i;
        moments[0] += c[3 * low_] * at(from) + c[3 * low_ + 1] * at(from + 1) + c[3 * low_ + 2] * at(from + 2);
        moments[1] += c[3 * high_] * at(from) + c[3 * high_ + 1] * at(from + 1) + c[3 * high_ + 2] * at(from + 2);
      }
      team_.sync();
    }
  }
  template <bool of_density>
  TW_FN void see_vector(int g, int to) {
    R v[3], p[3];
    see(g, of_density ? Places::expansion : Places::field, v, p);
    R f = R{} + solver_.weight[g];
    if constexpr (!of_density) {
      const R square = v[0] * p[0] + v[1] * p[1] + v[2] * p[2];
      largest_ = lane_.larger(largest_, square);
      integral_ += f * square * square;
      f *= solver_.c + solver_.chi * square;
    }
    set(to, f * p[0]);
    set(to + 1, f * p[1]);
    set(to + 2, f * p[2]);
  }

  /// Square of the vector of which each thread has two numbers; with_field: also the squares of the field.
  template <bool with_field>
  TW_FN R reduce(const R* two) {
    const int place = Places::columns + 3 * low_;
    set(place, has_rows_ ? two[0] * two[0] + two[1] * two[1] : R{});
    if constexpr (with_field) {
      set(place + 1, largest_);
      set(place + 2, integral_);
      integral_ = R{};
    }
    team_.sync();
    R square = R{};
    TW_UNROLL_DEVICE_BY(1)
    for (int from = Places::columns; from < Places::columns + 3 * kerr_team_size; from += 3) {
      square += at(from);
      if constexpr (with_field) {
        largest_ = lane_.larger(largest_, at(from + 1));
        integral_ += at(from + 2);
      }
    }
    return square;
  }

  /// Rows of KerrUpdate's matrix, at the present field where `anew`, else where it was made before.
  TW_FN void make_matrix(const R& anew, R* low_row, R* high_row) const {
    if (has_rows_ && anew > 0) {
      set(Places::expansion + low_, at(Places::field + low_));
      set(Places::expansion + high_, at(Places::field + high_));
    }
    team_.sync();
    TW_UNROLL
    for (int l = 0; l < half; ++l) low_row[l] = R{};
    TW_UNROLL
    for (int l = 0; l < n; ++l) high_row[l] = R{};
    TW_UNROLL_DEVICE_BY(1)
    for (int first = 0; first < solver_.points; first += kerr_team_size) {
      if (low_ < points_from(first)) see_tensor(first + low_, Places::points + 6 * low_);
      team_.sync();
      TW_UNROLL_DEVICE_BY(1)
      for (int i = 0; has_rows_ && i < points_from(first); ++i)
        add_products(functions(first + i), Places::points + 6 * i, low_row, high_row);
      team_.sync();
    }
  }
  TW_FN void see_tensor(int g, int to) const {
    R v[3], p[3];
    see(g, Places::expansion, v, p);
    const R f = solver_.weight[g] * (solver_.c + solver_.chi * (v[0] * p[0] + v[1] * p[1] + v[2] * p[2]));
    const R slope = solver_.newton ? R{} + solver_.weight[g] * 2 * solver_.chi : R{};
    set(to, f * gram_[0] + slope * p[0] * p[0]);
    set(to + 1, f * gram_[1] + slope * p[0] * p[1]);
    set(to + 2, f * gram_[2] + slope * p[0] * p[2]);
    set(to + 3, f * gram_[3] + slope * p[1] * p[1]);
    set(to + 4, f * gram_[4] + slope * p[1] * p[2]);
    set(to + 5, f * gram_[5] + slope * p[2] * p[2]);
  }
  /// c: functions at a point, whose tensor stands at `from`.
  TW_FN void add_products(const S* c, int from, R* low_row, R* high_row) const {
    R t[6], low[3], high[3];
    TW_UNROLL
    for (int e = 0; e < 6; ++e) t[e] = at(from + e);
    const R of_low[3] = {R{} + c[3 * low_], R{} + c[3 * low_ + 1], R{} + c[3 * low_ + 2]};
    const R of_high[3] = {R{} + c[3 * high_], R{} + c[3 * high_ + 1], R{} + c[3 * high_ + 2]};
    solver_.apply(t, of_low, low);
    solver_.apply(t, of_high, high);
    TW_UNROLL
    for (int l = 0; l < n; ++l) {
      const S x = c[3 * l];
      const S y = c[3 * l + 1];
      const S z = c[3 * l + 2];
      if (l < half && l <= low_) low_row[l < half ? l : 0] += x * low[0] + y * low[1] + z * low[2];
      if (l <= high_) high_row[l] += x * high[0] + y * high[1] + z * high[2];
    }
  }

  /// L D L^T. Columns alternate between two places: who is one ahead overwrites nothing that others still read.
  TW_FN void factor(R* low_row, R* high_row) {
    TW_UNROLL
    for (int j = 0; j < n; ++j) {
      const int column = Places::columns + j % 2 * n;
      if (j < half && j <= low_ && has_rows_) set(column + low_, low_row[j < half ? j : 0]);
      if (j <= high_ && has_rows_) set(column + high_, high_row[j]);
      team_.sync();
      const R inverse = reciprocal(at(column + j));
      if (j < half) eliminate<half>(low_, low_row, j < half ? j : 0, column, inverse, low_pivot_);
      eliminate<n>(high_, high_row, j, column, inverse, high_pivot_);
    }
    team_.sync();
  }
  template <int length>
  TW_FN void eliminate(int row, R* k, int j, int column, const R& inverse, R& pivot) const {
    if (row == j) pivot = inverse;
    if (row <= j || !has_rows_) return;
    const R factor = k[j] * inverse;
    TW_UNROLL
    for (int l = 0; l < length; ++l)
      if (l > j && l <= row) k[l] -= factor * at(column + l);
    k[j] = factor;
  }

  /// r = matrix^-1 r
  TW_FN void substitute(const R* low_row, const R* high_row, R* r) const {
    TW_UNROLL
    for (int j = 0; j < n; ++j) {
      const int place = Places::columns + j % 2;
      if (j == low_ && has_rows_) set(place, r[0]);
      if (j == high_ && has_rows_) set(place, r[1]);
      team_.sync();
      const R z = at(place);
      if (j < half && j < low_) r[0] -= low_row[j < half ? j : 0] * z;
      if (j < high_) r[1] -= high_row[j] * z;
    }
    team_.sync();
    r[0] *= low_pivot_;
    r[1] *= high_pivot_;
    TW_UNROLL
    for (int j = n - 1; j > 0; --j) {
      const int column = Places::columns + j % 2 * n;
      if (j >= half && j == high_ && has_rows_) spread(j, high_row, r[1], column);
      if (j < half && j == low_) spread(j, low_row, r[0], column);
      team_.sync();
      if (low_ < j) r[0] -= at(column + low_);
      if (high_ < j) r[1] -= at(column + high_);
    }
    team_.sync();
  }
  TW_FN void spread(int count, const R* row, const R& x, int column) const {
    TW_UNROLL
    for (int l = 0; l < n; ++l)
      if (l < count) set(column + l, row[l] * x);
  }

  TW_FN void keep(const R& count, const R& active) const {
    if (has_rows_) {
      keep_function(low_);
      keep_function(high_);
    }
    if (low_ > 0) return;
    solver_.keep_count(lane_, count, active);
    solver_.keep_squares(lane_, det_, {largest_, integral_});
  }
  TW_FN void keep_function(int row) const {
    const R u = at(Places::field + row);
    lane_.scatter(solver_.field, n, own_, row, u);
    lane_.store(solver_.earlier, n, row, u);
  }

  const Solver& solver_;
  const Lane& lane_;
  Team& team_;
  std::int32_t own_;
  int low_;
  int high_;
  bool has_rows_;
  R det_;
  R gram_[6];
  R largest_{};
  R integral_{};
  R low_pivot_{};
  R high_pivot_{};
};

}  // namespace tetrawave::kernels
