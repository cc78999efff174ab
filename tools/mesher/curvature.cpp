#include "curvature.hpp"

#include <gmsh.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/types.hpp"
#include "gmsh_session.hpp"

namespace tetrawave::mesher {
namespace {

// Points of a quadrature of degree 4, and the ten (six) nodes: the Jacobian of a second-order tetrahedron is a cubic.
std::vector<double> list_points(int type) {
  std::vector<double> points;
  std::vector<double> weights;
  gmsh::model::mesh::getIntegrationPoints(type, "Gauss4", points, weights);
  std::string name;
  int dimension = 0;
  int order = 0;
  int nodes = 0;
  int corners = 0;
  std::vector<double> local;
  gmsh::model::mesh::getElementProperties(type, name, dimension, order, nodes, local, corners);
  for (std::size_t i = 0; i < static_cast<std::size_t>(nodes); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      points.push_back(k < static_cast<std::size_t>(dimension) ? local[i * static_cast<std::size_t>(dimension) + k]
                                                               : 0);
  return points;
}

// A point of an element whose Jacobian changes its sign (in the input's unit), if there is one.
std::optional<Vec3> find_tangled(int dimension) {
  std::vector<int> types;
  gmsh::model::mesh::getElementTypes(types, dimension);
  for (const int type : types) {
    const std::vector<double> points = list_points(type);
    std::vector<double> jacobians;
    std::vector<double> determinants;
    std::vector<double> places;
    gmsh::model::mesh::getJacobians(type, points, jacobians, determinants, places);
    const std::size_t each = points.size() / 3;
    for (std::size_t begin = 0; begin + each <= determinants.size(); begin += each) {
      const auto first = determinants.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto [low, high] = std::minmax_element(first, first + static_cast<std::ptrdiff_t>(each));
      if (*low * *high <= 0) return Vec3{places[3 * begin], places[3 * begin + 1], places[3 * begin + 2]};
    }
  }
  return std::nullopt;
}

}  // namespace

void untangle_curved_elements(const Options& options) {
  const std::string input = options.input.string();
  if (!find_tangled(options.dimension)) return;
  gmsh::option::setNumber("General.AbortOnError", 0);  // that some elements stay poor is an error of Gmsh's
  call_gmsh(input, ExitCode::bad_case, [] { gmsh::model::mesh::optimize("HighOrder"); });
  gmsh::option::setNumber("General.AbortOnError", 2);
  const std::optional<Vec3> place = find_tangled(options.dimension);
  if (place)
    fail(ExitCode::bad_case,
         "{}: a second-order element near ({}, {}, {}) is turned inside out: use smaller elements there", input,
         (*place)[0], (*place)[1], (*place)[2]);
}

}  // namespace tetrawave::mesher
