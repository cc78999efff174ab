// A case as finite-element systems, one per frequency: unknowns, walls, what drives them and what is read off
// (theory/frequency-domain).
#pragma once

#include <array>
#include <complex>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/phase_clock.hpp"
#include "fem/assembly/edge_assembly.hpp"
#include "fem/edge/face_traces.hpp"
#include "fem/edge/line_modes.hpp"
#include "fem/edge/overlap_layer.hpp"
#include "fem/edge/shared_space.hpp"
#include "fem/shared/low_rank_update.hpp"
#include "fem/shared/schwarz.hpp"
#include "fem/sparse/sparse_rows.hpp"
#include "model/model.hpp"
#include "model/port_setup.hpp"
#include "modes/frequency_domain/plane_waves.hpp"

namespace tetrawave::modes {

/// The excitation of one right-hand side.
struct DrivenSet {
  std::string name;                ///< the port with drive: each, wave-N of a plane wave, else empty
  std::vector<std::size_t> ports;  ///< indices
  bool sources = false;            ///< those inside the domain
  std::optional<std::size_t> plane_wave{};
};

/// The right-hand sides of a case: one per driven port with `drive: each`, else one for all; then one per plane wave.
[[nodiscard]] std::vector<DrivenSet> driven_sets(const Case& given);

/// Waves, voltage and current of a port, its images in planes of symmetry included, at its impedance at this frequency.
struct PortPhasors {
  Complex incident;   ///< a [sqrt(W)]
  Complex reflected;  ///< b [sqrt(W)]
  Complex voltage;    ///< [V]
  Complex current;    ///< into the structure [A]
};

/// The linear functionals of the field at a port's face from which `phasors` computes waves, voltage and current.
struct PortReading {
  Complex voltage = 0;  ///< [V]
  Complex current = 0;  ///< times the impedance [V]; 0 at ports whose current follows from voltage and drive
};

/// The terms of an integral equation in the right-hand side: moments of the functions with a trace on outer faces.
struct BoundaryMoments {
  const fem::FaceTraces* faces = nullptr;
  std::vector<Complex> values;  ///< per face and function
};

/// The solution for one right-hand side. With a plane wave the unknowns are those of the total or of the scattered
/// field, by element (ScatteringRegions); functions that evaluate it give the total field unless they say otherwise.
struct FieldSolution {
  double hz = 0;
  DrivenSet set;
  std::vector<Complex> unknowns;  ///< none: all 0
  std::vector<Complex> border;    ///< of a plane wave: ScatteringRegions::on_border
  BoundaryMoments radiated;       ///< of an integral equation, as they stood on the right-hand side
};

/// Dofs of E [V] and of eta0 H, element by element.
struct ElementFields {
  std::vector<Complex> electric;
  std::vector<Complex> magnetic;
};

/// The systems of a case on the elements of this rank, which are the whole mesh unless ranks share out the system. The
/// arguments of the constructor must outlive it.
///
/// With several ranks each has the matrix and the right-hand sides of its own elements, which are to be added up
/// (fem/shared), and the solution on them. Readings at ports and probes and losses are sums over the ranks: these calls
/// are collective, as is the constructor.
class FrequencySystem {
 public:
  /// `device`: assembles in place of the host's threads.
  FrequencySystem(const Case& given, const Model& setup, const std::vector<FoundPort>& ports, int threads,
                  const comm::Communicator& ranks, const fem::AssemblyDevice* device = nullptr);

