#include "kernels/spaces.hpp"

#include "base/error.hpp"
#include "base/names.hpp"
#include "kernels/curl_solution.hpp"
#include "kernels/holds_inverse.hpp"

namespace tetrawave::kernels {

void refuse_space(Space space) {
  throw InternalError(tetrawave::format("a kernel is asked for in {}{}, for which it is not compiled", name_of(space),
                                        space == Space::nested_full_3 ? " of finite elements" : ""));
}

bool holds_inverse(Space space) {
  bool holds = false;
  with_basis<3>(space, [&holds]<class Basis>() { holds = holds_inverse<Basis>(); });
  return holds;
}

}  // namespace tetrawave::kernels
