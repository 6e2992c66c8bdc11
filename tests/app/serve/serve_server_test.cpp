// The server on a real port, with a window that is none, and clients that do not behave.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/serve/routes.h"
#include "tests/app/serve/server_testing.h"
#include "tests/eventually.h"

namespace orrery::app::serve {

namespace {

TEST_F(ServeServer, AnswersThoseWithATokenOnly) {
  EXPECT_EQ(status("GET /status.json", bearer), 200);
  EXPECT_EQ(status("GET /status.json", host), 401);
  EXPECT_EQ(status("GET /status.json", host + "Cookie: orrery-1=" + std::string(32, '0') + "\r\n"), 401);
  EXPECT_EQ(status("GET /status.json", host + "Authorization: Bearer " + token + "\r\n"), 200);
  EXPECT_EQ(status("GET /?token=" + token, host), 303);
  EXPECT_EQ(status("GET /?token=wrong", host), 403);
  EXPECT_EQ(status("POST /login", host, "token=" + token), 303);
  EXPECT_EQ(status("POST /login", host, "token=wrong"), 403);
  // The token is no password in addresses of anything else.
  EXPECT_EQ(status("GET /status.json?token=" + token, host), 401);
}

TEST_F(ServeServer, ACookieHasASecretOfItsOwn) {
  const auto answer = ask("GET /?token=" + token + " HTTP/1.1\r\nConnection: close\r\n" + host + "\r\n");
  EXPECT_EQ(answer.find(token), std::string::npos) << answer;
  EXPECT_NE(answer.find("; Path=/; HttpOnly; SameSite=Strict"), std::string::npos);
  EXPECT_NE(answer.find("Location: /\r\n"), std::string::npos);
  EXPECT_NE(answer.find("Content-Security-Policy: default-src 'none'"), std::string::npos);
  EXPECT_NE(answer.find("X-Content-Type-Options: nosniff"), std::string::npos);
  EXPECT_NE(answer.find("Referrer-Policy: same-origin"), std::string::npos);
  EXPECT_NE(cookie_for(token), cookie_for(view_token));
  EXPECT_EQ(status("GET /status.json", cookie_for(token)), 200);
  EXPECT_EQ(status("POST /options", cookie_for(token), "name=theta&value=1"), 200);
  EXPECT_EQ(status("POST /options", cookie_for(view_token), "name=theta&value=1"), 403);
  EXPECT_EQ(status("GET /status.json", host + "Cookie: orrery-1=" + token + "\r\n"), 401)
      << "the token is none";
}

TEST_F(ServeServer, ACodeOpensThePageOnce) {
  const auto give = [&](const std::string& fields) {
    return ask("POST /code HTTP/1.1\r\nConnection: close\r\nContent-Length: 0\r\n" + fields + "\r\n");
  };
  EXPECT_EQ(give(host).substr(9, 3), "401");
  EXPECT_EQ(give(cookie_for(view_token)).substr(9, 3), "403") << "a session asks for another one";
  const auto answer = give(bearer);
  const auto code = answer.substr(answer.find("\r\n\r\n") + 4, 32);
  for (const auto& secret : {"code=" + code, "token=" + token})
    EXPECT_EQ(
        ask("HEAD /?" + secret + " HTTP/1.1\r\nConnection: close\r\n" + host + "\r\n").find("Set-Cookie"),
        std::string::npos)
        << "a preview of a link takes nothing";
  const auto page = ask("GET /?code=" + code + " HTTP/1.1\r\nConnection: close\r\n" + host + "\r\n");
  EXPECT_EQ(page.substr(9, 3), "303");
  EXPECT_EQ(status("GET /status.json", cookie_in(page)), 200);
  EXPECT_EQ(status("GET /?code=" + code, host), 403);
}

TEST_F(ServeServer, LetsABrowserInThatComesFromElsewhere) {
  // After a redirect from a page of somebody else's, browsers would not send the cookie.
  const auto page = ask("GET /?token=" + token + " HTTP/1.1\r\nConnection: close\r\n" + host +
                        "Sec-Fetch-Site: cross-site\r\n\r\n");
  EXPECT_EQ(page.substr(9, 3), "200");
  EXPECT_NE(page.find("http-equiv=\"refresh\" content=\"0; url=/\""), std::string::npos) << page;
  EXPECT_EQ(status("GET /status.json", cookie_in(page)), 200);
}

TEST_F(ServeServer, RefusesForeignNames) {
  const auto as = [](const std::string& name) {
    return "Host: " + name + "\r\nAuthorization: Bearer " + token + "\r\n";
  };
  EXPECT_EQ(status("GET /status.json", as("evil.example")), 421);
  EXPECT_EQ(status("POST /options", as("evil.example"), "name=theta&value=1"), 421);
  EXPECT_EQ(status("PUT /upload/a.csv", as("evil.example"), "x"), 421);
  EXPECT_EQ(status("GET /?token=" + token, "Host: rebound.example\r\n"), 421);
}

TEST_F(ServeServer, RefusesForeignOrigins) {
  const auto cookie = cookie_for(token);
  EXPECT_EQ(status("POST /options", cookie + "Origin: http://localhost:1\r\n", "name=theta&value=1"), 200);
  EXPECT_EQ(status("POST /options", cookie + "Origin: http://localhost:2\r\n", "name=theta&value=1"), 403);
  EXPECT_EQ(status("POST /options", cookie + "Origin: null\r\n", "name=theta&value=1"), 403);
  EXPECT_EQ(status("PUT /upload/a.csv", cookie + "Origin: http://evil.example\r\n", "x"), 403);
  const auto socket = [&](const std::string& fields) {
    return ask("GET /ws HTTP/1.1\r\n" + fields + upgrade + "\r\n").substr(0, 12);
  };
  EXPECT_EQ(socket(cookie + "Origin: http://evil.example\r\n"), "HTTP/1.1 403");
  EXPECT_EQ(socket(cookie), "HTTP/1.1 403");  // a cookie without an Origin
  EXPECT_EQ(socket(host + "Origin: http://localhost:1\r\n"), "HTTP/1.1 401");
}

/// Every route without each right that it asks for, and with all of them.
TEST_F(ServeServer, TheGateHoldsForEveryRoute) {
  const auto cookie = cookie_for(token);
  const std::string ours = "Origin: http://localhost:1\r\n", foreign = "Origin: http://evil.example\r\n";
  // Refusals wait, so that nobody guesses fast: the requests of all routes go side by side.
  std::vector<std::future<void>> walks;
  for (const auto& route : routes()) {
    walks.push_back(std::async(std::launch::async, [&, route] {
      auto path = std::string(route.path);
      if (path.ends_with('*')) path.replace(path.size() - 1, 1, "some-name");
      const auto line = std::string(route.method) + " /" + path;
      const auto body = route.method == "GET" ? std::string() : "token=" + token + "&name=theta&value=1";
      const auto get = [&](const std::string& fields) { return status(line, fields, body); };
      SCOPED_TRACE(line);
      EXPECT_EQ(get("Host: evil.example\r\n"), 421);
      const auto stranger = get(host + ours);
      if (route.right == Right::none) {
        EXPECT_NE(stranger, 403);
      } else {
        EXPECT_EQ(stranger, 401);
      }
      // Nothing draws here, so that a screenshot would be waited for.
      if (path == "screenshot.png") return;
      const auto watcher = get(view_bearer + ours);
      const auto session = get(cookie + ours), driver = get(bearer + ours), elsewhere = get(bearer + foreign);
      EXPECT_EQ(watcher == 403, route.right == Right::drive) << watcher;
      EXPECT_EQ(session == 403, route.right == Right::token) << session;
      EXPECT_TRUE(driver != 401 && driver != 403 && driver != 405) << driver;
      EXPECT_EQ(elsewhere == 403, route.from != FromPage::any) << elsewhere;
      if (route.from == FromPage::ours_or_token) {
        EXPECT_EQ(get(cookie), 403);
      }
    }));
  }
  for (auto& walk : walks) walk.get();
  EXPECT_GT(walks.size(), 15U);
}

TEST_F(ServeServer, WatchersChangeNothing) {
  EXPECT_EQ(status("GET /status.json", view_bearer), 200);
  EXPECT_NE(ask("GET /options HTTP/1.1\r\nConnection: close\r\n" + view_bearer + "\r\n").find("for watching"),
            std::string::npos);
  EXPECT_EQ(ask("GET /options HTTP/1.1\r\nConnection: close\r\n" + bearer + "\r\n").find("for watching"),
            std::string::npos);
  EXPECT_EQ(status("POST /options", view_bearer, "name=theta&value=1"), 403);
  EXPECT_EQ(status("PUT /upload/a.csv", view_bearer, "x"), 403);
}

TEST_F(ServeServer, SetsOptions) {
  EXPECT_EQ(status("POST /options.json", bearer, "name=theta&value=0.5"), 200);
  EXPECT_EQ(status("POST /options.json", bearer + "Content-Type: application/json\r\n",
                   R"({"name":"theta","value":"0.5"})"),
            200);
  EXPECT_EQ(status("POST /options.json", bearer, "name=nothing&value=0.5"), 400);
  EXPECT_EQ(status("POST /options.json", bearer + "Content-Type: application/json\r\n", "[[[["), 400);
  EXPECT_EQ(status("DELETE /options", bearer), 405);
}

TEST_F(ServeServer, HandsOutWhatWasOfferedAndNothingElse) {
  EXPECT_EQ(status("GET /files/passwd", bearer), 404);
  for (const char* path : {"/files/../../../../etc/passwd", "/files/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
                           "/../etc/passwd", "//etc/passwd", "/files//etc/passwd", "/files/%00"})
    EXPECT_EQ(status(std::string("GET ") + path, bearer), 404) << path;
}

TEST_F(ServeServer, KeepsUploadsInItsFolder) {
  EXPECT_EQ(status("PUT /upload/%2e%2e%2f%2e%2e%2fevil.csv", bearer, "x,y\n"), 200);
  std::vector<std::filesystem::path> files;
  ASSERT_TRUE(test::eventually([&] {
    for (auto& file : desk_.take_files()) files.push_back(file);
    return !files.empty();
  }));
  EXPECT_EQ(files.front().filename(), "evil.csv");
  EXPECT_EQ(files.front().parent_path().parent_path(), folder_.path());
  EXPECT_EQ(std::filesystem::file_size(files.front()), 4U);
  EXPECT_EQ(status("PUT /upload/large.csv", bearer, std::string(100001, 'x')), 413);
  EXPECT_EQ(status("PUT /upload/" + std::string("..%2f"), bearer, "x"), 400);
}

TEST_F(ServeServer, SurvivesRequestsThatAreNone) {
  for (const std::string& bytes :
       {std::string("\0\0\0\0", 4), std::string(100000, 'a'),
        std::string("GET / HTTP/1.1\r\nHost: ") + std::string(20000, 'a'),
        std::string("GET / HTTP/9.9\r\n\r\n"),
        std::string("POST /login HTTP/1.1\r\nContent-Length: -1\r\n\r\n"),
        std::string("POST /login HTTP/1.1\r\n") + host + "Content-Length: 99999999999999999999\r\n\r\n",
        std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11)}) {
    const RawConnection connection(server_->port());
    connection.send(bytes);
  }
  EXPECT_EQ(status("POST /login", host, std::string(70000, 'a')), 413);
  EXPECT_EQ(status("GET /status.json", bearer), 200);
}

TEST_F(ServeServer, ManyClientsDoNotStopIt) {
  {
    std::vector<std::unique_ptr<RawConnection>> crowd;
    for (int k = 0; k < 400; ++k) crowd.push_back(std::make_unique<RawConnection>(server_->port()));
    // Half a request each, and no more.
    for (const auto& each : crowd) each->send("GET / HTTP/1.1\r\nHos");
  }
  EXPECT_TRUE(test::eventually([&] { return status("GET /status.json", bearer) == 200; }));
}

TEST_F(ServeServer, WhoGuessesTokensWaits) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(status("POST /login", host, "token=" + std::string(32, '7')), 403);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(450));
}

