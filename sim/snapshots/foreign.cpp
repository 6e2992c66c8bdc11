#include "sim/snapshots/foreign.h"

#include <algorithm>
#include <array>

#include "sim/core/byte_order.h"
#include "sim/snapshots/csv_names.h"
#include "sim/snapshots/text_table.h"

namespace orrery::sim {

namespace {

using namespace std::string_view_literals;

struct Signature {
  std::string_view bytes;
  ForeignFormat format;
};

constexpr std::string_view unpack = "unpack it first";
constexpr std::string_view save_as_csv = "save its points as CSV with the columns x,y,z,vx,vy,vz,mass";

constexpr ForeignFormat xml{"an XML file (none of VTK)", save_as_csv};
constexpr ForeignFormat ply{"a PLY point cloud", save_as_csv};
constexpr ForeignFormat tsf{"a NEMO snapshot as text (tsf)", "convert it to NEMO's binary form with rsf"};
constexpr ForeignFormat utf16{"UTF-16 text", "save it as UTF-8"};

constexpr std::array signatures{
    Signature{"REBOUND "sv,
              {"a REBOUND archive of unknown version", "write its particles as CSV from Python"}},
    Signature{"# vtk DataFile Version"sv,
              {"a VTK file of the older kind (legacy)",
               "save its points as CSV in ParaView (File, Save Data) or with meshio"}},
    Signature{"ply\n"sv, ply},
    Signature{"ply\r\n"sv, ply},
    Signature{"<?xml"sv, xml},
    Signature{"<VTKFile"sv, xml},
    Signature{"version https://git-lfs"sv,
              {"a pointer of Git LFS, not the file itself", "fetch that with `git lfs pull`"}},
    Signature{"BZh"sv, {"a bzip2 file", unpack}},
    Signature{"\xfd"
              "7zXZ"sv,
              {"an xz file", unpack}},
    Signature{"PK\x03\x04"sv, {"a zip file (none of NumPy's)", unpack}},
    Signature{"SIMPLE  ="sv, {"a FITS file", "name its format with --format fits"}},
    Signature{"\x89PNG\r\n"sv,
              {"a PNG picture", "`orrery view` and `orrery render` open those that orrery made"}},
    Signature{"PAR1"sv,
              {"a Parquet file", "write it as CSV, for example with pandas: to_csv(\"bodies.csv\")"}},
    Signature{"#ASDF "sv, {"an ASDF file", "save its table as FITS or CSV, for example with astropy"}},
    Signature{"LASF"sv,
              {"a LAS or LAZ point cloud", "convert it to text with las2txt -parse xyz, or with PDAL"}},
    Signature{"# .PCD"sv, {"a PCD point cloud", save_as_csv}},
    Signature{"ITEM: "sv, {"a LAMMPS dump", "write its atoms as CSV with x,y,z,vx,vy,vz"}},
    Signature{")O+_06"sv,
              {"a Mercury file (big.in or small.in)",
               "write its bodies as CSV with the columns mass,x,y,z,vx,vy,vz"}},
    Signature{"(Particle"sv,
              {"a Starlab snapshot", "convert it with NEMO's dtos, or save it as CSV from AMUSE"}},
    Signature{"set SnapShot"sv, tsf},
    Signature{"char History["sv, tsf},
    Signature{"\xff\xfe"sv, utf16},
    Signature{"\xfe\xff"sv, utf16},
};

std::string_view characters(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool is_text_character(char c) {
  return (c >= ' ' && c != '\x7f') || c == '\t' || c == '\n' || c == '\r' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// A first record of Fortran that holds Phantom's i1, r1, i2, iversion, i3: 060769, ..., 690706 in either
/// precision.
bool is_phantom(std::span<const std::byte> bytes) {
  if (bytes.size() < 16) return false;
  return load<std::uint32_t>(bytes.data() + 4, false) == 60769 ||
         load<std::uint32_t>(bytes.data() + 4, true) == 60769;
}

/// "12 atoms" within the first lines, as in files of LAMMPS's read_data.
bool is_lammps_data(std::string_view content) {
  TextLines lines(content.substr(0, std::min<std::size_t>(content.size(), 4096)));
  std::string_view line;
  while (lines.number() < 12 && lines.next(line)) {
    const auto text = split_comment(line).content;
    const auto blank = text.find_first_of(" \t");
    if (blank == std::string_view::npos || !parse_number(text.substr(0, blank))) continue;
    if (trimmed(text.substr(blank)) == "atoms") return true;
  }
  return false;
}

/// A count, a comment that names no columns, then "Element x y z".
bool is_xyz(std::string_view content) {
  TextLines lines(content.substr(0, std::min<std::size_t>(content.size(), 4096)));
  std::string_view count, comment, line;
  if (!lines.next(count) || !lines.next(comment) || !lines.next(line)) return false;
  std::vector<std::string_view> names, fields;
  split_fields(comment, Separator::blanks, names);
  split_fields(line, Separator::blanks, fields);
  return trimmed(count).find_first_not_of("0123456789") == std::string_view::npos &&
         !trimmed(count).empty() && !names_positions(columns_of(names)) && !parse_number(trimmed(comment)) &&
         fields.size() >= 4 && !parse_number(fields[0]) &&
         std::all_of(fields.begin() + 1, fields.begin() + 4,
                     [](auto field) { return parse_number(field).has_value(); });
}

/// A count (Tipsy: three of them), 2 or 3 dimensions, a time, and then masses, each alone in its line.
bool is_text_list(std::string_view content) {
  TextLines lines(content.substr(0, std::min<std::size_t>(content.size(), 4096)));
  std::array<std::vector<std::string_view>, 4> fields;
  std::string_view line;
  for (auto& each : fields) {
    if (!lines.next(line)) return false;
    split_fields(line, Separator::blanks, each);
  }
  const auto is_one_number = [](const auto& each) { return each.size() == 1 && parse_number(each[0]); };
  return (fields[0].size() == 1 || fields[0].size() == 3) &&
         std::ranges::all_of(
             fields[0],
             [](auto field) { return field.find_first_not_of("0123456789") == std::string_view::npos; }) &&
         fields[1].size() == 1 && (fields[1][0] == "2" || fields[1][0] == "3") && is_one_number(fields[2]) &&
         is_one_number(fields[3]);
}

/// An object or a list of objects.
bool is_json(std::string_view content) {
  constexpr std::string_view blanks = " \t\r\n";
  auto begin = content.find_first_not_of(blanks);
  if (begin != std::string_view::npos && content[begin] == '[')
    begin = content.find_first_not_of(blanks, begin + 1);
  if (begin == std::string_view::npos) return false;
  if (content[begin] == '[') return true;
  const auto next =
      content[begin] == '{' ? content.find_first_not_of(blanks, begin + 1) : std::string_view::npos;
  return next != std::string_view::npos && content[next] == '"';
}

/// A count, then that many numbers or vectors of 4 bytes, or numbers of 8; in either byte order.
bool is_tipsy_array(std::span<const std::byte> bytes) {
  if (bytes.size() < 8) return false;
  const auto rest = bytes.size() - 4;
  return std::ranges::any_of(std::array{false, true}, [&](bool big_endian) {
    const std::size_t count = load<std::uint32_t>(bytes.data(), big_endian);
    return count > 0 && (rest == 4 * count || rest == 8 * count || rest == 12 * count);
  });
}

}  // namespace

std::optional<ForeignFormat> foreign_format(std::span<const std::byte> bytes) {
  const auto content = characters(bytes);
  const auto found =
      std::ranges::find_if(signatures, [&](const Signature& s) { return content.starts_with(s.bytes); });
  if (found != signatures.end()) return found->format;
  if (is_phantom(bytes))
    return ForeignFormat{"a Phantom dump", "convert it with phantom2hdf5, or to CSV with sarracen"};
  if (is_lammps_data(content))
    return ForeignFormat{"a LAMMPS data file", "write its atoms as CSV with the columns x,y,z,vx,vy,vz,mass"};
  if (is_xyz(content))
    return ForeignFormat{"an XYZ file", "write its atoms as CSV with x,y,z,vx,vy,vz, for example with ASE"};
  if (is_text_list(content))
    return ForeignFormat{"a list of all masses, then all places, then all velocities",
                         "convert it to a snapshot with NEMO's atos or Tipsy's ascii2bin"};
  if (is_json(content))
    return ForeignFormat{"a JSON file", "write its bodies as CSV, one per line below a header"};
  if (is_tipsy_array(bytes))
    return ForeignFormat{"an array of one quantity of Tipsy (.iord, .den and the like)",
                         "choose the file of the bodies"};
  return std::nullopt;
}

bool is_plain_text(std::span<const std::byte> bytes) {
  constexpr std::size_t sample = 4096;
  const auto start = characters(bytes).substr(0, sample);
  return std::ranges::all_of(start, is_text_character) && !foreign_format(bytes);
}

std::string_view text_of(std::span<const std::byte> bytes) {
  auto text = characters(bytes);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

}  // namespace orrery::sim
