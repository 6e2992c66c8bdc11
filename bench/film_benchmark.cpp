// What recording a film costs a frame: copying a picture into the ring of pixel buffers, without a window.
// One line of JSON a size: milliseconds of the drawing thread, of the GPU with nothing else to do, and until
// the frame has arrived.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "app/commands/small_program.h"
#include "render/context/frame_ring.h"
#include "render/context/gl.h"
#include "render/context/headless_context.h"
#include "render/context/target.h"

namespace {

using namespace orrery::render;
using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double median(std::vector<double>& times) {
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  return times[times.size() / 2];
}

void paint(const PictureTarget& picture, int frame) {
  draw_into(picture.framebuffer());
  glClearColor(static_cast<float>(frame % 256) / 255.0F, 0.2F, 0.1F, 1.0F);
  glClear(GL_COLOR_BUFFER_BIT);
}

/// Frames at the pace of a window: each may arrive while the next is drawn.
void time_size(glm::ivec2 size, int frames) {
  const PictureTarget picture(size);
  FrameRing ring(size);
  std::vector<double> thread_ms, gpu_ms, arrival_ms;
  for (int frame = 0; frame < frames; ++frame) {
    paint(picture, frame);
    glFinish();
    const auto start = Clock::now();
    ring.start(picture);
    thread_ms.push_back(milliseconds_since(start));
    glFinish();
    gpu_ms.push_back(milliseconds_since(start));
    auto arrived = ring.take();
    while (!arrived) arrived = ring.take();
    arrival_ms.push_back(milliseconds_since(start));
    ring.give_back(arrived->slot);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  fmt::print(
      R"({{"width": {}, "height": {}, "frames": {}, "thread_ms": {:.4f}, "gpu_ms": {:.4f}, "arrival_ms": {:.4f}, )"
      R"("renderer": "{}"}})"
      "\n",
      size.x, size.y, frames, median(thread_ms), median(gpu_ms), median(arrival_ms), gl_info().renderer);
}

}  // namespace

int main(int argc, char** argv) {
  int frames = 300;
  const auto work = [&] {
    const HeadlessContext context;
    load_gl(HeadlessContext::loader);
    for (const glm::ivec2 size : {glm::ivec2(1280, 720), glm::ivec2(1920, 1080), glm::ivec2(3840, 2160)})
      time_size(size, frames);
    check_gl("the benchmark");
  };
  return orrery::app::run(
      {.name = "bench_film",
       .meaning =
           "Times what recording a film costs a frame: copying pictures into the ring of pixel buffers. "
           "Prints one JSON object a size.",
       .declare =
           [&](orrery::app::Arguments& program) {
             program.value("--frames", frames, "How many of each size (default 300)")
                 .whole_number(1, 100'000);
           },
       .work = work},
      argc, argv);
}
