#include "case/check/check_materials.hpp"

#include <string>

#include "base/text/format.hpp"
#include "case/check/check_frequency.hpp"

namespace tetrawave {

namespace {

// The terminology of one of the two lists of terms.
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
               tetrawave::format("{}: '{}' is for a single term, and there are {}: give 'delta' for each", path,
                                 side.own_static, count));
  else if (constant != nullptr && constant->kind == Node::Kind::list)
    errors.add(given->key_spot, tetrawave::format("{}: '{}' is for a single {}, found a list: give 'delta'", path,
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

void check_complex(const Node& material, Errors& errors) {
  const Node* given = material.find("eps_complex");
  if (given == nullptr || given->invalid) return;
  if (const Node& real = given->children[0]; !real.invalid && real.number <= 0)
    errors.add(real.spot, tetrawave::format("materials.{}.eps_complex: the real part {} is not above 0; give a metal "
                                            "as a drude term of electric_dispersion",
                                            material.key, real.text));
  if (const Node& imaginary = given->children[1]; !imaginary.invalid && imaginary.number > 0)
    errors.add(imaginary.spot, tetrawave::format("materials.{}.eps_complex: the imaginary part {} is above 0, which "
                                                 "is gain; losses are negative (exp(+j w t))",
                                                 material.key, imaginary.text));
}

bool requests_frequencies(const Node& root) {
  const Node* outputs = root.find("outputs");
  if (outputs == nullptr || outputs->invalid) return true;
  const Node* fields = outputs->find("fields");
  return outputs->find("s_parameters") != nullptr || outputs->find("far_field") != nullptr ||
         (fields != nullptr && fields->find("frequencies") != nullptr);
}

/// A time-domain mode fits a loss tangent over the frequencies of the outputs.
void check_loss_tangent(const Node& material, const Node& root, Errors& errors) {
  const Node* complex = material.find("eps_complex");
  const Node* given = complex != nullptr ? complex : material.find("loss_tangent");
  const std::string_view mode = mode_of(root);
  if (given == nullptr || given->invalid || (mode != "time-domain" && mode != "fetd")) return;
  if ((complex != nullptr ? complex->children[1].number : given->number) == 0) return;
  const std::string path =
      tetrawave::format("materials.{}.{}", material.key, complex != nullptr ? "eps_complex" : "loss_tangent");
  if (const Node* eps = material.find("eps_r"); eps != nullptr && eps->kind == Node::Kind::list)
    errors.add(given->spot, tetrawave::format("{}: in mode {} it takes one eps_r, found a list; give one number, or "
                                              "electric_dispersion",
                                              path, mode));
  if (!requests_frequencies(root))
    errors.add(given->spot,
               tetrawave::format("{}: mode {} fits it over the frequencies of outputs, and there are none; add "
                                 "outputs.s_parameters, far_field or fields.frequencies, or give wideband-debye with "
                                 "a band of its own",
                                 path, mode));
}

}  // namespace

void check_materials(const Node& root, Errors& errors) {
  const Node* materials = root.find("materials");
  if (materials == nullptr) return;
  for (const Node& material : materials->children) {
    if (material.invalid) continue;
    check_side(material, electric_side, errors);
    check_side(material, magnetic_side, errors);
    check_laminate(material, errors);
    check_complex(material, errors);
    check_loss_tangent(material, root, errors);
  }
}

}  // namespace tetrawave
