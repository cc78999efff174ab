#include "case/check/check_method.hpp"

#include "base/text/format.hpp"
#include "case/check/check_frequency.hpp"
#include "case/yaml/node_values.hpp"

namespace tetrawave {

namespace {

bool is(const Node* node, const char* text) { return node != nullptr && !node->invalid && node->text == text; }

void check_basis(const Node& root, const Node& method, Errors& errors) {
  const Node* basis = method.find("basis");
  if (!is(basis, "full-4")) return;
  const std::string_view mode = mode_of(root);
  if (mode != "time-domain")
    errors.add(basis->spot,
               tetrawave::format("method.basis: full-4 goes with mode time-domain; finite elements, mode {}, have "
                                 "spaces up to full-3: use full-3",
                                 mode));
  else if (is(method.find("scheme"), "dfdd-eld"))
    errors.add(basis->spot,
               "method.basis: full-4 goes with method.scheme dgtd-central and dgtd-upwind; dfdd-eld has spaces up to "
               "full-3: use full-3 or another scheme");
}

void check_dispersion(const Node& method, Errors& errors) {
  const Node* dispersion = method.find("dispersion");
  if (is(method.find("scheme"), "dgtd-upwind") && is(dispersion, "published"))
    errors.add(dispersion->spot,
               "method.dispersion: 'published' is of dgtd-central and dfdd-eld; the recursion that is published for "
               "dgtd-upwind does not converge: use 'passive'");
}

}  // namespace

void check_method(const Node& root, Errors& errors) {
  const Node* method = root.find("method");
  if (method == nullptr) return;
  check_basis(root, *method, errors);
  check_dispersion(*method, errors);
}

}  // namespace tetrawave
