#include "march/loop/state_file.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>

#include "base/error.hpp"
#include "base/hash64.hpp"
#include "mesh/slab_range.hpp"
#include "store/hdf5.hpp"

namespace tetrawave::march {

namespace {

constexpr const char* ids_path = "/global_id";

std::string path_of(const ElementState& state) { return "/elements/" + state.name; }
std::string path_of(const ListedState& state) { return "/listed/" + state.name; }
std::string path_of(const SharedState& state) { return "/shared/" + state.name; }

template <class T>
std::string hash_text(const std::vector<T>& values) {
  Hash64 hash;
  hash.add(std::span<const T>(values));
  return to_hex(hash.value());
}

template <class T>
void write_block(const store::File& file, const std::string& path, const std::vector<T>& values,
                 const store::Extents& extents) {
  if constexpr (std::is_floating_point_v<T>)
    if (!std::all_of(values.begin(), values.end(), [](T x) { return std::isfinite(x); }))
      fail(ExitCode::unstable, "the state {} is no longer finite: no checkpoint is written of it", path);
  file.write(path, std::span<const T>(values), "", extents);
  file.set_attribute(path, "hash", hash_text(values));
}

template <class T>
std::vector<T> read_block(const store::File& file, const std::string& path) {
  auto values = file.read<T>(path);
  if (file.attribute<std::string>(path, "hash") != hash_text(values))
    fail(ExitCode::bad_checkpoint, "{}: {} is damaged", file.name(), path);
  return values;
}

/// Distributes rows of the files to the ranks that own the elements, by way of slabs of global ids: a rank keeps the
/// rows of one slab, whichever rank read them, and sends them to the owners on request.
class RowExchange {
 public:
  RowExchange(const LocalMesh& mesh, const comm::Communicator& ranks, const std::vector<std::filesystem::path>& files)
      : ranks_(ranks), count_(mesh.global_element_count) {
    ranks_.agree([&] {
      for (std::size_t f = static_cast<std::size_t>(ranks_.rank()); f < files.size();
           f += static_cast<std::size_t>(ranks_.size())) {
        files_.push_back(store::File::open(files[f]));
        ids_.push_back(read_block<std::int64_t>(files_.back(), ids_path));
      }
    });
    begin_ = slab_begin(ranks_.rank(), ranks_.size(), count_);
    size_ = slab_begin(ranks_.rank() + 1, ranks_.size(), count_) - begin_;
    find_places();
    find_requests(mesh);
  }

  /// The rows of this rank's elements.
  template <class T>
  std::vector<T> fetch(const std::string& path, std::size_t width) const {
    std::vector<std::vector<T>> to(static_cast<std::size_t>(ranks_.size()));
    ranks_.agree([&] {
      for (std::size_t f = 0; f < files_.size(); ++f) add_rows(to, f, read_block<T>(files_[f], path), width);
    });
    std::vector<T> slab(static_cast<std::size_t>(size_) * width);
    place_rows(slab, ranks_.exchange(to), width);
    for (std::size_t r = 0; r < to.size(); ++r) {
      to[r].clear();
      for (const GlobalIndex place : requests_[r]) append_row(to[r], slab, place, width);
    }
    const auto answers = ranks_.exchange(to);
    std::vector<std::size_t> next(answers.size(), 0);
    std::vector<T> rows;
    for (const int owner : owner_of_own_) {
      const auto r = static_cast<std::size_t>(owner);
      append_row(rows, answers[r], static_cast<GlobalIndex>(next[r]++), width);
    }
    return rows;
  }

  /// Rank 0 has the first file.
  [[nodiscard]] const store::File* first_file() const { return ranks_.rank() == 0 ? &files_.front() : nullptr; }

 private:
  template <class T>
  static void append_row(std::vector<T>& to, const std::vector<T>& from, GlobalIndex row, std::size_t width) {
    const auto first = from.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(row) * width);
    to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(width));
  }

  [[nodiscard]] std::size_t slab_of(GlobalIndex id) const {
    return static_cast<std::size_t>(slab_owner(id, ranks_.size(), count_));
  }

  /// Destinations of incoming rows within the slab, checking that each arrives once.
  void find_places() {
    std::vector<std::vector<GlobalIndex>> to(static_cast<std::size_t>(ranks_.size()));
    ranks_.agree([&] {
      for (const auto& ids : ids_)
        for (const GlobalIndex id : ids) {
          if (id < 0 || id >= count_) fail(ExitCode::bad_checkpoint, "the checkpoint has an element {}", id);
          to[slab_of(id)].push_back(id);
        }
    });
    places_ = ranks_.exchange(to);
    ranks_.agree([&] {
      std::vector<bool> seen(static_cast<std::size_t>(size_), false);
      GlobalIndex found = 0;
      for (auto& from : places_)
        for (GlobalIndex& id : from) {
          id -= begin_;
          if (!seen[static_cast<std::size_t>(id)]) ++found;
          seen[static_cast<std::size_t>(id)] = true;
        }
      GlobalIndex arrived = 0;
      for (const auto& from : places_) arrived += static_cast<GlobalIndex>(from.size());
      if (found != size_ || arrived != size_)
        fail(ExitCode::bad_checkpoint, "the checkpoint does not hold every element of the mesh once");
    });
  }

