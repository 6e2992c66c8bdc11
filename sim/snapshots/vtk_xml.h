#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/mapped_file.h"
#include "sim/core/progress.h"
#include "sim/snapshots/vtk_encoding.h"

namespace orrery::sim {

/// The position of an array in a VTK XML file, and its description.
struct VtkXmlArray {
  std::string name, type, format;
  std::size_t components = 1;
  std::optional<std::size_t> tuples;  ///< stated for arrays of no piece
  std::size_t offset = 0;             ///< byte offset within the appended data
  std::string_view content;           ///< inline data
};

/// One piece of a data set.
struct VtkXmlPiece {
  std::size_t points = 0;
  std::optional<VtkXmlArray> coordinates;
  std::vector<VtkXmlArray> data;  ///< arrays with a value for every point
};

/// The head of a VTK XML file. Views into the file.
struct VtkXmlFile {
  std::string kind;        ///< "PolyData", ...
  std::string compressor;  ///< empty: none
  VtkEncoding encoding;    ///< encoding of inline data; appended data may have another
  bool appended_base64 = false;
  std::string_view appended;  ///< appended data, to which offsets are relative, up to the end of the file
  std::vector<VtkXmlPiece> pieces;
  std::vector<VtkXmlArray> fields;
  std::string first_file;  ///< the first that a collection or a parallel file names
};

/// Reads the structure and none of the data. Throws Error for what is no XML, Cancelled when told so.
VtkXmlFile read_vtk_structure(const FileView& file, Progress* progress);

}  // namespace orrery::sim
