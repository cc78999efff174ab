// The choices of a method by name, as users write and read them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace tetrawave {

/// Every choice with its name, in the order of the reference of the case file.
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
