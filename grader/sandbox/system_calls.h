// The system calls that a confined process may make, as a program for the kernel's filter
// (seccomp).
//
// `kernel` is for the process that runs a student's code: a short list of calls that the emulator
// needs. Any other call ends the process.
// `tools` is for the compiler, and for a worker before it serves. It forbids calls that lead out of
// a sandbox or into parts of Linux where defects were found. They fail with EPERM, as for a program
// without rights.
// `reading` is for a fork of this program that reads a stranger's input (apart.h): memory, the
// time, its own signals, and writing its answer. Other calls fail with EPERM.
// `front` is for the process that serves HTTP (grader/web/front): memory, the time, threads, and
// the sockets that it was given or that it accepts. It cannot open, connect or make others. Other
// calls fail with EPERM.
// `driver` is `tools` for a process with CUDA's driver. The driver insists on listening on a local
// socket; connecting a socket is forbidden.
#pragma once

#include "kernels/worker/processes/descriptor.h"
#include "reference/result.h"

namespace histolab::sandbox {

enum class Filter { tools, driver, kernel, reading, front };

struct FilterOptions {
  // Signals could reach other processes of the same user: `tools` and `driver` send none. `kernel`
  // never sends signals, and creates threads but no processes.
  bool shares_user = false;
};

// An unnamed file with the program (an array of struct sock_filter) at its beginning.
// kernels/worker/processes/call_filter.h installs it.
[[nodiscard]] Result<kernels::worker::Descriptor> filter_program(Filter filter,
                                                                 const FilterOptions& options);

}  // namespace histolab::sandbox