TEST_F(HastyServer, CutsOffWhoSendsARequestSlowly) {
  for (const auto& head : {"GET /status.json HTTP/1.1\r\n" + bearer + "X: a",
                           "POST /login HTTP/1.1\r\n" + host + "Content-Length: 20000\r\n\r\n"}) {
    const RawConnection connection(server_->port());
    connection.send(head);
    // Each byte comes soon after the one before: the whole request has one limit.
    EXPECT_TRUE(test::eventually([&] {
      connection.send("a");
      return connection.can_receive();
    })) << head;
    EXPECT_EQ(connection.receive(), "") << "the request was waited for, and answered";
  }
  EXPECT_EQ(status("GET /status.json", bearer), 200);
}

/// A frame of a client, with a mask of zeros.
std::string frame(int opcode, const std::string& text) {
  std::string bytes{static_cast<char>(0x80 | opcode)};
  if (text.size() < 126) {
    bytes += static_cast<char>(0x80 | text.size());
  } else {
    bytes += static_cast<char>(0x80 | 127);
    for (int k = 7; k >= 0; --k) bytes += static_cast<char>(text.size() >> (8 * k) & 0xff);
  }
  return bytes + std::string(4, '\0') + text;
}

class Socket : public RawConnection {
 public:
  Socket(std::uint16_t port, const std::string& fields) : RawConnection(port) {
    send("GET /ws HTTP/1.1\r\n" + fields + upgrade + "Origin: http://localhost:1\r\n\r\n");
  }
  /// What arrives until a message of this kind has.
  std::string receive_until(const std::string& kind) const {
    std::string all;
    for (std::string part = "?"; !part.empty() && all.find("\"t\":\"" + kind) == std::string::npos;
         all += part)
      part = receive(1);
    return all;
  }
};

