#include "sim/step/step_device.h"

#include <string>

#include "sim/core/error.h"

namespace orrery::sim {

namespace {

[[noreturn]] void refuse(const char* what) {
  throw Error(std::string("the device that makes the steps knows no ") + what);
}

}  // namespace

bool StepDevice::give_up_step() { refuse("way back to the begin of a step"); }

PartDevice& parts_of(StepDevice& device) {
  auto* const parts = device.part_device();
  if (parts == nullptr) refuse("parts of steps; use step=fixed");
  return *parts;
}

BlockDevice& blocks_of(StepDevice& device) {
  auto* const blocks = device.block_device();
  if (blocks == nullptr) refuse("block times; use step=fixed");
  return *blocks;
}

}  // namespace orrery::sim
