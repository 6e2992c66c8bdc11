// The video that browsers get: what it shows, who gets it, and when.
#include <gtest/gtest.h>
#include <malloc.h>
#include <vpx/vp8dx.h>
#include <vpx/vpx_decoder.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <mutex>
#include <vector>

#include "app/serve/broadcaster.h"
#include "app/serve/planar_picture.h"
#include "app/serve/video_encoder.h"
#include "tests/eventually.h"

namespace orrery::app::serve {

namespace {

/// A ramp with a bright square at `x`.
std::vector<std::byte> picture_bytes(glm::ivec2 size, int x) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(size.x) * size.y * 4);
  for (int row = 0; row < size.y; ++row)
    for (int column = 0; column < size.x; ++column) {
      auto* pixel = bytes.data() + 4 * (static_cast<std::size_t>(row) * size.x + column);
      const bool square = column >= x && column < x + 16 && row >= 8 && row < 24;
      pixel[0] = static_cast<std::byte>(square ? 240 : column * 200 / size.x);
      pixel[1] = static_cast<std::byte>(square ? 220 : row * 200 / size.y);
      pixel[2] = static_cast<std::byte>(60);
      pixel[3] = static_cast<std::byte>(255);
    }
  return bytes;
}

/// The luma of a picture, top row first.
std::vector<std::uint8_t> luma_of(const RawPicture& picture) {
  const auto width = static_cast<std::size_t>(picture.size.x),
             height = static_cast<std::size_t>(picture.size.y);
  std::vector<std::uint8_t> luma(width * height), blue((width + 1) / 2 * ((height + 1) / 2)),
      red(blue.size());
  to_planar(picture, {luma.data(), blue.data(), red.data(), picture.size.x, (picture.size.x + 1) / 2});
  return luma;
}

TEST(ServePictures, GrayAndWhiteHaveNoColor) {
  for (const int level : {0, 128, 255}) {
    const std::vector<std::byte> bytes(3 * 3 * 4, static_cast<std::byte>(level));
    std::uint8_t luma[9], blue[4], red[4];
    to_planar({{3, 3}, bytes}, {luma, blue, red, 3, 2});
    EXPECT_EQ(luma[8], 16 + (219 * level + 127) / 255);
    for (const int each : {0, 1, 2, 3}) {
      EXPECT_EQ(blue[each], 128);
      EXPECT_EQ(red[each], 128);
    }
  }
}

TEST(ServePictures, TheTopRowIsTheLastOfOpenGl) {
  std::vector<std::byte> bytes(2 * 2 * 4, std::byte{0});
  std::memset(bytes.data() + 8, 255, 8);  // the upper row
  const auto luma = luma_of({{2, 2}, bytes});
  EXPECT_EQ(luma[0], 235);
  EXPECT_EQ(luma[2], 16);
}

TEST(ServePictures, TheVideoShowsThePicture) {
  const glm::ivec2 size(322, 181);
  VideoEncoder encoder;
  vpx_codec_ctx_t decoder{};
  ASSERT_EQ(vpx_codec_dec_init(&decoder, vpx_codec_vp9_dx(), nullptr, 0), VPX_CODEC_OK);
  for (int k = 0; k < 12; ++k) {
    const auto bytes = picture_bytes(size, 10 * k);
    const RawPicture picture{size, bytes};
    const auto packet = encoder.encode(picture, 33 * k, k == 6);
    EXPECT_EQ(packet.key, k == 0 || k == 6);
    ASSERT_EQ(vpx_codec_decode(&decoder, reinterpret_cast<const std::uint8_t*>(packet.bytes.data()),
                               static_cast<unsigned>(packet.bytes.size()), nullptr, 0),
              VPX_CODEC_OK);
    vpx_codec_iter_t place = nullptr;
    const auto* image = vpx_codec_get_frame(&decoder, &place);
    ASSERT_NE(image, nullptr);
    ASSERT_EQ(glm::ivec2(image->d_w, image->d_h), size);
    const auto luma = luma_of(picture);
    double squares = 0.0;
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x)
        squares += std::pow(
            luma[static_cast<std::size_t>(y * size.x + x)] - image->planes[0][y * image->stride[0] + x], 2);
    const double noise = 10.0 * std::log10(255.0 * 255.0 * size.x * size.y / squares);
    EXPECT_GT(noise, 32.0) << "dB, picture " << k;
  }
  vpx_codec_destroy(&decoder);
}

/// A browser that notes what it gets.
struct Browser {
  std::mutex mutex;
  std::vector<std::string> got;
  Audience::Send send() {
    return [this](const std::shared_ptr<const Outgoing>& message) {
      const std::lock_guard lock(mutex);
      if (!message->text) got.push_back(message->bytes);
    };
  }
  std::size_t count() {
    const std::lock_guard lock(mutex);
    return got.size();
  }
  std::uint32_t number(std::size_t k) {
    const std::lock_guard lock(mutex);
    std::uint32_t number = 0;
    std::memcpy(&number, got.at(k).data() + 4, 4);
    return number;
  }
  int kind(std::size_t k) {
    const std::lock_guard lock(mutex);
    return got.at(k)[0];
  }
};

