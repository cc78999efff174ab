#pragma once

namespace tetrawave {

/// The order of the blocks in a pass over elements; it changes no result.
enum class Sweep : bool { forwards, backwards };

}  // namespace tetrawave
