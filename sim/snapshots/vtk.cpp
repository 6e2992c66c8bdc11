#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>

#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/file_colors.h"
#include "sim/snapshots/foreign.h"
#include "sim/snapshots/vtk_scene.h"
#include "sim/snapshots/vtk_xml.h"
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

// ---- Reading ----

class XmlReader {
 public:
  XmlReader(const FileView& file, const ReadOptions& options)
      : file_(file),
        progress_(options.progress),
        structure_(read_vtk_structure(file, progress_)),
        maker_(file, Rounding(options)) {}

  Scene read() {
    for (const auto& field : structure_.fields) read_field(field);
    if (structure_.points == 0) cannot_read(file_.path, "it holds no bodies; choose another file");
    if (!structure_.coordinates || structure_.coordinates->components != 3)
      cannot_read(file_.path, "it has no array of points with three components; write it again");
    maker_.add_points(decode(*structure_.coordinates));
    const Ticker ticker(progress_, structure_.data.size(), 0.3F, 0.8F);
    for (std::size_t k = 0; k < structure_.data.size(); ++k) {
      ticker.at(k);
      if (progress_ != nullptr && progress_->cancel) throw Cancelled();
      if (maker_.wants(structure_.data[k].name)) maker_.add_data(decode(structure_.data[k]));
    }
    return maker_.take("VTK PolyData, little-endian, appended");
  }

 private:
  void read_field(const VtkXmlArray& field) {
    constexpr std::size_t longest = 4096;
    if (field.components != 1 || field.content.size() > 4 * longest) return;
    const auto type = vtk_type_of_xml(field.type);
    VtkArray array{.name = field.name, .type = type.value_or(VtkType::f64)};
    // A text is the codes of its characters with a 0 at the end.
    VtkArray code{.name = field.name, .type = array.type == VtkType::text ? VtkType::u8 : array.type};
    for (std::string_view rest = field.content;
         rest.find_first_not_of(" \t\r\n") != std::string_view::npos;) {
      rest.remove_prefix(read_ascii(file_, rest, 1, code));
      array.bytes.insert(array.bytes.end(), code.bytes.begin(), code.bytes.end());
      if (array.type != VtkType::text || code.bytes.front() == std::byte{0}) break;
    }
    maker_.add_field(array);
  }

  [[noreturn]] void refuse(const VtkXmlArray& array, std::string_view what) const {
    cannot_read(file_.path, fmt::format("its array '{}' {}; write it again", printable(array.name), what));
  }

  VtkArray decode(const VtkXmlArray& array) const {
    const auto type = vtk_type_of_xml(array.type);
    if (!type || *type == VtkType::text)
      refuse(array, fmt::format("is of the type '{}', which holds no numbers", printable(array.type)));
    // No file holds as much: the product below must not overflow.
    const auto all = structure_.appended;
    if (array.components == 0 || array.components > 64 || structure_.points > all.size())
      refuse(array,
             fmt::format("cannot have {} tuples of {} components", structure_.points, array.components));
    const auto size = structure_.points * array.components * size_of(*type);
    std::uint64_t stated = 0;
    if (all.size() < sizeof(stated) || array.offset > all.size() - sizeof(stated))
      refuse(array, "is cut off");
    std::memcpy(&stated, all.data() + array.offset, sizeof(stated));
    if (stated != size) refuse(array, "has another size than its points ask for");
    const auto rest = std::as_bytes(std::span(all)).subspan(array.offset + sizeof(stated));
    if (size > rest.size()) refuse(array, "is cut off");
    return {.name = array.name,
            .type = *type,
            .components = array.components,
            .bytes = {rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(size)}};
  }

  const FileView& file_;
  Progress* progress_;
  VtkXmlFile structure_;
  VtkSceneMaker maker_;
};

Scene read_vtk(const FileView& file, const ReadOptions& options) { return XmlReader(file, options).read(); }

// ---- Writing ----

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

/// One array to write.
struct VtkColumn {
  std::string_view name;
  VtkType type;
  std::size_t components;
  std::size_t tuples;
  /// Hands all its bytes over in pieces, little-endian.
  std::function<void(const std::function<void(std::span<const std::byte>)>& take)> write;

  std::size_t bytes() const { return components * tuples * size_of(type); }
};

/// Data of the whole scene: time, physics, title, the source of the accelerations.
struct VtkField {
  std::string name;
  double number = 0.0;
  std::string text;  ///< not empty: instead of the number
};
constexpr std::size_t slab = 4096;  ///< tuples converted at once

/// An array that lies in memory as it is written.
template <typename T>
VtkColumn stored(std::string_view name, VtkType type, std::size_t components, const std::vector<T>& values) {
  return {name, type, components, values.size(), [&values](const auto& take) {
            const std::span all(values);
            for (std::size_t at = 0; at < all.size(); at += slab)
              take(std::as_bytes(all.subspan(at, std::min(slab, all.size() - at))));
          }};
}

/// An array of what `value(i)` gives.
template <typename Value>
VtkColumn computed(std::string_view name, VtkType type, std::size_t components, std::size_t count,
                   const Value& value) {
  return {name, type, components, count, [count, value](const auto& take) {
            std::vector<decltype(value(0))> part;
            for (std::size_t at = 0; at < count; at += slab) {
              part.clear();
              for (std::size_t i = at; i < std::min(at + slab, count); ++i) part.push_back(value(i));
              take(std::as_bytes(std::span(part)));
            }
          }};
}

