#include "sim/series/series_index.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/core/json_text.h"

namespace orrery::sim {

namespace {

/// True if the series has an index file of VTK (`--format vtk`).
bool has_collection(const SnapshotFormat& format) { return series_extension(format) == "vtp"; }

std::string collection(std::span<const SeriesEntry> entries) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "<Collection>\n";
  for (const auto& entry : entries)
    text +=
        fmt::format("<DataSet timestep=\"{}\" group=\"\" part=\"0\" file=\"{}\"/>\n", entry.time, entry.file);
  return text + "</Collection>\n</VTKFile>\n";
}

std::string json(std::span<const SeriesEntry> entries) {
  auto files = nlohmann::json::array();
  for (const auto& entry : entries) {
    nlohmann::json file{{"name", entry.file}, {"time", entry.time}, {"step", entry.step}};
    if (!entry.acceleration_source.empty()) file["acceleration_source"] = entry.acceleration_source;
    files.push_back(std::move(file));
  }
  return dump_json(nlohmann::json{{"file-series-version", "1.0"}, {"files", std::move(files)}}, 1) + "\n";
}

}  // namespace

std::string series_extension(const SnapshotFormat& format) {
  const auto first = format.extensions.substr(0, format.extensions.find(','));
  return first.empty() ? "txt" : std::string(first);
}

std::string series_index_name(const SnapshotFormat& format) {
  if (has_collection(format)) return "series.pvd";
  return fmt::format("series.{}.series", series_extension(format));
}

std::string series_index_text(const SnapshotFormat& format, std::span<const SeriesEntry> entries) {
  return has_collection(format) ? collection(entries) : json(entries);
}

}  // namespace orrery::sim
