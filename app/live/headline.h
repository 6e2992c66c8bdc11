#pragma once

#include <optional>
#include <string>

#include "lab/bench/switch_watch.h"
#include "sim/simulation/monitor.h"

namespace orrery::app {

class Session;

/// The line that an audience must read at a glance: the kernel, its rate, and whether it is right.
struct Headline {
  std::string kernel;     ///< CPU kernel or CUDA family, "auto" with what it took
  double gips = 0.0;      ///< median of the kernel, 1e9 interactions per second; 0: not known yet
  double force_ms = 0.0;  ///< time of a force evaluation at that rate
  double steps_per_second = 0.0;
  /// Interactions per body of a tree, whose rate alone says little; 0: every pair is summed.
  double interactions_per_body = 0.0;
  double limit_percent = 0.0;  ///< percentage of the device's first limit; 0: no limit applies
  std::string limit;           ///< name of that limit: "FP32 limit"
  /// Verdict on the forces of the present kernel; empty if they were not checked yet.
  std::optional<sim::Verdict> verdict;
  double error = 0.0;      ///< median relative error of the forces
  double error_p99 = 0.0;  ///< 99th percentile of the force error
  bool paused = false;
  /// Why the numbers of a file seem to be wrong (units_doubt); the verdict is then not good. Empty: they do
  /// not.
  std::string doubt;
  bool few = false;        ///< so few bodies that steps per second say more than the rate
  bool compiling = false;  ///< another kernel; this one runs on meanwhile
  bool measuring = false;  ///< another way to compute was switched to, and its rate is not known yet
  bool busy = false;       ///< other programs used the cores while it was measured
};

/// Needs a dataset. Until `watch` has a first median it is the rate of the last half second; after a switch
/// none is given until that of the new way to compute is known: a name never stands beside an old rate.
Headline headline_of(const Session& session, const lab::SwitchWatch& watch);

/// The kernel's rate that a headline shows, 1e9 interactions per second; 0: not known yet.
double shown_gips(const Session& session, const lab::SwitchWatch& watch);

/// Milliseconds of a force evaluation at that rate; as it was measured last where the rate is not known. A
/// single one says little on a busy machine.
double mean_force_ms(const Session& session, double gips);

/// The verdict on the forces; with a `doubt` (units_doubt) it is not good.
sim::Verdict verdict_of(const sim::Health& health, const std::string& doubt);

/// Why the units of a file seem to be wrong: its bodies fly apart or fall together at once. Empty: they do
/// not, or that is not known.
std::string units_doubt(const Session& session);

/// "2.39" GInteractions/s or, of few bodies, "12 300" steps/s: the number that a room reads; "-" if not
/// known.
std::string main_number(const Headline& headline);
/// "RIGHT", "DOUBTFUL", "WRONG"; "UNITS?" for a doubt; "CHECKING" until there is a verdict.
const char* word_for(const Headline& headline);
/// "RIGHT", "DOUBTFUL", "WRONG".
const char* word_for(sim::Verdict verdict);

/// "forces 1.16 ms, 862 steps/s" of a tree; "0.011 GInteractions/s" of few bodies; else empty.
std::string step_text(const Headline& headline);
/// "tensor-pairs   1650 GInteractions/s   222 % of the FP32 limit": for one line over the picture.
std::string one_line(const Headline& headline);
/// The window's title: "Orrery: 1650 GInteractions/s, tensor-pairs, disk".
std::string window_title(const Headline& headline, const std::string& dataset);

}  // namespace orrery::app
