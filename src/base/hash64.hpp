// A 64-bit hash of bytes, fast enough to accompany every write: XXH64 (Collet, BSD), seed 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tetrawave {

/// Accepts bytes in pieces; the value is that of all bytes so far, however they were divided.
class Hash64 {
 public:
  void add(const void* data, std::size_t bytes);
  template <class T>
  void add(std::span<const T> values) {
    add(values.data(), values.size_bytes());
  }
  void add(std::string_view text) { add(text.data(), text.size()); }
  [[nodiscard]] std::uint64_t value() const;

 private:
  static constexpr std::size_t stripe = 32;
  void add_stripe(const unsigned char* bytes);

  std::array<std::uint64_t, 4> lanes_{0x60ea27eeadc0b5d6u, 0xc2b2ae3d27d4eb4fu, 0, 0x61c8864e7a143579u};
  std::array<unsigned char, stripe> pending_{};
  std::size_t pending_bytes_ = 0;
  std::uint64_t length_ = 0;
};

/// The hash of one text.
[[nodiscard]] std::uint64_t hash_of(std::string_view text);

/// 16 hexadecimal digits, and back (0 for any other text).
[[nodiscard]] std::string to_hex(std::uint64_t value);
[[nodiscard]] std::uint64_t from_hex(std::string_view text);

}  // namespace tetrawave
