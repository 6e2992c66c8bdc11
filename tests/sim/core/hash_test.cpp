#include "sim/core/hash.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string_view>

namespace orrery::sim {
namespace {

template <typename Value>
Value hash_of(std::string_view text) {
  Fnv1a<Value> hash;
  hash.add(text);
  return hash.value();
}

/// The vectors that the authors publish.
TEST(Fnv1a, KnownVectors) {
  EXPECT_EQ(hash_of<std::uint32_t>(""), 0x811c9dc5U);
  EXPECT_EQ(hash_of<std::uint32_t>("a"), 0xe40c292cU);
  EXPECT_EQ(hash_of<std::uint32_t>("foobar"), 0xbf9cf968U);
  EXPECT_EQ(hash_of<std::uint64_t>(""), 0xcbf29ce484222325U);
  EXPECT_EQ(hash_of<std::uint64_t>("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(hash_of<std::uint64_t>("foobar"), 0x85944171f73967e8U);
}

TEST(Fnv1a, PiecesAndBytesGiveTheSame) {
  Fnv1a<std::uint64_t> hash;
  hash.add("foo");
  hash.add(std::as_bytes(std::span(std::string_view("bar"))));
  EXPECT_EQ(hash.value(), hash_of<std::uint64_t>("foobar"));
  // Bytes above 127 are not negative numbers.
  constexpr std::array high{std::byte{0xff}};
  Fnv1a<std::uint32_t> bytes;
  bytes.add(high);
  EXPECT_EQ(bytes.value(), hash_of<std::uint32_t>("\xff"));
  EXPECT_EQ(bytes.value(), (0x811c9dc5U ^ 0xffU) * 0x01000193U);
}

TEST(Fnv1a, AWordStandsInThePlaceOfAByte) {
  Fnv1a<std::uint64_t> hash;
  hash.add_word('a');
  EXPECT_EQ(hash.value(), hash_of<std::uint64_t>("a"));
  hash.add_word(0x3f800000U);
  EXPECT_EQ(hash.value(), (0xaf63dc4c8601ec8cU ^ 0x3f800000U) * 0x100000001b3U);
}

}  // namespace
}  // namespace orrery::sim