  /// Replaces the static mode of quasi-TEM ports by the mode of their line at each of the frequencies `hz`, which
  /// ascend; `line_update` then is a part of the matrix. Returns the indices of these ports.
  std::vector<std::size_t> use_line_modes(const std::vector<FoundPort>& ports, const std::vector<double>& hz);
  [[nodiscard]] bool has_line_mode(std::size_t port) const { return port < lines_.size() && lines_[port].has_value(); }
  /// The low-rank part of the matrix due to line modes, from this rank's elements, by the unknowns of `rows`; empty
  /// without line modes. T: double, by the table of modes, or Complex, solved for each time.
  template <class T>
  [[nodiscard]] fem::LowRankUpdate line_update(const T& hz, const fem::EdgeSpace& rows) const;
  /// The reading of a port with a line mode, from the products of the columns of `line_update` with a field.
  [[nodiscard]] PortReading reading_of(std::size_t port, const std::vector<Complex>& of_update) const;
  /// Seconds of the phases of the constructor on this rank, by name.
  [[nodiscard]] const std::vector<std::pair<std::string, double>>& setup_seconds() const { return clock_.phases(); }
  [[nodiscard]] const fem::EdgeSpace& space() const { return shared_.own; }
  [[nodiscard]] const fem::SharedSpace& shared_space() const { return shared_; }
  [[nodiscard]] const comm::Communicator& ranks() const { return shared_.rows.ranks; }
  /// Number of unknowns of all ranks.
  [[nodiscard]] std::int32_t unknowns() const { return shared_.rows.total(); }
  [[nodiscard]] const fem::CsrPattern& pattern() const { return assembly_->pattern(); }
  /// curl (1/mu curl E) - k0^2 eps E with walls, ports included; of a device, where it stays until the next one.
  void assemble(double hz, fem::CsrMatrix<Complex>& matrix) const;
  /// Of the device that assembles, or nullptr.
  [[nodiscard]] const fem::AssemblyFigures* device_figures() const;
  /// The coefficients of media and walls at a frequency, which may be complex. The matrix is linear in them and depends
  /// on the frequency through them alone.
  [[nodiscard]] std::vector<Complex> symbol(Complex hz) const;
  /// The coefficients with these numbers alone.
  [[nodiscard]] std::vector<Complex> symbol(Complex hz, const std::vector<std::size_t>& numbers) const;
  /// The matrix for given coefficients, in the order of `symbol`, on the host.
  void assemble(const std::vector<Complex>& symbol, fem::CsrMatrix<Complex>& matrix) const;
  /// The form that a coefficient multiplies.
  struct SymbolEntry {
    enum class Form { curl, field, wall };
    Form form{};
    std::size_t place = 0;  ///< region, or boundary tag of a wall
  };
  [[nodiscard]] std::vector<SymbolEntry> symbol_entries() const;
  /// x^H (dA/ds) x for each coefficient s of `symbol`, such as int |E_x|^2, per vector of unknowns x.
  [[nodiscard]] std::vector<std::vector<double>> forms(const std::vector<std::vector<Complex>>& fields) const;
  /// Power [W] that media and walls dissipate, layers and open walls apart, with the halves behind planes of symmetry;
  /// NaN with a plane wave.
  [[nodiscard]] std::vector<double> losses(const std::vector<FieldSolution>& fields,
                                           const std::vector<MirrorPlane>& mirrors) const;
  [[nodiscard]] std::vector<std::vector<Complex>> right_hand_sides(double hz, const std::vector<DrivenSet>& sets) const;
  /// `unknowns`: of each set; none: all 0.
  [[nodiscard]] std::vector<FieldSolution> complete(double hz, const std::vector<DrivenSet>& sets,
                                                    std::vector<std::vector<Complex>> unknowns = {}) const;

  [[nodiscard]] const results::PortModel& model(std::size_t port) const { return models_[port]; }
  [[nodiscard]] std::size_t port_count() const { return models_.size(); }
  [[nodiscard]] PortPhasors at_port(std::size_t port, const FieldSolution& field) const;
  /// The two steps of `at_port`: readings, which are linear in the field, and phasors from these and the drive.
  [[nodiscard]] PortReading read_port(std::size_t port, const FieldSolution& field) const;
  [[nodiscard]] PortPhasors phasors(std::size_t port, double hz, const DrivenSet& set,
                                    const PortReading& reading) const;
  /// Adds up the values of all ranks, in place. Collective.
  void add_over_ranks(std::span<Complex> values) const;
  /// E [V/m] and H [A/m] at a probe.
  [[nodiscard]] std::array<Complex, 6> at_probe(std::size_t probe, const FieldSolution& field) const;
  /// Unknowns that `at_port` and `at_probe` read, ascending.
  [[nodiscard]] std::vector<std::int32_t> recorded_unknowns() const;
  /// Dofs of the field in these elements, n each.
  [[nodiscard]] ElementFields fields(const std::vector<LocalIndex>& elements, const FieldSolution& field) const;
  /// The same for a field without a drive, at a complex frequency.
  [[nodiscard]] ElementFields fields(const std::vector<LocalIndex>& elements, const std::vector<Complex>& unknowns,
                                     Complex hz) const;

