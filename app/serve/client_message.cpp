#include "app/serve/client_message.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace orrery::app::serve {

namespace {

using Json = nlohmann::json;
using Kind = ClientMessage::Kind;

constexpr std::array named_keys{std::pair{"ArrowUp", GLFW_KEY_UP},
                                std::pair{"ArrowDown", GLFW_KEY_DOWN},
                                std::pair{"ArrowLeft", GLFW_KEY_LEFT},
                                std::pair{"ArrowRight", GLFW_KEY_RIGHT},
                                std::pair{"Backquote", GLFW_KEY_GRAVE_ACCENT},
                                std::pair{"Backslash", GLFW_KEY_BACKSLASH},
                                std::pair{"Backspace", GLFW_KEY_BACKSPACE},
                                std::pair{"BracketLeft", GLFW_KEY_LEFT_BRACKET},
                                std::pair{"BracketRight", GLFW_KEY_RIGHT_BRACKET},
                                std::pair{"Comma", GLFW_KEY_COMMA},
                                std::pair{"ControlLeft", GLFW_KEY_LEFT_CONTROL},
                                std::pair{"ControlRight", GLFW_KEY_RIGHT_CONTROL},
                                std::pair{"AltLeft", GLFW_KEY_LEFT_ALT},
                                std::pair{"AltRight", GLFW_KEY_RIGHT_ALT},
                                std::pair{"ShiftLeft", GLFW_KEY_LEFT_SHIFT},
                                std::pair{"ShiftRight", GLFW_KEY_RIGHT_SHIFT},
                                std::pair{"Delete", GLFW_KEY_DELETE},
                                std::pair{"End", GLFW_KEY_END},
                                std::pair{"Enter", GLFW_KEY_ENTER},
                                std::pair{"Equal", GLFW_KEY_EQUAL},
                                std::pair{"Escape", GLFW_KEY_ESCAPE},
                                std::pair{"Home", GLFW_KEY_HOME},
                                std::pair{"Insert", GLFW_KEY_INSERT},
                                std::pair{"Minus", GLFW_KEY_MINUS},
                                std::pair{"NumpadAdd", GLFW_KEY_EQUAL},
                                std::pair{"NumpadSubtract", GLFW_KEY_MINUS},
                                std::pair{"NumpadEnter", GLFW_KEY_KP_ENTER},
                                std::pair{"PageDown", GLFW_KEY_PAGE_DOWN},
                                std::pair{"PageUp", GLFW_KEY_PAGE_UP},
                                std::pair{"Period", GLFW_KEY_PERIOD},
                                std::pair{"Quote", GLFW_KEY_APOSTROPHE},
                                std::pair{"Semicolon", GLFW_KEY_SEMICOLON},
                                std::pair{"Slash", GLFW_KEY_SLASH},
                                std::pair{"Space", GLFW_KEY_SPACE},
                                std::pair{"Tab", GLFW_KEY_TAB}};

/// Reads the members of one message. After a member that is missing or out of its limits it has failed.
class Members {
 public:
  explicit Members(const Json& object) : object_(object) {}
  bool failed() const { return failed_; }

  double number(const char* name, double low, double high) {
    const auto* value = find(name);
    if (value == nullptr || !value->is_number()) return fail(low);
    const double read = value->get<double>();
    return std::isfinite(read) && read >= low && read <= high ? read : fail(low);
  }
  bool has(const char* name) const { return find(name) != nullptr; }
  int whole(const char* name, int low, int high) { return static_cast<int>(number(name, low, high)); }
  bool flag(const char* name) {
    const auto* value = find(name);
    if (value == nullptr || !value->is_boolean()) return fail(false);
    return value->get<bool>();
  }
  std::string text(const char* name, std::size_t longest) {
    const auto* value = find(name);
    if (value == nullptr || !value->is_string()) return fail(std::string());
    auto read = value->get<std::string>();
    return read.size() <= longest ? read : fail(std::string());
  }
  glm::dvec2 position(double limit) { return {number("x", -limit, limit), number("y", -limit, limit)}; }

 private:
  const Json* find(const char* name) const {
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
  }
  template <typename T>
  T fail(T value) {
    failed_ = true;
    return value;
  }

