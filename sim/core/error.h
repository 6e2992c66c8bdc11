#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace orrery::sim {

/// A failure that the user can understand and act on. The message is one line that says what failed, why, and
/// what to do, for example "cannot read 'a.bin': the header asks for 20000 bodies but the file ends after
/// 310; copy it again".
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A request that makes no sense as typed (unknown name, value out of range): exit status 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// A number of a file is beyond single precision.
class TooLarge : public Error {
 public:
  using Error::Error;
};

/// A GPU failed and does not come back. The engine has gone back to the last state it kept, which can still
/// be read.
class DeviceLost : public Error {
 public:
  DeviceLost(const std::string& text, std::uint64_t steps_lost) : Error(text), steps_lost_(steps_lost) {}
  /// Steps that were complete and are gone.
  std::uint64_t steps_lost() const { return steps_lost_; }

 private:
  std::uint64_t steps_lost_;
};

/// The user cancelled a long operation (loading a file); nothing was changed.
class Cancelled : public Error {
 public:
  Cancelled() : Error("cancelled") {}
};

}  // namespace orrery::sim
