// Combinations of settings that do not go together, as data: what `check_case` reports and `tetrawave info --support`
// lists.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// What a part of a resolved case has to be. A key that is missing is none of `values`.
enum class Test { given, absent, typed, is, is_not, above, not_0, list };

/// A key of the case and what it has to be. `path`: dotted, `*` for any name or index, `a|b` for either key.
/// `given`: the key is there, and not an empty list or map; `typed`: and not by default.
struct Setting {
  std::string_view path;
  Test test = Test::given;
  std::vector<std::string_view> values{};
  double limit = 0;  ///< of `above`
};

/// Settings that are refused together. The error is at the first, once for each place that `*` stands for; in the
/// others a path that begins alike means the same place. `text` may hold {*} (what `*` stands for), {path} and {value}
/// of the first, and paths of the case in braces, for their texts.
struct Refusal {
  enum class At { key, value };
  Setting first;
  std::vector<Setting> with;
  At at = At::value;
  std::string_view text;
};

/// All refusals that a case shows by itself.
[[nodiscard]] std::span<const Refusal> refusals();

/// Reports every refusal of a resolved case.
void check_refusals(const Node& root, Errors& errors);

/// Removes defaults that would be refused where the case gave them.
void leave_out_refused_defaults(Node& root);

/// Whether a case has the settings that do not go with some value of `path`, which is the first of refusals.
[[nodiscard]] bool is_refused_somewhere(const Node& root, std::string_view path);

/// The settings of a refusal in words: "method.scheme: dgtd-upwind + method.dispersion: published".
[[nodiscard]] std::string describe(const Refusal& refusal);

/// Refusals that a case does not show by itself: the mesh says which media and walls meet, the command line which
/// machine. `between`: the settings; `text`: what is reported, in fmt's syntax.
struct LateRefusal {
  const char* between;
  const char* text;
};

inline constexpr LateRefusal medium_of_layer{
    "boundaries.pml + a region of it with dispersion, a Kerr effect, or axes and losses",
    "{}: error: boundaries.pml: the layer of region '{}' would be of a medium with {}; end that medium before the "
    "layer, or use boundaries.absorbing there"};
inline constexpr LateRefusal kerr_at_layer{
    "materials.*.kerr + boundaries.pml next to it",
    "{}: error: a Kerr medium reaches an absorbing layer: put a region of a linear medium before the layer"};
inline constexpr LateRefusal kerr_at_wall{
    "materials.*.kerr + a face that is absorbing, of impedance or of a port",
    "{}: error: region '{}' of a Kerr medium touches an absorbing, impedance or port face: put a region of a linear "
    "medium between (one layer of elements is enough)"};
inline constexpr LateRefusal current_in_kerr{
    "sources of type dipole or current + materials.*.kerr where they are",
    "{}: error: a current cannot flow in a Kerr medium in this version: leave that region out"};
inline constexpr LateRefusal current_in_dfdd{
    "sources of type dipole or current + method.scheme: dfdd-eld + losses, axes or dispersion where they are",
    "{}: error: with dfdd-eld currents may flow only in lossless isotropic media without "
    "dispersion; use dgtd-central or dgtd-upwind"};
inline constexpr LateRefusal dispersion_at_wall{
    "method.time_order: 4 + materials.*.electric_dispersion + a face that is absorbing, of impedance or of a port",
    "{}: error: with method.time_order: 4 the dispersive medium of region '{}' may not touch an absorbing, impedance "
    "or port face: put a region without dispersion between (one layer of elements is enough), or use time_order: 2"};
inline constexpr LateRefusal papers_kernel_on_cpus{
    "iiee.kernel: paper + --backend cpu",
    "tetrawave: error: iiee.kernel: 'paper' is a mapping for GPUs, and this run is on CPUs: use --backend cuda, or "
    "leave the key out"};
inline constexpr LateRefusal ranks_of_statics{
    "mode: assembly-2d + several ranks",
    "tetrawave: error: mode assembly-2d runs on one rank with many threads or a GPU, found {} ranks: start it without "
    "mpirun"};
inline constexpr LateRefusal ranks_of_planes{
    "dimension: 2 + several ranks",
    "tetrawave: error: a case with dimension: 2 runs on one rank with many threads, found {} ranks: start it without "
    "mpirun"};

inline constexpr std::array late_refusals{medium_of_layer,       kerr_at_layer,    kerr_at_wall,
                                          current_in_kerr,       current_in_dfdd,  dispersion_at_wall,
                                          papers_kernel_on_cpus, ranks_of_statics, ranks_of_planes};

}  // namespace tetrawave
