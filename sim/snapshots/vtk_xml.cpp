#include "sim/snapshots/vtk_xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "sim/core/message.h"
#include "sim/snapshots/xml_file.h"

namespace orrery::sim {

namespace {

constexpr std::size_t deepest = 32;

/// The attributes of an element, as expat hands them over.
class Attributes {
 public:
  Attributes(const FileView& file, const XML_Char** pairs) : file_(file), pairs_(pairs) {}

  std::string text(std::string_view name) const {
    for (const auto* pair = pairs_; *pair != nullptr; pair += 2) {
      if (name == pair[0]) return pair[1];
    }
    return {};
  }
  std::optional<std::size_t> number(std::string_view name) const {
    const auto value = text(name);
    if (value.empty()) return std::nullopt;
    std::size_t number = 0;
    const auto result = std::from_chars(value.data(), value.data() + value.size(), number);
    if (result.ec != std::errc() || result.ptr != value.data() + value.size())
      cannot_read(file_.path,
                  fmt::format("{}=\"{}\" in it is no count; write it again", name, printable(value)));
    return number;
  }

 private:
  const FileView& file_;
  const XML_Char** pairs_;
};

/// Follows expat through the file. Nothing may be thrown through expat: it is kept and thrown afterwards.
class XmlStructure {
 public:
  XmlStructure(const FileView& file, Progress* progress)
      : file_(file), progress_(progress), xml_(file, this) {
    XML_SetElementHandler(
        xml_.parser(),
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          static_cast<XmlStructure*>(self)->guarded([&](XmlStructure& s) { s.begin(name, attributes); });
        },
        [](void* self, const XML_Char* /*name*/) {
          static_cast<XmlStructure*>(self)->guarded([](XmlStructure& s) { s.end(); });
        });
    XML_SetStartDoctypeDeclHandler(
        xml_.parser(), [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
          static_cast<XmlStructure*>(self)->guarded([](XmlStructure& s) {
            cannot_read(s.file_.path, "it declares a document type, which VTK files do not; remove that");
          });
        });
  }

  VtkXmlFile read() {
    xml_.read(progress_, 0.3F);
    return std::move(result_);
  }

 private:
  template <typename Action>
  void guarded(const Action& action) {
    xml_.guarded([&] { action(*this); });
  }

  std::string_view characters(std::size_t from, std::size_t to) const {
    const std::string_view all(reinterpret_cast<const char*>(file_.bytes.data()), file_.bytes.size());
    return from < to && to <= all.size() ? all.substr(from, to - from) : std::string_view();
  }

  bool is_in(std::string_view parent) const { return !path_.empty() && path_.back() == parent; }

  void begin(std::string_view name, const XML_Char** pairs) {
    if (path_.size() >= deepest) cannot_read(file_.path, "its XML is nested too deeply; write it again");
    const Attributes attributes(file_, pairs);
    close_content();
    if (path_.empty()) begin_file(name, attributes);
    if (name == "DataSet") refuse_index(attributes.text("file"));
    if (name == "Piece") begin_piece(attributes);
    if (name == "DataArray" || name == "Array") begin_array(attributes);
    if (name == "AppendedData") return begin_appended(attributes);
    path_.emplace_back(name);
  }

  void end() {
    close_content();
    if (!path_.empty()) path_.pop_back();
  }

  [[noreturn]] void refuse(std::string_view what) const {
    cannot_read(file_.path,
                fmt::format("it holds {}, and of VTK's files only those are read that Orrery wrote; {}", what,
                            vtk_advice));
  }

  [[noreturn]] void refuse_index(const std::string& first) const {
    cannot_read(file_.path, fmt::format("it is an index of other files; open one of these, the first is '{}'",
                                        printable(first, 60)));
  }

  void begin_file(std::string_view name, const Attributes& attributes) {
    if (name != "VTKFile") cannot_read(file_.path, "it is an XML file, but none of VTK; choose another file");
    const auto kind = attributes.text("type"), compressor = attributes.text("compressor");
    if (kind == "Collection") return;
    if (kind != "PolyData") refuse(kind.empty() ? "no data set" : printable(kind));
    if (!compressor.empty()) refuse("arrays packed with " + printable(compressor));
    if (attributes.text("byte_order") != "LittleEndian") refuse("big-endian numbers");
    if (attributes.text("header_type") != "UInt64") refuse("arrays with sizes of 32 bits");
  }

  void begin_piece(const Attributes& attributes) {
    if (has_piece_) refuse("several pieces");
    has_piece_ = true;
    result_.points = attributes.number("NumberOfPoints").value_or(0);
  }

  void begin_array(const Attributes& attributes) {
    auto* const array = new_array();
    if (array == nullptr) return;
    *array = {.name = attributes.text("Name"),
              .type = attributes.text("type"),
              .format = attributes.text("format"),
              .components = attributes.number("NumberOfComponents").value_or(1),
              .offset = attributes.number("offset").value_or(0)};
    if (array->format != (is_in("FieldData") ? "ascii" : "appended"))
      refuse(
          fmt::format("the array '{}' in the form '{}'", printable(array->name), printable(array->format)));
    open_ = array;
    content_begin_ = xml_.end();
  }

  /// A new array of the points; null for cells and other elements that are not read.
  VtkXmlArray* new_array() {
    if (is_in("FieldData")) return &result_.fields.emplace_back();
    if (is_in("PointData")) return &result_.data.emplace_back();
    if (is_in("Points")) return &result_.coordinates.emplace();
    return nullptr;
  }

  /// An array's data end where the next tag begins.
  void close_content() {
    if (open_ != nullptr) open_->content = characters(content_begin_, xml_.begin());
    open_ = nullptr;
  }

  /// The following data are binary, which is no XML: an underscore, then the data.
  void begin_appended(const Attributes& attributes) {
    if (attributes.text("encoding") != "raw") refuse("data in base64");
    const auto rest = characters(xml_.end(), file_.bytes.size());
    const auto mark = rest.find_first_not_of(" \t\r\n");
    if (mark == std::string_view::npos || rest[mark] != '_')
      cannot_read(file_.path, "its appended data do not begin with '_'; copy it again");
    // What stands behind the data is not parsed; a file that was cut off lacks it.
    const auto last = rest.find_last_not_of(" \t\r\n");
    if (!rest.substr(0, last + 1).ends_with("</VTKFile>"))
      cannot_read(file_.path, "it is cut off behind its XML; copy it again");
    result_.appended = rest.substr(mark + 1);
    xml_.stop();
  }

  const FileView& file_;
  Progress* progress_;
  XmlFile xml_;
  VtkXmlFile result_;
  std::vector<std::string> path_;
  bool has_piece_ = false;
  VtkXmlArray* open_ = nullptr;  ///< whose data come
  std::size_t content_begin_ = 0;
};

}  // namespace

VtkXmlFile read_vtk_structure(const FileView& file, Progress* progress) {
  return XmlStructure(file, progress).read();
}

}  // namespace orrery::sim
