#pragma once

#include <string_view>
#include <vector>

namespace orrery::sim {

/// Placement of the threads of a parallel region.
enum class Binding {
  none,    ///< wherever the system puts them
  cores,   ///< one core after another, a memory node after the other; second threads of cores last
  spread,  ///< turn by turn on the memory nodes, then as cores
};

/// A hardware thread that this process may use.
struct Processor {
  int number = 0;   ///< the system's
  int node = 0;     ///< memory node
  int core = 0;     ///< the lowest number of the cores that share its core
  int sibling = 0;  ///< position among the hardware threads of its core
};

/// The hardware threads of the calling thread's mask, as the system describes them (/sys; what is not
/// described there counts as node 0, a core of its own).
std::vector<Processor> processors();
/// The numbers of `processors` in the order in which threads take them; empty for Binding::none.
std::vector<int> binding_order(Binding binding, std::vector<Processor> processors);

/// The binding of that name (none, cores, spread).
Binding binding_named(std::string_view name);

/// True if OMP_PROC_BIND or OMP_PLACES is set: OpenMP then binds the threads, and BindingScope leaves them
/// alone.
bool environment_binds();

/// Binds the calling thread and its OpenMP workers, each to one hardware thread, while it lives. Afterwards
/// the calling thread has the mask that it had; the workers, which wait for its next parallel region, keep
/// theirs for the next time. Workers that an earlier scope bound are set free by one with Binding::none. No
/// other thread is touched. Results do not depend on it.
class BindingScope {
 public:
  BindingScope(Binding binding, int threads);
  ~BindingScope();
  BindingScope(const BindingScope&) = delete;
  BindingScope& operator=(const BindingScope&) = delete;

 private:
  bool bound_ = false;
};

}  // namespace orrery::sim
