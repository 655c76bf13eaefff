// Debugger: starts workers in place of run_process(), each under a debugger that a person has in the terminal.
//
// The worker is the same, with the same descriptors and an empty environment. Its limits of time are off, since a person
// thinks; those of memory and files it sets for itself (protocol.h). Its answer goes to debugged_answer_descriptor, which the
// debugger adds to the others: the standard output is the person's.
#pragma once

#include "kernels/worker/processes/process.h"

namespace histolab::kernels::worker {

class Debugger {
 public:
  virtual ~Debugger() = default;
  // Returns when the worker has ended; what it answered is the result's `output`. Cancelled: the debugger ended before.
  [[nodiscard]] virtual Result<ProcessResult> run(const ProcessSpec& spec) = 0;
};

}  // namespace histolab::kernels::worker
