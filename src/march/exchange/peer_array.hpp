// An array of this rank's device that other ranks of the host map, and theirs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "comm/communicator.hpp"

namespace tetrawave::march {

template <class Backend>
class PeerArray {
 public:
  PeerArray(Backend& backend, const comm::Communicator& ranks, std::size_t bytes)
      : backend_(backend), ranks_(ranks), memory_(backend, bytes) {}

  /// No rank frees memory that a peer may still write to. A rank that leaves by an exception may be the only one, and
  /// keeps its memory: the program is about to end.
  ~PeerArray() {
    if (!is_open_) return;
    try {
      if (std::uncaught_exceptions() > 0) {
        memory_.keep_for_ever();
        return;
      }
      backend_.synchronize();
      ranks_.barrier();
      peers_.clear();
      ranks_.barrier();
    } catch (...) {  // a fault of the device or of MPI, which its next call tells
      memory_.keep_for_ever();
    }
  }
  PeerArray(const PeerArray&) = delete;
  PeerArray& operator=(const PeerArray&) = delete;

  /// Zeroed, on the device.
  [[nodiscard]] char* data() const { return memory_.data(); }

  /// Collective, once: maps the arrays of those to which `told` has numbers, calls use(rank, array, its numbers) for
  /// each, then ready(), and returns when all ranks have.
  template <class Use, class Ready>
  void open(const std::vector<std::vector<std::int64_t>>& told, const Use& use, const Ready& ready) {
    std::vector<std::vector<std::int64_t>> offers(told.size());
    ranks_.agree([&] {
      const Handle handle = memory_.handle();
      for (std::size_t p = 0; p < told.size(); ++p) {
        if (told[p].empty()) continue;
        offers[p].assign(handle.begin(), handle.end());
        offers[p].insert(offers[p].end(), told[p].begin(), told[p].end());
      }
    });
    const auto answers = ranks_.exchange(offers);
    ranks_.agree([&] {
      for (std::size_t p = 0; p < answers.size(); ++p) {
        if (answers[p].empty()) continue;
        Handle handle{};
        ensure(answers[p].size() > handle.size(), "a rank tells numbers of its array");
        std::copy_n(answers[p].begin(), handle.size(), handle.begin());
        const auto peer = static_cast<int>(p);
        use(peer, peers_.try_emplace(peer, backend_, handle).first->second.data(),
            std::span<const std::int64_t>(answers[p]).subspan(handle.size()));
      }
    });
    ready();
    is_open_ = true;
    ranks_.barrier();
  }

 private:
  using Handle = typename Backend::SharedMemory::Handle;

  Backend& backend_;
  comm::Communicator ranks_;
  typename Backend::SharedMemory memory_;
  std::map<int, typename Backend::MappedMemory> peers_;
  bool is_open_ = false;
};

}  // namespace tetrawave::march
