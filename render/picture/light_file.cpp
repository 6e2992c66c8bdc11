#include "render/picture/light_file.h"

#include <fmt/format.h>

#include "render/error.h"

#ifdef ORRERY_OPENEXR
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfInputFile.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfStringAttribute.h>

#include <algorithm>
#include <cstring>
#endif

#include <array>
#include <cstdint>
#include <fstream>
#include <string>
#include <system_error>

namespace orrery::render {

#ifdef ORRERY_OPENEXR

namespace {

constexpr std::array channels{"R", "G", "B"};
constexpr std::size_t bytes_a_pixel = channels.size() * sizeof(float);

/// A file in memory: OpenEXR goes back to its beginning at the end.
class MemoryFile : public Imf::OStream {
 public:
  MemoryFile() : Imf::OStream("the picture") {}
  void write(const char bytes[], int count) override {
    const auto end = at_ + static_cast<std::size_t>(count);
    if (end > bytes_.size()) bytes_.resize(end);
    std::memcpy(bytes_.data() + at_, bytes, static_cast<std::size_t>(count));
    at_ = end;
  }
  std::uint64_t tellp() override { return at_; }
  void seekp(std::uint64_t place) override { at_ = place; }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
};

Imf::Header header_of(glm::ivec2 size, std::span<const PngText> text) {
  Imf::Header header(size.x, size.y);
  header.compression() = Imf::ZIP_COMPRESSION;
  for (const char* name : channels) header.channels().insert(name, Imf::Channel(Imf::FLOAT));
  for (const auto& entry : text) header.insert(entry.keyword.c_str(), Imf::StringAttribute(entry.text));
  return header;
}

/// Where OpenEXR finds or puts rows: `first` is the number of the row that `values` begins with.
Imf::FrameBuffer buffer_of(float* values, std::size_t width, int first) {
  Imf::FrameBuffer buffer;
  const std::size_t row = width * bytes_a_pixel;
  char* base = reinterpret_cast<char*>(values) - static_cast<std::ptrdiff_t>(row) * first;
  for (std::size_t i = 0; i < channels.size(); ++i)
    buffer.insert(channels.at(i), Imf::Slice(Imf::FLOAT, base + i * sizeof(float), bytes_a_pixel, row));
  return buffer;
}

/// Converts exceptions of OpenEXR into Error.
template <typename Do>
auto or_error(const std::string& what, const Do& act) {
  try {
    return act();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(fmt::format("{}: {}", what, error.what()));
  }
}

LightPicture read(Imf::InputFile& file) {
  const auto window = file.header().dataWindow();
  LightPicture light{.size = {window.max.x - window.min.x + 1, window.max.y - window.min.y + 1}};
  const auto width = static_cast<std::size_t>(light.size.x);
  for (const char* name : channels)
    if (file.header().channels().findChannel(name) == nullptr)
      throw Error(fmt::format("it has no channel {}", name));
  light.values.resize(width * static_cast<std::size_t>(light.size.y) * channels.size());
  float* first = light.values.data() - static_cast<std::ptrdiff_t>(channels.size()) * window.min.x;
  file.setFrameBuffer(buffer_of(first, width, window.min.y));
  file.readPixels(window.min.y, window.max.y);
  return light;
}

}  // namespace

bool has_light_files() { return true; }

struct LightFileEncoder::State {
  MemoryFile memory;
  std::unique_ptr<Imf::OutputFile> file;
  std::size_t width = 0;
  int done = 0;
};

LightFileEncoder::LightFileEncoder(glm::ivec2 size, std::span<const PngText> text)
    : state_(std::make_unique<State>()) {
  or_error("no OpenEXR file can be made", [&] {
    state_->width = static_cast<std::size_t>(size.x);
    state_->file = std::make_unique<Imf::OutputFile>(state_->memory, header_of(size, text));
  });
}

LightFileEncoder::~LightFileEncoder() = default;

void LightFileEncoder::add_rows(std::span<const float> values, int rows) {
  or_error("the OpenEXR file cannot be packed", [&] {
    // OpenEXR only reads from it.
    auto* from = const_cast<float*>(values.data());
    state_->file->setFrameBuffer(buffer_of(from, state_->width, state_->done));
    state_->file->writePixels(rows);
    state_->done += rows;
  });
}

std::span<const std::byte> LightFileEncoder::finish() {
  state_->file.reset();
  return state_->memory.bytes();
}

LightPicture read_light_file(const std::filesystem::path& path) {
  return or_error(path.string(), [&] {
    Imf::InputFile file(path.c_str());
    return read(file);
  });
}

#else

namespace {

[[noreturn]] void refuse() {
  throw Error(
      "this program was built without OpenEXR: install libopenexr-dev and build it again, or write a PNG");
}

}  // namespace

bool has_light_files() { return false; }

struct LightFileEncoder::State {};
LightFileEncoder::LightFileEncoder(glm::ivec2 /*size*/, std::span<const PngText> /*text*/) { refuse(); }
LightFileEncoder::~LightFileEncoder() = default;
void LightFileEncoder::add_rows(std::span<const float> /*values*/, int /*rows*/) { refuse(); }
std::span<const std::byte> LightFileEncoder::finish() { refuse(); }
LightPicture read_light_file(const std::filesystem::path& /*path*/) { refuse(); }

#endif

namespace {

[[noreturn]] void refuse_light_header() {
  throw Error("the OpenEXR file is cut off or damaged; copy it again");
}

/// The attributes of a file's first header, one after the other: name, type, size, value. The library takes
/// as much memory as a damaged size says; this no more than the file has.
class LightHeader {
 public:
  explicit LightHeader(const std::filesystem::path& path) : file_(path, std::ios::binary) {
    std::error_code failure;
    size_ = std::filesystem::file_size(path, failure);
    std::array<char, 8> start{};
    if (failure || !file_.read(start.data(), start.size())) refuse_light_header();
  }

