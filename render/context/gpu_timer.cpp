#include "render/context/gpu_timer.h"

#include "render/context/gl.h"

namespace orrery::render {

void destroy_query(GlName name) { glDeleteQueries(1, &name); }

GpuTimer::GpuTimer() {
  for (Stretch& stretch : ring_) {
    GlName name = 0;
    glCreateQueries(GL_TIME_ELAPSED, 1, &name);
    stretch.query = GlObject<destroy_query>(name);
  }
}

bool GpuTimer::begin(std::uint64_t label) {
  if (waiting_ == ring_.size()) return false;
  Stretch& next = ring_[(first_ + waiting_) % ring_.size()];
  next.label = label;
  glBeginQuery(GL_TIME_ELAPSED, next.query.name());
  return true;
}

void GpuTimer::end() {
  glEndQuery(GL_TIME_ELAPSED);
  ++waiting_;
}

std::vector<std::pair<std::uint64_t, double>> GpuTimer::take() {
  std::vector<std::pair<std::uint64_t, double>> finished;
  while (waiting_ > 0) {
    const Stretch& oldest = ring_[first_];
    GLuint available = GL_FALSE;
    glGetQueryObjectuiv(oldest.query.name(), GL_QUERY_RESULT_AVAILABLE, &available);
    if (available == GL_FALSE) break;
    GLuint64 nanoseconds = 0;
    glGetQueryObjectui64v(oldest.query.name(), GL_QUERY_RESULT, &nanoseconds);
    finished.emplace_back(oldest.label, 1e-6 * static_cast<double>(nanoseconds));
    first_ = (first_ + 1) % ring_.size();
    --waiting_;
  }
  return finished;
}

}  // namespace orrery::render
