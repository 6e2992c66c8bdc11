#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace orrery::sim {

/// Asks the system to back this memory, which nobody has written yet, by large pages. Writing small pages for
/// the first time takes longer than computing what is written. Does nothing for few bytes, and where the
/// system has none.
void prefer_large_pages(void* memory, std::size_t bytes);

/// Reserves memory for `count` values, in large pages.
template <typename T>
void reserve_large(std::vector<T>& values, std::size_t count) {
  if (count <= values.capacity()) return;
  values.reserve(count);
  prefer_large_pages(values.data() + values.size(), (values.capacity() - values.size()) * sizeof(T));
}

/// Gives large pages, and does not initialize what resize adds.
template <typename T>
struct LargeAllocator : std::allocator<T> {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  template <typename Other>
  struct rebind {
    using other = LargeAllocator<Other>;
  };

  T* allocate(std::size_t count) {
    T* memory = std::allocator<T>::allocate(count);
    prefer_large_pages(memory, count * sizeof(T));
    return memory;
  }
  void construct(T* /*place*/) noexcept {}
  template <typename... Arguments>
  void construct(T* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) T(std::forward<Arguments>(arguments)...);
  }
};

/// An array for millions of values that several threads fill. Values that resize adds are not initialized:
/// the thread that writes them touches their memory first.
template <typename T>
using LargeArray = std::vector<T, LargeAllocator<T>>;

}  // namespace orrery::sim
