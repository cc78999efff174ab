#include "results/s_parameters/s_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace tetrawave::results {

namespace {

using Complex = std::complex<double>;

constexpr double most_asymmetry = 0.01;

/// X = N D^-1 of square matrices [i][j], by elimination with row pivots on the transposed system D^T X^T = N^T.
std::vector<Complex> divide(std::vector<Complex> numerator, std::vector<Complex> denominator, std::size_t size) {
  const auto d = [&](std::size_t i, std::size_t j) -> Complex& { return denominator[j * size + i]; };
  const auto x = [&](std::size_t i, std::size_t j) -> Complex& { return numerator[j * size + i]; };
  for (std::size_t c = 0; c < size; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < size; ++r)
      if (std::abs(d(r, c)) > std::abs(d(pivot, c))) pivot = r;
    for (std::size_t k = 0; k < size; ++k) {
      std::swap(d(c, k), d(pivot, k));
      std::swap(x(c, k), x(pivot, k));
    }
    for (std::size_t r = 0; r < size; ++r) {
      if (r == c) continue;
      const Complex factor = d(r, c) / d(c, c);
      for (std::size_t k = 0; k < size; ++k) {
        d(r, k) -= factor * d(c, k);
        x(r, k) -= factor * x(c, k);
      }
    }
  }
  for (std::size_t r = 0; r < size; ++r)
    for (std::size_t k = 0; k < size; ++k) x(r, k) /= d(r, r);
  return numerator;
}

struct Extreme {
  double value = 0;
  std::size_t frequency = 0;
};

std::string cause_at(double hz, const PowerBalance& balance) {
  if (balance.second_mode_hz == 0 || hz <= balance.second_mode_hz) return balance.cause;
  return tetrawave::format(
      "above {:.6g} GHz a port carries a second mode, whose power S does not have: end the band there, or avoid what "
      "excites it; else {}",
      balance.second_mode_hz / 1e9, balance.cause);
}

void judge_power(SParameters& s, std::size_t port, const std::vector<bool>& reliable, const std::string& remedy,
                 const PowerBalance& balance) {
  Extreme low{INFINITY, 0};
  Extreme high{-INFINITY, 0};
  for (std::size_t f = 0; f < s.frequency_hz.size(); ++f) {
    if (!reliable[f]) continue;
    double sum = 0;
    for (std::size_t i = 0; i < s.ports.size(); ++i) sum += std::norm(s.at(f, i, port));
    if (sum < low.value) low = {sum, f};
    if (sum > high.value) high = {sum, f};
  }
  if (!(high.value >= low.value)) return;
  s.notes.push_back(tetrawave::format(
      "power of port '{}': the sum of |S|^2 is {:.5f} at {:.6g} GHz to {:.5f} at {:.6g} GHz", s.ports[port], low.value,
      s.frequency_hz[low.frequency] / 1e9, high.value, s.frequency_hz[high.frequency] / 1e9));
  if (high.value > most_of_ports)
    s.warnings.push_back(tetrawave::format(
        "S-parameters are not passive: with port '{}' driven the sum of |S|^2 exceeds 1 by {:.2g} at {:.6g} GHz (limit "
        "{:.2g}); {}",
        s.ports[port], high.value - 1, s.frequency_hz[high.frequency] / 1e9, most_of_ports - 1,
        balance.is_closed ? "likely cause: " + cause_at(s.frequency_hz[high.frequency], balance) : remedy));
  if (balance.is_closed && low.value < least_of_ports)
    s.warnings.push_back(
        tetrawave::format("S-parameters lose power: with port '{}' driven the sum of |S|^2 is {:.4f} at {:.6g} GHz "
                          "(limit {}), though no medium or wall of the case dissipates power and no wall is open; "
                          "likely cause: {}",
                          s.ports[port], low.value, s.frequency_hz[low.frequency] / 1e9, least_of_ports,
                          cause_at(s.frequency_hz[low.frequency], balance)));
}

void judge_reciprocity(SParameters& s, const std::vector<bool>& reliable, const std::string& remedy) {
  Extreme most{-1, 0};
  std::size_t first = 0;
  std::size_t second = 0;
  for (std::size_t f = 0; f < s.frequency_hz.size(); ++f)
    for (std::size_t i = 0; i < s.ports.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        if (!reliable[f] || !s.driven[i] || !s.driven[j]) continue;
        const double difference = std::abs(s.at(f, i, j) - s.at(f, j, i));
        if (difference <= most.value) continue;
        most = {difference, f};
        first = i;
        second = j;
      }
  if (most.value < 0) return;
  const double at_ghz = s.frequency_hz[most.frequency] / 1e9;
  s.notes.push_back(tetrawave::format("reciprocity: |Sij - Sji| is at most {:.2g}, between '{}' and '{}' at {:.6g} GHz",
                                      most.value, s.ports[second], s.ports[first], at_ghz));
  if (most.value > most_asymmetry)
    s.warnings.push_back(
        tetrawave::format("S-parameters are not reciprocal: |Sij - Sji| is {:.2g} between '{}' and '{}' at {:.6g} GHz "
                          "(limit {}); {}",
                          most.value, s.ports[second], s.ports[first], at_ghz, most_asymmetry, remedy));
}

}  // namespace

void shift_reference_planes(SParameters& s, const std::vector<PortModel>& ports) {
  for (std::size_t f = 0; f < s.frequency_hz.size(); ++f) {
    std::vector<Complex> factor;
    for (const PortModel& port : ports)
      factor.push_back(std::exp(port.propagation(s.frequency_hz[f]) * port.reference_plane_m));
    for (std::size_t i = 0; i < ports.size(); ++i)
      for (std::size_t j = 0; j < ports.size(); ++j) s.at(f, i, j) *= factor[i] * factor[j];
  }
}

void renormalise(SParameters& s, const std::vector<PortModel>& ports, const std::vector<double>& ohms) {
  const std::size_t size = ports.size();
  ensure(ohms.size() == 1 || ohms.size() == size, "one impedance for all ports, or one per port");
  for (std::size_t f = 0; f < s.frequency_hz.size(); ++f) {
    std::vector<Complex> numerator(size * size), denominator(size * size);
    for (std::size_t i = 0; i < size; ++i) {
      const Complex own = ports[i].reference(s.frequency_hz[f]);
      const double wanted = ohms[ohms.size() == 1 ? 0 : i];
      const Complex root = 2.0 * std::sqrt(own) * std::sqrt(wanted);
      const Complex p = (own + wanted) / root;
      const Complex q = (own - wanted) / root;
      for (std::size_t j = 0; j < size; ++j) {
        numerator[i * size + j] = (i == j ? q : 0.0) + p * s.at(f, i, j);
        denominator[i * size + j] = (i == j ? p : 0.0) + q * s.at(f, i, j);
      }
    }
    const auto result = divide(std::move(numerator), std::move(denominator), size);
    std::copy(result.begin(), result.end(), s.values.begin() + static_cast<std::ptrdiff_t>(f * size * size));
  }
}

void judge(SParameters& s, const std::vector<bool>& reliable, const std::string& remedy, const PowerBalance& balance) {
  for (std::size_t j = 0; j < s.ports.size(); ++j)
    if (s.driven[j]) judge_power(s, j, reliable, remedy, balance);
  judge_reciprocity(s, reliable, remedy);
}

}  // namespace tetrawave::results
