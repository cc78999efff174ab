#include "cuda/bench/dissertation.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "basis/reference_element.hpp"
#include "cuda/launch/engine.hpp"
#include "kernels/element_block.hpp"
#include "schemes/central/stored.hpp"

namespace tetrawave::cuda {

namespace {

using march::Field;

template <class S>
class DissertationMarch final : public march::Unfused {
 public:
  DissertationMarch(CudaBackend backend, const march::Problem& problem, int block)
      : backend_(std::move(backend)),
        problem_(problem),
        block_(block),
        reference_(basis::reference_element(problem.space)),
        shape_(march::stored_shape(Scheme::dgtd_central, problem.space)),
        elements_in_block_(dissertation_threads(block_, shape_.dofs) / shape_.dofs),
        blocks_((problem.mesh->element_count() + elements_in_block_ - 1) / elements_in_block_),
        neighbour_(backend_, static_cast<std::size_t>(blocks_ * elements_in_block_) * traces()),
        electric_(make_level()),
        magnetic_(make_level()) {
    for (const march::Wall wall : problem.walls) ensure(march::is_mirror(wall), "an unfused march has closed walls");
    neighbour_.upload(find_neighbours());
  }

  [[nodiscard]] const std::vector<std::string>& parts() const override { return parts_; }

  void start(double dt_m, const std::vector<double>& electric, const std::vector<double>& magnetic) override {
    electric_.values.upload(std::vector<S>(electric.begin(), electric.end()));
    magnetic_.values.upload(std::vector<S>(magnetic.begin(), magnetic.end()));
    set_matrices(dt_m);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t k = 0; k < steps; ++k) {
      for (std::size_t part = 0; part < 2; ++part) run(part, Field::magnetic);
      for (std::size_t part = 0; part < 2; ++part) run(part, Field::electric);
    }
  }

  void run_part(std::size_t part, std::int64_t times) override {
    for (std::int64_t k = 0; k < times; ++k) {
      run(part, Field::magnetic);
      run(part, Field::electric);
    }
  }

  void synchronize() override { backend_.synchronize(); }

  std::vector<double> field(Field which) override {
    const std::vector<S> values = (which == Field::electric ? electric_ : magnetic_).values.download();
    return {values.begin(),
            values.begin() + static_cast<std::ptrdiff_t>(problem_.mesh->global_id.size()) * shape_.dofs};
  }

  /// Matrices, both fields in both kernels, u written by both, the index array.
  [[nodiscard]] std::int64_t bytes_per_step() const override {
    const auto words = static_cast<std::int64_t>((shape_.entries() + 6 * shape_.dofs) * sizeof(S));
    return 2 * (words + 4 * static_cast<std::int64_t>(traces())) * problem_.mesh->element_count();
  }

 private:
  template <class T>
  using Buffer = CudaBackend::Buffer<T>;
  struct Level {
    Buffer<S> values;
    Buffer<S> matrix;
  };

  [[nodiscard]] std::size_t traces() const { return 4 * reference_.face_dofs; }
  [[nodiscard]] std::size_t threads() const {
    return static_cast<std::size_t>(dissertation_threads(block_, shape_.dofs));
  }
  [[nodiscard]] std::size_t block_size() const { return static_cast<std::size_t>(shape_.columns) * threads(); }
  [[nodiscard]] Level make_level() {
    const auto blocks = static_cast<std::size_t>(blocks_);
    return {Buffer<S>(backend_, blocks * threads()), Buffer<S>(backend_, blocks * block_size())};
  }

  [[nodiscard]] std::vector<std::int32_t> find_neighbours() const {
    const LocalMesh& mesh = *problem_.mesh;
    ensure(mesh.element_count() < (std::int32_t{1} << 28) / shape_.dofs, "the index array has room for every dof");
    std::vector<std::int32_t> codes(neighbour_.size(), 0);
    for (std::size_t e = 0; e < mesh.neighbour.size(); ++e)
      for (std::size_t f = 0; f < 4; ++f) {
        const std::int32_t tag = mesh.boundary[e][f];
        const bool is_wall = tag >= 0;
        const auto mirror = !is_wall ? kernels::FaceMirror::none
                            : problem_.walls[static_cast<std::size_t>(tag)] == march::Wall::electric
                                ? kernels::FaceMirror::electric
                                : kernels::FaceMirror::magnetic;
        const std::size_t other = is_wall ? e : static_cast<std::size_t>(mesh.neighbour[e][f]);
        const std::size_t face = is_wall ? f : mesh.neighbour_face[e][f];
        for (std::size_t k = 0; k < reference_.face_dofs; ++k)
          codes[e * traces() + f * reference_.face_dofs + k] = static_cast<std::int32_t>(
              4 * (other * reference_.dofs + reference_.on_face[face][k]) + static_cast<std::size_t>(mirror));
      }
    return codes;
  }

