#pragma once

#include <chrono>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::app {

/// If mpirun started several processes, silences both output streams of all but the first, which reports the
/// failures of the others. Otherwise does nothing.
void quiet_all_but_first();

/// Throws sim::UsageError if mpirun started several processes, for a command that does not share its work.
/// The message names `command` as typed and `others`, the commands that share theirs.
void refuse_processes(std::string_view command, const std::string& others);

/// Joins the processes that mpirun started, and throws sim::SharedError if they have other versions of the
/// program or other arguments; nothing happens otherwise. Every process comes here first, whatever its
/// command is, because the others wait for it. Where it cannot join, require_processes() says why.
void join_processes(const std::vector<std::string>& arguments);

/// Throws sim::Error if mpirun started several processes and this one could not join them.
void require_processes();

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
