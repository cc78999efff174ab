#include "case/check/check_mirrors.hpp"

#include <set>
#include <string>
#include <vector>

#include "base/text/format.hpp"

namespace tetrawave {

namespace {

std::vector<const Node*> planes_of(const Node& owner) {
  std::vector<const Node*> planes;
  if (const Node* symmetry = owner.find("symmetry"))
    for (const Node& plane : symmetry->children) planes.push_back(&plane);
  if (const Node* ground = owner.find("ground")) planes.push_back(ground);
  return planes;
}

void check_axes(const std::vector<const Node*>& planes, const char* path, Errors& errors) {
  std::set<std::string> used;
  for (const Node* plane : planes) {
    const Node* axis = plane->find("axis");
    if (axis != nullptr && !used.insert(axis->text).second)
      errors.add(axis->spot, tetrawave::format("{}: two planes of ground and symmetry are normal to {}; one per axis "
                                               "is allowed",
                                               path, axis->text));
  }
}

}  // namespace

void check_mirrors(const Node& root, Errors& errors) {
  const Node* iiee = root.find("iiee");
  const Node* outputs = root.find("outputs");
  const Node* far_field = outputs == nullptr ? nullptr : outputs->find("far_field");
  std::vector<const Node*> of_iiee, of_far_field;
  if (iiee != nullptr) of_iiee = planes_of(*iiee);
  if (far_field != nullptr) of_far_field = planes_of(*far_field);
  check_axes(of_iiee, "iiee", errors);
  check_axes(of_far_field, "outputs.far_field", errors);
  if (!of_iiee.empty() && !of_far_field.empty())
    errors.add(far_field->key_spot,
               "outputs.far_field: ground and symmetry are already given in iiee, and apply to the far "
               "field too; omit them here");
}

}  // namespace tetrawave