  /// The next attribute; false after the last one.
  bool next() {
    name_ = word();
    if (name_.empty()) return false;
    if (++count_ > most_attributes)
      throw Error(fmt::format("the OpenEXR file has more than {} attributes", most_attributes));
    type_ = word();
    std::array<unsigned char, 4> count{};
    if (!file_.read(reinterpret_cast<char*>(count.data()), count.size())) refuse_light_header();
    left_ = count[0] + 0x100U * count[1] + 0x10000U * count[2] + 0x1000000U * count[3];
    if (left_ > size_) refuse_light_header();
    return true;
  }
  const std::string& name() const { return name_; }
  bool is_text() const { return type_ == "string"; }
  /// Either of them once, before the next one.
  void skip() { file_.seekg(left_, std::ios::cur); }
  std::string value() {
    if (left_ > room_) refuse_light_header();
    room_ -= left_;
    std::string text(left_, '\0');
    if (!file_.read(text.data(), left_)) refuse_light_header();
    return text;
  }

 private:
  static constexpr int most_attributes = 10'000;
  std::ifstream file_;
  std::uintmax_t size_ = 0;
  int count_ = 0;
  std::string name_, type_;
  std::uint32_t left_ = 0;                        ///< bytes of its value
  std::uint32_t room_ = std::uint32_t{16} << 20;  ///< bytes that all texts together may still have

  /// Ends with a 0; at most 255 letters.
  std::string word() {
    std::array<char, 256> letters{};
    if (!file_.getline(letters.data(), letters.size(), '\0')) refuse_light_header();
    return letters.data();
  }
};

}  // namespace

std::vector<PngText> read_light_file_text(const std::filesystem::path& path) {
  if (!has_light_files()) throw Error("this program was built without OpenEXR and reads no such pictures");
  std::vector<PngText> text;
  for (LightHeader header(path); header.next();) {
    if (header.is_text())
      text.push_back({header.name(), header.value()});
    else
      header.skip();
  }
  return text;
}

}  // namespace orrery::render
