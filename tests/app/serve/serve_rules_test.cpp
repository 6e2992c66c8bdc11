// Tokens, names, messages, uploads' names: what judges bytes of strangers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "app/serve/access.h"
#include "app/serve/client_message.h"
#include "app/serve/desk.h"
#include "app/serve/response.h"
#include "app/serve/transfers.h"

namespace orrery::app::serve {

namespace {

Access access() {
  return {.token = "0123456789abcdef0123456789abcdef",
          .view_token = "fedcba9876543210fedcba9876543210",
          .hosts = {"localhost", "127.0.0.1", "[::1]", "gpu17.cluster.example"}};
}

using Kind = ClientMessage::Kind;

TEST(ServeRules, TokensAreRandomAndLong) {
  const auto first = random_token(), second = random_token();
  EXPECT_EQ(first.size(), 32U);
  EXPECT_NE(first, second);
  EXPECT_EQ(first.find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(ServeRules, SecretsAreComparedWhole) {
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abc", "abd"));
  EXPECT_FALSE(same_secret("abc", "ab"));
  EXPECT_FALSE(same_secret("", "a"));
}

TEST(ServeRules, HostsAreComparedByNameWithoutPort) {
  for (const char* ours :
       {"localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]", "[::1]:65535", "gpu17.cluster.example:80"})
    EXPECT_TRUE(host_is_ours(ours, access())) << ours;
  for (const char* foreign :
       {"", "evil.example", "localhost.evil.example", "evil.example#localhost", "localhost:80:80",
        "localhost:x", "[::1", "[::1]x", "[::2]", "127.0.0.1.nip.io", "localhost ", "user@localhost"})
    EXPECT_FALSE(host_is_ours(foreign, access())) << foreign;
}

TEST(ServeRules, OriginMustBeTheHost) {
  EXPECT_TRUE(origin_is_ours("http://localhost:8080", "localhost:8080", access()));
  EXPECT_TRUE(origin_is_ours("https://gpu17.cluster.example", "gpu17.cluster.example", access()));
  // Another server of the same machine.
  EXPECT_FALSE(origin_is_ours("http://localhost:9090", "localhost:8080", access()));
  // A rebound name controls both fields.
  EXPECT_FALSE(origin_is_ours("http://evil.example", "evil.example", access()));
  EXPECT_FALSE(origin_is_ours("null", "localhost", access()));
  EXPECT_FALSE(origin_is_ours("file://localhost", "localhost", access()));
  EXPECT_FALSE(origin_is_ours("", "localhost", access()));
}

TEST(ServeRules, RolesComeFromTokens) {
  EXPECT_EQ(role_of_token(access().token, access()), Role::drives);
  EXPECT_EQ(role_of_token(access().view_token, access()), Role::watches);
  EXPECT_EQ(role_of_token("", access()), Role::none);
  auto without = access();
  without.view_token.clear();
  EXPECT_EQ(role_of_token("", without), Role::none);
}

TEST(ServeRules, RolesComeFromCookies) {
  const Sessions sessions;
  const auto drives = sessions.secret_of(Role::drives), watches = sessions.secret_of(Role::watches);
  const auto role = [&](const std::string& cookies) { return sessions.role_of_cookies(cookies); };
  EXPECT_EQ(role("a=b; orrery-8080=" + drives), Role::drives);
  EXPECT_EQ(role("orrery-8080=x;orrery-8080=" + watches + "; c"), Role::watches);
  EXPECT_EQ(role("orrery=" + drives), Role::drives) << "behind a proxy";
  EXPECT_EQ(role("orrery-view-1=" + watches + "; orrery-1=" + drives), Role::drives) << "a link for watching";
  // Of something else, of another run, half of one.
  EXPECT_EQ(role("other=" + drives), Role::none);
  EXPECT_EQ(role("orrery-8080=" + drives + "0"), Role::none);
  EXPECT_EQ(role("orrery-8080=" + drives.substr(1)), Role::none);
  EXPECT_EQ(role("orrery-8080=" + std::string(32, '7')), Role::none);
  EXPECT_EQ(role("; ; =; orrery-8080; orrery-8080=; " + drives), Role::none);
}

TEST(ServeRules, EachPortHasACookieOfItsOwn) {
  EXPECT_EQ(cookie_name(Role::drives, "localhost:8080"), "orrery-8080");
  EXPECT_EQ(cookie_name(Role::watches, "localhost:8080"), "orrery-view-8080");
  EXPECT_EQ(cookie_name(Role::drives, "[::1]:1"), "orrery-1");
  EXPECT_EQ(cookie_name(Role::drives, "[::1]"), "orrery");
  EXPECT_EQ(cookie_name(Role::drives, "gpu17.cluster.example"), "orrery");
}

TEST(ServeRules, ACodeIsGoodOnceAndForAMinute) {
  using namespace std::chrono_literals;
  Sessions sessions;
  const Sessions::Clock::time_point now{};
  const auto code = sessions.make_code(Role::drives, now);
  EXPECT_EQ(sessions.redeem("x" + code.substr(1), now), Role::none);
  EXPECT_EQ(sessions.redeem(code, now + 59s), Role::drives);
  EXPECT_EQ(sessions.redeem(code, now + 59s), Role::none);
  EXPECT_EQ(sessions.redeem(sessions.make_code(Role::drives, now), now + 60s), Role::none);
  const auto other = sessions.make_code(Role::drives, now), first = sessions.make_code(Role::watches, now);
  for (std::size_t k = 0; k < Sessions::most; ++k) sessions.make_code(Role::watches, now);
  EXPECT_EQ(sessions.redeem(first, now), Role::none) << "codes that nobody uses take no memory";
  EXPECT_EQ(sessions.redeem(other, now), Role::drives) << "each role has codes of its own";
}

TEST(ServeRules, CookiesAreForThePageOnly) {
  auto behind_proxy = access();
  behind_proxy.base_path = "/node/gpu17/8080/";
  EXPECT_EQ(cookie_field(Role::drives, "S", "localhost:8080", behind_proxy),
            "orrery-8080=S; Path=/node/gpu17/8080/; HttpOnly; SameSite=Strict");
}

TEST(ServeRules, RangesAreReadStrictly) {
  const auto range = [](std::string_view field) {
    const auto part = requested_range(field, 1000);
    return part ? fmt::format("{}+{}", part->begin, part->size) : "whole";
  };
  EXPECT_EQ(range("bytes=0-99"), "0+100");
  EXPECT_EQ(range("bytes=900-"), "900+100");
  EXPECT_EQ(range("bytes=999-5000"), "999+1");
  EXPECT_EQ(range("bytes=-100"), "900+100");
  EXPECT_EQ(range("bytes=-99999999999999999999"), "0+1000");
  EXPECT_EQ(range("bytes=0-99999999999999999999"), "0+1000");
  // Nothing of it is there.
  for (const char* none : {"bytes=1000-", "bytes=1000-1001", "bytes=-0", "bytes=99999999999999999999-"})
    EXPECT_TRUE(range(none).ends_with("+0")) << none;
  EXPECT_EQ(requested_range("bytes=0-", 0)->size, 0U);
  for (const char* ignored : {"", "bytes", "bytes=", "bytes=-", "bytes=5-4", "bytes=0-1,5-6", "lines=0-1",
                              "bytes=a-b", "bytes=+1-2", "bytes= 1-2", "bytes=1--2"})
    EXPECT_EQ(range(ignored), "whole") << ignored;
}

TEST(ServeRules, FormsAreDecoded) {
  EXPECT_EQ(form_value("a=1&token=x%2By+z", "token"), "x+y z");
  EXPECT_EQ(form_value("token=%4", "token"), "");
  EXPECT_EQ(form_value("token=%zz", "token"), "");
  EXPECT_EQ(form_value("nottoken=1", "token"), "");
}

TEST(ServeRules, UploadsKeepNoPath) {
  EXPECT_EQ(safe_file_name("../../etc/passwd"), "passwd");
  EXPECT_EQ(safe_file_name("C:\\data\\disk.csv"), "disk.csv");
  EXPECT_EQ(safe_file_name(".bashrc"), "bashrc");
  EXPECT_EQ(safe_file_name("a b\n\"c.csv"), "a_b__c.csv");
  EXPECT_EQ(safe_file_name("..").size(), 0U);
  EXPECT_LE(safe_file_name(std::string(5000, 'a')).size(), 120U);
}

TEST(ServeMessages, AreRead) {
  const auto size = parse_message(R"({"t":"size","w":1920,"h":1080,"ratio":2})");
  ASSERT_TRUE(size);
  EXPECT_EQ(size->canvas.pixels, glm::ivec2(1920, 1080));
  EXPECT_FALSE(size->canvas.fingers);
  EXPECT_TRUE(parse_message(R"({"t":"size","w":390,"h":844,"ratio":3,"fingers":true})")->canvas.fingers);
  EXPECT_TRUE(parse_message(R"({"t":"button","b":0,"down":true,"x":0,"y":0,"m":0,"finger":true})")->finger);
  EXPECT_FALSE(parse_message(R"({"t":"button","b":0,"down":true,"x":0,"y":0,"m":0})")->finger);
  const auto key = parse_message(R"({"t":"key","key":"z","code":"KeyY","down":true,"repeat":false,"m":2})");
  ASSERT_TRUE(key);
  EXPECT_EQ(key->code, 'Z');  // what is printed on the key
  EXPECT_EQ(key->modifiers, 2);
  EXPECT_EQ(parse_message(R"({"t":"text","s":"ä"})")->text, "ä");
  EXPECT_EQ(parse_message(R"({"t":"wheel","x":0,"y":-1,"m":2})")->modifiers, 2);
}

TEST(ServeMessages, LargeCanvasesAreDrawnSmaller) {
  const auto drawn = [](int width, int height) { return drawn_size({width, height}).pixels; };
  EXPECT_EQ(drawn(1920, 1080), glm::ivec2(1920, 1080));
  EXPECT_EQ(drawn(3840, 2400), glm::ivec2(3840, 2400));
  EXPECT_EQ(drawn(5120, 2880), glm::ivec2(3840, 2160));
  EXPECT_EQ(drawn(1, 1), glm::ivec2(320, 200));
  for (const auto& [width, height] :
       {std::pair(3840, 3840), {1 << 20, 1 << 20}, {1 << 20, 1}, {1, 1 << 20}}) {
    const auto size = drawn(width, height);
    EXPECT_LE(std::max(size.x, size.y), 3840);
    EXPECT_LE(size.x * size.y, 3840 * 2401);
  }
  EXPECT_DOUBLE_EQ(drawn_size({7680, 4320}).factor, 0.5);
}

TEST(ServeMessages, WhoHasSentTooMuchIsReleasedAllTheSame) {
  Desk desk;
  int taken = 0;
  while (desk.put({.kind = Kind::key, .pressed = true})) ++taken;
  EXPECT_TRUE(desk.put({.kind = Kind::release}));
  const auto messages = desk.take_messages();
  EXPECT_EQ(messages.size(), taken + 1U);
  EXPECT_EQ(messages.back().kind, Kind::release);
}

TEST(ServeMessages, AButtonGoesDownOneFrameAfterThePointerCame) {
  Desk desk;
  const auto put = [&](Kind kind, glm::dvec2 position, bool pressed = false) {
    EXPECT_TRUE(desk.put({.kind = kind, .position = position, .pressed = pressed}));
  };
  const auto taken = [&] {
    std::string kinds;
    for (const auto& message : desk.take_messages())
      kinds += message.kind == Kind::cursor   ? 'm'
               : message.kind == Kind::button ? (message.pressed ? 'd' : 'u')
                                              : '?';
    return kinds;
  };
  // A finger: nothing says where it is before.
  put(Kind::button, {10, 20}, true);
  put(Kind::button, {10, 20}, false);
  EXPECT_EQ(taken(), "m");
  EXPECT_EQ(taken(), "d");
  EXPECT_EQ(taken(), "u");
  EXPECT_EQ(taken(), "");
  // A mouse that is faster than the window.
  put(Kind::cursor, {30, 40});
  put(Kind::button, {30, 40}, true);
  put(Kind::cursor, {35, 40});
  EXPECT_EQ(taken(), "m");
  EXPECT_EQ(taken(), "d");
  EXPECT_EQ(taken(), "m");
  // A mouse that has come to rest.
  put(Kind::button, {35, 40}, false);
  put(Kind::button, {35, 40}, true);
  EXPECT_EQ(taken(), "u");
  EXPECT_EQ(taken(), "d");
}

TEST(ServeMessages, KeysMeanWhatIsPrintedOnThem) {
  EXPECT_EQ(glfw_key("ф", "KeyA"), 'A');  // no Latin letter: by its place
  EXPECT_EQ(glfw_key("+", "BracketRight"), '=');
  EXPECT_EQ(glfw_key("F12", "F12"), 301);
  EXPECT_EQ(glfw_key("!", "Digit1"), '1');
  EXPECT_EQ(glfw_key("Dead", "Unknown"), -1);
}

TEST(ServeMessages, OthersAreRefused) {
  for (const char* bad :
       {"", "[]", "1", "{}", "{\"t\":1}", R"({"t":"shell"})", R"({"t":"size","w":0,"h":1,"ratio":1})",
        R"({"t":"size","w":1e30,"h":1,"ratio":1})", R"({"t":"size","w":1,"h":1,"ratio":1,"fingers":2})",
        R"({"t":"move","x":"1","y":2})", R"({"t":"move","x":1})",
        R"({"t":"button","b":9,"down":true,"x":0,"y":0,"m":0})", R"({"t":"text","s":["a"]})",
        R"({"t":"text","s":"a","more":{"deep":1}})", R"({"t":"drawn","n":-1})",
        "{\"t\":\"text\",\"s\":\"\xff\"}"})
    EXPECT_FALSE(parse_message(bad)) << bad;
  EXPECT_FALSE(parse_message(R"({"t":"text","s":")" + std::string(5000, 'a') + "\"}"));
  EXPECT_FALSE(parse_message(std::string(longest_message + 1, ' ')));
  EXPECT_FALSE(parse_message(std::string(60000, '[')));
}

}  // namespace

}  // namespace orrery::app::serve