TEST_F(ServeServer, WhoComesAndGoesCutsNobodyOff) {
  const Socket slow(server_->port(), bearer);
  ASSERT_TRUE(test::eventually([&] { return audience_.size() == 1; }));
  slow.send(frame(1, R"({"t":"codec","c":"jpeg","lists":false})"));
  // More than the system keeps for a connection: what follows waits in the server.
  const auto large = std::make_shared<const Outgoing>(Outgoing{std::string(32U << 20U, 'x')});
  ASSERT_TRUE(test::eventually([&] { return audience_.demand(Codec::jpeg).any; }));
  audience_.send(large);
  for (int k = 0; k < 1000; ++k) {
    audience_.leave(audience_.join(Role::watches, [](const auto&) {}));
    audience_.say({{"t", "title"}, {"s", std::to_string(k)}});
    audience_.say({{"t", "cursor"}, {"c", "default"}, {"typing", false}});
  }
  audience_.say({{"t", "file"}, {"name", "a.png"}});
  EXPECT_EQ(slow.receive(large->bytes.size()).size(), large->bytes.size());
  const auto got = slow.receive_until("file");
  EXPECT_NE(got.find(R"("s":"999")"), std::string::npos) << "the newest title";
  EXPECT_NE(got.find(R"("clients":1)"), std::string::npos);
}

