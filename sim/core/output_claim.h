#pragma once

#include <filesystem>
#include <memory>

namespace orrery::sim {

/// The right of this process to write a file or a folder of one name.
class OutputClaim;

/// Claims the name of an output for this process until the last copy of the pointer is gone, so that two runs
/// never write to one name and lose what one of them computed. Throws Error, which names the other process,
/// if another process has the name. Several claims of one process share it.
///
/// A claim is a lock on a hidden file beside the output. The lock ends with the process, however that ends,
/// so a file that was left behind keeps nobody from the name. On a network file system the lock holds for all
/// machines if the file system has locks. Where neither file nor lock can be had, or another program's file
/// has the hidden one's name, nothing is claimed.
std::shared_ptr<const OutputClaim> claim_output(const std::filesystem::path& output);

}  // namespace orrery::sim
