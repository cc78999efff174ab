#include "modes/frequency_domain/radiation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/constants.hpp"
#include "base/parallel.hpp"

namespace tetrawave::modes {

BoundaryFrame frame_at(const Vec3& place_m, const Vec3& normal) {
  std::size_t least = 0;
  for (std::size_t x = 1; x < 3; ++x)
    if (std::abs(normal[x]) < std::abs(normal[least])) least = x;
  Vec3 axis{};
  axis[least] = 1;
  const Vec3 across = tetrawave::cross(axis, normal);
  const Vec3 first = (1 / norm(across)) * across;
  return {place_m, first, tetrawave::cross(normal, first)};
}

double scale_of_sums(const RadiationMedium& medium) {
  const double k = medium.wave_number;
  return k * k * k / (8 * pi * medium.mu_r);
}

BoundaryRadiator::BoundaryRadiator(std::vector<BoundaryFrame> frames, const kernels::PointsOfFaces& faces,
                                   kernels::PairSums& sums, int threads)
    : frames_(std::move(frames)), faces_(faces), sums_(sums), threads_(threads) {
  for (const BoundaryFrame& frame : frames_)
    middle_m_ = middle_m_ + (1 / static_cast<double>(frames_.size())) * frame.place_m;
}

void BoundaryRadiator::set_points(double wave_number) {
  if (wave_number == wave_number_) return;
  constexpr std::size_t rows = 9;
  std::vector<double> points(rows * frames_.size());
  for_each_index(frames_.size(), threads_, [&](std::size_t p) {
    const BoundaryFrame& frame = frames_[p];
    const Vec3 place = wave_number * (frame.place_m - middle_m_);
    double* to = points.data() + rows * p;
    for (const Vec3* part : {&place, &frame.first, &frame.second}) to = std::copy(part->begin(), part->end(), to);
  });
  sums_.set_points(points, faces_);
  wave_number_ = wave_number;
}

/// As kernels::BoundaryRadiation has them.
std::vector<double> BoundaryRadiator::sources_of(const std::vector<std::vector<results::SurfaceCurrent>>& sets,
                                                 const RadiationMedium& medium) const {
  const std::size_t width = 3 + 12 * sets.size();
  std::vector<double> numbers(sets.front().size() * width);
  const std::size_t points = sets.front().size();
  for_ranges(
      points, count_ranges(points, numbers.size(), threads_), [&](std::size_t, std::size_t first, std::size_t last) {
        double* to = numbers.data() + first * width;
        for (std::size_t k = first; k < last; ++k) {
          for (const double x : medium.wave_number*(sets.front()[k].point_m - middle_m_)) *to++ = x;
          for (const auto& set : sets)
            for (const double sign : {1.0, -1.0})
              for (std::size_t x = 0; x < 3; ++x) {
                const Complex value = Complex(0, -medium.impedance) * set[k].electric[x] + sign * set[k].magnetic[x];
                *to++ = value.real();
                *to++ = value.imag();
              }
        }
      });
  return numbers;
}

std::vector<BoundaryValues> BoundaryRadiator::radiate(const std::vector<std::vector<results::SurfaceCurrent>>& sets,
                                                      const RadiationMedium& medium, Precision precision) {
  std::vector<BoundaryValues> result(sets.size());
  for_each_task(sets.size(), threads_, [&](std::size_t set) { result[set].resize(2 * frames_.size()); });
  if (frames_.empty()) return result;
  const double scale = scale_of_sums(medium);
  set_points(medium.wave_number);
  const std::vector<double> sources = sources_of(sets, medium);
  const std::span<const double> sums = sums_.find_sums(sources, static_cast<int>(sets.size()), precision);
  for_each_index(frames_.size(), threads_, [&](std::size_t p) {
    for (std::size_t set = 0; set < sets.size(); ++set) {
      const double* of = &sums[(p * sets.size() + set) * 4];
      const Complex plus(of[0], of[1]), minus(of[2], of[3]);
      result[set][2 * p] = Complex(0, -scale) * (plus + minus);
      result[set][2 * p + 1] = -scale * (plus - minus);
    }
  });
  return result;
}

}  // namespace tetrawave::modes
