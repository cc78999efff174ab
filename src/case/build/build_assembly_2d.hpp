// The members of a case specific to mode assembly-2d.
#pragma once

#include "case/spec/case.hpp"
#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// From the resolved case: assembly_2d, study.
void add_assembly_2d(const Node& root, const Errors& errors, Case& result);

/// The default of assembly_2d.coloring: ofcm for the element-by-element algorithms.
void fill_coloring(Node& resolved);

}  // namespace tetrawave
