// The memory copy bandwidth of this machine, to which the benchmark's figures are relative.
#pragma once

namespace tetrawave::host {

/// Bytes read plus bytes written per second when `threads` threads copy arrays far larger than the caches; the best of
/// several copies. Stores bypass the caches, so that no line is read only to be overwritten and the count is exact.
double measure_copy(int threads);

}  // namespace tetrawave::host
