#include "kernels/spaces.hpp"

#include "base/error.hpp"
#include "base/names.hpp"

namespace tetrawave::kernels {

void refuse_space(Space space) {
  throw InternalError(tetrawave::format("a kernel is asked for in {}{}, for which it is not compiled", name_of(space),
                                        space == Space::nested_full_3 ? " of finite elements" : ""));
}

}  // namespace tetrawave::kernels
