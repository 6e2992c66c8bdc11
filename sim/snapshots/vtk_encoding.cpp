#include "sim/snapshots/vtk_encoding.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

#include "sim/snapshots/vtk_values.h"

namespace orrery::sim {

namespace {

using Unpacked = std::vector<std::byte>;

constexpr std::uint8_t no_digit = 0xff;

constexpr std::array<std::uint8_t, 256> base64_digits() {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(no_digit);
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < letters.size(); ++i)
    digits.at(static_cast<unsigned char>(letters[i])) = static_cast<std::uint8_t>(i);
  return digits;
}

/// The next character that is no blank; 0 at the end.
char next_letter(std::string_view text, std::size_t& at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r'))
    ++at;
  return at < text.size() ? text[at++] : '\0';
}

/// Appends the bytes of the next four letters; false at the end or for what is no base64. Parts that were
/// encoded for themselves, with padding in between, follow each other as if they were one.
bool decode_four(std::string_view text, std::size_t& at, Unpacked& to) {
  static constexpr auto digits = base64_digits();
  std::uint32_t bits = 0;
  int letters = 0, padding = 0;
  for (int k = 0; k < 4; ++k) {
    const char c = next_letter(text, at);
    const auto digit = digits.at(static_cast<unsigned char>(c));
    if (c == '=' ? k < 2 : digit == no_digit || padding > 0) return false;
    if (c == '=') ++padding;
    if (c != '=') ++letters;
    bits = (bits << 6) | (c == '=' ? 0U : digit);
  }
  for (int k = 0; k < letters - 1; ++k) to.push_back(static_cast<std::byte>((bits >> (16 - 8 * k)) & 0xff));
  return true;
}

/// Bytes from the front of the content, whatever they are written in.
class Source {
 public:
  Source(std::string_view content, bool base64) : content_(content), base64_(base64) {}

  /// The next `count` bytes; empty if there are fewer. Valid until the next call.
  std::optional<std::span<const std::byte>> take(std::size_t count) {
    if (base64_) return decoded(count);
    if (count > content_.size() - at_) return std::nullopt;
    const auto bytes = std::as_bytes(std::span(content_)).subspan(at_, count);
    at_ += count;
    return bytes;
  }
  /// No more bytes than this can follow.
  std::size_t left() const {
    const auto rest = content_.size() - at_;
    return (base64_ ? rest / 4 * 3 : rest) + (decoded_.size() - used_);
  }

 private:
  std::optional<std::span<const std::byte>> decoded(std::size_t count) {
    if (count > left()) return std::nullopt;
    decoded_.erase(decoded_.begin(), decoded_.begin() + static_cast<std::ptrdiff_t>(used_));
    used_ = 0;
    while (decoded_.size() < count) {
      if (!decode_four(content_, at_, decoded_)) return std::nullopt;
    }
    used_ = count;
    return std::span<const std::byte>(decoded_).first(count);
  }

  std::string_view content_;
  bool base64_;
  std::size_t at_ = 0;
  Unpacked decoded_;
  std::size_t used_ = 0;
};

class Decoder {
 public:
  Decoder(std::string_view content, const VtkEncoding& encoding, std::optional<std::size_t> expected,
          std::string& problem)
      : source_(content, encoding.base64), encoding_(encoding), expected_(expected), problem_(problem) {}

  std::optional<Unpacked> decode() { return encoding_.zlib ? packed() : plain(); }

 private:
  std::optional<Unpacked> fail(std::string_view why) {
    problem_ = why;
    return std::nullopt;
  }

  std::optional<std::uint64_t> count() {
    const std::size_t size = encoding_.long_headers ? 8 : 4;
    const auto bytes = source_.take(size);
    if (!bytes) return std::nullopt;
    std::array<std::byte, 8> native{};
    std::ranges::copy(*bytes, native.begin());
    to_native(std::span(native).first(size), size, encoding_.big_endian);
    std::uint64_t value = 0;
    std::memcpy(&value, native.data(), size);  // the rest is 0
    return value;
  }

  bool is_expected(std::uint64_t bytes) const { return !expected_ || bytes == *expected_; }

  std::optional<Unpacked> plain() {
    const auto size = count();
    if (!size) return fail("is cut off");
    if (!is_expected(*size)) return fail("has another size than its points ask for");
    const auto bytes = source_.take(*size);
    if (!bytes) return fail("is cut off");
    return Unpacked(bytes->begin(), bytes->end());
  }

  /// Number of blocks, size of each, size of the last if it is smaller (else 0), packed size of each.
  std::optional<Unpacked> packed() {
    const auto blocks = count(), block = count(), last = count();
    if (!blocks || !block || !last) return fail("is cut off");
    const auto word = encoding_.long_headers ? 8U : 4U;
    if (*blocks > source_.left() / word) return fail("is cut off");
    // Blocks of more than this are not written by anybody; it keeps the product from overflowing.
    constexpr std::uint64_t largest = std::uint64_t{1} << 30;
    if (*block > largest || *last > *block) return fail("has packed blocks of a size that makes no sense");
    const auto total = *blocks == 0 ? 0 : (*last == 0 ? *blocks : *blocks - 1) * *block + *last;
    if (!is_expected(total)) return fail("has another size than its points ask for");
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t k = 0; k < *blocks; ++k) sizes.push_back(count().value_or(0));
    Unpacked bytes;
    for (std::uint64_t k = 0; k < *blocks; ++k) {
      const bool is_short = k + 1 == *blocks && *last != 0;
      if (!unpack(sizes[k], is_short ? *last : *block, bytes)) return std::nullopt;
    }
    return bytes;
  }

  /// Grows with what has been unpacked, so that a size that is a lie costs one block.
  bool unpack(std::uint64_t packed_size, std::uint64_t size, Unpacked& to) {
    const auto packed = source_.take(packed_size);
    // zlib packs a thousand bytes into one at best.
    constexpr std::uint64_t best_ratio = 1100;
    if (!packed || size > (packed_size + 16) * best_ratio) {
      problem_ = "is cut off";
      return false;
    }
    const auto begin = to.size();
    to.resize(begin + size);
    auto unpacked = static_cast<uLongf>(size);
    const int result =
        ::uncompress(reinterpret_cast<Bytef*>(to.data() + begin), &unpacked,
                     reinterpret_cast<const Bytef*>(packed->data()), static_cast<uLong>(packed->size()));
    if (result == Z_OK && unpacked == size) return true;
    problem_ = "is damaged in a packed block";
    return false;
  }

  Source source_;
  const VtkEncoding& encoding_;
  std::optional<std::size_t> expected_;
  std::string& problem_;
};

}  // namespace

std::optional<std::vector<std::byte>> decode_vtk(std::string_view content, const VtkEncoding& encoding,
                                                 std::optional<std::size_t> expected, std::string& problem) {
  return Decoder(content, encoding, expected, problem).decode();
}

}  // namespace orrery::sim
