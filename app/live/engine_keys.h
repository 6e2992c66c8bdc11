#pragma once

#include <string>

namespace orrery::app {

class Session;

/// The options that the keys K and T change, of the engine in force. On the CPU the kernel and the number
/// of threads, on a GPU the kernel family and the tile. Both return what to tell the person: the new value,
/// or why nothing was changed.

/// The next (1) or previous (-1) kernel that is not refused, around the ends.
std::string switch_kernel(Session& session, int direction);
/// One thread more or less; on a GPU a tile of twice or half the size.
std::string switch_amount(Session& session, int direction);

}  // namespace orrery::app
