#include "render/context/shader_program.h"

#include <array>
#include <string>

#include "render/context/shader_constants.h"
#include "tests/render/gl_test.h"

namespace orrery::render::test {
namespace {

/// Programs whose first two uniforms are added up, and whose third one is of no use.
class ShaderProgramTest : public GlTest {
 protected:
  static ShaderSources sources(std::string name = "sparkle") {
    return {.name = std::move(name),
            .compute = {
                "layout(local_size_x = add_columns) in;\n"
                "layout(std430, binding = sum_place) buffer Sum { vec4 sum; };\n"
                "uniform vec4 tint;\n"
                "uniform float gains[galaxy_looks];\n"
                "uniform vec2 unused;\n"
                "layout(binding = glow_unit) uniform sampler2D picture;\n"
                "void main() {\n"
                "  sum = tint * gains[gl_LocalInvocationIndex % 2u] + textureLod(picture, vec2(0), 0.0);\n"
                "}\n"}};
  }
  /// The message about a program that is asked for other uniforms than it has; empty if it is made.
  static std::string complaint(const std::function<void(UniformTable&)>& find_uniforms) {
    try {
      const ShaderProgram program(sources(), find_uniforms);
      return {};
    } catch (const Error& error) {
      return error.what();
    }
  }
  static void expect_named(const std::string& message, const std::string& uniform) {
    EXPECT_NE(message.find("sparkle"), std::string::npos) << message;
    EXPECT_NE(message.find('"' + uniform + '"'), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
};

TEST_F(ShaderProgramTest, AgreesOnAllUniforms) {
  EXPECT_EQ(complaint([](UniformTable& uniforms) {
              uniforms.find<glm::vec4>("tint");
              uniforms.find<float>("gains", 2);
              uniforms.find<glm::vec2>("unused").set({1.0F, 2.0F});
            }),
            "");
  check_gl("setting a uniform that the compiler left out");
}

TEST_F(ShaderProgramTest, RefusesAMisspeltUniform) {
  expect_named(complaint([](UniformTable& uniforms) {
                 uniforms.find<float>("gains", 2);
                 uniforms.find<glm::vec4>("tnit");
               }),
               "tnit");
  // Part of a longer name is another name.
  expect_named(complaint([](UniformTable& uniforms) { uniforms.find<float>("gain", 2); }), "gain");
}

TEST_F(ShaderProgramTest, RefusesAUniformThatIsNeverSet) {
  // Drivers list uniforms in an order of their own, so one is left out at a time.
  expect_named(complaint([](UniformTable& uniforms) { uniforms.find<glm::vec4>("tint"); }), "gains");
  expect_named(complaint([](UniformTable& uniforms) { uniforms.find<float>("gains", 2); }), "tint");
}

TEST_F(ShaderProgramTest, RefusesAnotherTypeOrLength) {
  expect_named(complaint([](UniformTable& uniforms) { uniforms.find<glm::vec3>("tint"); }), "tint");
  expect_named(complaint([](UniformTable& uniforms) { uniforms.find<float>("gains"); }), "gains");
}

TEST_F(ShaderProgramTest, SetsWhatItFound) {
  Uniform<glm::vec4> tint;
  Uniform<float> gains;
  const ShaderProgram program(sources(), [&](UniformTable& uniforms) {
    tint = uniforms.find<glm::vec4>("tint");
    gains = uniforms.find<float>("gains", 2);
  });
  tint.set({1.0F, 2.0F, 3.0F, 4.0F});
  gains.set(std::array{10.0F, 20.0F});
  std::array<float, 4> values{};
  glGetUniformfv(program.name(), glGetUniformLocation(program.name(), "tint"), values.data());
  EXPECT_EQ(values, (std::array{1.0F, 2.0F, 3.0F, 4.0F}));
  glGetUniformfv(program.name(), glGetUniformLocation(program.name(), "gains[1]"), values.data());
  EXPECT_EQ(values[0], 20.0F);
}

TEST_F(ShaderProgramTest, ConstantsAreThoseOfThisProgram) {
  GLint size[3] = {0, 0, 0};
  const ShaderProgram program(sources(), [](UniformTable& uniforms) {
    uniforms.find<glm::vec4>("tint");
    uniforms.find<float>("gains", 2);
  });
  glGetProgramiv(program.name(), GL_COMPUTE_WORK_GROUP_SIZE, size);
  EXPECT_EQ(size[0], shared::add_columns);
  const GLenum binding = GL_BUFFER_BINDING;
  GLint place = -1;
  glGetProgramResourceiv(program.name(), GL_SHADER_STORAGE_BLOCK, 0, 1, &binding, 1, nullptr, &place);
  EXPECT_EQ(place, shared::sum_place);
  EXPECT_EQ(shared::last_component + 1U, static_cast<unsigned>(shared::body_components));
}

}  // namespace
}  // namespace orrery::render::test
