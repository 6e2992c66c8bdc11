#include "app/live/engine_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "app/session/session.h"
#include "sim/options/engine_option.h"

namespace orrery::app {

namespace {

/// The options that the keys change for an engine.
struct Keys {
  std::string_view engine, kernel, amount;
  bool by_factors;  ///< the amount doubles and halves
};

constexpr std::array all_keys{Keys{"cpu", "kernel", "threads", false}, Keys{"cuda", "family", "tile", true}};

/// The keys of the present engine; nullptr if it has none.
const Keys* keys_of(const Session& session) {
  const auto found = std::ranges::find(all_keys, sim::engine_group(session.configuration), &Keys::engine);
  return found == all_keys.end() ? nullptr : &*found;
}

std::string set(Session& session, const sim::Option& option, const sim::OptionValue& value) {
  session.configuration.set(option.name, value);
  return fmt::format("{}: {}", sim::label_of(option), sim::to_string(value));
}

std::string no_keys(const Session& session) {
  return fmt::format("this key changes nothing of the engine {}", sim::engine_name(session.configuration));
}

std::string refused(const Session& session, const sim::Option& option, const sim::OptionValue& value) {
  return session.table().refusal(option, value, session.configuration, session.context());
}

}  // namespace

std::string switch_kernel(Session& session, int direction) {
  const auto* keys = keys_of(session);
  if (keys == nullptr) return no_keys(session);
  const auto& option = session.table().at(keys->kernel);
  const auto count = static_cast<std::ptrdiff_t>(option.choices.size());
  const auto here =
      std::ranges::find(option.choices, session.configuration.choice(option.name)) - option.choices.begin();
  for (std::ptrdiff_t k = 1; k < count; ++k) {
    const auto next = ((here + direction * k) % count + count) % count;
    const sim::OptionValue value = option.choices[static_cast<std::size_t>(next)];
    if (refused(session, option, value).empty()) return set(session, option, value);
  }
  return fmt::format("{}: no other can run now", sim::label_of(option));
}

std::string switch_amount(Session& session, int direction) {
  const auto* keys = keys_of(session);
  if (keys == nullptr) return no_keys(session);
  const auto& option = session.table().at(keys->amount);
  const auto label = sim::label_of(option);
  if (const auto why = sim::why_inactive(option, session.configuration); !why.empty())
    return fmt::format("{}: no effect now, {}", label, why);
  const auto now = session.configuration.integer(option.name);
  const auto asked = !keys->by_factors ? now + direction : direction > 0 ? 2 * now : now / 2;
  const auto value =
      std::clamp(asked, static_cast<std::int64_t>(option.minimum), static_cast<std::int64_t>(option.maximum));
  if (value == now) return fmt::format("{}: {} is the {}", label, now, direction > 0 ? "most" : "least");
  const auto why = refused(session, option, value);
  return why.empty() ? set(session, option, value) : fmt::format("{} stays {}: {}", label, now, why);
}

}  // namespace orrery::app
