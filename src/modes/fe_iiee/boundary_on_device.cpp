// IntegralBoundary: what a device needs of it, and its sums there.
#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "modes/fe_iiee/integral_boundary.hpp"

namespace tetrawave::modes {

fem::BoundaryMatrices IntegralBoundary::matrices(const FrequencySystem& system,
                                                 std::shared_ptr<const fem::FactorDevice> factors) {
  fem::BoundaryMatrices result;
  const std::size_t functions = points_.functions(), points = points_.points_of_face();
  const auto add = [&](std::int32_t moment, fem::SparseRowsOf<double>& to) {
    const std::size_t face = static_cast<std::size_t>(moment) / functions;
    const std::size_t i = static_cast<std::size_t>(moment) % functions;
    for (std::size_t p = face * points; p < (face + 1) * points; ++p)
      for (std::size_t along = 0; along < 2; ++along)
        to.add_entry(static_cast<std::int32_t>(2 * p + along), traces_[2 * (p * functions + i) + along]);
  };
  for (std::size_t u = 0; u < unknowns_.size(); ++u) {
    for (std::int64_t m = first_moment_[u]; m < first_moment_[u + 1]; ++m)
      add(moment_[static_cast<std::size_t>(m)], result.moments);
    result.moments.end_row();
  }
  result.unknowns = unknowns_;
  std::vector<std::array<std::int32_t, 2>> taken = inner_.moments_on(points_);  // place, row of the flux
  std::sort(taken.begin(), taken.end(), [](const auto& a, const auto& b) { return a[1] < b[1]; });
  auto moment = taken.begin();
  for (std::int32_t row = 0; row < inner_.mass().pattern->rows() && !taken.empty(); ++row) {
    for (; moment != taken.end() && (*moment)[1] == row; ++moment) add((*moment)[0], result.from_outside);
    result.from_outside.end_row();
  }
  inner_.list_currents(given_.iiee.mirrors, result.electric, result.magnetic);
  result.weights = weights_m2();
  result.system = &system.pattern();
  result.mass = &inner_.mass();
  result.factors = std::move(factors);
  return result;
}

fem::BoundaryDrive IntegralBoundary::drive_of(const std::vector<FieldSolution>& fields,
                                              const std::vector<std::vector<Complex>>& sides) {
  fem::BoundaryDrive drive;
  drive.sets = fields.size();
  drive.rows = collect<std::int32_t>(sides.front().size(), threads_, [&](std::size_t u, auto& list) {
    if (std::any_of(sides.begin(), sides.end(), [u](const auto& side) { return side[u] != 0.0; }))
      list.push_back(static_cast<std::int32_t>(u));
  });
  for (const auto& side : sides)
    for (const std::int32_t row : drive.rows) drive.sides.push_back(side[static_cast<std::size_t>(row)]);
  SurfaceCurrents::Drive own = inner_.find_drive(fields);
  for (const auto& flux : own.flux) drive.flux.insert(drive.flux.end(), flux.begin(), flux.end());
  for (auto& currents : own.magnetic) currents = results::with_images(std::move(currents), given_.iiee.mirrors);
  drive.sources = radiator_.sources_of(own.magnetic, medium_at(fields.front().hz));
  sums_.see_places(drive.sources, static_cast<int>(fields.size()));
  for (std::size_t at = 0; at < drive.sources.size(); at += 3 + 12 * fields.size())
    std::fill_n(drive.sources.begin() + static_cast<std::ptrdiff_t>(at), 3, 0.0);
  return drive;
}

std::vector<double> IntegralBoundary::places_of_sources(double hz) const {
  std::vector<results::SurfaceCurrent> currents;
  for (const auto& point : inner_.points()) currents.push_back({point.place_m, {}, {}, 0});
  std::vector<double> places;
  for (const auto& current : results::with_images(std::move(currents), given_.iiee.mirrors))
    for (const double x : wave_number(hz) * (current.point_m - radiator_.middle_m())) places.push_back(x);
  return places;
}

const double* IntegralBoundary::sum_on(fem::ResidentBoundary& device, std::span<const double> sources, int sets,
                                       Precision precision) {
  Stopwatch watch, copies;
  pairs_ += static_cast<double>(points_.points().size()) *
            static_cast<double>(inner_.points().size() << given_.iiee.mirrors.size()) * sets;
  const double* sums = nullptr;
  if (sums_.is_resident()) {
    sums = sums_.find_resident_sums(sources, sets, precision);
  } else {  // of several ranks, or of clusters
    const std::vector<double> numbers = device.download_sources();
    seconds_transfer_ += copies.lap();
    const std::span<const double> found = sums_.find_sums(numbers, sets, precision);
    (void)copies.lap();
    sums = device.upload_sums(found);
    seconds_transfer_ += copies.lap();
  }
  seconds_sums_ += watch.lap();
  return sums;
}

}  // namespace tetrawave::modes
