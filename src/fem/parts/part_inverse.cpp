#include "fem/parts/part_inverse.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "fem/assembly/edge_assembly.hpp"

namespace tetrawave::fem {

namespace {

/// The system of a kind of parts.
class KindSystem {
 public:
  KindSystem(const PartKind& kind, std::span<const std::int32_t> media)
      : kind_(kind), assembly_(kind.space, kind.corners, faces_of(kind), AssemblyMethod::by_dof, 1) {
    for (const LocalIndex element : kind.elements) media_.push_back(media[static_cast<std::size_t>(element)]);
  }

  /// A device needs no other ranks, so that threads may ask it.
  void make_solver(const SolverMachine& machine) {
    const FactorRequest request{&assembly_.pattern(), MatrixKind::symmetric};
    solver_ = machine.factor_device ? machine.factor_device->make_complex(request)
                                    : make_direct_solver<Complex>(request, machine, comm::Communicator::self());
    solver_->begin_analysis();
  }

  void assemble(const PartTerms& terms) {
    std::vector<Complex> factors;
    for (const std::size_t wall : kind_.wall_numbers) factors.push_back(terms.walls[wall]);
    for (const ElementFace& end : kind_.ends)
      factors.push_back(terms.ends[static_cast<std::size_t>(media_[static_cast<std::size_t>(end.first)])]);
    assembly_.assemble<Complex>(terms.media, media_, factors, matrix_);
  }
  void factorise() { solver_->factorise(matrix_); }

  /// Of the columns of this many parts.
  void make_room(std::size_t parts) { columns_.resize(rows() * parts); }
  /// The values of a part of the kind.
  [[nodiscard]] Complex* column(std::size_t part) { return columns_.data() + part * rows(); }
  /// In place, of all parts.
  void solve() { solver_->solve(columns_, static_cast<std::int32_t>(columns_.size() / rows())); }
  /// Where the vectors are.
  void solve(const Complex* sides, Complex* solutions, std::size_t parts) {
    if (solver_->is_resident()) return solver_->solve_resident(sides, solutions, static_cast<std::int32_t>(parts));
    columns_.assign(sides, sides + rows() * parts);
    solve();
    std::copy(columns_.begin(), columns_.end(), solutions);
  }
  [[nodiscard]] std::size_t rows() const { return static_cast<std::size_t>(kind_.space.unknowns); }

  [[nodiscard]] std::int64_t bytes() const {
    return solver_->bytes() +
           static_cast<std::int64_t>((sizeof(Complex) + 4) * assembly_.pattern().column.size() +
                                     sizeof(Complex) * columns_.size() +
                                     (sizeof(kind_.corners[0]) + 4 * kind_.space.functions) * kind_.elements.size());
  }

 private:
  static std::vector<ElementFace> faces_of(const PartKind& kind) {
    std::vector<ElementFace> faces = kind.walls;
    faces.insert(faces.end(), kind.ends.begin(), kind.ends.end());
    return faces;
  }

  const PartKind& kind_;
  EdgeAssembly assembly_;
  std::vector<std::int32_t> media_;  ///< per element
  CsrMatrix<Complex> matrix_;
  std::unique_ptr<DirectSolver<Complex>> solver_;
  std::vector<Complex> columns_;
};

class PartInverse final : public ApproximateInverse<Complex> {
 public:
  PartInverse(MeshParts parts, std::span<const std::int32_t> media, std::function<PartTerms()> terms,
              const SolverMachine& machine)
      : parts_(std::move(parts)),
        terms_(std::move(terms)),
        threads_(machine.threads),
        threads_of_solvers_(machine.factor_device ? threads_ : 1),
        systems_(parts_.kinds.size()) {
    for_each_task(systems_.size(), threads_,
                  [&](std::size_t k) { systems_[k] = std::make_unique<KindSystem>(parts_.kinds[k], media); });
    copies_.assign(systems_.size(), 0);
    for (const MeshPart& part : parts_.parts) copy_.push_back(copies_[part.kind]++);
    for (const auto& system : systems_) system->make_solver(machine);
  }

