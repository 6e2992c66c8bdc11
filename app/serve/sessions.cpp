#include "app/serve/sessions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace orrery::app::serve {

namespace {

constexpr std::string_view cookie_stem = "orrery";

}  // namespace

Role Sessions::role_of(std::string_view secret) const {
  if (same_secret(drives_, secret)) return Role::drives;
  return same_secret(watches_, secret) ? Role::watches : Role::none;
}

Role Sessions::role_of_cookies(std::string_view cookies) const {
  auto largest = Role::none;
  while (!cookies.empty()) {
    auto field = cookies.substr(0, cookies.find(';'));
    cookies.remove_prefix(std::min(field.size() + 1, cookies.size()));
    while (field.starts_with(' ')) field.remove_prefix(1);
    const auto equals = field.find('=');
    if (!field.starts_with(cookie_stem) || equals == std::string_view::npos) continue;
    largest = std::max(largest, role_of(field.substr(equals + 1)));
  }
  return largest;
}

std::string Sessions::make_code(Role role, Clock::time_point now) {
  constexpr std::chrono::seconds life{60};
  std::erase_if(codes_, [&](const Code& each) { return each.end <= now; });
  const auto same_role = [role](const Code& each) { return each.role == role; };
  if (static_cast<std::size_t>(std::ranges::count_if(codes_, same_role)) >= most)
    codes_.erase(std::ranges::find_if(codes_, same_role));
  codes_.push_back({random_token(), role, now + life});
  return codes_.back().text;
}

Role Sessions::redeem(std::string_view code, Clock::time_point now) {
  const auto found =
      std::ranges::find_if(codes_, [&](const Code& each) { return same_secret(each.text, code); });
  if (found == codes_.end()) return Role::none;
  const auto role = found->end > now ? found->role : Role::none;
  codes_.erase(found);
  return role;
}

std::string cookie_name(Role role, std::string_view host) {
  const auto stem = role == Role::watches ? fmt::format("{}-view", cookie_stem) : std::string(cookie_stem);
  const auto colon = host.rfind(':');
  const bool has_port = colon != std::string_view::npos && !host.ends_with(']');
  return has_port ? fmt::format("{}-{}", stem, host.substr(colon + 1)) : stem;
}

std::string cookie_field(Role role, std::string_view secret, std::string_view host, const Access& access) {
  return fmt::format("{}={}; Path={}; HttpOnly; SameSite=Strict", cookie_name(role, host), secret,
                     access.base_path);
}

}  // namespace orrery::app::serve
