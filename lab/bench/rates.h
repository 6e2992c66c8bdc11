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

/// 1e9 interactions per second; 0 where the time is not known.
double giga_per_second(double interactions, double milliseconds);

/// Interactions, and the time that they took.
struct TimedWork {
  double interactions = 0.0;
  double milliseconds = 0.0;  ///< 0: not known
};

/// Rates in 1e9 interactions per second.
struct Rates {
  double kernel = 0.0;  ///< rate of force evaluations alone; 0: not known
  double whole = 0.0;   ///< rate over the elapsed time; never above `kernel`
};

/// `kernel`: force evaluations that were timed by themselves. `whole`: all of them, over all the time that
/// passed. Evaluations are a part of that time, so the kernel is at least as fast as the whole. Where its own
/// time says otherwise, that time is too long: the events around a short kernel slow it, and a median leaves
/// out what is quicker.
Rates rates_of(const TimedWork& kernel, const TimedWork& whole);

/// A rate in 1e9 interactions per second for people, with that many significant digits whatever its size:
/// "1650", "11.07", "0.04080", "3.200e-05". Above 10^digits it is a whole number; "0" where there is none.
std::string rate_text(double gips, int digits = 4);

}  // namespace orrery::lab
