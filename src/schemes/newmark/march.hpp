// The time stepping of mode fetd: E of conforming edge elements, implicit in time, H element by element (theory/fetd).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "basis/dense_matrix.hpp"
#include "fem/edge/cartesian_element.hpp"
#include "host/host_backend.hpp"
#include "march/loop/core.hpp"
#include "schemes/newmark/conductors.hpp"
#include "schemes/newmark/first_guess.hpp"
#include "schemes/newmark/laws.hpp"
#include "schemes/newmark/operators.hpp"
#include "schemes/newmark/plane_wave.hpp"
#include "schemes/newmark/ports.hpp"
#include "schemes/newmark/surface.hpp"
#include "schemes/newmark/system.hpp"

namespace tetrawave::modes {

/// The current of a port from its wall: Z i = of_wave w - of_field . E (results::WallCurrent).
struct FetdPortCurrent {
  std::size_t port = 0;  ///< index of its functionals, and of its wave
  double of_wave = 0;
  march::Functional of_field;
};

/// Options of the time stepping.
struct FetdOptions {
  SolverOptions solver;
  double beta = 0.25;  ///< Newmark's
  std::size_t ports = 0;
  Place boundaries;  ///< for messages
  std::vector<FetdPortCurrent> currents;
  const results::RadiationSurface* surface = nullptr;  ///< of the far field; must outlive the engine
  std::vector<march::PlaneWaveBorder> plane_waves{};
};

/// E and H at n dt. With u_mid = (u + u+)/2 a step is
///   present_h H_mid = known_h - curl E_mid,
///   [present_e M + S(1/present_h) + walls] E_mid = M known_e + int curl N . known_h/present_h + what drives,
/// Newmark's method with beta = 1/4 in terms of E alone (numbers of Meng's dissertation, 3.1); another beta adds (beta
/// - 1/4) dt^2 S to the mass. One system a step, of one matrix.
class FetdMarch : public march::PlainScheme<host::HostBackend, double> {
 public:
  static constexpr bool leaps = false;
  static constexpr int exchanged = 1;
  using FieldBuffer = host::HostBackend::Buffer<double>;

  /// `problem`: the given one; that of `core` is `recorded`. Collective, as are all calls that are not const.
  FetdMarch(march::Core<host::HostBackend, double>& core, const march::Problem& problem, FetdOptions options,
            const fem::SolverMachine& machine);
  /// The problem of the time loop, which records values from which the currents of ports follow.
  static march::Problem recorded(march::Problem problem, const std::vector<FetdPortCurrent>& currents);

  /// Largest c0 dt [m] at which beta = 0 is stable, 2/sqrt(largest eigenvalue of M^-1 S of single elements): at most
  /// the limit of the mesh (Irons and Treharne 1971). Six digits, rounded down.
  double find_stable_step();
  /// Currents of ports in place of what was recorded for them.
  void complete(march::Record& record);
  /// n x H, n out of the enclosed elements, as a field of the space in place of H.
  void complete_spectra(std::vector<double>& sums);
  [[nodiscard]] std::optional<march::ImplicitFigures> implicit_figures() const;
  [[nodiscard]] std::string solver_device() const { return solver_device_; }

  FieldBuffer& values(march::Field which);
  FieldBuffer& values_to_record(march::Field which, bool whole);
  void fill_waves() {}
  void begin();
  void restore();
  void act(const march::Action& action, std::int64_t n);
  double law_energy(march::Field which, bool of_axes, const FieldBuffer* earlier);
  /// u . M u of both fields by the operators, divided by eps0/2; none where beta is part of their mass. Collective.
  [[nodiscard]] std::optional<std::array<double, 2>> field_squares();
  [[nodiscard]] std::int64_t bytes_beside_fields() const;

 private:
  /// Laws of the elements of one medium, or of one element of an absorbing layer.
  struct Kind {
    FetdLaw electric;
    FetdLaw magnetic;
    Vec3 added{};  ///< contribution of beta to the coefficient of curl . curl
  };
  /// States of a law in all elements.
  struct States {
    std::vector<std::size_t> first;  ///< [element + 1]: offsets of elements
    std::vector<double> all;
    [[nodiscard]] std::size_t count(std::size_t element) const { return first[element + 1] - first[element]; }
    [[nodiscard]] double* of(std::size_t element) { return all.data() + first[element]; }
    [[nodiscard]] const double* of(std::size_t element) const { return all.data() + first[element]; }
  };
  /// Work space of a thread.
  struct Scratch {
    explicit Scratch(Space space)
        : element(space),
          dofs(element.functions()),
          field(3 * element.modes()),
          known(3 * element.modes()),
          magnetic(3 * element.curl_modes()),
          known_magnetic(3 * element.curl_modes()),
          curl(3 * element.curl_modes()) {}
    fem::CartesianElement element;
    std::vector<double> dofs, field, known, magnetic, known_magnetic, curl;
  };

  /// Unknowns of the moments of a vector, by unknown.
  using Column = std::vector<std::pair<std::int32_t, double>>;

