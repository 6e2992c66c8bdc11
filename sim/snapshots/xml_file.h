#pragma once

#include <expat.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "sim/core/progress.h"
#include "sim/snapshots/format.h"

namespace orrery::sim {

/// The attributes of an element, as expat hands them over.
struct XmlAttributes {
  const XML_Char** pairs;
  /// Empty: there is none of that name.
  std::string text(std::string_view name) const;
};

/// Functions that take the items of a file; items whose function is empty pass by.
struct XmlHandlers {
  std::function<void(std::string_view name, const XmlAttributes&)> begin = {};
  std::function<void(std::string_view name)> end = {};
  std::function<void(std::string_view)> text = {};
  std::function<void()> doctype = {}, entity = {};  ///< a declaration of either
};

/// Leads expat through a file. Nothing may be thrown through expat: what a handler throws is kept, and thrown
/// by read().
class XmlFile {
 public:
  /// Both arguments must outlive this.
  XmlFile(const FileView& file, const XmlHandlers& handlers);

  /// Begin and end, in the file, of the item that a handler is told of.
  std::size_t begin() const;
  std::size_t end() const;
  /// Reads until the end of the file or stop(). Progress goes up to `share`. Throws Error if it is not XML.
  void read(Progress* progress, float share);
  /// Ends reading.
  void stop();

 private:
  template <typename Action>
  static void guarded(void* self, const Action& action);

  const FileView& file_;
  const XmlHandlers& handlers_;
  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_;
  std::size_t depth_ = 0;
  bool stopped_ = false;
  std::exception_ptr problem_;
};

}  // namespace orrery::sim
