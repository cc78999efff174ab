#include "results/fields/field_series.hpp"

#include <algorithm>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "basis/reference_element.hpp"
#include "store/atomic_file.hpp"
#include "store/file_list.hpp"

namespace tetrawave::results {

namespace {

namespace fs = std::filesystem;

const std::vector<store::GridShape::Array> snapshot_arrays{{"E", "V/m"}, {"H", "A/m"}};
const std::vector<store::GridShape::Array> sum_arrays{
    {"E_re", "V s/m"}, {"E_im", "V s/m"}, {"H_re", "A s/m"}, {"H_im", "A s/m"}};
const std::vector<store::GridShape::Array> phasor_arrays{
    {"E_re", "V/m"}, {"E_im", "V/m"}, {"H_re", "A/m"}, {"H_im", "A/m"}};

/// Snapshots of a run of `steps` steps: every few, and the last.
std::vector<std::int64_t> planned_steps(std::int64_t every, std::int64_t steps) {
  std::vector<std::int64_t> planned;
  for (std::int64_t step = 0; step < steps; step += every) planned.push_back(step);
  planned.push_back(steps);
  return planned;
}

std::vector<GlobalIndex> ids_of(const march::Problem& problem) {
  std::vector<GlobalIndex> ids;
  for (const LocalIndex e : problem.fields.elements)
    ids.push_back(problem.mesh->global_id[static_cast<std::size_t>(e)]);
  return ids;
}

OrderedRows order_points(const FieldGrid& grid, const std::vector<GlobalIndex>& ids, GlobalIndex count,
                         const comm::Communicator& ranks) {
  std::vector<GlobalIndex> own;
  std::vector<std::int32_t> points;
  for (std::size_t k = 0; k < grid.item.size(); ++k) {
    own.push_back(ids[static_cast<std::size_t>(grid.item[k])]);
    points.push_back(grid.corners * grid.cells[k]);
  }
  return {std::move(own), std::move(points), count, ranks};
}

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) fail(ExitCode::io, "{}: cannot make the directory: {}", folder.string(), failure.message());
}

}  // namespace

std::int64_t bytes_of_fields(const FieldsRequest& spec, std::int64_t cells, std::int64_t points, std::int64_t steps) {
  const std::int64_t geometry = points * (12 + 8) + cells * (8 + 1 + 4 + 8);
  std::int64_t bytes = 0;
  if (spec.every) bytes += geometry + 24 * points * (steps / *spec.every + 2);
  if (!spec.frequencies_hz.empty())
    bytes += geometry + 48 * points * static_cast<std::int64_t>(spec.frequencies_hz.size());
  return bytes;
}

FieldSeries::FieldSeries(FieldPlan plan, const fs::path& fields, const fs::path& streams,
                         const comm::Communicator& ranks)
    : plan_(plan), folder_(fields), stream_path_(streams / "fields.stream"), ranks_(ranks), ids_(ids_of(plan.problem)) {
  for (const FieldGrid& grid : plan_.grids) {
    values_.emplace_back(plan_.problem, grid, plan_.threads);
    orders_.push_back(order_points(grid, ids_, plan_.problem.mesh->global_element_count, ranks_));
  }
}

fs::path FieldSeries::path_of(std::size_t grid, const std::string& suffix) const {
  return folder_ / (plan_.grids[grid].name + suffix + ".vtkhdf");
}

store::GridShape FieldSeries::shape_of(std::size_t grid) const {
  store::GridShape shape;
  shape.corners = plan_.grids[grid].corners;
  shape.cells = orders_[grid].row_count() / shape.corners;
  shape.regions = plan_.problem.mesh->region_names;
  return shape;
}

store::GridShape FieldSeries::shape_of_snapshots(std::size_t grid, bool taken) const {
  store::GridShape shape = shape_of(grid);
  shape.arrays = snapshot_arrays;
  for (const std::int64_t step : taken ? taken_ : planned_steps(plan_.problem.fields.every, plan_.steps))
    shape.steps.push_back(static_cast<double>(step) * plan_.dt_s);
  return shape;
}

std::vector<std::string> FieldSeries::columns() const {
  std::vector<std::string> names{"time", "step"};
  for (const FieldGrid& grid : plan_.grids)
    for (const char* half : {"_hash_high", "_hash_low"}) names.push_back(grid.name + half);
  return names;
}

void FieldSeries::open(const std::vector<store::FileMark>* kept, const fs::path& run) {
  if (plan_.problem.fields.every == 0) return;
  if (kept != nullptr) {
    ranks_.agree([&] {
      if (ranks_.rank() == 0) resume(*kept, run);
    });
    return;
  }
  Files files(plan_.grids.size());
  ranks_.agree([&] {
    if (ranks_.rank() != 0) return;
    make_folder(folder_);
    for (std::size_t g = 0; g < files.size(); ++g) {
      store::note_file(path_of(g));
      files[g].emplace(store::GridSeries::create(path_of(g), shape_of_snapshots(g, false)));
    }
    stream_.emplace(stream_path_, columns());
  });
  write_geometry(files);
  ranks_.agree([&] {
    for (auto& file : files)
      if (file) file->close();
  });
}

