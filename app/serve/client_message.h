#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace orrery::app::serve {

/// The size of a browser's canvas.
struct CanvasSize {
  glm::ivec2 pixels{0};
  float ratio = 1.0F;    ///< device pixels of one CSS pixel
  bool fingers = false;  ///< the browser has a touch screen
};

/// The video that a browser can decode.
enum class Codec { vp9, jpeg };

/// One message of a browser, checked: every number is finite and within its limits.
struct ClientMessage {
  enum class Kind {
    canvas,       ///< the canvas has `canvas` pixels
    cursor,       ///< the pointer is at `position`
    button,       ///< mouse button `code` at `position`
    scroll,       ///< wheel, by `position` notches, with `modifiers`
    key,          ///< GLFW key `code`
    text,         ///< letters
    clipboard,    ///< `text` is in the browser's clipboard
    release,      ///< the page lost the focus: no key and no button is down
    drawn,        ///< the frame `number` was drawn
    wants_key,    ///< the decoder needs a key frame
    codec,        ///< what this browser decodes
    wants_drive,  ///< asks for control
    ping          ///< wants `number` back
  };
  Kind kind = Kind::release;
  CanvasSize canvas;
  glm::dvec2 position{0};
  int code = 0;
  int modifiers = 0;  ///< GLFW_MOD_*
  bool pressed = false;
  bool repeated = false;
  bool finger = false;  ///< button, move: of a touch screen
  std::string text;
  std::uint64_t number = 0;
  Codec codec = Codec::vp9;
  bool lists = false;  ///< codec: it draws the panel itself, from lists
};

/// The longest message that a browser may send, bytes.
constexpr std::size_t longest_message = 65536;
/// A canvas as it is drawn. Pixels of very large ones are larger than those of the canvas.
struct DrawnSize {
  glm::ivec2 pixels{0};
  double factor = 1.0;  ///< pixels drawn for one of the canvas, at most 1
};
/// The size to draw a canvas in: at most 3840 pixels per side, and not more in all than a display of 3840 x
/// 2400.
DrawnSize drawn_size(glm::ivec2 canvas);

/// Reads a JSON object {"t": KIND, ...}. Empty if it is none of them: such a client is to be closed.
std::optional<ClientMessage> parse_message(std::string_view json);

/// The GLFW key of a KeyboardEvent: by its `key` where that is a letter of the Latin alphabet, as keys mean
/// what is printed on them, else by its `code` ("KeyA", "ArrowUp"). -1 if there is none.
int glfw_key(std::string_view key, std::string_view code);

}  // namespace orrery::app::serve
