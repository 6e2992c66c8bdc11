#pragma once

#include <string>
#include <vector>

#include "sim/options/configuration.h"

namespace orrery::app {

class Session;

/// Physics that a ladder's rung has set in place of the person's own, until it is given back. An option that
/// the person changes meanwhile is the person's again, and is not given back.
class PhysicsOverride {
 public:
  /// One option: what the person had and what the rung set.
  struct Item {
    std::string option;
    sim::OptionValue own;
    sim::OptionValue lent;
  };

  /// Notes after a rung was set that what differs from `before` is lent. What an earlier rung lent stays so.
  void lend(const Session& session, const sim::Configuration& before, const std::string& rung);
  /// Forgets what is no longer as the rung set it. Call once per frame.
  void update(const Session& session);
  /// Gives all back. If the person's physics cannot run with the present engine or kernel, these go back too.
  void restore(Session& session);
  /// Ends the override: the present settings stay with the user.
  void forget() { items_.clear(); }

  bool active() const { return !items_.empty(); }
  const std::string& rung() const { return rung_; }
  const std::vector<Item>& items() const { return items_; }

 private:
  Item* find(const std::string& option);

  std::vector<Item> items_;
  std::string rung_;
  sim::Configuration before_;  ///< all of it, when the first was lent
};

}  // namespace orrery::app
