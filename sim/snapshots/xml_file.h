#pragma once

#include <expat.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <span>

#include "sim/core/progress.h"
#include "sim/snapshots/format.h"

namespace orrery::sim {

/// Leads expat through a file. Nothing may be thrown through expat: handlers run their work in guarded(), and
/// what that throws is kept and thrown by read().
class XmlFile {
 public:
  /// Handlers get `reader`, which sets them on parser() before read(). Both arguments must outlive this.
  XmlFile(const FileView& file, void* reader);

  XML_Parser parser() const { return parser_.get(); }
  /// Begin and end, in the file, of the item that a handler is told of.
  std::size_t begin() const;
  std::size_t end() const;
  /// Reads until the end of the file or stop(). Progress goes up to `share`. Throws Error if it is not XML.
  void read(Progress* progress, float share);
  /// Ends reading.
  void stop();
  /// Calls the action, unless an earlier one failed.
  template <typename Action>
  void guarded(const Action& action) {
    try {
      if (!problem_) action();
    } catch (...) {
      problem_ = std::current_exception();
      stop();
    }
  }

 private:
  void feed(std::span<const std::byte> part, bool is_last);

  const FileView& file_;
  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_;
  bool stopped_ = false;
  std::exception_ptr problem_;
};

}  // namespace orrery::sim
