#include "render/map/map_buffers.h"

#include <fmt/format.h>

#include <array>

#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render/error.h"

namespace orrery::render {
namespace {

Buffer make_map(std::size_t bytes) {
  auto buffer = make_storage(bytes, nullptr, GL_DYNAMIC_STORAGE_BIT,
                             "an activity map of {:.1f} MB: use a smaller map-size");
  // Without a largest value nothing is drawn of the cells. Not cleared as a whole: NVIDIA's driver (580.159)
  // does that after an upload that follows.
  const std::array<float, shared::map_header> header{};
  glNamedBufferSubData(buffer.name(), 0, sizeof header, header.data());
  return buffer;
}

}  // namespace

MapBuffers::MapBuffers(std::size_t size, int slots) : size_(size), answer_(make_buffer()) {
  if (size == 0) throw Error("an activity map without cells cannot be drawn");
  for (int slot = 0; slot < slots; ++slot) slots_.push_back(make_map(floats() * sizeof(float)));
  answered_ = static_cast<const float*>(map_to_read(answer_, sizeof(float)));
}

std::size_t MapBuffers::floats() const {
  return static_cast<std::size_t>(shared::map_header) + size_ * size_;
}

void MapBuffers::upload(int slot, std::span<const float> map) {
  if (map.size() != floats())
    throw Error(fmt::format("{} floats are no activity map of {} x {} cells", map.size(), size_, size_));
  glNamedBufferSubData(buffer(slot), 0, static_cast<GLsizeiptr>(map.size_bytes()), map.data());
  largest_ = map.front();
}

void MapBuffers::ask_largest(int slot) {
  if (answered_ == nullptr || fence_.is_set()) return;
  glCopyNamedBufferSubData(buffer(slot), answer_.name(), 0, 0, sizeof(float));
  glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  fence_.set();
}

std::optional<float> MapBuffers::largest() {
  if (fence_.is_set() && fence_.is_passed()) largest_ = *answered_;
  return largest_;
}

}  // namespace orrery::render
