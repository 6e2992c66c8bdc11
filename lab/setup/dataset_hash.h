#pragma once

#include <future>
#include <string>

#include "sim/bodies/bodies.h"

namespace orrery::lab {

/// 64-bit FNV-1a hash of the initial bodies (positions, velocities, masses), as 16 hexadecimal digits: tells
/// whether a file is still the one that a picture was taken of.
std::string dataset_hash(const sim::Bodies& bodies);

/// Computes dataset_hash in the background; the bodies must stay.
std::future<std::string> begin_dataset_hash(const sim::Bodies& bodies);

}  // namespace orrery::lab
