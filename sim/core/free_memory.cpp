#include "sim/core/free_memory.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

namespace orrery::sim {

namespace {

namespace fs = std::filesystem;

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// The number behind a name in a file of lines "name number ..."; `otherwise` if there is none.
double number_of(const fs::path& file, std::string_view wanted, double otherwise) {
  std::ifstream lines(file);
  std::string name;
  double number = 0.0;
  while (lines >> name >> number) {
    if (name == wanted) return number;
    lines.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return otherwise;
}

double number_in(const fs::path& file, double otherwise) {
  double number = 0.0;
  return std::ifstream(file) >> number ? number : otherwise;
}

/// Memory that a group leaves. Files that it has read are given back when memory is needed.
double left_by(const fs::path& group, const char* limit, const char* usage) {
  const double most = number_in(group / limit, unlimited);
  if (most == unlimited) return unlimited;
  const double files = number_of(group / "memory.stat", "inactive_file", 0.0);
  return std::max(0.0, most - number_in(group / usage, 0.0) + files);
}

/// Memory that a group and all above it leave.
double left_by_all(const fs::path& root, const fs::path& group, const char* limit, const char* usage) {
  double left = left_by(root, limit, usage);
  fs::path at = root;
  for (const auto& name : group.relative_path()) left = std::min(left, left_by(at /= name, limit, usage));
  return left;
}

/// Lines "number:controllers:/group"; the group of the second version has no controllers.
double left_by_groups() {
  std::ifstream lines("/proc/self/cgroup");
  double left = unlimited;
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const auto controllers = line.substr(first + 1, second - first - 1), group = line.substr(second + 1);
    if (controllers == "memory")
      left = std::min(left, left_by_all("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes",
                                        "memory.usage_in_bytes"));
    if (controllers.empty())
      left = std::min(left, left_by_all("/sys/fs/cgroup", group, "memory.max", "memory.current"));
  }
  return left;
}

}  // namespace

double free_memory() {
  return std::min(1024.0 * number_of("/proc/meminfo", "MemAvailable:", unlimited), left_by_groups());
}

}  // namespace orrery::sim
