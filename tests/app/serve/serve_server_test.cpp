// The server on a real port, with a window that is none, and clients that do not behave.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "app/serve/server.h"
#include "tests/app/serve/http_client.h"
#include "tests/eventually.h"
#include "tests/temporary_folder.h"

namespace orrery::app::serve {

namespace {

const std::string token = "0123456789abcdef0123456789abcdef";
const std::string view_token = "fedcba9876543210fedcba9876543210";

class ServeServer : public testing::Test {
 protected:
  explicit ServeServer(std::chrono::milliseconds request_time = std::chrono::seconds(10),
                       std::chrono::milliseconds idle_time = std::chrono::seconds(60)) {
    window_ = std::thread([this] {
      while (!ending_) {
        desk_.wait(0.01);
        for (const auto& errand : desk_.take_errands()) errand();
      }
    });
    server_ = std::make_unique<Server>(
        ServerOptions{.addresses = {"127.0.0.1"},
                      .access = {.token = token,
                                 .view_token = view_token,
                                 .cookie = "orrery-1f",
                                 .hosts = {"localhost"}},
                      .uploads = folder_.path(),
                      .largest_upload = 100000,
                      .request_time = request_time,
                      .idle_time = idle_time},
        Served{audience_,
               broadcaster_,
               desk_,
               downloads_,
               {.status = [] { return json_response("{\"status\":1}"); },
                .options = [] { return json_response("[]"); },
                .options_page =
                    [](const FormAnswer& answer) {
                      return text_response(200, fmt::format("page {} {} {} {}", answer.option, answer.value,
                                                            answer.text, answer.refused));
                    },
                .set_option =
                    [](const std::string& name, const std::string& value) {
                      return name == "theta" ? text_response(200, name + "=" + value)
                                             : text_response(400, "no such option");
                    }}});
  }
  ~ServeServer() override {
    server_.reset();
    ending_ = true;
    window_.join();
  }

  std::string ask(const std::string& request) const {
    const RawConnection connection(server_->port());
    connection.send(request);
    return connection.receive();
  }
  /// The status of a request that has these header fields.
  int status(const std::string& line, const std::string& fields, const std::string& body = "") const {
    const auto answer = ask(fmt::format("{} HTTP/1.1\r\nConnection: close\r\n{}Content-Length: {}\r\n\r\n{}",
                                        line, fields, body.size(), body));
    return answer.size() > 12 ? std::stoi(answer.substr(9, 3)) : 0;
  }

