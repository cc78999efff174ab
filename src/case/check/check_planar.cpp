#include "case/check/check_planar.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text/format.hpp"
#include "case/check/check_frequency.hpp"

namespace tetrawave {

namespace {

/// The node under a dotted path, if the case gives it.
const Node* given_at(const Node& root, const std::string& path) {
  const Node* node = &root;
  for (std::size_t from = 0; node != nullptr && from <= path.size();) {
    const std::size_t end = std::min(path.find('.', from), path.size());
    node = node->find(path.substr(from, end - from));
    from = end + 1;
  }
  return node == nullptr || node->is_default ? nullptr : node;
}

class PlanarChecker {
 public:
  PlanarChecker(const Node& root, Errors& errors) : root_(root), errors_(errors) {}

  void check_plane(const Node& dimension) {
    if (root_.find("planar") == nullptr && !was_wrong("planar"))
      errors_.add(dimension.key_spot,
                  "dimension: the key 'planar' is missing, which selects the unknown field: planar: {field: E_z}");
    check_sources();
    check_waves();
    check_places();
    check_directions();
  }

 private:
  void check_sources() {
    const bool along_z = field() == "E_z";
    for_each("sources", [&](const Node& source, std::size_t i) {
      const Node* position = source.find("position");
      if (position != nullptr) require_plane(*position, tetrawave::format("sources.{}.position", i));
      const Node* direction = source.find("direction");
      if (direction == nullptr || direction->children.size() != 3 || field().empty()) return;
      const auto& d = direction->children;
      const bool fits = along_z ? d[0].number == 0 && d[1].number == 0 : d[2].number == 0;
      if (!fits)
        errors_.add(direction->spot,
                    tetrawave::format("sources.{}.direction: with planar.field: {} currents flow {}", i, field(),
                                      along_z ? "along z, [0, 0, 1]" : "in the plane, z = 0"));
    });
  }

  void check_waves() {
    for_each("plane_waves", [&](const Node& wave, std::size_t i) {
      const Node* theta = wave.find("theta");
      if (theta != nullptr && !(theta->kind == Node::Kind::scalar && theta->number == 90))
        errors_.add(
            theta->spot,
            tetrawave::format("plane_waves.{}.theta: with dimension: 2 waves travel in the plane: give theta: 90", i));
      const Node* polarization = wave.find("polarization");
      const std::string wanted = field() == "E_z" ? "theta" : "phi";
      if (polarization != nullptr && !field().empty() && polarization->text != wanted)
        errors_.add(polarization->spot,
                    tetrawave::format("plane_waves.{}.polarization: planar.field: {} has waves with E along {}, '{}'",
                                      i, field(), field() == "E_z" ? "z" : "phi", wanted));
    });
  }

  void check_places() {
    const Node* outputs = root_.find("outputs");
    const Node* probes = outputs == nullptr ? nullptr : outputs->find("probes");
    for (std::size_t i = 0; probes != nullptr && i < probes->children.size(); ++i)
      if (const Node* point = probes->children[i].find("point"))
        require_plane(*point, tetrawave::format("outputs.probes.{}.point", i));
  }

  void check_directions() {
    const Node* theta = given_at(root_, "outputs.far_field.theta");
    const bool fits = theta == nullptr || (theta->children.size() == 1 && theta->children[0].number == 90);
    if (!fits) errors_.add(theta->spot, "outputs.far_field.theta: with dimension: 2 only theta: [90] is allowed");
  }

  void require_plane(const Node& point, const std::string& path) {
    if (point.children.size() != 3 || point.children[2].number == 0) return;
    errors_.add(point.children[2].spot,
                tetrawave::format("{}: with dimension: 2 z is 0, found {}", path, quote(point.children[2].text)));
  }

  [[nodiscard]] std::string field() const {
    const Node* node = given_at(root_, "planar.field");
    return node == nullptr || node->invalid ? std::string() : node->text;
  }

  [[nodiscard]] bool was_wrong(const char* key) const {
    return std::any_of(root_.children.begin(), root_.children.end(),
                       [key](const Node& part) { return part.key == key && part.invalid; });
  }

  template <class Work>
  void for_each(const char* list, const Work& work) const {
    const Node* items = root_.find(list);
    for (std::size_t i = 0; items != nullptr && i < items->children.size(); ++i)
      if (!items->children[i].invalid) work(items->children[i], i);
  }

  const Node& root_;
  Errors& errors_;
};

}  // namespace

void check_planar(const Node& root, Errors& errors) {
  const Node* dimension = root.find("dimension");
  if (dimension != nullptr && dimension->text == "2") PlanarChecker(root, errors).check_plane(*dimension);
}

}  // namespace tetrawave
