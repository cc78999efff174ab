#include "base/names.hpp"

#include "base/error.hpp"

namespace tetrawave {

namespace {

template <class Choice>
const std::string& find_name(const Names<Choice>& names, Choice choice) {
  for (const auto& [name, value] : names)
    if (value == choice) return name;
  throw InternalError("a choice has no name");
}

}  // namespace

const Names<Scheme>& scheme_names() {
  static const Names<Scheme> names{
      {"dgtd-central", Scheme::dgtd_central}, {"dgtd-upwind", Scheme::dgtd_upwind}, {"dfdd-eld", Scheme::dfdd_eld}};
  return names;
}

const Names<Space>& space_names() {
  static const Names<Space> names{{"mixed-1", Space::mixed_1}, {"full-1", Space::full_1},   {"mixed-2", Space::mixed_2},
                                  {"full-2", Space::full_2},   {"mixed-3", Space::mixed_3}, {"full-3", Space::full_3},
                                  {"full-4", Space::full_4}};
  return names;
}

const Names<Layout>& layout_names() {
  static const Names<Layout> names{{"factored", Layout::factored}, {"stored", Layout::stored}};
  return names;
}

const Names<Precision>& precision_names() {
  static const Names<Precision> names{{"double", Precision::double_precision}, {"single", Precision::single_precision}};
  return names;
}

const Names<Ordering>& ordering_names() {
  static const Names<Ordering> names{
      {"blocks", Ordering::blocks}, {"parts", Ordering::parts}, {"curve", Ordering::curve}, {"none", Ordering::none}};
  return names;
}

const std::string& name_of(Scheme scheme) { return find_name(scheme_names(), scheme); }
const std::string& name_of(Space space) {
  return find_name(space_names(), space == Space::nested_full_3 ? Space::full_3 : space);
}
const std::string& name_of(Layout layout) { return find_name(layout_names(), layout); }
const std::string& name_of(Precision precision) { return find_name(precision_names(), precision); }
const std::string& name_of(Ordering ordering) { return find_name(ordering_names(), ordering); }

}  // namespace tetrawave
