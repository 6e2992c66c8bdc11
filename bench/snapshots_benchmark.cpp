#include <benchmark/benchmark.h>

#include <filesystem>

#include "sim/galaxies/model.h"
#include "sim/snapshots/format.h"

// Reading and writing whole files, checks included, from a warm cache: bytes per second.
namespace {

namespace fs = std::filesystem;
using namespace orrery::sim;

constexpr std::size_t bodies = 4'000'000;

const Scene& scene() {
  static const Scene made = make_galaxy("plummer", {.bodies = bodies, .seed = 1});
  return made;
}

fs::path file_of(const char* extension) {
  auto path = fs::temp_directory_path() / (std::string("orrery-benchmark.") + extension);
  write_snapshot(scene(), path);
  return path;
}

void read_file(benchmark::State& state, const char* extension) {
  const auto path = file_of(extension);
  const auto bytes = static_cast<std::int64_t>(fs::file_size(path));
  for (auto _ : state) benchmark::DoNotOptimize(read_snapshot(path));
  state.SetBytesProcessed(state.iterations() * bytes);
  fs::remove(path);
}

void write_file(benchmark::State& state, const char* extension) {
  const auto path = fs::temp_directory_path() / (std::string("orrery-benchmark.") + extension);
  for (auto _ : state) write_snapshot(scene(), path);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(fs::file_size(path)));
  fs::remove(path);
}

BENCHMARK_CAPTURE(read_file, tipsy, "tipsy")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(read_file, bin, "bin")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(read_file, gadget, "gad")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(read_file, hdf5, "hdf5")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(read_file, csv, "csv")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(write_file, tipsy, "tipsy")->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
