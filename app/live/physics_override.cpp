#include "app/live/physics_override.h"

#include <algorithm>

#include "app/log.h"
#include "app/session/session.h"

namespace orrery::app {

PhysicsOverride::Item* PhysicsOverride::find(const std::string& option) {
  const auto found = std::ranges::find(items_, option, &Item::option);
  return found == items_.end() ? nullptr : &*found;
}

void PhysicsOverride::lend(const Session& session, const sim::Configuration& before,
                           const std::string& rung) {
  if (!active()) before_ = before;
  rung_ = rung;
  for (const auto& option : session.table().options()) {
    if (option.group != "physics") continue;
    const auto& value = session.configuration.value(option.name);
    if (auto* item = find(option.name))
      item->lent = value;
    else
      items_.push_back({option.name, before.value(option.name), value});
  }
  std::erase_if(items_, [](const Item& item) { return item.own == item.lent; });
}

void PhysicsOverride::update(const Session& session) {
  std::erase_if(items_,
                [&](const Item& item) { return session.configuration.value(item.option) != item.lent; });
}

void PhysicsOverride::restore(Session& session) {
  if (!active()) return;
  auto wanted = session.configuration;
  for (const auto& item : items_) wanted.set(item.option, item.own);
  items_.clear();
  const auto reason = session.set_computing(wanted);
  if (reason.empty()) return;
  log_warning("your physics does not run with this kernel, so the old one is back too: " + reason);
  session.set_computing(before_);
}

}  // namespace orrery::app
