#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <list>

#include "app/serve/access.h"

namespace orrery::app::serve {

/// The open connections, counted by role, so that strangers cannot take the room of those with a token. Of
/// the server's thread.
class Seats {
 public:
  /// One connection, while the object lives. At first its client is a stranger.
  class Seat {
   public:
    /// `close` ends the connection. If too many connections of strangers are open, the one that has asked for
    /// nothing for longest is closed.
    Seat(Seats& seats, std::function<void()> close);
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;
    ~Seat();

    /// The client has sent a whole request.
    void note_request();
    /// The client has proved its role; from then on nothing closes the connection for others. False if too
    /// many connections of that role are open.
    bool prove(Role role);

   private:
    void leave();
    void move_to(Role role);

    Seats& seats_;
    std::function<void()> close_;
    Role role_ = Role::none;
    std::list<Seat*>::iterator place_;
    bool left_ = false;  ///< closed to make room for another connection
  };

 private:
  std::list<Seat*>& of(Role role) { return seats_.at(static_cast<std::size_t>(role)); }

  std::array<std::list<Seat*>, 3> seats_;  ///< by role; the latest request last
};

}  // namespace orrery::app::serve
