// One half step of DFDD-ELD: the element's own second-order equation implicit (Newmark, beta = 1/4), the neighbours'
// rates explicit (dissertation eq. 4.18-4.32, theory/dfdd).
//
// With x = de/dt, y the other field's rate at the middle of the step, A = a M + dt^2/(4 b) S0, a = eps and b = mu,
//   x+ = x + dt A^-1( -(1/b) S0 e + sum_f D_f y+ ),   e+ = e + dt x+;
// for H the coupling has the opposite sign. Media with losses and dispersion have other a and b, and e and x are
// prepared (terms/dispersion/kernel.hpp): in blocks of elements of one such medium here, else by a kernel before. S0 =
// C^T Q C, C the curl's components (3 m' x n), Q = q (x) d/6 from the metric of the other material, so by the Woodbury
// identity
//   A^-1(...) = (1/a) ( M^-1 d - M^-1 C^T l ),   d = +-sum_f D_f y+,
//   K l = C ( (4 a/dt^2) e + M^-1 d ),   K = (4 a b/dt^2) Q^-1 + C M^-1 C^T.
// K is computed and solved in registers, in full-3 the system is solved by a series (schemes/dfdd/curl_series.hpp), in
// mixed-3 the inverse is computed once and read (schemes/dfdd/held_inverse.hpp, decision 038); in mixed-2 A is inverted
// by its modes (schemes/dfdd/curl_system.hpp, decision 035).
#pragma once

#include <type_traits>

#include "kernel_terms.hpp"
#include "kernels/element_block.hpp"
#include "kernels/mass_inverse.hpp"
#include "kernels/spaces.hpp"
#include "schemes/dfdd/bernstein_curls.hpp"
#include "schemes/dfdd/coupling.hpp"
#include "schemes/dfdd/curl_system.hpp"
#include "terms/dispersion/kernel.hpp"

namespace tetrawave::kernels {

/// inverse = K^-1 of every element, or what its series converges by, for spaces that store it; shared like the metric,
/// so that it runs on one of the blocks that share it.
template <class S>
struct DfddInverse {
  using Scalar = S;
  Elements<S> elements;          ///< metric of this field's material
  Metric<S> curl_metric;         ///< of the other material
  const S* stiffness = nullptr;  ///< per material class: 4 a b/dt^2
  S* inverse = nullptr;          ///< held_rows

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    if constexpr (Basis::style == ProductStyle::sparse) {
      using R = typename Lane::Number;
      R q[6];
      R p[6];
      elements.metric.load(lane, q);
      curl_metric.load(lane, p);
      const auto material = lane.load_integer(elements.word, 1, 0) >> ElementWord::class_shift;
      lane.store_at(lane.place_of_shared(inverse, elements.metric.block, 1), 0,
                    CurlSeries<Basis, S, Lane>::ratio_of(lane, q, p, lane.lookup(stiffness, material)));
    } else if constexpr (holds_inverse<Basis>()) {
      using R = typename Lane::Number;
      using Held = HeldInverse<Basis, S>;
      constexpr int m = 3 * Basis::curl_modes;
      R q[6];
      R p[6];
      elements.metric.load(lane, q);
      curl_metric.load(lane, p);
      const auto material = lane.load_integer(elements.word, 1, 0) >> ElementWord::class_shift;
      R k[m * (m + 1) / 2];
      make_curl_matrix<Basis, S, Lane>(MassInverse<Basis, S, Lane>(q), p, lane.lookup(stiffness, material), k);
      invert_packed<m>(k);
      S* place = lane.place_of_shared(inverse, elements.metric.block, Held::rows);
      Held::make(lane, k, [&](int row, const R& number) { lane.store_at(place, row, number); });
    }
  }
};

/// Coefficients per material class of DfddUpdate.
template <class S>
struct DfddCoefficients {
  const S* decay = nullptr;      ///< of the rate: 1, except at the start
  const S* gain = nullptr;       ///< dt/a; padding 0
  const S* pull = nullptr;       ///< 4 a/dt^2
  const S* stiffness = nullptr;  ///< 4 a b/dt^2
};

