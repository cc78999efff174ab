// The parts of a case that mode assembly-2d has.
#pragma once

#include "case/spec/case.hpp"
#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// From the resolved case: assembly_2d, study.
void add_assembly_2d(const Node& root, const Errors& errors, Case& result);

/// The default of assembly_2d.coloring: ofcm for the algorithms that go from element to element while they solve.
void fill_coloring(Node& resolved);

}  // namespace tetrawave
