#include "render/context/drawn_textures.h"

#include "render/context/gl.h"
#include "render/context/target.h"

namespace orrery::render {

void free_deleted_textures() {
  if (!gl_info().software) return;
  constexpr int most_lists = 64;
  constexpr glm::vec4 black{0.0F, 0.0F, 0.0F, 1.0F};
  const PictureTarget large({2048, 2048}), small({1, 1});
  glFinish();
  // The first list, which keeps the rasterizer busy: each of the following needs another one.
  clear_to(large.framebuffer(), black);
  glFlush();
  for (int k = 1; k < most_lists; ++k) {
    clear_to(small.framebuffer(), black);
    glFlush();
  }
  glFinish();
  // The first list again, which names the large one.
  clear_to(small.framebuffer(), black);
  glFinish();
}

}  // namespace orrery::render
