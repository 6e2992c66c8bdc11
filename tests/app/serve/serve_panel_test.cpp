// The panel as lists: what a browser makes of the differences, and how few bytes these are.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "app/serve/panel_lists.h"
#include "app/serve/picture_message.h"

namespace orrery::app::serve {

namespace {

using Bytes = std::vector<std::byte>;

/// What the page does: reads the differences and makes the next list of the one before.
class Reader {
 public:
  explicit Reader(const std::string& message) : bytes_(std::size_t{1} << 22U) {
    uLongf size = bytes_.size();
    EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(bytes_.data()), &size,
                         reinterpret_cast<const Bytef*>(message.data()), message.size()),
              Z_OK);
    bytes_.resize(size);
  }

  Bytes list(const Bytes& before, std::size_t unit) {
    const auto units = number();
    std::vector<std::uint32_t> steps(std::size_t{3} * number());
    for (auto& each : steps) each = number();
    Bytes now;
    for (std::size_t k = 0; k < steps.size(); k += 3) {
      const auto from = before.begin() + static_cast<std::ptrdiff_t>(steps[k] * unit);
      now.insert(now.end(), from, from + static_cast<std::ptrdiff_t>(steps[k + 1] * unit));
      const auto fresh = bytes_.begin() + static_cast<std::ptrdiff_t>(at_);
      now.insert(now.end(), fresh, fresh + static_cast<std::ptrdiff_t>(steps[k + 2] * unit));
      at_ += steps[k + 2] * unit;
    }
    EXPECT_EQ(now.size(), units * unit);
    return now;
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  Bytes bytes_;
  std::size_t at_ = 0;

  std::uint32_t number() {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes_.data() + at_, 4);
    at_ += 4;
    return value;
  }
};

PanelLists read(const std::string& message, const PanelLists& before) {
  Reader reader(message);
  PanelLists now;
  now.commands = reader.list(before.commands, command_bytes);
  now.vertices = reader.list(before.vertices, vertex_bytes);
  now.indices = reader.list(before.indices, index_bytes);
  EXPECT_TRUE(reader.at_end());
  return now;
}

/// Letters in a row, as quads of four vertices and six indices.
PanelLists letters(const std::string& text, int left) {
  PanelLists lists;
  for (const int each : {0, 0, 640, 480, 1, 0})
    put_number(lists.commands, static_cast<std::uint64_t>(each), 2);
  put_number(lists.commands, 0, 4);
  put_number(lists.commands, 6 * text.size(), 4);
  int x = left;
  for (const char letter : text) {
    for (int corner = 0; corner < 4; ++corner) {
      // The first corner follows the last one of the letter before.
      put_number(lists.vertices, static_cast<std::uint16_t>(corner % 2 == 0 ? x : 56), 2);
      put_number(lists.vertices, static_cast<std::uint16_t>(corner == 2 ? 96 : 0), 2);
      put_number(lists.vertices, static_cast<std::uint16_t>(letter * 64 + corner), 2);
      put_number(lists.vertices, static_cast<std::uint16_t>(letter * 131), 2);
      put_number(lists.vertices, 0xffe0d0c0U, 4);
    }
    x = 8;
    for (const int step : {0, 1, 1, -2, 2, 1}) put_number(lists.indices, static_cast<std::uint16_t>(step), 2);
  }
  return lists;
}

std::string long_text() {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> letter('a', 'z');
  std::string text;
  for (int k = 0; k < 1500; ++k) text += static_cast<char>(letter(random));
  return text;
}

TEST(ServePanel, AFrameComesBackAsItWas) {
  PanelEncoder encoder;
  PanelLists shown;
  for (const std::string text : {"panel", "", "a panel", "the panel of a window", "panel"}) {
    const auto now = letters(text, 80);
    shown = read(encoder.encode(now, false), shown);
    EXPECT_EQ(shown, now) << text;
  }
}

TEST(ServePanel, WhoeverComesLaterGetsAllOfIt) {
  PanelEncoder encoder;
  encoder.encode(letters("before", 0), false);
  const auto now = letters("before and after", 0);
  EXPECT_EQ(read(encoder.encode(now, true), {}), now);
}

TEST(ServePanel, AnythingMayChange) {
  std::mt19937 random(3);
  PanelEncoder encoder;
  PanelLists shown;
  auto text = long_text().substr(0, 300);
  for (int round = 0; round < 60; ++round) {
    const auto at = random() % text.size();
    switch (random() % 4) {
      case 0:
        text.insert(at, std::string(random() % 20, 'z'));
        break;
      case 1:
        text.erase(at, random() % 20);
        break;
      case 2:
        std::swap(text[at], text[random() % text.size()]);
        break;
      default:
        std::rotate(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), text.end());
    }
    text += 'x';
    const auto now = letters(text, static_cast<int>(random() % 640));
    shown = read(encoder.encode(now, round % 17 == 0), round % 17 == 0 ? PanelLists{} : shown);
    ASSERT_EQ(shown, now) << round;
  }
}

TEST(ServePanel, WhatStaysCostsNextToNothing) {
  const auto text = long_text();
  PanelEncoder encoder;
  const auto whole = encoder.encode(letters(text, 80), true).size();
  EXPECT_GT(whole, 3500U);
  EXPECT_LT(encoder.encode(letters(text, 80), false).size(), 100U) << "nothing changed";
  EXPECT_LT(encoder.encode(letters(text, 96), false).size(), 200U) << "moved as a whole";
  auto other = text;
  for (const std::size_t place : {100U, 700U, 1300U}) other.replace(place, 3, "12345");
  EXPECT_LT(encoder.encode(letters(other, 96), false).size(), 800U) << "three numbers have more digits";
  EXPECT_LT(encoder.encode(letters(other.substr(200), 96), false).size(), 300U) << "scrolled";
}

}  // namespace

}  // namespace orrery::app::serve
