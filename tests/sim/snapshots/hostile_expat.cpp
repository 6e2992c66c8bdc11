// In place of libexpat in the reader's process (LD_PRELOAD): a library with a fault, of the kind that
// ORRERY_TEST_FAULT names.
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <vector>

extern "C" void* XML_ParserCreate(const char*) {
  const char* const named = std::getenv("ORRERY_TEST_FAULT");
  const std::string_view fault = named == nullptr ? "" : named;
  if (fault == "crash") std::abort();
  if (fault == "end") std::_Exit(0);
  if (fault == "memory") {
    // Never written, so that the test takes none.
    std::vector<void*> taken;
    constexpr std::size_t most = 1U << 20;
    while (taken.size() < most) taken.push_back(::operator new (std::size_t{16} << 20));
  }
  if (fault == "cut" && ::truncate(std::getenv("ORRERY_TEST_TARGET"), 0) == 0) std::_Exit(0);
  if (fault == "write") {
    const int file = ::open(std::getenv("ORRERY_TEST_TARGET"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const std::vector<char> harm(8192);
    while (::write(file, harm.data(), harm.size()) > 0) {
    }
  }
  std::abort();
}
