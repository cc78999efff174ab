#include "tools/tables/bernstein.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "base/text/format.hpp"
#include "basis/functions.hpp"

namespace tetrawave::tables {

namespace {

using Index = std::array<int, 4>;             ///< powers of the barycentric coordinates of an element
using OnFace = std::array<int, 3>;            ///< of a face, its vertices ascending
using Terms = std::map<std::string, double>;  ///< a sum of variables with factors

std::size_t place_of(const std::vector<Index>& list, const Index& alpha) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), alpha) - list.begin());
}

std::vector<OnFace> face_indices(int degree) {
  std::vector<OnFace> list;
  for (int a = degree; a >= 0; --a)
    for (int b = degree - a; b >= 0; --b) list.push_back({a, b, degree - a - b});
  return list;
}

std::size_t place_of(const std::vector<OnFace>& list, const OnFace& beta) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), beta) - list.begin());
}

/// The lowest vertex with a power.
template <class Powers>
std::size_t lowest(const Powers& powers) {
  return static_cast<std::size_t>(std::find_if(powers.begin(), powers.end(), [](int p) { return p > 0; }) -
                                  powers.begin());
}

Index on_element(const OnFace& beta, std::size_t face, int height) {
  Index alpha{};
  std::size_t k = 0;
  for (std::size_t v = 0; v < 4; ++v) alpha[v] = v == face ? height : beta[k++];
  return alpha;
}

template <class Powers>
Powers raised(Powers powers, std::size_t at) {
  ++powers[at];
  return powers;
}

/// "S(0.5) * a - b".
std::string sum_of(const Terms& terms) {
  std::string text;
  for (const auto& [name, c] : terms) {
    const double size = c < 0 ? -c : c;
    const std::string term = size == 1 ? name : format("S({:.17g}) * {}", size, name);
    text += (text.empty() ? (c < 0 ? "-" : "") : (c < 0 ? " - " : " + ")) + term;
  }
  return text;
}

class Writer {
 public:
  Writer(Header& out, int degree)
      : out_(out),
        degree_(degree),
        all_(basis::bernstein_indices(degree)),
        lower_(basis::bernstein_indices(degree - 1)),
        on_face_(face_indices(degree)) {}

  void write_curl() {
    out_ << "  /// w (modes) = contravariant component c (1..3) of the curl of v (dofs), times det J.\n"
            "  template <int c, class S, class R>\n  TW_FN static void curl_component(const R* v, R* w) {\n";
    for (std::size_t c = 1; c <= 3; ++c) {
      out_ << format("    if constexpr (c == {}) {{\n", c);
      for (std::size_t i = 0; i < lower_.size(); ++i)
        out_ << format("      const R d{} = {};\n", i, sum_of(slope(c, i)));
      for (std::size_t i = 0; i < all_.size(); ++i) {
        Terms sum;
        for (std::size_t v = 0; v < 4; ++v) {
          if (all_[i][v] == 0) continue;
          Index beta = all_[i];
          --beta[v];
          sum.emplace(format("d{}", place_of(lower_, beta)), all_[i][v]);
        }
        out_ << format("      w[{}] = {};\n", i, sum_of(sum));
      }
      out_ << "    }\n";
    }
    out_ << "  }\n";
  }

