#pragma once

#include <cstddef>
#include <functional>
#include <glm/glm.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/context/gl_object.h"

namespace orrery::render {

/// The text of a program. Each stage is the concatenation of its parts, after the version, `directives` and
/// what C++ and all shaders share (shaders/shared.h). A program has either a vertex and a fragment stage, or
/// a compute stage. The texts must live until the program is made.
struct ShaderSources {
  std::string name;  ///< name of the program, for messages
  std::vector<std::string_view> vertex = {};
  std::vector<std::string_view> fragment = {};
  std::vector<std::string_view> compute = {};
  std::vector<std::string_view> geometry = {};  ///< between vertex and fragment, or none
  std::string directives = {};                  ///< lines that must come first: #extension, #define
};

/// A uniform of a linked program, or an array of them. T: float, int, glm::uint, vec2, vec3, vec4, ivec2,
/// uvec2..4 or mat4. Belongs to the program that it was found in and must not outlive it. A default one, and
/// one that the compiler left out because the shader makes no use of it, is set without effect.
template <typename T>
class Uniform {
 public:
  Uniform() = default;
  /// For the caller that links a program: see UniformTable::find.
  Uniform(GlName program, int location) : program_(program), location_(location) {}
  /// OpenGL's name of the type.
  static unsigned int type();
  /// Sets the value from the next draw call on, without waiting.
  void set(const T& value) const { set(std::span(&value, 1)); }
  void set(std::span<const T> values) const;  ///< the first ones of an array

 private:
  GlName program_ = 0;
  int location_ = -1;
};

/// Finds the uniforms of a program that has just been linked. What is misspelt, of another type or size, or
/// forgotten is an Error at once, that names program and uniform.
class UniformTable {
 public:
  UniformTable(GlName program, const ShaderSources& sources);

  /// The uniform of that name, an array of `count` where that is above 1. Throws Error if the shaders have
  /// none, or it is of another type or longer.
  template <typename T>
  Uniform<T> find(std::string_view name, int count = 1) {
    return {program_, locate(name, Uniform<T>::type(), count)};
  }
  /// Throws Error if the shaders use a uniform that was not asked for, other than samplers and images, whose
  /// bindings stand in the shaders.
  void check_complete() const;

 private:
  /// An active uniform as OpenGL reports it.
  struct Active {
    std::string name;
    unsigned int type = 0;
    int count = 1;
    bool found = false;
  };
  int locate(std::string_view name, unsigned int type, int count);
  bool is_in_sources(std::string_view name) const;
  [[noreturn]] void refuse(std::string_view name, std::string_view why) const;

  GlName program_;
  const ShaderSources& sources_;
  std::vector<Active> active_;
};

/// A linked program.
class ShaderProgram {
 public:
  /// Makes an object without a program.
  ShaderProgram() = default;
  /// Compiles and links; then `find_uniforms` asks for every uniform that the shaders use. Throws Error with
  /// the first line of the compiler's message, and what UniformTable throws. Needs a current context.
  explicit ShaderProgram(const ShaderSources& sources,
                         const std::function<void(UniformTable&)>& find_uniforms = {});
  /// Makes draw calls and dispatches use this program.
  void use() const;
  GlName name() const { return program_.name(); }

 private:
  Program program_;
};

/// Binds a storage buffer to a place of shaders/shared.h.
void bind_storage(int place, GlName buffer);
/// Groups of `size` that hold `items`.
unsigned int groups_of(std::size_t items, std::size_t size);
/// Runs the program in use with as many groups, or a few more, in two dimensions: the first alone may be
/// limited to 65535.
void dispatch_groups(unsigned int wanted);
/// Runs the program in use, in groups of add_columns x add_rows of shaders/shared.h, over so many pixels.
void dispatch_pixels(glm::ivec2 size);

}  // namespace orrery::render
