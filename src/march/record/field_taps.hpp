// Fields of chosen elements on a device: snapshots passed out in parts, and Fourier sums over the steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/constants.hpp"
#include "kernels/field_taps.hpp"
#include "march/elements/element_system.hpp"
#include "march/interface/engine.hpp"
#include "march/interface/per_field.hpp"

namespace tetrawave::march {

/// Elements of a list per team.
inline constexpr std::int64_t tap_chunk = 1024;
/// Elements of a list passed out at once.
inline constexpr std::int64_t tap_page = 65536;
/// Steps of the fine table of phases.
inline constexpr std::int64_t phase_steps = 1024;

template <class Backend, class S>
class FieldTaps {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  /// Null if the problem outputs no fields. `staggered`: H is available half a step before and after E; `shift`: the
  /// time of H in sums relative to that of E [steps].
  template <class Layout>
  static std::optional<FieldTaps> make(Backend& backend, const Problem& problem, const Layout& layout, int dofs,
                                       bool staggered, double shift) {
    if (problem.fields.every == 0 && problem.fields.frequencies_hz.empty()) return std::nullopt;
    return std::make_optional<FieldTaps>(backend, problem, layout, dofs, staggered, shift);
  }

  template <class Layout>
  FieldTaps(Backend& backend, const Problem& problem, const Layout& layout, int dofs, bool staggered, double shift)
      : backend_(backend),
        output_(problem.fields),
        staggered_(staggered),
        shift_(shift),
        dofs_(dofs),
        listed_(static_cast<std::int64_t>(output_.elements.size())),
        frequencies_(static_cast<std::int64_t>(output_.frequencies_hz.size())),
        slot_(backend, of_elements<std::int32_t>([&](LocalIndex e) { return layout.slot(e); })),
        scale_(backend,
               of_elements<S>(
                   [&](LocalIndex e) { return static_cast<S>(problem.classes.step_of(problem.classes.of(e), 1)); },
                   problem.records_rates())),
        earlier_(backend, output_.every > 0 && staggered ? size_of(listed_) : 0),
        page_(backend, size_of(std::min(listed_, tap_page))),
        sums_(per_field([&](Field) { return Buffer<S>(backend, 2 * size_of(listed_ * frequencies_)); })),
        fine_(per_field([&](Field) { return Buffer<double>(backend, phases_at(phase_steps)); })),
        phase_(per_field([&](Field) { return Buffer<double>(backend, phases_at(1)); })) {
    for (const LocalIndex e : output_.elements) ids_.push_back(problem.mesh->global_id[static_cast<std::size_t>(e)]);
  }

  /// Before the first step: tables of phases for a run of `steps` steps, sums of zero.
  void begin(double dt_m, std::int64_t steps) {
    dt_s_ = dt_m / c0_m_per_s;
    if (frequencies_ == 0) return;
    coarse_steps_ = steps / phase_steps + 1;
    coarse_.emplace(backend_, phases_at(coarse_steps_));
    coarse_->upload(phases(coarse_steps_, phase_steps, 0));
    for (const Field which : both_fields) {
      fine_[which].upload(phases(phase_steps, 1, which == Field::electric ? 0 : shift_));
      sums_[which].clear();
    }
  }

  /// Queues: shares of the fields of this step are added to the sums.
  void add(const S* electric, const S* magnetic, const std::int64_t* step, double electric_share = 1,
           double magnetic_share = 1) {
    if (frequencies_ == 0) return;
    if (electric_share != 0) add_one(electric, nullptr, Field::electric, step, electric_share);
    if (magnetic_share != 0) add_one(magnetic, nullptr, Field::magnetic, step, magnetic_share);
  }
  /// Queues: `share` times the rate of H is added to the sums of H, each element with the step of its level.
  void add_rate(const S* rate, const std::int64_t* step, double share) {
    if (frequencies_ > 0) add_one(rate, scale_.data(), Field::magnetic, step, share);
  }

  /// Whether step n has a snapshot, except for the last step of the run.
  [[nodiscard]] bool is_due(std::int64_t n) const { return output_.every > 0 && n % output_.every == 0; }
  [[nodiscard]] bool has_snapshots() const { return output_.every > 0; }
  [[nodiscard]] std::int64_t every() const { return output_.every; }

