#pragma once

#include <span>
#include <string>

namespace orrery::lab {

/// The range of a speed that was measured several times, over its median: half of the samples lie between
/// `low` and `high`.
struct Spread {
  double low = 1.0, high = 1.0;
};

/// The spread of speeds from the times that were measured, in any unit. One time alone says nothing of it: a
/// tenth is assumed then. Without times {1, 1}. Puts the times in another order.
Spread spread_of_times(std::span<double> times);

/// A speed in any unit, more is faster, with what is known of its uncertainty.
struct MeasuredSpeed {
  double median = 0.0;  ///< 0: not measured
  Spread spread;
  bool busy = false;  ///< other programs used the cores meanwhile
};

/// The ratio of two speeds, and whether it says anything.
class Factor {
 public:
  enum class Says {
    unknown,        ///< one of the two was not measured
    faster,         ///< the second speed is higher, beyond what the spread explains
    slower,         ///< the second speed is lower, beyond what the spread explains
    no_difference,  ///< the spread of both explains it
    machine_busy,   ///< other programs may be why they differ
  };

  /// Compares a speed with that before it.
  Factor(const MeasuredSpeed& before, const MeasuredSpeed& after);

  Says says() const { return says_; }
  /// True if the number may be reported.
  bool counts() const { return says_ == Says::faster || says_ == Says::slower; }
  /// True if it is known roughly only, because the machine was busy.
  bool is_rough() const { return rough_; }
  /// The second speed over the first; 0 if it is unknown.
  double value() const { return value_; }
  /// "x4.0", "about x12", "no difference" or "machine busy"; empty if it is unknown. `sign` stands before the
  /// number.
  std::string text(const char* sign = "x") const;

 private:
  double value_ = 0.0;
  Says says_ = Says::unknown;
  bool rough_ = false;
};

/// "4.0" of rates: with as many digits as help.
std::string factor_text(double before, double after);

}  // namespace orrery::lab
