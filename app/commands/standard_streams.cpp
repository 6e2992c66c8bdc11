#include "app/commands/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <iostream>

#include "sim/core/interrupt.h"
#include "sim/core/message.h"

namespace orrery::app {

namespace {

/// The lowest free descriptor is the one that is closed: those before it were seen to.
void occupy(int descriptor, int access) {
  if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) return;
  if (::open("/dev/null", access) < 0) return;  // then there is nothing to be done
}

/// Takes everything, whether it arrives or not.
ssize_t write_or_forget(void* /*cookie*/, const char* text, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const auto written = ::write(STDERR_FILENO, text + done, size - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    done += static_cast<std::size_t>(written);
  }
  return static_cast<ssize_t>(size);
}

}  // namespace

void secure_standard_streams() {
  occupy(STDIN_FILENO, O_RDONLY);
  occupy(STDOUT_FILENO, O_RDONLY);  // on purpose: writing must fail
  occupy(STDERR_FILENO, O_WRONLY);
  // That the stream is a variable is the GNU C library's.
  if (std::FILE* forgiving = ::fopencookie(
          nullptr, "w", {.read = nullptr, .write = write_or_forget, .seek = nullptr, .close = nullptr})) {
    std::setvbuf(forgiving, nullptr, _IONBF, 0);
    stderr = forgiving;
  }
}

int ClosedPipe::status() {
  constexpr int ended_by_signal = 128;  // of the shells
  return ended_by_signal + SIGPIPE;
}

void refuse_output(int reason) {
  if (reason == EPIPE) throw ClosedPipe();
  throw sim::Error("cannot write to standard output" +
                   (reason == 0 ? std::string("; is the disk full?") : ": " + sim::reason_of(reason)));
}

void print_now(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() && !sim::interrupted())
    refuse_output(errno);
  check_standard_output();
}

/// A full disk shows only when the last of the output leaves the buffers.
void check_standard_output() {
  // Who read it may have ended with the same Ctrl+C.
  if (sim::interrupted()) return;
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout) return;
  // SIGPIPE came with the failure.
  if (!sim::interrupted()) refuse_output(errno);
}

}  // namespace orrery::app
