#include "results/rational/partial_fractions.hpp"

namespace tetrawave::results {

using Complex = std::complex<double>;

namespace {

Eigen::Index index(std::size_t k) { return static_cast<Eigen::Index>(k); }

}  // namespace

Eigen::VectorXcd partial_fractions(const std::vector<Complex>& poles, Complex s) {
  const Complex j(0, 1);
  Eigen::VectorXcd values(index(poles.size() + 1));
  for (std::size_t k = 0; k < poles.size(); ++k) {
    const Complex first = 1.0 / (s - poles[k]);
    values[index(k)] = first;
    if (!begins_pair(poles, k)) continue;
    const Complex second = 1.0 / (s - std::conj(poles[k]));
    values[index(k)] = first + second;
    values[index(++k)] = j * (first - second);
  }
  values[index(poles.size())] = 1;
  return values;
}

Eigen::MatrixXd as_real(const Eigen::MatrixXcd& values) {
  Eigen::MatrixXd result(2 * values.rows(), values.cols());
  result << values.real(), values.imag();
  return result;
}

Eigen::MatrixXd coefficients_of(const RationalModel& model) {
  const std::size_t entries = model.rows * model.columns;
  Eigen::MatrixXd result(index(model.poles.size() + 1), index(entries));
  for (std::size_t e = 0; e < entries; ++e) {
    for (std::size_t k = 0; k < model.poles.size(); ++k) {
      const Complex residue = model.residues[k * entries + e];
      result(index(k), index(e)) = residue.real();
      if (begins_pair(model.poles, k)) result(index(++k), index(e)) = residue.imag();
    }
    result(index(model.poles.size()), index(e)) = model.constant[e];
  }
  return result;
}

void set_coefficients(RationalModel& model, const Eigen::MatrixXd& coefficients) {
  const std::size_t entries = model.rows * model.columns;
  model.residues.resize(model.poles.size() * entries);
  model.constant.resize(entries);
  for (std::size_t e = 0; e < entries; ++e) {
    for (std::size_t k = 0; k < model.poles.size(); ++k) {
      Complex residue = coefficients(index(k), index(e));
      if (begins_pair(model.poles, k)) {
        residue.imag(coefficients(index(k + 1), index(e)));
        model.residues[k * entries + e] = residue;
        residue = std::conj(residue);
        ++k;
      }
      model.residues[k * entries + e] = residue;
    }
    model.constant[e] = coefficients(index(model.poles.size()), index(e));
  }
}

}  // namespace tetrawave::results
