#include "render/context/shader_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <glm/gtc/type_ptr.hpp>
#include <type_traits>

#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render/error.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

constexpr std::string_view version = "#version 450 core\n";

std::string first_line(const std::string& log) { return log.substr(0, log.find('\n')); }

/// Deletes a shader at the end of its scope; a program keeps what it needs.
struct Shader {
  explicit Shader(GLenum stage) : name(glCreateShader(stage)) {}
  ~Shader() { glDeleteShader(name); }
  Shader(const Shader&) = delete;
  Shader& operator=(const Shader&) = delete;
  GlName name;
};

void set_source(GlName shader, std::span<const std::string_view> parts) {
  std::vector<const GLchar*> texts;
  std::vector<GLint> lengths;
  for (const std::string_view part : parts) {
    texts.push_back(part.data());
    lengths.push_back(static_cast<GLint>(part.size()));
  }
  glShaderSource(shader, static_cast<GLsizei>(texts.size()), texts.data(), lengths.data());
}

void attach_stage(GlName program, const ShaderSources& sources, GLenum stage,
                  std::span<const std::string_view> parts, std::string_view stage_name) {
  if (parts.empty()) return;
  const Shader shader(stage);
  std::vector<std::string_view> all{version, sources.directives, shaders::shared_h};
  all.insert(all.end(), parts.begin(), parts.end());
  set_source(shader.name, all);
  glCompileShader(shader.name);
  GLint compiled = GL_FALSE;
  glGetShaderiv(shader.name, GL_COMPILE_STATUS, &compiled);
  if (compiled != GL_TRUE) {
    std::array<GLchar, 2048> log{};
    glGetShaderInfoLog(shader.name, static_cast<GLsizei>(log.size()), nullptr, log.data());
    throw Error(fmt::format("the shader {} ({} stage) does not compile: {}", sources.name, stage_name,
                            first_line(log.data())));
  }
  glAttachShader(program, shader.name);
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

/// The OpenGL and GLSL names of a C++ type.
template <typename T>
struct UniformType;
template <GLenum type>
struct TypeOf {
  static constexpr GLenum gl = type;
};
// clang-format off
template <> struct UniformType<float> : TypeOf<GL_FLOAT> {};
template <> struct UniformType<int> : TypeOf<GL_INT> {};
template <> struct UniformType<glm::uint> : TypeOf<GL_UNSIGNED_INT> {};
template <> struct UniformType<glm::vec2> : TypeOf<GL_FLOAT_VEC2> {};
template <> struct UniformType<glm::vec3> : TypeOf<GL_FLOAT_VEC3> {};
template <> struct UniformType<glm::vec4> : TypeOf<GL_FLOAT_VEC4> {};
template <> struct UniformType<glm::ivec2> : TypeOf<GL_INT_VEC2> {};
template <> struct UniformType<glm::uvec2> : TypeOf<GL_UNSIGNED_INT_VEC2> {};
template <> struct UniformType<glm::uvec3> : TypeOf<GL_UNSIGNED_INT_VEC3> {};
template <> struct UniformType<glm::uvec4> : TypeOf<GL_UNSIGNED_INT_VEC4> {};
template <> struct UniformType<glm::mat4> : TypeOf<GL_FLOAT_MAT4> {};
// clang-format on

/// Samplers and images are uniforms too, but their bindings stand in the shaders.
bool is_bound_in_shader(GLenum type) {
  return type == GL_SAMPLER_1D || type == GL_SAMPLER_2D || type == GL_UNSIGNED_INT_SAMPLER_2D ||
         type == GL_SAMPLER_BUFFER || type == GL_IMAGE_2D || type == GL_UNSIGNED_INT_IMAGE_2D;
}

/// "palette" of "palette[0]".
std::string without_index(const std::string& name) { return name.substr(0, name.find('[')); }

/// OpenGL's function for vectors of `length` numbers of a type.
auto uploader(const float* /*type*/, int length) {
  return std::array{glProgramUniform1fv, glProgramUniform2fv, glProgramUniform3fv,
                    glProgramUniform4fv}[static_cast<std::size_t>(length - 1)];
}
auto uploader(const int* /*type*/, int length) {
  return std::array{glProgramUniform1iv, glProgramUniform2iv}[static_cast<std::size_t>(length - 1)];
}
auto uploader(const glm::uint* /*type*/, int length) {
  return std::array{glProgramUniform1uiv, glProgramUniform2uiv, glProgramUniform3uiv,
                    glProgramUniform4uiv}[static_cast<std::size_t>(length - 1)];
}

}  // namespace

template <typename T>
unsigned int Uniform<T>::type() {
  return UniformType<T>::gl;
}

