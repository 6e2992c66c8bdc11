#include "sim/simulation/simulation_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/activity/map_options.h"
#include "sim/cpu/cpu_options.h"
#include "sim/cpu/kernel.h"
#include "sim/cuda/families/family.h"
#include "sim/cuda/options/cuda_options.h"
#include "sim/cuda/options/gpu_options.h"
#include "sim/cuda/options/schedule.h"
#include "sim/options/describe.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/options/tree_options.h"
#include "sim/ranks/split.h"
#include "sim/simulation/approximate_kernels.h"
#include "sim/simulation/engine_registry.h"

namespace orrery::sim {

namespace {

Option engine_option() {
  Option option{.name = "engine",
                .group = "engine",
                .meaning = "What computes the forces. Default: the GPU if there is one, else the CPU.",
                .kind = OptionKind::choice,
                .default_value = std::string("cpu")};
  for (const auto* kind : engine_kinds()) {
    option.choices.emplace_back(kind->name);
    option.choice_meanings.emplace_back(kind->meaning);
    option.conflicts.emplace_back(
        [kind](const OptionValue& value, const Configuration&, const OptionContext&) {
          return std::get<std::string>(value) == kind->name ? kind->unavailable() : std::string();
        });
    // The last one that runs here: engines of a device come after that of the CPU.
    if (!kind->only_if_asked_for && kind->unavailable().empty())
      option.default_value = std::string(kind->name);
  }
  return option;
}

/// Why the GPU sums no jerks; empty if it does.
std::string no_jerks_on_gpu(const Configuration& rest) {
  const auto& family = cuda::family_of(rest);
  if (!family.jerks)
    return "the family " + std::string(family.name) +
           " sums no jerks; set family=tiled, family=pairwise or another integrator";
  if (!gpu_options(rest).is_resident())
    return "jerks stay on the GPU; set transfers=resident or another integrator";
  return {};
}

/// Why an integrator that needs more than forces cannot have it; empty if it can.
std::string why_not_integrator(const Integrator& integrator, const Configuration& rest) {
  if (!integrator.has_jerks()) return {};
  const bool gpu = is_on_gpu(rest);
  if (uses_tree(rest))
    return std::string("trees sum no jerks; set ") + (gpu ? "family=tiled" : "kernel=simd") +
           " or another integrator";
  if (const auto* law = physics_of(rest).law; law->jerk == nullptr)
    return "the jerk of force-law=" + std::string(law->name) +
           " is not known here; set another integrator, as leapfrog";
  return gpu ? no_jerks_on_gpu(rest) : std::string();
}

Option integrator_option() {
  Option option{.name = "integrator",
                .group = "physics",
                .meaning = "How velocities and positions advance by one time step.",
                .kind = OptionKind::choice,
                .default_value = std::string(Physics{}.integrator->name)};
  for (const auto* integrator : integrators()) {
    option.choices.emplace_back(integrator->name);
    option.choice_meanings.emplace_back(integrator->meaning);
  }
  option.conflicts.emplace_back(
      [](const OptionValue& value, const Configuration& rest, const OptionContext&) {
        return why_not_integrator(*find_integrator(std::get<std::string>(value)), rest);
      });
  return option;
}

Option real_option(std::string name, std::string meaning, std::string unit, double value, double minimum,
                   double maximum) {
  return real(described(std::move(name), "physics", "", std::move(meaning)), value, minimum, maximum,
              std::move(unit), true);
}

std::string needs_charges(const Configuration& c) {
  return physics_of(c).law->uses_charges ? std::string()
                                         : "gravity does not look at charges; set force-law=electric";
}

void add_force_options(OptionTable& table) {
  const Physics defaults;
  Option law{.name = "force-law",
             .group = "physics",
             .meaning = "What bodies do to each other.",
             .kind = OptionKind::choice,
             .default_value = std::string(defaults.law->name)};
  for (const auto* each : force_laws()) {
    law.choices.emplace_back(each->name);
    law.choice_meanings.emplace_back(each->meaning);
  }
  table.add(std::move(law));
  auto gravity = real_option("gravity", "G: the strength of gravity in the dataset's units.",
                             "length^3 / (mass time^2)", defaults.gravitational_constant, 0.0, 1e30);
  gravity.label = "Gravity (G)";
  gravity.inactive = [](const Configuration& c) {
    return std::string(physics_of(c).law->uses_charges ? "charges do not feel gravity" : "");
  };
  table.add(std::move(gravity));
  auto coulomb = real_option("coulomb", "K_E: the strength of the Coulomb force in the dataset's units.",
                             "force length^2 / charge^2", defaults.coulomb, 0.0, 1e30);
  coulomb.label = "Coulomb force (K_E)";
  coulomb.inactive = needs_charges;
  table.add(std::move(coulomb));
  auto magnetic = real_option(
      "magnetic",
      "K_M: the strength of the magnetic force between moving charges. It matters where speeds come "
      "near sqrt(K_E / K_M), the speed of light.",
      "force time^2 / charge^2", defaults.magnetic, 0.0, 1e30);
  magnetic.label = "Magnetic force (K_M)";
  magnetic.inactive = needs_charges;
  table.add(std::move(magnetic));
}

std::string other_field(const Configuration& c, std::string_view name) {
  const auto& field = *physics_of(c).field;
  if (!field.acts()) return "there is no external field; set external-field";
  if (std::ranges::find(field.uses, name) != field.uses.end()) return {};
  return "the field " + std::string(field.name) + " does not use it";
}

void add_field_option(OptionTable& table, const std::string& name, std::string label, std::string meaning,
                      std::string unit, double value, double minimum) {
  auto option = real_option(name, std::move(meaning), std::move(unit), value, minimum, 1e30);
  option.label = std::move(label);
  option.inactive = [name](const Configuration& c) { return other_field(c, name); };
  table.add(std::move(option));
}

void add_field_place(OptionTable& table, const std::string& axis) {
  auto option = real(described("field-" + axis, "physics", "Field: " + axis,
                               "Where the centre of the external field is: " + axis + "."),
                     0.0, -1e30, 1e30, "length");
  option.inactive = [](const Configuration& c) {
    return physics_of(c).field->acts() ? "" : "there is no external field; set external-field";
  };
  table.add(std::move(option));
}

void add_field_options(OptionTable& table) {
  const Physics defaults;
  Option field{.name = "external-field",
               .group = "physics",
               .meaning = "A fixed potential that acts on all bodies besides their own forces.",
               .kind = OptionKind::choice,
               .default_value = std::string(defaults.field->name)};
  for (const auto* each : external_fields()) {
    field.choices.emplace_back(each->name);
    field.choice_meanings.emplace_back(each->meaning);
  }
  table.add(std::move(field));
  add_field_option(table, "field-mass", "Field: mass (M)", "M of the external field.", "mass",
                   defaults.field_mass, 0.0);
  add_field_option(table, "field-speed", "Field: speed (v0)",
                   "v0 of the external field: circular orbits have it far outside the core.", "length / time",
                   defaults.field_speed, 0.0);
  add_field_option(table, "field-radius", "Field: radius (a)",
                   "a of the external field: scale length, or the radius of its core.", "length",
                   defaults.field_radius, 1e-19);
  add_field_option(table, "field-height", "Field: height (b)", "b of the external field: height of the disk.",
                   "length", defaults.field_height, 0.0);
  add_field_option(table, "field-flattening", "Field: flattening (q)",
                   "q of the external field: 1 is round, less is flat.", "", defaults.field_flattening, 0.01);
  for (const char* axis : {"x", "y", "z"}) add_field_place(table, axis);
}

std::string why_not_adaptive(const Configuration& rest, const OptionContext& context) {
  const auto physics = physics_of(rest);
  if (is_on_gpu(rest) && gpu_options(rest).is_fused())
    return "the fused kernel begins the next step with the forces; set update=separate";
  if (is_on_gpu(rest) && !gpu_options(rest).is_resident())
    return "on round trips steps have one length; set transfers=resident or step=fixed";
  if (context.ranks > 1) return "processes would cut steps differently; set step=fixed or start one process";
  if (!physics.integrator->keeps_acceleration() || !physics.integrator->is_symmetric())
    return "it needs forces at both ends of a symmetric step; set integrator=leapfrog, velocity-verlet or "
           "yoshida";
  if (!(physics.step_criterion().length > 0.0))
    return "parts of a step are eta sqrt(l / |a|), and the softening is 0; set step-length";
  return {};
}

/// Why the CUDA engine's options do not allow block time steps; empty if they do.
std::string why_not_block_on_a_gpu(const Configuration& rest) {
  const auto options = gpu_options(rest);
  if (options.is_fused()) return "the fused kernel begins the next step with the forces; set update=separate";
  if (!options.is_resident())
    return "on round trips steps have one length; set transfers=resident or step=fixed";
  if (options.schedule == "graph")
    return "a graph repeats its launches, and other bodies are active at each moment; set schedule=serial";
  if (cuda::devices_of(rest).size() > 1)
    return "several GPUs step all bodies together; set devices=0 or step=fixed";
  const auto& family = cuda::family_of(rest);
  if (!family.computes_some())
    return fmt::format("the family {} computes all bodies at once; set family=tiled, register-split or tree",
                       family.name);
  return {};
}

std::string why_not_block_on_the_processor(const Configuration& rest) {
  const auto* kernel = find_cpu_kernel(cpu_options(rest).kernel);
  if (kernel == nullptr || kernel->takes_targets) return {};
  return "kernel=" + std::string(kernel->name) +
         " computes all bodies at once; set kernel=simd, tree or omp-bodies";
}

std::string why_not_block(const Configuration& rest, const OptionContext& context) {
  const auto physics = physics_of(rest);
  if (context.ranks > 1) return "processes step all bodies together; set step=fixed or start one process";
  if (physics.integrator != &leapfrog) return "its steps kick, drift and kick; set integrator=leapfrog";
  if (physics.law->uses_charges)
    return "magnetic forces need velocities, which bodies have at different times; set step=adaptive or "
           "fixed";
  const bool on_gpu = is_on_gpu(rest);
  auto reason = on_gpu ? why_not_block_on_a_gpu(rest) : why_not_block_on_the_processor(rest);
  if (!reason.empty()) return reason;
  if (!(physics.step_criterion().length > 0.0))
    return "a body's step is eta sqrt(l / |a|), and the softening is 0; set step-length";
  return {};
}

void add_step_options(OptionTable& table) {
  const Physics defaults;
  Option step{.name = "step",
              .group = "physics",
              .meaning =
                  "How a time step is made: at once, or in parts that get shorter where forces are "
                  "strong. It ends dt later in any case.",
              .kind = OptionKind::choice,
              .default_value = std::string(defaults.step->name)};
  for (const auto* each : step_rules()) {
    step.choices.emplace_back(each->name);
    step.choice_meanings.emplace_back(each->meaning);
  }
  step.conflicts.emplace_back(
      [](const OptionValue& value, const Configuration& rest, const OptionContext& context) {
        switch (find_step_rule(std::get<std::string>(value))->parts) {
          case StepParts::one:
            return std::string();
          case StepParts::shared:
            return why_not_adaptive(rest, context);
          case StepParts::own:
            return why_not_block(rest, context);
        }
        return std::string();
      });
  table.add(std::move(step));
  const auto fixed = [](const Configuration& c) {
    return std::string(physics_of(c).step->parts == StepParts::one
                           ? "steps are not cut; set step=adaptive, even or block"
                           : "");
  };
  auto accuracy =
      real_option("step-accuracy",
                  "eta: parts of a step are no longer than eta sqrt(l / |a|) for any body. Half of "
                  "it makes twice as many.",
                  "", defaults.step_accuracy, 1e-6, 1e6);
  accuracy.inactive = fixed;
  table.add(std::move(accuracy));
  auto length = real_option("step-length", "l of the length of a part. 0: the softening.", "length",
                            defaults.step_length, 0.0, 1e30);
  length.inactive = fixed;
  table.add(std::move(length));
}

Option state_precision_option() {
  return {.name = "state-precision",
          .group = "physics",
          .meaning =
              "How positions and velocities are kept from step to step. Compensated, two floats hold "
              "each number with 48 bits, so that a million small steps lose nothing by rounding.",
          .kind = OptionKind::choice,
          .default_value = std::string("single"),
          .choices = {"single", "compensated"},
          .choice_meanings = {"one number each, in the precision of the forces", "two floats each: 48 bits"},
          .inactive = [](const Configuration& c) {
            const bool wide = is_on_gpu(c) && gpu_options(c).has_double_precision();
            return std::string(wide ? "with precision=double the state has 53 bits" : "");
          }};
}

Option dimensions_option() {
  return {
      .name = "dimensions",
      .group = "physics",
      .meaning =
          "3 or 2. With 2 all bodies move into the plane z = 0 and stay there (COM4521). Reset gives them "
          "their depth back.",
      .kind = OptionKind::integer,
      .default_value = std::int64_t{Physics{}.dimensions},
      .minimum = 2,
      .maximum = 3};
}

}  // namespace

void add_simulation_options(OptionTable& table) {
  table.add(engine_option());
  add_ranks_options(table);
  add_cpu_options(table);
  add_cuda_options(table);
  add_tree_options(table, uses_tree);
  const Physics defaults;
  table.add(integrator_option());
  table.add(real_option(
      "time-step",
      "dt: the simulated time of a step. With half of it the leapfrog's error is four times smaller.", "time",
      defaults.time_step, -largest_time_step, largest_time_step));
  add_step_options(table);
  table.add(real_option("softening",
                        "epsilon: the length below which gravity weakens. A large one is smooth and allows a "
                        "large time step. A small one resolves close encounters.",
                        "length", defaults.softening, 0.0, largest_softening));
  add_force_options(table);
  table.add(dimensions_option());
  table.add(state_precision_option());
  add_field_options(table);
  add_map_options(table);
}

}  // namespace orrery::sim
