#include "app/serve/video_encoder.h"

#include <fmt/format.h>
#include <turbojpeg.h>
#include <vpx/vp8cx.h>
#include <vpx/vpx_encoder.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "sim/core/error.h"

namespace orrery::app::serve {

namespace {

/// Bits of a second of video, as a target: 1 MB a second at 1920 x 1080, less for less.
unsigned kilobits(glm::ivec2 size) {
  const double share = static_cast<double>(size.x) * size.y / (1920.0 * 1080.0);
  return static_cast<unsigned>(std::clamp(6500.0 * share, 1500.0, 16000.0));
}

vpx_codec_enc_cfg_t settings(glm::ivec2 size, unsigned threads) {
  vpx_codec_enc_cfg_t config{};
  if (vpx_codec_enc_config_default(vpx_codec_vp9_cx(), &config, 0) != VPX_CODEC_OK)
    throw sim::Error("libvpx was built without its VP9 encoder; JPEG is left (--codec jpeg)");
  config.g_w = static_cast<unsigned>(size.x);
  config.g_h = static_cast<unsigned>(size.y);
  config.g_timebase = {1, 1000};
  config.g_threads = threads;
  config.g_lag_in_frames = 0;
  config.g_pass = VPX_RC_ONE_PASS;
  config.kf_mode = VPX_KF_DISABLED;
  config.rc_end_usage = VPX_CBR;
  config.rc_target_bitrate = kilobits(size);
  config.rc_min_quantizer = 8;
  config.rc_max_quantizer = 48;
  config.rc_buf_sz = 600;
  config.rc_buf_initial_sz = 400;
  config.rc_buf_optimal_sz = 500;
  config.rc_dropframe_thresh = 0;
  return config;
}

/// Columns of tiles, as a power of two: one for each thread that a picture this wide can have.
int tile_columns(int width, unsigned threads) {
  int columns = 0;
  while ((2 << columns) <= static_cast<int>(threads) && (512 << columns) <= width) ++columns;
  return columns;
}

}  // namespace

struct VideoEncoder::Stream {
  explicit Stream(glm::ivec2 asked) : size(asked) {
    const unsigned threads = std::clamp(std::thread::hardware_concurrency() / 2, 2U, 8U);
    const auto config = settings(size, threads);
    if (vpx_codec_enc_init(&codec, vpx_codec_vp9_cx(), &config, 0) != VPX_CODEC_OK)
      throw sim::Error(fmt::format("libvpx cannot encode pictures of {} x {} pixels: {}", size.x, size.y,
                                   vpx_codec_error(&codec)));
    vpx_codec_control(&codec, VP8E_SET_CPUUSED, 9);
    vpx_codec_control(&codec, VP9E_SET_ROW_MT, 1U);
    vpx_codec_control(&codec, VP9E_SET_TILE_COLUMNS, tile_columns(size.x, threads));
    vpx_codec_control(&codec, VP9E_SET_AQ_MODE, 3U);
    vpx_codec_control(&codec, VP8E_SET_STATIC_THRESHOLD, 1U);
    vpx_codec_control(&codec, VP9E_SET_COLOR_SPACE, static_cast<int>(VPX_CS_BT_709));
    // Parts of the window stand still and others move without any direction.
    vpx_codec_control(&codec, VP8E_SET_MAX_INTRA_BITRATE_PCT, 900U);
    if (vpx_img_alloc(&image, VPX_IMG_FMT_I420, config.g_w, config.g_h, 32) == nullptr) {
      vpx_codec_destroy(&codec);
      throw sim::Error("no memory for the pictures of the video");
    }
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    vpx_img_free(&image);
    vpx_codec_destroy(&codec);
  }

  glm::ivec2 size;
  vpx_codec_ctx_t codec{};
  vpx_image_t image{};
  std::int64_t last = -1;
};

VideoEncoder::VideoEncoder() = default;
VideoEncoder::~VideoEncoder() = default;

void VideoEncoder::reset() { stream_.reset(); }

VideoEncoder::Packet VideoEncoder::encode(const RawPicture& picture, std::int64_t milliseconds, bool key) {
  if (stream_ == nullptr || stream_->size != picture.size) {
    stream_.reset();
    stream_ = std::make_unique<Stream>(picture.size);
    key = true;
  }
  auto& image = stream_->image;
  to_planar(picture, {image.planes[0], image.planes[1], image.planes[2], image.stride[0], image.stride[1]});
  const auto time = std::max(milliseconds, stream_->last + 1);
  const auto duration = stream_->last < 0 ? 33 : std::min<std::int64_t>(time - stream_->last, 1000);
  stream_->last = time;
  auto& codec = stream_->codec;
  if (vpx_codec_encode(&codec, &image, time, static_cast<unsigned long>(duration),
                       key ? VPX_EFLAG_FORCE_KF : 0, VPX_DL_REALTIME) != VPX_CODEC_OK)
    throw sim::Error(fmt::format("libvpx cannot encode a picture: {}", vpx_codec_error(&codec)));
  Packet packet;
  vpx_codec_iter_t place = nullptr;
  while (const auto* part = vpx_codec_get_cx_data(&codec, &place)) {
    if (part->kind != VPX_CODEC_CX_FRAME_PKT) continue;
    const auto* bytes = static_cast<const std::byte*>(part->data.frame.buf);
    packet.bytes.insert(packet.bytes.end(), bytes, bytes + part->data.frame.sz);
    packet.key = packet.key || (part->data.frame.flags & VPX_FRAME_IS_KEY) != 0;
  }
  return packet;
}

std::vector<std::byte> encode_jpeg(const RawPicture& picture, int quality, RowOrder order) {
  const std::unique_ptr<void, int (*)(void*)> compressor(tjInitCompress(), tjDestroy);
  if (compressor == nullptr) throw sim::Error("libturbojpeg cannot start");
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  const int failed =
      tjCompress2(compressor.get(), reinterpret_cast<const unsigned char*>(picture.rgba.data()),
                  picture.size.x, 0, picture.size.y, TJPF_RGBA, &bytes, &size, TJSAMP_444, quality,
                  (order == RowOrder::bottom_first ? TJFLAG_BOTTOMUP : 0) | TJFLAG_FASTDCT);
  const std::unique_ptr<unsigned char, void (*)(unsigned char*)> owned(bytes, tjFree);
  if (failed != 0)
    throw sim::Error(
        fmt::format("libturbojpeg cannot compress a picture: {}", tjGetErrorStr2(compressor.get())));
  const auto* begin = reinterpret_cast<const std::byte*>(bytes);
  return {begin, begin + size};
}

std::vector<std::byte> encode_png(const render::Image& image) {
  std::vector<std::byte> bytes;
  render::encode_png(
      image, {},
      [&](std::span<const std::byte> part) { bytes.insert(bytes.end(), part.begin(), part.end()); },
      render::PngEffort::little);
  return bytes;
}

std::vector<std::byte> encode_still(const RawPicture& picture) {
  render::Image image{picture.size.x, picture.size.y, {}};
  const auto row = static_cast<std::size_t>(picture.size.x) * 4;
  image.rgba.resize(picture.rgba.size());
  for (int y = 0; y < picture.size.y; ++y)
    std::memcpy(image.rgba.data() + static_cast<std::size_t>(y) * row,
                picture.rgba.data() + static_cast<std::size_t>(picture.size.y - 1 - y) * row, row);
  // The window is opaque whatever its alpha says.
  for (std::size_t k = 3; k < image.rgba.size(); k += 4) image.rgba[k] = 255;
  return encode_png(image);
}

}  // namespace orrery::app::serve
