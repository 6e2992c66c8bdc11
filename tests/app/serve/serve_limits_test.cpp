// What one client must not do to the others: large files, many connections, full disks.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/serve/served.h"
#include "tests/app/serve/server_testing.h"
#include "tests/eventually.h"
#include "tests/peak_memory.h"

namespace orrery::app::serve {

namespace {

namespace fs = std::filesystem;

class ServedFiles : public ServeServer {
 protected:
  using ServeServer::ServeServer;
  /// Offers a file of this size, of digits that count its blocks of eight bytes; empty where it is huge.
  fs::path offer(const std::string& name, std::uint64_t size) {
    const auto path = written_ / name;
    std::ofstream file(path, std::ios::binary);
    constexpr std::uint64_t huge = 1U << 28U;
    if (size < huge)
      for (std::uint64_t k = 0; k < size / 8; ++k) file << fmt::format("{:08}", k);
    file.close();
    fs::resize_file(path, size);
    downloads_.offer(path);
    return path;
  }
  std::string get(const std::string& name, const std::string& fields = "", const char* method = "GET") const {
    return ask(
        fmt::format("{} /files/{} HTTP/1.1\r\nConnection: close\r\n{}{}\r\n", method, name, bearer, fields));
  }
  static std::string body_of(const std::string& answer) { return answer.substr(answer.find("\r\n\r\n") + 4); }
  static std::string field_of(const std::string& answer, const std::string& name) {
    const auto at = answer.find(name + ": ");
    if (at == std::string::npos) return {};
    const auto begin = at + name.size() + 2;
    return answer.substr(begin, answer.find('\r', begin) - begin);
  }

