#include "fem/solvers/mumps_solver.hpp"

#include "base/error.hpp"
#include "base/memory.hpp"
#include "fem/solvers/linear_solver.hpp"

#ifdef TETRAWAVE_HAVE_MUMPS
#include <cmumps_c.h>
#include <dmumps_c.h>
#include <smumps_c.h>
#include <zmumps_c.h>

#include <algorithm>
#include <complex>
#include <type_traits>
#endif

#ifdef TETRAWAVE_HAVE_MUMPS
/// Available if the BLAS linked with MUMPS is OpenBLAS.
extern "C" void openblas_set_num_threads(int threads) __attribute__((weak));
#endif

namespace tetrawave::fem {

#ifdef TETRAWAVE_HAVE_MUMPS

namespace {

// Values of DMUMPS_STRUC_C::job and of ZMUMPS_STRUC_C::job.
enum Job : MUMPS_INT { begin = -1, end = -2, analyse = 1, decompose = 2, substitute = 3 };

constexpr MUMPS_INT not_definite = -40;  // an error of theirs, at some pivots
constexpr std::int64_t megabyte = 1000000;
constexpr int most_attempts = 8;  // the last with a reserve of 2^7 times the first

/// MUMPS' data, numbers and entry point.
template <class D, class N, void (*entry)(D*)>
struct MumpsOf {
  using Data = D;
  using Number = N;
  static void call(Data& data) { entry(&data); }
};
template <class T>
struct Mumps;
template <>
struct Mumps<double> : MumpsOf<DMUMPS_STRUC_C, DMUMPS_REAL, dmumps_c> {};
template <>
struct Mumps<float> : MumpsOf<SMUMPS_STRUC_C, SMUMPS_REAL, smumps_c> {};
template <>
struct Mumps<std::complex<float>> : MumpsOf<CMUMPS_STRUC_C, CMUMPS_COMPLEX, cmumps_c> {};
template <>
struct Mumps<Complex> : MumpsOf<ZMUMPS_STRUC_C, ZMUMPS_COMPLEX, zmumps_c> {};

/// T: of the matrix; F: of the factors.
template <class T, class F>
class MumpsSolver : public DirectSolver<T> {
 public:
  using Number = typename Mumps<F>::Number;
  static_assert(sizeof(Number) == sizeof(F));

  MumpsSolver(const CsrPattern& csr, MatrixKind kind, const comm::Communicator& all_ranks, const SharedRows* rows_of)
      : pattern(csr), ranks(all_ranks), shared(rows_of) {
    const bool is_definite = kind == MatrixKind::positive_definite;
    ensure(!is_definite || std::is_same_v<T, double>, "positive definite matrices are real");
    // Otherwise it uses all cores of the host, regardless of other ranks, without gain (88,000 unknowns of mixed-2: 3.2
    // s on one and on two), and changes the last bits.
    if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
    call.sym = is_definite ? 1 : 2;
    call.par = 1;  // the first rank works, too
    call.comm_fortran = static_cast<MUMPS_INT>(ranks.fortran_handle());
    run(Job::begin);
    for (const int stream : {1, 2, 3}) control(stream) = -1;
    control(4) = 0;   // no messages
    control(6) = 0;   // what depends on values stays out of the analysis: it serves all matrices of the pattern
    control(12) = 1;  // likewise
    control(8) = 7;   // rows and columns are scaled at each factorisation
    control(7) = 5;   // METIS
    list_lower_triangle();
  }

  ~MumpsSolver() override {
    call.job = Job::end;
    Mumps<F>::call(call);
  }
  MumpsSolver(const MumpsSolver&) = delete;
  MumpsSolver& operator=(const MumpsSolver&) = delete;

  FactorPlan analyse() override {
    find_order();
    const double entries = call.infog[19];  // INFOG(20), in millions where it is negative
    return {call.rinfog[0], entries < 0 ? -1e6 * entries : entries, call.infog[15] * megabyte + list_bytes()};
  }

  void factorise(const CsrMatrix<T>& matrix) override {
    for (std::size_t k = 0; k < source.size(); ++k) values[k] = static_cast<F>(matrix.values[source[k]]);
    find_order();
    for (int attempt = 1; attempt < most_attempts; ++attempt) {
      if (runs_in_memory(Job::decompose)) return check_definite();
      control(14) = 2 * std::max<MUMPS_INT>(20, control(14));  // the reserve in percent
    }
    run(Job::decompose);
    check_definite();
  }

