#include "sim/simulation/covering_set.h"

#include <algorithm>
#include <set>

#include "sim/cuda/driver/cublas.h"
#include "sim/cuda/families/family.h"
#include "sim/cuda/options/cuda_options.h"
#include "sim/simulation/simulation_options.h"

namespace orrery::sim::cuda {

namespace {

using Settings = std::vector<std::string>;

const OptionTable& table() {
  static const OptionTable all = [] {
    OptionTable options;
    add_simulation_options(options);
    return options;
  }();
  return all;
}

/// Kernel configurations by the settings that make them. Those that the options refuse, and those that would
/// be compiled to the same, are left out.
class Set {
 public:
  /// Adds these settings with each of the others in turn.
  void add_each(const Settings& settings, const Settings& others, bool batched = false) {
    for (const auto& other : others) {
      auto all = settings;
      all.push_back(other);
      add(all, batched);
    }
  }
  /// False where the options refuse them.
  bool add(const Settings& settings, bool batched = false) {
    auto configuration = table().defaults();
    configuration.set("engine", std::string("cuda"));
    configuration.set("math", std::string("ieee"));
    configuration.set("early-launch", false);
    configuration.set("integrator", std::string("symplectic-euler"));
    for (const auto& setting : settings) table().assign(configuration, setting);
    if (is_refused(configuration)) return false;
    auto kernel = kernel_configuration(configuration);
    kernel.batched = batched;
    auto compiled = compiler_options(kernel, "");
    compiled.push_back(kernel.law->device_code.data());
    compiled.emplace_back(kernel.field->device_code);
    for (const bool way : {kernel.slopes, kernel.jerks, kernel.adaptive, kernel.block_steps})
      compiled.emplace_back(way ? "1" : "0");
    compiled.insert(compiled.end(), kernel.family->code.files.begin(), kernel.family->code.files.end());
    if (distinct_.insert(compiled).second) kernels_.push_back(std::move(kernel));
    return true;
  }
  std::vector<KernelConfiguration> take() { return std::move(kernels_); }

 private:
  /// A library that this machine lacks is needed where kernels run, not where they are compiled.
  static bool is_refused(const Configuration& configuration) {
    return std::ranges::any_of(cuda_options().options(), [&](const Option& option) {
      const auto reason = cuda_options().refusal(option, configuration.value(option.name), configuration);
      return !reason.empty() && reason != cublas_problem();
    });
  }

