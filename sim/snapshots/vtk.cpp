#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/core/counted.h"
#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/foreign.h"
#include "sim/snapshots/vtk_scene.h"
#include "sim/snapshots/vtk_xml.h"
#include "snapshot_formats.h"

// XML files of VTK (The VTK User's Guide, "VTK File Formats"): points with their data. docs/formats.md has
// the rules.

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
    require_points();
    const Ticker ticker(progress_, structure_.pieces.size(), 0.3F, 0.8F);
    for (const auto& field : structure_.fields) read_field(field);
    for (std::size_t k = 0; k < structure_.pieces.size(); ++k) {
      ticker.at(k);
      read_piece(structure_.pieces[k]);
    }
    return maker_.take(source());
  }

 private:
  void require_points() const {
    const auto& kind = structure_.kind;
    if (!structure_.compressor.empty() && structure_.compressor != "vtkZLibDataCompressor")
      cannot_read(file_.path, fmt::format("it is packed with {}; save it with zlib or without compression",
                                          printable(structure_.compressor)));
    if (kind == "PolyData" || kind == "UnstructuredGrid") return;
    if (!structure_.first_file.empty())
      cannot_read(file_.path,
                  fmt::format("it is an index of other files; open one of these, the first is '{}'",
                              printable(structure_.first_file, 60)));
    cannot_read(file_.path, fmt::format("it holds {}, and bodies are points: PolyData or UnstructuredGrid",
                                        kind.empty() ? "no data set" : printable(kind)));
  }

  std::string source() const {
    return fmt::format(
        "VTK {}, {}{}{}", structure_.kind, structure_.encoding.big_endian ? "big-endian" : "little-endian",
        structure_.compressor.empty() ? "" : ", zlib", structure_.appended.empty() ? "" : ", appended");
  }

  void read_piece(const VtkXmlPiece& piece) {
    if (piece.points == 0) return;
    if (!piece.coordinates || piece.coordinates->components != 3)
      cannot_read(file_.path, "a piece of it has no array of points with three components; write it again");
    maker_.add_points(decode(*piece.coordinates, piece.points));
    for (const auto& data : piece.data) {
      if (progress_ != nullptr && progress_->cancel) throw Cancelled();
      if (maker_.wants(data.name)) maker_.add_data(decode(data, piece.points));
    }
  }

  void read_field(const VtkXmlArray& field) {
    constexpr std::size_t longest = 4096;
    const bool is_small = field.tuples.value_or(1) == 1 && field.components == 1;
    if (!is_small || (field.format == "ascii" && field.content.size() > 4 * longest)) return;
    if (vtk_type_of_xml(field.type) == VtkType::text) return read_text(field, longest);
    maker_.add_field(decode(field, 1));
  }

  /// Texts are the codes of their characters with a 0 at the end.
  void read_text(const VtkXmlArray& field, std::size_t longest) {
    if (field.format != "ascii") return;
    VtkArray text{.name = field.name, .type = VtkType::text};
    const auto characters = static_cast<std::size_t>(
        std::ranges::count_if(field.content, [](char c) { return c == ' ' || c == '\n' || c == '\t'; }));
    std::string_view rest = field.content;
    for (std::size_t k = 0; k <= std::min(characters, longest); ++k) {
      VtkArray code{.name = field.name, .type = VtkType::u8};
      if (rest.find_first_not_of(" \t\r\n") == std::string_view::npos) break;
      rest.remove_prefix(read_ascii(file_, rest, 1, code));
      if (code.bytes.front() == std::byte{0}) break;
      text.bytes.push_back(code.bytes.front());
    }
    maker_.add_field(text);
  }

  [[noreturn]] void refuse(const VtkXmlArray& array, std::string_view what) const {
    cannot_read(file_.path, fmt::format("its array '{}' {}; write it again", printable(array.name), what));
  }

  VtkArray decode(const VtkXmlArray& array, std::size_t tuples) const {
    const auto type = vtk_type_of_xml(array.type);
    if (!type || *type == VtkType::text)
      refuse(array, fmt::format("is of the type '{}', which holds no numbers", printable(array.type)));
    VtkArray result{.name = array.name, .type = *type, .components = array.components};
    // The product below must not overflow; no file holds as much.
    constexpr std::size_t most = std::size_t{1} << 48;
    if (array.components == 0 || array.components > 64 || tuples > most)
      refuse(array, fmt::format("cannot have {} tuples of {} components", tuples, array.components));
    const auto values = tuples * array.components;
    if (array.format == "ascii") {
      read_ascii(file_, array.content, values, result);
      return result;
    }
    result.bytes = binary(array, values * size_of(*type));
    to_native(result.bytes, size_of(*type), structure_.encoding.big_endian);
    return result;
  }

  std::vector<std::byte> binary(const VtkXmlArray& array, std::size_t size) const {
    auto encoding = structure_.encoding;
    auto content = array.content;
    if (array.format == "appended") {
      encoding.base64 = structure_.appended_base64;
      if (array.offset >= structure_.appended.size()) refuse(array, "begins behind the end of the file");
      content = structure_.appended.substr(array.offset);
    } else if (array.format != "binary") {
      refuse(array, fmt::format("has the unknown format '{}'", printable(array.format)));
    }
    std::string problem;
    auto bytes = decode_vtk(content, encoding, size, problem);
    if (!bytes) refuse(array, problem);
    return std::move(*bytes);
  }

  const FileView& file_;
  Progress* progress_;
  VtkXmlFile structure_;
  VtkSceneMaker maker_;
};

Scene read_vtk(const FileView& file, const ReadOptions& options) { return XmlReader(file, options).read(); }

// ---- Writing ----

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