  void register_state(march::StateRegistry& registry);
  /// u . (weights u) in an element, from the fields.
  [[nodiscard]] double squares(march::Field which, std::size_t element, const Vec3& weights, Scratch& s) const;
  /// Waves of ports at the time of the row.
  void note_waves();
  void find_side();
  /// All that follows from the solution.
  void advance_all();
  void list_kinds();
  /// Divides the elements into those that the operators advance and the others.
  void list_elements();
  void make_operators();
  /// Where the solver is on a device that steps, too.
  void move_operators();
  [[nodiscard]] States make_states(march::Field which) const;
  void register_states(march::StateRegistry& registry, const char* name, States& states);
  /// Y of an open wall, a resistance or a conductor.
  [[nodiscard]] double admittance(const fem::ElementFace& face) const;
  void make_matrix();
  void list_drives();
  /// Sorted, of the moments of one element after another.
  void add_column(Column& column, LocalIndex element, double factor, const std::vector<double>& moments) const;
  static void join(Column& column);
  void list_voltages();
  /// Factor of the wave and the moments of a driven face.
  [[nodiscard]] double drive_factor(const march::DrivenFace& driven) const;
  [[nodiscard]] double source_over(std::int32_t wave) const;
  void couple_ports();
  /// Projects dofs given element by element on E of the space, in the mean square and without a trace on metal.
  void project(const std::vector<double>& dofs);
  /// Projects these dofs on the polynomials of curls of E in the elements, for H.
  void set_magnetic(const std::vector<double>& dofs);
  /// Voltage of a dispersive port for the fields x.
  [[nodiscard]] double voltage(std::size_t p, const std::vector<double>& x) const;
  void find_known();
  void drive();
  void add_drive(const Column& column, double wave);
  /// Contribution of waves in elements of scattered fields to their equations.
  void add_plane_waves();
  /// E of an element in the middle of a step, the scattered field if it has one.
  void gather_middle(std::size_t element, double* dofs) const;
  void solve_step();
  /// Numbers per unknown, as dofs of elements.
  void register_unknowns(march::StateRegistry& registry, const char* name, std::vector<double>& numbers);
  void register_magnetic(march::StateRegistry& registry);
  void add_modal_waves();
  /// Advances all fields and states; `flux`: moments of the surface's elements, if needed.
  void advance_fields(std::vector<double>* flux);
  void advance_elements(std::vector<double>* flux);
  void advance_magnetic(std::size_t element, const Kind& kind, Scratch& s);
  /// Adds (D+ - D)/dt and what is conducted.
  void add_electric_flux(std::size_t element, const Kind& kind, const std::vector<double>& middle, Scratch& s,
                         double* flux);
  /// Copies E and H of the operators into the fields of plain elements.
  void show(march::Field which, const std::vector<std::size_t>& elements);
  void add_walls_and_drives(std::vector<double>& flux) const;
  template <class Work>
  void for_elements(const Work& work);
  template <class Work>
  void for_elements(const std::vector<std::size_t>& elements, const Work& work);
  void load(std::size_t element, const FieldBuffer& field, double* dofs) const;
  void store(std::size_t element, const double* dofs, FieldBuffer& field) const;
  [[nodiscard]] std::int64_t step_number() const { return *core_.step.data(); }

  march::Core<host::HostBackend, double>& core_;
  march::Problem whole_;  ///< the given one
  FetdOptions options_;
  FieldBuffer electric_;
  FieldBuffer magnetic_;
  FetdSystem unknowns_;
  FetdPorts ports_;
  FetdConductors conductors_;
  std::optional<FetdSurface> surface_;
  std::vector<std::unique_ptr<FetdPlaneWave>> plane_waves_;
  double dt_m_ = 0;
  std::vector<Kind> kinds_;
  std::vector<std::int32_t> kind_;  ///< per element
  States electric_states_, magnetic_states_;
  FetdOperators operators_;
  FirstGuess first_guess_;
  std::shared_ptr<const fem::IterationDevice> device_;  ///< for the operators
  std::string solver_device_;
  std::vector<std::size_t> plain_, others_;  ///< elements that the operators advance, and the others
  std::vector<std::size_t> watched_;         ///< plain elements that are recorded at every step
  bool is_shown_[2] = {true, true};          ///< E, H of all plain elements are those of the operators
  std::vector<double> side_, base_, mid_;    ///< right side; solution without waves of modal ports; E in mid-step
  std::vector<Column> drives_;               ///< per port: moments of a unit wave
  std::vector<std::pair<std::int32_t, Column>> source_drives_;  ///< per wave of sources: itself, its moments
  std::vector<Column> voltages_;                                ///< per port with a memory
  std::vector<std::size_t> modal_;                              ///< ports whose waves depend on the outgoing wave
  std::vector<std::vector<double>> responses_;                  ///< solutions for unit waves of these
  basis::DenseMatrix coupling_;                                 ///< [modal][modal], as L and U
  std::vector<double> waves_;                                   ///< of the present step, per port
  std::vector<double> modal_rows_;                              ///< [row not yet output][current]: waves at steps
  double seconds_side_ = 0, seconds_fields_ = 0;
};

template <class Work>
void FetdMarch::for_elements(const Work& work) {
  for_elements(plain_, work);
  for_elements(others_, work);
}

template <class Work>
void FetdMarch::for_elements(const std::vector<std::size_t>& elements, const Work& work) {
  if (elements.empty()) return;
  constexpr std::size_t parts = 64;  // an element is as long as so many cheap items
  for_ranges(elements.size(), count_ranges(elements.size(), parts * elements.size(), core_.threads()),
             [&](std::size_t, std::size_t first, std::size_t last) {
               Scratch scratch(whole_.space);
               for (std::size_t k = first; k < last; ++k) {
                 scratch.element.set(whole_.mesh->corners[elements[k]]);
                 work(elements[k], scratch);
               }
             });
}

}  // namespace tetrawave::modes
