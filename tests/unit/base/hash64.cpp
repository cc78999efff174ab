#include "base/hash64.hpp"

#include "catch.hpp"

using namespace tetrawave;

TEST_CASE("the hash is XXH64") {
  CHECK(to_hex(hash_of("")) == "ef46db3751d8e999");
  CHECK(to_hex(hash_of("a")) == "d24ec4f1a98c6e5b");
  CHECK(to_hex(hash_of("abc")) == "44bc2cf5ad770999");
  CHECK(to_hex(hash_of("Nobody inspects the spammish repetition")) == "fbcea83c8a378bf1");
}

TEST_CASE("the hash does not depend on how the bytes are cut into pieces") {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 37 % 251);
  for (std::size_t piece = 1; piece < 70; ++piece) {
    Hash64 hash;
    for (std::size_t at = 0; at < text.size(); at += piece) hash.add(std::string_view(text).substr(at, piece));
    CHECK(hash.value() == hash_of(text));
  }
  CHECK(hash_of(text) != hash_of(text.substr(1)));
}

TEST_CASE("a hash in hexadecimal reads back") {
  CHECK(from_hex(to_hex(0x0123456789abcdefu)) == 0x0123456789abcdefu);
  CHECK(from_hex("12") == 0);
  CHECK(from_hex("zzzzzzzzzzzzzzzz") == 0);
}