  /// Rows of the weak form in some elements alone, over all unknowns. `rows`: a numbering of the same elements that may
  /// have unknowns on metal too; `number_of_row`: per unknown of it, or -1.
  [[nodiscard]] fem::SparseRows element_rows(const std::vector<LocalIndex>& elements, double hz,
                                             const fem::EdgeSpace& rows,
                                             const std::vector<std::int32_t>& number_of_row) const;
  /// The contributions of this rank's elements to the preconditioners of other ranks, whose parts have a layer of
  /// elements around them with n x 1/mu curl E = -j k0 Y E_t at its end, at the frequency of the last `assemble`.
  /// Collective.
  [[nodiscard]] fem::SchwarzOverlap<Complex> schwarz_overlap() const;
  /// ORAS of the cells of an array, each with the layer of elements around it and the same condition at its end, at the
  /// frequency of the last `assemble`. On one rank; the system must outlive it.
  [[nodiscard]] std::unique_ptr<fem::ApproximateInverse<Complex>> inverse_by_cells(
      const fem::SolverMachine& machine) const;
  /// The space with only those unknowns that ports and sources drive, for `drive`, in their order.
  [[nodiscard]] fem::EdgeSpace driven_space() const;
  /// Right-hand side of ports and sources; `only`: elements that contribute, nullptr for all.
  [[nodiscard]] std::vector<Complex> drive(double hz, const DrivenSet& set, const std::vector<bool>* only,
                                           const fem::EdgeSpace& rows) const;
  /// Adds j k0 oint N . (n x H + Y E) of an incident wave at absorbing faces of the total field to `side`.
  void add_wave_through(const fem::FaceTraces& lit, const PlaneWave& wave, double hz, std::vector<Complex>& side) const;
  /// Adds j k0 oint N . (n x H) of a wave to `side`.
  void add_wave_current(const fem::FaceTraces& faces, const PlaneWave& wave, double hz,
                        std::vector<Complex>& side) const;
  /// Outer and inner faces of metal, as elements see them.
  [[nodiscard]] const std::vector<fem::ElementFace>& metal() const { return metal_; }
  /// The medium at the absorbing faces. Throws UserError (bad_case), telling `place` and `key`: where there are none,
  /// several media or one with losses.
  [[nodiscard]] const Medium& outer_medium(const Place& place, const char* key) const;
  [[nodiscard]] const std::vector<fem::ElementFace>& lit() const { return lit_; }
  /// Dofs of an element's field as it is solved for, total or scattered; and the incident wave in it, if it is total.
  [[nodiscard]] std::vector<Complex> electric_as_solved(LocalIndex element, const FieldSolution& field) const;
  [[nodiscard]] std::optional<PlaneWave> wave_in(LocalIndex element, double hz, const DrivenSet& set) const;
  /// Whether unknowns of an element are of a scattered field: FieldSolution::border is taken off them.
  [[nodiscard]] bool is_scattered(LocalIndex element) const;
  [[nodiscard]] PlaneWave wave_of(double hz, const DrivenSet& set) const;

