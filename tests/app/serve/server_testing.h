#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "app/serve/server.h"
#include "tests/app/serve/http_client.h"
#include "tests/temporary_folder.h"

namespace orrery::app::serve {

inline const std::string token = "0123456789abcdef0123456789abcdef";
inline const std::string view_token = "fedcba9876543210fedcba9876543210";

/// A server on a real port, with a window that is none.
class ServeServer : public testing::Test {
 protected:
  explicit ServeServer(std::chrono::milliseconds request_time = std::chrono::seconds(10),
                       std::chrono::milliseconds idle_time = std::chrono::seconds(60),
                       std::uint64_t largest_upload = 100000)
      : uploads_(folder_.path(), {.largest = largest_upload, .total = 250000}) {
    window_ = std::thread([this] {
      while (!ending_) {
        desk_.wait(0.01);
        for (const auto& errand : desk_.take_errands()) errand();
      }
    });
    server_ = std::make_unique<Server>(
        ServerOptions{.addresses = {"127.0.0.1"},
                      .access = {.token = token, .view_token = view_token, .hosts = {"localhost"}},
                      .request_time = request_time,
                      .idle_time = idle_time},
        Served{audience_,
               broadcaster_,
               desk_,
               downloads_,
               uploads_,
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

  /// The fields of a browser that an answer has given a cookie, without the cookie's attributes.
  static std::string cookie_in(const std::string& answer) {
    const std::string mark = "Set-Cookie: ";
    const auto at = answer.find(mark) + mark.size();
    return "Host: localhost:1\r\nCookie: " + answer.substr(at, answer.find(';', at) - at) + "\r\n";
  }
  std::string cookie_for(const std::string& secret) const {
    return cookie_in(
        ask("GET /?token=" + secret + " HTTP/1.1\r\nConnection: close\r\nHost: localhost:1\r\n\r\n"));
  }

  test::TemporaryFolder folder_;
  Audience audience_;
  Broadcaster broadcaster_{audience_};
  Desk desk_;
  Downloads downloads_;
  Uploads uploads_;
  std::atomic<bool> ending_{false};
  std::thread window_;
  std::unique_ptr<Server> server_;
};

inline const std::string host = "Host: localhost:1\r\n";
inline const std::string bearer = host + "Authorization: Bearer " + token + "\r\n";
inline const std::string view_bearer = host + "Authorization: Bearer " + view_token + "\r\n";
inline const std::string upgrade =
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/// A server with little patience for requests, and much for connections that ask for nothing.
class HastyServer : public ServeServer {
 protected:
  HastyServer() : ServeServer(std::chrono::milliseconds(500), std::chrono::hours(1)) {}
};

}  // namespace orrery::app::serve
