// The leap-frog march of DGTD-Central on one rank: E at n, H at n + 1/2.
#pragma once

#include <chrono>
#include <optional>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "march/element_system.hpp"
#include "march/engine.hpp"
#include "march/open_walls.hpp"
#include "march/recorder.hpp"
#include "march/stable_step.hpp"
#include "march/stored_field.hpp"
#include "schemes/dgtd_central.hpp"

namespace tetrawave::march {

/// Open walls of one field on the device.
template <class Backend, class S>
struct DeviceOpenWalls {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  int faces;
  bool border;
  std::int64_t blocks;
  Buffer<std::int32_t> element;
  Buffer<std::int32_t> face;
  Buffer<std::int32_t> wave;
  Buffer<S> matrix;
  Buffer<S> trace;

  DeviceOpenWalls(Backend& backend, const OpenWallList<S>& list, int traces, int lanes)
      : faces(list.faces),
        border(list.border),
        blocks(list.blocks),
        element(backend, list.element.size()),
        face(backend, list.face.size()),
        wave(backend, list.wave.size()),
        matrix(backend, list.matrix.size()),
        trace(backend, static_cast<std::size_t>(list.blocks * lanes * list.faces * traces)) {
    element.upload(list.element);
    face.upload(list.face);
    wave.upload(list.wave);
    matrix.upload(list.matrix);
  }
};

/// Everything one field needs to be advanced.
template <class Backend, class S>
struct FieldUpdate {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  Buffer<S> values;
  Buffer<S> decay;
  Buffer<S> gain;
  Buffer<S> weight;  ///< eps or mu per class, for the energy
  Field field;
  std::uint32_t mirror_code;  ///< of the other field, which is gathered
  std::vector<DeviceOpenWalls<Backend, S>> walls;
  std::optional<Buffer<S>> waves;  ///< [wave][step]
};

/// `S`: number type of the fields.
template <class Backend, class S>
class March final : public Engine {
 public:
  March(Backend backend, const Problem& problem, const comm::Communicator& ranks)
      : backend_(std::move(backend)),
        problem_(problem),
        system_(backend_, problem_, ranks),
        electric_(make_update(Field::electric, schemes::electric_weights(problem.media))),
        magnetic_(make_update(Field::magnetic, schemes::magnetic_weights(problem.media))),
        recorder_(backend_, problem_, system_.layout(), system_.dofs()),
        step_(backend_, 1) {
    if (problem.energy_every > 0) earlier_.emplace(system_.make_field());
    if (problem.layout == Layout::stored) stored_.emplace(system_, problem_);
  }

  double find_stable_step() override { return StableStep<Backend>(backend_, problem_, system_.ranks()).find(); }

  void start(const Start& start) override {
    dt_m_ = start.dt_m;
    steps_ = start.steps;
    now_ = 0;
    taken_ = 0;
    record_ = {};
    energies_.clear();
    upload_field(electric_, start.electric);
    upload_field(magnetic_, start.magnetic);
    if (start.electric && start.magnetic) step_back();
    set_coefficients(electric_, schemes::electric_coefficients(problem_.media, start.dt_m));
    set_coefficients(magnetic_, schemes::magnetic_coefficients(problem_.media, start.dt_m));
    if (stored_) stored_->set_step(start.dt_m);
    upload_step();  // set_walls reads it
    set_walls(electric_, Field::electric, start.waves_electric);
    set_walls(magnetic_, Field::magnetic, start.waves_magnetic);
    system_.exchange(electric_.values);
    recorder_.sample_magnetic(magnetic_.values.data(), step_.data());
    before_start_ = recorder_.take(0, 1, system_.ranks());
    if (!before_start_.empty())
      before_start_.erase(before_start_.begin(),
                          before_start_.begin() + static_cast<std::ptrdiff_t>(problem_.electric.size()));
    program_.reset();
  }

  void advance(std::int64_t steps) override {
    const std::int64_t end = now_ + steps;
    while (now_ < end) {
      if (energy_is_due()) {
        step_with_energy();
        continue;
      }
      const std::int64_t until = std::min({end, next_energy(), taken_ + recorder_.rows()});
      if (until == now_) {
        take_rows();
        continue;
      }
      run_steps(until - now_);
    }
  }

  void synchronize() override { backend_.synchronize(); }

