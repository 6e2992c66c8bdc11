#pragma once

#include "sim/cpu/simd/instruction_sets.h"
#include "sim/cpu/simd/row_tasks.h"

namespace orrery::sim {

/// What sums jerks (sim/cpu/jerk.h) of a task into its `acceleration`, compiled for these instructions.
RowFunction* jerk_rows(const InstructionSet& instructions);

}  // namespace orrery::sim
