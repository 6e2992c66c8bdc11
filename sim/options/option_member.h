#pragma once

#include <utility>

#include "sim/options/option_group.h"

namespace orrery::sim {

/// One member of a group, read_member(c, &GpuOptions::update), without the cost of reading the others: for
/// code that runs for every frame or every option.
template <typename Group, typename Value>
Value read_member(const Configuration& configuration, Value Group::*member) {
  Group group;
  const void* wanted = &(group.*member);
  for_each_value(group, [&](const char* name, auto& value) {
    if (&value == wanted) read_value(configuration, name, value);
  });
  return std::move(group.*member);
}

}  // namespace orrery::sim