  void finish() override {
    if (now_ == taken_ + recorder_.rows()) take_rows();
    const bool energy = problem_.energy_every > 0;
    if (energy) backend_.copy(magnetic_.values, *earlier_);
    half_step(magnetic_, electric_);
    sample();
    if (energy) record_energy();
    ++now_;  // the row of step N is complete; E stays at N
    take_rows();
  }

  Record take_record() override {
    if (now_ > taken_) take_rows();
    Record result = std::move(record_);
    record_ = {result.first + result.rows, 0, {}};
    return result;
  }

  [[nodiscard]] std::vector<double> magnetic_before_start() const override { return before_start_; }
  std::vector<EnergyRow> take_energy() override { return std::exchange(energies_, {}); }

  double present_energy() override {
    return joules(system_.product(electric_.values, electric_.values, electric_.weight)) +
           joules(system_.product(magnetic_.values, magnetic_.values, magnetic_.weight));
  }

  void register_state(StateRegistry& registry) override {
    registry.add(element_state("E", electric_));  // at n
    registry.add(element_state("H", magnetic_));  // at n - 1/2
    registry.add(SharedState{"step", [this] { return std::vector<double>{static_cast<double>(now_)}; },
                             [this](const std::vector<double>& step) {
                               ensure(step.size() == 1, "the step is one number");
                               now_ = static_cast<std::int64_t>(step.front());
                             }});
  }

  /// Ghosts and wall traces are functions of the fields: traces are what `absorb` has left of them.
  void go_on() override {
    ensure(now_ >= 0 && now_ <= steps_, "a state lies within its march");
    taken_ = now_;
    record_ = {now_, 0, {}};
    energies_.clear();
    upload_step();
    remember_traces(electric_);
    remember_traces(magnetic_);
    system_.exchange(electric_.values);
  }

  WorstElement find_worst_element() override {
    const auto& layout = system_.layout();
    const std::int64_t own = layout.border.count + layout.inner.count;
    Buffer<S> value(backend_, static_cast<std::size_t>(own * layout.lanes));
    std::vector<double> energy(problem_.mesh->global_id.size(), 0.0);
    for (const Update* update : {&electric_, &magnetic_}) {
      const S* field = update->values.data();
      backend_.for_blocks(problem_.space,
                          kernels::MassProduct<S>{system_.view(), field, field, update->weight.data(), value.data()}, 0,
                          own);
      const std::vector<S> found = value.download();
      for (LocalIndex e = 0; e < problem_.mesh->element_count(); ++e)
        energy[static_cast<std::size_t>(e)] += joules(static_cast<double>(found[layout.at(layout.slot(e), 1, 0)]));
    }
    return find_worst(*problem_.mesh, energy, system_.ranks());
  }

  std::vector<double> field(Field which) override {
    const std::vector<S> dofs = dofs_of(which == Field::electric ? electric_ : magnetic_);
    return std::vector<double>(dofs.begin(), dofs.end());
  }

  [[nodiscard]] std::int64_t device_memory_bytes() const override { return backend_.allocated_bytes(); }
  [[nodiscard]] std::int64_t bytes_per_step() const override {
    const auto factored = static_cast<std::int64_t>((3 * dofs() + 6) * sizeof(S) + 5 * 4);
    return 2 * (stored_ ? stored_->bytes_per_half_step() : factored) * problem_.mesh->element_count();
  }
  [[nodiscard]] double seconds_communication() const override { return waited_; }
  [[nodiscard]] std::string device() const override { return backend_.device(); }
  [[nodiscard]] int threads() const override { return backend_.threads(); }

 private:
  using Update = FieldUpdate<Backend, S>;
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  [[nodiscard]] std::size_t dofs() const { return static_cast<std::size_t>(system_.dofs()); }
  static double joules(double product) { return eps0_f_per_m * product / 2; }

  Update make_update(Field field, const std::vector<double>& weights) {
    const std::size_t classes = weights.size();
    const std::uint32_t mirror_code =
        field == Field::electric ? kernels::mirror_code_of_magnetic : kernels::mirror_code_of_electric;
    Update update{system_.make_field(),
                  {backend_, classes},
                  {backend_, classes},
                  {backend_, classes},
                  field,
                  mirror_code,
                  {},
                  {}};
    upload_as(update.weight, weights);
    return update;
  }