  /// [thread block][column][thread], some blocks at a time.
  void set_matrices(double dt_m) {
    const std::int64_t at_once = std::max<std::int64_t>(1, (std::int64_t{1} << 25) / std::int64_t(block_size()));
    for (std::int64_t first = 0; first < blocks_; first += at_once) {
      const auto count = static_cast<std::size_t>(std::min(at_once, blocks_ - first));
      std::array<std::vector<S>, 2> values;
      for (auto& field : values) field.assign(count * block_size(), S(0));
      for_ranges(count, static_cast<std::size_t>(backend_.threads()),
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t block = begin; block < end; ++block) fill_block(first, block, dt_m, values);
                 });
      const std::size_t at = static_cast<std::size_t>(first) * block_size();
      electric_.matrix.upload(values[0], at);
      magnetic_.matrix.upload(values[1], at);
    }
  }

  void fill_block(std::int64_t first, std::size_t block, double dt_m, std::array<std::vector<S>, 2>& values) const {
    const auto n = static_cast<std::size_t>(shape_.dofs);
    for (std::int64_t k = 0; k < elements_in_block_; ++k) {
      const std::int64_t element = (first + static_cast<std::int64_t>(block)) * elements_in_block_ + k;
      if (element >= problem_.mesh->element_count()) return;
      const auto made = march::central_matrices(problem_, static_cast<LocalIndex>(element), dt_m);
      for (std::size_t field = 0; field < 2; ++field)
        for (std::size_t column = 0; column < made[field].columns(); ++column)
          for (std::size_t row = 0; row < n; ++row)
            values[field][block * block_size() + column * threads() + static_cast<std::size_t>(k) * n + row] =
                static_cast<S>(made[field](row, column));
    }
  }

  void run(std::size_t part, Field which) {
    const bool electric = which == Field::electric;
    Level& target = electric ? electric_ : magnetic_;
    const Level& source = electric ? magnetic_ : electric_;
    DissertationUpdate<S> update{target.matrix.data(),
                                 neighbour_.data(),
                                 source.values.data(),
                                 target.values.data(),
                                 electric ? kernels::mirror_code_of_magnetic : kernels::mirror_code_of_electric,
                                 {}};
    for (std::size_t k = 0; k < traces(); ++k)
      update.own[k] = static_cast<std::uint8_t>(reference_.on_face[k / reference_.face_dofs][k % reference_.face_dofs]);
    if (part == 0)
      launch_volume(backend_.stream(), problem_.space, block_, update, blocks_);
    else
      launch_surface(backend_.stream(), problem_.space, block_, update, blocks_);
  }

  CudaBackend backend_;
  march::Problem problem_;
  int block_;
  const basis::ReferenceElement& reference_;
  march::StoredShape shape_;
  std::int64_t elements_in_block_;
  std::int64_t blocks_;
  Buffer<std::int32_t> neighbour_;
  Level electric_;
  Level magnetic_;
  std::vector<std::string> parts_{"volume", "surface"};
};

}  // namespace

march::UnfusedFactory make_dissertation(int block) {
  ensure(block == 480 || block == 512, "thread blocks of the dissertation's tables");
  return
      [block](const march::Problem& problem, const march::EngineOptions& options) -> std::unique_ptr<march::Unfused> {
        CudaBackend backend(0, march::threads_of_rank(options, comm::Communicator::self()));
        if (options.precision == Precision::single_precision)
          return std::make_unique<DissertationMarch<float>>(std::move(backend), problem, block);
        return std::make_unique<DissertationMarch<double>>(std::move(backend), problem, block);
      };
}

}  // namespace tetrawave::cuda