  test::TemporaryFolder written_;
};

TEST_F(ServedFiles, ADownloadTakesNoMemoryAndNobodysTime) {
  constexpr std::uint64_t size = std::uint64_t{1} << 40U;
  offer("film.mp4", size);
  const auto before = test::peak_memory();
  EXPECT_EQ(field_of(get("film.mp4", "", "HEAD"), "Content-Length"), std::to_string(size));
  // Ten clients that take little of it, and one that asks for something else meanwhile.
  std::vector<std::unique_ptr<RawConnection>> crowd;
  for (int k = 0; k < 10; ++k) {
    crowd.push_back(std::make_unique<RawConnection>(server_->port()));
    crowd.back()->send("GET /files/film.mp4 HTTP/1.1\r\n" + view_bearer + "\r\n");
    EXPECT_EQ(crowd.back()->receive(1000).substr(0, 12), "HTTP/1.1 200");
  }
  EXPECT_EQ(status("GET /status.json", bearer), 200);
  EXPECT_LT(test::peak_memory() - before, 64U << 20U);
}

TEST_F(ServedFiles, RangesOfAFile) {
  offer("a.bin", 800000);
  const auto whole = get("a.bin");
  EXPECT_EQ(body_of(whole).size(), 800000U);
  EXPECT_EQ(body_of(whole).substr(80000, 8), "00010000");
  EXPECT_EQ(field_of(whole, "Accept-Ranges"), "bytes");
  const auto part = get("a.bin", "Range: bytes=80000-80007\r\n");
  EXPECT_EQ(part.substr(9, 3), "206");
  EXPECT_EQ(body_of(part), "00010000");
  EXPECT_EQ(field_of(part, "Content-Range"), "bytes 80000-80007/800000");
  const auto none = get("a.bin", "Range: bytes=800000-\r\n");
  EXPECT_EQ(none.substr(9, 3), "416");
  EXPECT_EQ(field_of(none, "Content-Range"), "bytes */800000");
  // A part of another state of the file is of no use.
  const auto tag = field_of(whole, "ETag");
  EXPECT_EQ(get("a.bin", "Range: bytes=0-7\r\nIf-Range: " + tag + "\r\n").substr(9, 3), "206");
  EXPECT_EQ(get("a.bin", "Range: bytes=0-7\r\nIf-Range: \"other\"\r\n").substr(9, 3), "200");
  const auto head = get("a.bin", "Range: bytes=0-7\r\n", "HEAD");
  EXPECT_EQ(head.substr(9, 3), "200");
  EXPECT_EQ(body_of(head), "");
}

TEST_F(ServedFiles, WhatTookThePlaceOfAFileIsNotSent) {
  const auto path = offer("a.bin", 1000);
  fs::remove(path);
  EXPECT_EQ(get("a.bin").substr(9, 3), "410");
  fs::create_symlink("/etc/passwd", path);
  EXPECT_EQ(get("a.bin").substr(9, 3), "410");
  fs::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(get("a.bin").substr(9, 3), "410");
  fs::remove(path);
  fs::create_directory(path);
  EXPECT_EQ(get("a.bin").substr(9, 3), "410");
  EXPECT_EQ(status("GET /status.json", bearer), 200);
}

TEST_F(ServedFiles, AFileThatShrinksEndsItsConnection) {
  constexpr std::uint64_t size = 256U << 20U;
  const auto path = offer("a.bin", size);
  const RawConnection slow(server_->port());
  slow.send("GET /files/a.bin HTTP/1.1\r\n" + bearer + "\r\n");
  const auto begun = slow.receive(1000);
  fs::resize_file(path, 10);
  EXPECT_LT(begun.size() + slow.receive().size(), size);
  EXPECT_EQ(status("GET /status.json", bearer), 200);
}

class SlowClient : public ServedFiles {
 protected:
  SlowClient() : ServedFiles(std::chrono::seconds(10), std::chrono::seconds(3)) {}
};

TEST_F(SlowClient, GetsAFileThatTakesLongerThanAPartMay) {
  using Clock = std::chrono::steady_clock;
  constexpr std::uint64_t size = 64U << 20U;
  offer("a.bin", size);
  // A busy machine may stop this test itself for longer than a part may take: then it tries again.
  ASSERT_TRUE(test::eventually([&] {
    const RawConnection slow(server_->port(), 65536);
    slow.send("GET /files/a.bin HTTP/1.1\r\n" + bearer + "\r\n");
    const auto begin = Clock::now();
    std::uint64_t got = 0;
    while (const auto count = slow.receive(1U << 18U).size()) {
      got += count;
      if (got >= size) break;
      std::this_thread::sleep_until(begin + std::chrono::milliseconds(5000 * got / size));
    }
    return got >= size && Clock::now() - begin > std::chrono::seconds(4);
  }));
}

TEST_F(ServeServer, StrangersCannotTakeAllConnections) {
  const RawConnection proven(server_->port());
  proven.send("GET /status.json HTTP/1.1\r\n" + bearer + "\r\n");
  EXPECT_NE(proven.receive(10), "");
  std::vector<std::unique_ptr<RawConnection>> crowd;
  for (int k = 0; k < 400; ++k) crowd.push_back(std::make_unique<RawConnection>(server_->port()));
  // Half a request each, and no more.
  for (const auto& each : crowd) each->send("GET / HTTP/1.1\r\nHos");
  EXPECT_EQ(status("GET /status.json", bearer), 200);
  EXPECT_TRUE(crowd.front()->can_receive()) << "the oldest one makes room";
  EXPECT_FALSE(crowd.back()->can_receive());
  proven.receive(100);
  proven.send("GET /status.json HTTP/1.1\r\n" + bearer + "\r\n");
  EXPECT_NE(proven.receive(10), "") << "who has shown a token stays";
}

TEST_F(ServeServer, WatchersCannotTakeTheConnectionsOfOthers) {
  std::vector<std::unique_ptr<RawConnection>> crowd;
  std::string last;
  for (int k = 0; k < 300; ++k) {
    crowd.push_back(std::make_unique<RawConnection>(server_->port()));
    crowd.back()->send("GET /style.css HTTP/1.1\r\n" + view_bearer + "\r\n");
    last = crowd.back()->receive(12);
  }
  EXPECT_EQ(last, "HTTP/1.1 503");
  EXPECT_EQ(status("GET /status.json", bearer), 200);
}

TEST_F(ServeServer, RequestsThatCanBeReadInTwoWaysAreRefused) {
  const std::string follows = "GET /status.json HTTP/1.1\r\n" + bearer + "\r\n";
  const auto answers = [&](const std::string& request) {
    std::string codes;
    const auto answer = ask(request + follows);
    for (auto at = answer.find("HTTP/1.1 "); at != std::string::npos; at = answer.find("HTTP/1.1 ", at + 1))
      codes += answer.substr(at + 9, 3) + " ";
    return codes;
  };
  const auto get = "GET /status.json HTTP/1.1\r\n" + bearer, post = "POST /options HTTP/1.1\r\n" + bearer;
  // One answer each: what follows is no request.
  for (const auto& request : {
           get + "Host: evil.example\r\n\r\n",
           "GET /status.json HTTP/1.1\r\nHost: evil.example\r\n" + bearer + "\r\n",
           std::string("GET /status.json HTTP/1.1\r\n\r\n"),
           get + "Authorization: Bearer x\r\n\r\n",
           post + "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx",
           post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nx",
           post + "Content-Length: 1, 1\r\n\r\nx",
           post + "Content-Length: -1\r\n\r\n",
           post + "Content-Length: 0x1\r\n\r\nx",
           post + "Content-Length: 99999999999999999999\r\n\r\n",
           post + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
           post + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n",
           post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
           post + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n",
           std::string("GET http://evil.example/status.json HTTP/1.1\r\n") + bearer + "\r\n",
           std::string("GET /status.json HTTP/9.9\r\n") + bearer + "\r\n",
           std::string("GET  /status.json HTTP/1.1\r\n") + bearer + "\r\n",
           std::string("GET /status.json\r\n\r\n"),
           get + "X y: z\r\n\r\n",
           "GET /status.json HTTP/1.1\r\nHost: localhost:1\r\n more\r\nAuthorization: Bearer " + token +
               "\r\n\r\n",
           get + "X : z\r\n\r\n",
           std::string("\0\0\0\0\r\n\r\n", 8),
           std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11),
       })
    EXPECT_EQ(answers(request), "400 ") << request;
  for (const char* coding : {"xchunked", "identity", "gzip, chunked", "chunked, identity", "chunked;q=1"})
    EXPECT_EQ(answers(post + "Transfer-Encoding: " + coding + "\r\n\r\n"), "501 ") << coding;
  EXPECT_EQ(answers(get + "Expect: 200-ok\r\n\r\n"), "417 ");
  EXPECT_EQ(answers(get + std::string(20000, 'a') + "\r\n\r\n"), "431 ");
}

TEST_F(ServeServer, InvitesTheBodyOfARequestThatItWouldTake) {
  const RawConnection polite(server_->port());
  polite.send("PUT /upload/a.csv HTTP/1.1\r\n" + bearer +
              "Expect: 100-continue\r\nContent-Length: 4\r\n\r\n");
  const std::string invitation = "HTTP/1.1 100 Continue\r\n\r\n";
  EXPECT_EQ(polite.receive(invitation.size()), invitation);
  polite.send("x,y\n");
  EXPECT_EQ(polite.receive(12), "HTTP/1.1 200");
  const RawConnection stranger(server_->port());
  stranger.send("PUT /upload/a.csv HTTP/1.1\r\n" + host +
                "Expect: 100-continue\r\nContent-Length: 4\r\n\r\n");
  EXPECT_EQ(stranger.receive(12), "HTTP/1.1 401");
}

class ServeUploads : public ServeServer {
 protected:
  int put(std::size_t bytes) const { return status("PUT /upload/a.csv", bearer, std::string(bytes, 'x')); }
  std::size_t kept() const { return folder_.entries(); }
};

TEST_F(ServeUploads, HaveATotalLimit) {
  EXPECT_EQ(put(100000), 200);
  EXPECT_EQ(put(100000), 200);
  const auto refused = ask("PUT /upload/a.csv HTTP/1.1\r\n" + bearer + "Content-Length: 100000\r\n\r\n");
  EXPECT_EQ(refused.substr(9, 3), "507");
  EXPECT_NE(refused.find("no room left"), std::string::npos) << refused;
  EXPECT_EQ(put(50000), 200);
  EXPECT_EQ(kept(), 3U);
  // One of unknown size ends where the room does.
  const auto chunk = fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", 1000, std::string(1000, 'x'));
  const auto chunked =
      "PUT /upload/a.csv HTTP/1.1\r\n" + bearer + "Transfer-Encoding: chunked\r\n\r\n" + chunk;
  EXPECT_EQ(ask(chunked).substr(9, 3), "507");
  EXPECT_EQ(kept(), 3U);
}

TEST_F(ServeUploads, ThatBreakOffLeaveNothing) {
  {
    const RawConnection broken(server_->port());
    broken.send("PUT /upload/a.csv HTTP/1.1\r\n" + bearer + "Content-Length: 90000\r\n\r\nx,y\n");
    ASSERT_TRUE(test::eventually([&] { return kept() == 1; }));
  }
  EXPECT_TRUE(test::eventually([&] { return kept() == 0; }));
  EXPECT_EQ(put(100000), 200);
  EXPECT_EQ(put(100000), 200) << "nor does its room stay taken";
}

class NoUploads : public ServeServer {
 protected:
  NoUploads() : ServeServer(std::chrono::seconds(10), std::chrono::seconds(60), 0) {}
};

TEST_F(NoUploads, LeaveLoginAndOptionsAsTheyAre) {
  EXPECT_EQ(status("POST /login", host, "token=" + token), 303);
  EXPECT_EQ(status("POST /options", bearer, "name=theta&value=1"), 200);
  EXPECT_EQ(status("POST /login", host, std::string(70000, 'a')), 413);
  for (const auto* bytes : {"", "x,y\n"}) EXPECT_EQ(status("PUT /upload/a.csv", bearer, bytes), 413) << bytes;
  EXPECT_EQ(ask("PUT /upload/a.csv HTTP/1.1\r\n" + bearer + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n")
                .substr(9, 3),
            "413");
  EXPECT_EQ(folder_.entries(), 0U);
}

/// Every write of more than 4096 bytes to a file fails, as on a full disk.
class FullDisk : public ServeUploads {
 protected:
  FullDisk() {
    getrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{4096, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() override {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, SIG_DFL);
  }

 private:
  rlimit before_{};
};

TEST_F(FullDisk, IsSaidInOneLine) {
  const auto answer = ask("PUT /upload/a.csv HTTP/1.1\r\nConnection: close\r\n" + bearer +
                          "Content-Length: 90000\r\n\r\n" + std::string(90000, 'x'));
  EXPECT_EQ(answer.substr(9, 3), "507") << answer;
  EXPECT_NE(answer.find("cannot keep the file: "), std::string::npos) << answer;
  EXPECT_TRUE(test::eventually([&] { return kept() == 0; }));
}

TEST(Uploads, MakeRoomWhenTheyAreNotInUse) {
  using namespace std::chrono_literals;
  const test::TemporaryFolder folder;
  Uploads uploads(folder.path(), {.largest = 100, .total = 200, .spare_after = 0s, .removed_after = 1h});
  std::string why;
  const auto keep = [&] {
    const auto arrival = uploads.begin(100, why);
    if (!arrival) return fs::path();
    arrival->keep(100);
    return arrival->folder();
  };
  const auto now = Uploads::Clock::now();
  const auto first = keep(), second = keep();
  uploads.note_used({first / "a.csv"}, false, now + 1s);
  const auto third = keep();
  EXPECT_TRUE(fs::exists(first) && fs::exists(third)) << why;
  EXPECT_FALSE(fs::exists(second)) << "the one that was not used for longest";
  // By age.
  EXPECT_EQ(uploads.note_used({first / "a.csv"}, false, now + 2h), (std::vector{second, third}))
      << "what is gone since the last call";
  EXPECT_TRUE(fs::exists(first));
  EXPECT_FALSE(fs::exists(third));
  uploads.note_used({}, true, now + 4h);
  EXPECT_TRUE(fs::exists(first)) << "something is being read";
  uploads.note_used({}, false, now + 6h);
  EXPECT_FALSE(fs::exists(first));
  EXPECT_FALSE(uploads.begin(300, why)) << "more than the total";
}

/// A watcher on many connections would keep the window's thread busy.
TEST(SharedAnswers, AreMadeOnceForAllWhoAsk) {
  using namespace std::chrono_literals;
  int made = 0;
  const auto make = [&] { return Response{.body = std::to_string(++made)}; };
  const WindowAnswers window{
      .status = make,
      .options = make,
      .options_page = [&](const FormAnswer& /*answer*/) { return make(); },
      .set_option = [&](const auto& /*name*/, const auto& /*value*/) { return make(); }};
  const auto answers = shared_answers(window, 1h);
  const FormAnswer watcher{.text = "this address is for watching"}, form{.option = "theta", .value = "1"};
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(answers.status().body, "1");
    EXPECT_EQ(answers.options().body, "2");
    EXPECT_EQ(answers.options_page({}).body, "3");
    EXPECT_EQ(answers.options_page(watcher).body, "4") << "another page";
  }
  EXPECT_EQ(answers.options_page(form).body, "5");
  EXPECT_EQ(answers.options_page(form).body, "6") << "for one person alone";
  EXPECT_EQ(answers.set_option("theta", "1").body, "7");
  EXPECT_EQ(answers.status().body, "8") << "whoever has set an option sees it";
  const auto at_once = shared_answers(window, 0ms);
  EXPECT_NE(at_once.status().body, at_once.status().body);
}

/// What is still to arrive is on no disk yet.
TEST(Uploads, TakeNoMoreOfTheDiskThanThereIs) {
  const test::TemporaryFolder folder;
  const auto free = fs::space(folder.path()).available;
  constexpr auto much = std::uint64_t{1} << 60U;
  Uploads uploads(folder.path(), {.largest = much, .total = much});
  std::string why;
  auto first = uploads.begin(free / 5 * 3, why);
  ASSERT_NE(first, nullptr) << why;
  EXPECT_EQ(uploads.begin(free / 5 * 3, why), nullptr);
  EXPECT_NE(why.find("cannot keep the file"), std::string::npos) << why;
  const auto unknown = uploads.begin(std::nullopt, why);
  ASSERT_NE(unknown, nullptr) << why;
  EXPECT_LT(unknown->room(), free / 2) << "one of unknown size";
  EXPECT_EQ(uploads.begin(std::nullopt, why), nullptr);
  first.reset();
  EXPECT_NE(uploads.begin(free / 5 * 2, why), nullptr) << why;
  Uploads none(folder.path(), {.largest = much, .total = much, .left_free = much});
  EXPECT_EQ(none.begin(std::nullopt, why), nullptr) << "some of the disk stays free";
}

}  // namespace

}  // namespace orrery::app::serve
