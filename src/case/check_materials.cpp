#include "case/check_materials.hpp"

#include <string>

#include "base/format.hpp"

namespace tetrawave {

namespace {

// The words of one of the two lists of terms.
struct Side {
  const char* list;
  const char* own_static;
  const char* other_static;
  const char* constant;
};
constexpr Side electric_side{"electric_dispersion", "eps_static", "mu_static", "eps_r"};
constexpr Side magnetic_side{"magnetic_dispersion", "mu_static", "eps_static", "mu_r"};

void check_static(const Node& material, const Side& side, const Node& term, std::size_t count, const std::string& path,
                  Errors& errors) {
  if (const Node* other = term.find(side.other_static))
    errors.add(other->key_spot, tetrawave::format("{}: '{}' does not belong to {}; use '{}' or 'delta'", path,
                                                  side.other_static, side.list, side.own_static));
  const Node* given = term.find(side.own_static);
  if (given == nullptr) return;
  const Node* constant = material.find(side.constant);
  if (count > 1)
    errors.add(given->key_spot,
               tetrawave::format("{}: '{}' goes with one term, and there are {}: give the 'delta' of each", path,
                                 side.own_static, count));
  else if (constant != nullptr && constant->kind == Node::Kind::list)
    errors.add(given->key_spot, tetrawave::format("{}: '{}' goes with one {}, and it is a list: give 'delta'", path,
                                                  side.own_static, side.constant));
}

void check_side(const Node& material, const Side& side, Errors& errors) {
  const Node* terms = material.find(side.list);
  if (terms == nullptr) return;
  for (std::size_t i = 0; i < terms->children.size(); ++i) {
    const std::string path = tetrawave::format("materials.{}.{}.{}", material.key, side.list, i);
    if (!terms->children[i].invalid)
      check_static(material, side, terms->children[i], terms->children.size(), path, errors);
  }
}

void check_laminate(const Node& material, Errors& errors) {
  const Node* laminate = material.find("wideband-debye");
  if (laminate == nullptr) return;
  const Node* from = laminate->find("from");
  const Node* at = laminate->find("at");
  const Node* to = laminate->find("to");
  if (from == nullptr || at == nullptr || to == nullptr) return;
  const std::string path = tetrawave::format("materials.{}.wideband-debye", material.key);
  if (from->number >= to->number)
    errors.add(to->spot,
               tetrawave::format("{}.to: {} is not above from, {}", path, quote(to->text), quote(from->text)));
  else if (at->number < from->number || at->number > to->number)
    errors.add(at->spot, tetrawave::format("{}.at: {} does not lie between from, {}, and to, {}", path, quote(at->text),
                                           quote(from->text), quote(to->text)));
}

}  // namespace

void check_materials(const Node& materials, Errors& errors) {
  for (const Node& material : materials.children) {
    if (material.invalid) continue;
    check_side(material, electric_side, errors);
    check_side(material, magnetic_side, errors);
    check_laminate(material, errors);
  }
}

}  // namespace tetrawave
