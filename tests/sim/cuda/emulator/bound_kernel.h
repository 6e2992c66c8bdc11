#pragma once

#include <functional>
#include <type_traits>
#include <utility>

namespace orrery::sim::cuda::emulator {

/// Calls a kernel with the values that the pointers point to.
template <typename... Parameters>
std::function<void()> bound(void (*kernel)(Parameters...), void** arguments) {
  return [=] {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      kernel(*static_cast<std::remove_cv_t<Parameters>*>(arguments[k])...);
    }
    (std::index_sequence_for<Parameters...>());
  };
}

}  // namespace orrery::sim::cuda::emulator
