#include "app/serve/audience.h"
#include "sim/core/json_text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace orrery::app::serve {

namespace {

constexpr std::size_t most_under_way = 2;

/// Messages that tell how things are now: whoever is slow needs the newest only.
constexpr std::array<std::string_view, 3> subjects{"role", "title", "cursor"};

std::shared_ptr<const Outgoing> text_message(const nlohmann::json& message, bool last = false) {
  const auto subject = std::ranges::find(subjects, message.at("t").get_ref<const std::string&>());
  return std::make_shared<const Outgoing>(Outgoing{
      sim::dump_json(message), true, last, subject == subjects.end() ? std::string_view() : *subject});
}

}  // namespace

bool Audience::Member::has_room(Clock::time_point now, Clock::duration lost_after) const {
  const auto waiting = std::ranges::count_if(under_way, [&](const UnderWay& each) {
    // Whatever the browser says: what it has not taken yet is kept in memory for it.
    return !each.unsent.expired() || (!each.confirmed && now - each.sent < lost_after);
  });
  return ready && static_cast<std::size_t>(waiting) < most_under_way;
}

bool Audience::Member::has_drawn_all() const {
  return std::ranges::all_of(under_way,
                             [](const UnderWay& each) { return each.confirmed && each.unsent.expired(); });
}

void Audience::Member::confirm(std::uint64_t number) {
  for (auto& each : under_way) each.confirmed = each.confirmed || each.number <= number;
  std::erase_if(under_way, [](const UnderWay& each) { return each.confirmed && each.unsent.expired(); });
}

void Audience::Member::send_picture(std::uint64_t number, const std::shared_ptr<const Outgoing>& picture) {
  // Others are sent the same picture: this owner of it lives until this browser has been.
  const auto mine = std::make_shared<std::shared_ptr<const Outgoing>>(picture);
  under_way.push_back({number, Clock::now(), mine});
  send({mine, picture.get()});
}

Audience::Id Audience::join(Role role, Send send) {
  const std::lock_guard lock(mutex_);
  const auto id = next_++;
  members_.emplace(id, Member{.role = role, .send = std::move(send)});
  if (driver_ == 0 && role == Role::drives) driver_ = id;
  ++arrivals_;
  tell_roles();
  return id;
}

void Audience::dismiss_driver(const nlohmann::json& farewell) {
  const std::lock_guard lock(mutex_);
  const auto found = members_.find(driver_);
  if (found == members_.end()) return;
  found->second.send(text_message(farewell, true));
  forget(found->first);
}

void Audience::leave(Id id) {
  const std::lock_guard lock(mutex_);
  forget(id);
}

/// The caller holds the mutex.
void Audience::forget(Id id) {
  if (members_.erase(id) == 0) return;
  ++arrivals_;
  if (driver_ == id) {
    const auto next =
        std::ranges::find(members_, Role::drives, [](const auto& each) { return each.second.role; });
    driver_ = next == members_.end() ? 0 : next->first;
  }
  tell_roles();
}

void Audience::dismiss() {
  const std::lock_guard lock(mutex_);
  members_.clear();
  driver_ = 0;
}

/// Every browser learns whether it drives, and how many there are. The caller holds the mutex.
void Audience::tell_roles() const {
  for (const auto& [id, member] : members_)
    member.send(text_message({{"t", "role"},
                              {"drives", id == driver_},
                              {"may", member.role == Role::drives},
                              {"clients", members_.size()}}));
}

void Audience::set_codec(Id id, Codec codec, bool lists) {
  const std::lock_guard lock(mutex_);
  const auto found = members_.find(id);
  if (found == members_.end()) return;
  auto& member = found->second;
  member.codec = codec;
  member.lists = lists;
  member.ready = member.needs_key = true;
  member.still = 0;
  member.confirm(std::numeric_limits<std::uint64_t>::max());
  member.arrival = ++arrivals_;
}

void Audience::drawn(Id id, std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto found = members_.find(id);
  if (found != members_.end()) found->second.confirm(number);
}

void Audience::needs_key(Id id) {
  const std::lock_guard lock(mutex_);
  const auto found = members_.find(id);
  if (found == members_.end()) return;
  found->second.needs_key = true;
  found->second.still = 0;
  found->second.confirm(std::numeric_limits<std::uint64_t>::max());
  found->second.arrival = ++arrivals_;
}

bool Audience::take_control(Id id) {
  const std::lock_guard lock(mutex_);
  const auto found = members_.find(id);
  if (found == members_.end() || found->second.role != Role::drives) return false;
  driver_ = id;
  tell_roles();
  return true;
}

bool Audience::drives(Id id) const {
  const std::lock_guard lock(mutex_);
  return id != 0 && id == driver_;
}

std::size_t Audience::size() const {
  const std::lock_guard lock(mutex_);
  return members_.size();
}

std::uint64_t Audience::arrivals() const {
  const std::lock_guard lock(mutex_);
  return arrivals_;
}

Audience::Demand Audience::demand(Codec codec) const {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  Demand demand;
  for (const auto& [id, member] : members_) {
    if (member.codec != codec || !member.has_room(now, lost_after_)) continue;
    demand.any = true;
    demand.key = demand.key || member.needs_key;
  }
  return demand;
}

bool Audience::draws_panels() const {
  const std::lock_guard lock(mutex_);
  const auto ready = [](const auto& each) { return each.second.ready; };
  const auto unable = [](const auto& each) { return each.second.ready && !each.second.lists; };
  return std::ranges::any_of(members_, ready) && std::ranges::none_of(members_, unable);
}

bool Audience::wants_still(std::uint64_t view) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(members_, [&](const auto& each) {
    const auto& member = each.second;
    // Who waits for a key frame would put it over the still.
    return member.ready && !member.needs_key && member.still != view && member.has_drawn_all();
  });
}

void Audience::send_picture(Codec codec, std::uint64_t number, bool key,
                            std::shared_ptr<const Outgoing> picture) {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  for (auto& [id, member] : members_) {
    if (member.codec != codec) continue;
    if (!member.has_room(now, lost_after_) || (member.needs_key && !key)) {
      // It misses this one, and with it what the next ones build on.
      member.needs_key = true;
      continue;
    }
    member.needs_key = false;
    member.send_picture(number, picture);
  }
}

void Audience::send_still(std::uint64_t view, std::uint64_t number,
                          const std::shared_ptr<const Outgoing>& picture) {
  const std::lock_guard lock(mutex_);
  for (auto& [id, member] : members_) {
    if (!member.ready || member.needs_key || member.still == view || !member.has_drawn_all()) continue;
    member.still = view;
    member.send_picture(number, picture);
  }
}

void Audience::send(const std::shared_ptr<const Outgoing>& message, std::uint64_t since) {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, member] : members_)
    if (member.ready && member.arrival > since) member.send(message);
}

void Audience::say(const nlohmann::json& message) {
  const auto text = text_message(message);
  const std::lock_guard lock(mutex_);
  for (const auto& [id, member] : members_) member.send(text);
}

void Audience::say_to(Id id, const nlohmann::json& message) {
  const std::lock_guard lock(mutex_);
  const auto found = members_.find(id);
  if (found != members_.end()) found->second.send(text_message(message));
}

void Audience::say_to_driver(const nlohmann::json& message) {
  const std::lock_guard lock(mutex_);
  const auto found = members_.find(driver_);
  if (found != members_.end()) found->second.send(text_message(message));
}

}  // namespace orrery::app::serve