 private:
  /// A port with the mode of its line, and its faces on this rank.
  struct LinePort {
    struct Face {
      LocalIndex element = 0;
      std::uint8_t face = 0;
      std::size_t triangle = 0;  ///< of the cross-section
      std::vector<double> turn;  ///< fem::turn_traces
    };
    std::shared_ptr<const fem::LineModeTable> modes;  ///< of copies in an array too
    std::vector<Face> faces;
  };
  void use_line_mode(std::size_t port, const std::shared_ptr<const fem::LineModeTable>& modes,
                     const std::vector<std::vector<results::PlacedFace>>& places, const std::vector<double>& hz);
  /// The moments of a LineMode on one face, by the functions of the face's element.
  template <class T>
  [[nodiscard]] std::vector<T> moments_on(const LinePort::Face& face, const std::vector<T>& numbers) const;
  /// Adds factor times the moments `numbers` of a LineMode to `to`. `only`: as in `drive`.
  template <class T>
  void add_line_moments(const LinePort& line, const std::vector<T>& numbers, const Complex& factor,
                        const fem::EdgeSpace& rows, const std::vector<bool>* only, std::vector<Complex>& to) const;
  /// The part of this rank's elements.
  [[nodiscard]] Complex line_voltage(std::size_t port, const FieldSolution& field) const;
  [[nodiscard]] std::vector<Complex> wall_factors(Complex hz) const;
  [[nodiscard]] std::vector<fem::ElementFace> lit_faces() const;
  void list_walls(const comm::Communicator& ranks);
  void list_media();
  void group_walls();
  /// Entries of a layer at a frequency, with their places; those of faces at its end behind those of elements.
  struct LayerEntries {
    std::vector<std::array<std::int32_t, 2>> places;
    std::vector<Complex> values;
  };
  [[nodiscard]] LayerEntries layer_entries(const fem::OverlapLayer& layer, double hz) const;
  [[nodiscard]] fem::ElementShapes shapes() const;
  [[nodiscard]] fem::EdgeCoefficients<Complex> coefficients(std::size_t kind, Complex hz) const;
  [[nodiscard]] Complex wall_factor(std::size_t wall, Complex hz) const;
  [[nodiscard]] Complex admittance_of_open(const fem::ElementFace& face, std::int32_t tag, Complex hz) const;
  [[nodiscard]] Complex admittance_of_sheet(std::size_t port, Complex hz, bool of_source) const;
  /// Incident voltage at the face, V of V e_p; for a lumped port half of its source's voltage.
  [[nodiscard]] Complex incident_voltage(std::size_t port, double hz, const DrivenSet& set) const;
  /// The part of this rank's elements.
  [[nodiscard]] Complex evaluate(const march::Functional& functional, const FieldSolution& field) const;
  [[nodiscard]] std::vector<Complex> electric_of(LocalIndex element, const FieldSolution& field) const;
  using ElementField = std::function<ComplexVector(const Vec3& point_m, const std::array<double, 4>& barycentric)>;
  [[nodiscard]] std::vector<Complex> project(LocalIndex element, const ElementField& field) const;
  [[nodiscard]] std::vector<Complex> magnetic_of(LocalIndex element, Complex hz,
                                                 const std::vector<Complex>& electric) const;

  PhaseClock clock_;
  const Case& given_;
  const Model& setup_;
  int threads_;
  std::vector<results::PortModel> models_;
  std::vector<std::optional<results::WallCurrent>> currents_;  ///< of lines
  std::vector<std::optional<LinePort>> lines_;                 ///< per port, or none at all
  std::vector<bool> is_inner_;                                 ///< per port: its faces are listed from both sides
  fem::SharedSpace shared_;
  std::vector<fem::ElementFace> metal_;
  std::vector<fem::ElementFace> walls_;
  std::vector<std::int32_t> wall_tags_;
  std::vector<std::size_t> wall_group_;      ///< per wall: those of a group have one factor at every frequency
  std::vector<std::size_t> wall_of_group_;   ///< one that is in it
  std::vector<std::int32_t> kind_;           ///< per element
  std::vector<LocalIndex> element_of_kind_;  ///< one that has it
  std::optional<fem::EdgeAssembly> assembly_;
  mutable double assembled_hz_ = 1e9;            ///< of the last `assemble`
  std::vector<fem::ElementFace> lit_;            ///< sorted: faces through which plane waves come
  std::optional<ScatteringRegions> scattering_;  ///< with plane waves
  std::optional<fem::FaceTraces> lit_traces_;    ///< with plane waves: of those faces that the total field reaches
};

}  // namespace tetrawave::modes
