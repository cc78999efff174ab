// Colouring of elements: no two elements of a colour share an entity (a node, or an edge or face:
// statics/incidence.hpp).
//
// The algorithms CCM, FCM and OFCM of Ren et al., "Research on EBE-FEM Parallel Algorithm Combined with Fast Color
// Marking Method Based on CUDA Platform". All visit the elements in their order, and an element gets a colour that no
// neighbour has. All three give the same colours: an element takes colour k in sweep k of CCM exactly if every smaller
// colour is used by an earlier neighbour, which is first-fit (FCM); OFCM only looks it up faster. First-fit leaves the
// later colours nearly empty; balance_colors evens them out, as the paper has it of FCM and OFCM.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "statics/incidence.hpp"
#include "statics/request/request.hpp"

namespace tetrawave::fem {

/// Algorithm 1, classical: a sweep over all elements for every colour; an element takes the sweep's colour if no
/// element at its entities has it. O(colours x elements x neighbours).
[[nodiscard]] std::vector<std::int32_t> color_classically(const Incidence& incidence, const Adjacency& adjacency);

/// Algorithm 2, fast colour marking: one sweep; an element takes the smallest colour that no element at its entities
/// has. O(elements x neighbours).
[[nodiscard]] std::vector<std::int32_t> color_fast(const Incidence& incidence, const Adjacency& adjacency);

/// Algorithm 3, optimised fast marking: the colours in use at an entity are kept in a table (the paper's array A, a bit
/// per colour), so that no neighbour is visited. O(elements x entities of an element).
[[nodiscard]] std::vector<std::int32_t> color_by_table(const Incidence& incidence);

/// The largest colour after balance_colors, over the mean of all, where exchanges reach it.
constexpr double balanced_within = 1.05;

/// Evens out the numbers of elements of a colouring without new colours: sets of elements of the largest colour and one
/// other exchange the two (Kempe chains), until the largest has at most balanced_within times the mean or no exchange
/// makes it smaller. O(elements x colours) a pass.
void balance_colors(const Incidence& incidence, std::vector<std::int32_t>& colors);

/// Elements grouped by colour, ascending within each.
struct Coloring {
  std::vector<std::int32_t> order;  ///< elements: those of colour k are order[first[k]] .. order[first[k + 1] - 1]
  std::vector<std::int32_t> first{0};

  [[nodiscard]] std::size_t count() const { return first.size() - 1; }
  [[nodiscard]] std::vector<std::int64_t> sizes() const;
};

[[nodiscard]] Coloring group_by_color(const std::vector<std::int32_t>& color);

/// All elements in their order, one group, which may share entities: for `coloring: none`.
[[nodiscard]] Coloring one_group(std::size_t element_count);

/// Throws InternalError if an element is missing or occurs twice, or two elements of a colour share an entity.
void check_coloring(const Incidence& incidence, const Coloring& coloring);

}  // namespace tetrawave::fem