  void solve(std::vector<T>& columns_of_b, std::int32_t count) override {
    call.nrhs = count;
    if constexpr (std::is_same_v<T, F>) {
      substitute_in(columns_of_b, count);
    } else {
      std::vector<F> rounded(columns_of_b.begin(), columns_of_b.end());
      substitute_in(rounded, count);
      std::copy(rounded.begin(), rounded.end(), columns_of_b.begin());
    }
  }

  [[nodiscard]] std::optional<std::int64_t> negative_pivots() const override { return call.infog[11]; }

  [[nodiscard]] std::int64_t bytes() const override {
    return call.infog[17] * megabyte + list_bytes();  // INFOG(18): allocated on the rank that needs most
  }

 private:
  /// ICNTL(number) of the users' guide.
  MUMPS_INT& control(int number) { return call.icntl[number - 1]; }

  /// Of the rows of all ranks, from 1.
  [[nodiscard]] MUMPS_INT number(std::int32_t row) const {
    return 1 + (shared == nullptr ? row : shared->number[static_cast<std::size_t>(row)]);
  }

  void list_lower_triangle() {
    for (std::int32_t i = 0; i < pattern.rows(); ++i)
      for (auto k = pattern.first[static_cast<std::size_t>(i)]; k < pattern.first[static_cast<std::size_t>(i) + 1];
           ++k) {
        const std::int32_t j = pattern.column[static_cast<std::size_t>(k)];
        if (j > i) break;
        rows.push_back(number(i));
        columns.push_back(number(j));
        source.push_back(static_cast<std::size_t>(k));
      }
    values.resize(source.size());
    const auto entries = static_cast<MUMPS_INT8>(source.size());
    auto* const numbers = reinterpret_cast<Number*>(values.data());
    if (shared == nullptr) {
      call.n = pattern.rows();
      call.nnz = entries;
      call.irn = rows.data();
      call.jcn = columns.data();
      call.a = numbers;
      return;
    }
    control(18) = 3;   // every rank has entries; those of one place are added
    control(20) = 10;  // and rows of right-hand sides
    control(21) = 1;   // solutions stay where they are found
    call.n = shared->total();
    call.nnz_loc = entries;
    call.irn_loc = rows.data();
    call.jcn_loc = columns.data();
    call.a_loc = numbers;
    for (std::int32_t row = shared->begin(); row < shared->end(); ++row) own_rows.push_back(row + 1);
  }

  void substitute_in(std::vector<F>& numbers, std::int32_t count) {
    if (shared != nullptr) return substitute_shared(numbers, static_cast<std::size_t>(count));
    call.lrhs = call.n;
    call.rhs = reinterpret_cast<Number*>(numbers.data());
    run(Job::substitute);
  }

  /// Own rows of each column; those of the solutions come from the ranks that have found them.
  void substitute_shared(std::vector<F>& numbers, std::size_t count) {
    call.nloc_rhs = call.lrhs_loc = static_cast<MUMPS_INT>(own_rows.size());
    call.irhs_loc = own_rows.data();
    call.rhs_loc = reinterpret_cast<Number*>(numbers.data());
    const auto found = static_cast<std::size_t>(call.info[22]);
    std::vector<MUMPS_INT> row_of(std::max<std::size_t>(found, 1));
    std::vector<F> solution(std::max<std::size_t>(found, 1) * count);
    call.lsol_loc = static_cast<MUMPS_INT>(row_of.size());
    call.isol_loc = row_of.data();
    call.sol_loc = reinterpret_cast<Number*>(solution.data());
    run(Job::substitute);
    std::vector<std::vector<std::int32_t>> to(static_cast<std::size_t>(ranks.size()));
    std::vector<std::vector<F>> values_to(to.size());
    for (std::size_t k = 0; k < found; ++k) {
      const std::size_t owner = shared->owner(row_of[k] - 1);
      to[owner].push_back(row_of[k] - 1 - shared->first[owner]);
      for (std::size_t c = 0; c < count; ++c) values_to[owner].push_back(solution[c * row_of.size() + k]);
    }
    const auto from = ranks.exchange(std::move(to));
    const auto values_from = ranks.exchange(std::move(values_to));
    for (std::size_t rank = 0; rank < from.size(); ++rank)
      for (std::size_t k = 0; k < from[rank].size(); ++k)
        for (std::size_t c = 0; c < count; ++c)
          numbers[c * own_rows.size() + static_cast<std::size_t>(from[rank][k])] = values_from[rank][k * count + c];
  }

