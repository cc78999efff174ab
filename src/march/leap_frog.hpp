// What DGTD-Central and DFDD-ELD share: E at n and H at n + 1/2, each advanced from the other, walls within the step.
#pragma once

#include <algorithm>
#include <list>
#include <map>
#include <string>

#include "march/march.hpp"
#include "march/port_memories.hpp"
#include "march/wall_corrections.hpp"

namespace tetrawave::march {

/// Wall corrections of one field on the device.
template <class Backend, class S>
struct DeviceWalls {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  int faces;
  bool border;
  bool with_other;
  int branches;
  std::int64_t blocks;
  Buffer<std::int32_t> element;
  Buffer<std::int32_t> face;
  Buffer<std::int32_t> wave;
  Buffer<S> matrix;
  Buffer<S> trace;
  Buffer<S> branch;
  Buffer<S> memory;               ///< of conductors
  std::vector<LocalIndex> owner;  ///< their elements

  DeviceWalls(Backend& backend, const WallList<S>& list, std::size_t traces, int lanes)
      : faces(list.faces),
        border(list.border),
        with_other(list.with_other),
        branches(list.branches),
        blocks(list.blocks),
        element(backend, list.element.size()),
        face(backend, list.face.size()),
        wave(backend, list.wave.size()),
        matrix(backend, list.matrix.size()),
        trace(backend, static_cast<std::size_t>(list.blocks * lanes * list.faces) * traces),
        branch(backend, list.branch.size()),
        memory(backend, list.branch.size() / 2 * traces),
        owner(list.branches > 0 ? list.owner : std::vector<LocalIndex>()) {
    element.upload(list.element);
    face.upload(list.face);
    wave.upload(list.wave);
    matrix.upload(list.matrix);
    branch.upload(list.branch);
  }

  /// The kernel of this list on a field.
  kernels::WallCorrection<S> kernel(Buffer<S>& field, const Buffer<S>& chosen_matrix) {
    kernels::WallCorrection<S> kernel;
    kernel.faces = faces;
    kernel.field = field.data();
    kernel.element = element.data();
    kernel.face = face.data();
    kernel.wave = wave.data();
    kernel.matrix = chosen_matrix.data();
    kernel.trace = trace.data();
    return kernel;
  }
};

template <class Backend, class S>
using WallsOnDevice = std::list<DeviceWalls<Backend, S>>;

/// The wall lists of one field for a step dt_m (see make_wall_lists).
template <class Backend, class S>
WallsOnDevice<Backend, S> put_walls(Backend& backend, const Problem& problem, const ElementLayout<S>& layout,
                                    Field field, double dt_m) {
  WallsOnDevice<Backend, S> walls;
  for (const auto& list : make_wall_lists(problem, layout, field, dt_m))
    walls.emplace_back(backend, list, basis::reference_element(problem.space).face_dofs, layout.lanes);
  return walls;
}

/// Holds the fixed dofs of a field at zero once, by wall lists made for dt = 0.
template <class Backend, class S>
void hold_at_zero(Backend& backend, Space space, WallsOnDevice<Backend, S>& walls,
                  typename Backend::template Buffer<S>& field, const typename Backend::template Buffer<S>& silence,
                  const typename Backend::template Buffer<std::int64_t>& first_step) {
  for (auto& list : walls) {
    auto kernel = list.kernel(field, list.matrix);
    kernel.waves = silence.data();
    kernel.wave_length = 1;
    kernel.step = first_step.data();
    backend.for_blocks(space, kernel, 0, list.blocks);
  }
}

template <class Backend, class S>
class LeapFrog : public March<Backend, S> {
 public:
  using Base = March<Backend, S>;
  template <class T>
  using Buffer = typename Base::template Buffer<T>;

 protected:
  /// One of the two fields: its values, in DFDD-ELD their rate too, and its walls.
  struct Level {
    Field field;
    Buffer<S> value;
    std::optional<Buffer<S>> rate;
    WallsOnDevice<Backend, S> walls;
    std::optional<Buffer<S>> waves;  ///< [wave][step]
    /// What the update kernel advances and other elements see.
    Buffer<S>& coupled() { return rate ? *rate : value; }
    const Buffer<S>& coupled() const { return rate ? *rate : value; }
  };

