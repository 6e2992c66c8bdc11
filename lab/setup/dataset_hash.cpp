#include "lab/setup/dataset_hash.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "sim/core/hash.h"

namespace orrery::lab {

namespace {

/// Words instead of bytes: four times faster, as good for telling files apart.
template <typename T>
void add_words(sim::Fnv1a<std::uint64_t>& hash, const std::vector<T>& values) {
  static_assert(sizeof(T) % 4 == 0);
  const auto bytes = std::as_bytes(std::span(values));
  for (std::size_t i = 0; i < bytes.size(); i += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + i, 4);
    hash.add_word(word);
  }
}

}  // namespace

std::string dataset_hash(const sim::Bodies& bodies) {
  sim::Fnv1a<std::uint64_t> hash;
  add_words(hash, bodies.position);
  add_words(hash, bodies.velocity);
  add_words(hash, bodies.mass);
  if (bodies.origin != sim::DVec3{}) add_words(hash, std::vector{bodies.origin});
  return fmt::format("{:016x}", hash.value());
}

std::future<std::string> begin_dataset_hash(const sim::Bodies& bodies) {
  return std::async([&bodies] { return dataset_hash(bodies); });
}

}  // namespace orrery::lab
