#pragma once

#include <string>

namespace orrery::lab {

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
