#pragma once

namespace orrery::app {

/// Catches signals: the first of these signals only sets the flag below, and is answered in time
/// (answer_in_time.h). A second SIGINT, SIGQUIT or SIGTERM ends the program at once, as the signal does by
/// itself, unless it comes within 0.2 s: `timeout` sends two for one wish. A signal that was ignored before
/// (nohup) stays ignored.
void catch_interrupts();

}  // namespace orrery::app
