#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "render/context/gl.h"
#include "render/context/headless_context.h"
#include "render/error.h"

namespace orrery::app {

/// A context without a window for each test, which may give it up; skipped where there is none.
class HeadlessTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      context_ = std::make_unique<render::HeadlessContext>();
    } catch (const render::Error& error) {
      GTEST_SKIP() << "no headless OpenGL: " << error.what();
    }
    render::load_gl(render::HeadlessContext::loader);
  }

  std::unique_ptr<render::HeadlessContext> context_;
};

}  // namespace orrery::app
