#include "render/light/light_meter.h"

#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

constexpr GLsizeiptr bytes = shared::meter_bins * sizeof(std::uint32_t);

}  // namespace

LightMeter::LightMeter()
    : program_({.name = "light meter", .compute = {shaders::light_meter_comp}},
               [this](UniformTable& uniforms) { stride_ = uniforms.find<int>("stride"); }),
      counts_(make_buffer()),
      late_(make_buffer()) {
  answer_ = static_cast<const std::uint32_t*>(map_to_read(late_, bytes));
  glNamedBufferStorage(counts_.name(), bytes, nullptr, 0);
  check_gl("setting up the light meter");
}

/// In graphics memory: to add in main memory, where answers are read, took the GPU a millisecond.
void LightMeter::count(const Accumulation& light, int stride) {
  const GlName histogram = counts_.name();
  glClearNamedBufferData(histogram, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
  stride_.set(stride);
  program_.use();
  glBindTextureUnit(shared::light_unit, light.texture());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, shared::meter_place, histogram);
  dispatch_pixels((light.size() + stride - 1) / stride);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
}

bool LightMeter::start(const Accumulation& light, int stride) {
  if (busy() || answer_ == nullptr) return false;
  count(light, stride);
  glCopyNamedBufferSubData(counts_.name(), late_.name(), 0, 0, bytes);
  glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  fence_.set();
  return true;
}

std::span<const std::uint32_t> LightMeter::take() {
  if (!busy() || !fence_.is_passed()) return {};
  return {answer_, static_cast<std::size_t>(shared::meter_bins)};
}

std::vector<std::uint32_t> LightMeter::measure(const Accumulation& light) {
  count(light, 1);
  std::vector<std::uint32_t> histogram(static_cast<std::size_t>(shared::meter_bins));
  glGetNamedBufferSubData(counts_.name(), 0, bytes, histogram.data());
  return histogram;
}

}  // namespace orrery::render
