#include "kernels/spaces.hpp"

#include "base/error.hpp"
#include "base/names.hpp"
#include "kernels/curl_solution.hpp"
#include "kernels/takes_terms.hpp"

namespace tetrawave::kernels {

void refuse_space(Space space) {
  throw InternalError(tetrawave::format("a kernel is asked for in {}{}, for which it is not compiled", name_of(space),
                                        space == Space::nested_full_3 ? " of finite elements" : ""));
}

bool takes_terms(Space space) {
  bool takes = false;
  with_basis<3>(space, [&takes]<class Basis>() { takes = takes_terms<Basis>(); });
  return takes;
}

}  // namespace tetrawave::kernels
