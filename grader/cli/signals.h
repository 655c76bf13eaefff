// Ctrl-C and its relatives: everything stops at once, no child stays, no report is left half-written.
#pragma once

namespace histolab::cli {

// SIGINT, SIGTERM and SIGHUP end the process with 128 + the signal's number (130 for Ctrl-C) after the device's
// children are killed and a temporary file is removed. SIGPIPE is ignored: a reader that went away is an error of a write.
void install_signal_handlers();

}  // namespace histolab::cli
