#include "render/map/map_buffers.h"

#include <fmt/format.h>

#include <array>

#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render/error.h"

namespace orrery::render {
namespace {

Buffer make_map(std::size_t bytes) {
  auto buffer = make_buffer();
  while (glGetError() != GL_NO_ERROR) {
  }
  glNamedBufferStorage(buffer.name(), static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_STORAGE_BIT);
  if (glGetError() != GL_NO_ERROR)
    throw Error(fmt::format("no graphics memory for an activity map of {:.1f} MB: use a smaller map-size",
                            static_cast<double>(bytes) / 1e6));
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
  constexpr GLbitfield read = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  glNamedBufferStorage(answer_.name(), sizeof(float), nullptr, read);
  answered_ = static_cast<const float*>(glMapNamedBufferRange(answer_.name(), 0, sizeof(float), read));
}

MapBuffers::~MapBuffers() { glDeleteSync(static_cast<GLsync>(fence_)); }

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
  if (answered_ == nullptr || fence_ != nullptr) return;
  glCopyNamedBufferSubData(buffer(slot), answer_.name(), 0, 0, sizeof(float));
  glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  fence_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

std::optional<float> MapBuffers::largest() {
  if (fence_ == nullptr) return largest_;
  const auto fence = static_cast<GLsync>(fence_);
  const GLenum state = glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 0);
  if (state != GL_ALREADY_SIGNALED && state != GL_CONDITION_SATISFIED) return largest_;
  glDeleteSync(fence);
  fence_ = nullptr;
  largest_ = *answered_;
  return largest_;
}

}  // namespace orrery::render
