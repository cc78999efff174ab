// From a resolved tree without errors to the structs of case.hpp.
#pragma once

#include "case/spec/case.hpp"
#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// Writes computed defaults into the tree: delays of Gaussian waveforms (6 width, or 6 s).
void fill_computed_defaults(Node& resolved);

/// The case except for `file` and `resolved_yaml`, with the metres of its unit of length. The tree contains no errors;
/// `errors` is used only for the text of places.
[[nodiscard]] Case build_case(const Node& resolved, double unit_m, const Errors& errors);

}  // namespace tetrawave