class ServeBroadcast : public testing::Test {
 protected:
  /// Shows a picture and waits until it was looked at.
  void show(int x, std::shared_ptr<const PanelLists> panel = nullptr) {
    auto& bytes = shown_.emplace_back(std::make_unique<std::vector<std::byte>>(picture_bytes(size_, x)));
    std::atomic<bool> given_back{false};
    broadcaster_.take({{size_, *bytes}, size_, std::move(panel)}, [&] { given_back = true; });
    ASSERT_TRUE(test::eventually([&] { return given_back.load(); }));
  }

  glm::ivec2 size_{320, 180};
  std::vector<std::unique_ptr<std::vector<std::byte>>> shown_;
  Audience audience_{std::chrono::hours(1)};  // however busy the machine is
  Broadcaster broadcaster_{audience_};
  Browser browser_;
};

TEST_F(ServeBroadcast, NobodyIsSentAnythingBeforeItSaysWhatItDecodes) {
  audience_.join(Role::drives, browser_.send());
  EXPECT_FALSE(broadcaster_.wants_picture());
  show(0);
  EXPECT_EQ(browser_.count(), 0U);
}

TEST_F(ServeBroadcast, TwoPicturesAreUnderWayAtMost) {
  const auto id = audience_.join(Role::drives, browser_.send());
  audience_.set_codec(id, Codec::vp9, false);
  for (int k = 0; k < 5; ++k) show(20 * k);
  EXPECT_EQ(browser_.count(), 2U);
  EXPECT_EQ(browser_.kind(0), 1);
  EXPECT_EQ(browser_.kind(1), 2);
  EXPECT_FALSE(broadcaster_.wants_picture());
  audience_.drawn(id, browser_.number(0));
  EXPECT_TRUE(broadcaster_.wants_picture());
  show(200);
  EXPECT_EQ(browser_.count(), 3U);
  EXPECT_EQ(browser_.number(2), 6U);  // the newest, not the one that waited
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(ServeBroadcast, MemoryOfLargePicturesIsGivenBack) {
  const auto in_use = [] { return ::mallinfo2().uordblks + ::mallinfo2().hblkhd; };
  size_ = {2000, 1000};
  show(0);
  const auto before = in_use();
  broadcaster_.forget();
  EXPECT_LT(in_use() + shown_.front()->size() - 100000, before);
}
#endif

TEST_F(ServeBroadcast, APictureThatStandsStillIsSentOnceWithoutLoss) {
  const auto id = audience_.join(Role::drives, browser_.send());
  audience_.set_codec(id, Codec::jpeg, false);
  show(0);
  EXPECT_EQ(browser_.count(), 1U);
  EXPECT_EQ(browser_.kind(0), 3);
  audience_.drawn(id, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(browser_.count(), 1U) << "nobody has seen yet that the picture stands still";
  show(0);
  ASSERT_EQ(browser_.count(), 2U);
  EXPECT_EQ(browser_.kind(1), 4);
  audience_.drawn(id, 1);
  show(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  EXPECT_EQ(browser_.count(), 2U);
}

TEST_F(ServeBroadcast, AnotherDecoderGetsAKeyFrame) {
  const auto id = audience_.join(Role::drives, browser_.send());
  audience_.set_codec(id, Codec::vp9, false);
  show(0);
  audience_.drawn(id, 1);
  audience_.needs_key(id);
  ASSERT_TRUE(test::eventually([&] {
    show(static_cast<int>(shown_.size()));
    return browser_.count() > 1 && browser_.kind(browser_.count() - 1) == 1;
  }));
}

std::shared_ptr<const PanelLists> panel_of(std::size_t commands) {
  auto lists = std::make_shared<PanelLists>();
  lists->commands.resize(commands * command_bytes);
  return lists;
}

TEST_F(ServeBroadcast, ThePanelTravelsAloneWhereThePictureStays) {
  const auto id = audience_.join(Role::drives, browser_.send());
  audience_.set_codec(id, Codec::vp9, true);
  EXPECT_FALSE(broadcaster_.wants_panel_in_picture());
  show(0, panel_of(1));
  audience_.drawn(id, 1);
  show(0, panel_of(2));
  ASSERT_EQ(browser_.count(), 2U);
  EXPECT_EQ(browser_.kind(0), 1);
  EXPECT_EQ(browser_.kind(1), 0);
  EXPECT_LT(browser_.got[1].size(), 100U);
  EXPECT_EQ(browser_.got[1][1], 1) << "the panel is in lists";
  // What has not changed is not sent again.
  audience_.drawn(id, 2);
  show(0, panel_of(2));
  EXPECT_LT(browser_.count(), 4U);
  for (std::size_t k = 2; k < browser_.count(); ++k) EXPECT_EQ(browser_.kind(k), 4) << "without loss";
}

TEST_F(ServeBroadcast, WhoCannotDrawThePanelGetsItInThePicture) {
  audience_.set_codec(audience_.join(Role::drives, browser_.send()), Codec::vp9, true);
  EXPECT_FALSE(broadcaster_.wants_panel_in_picture());
  Browser other;
  const auto id = audience_.join(Role::watches, other.send());
  EXPECT_FALSE(broadcaster_.wants_panel_in_picture()) << "it has not said yet what it can do";
  audience_.set_codec(id, Codec::jpeg, false);
  EXPECT_TRUE(broadcaster_.wants_panel_in_picture());
  show(0);
  EXPECT_EQ(browser_.got.at(0)[1], 0) << "the panel is part of the picture";
  audience_.leave(id);
  EXPECT_FALSE(broadcaster_.wants_panel_in_picture());
}

TEST_F(ServeBroadcast, AScreenshotHasThePanelAndGoesToNobodyElse) {
  audience_.set_codec(audience_.join(Role::drives, browser_.send()), Codec::vp9, true);
  std::atomic<bool> taken{false};
  broadcaster_.request_screenshot([&](const auto&) { taken = true; });
  EXPECT_TRUE(broadcaster_.wants_panel_in_picture());
  show(0, panel_of(1));
  EXPECT_FALSE(taken) << "the panel is not in it";
  const auto count = browser_.count();
  show(40);
  EXPECT_TRUE(taken);
  EXPECT_EQ(browser_.count(), count);
  EXPECT_FALSE(broadcaster_.wants_panel_in_picture());
}

TEST_F(ServeBroadcast, AScreenshotNeedsNobody) {
  std::atomic<bool> taken{false};
  broadcaster_.request_screenshot(
      [&](const auto& png) { taken = png->size() > 8 && (*png)[1] == std::byte{'P'}; });
  EXPECT_TRUE(broadcaster_.wants_picture());
  show(0);
  EXPECT_TRUE(test::eventually([&] { return taken.load(); }));
}

TEST_F(ServeBroadcast, ScreenshotsCostNobodyMoreThanEverySecondFrame) {
  const auto id = audience_.join(Role::drives, browser_.send());
  audience_.set_codec(id, Codec::jpeg, true);
  std::vector<std::shared_ptr<const std::vector<std::byte>>> pngs;
  std::vector<std::chrono::steady_clock::time_point> times;
  const auto ask = [&] {
    broadcaster_.request_screenshot([&](const auto& png) {
      pngs.push_back(png);
      times.push_back(std::chrono::steady_clock::now());
    });
  };
  for (int k = 0; k < 3; ++k) ask();
  show(0);
  ASSERT_EQ(pngs.size(), 3U);
  EXPECT_EQ(pngs[0], pngs[2]) << "one for all";
  ask();
  EXPECT_FALSE(broadcaster_.wants_panel_in_picture()) << "however late it is: a frame is owed";
  EXPECT_TRUE(broadcaster_.wants_picture());
  show(20, panel_of(1));
  EXPECT_EQ(browser_.count(), 1U);
  ASSERT_TRUE(test::eventually([&] { return broadcaster_.wants_panel_in_picture(); }));
  show(40);
  ASSERT_EQ(pngs.size(), 4U);
  EXPECT_GE(times[3] - times[2], std::chrono::milliseconds(900));
}

TEST_F(ServeBroadcast, WhoComesLaterGetsWhatTheOthersHave) {
  const auto first = audience_.join(Role::drives, browser_.send());
  audience_.set_codec(first, Codec::jpeg, true);
  Browser other;
  const auto before = audience_.arrivals();
  audience_.set_codec(audience_.join(Role::watches, other.send()), Codec::jpeg, true);
  audience_.send(std::make_shared<const Outgoing>(Outgoing{"letters"}), before);
  EXPECT_EQ(browser_.count(), 0U);
  EXPECT_EQ(other.count(), 1U);
  audience_.needs_key(first);
  audience_.send(std::make_shared<const Outgoing>(Outgoing{"letters"}), before);
  EXPECT_EQ(browser_.count(), 1U);
}

TEST_F(ServeBroadcast, WhatWaitsToBeSentTakesRoomWhateverTheBrowserSays) {
  std::vector<std::shared_ptr<const Outgoing>> waiting;
  const auto id = audience_.join(Role::watches, [&](const auto& message) {
    if (!message->text) waiting.push_back(message);
  });
  for (int k = 0; k < 5; ++k) {
    audience_.set_codec(id, Codec::jpeg, false);
    show(20 * k);
    audience_.needs_key(id);
    audience_.drawn(id, 1000);
    show(20 * k + 10);
  }
  EXPECT_EQ(waiting.size(), 2U);
  EXPECT_FALSE(broadcaster_.wants_picture());
  waiting.clear();
  EXPECT_TRUE(broadcaster_.wants_picture());
  show(0);
  EXPECT_EQ(waiting.size(), 1U);
}

}  // namespace

}  // namespace orrery::app::serve
