#include "render/gl_object.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "render/error.h"
#include "render/gl.h"

namespace orrery::render {
namespace {

std::string first_line(const std::string& log) { return log.substr(0, log.find('\n')); }

/// Deletes a shader at the end of its scope; a program keeps what it needs.
struct Shader {
  explicit Shader(GLenum stage) : name(glCreateShader(stage)) {}
  ~Shader() { glDeleteShader(name); }
  Shader(const Shader&) = delete;
  Shader& operator=(const Shader&) = delete;
  GlName name;
};

void compile(const Shader& shader, std::string_view name, std::span<const std::string_view> parts) {
  std::vector<const GLchar*> texts;
  std::vector<GLint> lengths;
  for (const std::string_view part : parts) {
    texts.push_back(part.data());
    lengths.push_back(static_cast<GLint>(part.size()));
  }
  glShaderSource(shader.name, static_cast<GLsizei>(texts.size()), texts.data(), lengths.data());
  glCompileShader(shader.name);
  GLint compiled = GL_FALSE;
  glGetShaderiv(shader.name, GL_COMPILE_STATUS, &compiled);
  if (compiled == GL_TRUE) return;
  std::array<GLchar, 2048> log{};
  glGetShaderInfoLog(shader.name, static_cast<GLsizei>(log.size()), nullptr, log.data());
  throw Error(fmt::format("the shader {} does not compile: {}", name, first_line(log.data())));
}

void link(GlName program, std::string_view name) {
  glLinkProgram(program);
  GLint linked = GL_FALSE;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  if (linked == GL_TRUE) return;
  std::array<GLchar, 2048> log{};
  glGetProgramInfoLog(program, static_cast<GLsizei>(log.size()), nullptr, log.data());
  throw Error(fmt::format("the shader {} does not link: {}", name, first_line(log.data())));
}

}  // namespace

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

Program make_program(std::string_view name, std::span<const std::string_view> vertex,
                     std::span<const std::string_view> fragment) {
  const Shader vertex_shader(GL_VERTEX_SHADER);
  const Shader fragment_shader(GL_FRAGMENT_SHADER);
  compile(vertex_shader, fmt::format("{} (vertex stage)", name), vertex);
  compile(fragment_shader, fmt::format("{} (fragment stage)", name), fragment);
  Program program(glCreateProgram());
  glAttachShader(program.name(), vertex_shader.name);
  glAttachShader(program.name(), fragment_shader.name);
  link(program.name(), name);
  return program;
}

Program make_compute_program(std::string_view name, std::span<const std::string_view> parts) {
  const Shader shader(GL_COMPUTE_SHADER);
  compile(shader, fmt::format("{} (compute stage)", name), parts);
  Program program(glCreateProgram());
  glAttachShader(program.name(), shader.name);
  link(program.name(), name);
  return program;
}

}  // namespace orrery::render
