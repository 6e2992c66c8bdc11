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

std::string XmlAttributes::text(std::string_view name) const {
  for (const auto* pair = pairs; *pair != nullptr; pair += 2)
    if (name == pair[0]) return pair[1];
  return {};
}

template <typename Action>
void XmlFile::guarded(void* self, const Action& action) {
  auto& file = *static_cast<XmlFile*>(self);
  try {
    if (!file.problem_) action(file);
  } catch (...) {
    file.problem_ = std::current_exception();
    file.stop();
  }
}

XmlFile::XmlFile(const FileView& file, const XmlHandlers& handlers)
    : file_(file), handlers_(handlers), parser_(XML_ParserCreate(nullptr), &XML_ParserFree) {
  auto* const parser = parser_.get();
  if (parser == nullptr) throw std::bad_alloc();
  XML_SetUserData(parser, this);
  XML_SetElementHandler(
      parser,
      [](void* self, const XML_Char* name, const XML_Char** pairs) {
        guarded(self, [&](XmlFile& xml) {
          constexpr std::size_t deepest = 64;
          if (++xml.depth_ > deepest)
            cannot_read(xml.file_.path, "its XML is nested too deeply; write it again");
          if (xml.handlers_.begin) xml.handlers_.begin(name, {pairs});
        });
      },
      [](void* self, const XML_Char* name) {
        guarded(self, [&](XmlFile& xml) {
          --xml.depth_;
          if (xml.handlers_.end) xml.handlers_.end(name);
        });
      });
  if (handlers.text)
    XML_SetCharacterDataHandler(parser, [](void* self, const XML_Char* text, int size) {
      guarded(self, [&](XmlFile& xml) { xml.handlers_.text({text, static_cast<std::size_t>(size)}); });
    });
  if (handlers.doctype)
    XML_SetStartDoctypeDeclHandler(
        parser, [](void* self, auto...) { guarded(self, [](XmlFile& xml) { xml.handlers_.doctype(); }); });
  if (handlers.entity)
    XML_SetEntityDeclHandler(
        parser, [](void* self, auto...) { guarded(self, [](XmlFile& xml) { xml.handlers_.entity(); }); });
}

void XmlFile::read(Progress* progress, float share) {
  constexpr std::size_t chunk = std::size_t{1} << 20;
  const Ticker ticker(progress, file_.bytes.size(), 0.0F, share);
  for (std::size_t at = 0; !stopped_ && at < file_.bytes.size(); at += chunk) {
    ticker.at(at);
    const auto part = file_.bytes.subspan(at, std::min(chunk, file_.bytes.size() - at));
    const bool is_last = at + part.size() == file_.bytes.size();
    const auto status = XML_Parse(parser_.get(), reinterpret_cast<const char*>(part.data()),
                                  static_cast<int>(part.size()), is_last ? 1 : 0);
    if (problem_) std::rethrow_exception(problem_);
    if (status != XML_STATUS_ERROR || stopped_) continue;
    // Expat's own count of lines has another name in 2.9, too.
    const auto wrong = file_.bytes.first(std::min(begin(), file_.bytes.size()));
    cannot_read(file_.path, fmt::format("line {} is no XML ({}); copy it again",
                                        1 + std::ranges::count(wrong, std::byte{'\n'}),
                                        XML_ErrorString(XML_GetErrorCode(parser_.get()))));
  }
}

std::size_t XmlFile::begin() const { return static_cast<std::size_t>(byte_index(parser_.get())); }

std::size_t XmlFile::end() const { return begin() + static_cast<std::size_t>(byte_count(parser_.get())); }

void XmlFile::stop() {
  stopped_ = true;
  XML_StopParser(parser_.get(), XML_FALSE);
}

}  // namespace orrery::sim
