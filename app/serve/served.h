#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/serve/access.h"
#include "app/serve/audience.h"
#include "app/serve/broadcaster.h"
#include "app/serve/desk.h"
#include "app/serve/response.h"
#include "app/serve/transfers.h"

namespace orrery::app::serve {

/// The addresses of a server, and the people it lets in.
struct ServerOptions {
  /// Addresses to listen at: "127.0.0.1", "::1". One that cannot be had is left out while another can.
  std::vector<std::string> addresses;
  std::uint16_t port = 0;        ///< 0: any that is free, the same for all addresses
  std::filesystem::path socket;  ///< a Unix socket to listen at instead; empty: none
  Access access;
  /// A client that sends its request slower than this is cut off.
  std::chrono::milliseconds request_time{10000};
  /// A connection that asks for nothing is closed.
  std::chrono::milliseconds idle_time{60000};
};

/// The answer to the form of one option: it stands in that form.
struct FormAnswer {
  std::string option;  ///< empty: there is none
  std::string value;   ///< as it was sent
  std::string text;
  bool refused = false;
};

/// The answers of the window, each called in its thread.
struct WindowAnswers {
  std::function<Response()> status;   ///< what is open and how fast it is computed, as JSON
  std::function<Response()> options;  ///< every option, as JSON
  /// The options as a page of forms.
  std::function<Response(const FormAnswer& answer)> options_page;
  /// Sets one option; status 400 with the reason if that is refused.
  std::function<Response(const std::string& name, const std::string& value)> set_option;
};

/// The parts of the program that connections work with. All must outlive the server.
struct Served {
  Audience& audience;
  Broadcaster& broadcaster;
  Desk& desk;
  Downloads& downloads;
  Uploads& uploads;
  WindowAnswers answers;
};

/// Answers that are kept for a moment and given to everyone who asks meanwhile: however many ask, the
/// window's thread makes few. Setting an option ends the moment. All are called in the window's thread.
WindowAnswers shared_answers(WindowAnswers answers,
                             std::chrono::milliseconds moment = std::chrono::milliseconds(200));

}  // namespace orrery::app::serve
