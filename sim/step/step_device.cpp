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

PartDevice& StepDevice::parts() { refuse("parts of steps; use step=fixed"); }
BlockDevice& StepDevice::blocks() { refuse("block times; use step=fixed"); }

}  // namespace orrery::sim
