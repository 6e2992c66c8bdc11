#pragma once

#include <string>
#include <vector>

namespace orrery::app {

/// Turns what was spelled otherwise in earlier versions into what it is now, `bench --ladder best` into
/// `ladder best`. Returns the line that says so, for people; empty: nothing changed. Throws sim::UsageError
/// if the name behind such a flag is missing.
std::string renew_old_spelling(std::vector<std::string>& arguments);

}  // namespace orrery::app
