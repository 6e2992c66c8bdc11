#pragma once

#include <string_view>
#include <vector>

namespace orrery::sim {

/// The finite numbers of "1,2.5,-3e2". Throws UsageError "<what> needs ..., not 'text'" for anything else.
/// `form` says what is needed: "numbers like 0,0,10".
std::vector<double> parse_numbers(std::string_view text, std::string_view what, std::string_view form);

}  // namespace orrery::sim
