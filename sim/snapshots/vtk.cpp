#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <sstream>
#include <type_traits>
#include <utility>

#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/body_arrays.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/foreign.h"
#include "sim/snapshots/named_values.h"
#include "sim/snapshots/text_table.h"
#include "sim/snapshots/xml_file.h"
#include "snapshot_formats.h"

// XML files of VTK (The VTK User's Guide, "VTK File Formats"): points with their data, in the one form that
// is written here. docs/formats.md has the rules.

namespace orrery::sim {

namespace {

bool recognizes_vtk(const FileView& file) {
  constexpr std::size_t sample = 2048;
  const auto start = text_of(file.bytes).substr(0, sample);
  const auto first = start.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && start[first] == '<' &&
         start.find("<VTKFile") != std::string_view::npos;
}

/// The name that VTK gives to the time of a file.
constexpr std::string_view time_name = "TimeValue";

struct TypeName {
  std::string_view name;
  ArrayType type;
};
constexpr std::array type_names{TypeName{"Int8", ArrayType::i8},     TypeName{"UInt8", ArrayType::u8},
                                TypeName{"Int16", ArrayType::i16},   TypeName{"UInt16", ArrayType::u16},
                                TypeName{"Int32", ArrayType::i32},   TypeName{"UInt32", ArrayType::u32},
                                TypeName{"Int64", ArrayType::i64},   TypeName{"UInt64", ArrayType::u64},
                                TypeName{"Float32", ArrayType::f32}, TypeName{"Float64", ArrayType::f64}};

// ---- Reading ----

/// The description of an array of the bodies: PolyData whose arrays follow the XML as raw little-endian
/// bytes, each after its size in 64 bits.
struct VtkArray {
  std::string name, type;
  std::size_t components = 1;
  std::size_t offset = 0;  ///< byte offset within the appended data
};

class VtkReader {
 public:
  VtkReader(const FileView& file, const ReadOptions& options)
      : file_(file), options_(options), xml_(file, handlers_) {}

  Scene read() {
    xml_.read(options_.progress, 0.3F);
    if (points_ == 0) cannot_read(file_.path, "it holds no bodies; choose another file");
    if (!places_ || places_->components != 3)
      cannot_read(file_.path, "it has no array of points with three components; write it again");
    auto scene = scene_of_arrays(file_, decoded(), options_, "VTK PolyData, little-endian, appended",
                                 states_physics() && values_.has("force-law"));
    take_fields(scene);
    return scene;
  }

 private:
  const FileView& file_;
  const ReadOptions& options_;
  XmlHandlers handlers_{.begin = [this](std::string_view name, const XmlAttributes& of) { begin(name, of); },
                        .end =
                            [this](std::string_view /*name*/) {
                              close_field();
                              if (!path_.empty()) path_.pop_back();
                            },
                        .doctype =
                            [this] {
                              cannot_read(file_.path,
                                          "it declares a document type, which VTK files do not; remove that");
                            }};
  XmlFile xml_;
  std::vector<std::string> path_;
  bool has_piece_ = false;
  std::size_t points_ = 0;
  std::optional<VtkArray> places_;
  std::vector<VtkArray> data_;
  std::string_view appended_;      ///< to which offsets are relative, up to the end of the file
  NamedValues values_;             ///< data of the whole file
  std::optional<VtkArray> field_;  ///< whose text comes
  std::size_t field_begin_ = 0;

  std::string_view characters(std::size_t from, std::size_t to) const {
    const std::string_view all(reinterpret_cast<const char*>(file_.bytes.data()), file_.bytes.size());
    return from < to && to <= all.size() ? all.substr(from, to - from) : std::string_view();
  }
  bool is_in(std::string_view parent) const { return !path_.empty() && path_.back() == parent; }

  [[noreturn]] void refuse_form(std::string_view what) const {
    cannot_read(file_.path,
                fmt::format("it holds {}, and of VTK's files only those are read that Orrery wrote; save its "
                            "points as CSV in ParaView (File, Save Data) or with meshio",
                            what));
  }
  [[noreturn]] void refuse_array(std::string_view name, std::string_view what) const {
    cannot_read(file_.path, fmt::format("its array '{}' {}; write it again", printable(name), what));
  }

