#include <array>

#include "cuda_families.h"
#include "sim/cuda/device/shared.h"
#include "sim/cuda/driver/cublas.h"
#include "sim/cuda/families/shared_memory.h"
#include "sim/cuda/options/gpu_options.h"
#include "sim/cuda/options/kernel_configuration.h"

namespace orrery::sim::cuda {

namespace {

using namespace std::string_literals;

// ---- options ----
struct TilingOptions {
  FormValue tiling;
  std::string sum;
  static OptionRows<TilingOptions> rows();
};

OptionRows<TilingOptions> TilingOptions::rows() {
  static const std::vector<OptionValue> of_the_report{"1:64:256"s,  "1:128:512"s, "1:256:1024"s, "2:128:256"s,
                                                      "2:256:512"s, "2:512:512"s, "4:128:256"s,  "4:256:256"s,
                                                      "8:64:128"s,  "8:128:128"s};
  return {{&TilingOptions::tiling,
           cuda_option(
               "tiling",
               "2-D tiling: WIDTH threads per body (the report's len), LENGTH bodies per block (its wid) and "
               "SPAN sources per thread (its loop unroll factor).")
               .numbered({count("WIDTH", 2.0, 1.0, 8.0), count("LENGTH", 128.0, 32.0, 512.0),
                          count("SPAN", 256.0, 32.0, 1024.0)})
               .labelled("Threads per body")
               .tried(of_the_report)
               .tuned(7)},
          choice("bank-safe", "2-D tiling: where threads of a warp use different banks of shared memory.",
                 "both", {"both", "reads", "writes", "none"},
                 {"where they read and where they write", "where they read: sources are interleaved",
                  "where they write: neighbouring threads stage neighbouring sources",
                  "nowhere: each thread stages and reads a range of its own, as before the report's gpu6"})
              .tuned(19),
          {&TilingOptions::sum,
           choice("sum", "2-D tiling: what adds the partial sums of a body.", "kernel",
                  {"kernel", "cublas", "tree"},
                  {"our own kernel, one thread per body",
                   "cuBLAS: a matrix-vector product with a vector of ones (ECE1782); needs the library",
                   "a kernel in which 16 threads add a body's sums, then in pairs (planned in ECE1782)"})
               .with_macro("SUM")
               .tuned(16)
               .labelled("Sum of parts")}};
}

std::vector<Option> options() {
  std::vector<Option> all;
  for (const auto& row : rows_of<TilingOptions>()) all.push_back(row.option);
  return all;
}

std::string bad_tiling(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  const auto tiling = form_value(std::get<std::string>(value));
  const auto threads = static_cast<std::int64_t>(tiling.number(0));
  if ((threads & (threads - 1)) != 0) return "1, 2, 4 or 8 threads share a body";
  const double block = tiling.number(0) * tiling.number(1);
  if (block > 1024) return fmt::format("WIDTH x LENGTH is {} threads and a block has at most 1024", block);
  if (gpu_options(rest).staging == "none") return {};
  const double staged = tiling.number(0) * tiling.number(2) * source_reals(rest);
  return staged * real_bytes(rest) > shared_memory
             ? "WIDTH x SPAN bodies do not fit into the 48 KiB of shared memory; use a smaller SPAN"
             : "";
}

std::string cublas_missing(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  if (std::get<std::string>(value) != "cublas") return {};
  if (is_emulated(rest)) return "cuBLAS needs a GPU of its own, not an emulated one; use sum=kernel";
  return cublas_problem();
}

std::string sum_of(const Configuration& c) { return read_group<TilingOptions>(c).sum; }

std::string sums_one_galaxy(const Configuration& c) {
  if (sum_of(c) == "cublas") return "cuBLAS adds the partial sums of one galaxy a call; use sum=kernel";
  return sum_of(c) == "tree" ? "the tree adds the partial sums of one galaxy a launch; use sum=kernel" : "";
}

std::string cublas_has_one_stream(const Configuration& c) {
  return sum_of(c) == "cublas" ? "cuBLAS adds partial sums in one stream; use sum=kernel" : "";
}

// ---- launch ----
bool sums_with_cublas(const KernelConfiguration& c) { return c.chose("sum", "cublas"); }

std::vector<const char*> kernels(const KernelConfiguration& c) {
  if (sums_with_cublas(c)) return {};
  return {c.chose("sum", "tree") ? "add_partials_tree" : "add_partials"};
}

int block(const KernelConfiguration& c) { return c.value("WIDTH") * c.value("LENGTH"); }

/// A row for each of the threads that share a body.
std::size_t partial_rows(const KernelConfiguration& c, std::size_t sources) {
  const auto width = static_cast<std::size_t>(c.value("WIDTH"));
  return blocks_for(sources, width * static_cast<std::size_t>(c.value("SPAN"))) * width;
}

std::size_t scratch_bytes(const KernelConfiguration& c, std::size_t sources, std::size_t targets) {
  return 3 * c.real_bytes() * partial_rows(c, sources) * targets;
}

BatchShape batch(const KernelConfiguration& c, int /*block*/) {
  const auto width = static_cast<unsigned>(c.value("WIDTH"));
  const auto length = static_cast<unsigned>(c.value("LENGTH"));
  return {.targets = length,
          .sources = std::size_t{width} * static_cast<std::size_t>(c.value("SPAN")),
          .block_x = width,
          .block_y = length,
          .partial_rows = partial_rows};
}

void add_partials(ForceQueue& queue, const ForceSlice& slice, std::size_t rows) {
  if (sums_with_cublas(queue.kernel())) {
    return queue.sum_rows(rows, 3 * slice.targets(),
                          queue.accelerations() + 3 * queue.real_bytes() * slice.begin);
  }
  Arguments sums;
  queue.add_constants(sums);
  sums.add(queue.scratch()).add(queue.accelerations());
  add_slice(sums, slice);
  if (queue.kernel().chose("sum", "tree")) {
    return queue.launch(
        "add_partials_tree",
        {.grid_x = blocks_for(slice.targets(), tree_bodies), .block_x = tree_bodies, .block_y = tree_parts},
        sums);
  }
  queue.launch("add_partials", {.grid_x = blocks_for(slice.targets(), adding_block), .block_x = adding_block},
               sums);
}

void queue_piece(ForceQueue& queue, const ForceSlice& slice, const BatchShape& shape) {
  auto arguments = constants_and_bodies(queue);
  arguments.add(queue.scratch());
  add_slice(arguments, slice);
  queue.launch("forces",
               {.grid_x = blocks_for(slice.galaxy.size(), shape.sources),
                .grid_y = blocks_for(slice.targets(), shape.targets),
                .block_x = shape.block_x,
                .block_y = shape.block_y},
               arguments);
  add_partials(queue, slice, partial_rows(queue.kernel(), slice.galaxy.size()));
}

void queue_forces(ForceQueue& queue, const ForceSlice& slice) {
  const auto shape = batch(queue.kernel(), 0);
  // In the report bodies lie along x and sources along y. Here it is the other way, and what is too long for
  // y is launched in pieces: their sums go to the same memory, one after the other.
  for_pieces(slice, most_grid_rows * shape.targets,
             [&](const ForceSlice& piece) { queue_piece(queue, piece, shape); });
}

void add_macros(const KernelConfiguration& c, Macros& macros) {
  const bool both = c.chose("bank-safe", "both");
  for (const char* number : {"WIDTH", "LENGTH", "SPAN"}) macros.emplace_back(number, c.value(number));
  macros.emplace_back("BANK_SAFE", both || c.chose("bank-safe", "reads") ? 1 : 0);
  macros.emplace_back("BANK_SAFE_WRITES", both || c.chose("bank-safe", "writes") ? 1 : 0);
}

constexpr std::array<std::string_view, 1> tiled_2d_sources{"tiled_2d.cu"};
constexpr std::array<std::string_view, 5> tiled_2d_uses{"staging", "unroll", "tiling", "bank-safe", "sum"};
constexpr std::array<FamilyRefusal, 3> tiled_2d_refusals{
    {{"staging", no_whole_bodies}, {"tiling", bad_tiling}, {"sum", cublas_missing}}};

}  // namespace

constinit const Family tiled_2d_family{
    .name = "tiled-2d",
    .meaning = "sources split among threads too, partial sums added by a second kernel (ECE1782)",
    .usual_rate = 1720,
    .code = {.files = tiled_2d_sources, .kernels = kernels, .macros = add_macros},
    .uses = tiled_2d_uses,
    .options = options,
    .refusals = tiled_2d_refusals,
    .limits = {.no_batch = sums_one_galaxy, .no_streams = cublas_has_one_stream},
    .forces = queue_forces,
    .block = block,
    .batch = batch,
    .targets = Targets::before_tracers,
    .scratch = {.bytes = scratch_bytes, .meaning = "partial sums", .less = "a larger SPAN"},
    .sums_with_cublas = sums_with_cublas,
};

}  // namespace orrery::sim::cuda