  void write_lower_curl() {
    out_ << format("  /// d (3 x {}) = coefficients of the curl of v (dofs) of degree {}, times det J/{}.\n",
                   lower_.size(), degree_ - 1, degree_)
         << "  template <class S, class R>\n  TW_FN static void lower_curl(const R* v, R* d) {\n";
    for (std::size_t c = 1; c <= 3; ++c)
      for (std::size_t i = 0; i < lower_.size(); ++i)
        out_ << format("    d[{}] = {};\n", (c - 1) * lower_.size() + i, sum_of(slope(c, i)));
    out_ << "  }\n";
  }
  void write_curl_of_lower() {
    const auto linear = basis::bernstein_indices(degree_ - 2);
    out_ << format(
                "  /// w (modes) = contravariant component c (1..3), times det J, of the curl of a field with "
                "covariant\n"
                "  /// components b (3 x {}) of degree {}.\n",
                lower_.size(), degree_ - 1)
         << "  template <int c, class S, class R>\n  TW_FN static void curl_of_lower(const R* b, R* w) {\n";
    for (std::size_t c = 1; c <= 3; ++c) {
      const std::size_t a = c % 3 + 1;
      const std::size_t b = a % 3 + 1;
      out_ << format("    if constexpr (c == {}) {{\n", c);
      for (std::size_t i = 0; i < linear.size(); ++i) {
        Terms sum;
        add(sum, of_lower(b, raised(linear[i], a)), 1);
        add(sum, of_lower(b, raised(linear[i], 0)), -1);
        add(sum, of_lower(a, raised(linear[i], b)), -1);
        add(sum, of_lower(a, raised(linear[i], 0)), 1);
        out_ << format("      const R d{} = {};\n", i, sum_of(sum));
      }
      for (std::size_t i = 0; i < all_.size(); ++i) {  // the degree is raised by two
        Terms sum;
        for (std::size_t j = 0; j < linear.size(); ++j)
          if (const double share = share_of(linear[j], all_[i]); share != 0)
            sum.emplace(format("d{}", j), (degree_ - 1) * share);
        out_ << format("      w[{}] = {};\n", i, sum_of(sum));
      }
      out_ << "    }\n";
    }
    out_ << "  }\n";
  }
  void write_trace_of_lower() {
    out_ << "  /// g (face_modes) = first T_1 + second T_2, T the components of such a field along x_b - x_a and x_c - "
            "x_a\n"
            "  /// on face f.\n"
            "  template <int f, int first, int second, class S, class R>\n"
            "  TW_FN static void trace_of_lower(const R* b, R* g) {\n";
    const std::vector<OnFace> lower = face_indices(degree_ - 1);
    for (std::size_t f = 0; f < 4; ++f) {
      const std::size_t vertices[3] = {f == 0 ? 1U : 0U, f < 2 ? 2U : 1U, f < 3 ? 3U : 2U};
      out_ << format("    if constexpr (f == {}) {{\n", f);
      for (std::size_t i = 0; i < lower.size(); ++i) {
        const auto component = [&](std::size_t along) {
          Terms sum;
          add(sum, of_lower(vertices[along], on_element(lower[i], f, 0)), 1);
          if (f == 0) add(sum, of_lower(vertices[0], on_element(lower[i], f, 0)), -1);
          return sum_of(sum);
        };
        out_ << format("      R l{} = R{{}};\n", i)
             << format("      if constexpr (first != 0) l{} = S(first) * ({});\n", i, component(1))
             << format("      if constexpr (second != 0) l{} += S(second) * ({});\n", i, component(2));
      }
      for (std::size_t i = 0; i < on_face_.size(); ++i) {
        Terms sum;
        for (std::size_t v = 0; v < 3; ++v) {
          if (on_face_[i][v] == 0) continue;
          OnFace beta = on_face_[i];
          --beta[v];
          sum.emplace(format("l{}", place_of(lower, beta)), static_cast<double>(on_face_[i][v]) / degree_);
        }
        out_ << format("      g[{}] = {};\n", i, sum_of(sum));
      }
      out_ << "    }\n";
    }
    out_ << "  }\n";
  }

  void write_traces() {
    const std::size_t m = on_face_.size();
    write_lowest("lowest", "element", all_);
    write_lowest("lowest_on_face", "face", on_face_);
    out_ << format("  static constexpr int face_modes = {};\n", m)
         << "  /// c (2 x face_modes) = coefficients of the trace j (face_dofs) along x_b - x_a and x_c - x_a.\n"
            "  template <class S, class R>\n  TW_FN static void face_components(const R* j, R* c) {\n";
    for (std::size_t k = 0; k < m; ++k) {
      // Both coefficients of a polynomial are along the gradients of the vertices other than `lowest`, ascending.
      const auto first = format("j[{}]", 2 * k);
      const auto second = format("j[{}]", 2 * k + 1);
      const std::size_t from = lowest(on_face_[k]);
      const auto write = [&](std::size_t component, const Terms& terms) {
        out_ << format("    c[{}] = {};\n", component * m + k, sum_of(terms));
      };
      write(0, from == 0 ? Terms{{first, 1}} : from == 1 ? Terms{{first, -1}} : Terms{{second, 1}, {first, -1}});
      write(1, from == 0 ? Terms{{second, 1}} : from == 1 ? Terms{{second, 1}, {first, -1}} : Terms{{first, -1}});
    }
    out_ << "  }\n";
  }

  void write_lifts() {
    out_ << "  /// w (modes) += factor l, mean over the element of phi l = mean over face f of phi g for all phi.\n"
            "  template <int f, class S, class R, class To>\n  TW_FN static void lift(S factor, const R* g, const To& "
            "to) {\n";
    for (std::size_t f = 0; f < 4; ++f) write_lift(f);
    out_ << "  }\n";
  }

