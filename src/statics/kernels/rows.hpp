// The adapted coordinate format (a-COO) of Amorim et al., "GPU Finite Element Method Computation Strategy Without Mesh
// Coloring": a linked list of (column, value) per row of the matrix, filled without locks, then sorted and merged by
// one thread per row, then CSR.
//
// Index kernels: kernel(thread, i) for every i of a range, in any order or all at once. A thread provides the
// concurrent operations: exchange(int32*, int32) -> old value and add(double*, double), both atomic.
#pragma once

#include <cstdint>

#include "base/target.hpp"
#include "statics/kernels/triangle.hpp"

namespace tetrawave::kernels {

/// An item of a row's list. `next` is one more than the index of the next item, 0 at the end.
struct alignas(16) RowItem {
  double value;
  std::int32_t column;
  std::int32_t next;
};

/// Column of an item that belongs to the right-hand side; above every node.
inline constexpr std::int32_t source_column = 0x7fffffff;

/// One element per thread: computes its matrix and pushes row i of it, as linked items, onto the list of node i with a
/// single exchange of the list's head. `shared`: other threads may push onto the same list.
///
/// Items of element e, row i are at (e nodes + i) row_items; the last is the load if there are sources.
template <class T, bool shared>
struct InsertElement {
  TriangleView view;
  RowItem* items = nullptr;
  std::int32_t* heads = nullptr;  ///< [nodes]
  std::int32_t row_items = 0;     ///< nodes, or nodes + 1 with sources
  std::int32_t first = 0;

  template <class Thread>
  TW_FN void operator()(const Thread& thread, std::int32_t index) const {
    const std::int32_t element = first + index;
    const IntegratedElement<T> own(view, element, row_items > T::nodes);
    TW_UNROLL
    for (int i = 0; i < T::nodes; ++i) {
      const std::int32_t begin = (element * T::nodes + i) * row_items;
      const std::int32_t old = push(thread, heads + own.corners.node[i], begin + 1);
      TW_UNROLL
      for (int j = 0; j < T::nodes; ++j) {
        const bool last = j + 1 == row_items;
        items[begin + j] = {own.matrix[i * T::nodes + j], own.corners.node[j], last ? old : begin + j + 2};
      }
      if (row_items > T::nodes) items[begin + T::nodes] = {own.load[i], source_column, old};
    }
  }

 private:
  template <class Thread>
  TW_FN static std::int32_t push(const Thread& thread, std::int32_t* head, std::int32_t item) {
    if constexpr (shared) {
      return thread.exchange(head, item);
    } else {
      const std::int32_t old = *head;
      *head = item;
      return old;
    }
  }
};

/// One row per thread: sorts the row's list by column and item, merges items of one column, and moves fixed columns and
/// sources to the right-hand side. Items of a column are added in the order of their elements, so that the matrix does
/// not depend on the order of threads.
struct MergeRow {
  RowItem* items = nullptr;
  std::int32_t* heads = nullptr;
  const double* fixed = nullptr;
  double* rhs = nullptr;           ///< [free_count]
  std::int32_t* counts = nullptr;  ///< [free_count] items left
  std::int32_t free_count = 0;

  template <class Thread>
  TW_FN void operator()(const Thread&, std::int32_t row) const {
    std::int32_t at = sort(heads[row]);
    std::int32_t head = 0, kept = 0, count = 0;
    double right = 0, sum = 0;
    while (at != 0) {
      const RowItem item = items[at - 1];
      if (item.column == source_column) {
        right += item.value;
      } else if (item.column >= free_count) {
        right -= item.value * fixed[item.column - free_count];
      } else if (kept != 0 && items[kept - 1].column == item.column) {
        sum += item.value;
      } else {
        if (kept != 0) close(kept, sum, at);
        head = kept == 0 ? at : head;
        kept = at;
        sum = item.value;
        ++count;
      }
      at = item.next;
    }
    if (kept != 0) close(kept, sum, 0);
    heads[row] = head;
    rhs[row] = right;
    counts[row] = count;
  }

 private:
  TW_FN void close(std::int32_t item, double value, std::int32_t next) const {
    items[item - 1].value = value;
    items[item - 1].next = next;
  }

  /// Insertion sort of a list in place; returns its head. Rows are short: some tens of items.
  TW_FN std::int32_t sort(std::int32_t at) const {
    std::int32_t sorted = 0;
    while (at != 0) {
      const std::int32_t column = items[at - 1].column, rest = items[at - 1].next;
      std::int32_t before = 0, after = sorted;
      while (after != 0) {
        const RowItem item = items[after - 1];
        if (item.column > column || (item.column == column && after > at)) break;
        before = after;
        after = item.next;
      }
      items[at - 1].next = after;
      if (before != 0)
        items[before - 1].next = at;
      else
        sorted = at;
      at = rest;
    }
    return sorted;
  }
};

/// One row per thread: copies a merged list to its place in CSR.
struct FillRow {
  const RowItem* items = nullptr;
  const std::int32_t* heads = nullptr;
  const std::int32_t* starts = nullptr;  ///< [rows + 1]
  std::int32_t* columns = nullptr;
  double* values = nullptr;
  double* inverse_diagonal = nullptr;  ///< of the preconditioner
  bool jacobi = true;

  template <class Thread>
  TW_FN void operator()(const Thread&, std::int32_t row) const {
    std::int32_t place = starts[row];
    double diagonal = 1;
    for (std::int32_t at = heads[row]; at != 0; ++place) {
      const RowItem item = items[at - 1];
      columns[place] = item.column;
      values[place] = item.value;
      if (item.column == row) diagonal = item.value;
      at = item.next;
    }
    inverse_diagonal[row] = jacobi ? 1 / diagonal : 1;
  }
};

}  // namespace tetrawave::kernels
