// Families as they describe themselves, and what they queue, without a GPU: a queue that writes down.
#include "sim/cuda/families/family.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kernel_testing.h"
#include "sim/cuda/options/cuda_options.h"
#include "sim/options/tree_options.h"
#include "sim/simulation/approximate_kernels.h"
#include "sim/simulation/covering_set.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim::cuda {
namespace {

struct Launched {
  std::string kernel;
  LaunchShape shape;
  std::size_t arguments = 0;
};

class WrittenDown final : public ForceQueue {
 public:
  explicit WrittenDown(KernelConfiguration configuration) : kernel_(std::move(configuration)) {}

  const KernelConfiguration& kernel() const override { return kernel_; }
  int block() const override {
    const auto* family = kernel_.family;
    const int own = family->block != nullptr ? family->block(kernel_) : 0;
    return own > 0 ? own : 256;
  }
  std::size_t multiprocessors() const override { return 132; }
  bool early() const override { return false; }
  DeviceAddress accelerations() const override { return 0x1000; }
  DeviceAddress scratch() const override { return 0x2000; }
  DeviceAddress galaxy_starts() const override { return 0x3000; }
  void add_constants(Arguments& arguments) const override { arguments.add(1.0F); }
  void add_bodies(Arguments& arguments) const override { arguments.add(2.0F); }
  void add_next(Arguments& arguments) const override {
    if (kernel_.family->updates) arguments.add(3.0F);
  }
  void add_update(Arguments& arguments) const override {
    if (kernel_.family->updates) arguments.add(0.1F).add(1);
  }
  void set_range(const ForceSlice&) override { ++ranges; }
  void launch(const char* name, const LaunchShape& shape, Arguments& arguments) override {
    launched.push_back({name, shape, arguments.size()});
  }
  void clear(DeviceAddress, std::size_t bytes) override { cleared += bytes; }
  void sum_rows(std::size_t rows, std::size_t columns, DeviceAddress) override { summed = rows * columns; }

  std::vector<Launched> launched;
  int ranges = 0;
  std::size_t cleared = 0;
  std::size_t summed = 0;

 private:
  KernelConfiguration kernel_;
};

/// Every family and its fused form.
std::vector<const Family*> all_forms() {
  std::vector<const Family*> all(families().begin(), families().end());
  for (const auto* family : families()) {
    if (family->fused != nullptr) all.push_back(family->fused);
  }
  return all;
}

KernelConfiguration kernel_of(const Family& family) {
  auto configuration = kernel({"family=" + std::string(family.name)});
  configuration.family = &family;
  return configuration;
}

TEST(Families, NamesAreDifferentAndTheOptionLists) {
  std::set<std::string_view> names;
  for (const auto* family : families()) {
    EXPECT_TRUE(names.insert(family->name).second) << family->name;
    EXPECT_FALSE(family->meaning.empty());
  }
  EXPECT_EQ(cuda_options().at("family").choices.size(), names.size());
  EXPECT_THROW(family_named("no-such"), std::out_of_range);
}

// The tree's blocks have up to 1024 threads: a kernel that does not say so may take too many registers, which
// is found on a GPU only ("too many resources requested for launch").
TEST(Families, KernelsOfTheTreeStateTheirThreads) {
  int kernels = 0;
  std::vector<std::string_view> sources(family_named("tree").code.files.begin(),
                                        family_named("tree").code.files.end());
  for (const auto source : sources) {
    const std::string& text = embedded_kernel_files().at(source).text;
    const std::string_view begin = "extern \"C\" __global__ void ";
    for (auto at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1), ++kernels)
      EXPECT_TRUE(text.substr(at + begin.size()).starts_with("__launch_bounds__(")) << text.substr(at, 80);
  }
  EXPECT_GE(kernels, 11);
}

TEST(Families, TheirSourcesAreThere) {
  for (const auto* family : all_forms()) {
    for (const auto source : family->code.files)
      EXPECT_NO_THROW(embedded_kernel_files().at(source)) << source;
    EXPECT_NE(kernel_source(kernel_of(*family)).find(std::string(" ") + family->code.entry + "("),
              std::string::npos)
        << family->name;
  }
}

TEST(Families, WhatTheyUseAndRefuseAreOptions) {
  for (const auto* family : all_forms()) {
    for (const auto name : family->uses) EXPECT_NE(cuda_options().find(name), nullptr) << name;
    for (const auto& refusal : family->refusals)
      EXPECT_NE(cuda_options().find(refusal.option), nullptr) << refusal.option;
    if (family->options == nullptr) continue;
    for (const auto& option : family->options())
      EXPECT_TRUE(family->uses_option(option.name)) << family->name << " brings " << option.name;
  }
}

