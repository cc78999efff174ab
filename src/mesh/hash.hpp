// A stateless hash: the same inputs give the same bits on every rank and machine.
#pragma once

#include <cstdint>

namespace tetrawave {

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014) on its counter: a bijection of 64-bit words.
constexpr std::uint64_t mix_bits(std::uint64_t word) {
  word += 0x9e3779b97f4a7c15u;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
  return word ^ (word >> 31);
}

/// Hash of several words, in order.
template <class... Words>
constexpr std::uint64_t hash_words(Words... words) {
  std::uint64_t state = 0;
  ((state = mix_bits(state ^ static_cast<std::uint64_t>(words))), ...);
  return state;
}

/// Uniform in [0, 1), from the upper 53 bits.
constexpr double to_unit_interval(std::uint64_t word) { return static_cast<double>(word >> 11) * 0x1p-53; }

}  // namespace tetrawave
