#include "app/serve/seats.h"

#include <iterator>
#include <utility>

namespace orrery::app::serve {

namespace {

/// The most connections of strangers, of those who watch and of those who drive. A browser needs two or
/// three.
constexpr std::array<std::size_t, 3> most{256, 256, 128};

constexpr std::size_t most_of(Role role) { return most.at(static_cast<std::size_t>(role)); }

}  // namespace

Seats::Seat::Seat(Seats& seats, std::function<void()> close) : seats_(seats), close_(std::move(close)) {
  auto& strangers = seats_.of(Role::none);
  if (strangers.size() >= most_of(Role::none)) strangers.front()->leave();
  place_ = strangers.insert(strangers.end(), this);
}

Seats::Seat::~Seat() {
  if (!left_) seats_.of(role_).erase(place_);
}

void Seats::Seat::leave() {
  seats_.of(role_).erase(place_);
  left_ = true;
  close_();
}

void Seats::Seat::note_request() {
  if (!left_) move_to(role_);
}

bool Seats::Seat::prove(Role role) {
  if (role_ != Role::none) return true;
  if (left_ || seats_.of(role).size() >= most_of(role)) return false;
  move_to(role);
  return true;
}

void Seats::Seat::move_to(Role role) {
  auto& to = seats_.of(role);
  to.splice(to.end(), seats_.of(role_), place_);
  role_ = role;
}

}  // namespace orrery::app::serve