  void upload_as(Buffer<S>& buffer, const std::vector<double>& values) {
    buffer.upload(std::vector<S>(values.begin(), values.end()));
  }

  void set_coefficients(Update& update, const schemes::UpdateCoefficients& coefficients) {
    upload_as(update.decay, coefficients.decay);
    upload_as(update.gain, coefficients.gain);
  }

  /// Of all elements of this rank, in the order of the mesh.
  [[nodiscard]] std::vector<S> dofs_of(const Update& update) const {
    const std::vector<S> values = update.values.download();
    const auto& layout = system_.layout();
    std::vector<S> dofs;
    dofs.reserve(problem_.mesh->global_id.size() * this->dofs());
    for (LocalIndex e = 0; e < problem_.mesh->element_count(); ++e)
      for (int i = 0; i < system_.dofs(); ++i) dofs.push_back(values[layout.at(layout.slot(e), system_.dofs(), i)]);
    return dofs;
  }

  template <class T>
  void set_dofs(Update& update, const std::vector<T>& dofs) {
    ensure(dofs.size() == problem_.mesh->global_id.size() * this->dofs(), "a field has n dofs per element");
    const auto& layout = system_.layout();
    std::vector<S> values(system_.field_size(), S(0));
    for (LocalIndex e = 0; e < problem_.mesh->element_count(); ++e)
      for (int i = 0; i < system_.dofs(); ++i)
        values[layout.at(layout.slot(e), system_.dofs(), i)] =
            static_cast<S>(dofs[static_cast<std::size_t>(e) * this->dofs() + static_cast<std::size_t>(i)]);
    update.values.upload(values);
  }

  void upload_field(Update& update, const std::optional<std::vector<double>>& dofs) {
    if (dofs)
      set_dofs(update, *dofs);
    else
      update.values.upload(std::vector<S>(system_.field_size(), S(0)));
  }

  ElementState element_state(const std::string& name, Update& update) {
    return {name, system_.dofs(), sizeof(S) == sizeof(float),
            [this, &update] { return ElementValues(dofs_of(update)); },
            [this, &update](const ElementValues& values) { set_dofs(update, std::get<std::vector<S>>(values)); }};
  }

  /// H from t = 0 to -dt/2, so that the first half step brings it to +dt/2 symmetrically about the initial state.
  void step_back() {
    set_coefficients(magnetic_, schemes::magnetic_back_step(problem_.media, dt_m_));
    system_.exchange(electric_.values);
    const auto& layout = system_.layout();
    launch_factored(magnetic_, electric_, {0, layout.border.count + layout.inner.count});
  }

  void set_walls(Update& update, Field field, const std::vector<std::vector<double>>& waves) {
    const auto& layout = system_.layout();
    update.walls.clear();
    if (!stored_)  // its matrices hold the walls
      for (const auto& list : make_open_walls(problem_, layout, field, dt_m_))
        update.walls.emplace_back(backend_, list, static_cast<int>(basis::reference_element(problem_.space).face_dofs),
                                  layout.lanes);
    const auto length = static_cast<std::size_t>(steps_ + 1);
    std::vector<S> all(length, S(0));  // row 0: silence
    for (const auto& wave : waves) all.insert(all.end(), wave.begin(), wave.end());
    ensure(all.size() == length * (waves.size() + 1), "a wave has the wrong length");
    update.waves.emplace(backend_, all.size());
    update.waves->upload(all);
    remember_traces(update);
  }

  /// With zero matrices the kernel changes nothing and stores the traces of the initial field.
  void remember_traces(Update& update) {
    for (auto& walls : update.walls) {
      Buffer<S> zero(backend_, walls.matrix.size());
      run_absorb(update, walls, zero);
      backend_.synchronize();
    }
  }

  void run_absorb(Update& update, DeviceOpenWalls<Backend, S>& walls, const Buffer<S>& matrix) {
    kernels::Absorb<S> kernel;
    kernel.faces = walls.faces;
    kernel.field = update.values.data();
    kernel.element = walls.element.data();
    kernel.face = walls.face.data();
    kernel.wave = walls.wave.data();
    kernel.matrix = matrix.data();
    kernel.trace = walls.trace.data();
    kernel.waves = update.waves->data();
    kernel.wave_length = steps_ + 1;
    kernel.step = step_.data();
    backend_.for_blocks(problem_.space, kernel, 0, walls.blocks);
  }

