#include "sim/physics/fields/external_field.h"

namespace orrery::sim {

constinit const ExternalField none_field{
    .name = "none",
    .meaning = "nothing acts but the bodies themselves",
    .device_code = {},
    .uses = {},
    .acceleration = nullptr,
    .potential = nullptr,
};

}  // namespace orrery::sim
