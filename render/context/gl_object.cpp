#include "render/context/gl_object.h"

#include "render/context/gl.h"

namespace orrery::render {
void destroy_buffer(GlName name) { glDeleteBuffers(1, &name); }
void destroy_texture(GlName name) { glDeleteTextures(1, &name); }
void destroy_framebuffer(GlName name) { glDeleteFramebuffers(1, &name); }
void destroy_vertex_array(GlName name) { glDeleteVertexArrays(1, &name); }
void destroy_program(GlName name) { glDeleteProgram(name); }

Buffer make_buffer() {
  GlName name = 0;
  glCreateBuffers(1, &name);
  return Buffer(name);
}

Framebuffer make_framebuffer() {
  GlName name = 0;
  glCreateFramebuffers(1, &name);
  return Framebuffer(name);
}

VertexArray make_vertex_array() {
  GlName name = 0;
  glCreateVertexArrays(1, &name);
  return VertexArray(name);
}

Texture make_texture(unsigned int target) {
  GlName name = 0;
  glCreateTextures(target, 1, &name);
  return Texture(name);
}

}  // namespace orrery::render