TEST_F(ServeServer, SomeMessagesAreForTheDriverAlone) {
  const Socket driver(server_->port(), bearer);
  ASSERT_TRUE(test::eventually([&] { return audience_.size() == 1; }));
  const Socket watcher(server_->port(), view_bearer);
  ASSERT_TRUE(test::eventually([&] { return audience_.size() == 2; }));
  audience_.say_to_driver({{"t", "clip"}, {"s", "copied"}});
  audience_.say({{"t", "end"}});
  EXPECT_NE(driver.receive_until("end").find("copied"), std::string::npos);
  const auto seen = watcher.receive_until("end");
  EXPECT_NE(seen.find("role"), std::string::npos);
  EXPECT_EQ(seen.find("copied"), std::string::npos);
}

/// Another user who listens at the same port of the other address would be sent the token by browsers that
/// are told "localhost".
TEST_F(ServeServer, TakesAPortAtAllOfItsAddressesOrNone) {
  const int other = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  const int only = 1;
  setsockopt(other, IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof only);
  if (other < 0 || bind(other, any, size) != 0 || listen(other, 1) != 0) {
    close(other);
    GTEST_SKIP() << "no IPv6 here";
  }
  getsockname(other, any, &size);
  const ServerOptions options{.addresses = {"127.0.0.1", "::1"}, .port = ntohs(address.sin6_port)};
  try {
    const Server server(options, {audience_, broadcaster_, desk_, downloads_, uploads_, {}});
    ADD_FAILURE() << "it listens at one address";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("::1"), std::string::npos) << error.what();
  }
  close(other);
}