/// Why ranges in constant memory do not go with these; empty if they do.
std::string refusal_of_ranges(const std::vector<std::string>& assignments) {
  const auto& table = checks::simulation_options();
  auto settings = table.defaults();
  for (const char* each : {"engine=cuda", "constants=constant-memory-all"}) table.assign(settings, each);
  for (const auto& each : assignments) table.assign(settings, each);
  return table.refusal(table.at("constants"), settings.value("constants"), settings, {});
}

Configuration on_gpu(const std::string& family) {
  return checks::configuration_of({.assignments = {"engine=cuda", "family=" + family, "opening=relative"}});
}

TEST(Families, OptionsOfTheTreeAreForTreesOnly) {
  const auto& table = checks::simulation_options();
  for (const auto* family : families()) {
    const auto configuration = on_gpu(std::string(family->name));
    for (const char* option : {"group-size", "order", "far-cells"})
      EXPECT_EQ(table.at(option).inactive(configuration).empty(), family->approximate)
          << option << ' ' << family->name;
  }
  EXPECT_TRUE(kernel({"family=tree", "order=octupole"}).tree_third);
}

TEST(Families, RangesInConstantMemoryAreForOneLaunchAtATime) {
  for (const char* family : {"pairwise", "tiled", "pairs-atomic", "pairs-matrix", "force-matrix"})
    EXPECT_EQ(refusal_of_ranges({std::string("family=") + family}), "") << family;
  EXPECT_NE(refusal_of_ranges({"family=tiled-2d"}).find("pairwise"), std::string::npos);
  EXPECT_NE(refusal_of_ranges({"family=tiled", "update=fused"}).find("update=separate"), std::string::npos);
  for (const char* schedule : {"streams", "phased", "graph", "batched"})
    EXPECT_NE(refusal_of_ranges({std::string("schedule=") + schedule, "family=tiled"}), "") << schedule;
}

// A kernel with its range in constant memory takes four arguments less; the queue is told the range instead.
TEST(Families, RangesAreArgumentsOrInConstantMemory) {
  const ForceSlice slice{{0, 1000}, 100, 900};
  for (const auto* family : families()) {
    if (!family->constant_ranges) continue;
    const auto name = "family=" + std::string(family->name);
    WrittenDown plain(kernel({name})), constant(kernel({name, "constants=constant-memory-all"}));
    family->forces(plain, slice);
    family->forces(constant, slice);
    ASSERT_EQ(plain.launched.size(), constant.launched.size()) << name;
    EXPECT_EQ(plain.launched[0].arguments, constant.launched[0].arguments + 4) << name;
    EXPECT_EQ(plain.ranges, 0) << name;
    EXPECT_EQ(constant.ranges, 1) << name;
  }
}

TEST(Families, OneThatHasScratchMemorySaysWhatFor) {
  for (const auto* family : all_forms())
    EXPECT_EQ(family->scratch.bytes == nullptr, family->scratch.meaning.empty()) << family->name;
}

// Otherwise code of a switch could be broken, and only a person with a GPU would notice.
TEST(CoveringSet, HasEveryChoiceOfEveryOption) {
  const auto set = covering_set();
  for (const auto& option : cuda_options().options()) {
    if (option.macro.empty()) continue;
    for (std::size_t k = 0; k < option.choices.size(); ++k) {
      const auto has = [&](const KernelConfiguration& c) {
        const auto found = c.code.find(option.name);
        return found != c.code.end() && found->second == static_cast<int>(k);
      };
      EXPECT_TRUE(std::ranges::any_of(set, has)) << option.name << '=' << option.choices[k];
    }
  }
}

TEST(CoveringSet, HasEveryFormOfEveryFamily) {
  const auto set = covering_set();
  for (const auto* family : all_forms()) {
    if (family->name == automatic_kernel) continue;  // its code is the tree's
    const auto has = [&](auto condition) {
      return std::ranges::any_of(set, [&](const auto& c) { return c.family == family && condition(c); });
    };
    EXPECT_TRUE(has([](const auto&) { return true; })) << family->name;
    EXPECT_EQ(has([](const auto& c) { return c.batched; }), family->batch != nullptr) << family->name;
    EXPECT_EQ(has([](const auto& c) { return c.precision == 64; }), family->limits.float_only.empty())
        << family->name;
    EXPECT_EQ(has([](const auto& c) { return c.law != &gravity_law; }), family->limits.gravity_only.empty())
        << family->name;
  }
}