  test::TemporaryFolder folder_;
  Audience audience_;
  Broadcaster broadcaster_{audience_};
  Desk desk_;
  Downloads downloads_;
  std::atomic<bool> ending_{false};
  std::thread window_;
  std::unique_ptr<Server> server_;
};

const std::string host = "Host: localhost:1\r\n";
const std::string cookie = host + "Cookie: orrery-1f=" + token + "\r\n";
const std::string view_cookie = host + "Cookie: orrery-1f=" + view_token + "\r\n";
const std::string upgrade =
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

TEST_F(ServeServer, AnswersThoseWithATokenOnly) {
  EXPECT_EQ(status("GET /status.json", cookie), 200);
  EXPECT_EQ(status("GET /status.json", host), 401);
  EXPECT_EQ(status("GET /status.json", host + "Cookie: orrery-1f=" + std::string(32, '0') + "\r\n"), 401);
  EXPECT_EQ(status("GET /status.json", host + "Authorization: Bearer " + token + "\r\n"), 200);
  EXPECT_EQ(status("GET /?token=" + token, host), 303);
  EXPECT_EQ(status("GET /?token=wrong", host), 403);
  EXPECT_EQ(status("POST /login", host, "token=" + token), 303);
  EXPECT_EQ(status("POST /login", host, "token=wrong"), 403);
  // The token is no password in addresses of anything else.
  EXPECT_EQ(status("GET /status.json?token=" + token, host), 401);
}

TEST_F(ServeServer, SetsACookieThatScriptsCannotRead) {
  const auto answer = ask("GET /?token=" + token + " HTTP/1.1\r\nConnection: close\r\n" + host + "\r\n");
  EXPECT_NE(answer.find("Set-Cookie: orrery-1f=" + token + "; Path=/; HttpOnly; SameSite=Strict"),
            std::string::npos);
  EXPECT_NE(answer.find("Location: /\r\n"), std::string::npos);
  EXPECT_NE(answer.find("Content-Security-Policy: default-src 'none'"), std::string::npos);
  EXPECT_NE(answer.find("X-Content-Type-Options: nosniff"), std::string::npos);
  EXPECT_NE(answer.find("Referrer-Policy: same-origin"), std::string::npos);
}

TEST_F(ServeServer, RefusesForeignNames) {
  const auto as = [](const std::string& name) {
    return "Host: " + name + "\r\nCookie: orrery-1f=" + token + "\r\n";
  };
  EXPECT_EQ(status("GET /status.json", as("evil.example")), 421);
  EXPECT_EQ(status("POST /options", as("evil.example"), "name=theta&value=1"), 421);
  EXPECT_EQ(status("PUT /upload/a.csv", as("evil.example"), "x"), 421);
  EXPECT_EQ(status("GET /?token=" + token, "Host: rebound.example\r\n"), 421);
  EXPECT_EQ(status("GET /status.json", "Cookie: orrery-1f=" + token + "\r\n"), 421);
}

TEST_F(ServeServer, RefusesForeignOrigins) {
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

TEST_F(ServeServer, WatchersChangeNothing) {
  EXPECT_EQ(status("GET /status.json", view_cookie), 200);
  EXPECT_NE(ask("GET /options HTTP/1.1\r\nConnection: close\r\n" + view_cookie + "\r\n").find("for watching"),
            std::string::npos);
  EXPECT_EQ(ask("GET /options HTTP/1.1\r\nConnection: close\r\n" + cookie + "\r\n").find("for watching"),
            std::string::npos);
  EXPECT_EQ(status("POST /options", view_cookie, "name=theta&value=1"), 403);
  EXPECT_EQ(status("PUT /upload/a.csv", view_cookie, "x"), 403);
}

TEST_F(ServeServer, SetsOptions) {
  EXPECT_EQ(status("POST /options.json", cookie, "name=theta&value=0.5"), 200);
  EXPECT_EQ(status("POST /options.json", cookie + "Content-Type: application/json\r\n",
                   R"({"name":"theta","value":"0.5"})"),
            200);
  EXPECT_EQ(status("POST /options.json", cookie, "name=nothing&value=0.5"), 400);
  EXPECT_EQ(status("POST /options.json", cookie + "Content-Type: application/json\r\n", "[[[["), 400);
  EXPECT_EQ(status("DELETE /options", cookie), 405);
}

TEST_F(ServeServer, HandsOutWhatWasOfferedAndNothingElse) {
  EXPECT_EQ(status("GET /files/passwd", cookie), 404);
  for (const char* path : {"/files/../../../../etc/passwd", "/files/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
                           "/../etc/passwd", "//etc/passwd", "/files//etc/passwd", "/files/%00"})
    EXPECT_EQ(status(std::string("GET ") + path, cookie), 404) << path;
}

TEST_F(ServeServer, KeepsUploadsInItsFolder) {
  EXPECT_EQ(status("PUT /upload/%2e%2e%2f%2e%2e%2fevil.csv", cookie, "x,y\n"), 200);
  std::vector<std::filesystem::path> files;
  ASSERT_TRUE(test::eventually([&] {
    for (auto& file : desk_.take_files()) files.push_back(file);
    return !files.empty();
  }));
  EXPECT_EQ(files.front().filename(), "evil.csv");
  EXPECT_EQ(files.front().parent_path().parent_path(), folder_.path());
  EXPECT_EQ(std::filesystem::file_size(files.front()), 4U);
  EXPECT_EQ(status("PUT /upload/large.csv", cookie, std::string(100001, 'x')), 413);
  EXPECT_EQ(status("PUT /upload/" + std::string("..%2f"), cookie, "x"), 400);
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
  EXPECT_EQ(status("GET /status.json", cookie), 200);
}

TEST_F(ServeServer, ManyClientsDoNotStopIt) {
  {
    std::vector<std::unique_ptr<RawConnection>> crowd;
    for (int k = 0; k < 400; ++k) crowd.push_back(std::make_unique<RawConnection>(server_->port()));
    // Half a request each, and no more.
    for (const auto& each : crowd) each->send("GET / HTTP/1.1\r\nHos");
  }
  EXPECT_TRUE(test::eventually([&] { return status("GET /status.json", cookie) == 200; }));
}

TEST_F(ServeServer, CookiesOfOtherRunsAreNone) {
  const auto with = [&](const std::string& cookies) {
    return status("GET /status.json", host + "Cookie: " + cookies + "\r\n");
  };
  const auto old = std::string(32, '7');
  EXPECT_EQ(with("orrery-1f=" + old), 401);     // the name is chosen anew, too, but may be the same
  EXPECT_EQ(with("orrery-2e=" + token), 401);   // another run's
  EXPECT_EQ(with("orrery-1f2=" + token), 401);  // begins like ours
  EXPECT_EQ(with("orrery-1f=" + token + "0"), 401);
  EXPECT_EQ(with("orrery-1f=" + token.substr(1)), 401);
  // A browser that has seen earlier runs sends all.
  EXPECT_EQ(with("orrery-2e=" + old + "; orrery-1f=" + old + "; orrery-1f=" + token), 200);
}

TEST_F(ServeServer, WhoGuessesTokensWaits) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(status("POST /login", host, "token=" + std::string(32, '7')), 403);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(450));
}

/// A server with little patience for requests, and much for connections that ask for nothing.
class HastyServer : public ServeServer {
 protected:
  HastyServer() : ServeServer(std::chrono::milliseconds(500), std::chrono::hours(1)) {}
};

TEST_F(HastyServer, CutsOffWhoSendsARequestSlowly) {
  for (const auto& head : {"GET /status.json HTTP/1.1\r\n" + cookie + "X: a",
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
  EXPECT_EQ(status("GET /status.json", cookie), 200);
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
};

TEST_F(ServeServer, OnlyOneDrives) {
  const Socket first(server_->port(), cookie), second(server_->port(), cookie),
      watcher(server_->port(), view_cookie);
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
  const Socket first(server_->port(), cookie);
  ASSERT_TRUE(test::eventually([&] { return audience_.size() == 1; }));
  const Socket second(server_->port(), cookie);
  ASSERT_TRUE(test::eventually([&] { return audience_.size() == 2; }));
  audience_.dismiss_driver({{"t", "bye"}});
  EXPECT_EQ(audience_.size(), 1U);
  // The farewell is the last message, and the server closes after it.
  first.send(frame(8, "\x03\xe8"));
  const auto said = first.receive();
  EXPECT_NE(said.find(R"({"t":"bye"})"), std::string::npos);
  EXPECT_LT(said.find("bye"), said.rfind("\x88")) << "no close frame";
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
    const Socket socket(server_->port(), cookie);
    ASSERT_TRUE(test::eventually([&] { return audience_.size() == 1; }));
    socket.send(bytes);
    EXPECT_TRUE(test::eventually([&] { return audience_.size() == 0; }));
  }
}

TEST_F(ServeServer, EndsWithClientsConnected) {
  const Socket socket(server_->port(), cookie);
  ASSERT_TRUE(test::eventually([&] { return audience_.size() == 1; }));
  server_.reset();
  EXPECT_EQ(audience_.size(), 0U);
  audience_.say({{"t", "end"}});
}

}  // namespace

}  // namespace orrery::app::serve
