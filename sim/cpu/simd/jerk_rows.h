#pragma once

#include "sim/cpu/simd/instruction_sets.h"
#include "sim/cpu/simd/row_tasks.h"

namespace orrery::sim {

/// The row function that sums jerks (sim/cpu/jerk.h) into `acceleration`, compiled for these instructions.
RowFunction* jerk_rows(const InstructionSet& instructions);

}  // namespace orrery::sim
