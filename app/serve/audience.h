#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "app/serve/access.h"
#include "app/serve/client_message.h"

namespace orrery::app::serve {

/// A message for a browser: binary, or text (JSON).
struct Outgoing {
  std::string bytes;
  bool text = false;
  bool last = false;  ///< the connection is closed when it has been sent
  std::string_view subject =
      {};  ///< of the messages with one subject only the newest counts; empty: all count
};

/// The browsers that are connected: who drives, who may be sent another picture, and who needs what. For any
/// thread.
///
/// A browser has at most two pictures under way that it has not drawn; the newest wins, so a slow one costs
/// nobody else anything. Pictures that were not confirmed within two seconds count as lost, unless they still
/// wait to be sent.
class Audience {
 public:
  using Clock = std::chrono::steady_clock;
  using Id = std::uint64_t;
  /// Sends a message to one browser; must not block.
  using Send = std::function<void(std::shared_ptr<const Outgoing>)>;

  /// The need of the browsers of one codec for a picture.
  struct Demand {
    bool any = false;  ///< one of them has room for a picture
    bool key = false;  ///< and one of these needs a key frame
  };

  /// Pictures that are not confirmed after this time count as lost.
  explicit Audience(Clock::duration lost_after = std::chrono::seconds(2)) : lost_after_(lost_after) {}

  /// A browser connected. The first one that may drive does.
  Id join(Role role, Send send);
  /// A browser disconnected. If it drove, the next one that may drive does.
  void leave(Id id);
  /// Ends the connection of the browser that drives, after this message. The next one that may drive does.
  void dismiss_driver(const nlohmann::json& farewell);
  /// Forgets everybody: nothing is sent afterwards.
  void dismiss();
  /// The browser says what it decodes, and whether it draws the panel itself.
  void set_codec(Id id, Codec codec, bool lists);
  /// The browser has drawn picture `number`, or needs a key frame.
  void drawn(Id id, std::uint64_t number);
  void needs_key(Id id);
  /// Makes a browser that may drive the one that does. False if it may not.
  bool take_control(Id id);
  bool drives(Id id) const;
  std::size_t size() const;
  /// Counts the changes of the clients that are connected.
  std::uint64_t arrivals() const;

  /// The present need of the browsers of a codec.
  Demand demand(Codec codec) const;
  bool wants_picture() const { return demand(Codec::vp9).any || demand(Codec::jpeg).any; }
  /// True if a client is connected and every client that announced a codec draws the panel itself.
  bool draws_panels() const;
  /// True if a browser has confirmed all it was sent, and was not sent view `view` without loss.
  bool wants_still(std::uint64_t view) const;
  /// Sends picture `number` to those of the codec that have room and, unless it is a key frame, need none.
  void send_picture(Codec codec, std::uint64_t number, bool key, std::shared_ptr<const Outgoing> picture);
  /// Sends view `view`, which is still that of picture `number`, to those who want it without loss.
  void send_still(std::uint64_t view, std::uint64_t number, const std::shared_ptr<const Outgoing>& picture);
  /// Sends a message to all who said what they decode, after the arrivals counted `since` then.
  void send(const std::shared_ptr<const Outgoing>& message, std::uint64_t since = 0);
  /// Sends a message to all, to one, or to the one that drives. Bytes that are no UTF-8 are replaced.
  void say(const nlohmann::json& message);
  void say_to(Id id, const nlohmann::json& message);
  void say_to_driver(const nlohmann::json& message);

 private:
  struct UnderWay {
    std::uint64_t number;
    Clock::time_point sent;
    std::weak_ptr<const void> unsent;  ///< null when the picture has been sent
    bool confirmed = false;
  };
  struct Member {
    Role role;
    Send send;
    Codec codec = Codec::vp9;
    bool ready = false;  ///< the client said which codec it has
    bool lists = false;  ///< the client draws the panel itself
    bool needs_key = true;
    std::uint64_t arrival = 0;  ///< Audience::arrivals when it last said what it decodes, or lost its place
    std::uint64_t still = 0;    ///< the view that it has without loss
    std::deque<UnderWay> under_way;

    bool has_room(Clock::time_point now, Clock::duration lost_after) const;
    bool has_drawn_all() const;
    void confirm(std::uint64_t number);
    void send_picture(std::uint64_t number, const std::shared_ptr<const Outgoing>& picture);
  };
  void forget(Id id);
  void tell_roles() const;

  Clock::duration lost_after_;
  mutable std::mutex mutex_;
  std::map<Id, Member> members_;
  Id next_ = 1;
  Id driver_ = 0;
  std::uint64_t arrivals_ = 0;
};

}  // namespace orrery::app::serve
