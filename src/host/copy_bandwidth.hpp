// How fast this machine copies memory: what the benchmark's figures are shares of.
#pragma once

namespace tetrawave::host {

/// Bytes read plus bytes written per second when `threads` threads copy arrays far larger than the caches; the best of
/// several copies. Stores go past the caches, so that no line is read only to be overwritten and the count is exact.
double measure_copy(int threads);

}  // namespace tetrawave::host
