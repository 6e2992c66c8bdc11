#include "sim/step/step_device.h"

#include <string>

#include "sim/core/error.h"

namespace orrery::sim {

namespace {

[[noreturn]] void refuse(const char* what) {
  throw Error(std::string("the device that makes the steps knows no ") + what);
}

[[noreturn]] void refuse_parts() { refuse("parts of steps; use step=fixed"); }
[[noreturn]] void refuse_block_steps() { refuse("block times; use step=fixed"); }

}  // namespace

bool StepDevice::give_up_step() { refuse("way back to the begin of a step"); }

void StepDevice::keep_part() { refuse_parts(); }
void StepDevice::restore_part() { refuse_parts(); }
void StepDevice::measure_acceleration() { refuse_parts(); }
std::optional<double> StepDevice::largest_acceleration(bool /*wait*/) { refuse_parts(); }

void StepDevice::begin_block_steps() { refuse_block_steps(); }
void StepDevice::advance_block_steps(std::uint32_t /*now*/, bool /*ends*/, bool /*begins*/) {
  refuse_block_steps();
}
std::optional<BlockTime> StepDevice::next_block_time(bool /*wait*/) { refuse_block_steps(); }
void StepDevice::end_block_time(bool /*ends_step*/) { refuse_block_steps(); }

}  // namespace orrery::sim