  /// Queues: stores H half a step before a snapshot.
  void keep_magnetic(const S* magnetic) {
    if (!staggered_) return;
    gather(magnetic, nullptr, 1, nullptr, 0, 0, listed_, earlier_);
  }
  /// Queues instead: stores the rate of H, each element with the step of its level.
  void keep_rate(const S* rate) { gather(rate, scale_.data(), 1, nullptr, 0, 0, listed_, earlier_); }

  /// The fields at the time of E; H is the mean of the stored and the present one, or `share` of the present one and
  /// `kept_share` of the stored one.
  [[nodiscard]] FieldDofs snapshot(const S* electric, const S* magnetic, double share = 0.5, double kept_share = 0.5) {
    return [this, electric, magnetic, share, kept_share](Field which, std::int64_t first, std::int64_t count) {
      const bool mean = which == Field::magnetic && staggered_;
      return read(which == Field::electric ? electric : magnetic, mean ? static_cast<S>(share) : S(1),
                  mean ? earlier_.data() : nullptr, static_cast<S>(kept_share), first, count);
    };
  }

  [[nodiscard]] bool has_sums() const { return frequencies_ > 0; }
  /// Minimum of bytes moved by a sample of the sums: sums read and written, and fields read.
  [[nodiscard]] std::int64_t bytes_of_sample() const {
    if (!has_sums()) return 0;
    return static_cast<std::int64_t>(2 * size_of(listed_) * sizeof(S)) * (4 * frequencies_ + 1);
  }
  /// Fourier sums of samples taken every `every` steps.
  [[nodiscard]] FieldDofs sums(std::size_t frequency, bool imaginary, std::int64_t every) {
    return [this, at = (2 * frequency + (imaginary ? 1 : 0)) * size_of(listed_),
            between_s = dt_s_ * static_cast<double>(every)](Field which, std::int64_t first, std::int64_t count) {
      std::vector<double> dofs = read(nullptr, 0, sums_[which].data() + at, 1, first, count);
      for (double& dof : dofs) dof *= between_s;
      return dofs;
    };
  }

  void register_state(StateRegistry& registry) {
    for (std::size_t f = 0; f < output_.frequencies_hz.size(); ++f)
      for (const Field which : both_fields) {
        const std::string name = (which == Field::electric ? "E_sum_" : "H_sum_") + std::to_string(f);
        registry.add(ListedState{name, 2 * dofs_, sizeof(S) == sizeof(float), ids_,
                                 [this, f, which] { return ElementValues(save_sum(f, sums_[which])); },
                                 [this, f, which](const ElementValues& values) {
                                   load_sum(f, std::get<std::vector<S>>(values), sums_[which]);
                                 }});
      }
  }

 private:
  template <class T, class Number>
  [[nodiscard]] std::vector<T> of_elements(const Number& number, bool wanted = true) const {
    std::vector<T> list;
    for (const LocalIndex e : output_.elements)
      if (wanted) list.push_back(number(e));
    return list;
  }
  [[nodiscard]] std::size_t size_of(std::int64_t elements) const {
    return static_cast<std::size_t>(elements) * static_cast<std::size_t>(dofs_);
  }
  [[nodiscard]] std::int64_t teams_of(std::int64_t elements) const {
    return (elements + tap_chunk - 1) / tap_chunk * dofs_;
  }

  /// Numbers of phases of all frequencies at so many times.
  [[nodiscard]] std::size_t phases_at(std::int64_t times) const {
    return static_cast<std::size_t>(2 * frequencies_ * times);
  }

  /// exp(-j 2 pi f (k stride + shift) dt), k < count, [frequency][k] as pairs.
  [[nodiscard]] std::vector<double> phases(std::int64_t count, std::int64_t stride, double shift) const {
    std::vector<double> table;
    for (const double f : output_.frequencies_hz)
      for (std::int64_t k = 0; k < count; ++k) {
        const double turns = f * dt_s_ * (static_cast<double>(k * stride) + shift);
        const double angle = 2 * pi * (turns - std::floor(turns));
        table.insert(table.end(), {std::cos(angle), -std::sin(angle)});
      }
    return table;
  }

