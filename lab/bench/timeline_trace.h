#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "sim/engines/timeline.h"

namespace orrery::lab {

/// A timeline in the Trace Event Format of Chrome, which https://ui.perfetto.dev opens: one complete event
/// (ph X, ts and dur in microseconds) a span, pid = device, tid = stream, args galaxy and step; and the names
/// of both. `devices`: names by ordinal; a device without one is called by its number.
nlohmann::json trace_json(const sim::Timeline& timeline, std::span<const std::string> devices = {});

/// Writes the trace; the file is whole or absent. Throws sim::Error.
void write_trace(const std::filesystem::path& path, const sim::Timeline& timeline,
                 std::span<const std::string> devices = {});

/// A name in `folder` that is not taken, such as "plummer-step12-trace-0001.json"; makes the folder. Throws
/// sim::Error if that cannot be.
std::filesystem::path free_trace_name(const std::filesystem::path& folder, const std::string& title,
                                      std::uint64_t step);

}  // namespace orrery::lab