  void begin(std::string_view name, const XmlAttributes& attributes) {
    close_field();
    if (path_.empty()) begin_file(name, attributes);
    if (name == "DataSet")
      cannot_read(file_.path,
                  fmt::format("it is an index of other files; open one of these, the first is '{}'",
                              printable(attributes.text("file"), 60)));
    if (name == "Piece") {
      if (has_piece_) refuse_form("several pieces");
      has_piece_ = true;
      points_ = count_of(attributes, "NumberOfPoints", 0);
    }
    if (name == "DataArray" || name == "Array") begin_array(attributes);
    if (name == "AppendedData") return begin_appended(attributes);
    path_.emplace_back(name);
  }

  void begin_file(std::string_view name, const XmlAttributes& attributes) const {
    if (name != "VTKFile") cannot_read(file_.path, "it is an XML file, but none of VTK; choose another file");
    const auto kind = attributes.text("type"), compressor = attributes.text("compressor");
    if (kind == "Collection") return;
    if (kind != "PolyData") refuse_form(kind.empty() ? "no data set" : printable(kind));
    if (!compressor.empty()) refuse_form("arrays packed with " + printable(compressor));
    if (attributes.text("byte_order") != "LittleEndian") refuse_form("big-endian numbers");
    if (attributes.text("header_type") != "UInt64") refuse_form("arrays with sizes of 32 bits");
  }

  std::size_t count_of(const XmlAttributes& attributes, std::string_view name, std::size_t otherwise) const {
    const auto value = attributes.text(name);
    if (value.empty()) return otherwise;
    if (const auto number = number_in<std::size_t>(value)) return *number;
    cannot_read(file_.path,
                fmt::format("{}=\"{}\" in it is no count; write it again", name, printable(value)));
  }

  /// Begins an array of points or of the file; arrays of cells are not read.
  void begin_array(const XmlAttributes& attributes) {
    const bool is_field = is_in("FieldData");
    if (!is_field && !is_in("PointData") && !is_in("Points")) return;
    VtkArray array{.name = attributes.text("Name"),
                   .type = attributes.text("type"),
                   .components = count_of(attributes, "NumberOfComponents", 1),
                   .offset = count_of(attributes, "offset", 0)};
    const auto form = attributes.text("format");
    if (form != (is_field ? "ascii" : "appended"))
      refuse_form(fmt::format("the array '{}' in the form '{}'", printable(array.name), printable(form)));
    if (is_field) {
      field_ = std::move(array);
      field_begin_ = xml_.end();
    } else if (is_in("Points")) {
      places_ = std::move(array);
    } else {
      data_.push_back(std::move(array));
    }
  }

  /// A field's text ends where the next tag begins: a number, or the codes of letters with a 0 at the end.
  void close_field() {
    if (!field_) return;
    const auto field = *std::exchange(field_, std::nullopt);
    const auto content = characters(field_begin_, xml_.begin());
    std::vector<double> numbers;
    constexpr std::size_t longest = 16384;
    std::istringstream words{std::string(content.size() <= longest ? content : "")};
    for (std::string word; words >> word;) {
      const auto number = parse_number(word);
      if (!number) refuse_array(field.name, fmt::format("holds '{}', which is no number", printable(word)));
      numbers.push_back(*number);
    }
    if (numbers.empty() || field.components != 1) return;
    const std::string name(field.name == time_name ? std::string_view("time") : field.name);
    if (field.type != "String") return values_.set(name, numbers.front());
    std::string text;
    for (const double code : numbers)
      if (code > 0.0 && code < 256.0) text += static_cast<char>(static_cast<unsigned char>(code));
    values_.set(name, text);
  }

  /// The following data are binary, which is no XML: an underscore, then the data.
  void begin_appended(const XmlAttributes& attributes) {
    if (attributes.text("encoding") != "raw") refuse_form("data in base64");
    const auto rest = characters(xml_.end(), file_.bytes.size());
    const auto mark = rest.find_first_not_of(" \t\r\n");
    if (mark == std::string_view::npos || rest[mark] != '_')
      cannot_read(file_.path, "its appended data do not begin with '_'; copy it again");
    // What stands behind the data is not parsed; a file that was cut off lacks it.
    const auto last = rest.find_last_not_of(" \t\r\n");
    if (!rest.substr(0, last + 1).ends_with("</VTKFile>"))
      cannot_read(file_.path, "it is cut off behind its XML; copy it again");
    appended_ = rest.substr(mark + 1);
    xml_.stop();
  }