  void set_matrix(const CsrMatrix<Complex>& /*whole*/) override {
    const PartTerms terms = terms_();
    for_each_task(systems_.size(), threads_, [&](std::size_t k) { systems_[k]->assemble(terms); });
    for_each_task(systems_.size(), threads_of_solvers_, [&](std::size_t k) { systems_[k]->factorise(); });
  }

  void apply(const std::vector<Complex>& x, std::vector<Complex>& y) override {
    for (std::size_t k = 0; k < systems_.size(); ++k) systems_[k]->make_room(copies_[k]);
    for_each_task(parts_.parts.size(), threads_, [&](std::size_t p) {
      const MeshPart& part = parts_.parts[p];
      std::transform(part.unknowns.begin(), part.unknowns.end(), systems_[part.kind]->column(copy_[p]),
                     [&](std::int32_t u) { return x[static_cast<std::size_t>(u)]; });
    });
    for_each_task(systems_.size(), threads_of_solvers_, [&](std::size_t k) { systems_[k]->solve(); });
    for_each_task(parts_.parts.size(), threads_, [&](std::size_t p) {
      const MeshPart& part = parts_.parts[p];
      const Complex* solved = systems_[part.kind]->column(copy_[p]);
      for (const std::int32_t k : part.own)
        y[static_cast<std::size_t>(part.unknowns[static_cast<std::size_t>(k)])] = solved[k];
    });
  }

  [[nodiscard]] bool has_systems() const override { return true; }
  [[nodiscard]] SystemColumns systems() const override {
    SystemColumns result;
    result.first = first_columns();
    result.places.resize(result.first.back());
    std::vector<std::size_t> first_own{0};
    for (const MeshPart& part : parts_.parts) first_own.push_back(first_own.back() + part.own.size());
    result.from.resize(first_own.back());
    result.to.resize(first_own.back());
    for_each_task(parts_.parts.size(), threads_, [&](std::size_t p) {
      const MeshPart& part = parts_.parts[p];
      const std::size_t begin = result.first[part.kind] + copy_[p] * part.unknowns.size();
      std::copy(part.unknowns.begin(), part.unknowns.end(), result.places.begin() + static_cast<std::ptrdiff_t>(begin));
      for (std::size_t k = 0; k < part.own.size(); ++k) {
        result.from[first_own[p] + k] = static_cast<std::int32_t>(begin) + part.own[k];
        result.to[first_own[p] + k] = part.unknowns[static_cast<std::size_t>(part.own[k])];
      }
    });
    return result;
  }
  void solve_systems(const Complex* sides, Complex* solutions) override {
    const std::vector<std::size_t> first = first_columns();
    for_each_task(systems_.size(), threads_of_solvers_,
                  [&](std::size_t k) { systems_[k]->solve(sides + first[k], solutions + first[k], copies_[k]); });
  }

  [[nodiscard]] std::int64_t bytes() const override {
    std::int64_t sum = 0;
    for (const auto& system : systems_) sum += system->bytes();
    for (const MeshPart& part : parts_.parts)
      sum += static_cast<std::int64_t>(4 * (part.unknowns.size() + part.own.size()));
    return sum;
  }

 private:
  /// Of each system, and the end.
  [[nodiscard]] std::vector<std::size_t> first_columns() const {
    std::vector<std::size_t> first{0};
    for (std::size_t k = 0; k < systems_.size(); ++k) first.push_back(first[k] + systems_[k]->rows() * copies_[k]);
    ensure(first.back() <= std::numeric_limits<std::int32_t>::max(), "columns of parts have 32-bit places");
    return first;
  }

  MeshParts parts_;
  std::function<PartTerms()> terms_;
  int threads_;
  int threads_of_solvers_;  ///< MUMPS has one caller
  std::vector<std::unique_ptr<KindSystem>> systems_;
  std::vector<std::size_t> copies_;  ///< per kind
  std::vector<std::size_t> copy_;    ///< per part: its place among those of its kind
};

}  // namespace

std::unique_ptr<ApproximateInverse<Complex>> make_part_inverse(MeshParts parts, std::span<const std::int32_t> media,
                                                               std::function<PartTerms()> terms,
                                                               const SolverMachine& machine) {
  return std::make_unique<PartInverse>(std::move(parts), media, std::move(terms), machine);
}

}  // namespace tetrawave::fem