  void add_one(const S* field, const S* scale, Field which, const std::int64_t* step, double share) {
    kernels::Phases phases;
    phases.coarse = coarse_->data();
    phases.fine = fine_[which].data();
    phases.coarse_steps = coarse_steps_;
    phases.fine_steps = phase_steps;
    phases.frequencies = frequencies_;
    phases.step = step;
    phases.share = share;
    phases.phase = phase_[which].data();
    backend_.for_teams(phases, 1);
    kernels::AddFourier<S> add;
    add.field = field;
    add.scale = scale;
    add.slot = slot_.data();
    add.listed = listed_;
    add.chunk = tap_chunk;
    add.dofs = dofs_;
    add.frequencies = frequencies_;
    add.phase = phases.phase;
    add.sum = sums_[which].data();
    backend_.for_teams(add, teams_of(listed_));
  }

  void gather(const S* field, const S* scale, S share, const S* kept, S kept_share, std::int64_t first,
              std::int64_t count, Buffer<S>& out) {
    kernels::GatherField<S> kernel;
    kernel.field = field;
    kernel.scale = scale;
    kernel.kept = kept;
    kernel.share = share;
    kernel.kept_share = kept_share;
    kernel.slot = slot_.data();
    kernel.listed = listed_;
    kernel.first = first;
    kernel.count = count;
    kernel.chunk = tap_chunk;
    kernel.dofs = dofs_;
    kernel.out = out.data();
    backend_.for_teams(kernel, teams_of(count));
  }

  /// Element by element, page by page.
  std::vector<double> read(const S* field, S share, const S* kept, S kept_share, std::int64_t first,
                           std::int64_t count) {
    std::vector<double> dofs(size_of(count));
    for (std::int64_t done = 0; done < count; done += tap_page) {
      const std::int64_t part = std::min(tap_page, count - done);
      gather(field, nullptr, share, kept, kept_share, first + done, part, page_);
      const std::vector<S> page = page_.download();
      for (std::int64_t e = 0; e < part; ++e)
        for (int i = 0; i < dofs_; ++i)
          dofs[size_of(done + e) + static_cast<std::size_t>(i)] =
              static_cast<double>(page[static_cast<std::size_t>(i * part + e)]);
    }
    return dofs;
  }

  /// A row of an element: real parts of its dofs, then imaginary ones.
  std::vector<S> save_sum(std::size_t frequency, const Buffer<S>& sum) {
    const std::vector<S> part = sum.download(2 * frequency * size_of(listed_), 2 * size_of(listed_));
    std::vector<S> rows(2 * size_of(listed_));
    for (std::size_t row = 0; row < 2 * static_cast<std::size_t>(dofs_); ++row)
      for (std::size_t e = 0; e < ids_.size(); ++e)
        rows[e * 2 * static_cast<std::size_t>(dofs_) + row] = part[row * ids_.size() + e];
    return rows;
  }
  void load_sum(std::size_t frequency, const std::vector<S>& rows, Buffer<S>& sum) {
    std::vector<S> part(2 * size_of(listed_));
    for (std::size_t row = 0; row < 2 * static_cast<std::size_t>(dofs_); ++row)
      for (std::size_t e = 0; e < ids_.size(); ++e)
        part[row * ids_.size() + e] = rows[e * 2 * static_cast<std::size_t>(dofs_) + row];
    sum.upload(part, 2 * frequency * size_of(listed_));
  }

  Backend& backend_;
  FieldOutput output_;
  bool staggered_;
  double shift_;
  int dofs_;
  std::int64_t listed_;
  std::int64_t frequencies_;
  std::vector<GlobalIndex> ids_;
  double dt_s_ = 0;
  Buffer<std::int32_t> slot_;
  Buffer<S> scale_;    ///< with LTS: the step of each element over that of the time loop
  Buffer<S> earlier_;  ///< H half a step before a snapshot
  Buffer<S> page_;
  PerField<Buffer<S>> sums_;  ///< [frequency][part][dof][element]
  std::int64_t coarse_steps_ = 1;
  std::optional<Buffer<double>> coarse_;  ///< phases at multiples of phase_steps
  PerField<Buffer<double>> fine_;         ///< at the steps within
  PerField<Buffer<double>> phase_;        ///< at the present step
};

}  // namespace tetrawave::march