void put(VtkField& field, double number) { field.number = number; }
void put(VtkField& field, const ForceLaw* law) { field.text = law->name; }
void put(VtkField& field, const Integrator* integrator) { field.text = integrator->name; }
void put(VtkField& field, const ExternalField* value) { field.text = value->name; }
void put(VtkField& field, const StepRule* rule) { field.text = rule->name; }

void add_accelerations(const Scene& scene, std::span<const Vec3> a, std::vector<VtkColumn>& columns) {
  const auto* const mass = &scene.bodies.mass;
  columns.push_back(computed("acceleration", VtkType::f32, 3, a.size(), [a](std::size_t i) { return a[i]; }));
  columns.push_back(
      computed("force", VtkType::f32, 3, a.size(), [a, mass](std::size_t i) { return (*mass)[i] * a[i]; }));
}

/// `first`, `first` + 1, ...: `count` numbers of 32 bits where they fit, else of 64.
VtkColumn vtk_count(std::string_view name, std::size_t count, std::size_t first) {
  if (count >= std::size_t{1} << 31)
    return computed(name, VtkType::i64, 1, count,
                    [first](std::size_t i) { return static_cast<std::int64_t>(first + i); });
  return computed(name, VtkType::i32, 1, count,
                  [first](std::size_t i) { return static_cast<std::int32_t>(first + i); });
}

/// The positions of the bodies.
VtkColumn vtk_points(const Scene& scene) { return stored("Points", VtkType::f32, 3, scene.bodies.position); }

/// Data of the bodies besides their positions. `scene` and what the options borrow must live as long.
std::vector<VtkColumn> vtk_columns(const Scene& scene, const WriteOptions& options) {
  const auto& bodies = scene.bodies;
  std::vector<VtkColumn> columns;
  if (scene.has_velocities) columns.push_back(stored("velocity", VtkType::f32, 3, bodies.velocity));
  columns.push_back(stored("mass", VtkType::f32, 1, bodies.mass));
  if (bodies.has_charges()) columns.push_back(stored("charge", VtkType::f32, 1, bodies.charge));
  if (bodies.has_colors())
    columns.push_back(computed("rgb", VtkType::u8, 3, bodies.size(),
                               [&bodies](std::size_t i) { return rgb_of(bodies.color[i]); }));
  columns.push_back(stored("id", VtkType::u64, 1, bodies.id));
  columns.push_back(stored("component", VtkType::u8, 1, bodies.component));
  if (bodies.galaxy.front() != bodies.galaxy.back())
    columns.push_back(stored("galaxy", VtkType::u32, 1, bodies.galaxy));
  if (!options.acceleration.empty()) add_accelerations(scene, options.acceleration, columns);
  return columns;
}

std::vector<VtkField> vtk_fields(const Scene& scene, const WriteOptions& options) {
  std::vector<VtkField> fields{{std::string(vtk_time_name), scene.time, ""}, {"speed", scene.speed, ""}};
  for_each_unit(scene.units, [&](const char* name, double unit) {
    if (unit > 0.0) fields.push_back({name, unit, ""});
  });
  for_each_value(scene.physics, [&](const char* name, const auto& value) {
    put(fields.emplace_back(VtkField{.name = name}), value);
  });
  if (!scene.title.empty()) fields.push_back({"title", 0.0, printable(scene.title, 80)});
  if (!options.acceleration.empty() && !options.acceleration_source.empty())
    fields.push_back({"acceleration-source", 0.0, std::string(options.acceleration_source)});
  return fields;
}

std::string_view xml_name(VtkType type) {
  switch (type) {
    case VtkType::u8:
      return "UInt8";
    case VtkType::u32:
      return "UInt32";
    case VtkType::i32:
      return "Int32";
    case VtkType::i64:
      return "Int64";
    case VtkType::u64:
      return "UInt64";
    case VtkType::f64:
      return "Float64";
    default:
      return "Float32";
  }
}

/// Writes the XML first, with the offsets of the data that follow behind it.
class XmlWriter {
 public:
  XmlWriter(const Scene& scene, const WriteOptions& options, FileWriter& out)
      : scene_(scene), options_(options), out_(out) {}

  void write() {
    const auto points = vtk_points(scene_);
    const auto columns = vtk_columns(scene_, options_);
    const auto count = scene_.bodies.size();
    out_.write(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n<PolyData>\n");
    write_fields();
    out_.write(
        fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" "
                    "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<PointData Scalars=\"mass\"{}>\n",
                    count, count, scene_.has_velocities ? " Vectors=\"velocity\"" : ""));
    for (const auto& column : columns) declare(column);
    out_.write("</PointData>\n<Points>\n");
    declare(points);
    out_.write("</Points>\n<Verts>\n");
    // Without cells ParaView shows no points: each is one of its own. Their offsets are 1, 2, 3, ...
    declare(cells("connectivity", 0));
    declare(cells("offsets", 1));
    out_.write("</Verts>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
    for (const auto& column : columns) append(column);
    append(points);
    append(cells("connectivity", 0));
    append(cells("offsets", 1));
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

  void declare(const VtkColumn& column) {
    out_.write(fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
        xml_name(column.type), column.name, column.components, offset_));
    offset_ += sizeof(std::uint64_t) + column.bytes();
  }

  void append(const VtkColumn& column) {
    const std::uint64_t size = column.bytes();
    out_.write(std::as_bytes(std::span(&size, 1)));
    column.write([&](std::span<const std::byte> bytes) {
      if (options_.progress != nullptr && options_.progress->cancel) throw Cancelled();
      out_.write(bytes);
    });
  }

  VtkColumn cells(std::string_view name, std::size_t first) const {
    return vtk_count(name, scene_.bodies.size(), first);
  }

  const Scene& scene_;
  const WriteOptions& options_;
  FileWriter& out_;
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