  const Json& object_;
  bool failed_ = false;
};

constexpr double far = 1e5;  ///< pixels
constexpr double most_notches = 1000;

void read_canvas(Members& members, ClientMessage& message) {
  message.canvas.pixels = {members.whole("w", 1, 1 << 20), members.whole("h", 1, 1 << 20)};
  message.canvas.ratio = static_cast<float>(members.number("ratio", 0.1, 10.0));
  message.canvas.fingers = members.has("fingers") && members.flag("fingers");
}

void read_button(Members& members, ClientMessage& message) {
  message.position = members.position(far);
  message.code = members.whole("b", 0, 4);
  message.pressed = members.flag("down");
  // A finger is the left button.
  message.finger = members.has("finger") && members.flag("finger") && message.code == 0;
  message.modifiers = members.whole("m", 0, 15);
}

void read_move(Members& members, ClientMessage& message) {
  message.position = members.position(far);
  message.finger = members.has("finger") && members.flag("finger");
}

void read_scroll(Members& members, ClientMessage& message) {
  message.position = members.position(most_notches);
  message.modifiers = members.whole("m", 0, 15);
}

void read_key(Members& members, ClientMessage& message) {
  const auto key = members.text("key", 64);
  message.code = glfw_key(key, members.text("code", 64));
  message.pressed = members.flag("down");
  message.repeated = members.flag("repeat");
  message.modifiers = members.whole("m", 0, 15);
}

void read_codec(Members& members, ClientMessage& message) {
  message.codec = members.text("c", 8) == "jpeg" ? Codec::jpeg : Codec::vp9;
  message.lists = members.has("lists") && members.flag("lists");
}

void read_number(Members& members, ClientMessage& message) {
  message.number = static_cast<std::uint64_t>(members.number("n", 0.0, 9007199254740991.0));
}

struct Form {
  std::string_view name;
  Kind kind;
  void (*read)(Members&, ClientMessage&);
};

constexpr std::array forms{
    Form{"size", Kind::canvas, read_canvas},
    Form{"move", Kind::cursor, read_move},
    Form{"button", Kind::button, read_button},
    Form{"wheel", Kind::scroll, read_scroll},
    Form{"key", Kind::key, read_key},
    Form{"text", Kind::text, [](Members& from, ClientMessage& to) { to.text = from.text("s", 4096); }},
    Form{"clip", Kind::clipboard,
         [](Members& from, ClientMessage& to) { to.text = from.text("s", longest_message); }},
    Form{"release", Kind::release, [](Members&, ClientMessage&) {}},
    Form{"drawn", Kind::drawn, read_number},
    Form{"reset", Kind::wants_key, [](Members&, ClientMessage&) {}},
    Form{"codec", Kind::codec, read_codec},
    Form{"drive", Kind::wants_drive, [](Members&, ClientMessage&) {}},
    Form{"ping", Kind::ping, read_number}};

}  // namespace

int glfw_key(std::string_view key, std::string_view code) {
  if (key.size() == 1) {
    const char letter = key.front();
    if (letter >= 'a' && letter <= 'z') return letter - 'a' + GLFW_KEY_A;
    if (letter >= 'A' && letter <= 'Z') return letter - 'A' + GLFW_KEY_A;
    if (letter == '+') return GLFW_KEY_EQUAL;
    if (letter == '-') return GLFW_KEY_MINUS;
  }
  if (code.size() == 4 && code.starts_with("Key") && code[3] >= 'A' && code[3] <= 'Z')
    return code[3] - 'A' + GLFW_KEY_A;
  for (const std::string_view prefix : {"Digit", "Numpad"})
    if (code.size() == prefix.size() + 1 && code.starts_with(prefix) && code.back() >= '0' &&
        code.back() <= '9')
      return code.back() - '0' + GLFW_KEY_0;
  if (code.size() >= 2 && code.size() <= 3 && code.front() == 'F') {
    const int number = code.size() == 2 ? code[1] - '0' : 10 * (code[1] - '0') + code[2] - '0';
    if (number >= 1 && number <= 12) return GLFW_KEY_F1 + number - 1;
  }
  const auto found =
      std::ranges::find(named_keys, code, [](const auto& each) { return std::string_view(each.first); });
  return found == named_keys.end() ? GLFW_KEY_UNKNOWN : found->second;
}

DrawnSize drawn_size(glm::ivec2 canvas) {
  constexpr double largest_side = 3840.0, largest_area = 3840.0 * 2400.0;
  constexpr glm::ivec2 smallest{320, 200};
  const glm::dvec2 sides(canvas);
  // One factor for both sides keeps the pixels square.
  const double factor = std::min(
      {1.0, largest_side / std::max(sides.x, sides.y), std::sqrt(largest_area / (sides.x * sides.y))});
  return {glm::max(glm::ivec2(glm::round(sides * factor)), smallest), factor};
}

std::optional<ClientMessage> parse_message(std::string_view json) {
  if (json.size() > longest_message) return std::nullopt;
  // A callback that refuses depth: nothing that a browser sends is nested.
  bool nested = false;
  const auto object = Json::parse(
      json,
      [&](int depth, Json::parse_event_t event, Json&) {
        const bool opens =
            event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
        nested = nested || (opens && depth > 0);
        return !nested;
      },
      false);
  if (nested || !object.is_object()) return std::nullopt;
  const auto kind = object.find("t");
  if (kind == object.end() || !kind->is_string()) return std::nullopt;
  const auto& name = kind->get_ref<const std::string&>();
  const auto form = std::ranges::find(forms, name, &Form::name);
  if (form == forms.end()) return std::nullopt;
  ClientMessage message{.kind = form->kind};
  Members members(object);
  form->read(members, message);
  if (members.failed()) return std::nullopt;
  return message;
}

}  // namespace orrery::app::serve