// Families read bodies through the layout, and sum with the arithmetic.
TEST(CoveringSet, HasEveryLayoutAndArithmeticOfEveryFamily) {
  const auto set = covering_set();
  for (const auto* family : families()) {
    if (family->name == automatic_kernel) continue;
    for (const std::string name : {"layout", "arithmetic"}) {
      const bool refuses =
          std::ranges::find(family->refusals, name, &FamilyRefusal::option) != family->refusals.end();
      if (refuses || (name == "arithmetic" && family->needs_tensor_cores)) continue;
      const auto choices = cuda_options().at(name).choices;
      for (std::size_t k = 0; k < choices.size(); ++k) {
        const auto has = [&](const KernelConfiguration& c) {
          return c.family == family && c.value(name) == static_cast<int>(k);
        };
        EXPECT_TRUE(std::ranges::any_of(set, has)) << family->name << ' ' << name << '=' << choices[k];
      }
    }
  }
}

TEST(Families, LaunchesCoverAllTargets) {
  for (const auto* family : all_forms()) {
    SCOPED_TRACE(family->name);
    for (const ForceSlice& slice : {ForceSlice{{0, 1}, 0, 1}, ForceSlice{{100, 4199}, 100, 4199}}) {
      WrittenDown queue(kernel_of(*family));
      if (family->galaxies != nullptr) {
        family->galaxies(queue, 0, 3);
        EXPECT_EQ(queue.launched.front().shape.grid_x, 3U);
      } else {
        family->forces(queue, slice);
      }
      ASSERT_FALSE(queue.launched.empty());
      EXPECT_EQ(std::ranges::count(queue.launched, family->code.entry, &Launched::kernel), 1);
      std::set<std::string> known{family->code.entry};
      if (family->code.kernels != nullptr) {
        for (const char* name : family->code.kernels(queue.kernel())) known.insert(name);
      }
      for (const auto& each : queue.launched) {
        EXPECT_TRUE(known.contains(each.kernel))
            << each.kernel << " is checked nowhere when a module is loaded";
        const auto threads = std::size_t{each.shape.block_x} * each.shape.block_y;
        EXPECT_GT(each.shape.grid_x * each.shape.grid_y, 0U);
        EXPECT_GT(threads, 0U);
        EXPECT_LE(threads, 1024U);
      }
    }
  }
}

/// A family with the smallest blocks that it can have, which make the largest grids.
KernelConfiguration smallest_blocks(const Family& family) {
  std::vector<std::string> settings{"family=" + std::string(family.name)};
  if (family.uses_option("tiling")) settings.emplace_back("tiling=1:32:32");
  for (const std::string name : {"block", "bodies-per-thread"}) {
    if (!family.uses_option(name)) continue;
    const auto least = static_cast<int>(cuda_options().at(name).minimum);
    settings.push_back(name + '=' + std::to_string(name == "block" ? 32 : least));
  }
  auto configuration = kernel(settings);
  configuration.family = &family;
  return configuration;
}

TEST(Families, AGridInYIsNeverLargerThanItMayBe) {
  for (const auto* family : all_forms()) {
    if (family->galaxies != nullptr) continue;
    SCOPED_TRACE(family->name);
    constexpr std::size_t bodies = 5'000'000;
    WrittenDown queue(smallest_blocks(*family));
    family->forces(queue, {{0, bodies}, 0, bodies});
    for (const auto& each : queue.launched) {
      EXPECT_LE(each.shape.grid_y, 65535U) << each.kernel;
      EXPECT_LE(each.shape.grid_x, 0x7fffffffU) << each.kernel;
    }
  }
}

// Pieces of a galaxy that is larger than a grid: each body is a target once.
TEST(Families, LargeGridsAreLaunchedInPieces) {
  const auto rows_of = [](const char* family, std::size_t bodies) {
    WrittenDown queue(smallest_blocks(family_named(family)));
    family_named(family).forces(queue, {{0, bodies}, 0, bodies});
    std::size_t rows = 0;
    for (const auto& each : queue.launched) {
      if (each.kernel == "forces") rows += std::size_t{each.shape.grid_y} * each.shape.block_y;
    }
    return rows;
  };
  for (const auto& [family, rows_of_block] :
       {std::pair{"tiled-2d", 32U}, {"pairs-atomic", 1U}, {"pairs-matrix", 1U}, {"force-matrix", 16U}}) {
    for (const std::size_t bodies : {65'535U * rows_of_block, 65'535U * rows_of_block + 1, 3'000'000U}) {
      EXPECT_GE(rows_of(family, bodies), bodies) << family;
      EXPECT_LT(rows_of(family, bodies), bodies + rows_of_block) << family;
    }
  }
}

