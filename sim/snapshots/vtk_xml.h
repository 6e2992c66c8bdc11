#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/mapped_file.h"
#include "sim/core/progress.h"

namespace orrery::sim {

/// The position of an array in a VTK XML file, and its description.
struct VtkXmlArray {
  std::string name, type, format;
  std::size_t components = 1;
  std::size_t offset = 0;    ///< byte offset within the appended data
  std::string_view content;  ///< inline data
};

/// The head of a VTK XML file as Orrery writes it: PolyData whose arrays follow the XML as raw little-endian
/// bytes, each after its size in 64 bits. Views into the file.
struct VtkXmlFile {
  std::size_t points = 0;
  std::optional<VtkXmlArray> coordinates;
  std::vector<VtkXmlArray> data;    ///< arrays with a value for every point
  std::vector<VtkXmlArray> fields;  ///< data of the whole file, as text in place
  std::string_view appended;        ///< to which offsets are relative, up to the end of the file
};

/// Advice on the files of other programs, for messages.
inline constexpr std::string_view vtk_advice =
    "save its points as CSV in ParaView (File, Save Data) or with meshio";

/// Reads the structure and none of the data. Throws Error for what is no XML or in another form of VTK,
/// Cancelled when told so.
VtkXmlFile read_vtk_structure(const FileView& file, Progress* progress);

}  // namespace orrery::sim
