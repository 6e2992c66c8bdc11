#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>

#include "app/serve/audience.h"
#include "app/serve/panel_lists.h"

struct ImDrawData;

namespace orrery::app::serve {

/// Turns what Dear ImGui has drawn into lists for browsers, and sends them the textures that these name: the
/// letters, and the pictures of the gallery.
class PanelCapture {
 public:
  /// `audience` must outlive it.
  explicit PanelCapture(Audience& audience) : audience_(audience) {}

  /// The lists of the last frame of the present ImGui context, whose OpenGL context must be current.
  /// `letters`: Gui::letters.
  std::shared_ptr<const PanelLists> take(const ImDrawData& data, std::uint64_t letters);

 private:
  std::uint16_t number_of(unsigned texture);
  void forget_what_changed(std::uint64_t letters);

  Audience& audience_;
  std::map<unsigned, std::uint16_t> numbers_;  ///< of textures as the browsers have them
  std::uint16_t next_ = 0;
  std::set<unsigned> shown_;  ///< textures of this frame
  std::set<unsigned> shown_before_;
  std::uint64_t letters_ = 0;
  std::uint64_t arrivals_ = 0;  ///< Audience::arrivals when the textures were sent
  std::uint64_t since_ = 0;     ///< Audience::arrivals when they were sent before
  bool renews_ = false;         ///< this frame's textures go to those who came since then
  Audience::Clock::time_point renewed_{};
};

}  // namespace orrery::app::serve
