// Stands in for sim/physics/suggest.cpp, which is written on another branch: delete this file, and its line
// in CMakeLists.txt, once that one is there.
#include "sim/physics/suggest.h"

namespace orrery::sim {

void suggest_parameters(Scene& scene) { scene.notes.emplace_back("parameters were suggested"); }

}  // namespace orrery::sim
