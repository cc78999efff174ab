// Whole fields of plane problems, for ParaView.
#include <algorithm>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "modes/planar/results.hpp"

namespace tetrawave::modes {

namespace {

void make_folder_of(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) fail(ExitCode::io, "{}: cannot make the directory: {}", folder.string(), failure.message());
}

}  // namespace

PlanarFiles::PlanarFiles(const Case& given, const PlanarSetup& setup, const std::vector<DrivenSet>& sets,
                         const std::filesystem::path& directory)
    : setup_(setup) {
  if (!given.outputs.fields || given.outputs.fields->frequencies_hz.empty()) return;
  const FieldsRequest& spec = *given.outputs.fields;
  for (std::size_t e = 0; e < setup.mesh.element_count(); ++e) {
    const std::string& region = setup.mesh.region_names[static_cast<std::size_t>(setup.mesh.region[e])];
    if (spec.regions.empty() || std::find(spec.regions.begin(), spec.regions.end(), region) != spec.regions.end())
      elements_.push_back(e);
  }
  corners_ = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (setup.space.order == 2)
    corners_ = {{1, 0, 0},   {.5, .5, 0}, {.5, 0, .5}, {.5, .5, 0}, {0, 1, 0},   {0, .5, .5},
                {.5, 0, .5}, {0, .5, .5}, {0, 0, 1},   {.5, .5, 0}, {0, .5, .5}, {.5, 0, .5}};
  shape_.corners = 3;
  shape_.cells = static_cast<std::int64_t>(elements_.size() * corners_.size() / 3);
  shape_.regions = setup.mesh.region_names;
  shape_.arrays = {{"E_re", "V/m"}, {"E_im", "V/m"}, {"H_re", "A/m"}, {"H_im", "A/m"}};
  shape_.steps = wanted_frequencies(given).fields_hz;
  std::sort(shape_.steps.begin(), shape_.steps.end());
  shape_.step_units = "Hz";
  for (const DrivenSet& set : sets) {
    Target& target = targets_.emplace_back();
    const std::filesystem::path folder = directory / "fields" / set.name;
    make_folder_of(folder);
    target.path = folder / "regions-frequencies.vtkhdf";
    target.file = std::make_unique<store::AtomicFile>(target.path);
    target.series = std::make_unique<store::GridSeries>(store::GridSeries::create(target.file->temporary(), shape_));
    write_geometry(*target.series);
  }
}

void PlanarFiles::write_geometry(const store::GridSeries& series) const {
  std::vector<float> points;
  std::vector<std::int32_t> regions;
  std::vector<std::int64_t> ids;
  for (const std::size_t e : elements_) {
    const fem::PlanarElement element(setup_.mesh, e, setup_.space.kind, setup_.space.order);
    for (const auto& corner : corners_) {
      const Point2 place = element.at(corner).place_m;
      points.insert(points.end(), {static_cast<float>(place[0]), static_cast<float>(place[1]), 0.0F});
    }
    regions.insert(regions.end(), corners_.size() / 3, setup_.mesh.region[e]);
    ids.insert(ids.end(), corners_.size() / 3, static_cast<std::int64_t>(e));
  }
  series.fill_points(0, points);
  series.fill_cells(0, regions, ids);
}

void PlanarFiles::write(std::size_t set, double hz, const PlanarSystem& system, const PlanarSolution& solution) {
  const auto step = std::find(shape_.steps.begin(), shape_.steps.end(), hz) - shape_.steps.begin();
  std::array<std::vector<float>, 4> values;
  for (const std::size_t e : elements_)
    for (const auto& corner : corners_) {
      const PlanarFields fields = system.at(e, corner, solution);
      for (std::size_t x = 0; x < 3; ++x) {
        values[0].push_back(static_cast<float>(fields.electric[x].real()));
        values[1].push_back(static_cast<float>(fields.electric[x].imag()));
        values[2].push_back(static_cast<float>(fields.magnetic[x].real() / eta0_ohm));
        values[3].push_back(static_cast<float>(fields.magnetic[x].imag() / eta0_ohm));
      }
    }
  for (std::size_t array = 0; array < values.size(); ++array) targets_[set].series->fill(array, step, 0, values[array]);
}

void PlanarFiles::finish() {
  for (Target& target : targets_) {
    target.series->close();
    target.file->commit();
    store::write_xdmf(target.path, shape_, static_cast<std::int64_t>(shape_.steps.size()));
  }
}

}  // namespace tetrawave::modes