  /// The arrays with values for every body, places first. What makes no quantity of a body keeps its name.
  std::vector<NamedArray> decoded() {
    std::vector<std::string> names{"position"};
    for (const auto& array : data_) names.push_back(array.name);
    std::vector<NamedArray> arrays{decode(*places_)};
    arrays.front().name = names.front();
    const Ticker ticker(options_.progress, data_.size(), 0.3F, 0.8F);
    for (std::size_t k = 0; k < data_.size(); ++k) {
      ticker.at(k);
      const auto& name = data_[k].name;
      arrays.push_back(name == "rgb" || needs_array(name, names)
                           ? decode(data_[k])
                           : NamedArray{.name = name, .type = ArrayType::text});
    }
    return arrays;
  }

  NamedArray decode(const VtkArray& array) const {
    const auto* const known = std::ranges::find(type_names, array.type, &TypeName::name);
    if (known == type_names.end())
      refuse_array(array.name,
                   fmt::format("is of the type '{}', which holds no numbers", printable(array.type)));
    // No file holds as much: the product below must not overflow.
    if (array.components == 0 || array.components > 64 || points_ > appended_.size())
      refuse_array(array.name,
                   fmt::format("cannot have {} tuples of {} components", points_, array.components));
    const auto size = points_ * array.components * size_of(known->type);
    std::uint64_t stated = 0;
    if (appended_.size() < sizeof(stated) || array.offset > appended_.size() - sizeof(stated))
      refuse_array(array.name, "is cut off");
    std::memcpy(&stated, appended_.data() + array.offset, sizeof(stated));
    if (stated != size) refuse_array(array.name, "has another size than its points ask for");
    const auto rest = std::as_bytes(std::span(appended_)).subspan(array.offset + sizeof(stated));
    if (size > rest.size()) refuse_array(array.name, "is cut off");
    return {.name = array.name,
            .type = known->type,
            .components = array.components,
            .bytes = {rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(size)}};
  }

  bool states_physics() const {
    return values_.has("gravity") && values_.has("softening") && values_.has("time-step");
  }

  /// Either the file states what a step needs, or what it states is left to the suggestions.
  void take_fields(Scene& scene) const {
    const auto suggested = scene.physics;
    take_values(file_, values_, scene);
    scene.title = readable(scene.title, 80);
    scene.states_physics = states_physics();
    if (!scene.states_physics) scene.physics = suggested;
    require_sense(file_, scene);
  }
};

Scene read_vtk(const FileView& file, const ReadOptions& options) { return VtkReader(file, options).read(); }

// ---- Writing ----

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

/// Data of the whole scene: time, physics, title, the source of the accelerations.
struct VtkField {
  std::string name;
  double number = 0.0;
  std::string text;  ///< not empty: instead of the number
};

std::vector<VtkField> vtk_fields(const Scene& scene, const WriteOptions& options) {
  std::vector<VtkField> fields{{std::string(time_name), scene.time, ""}, {"speed", scene.speed, ""}};
  for_each_unit(scene.units, [&](const char* name, double unit) {
    if (unit > 0.0) fields.push_back({name, unit, ""});
  });
  for_each_value(scene.physics, [&](const char* name, const auto& value) {
    auto& field = fields.emplace_back(VtkField{.name = name});
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>)
      field.number = value;
    else
      field.text = value->name;
  });
  if (!scene.title.empty()) fields.push_back({"title", 0.0, printable(scene.title, 80)});
  if (!options.acceleration.empty() && !options.acceleration_source.empty())
    fields.push_back({"acceleration-source", 0.0, std::string(options.acceleration_source)});
  return fields;
}

/// Writes the XML first, with the offsets of the data that follow behind it: all arrays are gone through
/// twice.
class XmlWriter {
 public:
  XmlWriter(const Scene& scene, const WriteOptions& options, FileWriter& out)
      : scene_(scene), options_(options), out_(out) {}