  std::set<std::vector<std::string>> distinct_;
  std::vector<KernelConfiguration> kernels_;
};

std::string setting(const Option& option, const OptionValue& value) {
  return option.name + '=' + to_string(value);
}

/// The choices of an option, or the ends of its range.
Settings ends_of(const Option& option) {
  Settings ends;
  for (const auto& each : option.choices) ends.push_back(setting(option, each));
  if (option.kind == OptionKind::boolean) ends = {setting(option, true), setting(option, false)};
  if (option.kind == OptionKind::integer) {
    for (const double end : {option.minimum, option.maximum})
      ends.push_back(setting(option, static_cast<std::int64_t>(end)));
  }
  for (const auto& form : option.forms) {
    for (std::size_t k = 0; k < form.numbers.size(); ++k) {
      auto value = usual_value(form);
      for (const double end : {form.numbers[k].minimum, form.numbers[k].maximum}) {
        value.numbers[k] = end;
        ends.push_back(setting(option, form_text(value)));
      }
    }
  }
  return ends;
}

Settings layouts() { return ends_of(table().at("layout")); }

/// All but the default.
Settings other_laws() {
  Settings laws;
  for (const auto* law : force_laws().subspan(1)) laws.push_back("force-law=" + std::string(law->name));
  return laws;
}

std::string chosen(const Family& family) { return "family=" + std::string(family.name); }

/// Every layout with every arithmetic, with the default family: they are code of all families.
void add_every_arithmetic(Set& set) {
  for (const auto& layout : layouts()) set.add_each({layout}, ends_of(table().at("arithmetic")));
}

/// Every layout, and every arithmetic: a layout brings an arithmetic along, as compiling takes long.
void add_arithmetics(Set& set, const Family& family) {
  const auto all = layouts(), arithmetics = ends_of(table().at("arithmetic"));
  for (std::size_t k = 0; k < std::max(all.size(), arithmetics.size()); ++k) {
    const auto &layout = all[k % all.size()], &arithmetic = arithmetics[k % arithmetics.size()];
    // On tensor cores roots have instructions of their own.
    if (!family.needs_tensor_cores && set.add({chosen(family), layout, arithmetic})) continue;
    set.add({chosen(family), layout});
    if (!family.needs_tensor_cores) set.add({chosen(family), arithmetic});
  }
}

bool brings(const Family& family, const Option& option) {
  if (family.options == nullptr) return false;
  const auto own = family.options();
  return std::ranges::find(own, option.name, &Option::name) != own.end();
}

/// True if a number of the option reaches the code in other ways than in the first family that uses it.
bool is_particular(const Family& family, const Option& option) {
  const auto uses = [&](const Family* each) { return each->uses_option(option.name); };
  const bool first = *std::ranges::find_if(families(), uses) == &family;
  return first || brings(family, option) || !option.choices.empty() || option.macro.empty();
}

/// Adds the options that not all families use, at their ends, in every layout that they may be read from.
void add_own_options(Set& set, const Family& family) {
  for (const auto& option : cuda_options().options()) {
    if (!is_of_some_families(option.name) || !family.uses_option(option.name)) continue;
    if (!is_particular(family, option)) continue;
    for (const auto& end : ends_of(option)) {
      set.add_each({chosen(family), end}, {"precision=float", "precision=double"});
      // Blocks of 1024 threads need a cap.
      if (option.macro.empty()) set.add({chosen(family), end, "registers=64"});
      if (option.choices.empty()) continue;
      set.add({chosen(family), end, "dimensions=2"});
      if (!brings(family, option)) set.add_each({chosen(family), end}, layouts());
      set.add_each({chosen(family), end}, other_laws());
    }
  }
}

/// Adds pairs of a family's own options: the ends of one with the ends of each other one.
void add_pairs_of_options(Set& set, const Family& family) {
  const auto own = family.options != nullptr ? family.options() : std::vector<Option>();
  for (const auto& one : own) {
    for (const auto& other : own) {
      if (one.choices.empty() || one.name == other.name) continue;
      for (const auto& end : ends_of(one)) set.add_each({chosen(family), end}, ends_of(other));
    }
  }
}

/// The other forms of a body and of a launch.
void add_forms(Set& set, const Family& family) {
  const auto name = chosen(family);
  set.add({name, "precision=double"});
  set.add_each({name}, other_laws());
  set.add({name, "constants=constant-memory", "loads=plain"});
  if (family.constant_ranges) {
    for (const char* precision : {"precision=float", "precision=double"})
      set.add({name, "constants=constant-memory-all", precision, "map-size=8", "map-count=update"});
  }
  set.add({name, "dimensions=2", "softening=0"});
  set.add({name, "early-launch=on"});
  if (family.batch != nullptr) {
    set.add({name}, true);
    set.add({name, "precision=double", "layout=soa"}, true);
    set.add_each({name}, other_laws(), true);
  }
  if (family.fused == nullptr) return;
  set.add_each({name, "update=fused"}, layouts());
  if (family.fused->batch != nullptr) set.add({name, "update=fused"}, true);
  set.add({name, "update=fused", "precision=double"});
  set.add({name, "update=fused", "dimensions=2", "layout=split"});
  set.add({name, "update=fused", "passing=members", "layout=soa", "precision=double"});
}

/// Every layout with every way to pass it, in the plane, with another law, both.
void add_layouts(Set& set) {
  for (const auto& layout : layouts()) {
    set.add_each({layout}, {"passing=members", "passing=pointer"});
    set.add({layout, "precision=double", "arithmetic=sqrt"});
    set.add({layout, "dimensions=2", "passing=members"});
    set.add({layout, "dimensions=2", "precision=double"});
    for (const char* passing : {"passing=value", "passing=members", "passing=pointer"})
      set.add({layout, passing, "map-size=8", "map-count=update"});
    set.add({layout, "map-size=8", "map-count=update", "constants=constant-memory", "precision=double"});
    for (const auto& law : other_laws()) {
      set.add({layout, law, "passing=members"});
      set.add({layout, law, "precision=double", "passing=pointer", "softening=0"});
      set.add({layout, law, "dimensions=2", "constants=constant-memory", "map-size=8", "map-count=update"});
    }
  }
  set.add_each({"staging=bodies"}, other_laws());
}

/// External fields and a compensated state: code of the update, which all families share.
void add_fields(Set& set) {
  for (const auto* field : external_fields().subspan(1)) {
    const auto chosen = "external-field=" + std::string(field->name);
    set.add_each({chosen}, {"precision=float", "precision=double", "dimensions=2"});
  }
  for (const auto& layout : layouts())
    set.add_each({layout, "state-precision=compensated", "external-field=nfw"},
                 {"passing=value", "passing=members", "dimensions=2", "constants=constant-memory-all"});
  set.add({"state-precision=compensated", "dimensions=2"});
}

/// Adds the forms of slopes, jerks and divided steps: code of its own beside the update.
void add_ways_to_step(Set& set) {
  for (const char* way : {"integrator=rk4", "integrator=hermite", "step=adaptive", "step=block"}) {
    for (const auto& layout : layouts()) {
      set.add({way, layout, "state-precision=single"});
      set.add({way, layout, "state-precision=compensated", "passing=members"});
      set.add({way, layout, "dimensions=2", "passing=pointer", "softening=0"});
      set.add({way, layout, "precision=double", "constants=constant-memory-all", "loads=plain"});
    }
    for (const auto* field : external_fields().subspan(1)) {
      const auto chosen = "external-field=" + std::string(field->name);
      set.add_each({way, chosen},
                   {"state-precision=single", "state-precision=compensated", "precision=double"});
    }
    set.add_each({way}, {"family=tiled", "family=pairwise"}, true);
    set.add_each({way}, {"early-launch=on", "math=fast"});
    set.add({way, "arithmetic=sqrt", "constants=constant-memory"});
  }
}

}  // namespace

std::vector<KernelConfiguration> covering_set() {
  Set set;
  for (const auto* family : families()) {
    add_arithmetics(set, *family);
    add_own_options(set, *family);
    add_pairs_of_options(set, *family);
    add_forms(set, *family);
  }
  add_every_arithmetic(set);
  add_layouts(set);
  add_fields(set);
  add_ways_to_step(set);
  set.add_each({}, {"math=fast", "math=flush-to-zero", "registers=32"});
  return set.take();
}

bool exists_on(const KernelConfiguration& configuration, const std::string& architecture) {
  return architecture != "sm_75" || !configuration.family->needs_tensor_cores;
}

std::vector<std::string> covered_architectures() {
  return {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"};
}

}  // namespace orrery::sim::cuda
