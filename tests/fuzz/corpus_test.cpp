// Reads again what a fuzzer found, or could begin from: no crash, no hang, no memory that the file does not
// ask for.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <new>
#include <string>

#include "tests/fuzz/fuzz_target.h"

namespace {

std::atomic<std::size_t> largest_allocation{0};

}  // namespace

// With a sanitizer that finds wrong memory its own operators stay.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void* operator new(std::size_t size) {
  if (size > largest_allocation) largest_allocation = size;
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

namespace orrery::fuzz {

/// For the test's name; where the type is, or it is not found.
static void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }

namespace {

namespace fs = std::filesystem;

/// Limits of memory and time for files of a few kilobytes.
constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr double most_seconds = 1.0;

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> files_of(const Target& target) {
  std::vector<fs::path> files;
  const fs::path folder = fs::path(ORRERY_FUZZ_CORPUS) / target.name;
  if (!fs::exists(folder)) return files;
  for (const auto& each : fs::directory_iterator(folder)) files.push_back(each.path());
  return files;
}

class Corpus : public testing::TestWithParam<Target> {};

TEST_P(Corpus, IsReadOrRefusedInTimeAndMemory) {
  const auto& target = GetParam();
  const auto files = files_of(target);
  EXPECT_FALSE(files.empty()) << "no files for " << target.name;
  target.run({});
  for (const auto& path : files) {
    const auto content = bytes_of(path);
    largest_allocation = 0;
    // CPU time: other programs take none of it.
    const auto start = std::clock();
    EXPECT_NO_THROW(target.run(std::as_bytes(std::span(content)))) << path;
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    EXPECT_LT(seconds, most_seconds) << path;
    EXPECT_LT(largest_allocation, most_bytes) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Corpus, testing::ValuesIn(targets()), [](const auto& each) {
  std::string name(each.param.name);
  std::erase_if(name, [](char c) { return c == '-' || c == '_'; });
  return name + std::to_string(each.index);
});

}  // namespace
}  // namespace orrery::fuzz