struct NoTerms {};

/// Numbers of an element that a series has beside registers: M^-1 d and g.
template <class Basis>
constexpr int series_numbers() {
  return sums_series<Basis>() ? Basis::dofs + 3 * Basis::curl_modes : 0;
}

/// `Terms`: NoTerms, or RatePoles of blocks of elements whose terms the update includes; its arrays start where those
/// of all elements do, and its lists of elements, fields and phase are not used.
template <class S, class Terms>
struct DfddHalfStep {
  using Scalar = S;
  Elements<S> elements;        ///< metric of this field's material
  Metric<S> curl_metric;       ///< of the other material
  const S* inverse = nullptr;  ///< of DfddInverse, for spaces that store it
  const S* source = nullptr;   ///< the other field's rate, ghosts included
  S* rate = nullptr;
  S* value = nullptr;
  DfddCoefficients<S> c;
  S dt = 0;
  S sign = 1;  ///< of the coupling: 1 for E, -1 for H
  [[no_unique_address]] Terms terms{};

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    if constexpr (with_terms && !takes_terms<Basis>()) return;
    elements.fetch(lane);
    const Traces<Basis, Lane, S> traces(lane, elements, source, rate, value);
    if constexpr (held_rows<Basis, S>() > 0)
      if (elements.metric.block == nullptr) lane.fetch(inverse, held_rows<Basis, S>());
    if constexpr (Basis::style == ProductStyle::sparse)
      solve_series<Basis>(lane, traces);
    else if constexpr (solves_for_top<Basis>())
      solve_modes<Basis>(lane, traces);
    else if constexpr (makes_curls<Basis>())
      solve_made<Basis>(lane, traces);
    else
      solve_curls<Basis>(lane, traces);
  }

 private:
  static constexpr bool with_terms = !std::is_empty_v<Terms>;

  /// Additions of terms to the value and the rate of dofs first, first + 1, ..
  template <class Basis, int count, class Lane, class R>
  TW_FN void add_terms(const Lane& lane, int first, R* u, R* x) const {
    R change[count];
    R push[count];
    terms.template look<Basis, count>(lane, first, u, x, change, push);
    TW_UNROLL
    for (int k = 0; k < count; ++k) {
      u[k] += change[k];
      x[k] += push[k];
    }
  }

  /// The values used by the update; terms change the rate in its place.
  template <class Basis, class Lane, class R>
  TW_FN void see(const Lane& lane, R* seen) const {
    constexpr int n = Basis::dofs;
    TW_UNROLL
    for (int i = 0; i < n; ++i) seen[i] = lane.load(value, n, i);
    if constexpr (with_terms) {
      constexpr int count = dofs_at_once<Basis>();
      TW_UNROLL
      for (int first = 0; first < n; first += count) {
        R x[count];
        TW_UNROLL
        for (int k = 0; k < count; ++k) x[k] = lane.load(rate, n, first + k);
        add_terms<Basis, count>(lane, first, seen + first, x);
        TW_UNROLL
        for (int k = 0; k < count; ++k) lane.store(rate, n, first + k, x[k]);
      }
    }
  }

  /// w = +-sum_f D_f y+
  template <class Basis, class Lane, class Word, class R>
  TW_FN void couple(const Lane& lane, const Word& word, const Traces<Basis, Lane, S>& traces, R* w) const {
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) w[i] = R{};
    add_neighbours<Basis>(lane, elements, traces, source, word, S(0), w);
    const R signed_one = lane.choose((word >> ElementWord::sign_shift) & 1, R{} - sign, R{} + sign);
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) w[i] *= signed_one;
  }

  /// By the inverse of A in modes, d - S0 e/b on the right-hand side.
  template <class Basis, class Lane>
  TW_FN void solve_modes(const Lane& lane, const Traces<Basis, Lane, S>& traces) const {
    using R = typename Lane::Number;
    constexpr int modes = Basis::curl_modes;
    const auto word = lane.load_integer(elements.word, 1, 0);
    const auto material = word >> ElementWord::class_shift;
    R p[6];
    curl_metric.load(lane, p);
    const R stiff = lane.lookup(c.stiffness, material);
    R w[Basis::dofs];
    couple<Basis>(lane, word, traces, w);
    {
      R l[3 * modes];
      {
        R own[Basis::dofs];
        see<Basis>(lane, own);
        Basis::template curl_components<S>(own, l);
      }
      const R over_b = lane.lookup(c.pull, material) * reciprocal(stiff);
      TW_UNROLL
      for (int j = 0; j < modes; ++j) {
        R v[3] = {l[j], l[modes + j], l[2 * modes + j]};
        multiply_symmetric(p, v);
        TW_UNROLL
        for (int a = 0; a < 3; ++a) l[a * modes + j] = S(Basis::mode_square(j) / 6) * over_b * v[a];
      }
      R back[Basis::dofs];
      Basis::template curl_transposed<S>(l, back);
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) w[i] -= back[i];
    }
    R change[Basis::dofs];
    {
      R q[6];
      elements.metric.load(lane, q);
      ImplicitInverse<Basis, S, Lane>(q, p, stiff).apply(w, change);
    }
    advance<Basis>(lane, material, change);
  }

  /// With K computed here. M^-1 d is added to the rate first, so that meanwhile only the right-hand side is in
  /// registers.
  template <class Basis, class Lane>
  TW_FN void solve_made(const Lane& lane, const Traces<Basis, Lane, S>& traces) const {
    using R = typename Lane::Number;
    constexpr int n = Basis::dofs;
    constexpr int m = 3 * Basis::curl_modes;
    const auto word = lane.load_integer(elements.word, 1, 0);
    const auto material = word >> ElementWord::class_shift;
    R q[6];
    elements.metric.load(lane, q);
    const MassInverse<Basis, S, Lane> mass(q);
    const R gain = lane.lookup(c.gain, material);
    R l[m];
    {
      R u[n];
      {
        R w[n];
        couple<Basis>(lane, word, traces, w);
        mass.template apply<S>(w, u);
      }
      const R decay = lane.lookup(c.decay, material);
      const R pull = lane.lookup(c.pull, material);
      constexpr int count = 6;
      TW_UNROLL
      for (int first = 0; first < n; first += count) {
        R x[count];
        R v[count];
        TW_UNROLL
        for (int k = 0; k < count; ++k) {
          x[k] = lane.load_once(rate, n, first + k);
          v[k] = lane.load_once(value, n, first + k);
        }
        if constexpr (with_terms) add_terms<Basis, count>(lane, first, v, x);
        TW_UNROLL
        for (int k = 0; k < count; ++k) {
          lane.store(rate, n, first + k, decay * x[k] + gain * u[first + k]);
          u[first + k] += pull * v[k];
        }
      }
      Basis::template curl_components<S>(u, l);
    }
    {
      R p[6];
      curl_metric.load(lane, p);
      CurlSystem<Basis, S, Lane>(q, p, lane.lookup(c.stiffness, material)).solve(l);
    }
    R change[n];
    {
      R back[n];
      Basis::template curl_transposed<S>(l, back);
      mass.template apply<S>(back, change);
    }
    constexpr int count = 6;
    TW_UNROLL
    for (int first = 0; first < n; first += count) {
      R x[count];
      R v[count];
      TW_UNROLL
      for (int k = 0; k < count; ++k) {
        x[k] = lane.reload(rate, n, first + k);
        v[k] = lane.reload(value, n, first + k);
      }
      TW_UNROLL
      for (int k = 0; k < count; ++k) {
        x[k] -= gain * change[first + k];
        lane.store_once(rate, n, first + k, x[k]);
        lane.store_once(value, n, first + k, v[k] + dt * x[k]);
      }
    }
  }

  /// Rate and value; loads of several are issued before the first store.
  template <class Basis, class Lane, class Material, class R>
  TW_FN void advance(const Lane& lane, const Material& material, const R* change) const {
    constexpr int n = Basis::dofs;
    constexpr bool has_room = Basis::style == ProductStyle::sparse && !Lane::holds_jumps;  // registers
    constexpr int count = has_room ? 20 : n % 6 == 0 ? 6 : 5;
    const R decay = lane.lookup(c.decay, material);
    const R gain = lane.lookup(c.gain, material);
    TW_UNROLL_IF(Basis::style != ProductStyle::rolled)
    for (int first = 0; first < n; first += count) {
      R x[count];
      R u[count];
      TW_UNROLL
      for (int k = 0; k < count; ++k) {
        x[k] = with_terms ? lane.reload(rate, n, first + k) : lane.load(rate, n, first + k);
        u[k] = lane.load(value, n, first + k);
      }
      TW_UNROLL
      for (int k = 0; k < count; ++k) {
        x[k] = decay * x[k] + gain * change[first + k];
        lane.store(rate, n, first + k, x[k]);
        lane.store(value, n, first + k, u[k] + dt * x[k]);
      }
    }
  }

  /// By a series, in Bernstein form: change = M^-1 ( d - C^T l ), 6 l = h.
  template <class Basis, class Lane>
  TW_FN void solve_series(const Lane& lane, const Traces<Basis, Lane, S>& traces) const {
    using R = typename Lane::Number;
    using Series = CurlSeries<Basis, S, Lane>;
    constexpr int n = Basis::dofs;
    const auto word = lane.load_integer(elements.word, 1, 0);
    const auto material = word >> ElementWord::class_shift;
    auto kept = lane.template keep<series_numbers<Basis>()>();
    R q[6];
    elements.metric.load(lane, q);
    R h[Series::size];
    {
      R u[n];
      {
        R w[n];
        couple<Basis>(lane, word, traces, w);
        to_change<Basis, S>(q, w, u);
      }
      const R pull = lane.lookup(c.pull, material);
      TW_UNROLL
      for (int i = 0; i < n; ++i) {
        kept.put(i, u[i]);
        u[i] += pull * lane.load(value, n, i);
      }
      find_low_curl<Basis, S>(u, h);
    }
    R p[6];
    curl_metric.load(lane, p);
    const S* ratio = lane.place_of_shared(inverse, elements.metric.block, 1);
    const Series series(q, p, lane.lookup(c.stiffness, material), lane.load_at(ratio, 0));
    multiply_vectors<Series::modes>(series.p, h);
    TW_UNROLL
    for (int i = 0; i < Series::size; ++i) kept.put(n + i, h[i]);
    series.solve(lane, kept, n, h);
    R change[n];
    {
      R w[n];
      find_transposed_curl<Basis, S>(h, w);
      to_change<Basis, S>(q, w, change);
    }
    TW_UNROLL
    for (int i = 0; i < n; ++i) change[i] = kept.get(i) - change[i];
    advance<Basis>(lane, material, change);
  }

  /// By the Woodbury identity.
  template <class Basis, class Lane>
  TW_FN void solve_curls(const Lane& lane, const Traces<Basis, Lane, S>& traces) const {
    using R = typename Lane::Number;
    constexpr bool holds = holds_inverse<Basis>();
    const auto word = lane.load_integer(elements.word, 1, 0);
    const auto material = word >> ElementWord::class_shift;
    R q[6];
    elements.metric.load(lane, q);
    const R pull = lane.lookup(c.pull, material);
    R pulled[Basis::dofs];
    if constexpr (!holds) {  // early: nothing else waits for it
      see<Basis>(lane, pulled);
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) pulled[i] *= pull;
    }
    using Mass = std::conditional_t<holds, MassFactors<Basis, S, Lane>, MassInverse<Basis, S, Lane>>;
    const Mass mass(q);
    R w[Basis::dofs];
    couple<Basis>(lane, word, traces, w);
    {
      R u[Basis::dofs];
      mass.template apply<S>(w, u);
      if constexpr (holds) {  // late: registers are dear
        TW_UNROLL
        for (int i = 0; i < Basis::dofs; ++i) pulled[i] = pull * lane.load(value, Basis::dofs, i);
      }
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) u[i] += pulled[i];
      R back[Basis::dofs];
      if constexpr (holds)
        push_held<Basis>(lane, u, back);
      else
        push_made<Basis>(lane, mass, material, u, back);
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) w[i] -= back[i];
    }
    R change[Basis::dofs];
    mass.template apply<S>(w, change);
    advance<Basis>(lane, material, change);
  }

  /// back = C^T K^-1 C u.
  template <class Basis, class Lane, class R>
  TW_FN void push_held(const Lane& lane, const R* u, R* back) const {
    using Held = HeldInverse<Basis, S>;
    R f[Held::size];
    Basis::template independent_curl<S>(u, f);
    const S* place = lane.place_of_shared(inverse, elements.metric.block, Held::rows);
    R l[Held::size];
    Held::apply(
        lane, [&](int row) { return lane.stream(place, row); }, f, l);
    Basis::template independent_curl_transposed<S>(l, back);
  }

  template <class Basis, class Lane, class Mass, class Material, class R>
  TW_FN void push_made(const Lane& lane, const Mass& mass, const Material& material, const R* u, R* back) const {
    constexpr int m = 3 * Basis::curl_modes;
    R f[m];
    Basis::template curl_components<S>(u, f);
    R p[6];
    curl_metric.load(lane, p);
    R k[m * (m + 1) / 2];
    make_curl_matrix<Basis, S, Lane>(mass, p, lane.lookup(c.stiffness, material), k);
    R l[m];
    solve_packed<m>(k, R{} + 1, f, l);
    Basis::template curl_transposed<S>(l, back);
  }
};