template <typename T>
void Uniform<T>::set(std::span<const T> values) const {
  if (location_ < 0 || values.empty()) return;
  const auto count = static_cast<GLsizei>(values.size());
  if constexpr (std::is_same_v<T, glm::mat4>)
    glProgramUniformMatrix4fv(program_, location_, count, GL_FALSE, glm::value_ptr(values[0]));
  else if constexpr (std::is_arithmetic_v<T>)
    uploader(values.data(), 1)(program_, location_, count, values.data());
  else
    uploader(glm::value_ptr(values[0]), T::length())(program_, location_, count, glm::value_ptr(values[0]));
}

UniformTable::UniformTable(GlName program, const ShaderSources& sources)
    : program_(program), sources_(sources) {
  GLint count = 0;
  glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
  for (GLint i = 0; i < count; ++i) {
    std::array<GLchar, 256> name{};
    GLint length = 0;
    GLenum type = 0;
    glGetActiveUniform(program, static_cast<GLuint>(i), static_cast<GLsizei>(name.size()), nullptr, &length,
                       &type, name.data());
    active_.push_back({without_index(name.data()), type, length});
  }
}

void UniformTable::refuse(std::string_view name, std::string_view why) const {
  throw Error(fmt::format("the shader {} and this program do not agree: the uniform \"{}\" {}", sources_.name,
                          name, why));
}

/// As a whole word: what the compiler left out of the program is there still.
bool UniformTable::is_in_sources(std::string_view name) const {
  const auto part_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (const auto* stage : {&sources_.vertex, &sources_.geometry, &sources_.fragment, &sources_.compute}) {
    for (const std::string_view text : *stage) {
      for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const auto end = at + name.size();
        const bool begins = at == 0 || !part_of_name(text[at - 1]);
        if (begins && (end == text.size() || !part_of_name(text[end]))) return true;
      }
    }
  }
  return false;
}

int UniformTable::locate(std::string_view name, unsigned int type, int count) {
  const auto active = std::ranges::find(active_, name, &Active::name);
  if (active == active_.end()) {
    if (!is_in_sources(name)) refuse(name, "is not in the shader");
    return -1;
  }
  if (active->type != type) refuse(name, "has another type there");
  // Of an array the compiler may have left out the end.
  if (active->count > count) refuse(name, fmt::format("has length {} there, not {}", active->count, count));
  active->found = true;
  return glGetUniformLocation(program_, active->name.c_str());
}

template class Uniform<float>;
template class Uniform<int>;
template class Uniform<glm::uint>;
template class Uniform<glm::vec2>;
template class Uniform<glm::vec3>;
template class Uniform<glm::vec4>;
template class Uniform<glm::ivec2>;
template class Uniform<glm::uvec2>;
template class Uniform<glm::uvec3>;
template class Uniform<glm::uvec4>;
template class Uniform<glm::mat4>;

void UniformTable::check_complete() const {
  for (const auto& active : active_) {
    if (!active.found && !is_bound_in_shader(active.type)) refuse(active.name, "is never set");
  }
}

ShaderProgram::ShaderProgram(const ShaderSources& sources,
                             const std::function<void(UniformTable&)>& find_uniforms)
    : program_(glCreateProgram()) {
  attach_stage(name(), sources, GL_VERTEX_SHADER, sources.vertex, "vertex");
  attach_stage(name(), sources, GL_GEOMETRY_SHADER, sources.geometry, "geometry");
  attach_stage(name(), sources, GL_FRAGMENT_SHADER, sources.fragment, "fragment");
  attach_stage(name(), sources, GL_COMPUTE_SHADER, sources.compute, "compute");
  link(name(), sources.name);
  UniformTable uniforms(name(), sources);
  if (find_uniforms) find_uniforms(uniforms);
  uniforms.check_complete();
}

void ShaderProgram::use() const { glUseProgram(name()); }

void bind_storage(int place, GlName buffer) {
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, static_cast<GLuint>(place), buffer);
}

unsigned int groups_of(std::size_t items, std::size_t size) {
  return static_cast<unsigned int>((items + size - 1) / size);
}

void dispatch_groups(unsigned int wanted) {
  constexpr unsigned int most = 65535;
  const unsigned int columns = std::min(wanted, most);
  glDispatchCompute(columns, groups_of(wanted, columns), 1);
}

void dispatch_pixels(glm::ivec2 size) {
  glDispatchCompute(groups_of(static_cast<std::size_t>(size.x), shared::add_columns),
                    groups_of(static_cast<std::size_t>(size.y), shared::add_rows), 1);
}

}  // namespace orrery::render