TEST_F(ServeServer, NothingOvertakesTheFirstRole) {
  for (int k = 0; k < 100; ++k) {
    const Socket watcher(server_->port(), view_bearer);
    // Without a pause: the server's thread has just begun to greet it.
    while (audience_.size() == 0) std::this_thread::yield();
    audience_.say({{"t", "end"}});
    ASSERT_NE(watcher.receive_until("end").find("role"), std::string::npos) << k;
    audience_.dismiss();
  }
}

TEST_F(ServeServer, OnlyOneDrives) {
  const Socket first(server_->port(), bearer), second(server_->port(), bearer),
      watcher(server_->port(), view_bearer);
  ASSERT_TRUE(test::eventually([&] { return audience_.size() == 3; }));
  desk_.take_messages();
  watcher.send(frame(1, R"({"t":"drive"})"));
  watcher.send(frame(1, R"({"t":"move","x":1,"y":1})"));
  second.send(frame(1, R"({"t":"move","x":2,"y":2})"));
  second.send(frame(1, R"({"t":"drive"})"));
  second.send(frame(1, R"({"t":"move","x":3,"y":3})"));
  std::vector<ClientMessage> taken;
  ASSERT_TRUE(test::eventually([&] {
    for (auto& message : desk_.take_messages()) taken.push_back(message);
    return !taken.empty();
  }));
  EXPECT_EQ(taken.front().position, glm::dvec2(3, 3));
  EXPECT_EQ(taken.size(), 1U);
}

TEST_F(ServeServer, TheDriverLeavesAndTheOthersStay) {
  const Socket first(server_->port(), bearer);
  ASSERT_TRUE(test::eventually([&] { return audience_.size() == 1; }));
  const Socket second(server_->port(), bearer);
  ASSERT_TRUE(test::eventually([&] { return audience_.size() == 2; }));
  audience_.dismiss_driver({{"t", "bye"}});
  EXPECT_EQ(audience_.size(), 1U);
  // The farewell is the last message, and the server closes after it.
  EXPECT_NE(first.receive_until("bye").find("bye"), std::string::npos);
  first.send(frame(8, "\x03\xe8"));
  EXPECT_NE(first.receive().find('\x88'), std::string::npos) << "no close frame";
  // The next one drives.
  ASSERT_TRUE(test::eventually([&] {
    second.send(frame(1, R"({"t":"move","x":7,"y":7})"));
    const auto taken = desk_.take_messages();
    return !taken.empty() && taken.back().position == glm::dvec2(7, 7);
  }));
}

TEST_F(ServeServer, ClosesASocketThatSendsAnythingElse) {
  for (const auto& bytes :
       {frame(1, "no JSON"), frame(2, R"({"t":"release"})"), frame(1, R"({"t":"exec","s":"ls"})"),
        frame(1, std::string(longest_message + 1, ' ')), frame(3, "reserved")}) {
    const Socket socket(server_->port(), bearer);
    ASSERT_TRUE(test::eventually([&] { return audience_.size() == 1; }));
    socket.send(bytes);
    EXPECT_TRUE(test::eventually([&] { return audience_.size() == 0; }));
  }
}

TEST_F(ServeServer, EndsWithClientsConnected) {
  const Socket socket(server_->port(), bearer);
  ASSERT_TRUE(test::eventually([&] { return audience_.size() == 1; }));
  server_.reset();
  EXPECT_EQ(audience_.size(), 0U);
  audience_.say({{"t", "end"}});
}

}  // namespace

}  // namespace orrery::app::serve