TEST(Families, PairSumsFinishWithTheLastSlice) {
  for (const auto* family : families()) {
    if (!family->sums_pairs) continue;
    const auto kernels_of = [&](const ForceSlice& slice) {
      WrittenDown queue(kernel_of(*family));
      family->forces(queue, slice);
      std::set<std::string> names;
      for (const auto& each : queue.launched) names.insert(each.kernel);
      return names;
    };
    EXPECT_FALSE(kernels_of({{0, 5000}, 0, 1024}).contains("finish"));
    EXPECT_FALSE(kernels_of({{0, 5000}, 1024, 5000}).contains("prepare"));
    EXPECT_TRUE(kernels_of({{0, 5000}, 1024, 5000}).contains("finish"));
  }
}

TEST(Families, CublasAddsWhatTheKernelLeaves) {
  WrittenDown queue(kernel({"family=tiled-2d", "sum=cublas", "tiling=2:128:128"}));
  queue.kernel().family->forces(queue, {{0, 1000}, 0, 1000});
  EXPECT_EQ(queue.launched.size(), 1U);
  EXPECT_EQ(queue.summed, 8U * 3000U);  // 4 blocks of 256 sources, 2 threads a body
}

TEST(Families, ATreeAddsWhatTheKernelLeaves) {
  WrittenDown queue(kernel({"family=tiled-2d", "sum=tree"}));
  queue.kernel().family->forces(queue, {{0, 1000}, 100, 200});
  ASSERT_EQ(queue.launched.size(), 2U);
  const auto& sum = queue.launched.back();
  EXPECT_EQ(sum.kernel, "add_partials_tree");
  EXPECT_EQ(sum.shape.grid_x, 4U);  // of 32 bodies
  EXPECT_EQ(sum.shape.block_x * sum.shape.block_y, 512U);
}

/// Why an option's value is refused with these settings.
std::string refused(const std::string& name, const OptionValue& value,
                    const std::vector<std::string>& settings) {
  auto all = settings;
  all.insert(all.begin(), "engine=cuda");
  const auto& table = checks::simulation_options();
  return table.refusal(table.at(name), value, checks::configuration_of({.name = "", .assignments = all}));
}

TEST(Families, HalfAWarpIsABlockOfTwoOfThem) {
  const OptionValue half = std::int64_t{16};
  for (const auto* family : families()) {
    if (!family->uses_option("block")) continue;
    const bool taken = family->name == "pairwise" || family->name == "tiled";
    const auto reason = refused("block", half, {"family=" + std::string(family->name)});
    EXPECT_EQ(reason.empty(), taken) << family->name << ": " << reason;
  }
  EXPECT_NE(refused("block", half, {"family=tiled", "update=fused"}), "");
  for (const std::int64_t odd : {1, 8, 17, 48 + 1, 1000}) EXPECT_NE(refused("block", odd, {}), "") << odd;
}

TEST(Families, EightThreadsShareABodyAndSevenDoNot) {
  const auto width = [](int threads, int length) {
    return refused("tiling", fmt::format("{}:{}:128", threads, length), {"family=tiled-2d"});
  };
  for (const int threads : {1, 2, 4, 8}) EXPECT_EQ(width(threads, 128), "") << threads;
  for (const int threads : {3, 5, 6, 7}) EXPECT_NE(width(threads, 128), "") << threads;
  EXPECT_NE(width(8, 256).find("2048 threads"), std::string::npos);
}

TEST(Families, ATreeAddsOneGalaxyALaunch) {
  for (const auto* name : {"tree", "cublas"})
    EXPECT_NE(refused("schedule", std::string("batched"), {"family=tiled-2d", std::string("sum=") + name})
                  .find("sum=kernel"),
              std::string::npos)
        << name;
}

TEST(Families, AtomicSumsBeginWithZeros) {
  WrittenDown queue(kernel({"family=pairs-atomic"}));
  queue.kernel().family->forces(queue, {{0, 1000}, 100, 300});
  EXPECT_EQ(queue.cleared, 3U * 4U * 200U);
}

}  // namespace
}  // namespace orrery::sim::cuda