  void register_state(StateRegistry& registry) override {
    Base::register_state(registry);
    const auto has_memory = [](const auto& branches) { return !branches.empty(); };
    const auto& all = this->problem_.wall_branches;
    if (std::none_of(all.begin(), all.end(), has_memory)) return;
    registry.add(memory_state(electric_, "E_walls"));
    registry.add(memory_state(magnetic_, "H_walls"));
  }

  LeapFrog(Backend backend, const Problem& problem, const comm::Communicator& ranks, bool with_rates)
      : Base(std::move(backend), problem, ranks, true, 1),
        electric_(make_level(Field::electric, with_rates)),
        magnetic_(make_level(Field::magnetic, with_rates)),
        memories_(this->backend_, this->problem_, this->system_) {}

  /// Queues what the border or inner elements of dispersive media need before the update and after it.
  virtual void before_update(Level& target, bool border) = 0;
  virtual void after_update(Level& /*target*/, bool /*border*/) {}
  /// After a state has been loaded: what media keep besides it.
  virtual void take_up_media() {}
  /// Whether the update leaves walls to corrections.
  [[nodiscard]] virtual bool corrects_walls() const { return true; }
  /// Queues the update kernel on a range of blocks.
  virtual void launch(Level& target, const Level& source, BlockRange range) = 0;
  /// From the fields at t = 0, which `value` holds, to the levels of the first step.
  virtual void set_levels() = 0;
  virtual void set_coefficients() = 0;
  /// When the sources of a field act, against the step (in steps).
  [[nodiscard]] virtual double source_shift(Field field) const = 0;
  /// What the walls of a field take of a wave at step n.
  [[nodiscard]] virtual double wave_at(const Wave& wave, Field field, std::int64_t n) const = 0;

  Buffer<S>& values(Field which) final { return which == Field::electric ? electric_.value : magnetic_.value; }

  void begin() final {
    this->upload_field(electric_.value, this->given_->electric);
    this->upload_field(magnetic_.value, this->given_->magnetic);
    set_levels();
    set_coefficients();
    set_walls(electric_);
    set_walls(magnetic_);
    memories_.begin(this->start_.dt_m);
    take_up();
  }

  /// Ghosts and wall traces are functions of the fields: traces are what the corrections have left of them.
  void take_up() final {
    take_up_media();
    remember_traces(electric_);
    remember_traces(magnetic_);
    this->system_.exchange({&electric_.coupled()});
  }

  void first_half() final {
    remember(electric_, magnetic_);
    half_step(magnetic_, electric_);
    this->sample();
  }
  void second_half() final {
    remember(magnetic_, electric_);
    half_step(electric_, magnetic_);
    this->tick();
  }

  Level electric_;
  Level magnetic_;
  PortMemories<Backend, S> memories_;

