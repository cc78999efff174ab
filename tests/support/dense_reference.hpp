// DGTD-Central once more, naively: matrices by quadrature of written-out basis functions, plain loops, slow.
//
// It shares with the solver the mesh, the problem and the numbering of dofs, but no table, kernel or layout: functions
// and curls are those of theory/elements, matrices are sums over quadrature points, and a face
// couples the physical values of both its elements at the same points.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <vector>

#include "march/interface/engine.hpp"
#include "march/interface/problem.hpp"
#include "support/written_out.hpp"

namespace tetrawave_tests {

/// The field of an incident wave, linear in the point; its tangential part on the driven faces is e_p.
using IncidentProfile = std::function<tetrawave::Vec3(const tetrawave::Vec3&)>;

/// The march of one rank that owns the whole mesh.
class DenseReference {
 public:
  DenseReference(const tetrawave::march::Problem& problem, const IncidentProfile& profile);

  /// As Engine::start: with both fields given, H goes back to -dt/2 by an explicit step without the wall's losses.
  void start(const tetrawave::march::Start& start);
  /// Advances; records a row per step and, every `energy_every` steps, an energy.
  void advance(std::int64_t steps);
  /// The last row, half a step of H beyond the end.
  void finish();

  /// Instead: the fields after so many steps of `start`, without an error of the step to speak of (`pieces` of
  /// Runge-Kutta); with time_order 4, sigma, electric terms and open walls.
  void march_exactly(const tetrawave::march::Start& start, double steps, std::int64_t pieces);
  /// The functionals of the present fields.
  [[nodiscard]] std::vector<double> row() const;

  [[nodiscard]] const std::vector<double>& field(tetrawave::march::Field which) const {
    return which == tetrawave::march::Field::electric ? electric_ : magnetic_;
  }
  /// Row by row, electric functionals at n, then magnetic ones at n + 1/2; with classes of steps their mean about n.
  [[nodiscard]] const std::vector<double>& record() const { return record_; }
  [[nodiscard]] const std::vector<double>& magnetic_before_start() const { return before_start_; }
  [[nodiscard]] const std::vector<tetrawave::march::EnergyRow>& energies() const { return energies_; }
  [[nodiscard]] double present_energy() const;
  /// Whether dt < 2/sigma_max of the lossless operator: whether 4/dt^2 M_h - K^T M_e^-1 K is positive definite.
  [[nodiscard]] bool is_stable(double dt_m) const;
  /// What the penalty takes from E: the sum over faces of alpha/(Z + Z+) int |n x [E]|^2.
  [[nodiscard]] double penalty_power(const std::vector<double>& electric) const;
  /// e . K h.
  [[nodiscard]] double coupling(const std::vector<double>& e, const std::vector<double>& h) const;
  /// u . c M v.
  [[nodiscard]] double product(const std::vector<double>& u, const std::vector<double>& v, bool electric) const;