  void launch(Update& target, const Update& source, BlockRange range) {
    if (stored_)
      stored_->advance(target.field, target.values.data(), source.values.data(), target.mirror_code, range);
    else
      launch_factored(target, source, range);
  }

  void launch_factored(Update& target, const Update& source, BlockRange range) {
    backend_.for_blocks(problem_.space,
                        kernels::CentralUpdate<S>{system_.view(), source.values.data(), target.values.data(),
                                                  target.decay.data(), target.gain.data(), target.mirror_code},
                        range.first, range.count);
  }

  void absorb(Update& update, bool border) {
    if (stored_)
      stored_->add_waves(update.field, border, update.values.data(), update.waves->data(), steps_ + 1, step_.data());
    for (auto& walls : update.walls)
      if (walls.border == border) run_absorb(update, walls, walls.matrix);
  }

  /// Border elements first; their traces travel while the inner elements are advanced.
  void half_step(Update& target, const Update& source) {
    const auto& layout = system_.layout();
    launch(target, source, layout.border);
    absorb(target, true);
    system_.start_exchange(target.values);
    launch(target, source, layout.inner);
    absorb(target, false);
    if (system_.alone()) return;
    system_.send();
    const auto begin = std::chrono::steady_clock::now();
    system_.finish_exchange(target.values);
    waited_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  void sample() {
    recorder_.sample_electric(electric_.values.data(), step_.data());
    recorder_.sample_magnetic(magnetic_.values.data(), step_.data());
  }

  void tick() { backend_.for_teams(kernels::Tick{step_.data()}, 1); }

  void one_step() {
    half_step(magnetic_, electric_);
    sample();
    half_step(electric_, magnetic_);
    tick();
  }

  /// Without messages, batches of steps are one recorded program (a CUDA graph on a GPU).
  void run_steps(std::int64_t steps) {
    constexpr std::int64_t batch = 16;
    if (!system_.alone()) {
      for (std::int64_t k = 0; k < steps; ++k) one_step();
    } else {
      if (!program_)
        program_ = backend_.record([this] {
          for (std::int64_t k = 0; k < batch; ++k) one_step();
        });
      for (std::int64_t k = 0; k < steps / batch; ++k) backend_.replay(*program_);
      for (std::int64_t k = 0; k < steps % batch; ++k) one_step();
    }
    now_ += steps;
  }

  [[nodiscard]] bool energy_is_due() const {
    return problem_.energy_every > 0 && now_ % problem_.energy_every == 0 && now_ < taken_ + recorder_.rows();
  }
  [[nodiscard]] std::int64_t next_energy() const {
    if (problem_.energy_every == 0) return steps_ + 1;
    return (now_ + problem_.energy_every - 1) / problem_.energy_every * problem_.energy_every;
  }

  void step_with_energy() {
    backend_.copy(magnetic_.values, *earlier_);
    half_step(magnetic_, electric_);
    sample();
    record_energy();
    half_step(electric_, magnetic_);
    tick();
    ++now_;
  }

  void record_energy() {
    energies_.push_back({now_, joules(system_.product(electric_.values, electric_.values, electric_.weight)),
                         joules(system_.product(*earlier_, magnetic_.values, magnetic_.weight))});
  }

  void take_rows() {
    const std::vector<double> rows = recorder_.take(taken_, now_, system_.ranks());
    record_.values.insert(record_.values.end(), rows.begin(), rows.end());
    record_.rows += now_ - taken_;
    taken_ = now_;
  }

  void upload_step() { step_.upload(std::vector<std::int64_t>{now_}); }

  Backend backend_;
  Problem problem_;
  ElementSystem<Backend, S> system_;
  Update electric_;
  Update magnetic_;
  std::optional<StoredLayout<Backend, S>> stored_;
  Recorder<Backend, S> recorder_;
  Buffer<std::int64_t> step_;
  std::optional<Buffer<S>> earlier_;  ///< H half a step before, for the energy
  std::optional<typename Backend::Program> program_;
  double dt_m_ = 0;
  std::int64_t steps_ = 0;  ///< of the whole march
  std::int64_t now_ = 0;    ///< steps done
  std::int64_t taken_ = 0;  ///< rows taken off the ring
  Record record_;
  std::vector<double> before_start_;
  std::vector<EnergyRow> energies_;
  double waited_ = 0;
};

}  // namespace tetrawave::march