template <class S>
struct DfddUpdate : DfddHalfStep<S, NoTerms> {};
template <class S>
struct DfddUpdateWithTerms : DfddHalfStep<S, RatePoles<S>> {};

template <class S>
struct TermsOf<Full3, DfddUpdate<S>> {
  using type = SeriesFull3;
};
template <class S>
struct TermsOf<Full3, DfddInverse<S>> {
  using type = SeriesFull3;
};

/// target = decay target + gain M^-1 ( [C^T v] + sum_f D_f v+ ), with zero coupling through walls. Without C^T v it is
/// the operator whose norm limits the step of DFDD-ELD; with it, the rates that belong to given fields: C^T h stands
/// for -S a of some a with da/dt = e, so that the once-integrated second-order equations hold, and nothing drifts.
template <class S>
struct DfddCoupling {
  using Scalar = S;
  Elements<S> elements;
  const S* source = nullptr;
  S* target = nullptr;
  const S* decay = nullptr;  ///< per material class
  const S* gain = nullptr;   ///< per material class
  bool with_own = false;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    elements.fetch(lane);
    const Traces<Basis, Lane, S> traces(lane, elements, source, target);
    const auto word = lane.load_integer(elements.word, 1, 0);
    R q[6];
    elements.metric.load(lane, q);
    R w[Basis::dofs];
    if (with_own) {
      R own[Basis::dofs];
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) own[i] = lane.load(source, Basis::dofs, i);
      Basis::template curl<S>(own, w);
    } else {
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) w[i] = R{};
    }
    add_neighbours<Basis>(lane, elements, traces, source, word, with_own ? S(2) : S(0), w);  // C^T = C - sum_f D_f
    R change[Basis::dofs];
    MassInverse<Basis, S, Lane>(q).template apply<S>(w, change);
    const auto material = word >> ElementWord::class_shift;
    const R keep = lane.lookup(decay, material);
    const R amount = lane.lookup(gain, material);
    const R step = lane.choose((word >> ElementWord::sign_shift) & 1, -amount, amount);
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i)
      lane.store(target, Basis::dofs, i, keep * lane.load(target, Basis::dofs, i) + step * change[i]);
  }
};

}  // namespace tetrawave::kernels
