#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <vector>

#include "app/serve/client_message.h"

namespace orrery::app::serve {

/// Passes what comes over the network to the thread of the window: input of the browser that drives, and
/// requests that it must answer. For any thread.
class Desk {
 public:
  using Errand = std::function<void()>;

  /// Passes a message on. Moves of the pointer that nobody has read yet become one. False if the window does
  /// not keep up and the message is dropped.
  bool put(ClientMessage message);
  /// A file that was uploaded, to be opened.
  void put_file(std::filesystem::path file);
  /// Runs in the window's thread, at its next frame.
  void put_errand(Errand errand);
  /// Ends the wait of the window's thread.
  void wake();

  /// Waits up to `seconds` for messages, files or errands.
  void wait(double seconds);
  /// The messages of one frame, with one button at most, as the last. A button that goes down where the
  /// pointer has not been yet comes with the next call, after a move to its place: the window knows one frame
  /// later what is under the pointer.
  std::vector<ClientMessage> take_messages();
  std::vector<std::filesystem::path> take_files();
  std::vector<Errand> take_errands();
  bool has_errands() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool woken_ = false;
  std::deque<ClientMessage> messages_;
  glm::dvec2 pointer_{-1};  ///< its place in the messages that were taken
  std::vector<std::filesystem::path> files_;
  std::vector<Errand> errands_;
};

}  // namespace orrery::app::serve
