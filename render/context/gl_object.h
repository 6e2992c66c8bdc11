#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace orrery::render {

/// The name of an OpenGL object; the same type as GLuint, so that headers need not include the loader.
using GlName = unsigned int;

/// Owns one OpenGL object. Destroy it while the context that made it is current, or after that context is
/// gone for good (then there is nothing left to release and the destructor must not run: see release()).
template <void (*destroy)(GlName)>
class GlObject {
 public:
  GlObject() = default;
  explicit GlObject(GlName name) : name_(name) {}
  GlObject(GlObject&& other) noexcept : name_(other.release()) {}
  GlObject& operator=(GlObject&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  GlObject(const GlObject&) = delete;
  GlObject& operator=(const GlObject&) = delete;
  ~GlObject() {
    if (name_ != 0) destroy(name_);
  }
  /// 0 if there is no object.
  GlName name() const { return name_; }
  /// Gives up ownership.
  GlName release() { return std::exchange(name_, 0); }

 private:
  GlName name_ = 0;
};

/// Delete an object; 0 is ignored.
void destroy_buffer(GlName name);
void destroy_texture(GlName name);
void destroy_framebuffer(GlName name);
void destroy_vertex_array(GlName name);
void destroy_program(GlName name);

using Buffer = GlObject<destroy_buffer>;
using Texture = GlObject<destroy_texture>;
using Framebuffer = GlObject<destroy_framebuffer>;
using VertexArray = GlObject<destroy_vertex_array>;
using Program = GlObject<destroy_program>;

/// New objects, without storage yet.
Buffer make_buffer();
Framebuffer make_framebuffer();
VertexArray make_vertex_array();
/// `target` is GL_TEXTURE_1D, GL_TEXTURE_2D, ...
Texture make_texture(unsigned int target);

/// A buffer of so many bytes, with `data` unless that is null. Throws Error "no graphics memory for <what>",
/// in which "{:.1f}" stands for megabytes.
Buffer make_storage(std::size_t bytes, const void* data, unsigned int flags, const char* what);
/// Gives a buffer memory that the GPU writes and this process reads, and maps it for good; null if there is
/// none. `flags`: more than are needed for that.
const void* map_to_read(const Buffer& buffer, std::size_t bytes, unsigned int flags = 0);

/// Sets the filters of a texture. Beyond its edges it is read as at them if `clamped`, else it repeats.
void set_sampling(const Texture& texture, int smaller, int larger, bool clamped = true);

/// A mark among OpenGL's commands, by which one learns without waiting that the GPU has done what came
/// before.
class Fence {
 public:
  /// Sets the mark here, wherever it was.
  void set();
  void clear() { fence_.reset(); }
  bool is_set() const { return fence_ != nullptr; }
  /// True if the GPU has come to the mark, which clears it, or none is set.
  bool is_passed();

 private:
  struct Deleter {
    void operator()(void* fence) const;
  };
  std::unique_ptr<void, Deleter> fence_;
};

}  // namespace orrery::render