void FieldSeries::write_geometry(const Files& files) const {
  const LocalMesh& mesh = *plan_.problem.mesh;
  for (std::size_t g = 0; g < files.size(); ++g) {
    const OrderedRows& order = orders_[g];
    const FieldGrid& grid = plan_.grids[g];
    for (std::size_t p = 0; p < order.pages(); ++p) {
      if (order.first_row(p) == order.first_row(p + 1)) continue;
      const auto [first, last] = order.own(p);
      std::vector<std::int32_t> regions;
      std::vector<std::int64_t> elements;
      for (std::size_t k = first; k < last; ++k) {
        const LocalIndex e = plan_.problem.fields.elements[static_cast<std::size_t>(grid.item[k])];
        // A number for each point, so that they are transferred like rows; a cell uses that of its first.
        const auto count = static_cast<std::size_t>(grid.corners * grid.cells[k]);
        regions.insert(regions.end(), count, mesh.region[static_cast<std::size_t>(e)]);
        elements.insert(elements.end(), count, mesh.global_id[static_cast<std::size_t>(e)]);
      }
      const auto points = order.gather(p, values_[g].points(first, last), 3);
      auto all_regions = order.gather(p, regions, 1);
      auto all_elements = order.gather(p, elements, 1);
      ranks_.agree([&] {
        if (!files[g]) return;
        const auto corners = static_cast<std::size_t>(grid.corners);
        for (std::size_t c = 0; c < all_regions.size() / corners; ++c) {
          all_regions[c] = all_regions[c * corners];
          all_elements[c] = all_elements[c * corners];
        }
        all_regions.resize(all_regions.size() / corners);
        all_elements.resize(all_elements.size() / corners);
        files[g]->fill_points(order.first_row(p), points);
        files[g]->fill_cells(order.first_row(p) / grid.corners, all_regions, all_elements);
      });
    }
  }
}

void FieldSeries::write_array(const Files& files, std::size_t array, std::int64_t step, march::Field which,
                              const march::FieldDofs& dofs, std::vector<Hash64>& hashes) const {
  const std::size_t n = basis::reference_element(plan_.problem.space).dofs;
  const double scale = which == march::Field::electric ? 1 : 1 / eta0_ohm;
  const std::size_t pages = orders_.front().pages();
  for (std::size_t p = 0; p < pages; ++p) {
    const auto page_first = static_cast<GlobalIndex>(p) * OrderedRows::page;
    const auto begin = std::lower_bound(ids_.begin(), ids_.end(), page_first) - ids_.begin();
    const auto end = std::lower_bound(ids_.begin(), ids_.end(), page_first + OrderedRows::page) - ids_.begin();
    const std::vector<double> all = begin == end ? std::vector<double>() : dofs(which, begin, end - begin);
    for (std::size_t g = 0; g < files.size(); ++g) {
      const OrderedRows& order = orders_[g];
      if (order.first_row(p) == order.first_row(p + 1)) continue;
      const auto [first, last] = order.own(p);
      std::vector<double> own;
      for (std::size_t k = first; k < last; ++k) {
        const double* from = all.data() + static_cast<std::size_t>(plan_.grids[g].item[k] - begin) * n;
        own.insert(own.end(), from, from + n);
      }
      const auto values = order.gather(p, values_[g].values(first, last, own, scale), 3);
      ranks_.agree([&] {
        if (!files[g]) return;
        files[g]->fill(array, step, order.first_row(p), values);
        hashes[g].add(std::span<const float>(values));
      });
    }
  }
}

void FieldSeries::take(std::int64_t step, const march::FieldDofs& dofs) {
  Files files(plan_.grids.size());
  const auto at = static_cast<std::int64_t>(taken_.size());
  ranks_.agree([&] {
    if (ranks_.rank() != 0) return;
    for (std::size_t g = 0; g < files.size(); ++g)
      files[g].emplace(store::GridSeries::open_to_fill(path_of(g), shape_of_snapshots(g, false)));
  });
  std::vector<Hash64> hashes(files.size());
  write_array(files, 0, at, march::Field::electric, dofs, hashes);
  write_array(files, 1, at, march::Field::magnetic, dofs, hashes);
  ranks_.agree([&] {
    if (ranks_.rank() != 0) return;
    std::vector<double> row{static_cast<double>(step) * plan_.dt_s, static_cast<double>(step)};
    for (std::size_t g = 0; g < files.size(); ++g) {
      files[g]->close();
      row.push_back(static_cast<double>(hashes[g].value() >> 32));
      row.push_back(static_cast<double>(hashes[g].value() & 0xffffffffu));
    }
    taken_.push_back(step);
    stream_->append(row);
  });
}

