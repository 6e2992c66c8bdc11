#include "tests/fuzz/fuzz_target.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace orrery::fuzz {

namespace {

[[noreturn]] void give_up(std::string_view why) {
  std::fprintf(stderr, "fuzz: %.*s\n", static_cast<int>(why.size()), why.data());
  std::abort();
}

}  // namespace

InputFile::InputFile(std::span<const std::byte> bytes) : descriptor_(::memfd_create("input", MFD_CLOEXEC)) {
  if (descriptor_ < 0) give_up("no file can be made in memory");
  for (std::size_t done = 0; done < bytes.size();) {
    const auto written = ::write(descriptor_, bytes.data() + done, bytes.size() - done);
    if (written <= 0) give_up("the input cannot be written");
    done += static_cast<std::size_t>(written);
  }
  path_ = "/proc/self/fd/" + std::to_string(descriptor_);
}

InputFile::~InputFile() { ::close(descriptor_); }

void require_one_line(std::string_view message) {
  constexpr std::size_t longest = 2000;
  if (message.empty() || message.size() > longest) give_up("a message of no sensible length");
  const bool plain = std::ranges::all_of(message, [](char c) { return static_cast<unsigned char>(c) >= 32; });
  if (!plain) give_up("a message that is not one line of text");
}

const Target* find_target(std::string_view name) {
  const auto found = std::ranges::find(targets(), name, &Target::name);
  return found == targets().end() ? nullptr : &*found;
}

}  // namespace orrery::fuzz
