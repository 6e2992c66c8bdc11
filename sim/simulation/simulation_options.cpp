#include "sim/simulation/simulation_options.h"

#include <fmt/format.h>

#include "sim/activity/map_options.h"
#include "sim/cpu/cpu_options.h"
#include "sim/cpu/kernel.h"
#include "sim/cuda/families/family.h"
#include "sim/cuda/options/gpu_options.h"
#include "sim/cuda/options/schedule.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/options/tree_options.h"
#include "sim/ranks/split.h"
#include "sim/simulation/approximate_kernels.h"
#include "sim/simulation/engine_registry.h"

namespace orrery::sim {

namespace {

Description engine_option() {
  auto option = described("engine", "engine", "",
                          "What computes the forces. Default: the GPU if there is one, else the CPU.")
                    .initially("cpu")
                    .chosen_from(engine_kinds());
  for (const auto* kind : engine_kinds()) {
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

std::string cannot_integrate(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  return why_not_integrator(*find_integrator(std::get<std::string>(value)), rest);
}

std::string feels_no_gravity(const Configuration& c) {
  return physics_of(c).law->uses_charges ? "charges do not feel gravity" : "";
}

void add_force_options(OptionTable& table) {
  table.add(
      force_law_option("What bodies do to each other. COULOMB (K_E) and MAGNETIC (K_M) are the strengths of "
                       "the Coulomb force and "
                       "of the magnetic force between moving charges, in the dataset's units; the latter "
                       "matters where speeds come "
                       "near sqrt(K_E / K_M), the speed of light."));
  table.add(physics_option(&Physics::gravitational_constant, "Gravity (G)",
                           "G: the strength of gravity in the dataset's units.")
                .scaled(0.0, 1e30, "length^3 / (mass time^2)")
                .unless(feels_no_gravity));
}

std::string no_field(const Configuration& c) {
  return physics_of(c).field->acts() ? "" : "there is no external field; set external-field";
}

void add_field_options(OptionTable& table) {
  table.add(
      field_option("A fixed potential that acts on all bodies besides their own forces. MASS is M, SPEED v0, "
                   "RADIUS a, HEIGHT "
                   "b and FLATTENING q (1 is round, less is flat)."));
  table.add(field_center_option("Where the centre of the external field is.").unless(no_field));
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
    return "parts of a step are eta sqrt(l / |a|), and the softening is 0; set LENGTH in "
           "step=RULE:ETA:LENGTH";
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
    return "a body's step is eta sqrt(l / |a|), and the softening is 0; set LENGTH in step=block:ETA:LENGTH";
  return {};
}

std::string cannot_step(const OptionValue& value, const Configuration& rest, const OptionContext& context) {
  const auto parts = find_step_rule(form_value(std::get<std::string>(value)).word)->parts;
  if (parts == StepParts::one) return {};
  auto chosen = rest;
  chosen.set("step", value);
  return parts == StepParts::shared ? why_not_adaptive(chosen, context) : why_not_block(chosen, context);
}

void add_step_options(OptionTable& table) {
  table.add(physics_option(&Physics::integrator, "", "How velocities and positions advance by one time step.")
                .chosen_from(integrators())
                .refused(cannot_integrate));
  table.add(
      physics_option(
          &Physics::time_step, "",
          "dt: the simulated time of a step. With half of it the leapfrog's error is four times smaller.")
          .scaled(-largest_time_step, largest_time_step, "time"));
  table.add(step_option(
                "How a time step is made: at once, or in parts that get shorter where forces are strong. It "
                "ends dt later in any case. Parts are no longer than eta sqrt(l / |a|) for any body: half "
                "of ETA makes twice as many. LENGTH is l; 0: the softening.")
                .refused(cannot_step));
}

std::string is_wide(const Configuration& c) {
  const bool wide = is_on_gpu(c) && gpu_options(c).has_double_precision();
  return wide ? "with precision=double the state has 53 bits" : "";
}

void add_state_options(OptionTable& table) {
  table.add(physics_option(
                &Physics::dimensions, "",
                "3 or 2. With 2 all bodies move into the plane z = 0 and stay there (COM4521). Reset gives "
                "them their depth back.")
                .within(2, 3));
  table.add(described("state-precision", "physics", "",
                      "How positions and velocities are kept from step to step. Compensated, two floats hold "
                      "each number with 48 bits, so that a million small steps lose nothing by rounding.")
                .chosen({"single", "compensated"},
                        {"one number each, in the precision of the forces", "two floats each: 48 bits"})
                .unless(is_wide));
}

}  // namespace

void add_simulation_options(OptionTable& table) {
  table.add(engine_option());
  add_ranks_options(table);
  add_group<CpuOptions>(table);
  add_group<GpuOptions>(table);
  add_tree_options(table, uses_tree);
  add_step_options(table);
  table.add(
      physics_option(&Physics::softening, "",
                     "epsilon: the length below which gravity weakens. A large one is smooth and allows "
                     "a large time step. A small one resolves close encounters.")
          .scaled(0.0, largest_softening, "length"));
  add_force_options(table);
  add_state_options(table);
  add_field_options(table);
  add_group<MapOptions>(table);
}

}  // namespace orrery::sim
