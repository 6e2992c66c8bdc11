#include "sim/snapshots/xml_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "sim/core/message.h"

namespace orrery::sim {

namespace {

// Expat 2.9 deprecates the names without a number.
#if XML_MINOR_VERSION >= 9
constexpr auto byte_index = XML_GetCurrentByteIndex64;
constexpr auto byte_count = XML_GetCurrentByteCount64;
#else
constexpr auto byte_index = XML_GetCurrentByteIndex;
constexpr auto byte_count = XML_GetCurrentByteCount;
#endif

}  // namespace

XmlFile::XmlFile(const FileView& file, void* reader)
    : file_(file), parser_(XML_ParserCreate(nullptr), &XML_ParserFree) {
  if (parser_ == nullptr) throw std::bad_alloc();
  XML_SetUserData(parser_.get(), reader);
}

void XmlFile::read(Progress* progress, float share) {
  constexpr std::size_t chunk = std::size_t{1} << 20;
  const Ticker ticker(progress, file_.bytes.size(), 0.0F, share);
  for (std::size_t at = 0; !stopped_ && at < file_.bytes.size(); at += chunk) {
    ticker.at(at);
    const auto part = file_.bytes.subspan(at, std::min(chunk, file_.bytes.size() - at));
    feed(part, at + part.size() == file_.bytes.size());
  }
}

std::size_t XmlFile::begin() const { return static_cast<std::size_t>(byte_index(parser_.get())); }

std::size_t XmlFile::end() const { return begin() + static_cast<std::size_t>(byte_count(parser_.get())); }

void XmlFile::stop() {
  stopped_ = true;
  XML_StopParser(parser_.get(), XML_FALSE);
}

void XmlFile::feed(std::span<const std::byte> part, bool is_last) {
  const auto status = XML_Parse(parser_.get(), reinterpret_cast<const char*>(part.data()),
                                static_cast<int>(part.size()), is_last ? 1 : 0);
  if (problem_) std::rethrow_exception(problem_);
  if (status != XML_STATUS_ERROR || stopped_) return;
  // Expat's own count of lines has another name in 2.9, too.
  const auto at = std::min(begin(), file_.bytes.size());
  cannot_read(file_.path, fmt::format("line {} is no XML ({}); copy it again",
                                      1 + std::ranges::count(file_.bytes.first(at), std::byte{'\n'}),
                                      XML_ErrorString(XML_GetErrorCode(parser_.get()))));
}

}  // namespace orrery::sim
