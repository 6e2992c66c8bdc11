// libFuzzer's entry: the target is named by the environment variable ORRERY_FUZZ_TARGET (tools/fuzz sets it).
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/fuzz_target.h"

namespace {

const orrery::fuzz::Target& chosen_target() {
  const char* name = std::getenv("ORRERY_FUZZ_TARGET");
  const auto* target = orrery::fuzz::find_target(name == nullptr ? "" : name);
  if (target != nullptr) return *target;
  // For tools/fuzz, which asks for the list so.
  for (const auto& each : orrery::fuzz::targets())
    std::printf("%-12.*s %.*s\n", static_cast<int>(each.name.size()), each.name.data(),
                static_cast<int>(each.meaning.size()), each.meaning.data());
  std::exit(name == nullptr ? 0 : 2);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  chosen_target();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto& target = chosen_target();
  target.run({reinterpret_cast<const std::byte*>(data), size});
  return 0;
}
