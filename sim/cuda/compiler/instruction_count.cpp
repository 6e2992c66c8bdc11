#include "sim/cuda/compiler/instruction_count.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "sim/cuda/compiler/instruction.h"

namespace orrery::sim::cuda {

namespace {

/// The instructions counted along one path through the code.
struct Tally {
  InstructionCount count;
  int roots = 0;         ///< without predicate
  int roots_if = 0;      ///< roots under a predicate
  int roots_if_not = 0;  ///< roots under the opposite of a predicate
  int half_products = 0;
  bool transposes = false;

  void add(const Instruction& instruction) {
    ++count.issued;
    // In the order of Unit.
    constexpr int InstructionCount::*of_unit[] = {nullptr,
                                                  &InstructionCount::fp32,
                                                  &InstructionCount::fp64,
                                                  &InstructionCount::special,
                                                  &InstructionCount::matrix,
                                                  &InstructionCount::shared_loads,
                                                  &InstructionCount::global_loads};
    if (instruction.unit != Unit::other) ++(count.*of_unit[static_cast<std::size_t>(instruction.unit)]);
    if (instruction.root)
      ++(!instruction.conditional ? roots : instruction.negated ? roots_if_not : roots_if);
    if (instruction.half_product) ++half_products;
    transposes = transposes || instruction.transposes;
  }
  bool better_than(const Tally& other) const {
    const auto order = [](const Tally& t) { return std::tuple(t.all_roots(), -t.count.issued); };
    return order(*this) > order(other);
  }
  int all_roots() const { return roots + roots_if + roots_if_not; }
  /// Where a rare number has another root, a predicate chooses: of two opposite ones, or of one and none. A
  /// guard gives all roots the same predicate.
  int interactions() const {
    return std::min(std::max(roots + roots_if, roots_if_not), std::max(roots + roots_if_not, roots_if));
  }
};

/// A backward branch and what it goes back to.
struct Loop {
  std::size_t head = 0, end = 0;
  bool whole = false;  ///< counts to a constant
  std::optional<Tally> way;
};

using Code = std::vector<Instruction>;

/// The best way from `head` to a branch back to it (`end` is the last one), or, where they are the whole
/// kernel, to its end. Ways into other loops that compute, and calls, are none.
class WayFinder {
 public:
  WayFinder(const Code& code, const Loop& loop, bool kernel)
      : code_(code), loop_(loop), kernel_(kernel), best_(loop.end - loop.head + 1) {}

  std::optional<Tally> find(const std::vector<Loop>& inner) {
    std::vector<bool> closed(best_.size());
    for (const auto& each : inner) {
      if (each.head < loop_.head || each.end > loop_.end || !each.way || each.way->interactions() == 0)
        continue;
      for (auto k = each.head; k <= each.end; ++k) closed[k - loop_.head] = true;
    }
    for (auto k = loop_.end + 1; k-- > loop_.head;) {
      if (!closed[k - loop_.head]) look_on_from(k);
    }
    return best_.front();
  }

 private:
  void look_on_from(std::size_t k) {
    const auto& here = code_[k];
    if (here.flow == Flow::call && !here.conditional) return;
    std::optional<Tally> on;
    if (here.flow == Flow::branch) {
      if (!kernel_ && here.target == loop_.head) on.emplace();
      if (here.target > k) take(on, here.target);
    } else if (here.flow == Flow::leave && !here.conditional) {
      if (kernel_) on.emplace();
    }
    if (here.flow == Flow::on || here.conditional) take(on, k + 1);
    if (on) on->add(here);
    best_[k - loop_.head] = on;
  }

  void take(std::optional<Tally>& on, std::size_t next) const {
    if (next > loop_.end) return;
    const auto& other = best_[next - loop_.head];
    if (other && (!on || other->better_than(*on))) on = other;
  }

  const Code& code_;
  const Loop& loop_;
  bool kernel_;
  std::vector<std::optional<Tally>> best_;
};

/// The branch that decides whether a loop goes on: the last one, or, where that always goes back, the one
/// before it that leaves.
std::size_t deciding_branch(const Code& code, std::size_t head, std::size_t end) {
  if (code[end].conditional) return end;
  for (auto k = end; k-- > head;) {
    if (code[k].flow != Flow::on && code[k].conditional) return k;
  }
  return end;
}

/// True if a loop ends with a comparison against a constant.
bool counts_to_constant(const Code& code, std::size_t head, std::size_t end) {
  const auto decides = deciding_branch(code, head, end);
  const auto& branch = code[decides];
  for (auto k = decides; branch.conditional && k-- > head;) {
    const auto& before = code[k];
    if (before.sets_predicate == branch.predicate && before.uniform == branch.uniform) return before.constant;
  }
  return false;
}

/// All loops, smaller ones first.
std::vector<Loop> find_loops(const Code& code) {
  std::map<std::size_t, std::size_t> end_of;
  for (std::size_t k = 0; k < code.size(); ++k) {
    if (code[k].flow == Flow::branch && code[k].target <= k) end_of[code[k].target] = k;
  }
  std::vector<Loop> loops;
  loops.reserve(end_of.size());
  for (const auto& [head, end] : end_of)
    loops.push_back({.head = head, .end = end, .whole = counts_to_constant(code, head, end), .way = {}});
  std::ranges::stable_sort(loops, {}, [](const Loop& loop) { return loop.end - loop.head; });
  return loops;
}

/// The way through the loop that does the work.
std::optional<Tally> main_way(const Code& code) {
  auto loops = find_loops(code);
  const Loop* best = nullptr;
  const auto order = [](const Loop& loop) {
    return std::tuple(loop.whole, loop.way->interactions(), -loop.way->count.issued);
  };
  for (auto& loop : loops) {
    loop.way = WayFinder(code, loop, false).find(loops);
    if (!loop.way || loop.way->interactions() == 0) continue;
    if (best == nullptr || order(loop) > order(*best)) best = &loop;
  }
  if (best != nullptr) return best->way;
  const Loop all{.head = 0, .end = code.size() - 1, .way = {}};
  return WayFinder(code, all, true).find({});
}

/// Interactions of a lane by its products; 0 where their number does not fit that of the roots. A
/// half-precision product is of 4 distances, or sums 8 weights, or their high or their low parts; where
/// weights are transposed (tensor-pairs) they serve both bodies. Other products each sum the weights of 4.
int interactions_by_products(const Tally& way) {
  const int roots = way.interactions();
  if (way.half_products == 0) return way.count.matrix * 4 == roots ? roots : 0;
  const int bodies = way.transposes ? 2 : 1;
  const int sums = way.half_products - roots / 4;
  const bool fits = sums * 8 == bodies * roots || sums * 4 == bodies * roots;
  return fits && way.half_products == way.count.matrix ? bodies * roots : 0;
}

}  // namespace

InstructionCount count_instructions(std::string_view cubin, std::string_view kernel) {
  const auto found = find_machine_code(cubin, kernel);
  if (!found || found->code.empty()) return {};
  const auto way = main_way(decode(*found));
  if (!way) return {};
  auto count = way->count;
  count.interactions = way->interactions();
  if (count.matrix > 0) count.interactions = interactions_by_products(*way);
  return count;
}

}  // namespace orrery::sim::cuda