 private:
  using Vector = std::vector<double>;
  struct Element {
    DenseMatrix mass;                                    ///< int N_i . N_j
    std::array<std::array<DenseMatrix, 3>, 3> products;  ///< int N_i,a N_j,b
    DenseMatrix curl;                                    ///< int N_i . curl N_j
    std::array<DenseMatrix, 4> own;                      ///< oint_f N_i . (n x N_j)
    std::array<DenseMatrix, 4> across;                   ///< oint_f N_i . (n x N_j of the neighbour)
    std::array<DenseMatrix, 4> face_mass;                ///< oint_f N_it . N_jt
    std::array<int, 4> wave{};                           ///< of a driven face, else 0
    std::array<Vector, 4> incident;                      ///< oint_f N_i . e_p
    std::array<Vector, 4> incident_turned;               ///< oint_f N_i . (n x e_p)
    tetrawave::Vec3 stretch{};                           ///< sigma of a layer
    /// Of E and of H at the quadrature points: P_1' = u - (alpha + stretch) P_1, P_2' = P_1 - alpha P_2.
    std::array<std::vector<std::array<tetrawave::Vec3, 2>>, 2> auxiliary;
  };
  [[nodiscard]] Element make_element(std::size_t e, const IncidentProfile& profile) const;
  [[nodiscard]] bool is_open(std::size_t e, std::size_t f) const;
  /// Of D_f at an open face in the equation of E or H: Y/(Y + Y_s) or Y_s/(Y + Y_s).
  [[nodiscard]] double open_share(std::size_t e, std::size_t f, bool electric) const;
  [[nodiscard]] const tetrawave::Medium& medium(std::size_t e) const;
  /// What currents of 1 of ports of one mode make of E, per port, with the matrix of an element's step.
  void add_responses(std::size_t e, const DenseMatrix& matrix, std::vector<Vector>& responses) const;
  void hold_electric();  ///< at metal, by the mass
  /// d/dt of e, h and the states of dispersive terms, at a time in steps.
  [[nodiscard]] Vector rates_of_all(const Vector& all, double steps) const;
  /// E of a half step without the currents of such ports gets them.
  void run_mode_currents(Vector& u, const std::vector<double>& before, const std::vector<Vector>& responses);
  /// w of such a port beside what its source sends.
  [[nodiscard]] double returned_wave(const tetrawave::march::PortMemory& memory, const std::vector<double>& left) const;
  [[nodiscard]] std::vector<double> mode_voltages(const Vector& u) const;
  /// Makes an element's equations of E those without the dofs that metal holds at zero.
  void hold_at_metal(std::size_t e, DenseMatrix& matrix, Vector& right) const;
  /// sign (C v + sum_f oint N . (n x (v* - v))) without the walls' losses and waves; v* = v on walls of kind `blind`,
  /// v* = 0 on the other kind, v/2 on open ones (theory/central).
  [[nodiscard]] Vector curl_of(const Vector& v, double sign, tetrawave::march::Wall blind) const;
  [[nodiscard]] Vector curl_of_magnetic(const Vector& h) const;  ///< of the equation of E
  [[nodiscard]] Vector curl_of_electric(const Vector& e) const;  ///< of the equation of H
  /// sigma of the layer's element, by its definition: the cube of the depth.
  [[nodiscard]] tetrawave::Vec3 stretch_of(std::size_t e) const;
  /// How much of a layer's brake two elements ask for along the axes: the lesser of both, in whole thousandths;
  /// in mixed spaces half of the largest along the other axes.
  [[nodiscard]] tetrawave::Vec3 brake_shares(std::size_t e, std::size_t f) const;
  /// right += oint N . B (u+ - u) between elements of layers, B = P diag(shares) P a quarter of the upwind flux's, P
  /// the projection on the face.
  void add_brakes(const Vector& u, bool electric, Vector& right) const;
  /// right += alpha/(Z + Z+) oint N_t . (u+ - u) where there are no brakes, mirrored at PEC or PMC; its dual for H.
  void add_penalty(const Vector& electric, Vector& right) const;
  /// Whether 2/dt M - ( P K ; K^T Q ) is positive definite.
  [[nodiscard]] bool is_stable_with_penalty(double dt_m) const;
  /// One step of dt of a layer's law along an axis for u+ + u = `sum`, by the trapezoidal rule: the mean of what is
  /// beside u', and the auxiliary variables afterwards.
  double step_law(std::size_t e, std::size_t axis, bool electric, double dt_m, double sum, double& first,
                  double& second) const;
  /// Rows of what the mass weighs vectors with, beside its axes, next to elements of a coarser class.
  [[nodiscard]] std::array<tetrawave::Vec3, 3> border_weights(std::size_t e, bool electric) const;
  /// int N_i . weights N_j.
  [[nodiscard]] DenseMatrix mass_of(std::size_t e, const std::array<tetrawave::Vec3, 3>& weights) const;
  /// int N_i . weights N_j, weights of the medium times what a layer's step adds, and those of a border of classes.
  [[nodiscard]] DenseMatrix weighted_mass(std::size_t e, bool electric, double dt_m) const;
  /// right -= c int N . what the auxiliary variables push by themselves; afterwards their step with u before and after.
  void subtract_auxiliary(std::size_t e, double constant, bool electric, Vector& right) const;
  void step_auxiliary(std::size_t e, bool electric, const double* before, const double* after);
  [[nodiscard]] tetrawave::Vec3 value_at(std::size_t e, const double* u, const tetrawave::Vec3& point) const;
  /// (c/dt M + l/2 M + y/4 F) u+ = (c/dt M - l/2 M - y/4 F) u + given + brakes of layers; c, l, y of the medium.
  void update(Vector& u, const Vector& given, bool electric);
  /// int N_i . chi3 |E|^2 E by the rule of the solver, and its derivative, both over dt; nothing in linear media.
  void add_kerr(std::size_t e, const double* u, Vector& moment, DenseMatrix* slope) const;
  [[nodiscard]] Vector solve_kerr(std::size_t e, const DenseMatrix& linear, const Vector& right,
                                  const double* before) const;
  [[nodiscard]] Vector solve_mass(const Vector& right, bool electric) const;
  [[nodiscard]] double step_of(std::size_t e) const;
  [[nodiscard]] int class_of(std::size_t e) const;
  void step_magnetic(int step_class, double steps);
  void step_electric(int step_class, double steps);
  void update_class(Vector& u, const Vector& right, bool electric, int step_class);
  void step_at(std::int64_t half);
  void add_sample(std::vector<double>& to, const std::vector<tetrawave::march::Functional>& functionals,
                  const Vector& u) const;
  void begin_step(bool energy);

  tetrawave::march::Problem problem_;
  std::size_t dofs_;
  std::vector<WrittenOutBasis> bases_;
  std::vector<Element> elements_;
  tetrawave::march::Start start_;
  mutable std::array<std::vector<DenseMatrix>, 2> factors_;  ///< of the masses of E and H with the steps of `start_`
  double dt_m_ = 0;                                          ///< of what is being updated
  std::map<std::int32_t, std::vector<double>> left_;  ///< by wave: what has left a port of one mode, step by step
  double half_step_ = 0;                              ///< at which E is advanced, in steps of the march
  Vector electric_;
  Vector magnetic_;
  std::int64_t now_ = 0;
  std::vector<double> record_;
  std::vector<double> before_start_;
  std::vector<tetrawave::march::EnergyRow> energies_;
};

}  // namespace tetrawave_tests
