#include "app/serve/access.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "sim/core/error.h"
#include "sim/core/letters.h"

namespace orrery::app::serve {

namespace {

bool may_stand_in_a_name(char letter) {
  return sim::is_small_or_digit(letter) || letter == '-' || letter == '.' || letter == '_';
}

bool is_port(std::string_view text) {
  return text.empty() || (text.front() == ':' && text.size() >= 2 && text.size() <= 6 &&
                          std::ranges::all_of(text.substr(1), sim::is_digit));
}

std::string without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '+') {
      plain += ' ';
    } else if (text[k] != '%') {
      plain += text[k];
    } else {
      unsigned byte = 0;
      if (k + 2 >= text.size()) return {};
      const auto* end = text.data() + k + 3;
      if (std::from_chars(text.data() + k + 1, end, byte, 16).ptr != end) return {};
      plain += static_cast<char>(byte);
      k += 2;
    }
  }
  return plain;
}

constexpr std::string_view cookie_stem = "orrery";

/// The most connections of strangers, of those who watch and of those who drive. A browser needs two or
/// three.
constexpr std::array<std::size_t, 3> most{256, 256, 128};

constexpr std::size_t most_of(Role role) { return most.at(static_cast<std::size_t>(role)); }

}  // namespace

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw sim::Error("the operating system gives no random numbers for the token of the server");
  std::string token;
  for (const auto byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

bool same_secret(std::string_view left, std::string_view right) {
  if (left.size() != right.size()) return false;
  unsigned difference = 0;
  for (std::size_t k = 0; k < left.size(); ++k)
    difference |=
        static_cast<unsigned>(static_cast<unsigned char>(left[k]) ^ static_cast<unsigned char>(right[k]));
  return difference == 0;
}

std::string host_name(std::string_view host) {
  if (host.starts_with('[')) {
    const auto end = host.find(']');
    if (end == std::string_view::npos || !is_port(host.substr(end + 1))) return {};
    const auto inside = host.substr(1, end - 1);
    const bool address = !inside.empty() && std::ranges::all_of(inside, [](char byte) {
      const char letter = sim::to_lower(byte);
      return (letter >= 'a' && letter <= 'f') || sim::is_digit(letter) || letter == ':' || letter == '.';
    });
    if (!address) return {};
    return sim::lower_case(host.substr(0, end + 1));
  }
  const auto colon = host.find(':');
  if (colon != std::string_view::npos && !is_port(host.substr(colon))) return {};
  const auto name = sim::lower_case(host.substr(0, colon));
  return std::ranges::all_of(name, may_stand_in_a_name) ? name : std::string();
}

bool host_is_ours(std::string_view host, const Access& access) {
  const auto name = host_name(host);
  return !name.empty() && std::ranges::find(access.hosts, name) != access.hosts.end();
}

bool origin_is_ours(std::string_view origin, std::string_view host, const Access& access) {
  const auto scheme = origin.find("://");
  if (scheme == std::string_view::npos) return false;
  const auto kind = origin.substr(0, scheme);
  if (kind != "http" && kind != "https") return false;
  const auto place = origin.substr(scheme + 3);
  // The port too: another server of the same machine is a stranger.
  return sim::same_letters(place, host) && host_is_ours(place, access);
}

Role role_of_token(std::string_view token, const Access& access) {
  const bool drives = !access.token.empty() && same_secret(token, access.token);
  const bool watches = !access.view_token.empty() && same_secret(token, access.view_token);
  if (drives) return Role::drives;
  return watches ? Role::watches : Role::none;
}

std::string form_value(std::string_view form, std::string_view name) {
  while (!form.empty()) {
    const auto field = form.substr(0, form.find('&'));
    form.remove_prefix(std::min(field.size() + 1, form.size()));
    const auto equals = field.find('=');
    if (equals != std::string_view::npos && field.substr(0, equals) == name)
      return without_escapes(field.substr(equals + 1));
  }
  return {};
}

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
