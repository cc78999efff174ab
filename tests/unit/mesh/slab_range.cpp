#include "mesh/slab_range.hpp"

#include "catch.hpp"

using namespace tetrawave;

TEST_CASE("every item has the one owner whose slab holds it") {
  for (const GlobalIndex count : {1, 2, 5, 17, 100}) {
    for (const int ranks : {1, 2, 3, 4, 7, 40}) {
      CHECK(slab_begin(0, ranks, count) == 0);
      CHECK(slab_begin(ranks, ranks, count) == count);
      for (GlobalIndex item = 0; item < count; ++item) {
        const int owner = slab_owner(item, ranks, count);
        CHECK(slab_begin(owner, ranks, count) <= item);
        CHECK(item < slab_begin(owner + 1, ranks, count));
      }
    }
  }
}

TEST_CASE("slabs of very long lists do not overflow") {
  constexpr GlobalIndex count = (GlobalIndex{1} << 62) + 12345;
  constexpr int ranks = 100000;
  CHECK(slab_begin(ranks, ranks, count) == count);
  const GlobalIndex begin = slab_begin(77777, ranks, count);
  CHECK(slab_owner(begin, ranks, count) == 77777);
  CHECK(slab_owner(begin - 1, ranks, count) == 77776);
}