  void write_dofs() {
    out_ << "  /// u (dofs) = the functions' coefficients from covariant components z (3 x modes).\n"
            "  template <class S, class R>\n  TW_FN static void to_dofs(const R* z, R* u) {\n";
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const std::size_t from = lowest(all_[i]);
      std::size_t slot = 0;
      for (std::size_t j = 0; j < 4; ++j) {
        if (j == from) continue;
        Terms sum;
        if (j > 0) add(sum, format("z[{}]", row(j, i)), 1);
        if (from > 0) add(sum, format("z[{}]", row(from, i)), -1);
        out_ << format("    u[{}] = {};\n", 3 * i + slot++, sum_of(sum));
      }
    }
    out_ << "  }\n";
  }

 private:
  template <class Powers>
  void write_lowest(const char* name, const char* of, const std::vector<Powers>& list) {
    std::string numbers;
    for (const Powers& powers : list) numbers += format("{}, ", lowest(powers));
    out_ << format("  /// The lowest vertex with a power in polynomial i of the {}.\n", of)
         << format("  TW_FN static constexpr int {}(int i) {{\n    constexpr std::uint8_t table[{}] = {{{}}};\n", name,
                   list.size(), numbers)
         << "    return table[i];\n  }\n";
  }

  static void add(Terms& terms, const std::string& name, double factor) {
    if ((terms[name] += factor) == 0) terms.erase(name);
  }
  [[nodiscard]] std::size_t row(std::size_t component, std::size_t mode) const {
    return (component - 1) * all_.size() + mode;
  }

  /// Covariant component a of the polynomial alpha, from the functions' coefficients.
  [[nodiscard]] Terms component(std::size_t a, const Index& alpha) const {
    const std::size_t i = place_of(all_, alpha);
    const std::size_t from = lowest(alpha);
    const auto along = [&](std::size_t j) { return format("v[{}]", 3 * i + (j < from ? j : j - 1)); };
    Terms terms;
    if (a != from) add(terms, along(a), 1);
    if (from > 0) add(terms, along(0), -1);  // grad L_0 = -(grad L_1 + grad L_2 + grad L_3)
    return terms;
  }
  /// Of component a: coefficient beta + e_axis less beta + e_0.
  [[nodiscard]] Terms difference(std::size_t a, const Index& beta, std::size_t axis) const {
    Terms terms = component(a, raised(beta, axis));
    for (const auto& [name, factor] : component(a, raised(beta, 0))) add(terms, name, -factor);
    return terms;
  }

  /// Component a (1..3) of a field of degree `degree_` - 1.
  [[nodiscard]] std::string of_lower(std::size_t a, const Index& alpha) const {
    return format("b[{}]", (a - 1) * lower_.size() + place_of(lower_, alpha));
  }
  /// What polynomial `from` has of polynomial `to`, of a higher degree.
  static double share_of(const Index& from, const Index& to) {
    double ways = 1;
    double all = 1;
    int more = 0;
    int n = 0;
    for (std::size_t v = 0; v < 4; ++v) {
      for (int k = 1; k <= from[v]; ++k) ways *= static_cast<double>(to[v] - k + 1) / k;
      more += from[v];
      n += to[v];
    }
    for (int k = 1; k <= more; ++k) all *= static_cast<double>(n - k + 1) / k;
    return ways / all;
  }

  /// Coefficient i of component c of the curl, of degree `degree_` - 1, times det J/`degree_`.
  [[nodiscard]] Terms slope(std::size_t c, std::size_t i) const {
    const std::size_t a = c % 3 + 1;
    const std::size_t b = a % 3 + 1;
    Terms terms = difference(b, lower_[i], a);
    for (const auto& [name, factor] : difference(a, lower_[i], b)) add(terms, name, -factor);
    return terms;
  }

  void write_lift(std::size_t f) {
    out_ << format("    if constexpr (f == {}) {{\n", f);
    for (std::size_t i = 0; i < on_face_.size(); ++i)
      write_lifted(f, 0, on_face_[i], format("factor * ({})", sum_of(lift_on_face(on_face_[i]))), i);
    std::vector<OnFace> above = on_face_;
    for (int height = 1; height <= degree_; ++height) {
      const std::vector<OnFace> here = face_indices(degree_ - height);
      for (std::size_t i = 0; i < here.size(); ++i) {
        Terms sum;
        for (std::size_t v = 0; v < 3; ++v)
          sum.emplace(format("l{}_{}", height - 1, place_of(above, raised(here[i], v))),
                      -(here[i][v] + 1.0) / (height + 1));
        write_lifted(f, height, here[i], sum_of(sum), i);
      }
      above = here;
    }
    out_ << "    }\n";
  }
  /// Row beta of (k+1)^2/3 E^T E, E the elevation of polynomials on a face by one degree.
  [[nodiscard]] Terms lift_on_face(const OnFace& beta) const {
    Terms sum;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        OnFace other = raised(beta, i);
        const double weight = (beta[i] + 1.0) * other[j] / 3;
        if (--other[j] >= 0) add(sum, format("g[{}]", place_of(on_face_, other)), weight);
      }
    return sum;
  }
  void write_lifted(std::size_t f, int height, const OnFace& beta, const std::string& value, std::size_t i) {
    out_ << format("      const R l{}_{} = {};\n      to({}, l{}_{});\n", height, i, value,
                   place_of(all_, on_element(beta, f, height)), height, i);
  }

  Header& out_;
  int degree_;
  std::vector<Index> all_;
  std::vector<Index> lower_;
  std::vector<OnFace> on_face_;
};

}  // namespace

void write_bernstein(Header& out, int degree, const std::string& type, const std::string& base) {
  out << "/// The terms of " << base
      << " for DGTD-Central and DGTD-Upwind: Bernstein coefficients of covariant and contravariant components.\nstruct "
      << type << " : " << base << " {\n  static constexpr ProductStyle style = ProductStyle::sparse;\n";
  Writer writer(out, degree);
  writer.write_curl();
  writer.write_traces();
  writer.write_lifts();
  writer.write_dofs();
  out << "};\n\n";
}

void write_lower(Header& out, int degree) {
  Writer writer(out, degree);
  writer.write_lower_curl();
  writer.write_curl_of_lower();
  writer.write_trace_of_lower();
}

}  // namespace tetrawave::tables