  void write() {
    const auto count = scene_.bodies.size();
    out_.write(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n<PolyData>\n");
    write_fields();
    out_.write(
        fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" "
                    "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<PointData Scalars=\"mass\"{}>\n",
                    count, count, scene_.has_velocities ? " Vectors=\"velocity\"" : ""));
    pass_data();
    out_.write("</PointData>\n<Points>\n");
    pass_points();
    out_.write("</Points>\n<Verts>\n");
    pass_cells();
    out_.write("</Verts>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
    declares_ = false;
    pass_data();
    pass_points();
    pass_cells();
    out_.write("\n</AppendedData>\n</VTKFile>");
  }

 private:
  void write_fields() {
    out_.write("<FieldData>\n");
    for (const auto& field : vtk_fields(scene_, options_)) {
      if (field.text.empty()) {
        out_.write(fmt::format(
            "<DataArray type=\"Float64\" Name=\"{}\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
            field.name, field.number));
      } else {
        out_.write(fmt::format("<Array type=\"String\" Name=\"{}\" NumberOfTuples=\"1\" format=\"ascii\">",
                               field.name));
        for (const unsigned char c : field.text) out_.write(fmt::format("{} ", c));
        out_.write("0</Array>\n");
      }
    }
    out_.write("</FieldData>\n");
  }

  /// Data of the bodies besides their positions.
  void pass_data() {
    const auto& bodies = scene_.bodies;
    const auto a = options_.acceleration;
    if (scene_.has_velocities) pass("velocity", ArrayType::f32, 3, bodies.velocity);
    pass("mass", ArrayType::f32, 1, bodies.mass);
    if (bodies.has_charges()) pass("charge", ArrayType::f32, 1, bodies.charge);
    if (bodies.has_colors())
      pass_computed("rgb", ArrayType::u8, 3, [&](std::size_t i) { return rgb_of(bodies.color[i]); });
    pass("id", ArrayType::u64, 1, bodies.id);
    pass("component", ArrayType::u8, 1, bodies.component);
    if (bodies.galaxy.front() != bodies.galaxy.back()) pass("galaxy", ArrayType::u32, 1, bodies.galaxy);
    if (a.empty()) return;
    pass("acceleration", ArrayType::f32, 3, a);
    pass_computed("force", ArrayType::f32, 3, [&](std::size_t i) { return bodies.mass[i] * a[i]; });
  }
  void pass_points() { pass("Points", ArrayType::f32, 3, scene_.bodies.position); }
  /// Without cells ParaView shows no points: each is one of its own. Their offsets are 1, 2, 3, ...
  void pass_cells() {
    pass_counts("connectivity", 0);
    pass_counts("offsets", 1);
  }
  /// `first`, `first` + 1, ...: numbers of 32 bits where they fit, else of 64.
  void pass_counts(std::string_view name, std::size_t first) {
    if (scene_.bodies.size() >= std::size_t{1} << 31)
      pass_computed(name, ArrayType::i64, 1,
                    [&](std::size_t i) { return static_cast<std::int64_t>(first + i); });
    else
      pass_computed(name, ArrayType::i32, 1,
                    [&](std::size_t i) { return static_cast<std::int32_t>(first + i); });
  }

  /// An array of what lies in memory as it is written.
  template <typename Values>
  void pass(std::string_view name, ArrayType type, std::size_t components, const Values& values) {
    pass_computed(name, type, components, [&](std::size_t i) { return values[i]; });
  }
  /// Declares the array of what `value(i)` gives for each body, or writes it, little-endian.
  template <typename Value>
  void pass_computed(std::string_view name, ArrayType type, std::size_t components, const Value& value) {
    const auto count = scene_.bodies.size();
    const std::uint64_t size = components * count * size_of(type);
    if (declares_) {
      out_.write(
          fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
                      "offset=\"{}\"/>\n",
                      std::ranges::find(type_names, type, &TypeName::type)->name, name, components, offset_));
      offset_ += sizeof(size) + size;
      return;
    }
    out_.write(std::as_bytes(std::span(&size, 1)));
    constexpr std::size_t slab = 4096;  // values converted at once
    std::vector<decltype(value(0))> part;
    for (std::size_t at = 0; at < count; at += slab) {
      part.clear();
      for (std::size_t i = at; i < std::min(at + slab, count); ++i) part.push_back(value(i));
      if (options_.progress != nullptr && options_.progress->cancel) throw Cancelled();
      out_.write(std::as_bytes(std::span(part)));
    }
  }

  const Scene& scene_;
  const WriteOptions& options_;
  FileWriter& out_;
  bool declares_ = true;  ///< else the data are written
  std::size_t offset_ = 0;
};

void write_vtk(const Scene& scene, const WriteOptions& options, FileWriter& out) {
  XmlWriter(scene, options, out).write();
}

}  // namespace

const SnapshotFormat vtk_format{"vtk",
                                "VTK points (XML PolyData): opens in ParaView; with the physics",
                                "vtp",
                                false,
                                &recognizes_vtk,
                                &read_vtk,
                                &write_vtk,
                                nullptr,
                                {.acceleration = true, .units = true, .colors = true}};

}  // namespace orrery::sim
