#include "app/serve/served_window.h"

#include <imgui.h>
#include <imgui_internal.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/panels/panel.h"
#include "render/context/gl.h"
#include "render/context/target.h"

namespace orrery::app::serve {

namespace {

/// Surfaces of another size are made so often at most: a window that is being resized sends many sizes.
constexpr std::chrono::milliseconds resize_interval{200};
/// So long after the last browser has left, the memory for large pictures is given back.
constexpr std::chrono::seconds rest_after{10};
/// The larger side of the surface meanwhile, pixels.
constexpr double resting_side = 320.0;
/// The scale of letters meanwhile: those of a sharp display that people have enlarged take hundreds of
/// megabytes.
constexpr float resting_scale = 0.25F;
/// Where the CPU draws, larger pictures would take seconds each, and gigabytes.
constexpr double largest_software_area = 2560.0 * 1600.0;
/// A picture that is on its way from the GPU is looked for so often, seconds.
constexpr double arrival_interval = 0.001;

/// CSS names of ImGuiMouseCursor, from ImGuiMouseCursor_None (-1) on.
constexpr std::array pointer_names{"none",      "default",     "text",        "move",    "ns-resize",
                                   "ew-resize", "nesw-resize", "nwse-resize", "pointer", "not-allowed"};

/// Notes whether a key or a button is down.
void note(std::set<int>& down, const ClientMessage& message) {
  if (message.pressed)
    down.insert(message.code);
  else
    down.erase(message.code);
}

}  // namespace

ServedWindow::ServedWindow(Audience& audience, Broadcaster& broadcaster, Desk& desk, glm::ivec2 size)
    : audience_(audience), broadcaster_(broadcaster), desk_(desk), size_(size), capture_(audience) {
  render::load_gl(render::HeadlessContext::loader);
  software_ = render::gl_info().software;
  make_surface(drawn_size(size).pixels);
}

ServedWindow::~ServedWindow() { broadcaster_.forget(); }

std::unique_ptr<GuiInput> ServedWindow::make_gui_input() { return std::make_unique<ServedGuiInput>(*this); }

void ServedWindow::make_surface(glm::ivec2 size) {
  // The broadcaster may still read from the old ring.
  broadcaster_.forget();
  ring_.reset();
  panels_under_way_.clear();
  target_.reset();
  size_ = size;
  target_ = std::make_unique<render::PictureTarget>(pixels_of(size));
  ring_ = std::make_unique<render::FrameRing>(pixels_of(size));
  other_size_ = true;
}

glm::ivec2 ServedWindow::pixels_of(glm::ivec2 size) const {
  const glm::dvec2 sides(size);
  double factor = 1.0;
  if (software_)
    factor =
        std::min(1.0 / std::max(double{ratio_}, 1.0), std::sqrt(largest_software_area / (sides.x * sides.y)));
  if (resting_) factor = resting_side / std::max(sides.x, sides.y);
  return glm::max(glm::ivec2(glm::round(sides * factor)), glm::ivec2(1));
}

void ServedWindow::rest_or_resume() {
  const auto now = std::chrono::steady_clock::now();
  const bool watched = audience_.size() > 0 || broadcaster_.wants_picture();
  if (watched) watched_ = now;
  if (resting_ ? !watched : now - watched_ < rest_after) return;
  resting_ = !resting_;
  make_surface(size_);
}

/// Takes the newest size that was asked for, if the last one is old enough.
void ServedWindow::resize_if_due() {
  const auto now = std::chrono::steady_clock::now();
  if (!asked_ || now - resized_ < resize_interval) return;
  const auto canvas = *std::exchange(asked_, std::nullopt);
  const auto [size, factor] = drawn_size(canvas.pixels);
  ratio_ = std::clamp(static_cast<float>(canvas.ratio * factor), 0.5F, 4.0F);
  fingers_ = canvas.fingers;
  if (size == size_ && pixels_of(size) == ring_->size()) return;
  make_surface(size);
  resized_ = now;
}

glm::ivec2 ServedWindow::framebuffer_size() const {
  const bool draws = (resting_ && other_size_) || audience_.size() > 0 || broadcaster_.wants_picture();
  return draws ? ring_->size() : glm::ivec2(0);
}

float ServedWindow::content_scale() const { return resting_ ? resting_scale : ratio_; }

void ServedWindow::set_title(const std::string& title) {
  title_ = title;
  audience_.say({{"t", "title"}, {"s", title}});
}

void ServedWindow::toggle_fullscreen() { audience_.say_to_driver({{"t", "fullscreen"}}); }

void ServedWindow::leave() {
  audience_.dismiss_driver({{"t", "bye"}});
  // Its keys are down, and who drives next did not press them.
  desk_.put({.kind = ClientMessage::Kind::release});
}

void ServedWindow::set_clipboard(const std::string& text) {
  clipboard_ = text;
  audience_.say_to_driver({{"t", "clip"}, {"s", text}});
}

void ServedWindow::show_cursor(int shape, bool typing) {
  const auto arrivals = audience_.arrivals();
  if (shape == shape_ && typing == typing_ && arrivals == told_) return;
  if (arrivals != told_) audience_.say({{"t", "title"}, {"s", title_}});
  shape_ = shape;
  typing_ = typing;
  told_ = arrivals;
  const auto index =
      static_cast<std::size_t>(std::clamp(shape + 1, 0, static_cast<int>(pointer_names.size()) - 1));
  audience_.say({{"t", "cursor"}, {"c", pointer_names.at(index)}, {"typing", typing}});
}

void ServedWindow::release_all(std::vector<InputEvent>& events) {
  using Kind = InputEvent::Kind;
  for (const int key : std::exchange(keys_, {})) events.push_back({.kind = Kind::key, .code = key});
  for (const int button : std::exchange(buttons_, {}))
    events.push_back({.kind = Kind::mouse_button, .code = button, .position = cursor_});
  if (gui_input_ != nullptr) gui_input_->release_all();
  finger_ = {};
}

void ServedWindow::add(InputEvent event, std::vector<InputEvent>& events) {
  if (gui_input_ != nullptr) gui_input_->put(event);
  events.push_back(std::move(event));
}

void ServedWindow::press(const ClientMessage& message, std::vector<InputEvent>& events) {
  cursor_ = message.position;
  note(buttons_, message);
  add({.kind = InputEvent::Kind::mouse_button,
       .code = message.code,
       .modifiers = message.modifiers,
       .pressed = message.pressed,
       .position = cursor_},
      events);
}

void ServedWindow::move_pointer(glm::dvec2 to, std::vector<InputEvent>& events) {
  cursor_ = to;
  add({.kind = InputEvent::Kind::cursor, .position = cursor_}, events);
}

/// A finger that rests seems to move that far, in window units.
double ServedWindow::slop() const { return 8.0 * double{ratio_}; }

/// On the panel a finger presses when it leaves, if it did not scroll meanwhile.
void ServedWindow::take_button(const ClientMessage& message, std::vector<InputEvent>& events) {
  if (message.finger && message.pressed && gui_input_ != nullptr && finger_.begin(message.position))
    return move_pointer(message.position, events);
  if (!message.finger || message.pressed || !finger_.is_down()) return press(message, events);
  if (!finger_.end(message.position, slop())) return;
  auto tap = message;
  tap.position = finger_.start();
  for (const bool down : {true, false}) {
    tap.pressed = down;
    press(tap, events);
  }
}

void ServedWindow::take_move(const ClientMessage& message, std::vector<InputEvent>& events) {
  using Act = PanelFinger::Act;
  if (!message.finger || !finger_.is_down()) return move_pointer(message.position, events);
  switch (finger_.move(message.position, slop())) {
    case Act::none:
      return;
    case Act::slide:
      press({.position = finger_.start(), .pressed = true}, events);
      return move_pointer(message.position, events);
    case Act::scroll:
      // Nothing is explained that passes under the finger.
      return move_pointer({-1.0, -1.0}, events);
    case Act::wheel:
      return add({.kind = InputEvent::Kind::scroll, .position = {0.0, finger_.notches()}}, events);
  }
}

void ServedWindow::take(const ClientMessage& message, std::vector<InputEvent>& events) {
  using Kind = ClientMessage::Kind;
  switch (message.kind) {
    case Kind::canvas:
      asked_ = message.canvas;
      return resize_if_due();
    case Kind::cursor:
      return take_move(message, events);
    case Kind::button:
      return take_button(message, events);
    case Kind::scroll:
      return add(
          {.kind = InputEvent::Kind::scroll, .modifiers = message.modifiers, .position = message.position},
          events);
    case Kind::key:
      note(keys_, message);
      return add({.kind = InputEvent::Kind::key,
                  .code = message.code,
                  .modifiers = message.modifiers,
                  .pressed = message.pressed,
                  .repeated = message.repeated},
                 events);
    case Kind::text:
      return add({.kind = InputEvent::Kind::text, .text = message.text}, events);
    case Kind::clipboard:
      clipboard_ = message.text;
      return;
    case Kind::release:
      return release_all(events);
    default:
      return;
  }
}

/// Hands pictures that have arrived from the GPU to the broadcaster.
void ServedWindow::pass_on_pictures() {
  while (const auto frame = ring_->take()) {
    broadcaster_.take({{ring_->size(), frame->rgba}, size_, panels_under_way_.front()},
                      [ring = ring_.get(), slot = frame->slot] { ring->give_back(slot); });
    panels_under_way_.pop_front();
  }
}

std::vector<InputEvent> ServedWindow::poll(double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  std::vector<InputEvent> events;
  while (true) {
    pass_on_pictures();
    rest_or_resume();
    // What is over the picture decides whose a press is: Dear ImGui must know where the pointer went before.
    if (gui_input_ != nullptr && gui_input_->is_behind()) {
      if (framebuffer_size().x > 0) return events;
      // Nobody is left whose input it was.
      gui_input_->release_all();
    }
    for (const auto& message : desk_.take_messages()) take(message, events);
    resize_if_due();
    auto files = desk_.take_files();
    if (!files.empty()) events.push_back({.kind = InputEvent::Kind::drop, .files = std::move(files)});
    const double left = std::chrono::duration<double>(end - Clock::now()).count();
    if (!events.empty() || left <= 0.0) return events;
    desk_.wait(ring_->is_waiting() ? std::min(left, arrival_interval) : left);
    if (desk_.has_errands()) return events;
  }
}

void ServedWindow::draw(const Gui& gui) {
  panel_.reset();
  sends_ = !resting_ && ring_->has_room() && broadcaster_.wants_picture();
  if (!sends_) return;
  if (broadcaster_.wants_panel_in_picture()) return gui.draw(framebuffer());
  gui.make_current();
  panel_ = capture_.take(*ImGui::GetDrawData(), gui.letters());
  blacken_below_panel();
}

/// Stars behind the panel would be encoded in every frame, and are hardly seen through it.
void ServedWindow::blacken_below_panel() const {
  const auto* panel = ImGui::FindWindowByName(panel_window);
  if (panel == nullptr || !panel->Active || panel->Collapsed) return;
  const auto pixels = ring_->size();
  const auto scale = glm::vec2(pixels) / glm::vec2(size_);
  const float edge = panel->WindowRounding + 1.0F;
  const auto low = glm::ivec2(glm::vec2(panel->Pos.x + edge, panel->Pos.y + edge) * scale);
  const auto high =
      glm::ivec2(glm::vec2(panel->Pos.x + panel->Size.x - edge, panel->Pos.y + panel->Size.y - edge) * scale);
  if (high.x <= low.x || high.y <= low.y) return;
  constexpr std::array black{0.0F, 0.0F, 0.0F, 1.0F};
  glEnable(GL_SCISSOR_TEST);
  glScissor(low.x, pixels.y - high.y, high.x - low.x, high.y - low.y);
  glClearNamedFramebufferfv(framebuffer(), GL_COLOR, 0, black.data());
  glDisable(GL_SCISSOR_TEST);
}

void ServedWindow::swap() {
  if (std::exchange(sends_, false)) {
    ring_->start(*target_);
    panels_under_way_.push_back(std::move(panel_));
  }
  pass_on_pictures();
  // By now all that draws has let go of the memory for the size before.
  if (!std::exchange(other_size_, false)) return;
  if (resting_) render::free_deleted_textures();
  malloc_trim(0);
}

}  // namespace orrery::app::serve
