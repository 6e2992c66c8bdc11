#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "app/serve/planar_picture.h"
#include "render/picture/image.h"

namespace orrery::app::serve {

/// The row that a picture in memory begins with.
enum class RowOrder { bottom_first, top_first };

/// VP9 for one stream of pictures, as fast as they come and without waiting for the next one (libvpx). Not
/// for several threads at once.
class VideoEncoder {
 public:
  VideoEncoder();
  ~VideoEncoder();
  VideoEncoder(const VideoEncoder&) = delete;
  VideoEncoder& operator=(const VideoEncoder&) = delete;

  struct Packet {
    std::vector<std::byte> bytes;
    bool key = false;
  };
  /// Encodes a picture that was drawn at `milliseconds`, later than the one before. A picture of another size
  /// starts a new stream, with a key frame. Throws sim::Error if libvpx fails.
  Packet encode(const RawPicture& picture, std::int64_t milliseconds, bool key);
  /// Gives its memory back. The next picture starts a new stream.
  void reset();

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

/// A JPEG of the picture (libturbojpeg), with full colour resolution: text stays legible. Throws sim::Error.
std::vector<std::byte> encode_jpeg(const RawPicture& picture, int quality,
                                   RowOrder order = RowOrder::bottom_first);

/// A PNG, compressed lightly: of an image, or of a picture in memory. Throws render::Error.
std::vector<std::byte> encode_png(const render::Image& image);
std::vector<std::byte> encode_still(const RawPicture& picture);

}  // namespace orrery::app::serve
