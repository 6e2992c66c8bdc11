#include "sim/cpu/thread_binding.h"

#include <fmt/format.h>
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <tuple>

namespace orrery::sim {

namespace {

namespace fs = std::filesystem;

std::string cpu_folder(int number) { return fmt::format("/sys/devices/system/cpu/cpu{}", number); }

/// The hardware threads that share a core are listed as "3,67" or "6-7": the first number.
int first_sibling(int number) {
  std::ifstream file(cpu_folder(number) + "/topology/thread_siblings_list");
  int first = number;
  return file >> first ? first : number;
}

/// The folder of a core has a link "nodeN" to its memory node.
int node_of(int number) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(cpu_folder(number), failed)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with("node") && name.size() > 4 && std::isdigit(name[4]) != 0)
      return std::stoi(name.substr(4));
  }
  return 0;
}

cpu_set_t own_mask() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  sched_getaffinity(0, sizeof mask, &mask);
  return mask;
}

void bind_to(int processor) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(processor, &mask);
  // Refused where the hardware thread was taken away meanwhile: the thread then runs where it may.
  sched_setaffinity(0, sizeof mask, &mask);
}

thread_local cpu_set_t mask_before;     ///< affinity mask of a calling thread, while a scope lives
thread_local int bound_processor = -1;  ///< the core that a worker is bound to
/// The order that was found last: asking the system takes milliseconds on large machines.
struct KnownOrder {
  Binding binding = Binding::none;
  cpu_set_t mask{};
  std::vector<int> order;
};
thread_local KnownOrder known;
thread_local bool has_bound_workers = false;  ///< true if a calling thread has bound workers

void bind_worker(int processor) {
  if (bound_processor == processor) return;
  bind_to(processor);
  bound_processor = processor;
}

void free_worker(const cpu_set_t& mask) {
  if (bound_processor < 0) return;
  sched_setaffinity(0, sizeof mask, &mask);
  bound_processor = -1;
}

const std::vector<int>& order_here(Binding binding, const cpu_set_t& mask) {
  if (known.binding != binding || !CPU_EQUAL(&known.mask, &mask))
    known = {.binding = binding, .mask = mask, .order = binding_order(binding, processors())};
  return known.order;
}

}  // namespace

bool environment_binds() { return omp_get_proc_bind() != omp_proc_bind_false; }

std::vector<Processor> processors() {
  const auto mask = own_mask();
  std::vector<Processor> found;
  std::map<int, int> on_core;
  for (int number = 0; number < CPU_SETSIZE; ++number) {
    if (!CPU_ISSET(number, &mask)) continue;
    const int core = first_sibling(number);
    found.push_back({.number = number, .node = node_of(number), .core = core, .sibling = on_core[core]++});
  }
  return found;
}

std::vector<int> binding_order(Binding binding, std::vector<Processor> processors) {
  std::vector<int> order;
  if (binding == Binding::none) return order;
  std::ranges::sort(processors, {}, [](const Processor& p) { return std::tuple(p.sibling, p.node, p.core); });
  // Turn by turn: the first of every node, then the second of every node.
  std::map<int, int> on_node;
  std::vector<std::tuple<int, int, int>> keyed;
  keyed.reserve(processors.size());
  for (const auto& p : processors) keyed.emplace_back(on_node[p.node]++, p.node, p.number);
  if (binding == Binding::spread) std::ranges::sort(keyed);
  for (const auto& key : keyed) order.push_back(std::get<2>(key));
  return order;
}

Binding binding_named(std::string_view name) {
  if (name == "cores") return Binding::cores;
  return name == "spread" ? Binding::spread : Binding::none;
}

BindingScope::BindingScope(Binding binding, int threads) {
  if ((binding == Binding::none && !has_bound_workers) || environment_binds()) return;
  mask_before = own_mask();
  const auto mask = mask_before;
  const auto& order = order_here(binding, mask);
  // The team first: threads that start here take over the mask of this one.
#pragma omp parallel num_threads(threads)
  if (const auto thread = static_cast<std::size_t>(omp_get_thread_num()); thread > 0) {
    if (order.empty()) {
      free_worker(mask);
    } else {
      bind_worker(order[thread % order.size()]);
    }
  }
  has_bound_workers = !order.empty();
  if (!order.empty()) bind_to(order.front());
  bound_ = !order.empty();
}

BindingScope::~BindingScope() {
  if (bound_) sched_setaffinity(0, sizeof mask_before, &mask_before);
}

}  // namespace orrery::sim
