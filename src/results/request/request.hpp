// What users ask to be recorded, derived and written.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/place.hpp"
#include "base/types.hpp"

namespace tetrawave {

/// A mirror plane.
struct MirrorPlane {
  int axis = 2;  ///< normal to it: 0, 1, 2
  double position_m = 0;
  bool magnetic = false;   ///< a magnetic wall, else metal
  bool is_ground = false;  ///< nothing radiates behind it; else the other half does
};

struct ProbePoint {
  std::string name;
  Vec3 point_m{};
  bool electric = true;
  bool magnetic = true;
  std::int64_t every = 1;
  Place point_place;
  Place place;
};

struct SParameterRequest {
  double start_hz = 0;
  double stop_hz = 0;
  std::int64_t points = 0;
  bool drive_each = false;
  Place place;
  std::vector<double> impedance_ohm{};  ///< reference impedance of S: one per port, one for all, or none
};

/// A rational function fitted to S.
struct RationalModelRequest {
  double tolerance = 1e-3;
  std::int64_t max_poles = 40;
  bool passive = true;
};

/// A plane through all regions.
struct CutPlane {
  std::string name;
  Vec3 point_m{};
  Vec3 normal{};  ///< of any length
  Place place;
};

/// `outputs.fields`: snapshots, Fourier sums, or both.
struct FieldsRequest {
  std::optional<std::int64_t> every;
  std::vector<double> frequencies_hz;
  bool volumes = true;               ///< whether regions are written
  std::vector<std::string> regions;  ///< empty: all of them
  std::vector<CutPlane> cuts;
};

struct FarFieldRequest {
  std::vector<double> frequencies_hz;
  std::vector<double> theta_deg;
  std::vector<double> phi_deg;
  std::vector<std::string> surface;  ///< regions enclosed by it; empty: chosen
  std::vector<MirrorPlane> mirrors;  ///< on different axes
  bool monostatic = false;           ///< of each plane wave, back to where it comes from
  Place surface_place;
  Place place;
};

/// Points where fields are wanted, in the mesh or beyond it.
struct NearFieldRequest {
  std::string name;
  std::vector<double> frequencies_hz;  ///< ascending
  std::vector<Vec3> points_m;
  std::vector<std::int64_t> shape;  ///< of the points, the last number running fastest
  Place place;
};

struct OutputRequests {
  std::vector<ProbePoint> probes;
  std::optional<SParameterRequest> s_parameters;
  std::optional<RationalModelRequest> rational_model;
  std::optional<std::int64_t> energy_every;
  std::optional<FieldsRequest> fields;
  std::optional<FarFieldRequest> far_field;
  std::vector<NearFieldRequest> near_fields;
};

/// `points` frequencies from start to stop, both included; one point is the start.
[[nodiscard]] std::vector<double> even_frequencies(double start_hz, double stop_hz, std::int64_t points);

}  // namespace tetrawave
