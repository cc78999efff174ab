// Where the iteration of a step in mode fetd begins (theory/fetd).
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "fem/sparse/blocked_vectors.hpp"
#include "fem/sparse/row_product.hpp"
#include "schemes/newmark/operators.hpp"
#include "schemes/newmark/system.hpp"

namespace tetrawave::modes {

/// The combination of the last four solutions that is nearest to the next one in the norm of A, which is symmetric and
/// positive definite: (x_i, A x_j) c_j = (x_i, b) (P. F. Fischer, Comput. Methods Appl. Mech. Eng. 163 (1998) 193).
/// Vectors are where the operators have theirs.
class FirstGuess {
 public:
  using Numbers = fem::EarlierNumbers;

  /// Both must outlive it.
  FirstGuess(const FetdSystem& system, FetdOperators& operators, const comm::Communicator& ranks, int threads);

  /// The system's matrix is set, and the operators are where they stay; there are no solutions yet.
  void begin();
  /// For the present right-hand side. On a device both are there. Collective.
  void find(const std::vector<double>& side, std::vector<double>& guess);
  /// The solution of a step, of a device's that of the step there.
  void keep(const std::vector<double>& solution);

  /// The solutions that the state has, the latest first: brought to the host, and taken from it.
  [[nodiscard]] std::vector<std::vector<double>>& earlier() { return earlier_; }
  void take();
  void put();

  /// On the host.
  [[nodiscard]] std::int64_t bytes() const;

 private:
  [[nodiscard]] Numbers multiply(int which);
  [[nodiscard]] Numbers products_with(const std::vector<double>& y);

  const FetdSystem& system_;
  FetdOperators& operators_;
  comm::Communicator ranks_;
  fem::ThreadTeam team_;
  fem::BlockedVectors vectors_;
  std::unique_ptr<fem::RowProduct<double>> product_;
  std::vector<std::vector<double>> earlier_;
  std::vector<double> work_;
  std::array<Numbers, fem::earlier_solutions> gram_{};  ///< [i][j]: (x_j, A x_i) for j >= i
  bool is_whole_ = false;                               ///< but for its first row
};

/// c of the best combination for these products, gram[i][j] with j >= i; a vector that the ones before it make up, to
/// rounding, has 0.
[[nodiscard]] FirstGuess::Numbers find_factors(const std::array<FirstGuess::Numbers, fem::earlier_solutions>& gram,
                                               const FirstGuess::Numbers& side);

}  // namespace tetrawave::modes
