#include "app/window/display_loss.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "sim/core/removed_at_exit.h"

namespace orrery::app {

namespace {

std::function<void()>& keeper() {
  static std::function<void()> keep;
  return keep;
}

/// Called by Xlib, which ends the program if this returns. Destructors would speak to the server.
int end_without_display(void* /*display*/) {
  fmt::print(stderr, "orrery: the display server has ended, and the window with it\n");
  if (const auto keep = std::exchange(keeper(), nullptr)) keep();
  sim::remove_files_in_the_making();
  std::fflush(stdout);
  ::_exit(1);
}

/// GLFW has loaded the library where it is used; with Wayland it is absent.
void set_handler(int (*handler)(void*)) {
  void* const library = ::dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return;
  using SetHandler = void* (*)(int (*)(void*));
  const auto set = reinterpret_cast<SetHandler>(::dlsym(library, "XSetIOErrorHandler"));
  if (set != nullptr) set(handler);
  ::dlclose(library);
}

}  // namespace

DisplayLoss::DisplayLoss(std::function<void()> keep) {
  keeper() = std::move(keep);
  set_handler(end_without_display);
}

DisplayLoss::~DisplayLoss() { keeper() = nullptr; }

}  // namespace orrery::app
