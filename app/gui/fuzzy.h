#pragma once

#include <optional>
#include <string_view>

namespace orrery::app {

/// A score of how well `text` matches a typed query, higher is better; empty if it does not match.
///
/// Every word of `query` must be found in `text`, in any order, whatever the case: as a piece of it, best at
/// the beginning of a word, or as letters in their order with gaps, the first at the beginning of a word.
/// Where much else stands in `text`, it fits less. An empty query fits everything alike.
std::optional<double> fuzzy_score(std::string_view query, std::string_view text);

}  // namespace orrery::app