void FieldSeries::resume(const std::vector<store::FileMark>& kept, const fs::path& run) {
  const std::string relative = stream_path_.lexically_relative(run).generic_string();
  const auto mark = std::find_if(kept.begin(), kept.end(), [&](const auto& m) { return m.name == relative; });
  if (mark == kept.end()) fail(ExitCode::bad_checkpoint, "the checkpoint has no stream {}", relative);
  stream_.emplace(stream_path_, columns(), *mark);
  const store::StreamData rows = store::read_stream(stream_path_);
  for (std::size_t k = 0; k < rows.row_count(); ++k) taken_.push_back(static_cast<std::int64_t>(rows.at(k, 1)));
  const auto planned = static_cast<std::int64_t>(shape_of_snapshots(0, false).steps.size());
  for (std::size_t g = 0; g < plan_.grids.size(); ++g) {
    const fs::path path = path_of(g);
    if (!fs::exists(path)) fail(ExitCode::bad_checkpoint, "{} is missing: it goes with the checkpoint", path.string());
    const std::int64_t steps = store::steps_of_series(path);
    if (steps < static_cast<std::int64_t>(taken_.size()))
      fail(ExitCode::bad_checkpoint, "{}: has {} steps, the checkpoint goes with {}", path.string(), steps,
           taken_.size());
    // A run that ended early has a file of fewer steps.
    if (steps != planned)
      store::change_steps(path, shape_of_snapshots(g, false), static_cast<std::int64_t>(taken_.size()));
    check_snapshots(g, rows);
  }
}

void FieldSeries::check_snapshots(std::size_t grid, const store::StreamData& rows) const {
  constexpr std::int64_t at_once = 1 << 18;
  const store::GridShape shape = shape_of_snapshots(grid, false);
  store::GridSeries file = store::GridSeries::open_to_fill(path_of(grid), shape);
  for (std::size_t k = 0; k < rows.row_count(); ++k) {
    Hash64 hash;
    for (std::size_t array = 0; array < shape.arrays.size(); ++array)
      for (std::int64_t first = 0; first < shape.points(); first += at_once) {
        const auto values =
            file.read(array, static_cast<std::int64_t>(k), first, std::min(at_once, shape.points() - first));
        hash.add(std::span<const float>(values));
      }
    const std::uint64_t expected = static_cast<std::uint64_t>(rows.at(k, 2 + 2 * grid)) << 32 |
                                   static_cast<std::uint64_t>(rows.at(k, 3 + 2 * grid));
    if (hash.value() != expected)
      fail(ExitCode::bad_checkpoint, "{}: the fields of step {} are not those that the checkpoint goes with",
           path_of(grid).string(), rows.at(k, 1));
  }
  file.close();
}

void FieldSeries::finish() {
  if (plan_.problem.fields.every == 0) return;
  ranks_.agree([&] {
    if (ranks_.rank() != 0) return;
    for (std::size_t g = 0; g < plan_.grids.size(); ++g) {
      const store::GridShape shape = shape_of_snapshots(g, true);
      if (shape.steps != shape_of_snapshots(g, false).steps)
        store::change_steps(path_of(g), shape, static_cast<std::int64_t>(taken_.size()));
      store::sync_file(path_of(g));
      store::write_xdmf(path_of(g), shape, static_cast<std::int64_t>(taken_.size()));
    }
    stream_->sync();
  });
}

void FieldSeries::write_sums(const Sums& sums) {
  const auto& frequencies = plan_.problem.fields.frequencies_hz;
  if (frequencies.empty()) return;
  Files files(plan_.grids.size());
  std::vector<std::unique_ptr<store::AtomicFile>> targets;
  std::vector<store::GridShape> shapes;
  ranks_.agree([&] {
    if (ranks_.rank() != 0) return;
    make_folder(folder_);
    for (std::size_t g = 0; g < files.size(); ++g) {
      shapes.push_back(shape_of(g));
      shapes.back().arrays = plan_.gives_phasors ? phasor_arrays : sum_arrays;
      shapes.back().steps = frequencies;
      shapes.back().step_units = "Hz";
      targets.push_back(std::make_unique<store::AtomicFile>(path_of(g, "-frequencies")));
      files[g].emplace(store::GridSeries::create(targets.back()->temporary(), shapes.back()));
    }
  });
  write_geometry(files);
  std::vector<Hash64> unused(files.size());
  for (std::size_t f = 0; f < frequencies.size(); ++f)
    for (std::size_t array = 0; array < sum_arrays.size(); ++array)
      write_array(files, array, static_cast<std::int64_t>(f),
                  array < 2 ? march::Field::electric : march::Field::magnetic, sums(f, array % 2 == 1), unused);
  ranks_.agree([&] {
    if (ranks_.rank() != 0) return;
    for (std::size_t g = 0; g < files.size(); ++g) {
      files[g]->close();
      targets[g]->commit();
      store::write_xdmf(path_of(g, "-frequencies"), shapes[g], static_cast<std::int64_t>(frequencies.size()));
    }
  });
}

void FieldSeries::sync() {
  if (!stream_) return;
  for (std::size_t g = 0; g < plan_.grids.size(); ++g) {
    store::sync_file(path_of(g));
    store::write_xdmf(path_of(g), shape_of_snapshots(g, false), static_cast<std::int64_t>(taken_.size()));
  }
  stream_->sync();
}

std::vector<store::FileMark> FieldSeries::marks(const fs::path& run) const {
  if (!stream_) return {};
  return {stream_->mark(stream_path_.lexically_relative(run).generic_string())};
}

}  // namespace tetrawave::results