  /// Rows requested from this rank's slab by owners of elements, and ranks that this rank requests from.
  void find_requests(const LocalMesh& mesh) {
    std::vector<std::vector<GlobalIndex>> to(static_cast<std::size_t>(ranks_.size()));
    for (const GlobalIndex id : mesh.global_id) {
      const std::size_t owner = slab_of(id);
      owner_of_own_.push_back(static_cast<int>(owner));
      to[owner].push_back(id);
    }
    requests_ = ranks_.exchange(to);
    for (auto& from : requests_)
      for (GlobalIndex& id : from) id -= begin_;
  }

  template <class T>
  void add_rows(std::vector<std::vector<T>>& to, std::size_t file, const std::vector<T>& rows,
                std::size_t width) const {
    if (rows.size() != ids_[file].size() * width)
      fail(ExitCode::bad_checkpoint, "{}: a block has {} numbers, {} are expected", files_[file].name(), rows.size(),
           ids_[file].size() * width);
    for (std::size_t i = 0; i < ids_[file].size(); ++i)
      append_row(to[slab_of(ids_[file][i])], rows, static_cast<GlobalIndex>(i), width);
  }

  template <class T>
  void place_rows(std::vector<T>& slab, const std::vector<std::vector<T>>& from, std::size_t width) const {
    for (std::size_t r = 0; r < from.size(); ++r)
      for (std::size_t i = 0; i < places_[r].size(); ++i)
        std::copy_n(from[r].begin() + static_cast<std::ptrdiff_t>(i * width), width,
                    slab.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(places_[r][i]) * width));
  }

  comm::Communicator ranks_;
  GlobalIndex count_;
  GlobalIndex begin_ = 0;  ///< first element of this rank's slab
  GlobalIndex size_ = 0;
  std::vector<store::File> files_;                  ///< that this rank reads
  std::vector<std::vector<GlobalIndex>> ids_;       ///< per file
  std::vector<std::vector<GlobalIndex>> places_;    ///< per sender: positions in the slab
  std::vector<std::vector<GlobalIndex>> requests_;  ///< per requesting rank: positions in the slab
  std::vector<int> owner_of_own_;                   ///< per own element: the rank whose slab contains it
};

void load_elements(const ElementState& state, const RowExchange& exchange) {
  const auto width = static_cast<std::size_t>(state.width);
  if (state.single)
    state.load(exchange.fetch<float>(path_of(state), width));
  else
    state.load(exchange.fetch<double>(path_of(state), width));
}

/// Every rank scans all files for the rows of its elements, one file at a time.
template <class T>
void load_listed(const ListedState& state, const std::vector<std::filesystem::path>& files) {
  const auto width = static_cast<std::size_t>(state.width);
  std::vector<T> rows(state.ids.size() * width);
  std::size_t found = 0;
  for (const auto& path : files) {
    const store::File file = store::File::open(path);
    const auto ids = read_block<std::int64_t>(file, path_of(state) + "/id");
    const auto values = read_block<T>(file, path_of(state) + "/values");
    if (values.size() != ids.size() * width)
      fail(ExitCode::bad_checkpoint, "{}: {} has {} numbers, {} are expected", file.name(), path_of(state),
           values.size(), ids.size() * width);
    for (std::size_t k = 0; k < ids.size(); ++k) {
      const auto place = std::lower_bound(state.ids.begin(), state.ids.end(), ids[k]);
      if (place == state.ids.end() || *place != ids[k]) continue;
      ++found;
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(k * width), width,
                  rows.begin() + (place - state.ids.begin()) * static_cast<std::ptrdiff_t>(width));
    }
  }
  if (found != state.ids.size())
    fail(ExitCode::bad_checkpoint, "the checkpoint does not hold every element of {} once", path_of(state));
  state.load(rows);
}

void write_listed(const store::File& file, const ListedState& state) {
  const auto count = static_cast<std::int64_t>(state.ids.size());
  write_block(file, path_of(state) + "/id", std::vector<std::int64_t>(state.ids.begin(), state.ids.end()), {count});
  std::visit(
      [&](const auto& values) {
        write_block(file, path_of(state) + "/values", values, {count, state.width});
      },
      state.save());
}

}  // namespace

void write_state(const StateRegistry& state, const LocalMesh& mesh, bool shared, const std::filesystem::path& path) {
  store::File file = store::File::create(path, store::TextStyle::fixed);
  const auto count = static_cast<std::int64_t>(mesh.global_id.size());
  write_block(file, ids_path, std::vector<std::int64_t>(mesh.global_id.begin(), mesh.global_id.end()), {count});
  for (const ElementState& array : state.elements())
    std::visit(
        [&](const auto& values) {
          write_block(file, path_of(array), values, {count, array.width});
        },
        array.save());
  for (const ListedState& array : state.listed()) write_listed(file, array);
  if (shared)
    for (const SharedState& array : state.shared()) {
      const auto values = array.save();
      write_block(file, path_of(array), values, {static_cast<std::int64_t>(values.size())});
    }
  file.close();
}

void read_state(const StateRegistry& state, const LocalMesh& mesh, const comm::Communicator& ranks,
                const std::vector<std::filesystem::path>& files) {
  const RowExchange exchange(mesh, ranks, files);
  for (const ElementState& array : state.elements()) load_elements(array, exchange);
  for (const ListedState& array : state.listed())
    ranks.agree([&] { array.single ? load_listed<float>(array, files) : load_listed<double>(array, files); });
  for (const SharedState& array : state.shared()) {
    std::vector<double> values;
    ranks.agree([&] {
      if (exchange.first_file() != nullptr) values = read_block<double>(*exchange.first_file(), path_of(array));
    });
    ranks.broadcast(values);
    array.load(values);
  }
}

}  // namespace tetrawave::march
