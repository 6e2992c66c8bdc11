#pragma once

#include <chrono>
#include <exception>
#include <string>
#include <string_view>

namespace orrery::app {

/// Where mpirun started several processes: all but the first say nothing on either stream from now on; what
/// they have to say of failures goes through the first. Nothing happens otherwise.
void quiet_all_but_first();

/// For a command that does not share its work: throws sim::UsageError where mpirun started several processes.
/// `command` as typed and `others`, those that share theirs, are for the message.
void refuse_processes(std::string_view command, const std::string& others);

/// Joins the processes that mpirun started; nothing happens otherwise.
void join_processes();

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
