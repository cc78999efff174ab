#include "base/hash64.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include "base/text/format.hpp"

namespace tetrawave {

namespace {

constexpr std::uint64_t prime_1 = 0x9e3779b185ebca87u;
constexpr std::uint64_t prime_2 = 0xc2b2ae3d27d4eb4fu;
constexpr std::uint64_t prime_3 = 0x165667b19e3779f9u;
constexpr std::uint64_t prime_4 = 0x85ebca77c2b2ae63u;
constexpr std::uint64_t prime_5 = 0x27d4eb2f165667c5u;

static_assert(std::endian::native == std::endian::little, "words are read in the machine's order");

template <class Word>
std::uint64_t read_word(const unsigned char* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

std::uint64_t mix_lane(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane + word * prime_2, 31) * prime_1;
}

std::uint64_t mix_tail(std::uint64_t hash, const unsigned char* bytes, std::size_t count) {
  for (; count >= 8; bytes += 8, count -= 8)
    hash = std::rotl(hash ^ mix_lane(0, read_word<std::uint64_t>(bytes)), 27) * prime_1 + prime_4;
  if (count >= 4) {
    hash = std::rotl(hash ^ (read_word<std::uint32_t>(bytes) * prime_1), 23) * prime_2 + prime_3;
    bytes += 4;
    count -= 4;
  }
  for (; count > 0; ++bytes, --count) hash = std::rotl(hash ^ (*bytes * prime_5), 11) * prime_1;
  return hash;
}

}  // namespace

void Hash64::add_stripe(const unsigned char* bytes) {
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    lanes_[i] = mix_lane(lanes_[i], read_word<std::uint64_t>(bytes + 8 * i));
}

void Hash64::add(const void* data, std::size_t bytes) {
  const auto* next = static_cast<const unsigned char*>(data);
  length_ += bytes;
  if (pending_bytes_ > 0) {
    const std::size_t taken = std::min(bytes, stripe - pending_bytes_);
    std::copy_n(next, taken, pending_.data() + pending_bytes_);
    pending_bytes_ += taken;
    next += taken;
    bytes -= taken;
    if (pending_bytes_ < stripe) return;
    add_stripe(pending_.data());
    pending_bytes_ = 0;
  }
  for (; bytes >= stripe; next += stripe, bytes -= stripe) add_stripe(next);
  std::copy_n(next, bytes, pending_.data());
  pending_bytes_ = bytes;
}

std::uint64_t Hash64::value() const {
  std::uint64_t hash = prime_5;
  if (length_ >= stripe) {
    hash = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) + std::rotl(lanes_[3], 18);
    for (const std::uint64_t lane : lanes_) hash = (hash ^ mix_lane(0, lane)) * prime_1 + prime_4;
  }
  hash = mix_tail(hash + length_, pending_.data(), pending_bytes_);
  hash = (hash ^ (hash >> 33)) * prime_2;
  hash = (hash ^ (hash >> 29)) * prime_3;
  return hash ^ (hash >> 32);
}

std::uint64_t hash_of(std::string_view text) {
  Hash64 hash;
  hash.add(text);
  return hash.value();
}

std::string to_hex(std::uint64_t value) { return tetrawave::format("{:016x}", value); }

std::uint64_t from_hex(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value, 16);
  return text.size() == 16 && stop == end && failure == std::errc() ? value : 0;
}

}  // namespace tetrawave
