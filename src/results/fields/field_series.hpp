// Field files of one run: snapshots during the run, Fourier sums at its end; or phasors of one solution.
//
//   fields/NAME.vtkhdf, NAME.xdmf                 a step per snapshot
//   fields/NAME-frequencies.vtkhdf, .xdmf         a step per frequency
//   streams/fields.stream                         a row per snapshot: time, step, and a hash of what each file got
//
// The stream gives the number of valid snapshots; anything that a killed run wrote beyond that is overwritten.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "march/interface/engine.hpp"
#include "results/fields/field_grids.hpp"
#include "results/fields/ordered_rows.hpp"
#include "store/grid_series.hpp"
#include "store/stream.hpp"

namespace tetrawave::results {

/// Inputs of the files; the references must outlive FieldSeries.
struct FieldPlan {
  const march::Problem& problem;
  const std::vector<FieldGrid>& grids;
  double dt_s = 0;
  std::int64_t steps = 0;  ///< of the run, at most
  int threads = 1;
  bool gives_phasors = false;  ///< at frequencies: phasors [V/m, A/m], else Fourier sums over the run [V s/m, A s/m]
};

/// Bytes of all files of one run, on grids of this many cells and points.
[[nodiscard]] std::int64_t bytes_of_fields(const FieldsRequest& spec, std::int64_t cells, std::int64_t points,
                                           std::int64_t steps);

/// All functions are collective and throw the same UserError on all ranks, except those for rank 0.
class FieldSeries {
 public:
  /// `fields`, `streams`: folders of the run.
  FieldSeries(FieldPlan plan, const std::filesystem::path& fields, const std::filesystem::path& streams,
              const comm::Communicator& ranks);
  /// New files, overwriting existing ones; or, with `kept`, continues the files as they were at the marks (names
  /// relative to `run`). Throws bad_checkpoint if they have changed.
  void open(const std::vector<store::FileMark>* kept, const std::filesystem::path& run);

  /// The next snapshot.
  void take(std::int64_t step, const march::FieldDofs& dofs);
  /// After the last snapshot: reduces files to the steps taken.
  void finish();
  /// Dofs of E or H at a frequency of Problem::fields, real or imaginary parts.
  using Sums = std::function<march::FieldDofs(std::size_t frequency, bool imaginary)>;
  /// The sums of the whole run, or the phasors.
  void write_sums(const Sums& sums);

  /// On rank 0: makes everything written so far durable, with the XDMF files.
  void sync();
  /// On rank 0, after `sync`: the marks of the stream.
  [[nodiscard]] std::vector<store::FileMark> marks(const std::filesystem::path& run) const;

 private:
  using Files = std::vector<std::optional<store::GridSeries>>;
  [[nodiscard]] std::filesystem::path path_of(std::size_t grid, const std::string& suffix = "") const;
  [[nodiscard]] store::GridShape shape_of(std::size_t grid) const;
  [[nodiscard]] store::GridShape shape_of_snapshots(std::size_t grid, bool taken) const;
  [[nodiscard]] std::vector<std::string> columns() const;
  void write_geometry(const Files& files) const;
  void write_array(const Files& files, std::size_t array, std::int64_t step, march::Field which,
                   const march::FieldDofs& dofs, std::vector<Hash64>& hashes) const;
  void resume(const std::vector<store::FileMark>& kept, const std::filesystem::path& run);
  void check_snapshots(std::size_t grid, const store::StreamData& rows) const;

  FieldPlan plan_;
  std::filesystem::path folder_;
  std::filesystem::path stream_path_;
  comm::Communicator ranks_;
  std::vector<GlobalIndex> ids_;               ///< of the elements of the problem's list
  std::vector<FieldValues> values_;            ///< per grid
  std::vector<OrderedRows> orders_;            ///< per grid: points
  std::optional<store::StreamWriter> stream_;  ///< on rank 0
  std::vector<std::int64_t> taken_;            ///< steps of the snapshots so far, on rank 0
};

}  // namespace tetrawave::results
