#include "sim/snapshots/unpack.h"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

#include "sim/core/message.h"

namespace orrery::sim {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t piece = std::size_t{1} << 20;
/// Small files may pack as well as they like.
constexpr std::size_t always_allowed = std::size_t{64} << 20;

[[noreturn]] void refuse_damaged(const FileView& file, std::string_view packing) {
  cannot_read(file.path, fmt::format("it is packed with {}, and cut off or damaged; copy it again", packing));
}

/// The data unpacked so far.
class Unpacked {
 public:
  Unpacked(const FileView& file, const UnpackLimits& limits, Progress* progress)
      : file_(file), limits_(limits), progress_(progress) {}

  /// Room for one more piece. Throws Error where that is beyond the limits.
  std::span<std::byte> room() {
    Ticker(progress_, 0).at(0);
    check();
    if (bytes_.size() < size_ + piece) {
      // Doubling costs no more copies than bytes.
      bytes_.reserve(std::max(size_ + piece, std::min(2 * size_, limits_.bytes + piece)));
      bytes_.resize(size_ + piece);
    }
    return std::span(bytes_).subspan(size_, piece);
  }
  void add(std::size_t count) { size_ += count; }
  std::vector<std::byte> all() {
    bytes_.resize(size_);
    check();
    return std::move(bytes_);
  }

 private:
  const FileView& file_;
  const UnpackLimits& limits_;
  Progress* progress_;
  std::vector<std::byte> bytes_;
  std::size_t size_ = 0;

  void check() const {
    if (size_ > limits_.bytes)
      cannot_read(file_.path,
                  fmt::format("unpacked it has more than {} MB, half of this machine's memory; use "
                              "a smaller file",
                              limits_.bytes / 1'000'000));
    const double most = std::max(static_cast<double>(always_allowed),
                                 limits_.times * static_cast<double>(file_.bytes.size()));
    if (static_cast<double>(size_) > most)
      cannot_read(file_.path,
                  fmt::format("it becomes more than {:.0f} times as large when it is unpacked, which "
                              "no snapshot does; unpack it by hand if you trust it",
                              static_cast<double>(size_) / static_cast<double>(file_.bytes.size()) - 0.5));
  }
};

// ---- gzip ----

struct Inflate {
  z_stream stream{};
  bool good;
  // 15 bits of window, and gzip's own header.
  Inflate() : good(inflateInit2(&stream, 15 + 16) == Z_OK) {}
  Inflate(const Inflate&) = delete;
  Inflate& operator=(const Inflate&) = delete;
  ~Inflate() { inflateEnd(&stream); }
};

/// Gives the stream its next input; counts have 32 bits there.
void feed(z_stream& stream, std::span<const std::byte>& input) {
  if (stream.avail_in > 0) return;
  const auto count = std::min<std::size_t>(input.size(), std::size_t{1} << 30);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): zlib reads only
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(input.data()));
  stream.avail_in = static_cast<uInt>(count);
  input = input.subspan(count);
}

/// Files can be put one after the other; what follows the last one is padding.
bool another_begins(const z_stream& stream, std::span<const std::byte> input) {
  return stream.avail_in + input.size() >= 18 && stream.avail_in >= 2 && stream.next_in[0] == 0x1f &&
         stream.next_in[1] == 0x8b;
}

void unpack_gzip(const FileView& file, Unpacked& result) {
  Inflate inflating;
  if (!inflating.good) throw std::bad_alloc();
  auto& stream = inflating.stream;
  auto input = file.bytes;
  while (true) {
    feed(stream, input);
    const auto room = result.room();
    stream.next_out = reinterpret_cast<Bytef*>(room.data());
    stream.avail_out = static_cast<uInt>(room.size());
    const int state = inflate(&stream, Z_NO_FLUSH);
    result.add(room.size() - stream.avail_out);
    if (state == Z_MEM_ERROR) throw std::bad_alloc();
    if (state == Z_STREAM_END) {
      if (!another_begins(stream, input)) return;
      inflateReset(&stream);
    } else if (state != Z_OK) {
      refuse_damaged(file, "gzip");  // also where nothing follows: Z_BUF_ERROR
    }
  }
}

// ---- zstd ----

/// zstd takes memory for the window that a file's head asks for, whatever comes then. What a file may become
/// needs no larger one.
int largest_window(const FileView& file, const UnpackLimits& limits) {
  constexpr double usual = 8.0 * 1024.0 * 1024.0;  // of zstd -19
  constexpr int most = 27;  // of zstd --ultra -22, the largest that zstd unpacks unasked
  const double becomes = limits.times * static_cast<double>(file.bytes.size());
  return std::min(most, static_cast<int>(std::ceil(std::log2(std::max(usual, becomes)))));
}

[[noreturn]] void refuse_zstd(const FileView& file, std::size_t code) {
  if (ZSTD_getErrorCode(code) != ZSTD_error_frameParameter_windowTooLarge) refuse_damaged(file, "zstd");
  cannot_read(file.path,
              "it is packed with a window that is too large for such a small file; unpack it by hand, or "
              "pack it with zstd -19");
}

void unpack_zstd(const FileView& file, const UnpackLimits& limits, Unpacked& result) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          &ZSTD_freeDStream);
  if (!stream) throw std::bad_alloc();
  ZSTD_DCtx_setParameter(stream.get(), ZSTD_d_windowLogMax, largest_window(file, limits));
  ZSTD_inBuffer input{file.bytes.data(), file.bytes.size(), 0};
  while (true) {
    const auto room = result.room();
    ZSTD_outBuffer output{room.data(), room.size(), 0};
    const auto left = ZSTD_decompressStream(stream.get(), &output, &input);
    if (ZSTD_isError(left) != 0) refuse_zstd(file, left);
    result.add(output.pos);
    if (input.pos < input.size) continue;
    if (left == 0) return;
    if (output.pos < output.size) refuse_damaged(file, "zstd");  // it waits for more input
  }
}

}  // namespace

UnpackLimits::UnpackLimits()
    : bytes(static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) / 2 *
            static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) {}

std::string_view packing_of(std::span<const std::byte> bytes) {
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()),
                               std::min<std::size_t>(bytes.size(), 4));
  if (start.starts_with("\x1f\x8b\x08"sv)) return "gzip";
  if (start.starts_with("\x28\xb5\x2f\xfd"sv)) return "zstd";
  return {};
}

std::vector<std::byte> unpack(const FileView& file, Progress* progress, const UnpackLimits& limits) {
  Unpacked result(file, limits, progress);
  if (packing_of(file.bytes) == "gzip")
    unpack_gzip(file, result);
  else
    unpack_zstd(file, limits, result);
  return result.all();
}

std::filesystem::path unpacked_name(const std::filesystem::path& path) {
  const auto extension = path.extension().string();
  const bool packed = extension == ".gz" || extension == ".zst" || extension == ".zstd";
  return packed && !path.stem().empty() ? path.parent_path() / path.stem() : path;
}

}  // namespace orrery::sim