  [[nodiscard]] std::int64_t list_bytes() const {
    return static_cast<std::int64_t>((2 * sizeof(MUMPS_INT) + sizeof(std::size_t) + sizeof(F)) * source.size());
  }

  /// Throws on an error.
  void run(Job job) {
    if (!runs_in_memory(job)) fail_with(call.infog[0], call.infog[1]);
  }

  /// False if pivoting has made the factors larger than predicted (errors -8 and -9). Throws on other errors.
  bool runs_in_memory(Job job) {
    call.job = job;
    Mumps<F>::call(call);
    const MUMPS_INT status = call.infog[0];
    if (status == -8 || status == -9) return false;
    if (status < 0) fail_with(status, call.infog[1]);
    return true;
  }

  /// As predicted for the factors: INFOG(16) on the rank with the largest need, INFOG(17) on all. Otherwise the system
  /// would kill the process without a message.
  void check_memory() const {
    const std::int64_t of_host = std::min<std::int64_t>(call.infog[16], ranks.node_size() * call.infog[15]);
    ranks.agree([&] {
      const auto available = available_bytes();
      if (available && of_host * megabyte > *available)
        fail(ExitCode::out_of_memory,
             "the direct solver takes about {} for the factors of the matrix, but {} are there: use a host with more "
             "memory, fewer ranks on it, a coarser mesh, or solver.method: bicgstab",
             describe_bytes(of_host * megabyte), describe_bytes(*available));
    });
  }

  /// INFOG(12) is the number of negative pivots.
  void check_definite() const {
    if (call.sym == 1 && call.infog[11] > 0) fail_with(not_definite, call.infog[11]);
  }

  [[noreturn]] static void fail_with(MUMPS_INT status, MUMPS_INT detail) {
    switch (status) {
      case not_definite:
        fail(ExitCode::unstable,
             "the matrix is not positive definite (MUMPS error {}): look for a material with a negative constant",
             status);
      case -6:
      case -10:
        fail(ExitCode::unstable, "the matrix is singular (MUMPS error {}): look for {}a region without equations",
             status, std::is_same_v<T, Complex> ? "a resonance without losses at this frequency, or for " : "");
      case -7:
      case -13:
      case -19:
      case -8:
      case -9:
        fail(ExitCode::out_of_memory,
             "the direct solver finds no memory for the factors of the matrix (MUMPS error {}, {}): use a host with "
             "more memory, a coarser mesh, or solver.method: bicgstab",
             status, detail);
      default:
        throw InternalError(fmt::format("MUMPS error {}, {}", status, detail));
    }
  }

  const CsrPattern& pattern;
  comm::Communicator ranks;
  const SharedRows* shared;
  typename Mumps<F>::Data call{};
  std::vector<MUMPS_INT> rows, columns;  // of the lower triangle, from 1
  std::vector<MUMPS_INT> own_rows;       // of shared ones, from 1
  std::vector<std::size_t> source;       // in the CSR matrix
  std::vector<F> values;
  bool is_analysed = false;

  void find_order() {
    if (is_analysed) return;
    run(Job::analyse);
    check_memory();
    is_analysed = true;
  }
};

template <class T>
using Rounded = std::conditional_t<std::is_same_v<T, double>, float, std::complex<float>>;

}  // namespace

template <class T>
std::unique_ptr<DirectSolver<T>> make_mumps_solver(const FactorRequest& request, const comm::Communicator& ranks) {
  if (request.is_single)
    return std::make_unique<MumpsSolver<T, Rounded<T>>>(*request.pattern, request.kind, ranks, request.shared);
  return std::make_unique<MumpsSolver<T, T>>(*request.pattern, request.kind, ranks, request.shared);
}

bool has_direct_solver() { return true; }
std::string describe_direct_solver() { return "MUMPS " MUMPS_VERSION; }

#else

template <class T>
std::unique_ptr<DirectSolver<T>> make_mumps_solver(const FactorRequest&, const comm::Communicator&) {
  fail(ExitCode::unavailable,
       "this build has no direct solver (MUMPS): install libmumps-dev and build again, or use solver.method: bicgstab");
}

bool has_direct_solver() { return false; }
std::string describe_direct_solver() { return "MUMPS not built in"; }

#endif

template std::unique_ptr<DirectSolver<double>> make_mumps_solver(const FactorRequest&, const comm::Communicator&);
template std::unique_ptr<DirectSolver<Complex>> make_mumps_solver(const FactorRequest&, const comm::Communicator&);

}  // namespace tetrawave::fem
