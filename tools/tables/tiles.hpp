// The matrices of the GPU's tiles (cuda/tiles/tile.cuh), dense and in the order in which tensor cores take them.
#pragma once

namespace tetrawave::tables {

/// Writes the header to a file; false if that failed.
bool write_tile_header(const char* path);

}  // namespace tetrawave::tables