 private:
  /// What conductors at the walls remember: a row per element that has one, of the most numbers that an element can
  /// have.
  ListedState memory_state(Level& level, const std::string& name) {
    std::size_t branches = 0;
    for (const auto& list : this->problem_.wall_branches) branches = std::max(branches, list.size());
    const std::size_t width = 4 * branches * basis::reference_element(this->problem_.space).face_dofs;
    struct Place {
      GlobalIndex id;
      DeviceWalls<Backend, S>* walls;
      std::int32_t item;
    };
    std::vector<Place> places;
    for (auto& walls : level.walls)
      for (std::size_t k = 0; k < walls.owner.size(); ++k)
        places.push_back({this->problem_.mesh->global_id[static_cast<std::size_t>(walls.owner[k])], &walls,
                          static_cast<std::int32_t>(k)});
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.id < b.id; });
    ListedState state{name, static_cast<int>(width), sizeof(S) == sizeof(float), {}, {}, {}};
    for (const Place& place : places) state.ids.push_back(place.id);
    // work(number in the row, number in the list's memory) of one element
    const auto visit = [this, width](const Place& place, const auto& work) {
      const auto rows = static_cast<int>(static_cast<std::size_t>(place.walls->faces) * width / 4);
      for (int row = 0; row < rows; ++row)
        work(static_cast<std::size_t>(row), this->system_.layout().at(place.item, rows, row));
    };
    state.save = [places, width, visit] {
      std::vector<S> all(places.size() * width, S(0));
      std::map<const void*, std::vector<S>> memories;
      for (std::size_t k = 0; k < places.size(); ++k) {
        auto& memory = memories[places[k].walls];
        if (memory.empty()) memory = places[k].walls->memory.download();
        visit(places[k], [&](std::size_t row, std::size_t at) { all[k * width + row] = memory[at]; });
      }
      return ElementValues(std::move(all));
    };
    state.load = [places, width, visit](const ElementValues& values) {
      const auto& all = std::get<std::vector<S>>(values);
      std::map<DeviceWalls<Backend, S>*, std::vector<S>> memories;
      for (std::size_t k = 0; k < places.size(); ++k) {
        auto& memory = memories[places[k].walls];
        memory.resize(places[k].walls->memory.size(), S(0));
        visit(places[k], [&](std::size_t row, std::size_t at) { memory[at] = all[k * width + row]; });
      }
      for (auto& [walls, memory] : memories) walls->memory.upload(memory);
    };
    return state;
  }

  Level make_level(Field field, bool with_rate) {
    Level level{field, this->system_.make_field(), {}, {}, {}};
    if (with_rate) level.rate.emplace(this->system_.make_field());
    return level;
  }

  void set_walls(Level& level) {
    level.walls.clear();
    if (corrects_walls())
      level.walls =
          put_walls<Backend, S>(this->backend_, this->problem_, this->system_.layout(), level.field, this->start_.dt_m);
    level.waves.emplace(this->wave_table(this->start_.steps + 1, [this, &level](const Wave& wave, std::int64_t n) {
      return wave_at(wave, level.field, n);
    }));
  }

  /// With zero matrices the kernel changes nothing and stores the traces of the field.
  void remember_traces(Level& level) {
    for (auto& walls : level.walls) {
      Buffer<S> zero(this->backend_, walls.matrix.size());
      run_walls(level, level, walls, zero);
      this->backend_.synchronize();
    }
  }

  void run_walls(Level& level, const Level& other, DeviceWalls<Backend, S>& walls, const Buffer<S>& matrix) {
    auto kernel = walls.kernel(level.coupled(), matrix);
    if (level.rate) {
      kernel.advanced = level.value.data();
      kernel.advance = static_cast<S>(this->start_.dt_m);
    }
    if (walls.with_other) kernel.other = other.coupled().data();
    kernel.waves = level.waves->data();
    kernel.wave_length = this->start_.steps + 1;
    kernel.step = this->step_.data();
    if (&matrix == &walls.matrix) {  // else the traces are only looked at
      kernel.branches = walls.branches;
      kernel.of_electric = level.field == Field::electric;
      kernel.branch = walls.branch.data();
      kernel.memory = walls.memory.data();
    }
    this->backend_.for_blocks(this->problem_.space, kernel, 0, walls.blocks);
  }

  void add_sources(Level& target, bool border) {
    this->sources_.add(target.field, border, target.coupled().data(), target.rate ? target.value.data() : nullptr,
                       this->start_.dt_m, this->step_.data(), source_shift(target.field));
  }

  /// Ports with memory see `known`, and send into the half step of `next`.
  void remember(const Level& known, Level& next) {
    memories_.after(known.field, known.value, *next.waves, this->start_.steps + 1, this->step_);
  }

  void half_step(Level& target, const Level& source) {
    this->overlap({&target.coupled()}, [&](BlockRange range, bool border) {
      before_update(target, border);
      launch(target, source, range);
      add_sources(target, border);
      for (auto& walls : target.walls)
        if (walls.border == border) run_walls(target, source, walls, walls.matrix);
      after_update(target, border);
    });
  }
};

}  // namespace tetrawave::march
