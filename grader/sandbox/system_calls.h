// Which system calls a confined process may make, as a program for the kernel's filter (seccomp).
//
// `kernel` is for the process that runs a student's code: a short list of what the emulator needs,
// and everything else ends the process. `tools` is for the compiler and for a worker before it
// serves: everything but what leads out of a sandbox, or to places in the system where its defects
// have been found; those fail with EPERM, as they do for a program without rights. `reading` is for
// a fork of this program that reads what a stranger wrote (apart.h): memory, the time, its own
// signals and a way out for its answer; the rest fails with EPERM. `driver` is `tools` for what
// holds CUDA's driver, which insists on a socket to listen at, of the machine's own: there is no
// way to connect one.
#pragma once

#include "kernels/worker/processes/descriptor.h"
#include "reference/result.h"

namespace histolab::sandbox {

enum class Filter { tools, driver, kernel, reading };

struct FilterOptions {
  // Processes of the same user that are not the sandbox's own could be reached by signals: `tools`
  // and `driver` send none. `kernel` never does, and makes no process but threads.
  bool shares_user = false;
};

// A file without a name that holds the program (struct sock_filter, one after another), at its
// beginning: kernels/worker/processes/call_filter.h takes it on.
[[nodiscard]] Result<kernels::worker::Descriptor> filter_program(Filter filter,
                                                                 const FilterOptions& options);

}  // namespace histolab::sandbox
