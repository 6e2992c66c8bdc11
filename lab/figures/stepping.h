#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lab/bench/bench_setup.h"
#include "lab/figures/figure_kind.h"
#include "sim/engines/engine.h"

// Runs that figures watch.
namespace orrery::lab {

/// A configuration with what is particular about it: "integrator=leapfrog"; empty if there is only one.
struct Variant {
  std::string name;
  sim::Configuration configuration;
};
/// The combinations of `vary` ("integrator=leapfrog:forest-ruth"), or the setup's configuration. Throws
/// sim::UsageError for what cannot run.
std::vector<Variant> variants_of(const BenchSetup& setup, const std::string& vary);

/// The dataset of the request with its one number of bodies. Throws sim::UsageError for several.
BenchSetup setup_of(const sim::OptionTable& table, const FigureRequest& request,
                    const std::string& default_source = "plummer");

/// One complete step. Throws sim::Cancelled when a person interrupts.
void advance_one(sim::Engine& engine);

/// Makes `steps` steps of one variant after the other; `look` sees the state before the first of each, and
/// after every `stride`-th and the last. A line on the terminal says how far all are. Throws sim::Cancelled.
using Look = std::function<void(std::size_t variant, sim::Engine& engine)>;
void run_variants(const BenchSetup& setup, const std::vector<Variant>& variants, int steps, int stride,
                  const Look& look);

/// The device that computes the setup's configuration: the GPU or the CPU.
std::string computing_device(const BenchSetup& setup);
/// The head of a document that a figure makes: version, figure, title of the dataset, bodies, galaxies,
/// device.
nlohmann::json document_head(const BenchSetup& setup, std::string_view figure);
/// The same for people: "plummer, 1000 bodies".
std::string dataset_in(const nlohmann::json& document);
/// True if the document was made by that figure.
bool made_by(const nlohmann::json& document, std::string_view figure);

}  // namespace orrery::lab
