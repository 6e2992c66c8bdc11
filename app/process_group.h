#pragma once

#include <chrono>
#include <exception>

namespace orrery::app {

/// Where mpirun started several processes: all but the first say nothing on either stream from now on; what
/// they have to say of failures goes through the first. Nothing happens otherwise.
void quiet_all_but_first();

/// Joins the processes for a command that can share its work. For other commands (`shares_work` false) throws
/// sim::UsageError where there are several. `command`: as typed, for the message.
void join_processes(const char* command, bool shares_work);

/// True for the process that writes files and standard output.
bool is_first_process();

/// The end of a command that went well: waits for the others, of which one may yet have failed.
void leave_processes();

/// Says what failed, once for all processes, and returns this process's exit status: 1, or 2 for a mistake in
/// the command; with several processes it is the first that ends with it. Where the others do not come to
/// their next exchange within `patience` (a force evaluation may take long), ends them all at once.
int report_failure(const std::exception& failure,
                   std::chrono::milliseconds patience = std::chrono::seconds(10));

}  // namespace orrery::app
