#include "app/serve/sessions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace orrery::app::serve {

namespace {

constexpr std::string_view cookie_stem = "orrery";

}  // namespace

std::string Sessions::begin(Role role) {
  const auto same_role = [role](const Session& each) { return each.role == role; };
  if (static_cast<std::size_t>(std::ranges::count_if(sessions_, same_role)) >= most)
    sessions_.erase(std::prev(std::ranges::find_if(sessions_.rbegin(), sessions_.rend(), same_role).base()));
  sessions_.push_front({random_token(), role});
  return sessions_.front().secret;
}

Role Sessions::role_of(std::string_view secret) {
  const auto found =
      std::ranges::find_if(sessions_, [&](const Session& each) { return same_secret(each.secret, secret); });
  if (found == sessions_.end()) return Role::none;
  std::rotate(sessions_.begin(), found, std::next(found));
  return sessions_.front().role;
}

Role Sessions::role_of_cookies(std::string_view cookies) {
  while (!cookies.empty()) {
    auto field = cookies.substr(0, cookies.find(';'));
    cookies.remove_prefix(std::min(field.size() + 1, cookies.size()));
    while (field.starts_with(' ')) field.remove_prefix(1);
    const auto equals = field.find('=');
    if (!field.starts_with(cookie_stem) || equals == std::string_view::npos) continue;
    const auto role = role_of(field.substr(equals + 1));
    if (role != Role::none) return role;
  }
  return Role::none;
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

std::string cookie_name(std::string_view host) {
  const auto colon = host.rfind(':');
  const bool has_port = colon != std::string_view::npos && !host.ends_with(']');
  return has_port ? fmt::format("{}-{}", cookie_stem, host.substr(colon + 1)) : std::string(cookie_stem);
}

std::string cookie_field(std::string_view secret, std::string_view host, const Access& access) {
  return fmt::format("{}={}; Path={}; HttpOnly; SameSite=Strict", cookie_name(host), secret,
                     access.base_path);
}

}  // namespace orrery::app::serve
