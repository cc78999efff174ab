// Names of the options of a method, as written and read by users.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace tetrawave {

/// All options with their names, in the order of the case reference.
template <class Choice>
using Names = std::vector<std::pair<std::string, Choice>>;

const Names<Scheme>& scheme_names();
const Names<Space>& space_names();
const Names<Layout>& layout_names();
const Names<Precision>& precision_names();
const Names<Ordering>& ordering_names();

/// "full-1", say.
const std::string& name_of(Scheme scheme);
const std::string& name_of(Space space);
const std::string& name_of(Layout layout);
const std::string& name_of(Precision precision);
const std::string& name_of(Ordering ordering);

}  // namespace tetrawave
